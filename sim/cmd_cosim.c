// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "block/block.h"
#include "commands.h"
#include "harness/cosim.h"
#include "harness/harness.h"
#include "os/path.h"
#include "options.h"
#include "progress.h"
#include "rows.h"

struct cosim_args {
    struct cosim_opts o;
    struct text_list params;
    const char *library;
    struct rows_paths rows;
};

#define SEEDS 4 /* number of seeds without --seed */

/* Takes --seed: only that seed runs. */
static int take_seed(const char *command, const struct option_row *row, void *to, char *text) {
    struct cosim_opts *o = to;
    o->seeds = 1;
    return take_number(command, row, &o->seed, text);
}

#define ROW(...) OPTION(struct cosim_args, __VA_ARGS__)
#define COUNT(...) NUMBER(struct cosim_args, __VA_ARGS__)
static const struct option_row table[] = {
    MANY(struct cosim_args, 'p', "param", "NAME=VALUE", take_list, params,
         "set a parameter (memtwin list blocks), each at most once"),
    LIBRARY(struct cosim_args, library),
    COUNT("cycles", "N", 1, 0, o.cycles, "length in cycles, over all seeds (default 150000)"),
    ROW(0, "seed", "S", take_seed, o,
        "run only this seed of the stimulus (default: seeds 1 to 4, or 1 if N is below\n"
        "100000); the same seed and length give the same run"),
    ROW(0, "record", "FILE", take_text, o.record,
        "write inputs and outputs as a vector file (memtwin replay)"),
    ROW(0, "model-only", NULL, take_flag, o.model_only,
        "run without Verilog: only coverage and the model's checks"),
    ROW(0, "plant", "PORT[BIT]@CYCLE", take_text, o.plant,
        "flip a bit (default 0) of a model output to show that the mismatch is found"),
    ROW(0, "csv", "FILE", take_text, rows.csv,
        "write the verdict and the coverage, a row for each point, as CSV"),
    ROW(0, "json", "FILE", take_text, rows.json, "write them as JSON"),
    {0}};

static const char usage[] =
    "usage: memtwin cosim BLOCK [OPTION]...\n"
    "       memtwin cosim --block LIB.so [OPTION]...\n"
    "\n"
    "Runs one block alone under constrained-random stimulus: its C model and its Verilog side by\n"
    "side. Compares every output in every cycle, and functional coverage with its floor. Without\n"
    "--seed, seed 1 gets half of the cycles, and seeds 2 to 4 the rest; coverage is their sum.\n";
static const char notes[] =
    "Coverage floors apply if N is at least 100000 and enough for the parameters.\n"
    "After Ctrl-C, no output file is written.\n"
    "exit: 0 good, 1 an error on the command line, in a file or of a tool, 2 coverage below its\n"
    "floor or a broken rule of the block, 3 mismatch, 130 interrupted\n";
static const struct command_line line = {
    .usage = usage, .table = table, .notes = notes, .word = {"BLOCK"}};

static void show_progress(void *ctx, uint64_t done, uint64_t total) {
    struct progress *p = ctx;
    char left[64];
    if (!progress_due(p))
        return;
    double part = (double)done / (double)total, seconds = progress_seconds(p);
    progress_left(part, "cycles", seconds / part - seconds, left, sizeof left);
    progress_line(p, "%s%" PRIu64 " of %" PRIu64 " cycles, %.0f cycles/s", left, done, total,
                  (double)done / seconds);
}

/* ---- The result as rows ---- */

struct result_writer {
    struct rows *rows;
    const char *block;
};

static const struct rows_column columns[] = {
    {"block", false},    {"params", false},  {"verdict", false}, {"seed", false},
    {"cycles", true},    {"compared", true}, {"at_cycle", true}, {"what", false},
    {"expected", false}, {"got", false},     {"point", false},   {"hits", true},
    {"floor", true}};

/* Prints the seeds of the result, such as "1 2 3 4". */
static void print_seeds(const struct cosim_result *r, char *buf, size_t size) {
    size_t used = 0;
    buf[0] = '\0';
    for (unsigned i = 0; i < r->seeds && used < size; i++)
        used += (size_t)snprintf(buf + used, size - used, "%s%" PRIu64, i ? " " : "", r->seed + i);
}

static void put_result(void *ctx, const struct cosim_result *r) {
    const struct result_writer *to = ctx;
    const uint64_t numbers[] = {r->cycles, r->compared, r->at};
    char text[3][24], seeds[200], hits[24], floor[24];
    print_seeds(r, seeds, sizeof seeds);
    for (int i = 0; i < 3; i++)
        snprintf(text[i], sizeof text[i], "%" PRIu64, numbers[i]);
    for (size_t i = 0; i < (r->n ? r->n : 1); i++) {
        const struct cover_point *p = r->n ? &r->points[i] : NULL;
        snprintf(hits, sizeof hits, "%" PRIu64, p ? p->hits : 0);
        snprintf(floor, sizeof floor, "%" PRIu64, p ? p->floor : 0);
        ROWS_PUT(to->rows, to->block, r->params, r->verdict, seeds, text[0], text[1],
                 r->what ? text[2] : NULL, r->what, r->expected, r->got, p ? p->name : NULL,
                 p ? hits : NULL, p && r->floors && p->floor ? floor : NULL);
    }
}

static int run_command(struct cosim_opts *o, bool is_stdout_taken) {
    volatile bool stop = false;
    struct progress progress;
    progress_begin(&progress, false);
    o->stop = &stop;
    o->progress = show_progress;
    o->progress_ctx = &progress;
    interrupt_catch(&stop);
    int code =
        cosim_run(o, is_stdout_taken || (o->record && is_stdout(o->record)) ? stderr : stdout);
    progress_end(&progress);
    return interrupted() ? interrupted() : code;
}

/* Runs, and writes the result as rows. */
static int run_to_rows(const char *command, struct cosim_args *a) {
    struct rows rows;
    struct error err;
    const char *path = a->rows.csv ? a->rows.csv : a->rows.json;
    struct result_writer to = {&rows, a->o.type->name};
    if (a->o.record && paths_same(a->o.record, path))
        return usage_error(command, "%s is given for two outputs", path);
    if (rows_begin(&rows, &a->rows, columns, sizeof columns / sizeof columns[0], &err))
        return usage_error(command, "%s", err.text);
    a->o.report = put_result;
    a->o.report_ctx = &to;
    const int code = run_command(&a->o, is_stdout(path));
    if (code != EXIT_GOOD && !rows.any) {
        rows_drop(&rows);
        return code;
    }
    return rows_end(&rows, &err) ? error_print(EXIT_USAGE, command, "%s", err.text) : code;
}

int cmd_cosim(int argc, char **argv) {
    struct cosim_args a = {.o = {.cycles = 150000, .seed = 1, .seeds = SEEDS}};
    const char *block = NULL;
    int code = read_options(&line, argc, argv, &a, &block);
    if (code == GO_ON)
        code = read_block(argv[0], block, &a.params, &a.o.type, &a.o.params);
    if (code == GO_ON)
        code = a.rows.csv || a.rows.json ? run_to_rows(argv[0], &a) : run_command(&a.o, false);
    free(a.params.text);
    return code;
}
