// SPDX-License-Identifier: Apache-2.0
/* Issue, cycle by cycle, in a whole system: order of each scheduler, unit intervals, lost slots,
 * limits. */
#include "tests/gpu/fixture.h"

#include "sm/occupancy.h"

#define MAX_LOG 64

/* Who issued when, in order; an instruction of a run counts when its last one issues. */
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

/* A load, what depends on it, and the end. */
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
    (void)state;
    struct config c = one_sm(1, SCHEDULER_GTO);
    run(&c, three_alus, 128);
    expect_order("000111222333"); /* an exit leaves no step behind */
    c.sm_scheduler = SCHEDULER_LRR;
    run(&c, three_alus, 128);
    expect_order("012301230123");
    c.sm_scheduler = SCHEDULER_TWO_LEVEL;
    c.sm_two_level_active = 2;
    run(&c, three_alus, 128);
    expect_order("010101232323");
    c.sm_two_level_active = 4;
    run(&c, three_alus, 128);
    expect_order("012301230123");
    c.sm_scheduler = SCHEDULER_SWL;
    c.sm_swl_warps = 1;
    run(&c, three_alus, 128);
    expect_order("000111222333");
}

/* Loads of four warps: two_level goes on to the next pair, swl(2) waits for the first two. */
static void policies_differ_when_loads_wait(void **state) {
    (void)state;
    struct config c = one_sm(1, SCHEDULER_TWO_LEVEL);
    c.sm_two_level_active = 2;
    run(&c, load_use, 128);
    expect_order("0123");
    assert_int_equal(issue_log[3].cycle, 3);
    c.sm_scheduler = SCHEDULER_SWL;
    c.sm_swl_warps = 2;
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

/* A limit below the warps of a CTA does not keep it from its barrier. (A barrier is logged when it
 * lets the warp go.) */
static void limits_do_not_block_barriers(void **state) {
    (void)state;
    struct config c = one_sm(1, SCHEDULER_SWL);
    c.sm_swl_warps = 1;
    run(&c, meet, 128);
    expect_order("012301230123");
    c.sm_scheduler = SCHEDULER_TWO_LEVEL;
    c.sm_two_level_active = 1;
    run(&c, meet, 128);
    expect_order("012301233012"); /* the last to arrive has not left the active set */
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
        i->dst.w[0] = R(2); /* another unit: at once */
    else
        i->op = WARP_EXIT;
}

static void intervals_are_exact(void **state) {
    (void)state;
    struct config c = one_sm(2, SCHEDULER_GTO);
    c.sm_alu_interval = 2;
    c.sm_shared_interval = 3;
    const struct {
        enum warp_op op;
        uint8_t passes;
        uint64_t interval, latency;
    } cases[] = {
        {WARP_ALU, 1, 2, 6},
        {WARP_SFU, 1, 4, 20},
        {WARP_FP64, 1, 16, 40},
        {WARP_SHARED, 1, 3, 24},
        {WARP_SHARED, 5, 15, 24 + 4 * 3},
        {WARP_SHARED, 32, 96, 24 + 31 * 3},
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
        /* Every slot of the two schedulers is an instruction or is lost for one reason. */
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

/* Two warps on two schedulers: an arithmetic unit each, but one shared memory. */
static void the_shared_memory_is_one(void **state) {
    (void)state;
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
    /* One scheduler: two warps share its units. */
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
    (void)state;
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
    (void)state;
    struct config c = one_sm(2, SCHEDULER_GTO);
    const uint64_t *v;
    /* Warp 1 arrives in cycle 1 and waits until warp 0 does in cycle 100: 2 .. 99. It is scheduler
     * 1's, which sees the release in the same cycle. */
    struct outcome o = run(&c, wait_at_barrier, 64);
    v = o.stats.v;
    assert_int_equal(v[STAT_slots_barrier], 98);
    assert_int_equal(v[STAT_warp_insts], 105);
    /* 32 accesses a load through a queue of one: the LSU is what is waited for. */
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
    uint64_t ctas, warps; /* on an SM; of a CTA */
};

static struct fit fit(const struct config *c, uint32_t threads, uint32_t regs, uint32_t shared) {
    const struct kernel_launch l = {.name = "k",
                                    .grid = {1, 1, 1},
                                    .block = {threads, 1, 1},
                                    .regs = regs,
                                    .shared_bytes = shared};
    const struct sm_resources have = sm_resources_of(c), none = {{0}};
    struct sm_resources need;
    char err[200];
    assert_int_equal(sm_resources_needed(c, &l, &need, err, sizeof err), 0);
    return (struct fit){sm_resources_fit(&have, &none, &need), need.n[RES_WARPS]};
}

static void the_tightest_limit_counts(void **state) {
    (void)state;
    struct config c;
    config_default(&c);
    c.sm_warps = 64;
    c.sm_ctas = 32;
    c.sm_threads = 2048;
    assert_int_equal(fit(&c, 64, 0, 0).ctas, 32);
    assert_int_equal(fit(&c, 65, 0, 0).ctas, 21);
    assert_int_equal(fit(&c, 65, 0, 0).warps, 3);
    c.sm_threads = 1024;
    assert_int_equal(fit(&c, 256, 0, 0).ctas, 4);
    assert_int_equal(fit(&c, 225, 0, 0).ctas, 4); /* whole warps */
    c.sm_threads = 2048;
    /* 8 warps of 32 x 33 = 1056 registers, given as 1280: 65536 / 10240. */
    assert_int_equal(fit(&c, 256, 33, 0).ctas, 6);
    assert_int_equal(fit(&c, 256, 32, 0).ctas, 8);
    c.sm_registers = 0;
    assert_int_equal(fit(&c, 256, 255, 0).ctas, 8);
    assert_int_equal(fit(&c, 32, 0, 20000).ctas, 4); /* 96 KiB */
    c.sm_ctas = 3;
    assert_int_equal(fit(&c, 32, 0, 20000).ctas, 3);
}

static void what_does_not_fit_is_named(void **state) {
    (void)state;
    static const struct {
        uint32_t block[3], regs, shared;
        const char *why;
    } bad[] = {
        {{1024, 1, 2}, 0, 0, "a CTA of 64 warps does not fit: sm.warps = 48"},
        {{0xffffffff, 0xffffffff, 0xffffffff}, 0, 0, "does not fit: sm.warps = 48"},
        {{513, 1, 1}, 0, 0, "544 threads (of whole warps) does not fit: sm.threads = 512"},
        {{512, 1, 1}, 129, 0, "69632 registers does not fit: sm.registers = 65536"},
        {{32, 1, 1}, 0, 98305, "98305 B of shared memory does not fit: sm.shared_kib * 1024"},
        {{32, 0, 1}, 0, 0, "a CTA without threads"},
    };
    struct config c;
    config_default(&c);
    c.sm_threads = 512;
    for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct kernel_launch l = {.name = "kern", .regs = bad[i].regs, .grid = {1, 1, 1}};
        memcpy(l.block, bad[i].block, sizeof l.block);
        l.shared_bytes = bad[i].shared;
        struct sm_resources need;
        char err[200] = "";
        assert_int_equal(sm_resources_needed(&c, &l, &need, err, sizeof err), -1);
        if (!strstr(err, bad[i].why) || !strstr(err, "kernel kern"))
            fail_msg("'%s' expected: %s", bad[i].why, err);
    }
}

/* ---- fetch ---- */

static void eight_alus(const struct warp_place *place, uint32_t pc, struct warp_inst *i) {
    note(place, pc);
    alu(i, 0, 0);
    i->repeat = pc < 2 ? 3 : 1; /* a run takes as many places of the buffer */
    if (pc == 4)
        i->op = WARP_EXIT;
}

/* Cycles, from the first issue on, in which instructions of that warp issue. */
static void expect_cycles(uint32_t warp, const char *cycles) {
    for (unsigned i = 0; i < logged; i++)
        if (issue_log[i].warp == warp) {
            assert_true(*cycles);
            assert_int_equal(issue_log[i].cycle - issue_log[0].cycle, (uint64_t)(*cycles++ - 'a'));
        }
    assert_false(*cycles);
}

static void fetched_in_turn(void **state) {
    (void)state;
    struct config c = one_sm(1, SCHEDULER_GTO);
    /* Eight instructions, two of every three cycles; the log counts from the third, the end of the
     * first run. Before the first fetch two cycles are lost. */
    c.sm_fetch = 1;
    struct outcome o = run(&c, eight_alus, 32);
    expect_cycles(0, "aegh");
    assert_int_equal(o.stats.v[STAT_slots_fetch], 2 + 4);
    /* All fetches but the last of a cycle are in time for the next. */
    c.sm_fetch = 2;
    o = run(&c, eight_alus, 32);
    expect_cycles(0, "adef");
    assert_int_equal(o.stats.v[STAT_slots_fetch], 1);
    c.sm_fetch = 0;
    o = run(&c, eight_alus, 32);
    expect_cycles(0, "adef");
    assert_int_equal(o.stats.v[STAT_slots_fetch], 0);
    /* Two warps, two schedulers: both are fetched in time, warp 1 first. */
    c.sm_fetch = 1;
    c.sm_schedulers = 2;
    o = run(&c, eight_alus, 64);
    expect_cycles(0, "bfhi");
    expect_cycles(1, "aegh");
}

/* ---- ways to the units ---- */

static void loads_then_exit(const struct warp_place *place, uint32_t pc, struct warp_inst *i) {
    note(place, pc);
    if (pc < 3)
        load(i, BASE, R(pc));
    else
        i->op = WARP_EXIT;
}

/* Two warps of two schedulers: both issue a load in each cycle, or one of them. */
static void memory_instructions_are_bounded(void **state) {
    (void)state;
    struct config c = one_sm(2, SCHEDULER_GTO);
    run(&c, loads_then_exit, 64);
    expect_cycles(0, "abc");
    expect_cycles(1, "abc");
    c.sm_memory_issue = 1;
    struct outcome o = run(&c, loads_then_exit, 64);
    expect_cycles(0, "abc");
    expect_cycles(1, "def");
    assert_int_equal(o.stats.v[STAT_slots_unit], 3);
    c.sm_issue_order = ISSUE_ROTATING;
    run(&c, loads_then_exit, 64);
    for (unsigned n = 0; n < 6; n++)
        assert_int_equal(issue_log[n].cycle - issue_log[0].cycle, n);
    assert_int_not_equal(issue_log[0].warp, issue_log[1].warp);
    assert_int_equal(issue_log[0].warp, issue_log[2].warp);
}

/* The first cycle with warps is that of the first scheduler. */
static void turns_begin_with_the_first_warp(void **state) {
    (void)state;
    struct config c = one_sm(2, SCHEDULER_GTO);
    c.sm_memory_issue = 1;
    c.sm_issue_order = ISSUE_ROTATING;
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

/* ALU and load go together; ALU and ALU, and what waits for registers, do not. */
static void two_instructions_of_a_warp_at_once(void **state) {
    (void)state;
    struct config c = one_sm(1, SCHEDULER_GTO);
    run(&c, alus_and_loads, 32);
    assert_int_equal(issue_log[4].cycle - issue_log[0].cycle, 4);
    c.sm_dual_issue = 1;
    struct outcome o = run(&c, alus_and_loads, 32);
    static const uint64_t at[] = {0, 0, 1, 2, 2};
    for (unsigned n = 0; n < 5; n++)
        assert_int_equal(issue_log[n].cycle - issue_log[0].cycle, at[n]);
    assert_int_equal(o.stats.v[STAT_dual_issues], 3); /* and the exit behind the SFU */
    expect_slots(&c, o.stats.v);
}

static void fp64_and_sfu(const struct warp_place *place, uint32_t pc, struct warp_inst *i) {
    note(place, pc);
    alu(i, 0, 0);
    i->op = pc == 0 ? WARP_FP64 : pc == 1 ? WARP_SFU : WARP_EXIT;
}

/* They share their collectors, but not their units. */
static void fp64_and_sfu_go_together(void **state) {
    (void)state;
    struct config c = one_sm(1, SCHEDULER_GTO);
    assert_int_equal(run(&c, fp64_and_sfu, 32).stats.v[STAT_dual_issues], 0);
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

/* The result of the second access comes as late as at a unit of its own, but the access issues at
 * once: it waits in the LSU. */
static void shared_accesses_wait_in_the_lsu(void **state) {
    (void)state;
    struct config c = one_sm(1, SCHEDULER_GTO);
    run(&c, shared_and_use, 32);
    assert_int_equal(issue_log[1].cycle - issue_log[0].cycle, 4);
    uint64_t used = issue_log[2].cycle - issue_log[0].cycle;
    c.sm_shared_path = SHARED_LSU;
    run(&c, shared_and_use, 32);
    assert_int_equal(issue_log[1].cycle - issue_log[0].cycle, 1);
    assert_int_equal(issue_log[2].cycle - issue_log[0].cycle, used);
}

/* Warp 0 loads, warps 1 and 2 calculate. */
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
    (void)state;
    struct config c = one_sm(1, SCHEDULER_GTO);
    struct outcome o = run(&c, loads_beside_alus, 96);
    assert_int_equal(o.stats.v[STAT_slots_lsu], 0);
    uint64_t insts = o.stats.v[STAT_warp_insts];
    c.sm_collectors = 2;
    o = run(&c, loads_beside_alus, 96);
    /* 8 loads of 32 lines: until the fifth is in the LSU, three or more wait behind another. */
    assert_true(o.stats.v[STAT_slots_lsu] > 4 * 32);
    assert_int_equal(o.stats.v[STAT_warp_insts], insts);
}

/* ---- ends and atomics ---- */

static bool load_pending; /* as the warp exits */

static void exit_soon(const struct warp_place *place, uint32_t pc, struct warp_inst *i) {
    note(place, pc);
    alu(i, 0, 0);
    if (pc == 0 && load_pending)
        load(i, BASE, R(1));
    if (pc == 1)
        i->op = WARP_EXIT;
}

static void an_exit_takes_its_time(void **state) {
    (void)state;
    struct config c = one_sm(1, SCHEDULER_GTO);
    for (int pending = 0; pending < 2; pending++) {
        load_pending = pending;
        c.sm_exit_latency = 0;
        uint64_t without = run(&c, exit_soon, 32).stats.v[STAT_cycles];
        c.sm_exit_latency = 20;
        /* It passes while a load is out. */
        assert_int_equal(run(&c, exit_soon, 32).stats.v[STAT_cycles], without + (pending ? 0 : 20));
    }
}

/* One pipeline (sm.ends_wait): the exit of warp 0 enters it in cycle 6, that of warp 1 in 13. Three
 * cycles of instructions may wait, so the second and the third exit hold up issue. */
static void exits_wait_in_the_pipeline(void **state) {
    (void)state;
    static const uint64_t without[] = {0, 4, 8, 12}, with[] = {0, 4, 11, 18};
    struct config c = one_sm(1, SCHEDULER_GTO);
    for (c.sm_ends_wait = 0; c.sm_ends_wait < 2; c.sm_ends_wait++) {
        struct outcome o = run(&c, three_alus, 128);
        expect_order("000111222333");
        for (unsigned i = 0; i < 12; i++)
            assert_int_equal(issue_log[i].cycle, (c.sm_ends_wait ? with : without)[i / 3] + i % 3);
        assert_int_equal(o.stats.v[STAT_slots_unit], c.sm_ends_wait ? 6 : 0);
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
    (void)state;
    struct config c = one_sm(1, SCHEDULER_GTO);
    struct outcome o = run(&c, atomic_then_alu, 32);
    assert_int_equal(issue_log[1].cycle - issue_log[0].cycle, 1);
    c.sm_atomics = ATOMICS_HOLD;
    o = run(&c, atomic_then_alu, 32);
    /* The last of 32 accesses is acknowledged just before the ALU issues, and the warp exits. */
    assert_in_range(o.stats.v[STAT_cycles] - issue_log[1].cycle, 1, 4);
    assert_int_equal(o.stats.v[STAT_l2_atomics], 32);
}

/* ---- instruction cache ---- */

static uint32_t n_insts, inst_bytes, turn_after; /* turn_after: instructions of a loop; 0: none */

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
    (void)state;
    struct config c = one_sm(1, SCHEDULER_GTO);
    c.sm_fetch = 1;
    c.icache_sets = 2;
    c.icache_ways = 2;
    /* Six instructions and the exit, two a fetch, in one line. */
    struct outcome o = run_code(&c, 6, 16, 0);
    assert_int_equal(o.stats.v[STAT_icache_misses], 1);
    assert_int_equal(o.stats.v[STAT_icache_hits], 3);
    assert_int_equal(o.stats.v[STAT_l2_accesses], 1);
    uint64_t one = o.stats.v[STAT_cycles];
    /* Sixteen and the exit in two lines and the first place of a third. */
    o = run_code(&c, 16, 16, 0);
    assert_int_equal(o.stats.v[STAT_icache_misses], 3);
    assert_int_equal(o.stats.v[STAT_icache_hits], 9 - 3);
    assert_true(o.stats.v[STAT_cycles] > 2 * one);
    /* A loop over four lines, two of each set, stays; over five lines in turn it does not: the
     * three of set 0 miss each time. A fetch is for the address behind what issued last. */
    o = run_code(&c, 40, 64, 8);
    assert_int_equal(o.stats.v[STAT_icache_misses], 4);
    o = run_code(&c, 40, 64, 10);
    assert_int_equal(o.stats.v[STAT_icache_misses], 2 + 3 * 4);
}

static void warps_share_a_line_that_comes(void **state) {
    (void)state;
    struct config c = one_sm(1, SCHEDULER_GTO);
    c.sm_fetch = 1;
    c.icache_sets = 1;
    n_insts = 2;
    inst_bytes = 16;
    turn_after = 0;
    struct outcome o = run(&c, straight, 8 * 32);
    assert_int_equal(o.stats.v[STAT_icache_misses], 8);
    assert_int_equal(o.stats.v[STAT_l2_accesses], 1);
    /* In the order in which they missed: warp 1 was the first in turn. */
    for (unsigned n = 0; n < 4; n++)
        assert_int_equal(issue_log[2 * n].warp, n + 1);
}

/* A load of global memory, three shared accesses, a load of local memory, one of a trace, a store
 * that waits for none of them. */
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

/* n before each access of global or shared memory, which waits for the last of them. */
static void addresses_are_computed_first(void **state) {
    (void)state;
    struct program p = program_of(all_kinds);
    struct config c = one_sm(1, SCHEDULER_GTO);
    const struct outcome without = run_program(&c, &p, false);
    assert_int_equal(without.stats.v[STAT_warp_insts], 8);
    assert_int_equal(without.stats.v[STAT_shared_insts], 3);
    for (int64_t n = 1; n <= 3; n++) {
        p = program_of(all_kinds);
        c.sm_address_insts = n;
        const struct outcome with = run_program(&c, &p, false);
        const uint64_t wait = (uint64_t)(n - 1 + c.sm_alu_latency), run = (uint64_t)n * 3 - 1;
        assert_int_equal(with.end, GPU_DONE);
        assert_int_equal(with.stats.v[STAT_warp_insts], 8 + n * (1 + 3 + 1));
        assert_int_equal(with.stats.v[STAT_shared_insts], 3);
        assert_int_equal(with.stats.v[STAT_load_insts], 3);
        assert_int_equal(p.issued[0], wait);
        assert_int_equal(p.issued[1], wait + 1 + run + (uint64_t)c.sm_alu_latency + 2);
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
