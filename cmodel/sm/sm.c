#include "sm/sm.h"

#include <stdlib.h>
#include <string.h>

#include "lib/bits.h"

#define BIT(i) (UINT64_C(1) << (i))
#define STATE_ALIGN 64

/* ---- making and ending ---- */

static int init_parts(struct sm *sm, const struct config *cfg, char *err, size_t err_size) {
    uint32_t longest = sm->alu_latency > sm->shared_latency ? sm->alu_latency : sm->shared_latency;
    sm->wheel_size = (uint32_t)bits_round_up(longest + 1);
    sm->wheel = calloc(sm->wheel_size, sizeof *sm->wheel);
    sm->warp = calloc(sm->max_warps, sizeof *sm->warp);
    if (!sm->wheel || !sm->warp || lsu_init(&sm->lsu, cfg, sm->frame, sm->id) != 0) {
        snprintf(err, err_size, "out of memory for SM %u", (unsigned)sm->id);
        return -1;
    }
    sm->lsu.stats = &sm->stats;
    struct check *check = sm->frame->check;
    if (check)
        sm->lanes = lanes_create(check, sm->id, sm->lsu.capacity, sm->lsu.n_loads);
    if (check && !sm->lanes) {
        snprintf(err, err_size, "out of memory for the check of SM %u", (unsigned)sm->id);
        return -1;
    }
    if (l1d_init(&sm->l1d, cfg, sm->frame, sm->id, err, err_size) != 0)
        return -1;
    sm->l1d.stats = &sm->stats;
    return 0;
}

int sm_init(struct sm *sm, const struct config *cfg, struct frame *frame, uint32_t id, char *err,
            size_t err_size) {
    memset(sm, 0, sizeof *sm);
    sm->frame = frame;
    sm->id = id;
    sm->max_warps = (uint32_t)cfg->sm_warps;
    sm->max_ctas = (uint32_t)cfg->sm_ctas;
    sm->n_schedulers = (uint32_t)cfg->sm_schedulers;
    sm->alu_latency = (uint32_t)cfg->sm_alu_latency;
    sm->shared_latency = (uint32_t)cfg->sm_shared_latency;
    sm->shared_limit = (uint64_t)cfg->sm_shared_kib * 1024;
    for (uint32_t s = 0; s < sm->n_schedulers; s++)
        sm->scheduler[s].greedy = SM_NO_WARP;
    for (uint32_t w = 0; w < sm->max_warps; w++)
        sm->scheduler[w % sm->n_schedulers].warps |= BIT(w);
    return init_parts(sm, cfg, err, err_size);
}

void sm_free(struct sm *sm) {
    free(sm->wheel);
    free(sm->warp);
    free(sm->warp_state);
    free(sm->cta_state);
    lsu_free(&sm->lsu);
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

static uint32_t smaller(uint64_t a, uint64_t b) {
    return (uint32_t)(a < b ? a : b);
}

int sm_launch(struct sm *sm, const struct kernel_launch *launch, char *err, size_t err_size) {
    uint64_t threads = (uint64_t)launch->block[0] * launch->block[1] * launch->block[2];
    uint64_t warps = (threads + WARP_LANES - 1) / WARP_LANES;
    sm->launch = launch;
    if (warps == 0 || warps > sm->max_warps || launch->shared_bytes > sm->shared_limit) {
        snprintf(
            err, err_size,
            "kernel %s: a CTA of %llu warps and %u B of shared memory does not fit on an SM of %u "
            "warps and %llu B",
            launch->name, (unsigned long long)warps, (unsigned)launch->shared_bytes,
            (unsigned)sm->max_warps, (unsigned long long)sm->shared_limit);
        return -1;
    }
    sm->warps_per_cta = (uint32_t)warps;
    sm->fit_ctas = smaller(sm->max_ctas, sm->max_warps / warps);
    if (launch->shared_bytes)
        sm->fit_ctas = smaller(sm->fit_ctas, sm->shared_limit / launch->shared_bytes);
    if (make_room(&sm->warp_state, &sm->warp_state_room,
                  sm->max_warps * aligned(launch->warp_state_size)) != 0 ||
        make_room(&sm->cta_state, &sm->cta_state_room,
                  sm->max_ctas * aligned(launch->cta_state_size)) != 0) {
        snprintf(err, err_size, "kernel %s: out of memory for the state of its warps",
                 launch->name);
        return -1;
    }
    return 0;
}

static uint8_t *warp_state(const struct sm *sm, uint32_t w) {
    size_t size = aligned(sm->launch->warp_state_size);
    return size ? sm->warp_state + w * size : NULL;
}

static uint8_t *cta_state(const struct sm *sm, uint32_t c) {
    size_t size = aligned(sm->launch->cta_state_size);
    return size ? sm->cta_state + c * size : NULL;
}

/* Whether the next instruction of the warp may issue, as far as the warp itself goes. */
static void judge_ready(struct sm *sm, uint32_t w) {
    const struct sm_warp *warp = &sm->warp[w];
    const struct warp_inst *inst = &warp->inst;
    bool waits = inst->op == WARP_EXIT ? !regs_none(&warp->pending)
                                       : regs_overlap(&warp->pending, &inst->src) ||
                                             regs_overlap(&warp->pending, &inst->dst);
    if (!waits && !(sm->at_barrier & BIT(w)))
        sm->ready |= BIT(w);
    else
        sm->ready &= ~BIT(w);
}

/* Fills the instruction buffer. */
static void refill(struct sm *sm, uint32_t w) {
    struct sm_warp *warp = &sm->warp[w];
    sm->launch->step(sm->launch->ctx, &warp->place, cta_state(sm, warp->cta), warp_state(sm, w),
                     &warp->inst);
    warp->left = warp->inst.repeat ? warp->inst.repeat : 1;
    warp->lanes = bits_count(warp->inst.mask);
    sm->is_load &= ~BIT(w);
    sm->is_store &= ~BIT(w);
    if (warp->inst.op == WARP_LOAD)
        sm->is_load |= BIT(w);
    else if (warp->inst.op == WARP_STORE)
        sm->is_store |= BIT(w);
    judge_ready(sm, w);
}

static void start_warp(struct sm *sm, uint32_t w, uint32_t c, const struct warp_place *place) {
    struct sm_warp *warp = &sm->warp[w];
    warp->pending = (struct reg_set){{0}};
    warp->age = sm->ages++;
    warp->cta = c;
    warp->place = *place;
    if (sm->launch->warp_state_size)
        memset(warp_state(sm, w), 0, sm->launch->warp_state_size);
    memset(&warp->inst, 0, sizeof warp->inst);
    sm->live |= BIT(w);
    sm->cta[c].warps |= BIT(w);
}

static struct warp_place place_of(const struct kernel_launch *l, uint64_t cta, uint32_t warp) {
    uint64_t threads = (uint64_t)l->block[0] * l->block[1] * l->block[2];
    struct warp_place p = {
        .cta = {(uint32_t)(cta % l->grid[0]), (uint32_t)(cta / l->grid[0] % l->grid[1]),
                (uint32_t)(cta / l->grid[0] / l->grid[1])},
        .warp = warp,
        .threads = smaller(threads - (uint64_t)warp * WARP_LANES, WARP_LANES),
    };
    return p;
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
        start_warp(sm, bits_lowest(~sm->live), c, &place);
    }
    for (uint64_t left = sm->cta[c].warps; left; left &= left - 1)
        refill(sm, bits_lowest(left));
    sm->frame->progress++;
}

static void end_cta(struct sm *sm, uint32_t c) {
    sm->cta[c].live = false;
    sm->live_ctas--;
    sm->frame->ctas_ended++;
    stat_add(&sm->stats, STAT_ctas, 1);
}

/* All live warps of the CTA have arrived: they go on. */
static void try_release(struct sm *sm, uint32_t c) {
    struct sm_cta *cta = &sm->cta[c];
    if (!cta->arrived || cta->arrived != cta->warps)
        return;
    uint64_t go = cta->arrived;
    cta->arrived = 0;
    sm->at_barrier &= ~go;
    for (uint64_t left = go; left; left &= left - 1)
        refill(sm, bits_lowest(left));
}

static void arrive(struct sm *sm, uint32_t w) {
    uint32_t c = sm->warp[w].cta;
    sm->at_barrier |= BIT(w);
    sm->ready &= ~BIT(w);
    sm->cta[c].arrived |= BIT(w);
    try_release(sm, c);
}

static void exit_warp(struct sm *sm, uint32_t w) {
    uint32_t c = sm->warp[w].cta;
    sm->live &= ~BIT(w);
    sm->ready &= ~BIT(w);
    sm->cta[c].warps &= ~BIT(w);
    struct sm_scheduler *s = &sm->scheduler[w % sm->n_schedulers];
    if (s->greedy == w)
        s->greedy = SM_NO_WARP;
    if (!sm->cta[c].warps)
        end_cta(sm, c);
    else
        try_release(sm, c);
}

/* ---- results ---- */

static void release(struct sm *sm, uint32_t w, const struct reg_set *regs) {
    regs_remove(&sm->warp[w].pending, regs);
    if (sm->live & BIT(w))
        judge_ready(sm, w);
}

static void schedule(struct sm *sm, uint32_t w, const struct reg_set *regs, uint64_t cycle) {
    if (regs_none(regs))
        return;
    struct sm_events *e = &sm->wheel[cycle & (sm->wheel_size - 1)];
    e->event[e->n++] = (struct sm_event){*regs, w};
    regs_add(&sm->warp[w].pending, regs);
    sm->wheel_used++;
}

static void write_back(struct sm *sm, uint64_t cycle) {
    struct sm_events *e = &sm->wheel[cycle & (sm->wheel_size - 1)];
    if (e->n) {
        sm->wheel_used -= e->n;
        for (uint32_t i = 0; i < e->n; i++)
            release(sm, e->event[i].warp, &e->event[i].regs);
        e->n = 0;
    }
    const struct l1d_rsp *rsp = l1d_rsp_peek(&sm->l1d);
    if (!rsp)
        return;
    const struct lsu_load *load = lsu_answer(&sm->lsu, rsp, cycle);
    if (sm->lanes && sm->frame->fault == FRAME_OK)
        lanes_answer(sm->lanes, rsp->id, rsp->line);
    if (load) {
        if (sm->lanes)
            lanes_complete(sm->lanes, rsp->id);
        release(sm, load->warp, &load->dst);
    }
    l1d_rsp_pop(&sm->l1d);
    sm->frame->progress++;
}

static void access_l1d(struct sm *sm, uint64_t cycle) {
    struct l1d_access access;
    if (lsu_offer(&sm->lsu, &access)) {
        if (!l1d_tick(&sm->l1d, &access, cycle))
            return;
        lsu_taken(&sm->lsu, cycle);
        if (sm->lanes)
            lanes_enter(sm->lanes, access.kind != PACKET_LOAD, access.id, access.line,
                        &access.mask);
        return;
    }
    /* An SM without a warp would have got a CTA if there were one left. */
    sm->l1d.flush = !sm->live;
    if (!l1d_idle(&sm->l1d))
        l1d_tick(&sm->l1d, NULL, cycle);
}

/* ---- issue ---- */

static void access_memory(struct sm *sm, uint32_t w) {
    const struct warp_inst *inst = &sm->warp[w].inst;
    lsu_push(&sm->lsu, inst, w);
    if (sm->lanes && sm->frame->fault == FRAME_OK)
        lanes_issue(sm->lanes, inst);
}

/* The last instruction of a run has issued. */
static void finish_run(struct sm *sm, uint32_t w, uint64_t cycle) {
    struct sm_warp *warp = &sm->warp[w];
    switch (warp->inst.op) {
    case WARP_ALU:
    case WARP_SFU:
    case WARP_FP64:
        schedule(sm, w, &warp->inst.dst, cycle + sm->alu_latency);
        break;
    case WARP_SHARED:
        schedule(sm, w, &warp->inst.dst, cycle + sm->shared_latency);
        break;
    case WARP_LOAD:
        regs_add(&warp->pending, &warp->inst.dst);
        access_memory(sm, w);
        break;
    case WARP_STORE:
    case WARP_ATOMIC: /* not yet of its own kind */
        access_memory(sm, w);
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

static void issue(struct sm *sm, uint32_t w, uint64_t cycle) {
    struct sm_warp *warp = &sm->warp[w];
    stat_add(&sm->stats, STAT_warp_insts, 1);
    stat_add(&sm->stats, STAT_thread_insts, warp->lanes);
    sm->frame->progress++;
    if (--warp->left == 0)
        finish_run(sm, w, cycle);
}

/* Greedy, then oldest. */
static uint32_t pick_gto(const struct sm *sm, const struct sm_scheduler *s, uint64_t candidates) {
    if (s->greedy != SM_NO_WARP && (candidates & BIT(s->greedy)))
        return s->greedy;
    uint32_t best = bits_lowest(candidates);
    for (uint64_t left = candidates & (candidates - 1); left; left &= left - 1) {
        uint32_t w = bits_lowest(left);
        if (sm->warp[w].age < sm->warp[best].age)
            best = w;
    }
    return best;
}

/* Warps that the LSU has no place for. */
static uint64_t held_by_lsu(const struct sm *sm) {
    if (lsu_full(&sm->lsu))
        return sm->is_load | sm->is_store;
    return lsu_can_load(&sm->lsu) ? 0 : sm->is_load;
}

static void issue_all(struct sm *sm, uint64_t cycle) {
    bool issued = false;
    for (uint32_t i = 0; i < sm->n_schedulers; i++) {
        struct sm_scheduler *s = &sm->scheduler[i];
        uint64_t candidates = sm->ready & s->warps & ~held_by_lsu(sm);
        if (!candidates)
            continue;
        uint32_t w = pick_gto(sm, s, candidates);
        s->greedy = w;
        issued = true;
        issue(sm, w, cycle);
    }
    if (!issued)
        stat_add(&sm->stats, STAT_sm_idle_cycles, 1);
}

void sm_tick(struct sm *sm, uint64_t cycle) {
    write_back(sm, cycle);
    access_l1d(sm, cycle);
    if (sm->live)
        issue_all(sm, cycle);
}

void sm_end_kernel(struct sm *sm) {
    l1d_invalidate(&sm->l1d);
    if (sm->lanes)
        lanes_end(sm->lanes);
}

const char *sm_why(const struct sm *sm, uint32_t w) {
    if (sm->at_barrier & BIT(w))
        return "barrier";
    if (!(sm->ready & BIT(w)))
        return "registers";
    if (held_by_lsu(sm) & BIT(w))
        return lsu_full(&sm->lsu) ? "lsu-queue" : "pending-loads";
    return "ready";
}
