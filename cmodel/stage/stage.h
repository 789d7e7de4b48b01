/* SPDX-License-Identifier: Apache-2.0 */
/* Stage between the LSU and the L1D of an SM. The LSU, the stages of the SM's list and the L1D form
 * a chain. In each cycle, a stage may be offered an access by its predecessor, and may offer an
 * access to its successor. It offers either the same access or an access that it holds. An offer
 * stays unchanged until it is taken.
 *
 * In each cycle, the SM calls offer() of each stage, from the first to the last, and then ticks
 * the L1D. When a stage or the L1D takes an access, the SM calls take() of the stages before it,
 * back to the stage that held the access. */
#ifndef MEMTWIN_STAGE_STAGE_H
#define MEMTWIN_STAGE_STAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/kernel.h"
#include "lib/request.h"

/* `from` is the access offered to the stage, or NULL. */
struct stage_type {
    /* Runs one cycle. Sets *took if the stage accepts `from`. Returns the request that the stage
     * offers, or NULL. */
    const struct request *(*offer)(void *stage, const struct request *from, uint64_t cycle,
                                   bool *took);
    /* Takes the stage's offer. Returns true if the offer was `from`. The access may be read until
     * the next cycle. */
    bool (*take)(void *stage);
    /* If n is 0, returns the request that the stage offers. If n is 1, returns the request that
     * it will probably offer after that. Returns NULL if there is no request or no prediction.
     * `before` contains the two corresponding requests of the previous stage. before[1] is valid
     * only if n is 1. */
    const struct request *(*peek)(const void *stage, uint32_t n,
                                  const struct request *const before[2]);
    /* Returns the first cycle, from `cycle` on, in which the stage may do more than wait for its
     * offer to be taken and refuse `from` again. Assumes that no input arrives. Returns UINT64_MAX
     * if there is no such cycle. */
    uint64_t (*next_event)(const void *stage, const struct request *from, uint64_t cycle);
    /* Accounts for skipped cycles. All of them must be before the cycle of next_event(). */
    void (*advance)(void *stage, const struct request *from, uint64_t cycles);
    /* True if the stage holds no access. */
    bool (*empty)(const void *stage);
    /* Returns the queue for the accesses of warp slot `warp`. Accesses in the same queue stay in
     * order. The pointer is NULL if all accesses stay in order or are parked. */
    uint32_t (*queue_of)(const void *stage, uint32_t warp);
    /* True if the stage parks the accesses that it takes. Other accesses of the same queue may
     * then overtake them, except accesses to the same line. The stage sets `parked` in an access
     * that it holds. */
    bool parks;
    /* True if the stage counts as part of the L1D, so that an access enters the L1D when the stage
     * takes it. Such a stage is the last one and keeps all accesses in order. */
    bool enters;
};

struct stage {
    const struct stage_type *type;
    void *state; /* not owned */
    /* Points to the cycle in which the stage sees its next input from outside the SM. The cycle is
     * UINT64_MAX if no input is in flight. The pointer is NULL if the stage never has such input.
     * Not owned. */
    const uint64_t *input;
    /* True if instructions of kind `fence` need an order that the stage does not keep. They issue
     * only when all accesses of their warp slot have left the stage. */
    bool fences;
    enum warp_op fence;
};

#endif
