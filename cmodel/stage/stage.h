/* SPDX-License-Identifier: Apache-2.0 */
/* A stage between the LSU and the L1D of an SM. The LSU, the stages of the SM's list and the L1D
 * form a chain. In each cycle each stage is offered an access by its predecessor, and offers one to
 * its successor: the same one, or one that it holds. An offer stays unchanged until it is taken.
 *
 * A cycle: offer() of each stage, from the first to the last; then the L1D's tick. The stage that
 * takes an access calls taken() of its predecessor.
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
    /* Its offer is taken. Returns true if that was `from`. The access may be read until the next
     * cycle. */
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
    /* Whether it holds no access. */
    bool (*empty)(const void *stage);
    /* The queue for the accesses of that warp slot and CTA slot. Accesses of a queue keep their
     * order. NULL if all accesses keep their order or park. */
    uint32_t (*queue_of)(const void *stage, uint32_t warp, uint32_t cta);
    /* It parks the accesses that it takes: others of the queue may overtake them, but not accesses
     * to the same line. The stage sets `parked` in an access that it holds. */
    bool parks;
    /* It counts as part of the L1D: the stage is the last one and keeps all order. */
    bool enters;
};

struct stage {
    const struct stage_type *type;
    void *state; /* not owned, as `input` */
    /* The cycle in which it sees the next input from outside the SM; UINT64_MAX if no input is
     * in flight. NULL if it has no such input. */
    const uint64_t *input;
    /* Instruction that needs the order that the stage gives up: it issues only when all accesses of
     * its warp slot have left the stage. */
    bool fences;
    enum warp_op fence;
};

#endif
