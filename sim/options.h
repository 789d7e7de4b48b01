/* SPDX-License-Identifier: Apache-2.0 */
/* The options of a command, declared once: the parser and --help read the same table. */
#ifndef MEMTWIN_SIM_OPTIONS_H
#define MEMTWIN_SIM_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "block/block.h"

struct option_row {
    char letter;       /* 0: it has none */
    const char *name;  /* without its dashes */
    const char *value; /* as --help calls it; NULL: the option takes none */
    const char *help;  /* lines */
    /* Takes the value. `to` is `offset` bytes into the command's options. Returns EXIT_GOOD, or an
     * exit code once it has said what is wrong. */
    int (*take)(const char *command, const struct option_row *row, void *to, char *value);
    size_t offset;
    uint64_t min, max; /* of take_number; max 0: no limit */
    bool many;         /* may be given more than once */
};

/* A row of the table of a command whose options are a `type`. */
#define OPTION(type, letter, name, value, take, member, help)                                      \
    { letter, name, value, help, take, offsetof(type, member), 0, 0, false }
#define MANY(type, letter, name, value, take, member, help)                                        \
    { letter, name, value, help, take, offsetof(type, member), 0, 0, true }
#define NUMBER(type, name, value, min, max, member, help)                                          \
    { 0, name, value, help, take_number, offsetof(type, member), min, max, false }

/* The row --block; its member is a const char *. */
#define LIBRARY(type, member)                                                                      \
    OPTION(type, 0, "block", "LIB.so", take_library, member,                                       \
           "the library of a block of your own (also: MEMTWIN_BLOCK=LIB.so)")

/* Of an option that may be given many times. All zero: not given. */
struct text_list {
    const char **text; /* owned; the texts are not */
    size_t n;
};

/* Takers, and what they write. */
int take_flag(const char *, const struct option_row *, void *to, char *);     /* bool: true */
int take_text(const char *, const struct option_row *, void *to, char *text); /* const char * */
/* The same of a text that may begin as an option does. */
int take_options(const char *, const struct option_row *, void *to, char *text);
/* const char *: of a block's library, which every look for a block finds from now on */
int take_library(const char *, const struct option_row *, void *to, char *path);
int take_list(const char *, const struct option_row *, void *to, char *text); /* struct text_list */
int take_number(const char *, const struct option_row *, void *to, char *text); /* uint64_t */
int take_time(const char *, const struct option_row *, void *to, char *text);   /* the same: s */

/* "90", "90s", "10m" or "2h": seconds, up to 10,000 hours; false if it is anything else. */
bool parse_time(const char *text, uint64_t *seconds);

#define OPTIONS_MAX_WORDS 2

struct command_line {
    const char *usage;              /* what --help says before the options */
    const struct option_row *table; /* ended by a row without a name; -h, --help goes without one */
    const char *notes;              /* .. and after them; NULL: nothing */
    /* The words that may stand among the options, each named as the value of an option is: "BLOCK",
     * "FILE.ini", "export|make|check". */
    const char *word[OPTIONS_MAX_WORDS];
};

/* Reads the command line into `options`, and its words into `words` (NULL: not given). An option
 * with a value is given once, or it is a MANY; no value is empty. Returns GO_ON, or the exit code
 * with which the command ends: an error, or something else was asked for: --help; by main.c, as
 * argv[1], OPTIONS_MAN (argv[2]: a line about the command) or OPTIONS_COMPLETE (complete.h). */
#define OPTIONS_MAN "--man"
#define OPTIONS_COMPLETE "--complete"
enum { GO_ON = -1 };
extern const struct option_row option_help; /* goes without a place in the tables */

int read_options(const struct command_line *line, int argc, char **argv, void *options,
                 const char **words);

/* The block and the parameters ("NAME=VALUE") that a command line names. Returns GO_ON, or
 * EXIT_USAGE once it has said what is wrong. */
int read_block(const char *command, const char *name, const struct text_list *assignments,
               const struct block_type **type, struct block_params *params);

struct workload_type;

/* The workload that "NAME[:SIZE]" names; *size is behind the colon, NULL: default. NULL with one
 * line in err. */
const struct workload_type *read_workload_name(const char *arg, const char **size, char *err,
                                               size_t err_size);

#endif
