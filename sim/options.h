/* SPDX-License-Identifier: Apache-2.0 */
/* The options of a command, declared once: the parser and --help read the same table. */
#ifndef MEMTWIN_SIM_OPTIONS_H
#define MEMTWIN_SIM_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "block/block.h"

struct option_row {
    char letter;       /* 0: no short form */
    const char *name;  /* without its dashes */
    const char *value; /* its name in --help; NULL: a flag without a value */
    const char *help;  /* lines */
    /* Stores the value. `to` is `offset` bytes into the command's options. Returns EXIT_GOOD, or
     * prints an error and returns an exit code. */
    int (*take)(const char *command, const struct option_row *row, void *to, char *value);
    size_t offset;
    uint64_t min, max; /* of take_number; max 0: no limit */
    bool many;         /* may be given more than once */
};

/* A row of an option table; the command's options are a struct `type`. */
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

/* Values of an option that may be given many times. All zero: not given. */
struct text_list {
    const char **text; /* owned; the texts are not */
    size_t n;
};

/* Functions for option_row.take, with the type of *to. */
int take_flag(const char *, const struct option_row *, void *to, char *);     /* bool: true */
int take_text(const char *, const struct option_row *, void *to, char *text); /* const char * */
/* As take_text, for a value that may begin with "-". */
int take_options(const char *, const struct option_row *, void *to, char *text);
/* const char *: path of a block library, which is loaded and searched from now on */
int take_library(const char *, const struct option_row *, void *to, char *path);
int take_list(const char *, const struct option_row *, void *to, char *text); /* struct text_list */
int take_number(const char *, const struct option_row *, void *to, char *text); /* uint64_t */
int take_time(const char *, const struct option_row *, void *to,
              char *text); /* uint64_t, seconds */

/* Reads a time up to 10,000 hours: "90", "90s", "10m" or "2h". False if text is not a time. */
bool parse_time(const char *text, uint64_t *seconds);

#define OPTIONS_MAX_WORDS 2

struct command_line {
    const char *usage;              /* printed by --help before the options */
    const struct option_row *table; /* ended by a row without a name; -h, --help goes without one */
    const char *notes;              /* printed after the options; may be NULL */
    /* Names of the positional arguments, in the style of option_row.value: "BLOCK", "FILE.ini",
     * "export|make|check". */
    const char *word[OPTIONS_MAX_WORDS];
};

/* Reads the command line into `options`, and positional arguments into `words` (NULL: not given).
 * Refuses empty values, and options with a value that are given twice unless they are MANY. Returns
 * GO_ON, or the exit code of the command after an error, after --help, or after a request of main.c
 * in argv[1]: OPTIONS_MAN (argv[2]: a line about the command) or OPTIONS_COMPLETE (complete.h). */
#define OPTIONS_MAN "--man"
#define OPTIONS_COMPLETE "--complete"
enum { GO_ON = -1 };
extern const struct option_row option_help; /* is in no table */

int read_options(const struct command_line *line, int argc, char **argv, void *options,
                 const char **words);

/* Looks up the block and the parameters ("NAME=VALUE") of a command line. Returns GO_ON, or prints
 * an error and returns EXIT_USAGE. */
int read_block(const char *command, const char *name, const struct text_list *assignments,
               const struct block_type **type, struct block_params *params);

struct workload_type;

/* Looks up the workload of "NAME[:SIZE]"; *size: the text after the colon, or NULL. Returns NULL
 * with one line in err if there is none. */
const struct workload_type *read_workload_name(const char *arg, const char **size, char *err,
                                               size_t err_size);

#endif
