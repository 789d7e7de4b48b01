/* SPDX-License-Identifier: Apache-2.0 */
/* Protection distances of an L1D's lines (l1d.bypass=pdp). After a use a line is protected: it is
 * not replaced before its set has taken so many accesses more. What would have to replace it goes
 * past the L1D, or is not kept. After Duong et al., "Improving cache management policies using
 * dynamic reuse distances", MICRO 2012, and Chen et al., "Adaptive cache management for
 * energy-efficient GPU computing", MICRO 2014.
 *
 * In hardware each way has a counter that is set to the distance by a use and counted down, to 0,
 * by each access to the set. Here the accesses of a set are numbered instead. Since every line has
 * the same distance, the least protected way of a set is the least recently used one.
 */
#ifndef MEMTWIN_L1D_PROTECT_H
#define MEMTWIN_L1D_PROTECT_H

#include <stdint.h>

#include "cache/lines.h"

struct protect {
    uint64_t *turn;    /* owned; per set: accesses that it has taken */
    uint64_t *until;   /* owned; per way: the turn up to which its line is protected */
    uint32_t distance; /* accesses; 0: off, and nothing is owned */
};

/* Returns 0, or -1 if out of memory. */
int protect_init(struct protect *p, const struct lines *t, uint32_t distance);
void protect_free(struct protect *p);

/* The access that the set takes now uses the line in that way. */
static inline void protect_use(struct protect *p, const struct lines *t, uint32_t way) {
    if (p->distance)
        p->until[way] = p->turn[way / t->ways] + 1 + p->distance;
}

/* A fill, which is no access, allocates the line. */
static inline void protect_fill(struct protect *p, const struct lines *t, uint32_t way) {
    if (p->distance)
        p->until[way] = p->turn[way / t->ways] + p->distance;
}

/* At the end of an access to the set, whatever became of it. */
static inline void protect_count(struct protect *p, uint32_t set) {
    p->turn[set]++;
}

/* The way that a new line may take: lines_victim, or WAY_NONE if it holds a protected line. */
uint32_t protect_victim(const struct protect *p, const struct lines *t, uint32_t set);

#endif
