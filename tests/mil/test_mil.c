// SPDX-License-Identifier: Apache-2.0
/* Tests of the sequences that a limiter must produce for DMIL, QBMI, RBMI and SMIL.
 * tests/mil/golden.sh checks the same sequences in the Verilog. */
#include "bench.h"

static void expect_no_fault(struct mil_bench *b) {
    assert_int_equal(look(b)->err, MIL_OK);
}

/* ---- DMIL: max in flight / (failures >> 10) ---- */

static void test_dmil_1023_failures_open(void **unused) {
    struct mil_bench b = START("LIMIT=2", "ORDER=0");
    fly(&b, 0, 24);
    decide(&b, 0, 1023);
    assert_int_equal(limit(&b, 0), 255);
    expect_no_fault(&b);
    end(&b);
}

static void test_dmil_1024_failures_keep_24(void **unused) {
    struct mil_bench b = START("LIMIT=2", "ORDER=0");
    fly(&b, 0, 24);
    decide(&b, 0, 1024);
    assert_int_equal(limit(&b, 0), 24);
    assert_int_equal(limit(&b, 1), 255);
    expect_no_fault(&b);
    end(&b);
}

static void test_dmil_2500_failures_halve(void **unused) {
    struct mil_bench b = START("LIMIT=2", "ORDER=0");
    fly(&b, 0, 24);
    decide(&b, 0, 2500);
    assert_int_equal(limit(&b, 0), 12);
    expect_no_fault(&b);
    end(&b);
}

static void test_dmil_5000_failures_are_held(void **unused) {
    struct mil_bench b = START("LIMIT=2", "ORDER=0");
    fly(&b, 1, 24);
    failures(&b, 1, 5000);
    assert_int_equal(rf(&b, 1), 4095);
    decide(&b, 1, 0);
    assert_int_equal(limit(&b, 1), 8);
    expect_no_fault(&b);
    end(&b);
}

static void test_dmil_max_2_leaves_1(void **unused) {
    struct mil_bench b = START("LIMIT=2", "ORDER=0");
    fly(&b, 0, 2);
    decide(&b, 0, 4095);
    assert_int_equal(limit(&b, 0), 1);
    expect_no_fault(&b);
    end(&b);
}

static void test_dmil_82000_failures_leave_1(void **unused) {
    struct mil_bench b = START("LIMIT=2", "ORDER=0", "RF_W=20");
    fly(&b, 0, 24);
    failures(&b, 0, 82000);
    assert_int_equal(rf(&b, 0), 82000);
    decide(&b, 0, 0);
    assert_int_equal(limit(&b, 0), 1);
    expect_no_fault(&b);
    end(&b);
}

static void test_dmil_room_of_12(void **unused) {
    struct mil_bench b = START("LIMIT=2", "ORDER=0");
    fly(&b, 0, 24);
    decide(&b, 0, 2500);
    assert_int_equal(room(&b, 0), 0);
    land(&b, 0, 12);
    assert_int_equal(inflight(&b, 0), 12);
    assert_int_equal(room(&b, 0), 0);
    assert_int_equal(goes(&b, 1), 2); /* only kernel 1 has room */
    land(&b, 0, 3);
    assert_int_equal(room(&b, 0), 3);
    set_iss(&b, 0, 2);
    cycle(&b);
    assert_int_equal(room(&b, 0), 1);
    expect_no_fault(&b);
    end(&b);
}

/* ---- QBMI ---- */

/* Runs an interval of issued[k] instructions for each kernel k, and waits until all shares are
 * known. */
static void measure_all(struct mil_bench *b, const unsigned *issued) {
    for (unsigned k = 0; k < param(b, MIL_KERNELS); k++)
        measure(b, k, issued[k]);
    until_shares(b);
    begin_quotas(b);
}

static void test_qbmi_2_3(void **unused) {
    struct mil_bench b = START("LIMIT=0", "ORDER=2");
    measure_all(&b, (const unsigned[]){512, 341});
    assert_int_equal(ratio(&b, 0), 2);
    assert_int_equal(ratio(&b, 1), 3);
    assert_int_equal(share(&b, 0), 3);
    assert_int_equal(share(&b, 1), 2);
    assert_int_equal(quota(&b, 0), 3);
    assert_int_equal(quota(&b, 1), 2);
    expect_order(&b, "0010");
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(quota(&b, 0), 3);
        assert_int_equal(quota(&b, 1), 3);
        expect_order(&b, "01010");
    }
    expect_no_fault(&b);
    end(&b);
}

static void test_qbmi_2_17(void **unused) {
    struct mil_bench b = START("LIMIT=0", "ORDER=2");
    measure_all(&b, (const unsigned[]){512, 60});
    assert_int_equal(ratio(&b, 1), 17);
    assert_int_equal(quota(&b, 0), 17);
    assert_int_equal(quota(&b, 1), 2);
    expect_order(&b, "0000000000000000 10");
    assert_int_equal(quota(&b, 0), 17);
    assert_int_equal(quota(&b, 1), 3);
    expect_no_fault(&b);
    end(&b);
}

static void test_qbmi_2_3_17(void **unused) {
    struct mil_bench b = START("LIMIT=0", "ORDER=2", "KERNELS=3");
    measure_all(&b, (const unsigned[]){512, 341, 60});
    assert_int_equal(share(&b, 0), 51);
    assert_int_equal(share(&b, 1), 34);
    assert_int_equal(share(&b, 2), 6);
    assert_int_equal(quota(&b, 0), 51);
    assert_int_equal(quota(&b, 1), 34);
    assert_int_equal(quota(&b, 2), 6);
    expect_no_fault(&b);
    end(&b);
}

static void test_qbmi_1_1(void **unused) {
    struct mil_bench b = START("LIMIT=0", "ORDER=2");
    cycle(&b); /* waits for the first shares */
    expect_order(&b, "0101010101");
    expect_no_fault(&b);
    end(&b);
}

/* ---- RBMI, SMIL ---- */

/* Kernel 1 requests only in odd cycles, and issues in all of them. */
static void test_rbmi_every_other(void **unused) {
    struct mil_bench b = START("LIMIT=0", "ORDER=1");
    for (unsigned i = 0; i < 20; i++) {
        unsigned k = i % 2;
        uint64_t want = k ? 3 : 1;
        assert_int_equal(goes(&b, want), 1u << k);
        set_iss(&b, k, 1);
        b.in.want = want;
        cycle(&b);
    }
    expect_no_fault(&b);
    end(&b);
}

/* Tests limits of 3 and 1 instructions in flight, which are the best for sv+ks in [Dai]. */
static void test_smil_3_1(void **unused) {
    struct mil_bench b = START("LIMIT=1", "ORDER=0");
    set_limit(&b, 0, 3);
    cycle(&b);
    assert_int_equal(look(&b)->update, 1);
    set_limit(&b, 1, 1);
    cycle(&b);
    assert_int_equal(look(&b)->update, 2);
    assert_int_equal(room(&b, 0), 3);
    assert_int_equal(room(&b, 1), 1);
    set_iss(&b, 0, 3);
    set_iss(&b, 1, 1);
    cycle(&b);
    assert_int_equal(look(&b)->go, 0);
    set_done(&b, 0, 1);
    cycle(&b);
    assert_int_equal(look(&b)->go, 1);
    assert_int_equal(room(&b, 0), 1);
    expect_no_fault(&b);
    end(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dmil_1023_failures_open),
        cmocka_unit_test(test_dmil_1024_failures_keep_24),
        cmocka_unit_test(test_dmil_2500_failures_halve),
        cmocka_unit_test(test_dmil_5000_failures_are_held),
        cmocka_unit_test(test_dmil_max_2_leaves_1),
        cmocka_unit_test(test_dmil_82000_failures_leave_1),
        cmocka_unit_test(test_dmil_room_of_12),
        cmocka_unit_test(test_qbmi_2_3),
        cmocka_unit_test(test_qbmi_2_17),
        cmocka_unit_test(test_qbmi_2_3_17),
        cmocka_unit_test(test_qbmi_1_1),
        cmocka_unit_test(test_rbmi_every_other),
        cmocka_unit_test(test_smil_3_1),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
