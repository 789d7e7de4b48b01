// SPDX-License-Identifier: Apache-2.0
/* Chooses the warps that issue, and counts the issue slots that schedulers lose, by reason. */
#include <string.h>

#include "lib/bits.h"
#include "sm/inside.h"

/* ---- warps that may issue ---- */

/* Returns the warps with a next instruction that accesses global or local memory. */
static warp_set global_memory(const struct sm *sm) {
    return sm->wants_kind[COLLECT_MEMORY] & ~sm->wants[WARP_SHARED];
}

/* Returns the warps that wait until their own accesses have left the stage with the fence. */
static warp_set held_by_fence(const struct sm *sm) {
    return sm->path.fences ? sm->wants[sm->path.fence] & sm->path.queued : 0;
}

/* Returns the warps that wait for room in the LSU, for a load table entry or at the fence. */
static warp_set held_by_lsu(const struct sm *sm) {
    warp_set held = held_by_fence(sm);
    if (lsu_full(&sm->lsu))
        return held | (sm->model.gpgpusim ? sm->wants_kind[COLLECT_MEMORY] : global_memory(sm));
    return lsu_can_load(&sm->lsu) ? held : held | sm->wants_entry;
}

/* Returns the warps that wait because scheduler i's register for the kind of their next instruction
 * is occupied. */
__attribute__((noinline)) static warp_set held_by_collectors(const struct sm *sm, uint32_t i) {
    warp_set held = 0;
    for (unsigned left = sm->collectors.full_kinds[i]; left; left &= left - 1)
        held |= sm->wants_kind[bits_lowest(left)];
    return held;
}

/* Returns the warps that the scoreboard, barriers, fetch and the LSU allow to issue. */
static warp_set open_warps(const struct sm *sm) {
    return sm->ready & ~sm->fetch.empty & ~held_by_lsu(sm);
}

/* Returns the warps of `open` that belong to scheduler i and are not held back by its
 * collectors. */
static inline warp_set let_in(const struct sm *sm, uint32_t i, warp_set open) {
    open &= sm->scheduler_warps[i];
    if (!open || !sm->model.collectors || !sm->collectors.full_kinds[i])
        return open;
    return open & ~held_by_collectors(sm, i);
}

/* True if the arithmetic pipelines are full in this cycle (sm.model=gpgpusim). */
static inline bool pipes_full(const struct sm *sm, uint64_t cycle) {
    return sm->pipes.n && !alu_pipes_room(&sm->pipes, cycle);
}

/* Returns the warps that wait for a busy unit of scheduler i, or for room in the pipelines. */
static inline warp_set busy(const struct sm *sm, uint32_t i, uint64_t cycle) {
    warp_set busy = units_busy(&sm->units, sm->wants, i, cycle);
    if (pipes_full(sm, cycle))
        busy |= sm->wants[WARP_ALU] | sm->wants[WARP_BARRIER] | sm->wants[WARP_EXIT];
    return busy;
}

/* Returns the warps of `in`, the result of let_in(), that find their unit free. */
static inline warp_set with_unit(const struct sm *sm, uint32_t i, warp_set in, uint64_t cycle) {
    return in ? in & ~busy(sm, i, cycle) : 0;
}

/* Returns the warps of `open` that find their unit free, and so can issue in this cycle if the
 * policy allows it. */
static inline warp_set able(const struct sm *sm, uint32_t i, warp_set open, uint64_t cycle) {
    return with_unit(sm, i, let_in(sm, i, open), cycle);
}

/* Returns the warps with a global or local memory instruction that the limiter forbids in this
 * cycle, and all warps of kernels that have used up their quotas. */
static warp_set held_of_several(const struct sm *sm) {
    warp_set limited = 0, spent = 0;
    if (!limiter_on(&sm->limiter) && !sm->quota.on)
        return 0;
    for (uint32_t k = 0; k < sm->n_kernels; k++) {
        if (limiter_on(&sm->limiter) && !limiter_lets(&sm->limiter, k))
            limited |= sm->kernel_warps[k];
        if (sm->quota.on && !sm->quota.left[k])
            spent |= sm->kernel_warps[k];
    }
    return (limited & global_memory(sm)) | spent;
}

static inline warp_set held_back(const struct sm *sm) {
    return sm->n_kernels == 1 ? 0 : held_of_several(sm);
}

/* Returns the statistic for the reason why scheduler i does not issue. If several reasons apply,
 * the first one checked counts. `in` and `could` are the results of let_in() and able(). */
static enum stat_id slot_lost(const struct sm *sm, uint32_t i, warp_set in, warp_set could) {
    warp_set mine = sm->live_warps & sm->scheduler_warps[i], ready = sm->ready & mine;
    if (!mine)
        return STAT_slots_no_warp;
    if (!ready)
        return mine & ~sm->at_barrier ? STAT_slots_registers : STAT_slots_barrier;
    warp_set fetched = ready & ~sm->fetch.empty;
    if (!fetched)
        return STAT_slots_fetch;
    if (could)
        return could & sm->scheduler[i].allowed ? STAT_slots_mil : STAT_slots_policy;
    return fetched & ~in ? STAT_slots_lsu : STAT_slots_unit;
}

/* Returns the first cycle, from `cycle` on, in which a scheduler can issue, or loses its slot for a
 * different reason, if nothing else changes. */
static uint64_t find_issue(const struct sm *sm, uint64_t cycle) {
    const warp_set open = open_warps(sm), held = held_back(sm);
    uint64_t next = sm_fetches(sm) ? cycle : UINT64_MAX;
    for (uint32_t i = 0; open && i < sm->n_schedulers && next > cycle; i++) {
        const struct sched *s = &sm->scheduler[i];
        warp_set wait = let_in(sm, i, open);
        if (!wait)
            continue;
        /* If the policy or the limiter excludes a ready warp, the reason changes when the warp's
         * unit becomes free. */
        const warp_set lets = s->allowed & ~held;
        uint64_t from = units_free_from(&sm->units, sm->wants, wait, i, cycle);
        if (from == cycle && !(with_unit(sm, i, wait, cycle) & lets))
            from = units_free_from(&sm->units, sm->wants, wait & lets, i, cycle);
        if (pipes_full(sm, cycle))
            from = cycle; /* there will soon be room, and the reason may change */
        if (from < next)
            next = from;
    }
    return next;
}

/* Records the reasons why the schedulers do not issue from this cycle until next_issue. */
static void note_lost(struct sm *sm, uint64_t cycle) {
    const warp_set open = open_warps(sm);
    for (uint32_t i = 0; i < sm->n_schedulers; i++) {
        const warp_set in = let_in(sm, i, open);
        sm->lost[i] = slot_lost(sm, i, in, with_unit(sm, i, in, cycle));
    }
    sm->noted = true;
}

/* ---- an instruction ---- */

static bool accesses_memory(enum warp_op op) {
    return collect_kind_of(op) == COLLECT_MEMORY;
}

/* True if an instruction of the kind `op` goes to its unit when it issues. */
static inline bool goes_to_unit(const struct sm *sm, enum warp_op op) {
    return sm->at_unit >> op & 1;
}

static void count_shared(struct sm *sm, const struct sm_warp *warp) {
    const uint32_t n = warp->inst.repeat ? warp->inst.repeat : 1;
    stat_add(&sm->stats, STAT_shared_insts, n);
    if (sm->n_kernels > 1)
        stat_add(sm->kernel[warp->kernel].part, STAT_shared_insts, n);
}

/* Schedules the write of an arithmetic result. The write is delayed if several source registers of
 * the instruction are in the same bank. */
__attribute__((noinline)) static void write_banked(struct sm *sm, uint32_t w,
                                                   const struct warp_inst *inst, uint64_t cycle) {
    const uint32_t reads = banks_read_cycles(&sm->banks, &inst->src);
    units_write_later(&sm->units, inst->op, w, &inst->dst, reads > 1 ? cycle + reads - 1 : cycle);
}

/* Completes a run after its last instruction has issued. */
static void finish_run(struct sm *sm, uint32_t w, uint64_t cycle) {
    struct sm_warp *warp = &sm->warp[w];
    const struct warp_inst *inst = &warp->inst;
    switch (inst->op) {
    case WARP_SHARED:
        count_shared(sm, warp);
        if (inst->atomic && sm->model.gpgpusim)
            sm_hold(sm, w, 1);
        /* fall through */
    case WARP_ALU:
    case WARP_SFU:
    case WARP_FP64:
        if (regs_none(&inst->dst))
            break;
        if (goes_to_unit(sm, inst->op)) {
            if (sm->banks.n)
                write_banked(sm, w, inst, cycle);
            else
                units_write(&sm->units, inst->op, inst->passes, w, &inst->dst, cycle);
        }
        regs_add(&warp->pending, &inst->dst);
        break;
    case WARP_LOAD:
    case WARP_STORE:
    case WARP_ATOMIC:
        sm_access_memory(sm, w, cycle);
        break;
    case WARP_BARRIER:
        sm_arrive(sm, w);
        return;
    case WARP_EXIT:
        sm_exit_warp(sm, w, cycle);
        return;
    }
    if (inst->async)
        sm_issue_async(sm, w);
    sm_refill(sm, w);
}

/* Returns the registers that the instruction writes. In a run, only the last instruction writes
 * any. */
static const struct reg_set *written_regs(const struct sm_warp *warp) {
    static const struct reg_set none;
    return warp->left == 1 ? &warp->inst.dst : &none;
}

/* Issues an instruction through the operand collectors or the register banks, and queues a
 * shared-memory access in the LSU. */
__attribute__((noinline)) static void issue_apart(struct sm *sm, uint32_t w, uint32_t scheduler,
                                                  uint64_t cycle) {
    const struct sm_warp *warp = &sm->warp[w];
    if (sm->model.collectors)
        collectors_put(&sm->collectors, scheduler, w, (enum collect_kind)warp->kind, &sm->units,
                       &warp->inst, written_regs(warp));
    else if (sm->banks.n && accesses_memory(warp->inst.op))
        banks_issue(&sm->banks, &warp->inst.src, w);
    if (warp->inst.op == WARP_SHARED)
        lsu_push_shared(&sm->lsu, w, &warp->inst, written_regs(warp), cycle);
}

/* Returns the cycle in which an instruction that issues in `cycle` enters its pipeline, or `cycle`
 * if it uses no pipeline. */
static uint64_t enter_pipes(struct sm *sm, enum warp_op op, uint64_t cycle) {
    const bool alu = op == WARP_ALU;
    if (!alu && op != WARP_BARRIER && op != WARP_EXIT)
        return cycle;
    return alu_pipes_enter(&sm->pipes, alu, cycle);
}

static inline __attribute__((always_inline)) void issue(struct sm *sm, uint32_t w,
                                                        uint32_t scheduler, uint64_t cycle) {
    struct sm_warp *warp = &sm->warp[w];
    stat_add(&sm->stats, STAT_warp_insts, 1);
    stat_add(&sm->stats, STAT_thread_insts, warp->lanes);
    if (sm->n_kernels > 1) {
        stat_add(sm->kernel[warp->kernel].part, STAT_warp_insts, 1);
        stat_add(sm->kernel[warp->kernel].part, STAT_thread_insts, warp->lanes);
        if (sm->quota.on)
            quota_issues(&sm->quota, warp->kernel);
    }
    sm->context->progress++;
    fetch_use(&sm->fetch, w);
    if (icache_asks(&sm->icache))
        warp->next_pc = icache_pc(&sm->icache, &warp->inst) + ICACHE_INST_BYTES;
    if (goes_to_unit(sm, warp->inst.op)) {
        if (!units_instant(&sm->units, warp->inst.op))
            units_issue(&sm->units, warp->inst.op, warp->inst.passes, scheduler, cycle);
    } else if (sm->model.gpgpusim) {
        issue_apart(sm, w, scheduler, cycle);
    }
    if (sm->pipes.n)
        cycle = enter_pipes(sm, warp->inst.op, cycle);
    if (--warp->left == 0)
        finish_run(sm, w, cycle);
}

/* ---- a cycle ---- */

static void count_lost(struct sm *sm, uint64_t cycles) {
    for (uint32_t i = 0; i < sm->n_schedulers; i++)
        stat_add(&sm->stats, sm->lost[i], cycles);
    stat_add(&sm->stats, STAT_sm_idle_cycles, cycles);
}

static void count_no_work(struct sm *sm, uint64_t cycles) {
    stat_add(&sm->stats, STAT_slots_no_work, sm->n_schedulers * cycles);
    sm->unused += cycles;
}

struct issued {
    enum warp_op op;
    enum collect_kind kind;
};

static struct issued next_of(const struct sm_warp *warp) {
    return (struct issued){warp->op, (enum collect_kind)warp->kind};
}

/* True if two instructions of a warp use the same units. SFU and FP64 are different units. */
static bool same_units(struct issued a, struct issued b) {
    return a.kind == b.kind && (a.op == b.op || a.kind != COLLECT_SFU);
}

/* Issues the warp's next instruction together with the previous one, if it can issue and uses
 * other units. Returns true if it issues a memory instruction. The function is noinline because
 * it is large and rarely called. */
__attribute__((noinline)) static bool issue_second(struct sm *sm, uint32_t w, struct issued first,
                                                   uint32_t i, warp_set closed, uint64_t cycle) {
    const struct issued next = next_of(&sm->warp[w]);
    if (!(able(sm, i, open_warps(sm), cycle) & ~closed & warp_bit(w)) || same_units(first, next))
        return false;
    stat_add(&sm->stats, STAT_dual_issues, 1);
    issue(sm, w, i, cycle);
    return accesses_memory(next.op);
}

/* Lets each scheduler issue in turn. Returns true if any instruction issues. */
static bool issue_all(struct sm *sm, uint64_t cycle) {
    uint32_t memory_left = sm->memory_issue;
    if (sm->banks.n && !banks_tick(&sm->banks, cycle))
        memory_left = 0;
    uint32_t i = sm->model.gpgpusim ? (uint32_t)((cycle - sm->unused) % sm->n_schedulers) : 0;
    warp_set open = open_warps(sm);
    bool issued = false, changed = false; /* changed: `open` is out of date for the remaining
                                             schedulers */
    for (uint32_t n = 0; n < sm->n_schedulers; n++, i = i + 1 == sm->n_schedulers ? 0 : i + 1) {
        if (changed)
            open = open_warps(sm);
        const warp_set in = let_in(sm, i, open), could = with_unit(sm, i, in, cycle);
        warp_set candidates = could ? could & sm->scheduler[i].allowed & ~held_back(sm) : 0;
        if (!memory_left && candidates) {
            candidates &= ~sm->wants_kind[COLLECT_MEMORY];
            if (!candidates) {
                stat_add(&sm->stats, STAT_slots_unit, 1);
                continue;
            }
        }
        if (!candidates) {
            stat_add(&sm->stats, slot_lost(sm, i, in, could), 1);
            continue;
        }
        uint32_t w = sched_pick(&sm->scheduler[i], candidates);
        const struct issued first = next_of(&sm->warp[w]);
        issue(sm, w, i, cycle);
        issued = true;
        changed = first.op > WARP_FP64;
        memory_left -= accesses_memory(first.op);
        if (sm->model.dual_issue) {
            changed = true;
            warp_set closed = (memory_left ? 0 : sm->wants_kind[COLLECT_MEMORY]) | held_back(sm);
            memory_left -= issue_second(sm, w, first, i, closed, cycle);
        }
    }
    return issued;
}

#ifdef MEMTWIN_CHECKED

/* Returns the candidates that issue_all() would have for a scheduler in this cycle. */
static warp_set find_candidates(const struct sm *sm, uint32_t i, warp_set could) {
    struct sched s = sm->scheduler[i];
    sched_update(&s, sm->at_barrier, sm->far);
    return could & s.allowed & ~held_back(sm);
}

static bool refills_quota(const struct sm *sm) {
    struct quota q = sm->quota;
    if (q.on)
        quota_refill(&q, sm->kernel, sm->n_kernels);
    return memcmp(&q, &sm->quota, sizeof q) != 0;
}

/* Checks that no scheduler could issue in this cycle, before next_issue, and that each loses its
 * slot for the recorded reason. */
static void check_waits(const struct sm *sm, uint64_t cycle) {
    const warp_set open = open_warps(sm);
    bool wakes = sm_fetches(sm) || refills_quota(sm);
    for (uint32_t i = 0; i < sm->n_schedulers; i++) {
        const warp_set could = able(sm, i, open, cycle);
        wakes = wakes || find_candidates(sm, i, could) ||
                slot_lost(sm, i, let_in(sm, i, open), could) != sm->lost[i];
    }
    if (wakes)
        context_fail(sm->context, CONTEXT_INTERNAL,
                     "SM %u, cycle %llu: something that issue waits for has changed, but "
                     "sm_wake_issue() did not wake it",
                     (unsigned)sm->id, (unsigned long long)cycle);
}

#else

static inline void check_waits(const struct sm *sm, uint64_t cycle) {
    (void)sm, (void)cycle;
}

#endif

static void issue_tick(struct sm *sm, uint64_t cycle) {
    if (!sm->live_warps) {
        count_no_work(sm, 1);
        return;
    }
    if (cycle < sm->next_issue) {
        if (!sm->noted)
            note_lost(sm, cycle);
        check_waits(sm, cycle);
        count_lost(sm, 1);
        return;
    }
    sm_update_schedulers(sm);
    if (sm->quota.on)
        quota_refill(&sm->quota, sm->kernel, sm->n_kernels);
    bool issued = issue_all(sm, cycle);
    if (sm_fetches(sm))
        sm_fetch_tick(sm);
    if (issued) {
        sm_update_schedulers(sm);
        return;
    }
    stat_add(&sm->stats, STAT_sm_idle_cycles, 1);
    sm->next_issue = find_issue(sm, cycle + 1);
    sm->noted = false;
}

/* ---- with a limiter ---- */

/* live_kernels returns the kernels with CTAs on this SM. wants_to_access returns the kernels
 * with a memory instruction that could issue in this cycle. Bit k is for kernel k. */
static uint32_t live_kernels(const struct sm *sm) {
    uint32_t kernels = 0;
    for (uint32_t k = 0; k < sm->n_kernels; k++)
        kernels |= (uint32_t)(sm->kernel[k].live_ctas != 0) << k;
    return kernels;
}

static uint32_t wants_to_access(const struct sm *sm, uint64_t cycle) {
    const warp_set open = open_warps(sm) & global_memory(sm);
    warp_set could = 0;
    uint32_t want = 0;
    for (uint32_t i = 0; open && i < sm->n_schedulers; i++)
        could |= able(sm, i, open, cycle) & sm->scheduler[i].allowed;
    for (uint32_t k = 0; could && k < sm->n_kernels; k++)
        want |= (uint32_t)((could & sm->kernel_warps[k]) != 0) << k;
    return want;
}

static void limited_tick(struct sm *sm, uint64_t cycle) {
    struct limiter *l = &sm->limiter;
    sm_update_schedulers(sm);
    limiter_ask(l, &sm->stats, live_kernels(sm), wants_to_access(sm, cycle));
    if (l->err)
        context_fail(sm->context, CONTEXT_BROKEN, "sm.%u.mil: err=%u (%s)", (unsigned)sm->id,
                     (unsigned)l->err, limiter_fault(l));
    issue_tick(sm, cycle);
    const bool lets_more = limiter_lets_more(l);
    limiter_tick(l);
    if (lets_more || limiter_next_event(l) == 0)
        sm_wake_issue(sm);
}

void sm_issue_tick(struct sm *sm, uint64_t cycle) {
    if (limiter_on(&sm->limiter))
        limited_tick(sm, cycle);
    else
        issue_tick(sm, cycle);
}

uint64_t sm_issue_next_event(const struct sm *sm, uint64_t cycle) {
    if (!sm->live_warps)
        return UINT64_MAX;
    return cycle < sm->next_issue ? sm->next_issue : cycle;
}

void sm_issue_advance(struct sm *sm, uint64_t cycles) {
    if (!sm->live_warps) {
        count_no_work(sm, cycles);
        return;
    }
    if (!cycles)
        return;
    note_lost(sm, sm->now);
    count_lost(sm, cycles);
}

const char *sm_why(const struct sm *sm, uint32_t w) {
    uint32_t i = w % sm->n_schedulers;
    if (sm->at_barrier & warp_bit(w))
        return "barrier";
    if (sm->held & warp_bit(w))
        return sm->warp[w].awaited ? "copies" : "atomics";
    if (!(sm->ready & warp_bit(w)))
        return "registers";
    if (sm->fetch.empty & warp_bit(w))
        return "fetch";
    if (held_by_fence(sm) & warp_bit(w))
        return "own-accesses";
    if (sm->model.collectors && held_by_collectors(sm, i) & warp_bit(w))
        return "collectors";
    if (held_by_lsu(sm) & warp_bit(w))
        return lsu_full(&sm->lsu) ? "lsu-queue" : "pending-loads";
    if (sm->banks.latch.held && sm->wants_kind[COLLECT_MEMORY] & warp_bit(w))
        return "register-banks";
    if (busy(sm, i, sm->now) & warp_bit(w))
        return "unit";
    if (held_back(sm) & warp_bit(w))
        return sm->quota.on ? "quota" : "limiter";
    return sm->scheduler[i].allowed & warp_bit(w) ? "ready" : "policy";
}
