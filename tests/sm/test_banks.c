// SPDX-License-Identifier: Apache-2.0
/* Tests of register file banks alone: when the latch in front of the collectors is free.
 * tier: test, 1 s */
#include "sm/banks.h"
#include "tests/test.h"

#define MAX_CYCLES 64

static struct reg_set reg(unsigned r) {
    struct reg_set set = {{0}};
    set.w[r / 64] = UINT64_C(1) << r % 64;
    return set;
}

static struct reg_set both(unsigned r, unsigned s) {
    struct reg_set set = reg(r);
    const struct reg_set other = reg(s);
    regs_add(&set, &other);
    return set;
}

/* Issues instructions of a warp slot that read `src`, as early as possible, with n banks. The
 * slot's registers `dst` are written in the cycles in the mask `writes`. Returns the mask of the
 * cycles without an issue. */
static uint64_t lost(uint32_t n, uint32_t slot, struct reg_set src, struct reg_set dst,
                     uint64_t writes) {
    struct banks b = {.n = n};
    uint64_t lost = 0;
    for (uint64_t cycle = 0; cycle < MAX_CYCLES; cycle++) {
        if (writes >> cycle & 1)
            banks_write(&b, &dst, slot, cycle);
        if (banks_tick(&b, cycle))
            banks_issue(&b, &src, slot);
        else
            lost |= UINT64_C(1) << cycle;
    }
    return lost;
}

static uint64_t cycles(unsigned a, unsigned b) {
    return UINT64_C(1) << a | UINT64_C(1) << b;
}

static void one_issues_in_each_cycle(void **state) {
    const struct reg_set none = {{0}};
    assert_int_equal(lost(16, 0, reg(3), reg(3), 0), 0);
    assert_int_equal(lost(16, 0, none, reg(3), UINT64_MAX), 0);
    /* the two registers are in different banks */
    assert_int_equal(lost(16, 0, both(3, 4), reg(5), UINT64_MAX), 0);
}

/* An instruction that is issued in cycle c reads in c + 2. If its bank is written in that cycle,
 * its collector becomes free one cycle late, so no instruction finds a free collector in c + 3. */
static void a_write_goes_first(void **state) {
    assert_int_equal(lost(16, 0, reg(3), reg(3), cycles(10, 20)), cycles(11, 21));
    assert_int_equal(lost(16, 0, reg(3), reg(4), cycles(10, 20)), 0);
    /* bank 3 of 16 also contains registers 19 and 195 */
    assert_int_equal(lost(16, 0, reg(195), reg(19), cycles(10, 20)), cycles(11, 21));
    assert_int_equal(lost(32, 0, reg(195), reg(19), cycles(10, 20)), 0);
    /* a bank that is written in every cycle cannot be read */
    assert_int_equal(lost(16, 0, reg(3), reg(3), UINT64_MAX), ~UINT64_C(7));
}

static void warps_begin_at_other_banks(void **state) {
    struct banks b = {.n = 8};
    const struct reg_set r = reg(6), s = reg(1);
    banks_write(&b, &r, 13, 0); /* register 6 is in bank (6 + 13) % 8 */
    assert_int_equal(b.written, 1 << 3);
    assert_true(banks_tick(&b, 0));
    banks_issue(&b, &s, 2);
    assert_true(banks_tick(&b, 1));
    banks_write(&b, &r, 13, 2); /* register 1 of slot 2 is in the same bank */
    banks_tick(&b, 2);
    assert_false(regs_none(&b.collector[0].left));
    banks_tick(&b, 3);
    assert_true(regs_none(&b.collector[0].left));
}

/* If two registers are in one bank, an instruction reads for two cycles. */
static void a_bank_is_read_once_a_cycle(void **state) {
    const uint64_t twice = lost(16, 5, both(3, 19), reg(5), 0);
    assert_int_equal(__builtin_popcountll(twice & 0x3ffc), 6);
    assert_int_equal(twice & 3, 0);
}

/* A skipped cycle counts as a cycle without a write. */
static void cycles_may_be_left_out(void **state) {
    const struct reg_set r = reg(3);
    for (uint64_t next = 1; next < 8; next++) {
        struct banks b = {.n = 16};
        for (uint64_t cycle = 0; cycle < 3; cycle++) {
            banks_write(&b, &r, 0, cycle);
            assert_true(banks_tick(&b, cycle));
            banks_issue(&b, &r, 0);
        }
        assert_int_equal(banks_tick(&b, 2 + next), next > 1);
    }
}

/* ---- the part of a scheduler ---- */

static void a_bank_is_used_twice_a_cycle(void **state) {
    struct bank_uses b = {.n = 4};
    const struct reg_set one = reg(4), two = both(4, 8), three = {{1 << 4 | 1 << 8 | 1 << 12}};
    assert_int_equal(bank_uses_read(&b, &two, 0, 10), 0);
    assert_int_equal(bank_uses_read(&b, &one, 0, 10), 1); /* the read is delayed to cycle 11 */
    assert_int_equal(bank_uses_read(&b, &one, 1, 10), 0); /* slot 1 uses another bank */
    /* one register is read in cycle 11, the other in cycle 12 */
    assert_int_equal(bank_uses_read(&b, &two, 0, 11), 1);
    assert_int_equal(bank_uses_read(&b, &three, 0, 20), 1);
    bank_uses_write(&b, &one, 4, 30);
    assert_int_equal(bank_uses_read(&b, &two, 0, 30), 1);
    /* writes that do not fit in one cycle do not delay uses of the next cycle */
    for (unsigned i = 0; i < 5; i++)
        bank_uses_write(&b, &one, 0, 40);
    assert_int_equal(bank_uses_read(&b, &two, 0, 40), 1);
    assert_int_equal(bank_uses_read(&b, &two, 0, 41), 1); /* cycle 41 has two earlier uses */
}

static void a_wait_ends(void **state) {
    struct bank_uses b = {.n = 4};
    const struct reg_set one = reg(4);
    uint32_t wait = 0;
    for (unsigned i = 0; i < 40; i++) {
        uint32_t w = bank_uses_read(&b, &one, 0, 7);
        assert_true(w == wait || w == wait + 1);
        wait = w;
    }
    assert_int_equal(wait, BANKS_MAX_READS - 1);
}

/* The older of two instructions waits for a bank that is written in every cycle. The younger
 * overtakes it, and one instruction issues every two cycles. */
static void the_younger_passes(void **state) {
    struct banks b = {.n = 16};
    const struct reg_set slow = reg(3), quick = reg(4);
    unsigned issued = 0;
    for (uint64_t cycle = 0; cycle < 40; cycle++) {
        banks_write(&b, &slow, 0, cycle);
        if (banks_tick(&b, cycle))
            banks_issue(&b, issued++ ? &quick : &slow, 0);
    }
    assert_true(b.collector[0].held && regs_overlap(&b.collector[0].left, &slow));
    assert_in_range(issued, 20, 23);
}

/* If three registers are in one bank, an instruction reads for three cycles. */
static void each_register_is_read(void **state) {
    struct reg_set three = both(3, 19);
    three.w[0] |= UINT64_C(1) << 35;
    const uint64_t none_issues = lost(16, 0, three, reg(4), 0);
    /* no instruction issues in 16 of 24 cycles */
    assert_int_equal(__builtin_popcountll(none_issues >> 8 & 0xffffff), 16);
}

static void registers_of_a_bank_are_read_one_by_one(void **state) {
    const struct banks b = {.n = 16};
    struct reg_set all, none = {{0}}, some = both(3, 4);
    memset(&all, 0xff, sizeof all);
    assert_int_equal(banks_read_cycles(&b, &none), 0);
    assert_int_equal(banks_read_cycles(&b, &some), 1);
    some = both(3, 195);
    assert_int_equal(banks_read_cycles(&b, &some), 2);
    assert_int_equal(banks_read_cycles(&b, &all), BANKS_MAX_READS);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_issues_in_each_cycle),
        cmocka_unit_test(a_write_goes_first),
        cmocka_unit_test(warps_begin_at_other_banks),
        cmocka_unit_test(a_bank_is_read_once_a_cycle),
        cmocka_unit_test(cycles_may_be_left_out),
        cmocka_unit_test(a_bank_is_used_twice_a_cycle),
        cmocka_unit_test(a_wait_ends),
        cmocka_unit_test(the_younger_passes),
        cmocka_unit_test(each_register_is_read),
        cmocka_unit_test(registers_of_a_bank_are_read_one_by_one),
    };
    return cmocka_run_group_tests_name("banks", tests, NULL, NULL);
}
