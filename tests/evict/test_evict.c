// SPDX-License-Identifier: Apache-2.0
/* Tests of each eviction policy alone: its choices and their order. */
#include "evict/order.h"
#include "lib/random.h"

#include "tests/evict/bench.h"

static struct evict_bench b;

static void refs(const uint32_t *page, unsigned n) {
    for (unsigned i = 0; i < n; i++)
        bench_ref(&b, page[i]);
}
#define REFS(...) refs((const uint32_t[]){__VA_ARGS__}, sizeof((uint32_t[]){__VA_ARGS__}) / 4)

/* Expects these pages to be the next choice. */
static void leaves(const uint32_t *page, unsigned n) {
    assert_int_equal(bench_evict(&b), n);
    for (unsigned i = 0; i < n; i++)
        if (b.victim[i] != page[i])
            fail_msg("victim %u of %u is page %u instead of %u", i, n, (unsigned)b.victim[i],
                     (unsigned)page[i]);
}
#define LEAVES(...) leaves((const uint32_t[]){__VA_ARGS__}, sizeof((uint32_t[]){__VA_ARGS__}) / 4)

static void every_policy_has_a_name_a_line_and_what_it_needs(void **state) {
    for (unsigned i = 0; evictors[i]; i++) {
        const struct evictor *e = evictors[i];
        assert_ptr_equal(evictor_find(e->name), e);
        assert_true(e->doc && strlen(e->doc) > 0 && !strchr(e->doc, '\n'));
        assert_true(e->create && e->destroy && e->choose);
    }
    assert_null(evictor_find("no such policy"));
}

/* An order lists its numbers by the time of their last insertion. It is compared with an
 * array of the times. */
static void order_is_that_of_the_last_puts(void **state) {
    enum { NUMBERS = 40 };
    struct order o;
    /* time when each number was last inserted, or 0 if it is not in the order */
    uint32_t last[NUMBERS] = {0};
    uint64_t seed = 1;
    order_init(&o);
    for (uint32_t now = 1; now < 2000; now++) {
        uint32_t x = random_below(&seed, 1 + now % NUMBERS), found = 0;
        bool put = random_below(&seed, 3) > 0;
        if (put)
            order_last(&o, x);
        else
            order_remove(&o, x);
        last[x] = put ? now : 0;
        for (uint32_t i = o.first, before = 0; i != ORDER_NONE; i = order_after(&o, i), found++) {
            assert_true(last[i] > before);
            before = last[i];
        }
        for (uint32_t i = 0; i < NUMBERS; i++) {
            assert_int_equal(order_has(&o, i), last[i] > 0);
            found -= last[i] > 0;
        }
        assert_int_equal(found, 0);
    }
    order_free(&o);
}

/* ---- lru ---- */

static void lru_knows_walks(void **state) {
    bench_open(&b, "lru", NULL, 100, 4, NULL, 0);
    REFS(1, 2, 3, 4, 1);
    LEAVES(2);
    REFS(3, 5, 6);
    LEAVES(1);
    LEAVES(3);
    LEAVES(5);
    bench_close(&b);
}

static void lru_passes_over_what_may_not_leave(void **state) {
    bench_open(&b, "lru", NULL, 100, 4, NULL, 0);
    REFS(1, 2, 3, 4);
    b.pages.page[1].waiters = b.pages.page[2].waiters = 1;
    LEAVES(3);
    LEAVES(4);
    assert_int_equal(bench_evict(&b), 0);
    b.pages.page[2].waiters = 0;
    LEAVES(2);
    bench_close(&b);
}

/* ---- ideal ---- */

static void open_ideal(const uint32_t *page, unsigned n) {
    bench_open(&b, "ideal", NULL, 100, 5, page, n);
}
#define OPEN_IDEAL(...)                                                                            \
    open_ideal((const uint32_t[]){__VA_ARGS__}, sizeof((uint32_t[]){__VA_ARGS__}) / 4)

static void ideal_takes_the_farthest(void **state) {
    OPEN_IDEAL(1, 2, 3, 4, 2, 3, 1, 4, 1, 2);
    REFS(1, 2, 3, 4);
    LEAVES(4);
    REFS(2, 3);
    LEAVES(3); /* page 3 is never used again */
    REFS(1, 4, 1);
    LEAVES(1); /* 1 and 4 are never used again, but 2 is */
    LEAVES(4);
    LEAVES(2);
    bench_close(&b);
}

static void ideal_passes_over_what_may_not_leave(void **state) {
    OPEN_IDEAL(1, 2, 3, 4, 1, 2, 3, 4);
    REFS(1, 2, 3, 4);
    b.pages.page[4].waiters = b.pages.page[2].waiters = 1;
    LEAVES(3);
    LEAVES(1);
    assert_int_equal(bench_evict(&b), 0);
    b.pages.page[4].waiters = b.pages.page[2].waiters = 0;
    LEAVES(4);
    LEAVES(2);
    bench_close(&b);
}

/* The policy considers only resident pages, whatever the book records about other pages. */
static void ideal_knows_what_is_resident(void **state) {
    OPEN_IDEAL(7, 1, 2, 9, 1, 7, 2);
    for (unsigned k = 0; k < BOOK_EPOCH; k++)
        book_use(b.book, 7);
    REFS(1, 2);
    LEAVES(2);
    LEAVES(1);
    assert_int_equal(bench_evict(&b), 0);
    bench_close(&b);
}

/* The ideal policy chooses a page whose next use is the farthest. It is compared with a search
 * through all pages. */
static void ideal_is_that_of_a_search(void **state) {
    enum { PAGES = 60, FRAMES = 25, REFERENCES = 3000 };
    static uint32_t page[REFERENCES];
    uint64_t seed = 5;
    for (unsigned i = 0; i < REFERENCES; i++)
        page[i] =
            random_below(&seed, 2) ? random_below(&seed, PAGES / 4) : random_below(&seed, PAGES);
    bench_open(&b, "ideal", NULL, PAGES, FRAMES, page, REFERENCES);
    for (unsigned i = 0; i < REFERENCES; i++) {
        uint32_t farthest = PAGE_NONE, n = b.count.evictions;
        for (uint32_t x = 0; x < PAGES; x++)
            if (b.pages.page[x].state == PAGE_RESIDENT &&
                (farthest == PAGE_NONE || book_next(b.book, x) > book_next(b.book, farthest)))
                farthest = x;
        bench_ref(&b, page[i]);
        if (b.count.evictions > n)
            assert_int_equal(b.victim[0], farthest);
    }
    assert_true(b.count.evictions > 100);
    bench_close(&b);
}

/* ---- all ---- */

static uint32_t evictable_pages(void) {
    uint32_t n = 0;
    for (uint32_t page = 0; page < b.pages.n; page++)
        n += page_evictable(&b.pages, page);
    return n;
}

/* Pages arrive on demand or prefetched, some are waited for, and some are evicted before memory is
 * full. The policy must never choose a page that may not be evicted, and must choose a page if any
 * page may be evicted. */
static void every_policy_chooses_what_it_can(void **state) {
    enum { PAGES = 1100, FRAMES = 90, STEPS = 2500 };
    static uint32_t page[STEPS];
    uint64_t seed = 8;
    for (unsigned i = 0; i < STEPS; i++)
        page[i] = random_below(&seed, random_below(&seed, 2) ? PAGES : PAGES / 20);
    for (unsigned i = 0; evictors[i]; i++) {
        bench_open(&b, evictors[i]->name, NULL, PAGES, FRAMES, page, STEPS);
        for (unsigned k = 0; k < STEPS; k++) {
            uint32_t other = random_below(&seed, PAGES), held = random_below(&seed, PAGES);
            bench_ref(&b, page[k]);
            if (b.pages.page[other].state == PAGE_HOST)
                bench_bring(&b, other, false);
            b.pages.page[held].waiters ^= b.pages.page[held].state == PAGE_RESIDENT;
            bool any = evictable_pages() > 0;
            if (random_below(&seed, 20) == 0)
                assert_int_equal(bench_evict(&b) > 0, any);
        }
        bench_close(&b);
    }
}

static void touches_of_pages_that_have_left_are_ignored(void **state) {
    for (unsigned i = 0; evictors[i]; i++) {
        if (!evictors[i]->touch)
            continue;
        bench_open(&b, evictors[i]->name, NULL, 2000, 4, NULL, 0);
        REFS(1, 2, 3);
        bench_evict(&b);
        for (uint32_t page = 0; page < 2000; page += 7)
            if (b.pages.page[page].state != PAGE_RESIDENT)
                b.evictor->touch(b.policy, page, 3);
        bench_close(&b);
    }
}

/* ---- random ---- */

/* Each choice draws one of eight pages with equal probability; three other pages may not be
 * evicted. */
static void random_draws_each_page_alike(void **state) {
    enum { PAGES = 11, DRAWS = 8000 };
    uint32_t drawn[PAGES] = {0};
    bench_open(&b, "random", NULL, 100, PAGES, NULL, 0);
    for (uint32_t page = 0; page < PAGES; page++)
        bench_ref(&b, page);
    for (uint32_t page = 2; page < 8; page += 2)
        b.pages.page[page].waiters = 1;
    for (unsigned i = 0; i < DRAWS; i++) {
        assert_int_equal(bench_evict(&b), 1);
        drawn[b.victim[0]]++;
        bench_ref(&b, b.victim[0]);
    }
    for (uint32_t page = 0; page < PAGES; page++) {
        bool held = page >= 2 && page < 8 && page % 2 == 0;
        if (held ? drawn[page] : drawn[page] < 880 || drawn[page] > 1120)
            fail_msg("page %u was drawn %u times", (unsigned)page, (unsigned)drawn[page]);
    }
    bench_close(&b);
}

/* The only page that may be evicted is found, whichever pages are drawn first. */
static void random_finds_the_only_one(void **state) {
    enum { PAGES = 9, TIMES = 100 };
    bench_open(&b, "random", NULL, PAGES, PAGES, NULL, 0);
    for (uint32_t page = 0; page < PAGES; page++) {
        bench_ref(&b, page);
        b.pages.page[page].waiters = 1;
    }
    assert_int_equal(bench_evict(&b), 0);
    for (uint32_t i = 0; i < PAGES * TIMES; i++) {
        uint32_t page = i % PAGES;
        b.pages.page[page].waiters = 0;
        assert_int_equal(bench_evict(&b), 1);
        assert_int_equal(b.victim[0], page);
        bench_ref(&b, page);
        b.pages.page[page].waiters = 1;
    }
    bench_close(&b);
}

static void random_order(uint32_t seed, uint32_t order[64]) {
    struct config cfg;
    config_default(&cfg);
    cfg.uvm_seed = seed;
    bench_open(&b, "random", &cfg, 64, 64, NULL, 0);
    for (uint32_t page = 0; page < 64; page++)
        bench_ref(&b, page);
    for (unsigned i = 0; i < 64; i++) {
        assert_int_equal(bench_evict(&b), 1);
        order[i] = b.victim[0];
    }
    bench_close(&b);
}

static void random_is_the_seeds(void **state) {
    uint32_t one[64], again[64], two[64];
    random_order(1, one);
    random_order(1, again);
    random_order(2, two);
    assert_memory_equal(one, again, sizeof one);
    assert_memory_not_equal(one, two, sizeof one);
}

/* ---- chunks and blocks ---- */

/* Expects the next choice to be exactly the pages in these blocks, in page order. */
static void blocks_leave(const uint32_t *block, unsigned n) {
    uint32_t page[EVICT_MOST];
    for (unsigned i = 0; i < n * BLOCK_PAGES; i++)
        page[i] = block[i / BLOCK_PAGES] * BLOCK_PAGES + i % BLOCK_PAGES;
    leaves(page, n * BLOCK_PAGES);
}
#define BLOCKS_LEAVE(...)                                                                          \
    blocks_leave((const uint32_t[]){__VA_ARGS__}, sizeof((uint32_t[]){__VA_ARGS__}) / 4)

static void fill(const char *evictor, uint32_t pages) {
    bench_open(&b, evictor, NULL, pages, pages, NULL, 0);
    for (uint32_t page = 0; page < pages; page++)
        bench_ref(&b, page);
}

static void touch_block(uint32_t block) {
    bench_ref(&b, block * BLOCK_PAGES + block % BLOCK_PAGES);
}

static void lru_2mb_takes_a_chunk(void **state) {
    bench_open(&b, "lru_2mb", NULL, 3 * CHUNK_PAGES, 20, NULL, 0);
    REFS(CHUNK_PAGES + 9, 3, CHUNK_PAGES + 511, 2 * CHUNK_PAGES + 1, CHUNK_PAGES);
    LEAVES(3);
    LEAVES(2 * CHUNK_PAGES + 1);
    REFS(4, CHUNK_PAGES + 9);
    LEAVES(4);
    LEAVES(CHUNK_PAGES, CHUNK_PAGES + 9, CHUNK_PAGES + 511);
    bench_close(&b);
}

/* A partly evicted chunk keeps its position in the order. */
static void lru_2mb_takes_what_may_leave(void **state) {
    bench_open(&b, "lru_2mb", NULL, 3 * CHUNK_PAGES, 20, NULL, 0);
    REFS(1, 2, 3, CHUNK_PAGES, 2 * CHUNK_PAGES);
    b.pages.page[2].waiters = b.pages.page[CHUNK_PAGES].waiters = 1;
    LEAVES(1, 3);
    LEAVES(2 * CHUNK_PAGES);
    assert_int_equal(bench_evict(&b), 0);
    b.pages.page[2].waiters = 0;
    LEAVES(2);
    bench_close(&b);
}

static void lru_2mb_takes_a_whole_chunk(void **state) {
    fill("lru_2mb", 2 * CHUNK_PAGES);
    bench_ref(&b, 100);
    assert_int_equal(bench_evict(&b), CHUNK_PAGES);
    for (uint32_t i = 0; i < CHUNK_PAGES; i++)
        assert_int_equal(b.victim[i], CHUNK_PAGES + i);
    bench_close(&b);
}

/* Chunks are evicted in LRU order, and so are the blocks in a chunk. Chunk 0 was used last, so all
 * of chunk 1 is evicted first. */
static void sl64_takes_chunks_in_order_and_their_blocks(void **state) {
    bench_open(&b, "sl64", NULL, 2 * CHUNK_PAGES, 100, NULL, 0);
    REFS(0, 1, 17, CHUNK_PAGES + 40, CHUNK_PAGES, CHUNK_PAGES + 41, 18, 15);
    LEAVES(CHUNK_PAGES);
    LEAVES(CHUNK_PAGES + 40, CHUNK_PAGES + 41);
    LEAVES(17, 18);
    REFS(CHUNK_PAGES + 500);
    LEAVES(0, 1, 15);
    bench_close(&b);
}

static void sl64_takes_what_may_leave(void **state) {
    bench_open(&b, "sl64", NULL, CHUNK_PAGES, 100, NULL, 0);
    REFS(0, 1, 16, 32, 33);
    b.pages.page[1].waiters = b.pages.page[16].waiters = 1;
    LEAVES(0);
    LEAVES(32, 33);
    assert_int_equal(bench_evict(&b), 0);
    b.pages.page[1].waiters = b.pages.page[16].waiters = 0;
    LEAVES(1);
    LEAVES(16);
    bench_close(&b);
}

/* ---- tree ---- */

/* Fills a chunk, uses these blocks in order, and then uses the other blocks. */
static void full_tree(const uint32_t *block, unsigned n) {
    fill("tree", CHUNK_PAGES);
    bool listed[CHUNK_PAGES / BLOCK_PAGES] = {false};
    for (unsigned i = 0; i < n; i++) {
        touch_block(block[i]);
        listed[block[i]] = true;
    }
    for (uint32_t i = 0; i < CHUNK_PAGES / BLOCK_PAGES; i++)
        if (!listed[i])
            touch_block(i);
}
#define FULL_TREE(...)                                                                             \
    full_tree((const uint32_t[]){__VA_ARGS__}, sizeof((uint32_t[]){__VA_ARGS__}) / 4)

/* Evictions mirror the way in which the tree prefetcher fills a chunk. */
static void tree_cascades(void **state) {
    FULL_TREE(0, 1, 2, 4, 8, 16);
    BLOCKS_LEAVE(0);
    BLOCKS_LEAVE(1);
    BLOCKS_LEAVE(2, 3);
    BLOCKS_LEAVE(4, 5, 6, 7);
    BLOCKS_LEAVE(8, 9, 10, 11, 12, 13, 14, 15);
    BLOCKS_LEAVE(16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31);
    bench_close(&b);

    FULL_TREE(1, 3, 0, 4, 8, 16);
    BLOCKS_LEAVE(1);
    BLOCKS_LEAVE(3);
    BLOCKS_LEAVE(0, 2);
    BLOCKS_LEAVE(4, 5, 6, 7);
    BLOCKS_LEAVE(8, 9, 10, 11, 12, 13, 14, 15);
    bench_close(&b);

    FULL_TREE(1, 3, 5, 7, 0, 8, 16);
    BLOCKS_LEAVE(1);
    BLOCKS_LEAVE(3);
    BLOCKS_LEAVE(5);
    BLOCKS_LEAVE(7);
    BLOCKS_LEAVE(0, 2, 4, 6);
    BLOCKS_LEAVE(8, 9, 10, 11, 12, 13, 14, 15);
    bench_close(&b);
}

/* If one of a node's two blocks is resident, the node is not less than half full. */
static void tree_of_singles(void **state) {
    FULL_TREE(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    for (uint32_t block = 0; block < 32; block += 2)
        BLOCKS_LEAVE(block);
    BLOCKS_LEAVE(1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
    bench_close(&b);
}

/* The allocation has 2 MB and 192 KB. Its remainder is a tree of 256 KB, in which three blocks
 * hold data. */
static void tree_of_a_rest_is_small(void **state) {
    const uint32_t rest = CHUNK_PAGES / BLOCK_PAGES;
    fill("tree", CHUNK_PAGES + 3 * BLOCK_PAGES);
    for (uint32_t block = 0; block < rest; block++)
        touch_block(block);
    BLOCKS_LEAVE(rest);
    BLOCKS_LEAVE(rest + 1, rest + 2);
    BLOCKS_LEAVE(0);
    bench_close(&b);

    fill("tree", CHUNK_PAGES + 4 * BLOCK_PAGES);
    for (uint32_t block = 0; block < rest; block++)
        touch_block(block);
    BLOCKS_LEAVE(rest);
    BLOCKS_LEAVE(rest + 1);
    BLOCKS_LEAVE(rest + 2, rest + 3);
    bench_close(&b);
}

/* A block with a remaining page still counts as resident for the nodes above it. */
static void tree_counts_what_stays(void **state) {
    FULL_TREE(0, 1, 2, 4);
    b.pages.page[5].waiters = 1;
    LEAVES(0, 1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    BLOCKS_LEAVE(1);
    BLOCKS_LEAVE(2); /* blocks 0 and 3 of the first four blocks are still resident */
    b.pages.page[5].waiters = 0;
    LEAVES(5, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63);
    bench_close(&b);

    FULL_TREE(1, 3, 0);
    BLOCKS_LEAVE(1);
    BLOCKS_LEAVE(3);
    b.pages.page[5].waiters = 1;
    /* block 2 is not evicted, since page 5 stays */
    LEAVES(0, 1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    bench_close(&b);
}

/* Pages in transfer count as resident. Here, a page of block 1 is in transfer. */
static void tree_counts_what_will_come(void **state) {
    for (int waited = 0; waited < 2; waited++) {
        FULL_TREE(0, 1, 2, 4);
        BLOCKS_LEAVE(0);
        BLOCKS_LEAVE(1);
        pages_move(&b.pages, 20, waited ? PAGE_WAITED : PAGE_COMING);
        BLOCKS_LEAVE(2);
        pages_move(&b.pages, 20, PAGE_HOST);
        BLOCKS_LEAVE(3, 4, 5, 6, 7);
        bench_close(&b);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_policy_has_a_name_a_line_and_what_it_needs),
        cmocka_unit_test(order_is_that_of_the_last_puts),
        cmocka_unit_test(lru_knows_walks),
        cmocka_unit_test(lru_passes_over_what_may_not_leave),
        cmocka_unit_test(random_draws_each_page_alike),
        cmocka_unit_test(random_finds_the_only_one),
        cmocka_unit_test(random_is_the_seeds),
        cmocka_unit_test(lru_2mb_takes_a_chunk),
        cmocka_unit_test(lru_2mb_takes_what_may_leave),
        cmocka_unit_test(lru_2mb_takes_a_whole_chunk),
        cmocka_unit_test(sl64_takes_chunks_in_order_and_their_blocks),
        cmocka_unit_test(sl64_takes_what_may_leave),
        cmocka_unit_test(tree_cascades),
        cmocka_unit_test(tree_of_singles),
        cmocka_unit_test(tree_of_a_rest_is_small),
        cmocka_unit_test(tree_counts_what_stays),
        cmocka_unit_test(tree_counts_what_will_come),
        cmocka_unit_test(ideal_takes_the_farthest),
        cmocka_unit_test(ideal_passes_over_what_may_not_leave),
        cmocka_unit_test(ideal_knows_what_is_resident),
        cmocka_unit_test(ideal_is_that_of_a_search),
        cmocka_unit_test(every_policy_chooses_what_it_can),
        cmocka_unit_test(touches_of_pages_that_have_left_are_ignored),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
