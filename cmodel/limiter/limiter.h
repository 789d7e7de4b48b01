/* SPDX-License-Identifier: Apache-2.0 */
/* Limits the number of memory instructions in flight of kernels that share an SM, using the SM's
 * mil block. In each cycle, call limiter_done, limiter_note_accept, limiter_note_refusal and
 * limiter_starts when the corresponding events occur. After them, call limiter_ask, then
 * limiter_issues for each issued memory instruction, and finally limiter_tick. See
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

_Static_assert(WORKLOADS_AT_ONCE <= MIL_MAX_KERNELS, "the block has a limit for each");

struct limiter {
    struct block_part block; /* has no type if the kernels are not limited */
    bool decides;            /* true if mil.limit=dynamic */
    uint32_t kernels, room_bits, limit_bits;
    uint32_t may[WORKLOADS_AT_ONCE]; /* number of instructions that may still issue in this cycle */
    uint32_t limit[WORKLOADS_AT_ONCE]; /* limit in the block, or from mil.limit until the block has
                                        received it */
    uint32_t to_set; /* next kernel whose limit must be sent to the block; `kernels` if all have
                        been sent */
    uint32_t err;    /* value of the block's port `err`; 0 if there is no error */
    /* Inputs of this cycle. Vectors have the block's format. */
    bool sets, takes, fails;
    uint32_t live_kernels, want, start, accept_kernel, refuse_kernel;
    uint64_t iss, done;
};

/* Checks relations between the keys. `kernels` is the number of kernels that share the SM, and
 * `in_flight` is the maximum number of memory instructions in an SM (sm_most_in_flight). Returns
 * 0, or -1 with one line in err. */
int limiter_check(const struct config *cfg, uint32_t kernels, int64_t in_flight, struct error *err);
/* True if the keys require the block. */
bool limiter_wanted(const struct config *cfg);

/* Creates the block in reset. In its first cycle, rst is 1. After that, it receives one static
 * limit per cycle, and no memory instruction issues until it has received all limits. Returns 0,
 * or -1 with one line in err. */
int limiter_init(struct limiter *l, struct block_list *blocks, const struct config *cfg,
                 uint32_t kernels, int64_t in_flight, uint32_t sm, struct error *err);
void limiter_free(struct limiter *l);

static inline bool limiter_on(const struct limiter *l) {
    return l->block.inst.type;
}

/* ---- events of a cycle ---- */

static inline void limiter_starts(struct limiter *l, uint32_t kernel) {
    l->start |= 1u << kernel;
}
/* Records that a memory instruction of the kernel has completed. */
static inline void limiter_done(struct limiter *l, uint32_t kernel) {
    l->done += UINT64_C(1) << 2 * kernel;
}
/* Record that the L1D accepts an access, or that it refuses an access because a way, an MSHR
 * entry or slot, or a miss queue entry is missing. */
static inline void limiter_note_accept(struct limiter *l, uint32_t kernel) {
    l->takes = true;
    l->accept_kernel = kernel;
}
static inline void limiter_note_refusal(struct limiter *l, uint32_t kernel) {
    l->fails = true;
    l->refuse_kernel = kernel;
}

/* Evaluates the block. Bit k of `live` is set if kernel k has CTAs on this SM. Bit k of `want`
 * is set if kernel k has a memory instruction that could issue. */
void limiter_ask(struct limiter *l, struct stats *s, uint32_t live, uint32_t want);
static inline bool limiter_lets(const struct limiter *l, uint32_t kernel) {
    return l->may[kernel];
}
static inline void limiter_issues(struct limiter *l, uint32_t kernel) {
    l->may[kernel]--;
    l->iss += UINT64_C(1) << kernel * l->room_bits;
}
/* True if the limits may allow more instructions in the next cycle than in this one. */
static inline bool limiter_lets_more(const struct limiter *l) {
    return l->done || l->sets || l->block.reset;
}
/* Returns the text of the block's error. */
const char *limiter_fault(const struct limiter *l);
void limiter_tick(struct limiter *l);

/* ---- skipping ---- */

/* Returns 0 if the next cycle must be ticked, or UINT64_MAX if no cycle must be ticked before an
 * input arrives. */
static inline uint64_t limiter_next_event(const struct limiter *l) {
    if (block_part_next_event(&l->block) == 0 || l->to_set < l->kernels)
        return 0;
    return mil_next_event(l->block.inst.model);
}
/* Accounts for skipped cycles, each with one failure of `kernel` and no other input. */
static inline void limiter_pass(struct limiter *l, uint32_t kernel, uint64_t cycles) {
    mil_pass(l->block.inst.model, kernel, cycles);
}

/* Prints one line with the number of instructions in flight and the limit of each kernel. */
void limiter_dump(const struct limiter *l, uint32_t sm, FILE *out);

#endif
