/* SPDX-License-Identifier: Apache-2.0 */
/* Warp schedulers: which of a scheduler's warps issues. Four policies behind one interface.
 *
 * gto        Greedy, then oldest: the warp that issued last if it can, else the oldest that can.
 * lrr        Loose round robin: the next that can in slot order, after the one that issued last.
 * two_level  Gebhart et al., ISCA 2011 (the set that GPGPU-Sim has too, not the fetch groups of
 *            Narasiman et al., MICRO 2011): round robin in an active set of
 *            sm.two_level_active warps. A warp that waits for a load or at a barrier leaves it;
 *            the pending warp that left first, of those that do not wait so, takes its place.
 * swl        Static wavefront limiting, Rogers et al., MICRO 2012: GTO among the sm.swl_warps
 *            oldest warps. A warp at a barrier does not count, so a CTA of which some warps are
 *            beyond the limit gets past its barriers.
 */
#ifndef MEMTWIN_SM_SCHED_H
#define MEMTWIN_SM_SCHED_H

#include <stdbool.h>
#include <stdint.h>

#include "config/config.h"
#include "lib/warp_set.h"

/* sm.scheduler */
enum { SCHEDULER_GTO, SCHEDULER_LRR, SCHEDULER_TWO_LEVEL, SCHEDULER_SWL };

#define SCHED_NONE UINT32_MAX

struct sched;

struct sched_policy {
    /* Chooses one of the candidates: warps that can issue and are allowed to; at least one. */
    uint32_t (*pick)(const struct sched *s, warp_set candidates);
    /* Recomputes `allowed` after a change of the warps. NULL: all warps are always allowed. */
    void (*update)(struct sched *s, warp_set at_barrier, warp_set far);
    bool greedy; /* `last` means the warp, not its slot: forgotten when it exits */
};

struct sched {
    const struct sched_policy *policy;
    warp_set live;    /* its warp slots in use */
    warp_set allowed; /* live warps that the policy lets issue */
    uint32_t limit;   /* most warps that two_level and swl let issue */
    uint32_t last;    /* slot that issued last, or SCHED_NONE */
    uint32_t n_order, n_pending;
    uint8_t order[WARP_SLOTS];   /* live warps, the oldest first */
    uint8_t pending[WARP_SLOTS]; /* two_level: live and not active, who left first first */
    warp_set seen;               /* swl: at a barrier when `allowed` was made */
    bool stale;                  /* swl: warps have come or gone since then */
};

/* A scheduler of the policy sm.scheduler for those warp slots. */
void sched_init(struct sched *s, const struct config *cfg, warp_set warps);
/* Whether the policy needs the `far` mask of sched_update. */
bool sched_wants_far(const struct config *cfg);
/* A warp starts in that slot, the youngest; a warp has exited. */
void sched_add(struct sched *s, uint32_t w);
void sched_remove(struct sched *s, uint32_t w);

/* Called before a cycle's issue and after it. at_barrier, far: live warps that wait at a barrier,
 * or for the result of a load. A second call without a change between has no effect, so cycles in
 * which nothing happens may be left out. */
static inline void sched_update(struct sched *s, warp_set at_barrier, warp_set far) {
    if (s->policy->update)
        s->policy->update(s, at_barrier, far);
}

/* The warp that issues, of candidates that are in `allowed`; there is one. */
static inline uint32_t sched_pick(struct sched *s, warp_set candidates) {
    return s->last = s->policy->pick(s, candidates);
}

#endif
