// SPDX-License-Identifier: Apache-2.0
/* Tests true-usage eviction with the model of its coalescing table: the lives of pages, recalls,
 * and the time when each block is evicted. Leases and pages are as in Gu (2023, 4.3.2). */
#include "tests/evict/bench.h"

#define BLOCKS 12

static struct evict_bench b;
static struct ture *t;

static void open_with(const struct config *cfg, uint32_t frames) {
    bench_open(&b, "ture", cfg, BLOCKS * BLOCK_PAGES, frames, NULL, 0);
    t = b.policy;
}

static void open_roomy(void) {
    open_with(NULL, BLOCKS * BLOCK_PAGES);
}

static void add_page(uint32_t page) {
    bench_bring(&b, page, true);
}

static void walk(uint32_t page) {
    b.evictor->touch(t, page, 1);
}

/* Brings in all pages of n blocks, starting with block `first`. */
static void fill(uint32_t first, uint32_t n) {
    for (uint32_t page = first * BLOCK_PAGES; page < (first + n) * BLOCK_PAGES; page++)
        add_page(page);
}

static uint64_t expired(void) {
    return b.stats.v[STAT_ture_expired];
}

/* Expects the last choice to be exactly the pages in these blocks, in order. */
static void expect_blocks(uint32_t n, const uint32_t *block) {
    assert_int_equal(b.n_victims, n * BLOCK_PAGES);
    for (uint32_t i = 0; i < b.n_victims; i++)
        assert_int_equal(b.victim[i], block[i / BLOCK_PAGES] * BLOCK_PAGES + i % BLOCK_PAGES);
}

#define EXPECT_BLOCKS(...)                                                                         \
    expect_blocks(sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t),                      \
                  (const uint32_t[]){__VA_ARGS__})

/* ---- the life of a page ---- */

/* Of a lease of 3 walks, 2 remain after the replay and 1 after a walk, and the next walk ends the
 * lease. The walk that recalls the page is not counted, and the page continues with 2 walks. */
static void a_page_lives_as_long_as_its_lease(void **state) {
    open_roomy();
    ture_lease(t, 0, 3);
    add_page(5);
    walk(5);
    walk(5);
    assert_true(ture_would_tell(t, 5));
    assert_int_equal(expired(), 0);
    walk(5);
    assert_int_equal(expired(), 1);
    assert_true(ture_would_tell(t, 5));
    walk(5);
    assert_int_equal(b.stats.v[STAT_ture_recalls], 1);
    assert_int_equal(b.stats.v[STAT_ture_recalled_pages], 1);
    assert_false(ture_would_tell(t, 5));
    walk(5);
    assert_int_equal(expired(), 1);
    walk(5);
    assert_int_equal(expired(), 2);
    bench_close(&b);
}

/* A page without a lease does not expire. After the first lease is set, the page's first walk
 * starts it with that lease minus one. */
static void a_page_without_a_lease_takes_the_first(void **state) {
    open_roomy();
    add_page(5);
    for (unsigned i = 0; i < 3000; i++)
        walk(5);
    assert_int_equal(expired(), 0);
    ture_lease(t, 0, 3);
    walk(5);
    walk(5);
    assert_int_equal(expired(), 0);
    walk(5);
    assert_int_equal(expired(), 1);
    bench_close(&b);
}

/* A new lease does not affect a page that already has one. Each recall starts the page with half of
 * the lease that it had at first, rounded up. */
static void a_new_lease_is_for_new_pages(void **state) {
    static const unsigned leases[][2] = {{3, 2}, {4, 2}, {1, 1}}; /* a lease and its half */
    for (unsigned k = 0; k < 3; k++) {
        open_roomy();
        ture_lease(t, 0, leases[k][0]);
        add_page(5);
        ture_lease(t, 0, 7);
        add_page(6);
        for (unsigned i = 0; i < leases[k][0]; i++) {
            assert_int_equal(expired(), 0);
            walk(5);
        }
        assert_int_equal(expired(), 1);
        for (unsigned recall = 1; recall <= 2; recall++) {
            walk(5);
            for (unsigned i = 0; i < leases[k][1]; i++) {
                assert_int_equal(expired(), recall);
                walk(5);
            }
            assert_int_equal(expired(), recall + 1);
        }
        bench_close(&b);
    }
}

/* A recall applies to the whole block: all its expired pages are renewed. */
static void a_recall_is_of_the_whole_block(void **state) {
    open_roomy();
    ture_lease(t, 0, 1);
    fill(2, 1);
    for (uint32_t page = 32; page < 36; page++)
        walk(page);
    assert_int_equal(expired(), 4);
    walk(40); /* the page had not expired, so there is no recall; it expires now */
    assert_int_equal(b.stats.v[STAT_ture_recalls], 0);
    walk(33);
    assert_int_equal(b.stats.v[STAT_ture_recalls], 1);
    assert_int_equal(b.stats.v[STAT_ture_recalled_pages], 5);
    ture_table_settle(&b.table, t);
    struct expiry_out out;
    expiry_type.observe(b.table.model, &(struct expiry_in){0}, &out);
    assert_int_equal(out.st_entries, 0);
    bench_close(&b);
}

/* ---- evicted blocks ---- */

/* Four blocks in the table are evicted together, least recently updated first, including their
 * pages that have not expired. */
static void four_blocks_leave_at_a_time(void **state) {
    open_with(NULL, BLOCKS * BLOCK_PAGES);
    ture_lease(t, 0, 1);
    fill(0, 8);
    static const uint32_t order[] = {7, 3, 0, 5, 6, 3};
    for (unsigned i = 0; i < 6; i++)
        walk(order[i] * BLOCK_PAGES + i);
    bench_evict(&b);
    EXPECT_BLOCKS(7, 0, 5, 6);
    assert_int_equal(b.stats.v[STAT_ture_exits_memory_full], 4);
    assert_int_equal(b.stats.v[STAT_ture_evictions_lru], 0);
    bench_close(&b);
}

/* If the table has fewer than four blocks, the least recently used blocks are evicted, too. */
static void the_least_recently_used_make_up_for_the_rest(void **state) {
    open_roomy();
    ture_lease(t, 0, 2);
    fill(0, 8);
    walk(6 * BLOCK_PAGES);
    walk(6 * BLOCK_PAGES); /* the page expires */
    walk(0);
    walk(2 * BLOCK_PAGES + 1);
    bench_evict(&b);
    EXPECT_BLOCKS(6, 1, 3, 4);
    assert_int_equal(b.stats.v[STAT_ture_exits_memory_full], 1);
    assert_int_equal(b.stats.v[STAT_ture_evictions_lru], 3);
    bench_evict(&b);
    EXPECT_BLOCKS(5, 7, 0, 2);
    bench_close(&b);
}

/* If there is no free table entry for a block, the oldest block in the table is evicted, although
 * memory is not full. */
static void a_full_table_lets_the_oldest_leave(void **state) {
    struct config cfg;
    config_default(&cfg);
    cfg.ture_table = 2;
    open_with(&cfg, BLOCKS * BLOCK_PAGES);
    ture_lease(t, 0, 1);
    fill(0, 4);
    walk(0);
    walk(BLOCK_PAGES);
    walk(1);
    bench_settle(&b);
    assert_int_equal(b.n_victims, 0);
    walk(2 * BLOCK_PAGES);
    bench_settle(&b);
    EXPECT_BLOCKS(1);
    assert_int_equal(b.stats.v[STAT_ture_exits_table_full], 1);
    bench_close(&b);
}

/* A block with a page that is waited for is evicted when the wait ends, unless the block is used
 * before that. */
static void a_block_that_may_not_leave_waits(void **state) {
    for (unsigned used = 0; used < 2; used++) {
        struct config cfg;
        config_default(&cfg);
        cfg.ture_table = 2;
        open_with(&cfg, BLOCKS * BLOCK_PAGES);
        ture_lease(t, 0, 1);
        fill(0, 3);
        b.pages.page[7].waiters = 1;
        walk(0);
        walk(BLOCK_PAGES);
        walk(2 * BLOCK_PAGES);
        bench_settle(&b);
        assert_int_equal(b.n_victims, 0);
        if (used)
            walk(7);
        b.pages.page[7].waiters = 0;
        bench_settle(&b);
        assert_int_equal(b.n_victims, used ? 0 : BLOCK_PAGES);
        assert_int_equal(b.stats.v[STAT_ture_recalls], used);
        bench_close(&b);
    }
}

/* If no block may be evicted completely, the evictable pages of the least recently used block are
 * evicted. */
static void a_part_leaves_if_no_block_may(void **state) {
    open_with(NULL, 2 * BLOCK_PAGES);
    fill(0, 2);
    b.pages.page[3].waiters = b.pages.page[BLOCK_PAGES].waiters = 1;
    bench_evict(&b);
    assert_int_equal(b.n_victims, BLOCK_PAGES - 1);
    assert_int_equal(b.victim[0], 0);
    assert_int_equal(b.stats.v[STAT_ture_evictions_partial], 1);
    bench_close(&b);
}

/* A block in the table that is evicted as the least recently used one is removed from the table. */
static void the_table_forgets_what_has_left(void **state) {
    open_roomy();
    ture_lease(t, 0, 1);
    fill(0, 2);
    walk(0);
    walk(0); /* recalls the page; the operation is in progress */
    walk(0); /* the page expires again */
    for (uint32_t page = 0; page < BLOCK_PAGES; page++)
        bench_leave(&b, page);
    ture_table_settle(&b.table, t);
    struct expiry_out out;
    expiry_type.observe(b.table.model, &(struct expiry_in){0}, &out);
    assert_int_equal(out.st_entries, 0);
    bench_close(&b);
}

/* Reads the pages of each block in order, and the blocks in a scattered order, with frames for
 * half of the pages. Stores the evicted pages in `left` in order, and returns their number. If
 * lease is 0, no lease is set. */
static uint32_t read_once(const char *policy, unsigned lease, uint32_t *left) {
    const uint32_t pages = BLOCKS * BLOCK_PAGES;
    uint32_t n = 0;
    bench_open(&b, policy, NULL, pages, pages / 2, NULL, 0);
    if (lease)
        ture_lease(b.policy, 0, lease);
    for (uint32_t i = 0; i < pages; i++) {
        uint32_t page = i / BLOCK_PAGES * 5 % BLOCKS * BLOCK_PAGES + i % BLOCK_PAGES;
        add_page(page);
        for (uint32_t k = 0; n < b.count.evictions; k++)
            left[n++] = b.victim[k];
        b.evictor->touch(b.policy, page, 1);
    }
    bench_close(&b);
    return n;
}

/* Pages are evicted in LRU order, whether or not they have expired. */
static void a_string_read_once_leaves_as_with_lru(void **state) {
    static uint32_t lru[BLOCKS * BLOCK_PAGES], ture[BLOCKS * BLOCK_PAGES];
    uint32_t n = read_once("lru", 0, lru);
    assert_int_equal(n, BLOCKS * BLOCK_PAGES / 2);
    for (unsigned lease = 0; lease < 3; lease++) {
        assert_int_equal(read_once("ture", lease, ture), 8 * BLOCK_PAGES);
        assert_memory_equal(ture, lru, n * sizeof *lru);
    }
}

/* ---- operations in progress ---- */

/* An entry must be evicted with exactly the pages that were reported to the table. */
static void an_entry_has_the_pages_that_were_told(void **state) {
    static const struct {
        uint32_t mask;
        enum context_fault fault;
    } said[] = {{1 << 5 | 1 << 7, CONTEXT_OK},
                {1 << 5, CONTEXT_BROKEN},
                {1 << 5 | 1 << 6 | 1 << 7, CONTEXT_BROKEN}};
    for (unsigned k = 0; k < 3; k++) {
        open_roomy();
        ture_lease(t, 0, 1);
        fill(0, 1);
        walk(5);
        walk(7);
        walk(6); /* the table has not accepted this page */
        const struct expiry_out ready = {.exp_ready = 1}, goes = {.out_valid = 1,
                                                                  .out_mask = said[k].mask,
                                                                  .out_why = EXPIRY_FULL,
                                                                  .out_last = 1};
        struct expiry_in in = {0};
        ture_serve(t, &ready, &in);
        ture_serve(t, &ready, &in);
        ture_serve(t, &goes, &in);
        assert_int_equal(b.context.fault, said[k].fault);
        b.context.fault = CONTEXT_OK;
        bench_close(&b);
    }
}

/* The table is queried while a recall of its oldest block waits. The recalled block is not
 * evicted. */
static void a_recall_on_its_way_keeps_the_block(void **state) {
    open_roomy();
    ture_lease(t, 0, 1);
    fill(0, 6);
    walk(0);
    ture_table_settle(&b.table, t);
    assert_int_equal(b.evictor->choose(t, b.victim), 0); /* queries the table */
    walk(0);                                             /* recalls block 0 after the query */
    ture_table_settle(&b.table, t);
    bench_leave_all(&b, b.evictor->wants(t, b.victim));
    EXPECT_BLOCKS(1, 2, 3, 4);
    assert_int_equal(b.stats.v[STAT_ture_recalls], 1);
    bench_close(&b);
}

/* ---- random walks, compared with a simple model ---- */

static uint64_t random_state;

static uint32_t any(uint32_t n) {
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((random_state >> 33) % n);
}

/* Runs random walks, arrivals of pages, leases and choices with varying table latency. Compares
 * the life of each page with one that is computed here from the rules. */
static void lives_are_right_at_random(void **state) {
    /* each page's remaining lease; 0 if expired, UINT32_MAX if there is no lease yet */
    static uint32_t life[BLOCKS * BLOCK_PAGES];
    static uint32_t granted[BLOCKS * BLOCK_PAGES]; /* the lease that each page had at first */
    for (unsigned run = 0; run < 20; run++) {
        struct config cfg;
        uint32_t lease = 0;
        uint64_t ended = 0, recalled = 0;
        config_default(&cfg);
        cfg.ture_table = 2 << run % 3;
        cfg.ture_batch = 1 + run % 4;
        open_with(&cfg, BLOCKS * BLOCK_PAGES);
        random_state = run;
        for (unsigned i = 0; i < 4000; i++) {
            uint32_t page = any(BLOCKS * BLOCK_PAGES), first = page / BLOCK_PAGES * BLOCK_PAGES;
            if (any(500) == 0)
                ture_lease(t, 0, lease = 1 + any(6));
            if (any(300) == 0)
                b.evictor->choose(t, b.victim);
            for (uint32_t steps = any(4); steps; steps--)
                ture_table_step(&b.table, t);
            bench_leave_all(&b, b.evictor->wants(t, b.victim));
            if (b.pages.page[page].state != PAGE_RESIDENT) {
                add_page(page);
                life[page] = lease ? lease : UINT32_MAX;
                granted[page] = lease;
                continue;
            }
            walk(page);
            if (life[page] == 0) {
                for (uint32_t p = first; p < first + BLOCK_PAGES; p++)
                    if (b.pages.page[p].state == PAGE_RESIDENT && life[p] == 0) {
                        life[p] = (granted[p] + 1) / 2;
                        recalled++;
                    }
                continue;
            }
            if (life[page] == UINT32_MAX && lease)
                life[page] = granted[page] = lease;
            if (life[page] != UINT32_MAX)
                ended += --life[page] == 0;
        }
        assert_int_equal(expired(), ended);
        assert_int_equal(b.stats.v[STAT_ture_recalled_pages], recalled);
        assert_true(ended > 100 && recalled > 40 && b.stats.v[STAT_ture_exits_memory_full] > 2 &&
                    b.stats.v[STAT_ture_exits_table_full] > 10);
        bench_close(&b);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_page_lives_as_long_as_its_lease),
        cmocka_unit_test(a_page_without_a_lease_takes_the_first),
        cmocka_unit_test(a_new_lease_is_for_new_pages),
        cmocka_unit_test(a_recall_is_of_the_whole_block),
        cmocka_unit_test(four_blocks_leave_at_a_time),
        cmocka_unit_test(the_least_recently_used_make_up_for_the_rest),
        cmocka_unit_test(a_full_table_lets_the_oldest_leave),
        cmocka_unit_test(a_block_that_may_not_leave_waits),
        cmocka_unit_test(a_part_leaves_if_no_block_may),
        cmocka_unit_test(the_table_forgets_what_has_left),
        cmocka_unit_test(a_string_read_once_leaves_as_with_lru),
        cmocka_unit_test(an_entry_has_the_pages_that_were_told),
        cmocka_unit_test(a_recall_on_its_way_keeps_the_block),
        cmocka_unit_test(lives_are_right_at_random),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
