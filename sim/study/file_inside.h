/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of the reader of study files know of each other. Functions that return int return
 * 0 once reading has failed, as a handler of inih does; what is wrong is in r->err then. */
#ifndef MEMTWIN_STUDY_FILE_INSIDE_H
#define MEMTWIN_STUDY_FILE_INSIDE_H

#include <stdio.h>

#include "config/config.h"
#include "lib/guess.h"
#include "study/file.h"

#define BLANKS " \t\r\n"
#define LISTS_MAX 9       /* between braces, of one word */
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
    unsigned empty_axes;          /* the line of an [axis] that has no key yet; 0: there is none */
    size_t first;                 /* of the schemes that this section makes; the last is the last */
    struct study_words *list;     /* that a line which begins with a blank goes on with */
    struct config scratch;        /* tells whether a key takes a value */
    bool goes_on;                 /* this line does */
    struct study_section *scheme; /* whose key it is */
    size_t seen[ROWS_MAX];        /* the section that had this row's key last: plots count from 1 */
    bool failed;
    char *err;
    size_t err_size;
};

/* ---- file_build.c ---- */

/* Keeps the first message, with file and line. Returns 0. */
__attribute__((format(printf, 2, 3))) int file_fail(struct reading *r, const char *fmt, ...);
/* One more element of *array, all zero; NULL once it has failed. */
void *file_grow(struct reading *r, void *array, size_t *n, size_t size);
/* The caller's; NULL once it has failed. */
char *file_copy_text(struct reading *r, const char *text);
void file_add_word(struct reading *r, struct study_words *to, const char *text);
/* NULL once it has failed. */
struct study_key *file_add_key(struct reading *r, struct study_section *to, const char *name);
struct study_section *file_add_section(struct reading *r, struct study_section **to, size_t *n,
                                       const char *name);
/* NULL: there is none of that name. */
struct study_key *file_find_key(const struct study_section *s, const char *name);
/* What file_fail says behind a name that none of them has: "; did you mean 'y'?", or nothing. */
const char *file_hint(struct guess *g, const struct study_section *s, size_t n, const char *name);

/* ---- file_words.c ---- */

/* The words that a text with lists between braces stands for. */
struct expansion {
    struct reading *r;
    void (*take)(struct expansion *x, const char *word);
    struct study_words *to;
    bool once;
    size_t depth;
    const char *rest[LISTS_MAX]; /* the text behind a list, by depth */
    char *item[LISTS_MAX];
    char word[LINE_MAX_SIZE];
};

/* Gives each word that the text stands for to x->take. */
void file_expand(struct expansion *x, const char *text);
/* A value in a scheme whose name has lists: {1} (or {}) is what the first of them is now, and so
 * on. The caller's; NULL once it has failed. */
char *file_substitute(struct reading *r, const struct study_section *scheme, const char *text);
/* The words of a list, which the next lines may go on with; `once`: each may come once. */
int file_take_words(struct reading *r, struct study_words *to, const char *text, bool once);

/* ---- file_values.c ---- */

/* Whether the statistic exists; if not, the message begins with `before`. */
int file_check_statistic(struct reading *r, const char *before, const char *name);
/* Looks up a statistic; *to: its index among those of the study. */
int file_take_statistic(struct reading *r, const char *name, size_t *to);
/* Takes `percent` of "STATISTIC@WORD@WORD"; *to: its index in `from`. */
int file_take_from(struct reading *r, const char *text, double percent, size_t *to);
/* Whether a configuration has that key, and the key each of its values from number `from` on. */
int file_check_values(struct reading *r, const struct study_key *k, size_t from);
/* A key of [set], a group or a scheme: one value. */
int file_take_setting(struct reading *r, struct study_section *to, const char *name,
                      const char *value);
/* A key of an axis: a list of values. */
int file_take_axis(struct reading *r, const char *name, const char *value);

/* ---- file_keys.c ---- */

/* A key of [study] or of a plot: those that the table has, each once. */
int file_take_listed_key(struct reading *r, const char *name, const char *value);
/* A key of a group or a scheme: one of the table, or of the configuration. */
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
