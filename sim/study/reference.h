/* SPDX-License-Identifier: Apache-2.0 */
/* Published figures that studies are compared with: a CSV file whose first line is
 * "study,seed,figure,quantity,scheme,group,value"; docs/use/studies.md explains them. */
#ifndef MEMTWIN_STUDY_REFERENCE_H
#define MEMTWIN_STUDY_REFERENCE_H

#include <stddef.h>

/* The text columns, in order; the value follows. */
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

/* Reads the rows of one study; text[REFERENCE_STUDY] may be the part of its name before a dot.
 * 0, or -1 with "FILE:LINE: what" in err; call reference_free in both cases. */
int reference_read(struct reference *f, const char *path, const char *study, char *err,
                   size_t err_size);
void reference_free(struct reference *f);

#endif
