// SPDX-License-Identifier: Apache-2.0
/* Tests the tree prefetcher in the driver. The transfers double from fault to fault, as on a
 * GPU. */
#include "prefetch/prefetch.h"
#include "uvm/uvm.h"
#include "check/check.h"
#include "tests/test.h"

#define BASE (UINT64_C(1) << 31)
#define KB 1024
#define SERVICE 20000 /* cycles at 1000 MHz to service faults */
#define KB_CYCLES 64  /* cycles to transfer 1024 bytes at 16 GB/s */

struct ramp {
    struct config cfg;
    struct context context;
    struct check *check;
    struct uvm *u;
    uint64_t cycle, arrived[CHUNK_PAGES];
};

static void arrived(void *ctx, uint32_t page) {
    struct ramp *r = ctx;
    r->arrived[page] = r->cycle;
}

static void nothing(void *ctx, uint32_t page) {
    (void)ctx, (void)page;
}

static void ramp_open(struct ramp *r, const char *prefetch) {
    struct error err = {0};
    memset(r, 0, sizeof *r);
    config_default(&r->cfg);
    r->cfg.clock_sm_mhz = 1000;
    r->cfg.uvm_mode = UVM_PAGED;
    strcpy(r->cfg.uvm_prefetch, prefetch);
    r->context.check = r->check = check_create(1);
    r->u = uvm_create(&r->cfg, &r->context, NULL);
    assert_non_null(r->u);
    uvm_set_hooks(r->u, &(struct uvm_hooks){r, arrived, nothing, nothing, nothing});
    struct device_array array = {.name = "a", .base = BASE, .bytes = 2048 * KB};
    const struct workload w = {.arrays = &array, .n_arrays = 1};
    assert_int_equal(uvm_begin(r->u, &w, &err), 0);
}

static void ramp_close(struct ramp *r) {
    assert_int_equal(r->context.fault, CONTEXT_OK);
    uvm_destroy(r->u);
    check_destroy(r->check);
}

static uint64_t count(const struct ramp *r, enum stat_id id) {
    struct stats s;
    memset(&s, 0, sizeof s);
    uvm_add_stats(r->u, &s);
    return s.v[id];
}

/* Faults on a page and runs until idle. Expects two transfers: the page, and then the next `kb`
 * KB. */
static void expect_transfers(struct ramp *r, uint32_t page, uint32_t kb) {
    uint64_t bytes = count(r, STAT_pcie_read_bytes), begun = r->cycle;
    uint64_t transfers = count(r, STAT_pcie_read_transfers);
    uvm_fault(r->u, page, r->cycle);
    for (uint64_t next; (next = uvm_next_event(r->u, r->cycle)) != UINT64_MAX;
         r->cycle = next + 1) {
        r->context.sm_cycle = r->cycle = next;
        uvm_tick(r->u, next);
    }
    assert_int_equal(count(r, STAT_pcie_read_transfers) - transfers, 2);
    assert_int_equal(count(r, STAT_pcie_read_bytes) - bytes, (4 + kb) * KB);
    assert_int_equal(r->arrived[page] - begun, SERVICE + 4 * KB_CYCLES);
    for (uint32_t i = 1; i <= kb / 4; i++)
        assert_int_equal(r->arrived[page + i] - begun, SERVICE + (4 + kb) * KB_CYCLES);
}

static void the_tree_ramps_up(void **state) {
    static struct ramp r;
    ramp_open(&r, "tree");
    expect_transfers(&r, 0 * BLOCK_PAGES, 60);
    expect_transfers(&r, 1 * BLOCK_PAGES, 60);
    expect_transfers(&r, 2 * BLOCK_PAGES, 124);
    expect_transfers(&r, 4 * BLOCK_PAGES, 252);
    expect_transfers(&r, 8 * BLOCK_PAGES, 508);
    expect_transfers(&r, 16 * BLOCK_PAGES, 1020);
    assert_int_equal(count(&r, STAT_uvm_prefetched_pages), CHUNK_PAGES - 6);
    ramp_close(&r);
}

static void blocks_do_not(void **state) {
    static struct ramp r;
    ramp_open(&r, "sl64");
    for (uint32_t block = 0; block < CHUNK_PAGES / BLOCK_PAGES; block++)
        expect_transfers(&r, block * BLOCK_PAGES, 60);
    ramp_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_tree_ramps_up),
        cmocka_unit_test(blocks_do_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
