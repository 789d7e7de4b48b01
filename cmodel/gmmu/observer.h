/* SPDX-License-Identifier: Apache-2.0 */
/* Defines observers of page walks. An observer is notified of page walks and reports results to the
 * driver (uvm/uvm.h). observers.def lists all observers.
 *
 * In each cycle, the GMMU calls `begin`, then `look` and `walk` for the walk that ends, if any,
 * then `tick`. A walk that hits and counts as a reference ends only if every observer is `ready`.
 * Cycles in which the GMMU has nothing to do may be skipped, except the cycles that next_event
 * returns.
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
    /* True if the observer can accept a walk that hits the page in this cycle. If not, the walk
     * does not end, and `waits` counts the cycle. NULL means always. */
    bool (*ready)(const struct gmmu_observer *o, uint32_t page);
    enum stat_id waits;
    /* Called when a walk of the page hits and counts as a reference (gmmu.report_replays). May be
     * NULL. */
    void (*walk)(struct gmmu_observer *o, uint32_t page);
    /* Called when a walk of the page ends, with a hit or a fault, and at least one of the walk's
     * requests is not a replay. May be NULL. */
    void (*look)(struct gmmu_observer *o, uint32_t page);
    /* True if the driver has input for the observer, so that the GMMU must be ticked. NULL means
     * never. */
    bool (*has_input)(const struct gmmu_observer *o);
    /* Ends the cycle, and exchanges messages with the driver. */
    void (*tick)(struct gmmu_observer *o, uint64_t cycle);
    /* Returns the first cycle, from `cycle` on, in which the observer changes state even if no walk
     * ends and the driver does nothing, or UINT64_MAX. */
    uint64_t (*next_event)(const struct gmmu_observer *o, uint64_t cycle);
    void (*add_stats)(const struct gmmu_observer *o, struct stats *s); /* may be NULL */
};

struct gmmu_observer {
    const struct gmmu_observer_type *type;
    struct gmmu_observer *next; /* next observer of the same GMMU */
};

/* Creates the observer with its block `gmmu.x`. The block is in reset in the first cycle (rst = 1).
 * `context` and `uvm` are not owned. Returns NULL with one line in err on an error. */
typedef struct gmmu_observer *gmmu_observer_create(const struct config *cfg,
                                                   struct context *context, struct uvm *uvm,
                                                   struct error *err);

#define OBSERVER(x) gmmu_observer_create gmmu_##x##_create;
#include "gmmu/observers.def"
#undef OBSERVER

#endif
