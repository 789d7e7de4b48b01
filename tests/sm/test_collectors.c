// SPDX-License-Identifier: Apache-2.0
/* Operand collectors alone: which instruction gets one when, and when its result comes.
 * tier: test, 1 s */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "sm/collectors.h"

#define NEVER UINT64_MAX

static struct config cfg;
static struct units units;
static struct collectors c;

static void make_banked(uint32_t n, uint32_t banks) {
    config_default(&cfg);
    cfg.sm_schedulers = 4;
    cfg.sm_alu_latency = 9;
    cfg.sm_sfu_latency = 25;
    cfg.sm_sfu_interval = 4;
    cfg.sm_fp64_latency = 25;
    cfg.sm_fp64_interval = 8;
    units_init(&units, &cfg);
    collectors_init(&c, n, banks, 0);
}

static void make(uint32_t n) {
    make_banked(n, 0);
}

/* With a source register, so that it reads for a cycle, or without; warp w writes register w. */
static void put_reading(uint32_t scheduler, enum warp_op op, uint32_t warp, bool reads) {
    const struct warp_inst inst = {.op = op, .src = {{reads}}, .dst = {{UINT64_C(1) << warp}}};
    collectors_put(&c, scheduler, warp, &inst, &inst.dst);
}

static void put(uint32_t scheduler, enum warp_op op, uint32_t warp) {
    put_reading(scheduler, op, warp, true);
}

/* Returns the memory instructions that have got a collector. */
static uint32_t tick(uint64_t cycle) {
    bool moved;
    return collectors_tick(&c, &units, cycle, &moved);
}

static void dumps(const char *expected) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    collectors_dump(&c, 7, out);
    fclose(out);
    assert_string_equal(text, expected);
    free(text);
}

static void expect_result(uint64_t cycle, uint32_t warp) {
    assert_null(units_take(&units, cycle - 1));
    const struct unit_result *r = units_take(&units, cycle);
    assert_non_null(r);
    assert_int_equal(r->warp, warp);
    assert_true(r->regs.w[0] == UINT64_C(1) << warp);
}

/* Nothing is in the way: a result comes `latency` after issue, and each cycle another may issue. */
static void arithmetic_passes(void **state) {
    (void)state;
    make(2);
    assert_true(collectors_next_event(&c, 0) == NEVER);
    for (uint64_t cycle = 10; cycle < 15; cycle++) {
        put(0, WARP_ALU, (uint32_t)cycle);
        assert_true(c.taken[0]);
        assert_true(collectors_next_event(&c, cycle + 1) == cycle + 1);
        tick(cycle + 1);
        assert_false(c.taken[0]);
    }
    for (uint32_t cycle = 10; cycle < 15; cycle++)
        expect_result(cycle + 9, cycle);
    units_free(&units);
}

/* Of all kinds, with and without source registers, in the first cycle too. */
static void results_are_timed_as_without(void **state) {
    (void)state;
    for (unsigned n = 0; n < 6; n++) {
        const enum warp_op op = (enum warp_op)(WARP_ALU + n / 2);
        make(1);
        put_reading(0, op, 1, n % 2);
        tick(1);
        expect_result(units.unit[op].latency, 1);
        units_free(&units);
    }
}

/* As many results are on their way as can be: of long intervals and short latencies. */
static void results_have_room(void **state) {
    (void)state;
    make(COLLECTORS_MAX);
    units_free(&units);
    cfg.sm_fp64_latency = 1;
    cfg.sm_fp64_interval = 64;
    cfg.sm_collectors = COLLECTORS_MAX;
    units_init(&units, &cfg);
    uint32_t put_n = 0, got = 0;
    for (uint64_t cycle = 1; cycle < 2000; cycle++) {
        tick(cycle);
        while (units_take(&units, cycle))
            got++;
        for (uint32_t s = 0; s < 4; s++)
            if (!c.taken[s]) {
                put(s, WARP_FP64, 1);
                put_n++;
            }
    }
    assert_int_equal(got, 4 * 32);
    assert_true(put_n > got && put_n - got <= 4 * (COLLECTORS_MAX + 3));
    units_free(&units);
}

/* A collector is held for the cycle in which operands are read, so one gets one in each cycle. */
static void a_lone_collector_keeps_the_rate(void **state) {
    (void)state;
    make(1);
    for (uint32_t n = 0; n < 4; n++) {
        put(0, WARP_ALU, n);
        tick(11 + n);
        assert_false(c.taken[0]);
    }
    for (uint32_t n = 0; n < 4; n++)
        expect_result(10 + n + 9, n);
    units_free(&units);
}

/* FP64 goes to the SFU every 8 cycles: one waits before it, two in collectors, one in its register;
 * arithmetic of the scheduler waits behind them. */
static void slow_instructions_hold_collectors(void **state) {
    (void)state;
    make(2);
    for (uint32_t n = 0; n < 4; n++) {
        put(0, WARP_FP64, n);
        tick(11 + n);
    }
    assert_false(c.taken[0]); /* units taken at 13, 21, 29, 37 */
    put(0, WARP_FP64, 4);
    put(0, WARP_ALU, 5);
    uint64_t cycle = 15;
    for (; c.taken[0] & 1u << COLLECT_ALU; cycle++)
        tick(cycle);
    assert_int_equal(cycle, 22); /* at 21 a collector comes free; arithmetic goes first */
    while (c.taken[0])
        tick(cycle++);
    expect_result(20 + 9, 5);
    expect_result(10 + 25, 0);
    expect_result(18 + 25, 1);
    expect_result(26 + 25, 2);
    units_free(&units);
}

/* Expects the LSU to begin the instruction that `older` others are older than. */
static void begins(uint64_t cycle, uint32_t older) {
    assert_int_equal(collectors_begin(&c, cycle), older);
}

/* Accesses to shared memory in a row: the first collector is filled again before the LSU takes the
 * next, so the one in the second collector waits for the end. Other accesses keep their order. */
static void the_first_collector_goes_first(void **state) {
    (void)state;
    for (enum warp_op op = WARP_SHARED; op <= WARP_ATOMIC; op++) {
        const bool passes = op == WARP_SHARED;
        make(2);
        for (uint32_t n = 0; n < 4; n++) {
            put(0, op, n);
            assert_int_equal(tick(11 + n), 1);
            if (n == 0)
                begins(11, 0);
        }
        /* 1 is before the LSU, 2 in the first collector, 3 in the second. */
        for (uint32_t n = 4; n < 7; n++) {
            begins(8 * n - 13, n == 6 && passes);
            put(0, op, n);
            assert_int_equal(tick(8 * n - 10), 1);
        }
        begins(43, passes);
        begins(51, passes);
        begins(59, 0);
        units_free(&units);
    }
}

/* The LSU takes the oldest of those before it, but no load before an older one: that of scheduler 1
 * is still in its second collector, since an access to shared memory has passed it. */
static void the_lsu_takes_the_oldest(void **state) {
    (void)state;
    make(2);
    put(1, WARP_SHARED, 0);
    put(0, WARP_SHARED, 1);
    assert_int_equal(tick(11), 2);
    put(1, WARP_LOAD, 2);
    put(0, WARP_LOAD, 3);
    assert_int_equal(tick(11), 2);
    put(1, WARP_SHARED, 4);
    assert_int_equal(tick(12), 1);
    begins(16, 0);
    begins(18, 0);
    begins(20, 2); /* 4: 3 may not, 2 is behind it */
    begins(22, 0);
    begins(24, 0);
    units_free(&units);
}

/* A memory instruction holds its collector until it has read four registers of one bank, though the
 * LSU has begun it. */
static void an_access_reads_all_its_registers(void **state) {
    (void)state;
    make_banked(1, 4);
    const struct reg_set eight = {{0x11111111}};
    const struct warp_inst inst = {.op = WARP_LOAD, .src = eight};
    collectors_put(&c, 0, 0, &inst, &inst.dst);
    assert_int_equal(tick(11), 1);
    begins(11, 0);
    put(0, WARP_LOAD, 1);
    for (uint64_t cycle = 12; cycle < 15; cycle++)
        assert_int_equal(tick(cycle), 0);
    assert_int_equal(tick(15), 1); /* two a cycle */
    units_free(&units);
}

/* While the LSU begins none, one stands before it, two hold the collectors and one the register.
 * It takes the first: the collector of the second is free then. */
static void memory_waits_for_the_lsu(void **state) {
    (void)state;
    make(2);
    dumps("");
    for (uint32_t n = 0; n < 4; n++) {
        put(0, WARP_LOAD, n);
        assert_int_equal(tick(11 + n), n < 3);
    }
    assert_true(collectors_next_event(&c, 15) == NEVER);
    put(3, WARP_ALU, 9);
    dumps("sm.7 scheduler 0, 2 collectors: 3 memory instructions wait for the LSU, for a collector "
          "load of warp 3\n"
          "sm.7 scheduler 3, 2 collectors: 0 memory instructions wait for the LSU, for a collector "
          "alu of warp 9\n");
    tick(16);
    begins(20, 0);
    assert_true(collectors_next_event(&c, 21) == 22);
    assert_int_equal(tick(21), 0);
    assert_int_equal(tick(22), 1);
    assert_false(c.taken[0]);
    units_free(&units);
}

/* Of each kind the oldest is served first, over all schedulers: it holds up the others. */
static void the_oldest_holds_up_others(void **state) {
    (void)state;
    make(1);
    put(0, WARP_LOAD, 0);
    assert_int_equal(tick(11), 1);
    put(0, WARP_ALU, 1);
    put(1, WARP_ALU, 2);
    tick(11);
    assert_true(c.taken[0] && c.taken[1]);
    put(1, WARP_SFU, 3); /* of another kind */
    tick(11);
    assert_int_equal(c.taken[1], 1u << COLLECT_ALU);
    assert_true(collectors_next_event(&c, 12) == 12);
    tick(12); /* the load has gone to the LSU's register */
    assert_false(c.taken[0]);
    units_free(&units);
}

/* Registers of one bank: two are read in a cycle, fewer if one is written. */
static void banks_delay_reads(void **state) {
    (void)state;
    make_banked(2, 4);
    const struct reg_set dst = {{1 << 8}}, written = {{1 << 4}};
    const struct warp_inst inst = {.op = WARP_ALU, .src = {{1 << 4 | 1 << 8}}, .dst = dst};
    for (uint64_t cycle = 11; cycle < 42; cycle += 30) {
        collectors_put(&c, 0, 8, &inst, &dst);
        if (cycle == 41)
            collectors_write(&c, 0, 12, &written, cycle);
        tick(cycle);
        expect_result(cycle - 1 + 9 + (cycle == 41), 8);
    }
    units_free(&units);
}

/* One pipeline a scheduler: a barrier behind arithmetic of each cycle enters three cycles late, and
 * so does what comes behind it. */
static void a_barrier_waits_in_its_pipeline(void **state) {
    (void)state;
    for (uint32_t pipes = 0; pipes < 2; pipes++) {
        make(4);
        c.part[0].pipes.n = pipes;
        for (uint32_t i = 0; i < 6; i++) {
            put_reading(0, i == 4 ? WARP_BARRIER : WARP_ALU, i, false);
            tick(11 + i);
            if (i != 4)
                expect_result(10 + i + 9 + (i == 5 && pipes ? 3 : 0), i);
        }
        put(1, WARP_ALU, 6); /* of another scheduler */
        tick(17);
        expect_result(16 + 9, 6);
        units_free(&units);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arithmetic_passes),
        cmocka_unit_test(results_are_timed_as_without),
        cmocka_unit_test(results_have_room),
        cmocka_unit_test(a_lone_collector_keeps_the_rate),
        cmocka_unit_test(slow_instructions_hold_collectors),
        cmocka_unit_test(the_first_collector_goes_first),
        cmocka_unit_test(the_lsu_takes_the_oldest),
        cmocka_unit_test(an_access_reads_all_its_registers),
        cmocka_unit_test(memory_waits_for_the_lsu),
        cmocka_unit_test(the_oldest_holds_up_others),
        cmocka_unit_test(banks_delay_reads),
        cmocka_unit_test(a_barrier_waits_in_its_pipeline),
    };
    return cmocka_run_group_tests_name("collectors", tests, NULL, NULL);
}
