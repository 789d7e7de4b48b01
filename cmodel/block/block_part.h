/* SPDX-License-Identifier: Apache-2.0 */
/* A block inside a part of the system: an instance that is registered under its name, is in reset
 * in its first cycle, and is stepped only in cycles in which it has something to do.
 *
 * The owner keeps the inputs and outputs of the cycle. It calls block_part_eval and block_part_tick
 * once a cycle; or block_part_step if no late input waits for the outputs, when the block has
 * something to do or block_part_next_event says so. `rst`, the first input of every port list, is
 * set here.
 */
#ifndef MEMTWIN_BLOCK_BLOCK_PART_H
#define MEMTWIN_BLOCK_BLOCK_PART_H

#include "block/block.h"

struct block_part {
    bool reset;              /* the next cycle is its first */
    bool steps;              /* it is stepped in this cycle */
    struct block_inst inst;  /* owns the model; `type` NULL: there is no block */
    struct block_list *list; /* not owned; the registry that it is in */
    struct block_part *next; /* there */
};

/* All blocks of a system. Names that differ in numbers only stand together, in the order in which
 * they were registered; these groups too are in the order in which they were begun. */
struct block_list {
    struct block_part *first;
};

/* Parameters are checked. The part may not be moved from now on. Returns 0, or -1 with one line in
 * err. */
int block_part_init(struct block_part *b, struct block_list *list, const struct block_type *type,
                    const struct block_params *params, const char *name, char *err,
                    size_t err_size);
/* Also of a part without a block, all of whose bytes are 0. */
void block_part_free(struct block_part *b);

/* 0 if it is in reset or watched: then each cycle is stepped. UINT64_MAX: what the model has to do
 * decides, which the owner knows. */
static inline uint64_t block_part_next_event(const struct block_part *b) {
    return b->reset || b->inst.probe ? 0 : UINT64_MAX;
}

/* The first phase of a cycle. busy: it has inputs, or work of its own; if not, it is not stepped
 * unless it must be. Returns whether the outputs are valid: it is stepped, and not in reset. */
static inline bool block_part_eval(struct block_part *b, void *in, void *out, bool busy) {
    b->steps = busy || block_part_next_event(b) == 0;
    if (!b->steps)
        return false;
    *(uint64_t *)in = b->reset;
    block_eval(&b->inst, in, out);
    return !b->reset;
}

/* The second phase. Returns whether it was stepped. */
__attribute__((always_inline)) static inline bool block_part_tick(struct block_part *b,
                                                                  const void *in) {
    if (!b->steps)
        return false;
    block_tick(&b->inst, in);
    b->reset = false;
    return true;
}

/* Both phases of a block that is to be stepped. Returns whether the outputs are valid. */
static inline bool block_part_step(struct block_part *b, void *in, void *out) {
    bool valid = !b->reset;
    *(uint64_t *)in = b->reset;
    block_step(&b->inst, in, out);
    b->reset = false;
    return valid;
}

#endif
