/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the L1D share. cycle.c calls plan.c, act.c and reply.c, reply.c calls act.c. */
#ifndef MEMTWIN_L1D_INSIDE_H
#define MEMTWIN_L1D_INSIDE_H

#include <assert.h>
#include <string.h>

#include "l1d/l1d.h"
#include "l1d/plan.h"
#include "lib/wrap.h"

/* ---- queues of responses ---- */

static inline bool l1d_rsp_full(const struct l1d_rsp_queue *q) {
    return q->count == q->capacity;
}

static inline struct l1d_rsp *l1d_rsp_add(struct l1d *l1, struct l1d_rsp_queue *q, uint32_t id,
                                          uint64_t line, unsigned offset, const uint8_t *data) {
    struct l1d_rsp *r = &q->slot[wrap(q->head + q->count++, q->capacity)];
    r->id = id;
    r->line = line;
    r->offset = (uint16_t)offset;
    r->version = 0;
    if (l1->context->carry)
        memcpy(r->data, data, LINE_BYTES);
    l1->context->progress++;
    return r;
}

/* ---- where loads have been ---- */

static inline uint32_t l1d_waiter_add(struct l1d *l1, uint64_t taken) {
    struct l1d_waiters *w = &l1->waiters;
    uint32_t i = w->free;
    if (i != WAITER_NONE) {
        w->free = w->waiter[i].next;
    } else if (w->fresh < w->capacity) {
        i = w->fresh++;
    } else { /* a twin that drives has taken more than it has room for */
        context_fail(l1->context, CONTEXT_BROKEN, "SM %u: the L1D MSHR takes more than %u loads",
                     (unsigned)l1->sm, (unsigned)w->capacity);
        i = 0; /* the run ends */
    }
    w->waiter[i] = (struct l1d_waiter){taken, WAITER_NONE};
    return i;
}

/* SM cycles of from .. to in which a load has waited since then. */
static inline uint32_t l1d_overlap(uint64_t from, uint64_t to, uint64_t since) {
    from = from > since ? from : since;
    return to > from ? (uint32_t)(to - from) : 0;
}

/* Of a load that was taken in that cycle and got what came back in cycle `back`. A load that joined
 * a fetch on its way has been only where the fetch was after that. */
static inline struct l1d_stay l1d_stay_of(const struct request_times *t, uint64_t taken,
                                          uint64_t back) {
    struct l1d_stay stay = {.taken = taken};
    stay.icnt = l1d_overlap(t->to_icnt, t->to_l2, taken) + l1d_overlap(t->to_reply, back, taken);
    stay.dram = l1d_overlap(t->to_dram, t->from_dram, taken);
    uint32_t behind = l1d_overlap(t->to_l2, t->to_reply, taken);
    assert(stay.dram <= behind);
    stay.l2 = behind - stay.dram;
    return stay;
}

/* ---- what is done ---- */

static inline uint16_t l1d_whose(const struct l1d_access *a) {
    return (uint16_t)(a->warp << 8 | a->kernel << 6 | a->cta);
}

static inline void l1d_done(struct l1d *l1, uint16_t whose, bool atomic) {
    l1->done[l1->n_done++] = (struct l1d_done){.cta = whose & 63,
                                               .warp = (uint8_t)(whose >> 8),
                                               .kernel = whose >> 6 & 3,
                                               .atomic = atomic};
}

/* ---- act.c ---- */

/* The way is for that line of the kernel now. The dirty bytes of the one before leave. */
void l1d_claim(struct l1d *l1, uint32_t way, uint64_t line, uint32_t kernel);
/* Nothing is left to run: one dirty line in a cycle, in the order of the ways. */
void l1d_flush_line(struct l1d *l1);
/* The MSHR's inputs for the access. */
void l1d_present_request(struct l1d *l1, const struct l1d_access *a, const struct plan *plan);
/* What becomes of the access, when the MSHR has answered. Returns true if it is taken. */
bool l1d_judge(struct l1d *l1, const struct l1d_access *a, const struct plan *plan, uint64_t cycle);

/* A way without any byte, and with nothing on its way, is free. */
static inline void l1d_drop_if_empty(struct lines *t, uint32_t way) {
    if (mask_none(&t->valid[way]) && !t->pending[way])
        lines_drop(t, way);
}

/* ---- reply.c ---- */

/* The MSHR's inputs for the reply at the crossbar (REQUEST_NONE: there is none). */
void l1d_present_return(struct l1d *l1, uint32_t reply);
/* The reply is taken if it can be. returned: it was presented to the MSHR. */
void l1d_take_reply(struct l1d *l1, uint32_t reply, bool returned);

#endif
