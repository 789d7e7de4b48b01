// SPDX-License-Identifier: Apache-2.0
/* Banks of the register file alone: when the latch before the collectors is free.
 * tier: test, 1 s */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "sm/banks.h"

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

/* Instructions of that slot that read src issue as soon as they can. Registers `dst` of the slot
 * are written in the cycles of `writes` (bit per cycle). Returns the cycles without an issue.
 */
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
    (void)state;
    const struct reg_set none = {{0}};
    assert_int_equal(lost(16, 0, reg(3), reg(3), 0), 0);
    assert_int_equal(lost(16, 0, none, reg(3), UINT64_MAX), 0);
    /* Two registers of two banks. */
    assert_int_equal(lost(16, 0, both(3, 4), reg(5), UINT64_MAX), 0);
}

/* The instruction of cycle c reads in c + 2. Its collector is free a cycle late, so the third
 * behind it finds none in c + 3. */
static void a_write_goes_first(void **state) {
    (void)state;
    assert_int_equal(lost(16, 0, reg(3), reg(3), cycles(10, 20)), cycles(11, 21));
    assert_int_equal(lost(16, 0, reg(3), reg(4), cycles(10, 20)), 0);
    /* Bank 3 of 16 has registers 19 and 195 too. */
    assert_int_equal(lost(16, 0, reg(195), reg(19), cycles(10, 20)), cycles(11, 21));
    assert_int_equal(lost(32, 0, reg(195), reg(19), cycles(10, 20)), 0);
    /* A bank that is written in every cycle cannot be read. */
    assert_int_equal(lost(16, 0, reg(3), reg(3), UINT64_MAX), ~UINT64_C(7));
}

static void warps_begin_at_other_banks(void **state) {
    (void)state;
    struct banks b = {.n = 8};
    const struct reg_set r = reg(6), s = reg(1);
    banks_write(&b, &r, 13, 0); /* bank (6 + 13) % 8 */
    assert_int_equal(b.written, 1 << 3);
    assert_true(banks_tick(&b, 0));
    banks_issue(&b, &s, 2);
    assert_true(banks_tick(&b, 1));
    banks_write(&b, &r, 13, 2); /* register 1 of slot 2 is in that bank, too */
    banks_tick(&b, 2);
    assert_false(regs_none(&b.collector[0].left));
    banks_tick(&b, 3);
    assert_true(regs_none(&b.collector[0].left));
}

/* Two registers of a bank take two cycles, so an instruction issues in two of three. */
static void a_bank_is_read_once_a_cycle(void **state) {
    (void)state;
    const uint64_t twice = lost(16, 5, both(3, 19), reg(5), 0);
    assert_int_equal(__builtin_popcountll(twice & 0x3ffc), 6);
    assert_int_equal(twice & 3, 0);
}

/* Cycles that pass at once are those without a write. */
static void cycles_may_be_left_out(void **state) {
    (void)state;
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
    (void)state;
    struct bank_uses b = {.n = 4};
    const struct reg_set one = reg(4), two = both(4, 8), three = {{1 << 4 | 1 << 8 | 1 << 12}};
    assert_int_equal(bank_uses_read(&b, &two, 0, 10), 0);
    assert_int_equal(bank_uses_read(&b, &one, 0, 10), 1); /* in cycle 11 */
    assert_int_equal(bank_uses_read(&b, &one, 1, 10), 0); /* another bank */
    assert_int_equal(bank_uses_read(&b, &two, 0, 11), 1); /* one now, one in cycle 12 */
    assert_int_equal(bank_uses_read(&b, &three, 0, 20), 1);
    bank_uses_write(&b, &one, 4, 30);
    assert_int_equal(bank_uses_read(&b, &two, 0, 30), 1);
    /* More writes than a cycle has room for do not delay what comes later. */
    for (unsigned i = 0; i < 5; i++)
        bank_uses_write(&b, &one, 0, 40);
    assert_int_equal(bank_uses_read(&b, &two, 0, 40), 1);
    assert_int_equal(bank_uses_read(&b, &two, 0, 41), 1); /* two of cycle 41 are taken */
}

static void a_wait_ends(void **state) {
    (void)state;
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

/* The older of two waits for a bank that is always written: the younger passes it, and one issues
 * in two cycles. */
static void the_younger_passes(void **state) {
    (void)state;
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

/* Three registers of a bank take three cycles. */
static void each_register_is_read(void **state) {
    (void)state;
    struct reg_set three = both(3, 19);
    three.w[0] |= UINT64_C(1) << 35;
    const uint64_t none_issues = lost(16, 0, three, reg(4), 0);
    assert_int_equal(__builtin_popcountll(none_issues >> 8 & 0xffffff), 16); /* of 24 cycles */
}

static void registers_of_a_bank_are_read_one_by_one(void **state) {
    (void)state;
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
