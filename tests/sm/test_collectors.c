// SPDX-License-Identifier: Apache-2.0
/* Tests of the operand collectors alone: which instruction gets a collector and when, and when its
 * result arrives.
 * tier: test, 1 s */
#include "sm/collectors.h"
#include "tests/test.h"

#define NEVER UINT64_MAX

static struct config cfg;
static struct units units;
static struct collectors c;

static void make_banked(uint32_t n, uint32_t banks) {
    config_default(&cfg);
    cfg.sm_schedulers = 4;
    strcpy(cfg.sm_alu, "9,1");
    strcpy(cfg.sm_sfu, "25,4");
    strcpy(cfg.sm_fp64, "25,8");
    units_init(&units, &cfg);
    collectors_init(&c, n, banks, 0);
}

static void make(uint32_t n) {
    make_banked(n, 0);
}

/* Issues an instruction of warp `warp`, which writes register `warp`. If `reads`, the instruction
 * has a source register, and reads for one cycle. */
static void put_reading(uint32_t scheduler, enum warp_op op, uint32_t warp, bool reads) {
    const struct warp_inst inst = {.op = op, .src = {{reads}}, .dst = {{UINT64_C(1) << warp}}};
    collectors_put(&c, scheduler, warp, collect_kind_in(&units, &inst), &units, &inst, &inst.dst);
}

static void put(uint32_t scheduler, enum warp_op op, uint32_t warp) {
    put_reading(scheduler, op, warp, true);
}

/* Runs a cycle. Returns the mask of the schedulers of which a memory instruction has got a
 * collector. */
static uint32_t tick(uint64_t cycle) {
    bool has_moved;
    return collectors_tick(&c, &units, cycle, &has_moved);
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

/* Without conflicts, a result arrives `latency` cycles after issue, and one instruction can issue
 * per cycle. */
static void arithmetic_passes(void **state) {
    make(2);
    assert_true(collectors_next_event(&c, 0) == NEVER);
    for (uint64_t cycle = 10; cycle < 15; cycle++) {
        put(0, WARP_ALU, (uint32_t)cycle);
        assert_true(c.full_kinds[0]);
        assert_true(collectors_next_event(&c, cycle + 1) == cycle + 1);
        tick(cycle + 1);
        assert_false(c.full_kinds[0]);
    }
    for (uint32_t cycle = 10; cycle < 15; cycle++)
        expect_result(cycle + 9, cycle);
    units_free(&units);
}

/* Results of all kinds of instructions, with and without source registers, arrive in the same cycle
 * as without collectors. */
static void results_are_timed_as_without(void **state) {
    for (unsigned n = 0; n < 6; n++) {
        const enum warp_op op = (enum warp_op)(WARP_ALU + n / 2);
        make(1);
        put_reading(0, op, 1, n % 2);
        tick(1);
        expect_result(units.unit[op].latency, 1);
        units_free(&units);
    }
}

/* Runs the maximum number of results in flight, with long intervals and short latencies. */
static void results_have_room(void **state) {
    make(COLLECTORS_MAX);
    units_free(&units);
    strcpy(cfg.sm_fp64, "1,64");
    cfg.sm_model = MODEL_GPGPUSIM;
    cfg.sm_collectors = COLLECTORS_MAX;
    units_init(&units, &cfg);
    uint32_t put_n = 0, got = 0;
    for (uint64_t cycle = 1; cycle < 2000; cycle++) {
        tick(cycle);
        while (units_take(&units, cycle))
            got++;
        for (uint32_t s = 0; s < 4; s++)
            if (!c.full_kinds[s]) {
                put(s, WARP_FP64, 1);
                put_n++;
            }
    }
    assert_int_equal(got, 4 * 32);
    assert_true(put_n > got && put_n - got <= 4 * (COLLECTORS_MAX + 3));
    units_free(&units);
}

/* A collector is in use only in the cycle in which operands are read, so one instruction per cycle
 * gets it. */
static void a_lone_collector_keeps_the_rate(void **state) {
    make(1);
    for (uint32_t n = 0; n < 4; n++) {
        put(0, WARP_ALU, n);
        tick(11 + n);
        assert_false(c.full_kinds[0]);
    }
    for (uint32_t n = 0; n < 4; n++)
        expect_result(10 + n + 9, n);
    units_free(&units);
}

/* FP64 enters the SFU every 8 cycles. One instruction waits in front of the SFU, two in collectors
 * and one in the register, and the scheduler's arithmetic waits behind them. */
static void slow_instructions_hold_collectors(void **state) {
    make(2);
    for (uint32_t n = 0; n < 4; n++) {
        put(0, WARP_FP64, n);
        tick(11 + n);
    }
    assert_false(c.full_kinds[0]); /* the unit accepts instructions at 13, 21, 29 and 37 */
    put(0, WARP_FP64, 4);
    put(0, WARP_ALU, 5);
    uint64_t cycle = 15;
    for (; c.full_kinds[0] & 1u << COLLECT_ALU; cycle++)
        tick(cycle);
    assert_int_equal(cycle, 22); /* arithmetic gets the collector that becomes free in cycle 21 */
    while (c.full_kinds[0])
        tick(cycle++);
    expect_result(20 + 9, 5);
    expect_result(10 + 25, 0);
    expect_result(18 + 25, 1);
    expect_result(26 + 25, 2);
    units_free(&units);
}

/* Expects the LSU to start an instruction while `older` older instructions wait. */
static void begins(uint64_t cycle, uint32_t older) {
    uint32_t got;
    assert_true(collectors_begin(&c, cycle, &got));
    assert_int_equal(got, older);
}

/* With consecutive accesses to shared memory, the first collector is refilled before the LSU takes
 * the next access, so the access in the second collector waits until the end. Other accesses keep
 * their order. */
static void the_first_collector_goes_first(void **state) {
    for (enum warp_op op = WARP_SHARED; op <= WARP_ATOMIC; op++) {
        const bool passes = op == WARP_SHARED;
        make(2);
        for (uint32_t n = 0; n < 4; n++) {
            put(0, op, n);
            assert_int_equal(tick(11 + n), 1);
            if (n == 0)
                begins(11, 0);
        }
        /* instruction 1 is in front of the LSU, 2 is in the first collector, and 3 is in the second
         * collector */
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

/* The LSU takes the oldest waiting access, but a load only after all older loads. The load of
 * scheduler 1 is still in its second collector, since an access to shared memory has overtaken
 * it. */
static void the_lsu_takes_the_oldest(void **state) {
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
    begins(20, 2); /* instruction 4 starts, since 3 must not start yet, and 2 is behind 4 */
    begins(22, 0);
    begins(24, 0);
    units_free(&units);
}

/* A memory instruction keeps its collector until it has read its eight registers, which are all in
 * one bank, even if the LSU has already started it. */
static void an_access_reads_all_its_registers(void **state) {
    make_banked(1, 4);
    const struct reg_set eight = {{0x11111111}};
    const struct warp_inst inst = {.op = WARP_LOAD, .src = eight};
    collectors_put(&c, 0, 0, COLLECT_MEMORY, &units, &inst, &inst.dst);
    assert_int_equal(tick(11), 1);
    begins(11, 0);
    put(0, WARP_LOAD, 1);
    for (uint64_t cycle = 12; cycle < 15; cycle++)
        assert_int_equal(tick(cycle), 0);
    assert_int_equal(tick(15), 1); /* two registers were read per cycle */
    units_free(&units);
}

/* While the LSU starts no instruction, one instruction waits in front of the LSU, two are in
 * collectors, and one is in the register. When the LSU starts the first instruction, the collector
 * of the second becomes free. */
static void memory_waits_for_the_lsu(void **state) {
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
    assert_false(c.full_kinds[0]);
    units_free(&units);
}

/* The oldest instruction of each kind, over all schedulers, is served first and blocks the other
 * instructions of its kind. */
static void the_oldest_holds_up_others(void **state) {
    make(1);
    put(0, WARP_LOAD, 0);
    assert_int_equal(tick(11), 1);
    put(0, WARP_ALU, 1);
    put(1, WARP_ALU, 2);
    tick(11);
    assert_true(c.full_kinds[0] && c.full_kinds[1]);
    put(1, WARP_SFU, 3); /* an instruction of another kind */
    tick(11);
    assert_int_equal(c.full_kinds[1], 1u << COLLECT_ALU);
    assert_true(collectors_next_event(&c, 12) == 12);
    tick(12); /* by now, the load has moved to the LSU's register */
    assert_false(c.full_kinds[0]);
    units_free(&units);
}

/* Two registers in one bank are read per cycle, and fewer if a register in the bank is written. */
static void banks_delay_reads(void **state) {
    make_banked(2, 4);
    const struct reg_set dst = {{1 << 8}}, written = {{1 << 4}};
    const struct warp_inst inst = {.op = WARP_ALU, .src = {{1 << 4 | 1 << 8}}, .dst = dst};
    for (uint64_t cycle = 11; cycle < 42; cycle += 30) {
        collectors_put(&c, 0, 8, COLLECT_ALU, &units, &inst, &dst);
        if (cycle == 41)
            collectors_write(&c, 0, 12, &written, cycle);
        tick(cycle);
        expect_result(cycle - 1 + 9 + (cycle == 41), 8);
    }
    units_free(&units);
}

/* With one pipeline per scheduler, a barrier that follows arithmetic in each cycle enters three
 * cycles late, and so do later instructions. */
static void a_barrier_waits_in_its_pipeline(void **state) {
    make(4);
    for (uint32_t i = 0; i < 6; i++) {
        put_reading(0, i == 4 ? WARP_BARRIER : WARP_ALU, i, false);
        tick(11 + i);
        if (i != 4)
            expect_result(10 + i + 9 + (i == 5 ? 3 : 0), i);
    }
    put(1, WARP_ALU, 6); /* an instruction of another scheduler */
    tick(17);
    expect_result(16 + 9, 6);
    units_free(&units);
}

/* ---- steps (sm.register_ports) ---- */

static void make_steps(uint32_t n, const char *integers) {
    config_default(&cfg);
    cfg.sm_schedulers = 4;
    cfg.sm_model = MODEL_GPGPUSIM;
    cfg.sm_collectors = n;
    cfg.sm_register_banks = 16;
    cfg.sm_register_ports = 2;
    strcpy(cfg.sm_alu, "7,2");
    strcpy(cfg.sm_sfu, "25,8");
    strcpy(cfg.sm_fp64, "13,4");
    strcpy(cfg.sm_int, integers);
    units_init(&units, &cfg);
    collectors_init(&c, n, 4, 2);
}

/* Issues independent instructions, which read register 0 and write register `number`, as long as
 * the register of their kind is free, until 12 have issued. Writes the numbers of the results in
 * the order in which they arrive to `order`, and returns the number of cycles from the first issue
 * to the last result. Each second instruction is for unit `other`. */
static uint64_t run_steps(enum warp_unit other, uint32_t order[12]) {
    uint32_t put_n = 0, got = 0;
    uint64_t cycle = 100;
    for (; got < 12; cycle++) {
        const struct unit_result *r;
        while ((r = units_take(&units, cycle)) != NULL)
            order[got++] = r->warp;
        if (collectors_waiting(&c, cycle))
            tick(cycle);
        const struct warp_inst inst = {.op = WARP_ALU,
                                       .unit = put_n % 2 ? other : UNIT_FLOAT,
                                       .src = {{1}},
                                       .dst = {{UINT64_C(1) << put_n}}};
        const enum collect_kind kind = collect_kind_in(&units, &inst);
        if (put_n == 12 || c.full_kinds[0] >> kind & 1)
            continue;
        collectors_put(&c, 0, put_n++, kind, &units, &inst, &inst.dst);
    }
    units_free(&units);
    return cycle - 101;
}

/* A unit that accepts an instruction every two cycles fills both collectors. From then on, the
 * lower one is refilled each time, and instruction 3 in the upper one waits until the end. */
static void the_upper_collector_starves(void **state) {
    static const uint32_t expected[12] = {0, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 3};
    uint32_t order[12];
    make_steps(2, "none");
    const uint64_t last = run_steps(UNIT_INT, order);
    assert_memory_equal(order, expected, sizeof order);
    assert_int_equal(last, 2 * 11 + 7);
}

/* Integers and single precision issue in turn, each to its own unit, one per cycle. */
static void integers_have_a_unit(void **state) {
    uint32_t order[12];
    make_steps(2, "7,2");
    assert_int_equal(run_steps(UNIT_INT, order), 11 + 7);
    for (uint32_t i = 0; i < 12; i++)
        assert_int_equal(order[i], i);
    make_steps(2, "7,2");
    assert_int_equal(run_steps(UNIT_FLOAT, order), 2 * 11 + 7);
    make_steps(2, "7,2"); /* packed half precision takes one cycle of the two */
    assert_int_equal(run_steps(UNIT_HALF, order), 17 + 7);
}

/* Issues one instruction in cycle 100 and expects its result. `writes` are registers that are
 * written in the cycle in which it leaves its collector. */
static void expect_steps(struct reg_set src, uint64_t writes, uint64_t result) {
    make_steps(2, "7,2");
    const struct warp_inst inst = {.op = WARP_ALU, .src = src, .dst = {{1}}};
    const struct reg_set written = {{writes}};
    collectors_put(&c, 0, 0, COLLECT_INT, &units, &inst, &inst.dst);
    for (uint64_t cycle = 101; cycle < 106; cycle++) {
        if (cycle == 102)
            collectors_write(&c, 0, 0, &written, cycle);
        if (collectors_waiting(&c, cycle))
            tick(cycle);
    }
    assert_null(units_take(&units, result - 1));
    assert_non_null(units_take(&units, result));
    units_free(&units);
}

/* A bank serves one read per step, and writes go first in the first step of a cycle. A second read
 * of a bank costs nothing, unless the bank is written. */
static void a_step_reads_a_bank(void **state) {
    expect_steps((struct reg_set){{0}}, 0, 106);
    expect_steps((struct reg_set){{1}}, 0, 107);
    expect_steps((struct reg_set){{0x11}}, 0, 107);
    expect_steps((struct reg_set){{0x11}}, 0x2, 107);
    expect_steps((struct reg_set){{0x11}}, 0x100, 108);
    expect_steps((struct reg_set){{0x111}}, 0, 108);
}

/* The LSU begins no instruction that will not have read its registers two cycles later. */
static void the_lsu_waits_for_reads(void **state) {
    uint32_t older;
    make_steps(2, "7,2");
    const struct warp_inst inst = {.op = WARP_SHARED, .src = {{0x1111}}};
    collectors_put(&c, 0, 0, COLLECT_MEMORY, &units, &inst, &inst.dst);
    assert_int_equal(tick(101), 1);
    assert_false(collectors_begin(&c, 101, &older));
    assert_int_equal(tick(102), 0);
    assert_true(collectors_begin(&c, 102, &older)); /* reads end in the first step of cycle 103 */
    units_free(&units);
}

/* Expects the fourth access, which gets the second one's lower collector, to leave before the third
 * one or not. */
static void expect_overtaking(enum warp_op third, enum warp_op fourth, bool overtakes) {
    const enum warp_op op[] = {WARP_LOAD, WARP_LOAD, third, fourth};
    make_steps(2, "7,2");
    for (uint32_t n = 0; n < 3; n++) {
        put_reading(0, op[n], n, false);
        assert_int_equal(tick(101 + n), 1);
    }
    begins(103, 0);
    put_reading(0, op[3], 3, false);
    assert_int_equal(tick(104) + tick(105), 1);
    begins(105, 0);
    tick(106);
    tick(107);
    begins(107, overtakes);
    units_free(&units);
}

/* A load may leave its collector before older loads, but not before older stores, and no store
 * leaves before an older access. */
static void loads_overtake_loads(void **state) {
    expect_overtaking(WARP_LOAD, WARP_LOAD, true);
    expect_overtaking(WARP_STORE, WARP_LOAD, false);
    expect_overtaking(WARP_ATOMIC, WARP_LOAD, false);
    expect_overtaking(WARP_LOAD, WARP_STORE, false);
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
        cmocka_unit_test(the_upper_collector_starves),
        cmocka_unit_test(integers_have_a_unit),
        cmocka_unit_test(a_step_reads_a_bank),
        cmocka_unit_test(the_lsu_waits_for_reads),
        cmocka_unit_test(loads_overtake_loads),
    };
    return cmocka_run_group_tests_name("collectors", tests, NULL, NULL);
}
