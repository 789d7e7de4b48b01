/* SPDX-License-Identifier: Apache-2.0 */
/* A stage between the LSU and the L1D of an SM. The LSU, the stages of the SM's list and the L1D
 * are a chain: in each cycle each stage is offered an access by what is before it, and offers one
 * to what is behind it, the same or one that it holds. An offer stands, and stays the same, until
 * it is taken.
 *
 * A cycle: offer() of each stage, the first one first; then the L1D acts. Whoever takes an access
 * calls taken() of the stage before it.
 */
#ifndef MEMTWIN_STAGE_STAGE_H
#define MEMTWIN_STAGE_STAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/kernel.h"
#include "lib/request.h"

/* `from`: the access that the stage is offered; NULL: none. */
struct stage_type {
    /* One cycle. Sets *took if the stage accepts `from`. Returns the request it offers, or NULL. */
    const struct request *(*offer)(void *stage, const struct request *from, uint64_t cycle,
                                   bool *took);
    /* What it offered is taken. Returns true if that was `from`. The access may be read until the
     * next cycle. */
    bool (*taken)(void *stage);
    /* The request that it offers (n = 0), or is likely to offer after that one is taken (n = 1);
     * NULL if it cannot tell. before: these two requests of the previous stage; before[1] is valid
     * for n = 1 only. */
    const struct request *(*peek)(const void *stage, uint32_t n,
                                  const struct request *const before[2]);
    /* The first cycle, from `cycle` on, in which it may do more than wait for its offer to be taken
     * and refuse `from` again, if nothing arrives; UINT64_MAX: never. */
    uint64_t (*next_event)(const void *stage, const struct request *from, uint64_t cycle);
    /* Accounts for skipped cycles, all before next_event. */
    void (*advance)(void *stage, const struct request *from, uint64_t cycles);
    /* It holds no access. */
    bool (*empty)(const void *stage);
    /* The queue for the accesses of that warp slot, whose CTA has that slot: accesses of a queue
     * keep their order. NULL: all accesses do, or they park. */
    uint32_t (*queue_of)(const void *stage, uint32_t warp, uint32_t cta);
    /* What it takes is parked: others of its queue may overtake it, but not those of its line. The
     * stage sets `parked` in what it holds. */
    bool parks;
    /* What it takes is in the L1D: the stage is the last one and gives up no order. */
    bool enters;
};

struct stage {
    const struct stage_type *type;
    void *state; /* not owned, as `input` */
    /* The cycle in which it sees what arrives next from outside the SM; UINT64_MAX: nothing is on
     * its way. NULL: nothing ever is. */
    const uint64_t *input;
    /* The order that it gives up is needed at this instruction, which issues only when all accesses
     * of its warp slot have left the stage. */
    bool fences;
    enum warp_op fence;
};

#endif
