// SPDX-License-Identifier: Apache-2.0
/* Directed tests of the model of in_fifo, which follow the contract rule by rule. */
#include "in_fifo/in_fifo.h"
#include "tests/incoming/bench.h"

#define START(...) start(&in_fifo_type, (const char *const[]){__VA_ARGS__, NULL})

static void test_order_and_room(void **unused) {
    struct incoming_bench b = START("DEPTH=3");
    for (uint64_t round = 0; round < 5; round++) { /* several rounds, so that the ring wraps */
        for (uint64_t i = 0; i < 3; i++) {
            expect_refusal(&b, 7, INCOMING_REFUSE_NONE);
            fill(&b, 100 + i, i);
            expect_held(&b, (uint32_t)i + 1, 1);
        }
        expect_refusal(&b, 7, INCOMING_REFUSE_FULL);
        for (uint64_t i = 0; i < 3; i++) {
            expect_offer(&b, i, INCOMING_WHY_NEXT);
            assert_int_equal(b.out.drain_addr, 100 + i);
            cycle(&b); /* not accepted: the request is offered again, with reason NEXT and never
                          HELD */
            expect_offer(&b, i, INCOMING_WHY_NEXT);
            drain(&b, i);
        }
        expect_empty(&b);
        fill(&b, 0, 9);
        drain(&b, 9);
    }
    end(&b);
}

static void test_same_cycle(void **unused) {
    struct incoming_bench b = START("DEPTH=1");
    set_fill(&b, 1, 1);
    b.in.drain_ready = 1;
    cycle(&b);
    assert_int_equal(b.out.drain_valid, 0);
    set_fill(&b, 2, 2);
    drain(&b, 1);
    assert_int_equal(b.out.fill_ready, 0); /* the block is full, although a request drains */
    expect_empty(&b);
    end(&b);

    b = START("DEPTH=2");
    fill(&b, 1, 1);
    set_fill(&b, 2, 2);
    drain(&b, 1);
    assert_int_equal(b.out.fill_ready, 1);
    expect_held(&b, 1, 1);
    drain(&b, 2);
    end(&b);
}

static void test_reset_in_the_middle(void **unused) {
    struct incoming_bench b = START("DEPTH=2");
    fill(&b, 1, 1);
    set_fill(&b, 2, 2);
    b.in.rst = b.in.drain_ready = 1;
    cycle(&b);
    assert_int_equal(b.out.drain_id, 1);
    assert_int_equal(b.out.fill_ready, 1);
    expect_empty(&b);
    end(&b);
}

static void test_parameters(void **unused) {
    struct block_params p;
    struct error err;
    assert_true(in_fifo_type.late);
    block_params_default(&in_fifo_type, &p);
    assert_int_equal(block_params_check(&in_fifo_type, &p, &err), 0);
    static const char *const outside[] = {"ADDR_W=0", "ADDR_W=49", "ID_W=0",
                                          "ID_W=33",  "DEPTH=0",   "DEPTH=16385"};
    for (size_t i = 0; i < sizeof outside / sizeof *outside; i++)
        assert_int_equal(block_params_set(&in_fifo_type, &p, outside[i], &err), -1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order_and_room),
        cmocka_unit_test(test_same_cycle),
        cmocka_unit_test(test_reset_in_the_middle),
        cmocka_unit_test(test_parameters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
