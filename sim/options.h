/* SPDX-License-Identifier: Apache-2.0 */
/* Parses the options of a command. The parser and --help read the same table. */
#ifndef MEMTWIN_SIM_OPTIONS_H
#define MEMTWIN_SIM_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "block/block.h"

struct option_row {
    char letter;       /* short form; 0 if none */
    const char *name;  /* long name without its dashes */
    const char *value; /* placeholder of the value in --help; NULL for a flag */
    const char *help;  /* description; may have several lines */
    /* Stores the value at `to`, which is `offset` bytes into the command's options. Returns
     * EXIT_GOOD, or prints an error and returns an exit code. */
    int (*take)(const char *command, const struct option_row *row, void *to, char *value);
    size_t offset;
    uint64_t min, max; /* limits for take_number; no upper limit if max is 0 */
    bool many;         /* true if the option may be given several times */
    bool optional;     /* true if the value, a word that is no option, may be missing */
};

/* Row of an option table. `type` is the struct of the command's options. */
#define OPTION(type, letter, name, value, take, member, help)                                      \
    { letter, name, value, help, take, offsetof(type, member), 0, 0, false, false }
#define OPTIONAL(type, letter, name, value, take, member, help)                                    \
    { letter, name, value, help, take, offsetof(type, member), 0, 0, false, true }
#define MANY(type, letter, name, value, take, member, help)                                        \
    { letter, name, value, help, take, offsetof(type, member), 0, 0, true, false }
#define NUMBER(type, name, value, min, max, member, help)                                          \
    { 0, name, value, help, take_number, offsetof(type, member), min, max, false, false }

/* Row of --block. Its member is a const char *. */
#define LIBRARY(type, member)                                                                      \
    OPTION(type, 0, "block", "LIB.so", take_library, member,                                       \
           "the library of your own block (also: MEMTWIN_BLOCK=LIB.so)")

/* Help of --kernels, which chooses kernels of a trace (trace/choice.h). */
#define KERNELS_HELP                                                                               \
    "only the kernels of LIST: numbers and names, as in -6,8,10-,*gemm* (-6: the\n"                \
    "first six; 10-: all from the tenth); a name without *, ? or [ matches every\n"                \
    "name that contains it"

/* Values of an option that may be given several times. All members are zero if the option is not
 * given. */
struct text_list {
    const char **text; /* owned; the texts are not */
    size_t n;
};

/* Functions for option_row.take, with the type of *to. */
int take_flag(const char *, const struct option_row *, void *to, char *); /* bool; set to true */
int take_text(const char *, const struct option_row *, void *to, char *text); /* const char * */
/* const char *; the value may begin with "-" */
int take_options(const char *, const struct option_row *, void *to, char *text);
/* const char *; path of a block library, which is loaded immediately */
int take_library(const char *, const struct option_row *, void *to, char *path);
int take_list(const char *, const struct option_row *, void *to, char *text); /* struct text_list */
int take_number(const char *, const struct option_row *, void *to, char *text); /* uint64_t */
int take_time(const char *, const struct option_row *, void *to,
              char *text); /* uint64_t; seconds */

/* Parses a time of at most 10,000 hours: "90", "90s", "10m" or "2h". Returns false if the text is
 * not a time. */
bool parse_time(const char *text, uint64_t *seconds);

#define OPTIONS_MAX_WORDS 2

struct command_line {
    const char *usage; /* text that --help prints before the options */
    const struct option_row
        *table;        /* ended by a row without a name; -h, --help is added automatically */
    const char *notes; /* text that --help prints after the options; may be NULL */
    /* Names of the positional arguments, written as option_row.value: "BLOCK", "FILE.ini",
     * "export|make|check". */
    const char *word[OPTIONS_MAX_WORDS];
};

/* Parses the command line into `options`, and positional arguments into `words` (NULL if not
 * given). Refuses empty values, and refuses a repeated option with a value unless `many` is set.
 * Returns GO_ON, or the exit code of the command after an error, after --help, or after a request
 * that main.c passes in argv[1]: OPTIONS_MAN (argv[2] is a description of the command) or
 * OPTIONS_COMPLETE (complete.h). */
#define OPTIONS_MAN "--man"
#define OPTIONS_COMPLETE "--complete"
enum { GO_ON = -1 };
extern const struct option_row option_help; /* not listed in a table */

int read_options(const struct command_line *line, int argc, char **argv, void *options,
                 const char **words);

/* Finds the block and the parameter point ("NAME=VALUE") of a command line. Returns GO_ON, or
 * prints an error and returns EXIT_USAGE. */
int read_block(const char *command, const char *name, const struct text_list *assignments,
               const struct block_type **type, struct block_params *params);

struct workload_type;

/* Finds the workload that "NAME[:SIZE]" names. Sets *size to the text after the colon, or to NULL.
 * Returns NULL with one line in err if there is no such workload. */
const struct workload_type *read_workload_name(const char *arg, const char **size,
                                               struct error *err);

#endif
