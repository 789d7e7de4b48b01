// SPDX-License-Identifier: Apache-2.0
/* Tests of the operation sequences that a coalescing table must support, and of the rules in
 * docs/understand/expiry.md. tests/expiry/golden.sh also checks the Verilog. */
#include "bench.h"

/* ---- Parameters ---- */

static void test_parameters(void **unused) {
    ILLEGAL("PAGES must be a power of two", "PAGES=12");
    ILLEGAL("ENTRIES must be less than 2 ** BLOCK_W", "ENTRIES=16", "BLOCK_W=4");
    struct expiry_bench b = START("ENTRIES=15", "BLOCK_W=4", "PAGES=2", "TAKE=16");
    expect_idle(&b, 0);
    end(&b);
}

/* ---- The specified sequence ---- */

static void test_sequence(void **unused) {
    struct expiry_bench b = START("ENTRIES=3");
    expire(&b, 1, 0);
    expire(&b, 2, 3);
    expire(&b, 1, 1);
    expire(&b, 3, 0);
    expire_out(&b, 4, 5, 2, 8);
    expire_out(&b, 2, 3, 1, 3);
    recall(&b, 1, 0);
    expire_out(&b, 5, 0, 3, 1);
    expire_out(&b, 6, 1, 4, 0x20);
    look(&b);
    assert_int_equal(b.out.st_entries, 3);
    HOLDS(&b, {2, 8}, {5, 1}, {6, 2});
    end(&b);
}

/* ---- Entries and their order ---- */

/* Runs the cycles from an operation's acceptance in cycle t to t + 3, in which the result of its
 * lookup is visible, and checks this result. */
static void expect_use(struct expiry_bench *b, bool found, bool use, unsigned way) {
    cycle(b);
    look(b);
    assert_int_equal(b->out.st_look, 0);
    idle(b, 2);
    look(b);
    assert_int_equal(b->out.st_look, 1);
    assert_int_equal(b->out.st_found, found);
    assert_int_equal(b->out.st_use, use);
    assert_int_equal(b->out.st_way, way);
    cycle(b);
    look(b);
    assert_int_equal(b->out.st_look, 0);
}

static void test_ways(void **unused) {
    struct expiry_bench b = START("ENTRIES=4");
    set_rec(&b, 0);
    expect_use(&b, false, false, 0);
    expect_out(&b, EXPIRY_NOTHING, 0, 0, true, true);
    for (unsigned i = 0; i < 4; i++) {
        set_exp(&b, i, i);
        expect_use(&b, false, true, i);
    }
    set_exp(&b, 2, 7);
    expect_use(&b, true, true, 2);
    recall(&b, 1, 2);
    recall(&b, 0, 1);
    set_exp(&b, 9, 0);
    expect_use(&b, false, true, 0); /* the lowest free entry is used */
    set_exp(&b, 8, 0);
    expect_use(&b, false, true, 1);
    set_exp(&b, 7, 0); /* the oldest entry is evicted */
    expect_use(&b, false, true, 3);
    expect_out(&b, EXPIRY_FULL, 3, 8, true, true);
    set_rec(&b, 2);
    expect_use(&b, true, true, 2);
    expect_out(&b, EXPIRY_RECALLED, 2, 0x84, true, true);
    b.in.take = 1;
    expect_use(&b, false, true, 0);
    expect_out(&b, EXPIRY_TAKEN, 9, 1, false, true);
    expect_work(&b, 2);
    expect_out(&b, EXPIRY_TAKEN, 8, 1, false, true);
    expect_work(&b, 2);
    expect_out(&b, EXPIRY_TAKEN, 7, 1, true, true);
    b.in.take = 1;
    expect_use(&b, false, false, 0);
    expect_out(&b, EXPIRY_NOTHING, 0, 0, true, true);
    expect_idle(&b, 0);
    end(&b);
}

/* An update moves an entry to the end of the order, and a recall removes it. The other entries keep
 * their order. */
static void test_order(void **unused) {
    struct expiry_bench b = START("ENTRIES=5");
    for (unsigned place = 0; place < 3; place++)
        for (unsigned recalls = 0; recalls < 2; recalls++) {
            struct test_expiry_entry after[3];
            unsigned n = 0;
            for (unsigned i = 0; i < 3; i++) {
                expire(&b, 10 + i, i);
                if (i != place)
                    after[n++] = (struct test_expiry_entry){10 + i, UINT64_C(1) << i};
            }
            if (recalls) {
                recall(&b, 10 + place, UINT64_C(1) << place);
            } else {
                expire(&b, 10 + place, 9);
                after[n++] = (struct test_expiry_entry){10 + place, UINT64_C(1) << place | 0x200};
            }
            drain(&b, after, n);
        }
    end(&b);
}

/* If entries are removed from the middle of the order one after the other, the remaining entries
 * keep their order. */
static void test_middle(void **unused) {
    struct expiry_bench b = START("ENTRIES=5");
    for (unsigned i = 0; i < 5; i++)
        expire(&b, 10 + i, i);
    recall(&b, 11, 2);
    recall(&b, 12, 4);
    expire(&b, 13, 7);
    HOLDS(&b, {10, 1}, {14, 16}, {13, 0x88});
    end(&b);
}

/* All entries can be in use. They are updated in another order, and are replaced in that order. */
static void test_all_entries(void **unused) {
    struct expiry_bench b = START("ENTRIES=256");
    for (unsigned i = 0; i < 256; i++)
        expire(&b, i * 257, i % 16);
    for (unsigned i = 0; i < 256; i++)
        expire(&b, i * 77 % 256 * 257, (i + 1) % 16);
    for (unsigned i = 0; i < 256; i++) {
        unsigned old = i * 77 % 256;
        expire_out(&b, 1 + i * 257, 0, old * 257,
                   UINT64_C(1) << old % 16 | UINT64_C(1) << (i + 1) % 16);
    }
    look(&b);
    assert_int_equal(b.out.st_entries, 256);
    end(&b);
}

static void test_every_page_and_bit(void **unused) {
    struct expiry_bench b = START("BLOCK_W=32", "PAGES=32", "ENTRIES=40");
    for (unsigned page = 0; page < 32; page++)
        expire(&b, 0x80000001, page);
    expire(&b, 0x80000001, 4); /* the page expires a second time, which changes nothing */
    for (unsigned bit = 0; bit < 32; bit++)
        recall(&b, 0x80000001 ^ UINT64_C(1) << bit, 0);
    for (unsigned bit = 0; bit < 32; bit++)
        expire(&b, 0x80000001 ^ UINT64_C(1) << bit, bit);
    recall(&b, 0x80000001, 0xffffffff);
    for (unsigned bit = 0; bit < 32; bit++)
        recall(&b, 0x80000001 ^ UINT64_C(1) << bit, UINT64_C(1) << bit);
    expect_idle(&b, 0);
    end(&b);
}

/* ---- Take ---- */

static void test_take(void **unused) {
    struct expiry_bench b = START("ENTRIES=8", "TAKE=4");
    for (unsigned n = 0; n <= 7; n++) {
        struct test_expiry_entry all[8];
        for (unsigned i = 0; i < n; i++) {
            all[i] = (struct test_expiry_entry){i, 1};
            expire(&b, i, 0);
        }
        take(&b, all, n < 4 ? n : 4);
        if (n > 4)
            take(&b, all + 4, n - 4);
        expect_idle(&b, 0);
    }
    end(&b);
}

/* If take is set again in one or more cycles of a take, exactly one more take follows, even if the
 * table is empty. */
static void test_take_again(void **unused) {
    struct expiry_bench b = START("ENTRIES=4", "TAKE=1");
    for (unsigned at = 1; at <= 4; at++)
        for (unsigned until = at; until <= 4; until++) {
            expire(&b, 3, 1);
            b.in.take = 1;
            cycle(&b);
            for (unsigned i = 1; i <= 4; i++) {
                b.in.take = i >= at && i <= until;
                b.in.out_ready = 1;
                cycle(&b);
                assert_int_equal(b.out.out_valid, i == 4);
            }
            assert_true(ready(&b)); /* the second take begins in this cycle */
            cycle(&b);
            expect_work(&b, 3);
            expect_out(&b, EXPIRY_NOTHING, 0, 0, true, true);
            expect_idle(&b, 0);
        }
    end(&b);
}

/* A take waits while other operations arrive, and is not lost. */
static void test_take_waits(void **unused) {
    struct expiry_bench b = START("ENTRIES=4");
    b.in.take = 1;
    for (unsigned i = 0; i < 4; i++) {
        set_exp(&b, i, 0);
        cycle(&b);
        expect_work(&b, 3);
    }
    set_rec(&b, 2);
    cycle(&b);
    expect_work(&b, 3);
    expect_out(&b, EXPIRY_RECALLED, 2, 1, true, true);
    assert_true(ready(&b));
    cycle(&b);
    expect_work(&b, 3);
    expect_out(&b, EXPIRY_TAKEN, 0, 1, false, true);
    expect_work(&b, 2);
    expect_out(&b, EXPIRY_TAKEN, 1, 1, false, true);
    expect_work(&b, 2);
    expect_out(&b, EXPIRY_TAKEN, 3, 1, true, true);
    expect_idle(&b, 0);
    end(&b);
}

/* ---- Order of operations ---- */

/* Operations that arrive in one cycle are served in the order recall, expire, take. */
static void test_same_cycle(void **unused) {
    struct expiry_bench b = START("ENTRIES=4");
    expire(&b, 7, 1);
    set_exp(&b, 7, 4);
    set_rec(&b, 7);
    b.in.take = 1;
    cycle(&b);
    expect_work(&b, 3);
    expect_out(&b, EXPIRY_RECALLED, 7, 2, true, true);
    /* after the first cycle of the expiration, no other operation is accepted */
    expect_work(&b, 4);
    look(&b);
    assert_int_equal(b.out.st_entries, 1);
    assert_true(ready(&b));
    cycle(&b);
    expect_work(&b, 3);
    expect_out(&b, EXPIRY_TAKEN, 7, 0x10, true, true);
    expect_idle(&b, 0);
    end(&b);
}

/* Presents an expiration from cycle `exp` of an operation on, and a recall of the same block from
 * cycle `rec` on. The recall finds the block only if it came after the expiration. */
static void check_wait(struct expiry_bench *b, unsigned exp, unsigned rec) {
    bool finds = exp < rec;
    expire(b, 1, 0);
    set_exp(b, 2, 0);
    cycle(b);
    for (unsigned i = 1; i <= 4; i++) {
        if (i >= exp)
            set_exp(b, 3, 5);
        if (i >= rec)
            set_rec(b, 3);
        cycle(b);
        assert_int_equal(b->out.exp_ready, i == 4);
        assert_int_equal(b->out.out_valid, 0);
    }
    if (finds)
        expect_work(b, 4);
    expect_work(b, 3);
    if (finds)
        expect_out(b, EXPIRY_RECALLED, 3, 0x20, true, true);
    else
        expect_out(b, EXPIRY_NOTHING, 0, 0, true, true);
    if (!finds)
        expect_work(b, 4);
    look(b);
    assert_int_equal(b->out.st_entries, finds ? 2 : 3);
    recall(b, 1, 1);
    recall(b, 2, 1);
    recall(b, 3, finds ? 0 : 0x20);
    expect_idle(b, 0);
}

static void test_first_come(void **unused) {
    struct expiry_bench b = START("ENTRIES=4");
    for (unsigned exp = 1; exp <= 4; exp++)
        for (unsigned rec = 1; rec <= 4; rec++)
            check_wait(&b, exp, rec);
    end(&b);
}

/* An expiration that is withdrawn loses its position. */
static void test_place_lost(void **unused) {
    struct expiry_bench b = START("ENTRIES=4");
    set_exp(&b, 2, 0);
    cycle(&b);
    set_exp(&b, 3, 0);
    cycle(&b);
    set_rec(&b, 3);
    cycle(&b);
    for (unsigned i = 0; i < 2; i++) {
        set_exp(&b, 3, 0);
        set_rec(&b, 3);
        cycle(&b);
    }
    expect_work(&b, 3);
    expect_out(&b, EXPIRY_NOTHING, 0, 0, true, true);
    expect_work(&b, 4);
    HOLDS(&b, {2, 1}, {3, 1});
    end(&b);
}

/* ---- The output ---- */

/* An output is stable until it is accepted. This is tested for each value of out_why. */
static void test_stands(void **unused) {
    struct expiry_bench b = START("ENTRIES=2");
    expire(&b, 1, 1);
    expire(&b, 2, 2);
    set_exp(&b, 3, 3);
    cycle(&b);
    expect_work(&b, 3);
    for (unsigned i = 0; i <= 20; i++)
        expect_out(&b, EXPIRY_FULL, 1, 2, true, i == 20);
    set_rec(&b, 2);
    cycle(&b);
    expect_work(&b, 3);
    for (unsigned i = 0; i <= 20; i++)
        expect_out(&b, EXPIRY_RECALLED, 2, 4, true, i == 20);
    set_rec(&b, 2);
    cycle(&b);
    expect_work(&b, 3);
    for (unsigned i = 0; i <= 20; i++)
        expect_out(&b, EXPIRY_NOTHING, 0, 0, true, i == 20);
    expire(&b, 4, 4);
    b.in.take = 1;
    cycle(&b);
    expect_work(&b, 3);
    for (unsigned i = 0; i <= 20; i++)
        expect_out(&b, EXPIRY_TAKEN, 3, 8, false, i == 20);
    expect_work(&b, 2);
    for (unsigned i = 0; i <= 20; i++)
        expect_out(&b, EXPIRY_TAKEN, 4, 16, true, i == 20);
    expect_idle(&b, 0);
    end(&b);
}

/* All operations arrive while an output waits. No operation is lost, and each is served in its
 * turn. */
static void test_stands_with_others(void **unused) {
    struct expiry_bench b = START("ENTRIES=2");
    expire(&b, 1, 1);
    expire(&b, 2, 2);
    set_exp(&b, 3, 3);
    set_rec(&b, 2); /* the recall is served first, so that an entry is free */
    cycle(&b);
    expect_work(&b, 3);
    for (unsigned i = 0; i < 10; i++) {
        set_exp(&b, 4, 4);
        b.in.take = i == 3;
        expect_out(&b, EXPIRY_RECALLED, 2, 4, true, i == 9);
    }
    for (unsigned i = 0; i < 4; i++) { /* block 3 is served while block 4 still waits */
        set_exp(&b, 4, 4);
        assert_false(ready(&b));
        cycle(&b);
    }
    set_exp(&b, 4, 4);
    assert_true(ready(&b));
    cycle(&b);
    expect_work(&b, 3);
    expect_out(&b, EXPIRY_FULL, 1, 2, true, true);
    assert_true(ready(&b)); /* the take begins */
    cycle(&b);
    expect_work(&b, 3);
    expect_out(&b, EXPIRY_TAKEN, 3, 8, false, true);
    expect_work(&b, 2);
    expect_out(&b, EXPIRY_TAKEN, 4, 16, true, true);
    expect_idle(&b, 0);
    end(&b);
}

/* ---- Reset ---- */

/* Resets the block in each cycle of an operation, while other operations wait. */
static void test_reset(void **unused) {
    struct expiry_bench b = START("ENTRIES=2");
    for (unsigned at = 0; at < 20; at++) {
        expire(&b, 1, 1);
        expire(&b, 2, 2);
        for (unsigned i = 0; i < at; i++) {
            set_exp(&b, 3, 3);
            set_rec(&b, 2);
            b.in.take = i == 0;
            b.in.out_ready = i % 3 == 0;
            cycle(&b);
        }
        set_exp(&b, 5, 3);
        set_rec(&b, 5);
        b.in.take = 1;
        b.in.out_ready = 1;
        reset(&b);
        expect_idle(&b, 0);
        recall(&b, 1, 0);
        take(&b, NULL, 0);
    }
    end(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parameters),
        cmocka_unit_test(test_sequence),
        cmocka_unit_test(test_ways),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_middle),
        cmocka_unit_test(test_all_entries),
        cmocka_unit_test(test_every_page_and_bit),
        cmocka_unit_test(test_take),
        cmocka_unit_test(test_take_again),
        cmocka_unit_test(test_take_waits),
        cmocka_unit_test(test_same_cycle),
        cmocka_unit_test(test_first_come),
        cmocka_unit_test(test_place_lost),
        cmocka_unit_test(test_stands),
        cmocka_unit_test(test_stands_with_others),
        cmocka_unit_test(test_reset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
