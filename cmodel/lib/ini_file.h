/* SPDX-License-Identifier: Apache-2.0 */
/* Reads INI files with inih. Counts and measures the lines itself, because inih gives its
 * handler no line number and splits lines that do not fit its buffer of 200 bytes; keeps a value
 * that does not fit. Skips a byte order mark. Refuses text after a section's ']', which inih
 * ignores, and endless input. */
#ifndef MEMTWIN_LIB_INI_FILE_H
#define MEMTWIN_LIB_INI_FILE_H

#include <stdbool.h>
#include <stdio.h>

#include "lib/error.h"

#define INI_LINE_SIZE 8194 /* size of the longest line, with its line feed */

struct ini_file {
    FILE *f;          /* not owned */
    const char *path; /* name for messages; not owned */
    unsigned line;    /* number of the last line read, counted from 1; 0 if no line has been read */
    bool failed;
    char kept[INI_LINE_SIZE]; /* value of the line read last, if it does not fit inih's buffer */
    struct error *err;        /* gets the first error */
    const char *hint;         /* end of each message; may be NULL */
    const char *long_hint;    /* end of the message about a line that is too long; may be NULL */
    void *ctx;                /* first argument of the functions below */
    /* Returns the part of a line that inih gets. inih treats a line with a leading blank as a
     * continuation of the previous value. If the pointer is NULL, inih gets lines without their
     * leading blanks. */
    char *(*begin_line)(void *ctx, char *line);
    /* Handles a line "[name]". inih itself does not report a section without keys. */
    void (*section)(void *ctx, const char *name);
    /* Handles a key. Returns 0 if the key is wrong. */
    int (*key)(void *ctx, const char *section, const char *name, const char *value);
};

/* Reads the file up to the first error. */
void ini_file_read(struct ini_file *in);
/* Records the first error, with file and line. Returns 0. */
__attribute__((format(printf, 2, 3))) int ini_file_fail(struct ini_file *in, const char *fmt, ...);
/* True if a name ends in ".ini" and has characters before this suffix. */
bool ini_file_has_suffix(const char *name);
/* True if a name ends in ".config" and has characters before this suffix: a file of options of
 * GPGPU-Sim (import/import.h) instead of an INI file. */
bool ini_file_is_options(const char *name);
/* True if a name is a path rather than the name of a shipped file: it has a '/' or ends in .ini or
 * .config. */
bool ini_file_is_path(const char *name);

#endif
