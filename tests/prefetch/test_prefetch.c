// SPDX-License-Identifier: Apache-2.0
/* Tests of the page prefetchers: their choices, the order of the choices, and the rules that are
 * common to all. */
#include "lib/random.h"
#include "prefetch/cap.h"
#include "prefetch/prefetch.h"
#include "stats/stats.h"
#include "tests/test.h"

#define KB UINT64_C(1024)
#define BASE (UINT64_C(1) << 31)
#define MOST 4096
#define MAX_ARRAYS 4

struct world {
    const struct prefetcher *prefetcher;
    void *policy;
    struct config cfg;
    struct pages pages;
    struct book *book;
    struct stats stats;
    struct context context;
    uint32_t demand[MOST], n;
    uint32_t out[MOST], picked;
    struct cap_port cap;
};

/* Replaces block `cap`, which tests/uvm/test_cap.c tests. The answers range over all sizes, 0 to
 * 4. */
static unsigned answer(void *ctx, const struct cap_ask *ask) {
    (void)ctx;
    return ask->avail % 5;
}

static void world_create(struct world *w, const char *name, bool full) {
    w->prefetcher = prefetcher_find(name);
    assert_non_null(w->prefetcher);
    w->cap = (struct cap_port){w, answer};
    w->policy = w->prefetcher->create(
        &(struct prefetch_env){&w->cfg, &w->pages, w->book, full, &w->stats, &w->context, &w->cap});
    assert_non_null(w->policy);
}

/* Opens a world with adjacent arrays of `sizes` bytes. A size of 0 ends the list. */
static void world_open(struct world *w, const char *name, bool full,
                       const uint64_t sizes[MAX_ARRAYS]) {
    memset(w, 0, sizeof *w);
    config_default(&w->cfg);
    struct device_array arrays[MAX_ARRAYS] = {0};
    unsigned n = 0;
    for (uint64_t base = BASE; n < MAX_ARRAYS && sizes[n]; base += sizes[n++])
        arrays[n] = (struct device_array){.name = "a", .base = base, .bytes = sizes[n]};
    pages_init(&w->pages, arrays, n);
    if (prefetcher_find(name)->needs & NEED_FIRST_PASS)
        assert_non_null(w->book = book_create());
    world_create(w, name, full);
}

#define SIZES(...) ((const uint64_t[MAX_ARRAYS]){__VA_ARGS__})

static void world_close(struct world *w) {
    w->prefetcher->destroy(w->policy);
    book_destroy(w->book);
    pages_free(&w->pages);
}

static void expect_rules(const struct world *w, uint32_t room) {
    assert_true(w->picked <= room);
    bool *seen = calloc(w->pages.n, sizeof *seen);
    for (uint32_t i = 0; i < w->picked; i++) {
        assert_true(page_wanted(&w->pages, w->out[i]));
        assert_false(seen[w->out[i]]);
        seen[w->out[i]] = true;
    }
    free(seen);
}

/* Faults on the n pages in `demand`, and lets the policy choose up to `room` more pages. Returns
 * the number of chosen pages. */
static uint32_t ask(struct world *w, const uint32_t *demand, uint32_t n, uint32_t room) {
    for (uint32_t i = 0; i < n; i++) {
        w->demand[i] = demand[i];
        pages_move(&w->pages, demand[i], PAGE_WAITED);
    }
    w->n = n;
    w->picked = w->prefetcher->choose(w->policy, w->demand, n, w->out, room);
    expect_rules(w, room);
    return w->picked;
}

/* Moves in all faulted and chosen pages. */
static void bring(struct world *w) {
    for (uint32_t i = 0; i < w->n; i++)
        pages_move(&w->pages, w->demand[i], PAGE_RESIDENT);
    for (uint32_t i = 0; i < w->picked; i++)
        pages_move(&w->pages, w->out[i], PAGE_RESIDENT);
}

static uint32_t fault(struct world *w, uint32_t page, uint32_t room) {
    ask(w, &page, 1, room);
    bring(w);
    return w->picked;
}

static void expect_picks(const struct world *w, const uint32_t *pages, uint32_t n) {
    assert_int_equal(w->picked, n);
    for (uint32_t i = 0; i < n; i++)
        assert_int_equal(w->out[i], pages[i]);
}

#define EXPECT_PICKS(w, ...)                                                                       \
    expect_picks(w, (const uint32_t[]){__VA_ARGS__},                                               \
                 sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

/* ---- the table ---- */

static void policies_are_found_by_name(void **state) {
    for (size_t i = 0; prefetchers[i]; i++) {
        assert_ptr_equal(prefetcher_find(prefetchers[i]->name), prefetchers[i]);
        assert_true(strlen(prefetchers[i]->doc) > 0);
    }
    assert_null(prefetcher_find("nonesuch"));
}

static void none_picks_nothing(void **state) {
    struct world w;
    world_open(&w, "none", false, SIZES(2048 * KB));
    assert_int_equal(fault(&w, 7, 80), 0);
    world_close(&w);
}

/* ---- in address order ---- */

/* The two arrays have 3 and 2 pages, with the numbers 0..2 and 512..513. Page 513 holds data only
 * in part. Pages 3..15 and 514..527 pad the allocations. */
static void sequential_begins_at_the_lowest_address(void **state) {
    struct world w;
    world_open(&w, "sequential", false, SIZES(12 * KB, 5 * KB));
    ask(&w, (const uint32_t[]){1}, 1, 2);
    EXPECT_PICKS(&w, 0, 2);
    bring(&w);
    ask(&w, NULL, 0, 80);
    EXPECT_PICKS(&w, 512, 513);
    bring(&w);
    assert_int_equal(ask(&w, NULL, 0, 80), 0);
    pages_move(&w.pages, 0, PAGE_HOST); /* page 0 is evicted */
    ask(&w, NULL, 0, 80);
    EXPECT_PICKS(&w, 0);
    world_close(&w);
}

static void locality_goes_on_behind_the_last_fault(void **state) {
    struct world w;
    world_open(&w, "locality", false, SIZES(32 * KB, 5 * KB));
    assert_int_equal(ask(&w, NULL, 0, 80), 0); /* there was no fault yet */
    ask(&w, (const uint32_t[]){6, 2}, 2, 3);
    EXPECT_PICKS(&w, 3, 4, 5);
    bring(&w);
    ask(&w, NULL, 0, 3); /* without a new fault, the policy continues after its last choice */
    EXPECT_PICKS(&w, 7, 512, 513);
    bring(&w);
    ask(&w, NULL, 0, 80); /* the policy restarts at the lowest address */
    EXPECT_PICKS(&w, 0, 1);
    bring(&w);
    assert_int_equal(ask(&w, NULL, 0, 80), 0);
    world_close(&w);
}

static void locality_keeps_to_its_window_when_memory_is_full(void **state) {
    struct world w;
    world_open(&w, "locality", true, SIZES(2048 * KB));
    pages_move(&w.pages, 103, PAGE_RESIDENT);
    /* page 103 is in the window, but already resident */
    assert_int_equal(fault(&w, 100, 512), 127);
    assert_int_equal(w.out[0], 101);
    assert_int_equal(w.out[2], 104);
    assert_int_equal(w.out[126], 228);
    assert_int_equal(fault(&w, 500, 512), 11); /* memory ends before the end of the window */
    assert_int_equal(w.out[10], 511);
    world_close(&w);
}

/* Without a table of arrays, regions are numbered in the order of their first access, but pages are
 * chosen in order of address. */
static void order_is_that_of_addresses(void **state) {
    struct world w = {0};
    config_default(&w.cfg);
    pages_init(&w.pages, NULL, 0);
    const uint64_t region[] = {9, 3, 5};
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(pages_of_line(&w.pages, region[i] * 2048 * KB / 128), i * CHUNK_PAGES);
    world_create(&w, "sequential", false);
    assert_int_equal(ask(&w, NULL, 0, MOST), 3 * CHUNK_PAGES);
    assert_int_equal(w.out[0], CHUNK_PAGES);
    assert_int_equal(w.out[CHUNK_PAGES], 2 * CHUNK_PAGES);
    assert_int_equal(w.out[2 * CHUNK_PAGES], 0);
    w.prefetcher->destroy(w.policy);
    world_create(&w, "locality", false);
    ask(&w, (const uint32_t[]){2 * CHUNK_PAGES - 2}, 1, 3);
    EXPECT_PICKS(&w, 2 * CHUNK_PAGES - 1, 2 * CHUNK_PAGES, 2 * CHUNK_PAGES + 1);
    world_close(&w);
}

/* ---- the future ---- */

static void oracle_follows_the_first_uses(void **state) {
    struct world w;
    world_open(&w, "oracle", false, SIZES(64 * KB));
    const uint32_t uses[] = {5, 1, 5, 9, 3, 1, 7};
    for (unsigned i = 0; i < 7; i++)
        book_write(w.book, uses[i]);
    book_read(w.book);
    ask(&w, (const uint32_t[]){5}, 1, 2);
    EXPECT_PICKS(&w, 1, 9);
    book_use(w.book, 3); /* this is the page's only use */
    ask(&w, NULL, 0, 80);
    EXPECT_PICKS(&w, 1, 9, 7);
    world_close(&w);
}

/* ---- blocks ---- */

static void sl64_picks_the_faulted_blocks(void **state) {
    struct world w;
    world_open(&w, "sl64", false, SIZES(100 * KB)); /* 25 of 32 pages hold data */
    ask(&w, (const uint32_t[]){30, 3, 17}, 3, 80);
    assert_int_equal(w.picked, 14 + 15);
    assert_int_equal(w.out[0], 16);
    assert_int_equal(w.out[13], 31); /* pages without lines belong to the block, too */
    assert_int_equal(w.out[14], 0);
    bring(&w);
    pages_move(&w.pages, 20, PAGE_HOST);
    pages_move(&w.pages, 25, PAGE_HOST);
    pages_move(&w.pages, 26, PAGE_GOING);
    ask(&w, (const uint32_t[]){20}, 1, 80);
    EXPECT_PICKS(&w, 25);
    world_close(&w);
}

/* ---- trees ---- */

/* Blocks first .. first + n - 1 of a chunk, as a bit mask. */
#define BLOCKS(first, n) ((uint32_t)(((UINT64_C(1) << (n)) - 1) << (first)))

struct golden {
    uint32_t block;  /* block with a fault on its first page */
    uint32_t blocks; /* mask of the blocks that arrive */
};

static const struct golden ramp[] = {{0, BLOCKS(0, 1)}, {1, BLOCKS(1, 1)}, {2, BLOCKS(2, 2)},
                                     {4, BLOCKS(4, 4)}, {8, BLOCKS(8, 8)}, {16, BLOCKS(16, 16)}};
static const struct golden odd_pair[] = {{1, BLOCKS(1, 1)}, {3, BLOCKS(3, 1)},
                                         {0, 0x5},          {4, BLOCKS(4, 4)},
                                         {8, BLOCKS(8, 8)}, {16, BLOCKS(16, 16)}};
static const struct golden odd_half[] = {{1, BLOCKS(1, 1)},   {3, BLOCKS(3, 1)}, {5, BLOCKS(5, 1)},
                                         {7, BLOCKS(7, 1)},   {0, 0x55},         {8, BLOCKS(8, 8)},
                                         {16, BLOCKS(16, 16)}};

/* Checks that a fault on the first page of each block brings in exactly these whole blocks. */
static void expect_golden(struct world *w, uint32_t chunk, const struct golden *g, unsigned n) {
    for (unsigned i = 0; i < n; i++) {
        uint32_t first = chunk * CHUNK_PAGES, pages[CHUNK_PAGES / BLOCK_PAGES] = {0}, blocks = 0;
        assert_true(page_wanted(&w->pages, first + g[i].block * BLOCK_PAGES));
        fault(w, first + g[i].block * BLOCK_PAGES, CHUNK_PAGES);
        pages[g[i].block]++;
        for (uint32_t k = 0; k < w->picked; k++) {
            assert_int_equal(w->out[k] / CHUNK_PAGES, chunk);
            pages[w->out[k] % CHUNK_PAGES / BLOCK_PAGES]++;
        }
        for (unsigned b = 0; b < CHUNK_PAGES / BLOCK_PAGES; b++)
            if (pages[b]) {
                assert_int_equal(pages[b], BLOCK_PAGES);
                blocks |= UINT32_C(1) << b;
            }
        assert_int_equal(blocks, g[i].blocks);
    }
}

#define EXPECT_GOLDEN(w, chunk, g) expect_golden(w, chunk, g, sizeof(g) / sizeof(g)[0])

static void tree_keeps_the_golden_sequences(void **state) {
    struct world w;
    world_open(&w, "tree", false, SIZES(2048 * KB));
    EXPECT_GOLDEN(&w, 0, ramp);
    world_close(&w);
    world_open(&w, "tree", false, SIZES(2048 * KB));
    EXPECT_GOLDEN(&w, 0, odd_pair);
    world_close(&w);
    world_open(&w, "tree", false, SIZES(2048 * KB));
    EXPECT_GOLDEN(&w, 0, odd_half);
    world_close(&w);
}

/* In Gu (2023), Figure 4.3, four blocks in a tree of 512 KB arrive alone. The fifth fills 62.5 %
 * of the tree, so all others follow. Faults on every second block first are also the slowest way
 * to fill 2 MB, with 17 faults. */
static void tree_follows_the_figure(void **state) {
    struct world w;
    world_open(&w, "tree", false, SIZES((2048 + 512) * KB));
    for (uint32_t b = 1; b < 8; b += 2)
        EXPECT_GOLDEN(&w, 1, ((const struct golden[]){{b, BLOCKS(b, 1)}}));
    EXPECT_GOLDEN(&w, 1, ((const struct golden[]){{0, 0x55}}));
    for (uint32_t b = 1; b < 32; b += 2)
        EXPECT_GOLDEN(&w, 0, ((const struct golden[]){{b, BLOCKS(b, 1)}}));
    EXPECT_GOLDEN(&w, 0, ((const struct golden[]){{0, 0x55555555}}));
    world_close(&w);
}

static void trees_do_not_know_each_other(void **state) {
    struct world w;
    world_open(&w, "tree", false, SIZES(3 * 2048 * KB));
    for (uint32_t chunk = 0; chunk < 3; chunk++)
        EXPECT_GOLDEN(&w, chunk, ramp);
    world_close(&w);
}

/* The 192 KB after the first 2 MB are a tree of 256 KB. */
static void a_tail_is_a_smaller_tree(void **state) {
    struct world w;
    world_open(&w, "tree", false, SIZES((2048 + 192) * KB));
    EXPECT_GOLDEN(&w, 1, ((const struct golden[]){{0, 0x1}, {1, 0x2}, {2, 0xc}}));
    EXPECT_GOLDEN(&w, 0, ramp);
    world_close(&w);
}

/* After each faulted page, its chosen pages are contiguous: 60, 60, 124, 252, 508 and 1020 KB. */
static void the_ramp_doubles_the_transfers(void **state) {
    struct world w;
    world_open(&w, "tree", false, SIZES(2048 * KB));
    const uint32_t kb[] = {60, 60, 124, 252, 508, 1020};
    for (unsigned i = 0; i < 6; i++) {
        uint32_t page = ramp[i].block * BLOCK_PAGES;
        assert_int_equal(fault(&w, page, CHUNK_PAGES), kb[i] / 4);
        for (uint32_t k = 0; k < w.picked; k++)
            assert_int_equal(w.out[k], page + 1 + k);
    }
    world_close(&w);
}

static void tree_takes_a_group_of_faults_at_once(void **state) {
    struct world w;
    world_open(&w, "tree", false, SIZES(2 * 2048 * KB));
    /* blocks 0 and 2 of the second chunk fill exactly half of the node above, so the node is not
     * filled; block 1 of the first chunk arrives alone */
    ask(&w, (const uint32_t[]){CHUNK_PAGES + 40, 16, CHUNK_PAGES + 5, CHUNK_PAGES + 6}, 4, MOST);
    assert_int_equal(w.picked, 2 * 16 - 3 + 15);
    /* the chunk of the first fault comes first, in order of address */
    assert_int_equal(w.out[0], CHUNK_PAGES);
    assert_int_equal(w.out[w.picked - 1], 31);
    bring(&w);
    /* with a page of block 1, three of four blocks are present, so the node is filled */
    ask(&w, (const uint32_t[]){CHUNK_PAGES + 20}, 1, 20);
    assert_int_equal(w.picked, 20);
    assert_int_equal(w.out[14], CHUNK_PAGES + 31); /* the faulted block comes first */
    assert_int_equal(w.out[15], CHUNK_PAGES + 48);
    world_close(&w);
}

/* A page that is being evicted does not count as resident, but a page that is being moved in
 * does. */
static void tree_looks_at_what_will_be_there(void **state) {
    struct world w;
    world_open(&w, "tree", false, SIZES(256 * KB));
    pages_move(&w.pages, 16, PAGE_GOING);
    pages_move(&w.pages, 32, PAGE_LEAVING);
    ask(&w, (const uint32_t[]){0}, 1, 80);
    assert_int_equal(w.picked, 15);
    pages_move(&w.pages, 16, PAGE_COMING);
    pages_move(&w.pages, 32, PAGE_RESIDENT);
    ask(&w, (const uint32_t[]){1}, 1, 80);
    assert_int_equal(w.picked, 14 + 16); /* blocks 0, 1 and 2 are present, so block 3 follows */
    world_close(&w);
}

/* ---- random ---- */

#define DRAWS 64000

/* Expects all eligible pages to be chosen equally often. With this many pages, some counts are off
 * by 3 standard deviations by chance. A count that is off by 5 is an error. */
static void expect_uniform(struct world *w, const uint32_t *pages, uint32_t n, uint32_t room) {
    uint32_t *count = calloc(w->pages.n, sizeof *count);
    double expected = (double)DRAWS / n;
    for (uint32_t i = 0; i < DRAWS / room; i++) {
        assert_int_equal(ask(w, NULL, 0, room), room);
        for (uint32_t k = 0; k < room; k++)
            count[w->out[k]]++;
    }
    uint64_t sum = 0;
    for (uint32_t i = 0; i < n; i++) {
        double off = count[pages[i]] - expected;
        assert_true(off * off < 25 * expected);
        sum += count[pages[i]];
    }
    assert_int_equal(sum, DRAWS / room * room);
    free(count);
}

static void random_is_uniform(void **state) {
    static struct world w;
    uint32_t pages[64];
    /* the arrays have 50, 5 and 9 pages */
    world_open(&w, "random", false, SIZES(200 * KB, 20 * KB, 36 * KB));
    for (uint32_t i = 0; i < 64; i++)
        pages[i] = i < 50 ? i : i < 55 ? CHUNK_PAGES + i - 50 : 2 * CHUNK_PAGES + i - 55;
    expect_uniform(&w, pages, 64, 1);
    expect_uniform(&w, pages, 64, 40);
    world_close(&w);
}

/* Tests with few eligible pages, which random draws alone would not find. */
static void random_is_uniform_over_few(void **state) {
    static struct world w;
    world_open(&w, "random", false, SIZES(4 * 2048 * KB));
    const uint32_t left[] = {0, 77, 1000, 2046, 2047};
    for (uint32_t page = 0; page < w.pages.n; page++)
        pages_move(&w.pages, page, PAGE_RESIDENT);
    for (unsigned i = 0; i < 5; i++)
        pages_move(&w.pages, left[i], PAGE_HOST);
    expect_uniform(&w, left, 5, 1);
    expect_uniform(&w, left, 5, 2);
    assert_int_equal(ask(&w, NULL, 0, 80), 5);
    world_close(&w);
}

static void random_depends_on_the_seed_only(void **state) {
    static struct world w;
    uint32_t first[80];
    bool differs = false;
    for (unsigned run = 0; run < 3; run++) {
        world_open(&w, "random", false, SIZES(2048 * KB));
        w.prefetcher->destroy(w.policy);
        w.cfg.uvm_seed = run == 2 ? 2 : 1;
        world_create(&w, "random", false);
        assert_int_equal(ask(&w, NULL, 0, 80), 80);
        if (run == 0)
            memcpy(first, w.out, sizeof first);
        if (run == 1)
            assert_memory_equal(first, w.out, sizeof first);
        if (run == 2)
            differs = memcmp(first, w.out, sizeof first) != 0;
        world_close(&w);
    }
    assert_true(differs);
}

/* Each page in the chunk is drawn equally often. If the faulted page is drawn, no other page is
 * brought in. */
static void random_2mb_keeps_to_the_chunk(void **state) {
    static struct world w;
    unsigned drawn[BLOCK_PAGES] = {0};
    world_open(&w, "random_2mb", false, SIZES(2048 * KB, 60 * KB));
    for (unsigned i = 0; i < BLOCK_PAGES * 400; i++) {
        uint32_t n = fault(&w, CHUNK_PAGES + 3, 80), page = n ? w.out[0] : CHUNK_PAGES + 3;
        assert_in_range(page, CHUNK_PAGES, CHUNK_PAGES + BLOCK_PAGES - 1);
        drawn[page - CHUNK_PAGES]++;
        pages_move(&w.pages, CHUNK_PAGES + 3, PAGE_HOST);
        if (n)
            pages_move(&w.pages, page, PAGE_HOST);
    }
    for (unsigned i = 0; i < BLOCK_PAGES; i++)
        assert_in_range(drawn[i], 300, 500);
    world_close(&w);
}

/* One page is drawn per faulted page. If a resident page is drawn, no page is brought in. A chunk
 * therefore needs ln 2 faults per page, which is the integral of 1 / (2 - x) over the resident
 * share x. */
static void random_2mb_draws_pages_that_are_there(void **state) {
    static struct world w;
    unsigned faults = 0;
    world_open(&w, "random_2mb", false, SIZES(20 * 2048 * KB));
    for (uint32_t page = 0; page < w.pages.n; page++)
        if (w.pages.page[page].state == PAGE_HOST) {
            assert_in_range(fault(&w, page, 80), 0, 1);
            faults++;
        }
    assert_in_range(faults, 0.67 * w.pages.n, 0.72 * w.pages.n);
    world_close(&w);
}

/* ---- all ---- */

/* Tests all policies with random states, demands and numbers of free frames. */
static void every_policy_keeps_the_rules(void **state) {
    static struct world w;
    for (size_t i = 0; prefetchers[i]; i++) {
        uint64_t dice = 1;
        world_open(&w, prefetchers[i]->name, i % 2, SIZES(3000 * KB, 10 * KB, 130 * KB));
        for (uint32_t page = 0; w.book && page < w.pages.n; page += 3)
            book_write(w.book, page);
        if (w.book)
            book_read(w.book);
        for (unsigned k = 0; k < 500; k++) {
            for (uint32_t page = 0; page < w.pages.n; page++)
                if (page_exists(&w.pages, page) && random_below(&dice, 8) == 0)
                    pages_move(&w.pages, page,
                               PAGE_HOST + random_below(&dice, PAGE_STATES - PAGE_HOST));
            uint32_t demand[8], n = 0;
            for (uint32_t page = random_below(&dice, 700); n < 8 && page < w.pages.n; page += 90)
                if (page_wanted(&w.pages, page))
                    demand[n++] = page;
            ask(&w, demand, n, random_below(&dice, 4) ? random_below(&dice, 600) : 0);
        }
        world_close(&w);
    }
}

/* Policies that fill memory bring in every page that holds lines, and then stop. */
static void what_fills_brings_everything(void **state) {
    static struct world w;
    for (size_t i = 0; prefetchers[i]; i++) {
        if (!prefetchers[i]->fills)
            continue;
        world_open(&w, prefetchers[i]->name, false, SIZES(3000 * KB, 10 * KB, 130 * KB));
        uint32_t footprint = pages_footprint(&w.pages), there = 1;
        for (uint32_t page = 0; w.book && page < w.pages.n; page++)
            if (page < 750 || (page >= 1024 && page < 1027) || (page >= 1536 && page < 1569))
                book_write(w.book, page);
        if (w.book)
            book_read(w.book);
        there += fault(&w, 300, 79);
        while (ask(&w, NULL, 0, 80)) {
            assert_true(w.picked == 80 || there + w.picked == footprint);
            there += w.picked;
            bring(&w);
        }
        assert_int_equal(there, footprint);
        world_close(&w);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(policies_are_found_by_name),
        cmocka_unit_test(none_picks_nothing),
        cmocka_unit_test(sequential_begins_at_the_lowest_address),
        cmocka_unit_test(locality_goes_on_behind_the_last_fault),
        cmocka_unit_test(locality_keeps_to_its_window_when_memory_is_full),
        cmocka_unit_test(order_is_that_of_addresses),
        cmocka_unit_test(oracle_follows_the_first_uses),
        cmocka_unit_test(sl64_picks_the_faulted_blocks),
        cmocka_unit_test(tree_keeps_the_golden_sequences),
        cmocka_unit_test(tree_follows_the_figure),
        cmocka_unit_test(trees_do_not_know_each_other),
        cmocka_unit_test(a_tail_is_a_smaller_tree),
        cmocka_unit_test(the_ramp_doubles_the_transfers),
        cmocka_unit_test(tree_takes_a_group_of_faults_at_once),
        cmocka_unit_test(tree_looks_at_what_will_be_there),
        cmocka_unit_test(random_is_uniform),
        cmocka_unit_test(random_is_uniform_over_few),
        cmocka_unit_test(random_depends_on_the_seed_only),
        cmocka_unit_test(random_2mb_keeps_to_the_chunk),
        cmocka_unit_test(random_2mb_draws_pages_that_are_there),
        cmocka_unit_test(every_policy_keeps_the_rules),
        cmocka_unit_test(what_fills_brings_everything),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
