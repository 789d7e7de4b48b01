// SPDX-License-Identifier: Apache-2.0
#include "sm/sched.h"

#include <string.h>

static void list_remove(uint8_t *list, uint32_t *n, uint32_t index) {
    memmove(list + index, list + index + 1, --*n - index);
}

static uint32_t list_find(const uint8_t *list, uint32_t n, uint32_t w) {
    uint32_t i = 0;
    while (i < n && list[i] != w)
        i++;
    return i;
}

/* ---- choice ---- */

static uint32_t pick_gto(const struct sched *s, warp_set candidates) {
    if (s->last != SCHED_NONE && (candidates & warp_bit(s->last)))
        return s->last;
    if (!(candidates & (candidates - 1)))
        return warp_first(candidates);
    uint32_t i = 0;
    while (!(candidates & warp_bit(s->order[i])))
        i++;
    return s->order[i];
}

static uint32_t pick_round_robin(const struct sched *s, warp_set candidates) {
    warp_set later = s->last == SCHED_NONE ? 0 : candidates & ~warp_below(s->last + 1);
    return warp_first(later ? later : candidates);
}

/* ---- warps that may issue ---- */

static void update_two_level(struct sched *s, warp_set at_barrier, warp_set far) {
    warp_set away = at_barrier | far;
    for (warp_set left = s->allowed & away; left; left &= left - 1)
        s->pending[s->n_pending++] = (uint8_t)warp_first(left);
    s->allowed &= ~away;
    uint32_t room = s->limit - warp_count(s->allowed);
    if (!(s->live_warps & ~s->allowed & ~away))
        return;
    for (uint32_t i = 0; room && i < s->n_pending;) {
        uint32_t w = s->pending[i];
        if (away & warp_bit(w)) {
            i++;
            continue;
        }
        list_remove(s->pending, &s->n_pending, i);
        s->allowed |= warp_bit(w);
        room--;
    }
}

static void update_swl(struct sched *s, warp_set at_barrier, warp_set far) {
    (void)far;
    warp_set here = at_barrier & s->live_warps;
    if (here == s->seen && !s->stale)
        return;
    s->seen = here;
    s->stale = false;
    s->allowed = 0;
    uint32_t room = s->limit;
    for (uint32_t i = 0; room && i < s->n_order; i++) {
        if (here & warp_bit(s->order[i]))
            continue;
        s->allowed |= warp_bit(s->order[i]);
        room--;
    }
}

/* Policies, indexed by the SCHEDULER_ values. */
static const struct sched_policy policies[] = {
    [SCHEDULER_GTO] = {pick_gto, NULL, true},
    [SCHEDULER_LRR] = {pick_round_robin, NULL, false},
    [SCHEDULER_TWO_LEVEL] = {pick_round_robin, update_two_level, false},
    [SCHEDULER_SWL] = {pick_gto, update_swl, true},
};

void sched_init(struct sched *s, const struct config *cfg, warp_set warps) {
    memset(s, 0, sizeof *s);
    s->policy = &policies[cfg->sm_scheduler];
    s->allowed = s->policy->update ? 0 : warps;
    s->limit = (uint32_t)cfg->sm_active_warps;
    s->last = SCHED_NONE;
}

bool sched_wants_far(const struct config *cfg) {
    return cfg->sm_scheduler == SCHEDULER_TWO_LEVEL;
}

void sched_add(struct sched *s, uint32_t w) {
    s->live_warps |= warp_bit(w);
    s->order[s->n_order++] = (uint8_t)w;
    s->stale = true;
    if (s->policy->update == update_two_level)
        s->pending[s->n_pending++] = (uint8_t)w;
}

void sched_remove(struct sched *s, uint32_t w) {
    s->live_warps &= ~warp_bit(w);
    list_remove(s->order, &s->n_order, list_find(s->order, s->n_order, w));
    s->stale = true;
    if (s->policy->greedy && s->last == w)
        s->last = SCHED_NONE;
    if (!s->policy->update)
        return;
    s->allowed &= ~warp_bit(w);
    uint32_t index = list_find(s->pending, s->n_pending, w);
    if (index < s->n_pending)
        list_remove(s->pending, &s->n_pending, index);
}
