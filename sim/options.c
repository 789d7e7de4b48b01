// SPDX-License-Identifier: Apache-2.0
#include "options.h"

#include <assert.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "complete.h"
#include "harness/library.h"
#include "kernel/kernel.h"
#include "lib/alloc.h"
#include "lib/guess.h"
#include "man.h"
#include "os/path.h"

#define MAX_ROWS 32
#define TIME_MAX (10000 * UINT64_C(3600)) /* maximum time in seconds */
#define LABEL_MAX 23 /* maximum length in characters; a longer label is on a line of its own */
/* Return values of getopt_long other than letters: a word, and the long option in row 0 of the
 * table. */
enum { WORD = 1, FIRST_LONG = 256 };

const struct option_row option_help = {'h', "help", NULL, "this text", NULL, 0, 0, 0, true, false};

/* ---- Functions for option_row.take ---- */

int take_flag(const char *command, const struct option_row *row, void *to, char *text) {
    (void)command, (void)row, (void)text;
    *(bool *)to = true;
    return EXIT_GOOD;
}

int take_text(const char *command, const struct option_row *row, void *to, char *text) {
    (void)command, (void)row;
    *(const char **)to = text;
    return EXIT_GOOD;
}

int take_options(const char *command, const struct option_row *row, void *to, char *text) {
    return take_text(command, row, to, text);
}

int take_library(const char *command, const struct option_row *row, void *to, char *path) {
    const struct block_library *library;
    struct error err;
    if (setenv("MEMTWIN_BLOCK", path, 1) || block_library_load(&library, &err))
        return error_print(EXIT_USAGE, command, "--block %s", err.text);
    return take_text(command, row, to, path);
}

int take_list(const char *command, const struct option_row *row, void *to, char *text) {
    (void)command, (void)row;
    struct text_list *list = to;
    list->text = alloc_resized(list->text, list->n + 1, sizeof *list->text);
    list->text[list->n++] = text;
    return EXIT_GOOD;
}

/* Returns the name of an option as it was typed (take_option): "-j" or "--jobs". */
static const char *called(const struct option_row *row, char *buf, size_t size) {
    if (row->letter)
        snprintf(buf, size, "-%c", row->letter);
    else
        snprintf(buf, size, "--%s", row->name);
    return buf;
}

int take_number(const char *command, const struct option_row *row, void *to, char *text) {
    uint64_t n;
    char name[64];
    if (parse_u64(text, &n) && n >= row->min && (!row->max || n <= row->max)) {
        *(uint64_t *)to = n;
        return EXIT_GOOD;
    }
    called(row, name, sizeof name);
    if (row->max)
        return usage_error(command, "%s %s: not a number from %" PRIu64 " to %" PRIu64, name, text,
                           row->min, row->max);
    const bool digits = *text && strspn(text, "0123456789") == strlen(text);
    if (digits && strspn(text, "0") != strlen(text))
        return usage_error(command, "%s %s: more than %" PRIu64, name, text, UINT64_MAX);
    return usage_error(command, "%s %s: not a %s number", name, text,
                       row->min ? "positive" : "non-negative");
}

bool parse_time(const char *text, uint64_t *seconds) {
    static const struct {
        char letter;
        uint64_t seconds;
    } units[] = {{'s', 1}, {'m', 60}, {'h', 3600}};
    char digits[32];
    size_t n = strspn(text, "0123456789");
    uint64_t unit = text[n] ? 0 : 1, value = 0;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (text[n] == units[i].letter && !text[n + 1])
            unit = units[i].seconds;
    snprintf(digits, sizeof digits, "%.*s", (int)n, text);
    if (!unit || n >= sizeof digits || !parse_u64(digits, &value) || value == 0 ||
        value > TIME_MAX / unit)
        return false;
    *seconds = value * unit;
    return true;
}

int take_time(const char *command, const struct option_row *row, void *to, char *text) {
    char name[64];
    if (parse_time(text, to))
        return EXIT_GOOD;
    return usage_error(command, "%s %s: not a time: 90, 90s, 10m or 2h, from 1 s to %" PRIu64 " h",
                       called(row, name, sizeof name), text, (uint64_t)TIME_MAX / 3600);
}

/* ---- Help ---- */

/* Makes the label "  -c, --config CONFIG". Returns its length. */
static size_t label_of(const struct option_row *row, char *label, size_t size) {
    char letter[] = "    ";
    if (row->letter)
        snprintf(letter, sizeof letter, "-%c, ", row->letter);
    return (size_t)snprintf(label, size, "  %s--%s%s%s%s", letter, row->name,
                            !row->value     ? ""
                            : row->optional ? " ["
                                            : " ",
                            row->value ? row->value : "", row->optional ? "]" : "");
}

static void print_row(const struct option_row *row, size_t column) {
    char label[80];
    const char *text = row->help;
    if (label_of(row, label, sizeof label) + 2 > column) {
        puts(label);
        label[0] = '\0';
    }
    for (; *text; label[0] = '\0') {
        size_t n = strcspn(text, "\n");
        printf("%-*s%.*s\n", (int)column, label, (int)n, text);
        text += n + (text[n] == '\n');
    }
}

static void print_help(const struct command_line *line) {
    char label[80];
    size_t widest = label_of(&option_help, label, sizeof label);
    for (const struct option_row *row = line->table; row->name; row++) {
        size_t n = label_of(row, label, sizeof label);
        if (n > widest && n <= LABEL_MAX + 2)
            widest = n;
    }
    fputs(line->usage, stdout);
    putchar('\n');
    for (const struct option_row *row = line->table; row->name; row++)
        print_row(row, widest + 2);
    print_row(&option_help, widest + 2);
    if (line->notes)
        printf("\n%s", line->notes);
}

/* ---- Parser ---- */

/* Option table in the form that getopt_long requires. */
struct getopt_table {
    const struct option_row *row[MAX_ROWS];
    struct option option[MAX_ROWS + 1];
    char letters[2 + 2 * MAX_ROWS + 1];
    int n;
    bool given[MAX_ROWS];
};

static void add_row(struct getopt_table *t, const struct option_row *row) {
    assert(t->n < MAX_ROWS);
    int has_value = row->optional ? optional_argument
                    : row->value  ? required_argument
                                  : no_argument;
    char *end = t->letters + strlen(t->letters);
    t->option[t->n] = (struct option){row->name, has_value, NULL, FIRST_LONG + t->n};
    t->row[t->n++] = row;
    if (row->letter)
        sprintf(end, "%c%s", row->letter, row->value ? ":" : "");
}

/* Fills the table. The letters begin with "-:", which makes getopt_long return words in order, and
 * ':' for a missing value. */
static void make_table(struct getopt_table *t, const struct option_row *rows) {
    *t = (struct getopt_table){.letters = "-:"};
    add_row(t, &option_help);
    for (const struct option_row *row = rows; row->name; row++)
        add_row(t, row);
}

/* Returns the row for a return value of getopt_long, or NULL if getopt_long refused the option. */
static const struct option_row *find_row(const struct getopt_table *t, int code) {
    if (code >= FIRST_LONG)
        return t->row[code - FIRST_LONG];
    for (int i = 0; i < t->n; i++)
        if (code == t->row[i]->letter)
            return t->row[i];
    return NULL;
}

/* Suggests an option for an unknown --word or --word=value. */
static const char *hint_at(struct guess *g, const struct getopt_table *t, char *name, size_t size,
                           const char *word) {
    char candidate[GUESS_MAX + 1];
    word += strspn(word, "-");
    snprintf(name, size, "%.*s", (int)strcspn(word, "="), word);
    guess_begin(g, name);
    for (int i = 0; i < t->n; i++) {
        snprintf(candidate, sizeof candidate, "--%s", t->row[i]->name);
        guess_try_other(g, candidate + 2, strlen(candidate + 2), candidate);
    }
    return guess_hint(g);
}

static int option_error(const struct getopt_table *t, char **argv, int code) {
    const char *word = argv[optind - 1];
    struct guess guess;
    char name[256];
    char letter[3] = {'-', (char)optopt, '\0'};
    if (optopt > 0 && optopt < FIRST_LONG)
        word = letter;
    if (code == ':')
        return usage_error(argv[0], "option %s needs a value (see %s --help)", word, argv[0]);
    if (optopt >= FIRST_LONG)
        return usage_error(argv[0], "option %s takes no value (see %s --help)", word, argv[0]);
    const char *hint = hint_at(&guess, t, name, sizeof name, word);
    if (strcmp(name, "threads") == 0 && strcmp(argv[0], "memtwin run") == 0)
        return usage_error(argv[0], "--threads was removed: a run uses one core; run several "
                                    "concurrently with memtwin study FILE -j N");
    return usage_error(argv[0], "unknown option %s (see %s --help)%s", word, argv[0], hint);
}

static int take_word(const struct command_line *line, const char *command, const char *word,
                     const char **words, unsigned *n) {
    if (*n == OPTIONS_MAX_WORDS || !line->word[*n] || !*word)
        return usage_error(command, "unexpected '%s' (see %s --help)", word, command);
    words[(*n)++] = word;
    return EXIT_GOOD;
}

/* Returns true if getopt_long would read the word as an option: "-x", "--name" or its start, or
 * "--". */
static bool is_option(const struct getopt_table *t, const char *word) {
    if (word[0] != '-' || !word[1])
        return false;
    const bool is_long = word[1] == '-';
    const size_t n = strcspn(word + 2, "=");
    for (int i = 0; i < t->n; i++)
        if (is_long ? strncmp(t->row[i]->name, word + 2, n) == 0 : t->row[i]->letter == word[1])
            return true;
    return false;
}

/* Processes the option that getopt_long returned as `code`. own_word is true if the option's value
 * is a separate word. */
static int take_option(struct getopt_table *t, const char *command, const struct option_row *row,
                       int code, void *options, char *value, bool own_word) {
    char name[64];
    struct option_row typed = *row;
    bool *given = &t->given[row - t->row[1]]; /* t->row[0] is --help */
    if (code >= FIRST_LONG)
        typed.letter = 0;
    if (row->value && value && !*value)
        return usage_error(command, "option %s has an empty value",
                           called(&typed, name, sizeof name));
    if (row->value && own_word && row->take != take_options && is_option(t, value))
        return usage_error(command,
                           "option %s needs a value, but the next word is the option %s (see %s "
                           "--help)",
                           called(&typed, name, sizeof name), value, command);
    if (row->value && !row->many && *given)
        return usage_error(command, "%s is given twice", called(&typed, name, sizeof name));
    *given = true;
    return row->take(command, &typed, (char *)options + row->offset, value);
}

/* Handles OPTIONS_MAN and OPTIONS_COMPLETE from main.c. Returns false for other command lines. */
static bool answer_request(const struct command_line *line, int argc, char **argv) {
    if (argc == 3 && strcmp(argv[1], OPTIONS_MAN) == 0)
        man_command(line, argv[0], argv[2]);
    else if (argc > 2 && strcmp(argv[1], OPTIONS_COMPLETE) == 0)
        complete_command(line, argc - 2, argv + 2);
    else
        return false;
    return true;
}

/* Refuses the library of --block or MEMTWIN_BLOCK as another option's file, which may be written.
 */
static int check_library(const char *command, const struct option_row *row, const char *options) {
    const char *library = getenv("MEMTWIN_BLOCK");
    for (; library && row->name; row++) {
        const char *const *text = (const void *)(options + row->offset);
        if (row->take == take_text && paths_same(*text, library))
            return usage_error(command,
                               "--%s %s: this file is the library of your block; use another",
                               row->name, *text);
    }
    return GO_ON;
}

int read_options(const struct command_line *line, int argc, char **argv, void *options,
                 const char **words) {
    struct getopt_table t;
    unsigned n_words = 0;
    int code = EXIT_GOOD;
    if (answer_request(line, argc, argv))
        return EXIT_GOOD;
    make_table(&t, line->table);
    opterr = 0;
    for (int c; (c = getopt_long(argc, argv, t.letters, t.option, NULL)) != -1;) {
        const struct option_row *row = find_row(&t, c);
        if (row == &option_help) {
            print_help(line);
            return EXIT_GOOD;
        }
        if (c == WORD)
            code = take_word(line, argv[0], optarg, words, &n_words);
        else if (row && row->optional && !optarg && optind < argc && argv[optind][0] != '-')
            code = take_option(&t, argv[0], row, c, options, argv[optind++], true);
        else if (row)
            code = take_option(&t, argv[0], row, c, options, optarg, optarg == argv[optind - 1]);
        else
            code = option_error(&t, argv, c);
        if (code != EXIT_GOOD)
            return code;
    }
    for (; optind < argc && code == EXIT_GOOD; optind++) /* words after "--" */
        code = take_word(line, argv[0], argv[optind], words, &n_words);
    return code == EXIT_GOOD ? check_library(argv[0], line->table, options) : code;
}

/* Suggests a parameter for an unknown "NAME=VALUE". Returns "" if the parameter exists. */
static const char *param_hint(struct guess *g, char *name, size_t size,
                              const struct block_type *type, const char *assignment) {
    snprintf(name, size, "%.*s", (int)strcspn(assignment, "="), assignment);
    guess_begin(g, name);
    for (unsigned i = 0; i < type->n_params; i++) {
        if (strcmp(type->params[i].name, name) == 0)
            return "";
        guess_try(g, type->params[i].name, strlen(type->params[i].name));
    }
    return guess_hint(g);
}

int read_block(const char *command, const char *name, const struct text_list *assignments,
               const struct block_type **type, struct block_params *params) {
    const struct block_library *library;
    char param[64];
    struct error err;
    struct guess guess;
    if (block_library_load(&library, &err))
        return error_print(EXIT_USAGE, command, "MEMTWIN_BLOCK=%s", err.text);
    if (!name && library)
        name = library->type->name;
    if (!name)
        return usage_error(command, "no BLOCK given (see %s --help)", command);
    *type = block_find_any(name);
    if (!*type) {
        guess_begin(&guess, name);
        if (library)
            guess_try(&guess, library->type->name, strlen(library->type->name));
        for (const struct block_type *const *t = block_types; *t; t++)
            guess_try(&guess, (*t)->name, strlen((*t)->name));
        return usage_error(command, "no block '%s' (see memtwin list blocks)%s", name,
                           guess_hint(&guess));
    }
    block_params_default(*type, params);
    for (size_t i = 0; i < assignments->n; i++) {
        const char *text = assignments->text[i];
        if (block_params_set(*type, params, text, &err))
            return usage_error(command, "-p %s: %s%s", text, err.text,
                               param_hint(&guess, param, sizeof param, *type, text));
        const size_t len = strcspn(text, "=");
        for (size_t j = 0; j < i; j++)
            if (strncmp(text, assignments->text[j], len + 1) == 0)
                return usage_error(command, "-p %s: %.*s is given twice", text, (int)len, text);
    }
    if (block_params_check(*type, params, &err))
        return error_print(EXIT_USAGE, command, "%s", err.text);
    return GO_ON;
}

/* Suggests a workload by its name in its suite, which is the last word in parentheses in
 * type->suite. A single word in parentheses after UVMBench is the name of another suite, not of a
 * workload. */
static void try_origin(struct guess *g, const struct workload_type *type) {
    const char *bracket = strchr(type->suite, '('), *last = bracket ? strrchr(bracket, ' ') : NULL;
    if (!bracket || (!last && strncmp(type->suite, "UVMBench", 8) == 0))
        return;
    const char *word = (last ? last : bracket) + 1;
    guess_try_other(g, word, strcspn(word, ")"), type->name);
}

const struct workload_type *read_workload_name(const char *arg, const char **size,
                                               struct error *err) {
    char name[64];
    struct guess guess;
    if (strchr(arg, '+')) {
        error_set(err, "%s: only one workload is possible, not several joined by +", arg);
        return NULL;
    }
    snprintf(name, sizeof name, "%.*s", (int)strcspn(arg, ":"), arg);
    *size = strchr(arg, ':') ? strchr(arg, ':') + 1 : NULL;
    const struct workload_type *type = workload_find(name);
    if (type)
        return type;
    guess_begin(&guess, name);
    for (const struct workload_type *const *t = workload_types; *t; t++) {
        guess_try(&guess, (*t)->name, strlen((*t)->name));
        try_origin(&guess, *t);
    }
    error_set(err, "no workload '%s' (see memtwin list workloads)%s", name, guess_hint(&guess));
    return NULL;
}
