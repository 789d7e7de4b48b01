// SPDX-License-Identifier: Apache-2.0
/* True-usage eviction with the model of its coalescing table: the life of pages, recalls, and which
 * blocks leave when. Lease and pages in words of Gu (2023, 4.3.2). */
#include "tests/evict/bench.h"

#define BLOCKS 12

static struct bench b;
static struct ture *t;

static void open_with(const struct config *cfg, uint32_t frames) {
    bench_open(&b, "ture", cfg, BLOCKS * BLOCK_PAGES, frames, NULL, 0);
    t = b.policy;
}

static void open_roomy(void) {
    open_with(NULL, BLOCKS * BLOCK_PAGES);
}

static void come(uint32_t page) {
    bench_bring(&b, page, true);
}

static void walk(uint32_t page) {
    b.evictor->touch(t, page, 1);
}

/* Brings in all pages of n blocks, from block `first` on. */
static void fill(uint32_t first, uint32_t n) {
    for (uint32_t page = first * BLOCK_PAGES; page < (first + n) * BLOCK_PAGES; page++)
        come(page);
}

static uint64_t expired(void) {
    return b.stats.v[STAT_ture_expired];
}

/* The blocks that have left by the last choice, in order, are these; whole, unless it is said. */
static void expect_blocks(uint32_t n, const uint32_t *block) {
    assert_int_equal(b.n_victims, n * BLOCK_PAGES);
    for (uint32_t i = 0; i < b.n_victims; i++)
        assert_int_equal(b.victim[i], block[i / BLOCK_PAGES] * BLOCK_PAGES + i % BLOCK_PAGES);
}

#define EXPECT_BLOCKS(...)                                                                         \
    expect_blocks(sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t),                      \
                  (const uint32_t[]){__VA_ARGS__})

/* ---- the life of a page ---- */

/* A lease of 3: the replay leaves 2, a walk 1, the next one ends it. The walk that recalls it is
 * not counted, and it goes on with 2. */
static void a_page_lives_as_long_as_its_lease(void **state) {
    (void)state;
    open_roomy();
    ture_lease(t, 0, 3);
    come(5);
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

/* It does not expire, and its first walk after the first lease leaves that less one. */
static void a_page_without_a_lease_takes_the_first(void **state) {
    (void)state;
    open_roomy();
    come(5);
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

/* New leases touch no page that has one; a recall takes half of the lease of now, rounded up. */
static void a_new_lease_is_for_new_pages(void **state) {
    (void)state;
    static const unsigned half[][2] = {{3, 2}, {4, 2}, {1, 1}};
    for (unsigned k = 0; k < 3; k++) {
        open_roomy();
        ture_lease(t, 0, 2);
        come(5);
        ture_lease(t, 0, half[k][0]);
        come(6);
        walk(5);
        assert_int_equal(expired(), 0);
        walk(5);
        assert_int_equal(expired(), 1);
        walk(5);
        for (unsigned i = 1; i < half[k][1]; i++)
            walk(5);
        assert_int_equal(expired(), 1);
        walk(5);
        assert_int_equal(expired(), 2);
        bench_close(&b);
    }
}

/* A recall is of the block: all of its pages that have expired live on. */
static void a_recall_is_of_the_whole_block(void **state) {
    (void)state;
    open_roomy();
    ture_lease(t, 0, 1);
    fill(2, 1);
    for (uint32_t page = 32; page < 36; page++)
        walk(page);
    assert_int_equal(expired(), 4);
    walk(40); /* has not expired: no recall, it expires itself */
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

/* ---- blocks that leave ---- */

/* Four of the table, the one that was updated least recently first; pages that have not expired
 * leave with them. */
static void four_blocks_leave_at_a_time(void **state) {
    (void)state;
    open_with(NULL, BLOCKS * BLOCK_PAGES);
    ture_lease(t, 0, 1);
    fill(0, 8);
    static const uint32_t order[] = {7, 3, 0, 5, 6, 3};
    for (unsigned i = 0; i < 6; i++)
        walk(order[i] * BLOCK_PAGES + i);
    bench_evict(&b);
    EXPECT_BLOCKS(7, 0, 5, 6);
    assert_int_equal(b.stats.v[STAT_ture_out_taken], 4);
    assert_int_equal(b.stats.v[STAT_ture_out_lru], 0);
    bench_close(&b);
}

/* The table has fewer: those used least recently. */
static void the_least_recently_used_make_up_for_the_rest(void **state) {
    (void)state;
    open_roomy();
    ture_lease(t, 0, 2);
    fill(0, 8);
    walk(6 * BLOCK_PAGES);
    walk(6 * BLOCK_PAGES); /* expires */
    walk(0);
    walk(2 * BLOCK_PAGES + 1);
    bench_evict(&b);
    EXPECT_BLOCKS(6, 1, 3, 4);
    assert_int_equal(b.stats.v[STAT_ture_out_taken], 1);
    assert_int_equal(b.stats.v[STAT_ture_out_lru], 3);
    bench_evict(&b);
    EXPECT_BLOCKS(5, 7, 0, 2);
    bench_close(&b);
}

/* A block for which the table has no place makes the oldest leave, though memory is not full. */
static void a_full_table_lets_the_oldest_leave(void **state) {
    (void)state;
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
    assert_int_equal(b.stats.v[STAT_ture_out_full], 1);
    bench_close(&b);
}

/* A block with a page that is waited for leaves as soon as the wait ends. If the block is used
 * before that, it stays. */
static void a_block_that_may_not_leave_waits(void **state) {
    (void)state;
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

/* No block may leave whole: what may of the one used least recently. */
static void a_part_leaves_if_no_block_may(void **state) {
    (void)state;
    open_with(NULL, 2 * BLOCK_PAGES);
    fill(0, 2);
    b.pages.page[3].waiters = b.pages.page[BLOCK_PAGES].waiters = 1;
    bench_evict(&b);
    assert_int_equal(b.n_victims, BLOCK_PAGES - 1);
    assert_int_equal(b.victim[0], 0);
    assert_int_equal(b.stats.v[STAT_ture_partial], 1);
    bench_close(&b);
}

/* A block is in the table when it leaves as one used least recently: the table forgets it. */
static void the_table_forgets_what_has_left(void **state) {
    (void)state;
    open_roomy();
    ture_lease(t, 0, 1);
    fill(0, 2);
    walk(0);
    walk(0); /* recalled, its operation is on its way */
    walk(0); /* expired again */
    for (uint32_t page = 0; page < BLOCK_PAGES; page++)
        bench_leave(&b, page);
    ture_table_settle(&b.table, t);
    struct expiry_out out;
    expiry_type.observe(b.table.model, &(struct expiry_in){0}, &out);
    assert_int_equal(out.st_entries, 0);
    bench_close(&b);
}

/* Reads the pages of each block in order, the blocks in another, with frames for half of them.
 * left: the pages that leave, in order. Returns how many. lease 0: none. */
static uint32_t read_once(const char *policy, unsigned lease, uint32_t *left) {
    const uint32_t pages = BLOCKS * BLOCK_PAGES;
    uint32_t n = 0;
    bench_open(&b, policy, NULL, pages, pages / 2, NULL, 0);
    if (lease)
        ture_lease(b.policy, 0, lease);
    for (uint32_t i = 0; i < pages; i++) {
        uint32_t page = i / BLOCK_PAGES * 5 % BLOCKS * BLOCK_PAGES + i % BLOCK_PAGES;
        come(page);
        for (uint32_t k = 0; n < b.count.evictions; k++)
            left[n++] = b.victim[k];
        b.evictor->touch(b.policy, page, 1);
    }
    bench_close(&b);
    return n;
}

/* Pages leave in the order in which LRU lets them, whether they have expired or not. */
static void a_string_read_once_leaves_as_with_lru(void **state) {
    (void)state;
    static uint32_t lru[BLOCKS * BLOCK_PAGES], ture[BLOCKS * BLOCK_PAGES];
    uint32_t n = read_once("lru", 0, lru);
    assert_int_equal(n, BLOCKS * BLOCK_PAGES / 2);
    for (unsigned lease = 0; lease < 3; lease++) {
        assert_int_equal(read_once("ture", lease, ture), 8 * BLOCK_PAGES);
        assert_memory_equal(ture, lru, n * sizeof *lru);
    }
}

/* ---- operations on their way ---- */

/* An entry goes with the pages that the table was told of, no less and no more. */
static void an_entry_has_the_pages_that_were_told(void **state) {
    (void)state;
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
        walk(6); /* the table has not accepted it */
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

/* The table is asked while a recall of its oldest block waits: the block stays. */
static void a_recall_on_its_way_keeps_the_block(void **state) {
    (void)state;
    open_roomy();
    ture_lease(t, 0, 1);
    fill(0, 6);
    walk(0);
    ture_table_settle(&b.table, t);
    assert_int_equal(b.evictor->choose(t, b.victim), 0); /* asks the table */
    walk(0);                                             /* behind it */
    ture_table_settle(&b.table, t);
    bench_leave_all(&b, b.evictor->wants(t, b.victim));
    EXPECT_BLOCKS(1, 2, 3, 4);
    assert_int_equal(b.stats.v[STAT_ture_recalls], 1);
    bench_close(&b);
}

/* ---- at random, against a plain account ---- */

static uint64_t random_state;

static uint32_t any(uint32_t n) {
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((random_state >> 33) % n);
}

/* Walks, pages that come, leases and choices at random; the table takes its time. What a page's
 * life must be is kept here once more, by the words of the rules. */
static void lives_are_right_at_random(void **state) {
    (void)state;
    static uint32_t life[BLOCKS * BLOCK_PAGES]; /* 0: expired; UINT32_MAX: no lease yet */
    for (unsigned run = 0; run < 20; run++) {
        struct config cfg;
        uint32_t lease = 0;
        uint64_t ended = 0, recalled = 0;
        config_default(&cfg);
        cfg.ture_table = 2 << run % 3;
        cfg.ture_take = 1 + run % 4;
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
                come(page);
                life[page] = lease ? lease : UINT32_MAX;
                continue;
            }
            walk(page);
            if (life[page] == 0) {
                for (uint32_t p = first; p < first + BLOCK_PAGES; p++)
                    if (b.pages.page[p].state == PAGE_RESIDENT && life[p] == 0) {
                        life[p] = (lease + 1) / 2;
                        recalled++;
                    }
                continue;
            }
            if (life[page] == UINT32_MAX && lease)
                life[page] = lease;
            if (life[page] != UINT32_MAX)
                ended += --life[page] == 0;
        }
        assert_int_equal(expired(), ended);
        assert_int_equal(b.stats.v[STAT_ture_recalled_pages], recalled);
        assert_true(ended > 100 && recalled > 40 && b.stats.v[STAT_ture_out_taken] > 2 &&
                    b.stats.v[STAT_ture_out_full] > 10);
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
