/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the published figures that studies are compared with. They are in a CSV file whose first
 * line is "study,seed,figure,quantity,scheme,group,value". docs/use/studies.md explains the
 * columns. */
#ifndef MEMTWIN_STUDY_REFERENCE_H
#define MEMTWIN_STUDY_REFERENCE_H

#include <stddef.h>

#include "lib/error.h"

/* Text columns, in order; the value follows them. */
enum {
    REFERENCE_STUDY,
    REFERENCE_SEED,
    REFERENCE_FIGURE,
    REFERENCE_QUANTITY,
    REFERENCE_SCHEME,
    REFERENCE_GROUP,
    REFERENCE_TEXTS
};

struct reference {
    struct reference_row {
        char *text[REFERENCE_TEXTS]; /* owned */
        double value;
        unsigned line;
    } * row; /* owned */
    size_t n;
};

/* Reads the rows of one study. text[REFERENCE_STUDY] may also be the part of the study's name
 * before a dot. Returns 0, or -1 with "FILE:LINE: what" in err; call reference_free in both
 * cases. */
int reference_read(struct reference *f, const char *path, const char *study, struct error *err);
void reference_free(struct reference *f);

#endif
