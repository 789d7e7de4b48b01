// SPDX-License-Identifier: Apache-2.0
/* Tests of uvm.user_prefetch=launch: the pages that arrive before a launch, their transfers, and
 * how long the launch waits. Also tests uvm.resident=yes, with which all pages are present from
 * the start. */
#include "driver.h"

#define CHUNK_CYCLES (CHUNK_PAGES * PAGE_CYCLES)

static void by_user(void) {
    defaults();
    cfg.uvm_user_prefetch = USER_PREFETCH_LAUNCH;
}

/* Starts a launch in the next cycle. */
static void begin_launch(void) {
    uvm_prefetch_arrays(u, cycle);
}

/* Expects the launch to wait until cycle `end`, in which the last page arrives. */
static void expect_wait_to(uint64_t end) {
    assert_true(uvm_prefetching(u));
    run_to(end);
    assert_true(uvm_prefetching(u));
    run_to(end + 1);
    assert_false(uvm_prefetching(u));
}

static void expect_pages(uint32_t first, uint32_t n, enum page_state state) {
    for (uint32_t i = first; i < first + n; i++)
        assert_int_equal(u->pages.page[i].state, state);
}

static void expect_transfers(uint64_t transfers, uint64_t pages) {
    assert_int_equal(COUNT(pcie_read_transfers), transfers);
    assert_int_equal(COUNT(pcie_read_bytes), pages * PAGE_BYTES);
}

/* Pages arrive array by array, in transfers of at most 2 MB. Pages after the end of an array do
 * not arrive. */
static void all_come_in_order(void) {
    const uint64_t end = 2 * CHUNK_CYCLES + 2 * PAGE_CYCLES;
    more_pages = 1;
    open_with(2 * CHUNK_PAGES + 1);
    begin_launch();
    assert_int_equal(uvm_next_event(u, 0), 0);
    run_to(CHUNK_CYCLES + 1);
    expect_pages(0, CHUNK_PAGES, PAGE_RESIDENT);
    expect_pages(CHUNK_PAGES, CHUNK_PAGES, PAGE_COMING);
    expect_wait_to(end);
    expect_pages(0, 2 * CHUNK_PAGES + 1, PAGE_RESIDENT);
    expect_pages(2 * CHUNK_PAGES + 1, 15, PAGE_HOST);
    expect_transfers(4, 2 * CHUNK_PAGES + 2);
    assert_int_equal(COUNT(uvm_user_cycles), end);
    assert_int_equal(COUNT(uvm_prefetched_pages), 2 * CHUNK_PAGES + 2);
    assert_int_equal(COUNT(uvm_demand_pages) + COUNT(uvm_faults) + COUNT(uvm_full_cycle), 0);
    begin_launch(); /* all pages are present at the second launch */
    assert_false(uvm_prefetching(u));
    assert_int_equal(uvm_next_event(u, cycle), UINT64_MAX);
    assert_int_equal(COUNT(uvm_user_cycles), end);
    close_driver();
}

static void all_that_fits_comes(void **state) {
    by_user();
    all_come_in_order();
    by_user();
    jumping = true;
    all_come_in_order();
}

/* Pages arrive until no frame is free. No page is evicted to make room for the others. */
static void what_does_not_fit_stays(void **state) {
    by_user();
    open_by_hand(20, 10);
    begin_launch();
    expect_wait_to(10 * PAGE_CYCLES);
    expect_pages(0, 10, PAGE_RESIDENT);
    expect_pages(10, 10, PAGE_HOST);
    expect_transfers(1, 10);
    assert_int_equal(COUNT(uvm_full_cycle), 0);
    begin_launch();
    assert_false(uvm_prefetching(u));
    leave_in_order(0, 1);
    fault(12);
    run_to(10 * PAGE_CYCLES + 1 + SERVICE + PAGE_CYCLES + 1);
    expect_pages(12, 1, PAGE_RESIDENT);
    assert_int_equal(COUNT(uvm_demand_pages), 1);
    assert_int_equal(COUNT(uvm_evictions), 1);
    close_driver();
}

/* Resident pages leave gaps between the transfers. Evicted pages return when a frame is free. */
static void only_what_is_at_the_host_comes(void **state) {
    by_user();
    open_with(2 * CHUNK_PAGES);
    run_to(1);
    bring(0, 1);
    bring(700, 1);
    const uint64_t now = cycle, before = COUNT(pcie_read_transfers);
    begin_launch();
    expect_wait_to(now + (2 * CHUNK_PAGES - 2) * PAGE_CYCLES);
    /* the transfers are 1..511, 512..699 and 701..1023 */
    expect_transfers(before + 3, 2 * CHUNK_PAGES);
    assert_int_equal(COUNT(uvm_user_cycles), (2 * CHUNK_PAGES - 2) * PAGE_CYCLES);
    assert_int_equal(COUNT(uvm_demand_pages), 2);
    close_driver();
}

/* A page that the driver is already moving in has its frame. The launch waits for this page only
 * if other pages arrive with it. */
static void frames_that_are_spoken_for_are_not_taken(void **state) {
    by_user();
    open_by_hand(8, 4);
    fault_at(0, 7);
    begin_launch();
    expect_wait_to(1 + 3 * PAGE_CYCLES);
    expect_pages(0, 3, PAGE_RESIDENT);
    expect_pages(3, 4, PAGE_HOST);
    begin_launch();
    assert_false(uvm_prefetching(u));
    run_to(SERVICE + PAGE_CYCLES + 1);
    expect_pages(7, 1, PAGE_RESIDENT);
    assert_int_equal(COUNT(uvm_evictions), 0);
    close_driver();
}

static void nothing_comes_without_the_key(void **state) {
    defaults();
    open_with(20);
    begin_launch();
    assert_false(uvm_prefetching(u));
    run_to(SERVICE);
    expect_pages(0, 20, PAGE_HOST);
    close_driver();
}

/* Pages that contain lines have a frame from the start, which causes no work and changes no
 * counts. */
static void resident_pages_are_there(void **state) {
    defaults();
    cfg.uvm_resident = 1;
    open_with(20);
    expect_pages(0, 20, PAGE_RESIDENT);
    expect_pages(20, 12, PAGE_HOST);
    assert_int_equal(u->pages.free, 12);
    assert_int_equal(uvm_next_event(u, 0), UINT64_MAX);
    begin_launch();
    assert_false(uvm_prefetching(u));
    expect_transfers(0, 0);
    assert_int_equal(COUNT(uvm_prefetched_pages) + COUNT(uvm_demand_pages), 0);
    close_driver();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_that_fits_comes),
        cmocka_unit_test(what_does_not_fit_stays),
        cmocka_unit_test(only_what_is_at_the_host_comes),
        cmocka_unit_test(frames_that_are_spoken_for_are_not_taken),
        cmocka_unit_test(nothing_comes_without_the_key),
        cmocka_unit_test(resident_pages_are_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
