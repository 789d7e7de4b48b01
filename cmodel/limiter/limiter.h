/* SPDX-License-Identifier: Apache-2.0 */
/* Which of the kernels that share an SM may issue memory instructions: the block mil of the SM, and
 * what it is told. A cycle: limiter_done, _taken, _failed, _starts as they happen; limiter_ask,
 * then limiter_issues for each instruction that it lets through; limiter_tick.
 * docs/understand/concurrent.md. */
#ifndef MEMTWIN_LIMITER_LIMITER_H
#define MEMTWIN_LIMITER_LIMITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "block/block_part.h"
#include "config/config.h"
#include "kernel/kernel.h"
#include "mil/mil.h"
#include "stats/stats.h"

_Static_assert(KERNELS_AT_ONCE <= MIL_MAX_KERNELS, "the block has a limit for each");

struct limiter {
    struct block_part block; /* without a type: everybody may issue */
    bool decides;            /* mil.limit=dynamic */
    uint32_t kernels, room_bits, limit_bits;
    uint32_t may[KERNELS_AT_ONCE];   /* instructions that may issue yet in this cycle */
    uint32_t limit[KERNELS_AT_ONCE]; /* the block's, or what mil.limits says until it has that */
    uint32_t to_set;                 /* the next kernel whose limit is told to the block */
    uint32_t err;                    /* the block's; 0: nothing is wrong */
    /* Of this cycle; vectors as the block has them */
    bool sets, takes, fails;
    uint32_t live, want, start, taken, failed;
    uint64_t iss, done;
};

/* Relations between the keys. kernels: that share an SM; in_flight: memory instructions that an SM
 * can hold (sm_most_in_flight). Returns 0, or -1 with one line in err. */
int limiter_check(const struct config *cfg, uint32_t kernels, int64_t in_flight, char *err,
                  size_t err_size);
/* Whether the keys need the block. */
bool limiter_wanted(const struct config *cfg);

/* Returns 0, or -1 with one line in err. The block is in reset: its first cycle has rst = 1. Then
 * it receives one static limit per cycle; no memory instruction issues until it has all limits. */
int limiter_init(struct limiter *l, struct block_list *blocks, const struct config *cfg,
                 uint32_t kernels, uint32_t sm, char *err, size_t err_size);
void limiter_free(struct limiter *l);

static inline bool limiter_on(const struct limiter *l) {
    return l->block.inst.type;
}

/* ---- what happens in a cycle ---- */

static inline void limiter_starts(struct limiter *l, uint32_t kernel) {
    l->start |= 1u << kernel;
}
/* A memory instruction is done. */
static inline void limiter_done(struct limiter *l, uint32_t kernel) {
    l->done += UINT64_C(1) << 2 * kernel;
}
/* limiter_taken: the L1D accepts an access. limiter_failed: the L1D refuses one because it lacks a
 * way, an MSHR entry or slot, or an entry of the miss queue. */
static inline void limiter_taken(struct limiter *l, uint32_t kernel) {
    l->takes = true;
    l->taken = kernel;
}
static inline void limiter_failed(struct limiter *l, uint32_t kernel) {
    l->fails = true;
    l->failed = kernel;
}

/* live: bit k if kernel k has CTAs on this SM. want: bit k if it has a memory instruction that
 * could issue. */
void limiter_ask(struct limiter *l, struct stats *s, uint32_t live, uint32_t want);
static inline bool limiter_lets(const struct limiter *l, uint32_t kernel) {
    return l->may[kernel];
}
static inline void limiter_issues(struct limiter *l, uint32_t kernel) {
    l->may[kernel]--;
    l->iss += UINT64_C(1) << kernel * l->room_bits;
}
/* Whether the limits may let more issue in the next cycle than in this one. */
static inline bool limiter_lets_more(const struct limiter *l) {
    return l->done || l->sets || l->block.reset;
}
/* The block's error in words. */
const char *limiter_fault(const struct limiter *l);
void limiter_tick(struct limiter *l);

/* ---- time ---- */

/* Returns 0 if the next cycle must be ticked, UINT64_MAX if that depends on inputs alone. */
static inline uint64_t limiter_next_event(const struct limiter *l) {
    if (block_part_next_event(&l->block) == 0 || l->to_set < l->kernels)
        return 0;
    return mil_next_event(l->block.inst.model);
}
/* Accounts for skipped cycles, each with one failure of `kernel` and no other input. */
static inline void limiter_pass(struct limiter *l, uint32_t kernel, uint64_t cycles) {
    mil_pass(l->block.inst.model, kernel, cycles);
}

/* Prints one line: instructions in flight and limit of each kernel. */
void limiter_dump(const struct limiter *l, uint32_t sm, FILE *out);

#endif
