// SPDX-License-Identifier: Apache-2.0
/* Moves instructions and accesses from the SM to the LSU, the stages and the L1D, and responses
 * back. */
#include "sm/inside.h"
#include "uvm/uvm.h"

/* ---- instructions go to the LSU ---- */

/* Returns the queue in which the accesses of warp slot w keep their order. */
static uint32_t queue_of(const struct sm *sm, uint32_t w) {
    for (const struct stage *s = sm->path.stage; s < sm->path.stage + sm->path.n; s++)
        if (s->type->queue_of)
            return s->type->queue_of(s->state, w);
    return 0;
}

/* noinline keeps lsu_push, which is inlined here, out of the per-cycle path (saves 1 % of a run's
 * instructions). */
__attribute__((noinline)) void sm_access_memory(struct sm *sm, uint32_t w, uint64_t cycle) {
    struct sm_warp *warp = &sm->warp[w];
    struct sm_kernel *kernel = &sm->kernel[warp->kernel];
    uint32_t queue = queue_of(sm, w);
    const struct lsu_from from = {
        .warp = w,
        .queue = queue,
        .cta = warp->cta,
        .kernel = warp->kernel,
        .group = warp->inst.async == ASYNC_COPY ? warp->group : 0,
        .name = kernel->launch->name,
        .place = &warp->place,
    };
    uint32_t accesses = lsu_push(&sm->lsu, &warp->inst, &from, cycle);
    if (!accesses)
        return; /* bad input ends the run */
    kernel->out += accesses;
    if (kernel->part)
        lsu_count(kernel->part, &warp->inst);
    if (limiter_on(&sm->limiter))
        limiter_issues(&sm->limiter, warp->kernel);
    if (sm->path.fences) {
        warp->queued += accesses;
        sm->path.queued |= warp_bit(w);
    }
    if (sm->lanes)
        lanes_issue(sm->lanes, &warp->inst,
                    coalescer_slot(&sm->lsu.coalescer, w, warp->cta, warp->place.warp), queue);
    if (sm->lanes && sm->collectors.steps && warp->inst.op == WARP_LOAD)
        lanes_let_pass(sm->lanes, sm->lsu.free_id[sm->lsu.n_free], queue);
    bool waits = lsu_needs_entry(&warp->inst);
    if (warp->inst.op == WARP_ATOMIC && sm->model.gpgpusim)
        sm_hold(sm, w, waits ? 1 : accesses);
    if (!waits) {
        sm->cta[warp->cta].stores += accesses;
        return;
    }
    regs_add(&warp->pending, &warp->inst.dst);
    if (sm->wants_far)
        regs_add(&warp->far, &warp->inst.dst);
}

/* ---- responses of the L1D ---- */

static void take_response(struct sm *sm, uint64_t cycle) {
    const uint32_t number = l1d_response(&sm->l1d);
    const struct request *r = request_at(&sm->context->pool, number);
    sm->kernel[r->origin.kernel].out--;
    const struct lsu_load *load = lsu_answer(&sm->lsu, number, cycle);
    if (sm->lanes && sm->context->fault == CONTEXT_OK)
        lanes_answer(sm->lanes, r->origin.load, r->line, mask_first(&r->mask));
    if (load) {
        if (sm->lanes)
            lanes_complete(sm->lanes, r->origin.load);
        if (sm->wants_far)
            regs_remove(&sm->warp[load->warp].far, &load->dst);
        if (load->atomic)
            sm_atomic_done(sm, load->warp);
        if (load->group)
            sm_copy_done(sm, load->warp, load->group);
        if (limiter_on(&sm->limiter))
            limiter_done(&sm->limiter, load->kernel);
        sm_release(sm, load->warp, &load->dst);
    }
    l1d_take_response(&sm->l1d);
    sm->context->progress++;
}

/* ---- accesses go to the L1D ---- */

static struct lanes_access lanes_access_of(const struct request *a) {
    return (struct lanes_access){
        .op = a->kind == REQUEST_LOAD    ? WARP_LOAD
              : a->kind == REQUEST_STORE ? WARP_STORE
                                         : WARP_ATOMIC,
        .local = a->local,
        .id = a->origin.load,
        .line = a->line,
        .mask = a->mask,
        .queue = a->sm.queue,
    };
}

/* Begins the LSU's next instruction in `cycle`, which is the cycle after the last access of a load
 * or store, or the cycle in which the passes of a shared-memory access end. */
static void begin_cycle(struct sm *sm, uint64_t cycle) {
    const bool steps = sm->collectors.steps;
    uint32_t older;
    if (!sm->model.collectors || !(steps || sm->lsu.entered) ||
        !collectors_begin(&sm->collectors, cycle, &older))
        return;
    lsu_bring(&sm->lsu, older);
    if (steps)
        lsu_enter(&sm->lsu, 1);
}

/* Returns the cycles from the unit, which accepts an exit two cycles after issue, to its end. */
static uint64_t exit_rest(const struct sm *sm) {
    return sm->model.exit_latency > 2 ? sm->model.exit_latency - 2 : 0;
}

void sm_collect_tick(struct sm *sm, uint64_t cycle) {
    bool has_moved, idle = !sm->lsu.entered;
    const uint32_t memory = collectors_tick(&sm->collectors, &sm->units, cycle, &has_moved);
    if (!sm->collectors.steps)
        lsu_enter(&sm->lsu, memory);
    for (uint32_t i = 0; i < sm->collectors.ended; i++)
        ring_push(&sm->exits,
                  ((struct sm_exit){cycle + exit_rest(sm), sm->collectors.ended_warp[i]}));
    if (idle)
        begin_cycle(sm, cycle);
    if (!has_moved)
        return;
    sm_wake_issue(sm);
    sm->context->progress++;
}

/* Removes the LSU's next access. The last access of an instruction frees the instruction's
 * queue entry. */
static void leave_lsu(struct sm *sm, uint64_t cycle) {
    const bool full = lsu_full(&sm->lsu);
    if (!lsu_leave(&sm->lsu))
        return;
    if (full)
        sm_wake_issue(sm);
    if (sm->collectors.steps)
        sm->collectors.next = 0; /* the next begins after the steps of the next cycle */
    else
        begin_cycle(sm, cycle + 1);
}

/* Schedules the end of a shared-memory access: an atomic frees its warp a cycle before its
 * registers are written. */
static void end_shared(struct sm *sm, const struct lsu_inst *q, uint64_t cycle) {
    static const struct reg_set none;
    const uint32_t w = q->head.origin.warp;
    if (q->atomic)
        units_write(&sm->units, WARP_SHARED, q->n, w, &none, cycle - 1)->atomic = true;
    if (!regs_none(&q->dst))
        units_write(&sm->units, WARP_SHARED, q->n, w, &q->dst, cycle);
}

/* Removes completed shared-memory accesses from the LSU. Registers are written as if the access had
 * issued when it reached the front. */
static void leave_shared(struct sm *sm, uint64_t cycle) {
    const struct lsu_inst *q;
    while ((q = lsu_take_shared(&sm->lsu, cycle))) {
        sm_wake_issue(sm);
        sm->context->progress++;
        begin_cycle(sm, cycle);
        end_shared(sm, q, cycle - q->n - 1);
    }
}

/* Records that an access of the warp slot has left the stage with the fence. */
static void pass_fence(struct sm *sm, uint32_t w) {
    if (--sm->warp[w].queued)
        return;
    sm->path.queued &= ~warp_bit(w);
    sm_wake_issue(sm);
}

/* Handles an access that has been accepted by stage n, or by the L1D if n is the number of stages.
 * Removes it from the stage or LSU that held it, and notifies the stages that it passed through. */
static inline void leave_stage(struct sm *sm, uint32_t n, const struct request *access,
                               uint64_t cycle) {
    while (n-- > 0) {
        const struct stage *s = &sm->path.stage[n];
        const bool through = s->type->take(s->state);
        if (s->fences)
            pass_fence(sm, access->origin.warp);
        if (!through)
            return;
    }
    leave_lsu(sm, cycle);
}

/* Records an access that a stage has parked. */
static void account_parked(struct sm *sm, const struct request *a) {
    if (a->sm.parked)
        return;
    sm->path.parked++;
    if (!sm->lanes)
        return;
    const struct lanes_access access = lanes_access_of(a);
    lanes_park(sm->lanes, &access);
}

/* Records an access that has entered the L1D. */
static void account_entered(struct sm *sm, const struct request *a) {
    sm->path.parked -= a->sm.parked;
    if (!sm->lanes)
        return;
    const struct lanes_access access = lanes_access_of(a);
    if (a->sm.parked)
        lanes_unpark(sm->lanes, &access);
    else
        lanes_enter(sm->lanes, &access);
    if (sm->context->uvm)
        uvm_see(sm->context->uvm, a->line);
}

/* Offers access `from` to stage n. Returns the access that stage n offers, or NULL. */
static const struct request *pass_access(struct sm *sm, uint32_t n, const struct request *from,
                                         uint64_t cycle) {
    const struct stage *s = &sm->path.stage[n];
    bool took;
    const struct request *offer = s->type->offer(s->state, from, cycle, &took);
    if (took && s->type->parks)
        account_parked(sm, from);
    if (took && s->type->enters)
        account_entered(sm, from);
    if (took)
        leave_stage(sm, n, from, cycle);
    return offer;
}

bool sm_next_request(const void *source, struct request *next) {
    const struct sm *sm = source;
    struct request behind;
    const struct request *head[2] = {lsu_offer(&sm->lsu),
                                     lsu_behind(&sm->lsu, &behind) ? &behind : NULL};
    for (const struct stage *s = sm->path.stage; s < sm->path.stage + sm->path.n; s++) {
        const struct request *after = s->type->peek(s->state, 1, head);
        head[0] = s->type->peek(s->state, 0, head);
        head[1] = after;
    }
    if (head[1])
        *next = *head[1];
    return head[1];
}

/* Processes the stores that the L1D has completed. */
static void take_stores(struct sm *sm) {
    struct request_pool *pool = &sm->context->pool;
    for (uint32_t i = 0; i < sm->l1d.n_done; i++) {
        const uint32_t number = sm->l1d.done[i];
        sm_store_done(sm, request_at(pool, number));
        request_give(pool, number);
    }
}

/* Reports to the kernel's limiter whether the L1D accepted or refused the request in this cycle. */
static void tell_limiter(struct sm *sm, const struct request *r, bool accepted, bool refused) {
    if (accepted)
        limiter_note_accept(&sm->limiter, r->origin.kernel);
    else if (refused && l1d_failed(&sm->l1d))
        limiter_note_refusal(&sm->limiter, r->origin.kernel);
    if (accepted && r->sm.last && !request_answered(r))
        limiter_done(&sm->limiter, r->origin.kernel);
}

static inline bool tick_l1d(struct sm *sm, const struct request *r, uint64_t cycle) {
    const uint64_t refused = sm->l1d.cache.refusals.counted;
    const bool accepted = l1d_tick(&sm->l1d, r, cycle);
    if (sm->n_kernels > 1 && r && limiter_on(&sm->limiter))
        tell_limiter(sm, r, accepted, sm->l1d.cache.refusals.counted != refused);
    if (sm->l1d.n_done)
        take_stores(sm);
    return accepted;
}

#ifdef MEMTWIN_CHECKED
/* Checks that the L1D's tick, which is skipped in a cycle without an access, would move nothing. */
static void check_l1d(struct sm *sm, uint64_t cycle) {
    struct l1d *l1 = &sm->l1d;
    const uint64_t progress = sm->context->progress;
    const uint32_t hits = l1->hits.count, responses = l1->responses.count;
    l1d_tick(l1, NULL, cycle);
    if (l1->cache.banks > 1)
        l1d_tick_end(l1, NULL, cycle);
    if (sm->context->progress != progress || l1->hits.count != hits ||
        l1->responses.count != responses)
        context_fail(sm->context, CONTEXT_INTERNAL,
                     "SM %u, cycle %llu: progress in its L1D in a cycle that was to be skipped",
                     (unsigned)sm->id, (unsigned long long)cycle);
}
#else
static inline void check_l1d(const struct sm *sm, uint64_t cycle) {
    (void)sm, (void)cycle;
}
#endif

/* Offers further accesses of a cycle to the pipeline of an L1D with banks, if no stage precedes
 * it. */
static void enter_more(struct sm *sm, uint64_t cycle) {
    const bool banks = sm->l1d.cache.banks > 1 && sm->path.n == 1;
    const struct request *next;
    while (banks && (next = lsu_offer(&sm->lsu)) != NULL &&
           l1d_pipe_enter_more(&sm->pipe, next, cycle)) {
        account_entered(sm, next);
        leave_stage(sm, 0, next, cycle);
    }
}

/* Removes an access that the L1D has accepted from its stages. */
static void leave_l1d(struct sm *sm, const struct request *access, uint64_t cycle) {
    lsu_taken(&sm->lsu, access, cycle);
    leave_stage(sm, sm->path.n, access, cycle);
}

/* Offers the oldest accesses of the pipeline's banks, from `bank` on, to the L1D. The accesses
 * before them have been offered. */
static void offer_banks(struct sm *sm, uint32_t bank, uint64_t cycle) {
    struct l1d_pipe *p = &sm->pipe;
    while ((bank = l1d_pipe_ready_bank(p, bank, cycle)) < p->banks) {
        const struct request *r = l1d_pipe_oldest(p, bank, cycle);
        if (l1d_tick_more(&sm->l1d, r, l1d_pipe_behind(p, bank), cycle)) {
            take_stores(sm);
            lsu_taken(&sm->lsu, r, cycle);
            l1d_pipe_drop(p, bank);
        }
        bank++;
    }
}

static void offer_access(struct sm *sm, uint64_t cycle) {
    const struct request *access = lsu_offer(&sm->lsu);
    for (uint32_t n = 0; n < sm->path.n; n++)
        access = pass_access(sm, n, access, cycle);
    enter_more(sm, cycle);
    if (!access) {
        sm->l1d.flush = sm_drained(sm);
        if (l1d_next_event(&sm->l1d, NULL, cycle) > cycle) {
            check_l1d(sm, cycle);
            return;
        }
    }
    const bool accepted = tick_l1d(sm, access, cycle), piped = access && access->sm.piped;
    if (accepted && !piped)
        account_entered(sm, access);
    if (accepted)
        leave_l1d(sm, access, cycle);
    if (sm->l1d.cache.banks == 1)
        return;
    offer_banks(sm, piped ? sm->pipe.at + 1 : 0, cycle); /* what passes occupies no bank */
    l1d_tick_end(&sm->l1d, access, cycle);
    take_stores(sm);
}

void sm_take_responses(struct sm *sm, uint64_t cycle) {
    for (uint32_t n = sm->l1d_responses; n && sm->l1d.responses.count; n--)
        take_response(sm, cycle);
}

void sm_memory_tick(struct sm *sm, uint64_t cycle) {
    if (icache_on(&sm->icache) && icache_tick(&sm->icache))
        sm_wake_issue(sm);
    if (!sm->collectors.steps)
        sm_take_responses(sm, cycle);
    while (lsu_next_entry(&sm->lsu) <= cycle)
        lsu_enter(&sm->lsu, 1);
    if (sm->model.gpgpusim)
        leave_shared(sm, cycle);
    offer_access(sm, cycle);
}

/* ---- skipping ---- */

uint64_t sm_memory_next_event(const struct sm *sm, uint64_t cycle) {
    const struct request *head[2] = {lsu_offer(&sm->lsu), NULL};
    uint64_t next = sm->model.gpgpusim ? lsu_next_event(&sm->lsu, cycle) : UINT64_MAX;
    next = sm_sooner(next, lsu_next_entry(&sm->lsu));
    for (const struct stage *s = sm->path.stage; s < sm->path.stage + sm->path.n; s++) {
        next = sm_sooner(next, s->type->next_event(s->state, head[0], cycle));
        if (next <= cycle)
            return cycle;
        head[0] = s->type->peek(s->state, 0, head);
    }
    return sm_sooner(next, l1d_next_event(&sm->l1d, head[0], cycle));
}

void sm_memory_advance(struct sm *sm, uint64_t cycles) {
    const struct request *head[2] = {lsu_offer(&sm->lsu), NULL};
    for (const struct stage *s = sm->path.stage; s < sm->path.stage + sm->path.n; s++) {
        s->type->advance(s->state, head[0], cycles);
        head[0] = s->type->peek(s->state, 0, head);
    }
    l1d_advance(&sm->l1d, head[0], cycles);
    if (head[0] && limiter_on(&sm->limiter) && sm->l1d.cache.refusals.standing &&
        l1d_failed(&sm->l1d))
        limiter_pass(&sm->limiter, head[0]->origin.kernel, cycles);
}
