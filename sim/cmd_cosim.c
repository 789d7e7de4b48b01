// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "block/block.h"
#include "commands.h"
#include "harness/harness.h"
#include "harness/proc.h"
#include "options.h"
#include "progress.h"

struct cosim_args {
    struct cosim_opts o;
    struct text_list params;
    const char *library;
};

#define ROW(...) OPTION(struct cosim_args, __VA_ARGS__)
#define COUNT(...) NUMBER(struct cosim_args, __VA_ARGS__)
static const struct option_row table[] = {
    MANY(struct cosim_args, 'p', "param", "NAME=VALUE", take_list, params,
         "a parameter (memtwin list blocks); the last value of a name counts"),
    LIBRARY(struct cosim_args, library),
    COUNT("cycles", "N", 1, 0, o.cycles, "length (default 150000)"),
    COUNT("seed", "S", 0, 0, o.seed,
          "seed of the stimulus (default 1); the same seed gives the same run"),
    ROW(0, "record", "FILE", take_text, o.record,
        "write inputs and outputs as a vector file (memtwin replay)"),
    ROW(0, "model-only", NULL, take_flag, o.model_only,
        "without Verilog: only coverage and the checks of the model"),
    ROW(0, "plant", "PORT[BIT]@CYCLE", take_text, o.plant,
        "flip a bit (default 0) of the model's output, to show that it is found"),
    {0}};

static const char usage[] =
    "usage: memtwin cosim BLOCK [OPTION]...\n"
    "       memtwin cosim --block LIB.so [OPTION]...\n"
    "\n"
    "Runs one block alone: constrained-random stimulus, the C model and its Verilog side by side,\n"
    "every output compared every cycle, functional coverage against its floor.\n";
static const char notes[] =
    "exit: 0 good, 2 coverage under its floor or a rule of the block broken, 3 mismatch\n";
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

static int run(struct cosim_opts *o) {
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
    struct cosim_args a = {.o = {.cycles = 150000, .seed = 1}};
    const char *block = NULL;
    int code = read_options(&line, argc, argv, &a, &block);
    if (code == GO_ON)
        code = read_block(argv[0], block, &a.params, &a.o.type, &a.o.params);
    if (code == GO_ON)
        code = run(&a.o);
    free(a.params.text);
    return code;
}
