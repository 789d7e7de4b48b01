/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a block inside a part of the system. The instance is registered by name, is in reset in its
 * first cycle, and is evaluated only in cycles in which it has work.
 *
 * The owner keeps the inputs and outputs of the cycle. Once a cycle it calls block_part_eval and
 * block_part_tick. If no late input depends on the outputs, it may instead call block_part_step in
 * each cycle in which the block has work or block_part_next_event returns 0. The
 * functions below set `rst`, the first input of every port list.
 */
#ifndef MEMTWIN_BLOCK_BLOCK_PART_H
#define MEMTWIN_BLOCK_BLOCK_PART_H

#include "block/block.h"

struct block_part {
    bool reset;              /* the next cycle is the first one, in which the block is in reset */
    bool steps;              /* the block is evaluated in this cycle */
    struct block_inst inst;  /* owns the model; `type` is NULL if there is no block */
    struct block_list *list; /* registry of the block; not owned */
    struct block_part *next; /* next block in the registry */
};

/* Registry of all blocks of a system. Blocks whose names are equal apart from numbers form a group.
 * The groups, and the blocks of each group, are in order of registration. */
struct block_list {
    struct block_part *first;
    struct block_part *newest; /* block registered last; NULL if it has been freed */
};

/* Checks the parameters, and creates and registers the block. The part must not move in memory
 * after this call. Returns 0, or -1 with one line in err. */
int block_part_init(struct block_part *b, struct block_list *list, const struct block_type *type,
                    const struct block_params *params, const char *name, struct error *err);
/* Frees the block. Accepts a zeroed part without a block. */
void block_part_free(struct block_part *b);

/* Returns 0 if the next cycle must be evaluated because the block is in reset or has a probe.
 * Otherwise returns UINT64_MAX, and only the model's own next event counts. */
static inline uint64_t block_part_next_event(const struct block_part *b) {
    return b->reset || b->inst.probe ? 0 : UINT64_MAX;
}

/* Runs the first phase of a cycle. `busy` is true if the block has inputs or work of its own. If
 * `busy` is false, the block is evaluated only in reset or if it has a probe. Returns true if the
 * outputs are valid: the block was evaluated and is not in reset. */
static inline bool block_part_eval(struct block_part *b, void *in, void *out, bool busy) {
    b->steps = busy || block_part_next_event(b) == 0;
    if (!b->steps)
        return false;
    *(uint64_t *)in = b->reset;
    block_eval(&b->inst, in, out);
    return !b->reset;
}

/* Runs the second phase of a cycle. Returns true if the block was evaluated. */
__attribute__((always_inline)) static inline bool block_part_tick(struct block_part *b,
                                                                  const void *in) {
    if (!b->steps)
        return false;
    block_tick(&b->inst, in);
    b->reset = false;
    return true;
}

/* Runs both phases. Returns true if the outputs are valid. */
static inline bool block_part_step(struct block_part *b, void *in, void *out) {
    bool valid = !b->reset;
    *(uint64_t *)in = b->reset;
    block_step(&b->inst, in, out);
    b->reset = false;
    return valid;
}

#endif
