/* The table of statistics and the derived figures. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "stats/stats.h"

static void names_are_unique_and_explained(void **state) {
    (void)state;
    for (unsigned i = 0; i < STAT_COUNT; i++) {
        assert_true(strlen(stat_table[i].unit) > 0 && strlen(stat_table[i].doc) > 0);
        for (unsigned k = 0; k < i; k++)
            assert_string_not_equal(stat_table[i].name, stat_table[k].name);
    }
    assert_string_equal(stat_table[STAT_dram_full_cycles].name, "dram_full_cycles");
}

static void derived_figures(void **state) {
    (void)state;
    struct stats s = {{0}};
    assert_true(stats_ipc(&s) == 0.0 && stats_thread_ipc(&s) == 0.0);
    assert_true(stats_l1d_utilisation(&s) == 0.0 && stats_l2_utilisation(&s) == 0.0);
    s.v[STAT_cycles] = 4;
    s.v[STAT_warp_insts] = 2;
    s.v[STAT_thread_insts] = 64;
    s.v[STAT_l1d_mshr_slot_cycles] = 3;
    s.v[STAT_l1d_mshr_capacity] = 12;
    s.v[STAT_l2_mshr_slot_cycles] = 1;
    s.v[STAT_l2_mshr_capacity] = 8;
    assert_true(stats_ipc(&s) == 0.5 && stats_thread_ipc(&s) == 16.0);
    assert_true(stats_l1d_utilisation(&s) == 0.25 && stats_l2_utilisation(&s) == 0.125);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_unique_and_explained),
        cmocka_unit_test(derived_figures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
