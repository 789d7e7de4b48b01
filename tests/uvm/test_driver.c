// SPDX-License-Identifier: Apache-2.0
/* Tests of the driver's actions, cycle by cycle. The test tier runs every third of the random
 * runs.
 * tier: test, 2 s; full, 5 s */
#include "driver.h"
#include "tests/tier.h"

/* ---- service ---- */

static void a_fault_takes_its_service_and_its_transfer(void **state) {
    defaults();
    open_with(64);
    fault_at(5, 3);
    fault_at(5, 1);
    fault_at(6, 2);
    fault_at(7, 2); /* joins the fault on page 2 */
    run_to(30000);
    /* 5 + 20000 + 256 = 20261; pages 1 and 3 are a group, in page order, and page 2 waits for the
     * link */
    expect_log("20261 arrived 1\n20517 arrived 3\n20773 arrived 2\n");
    assert_int_equal(COUNT(uvm_faults), 3);
    assert_int_equal(COUNT(uvm_fault_latency), 20256 + 20512 + 20767);
    assert_int_equal(COUNT(pcie_read_busy_cycles), 3 * 256);
    assert_int_equal(COUNT(pcie_read_bytes), 3 * 4096);
    assert_int_equal(COUNT(uvm_demand_pages), 3);
    assert_int_equal(COUNT(uvm_sets), 0);
    close_driver();
}

static void faults_of_an_interval_are_a_set(void **state) {
    defaults();
    cfg.uvm_service = SERVICE_SET;
    cfg.uvm_set_pages = 2;
    open_with(64);
    fault_at(10, 9);
    fault_at(500, 3);
    fault_at(20009, 1); /* does not fit into the interval */
    fault_at(50000, 4);
    run_to(80000);
    /* intervals end in 20010, in 40010 and, after a fault starts a new one, in 70000 */
    expect_log("20266 arrived 3\n20522 arrived 9\n40266 arrived 1\n70256 arrived 4\n");
    assert_int_equal(COUNT(uvm_sets), 3);
    close_driver();
}

/* A fault in the cycle in which the last interval ends starts the next interval. */
static void an_interval_begins_where_the_last_one_ended(void **state) {
    defaults();
    cfg.uvm_service = SERVICE_SET;
    open_with(64);
    fault_at(0, 0);
    fault_at(20000, 1);
    run_to(50000);
    expect_log("20256 arrived 0\n40256 arrived 1\n");
    close_driver();
}

/* Faults are served one after the other, in 45 us each. A transfer may overlap with the next
 * service. */
static void faults_are_served_one_at_a_time(void **state) {
    defaults();
    cfg.uvm_service = SERVICE_SERIAL;
    cfg.uvm_fault_us = 45;
    open_with(64);
    fault_at(0, 9);
    fault_at(10, 3);
    fault_at(20, 60);
    fault_at(200000, 1);
    run_to(300000);
    expect_log("45256 arrived 9\n90256 arrived 3\n135256 arrived 60\n245256 arrived 1\n");
    assert_int_equal(COUNT(uvm_sets), 0);
    assert_int_equal(COUNT(uvm_faults_joined), 0);
    close_driver();
}

/* The prefetcher does not see waiting faults. If it requests pages with waiting faults, these
 * faults are served together with the first, and do not split the transfer. */
static void a_prefetch_serves_the_faults_on_its_pages(void **state) {
    defaults();
    cfg.uvm_service = SERVICE_SERIAL;
    open_prefetching(64, 64, &prefetch_by_hand);
    const uint32_t pages[] = {6, 7, 8};
    memcpy(wanted, pages, sizeof pages);
    n_wanted = 3;
    fault_at(0, 5);
    fault_at(10, 20);
    fault_at(20, 7);
    fault_at(30, 21);
    run_to(1000);
    assert_true(page_wanted(&u->pages, 7) && !page_stays(&u->pages.page[7]));
    run_to(70000);
    expect_log("20256 arrived 5\n21024 arrived 6\n21024 arrived 7\n21024 arrived 8\n"
               "40256 arrived 20\n60256 arrived 21\n");
    assert_int_equal(COUNT(uvm_faults_joined), 1);
    assert_int_equal(COUNT(uvm_demand_pages), 4);
    assert_int_equal(COUNT(uvm_prefetched_pages), 2);
    assert_int_equal(COUNT(uvm_fault_latency), 20256 + 21004 + 40246 + 60226);
    close_driver();
}

/* Waiting faults do not reduce the number of frames for a prefetch. */
static void waiting_faults_leave_room_to_prefetch(void **state) {
    defaults();
    cfg.uvm_service = SERVICE_SERIAL;
    open_prefetching(64, 8, &prefetch_by_hand);
    for (uint32_t page = 0; page < 6; page++)
        fault_at(page, page);
    run_to(20001);
    assert_int_equal(last_room, 4); /* half of the frames are available */
    run_to(80001);
    /* of 8 frames, 3 hold resident pages, and one is reserved for a page in transfer */
    assert_int_equal(last_room, 4);
    run_to(100001);
    assert_int_equal(last_room, 3);
    run_to(150000);
    close_driver();
}

/* ---- transfers ---- */

static void a_transfer_ends_at_gaps_and_behind_faulted_pages(void **state) {
    defaults();
    open_prefetching(64, 64, &prefetch_by_hand);
    const uint32_t pages[] = {8, 4, 3, 6, 7};
    memcpy(wanted, pages, sizeof pages);
    n_wanted = 5;
    fault_at(0, 5);
    run_to(30000);
    expect_log("20768 arrived 3\n20768 arrived 4\n20768 arrived 5\n"
               "21536 arrived 6\n21536 arrived 7\n21536 arrived 8\n");
    assert_int_equal(COUNT(pcie_read_transfers), 2);
    assert_int_equal(COUNT(uvm_prefetched_pages), 5);
    uvm_hold(u, line_of(3), false);
    uvm_hold(u, line_of(3) + 31, false);
    uvm_hold(u, line_of(5), false);
    assert_int_equal(COUNT(uvm_prefetched_used), 1);
    assert_int_equal(COUNT(uvm_touched_pages), 2);
    assert_int_equal(last_room, 32); /* half of memory is available */
    close_driver();
}

static uint64_t transfers_of_511_and_512(uint32_t pages, uint32_t more) {
    defaults();
    more_pages = more;
    open_prefetching(pages, 64, &prefetch_by_hand);
    wanted[0] = 511;
    wanted[1] = 512;
    n_wanted = 2;
    fault_at(0, 0);
    run_to(30000);
    uint64_t n = COUNT(pcie_read_transfers);
    close_driver();
    return n;
}

static void an_allocation_ends_a_transfer(void **state) {
    assert_int_equal(transfers_of_511_and_512(513, 0), 2);
    assert_int_equal(transfers_of_511_and_512(512, 1), 3);
}

/* With eight frames, a transfer uses four frames at most. */
static void a_transfer_takes_half_of_memory_at_most(void **state) {
    defaults();
    open_prefetching(64, 8, &prefetch_by_hand);
    for (uint32_t i = 0; i < 4; i++)
        wanted[i] = 10 + i;
    n_wanted = 4;
    fault_at(0, 14);
    run_to(30000);
    assert_int_equal(COUNT(uvm_prefetched_pages), 4);
    assert_int_equal(COUNT(pcie_read_transfers), 2);
    close_driver();
}

static void a_prefetched_page_that_is_faulted_on_is_joined(void **state) {
    defaults();
    open_prefetching(64, 64, &prefetch_by_hand);
    wanted[0] = 20;
    n_wanted = 1;
    fault_at(0, 5);
    fault_at(20001, 20);
    run_to(60000);
    expect_log("20256 arrived 5\n20512 arrived 20\n");
    assert_int_equal(COUNT(uvm_faults), 1);
    close_driver();
}

static void prefetches_leave_room(void **state) {
    defaults();
    open_prefetching(64, 8, &prefetch_by_hand);
    bring(0, 6);
    assert_int_equal(last_room, 2); /* six pages have arrived, so two frames are free */
    fault(10);
    for (uint32_t i = 0; i < 8; i++)
        wanted[i] = 20 + i;
    n_wanted = 8;
    run_to(cycle + 30000);
    assert_int_equal(last_room, 1);
    assert_false(u->full);
    leave_in_order(0, 6);
    fault(11);
    run_to(cycle + 30000);
    assert_int_equal(last_room, 1); /* no frame was free, so the prefetcher was not called */
    assert_true(u->full);
    assert_int_equal(n_wanted, 7);
    fault(12);
    run_to(cycle + 30000);
    assert_int_equal(last_room, 4);
    assert_int_equal(COUNT(uvm_evictions), 1 + 5);
    close_driver();
}

/* The number of prefetched pages that wait for the link is at most half of the memory, summed over
 * all prefetches. */
static void prefetches_that_wait_take_room(void **state) {
    defaults();
    open_prefetching(64, 16, &prefetch_by_hand);
    for (uint32_t i = 0; i < 5; i++)
        wanted[i] = 10 + 2 * i; /* each page is one transfer */
    n_wanted = 5;
    fault_at(0, 0);
    fault_at(10, 1);
    fault_at(1000, 2);
    fault_at(5000, 3);
    run_to(SERVICE + 1);
    assert_int_equal(last_room, 8);
    run_to(SERVICE + 11); /* page 0 is being transferred */
    assert_int_equal(last_room, 8 - 5);
    run_to(SERVICE + 1001); /* pages 0, 10 and 12 have arrived, and 14 is being transferred */
    assert_int_equal(last_room, 8 - 2);
    /* no page waits; eight frames are in use, and one more is about to be */
    run_to(SERVICE + 5001);
    assert_int_equal(last_room, 16 - 8 - 1);
    close_driver();
}

/* A page is prefetched, is evicted unused, and returns because of a fault. It then no longer counts
 * as prefetched. */
static void a_page_that_returns_is_no_prefetch(void **state) {
    defaults();
    open_prefetching(64, 2, &prefetch_by_hand);
    wanted[0] = 1;
    n_wanted = 1;
    fault_at(0, 0);
    run_to(30000);
    assert_int_equal(COUNT(uvm_prefetched_pages), 1);
    leave_in_order(1, 1);
    fault(5);
    run_to(cycle + 30000);
    leave_in_order(0, 1);
    fault(1);
    run_to(cycle + 30000);
    uvm_hold(u, line_of(1), false);
    uvm_release(u, line_of(1));
    assert_int_equal(COUNT(uvm_touched_pages), 1);
    assert_int_equal(COUNT(uvm_prefetched_used), 0);
    assert_int_equal(COUNT(uvm_refaults), 1);
    assert_int_equal(COUNT(uvm_evictions), 2);
    close_driver();
}

/* A prefetcher that fills memory continues without faults, in consecutive intervals, until all
 * pages are present. */
static void a_prefetcher_that_fills_goes_on(void **state) {
    defaults();
    cfg.uvm_service = SERVICE_SET;
    cfg.uvm_set_pages = 2;
    open_prefetching(64, 64, &fill_by_hand);
    const uint32_t pages[] = {1, 20, 3, 40, 5};
    memcpy(wanted, pages, sizeof pages);
    n_wanted = 5;
    fault_at(0, 0);
    run_to(200000);
    expect_log("20256 arrived 0\n20512 arrived 1\n40256 arrived 3\n40512 arrived 20\n"
               "60256 arrived 5\n60512 arrived 40\n");
    assert_false(u->interval);
    assert_int_equal(uvm_next_event(u, cycle), UINT64_MAX);
    close_driver();
}

static void filling_ends_when_memory_is_full(void **state) {
    defaults();
    cfg.uvm_service = SERVICE_SET;
    cfg.uvm_set_pages = 3;
    open_prefetching(64, 4, &fill_by_hand);
    for (uint32_t i = 0; i < 20; i++)
        wanted[i] = 10 + i;
    n_wanted = 20;
    fault_at(0, 0);
    run_to(200000);
    expect_log("20256 arrived 0\n20768 arrived 10\n20768 arrived 11\n40256 arrived 12\n");
    assert_false(u->full);
    close_driver();
}

/* ---- evictions ---- */

static void store(uint32_t page) {
    uvm_hold(u, line_of(page), true);
    uvm_release(u, line_of(page));
}

static void a_frame_is_free_when_its_transfer_starts(void **state) {
    defaults();
    cfg.uvm_write_back = WRITE_BACK_ALL;
    open_by_hand(64, 2);
    bring(0, 2);
    leave_in_order(0, 1);
    uint64_t t = cycle - 1;
    fault(7);
    run_to(t + 30000);
    char want[200];
    snprintf(want, sizeof want, "%u shoot 0\n%u drop 0\n%u arrived 7\n", (unsigned)t + SERVICE,
             (unsigned)t + SERVICE, (unsigned)t + SERVICE + PAGE_CYCLES);
    expect_log(want);
    assert_int_equal(COUNT(pcie_read_stall_cycles), 0);
    assert_int_equal(COUNT(pcie_write_busy_cycles), PAGE_CYCLES);
    assert_int_equal(COUNT(uvm_full_cycle), t + SERVICE);
    close_driver();
}

static void an_eviction_within_the_service_sends_nothing(void **state) {
    defaults();
    cfg.uvm_write_back = WRITE_BACK_NONE;
    open_by_hand(64, 2);
    bring(0, 2);
    store(0);
    leave_in_order(0, 1);
    uint64_t t = cycle - 1;
    fault(7);
    run_to(t + 30000);
    char want[200];
    snprintf(want, sizeof want, "%u shoot 0\n%u drop 0\n%u arrived 7\n", (unsigned)t + SERVICE,
             (unsigned)t + SERVICE, (unsigned)t + SERVICE + PAGE_CYCLES);
    expect_log(want);
    assert_int_equal(COUNT(uvm_evicted_dirty), 1);
    assert_int_equal(COUNT(pcie_write_bytes), 0);
    close_driver();
}

static void a_clean_page_is_not_sent(void **state) {
    defaults();
    open_by_hand(64, 2);
    bring(0, 2);
    store(1);
    leave_in_order(0, 2);
    uint64_t t = cycle - 1;
    fault(7);
    fault_at(t + 30000, 8);
    run_to(t + 90000);
    char want[200];
    snprintf(want, sizeof want,
             "%u shoot 0\n%u drop 0\n%u arrived 7\n%u shoot 1\n%u drop 1\n%u arrived 8\n",
             (unsigned)t + SERVICE, (unsigned)t + SERVICE, (unsigned)t + SERVICE + PAGE_CYCLES,
             (unsigned)t + 30000 + SERVICE, (unsigned)t + 30000 + SERVICE,
             (unsigned)t + 30000 + SERVICE + PAGE_CYCLES);
    expect_log(want);
    assert_int_equal(COUNT(pcie_write_transfers), 1);
    assert_int_equal(COUNT(uvm_evictions), 2);
    assert_int_equal(COUNT(uvm_evicted_dirty), 1);
    close_driver();
}

/* A page that was stored to is evicted. After its return it is clean, and a second eviction does
 * not write it back. */
static void a_page_comes_clean(void **state) {
    defaults();
    open_by_hand(64, 1);
    bring(0, 1);
    store(0);
    leave_in_order(0, 1);
    bring(1, 1);
    leave_in_order(1, 1);
    bring(0, 1);
    leave_in_order(0, 1);
    bring(2, 1);
    assert_int_equal(COUNT(uvm_evictions), 3);
    assert_int_equal(COUNT(uvm_evicted_dirty), 1);
    assert_int_equal(COUNT(pcie_write_transfers), 1);
    close_driver();
}

/* Evicts pages 2 to 5 together, of which the third is held for `held_for` more cycles. Returns the
 * number of cycles from the service of the page that needs a frame to that page's arrival. */
static uint64_t cycles_of_a_choice(uint64_t held_for) {
    defaults();
    open_by_hand(64, 6);
    bring(0, 6);
    for (uint32_t page = 2; page < 6; page++)
        store(page);
    uvm_hold(u, line_of(4), false);
    leave_in_order(2, 4);
    choice = 4;
    uint64_t t = cycle - 1;
    fault(20);
    run_to(t + SERVICE + held_for);
    uvm_release(u, line_of(4));
    while (u->pages.page[20].state != PAGE_RESIDENT)
        run_to(cycle + 1);
    uint64_t came = cycle - 1;
    for (uint64_t n = 0; n < 4 * PAGE_CYCLES && u->write.busy; n++)
        run_to(cycle + 1);
    assert_int_equal(u->pages.in[PAGE_HOST], 64 - 3);
    assert_int_equal(u->pages.free, 3);
    assert_int_equal(u->freeing, 0);
    assert_int_equal(COUNT(pcie_write_transfers), 1);
    assert_int_equal(COUNT(pcie_write_bytes), 4 * 4096);
    assert_int_equal(COUNT(pcie_write_busy_cycles), 4 * PAGE_CYCLES);
    assert_int_equal(u->write.until, t + SERVICE + held_for + 4 * PAGE_CYCLES);
    close_driver();
    return came - t - SERVICE;
}

static void a_choice_is_written_back_as_one(void **state) {
    assert_int_equal(cycles_of_a_choice(0), PAGE_CYCLES);
    assert_int_equal(cycles_of_a_choice(70), 70 + PAGE_CYCLES);
}

/* Returns the number of write-backs for pages 511 and 512, which are the last page of one
 * allocation and the first of another, or belong to the same allocation. */
static uint64_t write_backs_of_511_and_512(uint32_t pages, uint32_t more) {
    defaults();
    more_pages = more;
    open_by_hand(pages, 2);
    bring(511, 2);
    store(511);
    store(512);
    leave_in_order(511, 2);
    choice = 2;
    fault(0);
    run_to(cycle + 30000);
    uint64_t n = COUNT(pcie_write_transfers);
    assert_int_equal(COUNT(pcie_write_bytes), 2 * 4096);
    close_driver();
    return n;
}

static void an_allocation_ends_a_write_back(void **state) {
    assert_int_equal(write_backs_of_511_and_512(513, 0), 1);
    assert_int_equal(write_backs_of_511_and_512(512, 1), 2);
}

static void a_choice_goes_in_stretches(void **state) {
    defaults();
    open_by_hand(64, 8);
    bring(0, 8);
    for (uint32_t page = 0; page < 8; page++)
        if (page != 4)
            store(page);
    /* pages 0 to 2 and pages 5 and 6 are written back together; page 4 is clean */
    const uint32_t order[] = {6, 1, 2, 5, 4, 0};
    memcpy(victims, order, sizeof order);
    n_victims = choice = 6;
    fault(20);
    run_to(cycle + 30000);
    assert_int_equal(COUNT(pcie_write_transfers), 2);
    assert_int_equal(COUNT(pcie_write_bytes), 5 * 4096);
    assert_int_equal(u->pages.free, 5);
    close_driver();
}

static void a_page_that_is_held_leaves_when_it_is_released(void **state) {
    defaults();
    open_by_hand(64, 1);
    bring(0, 1);
    uvm_hold(u, line_of(0), true);
    uvm_hold(u, line_of(0) + 3, false);
    leave_in_order(0, 1);
    uint64_t t = cycle - 1;
    fault(7);
    run_to(t + SERVICE + 50);
    uvm_release(u, line_of(0));
    uvm_keep(u, line_of(0) + 1); /* a line of page 0 is sent to DRAM */
    run_to(t + SERVICE + 60);
    uvm_release(u, line_of(0) + 3);
    uvm_release(u, line_of(0) + 1);
    uvm_keep(u, line_of(0) + 2); /* another line is sent before the driver has checked the page */
    run_to(t + SERVICE + 70);
    uvm_release(u, line_of(0) + 2);
    run_to(t + 30000);
    char want[200];
    snprintf(want, sizeof want, "%u shoot 0\n%u drop 0\n%u arrived 7\n", (unsigned)t + SERVICE,
             (unsigned)t + SERVICE + 70, (unsigned)t + SERVICE + 70 + PAGE_CYCLES);
    expect_log(want);
    close_driver();
}

/* A page that is requested again during its eviction returns as soon as it is at the host. */
static void a_leaving_page_is_faulted_on_again(void **state) {
    defaults();
    cfg.uvm_write_back = WRITE_BACK_ALL;
    open_by_hand(64, 2);
    bring(0, 2);
    leave_in_order(0, 2);
    uint64_t t = cycle - 1;
    fault(7);
    fault_at(t + SERVICE + 10, 0); /* page 0 is GOING */
    run_to(t + 90000);
    char want[200];
    unsigned back = (unsigned)t + SERVICE + PAGE_CYCLES; /* cycle in which page 0 is at the host */
    snprintf(want, sizeof want,
             "%u shoot 0\n%u drop 0\n%u arrived 7\n%u shoot 1\n%u drop 1\n%u arrived 0\n",
             (unsigned)t + SERVICE, (unsigned)t + SERVICE, back, back + SERVICE, back + SERVICE,
             back + SERVICE + PAGE_CYCLES);
    expect_log(want);
    assert_int_equal(COUNT(uvm_refaults), 1);
    close_driver();
}

static void one_frame_is_enough(void **state) {
    defaults();
    strcpy(cfg.uvm_evict, "lru");
    cfg.uvm_memory_pages = 1;
    open_with(64);
    for (uint32_t i = 0; i < 3; i++)
        fault_at(0, i);
    run_to(30000);
    expect_log("20256 arrived 0\n20256 shoot 0\n20256 drop 0\n20512 arrived 1\n20512 shoot 1\n"
               "20512 drop 1\n20768 arrived 2\n");
    close_driver();
}

/* A page with waiters is not evicted. The transfer continues when an eviction becomes possible. */
static void who_waits_gets_its_page(void **state) {
    defaults();
    open_by_hand(64, 1);
    bring(0, 1);
    u->pages.page[0].waiters = 1;
    leave_in_order(0, 1);
    uint64_t t = cycle - 1;
    fault(7);
    run_to(t + 30000);
    expect_log("");
    u->pages.page[0].waiters = 0;
    run_to(t + 31000);
    char want[200];
    snprintf(want, sizeof want, "%u shoot 0\n%u drop 0\n%u arrived 7\n", (unsigned)t + 30000,
             (unsigned)t + 30000, (unsigned)t + 30000 + PAGE_CYCLES);
    expect_log(want);
    close_driver();
}

/* ---- hardware of the eviction policy ---- */

/* Two pages wait for the link to the host. A message from the hardware is sent before the
 * second. */
static void entries_of_hardware_go_before_pages(void **state) {
    defaults();
    cfg.uvm_write_back = WRITE_BACK_ALL;
    open_by_hand(128, 2);
    bring(0, 2);
    leave_in_order(0, 2);
    uint64_t t = cycle - 1;
    fault(7);
    fault(9);
    run_to(t + SERVICE + 10); /* page 0 is being transferred */
    for (uint32_t i = 0; i < 3; i++)
        uvm_send(u, "hardware", (const uint64_t[]){i, 7 * i}, 80, i == 2);
    run_to(t + 30000);
    char want[400];
    unsigned first = (unsigned)t + SERVICE + PAGE_CYCLES;
    unsigned sent = first + 15; /* the message has 3 entries of 80 B */
    snprintf(want, sizeof want,
             "%u shoot 0\n%u drop 0\n%u arrived 7\n%u shoot 1\n%u drop 1\n"
             "%u hear 0 0\n%u hear 1 7\n%u hear 2 14\n%u arrived 9\n",
             (unsigned)t + SERVICE, (unsigned)t + SERVICE, first, first, first, sent, sent, sent,
             sent + PAGE_CYCLES);
    expect_log(want);
    assert_int_equal(COUNT(pcie_write_bytes), 2 * 4096 + 240);
    close_driver();
}

/* ---- a policy with its own timing ---- */

static uint64_t alarm_at;  /* cycle of the policy's next event */
static uint32_t asked_for; /* number of calls of ask_for */

static void ring_alarm(void *policy, uint64_t at) {
    (void)policy;
    assert_int_equal(at, alarm_at);
    note_down("%u tick\n", (unsigned)at);
    alarm_at = at < 20000 ? at + 10000 : UINT64_MAX;
}

static uint64_t next_alarm(const void *policy, uint64_t at) {
    (void)policy;
    return alarm_at > at ? alarm_at : at;
}

/* Chooses two victims per call, whether memory is full or not, but only after the policy's own
 * events have ended. */
static uint32_t ask_for(void *policy, uint32_t *victim) {
    asked_for++;
    choice = 2;
    return alarm_at == UINT64_MAX ? choose_victims(policy, victim) : 0;
}

static const struct evictor timed = {.name = "timed",
                                     .create = make_policy,
                                     .tick = ring_alarm,
                                     .next_event = next_alarm,
                                     .choose = choose_victims};
static const struct evictor eager = {
    .name = "eager", .create = make_policy, .wants = ask_for, .choose = choose_victims};
static const struct evictor eager_in_time = {.name = "eager in time",
                                             .create = make_policy,
                                             .tick = ring_alarm,
                                             .next_event = next_alarm,
                                             .wants = ask_for,
                                             .choose = choose_victims};

static void open_with_evictor(const struct evictor *evictor, uint64_t alarm) {
    open_by_hand(64, 8);
    u->evictor = evictor;
    alarm_at = alarm;
    asked_for = 0;
}

/* The policy is ticked in the cycles that it names, with or without other ticks in between, and
 * during any other activity of the driver. */
static void a_policy_is_ticked_in_the_cycles_that_it_names(void **state) {
    for (unsigned jumps = 0; jumps < 2; jumps++) {
        defaults();
        jumping = jumps;
        open_with_evictor(&timed, 7000);
        assert_int_equal(uvm_next_event(u, 0), 7000);
        fault_at(5, 3);
        run_to(50000);
        expect_log("7000 tick\n17000 tick\n20261 arrived 3\n27000 tick\n");
        assert_int_equal(uvm_next_event(u, cycle), UINT64_MAX);
        close_driver();
    }
}

/* Although frames are free, two pages are evicted, one of them when it is released. */
static void pages_leave_that_the_policy_wants_to(void **state) {
    for (unsigned jumps = 0; jumps < 2; jumps++) {
        defaults();
        jumping = jumps;
        open_with_evictor(&eager_in_time, UINT64_MAX - 1);
        bring(0, 4);
        uvm_hold(u, line_of(2), false);
        leave_in_order(1, 2);
        alarm_at = 30000;
        run_to(30010);
        uvm_release(u, line_of(2));
        run_to(60000);
        expect_log("30000 tick\n30000 shoot 1\n30000 shoot 2\n30000 drop 1\n30010 drop 2\n");
        assert_int_equal(u->pages.page[1].state, PAGE_HOST);
        assert_int_equal(u->pages.page[2].state, PAGE_HOST);
        assert_int_equal(u->pages.free, 6);
        assert_int_equal(COUNT(uvm_evictions), 2);
        assert_int_equal(COUNT(uvm_full_cycle), 0);
        close_driver();
    }
}

/* A policy without a tick function is queried during other activity of the driver: when a fault is
 * served, and when the page arrives. */
static void a_policy_is_asked_what_it_wants(void **state) {
    for (unsigned jumps = 0; jumps < 2; jumps++) {
        defaults();
        jumping = jumps;
        open_with_evictor(&eager, UINT64_MAX);
        fault_at(5, 0);
        leave_in_order(0, 1);
        run_to(60000);
        assert_int_equal(asked_for, 2);
        expect_log("20261 arrived 0\n20261 shoot 0\n20261 drop 0\n");
        close_driver();
    }
}

/* ---- the account ---- */

static void expect_broken(const char *what) {
    assert_int_equal(context.fault, CONTEXT_BROKEN);
    if (!strstr(context.error.text, what))
        fail_msg("'%s' is not in '%s'", what, context.error.text);
    context.fault = CONTEXT_OK;
    close_driver();
}

static void accesses_to_absent_pages_are_found(void **state) {
    defaults();
    open_by_hand(64, 2);
    uvm_hold(u, line_of(3), false);
    expect_broken("not in GPU memory");
    open_by_hand(64, 1);
    bring(0, 1);
    uvm_hold(u, line_of(0), false);
    leave_in_order(0, 1);
    fault(1);
    run_to(cycle + SERVICE + 10);
    uvm_see(u, line_of(0)); /* the page is held by an access */
    expect_good();
    uvm_hold(u, line_of(0), false); /* the page is held with a translation that should be invalid */
    expect_broken("not in GPU memory");
    open_by_hand(64, 1);
    uvm_see(u, line_of(9));
    expect_broken("not in GPU memory");
}

static void holds_and_releases_are_counted(void **state) {
    defaults();
    open_by_hand(64, 2);
    bring(0, 1);
    uvm_hold(u, line_of(0), false);
    uvm_release(u, line_of(0));
    uvm_all_released(u);
    expect_good();
    uvm_release(u, line_of(0));
    expect_broken("not held");
    open_by_hand(64, 2);
    bring(0, 1);
    uvm_hold(u, line_of(0), false);
    uvm_all_released(u);
    expect_broken("held 1 times");
}

static void a_frame_that_is_counted_twice_is_found(void **state) {
    defaults();
    cfg.sim_planted_fault = PLANT_LOSE_FRAME;
    open_by_hand(64, 1);
    bring(0, 1);
    leave_in_order(0, 1);
    fault(1);
    run_to(cycle + 30000);
    expect_broken("frames are in use");
}

/* ---- random events ---- */

static uint64_t random_state;

static uint32_t any(uint32_t n) {
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((random_state >> 33) % n);
}

/* Runs random faults, holds and releases. The log must be the same with and without skips. */
static void random_run(uint32_t capacity, uint64_t seed) {
    uint32_t held[32], n_held = 0;
    cfg.uvm_memory_pages = capacity;
    open_with(100);
    random_state = seed;
    for (unsigned i = 0; i < 600; i++) {
        run_to(cycle + 1 + any(i % 7 ? 300 : 20000));
        uint32_t page = any(100);
        if (u->pages.page[page].state == PAGE_RESIDENT && n_held < 32) {
            uvm_walk_hit(u, page);
            uvm_hold(u, line_of(page), any(2));
            held[n_held++] = page;
        } else if (u->pages.page[page].state != PAGE_RESIDENT) {
            fault(page);
        }
        if (n_held && any(2)) {
            uint32_t k = any(n_held);
            uvm_release(u, line_of(held[k]));
            held[k] = held[--n_held];
        }
    }
    while (n_held)
        uvm_release(u, line_of(held[--n_held]));
    run_to(cycle + 10000000);
    uvm_all_released(u);
    expect_good();
    struct stats s = stats_now();
    assert_int_equal(s.v[STAT_uvm_demand_pages], s.v[STAT_uvm_faults]);
    assert_int_equal(s.v[STAT_uvm_demand_pages] + s.v[STAT_uvm_prefetched_pages],
                     s.v[STAT_uvm_evictions] + u->pages.in[PAGE_RESIDENT]);
    assert_int_equal(u->pages.in[PAGE_RESIDENT] + u->pages.in[PAGE_HOST], 128);
    assert_int_equal(u->pages.free, capacity - u->pages.in[PAGE_RESIDENT]);
    assert_int_equal(s.v[STAT_pcie_read_bytes],
                     4096 * (s.v[STAT_uvm_demand_pages] + s.v[STAT_uvm_prefetched_pages]));
}

static void nothing_is_lost_at_random(void **state) {
    static char plain[sizeof text];
    const uint32_t capacity[] = {1, 2, 7, 40, 128};
    const char *const evict[] = {"lru", "random", "sl64", "tree", "lru_2mb"};
    for (unsigned k = 0; k < 40; k += tier_is_test() ? 3 : 1) {
        defaults();
        cfg.uvm_service = k / 2 % 3;
        cfg.uvm_set_pages = 6;
        cfg.uvm_write_back = k / 5 % 2;
        strcpy(cfg.uvm_evict, evict[k / 5 % 5]);
        strcpy(cfg.uvm_prefetch, k % 3 ? "locality" : "none");
        strcpy(cfg.uvm_prefetch_full, k % 4 ? "none" : "sequential");
        random_run(capacity[k % 5], k);
        memcpy(plain, text, sizeof plain);
        struct stats s = stats_now();
        close_driver();
        jumping = true;
        random_run(capacity[k % 5], k);
        assert_string_equal(plain, text);
        struct stats t = stats_now();
        assert_memory_equal(&s, &t, sizeof s);
        close_driver();
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fault_takes_its_service_and_its_transfer),
        cmocka_unit_test(faults_are_served_one_at_a_time),
        cmocka_unit_test(a_prefetch_serves_the_faults_on_its_pages),
        cmocka_unit_test(waiting_faults_leave_room_to_prefetch),
        cmocka_unit_test(faults_of_an_interval_are_a_set),
        cmocka_unit_test(an_interval_begins_where_the_last_one_ended),
        cmocka_unit_test(a_transfer_ends_at_gaps_and_behind_faulted_pages),
        cmocka_unit_test(an_allocation_ends_a_transfer),
        cmocka_unit_test(a_transfer_takes_half_of_memory_at_most),
        cmocka_unit_test(a_prefetched_page_that_is_faulted_on_is_joined),
        cmocka_unit_test(prefetches_leave_room),
        cmocka_unit_test(prefetches_that_wait_take_room),
        cmocka_unit_test(a_page_that_returns_is_no_prefetch),
        cmocka_unit_test(a_prefetcher_that_fills_goes_on),
        cmocka_unit_test(filling_ends_when_memory_is_full),
        cmocka_unit_test(a_frame_is_free_when_its_transfer_starts),
        cmocka_unit_test(an_eviction_within_the_service_sends_nothing),
        cmocka_unit_test(a_clean_page_is_not_sent),
        cmocka_unit_test(a_page_comes_clean),
        cmocka_unit_test(a_choice_is_written_back_as_one),
        cmocka_unit_test(an_allocation_ends_a_write_back),
        cmocka_unit_test(a_choice_goes_in_stretches),
        cmocka_unit_test(a_page_that_is_held_leaves_when_it_is_released),
        cmocka_unit_test(a_leaving_page_is_faulted_on_again),
        cmocka_unit_test(one_frame_is_enough),
        cmocka_unit_test(who_waits_gets_its_page),
        cmocka_unit_test(entries_of_hardware_go_before_pages),
        cmocka_unit_test(a_policy_is_ticked_in_the_cycles_that_it_names),
        cmocka_unit_test(pages_leave_that_the_policy_wants_to),
        cmocka_unit_test(a_policy_is_asked_what_it_wants),
        cmocka_unit_test(accesses_to_absent_pages_are_found),
        cmocka_unit_test(holds_and_releases_are_counted),
        cmocka_unit_test(a_frame_that_is_counted_twice_is_found),
        cmocka_unit_test(nothing_is_lost_at_random),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
