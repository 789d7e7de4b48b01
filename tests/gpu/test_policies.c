// SPDX-License-Identifier: Apache-2.0
/* Tests the system at points that cover every pair of policies, MSHR kinds, schedulers and sizes.
 * Each point runs random traffic with the data check, must have consistent statistics, and runs
 * again without data and without skipping. If the argument N is given, runs N more random points
 * (tests/long/policies.sh). The test tier runs only the first ten points, and the full tier every
 * tenth one.
 * tier: test, 10 s; full, 20 s; long, 150 s */
#include "tests/gpu/fixture.h"
#include "gpu/gpu.h"
#include "cart/cart.h"
#include "evict/evict.h"
#include "mdb/mdb.h"
#include "policy/ucp.h"
#include "tests/tier.h"

/* ---- factors: keys and their values ---- */

#define LEVELS 9

struct factor {
    const char *name;
    size_t at; /* offset of the key in struct config */
    unsigned levels;
    int64_t value[LEVELS];
    const char *text[LEVELS]; /* values of a key whose value is a text */
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
    FACTOR(sm_coalesce, 3, COALESCE_LINE, COALESCE_SECTOR, COALESCE_SEGMENT),
    FACTOR(l1d_bypass, 8, BYPASS_NONE, BYPASS_GLOBAL, BYPASS_STALL, BYPASS_LINE, BYPASS_STATIC,
           BYPASS_MDB_LOCAL, BYPASS_MDB_GLOBAL, BYPASS_PDP),
    FACTOR(l1d_cache_users, 2, 1, 3),
    FACTOR(l1d_mdb_calculators, 3, 1, 4, 8),
    FACTOR(l1d_mdb_sampled_sets, 3, 1, 2, 32),
    FACTOR(l1d_mdb_interval, 3, 5, 12, 100),
    FACTOR(l1d_mdb_scale, 2, 0, 1),
    FACTOR(l1d_mdb_failures, 2, FAILURES_CYCLES, FAILURES_ACCESSES),
    FACTOR(l1d_protect_distance, 3, 1, 4, 100),
    FACTOR(l1d_replacement, 2, L1D_REPLACEMENT_LRU, L1D_REPLACEMENT_SRRIP),
    FACTOR(l1d_partition, 2, L1D_PARTITION_NONE, L1D_PARTITION_UCP),
    FACTOR(l1d_mrpb_queues, 4, 0, 1, 3, 8),
    FACTOR(l1d_mrpb_drain, 4, MRPB_GREEDY, MRPB_LOWEST, MRPB_LONGEST, MRPB_ROUND_ROBIN),
    FACTOR(l1d_mshr, 3, 0, 1, 2),
    FACTOR(l1d_dl_tail, 3, 0, 1, 2),
    FACTOR(l1d_sets, 3, 1, 4, 32),
    FACTOR(l1d_ways, 2, 1, 2),
    FACTOR(l1d_set_index, 9, SET_BMOD, SET_BXOR, SET_FERMI, SET_XOR, SET_PMOD, SET_A_PRIME,
           SET_D_PRIME, SET_IPOLY, SET_IPOLY_SUM),
    FACTOR(l1d_hit_latency, 2, 1, 28),
    FACTOR(l1d_miss_queue, 3, 1, 2, 8),
    FACTOR(l1d_response_queue, 2, 1, 8),
    FACTOR(l1d_bypass_slots, 4, 0, 1, 4, 32),
    FACTOR(l1d_bypass_full, 2, L1D_BYPASS_FULL_STALL, L1D_BYPASS_FULL_L1D),
    FACTOR(l1d_mshr_entries, 3, 2, 4, 32),
    FACTOR(l1d_mshr_slots, 3, 1, 2, 8),
    FACTOR(l1d_mshr_lookup, 2, 1, 2),
    FACTOR(l1d_dl_pools, 2, MSHR_POOLS_SHARED, MSHR_POOLS_SPLIT),
    FACTOR(l1d_dl_sets, 3, 3, 6, 128),
    FACTOR(l1d_dl_reserved_heads, 3, 0, 2, 64),
    FACTOR(l2_write, 3, L2_WBWA, L2_WTWN, L2_WEWN),
    FACTOR(l2_write_fetch, 3, WRITE_FETCH, WRITE_LAZY, WRITE_BOTH),
    FACTOR(l2_model, 2, MODEL_SIMPLE, MODEL_GPGPUSIM),
    FACTOR(l2_allocate, 2, ALLOCATE_MISS, ALLOCATE_FILL),
    FACTOR(l2_sectored, 2, 0, 1),
    FACTOR(l2_banks, 3, 1, 2, 4),
    FACTOR(l2_bank_shift, 2, 0, 3),
    FACTOR(l2_partitions, 4, 1, 2, 3, 8),
    FACTOR(l2_partition_map, 9, PARTITION_MODULO, PARTITION_XOR, PARTITION_XOR_NEXT,
           PARTITION_PRIME, PARTITION_A_PRIME, PARTITION_D_PRIME, PARTITION_IPOLY, PARTITION_RANDOM,
           PARTITION_IPOLY_BANKS),
    FACTOR(l2_interleave_lines, 2, 1, 2),
    FACTOR(l2_mshr, 3, 0, 1, 2),
    FACTOR(l2_dl_tail, 3, 0, 1, 2),
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
    FACTOR(l2_cart_policy, 3, CART_ROTATING, CART_LONGEST_FIRST, CART_ROUND_ROBIN),
    FACTOR(l2_cart_age_limit, 2, 0, 4),
    FACTOR(l2_cart_fill, 2, CART_FILL_GROUP, CART_FILL_BRANCH),
    FACTOR(l2_cart_column_lines, 3, 1, 2, 4),
    FACTOR(l2_bypass, 3, L2_BYPASS_NONE, L2_BYPASS_STALL, L2_BYPASS_LINE),
    FACTOR(l2_replacement, 2, L2_REPLACEMENT_LRU, L2_REPLACEMENT_SRRIP),
    FACTOR(l2_miss_queue, 2, 1, 8),
    FACTOR(l2_evict_buffer, 3, 1, 2, 8),
    FACTOR(l2_reply_queue, 2, 1, 8),
    FACTOR(l2_mshr_entries, 3, 2, 4, 32),
    FACTOR(l2_mshr_slots, 3, 1, 2, 8),
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
    FACTOR(dram_reply_queue, 2, 1, 16),
    FACTOR(dram_extra_latency, 2, 0, 40),
    FACTOR(dram_refi, 2, 0, 1000),
    FACTOR(dram_model, 2, MODEL_SIMPLE, MODEL_GPGPUSIM),
    FACTOR(dram_in_flight, 3, 0, 1, 8),
    FACTOR(sm_scheduler, 4, 0, 1, 2, 3),
    FACTOR(sm_schedulers, 3, 1, 2, 3),
    FACTOR(sm_active_warps, 3, 1, 4, 8),
    FACTOR(sm_model, 4, MODEL_SIMPLE, MODEL_GPGPUSIM, MODEL_GPGPUSIM, MODEL_GPGPUSIM),
    FACTOR(sm_fetch, 2, 0, 1),
    FACTOR(sm_dual_issue, 2, 0, 1),
    FACTOR(sm_register_banks, 4, 0, 0, 0, 16),
    FACTOR(sm_address_insts, 2, 0, 3),
    FACTOR(sm_collectors, 2, 0, 2),
    FACTOR(sm_lsu_latency, 4, 1, 1, 1, 4),
    FACTOR(sm_exit_latency, 2, 0, 20),
    FACTOR(sim_check_hash, 2, 0, 1),
    FACTOR(icache_sets, 2, 0, 1),
    FACTOR(icache_ways, 2, 1, 2),
    FACTOR(l1d_model, 2, MODEL_SIMPLE, MODEL_GPGPUSIM),
    FACTOR(icnt_model, 2, MODEL_SIMPLE, MODEL_GPGPUSIM),
    FACTOR(icnt_speedup, 2, 1, 2),
    FACTOR(icnt_input_bursts, 2, 0, 1),
    FACTOR(icnt_sms_per_port, 2, 1, 3),
    FACTOR(l1d_banks, 3, 1, 2, 8),
    FACTOR(l1d_written_percent, 2, 0, 25),
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
    FACTOR(uvm_write_back, 3, WRITE_BACK_ALL, WRITE_BACK_DIRTY, WRITE_BACK_NONE),
    FACTOR(tlb_l1_entries, 2, 2, 8),
    FACTOR(tlb_l1_misses, 3, 1, 2, 64),
    FACTOR(tlb_l1_waiting, 3, 1, 4, 512),
    FACTOR(tlb_l2_entries, 3, 0, 2, 16),
    FACTOR(tlb_l2_index, 2, LRU_MODULO, LRU_XOR),
    FACTOR(tlb_l2_latency, 2, 1, 10),
    FACTOR(tlb_l2_ports, 2, 1, 2),
    FACTOR(gmmu_walkers, 2, 1, 8),
    FACTOR(gmmu_walk_queue, 2, 1, 16),
    FACTOR(gmmu_walk_latency, 2, 1, 20),
    FACTOR(gmmu_walk_merge, 2, 0, 1),
    FACTOR(gmmu_report_replays, 2, 0, 1),
    FACTOR(gmmu_cache_lines, 2, 0, 2),
    FACTOR(hir_sets, 2, 1, 4),
    FACTOR(hir_ways, 2, 1, 8),
    FACTOR(hir_transfer_interval, 2, 1, 5),
    FACTOR(hpe_hits, 2, HPE_HITS_HIR, HPE_HITS_IDEAL),
    FACTOR(clock_icnt_mhz, 3, 1000, 900, 350),
    FACTOR(clock_l2_mhz, 3, 1000, 700, 1900),
    FACTOR(clock_dram_mhz, 3, 1000, 1700, 350),
};

#define FACTORS (sizeof factors / sizeof factors[0])

struct gpu_point {
    uint8_t level[FACTORS];
};

static struct config config_of(const struct gpu_point *p) {
    static struct config base;
    if (!base.sm_count) {
        base = small_config();
        base.sm_count = 3;
        base.dram_rfc = 50;
        base.uvm_fault_us = 1;
        base.l1d_dl_slots = 2; /* few slots, so that lists become long and a walk takes long */
        base.tlb_l2_ways = 2;
    }
    struct config c = base;
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

static bool legal(const struct gpu_point *p) {
    struct error err;
    const struct config c = config_of(p);
    return gpu_check(&c, &err) == 0;
}

/* ---- points that cover every pair of levels ---- */

static uint32_t random_state;

static uint32_t rnd(void) {
    return random_state = chaos_mix(random_state + 0x9e3779b9U);
}

static uint8_t seen[FACTORS][LEVELS][FACTORS][LEVELS];

static unsigned new_pairs(const struct gpu_point *p) {
    unsigned n = 0;
    for (unsigned f = 0; f < FACTORS; f++)
        for (unsigned g = f + 1; g < FACTORS; g++)
            n += !seen[f][p->level[f]][g][p->level[g]];
    return n;
}

static void mark(const struct gpu_point *p) {
    for (unsigned f = 0; f < FACTORS; f++)
        for (unsigned g = f + 1; g < FACTORS; g++)
            seen[f][p->level[f]][g][p->level[g]] = 1;
}

static struct gpu_point random_point(void) {
    struct gpu_point p;
    for (unsigned f = 0; f < FACTORS; f++)
        p.level[f] = (uint8_t)(rnd() % factors[f].levels);
    return p;
}

/* Stores the best of several random legal points that contain the pair. The best point contains the
 * most pairs that no point covers yet. Returns false if there is no legal point. */
static bool point_with(unsigned f, unsigned a, unsigned g, unsigned b, struct gpu_point *best) {
    unsigned most = 0, found = 0;
    for (unsigned try = 0; try < 10000 && found < 40; try++) {
        struct gpu_point p = random_point();
        p.level[f] = (uint8_t)a;
        p.level[g] = (uint8_t)b;
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

/* Finds the next pair that no point covers yet. Returns false if there is none. */
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

static uint32_t seed;                   /* seed of the running program */
static const struct gpu_point *running; /* point that is being run or has failed, or NULL */

/* Prints the program's seed and the point, so that the failure can be repeated. */
static void describe(void) {
    const struct gpu_point *p = running;
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

static struct stats total; /* sums over all points */

static void expect_clean(const struct gpu_point *p) {
    struct config c = config_of(p);
    running = p;
    chaos_seed = seed;
    struct program program = chaos_program(2);
    struct outcome o = run_program(&c, &program, true);
    if (o.end != GPU_DONE)
        fail_msg("end %d: %s", (int)o.end, o.error);
    assert_int_equal(o.checked, o.stats.v[STAT_load_lines] + o.stats.v[STAT_atomic_lines]);
    expect_sums(&c, &o.stats);
    struct config slow_config = c;
    slow_config.sim_skip = 0;
    struct outcome slow = run_program(&slow_config, &program, false);
    if (memcmp(&o.stats, &slow.stats, sizeof o.stats) != 0) {
        struct outcome plain = run_program(&c, &program, false);
        expect_same("data", &o.stats, &plain.stats);
        expect_same("skipping", &plain.stats, &slow.stats);
    }
    stats_add(&total, &o.stats);
    running = NULL;
}

static int tell_which(void **state) {
    if (running)
        describe();
    running = NULL;
    return 0;
}

/* Number of points in the test tier. The first points cover the most pairs. */
#define FIRST_POINTS 10

static void every_pair_is_clean(void **state) {
    unsigned f, a, g, b, points = 0, impossible = 0;
    random_state = 1;
    while (missing_pair(&f, &a, &g, &b)) {
        static struct gpu_point p;
        if (point_with(f, a, g, b, &p)) {
            mark(&p);
            seed = points++;
            if (tier_is_test() && points > FIRST_POINTS)
                return;
            if (!tier_is("full") || seed % 10 == 5)
                expect_clean(&p);
        } else {
            seen[f][a][g][b] = 1;
            impossible++;
        }
    }
    /* The impossible pairs, with their number:
     *   lazy or both with wtwn or wewn (4)
     *   both with one entry in the evict buffer (1)
     *   fermi or ipoly with 1 or 4 sets (8)
     *   pmod or a_prime with 1 set (4)
     *   3 partitions with xor, xor_next, d_prime, a_prime or ipoly; 8 with a_prime; 1 or 2 with
     *     ipoly; 1 with prime or a_prime; 1, 2 or 3 with ipoly_banks (13)
     *   mdb with pmod, a_prime or ipoly_sum (6)
     *   sim.check_hash with random or ipoly_banks, or without an L1D (3)
     *   prioritization queues (3), or static and mdb (3), without an L1D
     *   ucp with pdp; srrip with ucp or pdp (3)
     *   mdb with sectors (2)
     *   paging with an L1D that keeps all stores (1)
     *   fcfs with dram.model=gpgpusim (1)
     *   l2.model=gpgpusim with wtwn, with wewn, or with ways claimed at the fill (3) */
    assert_int_equal(impossible, 55);
    assert_true(points < 160);
}

/* True if the statistic needs more pages than these programs have, or another uvm.mode.
 * tests/evict, tests/gmmu and tests/uvm cover these statistics. */
static bool needs_more_pages(enum stat_id s) {
    return strncmp(stat_table[s].name, "hpe_", 4) == 0 || s == STAT_gmmu_hir_wait_cycles ||
           s == STAT_hir_losses || s == STAT_uvm_copy_cycles || s == STAT_uvm_user_cycles;
}

/* True if the statistic needs arrays, which these programs do not have. tests/uvm/capture.sh
 * covers these statistics. */
static bool needs_arrays(enum stat_id s) {
    enum stat_part part = stat_part(s);
    return part == STAT_PART_cap || part == STAT_PART_ture;
}

/* True if the statistic needs several workloads at the same time. tests/gpu/ucp.sh and other tests
 * cover these statistics. */
static bool needs_more_workloads(enum stat_id s) {
    return strncmp(stat_table[s].name, "l1d_ucp_", 8) == 0 ||
           strncmp(stat_table[s].name, "mil_", 4) == 0 || s == STAT_slots_mil;
}

/* True if the statistic needs local memory or copies, which only traces have.
 * tests/l1d/test_l1d_policies.c and tests/l2/copies.sh cover these statistics. */
static bool needs_traces(enum stat_id s) {
    return s == STAT_l1d_forgotten || s == STAT_l2_copy_fills;
}

static bool counted(enum stat_id s) {
    return total.v[s] || needs_more_pages(s) || needs_arrays(s) || needs_more_workloads(s) ||
           needs_traces(s);
}

static bool all_counted(void) {
    unsigned n = 0;
    for (unsigned s = 0; s < STAT_COUNT; s++)
        n += counted((enum stat_id)s);
    return n == STAT_COUNT;
}

/* Combinations of levels that rare events need: pages that HPE evicts with the help of HIR caches,
 * and walks of slot lists. */
static const struct {
    const char *name;
    uint8_t level;
} rare[] = {
    {"uvm_mode", 1}, {"uvm_evict", 7}, {"hpe_hits", 0}, {"l1d_mshr", 1}, {"l1d_dl_tail", 0}};

static void make_rare(struct gpu_point *p) {
    for (unsigned i = 0; i < sizeof rare / sizeof *rare; i++)
        for (unsigned f = 0; f < FACTORS; f++)
            if (strcmp(factors[f].name, rare[i].name) == 0)
                p->level[f] = rare[i].level;
}

static void run_random_point(uint32_t its_seed, bool is_rare) {
    static struct gpu_point p;
    do {
        p = random_point();
        if (is_rare)
            make_rare(&p);
    } while (!legal(&p));
    seed = its_seed;
    expect_clean(&p);
}

/* Every statistic that these programs can reach is nonzero in some run. If one is still 0 after the
 * points above, up to 40 more points are run. */
static void everything_happens(void **state) {
    if (!tier_is("long"))
        skip(); /* only the long tier runs all points */
    for (uint32_t n = 0; n < 40 && !all_counted(); n++)
        run_random_point(500 + n, true);
    for (unsigned s = 0; s < STAT_COUNT; s++)
        if (!counted((enum stat_id)s))
            print_error("%s is 0 in all runs\n", stat_table[s].name);
    assert_true(all_counted());
}

static unsigned long more;

static void random_points_are_clean(void **state) {
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
