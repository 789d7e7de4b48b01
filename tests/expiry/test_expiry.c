// SPDX-License-Identifier: Apache-2.0
/* The sequences that a coalescing table has to show, and the sentences of
 * docs/understand/expiry.md. tests/expiry/golden.sh has them shown by the Verilog too. */
#include "bench.h"

/* ---- Parameters ---- */

static void expect_illegal(const char *const *set, const char *why) {
    struct block_params p = point(set);
    char err[1024] = "";
    assert_int_equal(block_params_check(&expiry_type, &p, err, sizeof err), -1);
    if (!strstr(err, why))
        fail_msg("\"%s\" does not say: %s", err, why);
}

#define ILLEGAL(why, ...) expect_illegal((const char *const[]){__VA_ARGS__, NULL}, why)

static void test_parameters(void **unused) {
    (void)unused;
    ILLEGAL("PAGES must be a power of two", "PAGES=12");
    ILLEGAL("ENTRIES must be less than 2 ** BLOCK_W", "ENTRIES=16", "BLOCK_W=4");
    struct bench b = START("ENTRIES=15", "BLOCK_W=4", "PAGES=2", "TAKE=16");
    expect_idle(&b, 0);
    end(&b);
}

/* ---- The sequence of the specification ---- */

static void test_sequence(void **unused) {
    (void)unused;
    struct bench b = START("ENTRIES=3");
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

/* The result of a lookup in cycle t shows in t + 3. */
static void expect_use(struct bench *b, bool found, bool use, unsigned way) {
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
    (void)unused;
    struct bench b = START("ENTRIES=4");
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
    expect_use(&b, false, true, 0); /* the lowest that is free */
    set_exp(&b, 8, 0);
    expect_use(&b, false, true, 1);
    set_exp(&b, 7, 0); /* the oldest goes */
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

/* An update, and a recall, of the entry at each place of the order of three. */
static void test_order(void **unused) {
    (void)unused;
    struct bench b = START("ENTRIES=5");
    for (unsigned place = 0; place < 3; place++)
        for (unsigned recalls = 0; recalls < 2; recalls++) {
            struct entry after[3];
            unsigned n = 0;
            for (unsigned i = 0; i < 3; i++) {
                expire(&b, 10 + i, i);
                if (i != place)
                    after[n++] = (struct entry){10 + i, UINT64_C(1) << i};
            }
            if (recalls) {
                recall(&b, 10 + place, UINT64_C(1) << place);
            } else {
                expire(&b, 10 + place, 9);
                after[n++] = (struct entry){10 + place, UINT64_C(1) << place | 0x200};
            }
            drain(&b, after, n);
        }
    end(&b);
}

/* Entries go from between others one after the other, which have become neighbours by it. */
static void test_middle(void **unused) {
    (void)unused;
    struct bench b = START("ENTRIES=5");
    for (unsigned i = 0; i < 5; i++)
        expire(&b, 10 + i, i);
    recall(&b, 11, 2);
    recall(&b, 12, 4);
    expire(&b, 13, 7);
    HOLDS(&b, {10, 1}, {14, 16}, {13, 0x88});
    end(&b);
}

/* All entries in use, updated in another order, and all replaced. */
static void test_all_entries(void **unused) {
    (void)unused;
    struct bench b = START("ENTRIES=256");
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
    (void)unused;
    struct bench b = START("BLOCK_W=32", "PAGES=32", "ENTRIES=40");
    for (unsigned page = 0; page < 32; page++)
        expire(&b, 0x80000001, page);
    expire(&b, 0x80000001, 4); /* again: nothing new */
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
    (void)unused;
    struct bench b = START("ENTRIES=8", "TAKE=4");
    for (unsigned n = 0; n <= 7; n++) {
        struct entry all[8];
        for (unsigned i = 0; i < n; i++) {
            all[i] = (struct entry){i, 1};
            expire(&b, i, 0);
        }
        take(&b, all, n < 4 ? n : 4);
        if (n > 4)
            take(&b, all + 4, n - 4);
        expect_idle(&b, 0);
    }
    end(&b);
}

/* take in each cycle of a take: one more follows, from an empty table too. */
static void test_take_again(void **unused) {
    (void)unused;
    struct bench b = START("ENTRIES=4", "TAKE=1");
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
            assert_true(ready(&b)); /* it waits, and begins in this cycle */
            cycle(&b);
            expect_work(&b, 3);
            expect_out(&b, EXPIRY_NOTHING, 0, 0, true, true);
            expect_idle(&b, 0);
        }
    end(&b);
}

/* A take waits while others come, and is not forgotten. */
static void test_take_waits(void **unused) {
    (void)unused;
    struct bench b = START("ENTRIES=4");
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

/* In one cycle: recall, expire, take. */
static void test_same_cycle(void **unused) {
    (void)unused;
    struct bench b = START("ENTRIES=4");
    expire(&b, 7, 1);
    set_exp(&b, 7, 4);
    set_rec(&b, 7);
    b.in.take = 1;
    cycle(&b);
    expect_work(&b, 3);
    expect_out(&b, EXPIRY_RECALLED, 7, 2, true, true);
    expect_work(&b, 4); /* its first cycle, in which nothing else is taken */
    look(&b);
    assert_int_equal(b.out.st_entries, 1);
    assert_true(ready(&b));
    cycle(&b);
    expect_work(&b, 3);
    expect_out(&b, EXPIRY_TAKEN, 7, 0x10, true, true);
    expect_idle(&b, 0);
    end(&b);
}

/* An expiration waits from cycle `exp` of an operation on, a recall of the same block from cycle
 * `rec`: the recall finds it if it came later. */
static void check_wait(struct bench *b, unsigned exp, unsigned rec) {
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
    (void)unused;
    struct bench b = START("ENTRIES=4");
    for (unsigned exp = 1; exp <= 4; exp++)
        for (unsigned rec = 1; rec <= 4; rec++)
            check_wait(&b, exp, rec);
    end(&b);
}

/* An expiration that is taken away loses its place. */
static void test_place_lost(void **unused) {
    (void)unused;
    struct bench b = START("ENTRIES=4");
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

/* Stands until it is taken: why 0, 2, 3, 1. */
static void test_stands(void **unused) {
    (void)unused;
    struct bench b = START("ENTRIES=2");
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

/* Everything comes while an output stands; nothing is lost, each in its turn. */
static void test_stands_with_others(void **unused) {
    (void)unused;
    struct bench b = START("ENTRIES=2");
    expire(&b, 1, 1);
    expire(&b, 2, 2);
    set_exp(&b, 3, 3);
    set_rec(&b, 2); /* goes first, so there is room */
    cycle(&b);
    expect_work(&b, 3);
    for (unsigned i = 0; i < 10; i++) {
        set_exp(&b, 4, 4);
        b.in.take = i == 3;
        expect_out(&b, EXPIRY_RECALLED, 2, 4, true, i == 9);
    }
    for (unsigned i = 0; i < 4; i++) { /* of block 3, with 4 still waiting */
        set_exp(&b, 4, 4);
        assert_false(ready(&b));
        cycle(&b);
    }
    set_exp(&b, 4, 4);
    assert_true(ready(&b));
    cycle(&b);
    expect_work(&b, 3);
    expect_out(&b, EXPIRY_FULL, 1, 2, true, true);
    assert_true(ready(&b)); /* and the take begins */
    cycle(&b);
    expect_work(&b, 3);
    expect_out(&b, EXPIRY_TAKEN, 3, 8, false, true);
    expect_work(&b, 2);
    expect_out(&b, EXPIRY_TAKEN, 4, 16, true, true);
    expect_idle(&b, 0);
    end(&b);
}

/* ---- Reset ---- */

/* In each cycle of an operation with others waiting. */
static void test_reset(void **unused) {
    (void)unused;
    struct bench b = START("ENTRIES=2");
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
