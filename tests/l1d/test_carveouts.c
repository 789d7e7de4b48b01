// SPDX-License-Identifier: Apache-2.0
/* Ways of an L1D in one array with shared memory, and lists of sizes that are refused. */
#include <string.h>

#include "cache/lines.h"
#include "l1d/carveouts.h"
#include "tests/test.h"

static struct config cfg;

static void set(const char *key) {
    struct error err;
    if (config_set(&cfg, key, &err) != 0)
        fail_msg("%s", err.text);
}

/* 128 KiB, as on Volta. */
static int make(void **state) {
    (void)state;
    config_default(&cfg);
    set("l1d.sets=4");
    set("l1d.ways=256");
    set("l1d.carveouts=0,8,16,32,64,96");
    return 0;
}

static void a_launch_takes_the_smallest_size_that_holds_its_ctas(void **state) {
    assert_int_equal(carveouts_ways(&cfg, 0), 256);
    assert_int_equal(carveouts_ways(&cfg, 1), 240);
    assert_int_equal(carveouts_ways(&cfg, 8 * 1024), 240);
    assert_int_equal(carveouts_ways(&cfg, 8 * 1024 + 1), 224);
    assert_int_equal(carveouts_ways(&cfg, 32 * 1024 + 1), 128);
    assert_int_equal(carveouts_ways(&cfg, 96 * 1024), 64);
    assert_int_equal(carveouts_ways(&cfg, UINT64_MAX), 64);
}

static void ways_are_rounded_to_the_nearest_number(void **state) {
    set("l1d.ways=192"); /* 96 KiB */
    set("l1d.carveouts=32,64");
    assert_int_equal(carveouts_ways(&cfg, 0), 128);
    set("l1d.ways=3"); /* 1.5 KiB */
    set("l1d.carveouts=0,1");
    assert_int_equal(carveouts_ways(&cfg, 1), 1);
}

static void without_sizes_the_l1d_has_all_ways(void **state) {
    set("l1d.carveouts=none");
    assert_int_equal(carveouts_ways(&cfg, UINT64_MAX), 256);
}

static void refuse(const char *key, const char *text) {
    struct error err = {""};
    make(NULL);
    set(key);
    assert_int_equal(carveouts_check(&cfg, &err), -1);
    if (!strstr(err.text, text))
        fail_msg("'%s' is not in '%s'", text, err.text);
}

static void malformed_lists_are_refused(void **state) {
    struct error err;
    assert_int_equal(carveouts_check(&cfg, &err), 0);
    refuse("l1d.carveouts=0,,8", "ascending sizes in KiB below the 128 KiB");
    refuse("l1d.carveouts=0,8,", "ascending sizes");
    refuse("l1d.carveouts=-1", "ascending sizes");
    refuse("l1d.carveouts=some", "ascending sizes");
    refuse("l1d.carveouts=96,64", "ascending sizes");
    refuse("l1d.carveouts=64,64,96", "ascending sizes");
    refuse("l1d.carveouts=0,128", "ascending sizes");
    refuse("l1d.carveouts=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,96", "ascending sizes");
    refuse("sm.shared_kib=97", "the last size is below sm.shared_kib=97");
}

/* Lines in ways that are lost are dropped, and no line claims one. */
static void lines_use_only_the_first_ways(void **state) {
    struct lines t;
    lines_init(&t, 2, 4);
    for (uint32_t way = 0; way < 8; way++)
        lines_claim(&t, way, 100 + way);
    lines_use_ways(&t, 3);
    assert_int_equal(t.held, 6);
    assert_int_equal(lines_find(&t, 1, 107), WAY_NONE);
    assert_int_equal(lines_find(&t, 1, 106), 6);
    lines_drop(&t, 5);
    assert_int_equal(lines_victim(&t, 1), 5);
    lines_claim(&t, 5, 200);
    assert_int_equal(lines_victim(&t, 1), 4);
    lines_use_ways(&t, 4);
    assert_int_equal(lines_victim(&t, 1), 7);
    lines_free(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_launch_takes_the_smallest_size_that_holds_its_ctas, make),
        cmocka_unit_test_setup(ways_are_rounded_to_the_nearest_number, make),
        cmocka_unit_test_setup(without_sizes_the_l1d_has_all_ways, make),
        cmocka_unit_test_setup(malformed_lists_are_refused, make),
        cmocka_unit_test(lines_use_only_the_first_ways),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
