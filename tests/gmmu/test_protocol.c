// SPDX-License-Identifier: Apache-2.0
/* Tests TLBs, GMMU and driver together with random accesses, more pages than frames, few
 * far-faults and small tables. Every access leaves once, accesses to a page leave in order and
 * while the page is resident, no access hangs, and skipping idle cycles changes nothing. */
#include "gmmu/gmmu.h"
#include "tlb/tlb.h"
#include "gpu/gpu.h"
#include "check/check.h"
#include "tests/test.h"

#define BASE UINT64_C(0x80000000)
#define SMS 5
#define PAGES 24
#define ACCESSES 300 /* number of accesses per SM */
#define USED 60      /* maximum number of accesses per SM that have left the TLB and are not done */

/* State of an SM, with its remaining accesses and those that have left the TLB. */
struct gmmu_unit {
    struct tlb tlb;
    struct stage stage;
    struct stats stats;
    uint32_t rng;
    uint32_t next; /* index of the access at the head */
    struct request access[ACCESSES];
    bool out[ACCESSES];  /* true if the access has reached the L1D */
    uint64_t line[USED], /* ring with the lines of the accesses in the L1D */
        due[USED];       /* cycle in which each access in `line` is done */
    uint32_t first, last;
    uint64_t accounted; /* number of SM cycles done */
    uint64_t next_event;
};

static struct config cfg;
static struct context context;
static struct uvm *uvm;
static struct gmmu gmmu;
static struct gmmu_unit unit[SMS];
static uint64_t cycle;

static uint32_t draw(uint32_t *rng, uint32_t n) {
    *rng = *rng * 1664525 + 1013904223;
    return (uint32_t)((uint64_t)*rng * n >> 32);
}

static void arrived(void *ctx, uint32_t page) {
    (void)ctx;
    gmmu_arrived(&gmmu, page);
}

static void shoot(void *ctx, uint32_t page) {
    (void)ctx;
    gmmu_shoot(&gmmu, page);
    for (uint32_t i = 0; i < SMS; i++)
        tlb_shoot(&unit[i].tlb, page);
}

static void expect_no_holds(void *ctx, uint32_t page) {
    (void)ctx;
    assert_int_equal(uvm_pages(uvm)->page[page].holds, 0);
}

static void nothing(void *ctx, uint32_t page) {
    (void)ctx;
    (void)page;
}

static void make_accesses(struct gmmu_unit *u, uint32_t seed) {
    u->rng = seed;
    uint32_t near = 0;
    for (uint32_t i = 0; i < ACCESSES; i++) {
        if (draw(&u->rng, 4) == 0)
            near = draw(&u->rng, PAGES);
        uint32_t page = (near + draw(&u->rng, 3)) % PAGES;
        u->access[i] = (struct request){
            .line = BASE / LINE_BYTES + page * PAGE_LINES + draw(&u->rng, PAGE_LINES),
            .mask = {{1, 0}},
            .origin.load = (uint16_t)i,
            .kind = draw(&u->rng, 4) ? REQUEST_LOAD : REQUEST_STORE,
        };
    }
}

static void make(uint32_t seed) {
    const struct uvm_hooks hooks = {NULL, arrived, shoot, expect_no_holds, nothing};
    struct device_array array = {.name = "a", .base = BASE, .bytes = PAGES * PAGE_BYTES};
    struct workload w = {.arrays = &array, .n_arrays = 1};
    struct error err;
    memset(&context, 0, sizeof context);
    memset(unit, 0, sizeof unit);
    cycle = 0;
    assert_int_equal(gpu_check(&cfg, &err), 0);
    context.check = check_create(SMS);
    uvm = uvm_create(&cfg, &context, NULL);
    assert_non_null(uvm);
    assert_int_equal(uvm_begin(uvm, &w, &err), 0);
    uvm_set_hooks(uvm, &hooks);
    assert_int_equal(gmmu_init(&gmmu, &cfg, &context, uvm, &err), 0);
    for (uint32_t i = 0; i < SMS; i++) {
        make_accesses(&unit[i], seed * SMS + i + 1);
        tlb_init(&unit[i].tlb, &cfg, &context, uvm, &gmmu.port[i], i, &unit[i].stats);
        unit[i].stage = tlb_stage(&unit[i].tlb);
    }
}

static void end(void) {
    for (uint32_t i = 0; i < SMS; i++)
        tlb_free(&unit[i].tlb);
    gmmu_free(&gmmu);
    uvm_all_released(uvm);
    assert_null(check_failure(context.check));
    uvm_destroy(uvm);
    check_destroy(context.check);
    assert_int_equal(context.fault, CONTEXT_OK);
}

/* Accepts an access in the L1D. It must be accepted once, and after all earlier accesses to its
 * page. */
static void take(struct gmmu_unit *u, const struct request *a) {
    const struct pages *p = uvm_pages(uvm);
    uint32_t page = pages_of_line(uvm_pages(uvm), a->line);
    assert_true(p->page[page].state == PAGE_RESIDENT || p->page[page].state == PAGE_LEAVING);
    assert_true(p->page[page].holds > 0);
    assert_false(u->out[a->origin.load]);
    for (uint32_t i = 0; i < a->origin.load; i++)
        assert_true(u->out[i] || u->access[i].line / PAGE_LINES != a->line / PAGE_LINES);
    u->out[a->origin.load] = true;
    u->line[u->last % USED] = a->line;
    u->due[u->last++ % USED] = cycle + 1 + draw(&u->rng, 200);
}

static bool has_room(const struct gmmu_unit *u) {
    return u->last - u->first < USED;
}

/* Returns the access at the head. */
static const struct request *head_of(const struct gmmu_unit *u) {
    return u->next < ACCESSES ? &u->access[u->next] : NULL;
}

/* Runs one cycle of an SM: at most one access completes, and the TLB passes at most one. */
static void tick_unit(struct gmmu_unit *u) {
    if (u->first != u->last && u->due[u->first % USED] <= cycle)
        uvm_release(uvm, u->line[u->first++ % USED]);
    bool parked;
    const struct request *offered = u->stage.type->offer(&u->tlb, head_of(u), cycle, &parked);
    u->next += parked;
    if (!offered || !has_room(u))
        return;
    take(u, offered);
    u->next += u->stage.type->take(&u->tlb);
}

static bool done(const struct gmmu_unit *u) {
    return u->next == ACCESSES && tlb_empty(&u->tlb) && u->first == u->last;
}

/* Returns the first cycle in which the SM may act without a message. */
static uint64_t unit_next_event(const struct gmmu_unit *u) {
    const struct stage_type *type = u->stage.type;
    const struct request *const before[2] = {head_of(u), NULL};
    if (type->next_event(&u->tlb, head_of(u), cycle + 1) == cycle + 1 ||
        (type->peek(&u->tlb, 0, before) && has_room(u)))
        return cycle + 1;
    uint64_t due = u->first != u->last ? u->due[u->first % USED] : UINT64_MAX;
    return due > cycle ? due : cycle + 1;
}

static uint64_t ticks; /* number of SM ticks */

static void tick_units(bool skip) {
    for (uint32_t i = 0; i < SMS; i++) {
        struct gmmu_unit *u = &unit[i];
        if (skip && cycle < u->next_event && cycle < *u->stage.input)
            continue;
        u->stage.type->advance(&u->tlb, head_of(u), cycle - u->accounted);
        u->accounted = cycle + 1;
        tick_unit(u);
        u->next_event = unit_next_event(u);
        ticks++;
    }
}

static bool all_done(void) {
    for (uint32_t i = 0; i < SMS; i++)
        if (!done(&unit[i]))
            return false;
    return true;
}

struct result {
    uint64_t cycles, progress;
    struct stats stats;
};

static struct result run(uint32_t seed, bool skip) {
    struct result r;
    memset(&r, 0, sizeof r);
    make(seed);
    for (uint64_t gmmu_event = 0; !all_done(); cycle++) {
        assert_true(cycle < 20 * 1000 * 1000);
        assert_int_equal(context.fault, CONTEXT_OK);
        context.sm_cycle = cycle;
        bool driver = uvm_next_event(uvm, cycle) <= cycle;
        if (driver || !skip)
            uvm_tick(uvm, cycle);
        if (driver || !skip || cycle >= gmmu_event || gmmu_has_input(&gmmu)) {
            gmmu_tick(&gmmu, cycle);
            gmmu_event = gmmu_next_event(&gmmu, cycle + 1);
        }
        tick_units(skip);
    }
    r.cycles = cycle;
    r.progress = context.progress;
    for (uint32_t i = 0; i < SMS; i++)
        stats_add(&r.stats, &unit[i].stats);
    gmmu_add_stats(&gmmu, cycle, &r.stats);
    uvm_add_stats(uvm, &r.stats);
    end();
    return r;
}

static void expect_sums(const uint64_t *v) {
    assert_int_equal(v[STAT_tlb_accesses], SMS * ACCESSES);
    assert_int_equal(v[STAT_tlb_accesses],
                     v[STAT_tlb_hits] + v[STAT_tlb_misses] + v[STAT_tlb_merges]);
    assert_int_equal(v[STAT_tlb_replays], v[STAT_tlb_nacks]);
    assert_int_equal(v[STAT_gmmu_walks], v[STAT_gmmu_walk_hits] + v[STAT_gmmu_walk_faults]);
    assert_true(v[STAT_tlb_nacks] >= v[STAT_gmmu_walk_faults]);
    assert_true(v[STAT_uvm_evictions] > 0);
}

static uint64_t untracked, blocked, refused;

static void expect_good(uint32_t seed) {
    struct result all = run(seed, false), some = run(seed, true);
    expect_sums(all.stats.v);
    assert_int_equal(all.cycles, some.cycles);
    assert_int_equal(all.progress, some.progress);
    assert_memory_equal(&all.stats, &some.stats, sizeof all.stats);
    untracked += all.stats.v[STAT_tlb_nacks_untracked];
    blocked += all.stats.v[STAT_tlb_refusals_blocked];
    refused += all.stats.v[STAT_tlb_refusals_misses] + all.stats.v[STAT_tlb_refusals_waiting];
}

static void random_config(uint32_t seed) {
    config_default(&cfg);
    cfg.uvm_mode = UVM_PAGED;
    cfg.sm_count = SMS;
    cfg.clock_sm_mhz = 50 + seed % 3 * 50;
    cfg.uvm_fault_us = 1 + seed % 4;
    cfg.uvm_memory_pages = seed % 5 == 0 ? 1 : 2 + seed % 13;
    cfg.uvm_far_faults = (const int[]){1, 2, 4, 0}[seed % 4];
    cfg.uvm_faults = seed % 7 == 0;
    cfg.uvm_service = seed / 2 % 2;
    cfg.uvm_set_pages = 4;
    strcpy(cfg.uvm_evict, (const char *[]){"lru", "random", "hpe"}[seed % 3]);
    cfg.tlb_l1_entries = 1 + seed % 6;
    cfg.tlb_l1_misses = 1 + seed / 3 % 8;
    cfg.tlb_l1_waiting = 1 + seed / 2 % 20;
    cfg.tlb_l2_ways = 1 + seed % 2;
    cfg.tlb_l2_entries = cfg.tlb_l2_ways * (seed / 5 % 5);
    cfg.tlb_l2_latency = 1 + seed % 9;
    cfg.tlb_l2_ports = 1 + seed / 4 % 2;
    cfg.gmmu_walkers = 1 + seed % 4;
    cfg.gmmu_walk_queue = 1 + seed / 4 % 4;
    cfg.gmmu_walk_latency = 1 + seed % 20;
    cfg.gmmu_walk_merge = seed / 8 % 2;
    cfg.gmmu_cache_lines = seed / 16 % 2;
    cfg.gmmu_cache_miss = 17;
    cfg.hir_sets = cfg.hir_ways = 1;
    cfg.hir_transfer_interval = 1 + seed % 40;
    cfg.hpe_set_pages = 4;
    cfg.hpe_transfer = 1 + seed % 9;
}

static void at_random(void **state) {
    for (uint32_t seed = 1; seed <= 60; seed++) {
        random_config(seed);
        expect_good(seed);
    }
    assert_true(untracked > 1000 && blocked > 1000 && refused > 1000);
}

/* Runs the hardest case: one far-fault per SM and one frame for all SMs. */
static void one_fault_and_one_frame(void **state) {
    for (uint32_t seed = 100; seed < 106; seed++) {
        random_config(seed);
        cfg.uvm_far_faults = cfg.uvm_memory_pages = 1;
        cfg.uvm_faults = seed % 2;
        cfg.tlb_l1_misses = 8;
        cfg.tlb_l1_waiting = 20;
        expect_good(seed);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(at_random),
        cmocka_unit_test(one_fault_and_one_frame),
    };
    return cmocka_run_group_tests_name("protocol", tests, NULL, NULL);
}
