/* The HIR cache (docs/hir.md) beside the page walkers, and its way to the driver: told of each walk
 * that hits, emptied when the driver says so.
 *
 * A cycle: gmmu_hir_begin, gmmu_hir_hit if a walk has hit and `ready`, gmmu_hir_end.
 */
#ifndef MEMTWIN_GMMU_GMMU_HIR_H
#define MEMTWIN_GMMU_GMMU_HIR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "block/block.h"
#include "config/config.h"
#include "hir/hir.h"
#include "stats/stats.h"
#include "uvm/uvm.h"

struct gmmu_hir_ports; /* of the block, in a cycle */

struct gmmu_hir {
    struct block_inst inst;       /* owns the model; `type` NULL: there is none */
    struct gmmu_hir_ports *ports; /* owned */
    bool reset;                   /* the next cycle is the block's first */
    uint32_t pages;               /* of a page set */
    uint32_t interval;            /* SM cycles from one entry that is taken to the next */
    uint64_t take_at;             /* the first in which the next may be */
    uint64_t lost;                /* what the block's counter has been seen to show */
    bool due;                     /* the block has to send out what it has counted */
};

/* The block, in reset: its first cycle has rst = 1. Returns 0, or -1 with one line in err. */
int gmmu_hir_init(struct gmmu_hir *h, const struct config *cfg, char *err, size_t err_size);
void gmmu_hir_free(struct gmmu_hir *h);

static inline bool gmmu_hir_on(const struct gmmu_hir *h) {
    return h->inst.type;
}

/* A cycle without a hit has to be computed. */
static inline bool gmmu_hir_awake(const struct gmmu_hir *h) {
    return gmmu_hir_on(h) && (h->reset || h->due || h->inst.probe || !hir_still(h->inst.model));
}

void gmmu_hir_begin(struct gmmu_hir *h, struct stats *s);
bool gmmu_hir_ready(const struct gmmu_hir *h);
void gmmu_hir_hit(struct gmmu_hir *h, uint32_t page);
void gmmu_hir_end(struct gmmu_hir *h, struct uvm *uvm, uint64_t cycle);

/* Lost hits that no cycle has seen yet. */
uint64_t gmmu_hir_unseen(const struct gmmu_hir *h);

#endif
