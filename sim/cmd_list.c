// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "block/block.h"
#include "commands.h"
#include "compare/counters.h"
#include "lib/alloc.h"
#include "config/config.h"
#include "evict/evict.h"
#include "harness/library.h"
#include "kernel/kernel.h"
#include "keys.h"
#include "lib/guess.h"
#include "options.h"
#include "paths.h"
#include "policy/policies.h"
#include "prefetch/prefetch.h"
#include "rows.h"
#include "stats/stats.h"

/* Sets *bytes to the total size of the workload's arrays if it has its default size. Returns 0, or
 * -1 with one line in err. */
static int default_bytes(const struct workload_type *type, uint64_t *bytes, struct error *err) {
    struct workload *w = workload_create(type, NULL, err);
    if (!w)
        return -1;
    *bytes = 0;
    for (unsigned i = 0; i < w->n_arrays; i++)
        *bytes += w->arrays[i].bytes;
    w->destroy(w);
    return 0;
}

/* ---- The lists as rows ---- */

#define NUMBER_SIZE 24
static const char *number_text(char text[NUMBER_SIZE], int64_t value) {
    snprintf(text, NUMBER_SIZE, "%" PRId64, value);
    return text;
}

static int each_workload(struct rows *r, struct error *err) {
    for (const struct workload_type *const *t = workload_types; *t; t++) {
        char number[NUMBER_SIZE];
        uint64_t bytes;
        if (default_bytes(*t, &bytes, err))
            return -1;
        ROWS_PUT(r, (*t)->name, (*t)->doc, (*t)->suite, (*t)->class, (*t)->size_doc,
                 (*t)->default_size, number_text(number, (int64_t)bytes));
    }
    return 0;
}

static void put_config(void *ctx, const char *name, const char *doc) {
    ROWS_PUT(ctx, name, doc);
}

static int each_config(struct rows *r, struct error *err) {
    return configs_each(put_config, r, err);
}

static void put_block(struct rows *r, const struct block_type *t) {
    for (unsigned i = 0; i < t->n_params; i++) {
        const struct param_desc *p = &t->params[i];
        char preset[NUMBER_SIZE], low[NUMBER_SIZE], high[NUMBER_SIZE], model[NUMBER_SIZE];
        const int64_t most = t->model_max && t->model_max[i] ? t->model_max[i] : p->max;
        ROWS_PUT(r, t->name, p->name, number_text(preset, p->def), number_text(low, p->min),
                 number_text(high, p->max), number_text(model, most), p->doc);
    }
}

static int each_block(struct rows *r, struct error *err) {
    const struct block_library *library;
    struct error why;
    if (block_library_load(&library, &why))
        return error_set(err, "MEMTWIN_BLOCK=%s", why.text);
    for (const struct block_type *const *t = block_types; *t; t++)
        put_block(r, *t);
    if (library)
        put_block(r, library->type);
    return 0;
}

static int each_policy(struct rows *r, struct error *err) {
    (void)err;
    for (const struct policy_key *k = policy_keys; k < policy_keys + POLICY_KEYS; k++)
        for (uint32_t i = 1; i < k->values; i++)
            ROWS_PUT(r, k->name, k->value[i]->name, k->value[i]->doc);
    for (const struct evictor *const *e = evictors; *e; e++)
        ROWS_PUT(r, "uvm.evict", (*e)->name, (*e)->doc);
    for (const struct prefetcher *const *p = prefetchers; *p; p++)
        ROWS_PUT(r, "uvm.prefetch", (*p)->name, (*p)->doc);
    return 0;
}

static void put_stat(struct rows *r, const struct stat_desc *d, enum stat_part part,
                     const char *kind) {
    ROWS_PUT(r, d->name, stat_part_title[part], d->unit, kind, d->doc);
}

static int each_stat(struct rows *r, struct error *err) {
    (void)err;
    for (int i = 0; i < STAT_COUNT; i++)
        put_stat(r, &stat_table[i], stat_part((enum stat_id)i), "counter");
    for (int i = 0; i < HIST_COUNT; i++)
        put_stat(r, &hist_table[i], hist_part((enum hist_id)i), "histogram");
    for (int i = 0; i < DERIVED_COUNT; i++)
        put_stat(r, &derived_table[i], derived_part((enum derived_id)i), "derived");
    return 0;
}

static int each_key(struct rows *r, struct error *err) {
    char name[64], preset[CONFIG_STR_SIZE], range[256];
    (void)err;
    for (const struct key_desc *k = key_table; k->section; k++) {
        snprintf(name, sizeof name, "%s.%s", k->section, k->name);
        key_default(k, preset, sizeof preset);
        key_range(k, range, sizeof range);
        ROWS_PUT(r, name, preset, range, k->doc, k->needs);
    }
    return 0;
}

/* ---- The lists for the terminal ---- */

static int list_workloads(const char *command) {
    for (const struct workload_type *const *t = workload_types; *t; t++) {
        struct error err;
        uint64_t bytes;
        if (default_bytes(*t, &bytes, &err))
            return error_print(EXIT_USAGE, command, "%s", err.text);
        printf("%-12s %s\n", (*t)->name, (*t)->doc);
        printf("%-12s suite: %s%s%s\n", "", (*t)->suite, (*t)->class ? "; class: " : "",
               (*t)->class ? (*t)->class : "");
        printf("%-12s SIZE: %s; default %s (%.2f MiB of data)\n", "", (*t)->size_doc,
               (*t)->default_size, (double)bytes / 0x1p20);
    }
    return EXIT_GOOD;
}

static void print_config(void *ctx, const char *name, const char *doc) {
    (void)ctx;
    printf("%-12s %s\n", name, doc);
}

static int list_configs(const char *command) {
    struct error err;
    if (configs_each(print_config, NULL, &err))
        return error_print(EXIT_USAGE, command, "%s", err.text);
    return EXIT_GOOD;
}

static void print_block(const struct block_type *t) {
    printf("%s\n", t->name);
    for (unsigned i = 0; i < t->n_params; i++) {
        const struct param_desc *p = &t->params[i];
        printf("  %-15s %5" PRId64 " (%" PRId64 "..%" PRId64 ")  %s", p->name, p->def, p->min,
               p->max, p->doc);
        if (t->model_max && t->model_max[i])
            printf("; up to %" PRId64 " in the model alone", t->model_max[i]);
        putchar('\n');
    }
}

static int list_blocks(const char *command) {
    const struct block_library *library;
    struct error err;
    if (block_library_load(&library, &err))
        return error_print(EXIT_USAGE, command, "MEMTWIN_BLOCK=%s", err.text);
    for (const struct block_type *const *t = block_types; *t; t++)
        print_block(*t);
    if (library)
        print_block(library->type);
    return EXIT_GOOD;
}

static int list_policies(const char *command) {
    (void)command;
    for (const struct policy_key *k = policy_keys; k < policy_keys + POLICY_KEYS; k++)
        for (uint32_t i = 1; i < k->values; i++)
            printf("%-15s %-12s %s\n", k->name, k->value[i]->name, k->value[i]->doc);
    for (const struct evictor *const *e = evictors; *e; e++)
        printf("uvm.evict       %-12s %s\n", (*e)->name, (*e)->doc);
    for (const struct prefetcher *const *p = prefetchers; *p; p++)
        printf("uvm.prefetch    %-12s %s\n", (*p)->name, (*p)->doc);
    return EXIT_GOOD;
}

static void print_stat(const struct stat_desc *d, enum stat_part part, const char *kind) {
    printf("%-24s %-15s %-24s %s%s\n", d->name, stat_part_title[part], d->unit, kind, d->doc);
}

static int list_stats(const char *command) {
    (void)command;
    for (int i = 0; i < STAT_COUNT; i++)
        print_stat(&stat_table[i], stat_part((enum stat_id)i), "");
    for (int i = 0; i < HIST_COUNT; i++)
        print_stat(&hist_table[i], hist_part((enum hist_id)i), "histogram: ");
    for (int i = 0; i < DERIVED_COUNT; i++)
        print_stat(&derived_table[i], derived_part((enum derived_id)i), "derived: ");
    return EXIT_GOOD;
}

static int list_keys(const char *command) {
    char name[64], preset[CONFIG_STR_SIZE], range[256];
    (void)command;
    printf("%-24s %8s  %-18s %s\n", "key", "default", "range", "meaning");
    for (const struct key_desc *k = key_table; k->section; k++) {
        snprintf(name, sizeof name, "%s.%s", k->section, k->name);
        key_default(k, preset, sizeof preset);
        key_range(k, range, sizeof range);
        printf("%-24s %8s  %-18s %s%s%s\n", name, preset, range, k->doc, k->needs ? "; needs " : "",
               k->needs ? k->needs : "");
    }
    return EXIT_GOOD;
}

/* Returns the names of a counter in other tools, separated by `comma`: metrics, or parts of a sum.
 * The caller frees the text. */
static char *join_metrics(size_t counter, bool parts, const char *comma) {
    char *text;
    size_t size, n = 0;
    FILE *f = alloc_stream(&text, &size);
    for (const struct metric *m = metric_table; m < metric_table + metric_count; m++)
        if (m->counter == counter && m->part == parts)
            fprintf(f, "%s%s", n++ ? comma : "", m->name);
    alloc_stream_close(f);
    return text;
}

/* Copies a formula without the S() around each statistic. */
static char *plain_formula(const char *formula) {
    char *text;
    size_t size;
    FILE *f = alloc_stream(&text, &size);
    for (; *formula; formula++) {
        const size_t n = strncmp(formula, "S(", 2) == 0 ? strcspn(formula, ")") : 0;
        if (n)
            fprintf(f, "%.*s", (int)n - 2, formula + 2);
        else
            putc(*formula, f);
        formula += n;
    }
    alloc_stream_close(f);
    return text;
}

static int list_counters(const char *command) {
    (void)command;
    for (size_t i = 0; i < COUNTERS; i++) {
        const struct shared_counter *c = &counter_table[i];
        char *ours = plain_formula(c->formula), *metrics = join_metrics(i, false, ", ");
        char *parts = join_metrics(i, true, ", ");
        printf("%-18s %-12s %s%s\n", c->name, c->unit, c->meaning,
               c->l1d  ? "; needs sm.coalesce=sector"
               : c->l2 ? "; needs l2.sectored=yes"
                       : "");
        printf("%-18s ours: %s\n%-18s theirs: %s\n", "", ours, "", metrics);
        if (*parts)
            printf("%-18s theirs, as a sum: %s\n", "", parts);
        free(ours);
        free(metrics);
        free(parts);
    }
    return EXIT_GOOD;
}

static int each_counter(struct rows *r, struct error *err) {
    (void)err;
    for (size_t i = 0; i < COUNTERS; i++) {
        const struct shared_counter *c = &counter_table[i];
        char *ours = plain_formula(c->formula), *metrics = join_metrics(i, false, " ");
        char *parts = join_metrics(i, true, " ");
        ROWS_PUT(r, c->name, c->unit, c->meaning, ours, metrics, *parts ? parts : NULL);
        free(ours);
        free(metrics);
        free(parts);
    }
    return 0;
}

#define TOPICS "workloads|configs|blocks|policies|stats|keys|counters"
static const char usage[] =
    "usage: memtwin list " TOPICS " [--csv FILE|--json FILE]\n"
    "       memtwin list blocks [--block LIB.so]\n"
    "\n"
    "  workloads  names for run -w: suite, meaning of SIZE, its default, and amount of data at\n"
    "             the default; class: regular or irregular, by UVMBench\n"
    "  configs    names for run -c\n"
    "  blocks     hardware blocks with a Verilog twin, and the ranges of their parameters\n"
    "  policies   names for uvm.evict, uvm.prefetch and cache keys (l1d.bypass, ..)\n"
    "  stats      every counter, histogram and derived figure: its part, unit and meaning\n"
    "  keys       every configuration key: its default, its range, its meaning and what it needs;\n"
    "             memtwin config -c CONFIG prints the values of a machine\n"
    "  counters   what memtwin compare compares: the statistics that each counter is made of, and\n"
    "             its names in other tools\n";
struct list_opts {
    const char *library;
    struct rows_paths rows;
};
#define ROW(...) OPTION(struct list_opts, __VA_ARGS__)
static const struct command_line line = {
    .usage = usage,
    .table = (const struct option_row[]){LIBRARY(struct list_opts, library),
                                         ROW(0, "csv", "FILE", take_text, rows.csv,
                                             "write the list as CSV (-: standard output)"),
                                         ROW(0, "json", "FILE", take_text, rows.json,
                                             "write the list as JSON"),
                                         {0}},
    .word = {TOPICS}};

struct topic {
    const char *name;
    int (*print)(const char *command);
    int (*each)(struct rows *r, struct error *err);
    const struct rows_column *column;
    size_t n;
};

static int write_rows(const char *command, const struct topic *l, const struct rows_paths *paths) {
    struct error err;
    struct rows r;
    if (rows_begin(&r, paths, l->column, l->n, &err))
        return usage_error(command, "%s", err.text);
    if (l->each(&r, &err)) {
        rows_drop(&r);
        return error_print(EXIT_USAGE, command, "%s", err.text);
    }
    return rows_end(&r, &err) ? error_print(EXIT_USAGE, command, "%s", err.text) : EXIT_GOOD;
}

static const struct topic lists[] = {
    {"workloads", list_workloads, each_workload,
     ROWS_COLUMNS({"name", false}, {"meaning", false}, {"suite", false}, {"class", false},
                  {"size", false}, {"default", false}, {"bytes", true})},
    {"configs", list_configs, each_config, ROWS_COLUMNS({"name", false}, {"meaning", false})},
    {"blocks", list_blocks, each_block,
     ROWS_COLUMNS({"block", false}, {"parameter", false}, {"default", true}, {"least", true},
                  {"most", true}, {"most_in_model", true}, {"meaning", false})},
    {"policies", list_policies, each_policy,
     ROWS_COLUMNS({"key", false}, {"value", false}, {"meaning", false})},
    {"stats", list_stats, each_stat,
     ROWS_COLUMNS({"name", false}, {"part", false}, {"unit", false}, {"kind", false},
                  {"meaning", false})},
    {"keys", list_keys, each_key,
     ROWS_COLUMNS({"key", false}, {"default", false}, {"range", false}, {"meaning", false},
                  {"needs", false})},
    {"counters", list_counters, each_counter,
     ROWS_COLUMNS({"counter", false}, {"unit", false}, {"meaning", false}, {"ours", false},
                  {"metrics", false}, {"parts", false})}};

int cmd_list(int argc, char **argv) {
    struct list_opts o = {0};
    const char *name = NULL;
    int code = read_options(&line, argc, argv, &o, &name);
    if (code != GO_ON)
        return code;
    if (!name)
        return usage_error(argv[0], "no list: expected %s", TOPICS);
    if (o.library && strcmp(name, "blocks") != 0)
        return usage_error(argv[0], "--block %s works only with 'memtwin list blocks'", o.library);
    struct guess guess;
    guess_begin(&guess, name);
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        if (strcmp(name, lists[i].name) == 0)
            return o.rows.csv || o.rows.json ? write_rows(argv[0], &lists[i], &o.rows)
                                             : lists[i].print(argv[0]);
        guess_try(&guess, lists[i].name, strlen(lists[i].name));
    }
    return usage_error(argv[0], "unknown list '%s': expected %s%s", name, TOPICS,
                       guess_hint(&guess));
}
