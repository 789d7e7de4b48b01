// SPDX-License-Identifier: Apache-2.0
/* Tests of relations between keys, of sizes of GPU memory, and of the copy before the first
 * kernel. */
#include "driver.h"

static struct error err;

/* Expects uvm_check to refuse the configuration with this message, and restores the defaults. */
static void expect_refused(const char *what) {
    err.text[0] = '\0';
    assert_int_equal(uvm_check(&cfg, &err), -1);
    if (!strstr(err.text, what))
        fail_msg("'%s' is not in '%s'", what, err.text);
    defaults();
}

static void what_cannot_be_is_refused(void **state) {
    defaults();
    assert_int_equal(uvm_check(&cfg, &err), 0);
    strcpy(cfg.uvm_evict, "fifo");
    expect_refused("uvm.evict=fifo is not one of ");
    strcpy(cfg.uvm_evict, "fifo");
    expect_refused("lru");
    strcpy(cfg.uvm_prefetch, "all");
    expect_refused("uvm.prefetch=all is not one of ");
    strcpy(cfg.uvm_prefetch_full, "all");
    expect_refused("uvm.prefetch_full=all is not one of ");
    cfg.uvm_mode = UVM_OFF;
    cfg.uvm_memory_pages = 7;
    expect_refused("uvm.memory_pages=7 needs uvm.mode=paged, not uvm.mode=off");
    cfg.uvm_mode = UVM_COPY;
    cfg.uvm_memory_percent = 50;
    expect_refused("uvm.memory_percent=50 needs uvm.mode=paged, not uvm.mode=copy");
    cfg.uvm_mode = UVM_PAGED;
    cfg.uvm_memory_pages = 7;
    cfg.uvm_memory_percent = 50;
    expect_refused("uvm.memory_pages=7 and uvm.memory_percent=50 both set the size of memory");
    cfg.uvm_mode = UVM_COPY;
    cfg.uvm_user_prefetch = USER_PREFETCH_LAUNCH;
    expect_refused("uvm.user_prefetch=launch needs uvm.mode=paged, not uvm.mode=copy");
    cfg.uvm_mode = UVM_OFF;
    strcpy(cfg.uvm_prefetch, "cap");
    expect_refused("uvm.prefetch=cap needs uvm.mode=paged, not uvm.mode=off");
    cfg.uvm_mode = UVM_COPY;
    strcpy(cfg.uvm_prefetch_full, "cap");
    expect_refused("uvm.prefetch_full=cap needs uvm.mode=paged, not uvm.mode=copy");
    cfg.uvm_mode = UVM_OFF;
    strcpy(cfg.uvm_evict, "ture");
    expect_refused("uvm.evict=ture needs uvm.mode=paged, not uvm.mode=off");
    cfg.uvm_mode = UVM_COPY;
    cfg.uvm_resident = 1;
    expect_refused("uvm.resident=yes needs uvm.mode=paged, not uvm.mode=copy");
    cfg.uvm_resident = 1;
    cfg.uvm_memory_pages = 7;
    expect_refused("uvm.memory_pages=7 needs uvm.resident=no");
    cfg.uvm_resident = 1;
    cfg.uvm_memory_percent = 50;
    expect_refused("uvm.memory_percent=50 needs uvm.resident=no");
    cfg.uvm_resident = 1;
    cfg.uvm_user_prefetch = USER_PREFETCH_LAUNCH;
    expect_refused("uvm.user_prefetch=launch needs uvm.resident=no");
    cfg.uvm_resident = 1;
    strcpy(cfg.uvm_evict, "ture");
    expect_refused("uvm.evict=ture needs uvm.resident=no");
    cfg.pcie_model = PCIE_CURVE;
    cfg.pcie_gbps = 20;
    expect_refused("pcie.gbps=16, 32 or 64, not 20");
    cfg.hpe_set_pages = 12;
    expect_refused("hpe.set_pages=12 is not a power of two");
    cfg.hir_sets = 100;
    expect_refused("hir.sets=100 is not a power of two");
}

static void the_future_needs_two_passes(void **state) {
    defaults();
    assert_false(uvm_two_pass(&cfg));
    strcpy(cfg.uvm_evict, "ideal");
    assert_true(uvm_two_pass(&cfg));
    cfg.uvm_mode = UVM_OFF;
    assert_false(uvm_two_pass(&cfg));
    defaults();
    strcpy(cfg.uvm_prefetch, "oracle");
    assert_true(uvm_two_pass(&cfg));
    defaults();
    strcpy(cfg.uvm_prefetch_full, "oracle");
    assert_true(uvm_two_pass(&cfg));
}

static uint32_t capacity_in_units(uint32_t pages, int64_t percent, int64_t frames, int64_t unit) {
    defaults();
    cfg.uvm_frame_unit = unit;
    cfg.uvm_memory_percent = percent;
    cfg.uvm_memory_pages = frames;
    open_with(pages);
    uint32_t capacity = u->pages.capacity;
    assert_int_equal(u->pages.free, capacity);
    assert_int_equal(COUNT(uvm_memory_pages), capacity);
    assert_int_equal(COUNT(uvm_footprint_pages), pages);
    close_driver();
    return capacity;
}

static uint32_t capacity_of(uint32_t pages, int64_t percent, int64_t frames) {
    return capacity_in_units(pages, percent, frames, 1);
}

static void memory_is_as_large_as_said(void **state) {
    assert_int_equal(capacity_of(20, 0, 0), 32); /* the capacity includes padding */
    assert_int_equal(capacity_of(20, 50, 0), 10);
    assert_int_equal(capacity_of(21, 50, 0), 11);
    assert_int_equal(capacity_of(20, 1, 0), 1);
    assert_int_equal(capacity_of(20, 100, 0), 20);
    assert_int_equal(capacity_of(20, 50, 3), 3);
    assert_int_equal(capacity_in_units(100, 50, 0, 16), 48);
    assert_int_equal(capacity_in_units(96, 50, 0, 16), 48);
    assert_int_equal(capacity_in_units(32, 50, 0, 16), 16);
    assert_int_equal(capacity_in_units(20, 50, 3, 16), 3);
}

static void expect_begin(const char *what) {
    const struct workload trace = {0};
    memset(&context, 0, sizeof context);
    u = uvm_create(&cfg, &context, NULL);
    err.text[0] = '\0';
    assert_int_equal(uvm_begin(u, &trace, &err), what ? -1 : 0);
    if (what && !strstr(err.text, what))
        fail_msg("'%s' is not in '%s'", what, err.text);
}

static void a_trace_has_no_arrays(void **state) {
    defaults();
    cfg.uvm_memory_percent = 50;
    expect_begin("use uvm.memory_pages");
    uvm_destroy(u);
    cfg.uvm_mode = UVM_COPY;
    cfg.uvm_memory_percent = 0;
    expect_begin("uvm.mode=copy needs the arrays");
    uvm_destroy(u);
    defaults();
    cfg.uvm_user_prefetch = USER_PREFETCH_LAUNCH;
    expect_begin("uvm.user_prefetch=launch needs the arrays");
    uvm_destroy(u);
    defaults();
    cfg.uvm_resident = 1;
    expect_begin("uvm.resident=yes needs the arrays");
    uvm_destroy(u);
    u = NULL;
}

/* The memory grows with the number of touched regions. */
static void regions_of_a_trace_have_frames(void **state) {
    defaults();
    expect_begin(NULL);
    cycle = 1;
    assert_int_equal(u->pages.capacity, 0);
    uint32_t page = pages_of_line(uvm_pages(u), FIRST_LINE);
    uvm_fault(u, page, 0);
    assert_int_equal(u->pages.capacity, 512);
    page = pages_of_line(uvm_pages(u), 3 * FIRST_LINE);
    uvm_fault(u, page, 0);
    assert_int_equal(u->pages.capacity, 1024);
    run_to(30000);
    assert_int_equal(u->pages.in[PAGE_RESIDENT], 2);
    assert_int_equal(u->pages.free, 1022);
    uvm_destroy(u);
    u = NULL;
}

/* Copying 2 MB takes 131072 cycles, and copying 4 KB takes 256. */
static void arrays_are_copied_in_pieces(void **state) {
    defaults();
    cfg.uvm_mode = UVM_COPY;
    more_pages = 1;
    open_with(1024 + 1);
    assert_true(uvm_copying(u));
    assert_int_equal(uvm_next_event(u, 0), 0);
    run_to(1);
    assert_int_equal(uvm_next_event(u, 1), 131072);
    run_to(2 * 131072 + 2 * 256);
    assert_true(uvm_copying(u));
    run_to(2 * 131072 + 2 * 256 + 1);
    assert_false(uvm_copying(u));
    assert_int_equal(uvm_next_event(u, cycle), UINT64_MAX);
    assert_int_equal(COUNT(uvm_copy_cycles), 2 * 131072 + 2 * 256);
    assert_int_equal(COUNT(pcie_read_busy_cycles), COUNT(uvm_copy_cycles));
    assert_int_equal(COUNT(pcie_read_transfers), 4);
    assert_int_equal(COUNT(pcie_read_bytes), 1026 * 4096);
    close_driver();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(the_future_needs_two_passes),
        cmocka_unit_test(memory_is_as_large_as_said),
        cmocka_unit_test(a_trace_has_no_arrays),
        cmocka_unit_test(regions_of_a_trace_have_frames),
        cmocka_unit_test(arrays_are_copied_in_pieces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
