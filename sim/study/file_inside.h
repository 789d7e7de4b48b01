/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the parts of the reader of study files. Functions that return int return 0 after an
 * error, as inih handlers do; the message is then in r->err. */
#ifndef MEMTWIN_STUDY_FILE_INSIDE_H
#define MEMTWIN_STUDY_FILE_INSIDE_H

#include <stdio.h>

#include "config/config.h"
#include "lib/guess.h"
#include "study/file.h"

#define BLANKS " \t\r\n"
#define LISTS_MAX 9       /* lists in braces in one word */
#define LINE_MAX_SIZE 256 /* inih has less */
#define ROWS_MAX 32

enum section_kind { OUTSIDE, STUDY, SET, AXES, AXIS, GROUP, SCHEME, PLOT };

/* inih splits the lines; they are counted and measured here, as in config/config.c. */
struct reading {
    struct study *s;
    FILE *file;
    char *line; /* owned; as getline has it */
    size_t line_size;
    unsigned at;
    enum section_kind kind;
    unsigned empty_axes;      /* line of an [axis] without a key so far; 0: none */
    size_t first;             /* first scheme of this section, which ends with the last scheme */
    struct study_words *list; /* list that a line with a leading blank continues */
    struct config scratch;    /* used to check whether a key takes a value */
    bool goes_on;             /* this line continues a list */
    struct study_section *scheme; /* scheme of the current key */
    size_t seen[ROWS_MAX];        /* the section that had this row's key last: plots count from 1 */
    bool failed;
    char *err;
    size_t err_size;
};

/* ---- file_build.c ---- */

/* Keeps the first message, with file and line. Returns 0. */
__attribute__((format(printf, 2, 3))) int file_fail(struct reading *r, const char *fmt, ...);
/* Appends a zeroed element to *array. NULL after an error. */
void *file_grow(struct reading *r, void *array, size_t *n, size_t size);
/* Copies a text, which the caller frees. NULL after an error. */
char *file_copy_text(struct reading *r, const char *text);
void file_add_word(struct reading *r, struct study_words *to, const char *text);
/* Adds a key to a section. NULL after an error. */
struct study_key *file_add_key(struct reading *r, struct study_section *to, const char *name);
struct study_section *file_add_section(struct reading *r, struct study_section **to, size_t *n,
                                       const char *name);
/* The key of that name; NULL if there is none. */
struct study_key *file_find_key(const struct study_section *s, const char *name);
/* A hint for file_fail after an unknown name: "; did you mean 'y'?", or "". */
const char *file_hint(struct guess *g, const struct study_section *s, size_t n, const char *name);

/* ---- file_words.c ---- */

/* Expansion of a text with lists in braces to words. */
struct expansion {
    struct reading *r;
    void (*take)(struct expansion *x, const char *word);
    struct study_words *to;
    bool once;
    size_t depth;
    const char *rest[LISTS_MAX]; /* text after a list, by depth */
    char *item[LISTS_MAX];
    char word[LINE_MAX_SIZE];
};

/* Calls x->take for each word of the expansion. */
void file_expand(struct expansion *x, const char *text);
/* Substitutes {1} (or {}), {2} .. in a value by the current items of the lists in the scheme's
 * name. The caller frees the text. NULL after an error. */
char *file_substitute(struct reading *r, const struct study_section *scheme, const char *text);
/* Takes the words of a list, which the next lines may continue. `once`: refuses repeated words. */
int file_take_words(struct reading *r, struct study_words *to, const char *text, bool once);

/* ---- file_values.c ---- */

/* Whether the statistic exists; if not, the message begins with `before`. */
int file_check_statistic(struct reading *r, const char *before, const char *name);
/* Looks up a statistic; *to: its index among those of the study. */
int file_take_statistic(struct reading *r, const char *name, size_t *to);
/* Takes `percent` of "STATISTIC@WORD@WORD"; *to: its index in `from`. */
int file_take_from(struct reading *r, const char *text, double percent, size_t *to);
/* Checks that the key exists and takes its values, from index `from` on. */
int file_check_values(struct reading *r, const struct study_key *k, size_t from);
/* Takes a key of [set], a group or a scheme, with one value. */
int file_take_setting(struct reading *r, struct study_section *to, const char *name,
                      const char *value);
/* Takes a key of an axis, with a list of values. */
int file_take_axis(struct reading *r, const char *name, const char *value);

/* ---- file_keys.c ---- */

/* Takes a key of [study] or of a plot, which must be in the table, each once. */
int file_take_listed_key(struct reading *r, const char *name, const char *value);
/* Takes a key of a group or a scheme, which is in the table or in the configuration. */
int file_take_mixed_key(struct reading *r, struct study_section *to, const char *name,
                        const char *value);

/* ---- file_check.c ---- */

/* Whether what has been read makes a study. */
void file_check_whole(struct reading *r);

/* ---- study.c ---- */

void study_free_words(struct study_words *w);
/* Whether a workload can be of its size: it is made, which takes milliseconds. */
bool study_workload_can_be(const char *text, char *why, size_t why_size);

#endif
