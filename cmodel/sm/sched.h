/* SPDX-License-Identifier: Apache-2.0 */
/* Warp schedulers. One of four policies chooses the warp that issues.
 *
 * gto        Greedy, then oldest: the warp that issued last if it can issue again, or else the
 *            oldest warp that can issue.
 * lrr        Loose round robin: the next warp that can issue, in slot order after the last
 *            warp that issued.
 * two_level  Gebhart et al., ISCA 2011 (the active set, as in GPGPU-Sim, not the fetch groups of
 *            Narasiman et al., MICRO 2011): round robin in an active set of
 *            sm.active_warps warps. A warp that waits for a load or at a barrier leaves the set.
 *            Of the pending warps that no longer wait, the one that left first replaces it.
 * swl        Static wavefront limiting, Rogers et al., MICRO 2012: GTO among the sm.active_warps
 *            oldest warps. A warp at a barrier does not count, so a CTA with some warps beyond
 *            the limit still passes its barriers.
 */
#ifndef MEMTWIN_SM_SCHED_H
#define MEMTWIN_SM_SCHED_H

#include <stdbool.h>
#include <stdint.h>

#include "config/config.h"
#include "lib/warp_set.h"

/* Values of sm.scheduler. */
enum { SM_SCHEDULER_VALUES(VALUE_ENUMERATOR) };

#define SCHED_NONE UINT32_MAX

struct sched;

struct sched_policy {
    /* Returns one of the candidates, which are warps that can issue and are allowed to issue.
     * There is at least one candidate. */
    uint32_t (*pick)(const struct sched *s, warp_set candidates);
    /* Recomputes `allowed` after the warps have changed. The pointer is NULL if all warps are
     * always allowed. */
    void (*update)(struct sched *s, warp_set at_barrier, warp_set far);
    bool greedy; /* true if `last` identifies a warp, not its slot, and is cleared when the warp
                    exits */
};

struct sched {
    const struct sched_policy *policy;
    warp_set live_warps; /* live warps of the scheduler */
    warp_set allowed;    /* live warps that the policy allows to issue */
    uint32_t limit;      /* maximum number of warps that two_level or swl allows to issue */
    uint32_t last;       /* slot of the last issue, or SCHED_NONE */
    uint32_t n_order, n_pending;
    uint8_t order[WARP_SLOTS];   /* live warps, oldest first */
    uint8_t pending[WARP_SLOTS]; /* two_level: live warps outside the active set, in the order in
                                    which they left it */
    warp_set seen;               /* swl: warps at a barrier when `allowed` was computed */
    bool stale; /* swl: true if warps have started or exited since `seen` was set */
};

/* Creates a scheduler with the policy of sm.scheduler for the warp slots in `warps`. */
void sched_init(struct sched *s, const struct config *cfg, warp_set warps);
/* True if the policy needs the `far` mask of sched_update(). */
bool sched_wants_far(const struct config *cfg);
/* sched_add records that a warp starts in slot w, as the youngest. sched_remove records that the
 * warp has exited. */
void sched_add(struct sched *s, uint32_t w);
void sched_remove(struct sched *s, uint32_t w);

/* Updates the policy before and after a cycle's issue. `at_barrier` and `far` contain the live
 * warps that wait at a barrier and for the result of a load, respectively. A second call has no
 * effect if nothing has changed, so idle cycles may be skipped. */
static inline void sched_update(struct sched *s, warp_set at_barrier, warp_set far) {
    if (s->policy->update)
        s->policy->update(s, at_barrier, far);
}

/* Chooses the warp that issues. The candidates must be a non-empty subset of `allowed`. */
static inline uint32_t sched_pick(struct sched *s, warp_set candidates) {
    return s->last = s->policy->pick(s, candidates);
}

#endif
