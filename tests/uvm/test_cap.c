// SPDX-License-Identifier: Apache-2.0
/* Tests of capacity-aware prefetching in the driver: which pages are moved with a faulted page as
 * memory fills, the queries to the block `cap`, and the effect of its answers. */
#include "tests/uvm/driver.h"

#include "cap/cap_ports.h"
#include "gmmu/observer.h"
#include "prefetch/cap.h"

/* The block with its queries and answers. */
static struct {
    struct gmmu_observer *part;
    struct block_inst *inst;
    const struct cap_port *port;
    struct cap_ask ask[8];
    unsigned size[8], n, seen;
} block;

static unsigned answer(void *ctx, const struct cap_ask *ask) {
    (void)ctx;
    assert_true(block.n < 8);
    block.ask[block.n] = *ask;
    return block.size[block.n++] = block.port->answer(block.port->ctx, ask);
}

/* ---- a faulty block ---- */

static struct {
    bool mute, babbles, lies;
    unsigned size;
} fault_of;

static void break_outputs(struct block_probe *probe, const struct block_inst *inst, const void *in,
                          void *out_) {
    struct cap_out *out = out_;
    (void)probe;
    (void)inst;
    (void)in;
    out->ans_valid = (out->ans_valid || fault_of.babbles) && !fault_of.mute;
    if (fault_of.lies)
        out->ans_size = fault_of.size;
}

static void see_tick(struct block_probe *probe, const struct block_inst *inst, const void *in) {
    (void)probe;
    (void)inst;
    (void)in;
}

static void break_block(void) {
    static struct block_probe probe = {break_outputs, see_tick};
    block.inst->probe = &probe;
}

/* Expects the run to have ended with this message, and makes the block correct again. */
static void expect_found(const char *what) {
    assert_int_equal(context.fault, CONTEXT_BROKEN);
    if (!strstr(context.error.text, what))
        fail_msg("'%s' is not in '%s'", what, context.error.text);
    context.fault = CONTEXT_OK;
    memset(&fault_of, 0, sizeof fault_of);
    block.inst->probe = NULL;
}

/* Opens a driver with two arrays, of n_pages and more_pages pages. */
static void open_cap(uint32_t n_pages, uint32_t frames) {
    static const struct cap_port port = {NULL, answer};
    struct error err;
    strcpy(cfg.uvm_prefetch, "cap");
    strcpy(cfg.uvm_prefetch_full, "cap");
    cfg.uvm_memory_pages = frames;
    u = uvm_create(&cfg, &context, NULL);
    assert_non_null(u);
    block.part = gmmu_cap_create(&cfg, &context, u, &err);
    assert_non_null(block.part);
    block.inst = &context.blocks.first->inst;
    block.port = u->port[false];
    uvm_set_port(u, &cap_type, &port);
    block.n = block.seen = 0;
    open_with(n_pages);
}

static void close_cap(void) {
    close_driver();
    block.part->type->destroy(block.part);
}

/* Faults on a page. Expects the fault to be served alone and to move in exactly the absent pages
 * in first..last. */
static void expect_comes(uint32_t page, uint32_t first, uint32_t last) {
    static bool there[4096];
    for (uint32_t i = 0; i < u->pages.n; i++)
        there[i] = u->pages.page[i].state == PAGE_RESIDENT;
    fault(page);
    run_to(cycle + SERVICE + 2 * CHUNK_PAGES * PAGE_CYCLES);
    for (uint32_t i = 0; i < u->pages.n; i++)
        if (page_exists(&u->pages, i) &&
            (u->pages.page[i].state == PAGE_RESIDENT) != (there[i] || (i >= first && i <= last)))
            fail_msg("page %u after a fault on %u", (unsigned)i, (unsigned)page);
}

/* Expects the next query to the block to have these values, and the answer to be `kib` KiB. */
static void expect_ask(uint32_t group, uint32_t avail, bool full, uint32_t kib) {
    const struct cap_ask *ask = &block.ask[block.seen];
    assert_true(block.seen < block.n);
    assert_int_equal(ask->group, group);
    assert_int_equal(ask->avail, avail);
    assert_int_equal(ask->full, full);
    assert_int_equal(64 << block.size[block.seen++], kib);
}

/* ---- one array of 4 MiB, 512 frames ---- */

static void prefetches_shrink_as_memory_fills_up(void **state) {
    static const struct {
        uint32_t page, avail, kib, last, free;
    } step[] = {
        {0, 511, 1024, 255, 256}, {256, 255, 512, 383, 128}, {384, 127, 256, 447, 64},
        {448, 63, 128, 479, 32},  {480, 31, 64, 495, 16},    {496, 15, 64, 511, 0},
    };
    defaults();
    open_cap(1024, 512);
    run_to(1);
    for (unsigned i = 0; i < sizeof step / sizeof *step; i++) {
        expect_comes(step[i].page, step[i].page, step[i].last);
        expect_ask(0, step[i].avail, false, step[i].kib);
        assert_int_equal(u->pages.free, step[i].free);
    }
    assert_false(u->full);
    /* No frame is free, so cap is not queried. The page arrives alone, memory becomes full, and
     * LRU frees frames. */
    fault(512);
    run_to(cycle + 40000);
    assert_int_equal(u->pages.page[512].state, PAGE_RESIDENT);
    assert_int_equal(u->pages.page[513].state, PAGE_HOST);
    assert_true(u->full);
    /* moves in the other pages of its block, and blocks 33 to 39 */
    fault(513);
    run_to(cycle + 200000);
    expect_ask(0, 0, true, 512);
    for (uint32_t page = 512; page < 640; page++)
        assert_int_equal(u->pages.page[page].state, PAGE_RESIDENT);
    assert_int_equal(u->pages.page[640].state, PAGE_HOST);
    assert_int_equal(COUNT(cap_queries), 7);
    assert_int_equal(COUNT(uvm_prefetched_pages), 255 + 127 + 63 + 31 + 15 + 15 + 126);
    close_cap();
}

/* ---- sizes ---- */

/* Returns the size in KiB for the first fault if `avail` pages are free. The two arrays have
 * `array` and `other` pages. */
static uint32_t kib_of(uint32_t array, uint32_t other, uint32_t avail) {
    defaults();
    more_pages = other;
    open_cap(array, avail + 1);
    run_to(1);
    fault(0);
    run_to(cycle + SERVICE);
    assert_int_equal(block.n, 1);
    assert_int_equal(block.ask[0].avail, avail);
    cycle += 1;
    close_cap();
    return UINT32_C(64) << block.size[0];
}

static void sizes_are_those_of_the_formula(void **state) {
    /* minimum number of free pages for 64 .. 1024 KiB */
    static const uint32_t least[] = {18, 36, 71, 141, 282};
    assert_int_equal(kib_of(2048, 0, 262143), 1024);
    assert_int_equal(kib_of(1024, 3072, 512), 256);  /* G is 465 KiB */
    assert_int_equal(kib_of(3072, 1024, 512), 1024); /* G is 1396 KiB */
    assert_int_equal(kib_of(1024, 3072, 462), 256);  /* G is 420 KiB */
    assert_int_equal(kib_of(55, 0, 262143), 128);    /* the array has 220 KiB */
    assert_int_equal(kib_of(3, 0, 262143), 64);
    for (unsigned k = 1; k < 5; k++) {
        assert_int_equal(kib_of(1024, 0, least[k]), 64 << k);
        assert_int_equal(kib_of(1024, 0, least[k] - 1), 32 << k);
        assert_int_equal(kib_of(16 << k, 0, 262143), 64 << k); /* the whole array fits */
        assert_int_equal(kib_of((16 << k) - 1, 0, 262143), 32 << k);
    }
}

/* ---- ranges ---- */

static void the_range_is_aligned_and_ends_with_the_array(void **state) {
    defaults();
    more_pages = 55;
    open_cap(520, 4096);
    run_to(1);
    expect_comes(300, 256, 511);
    expect_comes(40, 0, 255);
    expect_comes(519, 512, 527);              /* the rest of an allocation of 64 KiB */
    expect_comes(1024 + 20, 1024, 1024 + 31); /* an array of 220 KiB */
    close_cap();
}

static void the_range_may_begin_with_the_block(void **state) {
    defaults();
    cfg.cap_range = CAP_RANGE_AHEAD;
    open_cap(1024, 4096);
    run_to(1);
    expect_comes(300, 288, 543);
    expect_comes(962, 960, 1023);
    close_cap();
}

/* A block is prefetched completely or not at all. A prefetch of 128 KiB may use half of the frames,
 * which is enough for one block. With five free frames, no block is prefetched. */
static void blocks_come_whole(void **state) {
    defaults();
    open_cap(512, 37);
    run_to(1);
    expect_comes(300, 288, 303);
    expect_ask(0, 36, false, 128);
    expect_comes(17, 16, 31);
    expect_ask(0, 20, false, 64);
    assert_int_equal(u->pages.free, 5);
    expect_comes(100, 100, 100);
    close_cap();
}

/* ---- several faults ---- */

/* Faults are served together (uvm.service=each). For the second fault, the pages requested for the
 * first one no longer count as available. */
static void faults_of_a_group_are_served_in_order(void **state) {
    defaults();
    open_cap(1024, 512);
    run_to(1);
    fault(0);
    fault(600);
    run_to(cycle + SERVICE + 400000);
    expect_ask(0, 510, false, 1024);
    expect_ask(0, 255, false, 512);
    assert_int_equal(u->pages.page[255].state, PAGE_RESIDENT);
    assert_int_equal(u->pages.page[256].state, PAGE_HOST);
    assert_int_equal(u->pages.page[600].state, PAGE_RESIDENT);
    close_cap();
}

/* With uvm.service=serial, waiting faults use no frames. Waiting faults in the prefetched range
 * are served together with the first. */
static void waiting_faults_are_served_along(void **state) {
    defaults();
    cfg.uvm_service = SERVICE_SERIAL;
    open_cap(1024, 512);
    run_to(1);
    fault(0);
    fault(200);
    fault(900);
    run_to(SERVICE + 100000);
    expect_ask(0, 511, false, 1024);
    expect_ask(0, 255, false, 512);
    assert_int_equal(COUNT(uvm_faults_joined), 1);
    assert_int_equal(u->pages.page[200].state, PAGE_RESIDENT);
    close_cap();
}

/* ---- the answer ---- */

/* If four blocks arrive although the rule requires 16, the run ends with an error. */
static void what_comes_is_what_the_block_answers(void **state) {
    defaults();
    open_cap(1024, 4096);
    run_to(1);
    fault_of.lies = true;
    fault_of.size = 2;
    break_block();
    expect_comes(300, 256, 319);
    expect_found("answers 2, but the size should be 4");
    close_cap();
}

static void serve_one(uint32_t page) {
    fault(page);
    run_to(cycle + SERVICE);
}

static void an_answer_comes_to_each_question_and_to_no_other(void **state) {
    defaults();
    open_cap(1024, 4096);
    run_to(1);
    fault_of.babbles = true;
    break_block();
    block.part->type->tick(block.part, 0); /* the outputs are invalid during reset */
    expect_good();
    block.part->type->tick(block.part, 1);
    expect_found("gmmu.cap responds without a query");
    fault_of.babbles = true;
    break_block();
    serve_one(0);
    expect_found("gmmu.cap responds without a query");
    fault_of.mute = true;
    break_block();
    serve_one(600);
    expect_found("gmmu.cap does not respond two cycles after a query");
    serve_one(900);
    close_cap();
}

/* ---- limits unknown to the block ---- */

static void expect_refused(const struct workload *w, const char *why) {
    struct error err = {0};
    memset(&context, 0, sizeof context);
    struct uvm *driver = uvm_create(&cfg, &context, NULL);
    assert_non_null(driver);
    assert_int_equal(uvm_begin(driver, w, &err), -1);
    assert_non_null(strstr(err.text, why));
    uvm_destroy(driver);
}

static void traces_and_too_many_arrays_are_refused(void **state) {
    static struct device_array array[33];
    for (unsigned i = 0; i < 33; i++)
        array[i] = (struct device_array){
            .name = "a", .base = (UINT64_C(1) << 31) + i * PAGE_BYTES, .bytes = PAGE_BYTES};
    for (unsigned k = 0; k < 3; k++) {
        defaults();
        strcpy(k == 0   ? cfg.uvm_prefetch
               : k == 1 ? cfg.uvm_prefetch_full
                        : cfg.uvm_evict,
               k < 2 ? "cap" : "ture");
        expect_refused(&(struct workload){0}, "a trace");
        expect_refused(&(struct workload){.arrays = array, .n_arrays = 33}, "32 arrays");
        array[0].bytes = (UINT64_C(4) << 30) + 1;
        expect_refused(&(struct workload){.arrays = array, .n_arrays = 1}, "4 GiB");
        array[0].bytes = PAGE_BYTES;
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(prefetches_shrink_as_memory_fills_up),
        cmocka_unit_test(sizes_are_those_of_the_formula),
        cmocka_unit_test(the_range_is_aligned_and_ends_with_the_array),
        cmocka_unit_test(the_range_may_begin_with_the_block),
        cmocka_unit_test(blocks_come_whole),
        cmocka_unit_test(faults_of_a_group_are_served_in_order),
        cmocka_unit_test(waiting_faults_are_served_along),
        cmocka_unit_test(what_comes_is_what_the_block_answers),
        cmocka_unit_test(an_answer_comes_to_each_question_and_to_no_other),
        cmocka_unit_test(traces_and_too_many_arrays_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
