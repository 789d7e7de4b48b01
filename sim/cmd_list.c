// SPDX-License-Identifier: Apache-2.0
#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "block/block.h"
#include "commands.h"
#include "evict/evict.h"
#include "harness/library.h"
#include "kernel/kernel.h"
#include "lib/guess.h"
#include "options.h"
#include "paths.h"
#include "prefetch/prefetch.h"
#include "stats/stats.h"

static int list_workloads(const char *command) {
    (void)command;
    for (const struct workload_type *const *t = workload_types; *t; t++) {
        printf("%-12s %s (%s)\n", (*t)->name, (*t)->doc, (*t)->suite);
        printf("%-12s SIZE: %s; default %s\n", "", (*t)->size_doc, (*t)->default_size);
    }
    return EXIT_GOOD;
}

static int is_ini(const struct dirent *entry) {
    size_t len = strlen(entry->d_name);
    return entry->d_name[0] != '.' && len > 4 && strcmp(entry->d_name + len - 4, ".ini") == 0;
}

/* The first line of a configuration is a comment that says what it is. */
static void print_config(const char *dir, const char *file) {
    char path[8192], line[200] = "";
    snprintf(path, sizeof path, "%s/%s", dir, file);
    FILE *f = fopen(path, "r");
    if (f && !fgets(line, sizeof line, f))
        line[0] = '\0';
    if (f)
        fclose(f);
    line[strcspn(line, "\r\n")] = '\0';
    printf("%-12.*s %s\n", (int)strlen(file) - 4, file, line + strspn(line, "#; "));
}

static int list_configs(const char *command) {
    char dir[PATH_SIZE], err[256];
    struct dirent **entries;
    if (paths_configs(dir, err, sizeof err))
        return usage_error(command, "%s", err);
    int n = scandir(dir, &entries, is_ini, alphasort);
    if (n < 0)
        return usage_error(command, "cannot read %s", dir);
    for (int i = 0; i < n; i++) {
        print_config(dir, entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
    return EXIT_GOOD;
}

static void print_block(const struct block_type *t) {
    printf("%s\n", t->name);
    for (unsigned i = 0; i < t->n_params; i++) {
        const struct param_desc *p = &t->params[i];
        printf("  %-15s %5" PRId64 " (%" PRId64 "..%" PRId64 ")  %s", p->name, p->def, p->min,
               p->max, p->doc);
        if (t->model_max && t->model_max[i])
            printf("; the model alone: up to %" PRId64, t->model_max[i]);
        putchar('\n');
    }
}

static int list_blocks(const char *command) {
    const struct block_library *library;
    char err[512];
    if (block_library_load(&library, err, sizeof err))
        return usage_error(command, "MEMTWIN_BLOCK=%s", err);
    for (const struct block_type *const *t = block_types; *t; t++)
        print_block(*t);
    if (library)
        print_block(library->type);
    return EXIT_GOOD;
}

static int list_policies(const char *command) {
    (void)command;
    for (const struct evictor *const *e = evictors; *e; e++)
        printf("uvm.evict     %-12s %s\n", (*e)->name, (*e)->doc);
    for (const struct prefetcher *const *p = prefetchers; *p; p++)
        printf("uvm.prefetch  %-12s %s\n", (*p)->name, (*p)->doc);
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

static void print_int_key(const char *name, int64_t def, int64_t min, int64_t max,
                          const char *doc) {
    char range[64];
    snprintf(range, sizeof range, "%" PRId64 "..%" PRId64, min, max);
    printf("%-24s %8" PRId64 "  %-18s %s\n", name, def, range, doc);
}

/* Default: value number `position` of "a|b|c". */
static void print_enum_key(const char *name, int position, const char *values, const char *doc) {
    const char *value = values;
    for (; position > 0; position--)
        value += strcspn(value, "|") + 1;
    printf("%-24s %8.*s  %-18s %s\n", name, (int)strcspn(value, "|"), value, values, doc);
}

static void print_str_key(const char *name, const char *def, const char *doc) {
    printf("%-24s %8s  %-18s %s\n", name, def, "text", doc);
}

static int list_keys(const char *command) {
    (void)command;
#define INT(section, key, def, min, max, doc) print_int_key(#section "." #key, def, min, max, doc);
#define ENUM(section, key, def, values, doc) print_enum_key(#section "." #key, def, values, doc);
#define STR(section, key, def, doc) print_str_key(#section "." #key, def, doc);
#include "config/keys.def"
#undef INT
#undef ENUM
#undef STR
    return EXIT_GOOD;
}

static const char usage[] =
    "usage: memtwin list workloads|configs|blocks|policies|stats|keys\n"
    "       memtwin list blocks [--block LIB.so]\n"
    "\n"
    "  workloads  what run -w takes, what SIZE means and its default\n"
    "  configs    what run -c takes by name\n"
    "  blocks     hardware blocks with a Verilog twin, and the range of its parameters\n"
    "  policies   what uvm.evict and uvm.prefetch take by name\n"
    "  stats      every counter, histogram and derived figure: its part, unit and meaning\n"
    "  keys       every configuration key, a usual value, its range and meaning\n";
struct list_opts {
    const char *library;
};
static const struct command_line line = {
    .usage = usage,
    .table = (const struct option_row[]){LIBRARY(struct list_opts, library), {0}},
    .words = 1};

#define TOPICS "workloads, configs, blocks, policies, stats or keys"

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
        return usage_error(argv[0], "list what? %s", TOPICS);
    if (o.library && strcmp(name, "blocks") != 0)
        return usage_error(argv[0], "--block %s: for 'memtwin list blocks' alone", o.library);
    struct guess guess;
    guess_begin(&guess, name);
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        if (strcmp(name, lists[i].name) == 0)
            return lists[i].list(argv[0]);
        guess_try(&guess, lists[i].name, strlen(lists[i].name));
    }
    return usage_error(argv[0], "unknown list '%s': %s%s", name, TOPICS, guess_hint(&guess));
}
