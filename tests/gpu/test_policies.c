// SPDX-License-Identifier: Apache-2.0
/* The system under every pair of policies, MSHR kinds, schedulers and sizes: random traffic with
 * the data check, sums of the statistics, and the same again without data and without passing over
 * idle cycles. With a number N as argument, N random points more (tests/long/policies.sh). In
 * tier test each sixth of the points only, in tier full each second one.
 * tier: test, 25 s; full, 80 s */
#include "tests/gpu/fixture.h"
#include "gpu/gpu.h"
#include "cart/cart.h"
#include "evict/evict.h"
#include "mdb/mdb.h"
#include "policy/ucp.h"
#include "tests/tier.h"

/* ---- factors: keys and the values that they take ---- */

#define LEVELS 9

struct factor {
    const char *name;
    size_t at; /* of the key in struct config */
    unsigned levels;
    int64_t value[LEVELS];
    const char *text[LEVELS]; /* of a key that is a text, instead */
};

#define FACTOR(key, n, ...)                                                                        \
    {                                                                                              \
        .name = #key, .at = offsetof(struct config, key), .levels = n, .value = { __VA_ARGS__ }    \
    }
#define FACTOR_TEXT(key, n, ...)                                                                   \
    {                                                                                              \
        .name = #key, .at = offsetof(struct config, key), .levels = n, .text = { __VA_ARGS__ }     \
    }

static const struct factor factors[] = {
    FACTOR(l1d_enabled, 4, 1, 1, 1, 0),
    FACTOR(l1d_write, 4, L1D_WTWN, L1D_WEWN, L1D_LOCAL_WB, L1D_WBWA),
    FACTOR(l1d_allocate, 2, ALLOCATE_MISS, ALLOCATE_FILL),
    FACTOR(l1d_sectored, 2, 0, 1),
    FACTOR(sm_coalesce, 3, COALESCE_LINE, COALESCE_SECTOR, COALESCE_SEGMENT),
    FACTOR(l1d_bypass, 8, BYPASS_NONE, BYPASS_GLOBAL, BYPASS_STALL, BYPASS_LINE, BYPASS_STATIC,
           BYPASS_MDB_LOCAL, BYPASS_MDB_GLOBAL, BYPASS_PDP),
    FACTOR(l1d_bypass_unit, 3, BYPASS_UNIT_AUTO, BYPASS_UNIT_WARP, BYPASS_UNIT_CTA),
    FACTOR(l1d_cache_users, 2, 1, 3),
    FACTOR(l1d_mdb_calculators, 3, 1, 4, 8),
    FACTOR(l1d_mdb_sampled, 3, 1, 2, 32),
    FACTOR(l1d_mdb_interval, 3, 5, 12, 100),
    FACTOR(l1d_mdb_tag_bits, 2, 1, 40),
    FACTOR(l1d_mdb_hit_bits, 2, 2, 10),
    FACTOR(l1d_mdb_fail_bits, 2, 2, 12),
    FACTOR(l1d_mdb_scale, 2, 0, 1),
    FACTOR(l1d_mdb_failures, 2, FAILURES_CYCLES, FAILURES_ACCESSES),
    FACTOR(l1d_protect_distance, 3, 1, 4, 100),
    FACTOR(l1d_replacement, 2, L1D_REPLACEMENT_LRU, L1D_REPLACEMENT_SRRIP),
    FACTOR(l1d_partition, 2, L1D_PARTITION_NONE, L1D_PARTITION_UCP),
    FACTOR(l1d_mrpb_queues, 4, 0, 1, 3, 8),
    FACTOR(l1d_mrpb_depth, 3, 1, 2, 8),
    FACTOR(l1d_mrpb_signature, 2, MRPB_WARP, MRPB_CTA),
    FACTOR(l1d_mrpb_drain, 4, MRPB_GREEDY, MRPB_LOWEST, MRPB_LONGEST, MRPB_ROUND_ROBIN),
    FACTOR(l1d_mshr, 4, 0, 1, 2, 3),
    FACTOR(l1d_dl_tail, 3, 0, 1, 2),
    FACTOR(l1d_dl_early_free, 2, 0, 1),
    FACTOR(l1d_sets, 3, 1, 4, 32),
    FACTOR(l1d_ways, 2, 1, 2),
    FACTOR(l1d_set_index, 9, SET_BMOD, SET_BXOR, SET_FERMI, SET_XOR, SET_PMOD, SET_A_PRIME,
           SET_D_PRIME, SET_IPOLY, SET_IPOLY_SUM),
    FACTOR(l1d_hit_latency, 2, 1, 28),
    FACTOR(l1d_miss_queue, 3, 1, 2, 8),
    FACTOR(l1d_rsp_queue, 2, 1, 8),
    FACTOR(l1d_bypass_slots, 4, 0, 1, 4, 32),
    FACTOR(l1d_bypass_full, 2, L1D_BYPASS_FULL_STALL, L1D_BYPASS_FULL_L1D),
    FACTOR(l1d_mshr_entries, 3, 2, 4, 32),
    FACTOR(l1d_mshr_slots, 3, 1, 2, 8),
    FACTOR(l1d_mshr_word, 3, 4, 8, 32),
    FACTOR(l1d_mshr_lookup, 2, 1, 2),
    FACTOR(l1d_dl_pools, 2, MSHR_POOLS_SHARED, MSHR_POOLS_SPLIT),
    FACTOR(l1d_dl_sets, 3, 3, 6, 128),
    FACTOR(l1d_dl_reserved_heads, 3, 0, 2, 64),
    FACTOR(l2_write, 3, L2_WBWA, L2_WTWN, L2_WEWN),
    FACTOR(l2_write_fetch, 2, WRITE_FETCH, WRITE_LAZY),
    FACTOR(l2_partial, 2, PARTIAL_BYTES, PARTIAL_SECTORS),
    FACTOR(l2_allocate, 2, ALLOCATE_MISS, ALLOCATE_FILL),
    FACTOR(l2_sectored, 2, 0, 1),
    FACTOR(l2_subs, 3, 1, 2, 4),
    FACTOR(l2_sub_shift, 2, 0, 3),
    FACTOR(l2_partitions, 4, 1, 2, 3, 8),
    FACTOR(l2_partition_map, 9, PARTITION_MODULO, PARTITION_XOR, PARTITION_XOR_NEXT,
           PARTITION_PRIME, PARTITION_A_PRIME, PARTITION_D_PRIME, PARTITION_IPOLY, PARTITION_RANDOM,
           PARTITION_HASH),
    FACTOR(l2_interleave_lines, 2, 1, 2),
    FACTOR(l2_mshr, 4, 0, 1, 2, 3),
    FACTOR(l2_dl_tail, 3, 0, 1, 2),
    FACTOR(l2_dl_early_free, 2, 0, 1),
    FACTOR(l2_sets, 3, 1, 4, 32),
    FACTOR(l2_ways, 3, 1, 2, 4),
    FACTOR(l2_set_index, 9, SET_BMOD, SET_BXOR, SET_FERMI, SET_XOR, SET_PMOD, SET_A_PRIME,
           SET_D_PRIME, SET_IPOLY, SET_IPOLY_SUM),
    FACTOR(l2_latency, 2, 1, 20),
    FACTOR(l2_in_queue, 2, 1, 8),
    FACTOR(l2_incoming, 4, INCOMING_FIFO, INCOMING_NONBLOCKING, INCOMING_BANK_QUEUES,
           INCOMING_CART),
    FACTOR(l2_incoming_hold, 2, 0, 1),
    FACTOR(l2_bank_queues, 2, 2, 8),
    FACTOR(l2_bank_queue_depth, 2, 1, 4),
    FACTOR(l2_cart_rows, 3, 1, 2, 4),
    FACTOR(l2_cart_cols, 3, 1, 2, 8),
    FACTOR(l2_cart_depth, 2, 1, 2),
    FACTOR(l2_cart_policy, 3, CART_POLICY_ROTATING, CART_POLICY_LONGEST, CART_POLICY_ROUND_ROBIN),
    FACTOR(l2_cart_age_limit, 2, 0, 4),
    FACTOR(l2_cart_fill, 2, CART_FILL_GROUP, CART_FILL_BRANCH),
    FACTOR(l2_cart_column_lines, 3, 1, 2, 4),
    FACTOR(l2_bypass, 3, L2_BYPASS_NONE, L2_BYPASS_STALL, L2_BYPASS_LINE),
    FACTOR(l2_replacement, 2, L2_REPLACEMENT_LRU, L2_REPLACEMENT_SRRIP),
    FACTOR(l3_sets, 4, 0, 0, 0, 2),
    FACTOR(l3_ways, 2, 1, 4),
    FACTOR(l3_latency, 2, 1, 20),
    FACTOR(l3_queue, 2, 2, 16),
    FACTOR(l3_mshr_entries, 2, 2, 32),
    FACTOR(l3_mshr_slots, 2, 1, 4),
    FACTOR(l2_miss_queue, 2, 1, 8),
    FACTOR(l2_evict_buffer, 3, 1, 2, 8),
    FACTOR(l2_rsp_queue, 2, 1, 8),
    FACTOR(l2_mshr_entries, 3, 2, 4, 32),
    FACTOR(l2_mshr_slots, 3, 1, 2, 8),
    FACTOR(l2_mshr_word, 3, 4, 8, 32),
    FACTOR(l2_mshr_lookup, 2, 1, 2),
    FACTOR(l2_dl_pools, 2, MSHR_POOLS_SHARED, MSHR_POOLS_SPLIT),
    FACTOR(l2_dl_sets, 3, 3, 6, 64),
    FACTOR(l2_dl_reserved_heads, 3, 0, 2, 32),
    FACTOR(icnt_in_queue, 2, 1, 8),
    FACTOR(icnt_out_queue, 2, 1, 8),
    FACTOR(icnt_flit_bytes, 2, 32, 256),
    FACTOR(icnt_latency, 2, 1, 8),
    FACTOR(dram_scheduler, 2, 0, 1),
    FACTOR(dram_read_queue, 3, 4, 8, 64),
    FACTOR(dram_write_queue, 2, 4, 64),
    FACTOR(dram_return_queue, 2, 1, 16),
    FACTOR(dram_extra_latency, 2, 0, 40),
    FACTOR(dram_refi, 2, 0, 1000),
    FACTOR(dram_queue, 3, GDDR5_SPLIT, GDDR5_SHARED, GDDR5_TAKEN),
    FACTOR(dram_delay, 2, 0, 1),
    FACTOR(dram_in_flight, 3, 0, 1, 8),
    FACTOR(dram_slices, 2, 0, 1),
    FACTOR(dram_command_order, 2, 0, 1),
    FACTOR(sm_scheduler, 4, 0, 1, 2, 3),
    FACTOR(sm_schedulers, 3, 1, 2, 3),
    FACTOR(sm_swl_warps, 2, 1, 8),
    FACTOR(sm_two_level_active, 2, 1, 4),
    FACTOR(sm_fetch, 2, 0, 1),
    FACTOR(sm_dual_issue, 2, 0, 1),
    FACTOR(sm_memory_issue, 2, 0, 1),
    FACTOR(sm_register_banks, 4, 0, 0, 0, 16),
    FACTOR(sm_ends_wait, 2, 0, 1),
    FACTOR(sm_issue_order, 2, 0, 1),
    FACTOR(sm_access_order, 2, 0, 1),
    FACTOR(sm_address_insts, 2, 0, 3),
    FACTOR(sm_shared_path, 2, 0, 1),
    FACTOR(sm_collectors, 2, 0, 2),
    FACTOR(sm_lsu_latency, 4, 1, 1, 1, 4),
    FACTOR(sm_exit_latency, 2, 0, 20),
    FACTOR(sm_cta_ends, 2, 0, 1),
    FACTOR(sm_atomics, 2, 0, 1),
    FACTOR(sim_hash, 2, 0, 1),
    FACTOR(icache_sets, 2, 0, 1),
    FACTOR(icache_ways, 2, 1, 2),
    FACTOR(icache_misses, 2, 1, 2),
    FACTOR(l1d_lookup, 2, 0, 1),
    FACTOR(l1d_responses, 2, 1, 2),
    FACTOR(icnt_speedup, 2, 1, 2),
    FACTOR(icnt_places, 2, 0, 1),
    FACTOR(l2_replies, 2, 0, 1),
    FACTOR(l2_drain, 2, 0, 1),
    FACTOR(l2_places, 4, 0, 0, 0, 1),
    FACTOR(sm_lsu_queue, 2, 1, 8),
    FACTOR(sm_pending_loads, 3, 1, 4, 64),
    FACTOR(uvm_mode, 2, UVM_OFF, UVM_PAGED),
    FACTOR(uvm_memory_pages, 3, 1, 2, 0),
    FACTOR(uvm_faults, 2, FAULTS_REPLAYABLE, FAULTS_BLOCKING),
    FACTOR(uvm_far_faults, 3, 1, 4, 0),
    FACTOR(uvm_service, 3, SERVICE_EACH, SERVICE_SET, SERVICE_SERIAL),
    FACTOR(uvm_set_pages, 2, 1, 8),
    FACTOR_TEXT(uvm_prefetch, 7, "none", "random", "random_2mb", "sequential", "locality", "sl64",
                "tree"),
    FACTOR_TEXT(uvm_prefetch_full, 4, "none", "random", "locality", "tree"),
    FACTOR_TEXT(uvm_evict, 8, "lru", "random", "lru_2mb", "sl64", "tree", "rrip", "clock_pro",
                "hpe"),
    FACTOR(uvm_write_back, 2, WRITE_BACK_ALL, WRITE_BACK_DIRTY),
    FACTOR(uvm_free_at, 2, FREE_AT_START, FREE_AT_END),
    FACTOR(tlb_l1_entries, 2, 2, 8),
    FACTOR(tlb_l1_ways, 2, 1, 2),
    FACTOR(tlb_l1_misses, 3, 1, 2, 64),
    FACTOR(tlb_l1_parked, 3, 1, 4, 512),
    FACTOR(tlb_l2_entries, 3, 0, 2, 16),
    FACTOR(tlb_l2_index, 2, LRU_MODULO, LRU_XOR),
    FACTOR(tlb_l2_latency, 2, 1, 10),
    FACTOR(tlb_l2_ports, 2, 1, 2),
    FACTOR(gmmu_walkers, 2, 1, 8),
    FACTOR(gmmu_walk_queue, 2, 1, 16),
    FACTOR(gmmu_walk_latency, 2, 1, 20),
    FACTOR(gmmu_walk_merge, 2, 0, 1),
    FACTOR(gmmu_replays_touch, 2, 0, 1),
    FACTOR(gmmu_cache_lines, 2, 0, 2),
    FACTOR(hir_sets, 2, 1, 4),
    FACTOR(hir_ways, 2, 1, 8),
    FACTOR(hir_out_interval, 2, 1, 5),
    FACTOR(hpe_hits, 2, HPE_HITS_HIR, HPE_HITS_IDEAL),
    FACTOR(clock_icnt_mhz, 3, 1000, 900, 350),
    FACTOR(clock_l2_mhz, 3, 1000, 700, 1900),
    FACTOR(clock_dram_mhz, 3, 1000, 1700, 350),
};

#define FACTORS (sizeof factors / sizeof factors[0])

struct point {
    uint8_t level[FACTORS];
};

static struct config config_of(const struct point *p) {
    struct config c = small_config();
    c.sm_count = 3;
    c.dram_rfc = 50;
    c.uvm_fault_us = 1;
    c.l1d_dl_slots = 2; /* few, so that lists grow and a walk is long */
    c.tlb_l2_ways = c.gmmu_cache_ways = 2;
    for (unsigned f = 0; f < FACTORS; f++) {
        char *key = (char *)&c + factors[f].at;
        if (factors[f].text[0])
            strcpy(key, factors[f].text[p->level[f]]);
        else
            *(int64_t *)key = factors[f].value[p->level[f]];
    }
    if (c.uvm_mode == UVM_OFF)
        c.uvm_memory_pages = 0;
    c.dram_write_high = c.dram_write_queue;
    c.dram_write_low = c.dram_write_queue / 4;
    return c;
}

static bool legal(const struct point *p) {
    char err[256];
    const struct config c = config_of(p);
    return gpu_check(&c, err, sizeof err) == 0;
}

/* ---- points that have every pair of levels ---- */

static uint32_t random_state;

static uint32_t rnd(void) {
    return random_state = chaos_mix(random_state + 0x9e3779b9U);
}

static uint8_t seen[FACTORS][LEVELS][FACTORS][LEVELS];

static unsigned new_pairs(const struct point *p) {
    unsigned n = 0;
    for (unsigned f = 0; f < FACTORS; f++)
        for (unsigned g = f + 1; g < FACTORS; g++)
            n += !seen[f][p->level[f]][g][p->level[g]];
    return n;
}

static void mark(const struct point *p) {
    for (unsigned f = 0; f < FACTORS; f++)
        for (unsigned g = f + 1; g < FACTORS; g++)
            seen[f][p->level[f]][g][p->level[g]] = 1;
}

static struct point random_point(void) {
    struct point p;
    for (unsigned f = 0; f < FACTORS; f++)
        p.level[f] = (uint8_t)(rnd() % factors[f].levels);
    return p;
}

/* The factor gets that value, unless it is one of the pair. */
static void set(struct point *p, const char *name, int64_t value, unsigned f, unsigned g) {
    for (unsigned i = 0; i < FACTORS; i++)
        for (unsigned l = 0; l < factors[i].levels; l++)
            if (i != f && i != g && strcmp(factors[i].name, name) == 0 &&
                factors[i].value[l] == value)
                p->level[i] = (uint8_t)l;
}

/* What register banks and places of sectors need: few random points have it. */
static void give_what_is_needed(struct point *p, unsigned f, unsigned g) {
    if (config_of(p).sm_register_banks) {
        set(p, "sm_memory_issue", 1, f, g);
        set(p, "sm_shared_path", SHARED_LSU, f, g);
    }
    if (config_of(p).l2_places == L2_PLACES_SECTORS) {
        set(p, "l2_sectored", 1, f, g);
        set(p, "l2_incoming", INCOMING_FIFO, f, g);
    }
}

/* The best of some random legal points with that pair; false if there is none. */
static bool point_with(unsigned f, unsigned a, unsigned g, unsigned b, struct point *best) {
    unsigned most = 0, found = 0;
    for (unsigned try = 0; try < 10000 && found < 40; try++) {
        struct point p = random_point();
        p.level[f] = (uint8_t)a;
        p.level[g] = (uint8_t)b;
        give_what_is_needed(&p, f, g);
        if (!legal(&p))
            continue;
        found++;
        unsigned n = new_pairs(&p);
        if (n > most) {
            most = n;
            *best = p;
        }
    }
    return found > 0;
}

/* The next pair that no point has had yet. */
static bool missing_pair(unsigned *f, unsigned *a, unsigned *g, unsigned *b) {
    for (*f = 0; *f < FACTORS; ++*f)
        for (*g = *f + 1; *g < FACTORS; ++*g)
            for (*a = 0; *a < factors[*f].levels; ++*a)
                for (*b = 0; *b < factors[*g].levels; ++*b)
                    if (!seen[*f][*a][*g][*b])
                        return true;
    return false;
}

/* ---- runs ---- */

static uint32_t seed;               /* of the program that runs */
static const struct point *running; /* the point; NULL: none, the last one was good */

/* Program and point, to run it again. */
static void describe(void) {
    const struct point *p = running;
    fprintf(stderr, "program %u on", (unsigned)seed);
    for (unsigned f = 0; f < FACTORS; f++) {
        unsigned level = p->level[f];
        if (factors[f].text[0])
            fprintf(stderr, " %s=%s", factors[f].name, factors[f].text[level]);
        else
            fprintf(stderr, " %s=%d", factors[f].name, (int)factors[f].value[level]);
    }
    fprintf(stderr, "\n");
}

static void expect_same(const char *what, const struct stats *with, const struct stats *without) {
    if (memcmp(with, without, sizeof *with) == 0)
        return;
    for (unsigned s = 0; s < STAT_COUNT; s++)
        if (with->v[s] != without->v[s])
            fail_msg("%s changes %s: %llu with, %llu without", what, stat_table[s].name,
                     (unsigned long long)with->v[s], (unsigned long long)without->v[s]);
    fail_msg("%s changes a histogram", what);
}

static struct stats total; /* over all points */

static void expect_clean(const struct point *p) {
    struct config c = config_of(p);
    running = p;
    chaos_seed = seed;
    struct program program = chaos_program(2);
    struct outcome o = run_program(&c, &program, true);
    if (o.end != GPU_DONE)
        fail_msg("end %d: %s", (int)o.end, o.error);
    assert_int_equal(o.checked, o.stats.v[STAT_load_lines] + o.stats.v[STAT_atomic_lines]);
    expect_sums(&c, &o.stats);
    struct outcome plain = run_program(&c, &program, false);
    expect_same("data", &o.stats, &plain.stats);
    c.sim_skip = 0;
    struct outcome slow = run_program(&c, &program, false);
    expect_same("skipping", &plain.stats, &slow.stats);
    stats_add(&total, &o.stats);
    running = NULL;
}

static int tell_which(void **state) {
    (void)state;
    if (running)
        describe();
    running = NULL;
    return 0;
}

static void every_pair_is_clean(void **state) {
    (void)state;
    unsigned f, a, g, b, points = 0, impossible = 0;
    random_state = 1;
    while (missing_pair(&f, &a, &g, &b)) {
        static struct point p;
        if (point_with(f, a, g, b, &p)) {
            mark(&p);
            seed = points++;
            if (seed % (tier_is_test() ? 6 : tier_is("full") ? 2 : 1) == 0)
                expect_clean(&p);
        } else {
            seen[f][a][g][b] = 1;
            impossible++;
        }
    }
    /* Lines and segments with l1d.sectored (2); lazy with wtwn, wewn (2); fermi and ipoly with
     * 1 or 4 sets (8); pmod and a_prime with one (4); of 3 partitions xor, xor_next, d_prime,
     * a_prime, ipoly, of 8 a_prime, of 1 or 2 ipoly, of 1 prime and a_prime (10); mdb with pmod,
     * a_prime, ipoly_sum (6); sim.hash with random and hash, and without an L1D (3); prioritisation
     * queues (3), static and mdb (3) without an L1D; ucp with pdp, srrip with both (3); mdb with
     * sectors (2); paging with an L3 (1); paging with an L1D that keeps all stores (1); fcfs with
     * one queue (2); commands in turn with fcfs (1), where banks do not take requests (2); drains
     * beside with wtwn, wewn and ways given at the fill (3); places of sectors without sectors,
     * with one place, with what reorders (5); sm.lsu_latency with collectors (1). */
    assert_int_equal(impossible, 62);
    assert_true(points < 160);
}

/* What needs more pages than these programs have, or another uvm.mode: tests/evict, tests/gmmu,
 * tests/uvm see to it. */
static bool needs_more_pages(enum stat_id s) {
    return strncmp(stat_table[s].name, "hpe_", 4) == 0 || s == STAT_gmmu_hir_wait_cycles ||
           s == STAT_hir_lost || s == STAT_uvm_copy_cycles || s == STAT_uvm_user_cycles;
}

/* What needs arrays, which these programs do not have: tests/uvm/capture.sh. */
static bool needs_arrays(enum stat_id s) {
    enum stat_part part = stat_part(s);
    return part == STAT_PART_cap || part == STAT_PART_ture;
}

/* What several workloads at once need: tests/gpu/ucp.sh and others. */
static bool needs_more_workloads(enum stat_id s) {
    return strncmp(stat_table[s].name, "l1d_ucp_", 8) == 0 ||
           strncmp(stat_table[s].name, "mil_", 4) == 0 || s == STAT_slots_mil;
}

static bool counted(enum stat_id s) {
    return total.v[s] || needs_more_pages(s) || needs_arrays(s) || needs_more_workloads(s);
}

static bool all_counted(void) {
    unsigned n = 0;
    for (unsigned s = 0; s < STAT_COUNT; s++)
        n += counted((enum stat_id)s);
    return n == STAT_COUNT;
}

/* Levels that rare things need together: pages that HPE evicts by its HIR caches; lists of slots
 * that are walked. */
static const struct {
    const char *name;
    uint8_t level;
} rare[] = {
    {"uvm_mode", 1}, {"uvm_evict", 7}, {"hpe_hits", 0}, {"l1d_mshr", 1}, {"l1d_dl_tail", 0}};

static void make_rare(struct point *p) {
    for (unsigned i = 0; i < sizeof rare / sizeof *rare; i++)
        for (unsigned f = 0; f < FACTORS; f++)
            if (strcmp(factors[f].name, rare[i].name) == 0)
                p->level[f] = rare[i].level;
}

static void run_random_point(uint32_t its_seed, bool is_rare) {
    static struct point p;
    do {
        p = random_point();
        if (is_rare)
            make_rare(&p);
    } while (!legal(&p));
    seed = its_seed;
    expect_clean(&p);
}

/* Whatever can happen happens: in the points above, and in some more if they missed it. */
static void everything_happens(void **state) {
    (void)state;
    if (!tier_is("long"))
        skip(); /* not all points have run */
    for (uint32_t n = 0; n < 40 && !all_counted(); n++)
        run_random_point(500 + n, true);
    for (unsigned s = 0; s < STAT_COUNT; s++)
        if (!counted((enum stat_id)s))
            print_error("%s is 0 in all runs\n", stat_table[s].name);
    assert_true(all_counted());
}

static unsigned long more;

static void random_points_are_clean(void **state) {
    (void)state;
    random_state = 2;
    for (unsigned long n = 0; n < more; n++)
        run_random_point(1000 + (uint32_t)n, false);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(every_pair_is_clean, tell_which),
        cmocka_unit_test_teardown(everything_happens, tell_which),
        cmocka_unit_test_teardown(random_points_are_clean, tell_which),
    };
    more = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
