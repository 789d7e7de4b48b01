// SPDX-License-Identifier: Apache-2.0
/* Tests of the table of statistics and of the derived figures. */
#include "stats/stats.h"
#include "tests/test.h"

static void names_are_unique_and_explained(void **state) {
    for (unsigned i = 0; i < STAT_COUNT; i++) {
        assert_true(strlen(stat_table[i].unit) > 0 && strlen(stat_table[i].doc) > 0);
        for (unsigned k = 0; k < i; k++)
            assert_string_not_equal(stat_table[i].name, stat_table[k].name);
    }
    assert_string_equal(stat_table[STAT_dram_full_cycles].name, "dram_full_cycles");
}

static bool is_known(const char *name) {
    for (unsigned i = 0; i < STAT_COUNT; i++)
        if (strcmp(stat_table[i].name, name) == 0)
            return true;
    for (unsigned i = 0; i < HIST_COUNT; i++)
        if (strcmp(hist_table[i].name, name) == 0)
            return true;
    for (unsigned i = 0; i < DERIVED_COUNT; i++)
        if (strcmp(derived_table[i].name, name) == 0)
            return true;
    return false;
}

static void former_names_lead_to_present_ones(void **state) {
#define RENAMED(former, now)                                                                       \
    assert_false(is_known(#former));                                                               \
    assert_true(is_known(stats_present_name(#former)));
#include "stats/renamed.def"
#undef RENAMED
    assert_null(stats_present_name("cycles"));
}

static bool is_stall(enum stat_id id) {
    for (unsigned i = 0; i < stall_count; i++)
        if (stall_table[i].id == id)
            return true;
    return false;
}

/* Each statistic of a refusal or a stall may appear among the stalls that a run reports. */
static void reasons_are_stalls(void **state) {
    for (unsigned i = 0; i < STAT_COUNT; i++) {
        const char *name = stat_table[i].name;
        bool reason = strstr(name, "_refusals_") || strstr(name, "_stalls_");
        assert_true(is_stall((enum stat_id)i) || !reason);
    }
    for (unsigned i = 0; i < stall_count; i++) {
        assert_true(strlen(stall_table[i].words) > 0);
        assert_true(strstr(stat_table[stall_table[i].of].name, "cycles"));
        assert_int_not_equal(stall_table[i].id, stall_table[i].of);
    }
    assert_false(is_stall(STAT_l1d_refusals)); /* this statistic is a sum of others */
}

/* Tests the first and the last row of a part, and a part without a histogram. */
static void rows_have_parts(void **state) {
    assert_int_equal(stat_part(STAT_cycles), STAT_PART_sm);
    assert_int_equal(stat_part(STAT_slots_no_work), STAT_PART_sm);
    assert_int_equal(stat_part(STAT_load_insts), STAT_PART_lsu);
    assert_int_equal(stat_part(STAT_l2_accesses), STAT_PART_l2);
    assert_int_equal(stat_part(STAT_reorder_drains_aged), STAT_PART_incoming);
    assert_int_equal(stat_part(STAT_dram_reads), STAT_PART_dram);
    assert_int_equal(stat_part((enum stat_id)(STAT_COUNT - 1)), STAT_PART_hpe);
    assert_int_equal(hist_part(HIST_load_latency_hist), STAT_PART_lsu);
    assert_int_equal(hist_part(HIST_mdb_lmax), STAT_PART_mdb);
    assert_int_equal(hist_part(HIST_uvm_fault_latency_hist), STAT_PART_uvm);
    assert_int_equal(derived_part(DERIVED_ipc), STAT_PART_sm);
    assert_int_equal(derived_part(DERIVED_load_life_mean), STAT_PART_lsu);
    assert_int_equal(derived_part(DERIVED_insts_per_l2_miss), STAT_PART_l2);
    assert_string_equal(stat_part_title[STAT_PART_hpe], "HPE");
}

static void derived_figures(void **state) {
    struct stats s;
    memset(&s, 0, sizeof s);
    for (unsigned i = 0; i < DERIVED_COUNT; i++) {
        assert_true(stats_derived(&s, (enum derived_id)i) == 0.0);
        assert_true(strlen(derived_table[i].unit) > 0 && strlen(derived_table[i].doc) > 0);
    }
    s.v[STAT_cycles] = 4;
    s.v[STAT_warp_insts] = 2;
    s.v[STAT_thread_insts] = 64;
    s.v[STAT_l1d_mshr_slot_cycles] = 3;
    s.v[STAT_l1d_mshr_capacity] = 12;
    s.v[STAT_l1d_hits] = 2;
    s.v[STAT_l1d_primary_misses] = s.v[STAT_l1d_secondary_misses] = 1;
    assert_true(stats_derived(&s, DERIVED_ipc) == 0.5);
    assert_true(stats_derived(&s, DERIVED_thread_ipc) == 16.0);
    assert_true(stats_derived(&s, DERIVED_l1d_mshr_utilization) == 0.25);
    assert_true(stats_derived(&s, DERIVED_l1d_miss_rate) == 0.5);
    assert_true(stats_derived(&s, DERIVED_l1d_mpki) == 1000.0);
    assert_true(stats_derived(&s, DERIVED_l1d_hpki) == 1000.0);
    /* these accesses cause no misses of their own */
    s.v[STAT_l2_hits] = s.v[STAT_l2_secondary_misses] = 100;
    s.v[STAT_l2_primary_misses] = 5;
    s.v[STAT_l2_write_misses] = 2;
    s.v[STAT_l2_bypasses] = 1;
    assert_true(stats_derived(&s, DERIVED_insts_per_l2_miss) == 8.0);
}

/* Tests the figures for comparing bypassing schemes, with counters that all differ. */
static void figures_of_bypassing(void **state) {
    struct stats s;
    memset(&s, 0, sizeof s);
    s.v[STAT_cycles] = 400;
    s.v[STAT_warp_insts] = 500;
    s.v[STAT_load_insts] = 30;
    s.v[STAT_store_insts] = 15;
    s.v[STAT_atomic_insts] = 5;
    s.v[STAT_l1d_hits] = 7;
    s.v[STAT_l1d_primary_misses] = 10;
    s.v[STAT_l1d_secondary_misses] = 100; /* secondary misses send no requests */
    s.v[STAT_l1d_bypasses] = 3;
    s.v[STAT_l1d_refusals_no_way] = 1;
    s.v[STAT_l1d_refusals_entry_full] = 2;
    s.v[STAT_l1d_refusals_merge_full] = 4;
    s.v[STAT_l1d_refusals_miss_queue] = 8;
    s.v[STAT_l1d_refusals_bypass_limit] =
        16; /* this and the next two refusals are not due to a missing resource of a miss */
    s.v[STAT_l1d_refusals_response_queue] = 32;
    s.v[STAT_l1d_refusals_order] = 64;
    s.v[STAT_l1d_refusals] = 127;
    assert_true(stats_derived(&s, DERIVED_mipc) == 0.125);
    assert_true(stats_derived(&s, DERIVED_l1d_hpki) == 14.0);
    assert_true(stats_derived(&s, DERIVED_l1d_refusals_pki) == 254.0);
    assert_true(stats_derived(&s, DERIVED_l1d_miss_refusals_pki) == 30.0);
    assert_true(stats_derived(&s, DERIVED_l1d_refusals_gpgpusim) == 15.0);
    assert_true(stats_derived(&s, DERIVED_l1d_l2_loads_pki) == 26.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_unique_and_explained),
        cmocka_unit_test(former_names_lead_to_present_ones),
        cmocka_unit_test(reasons_are_stalls),
        cmocka_unit_test(rows_have_parts),
        cmocka_unit_test(derived_figures),
        cmocka_unit_test(figures_of_bypassing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
