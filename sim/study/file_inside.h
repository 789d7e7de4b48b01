/* SPDX-License-Identifier: Apache-2.0 */
/* Declares what the sources file*.c and study.c share. Functions that return int return 0 after an
 * error, as inih handlers do, and the message is then in r->in.err. */
#ifndef MEMTWIN_STUDY_FILE_INSIDE_H
#define MEMTWIN_STUDY_FILE_INSIDE_H

#include <stdio.h>

#include "config/config.h"
#include "lib/guess.h"
#include "lib/ini_file.h"
#include "study/file.h"

#define BLANKS " \t\r\n"
#define LISTS_MAX 9                 /* maximum number of lists in braces in one word */
#define LINE_MAX_SIZE INI_LINE_SIZE /* maximum length of a key or value in bytes */
#define ROWS_MAX 32

enum section_kind { OUTSIDE, STUDY, SET, AXES, AXIS, GROUP, SCHEME, PLOT };

struct study_reading {
    struct study *s;
    struct ini_file in;
    bool in_part; /* true if -w follows: sizes of listed workloads are not checked */
    enum section_kind kind;
    unsigned empty_axes; /* line of an [axis] that has no key yet; 0 if none */
    size_t first;        /* index of the section's first scheme; all later ones belong to it too */
    struct study_words *list;     /* list that a line with a leading blank continues */
    struct config scratch;        /* configuration used to check values */
    bool goes_on;                 /* true if the current line continues a list */
    struct study_section *scheme; /* scheme of the current key */
    size_t seen[ROWS_MAX];        /* number of the latest section with the row's key */
};

/* ---- file_build.c ---- */

/* Keeps the first message, with file and line. Returns 0. */
#define file_fail(r, ...) ini_file_fail(&(r)->in, __VA_ARGS__)
/* Appends a zeroed element to *array. */
void *file_grow(void *array, size_t *n, size_t size);
void file_add_word(struct study_reading *r, struct study_words *to, const char *text);
/* Adds a key to a section. */
struct study_key *file_add_key(struct study_reading *r, struct study_section *to, const char *name);
struct study_section *file_add_section(struct study_reading *r, struct study_section **to,
                                       size_t *n, const char *name);
/* Returns the key of that name, or NULL. */
struct study_key *file_find_key(const struct study_section *s, const char *name);
/* Returns a hint for file_fail after an unknown name: "; did you mean 'y'?", or "". */
const char *file_hint(struct guess *g, const struct study_section *s, size_t n, const char *name);

/* ---- file_words.c ---- */

/* Expansion of a text with lists in braces to words. */
struct expansion {
    struct study_reading *r;
    void (*take)(struct expansion *x, const char *word);
    struct study_words *to;
    bool once;
    size_t depth;
    const char *rest[LISTS_MAX]; /* text after each list, by depth */
    char *item[LISTS_MAX];
    char word[LINE_MAX_SIZE];
};

/* Calls x->take for each word of the expanded text. */
void file_expand(struct expansion *x, const char *text);
/* Replaces {1} (or {}), {2} .. in a value by the current items of the lists in the scheme's name.
 * The caller frees the text. Returns NULL after an error. */
char *file_substitute(struct study_reading *r, const struct study_section *scheme,
                      const char *text);
/* Adds the words of a list, which the next lines may continue. Refuses repeated words if `once` is
 * true. */
int file_take_words(struct study_reading *r, struct study_words *to, const char *text, bool once);

/* ---- file_values.c ---- */

/* Checks that the statistic exists. If not, the message begins with `before`. */
int file_check_statistic(struct study_reading *r, const char *before, const char *name);
/* Finds a statistic, or adds it. Sets *to to its index in the study. */
int file_take_statistic(struct study_reading *r, const char *name, size_t *to);
/* Adds `percent` percent of "STATISTIC@WORD@WORD" to study.from. Sets *to to the index there. */
int file_take_from(struct study_reading *r, const char *text, double percent, size_t *to);
/* Checks that the key exists and accepts its values with index `from` and above. */
int file_check_values(struct study_reading *r, const struct study_key *k, size_t from);
/* Adds a key to [set], a group or a scheme, where keys have one value. */
int file_take_setting(struct study_reading *r, struct study_section *to, const char *name,
                      const char *value);
/* Adds a key to an axis, where keys have a list of values. */
int file_take_axis(struct study_reading *r, const char *name, const char *value);

/* ---- file_keys.c ---- */

/* Reads a key of [study] or of a plot. The key must be in the table and must not be repeated. */
int file_take_listed_key(struct study_reading *r, const char *name, const char *value);
/* Reads a key of a group or a scheme, which is in the table or belongs to the configuration. */
int file_take_mixed_key(struct study_reading *r, struct study_section *to, const char *name,
                        const char *value);

/* ---- file_check.c ---- */

/* Checks that the sections make a valid study. */
void file_check_whole(struct study_reading *r);

/* ---- study.c ---- */

void study_free_words(struct study_words *w);
/* Returns true if the size of a workload is possible. Makes the workload to find out, which takes
 * milliseconds. */
bool study_workload_can_be(const char *text, struct error *why);

#endif
