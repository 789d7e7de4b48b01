// SPDX-License-Identifier: Apache-2.0
#include "l1d/plan.h"

#include <assert.h>

/* Where an access meets the cache. */
struct place {
    uint32_t set, way, head;
};

static struct plan refuse(enum stat_id reason) {
    return (struct plan){PLAN_REFUSE, reason, WAY_NONE, HEAD_NONE, false, false, 0};
}

static struct plan take(enum plan_kind kind, const struct place *at) {
    return (struct plan){kind, 0, at->way, at->head, false, false, at->set};
}

static struct plan refuse_queue(bool past) {
    return refuse(past ? STAT_l1d_rf_bypass_queue : STAT_l1d_rf_miss_queue);
}

static bool room_for(const struct fifo *q, uint32_t packets) {
    return q->capacity - q->count >= packets;
}

/* ---- policies ---- */

/* Loads that go past the L1D unless they hit. The place for decisions by access. */
static bool passes(const struct l1d *l1, const struct l1d_access *a) {
    return plan_past(l1, a) || (l1->bypass == BYPASS_GLOBAL && !a->local);
}

/* A load miss that needs a way goes past the L1D: every way is protected, or waits for its line. */
static bool barred(const struct l1d *l1, uint32_t set) {
    return l1->bypass == BYPASS_PDP && protect_victim(&l1->protect, &l1->lines, set) == WAY_NONE;
}

bool plan_passes_stall(const struct l1d *l1, const struct l1d_access *a, uint32_t way,
                       enum stat_id reason) {
    bool wanted =
        l1->bypass == BYPASS_STALL || (l1->bypass == BYPASS_LINE && reason == STAT_l1d_rf_line);
    return wanted && l1->direct.value < l1->bypass_slots && !fifo_full(&l1->miss_queue) &&
           (way == WAY_NONE || !mask_meet(&l1->lines.dirty[way], &a->mask));
}

/* ---- where ---- */

/* With allocation on a miss, a way says of itself that something is on its way. */
static uint32_t find_head(const struct l1d *l1, const struct l1d_access *a, uint32_t way) {
    if (!l1->inflight.used)
        return HEAD_NONE;
    if (!l1->allocate_on_fill && (way == WAY_NONE || !l1->lines.pending[way]))
        return HEAD_NONE;
    return granules_find(&l1->inflight, plan_granule(l1, a));
}

/* Planted fault: the set beside. */
static uint32_t set_of(const struct l1d *l1, uint64_t line) {
    const uint32_t set = addr_set(l1->set_index, line, l1->lines.sets);
    if (!context_plant_stuck(l1->context, PLANT_WRONG_SET) || l1->lines.sets == 1)
        return set;
    l1->context->planted = true;
    return set ? set - 1 : 1;
}

static struct place find(const struct l1d *l1, const struct l1d_access *a) {
    struct place at;
    at.set = set_of(l1, a->line);
    at.way = lines_find(&l1->lines, at.set, a->line);
    at.head = find_head(l1, a, at.way);
    return at;
}

/* ---- decisions ---- */

/* The dirty bytes of the line have to leave before the access. Not while a fetch of it is on its
 * way, which left before them and would bring back what they replace. */
/* past: the access does not use the L1D. */
static struct plan plan_write_back(const struct l1d *l1, const struct place *at, bool past) {
    if (l1->lines.pending[at->way])
        return refuse(STAT_l1d_rf_order);
    if (fifo_full(&l1->miss_queue))
        return refuse_queue(past);
    return take(PLAN_WRITE_BACK, at);
}

static struct plan plan_direct(const struct l1d *l1, const struct l1d_access *a,
                               const struct place *at) {
    const struct lines *t = &l1->lines;
    if (at->way != WAY_NONE && mask_meet(&t->dirty[at->way], &a->mask)) {
        if (mask_within(&a->mask, &t->dirty[at->way]))
            return take(PLAN_HIT, at); /* nobody has newer bytes */
        return plan_write_back(l1, at, true);
    }
    if (l1->direct.value >= l1->bypass_slots)
        return refuse(STAT_l1d_rf_bypass);
    if (fifo_full(&l1->miss_queue))
        return refuse_queue(true);
    return take(PLAN_DIRECT, at);
}

/* A way for the line. sent: packets that the access itself sends. */
static struct plan plan_claim(const struct l1d *l1, const struct l1d_access *a,
                              const struct place *at, enum plan_kind kind, uint32_t sent) {
    struct plan plan = take(kind, at);
    plan.way = plan_victim(l1, at->set, a->kernel);
    plan.claim = true;
    if (plan.way == WAY_NONE)
        return refuse(STAT_l1d_rf_line);
    if (!room_for(&l1->miss_queue, sent + lines_dirty(&l1->lines, plan.way)))
        return refuse(STAT_l1d_rf_miss_queue);
    return plan;
}

static struct plan plan_miss(const struct l1d *l1, const struct l1d_access *a,
                             const struct place *at) {
    if (at->way == WAY_NONE && !l1->allocate_on_fill)
        return barred(l1, at->set) ? plan_direct(l1, a, at)
                                   : plan_claim(l1, a, at, PLAN_PRIMARY, 1);
    return fifo_full(&l1->miss_queue) ? refuse(STAT_l1d_rf_miss_queue) : take(PLAN_PRIMARY, at);
}

/* Loads that are to go past use the L1D now. Marked ones may not. */
static bool turns_back(const struct l1d *l1, const struct l1d_access *a) {
    return l1->direct.value >= l1->bypass_slots && l1->bypass_full == BYPASS_FULL_L1D && !a->skip;
}

static struct plan plan_load(const struct l1d *l1, const struct l1d_access *a,
                             const struct place *at) {
    bool past = plan_past(l1, a), back = turns_back(l1, a);
    if (at->way != WAY_NONE && (!past || back) && lines_hold(&l1->lines, at->way, &a->mask)) {
        struct plan hit = take(PLAN_HIT, at);
        hit.turned = past;
        return hit;
    }
    bool known = at->head != HEAD_NONE, poisoned = known && l1->head[at->head].poisoned;
    bool direct = passes(l1, a) && (past || !known || poisoned);
    if (direct && !back)
        return plan_direct(l1, a, at);
    struct plan plan = poisoned ? refuse(STAT_l1d_rf_order)
                       : known  ? take(PLAN_SECONDARY, at)
                                : plan_miss(l1, a, at);
    plan.turned = direct;
    if (plan.kind == PLAN_REFUSE && plan_passes_stall(l1, a, at->way, plan.reason))
        return take(PLAN_DIRECT, at);
    return plan;
}

/* Loads that wait for the granule are older than the store: they must not see it. */
static struct plan plan_store_here(const struct l1d *l1, const struct l1d_access *a,
                                   const struct place *at) {
    if (at->head != HEAD_NONE && mask_meet(&l1->head[at->head].wanted, &a->mask))
        return refuse(STAT_l1d_rf_order);
    return at->way == WAY_NONE ? plan_claim(l1, a, at, PLAN_STORE_HERE, 0)
                               : take(PLAN_STORE_HERE, at);
}

/* A store that is written through, or an atomic. */
static struct plan plan_through(const struct l1d *l1, const struct place *at, enum plan_kind kind) {
    if (at->way != WAY_NONE && lines_dirty(&l1->lines, at->way))
        return plan_write_back(l1, at, l1->mdb.past);
    return fifo_full(&l1->miss_queue) ? refuse_queue(l1->mdb.past) : take(kind, at);
}

static struct plan plan_without(const struct l1d *l1, const struct l1d_access *a) {
    static const struct place nowhere = {0, WAY_NONE, HEAD_NONE};
    if (fifo_full(&l1->miss_queue))
        return refuse(STAT_l1d_rf_miss_queue);
    return take(a->kind == REQUEST_LOAD     ? PLAN_DIRECT
                : a->kind == REQUEST_ATOMIC ? PLAN_ATOMIC
                                            : PLAN_STORE,
                &nowhere);
}

struct plan plan_access(const struct l1d *l1, const struct l1d_access *a) {
    if (!a)
        return (struct plan){PLAN_NONE, 0, WAY_NONE, HEAD_NONE, false, false, 0};
    if (!l1->enabled)
        return plan_without(l1, a);
    assert(!l1->sectored || mask_sectors(&a->mask) == 1);
    const struct place at = find(l1, a);
    if (a->kind == REQUEST_LOAD)
        return plan_load(l1, a, &at);
    if (a->kind == REQUEST_ATOMIC)
        return plan_through(l1, &at, PLAN_ATOMIC);
    return plan_keeps(l1, a) ? plan_store_here(l1, a, &at) : plan_through(l1, &at, PLAN_STORE);
}
