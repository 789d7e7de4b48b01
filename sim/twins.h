/* SPDX-License-Identifier: Apache-2.0 */
/* Chooses the twins and recordings of a run. --twin selects the block instances that run with their
 * Verilog module, and --record selects the instances to record. */
#ifndef MEMTWIN_SIM_TWINS_H
#define MEMTWIN_SIM_TWINS_H

#include <stddef.h>

#include "block/block.h"
#include "gpu/gpu.h"
#include "harness/harness.h"

/* All block instances of a GPU, in the GPU's order. `chosen` marks those that --twin selects. */
struct twin_choice {
    struct twin_instance {
        struct block_inst *inst;
        bool chosen;
        enum twin_mode mode;
    } * instances;
    size_t n, room;
};

/* Lists the instances of the GPU and marks those that match the arguments "PATTERN[:MODE][,..]". If
 * two patterns match an instance, the last one counts. Returns 0, or -1 with one line in err; call
 * twins_free in both cases. */
int twins_choose(struct twin_choice *choice, struct gpu *gpu, const char *const *args,
                 size_t n_args, struct error *err);
void twins_free(struct twin_choice *choice);

/* Attaches a twin to each selected instance. Calls `before` (may be NULL) before it attaches each
 * twin. Returns 0, or -1 with one line in err. */
int twins_attach(const struct twin_choice *choice, struct harness *h,
                 void (*before)(void *ctx, const char *instance), void *ctx, struct error *err);

/* Records all cycles of the instances that the arguments "INSTANCE=FILE" name. Returns 0, or -1
 * with one line in err. */
int twins_record(const struct twin_choice *choice, struct harness *h, const char *const *args,
                 size_t n_args, struct error *err);

/* Returns the instance of that name, or NULL. */
struct block_inst *twins_find(const struct twin_choice *choice, const char *name);

#endif
