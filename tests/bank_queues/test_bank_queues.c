// SPDX-License-Identifier: Apache-2.0
/* Directed tests of the bank_queues model. They follow the contract rule by rule. */
#include "bank_queues/bank_queues.h"
#include "tests/incoming/bench.h"

/* Starts a bench with eight banks, selected by address bits 1, 4 and 8. */
#define START(...)                                                                                 \
    start(&bank_queues_type,                                                                       \
          (const char *const[]){"ADDR_W=10", "BANKS=8", "BANK_MASK=274", __VA_ARGS__, NULL})

static uint64_t line(uint64_t bank) {
    return (bank & 1) << 1 | (bank >> 1 & 1) << 4 | (bank >> 2 & 1) << 8;
}

/* Requests to banks that share a queue leave in order of arrival. */
static void test_queue_of_a_bank(void **unused) {
    struct incoming_bench b = START("QUEUES=4", "DEPTH=3");
    fill(&b, line(1), 1);
    fill(&b, line(5) | 1, 2);
    fill(&b, line(1), 3);
    expect_held(&b, 3, 1);
    expect_refusal(&b, line(5), INCOMING_REFUSE_FULL);
    expect_refusal(&b, line(1), INCOMING_REFUSE_FULL);
    expect_refusal(&b, line(4), INCOMING_REFUSE_NONE);
    fill(&b, line(4), 4);
    expect_held(&b, 4, 2);
    look(&b);
    assert_int_equal(b.out.drain_addr, line(1));
    drain(&b, 1);
    drain(&b, 4);
    look(&b);
    assert_int_equal(b.out.drain_addr, line(5) | 1);
    expect_drains(&b, IDS(2, 3));
    expect_empty(&b);
    end(&b);
}

static void test_rotation(void **unused) {
    struct incoming_bench b = START("QUEUES=8", "DEPTH=2");
    fill(&b, line(6), 99);
    for (uint64_t bank = 0; bank < 8; bank += 2) {
        fill(&b, line(bank), bank);
        if (bank != 6)
            fill(&b, line(bank), bank + 10);
    }
    expect_offer(&b, 99, INCOMING_WHY_HELD);
    drain(&b, 99);
    expect_offer(&b, 0, INCOMING_WHY_NEXT);
    expect_drains(&b, IDS(0, 2, 4, 6, 10, 12, 14));
    expect_empty(&b);
    end(&b);
}

static void test_hold(void **unused) {
    struct incoming_bench b = START("QUEUES=8", "DEPTH=2");
    fill(&b, line(3), 3);
    expect_offer(&b, 3, INCOMING_WHY_NEXT);
    for (uint64_t bank = 4; bank < 8; bank++) {
        fill(&b, line(bank), bank);
        expect_offer(&b, 3, INCOMING_WHY_HELD);
    }
    drain(&b, 3);
    expect_offer(&b, 4, INCOMING_WHY_NEXT);
    end(&b);
}

static void test_rotation_under_refusal(void **unused) {
    struct incoming_bench b = START("QUEUES=8", "DEPTH=2", "HOLD=0");
    for (uint64_t bank = 0; bank < 3; bank++)
        fill(&b, line(bank), bank);
    look(&b);
    for (uint64_t i = 0, first = b.out.drain_id; i < 9; i++) {
        expect_offer(&b, (first + i) % 3, INCOMING_WHY_NEXT);
        cycle(&b);
    }
    end(&b);
}

/* A full queue accepts no request in the cycle in which a request leaves it. If a queue is not
 * full, a request may enter it in the cycle in which its only request leaves. A request that enters
 * an empty block is output in the next cycle. */
static void test_same_cycle(void **unused) {
    struct incoming_bench b = START("QUEUES=2", "DEPTH=1");
    set_fill(&b, line(1), 1);
    b.in.drain_ready = 1;
    cycle(&b);
    assert_int_equal(b.out.drain_valid, 0);
    set_fill(&b, line(1), 2);
    drain(&b, 1);
    assert_int_equal(b.out.fill_ready, 0);
    expect_empty(&b);
    end(&b);

    b = START("QUEUES=2", "DEPTH=2");
    fill(&b, line(1), 1);
    set_fill(&b, line(1), 2);
    drain(&b, 1);
    assert_int_equal(b.out.fill_ready, 1);
    expect_held(&b, 1, 1);
    drain(&b, 2);
    end(&b);
}

static void test_reset_in_the_middle(void **unused) {
    struct incoming_bench b = START("QUEUES=8", "DEPTH=2");
    fill(&b, line(3), 1);
    fill(&b, line(4), 2);
    set_fill(&b, line(5), 3);
    b.in.rst = b.in.drain_ready = 1;
    cycle(&b);
    assert_int_equal(b.out.drain_id, 1);
    assert_int_equal(b.out.fill_ready, 1);
    expect_empty(&b);
    fill(&b, line(2), 4);
    expect_offer(&b, 4, INCOMING_WHY_NEXT); /* reset has ended the hold on the output */
    end(&b);
}

static void test_parameters(void **unused) {
    const struct block_type *t = &bank_queues_type;
    struct block_params p;
    struct error err;
    assert_true(t->late);
    block_params_default(t, &p);
    assert_int_equal(block_params_check(t, &p, &err), 0);
    ILLEGAL_OF(t, "QUEUES must be a power of two", "QUEUES=3");
    ILLEGAL_OF(t, "QUEUES must not exceed BANKS", "QUEUES=32");
    ILLEGAL_OF(t, "BANKS must be a power of two", "BANKS=63");
    ILLEGAL_OF(t, "BANK_MASK must have log2(BANKS) bits set", "BANKS=32");
    ILLEGAL_OF(t, "BANK_MASK must lie within ADDR_W bits", "ADDR_W=8");
    static const char *const outside[] = {"DEPTH=0",  "DEPTH=1025", "BANKS=1", "BANKS=128",
                                          "QUEUES=1", "QUEUES=128", "HOLD=2",  "BANK_MASK=0"};
    for (size_t i = 0; i < sizeof outside / sizeof *outside; i++)
        assert_int_equal(block_params_set(t, &p, outside[i], &err), -1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_queue_of_a_bank),
        cmocka_unit_test(test_rotation),
        cmocka_unit_test(test_hold),
        cmocka_unit_test(test_rotation_under_refusal),
        cmocka_unit_test(test_same_cycle),
        cmocka_unit_test(test_reset_in_the_middle),
        cmocka_unit_test(test_parameters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
