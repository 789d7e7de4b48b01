// SPDX-License-Identifier: Apache-2.0
/* Tests of the system with TLBs: the exact latency of a translation, and random traffic on few
 * frames under the data check, with and without skipping. The test tier uses a fifth of the
 * configurations, and the full tier two fifths.
 * tier: test, 5 s; full, 15 s; long, 35 s */
#include "tests/gpu/fixture.h"
#include "tests/tier.h"

#define PAGE UINT64_C(4096)

/* ---- latencies ---- */

/* Loads A, B and A. If the TLB has one entry, the second load of A misses in the TLB, but hits in
 * the L1D. */
static void twice(const struct warp_place *place, uint32_t pc, struct warp_inst *i) {
    (void)place;
    switch (pc) {
    case 0:
        load(i, BASE, R(1));
        return;
    case 1:
        load(i, BASE + PAGE, R(1));
        break;
    case 2:
        load(i, BASE, R(1));
        break;
    case 3:
        alu(i, R(1), R(2));
        return;
    default:
        i->op = WARP_EXIT;
        return;
    }
    i->src = (struct reg_set){{R(1)}};
}

static struct config paged_config(void) {
    struct config c = small_config();
    c.uvm_mode = UVM_PAGED;
    c.uvm_fault_us = 1;
    return c;
}

static void expect_latency(const struct config *c, uint64_t translation) {
    struct program p = program_of(twice);
    struct outcome o = run_program(c, &p, true);
    if (o.end != GPU_DONE)
        fail_msg("end %d: %s", (int)o.end, o.error);
    assert_int_equal(p.issued[3] - p.issued[2], 2 + (uint64_t)c->l1d_hit_latency + translation);
    assert_int_equal(o.stats.v[STAT_uvm_faults], 2);
}

static void translations_take_their_time(void **state) {
    struct config c = paged_config();
    expect_latency(&c, 0); /* the translation is in the L1 TLB */
    c.tlb_l1_entries = 1;
    c.tlb_l2_latency = 13;
    c.gmmu_walk_latency = 21;
    expect_latency(&c, 2 + 13);
    c.tlb_l2_entries = c.tlb_l2_ways = 1;
    expect_latency(&c, 2 + 13 + 21);
    c.tlb_l2_entries = 0;
    expect_latency(&c, 2 + 21);
    c.gmmu_cache_lines = 1;
    c.gmmu_cache_miss = 100;
    expect_latency(&c, 2 + 21);
}

/* A fault takes one walk for the Nack and one for the replay, with the driver and the transfer in
 * between. */
static void faults_take_their_time(void **state) {
    struct config c = paged_config();
    struct program p = program_of(twice);
    struct outcome o = run_program(&c, &p, true);
    struct config off = c;
    off.uvm_mode = UVM_OFF;
    uint64_t fault = p.issued[1] - p.issued[0];
    run_program(&off, &p, true);
    uint64_t walk =
        /* number of cycles from request to reply */
        1 + (uint64_t)(c.tlb_l2_latency + c.gmmu_walk_latency);
    uint64_t transfer = 256; /* number of cycles for 4 KB at 16 GB/s */
    uint64_t driver = 1000 + transfer;
    assert_int_equal(fault - (p.issued[1] - p.issued[0]), walk + driver + 1 + walk + 1);
    assert_int_equal(o.stats.v[STAT_uvm_fault_latency], 2 * driver);
}

/* ---- random traffic ---- */

static struct outcome run_to_end(struct config c, struct program p, bool skip) {
    c.sim_skip = skip;
    struct outcome o = run_program(&c, &p, true);
    if (o.end != GPU_DONE)
        fail_msg("end %d: %s", (int)o.end, o.error);
    return o;
}

static uint64_t evictions, waited;

static void expect_clean(const struct config *c, struct program p) {
    struct outcome all = run_to_end(*c, p, false), some = run_to_end(*c, p, true);
    const uint64_t *v = all.stats.v;
    assert_memory_equal(&all.stats, &some.stats, sizeof all.stats);
    assert_int_equal(all.checked, v[STAT_load_lines] + v[STAT_atomic_lines]);
    assert_int_equal(v[STAT_tlb_accesses],
                     v[STAT_tlb_hits] + v[STAT_tlb_misses] + v[STAT_tlb_merges]);
    assert_int_equal(v[STAT_tlb_refusals], v[STAT_tlb_refusals_misses] +
                                               v[STAT_tlb_refusals_waiting] +
                                               v[STAT_tlb_refusals_blocked]);
    expect_sums(c, &all.stats);
    evictions += v[STAT_uvm_evictions];
    waited += v[STAT_tlb_misses] + v[STAT_tlb_merges];
}

static struct config chaos_paged(uint32_t n) {
    struct config c = chaos_config();
    c.clock_sm_mhz = 200 + n % 3 * 400;
    c.uvm_mode = UVM_PAGED;
    c.uvm_fault_us = 1;
    c.uvm_memory_pages = 1 + n % 3;
    c.uvm_far_faults = n % 4;
    c.uvm_faults = n % 5 == 0;
    c.uvm_write_back = n / 2 % 2;
    strcpy(c.uvm_evict, n % 3 == 1 ? "hpe" : "lru");
    c.hir_sets = c.hir_ways = 1;
    c.hpe_transfer = 1 + n % 3;
    c.tlb_l1_entries = 1 + n % 2;
    c.tlb_l1_misses = 1 + n / 3 % 3;
    c.tlb_l1_waiting = 1 + n % 7 * 5;
    c.tlb_l2_entries = n / 2 % 3;
    c.tlb_l2_ways = 1;
    c.sm_coalesce = n / 3 % 3;
    c.l1d_write = (const int[]){L1D_WTWN, L1D_WEWN, L1D_LOCAL_WB}[n % 3];
    c.l1d_miss_queue = 2 + n % 3;
    c.l1d_enabled = n % 6 != 5;
    c.l1d_mshr = n / 2 % 3;
    c.l1d_dl_tail = n / 3 % 3;
    c.l1d_dl_pools = c.l1d_dl_tail == 2 ? MSHR_POOLS_SPLIT : MSHR_POOLS_SHARED;
    if (c.l1d_enabled && n % 4 == 1) {
        c.l1d_mrpb_queues = 1 + n / 4 % 5;
        c.l1d_mrpb_drain = n % 3;
    }
    return c;
}

static void chaos_on_few_frames(void **state) {
    for (uint32_t n = 0; n < 24; n++) {
        if (!tier_has(n))
            continue;
        struct config c = chaos_paged(n);
        chaos_seed = n;
        expect_clean(&c, chaos_program(6));
    }
    if (tier_is("long"))
        assert_true(evictions > 300 && waited > 3000);
    else
        assert_true(evictions > 100 && waited > 1000);
}

/* ---- lines that are dropped while an access waits ---- */

/* Loads from or stores to any line in three pages. */
static void roam(const struct warp_place *place, uint32_t pc, struct warp_inst *i) {
    uint32_t r = chaos_mix(chaos_seed + place->cta[0] * 7919 + place->warp * 104729 + pc * 31);
    uint64_t addr = BASE + r % 3 * PAGE + (r >> 4) % 32 * LINE_BYTES;
    if (pc == 40)
        i->op = WARP_EXIT;
    else if (r >> 20 & 1)
        store(i, addr, R(r >> 12 & 7));
    else
        load(i, addr, R(r >> 12 & 7));
}

static struct config waiting_config(void) {
    struct config c = chaos_config();
    dram_of_one_line(&c);
    c.sm_count = 2;
    c.l2_partitions = 1;
    c.clock_dram_mhz = 100;
    c.uvm_mode = UVM_PAGED;
    c.uvm_fault_us = 1;
    c.uvm_memory_pages = 2;
    return c;
}

static void expect_woken(const struct config *c) {
    struct program p = program_of(roam);
    p.ctas = 4;
    p.threads = 64;
    for (chaos_seed = 0; chaos_seed < 4; chaos_seed++)
        expect_clean(c, p);
}

/* While a miss waits for an evict-buffer entry for its victim's dirty bytes, the victim's page is
 * evicted. The miss must continue. */
static void a_bank_that_loses_a_line_goes_on(void **state) {
    struct config c = waiting_config();
    c.l2_sets = 1;
    c.l2_ways = 4;
    c.l2_evict_buffer = 1;
    c.l2_write_fetch = WRITE_LAZY;
    expect_woken(&c);
}

/* While a miss that finds all ways protected waits to bypass, the page of one of the lines in these
 * ways is evicted. The miss must continue. */
static void an_l1d_that_loses_a_line_goes_on(void **state) {
    struct config c = waiting_config();
    c.l1d_sets = 1;
    c.l1d_ways = 4;
    c.l1d_bypass = BYPASS_PDP;
    c.l1d_protect_distance = 1000;
    c.l1d_bypass_slots = 1;
    expect_woken(&c);
}

/* All pages are copied before the first kernel. The rest of the run is the same as without unified
 * memory. */
static void copies_first(void **state) {
    struct config c = small_config();
    struct program p = program_of(twice);
    struct device_array array = {.name = "a", .base = BASE, .bytes = 5 * PAGE};
    p.base.arrays = &array;
    p.base.n_arrays = 1;
    struct outcome off = run_program(&c, &p, true);
    c.uvm_mode = UVM_COPY;
    for (int skip = 0; skip < 2; skip++) {
        c.sim_skip = skip;
        struct outcome copy = run_program(&c, &p, true);
        assert_int_equal(copy.end, GPU_DONE);
        assert_int_equal(copy.stats.v[STAT_uvm_copy_cycles], 5 * 256);
        assert_in_range(copy.stats.v[STAT_cycles] - off.stats.v[STAT_cycles], 5 * 256, 5 * 256 + 1);
        assert_int_equal(copy.stats.v[STAT_tlb_accesses], 0);
    }
}

/* Expects a run with uvm.user_prefetch, or with uvm.resident if user_prefetch is none, to be
 * longer than a run without unified memory by `wait` cycles and one walk per page. */
static void expect_walks_alone(int user_prefetch, uint64_t wait) {
    struct config c = small_config();
    struct program p = program_of(twice);
    struct device_array array = {.name = "a", .base = BASE, .bytes = 5 * PAGE};
    p.base.arrays = &array;
    p.base.n_arrays = 1;
    const uint64_t off = run_program(&c, &p, true).stats.v[STAT_cycles];
    const uint64_t walk = 2 + (uint64_t)(c.tlb_l2_latency + c.gmmu_walk_latency);
    c.uvm_mode = UVM_PAGED;
    c.uvm_user_prefetch = user_prefetch;
    c.uvm_resident = user_prefetch == USER_PREFETCH_NONE;
    for (int skip = 0; skip < 2; skip++) {
        c.sim_skip = skip;
        struct outcome o = run_program(&c, &p, true);
        const uint64_t *v = o.stats.v;
        assert_int_equal(o.end, GPU_DONE);
        assert_int_equal(v[STAT_uvm_user_cycles], wait);
        assert_in_range(v[STAT_cycles] - off - 2 * walk, wait, wait + 1);
        assert_int_equal(v[STAT_uvm_faults] + v[STAT_uvm_demand_pages], 0);
        assert_int_equal(v[STAT_uvm_prefetched_pages], wait ? 5 : 0);
    }
}

static void arrays_come_before_the_launch(void **state) {
    expect_walks_alone(USER_PREFETCH_LAUNCH, 5 * 256);
}

static void arrays_are_resident(void **state) {
    expect_walks_alone(USER_PREFETCH_NONE, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(translations_take_their_time),
        cmocka_unit_test(faults_take_their_time),
        cmocka_unit_test(chaos_on_few_frames),
        cmocka_unit_test(a_bank_that_loses_a_line_goes_on),
        cmocka_unit_test(an_l1d_that_loses_a_line_goes_on),
        cmocka_unit_test(copies_first),
        cmocka_unit_test(arrays_come_before_the_launch),
        cmocka_unit_test(arrays_are_resident),
    };
    return cmocka_run_group_tests_name("paged", tests, NULL, NULL);
}
