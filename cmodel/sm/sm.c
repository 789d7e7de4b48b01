#include "sm/sm.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "lib/bits.h"
#include "sm/occupancy.h"

#define STATE_ALIGN 64

/* ---- making and ending ---- */

static int init_check(struct sm *sm, const struct config *cfg) {
    if (!sm->context->check)
        return 0;
    sm->lanes = lanes_create(sm->context->check, cfg, sm->id);
    return sm->lanes ? 0 : -1;
}

static int init_parts(struct sm *sm, const struct config *cfg, char *err, size_t err_size) {
    sm->warp = calloc((size_t)cfg->sm_warps, sizeof *sm->warp);
    if (!sm->warp || units_init(&sm->units, cfg) != 0 ||
        lsu_init(&sm->lsu, cfg, sm->context, sm->id) != 0 ||
        mrpb_init(&sm->mrpb, cfg, sm->context, &sm->stats) != 0 || init_check(sm, cfg) != 0) {
        snprintf(err, err_size, "out of memory for SM %u", (unsigned)sm->id);
        return -1;
    }
    sm->lsu.stats = &sm->stats;
    if (l1d_init(&sm->l1d, cfg, sm->context, sm->id, err, err_size) != 0)
        return -1;
    sm->l1d.stats = &sm->stats;
    return 0;
}

static void add_stage(struct sm *sm, struct stage stage) {
    assert(sm->n_stages < SM_MAX_STAGES);
    assert(!(sm->fences && stage.fences) && !(sm->input && stage.input));
    sm->stage[sm->n_stages++] = stage;
    if (stage.input)
        sm->input = stage.input;
    if (stage.fences) {
        sm->fences = true;
        sm->fence = stage.fence;
    }
}

int sm_init(struct sm *sm, const struct config *cfg, struct context *context, uint32_t id,
            char *err, size_t err_size) {
    memset(sm, 0, sizeof *sm);
    sm->context = context;
    sm->cfg = cfg;
    sm->id = id;
    sm->n_schedulers = (uint32_t)cfg->sm_schedulers;
    sm->wants_far = sched_wants_far(cfg);
    for (uint32_t i = 0; i < sm->n_schedulers; i++) {
        warp_set warps = 0;
        for (uint32_t w = i; w < (uint32_t)cfg->sm_warps; w += sm->n_schedulers)
            warps |= warp_bit(w);
        sched_init(&sm->scheduler[i], cfg, warps);
    }
    if (init_parts(sm, cfg, err, err_size) != 0)
        return -1;
    if (mrpb_on(&sm->mrpb))
        add_stage(sm, mrpb_stage(&sm->mrpb));
    return 0;
}

int sm_attach_mmu(struct sm *sm, struct uvm *uvm, struct mmu_port *port, char *err,
                  size_t err_size) {
    if (tlb_init(&sm->tlb, sm->cfg, sm->context, uvm, port, sm->id, &sm->stats) != 0) {
        snprintf(err, err_size, "out of memory for the TLB of SM %u", (unsigned)sm->id);
        return -1;
    }
    add_stage(sm, tlb_stage(&sm->tlb));
    return 0;
}

void sm_free(struct sm *sm) {
    free(sm->warp);
    free(sm->warp_state);
    free(sm->cta_state);
    units_free(&sm->units);
    lsu_free(&sm->lsu);
    mrpb_free(&sm->mrpb);
    tlb_free(&sm->tlb);
    lanes_destroy(sm->lanes);
    l1d_free(&sm->l1d);
}

/* ---- launches and CTAs ---- */

static size_t aligned(size_t size) {
    return (size + STATE_ALIGN - 1) / STATE_ALIGN * STATE_ALIGN;
}

static int make_room(uint8_t **state, size_t *room, size_t need) {
    if (need <= *room)
        return 0;
    free(*state);
    *room = 0;
    *state = aligned_alloc(STATE_ALIGN, need);
    if (!*state)
        return -1;
    *room = need;
    return 0;
}

int sm_launch(struct sm *sm, const struct kernel_launch *launch, char *err, size_t err_size) {
    struct occupancy fit;
    if (occupancy_of(sm->cfg, launch, &fit, err, err_size) != 0)
        return -1;
    sm->launch = launch;
    sm->warps_per_cta = fit.warps;
    sm->fit_ctas = fit.ctas;
    sm->warp_state_size = aligned(launch->warp_state_size);
    sm->cta_state_size = aligned(launch->cta_state_size);
    if (make_room(&sm->warp_state, &sm->warp_state_room,
                  (size_t)sm->cfg->sm_warps * sm->warp_state_size) != 0 ||
        make_room(&sm->cta_state, &sm->cta_state_room,
                  (size_t)sm->cfg->sm_ctas * sm->cta_state_size) != 0) {
        snprintf(err, err_size, "kernel %s: out of memory for the state of its warps",
                 launch->name);
        return -1;
    }
    const struct mdb_users users = mdb_users_of(sm->cfg, launch, fit.ctas, fit.warps);
    mdb_launch(&sm->l1d.mdb, &users);
    return 0;
}

static uint8_t *warp_state(const struct sm *sm, uint32_t w) {
    return sm->warp_state_size ? sm->warp_state + w * sm->warp_state_size : NULL;
}

static uint8_t *cta_state(const struct sm *sm, uint32_t c) {
    return sm->cta_state_size ? sm->cta_state + c * sm->cta_state_size : NULL;
}

static struct sched *scheduler_of(struct sm *sm, uint32_t w) {
    return &sm->scheduler[w % sm->n_schedulers];
}

static bool waits_for(const struct warp_inst *inst, const struct reg_set *regs) {
    if (inst->op == WARP_EXIT)
        return !regs_none(regs);
    return regs_overlap(regs, &inst->src) || regs_overlap(regs, &inst->dst);
}

static void set_bit(warp_set *set, uint32_t w, bool on) {
    *set = (*set & ~warp_bit(w)) | (warp_set)on << w;
}

/* Whether the next instruction of the warp may issue, as far as the warp itself goes. */
static void judge_ready(struct sm *sm, uint32_t w) {
    const struct sm_warp *warp = &sm->warp[w];
    bool waits = waits_for(&warp->inst, &warp->pending);
    set_bit(&sm->ready, w, !waits && !(sm->at_barrier & warp_bit(w)));
    if (sm->wants_far)
        set_bit(&sm->far, w, waits && waits_for(&warp->inst, &warp->far));
}

/* What the instruction in the buffer needs. */
static void note_wants(struct sm *sm, uint32_t w) {
    struct sm_warp *warp = &sm->warp[w];
    sm->wants[warp->op] &= ~warp_bit(w);
    warp->op = warp->inst.op;
    sm->wants[warp->op] |= warp_bit(w);
    set_bit(&sm->wants_entry, w, lsu_needs_entry(&warp->inst));
}

static void check_passes(struct sm *sm, const struct sm_warp *warp) {
    const uint32_t *cta = warp->place.cta;
    if (warp->inst.passes == 0 || warp->inst.passes > UNITS_MAX_PASSES)
        context_fail(sm->context, CONTEXT_BAD_INPUT,
                     "kernel %.40s, CTA (%u,%u,%u), warp %u: a shared-memory access of %u passes",
                     sm->launch->name, (unsigned)cta[0], (unsigned)cta[1], (unsigned)cta[2],
                     (unsigned)warp->place.warp, (unsigned)warp->inst.passes);
}

/* Fills the instruction buffer. */
static void refill(struct sm *sm, uint32_t w) {
    struct sm_warp *warp = &sm->warp[w];
    sm->launch->step(sm->launch->ctx, &warp->place, cta_state(sm, warp->cta), warp_state(sm, w),
                     &warp->inst);
    warp->left = warp->inst.repeat ? warp->inst.repeat : 1;
    warp->lanes = bits_count(warp->inst.mask);
    if (warp->inst.op == WARP_SHARED)
        check_passes(sm, warp);
    note_wants(sm, w);
    judge_ready(sm, w);
}

static void start_warp(struct sm *sm, uint32_t w, uint32_t c, const struct warp_place *place) {
    struct sm_warp *warp = &sm->warp[w];
    warp->pending = warp->far = (struct reg_set){{0}};
    warp->cta = c;
    warp->place = *place;
    if (sm->launch->warp_state_size)
        memset(warp_state(sm, w), 0, sm->launch->warp_state_size);
    memset(&warp->inst, 0, sizeof warp->inst);
    sm->live |= warp_bit(w);
    sm->cta[c].warps |= warp_bit(w);
    sched_add(scheduler_of(sm, w), w);
}

static struct warp_place place_of(const struct kernel_launch *l, uint64_t cta, uint32_t warp) {
    uint64_t threads = (uint64_t)l->block[0] * l->block[1] * l->block[2];
    struct warp_place p = {
        .cta = {(uint32_t)(cta % l->grid[0]), (uint32_t)(cta / l->grid[0] % l->grid[1]),
                (uint32_t)(cta / l->grid[0] / l->grid[1])},
        .warp = warp,
        .threads = threads - (uint64_t)warp * WARP_LANES < WARP_LANES
                       ? (uint32_t)(threads - (uint64_t)warp * WARP_LANES)
                       : WARP_LANES,
    };
    return p;
}

static void update_schedulers(struct sm *sm) {
    if (!sm->scheduler[0].policy->update)
        return; /* all have one policy */
    for (uint32_t i = 0; i < sm->n_schedulers; i++)
        sched_update(&sm->scheduler[i], sm->at_barrier, sm->far);
}

void sm_dispatch(struct sm *sm, uint64_t cta) {
    uint32_t c = 0;
    while (sm->cta[c].live)
        c++;
    sm->cta[c] = (struct sm_cta){0, 0, true};
    sm->live_ctas++;
    if (sm->launch->cta_state_size)
        memset(cta_state(sm, c), 0, sm->launch->cta_state_size);
    for (uint32_t i = 0; i < sm->warps_per_cta; i++) {
        struct warp_place place = place_of(sm->launch, cta, i);
        start_warp(sm, warp_first(~sm->live), c, &place);
    }
    for (warp_set left = sm->cta[c].warps; left; left &= left - 1)
        refill(sm, warp_first(left));
    update_schedulers(sm);
    sm->settled = 0;
    sm->context->progress++;
}

static void end_cta(struct sm *sm, uint32_t c) {
    sm->cta[c].live = false;
    sm->live_ctas--;
    sm->context->ctas_ended++;
    stat_add(&sm->stats, STAT_ctas, 1);
}

/* All live warps of the CTA have arrived: they go on. */
static void try_release(struct sm *sm, uint32_t c) {
    struct sm_cta *cta = &sm->cta[c];
    if (!cta->arrived || cta->arrived != cta->warps)
        return;
    warp_set go = cta->arrived;
    cta->arrived = 0;
    sm->at_barrier &= ~go;
    for (warp_set left = go; left; left &= left - 1)
        refill(sm, warp_first(left));
}

static void arrive(struct sm *sm, uint32_t w) {
    uint32_t c = sm->warp[w].cta;
    sm->at_barrier |= warp_bit(w);
    sm->ready &= ~warp_bit(w);
    sm->cta[c].arrived |= warp_bit(w);
    try_release(sm, c);
}

static void exit_warp(struct sm *sm, uint32_t w) {
    uint32_t c = sm->warp[w].cta;
    sm->live &= ~warp_bit(w);
    sm->ready &= ~warp_bit(w);
    sm->far &= ~warp_bit(w);
    sm->cta[c].warps &= ~warp_bit(w);
    sm->wants[WARP_EXIT] &= ~warp_bit(w);
    sched_remove(scheduler_of(sm, w), w);
    if (!sm->cta[c].warps)
        end_cta(sm, c);
    else
        try_release(sm, c);
}

/* ---- results ---- */

static void release(struct sm *sm, uint32_t w, const struct reg_set *regs) {
    sm->settled = 0;
    regs_remove(&sm->warp[w].pending, regs);
    if (sm->live & ~sm->ready & warp_bit(w))
        judge_ready(sm, w);
}

static void take_response(struct sm *sm, const struct l1d_rsp *rsp, uint64_t cycle) {
    const struct lsu_load *load = lsu_answer(&sm->lsu, rsp, cycle);
    if (sm->lanes && sm->context->fault == CONTEXT_OK)
        lanes_answer(sm->lanes, rsp->id, rsp->line, rsp->offset);
    if (load) {
        if (sm->lanes)
            lanes_complete(sm->lanes, rsp->id);
        if (sm->wants_far)
            regs_remove(&sm->warp[load->warp].far, &load->dst);
        release(sm, load->warp, &load->dst);
    }
    l1d_rsp_pop(&sm->l1d);
    sm->context->progress++;
}

static void write_back(struct sm *sm, uint64_t cycle) {
    while (sm->units.next <= cycle) {
        const struct unit_result *r = units_take(&sm->units, cycle);
        release(sm, r->warp, &r->regs);
    }
    const struct l1d_rsp *rsp = l1d_rsp_peek(&sm->l1d);
    if (rsp)
        take_response(sm, rsp, cycle);
}

static struct lanes_access lanes_access_of(const struct l1d_access *a) {
    return (struct lanes_access){
        .op = a->kind == PACKET_LOAD    ? WARP_LOAD
              : a->kind == PACKET_STORE ? WARP_STORE
                                        : WARP_ATOMIC,
        .local = a->local,
        .id = a->id,
        .line = a->line,
        .mask = a->mask,
        .queue = a->queue,
    };
}

/* The LSU's next access goes on. */
static void leave_lsu(struct sm *sm) {
    bool full = lsu_full(&sm->lsu);
    lsu_leave(&sm->lsu);
    if (full)
        sm->settled = 0;
}

/* An access of the slot has left the stage that fences. */
static void pass_fence(struct sm *sm, uint32_t w) {
    if (--sm->warp[w].queued)
        return;
    sm->queued &= ~warp_bit(w);
    sm->settled = 0;
}

/* The access leaves the stages before stage n that let it through, and the one that held it if
 * there is one. Returns true if there is none: it leaves the LSU too. */
static bool leave_stages(struct sm *sm, uint32_t n, const struct l1d_access *access) {
    while (n-- > 0) {
        const struct stage *s = &sm->stage[n];
        bool through = s->type->taken(s->state);
        if (s->fences)
            pass_fence(sm, access->warp);
        if (!through)
            return false;
    }
    return true;
}

/* The access leaves where it is offered from, to stage n or to the L1D. */
static inline void leave(struct sm *sm, uint32_t n, const struct l1d_access *access) {
    if (!n || leave_stages(sm, n, access))
        leave_lsu(sm);
}

static void account_parked(struct sm *sm, const struct l1d_access *a) {
    if (a->parked)
        return;
    sm->parked++;
    const struct lanes_access access = lanes_access_of(a);
    if (sm->lanes)
        lanes_park(sm->lanes, &access);
}

/* The L1D has taken it. */
static void account_taken(struct sm *sm, const struct l1d_access *a) {
    sm->parked -= a->parked;
    if (!sm->lanes)
        return;
    const struct lanes_access access = lanes_access_of(a);
    if (a->parked)
        lanes_unpark(sm->lanes, &access);
    else
        lanes_enter(sm->lanes, &access);
    if (sm->context->uvm)
        uvm_see(sm->context->uvm, a->line);
}

/* What stage n makes of the access that it is offered. */
static const struct l1d_access *pass(struct sm *sm, uint32_t n, const struct l1d_access *from,
                                     uint64_t cycle) {
    const struct stage *s = &sm->stage[n];
    bool took;
    const struct l1d_access *offer = s->type->offer(s->state, from, cycle, &took);
    if (took && s->type->parks)
        account_parked(sm, from);
    if (took)
        leave(sm, n, from);
    return offer;
}

static void access_l1d(struct sm *sm, uint64_t cycle) {
    const struct l1d_access *access = lsu_offer(&sm->lsu);
    for (uint32_t n = 0; n < sm->n_stages; n++)
        access = pass(sm, n, access, cycle);
    if (access) {
        if (!l1d_tick(&sm->l1d, access, cycle))
            return;
        account_taken(sm, access);
        lsu_taken(&sm->lsu, access, cycle);
        leave(sm, sm->n_stages, access);
        return;
    }
    /* An SM without a warp would have got a CTA if there were one left. An access that is not
     * offered is parked, or its instruction has just issued: the warp is live then. */
    sm->l1d.flush = !sm->live && !sm->parked;
    if (!l1d_idle(&sm->l1d))
        l1d_tick(&sm->l1d, NULL, cycle);
}

/* ---- issue ---- */

/* The queue that the accesses of that warp slot keep their order in. */
static uint32_t queue_of(const struct sm *sm, uint32_t w, uint32_t cta) {
    for (const struct stage *s = sm->stage; s < sm->stage + sm->n_stages; s++)
        if (s->type->queue_of)
            return s->type->queue_of(s->state, w, cta);
    return 0;
}

static void access_memory(struct sm *sm, uint32_t w, uint64_t cycle) {
    struct sm_warp *warp = &sm->warp[w];
    uint32_t queue = queue_of(sm, w, warp->cta);
    uint32_t user = mdb_user(&sm->l1d.mdb, warp->cta, warp->place.warp);
    const struct lsu_from from = {w, queue, user, sm->launch->name, &warp->place};
    uint32_t accesses = lsu_push(&sm->lsu, &warp->inst, &from, cycle);
    if (!accesses)
        return; /* the run ends */
    if (sm->fences) {
        warp->queued += accesses;
        sm->queued |= warp_bit(w);
    }
    if (sm->lanes)
        lanes_issue(sm->lanes, &warp->inst, w, queue);
    if (!lsu_needs_entry(&warp->inst))
        return;
    regs_add(&warp->pending, &warp->inst.dst);
    if (sm->wants_far)
        regs_add(&warp->far, &warp->inst.dst);
}

/* The last instruction of a run has issued. */
static void finish_run(struct sm *sm, uint32_t w, uint64_t cycle) {
    struct sm_warp *warp = &sm->warp[w];
    const struct warp_inst *inst = &warp->inst;
    switch (inst->op) {
    case WARP_ALU:
    case WARP_SFU:
    case WARP_FP64:
    case WARP_SHARED:
        if (regs_none(&inst->dst))
            break;
        units_write(&sm->units, inst->op, inst->passes, w, &inst->dst, cycle);
        regs_add(&warp->pending, &inst->dst);
        break;
    case WARP_LOAD:
    case WARP_STORE:
    case WARP_ATOMIC:
        access_memory(sm, w, cycle);
        break;
    case WARP_BARRIER:
        arrive(sm, w);
        return;
    case WARP_EXIT:
        exit_warp(sm, w);
        return;
    }
    refill(sm, w);
}

static void issue(struct sm *sm, uint32_t w, uint32_t scheduler, uint64_t cycle) {
    struct sm_warp *warp = &sm->warp[w];
    stat_add(&sm->stats, STAT_warp_insts, 1);
    stat_add(&sm->stats, STAT_thread_insts, warp->lanes);
    sm->context->progress++;
    if (warp->inst.op <= WARP_SHARED && !units_instant(&sm->units, warp->inst.op))
        units_issue(&sm->units, warp->inst.op, warp->inst.passes, scheduler, cycle);
    if (--warp->left == 0)
        finish_run(sm, w, cycle);
}

/* Warps whose own accesses have to enter the L1D first. */
static warp_set held_by_fence(const struct sm *sm) {
    return sm->wants[sm->fence] & sm->queued;
}

/* Warps that the LSU has no place for, or that wait for what is in it. */
static warp_set held_by_lsu(const struct sm *sm) {
    warp_set held = held_by_fence(sm);
    if (lsu_full(&sm->lsu))
        return held | sm->wants[WARP_LOAD] | sm->wants[WARP_STORE] | sm->wants[WARP_ATOMIC];
    return lsu_can_load(&sm->lsu) ? held : held | sm->wants_entry;
}

/* Warps of a scheduler that could issue in this cycle, if the policy lets them. */
static inline warp_set able(const struct sm *sm, uint32_t i, uint64_t cycle) {
    return sm->ready & sm->scheduler[i].warps & ~held_by_lsu(sm) &
           ~units_busy(&sm->units, sm->wants, i, cycle);
}

/* Why a scheduler does not issue: the first of these that holds. */
static enum stat_id slot_lost(const struct sm *sm, uint32_t i, uint64_t cycle) {
    warp_set mine = sm->live & sm->scheduler[i].warps, ready = sm->ready & mine;
    if (!mine)
        return STAT_slots_no_warp;
    if (!ready)
        return mine & ~sm->at_barrier ? STAT_slots_registers : STAT_slots_barrier;
    if (able(sm, i, cycle))
        return STAT_slots_policy;
    return ready & held_by_lsu(sm) ? STAT_slots_lsu : STAT_slots_unit;
}

static uint64_t next_issue(const struct sm *sm, uint64_t cycle) {
    uint64_t next = UINT64_MAX;
    for (uint32_t i = 0; i < sm->n_schedulers && next > cycle; i++) {
        const struct sched *s = &sm->scheduler[i];
        warp_set wait = sm->ready & s->warps & ~held_by_lsu(sm);
        if (!wait)
            continue;
        /* A ready warp that the policy holds back: when its unit gets free, the reason changes. */
        uint64_t from = units_free_from(&sm->units, sm->wants, wait, i, cycle);
        if (from == cycle && !(able(sm, i, cycle) & s->allowed))
            from = units_free_from(&sm->units, sm->wants, wait & s->allowed, i, cycle);
        if (from < next)
            next = from;
    }
    return next;
}

/* The reasons from this cycle on, which is before next_issue. */
static void note_lost(struct sm *sm, uint64_t cycle) {
    for (uint32_t i = 0; i < sm->n_schedulers; i++)
        sm->lost[i] = slot_lost(sm, i, cycle);
}

static void count_lost(struct sm *sm, uint64_t cycles) {
    for (uint32_t i = 0; i < sm->n_schedulers; i++)
        stat_add(&sm->stats, sm->lost[i], cycles);
    stat_add(&sm->stats, STAT_sm_idle_cycles, cycles);
}

static void issue_all(struct sm *sm, uint64_t cycle) {
    bool issued = false;
    if (cycle < sm->settled) {
        count_lost(sm, 1);
        return;
    }
    update_schedulers(sm);
    for (uint32_t i = 0; i < sm->n_schedulers; i++) {
        struct sched *s = &sm->scheduler[i];
        warp_set candidates = able(sm, i, cycle) & s->allowed;
        if (!candidates) {
            stat_add(&sm->stats, slot_lost(sm, i, cycle), 1);
            continue;
        }
        issued = true;
        issue(sm, sched_pick(s, candidates), i, cycle);
    }
    if (issued) {
        update_schedulers(sm);
        return;
    }
    stat_add(&sm->stats, STAT_sm_idle_cycles, 1);
    sm->settled = next_issue(sm, cycle + 1);
    if (cycle + 1 < sm->settled)
        note_lost(sm, cycle + 1);
}

/* Queues as they are at the start of these cycles. */
static void count_queues(struct sm *sm, uint64_t cycles) {
    stat_add(&sm->stats, STAT_sm_cycles, cycles);
    stat_add(&sm->stats, STAT_lsu_queue_cycles, sm->lsu.count * cycles);
    stat_add(&sm->stats, STAT_l1d_miss_queue_cycles, sm->l1d.miss_queue.count * cycles);
    stat_add(&sm->stats, STAT_l1d_rsp_queue_cycles, sm->l1d.rsp.count * cycles);
}

void sm_tick(struct sm *sm, uint64_t cycle) {
    count_queues(sm, 1);
    write_back(sm, cycle);
    access_l1d(sm, cycle);
    if (sm->live)
        issue_all(sm, cycle);
    sm->now = cycle + 1;
}

/* ---- skipping ---- */

static uint64_t sooner(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

/* Of the stages and the L1D. */
static uint64_t memory_next_event(const struct sm *sm, uint64_t cycle) {
    const struct l1d_access *access = lsu_offer(&sm->lsu);
    uint64_t next = UINT64_MAX;
    for (const struct stage *s = sm->stage; s < sm->stage + sm->n_stages; s++) {
        next = sooner(next, s->type->next_event(s->state, access, cycle));
        access = s->type->offered(s->state, access);
    }
    if (access && !l1d_blocked(&sm->l1d))
        return cycle;
    return sooner(next, l1d_next_event(&sm->l1d, cycle));
}

uint64_t sm_next_event(const struct sm *sm, uint64_t cycle) {
    bool flushes = !sm->live && !sm->parked && l1d_dirty(&sm->l1d);
    if (l1d_rsp_peek(&sm->l1d) || sm->units.next <= cycle || flushes)
        return cycle;
    uint64_t next = memory_next_event(sm, cycle);
    if (next <= cycle)
        return cycle;
    if (sm->live)
        next = sooner(next, cycle < sm->settled ? sm->settled : next_issue(sm, cycle));
    return sooner(next, sm->units.next);
}

static void memory_advance(struct sm *sm, uint64_t cycles) {
    const struct l1d_access *access = lsu_offer(&sm->lsu);
    for (const struct stage *s = sm->stage; s < sm->stage + sm->n_stages; s++) {
        s->type->advance(s->state, access, cycles);
        access = s->type->offered(s->state, access);
    }
    if (access)
        l1d_advance(&sm->l1d, cycles);
}

void sm_advance(struct sm *sm, uint64_t cycles) {
    count_queues(sm, cycles);
    memory_advance(sm, cycles);
    if (sm->live && cycles) {
        note_lost(sm, sm->now);
        count_lost(sm, cycles);
    }
    sm->now += cycles;
}

/* ---- ends ---- */

bool sm_empty(const struct sm *sm) {
    for (const struct stage *s = sm->stage; s < sm->stage + sm->n_stages; s++)
        if (!s->type->empty(s->state))
            return false;
    return !sm->live && !sm->lsu.count && !lsu_loads_out(&sm->lsu) && !sm->l1d.stores_out &&
           !l1d_dirty(&sm->l1d);
}

void sm_end_kernel(struct sm *sm) {
    l1d_invalidate(&sm->l1d);
    if (sm->lanes)
        lanes_end(sm->lanes);
}

const char *sm_why(const struct sm *sm, uint32_t w) {
    uint32_t i = w % sm->n_schedulers;
    if (sm->at_barrier & warp_bit(w))
        return "barrier";
    if (!(sm->ready & warp_bit(w)))
        return "registers";
    if (held_by_fence(sm) & warp_bit(w))
        return "own-accesses";
    if (held_by_lsu(sm) & warp_bit(w))
        return lsu_full(&sm->lsu) ? "lsu-queue" : "pending-loads";
    if (units_busy(&sm->units, sm->wants, i, sm->now) & warp_bit(w))
        return "unit";
    return sm->scheduler[i].allowed & warp_bit(w) ? "ready" : "policy";
}
