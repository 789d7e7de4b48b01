/* SPDX-License-Identifier: Apache-2.0 */
/* An observer stands beside the page walkers: it hears of walks, and tells the driver what it has
 * made of them (uvm/uvm.h). observers.def lists all.
 *
 * A cycle of the GMMU: begin; what a walk that ends is heard of, if every observer is `ready` for
 * it; tick. Cycles in which the GMMU has nothing to do and that next_event does not name may be
 * left out.
 */
#ifndef MEMTWIN_GMMU_OBSERVER_H
#define MEMTWIN_GMMU_OBSERVER_H

#include <stdbool.h>
#include <stdint.h>

#include "block/block_part.h"
#include "config/config.h"
#include "context/context.h"
#include "stats/stats.h"

struct gmmu_observer;
struct uvm;

struct gmmu_observer_type {
    void (*destroy)(struct gmmu_observer *o);
    void (*begin)(struct gmmu_observer *o, uint64_t cycle); /* may be NULL */
    /* It can take a walk that hits the page in this cycle; else the walk does not end, which
     * `waits` counts. NULL: it always can. */
    bool (*ready)(const struct gmmu_observer *o, uint32_t page);
    enum stat_id waits;
    /* A walk of the page hits, and counts as a reference (gmmu.replays_touch). May be NULL. */
    void (*walk)(struct gmmu_observer *o, uint32_t page);
    /* A walk of the page hits or faults, and was not for replays only. May be NULL. */
    void (*look)(struct gmmu_observer *o, uint32_t page);
    /* The driver has left something for it: the GMMU has to be ticked. NULL: it never has. */
    bool (*has_input)(const struct gmmu_observer *o);
    /* The end of the cycle: what the driver asks for is heard, what it is told goes to it. */
    void (*tick)(struct gmmu_observer *o, uint64_t cycle);
    /* The first cycle from `cycle` on in which it does something though no walk ends and the driver
     * does nothing; UINT64_MAX: never. */
    uint64_t (*next_event)(const struct gmmu_observer *o, uint64_t cycle);
    void (*add_stats)(const struct gmmu_observer *o, struct stats *s); /* may be NULL */
};

struct gmmu_observer {
    const struct gmmu_observer_type *type;
    struct gmmu_observer *next; /* of the same GMMU */
};

/* The observer with its block `gmmu.x` in reset: the first cycle has rst = 1. context and uvm are
 * not owned. NULL with one line in err. */
typedef struct gmmu_observer *gmmu_observer_create(const struct config *cfg,
                                                   struct context *context, struct uvm *uvm,
                                                   char *err, size_t err_size);

#define OBSERVER(x) gmmu_observer_create gmmu_##x##_create;
#include "gmmu/observers.def"
#undef OBSERVER

#endif
