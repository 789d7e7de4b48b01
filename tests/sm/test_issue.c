// SPDX-License-Identifier: Apache-2.0
/* Tests of issue, cycle by cycle, in a whole system: the order of each scheduler, unit intervals,
 * lost slots and limits. */
#include "tests/gpu/fixture.h"

#include "sm/occupancy.h"

#define MAX_LOG 64

/* Log of issues in order, with their warps and cycles. A repeated instruction is logged once, when
 * its last repetition issues. */
static struct {
    uint32_t warp, pc;
    uint64_t cycle;
} issue_log[MAX_LOG];
static unsigned logged;
static struct program *running;

static void note(const struct warp_place *place, uint32_t pc) {
    if (pc == 0 || logged == MAX_LOG)
        return;
    issue_log[logged].warp = place->warp;
    issue_log[logged].pc = pc - 1;
    issue_log[logged++].cycle = running->gpu->cycle;
}

static struct outcome run(const struct config *c, program_fn fn, uint32_t threads) {
    static struct program p;
    p = program_of(fn);
    p.threads = threads;
    running = &p;
    logged = 0;
    struct outcome o = run_program(c, &p, false);
    if (o.end != GPU_DONE)
        fail_msg("end %d: %s", (int)o.end, o.error);
    return o;
}

static struct config one_sm(int64_t schedulers, int64_t policy) {
    struct config c = small_config();
    c.sm_count = 1;
    c.sm_schedulers = schedulers;
    c.sm_scheduler = policy;
    return c;
}

static void expect_order(const char *warps) {
    for (unsigned i = 0; warps[i]; i++)
        if (i >= logged || issue_log[i].warp != (uint32_t)(warps[i] - '0'))
            fail_msg("issue %u is of warp %u, not %c", i, (unsigned)issue_log[i].warp, warps[i]);
}

/* ---- order ---- */

static void three_alus(const struct warp_place *place, uint32_t pc, struct warp_inst *i) {
    note(place, pc);
    alu(i, 0, 0);
    if (pc == 3)
        i->op = WARP_EXIT;
}

/* A load, two instructions that wait for the load, and the exit. */
static void load_use(const struct warp_place *place, uint32_t pc, struct warp_inst *i) {
    note(place, pc);
    if (pc == 0)
        load(i, BASE + place->warp * LINE_BYTES, R(1));
    else if (pc < 3)
        alu(i, R(1), 0);
    else
        i->op = WARP_EXIT;
}

static void each_policy_has_its_order(void **state) {
    struct config c = one_sm(1, SCHEDULER_GTO);
    run(&c, three_alus, 128);
    expect_order("000111222333"); /* exits are not logged */
    c.sm_scheduler = SCHEDULER_LRR;
    run(&c, three_alus, 128);
    expect_order("012301230123");
    c.sm_scheduler = SCHEDULER_TWO_LEVEL;
    c.sm_active_warps = 2;
    run(&c, three_alus, 128);
    expect_order("010101232323");
    c.sm_active_warps = 4;
    run(&c, three_alus, 128);
    expect_order("012301230123");
    c.sm_scheduler = SCHEDULER_SWL;
    c.sm_active_warps = 1;
    run(&c, three_alus, 128);
    expect_order("000111222333");
}

/* Four warps load, and two warps may be active. While the first two wait for their loads, two_level
 * continues with the next two, but swl does not. */
static void policies_differ_when_loads_wait(void **state) {
    struct config c = one_sm(1, SCHEDULER_TWO_LEVEL);
    c.sm_active_warps = 2;
    run(&c, load_use, 128);
    expect_order("0123");
    assert_int_equal(issue_log[3].cycle, 3);
    c.sm_scheduler = SCHEDULER_SWL;
    c.sm_active_warps = 2;
    struct outcome o = run(&c, load_use, 128);
    expect_order("01");
    assert_int_equal(issue_log[1].cycle, 1);
    assert_true(issue_log[2].cycle > 200 && issue_log[2].pc == 1);
    assert_true(o.stats.v[STAT_slots_policy] > 200);
    c.sm_scheduler = SCHEDULER_GTO;
    o = run(&c, load_use, 128);
    expect_order("0123");
    assert_int_equal(o.stats.v[STAT_slots_policy], 0);
}

static void meet(const struct warp_place *place, uint32_t pc, struct warp_inst *i) {
    note(place, pc);
    alu(i, 0, 0);
    if (pc == 1)
        i->op = WARP_BARRIER;
    if (pc == 3)
        i->op = WARP_EXIT;
}

/* A limit below the number of warps in a CTA does not block the CTA's barrier. A barrier is logged
 * when it releases the warp. */
static void limits_do_not_block_barriers(void **state) {
    struct config c = one_sm(1, SCHEDULER_SWL);
    c.sm_active_warps = 1;
    run(&c, meet, 128);
    expect_order("012301230123");
    c.sm_scheduler = SCHEDULER_TWO_LEVEL;
    c.sm_active_warps = 1;
    run(&c, meet, 128);
    expect_order("012301233012"); /* the last warp to arrive has not left the active set */
}

/* ---- units ---- */

static enum warp_op unit_op;
static uint8_t unit_passes;

static void unit_run(const struct warp_place *place, uint32_t pc, struct warp_inst *i) {
    note(place, pc);
    alu(i, 0, 0);
    if (pc < 3)
        i->op = unit_op;
    i->passes = unit_passes;
    if (pc == 0)
        i->repeat = 3;
    else if (pc == 1)
        i->dst.w[0] = R(1);
    else if (pc == 2)
        i->src.w[0] = R(1);
    else if (pc == 3)
        i->dst.w[0] = R(2); /* uses another unit, so it issues immediately */
    else
        i->op = WARP_EXIT;
}

static void intervals_are_exact(void **state) {
    struct config c = one_sm(2, SCHEDULER_GTO);
    strcpy(c.sm_alu, "6,2");
    const struct {
        enum warp_op op;
        uint8_t passes;
        uint64_t interval, latency;
    } cases[] = {
        {WARP_ALU, 1, 2, 6},     {WARP_SFU, 1, 4, 20},        {WARP_FP64, 1, 16, 40},
        {WARP_SHARED, 1, 1, 24}, {WARP_SHARED, 5, 5, 24 + 4}, {WARP_SHARED, 32, 32, 24 + 31},
    };
    for (unsigned n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        unit_op = cases[n].op;
        unit_passes = cases[n].passes;
        uint64_t interval = cases[n].interval, latency = cases[n].latency;
        struct outcome o = run(&c, unit_run, 32);
        assert_int_equal(issue_log[0].cycle, 2 * interval);
        assert_int_equal(issue_log[1].cycle, 3 * interval);
        uint64_t use = 3 * interval + (latency > interval ? latency : interval);
        assert_int_equal(issue_log[2].cycle, use);
        assert_int_equal(issue_log[3].cycle, use + (unit_op == WARP_ALU ? interval : 1));
        /* each slot of the two schedulers either issues an instruction or is lost for one reason */
        const uint64_t *v = o.stats.v;
        uint64_t live = issue_log[3].cycle + 6 + 1; /* the exit waits for R2 */
        assert_int_equal(v[STAT_slots_no_warp], live);
        assert_int_equal(v[STAT_warp_insts] + v[STAT_slots_registers] + v[STAT_slots_unit], live);
        assert_int_equal(v[STAT_slots_policy] + v[STAT_slots_lsu] + v[STAT_slots_barrier], 0);
        uint64_t behind = unit_op == WARP_ALU ? interval - 1 : 0;
        assert_int_equal(v[STAT_slots_unit], 3 * (interval - 1) + behind);
    }
}

static void shared_then_exit(const struct warp_place *place, uint32_t pc, struct warp_inst *i) {
    note(place, pc);
    alu(i, 0, 0);
    i->op = pc < 2 ? unit_op : WARP_EXIT;
    i->passes = unit_passes;
}

/* Two warps on two schedulers have one arithmetic unit each, but share one unit for shared
 * memory. */
static void the_shared_memory_is_one(void **state) {
    struct config c = one_sm(2, SCHEDULER_GTO);
    unit_op = WARP_SFU;
    unit_passes = 3;
    run(&c, shared_then_exit, 64);
    static const uint64_t sfu[] = {0, 0, 4, 4};
    for (unsigned n = 0; n < 4; n++)
        assert_int_equal(issue_log[n].cycle, sfu[n]);
    unit_op = WARP_SHARED;
    struct outcome o = run(&c, shared_then_exit, 64);
    static const uint64_t shared[] = {0, 3, 6, 9};
    for (unsigned n = 0; n < 4; n++)
        assert_int_equal(issue_log[n].cycle, shared[n]);
    assert_true(o.stats.v[STAT_slots_unit] > 0);
    /* with one scheduler, the two warps share all its units */
    c.sm_schedulers = 1;
    unit_op = WARP_SFU;
    run(&c, shared_then_exit, 64);
    for (unsigned n = 0; n < 4; n++)
        assert_int_equal(issue_log[n].cycle, 4 * n);
}

static void no_passes(const struct warp_place *place, uint32_t pc, struct warp_inst *i) {
    (void)place;
    alu(i, 0, 0);
    i->op = pc ? WARP_EXIT : WARP_SHARED;
    i->passes = unit_passes;
}

static void impossible_passes_are_named(void **state) {
    for (unsigned passes = 0; passes <= 33; passes += 33) {
        struct config c = one_sm(1, SCHEDULER_GTO);
        struct program p = program_of(no_passes);
        unit_passes = (uint8_t)passes;
        struct outcome o = run_program(&c, &p, false);
        assert_int_equal(o.end, GPU_BAD_LAUNCH);
        assert_non_null(
            strstr(o.error, "kernel test, CTA (0,0,0), warp 0: a shared-memory access"));
    }
}

/* ---- lost slots ---- */

static void wait_at_barrier(const struct warp_place *place, uint32_t pc, struct warp_inst *i) {
    alu(i, 0, 0);
    if (pc == 0)
        i->repeat = place->warp == 0 ? 100 : 1;
    else
        i->op = pc == 1 ? WARP_BARRIER : WARP_EXIT;
}

static void many_loads(const struct warp_place *place, uint32_t pc, struct warp_inst *i) {
    (void)place;
    if (pc < 40)
        load(i, BASE + (uint64_t)pc * 32 * LINE_BYTES, R(pc));
    else
        i->op = WARP_EXIT;
    for (unsigned l = 0; l < WARP_LANES; l++)
        i->addr[l] += l * LINE_BYTES;
}

static void lost_slots_have_their_reason(void **state) {
    struct config c = one_sm(2, SCHEDULER_GTO);
    const uint64_t *v;
    /* Warp 1 arrives in cycle 1, and warp 0 in cycle 100. Warp 1's scheduler sees the release in
     * cycle 100, so warp 1 waits in cycles 2 to 99. */
    struct outcome o = run(&c, wait_at_barrier, 64);
    v = o.stats.v;
    assert_int_equal(v[STAT_slots_barrier], 98);
    assert_int_equal(v[STAT_warp_insts], 105);
    /* each load has 32 accesses, and the queue has one entry, so the warps wait for the LSU */
    c = one_sm(1, SCHEDULER_GTO);
    c.sm_lsu_queue = 1;
    o = run(&c, many_loads, 32);
    v = o.stats.v;
    assert_true(v[STAT_slots_lsu] > 39 * 31);
    assert_int_equal(v[STAT_warp_insts], 41);
    assert_int_equal(v[STAT_slots_lsu] + v[STAT_slots_registers], v[STAT_sm_idle_cycles]);
    c.sm_lsu_queue = 64;
    c.sm_pending_loads = 1;
    o = run(&c, many_loads, 32);
    assert_true(o.stats.v[STAT_slots_lsu] > 39 * 200);
}

/* ---- limits ---- */

struct fit {
    uint64_t ctas, /* number of CTAs per SM */
        warps;     /* number of warps per CTA */
};

static struct fit fit(const struct config *c, uint32_t threads, uint32_t regs, uint32_t shared) {
    const struct kernel_launch l = {.name = "k",
                                    .grid = {1, 1, 1},
                                    .block = {threads, 1, 1},
                                    .regs = regs,
                                    .shared_bytes = shared};
    const struct sm_resources have = sm_resources_of(c), none = {{0}};
    struct sm_resources need;
    struct error err;
    assert_int_equal(sm_resources_needed(c, &l, &need, &err), 0);
    return (struct fit){sm_resources_fit(&have, &none, &need), need.n[RES_WARPS]};
}

static void the_tightest_limit_counts(void **state) {
    struct config c;
    config_default(&c);
    c.sm_warps = 64;
    c.sm_ctas = 32;
    assert_int_equal(fit(&c, 64, 0, 0).ctas, 32);
    assert_int_equal(fit(&c, 65, 0, 0).ctas, 21);
    assert_int_equal(fit(&c, 65, 0, 0).warps, 3);
    c.sm_warps = 32;
    assert_int_equal(fit(&c, 256, 0, 0).ctas, 4);
    assert_int_equal(fit(&c, 225, 0, 0).ctas, 4); /* the threads are rounded up to whole warps */
    c.sm_warps = 64;
    /* 8 warps have 32 x 33 = 1056 registers each, rounded up to 1280, so a CTA has 10240 registers;
     * 65536 / 10240 = 6 CTAs */
    assert_int_equal(fit(&c, 256, 33, 0).ctas, 6);
    assert_int_equal(fit(&c, 256, 32, 0).ctas, 8);
    c.sm_registers = 0;
    assert_int_equal(fit(&c, 256, 255, 0).ctas, 8);
    assert_int_equal(fit(&c, 32, 0, 20000).ctas, 4); /* 20000 bytes fit four times into 96 KiB */
    c.sm_ctas = 3;
    assert_int_equal(fit(&c, 32, 0, 20000).ctas, 3);
}

static void what_does_not_fit_is_named(void **state) {
    static const struct {
        uint32_t block[3], regs, shared;
        const char *why;
    } bad[] = {
        {{1024, 1, 2}, 0, 0, "a CTA of 64 warps does not fit: sm.warps = 48"},
        {{0xffffffff, 0xffffffff, 0xffffffff}, 0, 0, "does not fit: sm.warps = 48"},
        {{512, 1, 1}, 129, 0, "69632 registers does not fit: sm.registers = 65536"},
        {{32, 1, 1}, 0, 98305, "98305 B of shared memory does not fit: sm.shared_kib * 1024"},
        {{32, 0, 1}, 0, 0, "a CTA without threads"},
    };
    struct config c;
    config_default(&c);
    for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct kernel_launch l = {.name = "kern", .regs = bad[i].regs, .grid = {1, 1, 1}};
        memcpy(l.block, bad[i].block, sizeof l.block);
        l.shared_bytes = bad[i].shared;
        struct sm_resources need;
        struct error err = {0};
        assert_int_equal(sm_resources_needed(&c, &l, &need, &err), -1);
        if (!strstr(err.text, bad[i].why) || !strstr(err.text, "kernel kern"))
            fail_msg("'%s' expected: %s", bad[i].why, err.text);
    }
}

/* ---- fetch ---- */

static void eight_alus(const struct warp_place *place, uint32_t pc, struct warp_inst *i) {
    note(place, pc);
    alu(i, 0, 0);
    i->repeat = pc < 2 ? 3 : 1; /* each repetition uses one entry of the buffer */
    if (pc == 4)
        i->op = WARP_EXIT;
}

/* Expects the warp's instructions to issue in these cycles, counted from the first issue. */
static void expect_cycles(uint32_t warp, const char *cycles) {
    for (unsigned i = 0; i < logged; i++)
        if (issue_log[i].warp == warp) {
            assert_true(*cycles);
            assert_int_equal(issue_log[i].cycle - issue_log[0].cycle, (uint64_t)(*cycles++ - 'a'));
        }
    assert_false(*cycles);
}

static void fetched_in_turn(void **state) {
    struct config c = one_sm(1, SCHEDULER_GTO);
    c.sm_model = MODEL_GPGPUSIM;
    /* Eight instructions issue in two of every three cycles. The log starts with the third
     * instruction, which ends the first run. Two cycles are lost before the first fetch. */
    c.sm_fetch = 1;
    struct outcome o = run(&c, eight_alus, 32);
    expect_cycles(0, "aegh");
    assert_int_equal(o.stats.v[STAT_slots_fetch], 2 + 4);
    /* all fetches in a cycle except the last are in time for the next cycle */
    c.sm_fetch = 2;
    o = run(&c, eight_alus, 32);
    expect_cycles(0, "adef");
    assert_int_equal(o.stats.v[STAT_slots_fetch], 1);
    c.sm_fetch = 0;
    o = run(&c, eight_alus, 32);
    expect_cycles(0, "adef");
    assert_int_equal(o.stats.v[STAT_slots_fetch], 0);
    /* with two warps and two schedulers, both fetches are in time, and warp 1 is first in turn */
    c.sm_fetch = 1;
    c.sm_schedulers = 2;
    o = run(&c, eight_alus, 64);
    expect_cycles(0, "bfhi");
    expect_cycles(1, "aegh");
}

/* ---- issue ports of the units ---- */

static void loads_then_exit(const struct warp_place *place, uint32_t pc, struct warp_inst *i) {
    note(place, pc);
    if (pc < 3)
        load(i, BASE, R(pc));
    else
        i->op = WARP_EXIT;
}

/* Two warps on two schedulers load. In each cycle, both may issue a load, but only one of them with
 * sm.model=gpgpusim. */
static void memory_instructions_are_bounded(void **state) {
    struct config c = one_sm(2, SCHEDULER_GTO);
    run(&c, loads_then_exit, 64);
    expect_cycles(0, "abc");
    expect_cycles(1, "abc");
    c.sm_model = MODEL_GPGPUSIM; /* in this model, the schedulers also take turns */
    struct outcome o = run(&c, loads_then_exit, 64);
    assert_true(o.stats.v[STAT_slots_unit] >= 5);
    for (unsigned n = 0; n < 6; n++)
        assert_int_equal(issue_log[n].cycle - issue_log[0].cycle, n);
    assert_int_not_equal(issue_log[0].warp, issue_log[1].warp);
    assert_int_equal(issue_log[0].warp, issue_log[2].warp);
}

/* In the first cycle with warps, the first scheduler has its turn first. */
static void turns_begin_with_the_first_warp(void **state) {
    struct config c = one_sm(2, SCHEDULER_GTO);
    c.sm_model = MODEL_GPGPUSIM;
    for (c.sm_launch_latency = 0; c.sm_launch_latency < 4; c.sm_launch_latency++) {
        run(&c, loads_then_exit, 64);
        assert_int_equal(issue_log[0].warp, 0);
    }
}

static void alus_and_loads(const struct warp_place *place, uint32_t pc, struct warp_inst *i) {
    note(place, pc);
    alu(i, 0, 0);
    if (pc == 1 || pc == 4)
        load(i, BASE, R(pc));
    if (pc == 5) {
        i->op = WARP_SFU;
        i->src = (struct reg_set){{R(4)}};
    }
    if (pc == 6)
        i->op = WARP_EXIT;
}

/* An ALU instruction and a load issue together. Two ALU instructions, or instructions that wait for
 * registers, do not. */
static void two_instructions_of_a_warp_at_once(void **state) {
    struct config c = one_sm(1, SCHEDULER_GTO);
    run(&c, alus_and_loads, 32);
    assert_int_equal(issue_log[4].cycle - issue_log[0].cycle, 4);
    c.sm_model = MODEL_GPGPUSIM;
    c.sm_dual_issue = 1;
    struct outcome o = run(&c, alus_and_loads, 32);
    static const uint64_t at[] = {0, 0, 1, 2, 2};
    for (unsigned n = 0; n < 5; n++)
        assert_int_equal(issue_log[n].cycle - issue_log[0].cycle, at[n]);
    /* the third dual issue is that of the exit after the SFU instruction */
    assert_int_equal(o.stats.v[STAT_dual_issues], 3);
    expect_slots(&c, o.stats.v);
}

static void fp64_and_sfu(const struct warp_place *place, uint32_t pc, struct warp_inst *i) {
    note(place, pc);
    alu(i, 0, 0);
    i->op = pc == 0 ? WARP_FP64 : pc == 1 ? WARP_SFU : WARP_EXIT;
}

/* FP64 and SFU instructions share collectors but not units. */
static void fp64_and_sfu_go_together(void **state) {
    struct config c = one_sm(1, SCHEDULER_GTO);
    assert_int_equal(run(&c, fp64_and_sfu, 32).stats.v[STAT_dual_issues], 0);
    c.sm_model = MODEL_GPGPUSIM;
    c.sm_dual_issue = 1;
    assert_int_equal(run(&c, fp64_and_sfu, 32).stats.v[STAT_dual_issues], 1);
    assert_int_equal(issue_log[1].cycle, issue_log[0].cycle);
}

static void shared_and_use(const struct warp_place *place, uint32_t pc, struct warp_inst *i) {
    note(place, pc);
    alu(i, R(1), 0);
    if (pc < 2) {
        i->op = WARP_SHARED;
        i->src = (struct reg_set){{0}};
        i->dst = (struct reg_set){{pc ? R(1) : R(2)}};
        i->passes = 4;
    }
    if (pc == 3)
        i->op = WARP_EXIT;
}

/* The result of the second access is as late as with a separate unit, but the access issues
 * immediately and waits in the LSU. */
static void shared_accesses_wait_in_the_lsu(void **state) {
    struct config c = one_sm(1, SCHEDULER_GTO);
    run(&c, shared_and_use, 32);
    assert_int_equal(issue_log[1].cycle - issue_log[0].cycle, 4);
    uint64_t used = issue_log[2].cycle - issue_log[0].cycle;
    c.sm_model = MODEL_GPGPUSIM;
    run(&c, shared_and_use, 32);
    assert_int_equal(issue_log[1].cycle - issue_log[0].cycle, 1);
    assert_int_equal(issue_log[2].cycle - issue_log[0].cycle, used);
}

/* Warp 0 loads; warps 1 and 2 compute. */
static void loads_beside_alus(const struct warp_place *place, uint32_t pc, struct warp_inst *i) {
    if (place->warp == 0) {
        many_loads(place, pc < 8 ? pc : 40, i);
        return;
    }
    alu(i, 0, 0);
    i->repeat = 100;
    if (pc == 4)
        i->op = WARP_EXIT;
}

static void memory_instructions_hold_collectors(void **state) {
    struct config c = one_sm(1, SCHEDULER_GTO);
    struct outcome o = run(&c, loads_beside_alus, 96);
    assert_int_equal(o.stats.v[STAT_slots_lsu], 0);
    uint64_t insts = o.stats.v[STAT_warp_insts];
    c.sm_model = MODEL_GPGPUSIM;
    c.sm_collectors = 2;
    o = run(&c, loads_beside_alus, 96);
    /* there are 8 loads of 32 lines each; until the fifth is in the LSU, at least three wait
     * behind another load */
    assert_true(o.stats.v[STAT_slots_lsu] > 4 * 32);
    assert_int_equal(o.stats.v[STAT_warp_insts], insts);
}

/* ---- ends and atomics ---- */

static bool load_pending; /* true if a load is pending when the warp exits */

static void exit_soon(const struct warp_place *place, uint32_t pc, struct warp_inst *i) {
    note(place, pc);
    alu(i, 0, 0);
    if (pc == 0 && load_pending)
        load(i, BASE, R(1));
    if (pc == 1)
        i->op = WARP_EXIT;
}

static void an_exit_takes_its_time(void **state) {
    struct config c = one_sm(1, SCHEDULER_GTO);
    c.sm_model = MODEL_GPGPUSIM;
    for (int pending = 0; pending < 2; pending++) {
        load_pending = pending;
        c.sm_exit_latency = 0;
        uint64_t without = run(&c, exit_soon, 32).stats.v[STAT_cycles];
        c.sm_exit_latency = 20;
        /* the warp exits while a load is in flight */
        assert_int_equal(run(&c, exit_soon, 32).stats.v[STAT_cycles], without + (pending ? 0 : 20));
    }
}

/* There is one pipeline (sm.model=gpgpusim). The exit of warp 0 enters it in cycle 6, and that of
 * warp 1 in cycle 13. Instructions of three cycles may wait, so the second and the third exit
 * block the issue. */
static void exits_wait_in_the_pipeline(void **state) {
    static const uint64_t without[] = {0, 4, 8, 12}, with[] = {0, 4, 11, 18};
    struct config c = one_sm(1, SCHEDULER_GTO);
    for (c.sm_model = MODEL_SIMPLE; c.sm_model <= MODEL_GPGPUSIM; c.sm_model++) {
        struct outcome o = run(&c, three_alus, 128);
        expect_order("000111222333");
        for (unsigned i = 0; i < 12; i++)
            assert_int_equal(issue_log[i].cycle, (c.sm_model ? with : without)[i / 3] + i % 3);
        assert_int_equal(o.stats.v[STAT_slots_unit], c.sm_model ? 6 : 0);
    }
}

static void atomic_then_alu(const struct warp_place *place, uint32_t pc, struct warp_inst *i) {
    note(place, pc);
    alu(i, 0, 0);
    if (pc == 0)
        access_to(i, WARP_ATOMIC, BASE, LINE_BYTES);
    if (pc == 2)
        i->op = WARP_EXIT;
}

static void atomics_may_hold_their_warp(void **state) {
    struct config c = one_sm(1, SCHEDULER_GTO);
    struct outcome o = run(&c, atomic_then_alu, 32);
    assert_int_equal(issue_log[1].cycle - issue_log[0].cycle, 1);
    c.sm_model = MODEL_GPGPUSIM;
    o = run(&c, atomic_then_alu, 32);
    /* the last of 32 accesses is acknowledged immediately before the ALU issues and the warp
     * exits */
    assert_in_range(o.stats.v[STAT_cycles] - issue_log[1].cycle, 1, 4);
    assert_int_equal(o.stats.v[STAT_l2_atomics], 32);
}

/* ---- instruction cache ---- */

/* turn_after is the number of instructions in a loop, or 0 if there is no loop */
static uint32_t n_insts, inst_bytes, turn_after;

static void straight(const struct warp_place *place, uint32_t pc, struct warp_inst *i) {
    note(place, pc);
    alu(i, 0, 0);
    i->has_pc = true;
    i->pc = (turn_after ? pc % turn_after : pc) * inst_bytes;
    if (pc == n_insts)
        i->op = WARP_EXIT;
}

static struct outcome run_code(struct config *c, uint32_t insts, uint32_t bytes, uint32_t loop) {
    n_insts = insts;
    inst_bytes = bytes;
    turn_after = loop;
    return run(c, straight, 32);
}

static void instructions_come_in_lines(void **state) {
    struct config c = one_sm(1, SCHEDULER_GTO);
    c.sm_model = MODEL_GPGPUSIM;
    c.sm_fetch = 1;
    c.icache_sets = 2;
    c.icache_ways = 2;
    /* six instructions and the exit are in one line, two per fetch */
    struct outcome o = run_code(&c, 6, 16, 0);
    assert_int_equal(o.stats.v[STAT_icache_misses], 1);
    assert_int_equal(o.stats.v[STAT_icache_hits], 3);
    assert_int_equal(o.stats.v[STAT_l2_accesses], 1);
    uint64_t one = o.stats.v[STAT_cycles];
    /* sixteen instructions and the exit are in two lines and in the first word of a third line */
    o = run_code(&c, 16, 16, 0);
    assert_int_equal(o.stats.v[STAT_icache_misses], 3);
    assert_int_equal(o.stats.v[STAT_icache_hits], 9 - 3);
    assert_true(o.stats.v[STAT_cycles] > 2 * one);
    /* A loop over four lines, two in each set, stays in the cache. If the loop has five lines, the
     * three lines in set 0 miss each time. A fetch is for the address after the last issued
     * instruction. */
    o = run_code(&c, 40, 64, 8);
    assert_int_equal(o.stats.v[STAT_icache_misses], 4);
    o = run_code(&c, 40, 64, 10);
    assert_int_equal(o.stats.v[STAT_icache_misses], 2 + 3 * 4);
}

static void warps_share_a_line_that_comes(void **state) {
    struct config c = one_sm(1, SCHEDULER_GTO);
    c.sm_model = MODEL_GPGPUSIM;
    c.sm_fetch = 1;
    c.icache_sets = 1;
    n_insts = 2;
    inst_bytes = 16;
    turn_after = 0;
    struct outcome o = run(&c, straight, 8 * 32);
    assert_int_equal(o.stats.v[STAT_icache_misses], 8);
    assert_int_equal(o.stats.v[STAT_l2_accesses], 1);
    /* lines arrive in the order of the misses; warp 1 was first in turn */
    for (unsigned n = 0; n < 4; n++)
        assert_int_equal(issue_log[2 * n].warp, n + 1);
}

/* A load from global memory, three shared accesses, a load from local memory, a load of a trace,
 * and a store that waits for none of them. */
static void all_kinds(const struct warp_place *place, uint32_t pc, struct warp_inst *i) {
    (void)place;
    alu(i, 0, 0);
    if (pc == 0 || pc == 2 || pc == 3)
        load(i, BASE, R(pc + 1));
    if (pc == 2) {
        access_to(i, WARP_LOAD, 0, 0);
        i->space = SPACE_LOCAL;
    }
    if (pc == 3)
        i->has_pc = true;
    if (pc == 1) {
        i->op = WARP_SHARED;
        i->repeat = 3;
    }
    if (pc == 4)
        store(i, BASE + LINE_BYTES, R(40));
    if (pc == 5)
        i->op = WARP_EXIT;
}

/* With sm.address_insts=n, n instructions precede each access to global or shared memory, which
 * waits for the last of them. */
static void addresses_are_computed_first(void **state) {
    struct program p = program_of(all_kinds);
    struct config c = one_sm(1, SCHEDULER_GTO);
    const struct outcome without = run_program(&c, &p, false);
    assert_int_equal(without.stats.v[STAT_warp_insts], 8);
    assert_int_equal(without.stats.v[STAT_shared_insts], 3);
    for (int64_t n = 1; n <= 3; n++) {
        p = program_of(all_kinds);
        c.sm_address_insts = n;
        const struct outcome with = run_program(&c, &p, false);
        const uint64_t latency = 6; /* value of sm.alu */
        const uint64_t wait = (uint64_t)(n - 1) + latency, run = (uint64_t)n * 3 - 1;
        assert_int_equal(with.end, GPU_DONE);
        assert_int_equal(with.stats.v[STAT_warp_insts], 8 + n * (1 + 3 + 1));
        assert_int_equal(with.stats.v[STAT_shared_insts], 3);
        assert_int_equal(with.stats.v[STAT_load_insts], 3);
        assert_int_equal(p.issued[0], wait);
        assert_int_equal(p.issued[1], wait + 1 + run + latency + 2);
        assert_int_equal(p.issued[2], p.issued[1] + 1);
        assert_int_equal(p.issued[3], p.issued[1] + 2);
        assert_int_equal(p.issued[4], p.issued[3] + 1 + wait);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_policy_has_its_order),
        cmocka_unit_test(policies_differ_when_loads_wait),
        cmocka_unit_test(limits_do_not_block_barriers),
        cmocka_unit_test(intervals_are_exact),
        cmocka_unit_test(the_shared_memory_is_one),
        cmocka_unit_test(impossible_passes_are_named),
        cmocka_unit_test(lost_slots_have_their_reason),
        cmocka_unit_test(fetched_in_turn),
        cmocka_unit_test(memory_instructions_are_bounded),
        cmocka_unit_test(turns_begin_with_the_first_warp),
        cmocka_unit_test(two_instructions_of_a_warp_at_once),
        cmocka_unit_test(fp64_and_sfu_go_together),
        cmocka_unit_test(shared_accesses_wait_in_the_lsu),
        cmocka_unit_test(memory_instructions_hold_collectors),
        cmocka_unit_test(an_exit_takes_its_time),
        cmocka_unit_test(exits_wait_in_the_pipeline),
        cmocka_unit_test(atomics_may_hold_their_warp),
        cmocka_unit_test(instructions_come_in_lines),
        cmocka_unit_test(warps_share_a_line_that_comes),
        cmocka_unit_test(addresses_are_computed_first),
        cmocka_unit_test(the_tightest_limit_counts),
        cmocka_unit_test(what_does_not_fit_is_named),
    };
    return cmocka_run_group_tests_name("issue", tests, NULL, NULL);
}
