// SPDX-License-Identifier: Apache-2.0
/* memtwin compare: prints our counters beside those of hardware or of another simulator. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "compare/ours.h"
#include "compare/page.h"
#include "compare/pairs.h"
#include "compare/theirs.h"
#include "lib/alloc.h"
#include "lib/guess.h"
#include "lib/message.h"
#include "options.h"
#include "os/new_file.h"
#include "rows.h"

struct compare_opts {
    const char *command, *html;
    struct text_list kernels, counters;
    struct rows_paths paths;
    bool quiet;
};

#define ROW(...) OPTION(struct compare_opts, __VA_ARGS__)
#define LIST(...) MANY(struct compare_opts, __VA_ARGS__)
static const struct option_row table[] = {
    LIST(0, "kernel", "OURS=THEIRS", take_list, kernels,
         "pair two kernels of different names; may be repeated"),
    LIST(0, "counter", "NAME", take_list, counters,
         "only this counter, such as cycles; may be repeated"),
    ROW(0, "csv", "FILE", take_text, paths.csv, "write a row for each pair and counter to FILE"),
    ROW(0, "json", "FILE", take_text, paths.json, "the same as JSON"),
    ROW(0, "html", "FILE", take_text, html, "write a page with a correlation plot of each counter"),
    ROW('q', "quiet", NULL, take_flag, quiet, "only the errors of each counter"),
    {0}};

static const char usage[] =
    "usage: memtwin compare RESULTS FILE [OPTION]...\n"
    "\n"
    "Prints counters of our kernels beside those in FILE, with the error of each. RESULTS is a\n"
    "database of memtwin study --detail, or a file of memtwin run --json. FILE is CSV of nvprof,\n"
    "Nsight Compute or AccelWattch, or the output of Accel-Sim. Kernels are paired by the names "
    "of\n"
    "their functions, without parameters; values are means over the launches of a kernel.\n";
static const char notes[] =
    "memtwin list counters prints the statistics that each counter is made of, and its names in\n"
    "other tools. With FILE -, the table goes to standard error.\n";
static const struct command_line line = {
    .usage = usage, .table = table, .notes = notes, .word = {"RESULTS", "FILE"}};

struct comparison {
    struct compared_kernels ours, theirs;
    struct kernel_alias *alias; /* owned; each `ours` is owned too */
    struct kernel_pairs pairs;
    bool wanted[COUNTERS];
};

static void free_comparison(struct comparison *c, const struct compare_opts *o) {
    pairs_free(&c->pairs);
    compared_free(&c->ours);
    compared_free(&c->theirs);
    for (size_t i = 0; c->alias && i < o->kernels.n; i++)
        free((char *)c->alias[i].ours);
    free(c->alias);
}

/* ---- Options ---- */

/* Splits the values of --kernel. Returns 0, or -1 with one line in err. */
static int split_aliases(const struct compare_opts *o, struct comparison *c, struct error *err) {
    c->alias = alloc_zeroed(o->kernels.n + 1, sizeof *c->alias);
    for (size_t i = 0; i < o->kernels.n; i++) {
        const char *text = o->kernels.text[i], *equals = strchr(text, '=');
        if (!equals || equals == text || !equals[1])
            return error_set(err, "--kernel %s: expected OURS=THEIRS", text);
        c->alias[i].ours = alloc_text_part(text, (size_t)(equals - text));
        c->alias[i].theirs = equals + 1;
    }
    return 0;
}

static int choose_counters(const struct compare_opts *o, struct comparison *c, struct error *err) {
    struct guess g;
    for (size_t k = 0; k < COUNTERS; k++)
        c->wanted[k] = !o->counters.n;
    for (size_t i = 0; i < o->counters.n; i++) {
        bool found = false;
        guess_begin(&g, o->counters.text[i]);
        for (size_t k = 0; k < COUNTERS; k++) {
            const char *name = counter_table[k].name;
            guess_try(&g, name, strlen(name));
            if (strcmp(name, o->counters.text[i]) == 0)
                c->wanted[k] = found = true;
        }
        if (!found)
            return error_set(err, "--counter %s: no such counter%s", o->counters.text[i],
                             guess_hint(&g));
    }
    return 0;
}

/* ---- Warnings ---- */

static bool is_paired(const struct kernel_pairs *p, const struct compared_kernel *k) {
    for (size_t i = 0; i < p->n; i++)
        if (p->pair[i].ours == k || p->pair[i].theirs == k)
            return true;
    return false;
}

/* Warns of kernels of one side that the other does not have: the number and the first names. */
static void warn_unpaired(const char *command, const char *path, const struct compared_kernels *k,
                          const struct kernel_pairs *p) {
    char names[256] = "";
    size_t n = 0, length = 0;
    for (size_t i = 0; i < k->n; i++)
        if (!is_paired(p, &k->row[i]) && n++ < 3)
            length += (size_t)snprintf(names + length, sizeof names - length, "%s%.60s",
                                       length ? ", " : "", k->row[i].name);
    if (n)
        warning_print(command, "%s: %zu kernel%s without a counterpart: %s%s (--kernel)", path, n,
                      message_plural(n), names, n > 3 ? ", .." : "");
}

static void warn_launches(const char *command, const struct kernel_pairs *p) {
    for (size_t i = 0; i < p->n; i++) {
        const struct compared_kernel *ours = p->pair[i].ours, *theirs = p->pair[i].theirs;
        if (ours->launches != theirs->launches)
            warning_print(command,
                          "%s of %s: %" PRIu64 " launches, theirs %" PRIu64
                          "; means over launches are compared",
                          ours->name, ours->run, ours->launches, theirs->launches);
    }
}

/* ---- Output ---- */

static void print_percent(double value, unsigned width, FILE *to) {
    if (isnan(value))
        fprintf(to, " %*s", width + 2, "none");
    else
        fprintf(to, " %*.1f %%", width, value);
}

/* Prints the line above the kernels of a run. */
static void print_run(const char *run, bool blank, FILE *to) {
    if (blank)
        putc('\n', to);
    message_write(to, "%s", run);
    putc('\n', to);
}

static void print_pairs(const struct comparison *c, FILE *to) {
    const char *run = NULL, *name = NULL;
    for (size_t i = 0; i < c->pairs.n; i++) {
        const struct kernel_pair *p = &c->pairs.pair[i];
        if (!run || strcmp(run, p->ours->run) != 0)
            print_run(p->ours->run, run != NULL, to);
        run = p->ours->run;
        for (size_t k = 0; k < COUNTERS; k++) {
            if (!c->wanted[k] || !pair_has(p, k))
                continue;
            message_write(to, "  %-30.30s %-18s", name == p->ours->name ? "" : p->ours->name,
                          counter_table[k].name);
            name = p->ours->name;
            fprintf(to, "%14.0f %14.0f", p->theirs->value[k], p->ours->value[k]);
            print_percent(pair_error(p, k), 7, to);
            putc('\n', to);
        }
    }
}

static void print_errors(const struct comparison *c, FILE *to) {
    fprintf(to, "%-18s %7s %14s %11s %9s %10s %12s\n", "counter", "kernels", "mean |error|",
            "mean error", "greatest", "of sum", "correlation");
    for (size_t k = 0; k < COUNTERS; k++) {
        const struct counter_errors e = pairs_errors(&c->pairs, k);
        if (!c->wanted[k] || !e.n)
            continue;
        fprintf(to, "%-18s %7zu", counter_table[k].name, e.n);
        print_percent(e.absolute, 12, to);
        print_percent(e.mean, 9, to);
        print_percent(isnan(e.mean) ? NAN : e.most, 7, to);
        print_percent(e.sum_error, 8, to);
        if (isnan(e.correlation))
            fprintf(to, " %12s\n", "none");
        else
            fprintf(to, " %12.3f\n", e.correlation);
    }
}

static void print_all(const struct compare_opts *o, const struct comparison *c, FILE *to) {
    if (!o->quiet) {
        fprintf(to, "%-32s %-18s%14s %14s %9s\n", "", "counter", "theirs", "ours", "error");
        print_pairs(c, to);
        putc('\n', to);
    }
    print_errors(c, to);
}

#define NUMBER_SIZE 32
static const char *print_number(double value, char text[NUMBER_SIZE]) {
    snprintf(text, NUMBER_SIZE, "%.10g", value);
    return isnan(value) ? NULL : text;
}

static void put_rows(const struct comparison *c, struct rows *r) {
    char theirs[NUMBER_SIZE], ours[NUMBER_SIZE], error[NUMBER_SIZE];
    for (size_t i = 0; i < c->pairs.n; i++)
        for (size_t k = 0; k < COUNTERS; k++) {
            const struct kernel_pair *p = &c->pairs.pair[i];
            if (c->wanted[k] && pair_has(p, k))
                ROWS_PUT(r, p->ours->run, p->ours->name, p->theirs->name, counter_table[k].name,
                         counter_table[k].unit, print_number(p->theirs->value[k], theirs),
                         print_number(p->ours->value[k], ours),
                         print_number(pair_error(p, k), error));
        }
}

static int write_rows(const struct compare_opts *o, const struct comparison *c, struct error *err) {
    static const struct rows_column columns[] = {
        {"run", false},  {"kernel", false}, {"their_kernel", false}, {"counter", false},
        {"unit", false}, {"theirs", true},  {"ours", true},          {"error_percent", true}};
    struct rows r;
    if (!o->paths.csv && !o->paths.json)
        return 0;
    if (rows_begin(&r, &o->paths, columns, sizeof columns / sizeof *columns, err))
        return -1;
    put_rows(c, &r);
    return rows_end(&r, err);
}

static int write_page(const struct compare_opts *o, const char *const *word,
                      const struct comparison *c, struct error *err) {
    const struct compare_page page = {word[0], word[1], &c->pairs, c->wanted};
    struct new_file nf;
    struct error why;
    if (!o->html)
        return 0;
    if (new_file_open(&nf, o->html, &why))
        return error_set(err, "cannot write %s", why.text);
    compare_page_write(&page, nf.f);
    return new_file_commit(&nf, &why) ? error_set(err, "cannot write %s", why.text) : 0;
}

/* ---- Command ---- */

static bool uses_stdout(const struct rows_paths *p) {
    return (p->csv && is_stream(p->csv)) || (p->json && is_stream(p->json));
}

static bool pairs_have_counter(const struct comparison *c) {
    for (size_t k = 0; k < COUNTERS; k++)
        if (c->wanted[k] && pairs_errors(&c->pairs, k).n)
            return true;
    return false;
}

static int compare(const struct compare_opts *o, const char *const *word, struct comparison *c,
                   struct error *err) {
    if (o->paths.csv && o->paths.json)
        return error_set(err, "--csv and --json exclude each other");
    if (o->html && is_stream(o->html) && uses_stdout(&o->paths))
        return error_set(err, "--html %s: standard output has the rows; choose a file", o->html);
    if (split_aliases(o, c, err) || choose_counters(o, c, err) ||
        ours_read(word[0], &c->ours, err) || theirs_read(word[1], o->command, &c->theirs, err))
        return -1;
    pairs_make(&c->pairs, &c->ours, &c->theirs, c->alias, o->kernels.n);
    warn_unpaired(o->command, word[0], &c->ours, &c->pairs);
    warn_unpaired(o->command, word[1], &c->theirs, &c->pairs);
    warn_launches(o->command, &c->pairs);
    if (!c->pairs.n)
        return error_set(err, "no kernel of %s has the name of one in %s", word[0], word[1]);
    if (!pairs_have_counter(c))
        return error_set(err, "the kernels of %s and %s have no counter in common", word[0],
                         word[1]);
    return write_rows(o, c, err) || write_page(o, word, c, err) ? -1 : 0;
}

int cmd_compare(int argc, char **argv) {
    struct compare_opts o = {.command = argv[0]};
    struct comparison c = {0};
    const char *word[OPTIONS_MAX_WORDS] = {NULL};
    struct error err;
    const int code = read_options(&line, argc, argv, &o, word);
    if (code != GO_ON)
        return code;
    if (!word[0] || !word[1])
        return usage_error(o.command, "expected RESULTS and FILE (see %s --help)", o.command);
    const int bad = compare(&o, word, &c, &err);
    if (!bad)
        print_all(&o, &c, uses_stdout(&o.paths) || (o.html && is_stream(o.html)) ? stderr : stdout);
    free_comparison(&c, &o);
    free(o.kernels.text);
    free(o.counters.text);
    return bad ? error_print(EXIT_USAGE, o.command, "%s", err.text) : EXIT_GOOD;
}
