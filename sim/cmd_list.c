// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "block/block.h"
#include "commands.h"
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

#define TOPICS "workloads|configs|blocks|policies|stats|keys"
static const char usage[] =
    "usage: memtwin list " TOPICS "\n"
    "       memtwin list blocks [--block LIB.so]\n"
    "\n"
    "  workloads  names for run -w: suite, meaning of SIZE, its default, and amount of data at\n"
    "             the default; class: regular or irregular, by UVMBench\n"
    "  configs    names for run -c\n"
    "  blocks     hardware blocks with a Verilog twin, and the ranges of their parameters\n"
    "  policies   names for uvm.evict, uvm.prefetch and cache keys (l1d.bypass, ..)\n"
    "  stats      every counter, histogram and derived figure: its part, unit and meaning\n"
    "  keys       every configuration key: its default, its range, its meaning and what it needs;\n"
    "             memtwin config -c CONFIG prints the values of a machine\n";
struct list_opts {
    const char *library;
};
static const struct command_line line = {
    .usage = usage,
    .table = (const struct option_row[]){LIBRARY(struct list_opts, library), {0}},
    .word = {TOPICS}};

int cmd_list(int argc, char **argv) {
    static const struct {
        const char *name;
        int (*list)(const char *command);
    } lists[] = {{"workloads", list_workloads}, {"configs", list_configs}, {"blocks", list_blocks},
                 {"policies", list_policies},   {"stats", list_stats},     {"keys", list_keys}};
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
            return lists[i].list(argv[0]);
        guess_try(&guess, lists[i].name, strlen(lists[i].name));
    }
    return usage_error(argv[0], "unknown list '%s': expected %s%s", name, TOPICS,
                       guess_hint(&guess));
}
