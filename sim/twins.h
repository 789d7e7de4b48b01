/* SPDX-License-Identifier: Apache-2.0 */
/* --twin: which block instances get their Verilog, and how. --record: which are recorded. */
#ifndef MEMTWIN_SIM_TWINS_H
#define MEMTWIN_SIM_TWINS_H

#include <stddef.h>

#include "block/block.h"
#include "gpu/gpu.h"
#include "harness/harness.h"

/* The instances of a gpu that --twin selects, in the gpu's order. */
struct twin_choice {
    struct twin_instance {
        struct block_inst *inst;
        bool chosen;
        enum twin_mode mode;
    } * instances;
    size_t n, room;
};

/* Lists the instances of the gpu and marks those that match the arguments "PATTERN[:MODE][,..]". If
 * two match an instance, the last one counts. 0, or -1 with one line in err; call twins_free in
 * both cases. */
int twins_choose(struct twin_choice *choice, struct gpu *gpu, const char *const *args,
                 size_t n_args, char *err, size_t err_size);
void twins_free(struct twin_choice *choice);

/* Attaches a twin to each chosen instance, and calls `before` (may be NULL) before each. 0, or -1
 * with one line in err. */
int twins_attach(const struct twin_choice *choice, struct harness *h,
                 void (*before)(void *ctx, const char *instance), void *ctx, char *err,
                 size_t err_size);

/* Records the instances that the arguments "INSTANCE=FILE" name, all cycles of each. 0, or -1 with
 * one line in err. */
int twins_record(const struct twin_choice *choice, struct harness *h, const char *const *args,
                 size_t n_args, char *err, size_t err_size);

/* The instance of that name, or NULL. */
struct block_inst *twins_find(const struct twin_choice *choice, const char *name);

#endif
