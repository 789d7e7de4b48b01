// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "block/block.h"
#include "commands.h"
#include "harness/harness.h"
#include "os/path.h"
#include "options.h"
#include "progress.h"

struct cosim_args {
    struct cosim_opts o;
    struct text_list params;
    const char *library;
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
         "set a parameter (memtwin list blocks); if it is repeated, the last value wins"),
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
    {0}};

static const char usage[] =
    "usage: memtwin cosim BLOCK [OPTION]...\n"
    "       memtwin cosim --block LIB.so [OPTION]...\n"
    "\n"
    "Runs one block alone under constrained-random stimulus: its C model and its Verilog side by\n"
    "side. Compares every output in every cycle, and functional coverage with its floor. Without\n"
    "--seed, seed 1 gets half of the cycles, and seeds 2 to 4 the rest; coverage is their sum.\n";
static const char notes[] =
    "exit: 0 good, 2 coverage below its floor or a broken rule of the block, 3 mismatch\n";
static const struct command_line line = {
    .usage = usage, .table = table, .notes = notes, .word = {"BLOCK"}};

static void show_progress(void *ctx, uint64_t done, uint64_t total) {
    struct progress *p = ctx;
    char left[64];
    if (!progress_due(p))
        return;
    double part = (double)done / (double)total, seconds = progress_seconds(p);
    progress_left(part, seconds / part - seconds, left, sizeof left);
    progress_line(p, "%s%" PRIu64 " of %" PRIu64 " cycles, %.0f cycles/s", left, done, total,
                  (double)done / seconds);
}

static int run_command(struct cosim_opts *o) {
    volatile bool stop = false;
    struct progress progress;
    progress_begin(&progress, false);
    o->stop = &stop;
    o->progress = show_progress;
    o->progress_ctx = &progress;
    interrupt_catch(&stop);
    int code = cosim_run(o, o->record && is_stdout(o->record) ? stderr : stdout);
    progress_end(&progress);
    return interrupted() ? interrupted() : code;
}

int cmd_cosim(int argc, char **argv) {
    struct cosim_args a = {.o = {.cycles = 150000, .seed = 1, .seeds = SEEDS}};
    const char *block = NULL;
    int code = read_options(&line, argc, argv, &a, &block);
    if (code == GO_ON)
        code = read_block(argv[0], block, &a.params, &a.o.type, &a.o.params);
    if (code == GO_ON)
        code = run_command(&a.o);
    free(a.params.text);
    return code;
}
