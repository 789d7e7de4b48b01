// SPDX-License-Identifier: Apache-2.0
/* Tests of the times of PCIe transfers. */
#include "uvm/pcie.h"
#include "tests/test.h"

static struct config config(int64_t model, int64_t gbps, int64_t mhz) {
    struct config c;
    config_default(&c);
    c.pcie_model = model;
    c.pcie_gbps = gbps;
    c.clock_sm_mhz = mhz;
    return c;
}

static void flat_is_bytes_over_speed(void **state) {
    struct config c = config(PCIE_FLAT, 16, 1000);
    assert_int_equal(pcie_cycles(&c, 4096, false), 256); /* the transfer takes 256 ns */
    assert_int_equal(pcie_cycles(&c, 4097, false), 257); /* the time is rounded up */
    assert_int_equal(pcie_cycles(&c, 80 * 4096, true), 80 * 256);
    assert_int_equal(pcie_cycles(&c, 1, false), 1);
    c = config(PCIE_FLAT, 16, 1400);
    assert_int_equal(pcie_cycles(&c, 4096, false), 359); /* 358.4 is rounded up */
}

/* At 2^30 B/s and 1481 MHz, the numbers of cycles are those of UVMSmart, which truncates and uses
 * single precision. */
static void curve_is_that_of_uvmsmart(void **state) {
    const struct {
        uint64_t kb, cycles;
    } row[] = {{4, 2606},    {8, 2801},    {16, 3431},     {32, 5074},     {60, 8241},
               {64, 8702},   {124, 15695}, {128, 16164},   {252, 30724},   {256, 31194},
               {508, 60837}, {512, 61307}, {1020, 121090}, {1024, 121560}, {2048, 242080}};
    struct config c = config(PCIE_CURVE, 16, 1481);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        uint64_t cycles = pcie_cycles(&c, row[i].kb * 1024, false);
        assert_in_range(cycles, row[i].cycles, row[i].cycles + 1);
    }
}

static void faster_links_scale_and_large_copies_are_slow(void **state) {
    const struct config c16 = config(PCIE_CURVE, 16, 1481), c64 = config(PCIE_CURVE, 64, 1481);
    uint64_t once = pcie_cycles(&c16, 2 << 20, false);
    assert_in_range(pcie_cycles(&c64, 2 << 20, false), once / 4, once / 4 + 1);
    assert_in_range(pcie_cycles(&c16, 2 << 20, true), 2 * once - 2, 2 * once);
    assert_int_equal(pcie_cycles(&c16, 1 << 20, true), pcie_cycles(&c16, 1 << 20, false));
    struct config other = c16;
    other.pcie_copy_slow_kib = 1024;
    assert_in_range(pcie_cycles(&other, 1 << 20, true), 121560 * 2, 121560 * 2 + 2);
    other.pcie_copy_slow_kib = 0;
    assert_int_equal(pcie_cycles(&other, 2 << 20, true), once);
}

static void a_link_is_busy_for_its_transfers(void **state) {
    const struct config c = config(PCIE_FLAT, 16, 1000);
    struct pcie_link link = {0};
    pcie_start(&link, &c, 4096, false, 100);
    assert_int_equal(pcie_busy(&link, 100), 0);
    assert_int_equal(pcie_busy(&link, 110), 10);
    assert_false(pcie_ends(&link, 355));
    assert_true(pcie_ends(&link, 356));
    assert_false(pcie_ends(&link, 357));
    assert_int_equal(pcie_busy(&link, 400), 256);
    pcie_start(&link, &c, 8192, false, 400);
    assert_int_equal(pcie_busy(&link, 401), 257);
    assert_int_equal(link.bytes, 3 * 4096);
    assert_int_equal(link.transfers, 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flat_is_bytes_over_speed),
        cmocka_unit_test(curve_is_that_of_uvmsmart),
        cmocka_unit_test(faster_links_scale_and_large_copies_are_slow),
        cmocka_unit_test(a_link_is_busy_for_its_transfers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
