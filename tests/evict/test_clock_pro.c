// SPDX-License-Identifier: Apache-2.0
/* Tests of CLOCK-Pro against a reference model that keeps the clock in an array and searches it. */
#include "tests/evict/bench.h"

#include "lib/random.h"

#define MOST 64

/* ---- reference model ---- */

struct clock_pro_naive {
    const struct evict_bench *b;
    uint32_t clock[MOST], n; /* pages, in the direction of the hands; the hot hand is at index 0 */
    uint32_t test_hand, cold_hand; /* pages to which the hands point, or PAGE_NONE */
    bool resident[MOST], hot[MOST], test[MOST], used[MOST];
    bool filled;
};

static bool cold_here(const struct clock_pro_naive *m, uint32_t page) {
    return m->resident[page] && !m->hot[page];
}

static uint32_t where(const struct clock_pro_naive *m, uint32_t page) {
    uint32_t at = 0;
    while (at < m->n && m->clock[at] != page)
        at++;
    return at;
}

/* Returns the next page on the clock or, if `cold`, the next cold resident page. Returns PAGE_NONE
 * if there is none. */
static uint32_t next_page(const struct clock_pro_naive *m, uint32_t page, bool cold) {
    uint32_t at = where(m, page);
    for (uint32_t i = 1; i < m->n; i++) {
        uint32_t next = m->clock[(at + i) % m->n];
        if (!cold || cold_here(m, next))
            return next;
    }
    return PAGE_NONE;
}

static uint32_t count_hot(const struct clock_pro_naive *m) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < m->n; i++)
        n += m->hot[m->clock[i]];
    return n;
}

static uint32_t count_left(const struct clock_pro_naive *m) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < m->n; i++)
        n += !m->resident[m->clock[i]];
    return n;
}

static uint32_t hot_limit(const struct clock_pro_naive *m) {
    uint32_t all = m->b->pages.capacity, cold = (uint32_t)m->b->cfg.clock_pro_cold;
    if (cold >= all)
        cold = all > 1 ? all - 1 : 1;
    return all - cold;
}

/* Inserts a page at the head, the last position that the hot hand reaches. */
static void insert(struct clock_pro_naive *m, uint32_t page) {
    m->clock[m->n++] = page;
    if (m->test_hand == PAGE_NONE)
        m->test_hand = page;
    if (cold_here(m, page) && m->cold_hand == PAGE_NONE)
        m->cold_hand = page;
}

static void take_out(struct clock_pro_naive *m, uint32_t page) {
    if (m->test_hand == page)
        m->test_hand = next_page(m, page, false);
    if (m->cold_hand == page)
        m->cold_hand = next_page(m, page, true);
    uint32_t at = where(m, page);
    memmove(&m->clock[at], &m->clock[at + 1], (--m->n - at) * sizeof *m->clock);
}

static void end_period(struct clock_pro_naive *m, uint32_t page) {
    m->test[page] = false;
    if (!m->resident[page])
        take_out(m, page);
}

/* Moves the hot hand by one page. */
static void turn(struct clock_pro_naive *m) {
    uint32_t first = m->clock[0];
    memmove(m->clock, &m->clock[1], (m->n - 1) * sizeof *m->clock);
    m->clock[m->n - 1] = first;
}

static void stop_at_hot(struct clock_pro_naive *m) {
    while (count_hot(m) && !m->hot[m->clock[0]]) {
        bool stays = m->resident[m->clock[0]];
        end_period(m, m->clock[0]);
        if (stays)
            turn(m);
    }
}

static uint32_t run_hot_hand(struct clock_pro_naive *m) {
    stop_at_hot(m);
    while (m->used[m->clock[0]]) {
        m->used[m->clock[0]] = false;
        turn(m);
        stop_at_hot(m);
    }
    uint32_t page = m->clock[0];
    m->hot[page] = m->test[page] = false;
    if (m->cold_hand == PAGE_NONE)
        m->cold_hand = page;
    turn(m);
    stop_at_hot(m);
    return page;
}

static void insert_hot(struct clock_pro_naive *m, uint32_t page) {
    m->hot[page] = true;
    insert(m, page);
    while (count_hot(m) > hot_limit(m))
        run_hot_hand(m);
}

static void naive_come(struct clock_pro_naive *m, uint32_t page, bool demanded) {
    bool known = where(m, page) < m->n;
    m->filled = m->filled || count_hot(m) >= hot_limit(m);
    if (known)
        take_out(m, page);
    m->resident[page] = true;
    m->used[page] = false;
    m->test[page] = demanded || known;
    if (known ? demanded : !m->filled)
        insert_hot(m, page);
    else
        insert(m, page);
}

static void naive_gone(struct clock_pro_naive *m, uint32_t page) {
    if (m->cold_hand == page)
        m->cold_hand = next_page(m, page, true);
    m->resident[page] = m->used[page] = false;
    if (!m->test[page])
        take_out(m, page);
    while (count_left(m) > m->b->pages.capacity) {
        uint32_t at = m->test_hand;
        m->test_hand = next_page(m, at, false);
        if (!m->hot[at])
            end_period(m, at);
    }
}

static bool naive_may_leave(const struct clock_pro_naive *m, uint32_t page) {
    return !m->b->pages.page[page].waiters;
}

/* Spares a cold page that was used: makes it hot if it is in its test period, else starts its test
 * period. */
static void spare_used(struct clock_pro_naive *m, uint32_t page) {
    m->used[page] = false;
    take_out(m, page);
    if (m->test[page]) {
        insert_hot(m, page);
    } else {
        m->test[page] = true;
        insert(m, page);
    }
}

static uint32_t count_cold(const struct clock_pro_naive *m) {
    return m->n - count_hot(m) - count_left(m);
}

static uint32_t naive_choose(struct clock_pro_naive *m) {
    uint32_t kept = 0; /* number of consecutive pages that were kept */
    while (kept < count_cold(m)) {
        uint32_t page = m->cold_hand, next = next_page(m, page, true);
        kept++;
        if (m->used[page]) {
            spare_used(m, page);
            kept = 0;
        } else if (naive_may_leave(m, page)) {
            return page;
        } else if (next != PAGE_NONE) {
            m->cold_hand = next;
        }
    }
    while (count_hot(m)) {
        uint32_t page = run_hot_hand(m);
        if (naive_may_leave(m, page))
            return page;
    }
    return PAGE_NONE;
}

/* ---- both ---- */

/* Lets both models choose a page and evicts it. Returns false if no page may be evicted. */
static bool evict_both(struct evict_bench *b, struct clock_pro_naive *m) {
    uint32_t expected = naive_choose(m);
    if (expected == PAGE_NONE) {
        assert_int_equal(bench_evict(b), 0);
        return false;
    }
    assert_int_equal(bench_evict(b), 1);
    assert_int_equal(b->victim[0], expected);
    naive_gone(m, expected);
    return true;
}

static void bring_both(struct evict_bench *b, struct clock_pro_naive *m, uint32_t page,
                       bool demanded) {
    while (!b->pages.free)
        if (!evict_both(b, m))
            return;
    bench_bring(b, page, demanded);
    naive_come(m, page, demanded);
}

static void step(struct evict_bench *b, struct clock_pro_naive *m, uint64_t *dice, uint32_t pages,
                 bool waiting) {
    uint32_t page = random_below(dice, random_below(dice, 2) ? pages : pages / 2 + 1);
    if (b->pages.page[page].state == PAGE_RESIDENT) {
        b->evictor->touch(b->policy, page, 1);
        m->used[page] = true;
    } else {
        bring_both(b, m, page, random_below(dice, 4) != 0);
    }
    if (waiting) {
        uint32_t other = random_below(dice, pages);
        b->pages.page[other].waiters = random_below(dice, 8) == 0;
    }
    if (random_below(dice, 32) == 0)
        evict_both(b, m); /* frees a frame in advance */
}

static void it_is_the_naive_model(void **state) {
    static struct evict_bench b;
    uint64_t dice = 7;
    for (unsigned k = 0; k < 300; k++) {
        uint32_t pages = 2 + random_below(&dice, MOST - 1), frames = 1 + random_below(&dice, pages);
        struct clock_pro_naive m = {.b = &b, .test_hand = PAGE_NONE, .cold_hand = PAGE_NONE};
        struct config cfg;
        config_default(&cfg);
        cfg.clock_pro_cold = 1 + random_below(&dice, 20);
        bench_open(&b, "clock_pro", &cfg, pages, frames, NULL, 0);
        for (unsigned i = 0; i < 600; i++)
            step(&b, &m, &dice, pages, k % 2);
        bench_close(&b);
    }
}

/* ---- by hand ---- */

static void open_clock(struct evict_bench *b, int64_t cold, uint32_t frames) {
    struct config cfg;
    config_default(&cfg);
    cfg.clock_pro_cold = cold;
    bench_open(b, "clock_pro", &cfg, MOST, frames, NULL, 0);
}

static void expect_victim(struct evict_bench *b, uint32_t page, uint32_t victim) {
    assert_true(bench_ref(b, page));
    assert_int_equal(b->victim[0], victim);
}

/* A scan evicts only cold pages. Two of the five frames are for cold pages. Pages 0, 1 and 2 are
 * hot, and 3 and 4 are cold. */
static void a_scan_goes_through_the_cold_pages(void **state) {
    static struct evict_bench b;
    open_clock(&b, 2, 5);
    for (uint32_t page = 0; page < 5; page++)
        bench_ref(&b, page);
    for (uint32_t page = 5; page < 20; page++)
        expect_victim(&b, page, page - 2);
    for (uint32_t page = 0; page < 3; page++)
        assert_false(bench_ref(&b, page));
    bench_close(&b);
}

static void a_page_back_in_its_test_period_is_hot(void **state) {
    static struct evict_bench b;
    open_clock(&b, 2, 5);
    for (uint32_t page = 0; page < 5; page++)
        bench_ref(&b, page);
    bench_ref(&b, 0);
    expect_victim(&b, 5, 3);
    expect_victim(&b, 3, 4); /* 3 becomes hot, 0 was used, and 1 becomes cold */
    expect_victim(&b, 6, 5);
    expect_victim(&b, 7, 1);
    assert_false(bench_ref(&b, 0));
    assert_false(bench_ref(&b, 2));
    assert_false(bench_ref(&b, 3));
    bench_close(&b);
}

/* A page used within its test period becomes hot. A page used later is spared and gets a new test
 * period. */
static void a_used_cold_page_is_spared(void **state) {
    static struct evict_bench b;
    open_clock(&b, 2, 5);
    for (uint32_t page = 0; page < 5; page++)
        bench_ref(&b, page);
    bench_ref(&b, 3);
    expect_victim(&b, 5, 4); /* 3 becomes hot and 0 cold */
    bench_ref(&b, 0);        /* 0 is not in a test period */
    expect_victim(&b, 6, 5);
    bench_ref(&b, 0);        /* 0 is in a test period now */
    expect_victim(&b, 7, 6); /* 0 becomes hot again and 1 cold */
    expect_victim(&b, 8, 1);
    assert_false(bench_ref(&b, 0));
    assert_false(bench_ref(&b, 2));
    assert_false(bench_ref(&b, 3));
    bench_close(&b);
}

static void pages_that_left_are_as_many_as_frames(void **state) {
    static struct evict_bench b;
    for (uint32_t between = 2; between <= 5; between++) {
        open_clock(&b, 2, 5);
        for (uint32_t page = 0; page < 6; page++)
            bench_ref(&b, page); /* after the loop, 3 has been evicted */
        for (uint32_t i = 0; i < between; i++)
            /* after the loop, between + 1 pages have been evicted, including 3 */
            bench_ref(&b, 10 + i);
        bench_ref(&b, 3); /* evicts one more page */
        bench_ref(&b, 30);
        bench_ref(&b, 31);
        assert_int_equal(b.pages.page[3].state == PAGE_RESIDENT, between + 2 <= 5);
        bench_close(&b);
    }
}

/* The first use of a prefetched page only starts its test period. */
static void a_prefetched_page_was_not_used(void **state) {
    static struct evict_bench b;
    for (unsigned demanded = 0; demanded < 2; demanded++) {
        open_clock(&b, 2, 5);
        for (uint32_t page = 0; page < 4; page++)
            bench_ref(&b, page);
        bench_bring(&b, 4, demanded);
        expect_victim(&b, 5, 3);
        bench_ref(&b, 4);
        expect_victim(&b, 6, 5); /* if `demanded`, 4 becomes hot and 0 cold */
        expect_victim(&b, 7, demanded ? 0 : 4);
        bench_close(&b);
    }
}

/* ---- better than LRU ---- */

enum { PAGES = 1000, FRAMES = 750, PASSES = 5 };

/* In several passes over all pages in order, LRU never hits, but CLOCK-Pro keeps its hot pages. */
static void a_loop_keeps_its_hot_pages(void **state) {
    static uint32_t refs[PAGES * PASSES];
    for (uint32_t i = 0; i < PAGES * PASSES; i++)
        refs[i] = i % PAGES;
    uint32_t faults = bench_run("clock_pro", NULL, PAGES, FRAMES, refs, PAGES * PASSES).faults;
    assert_int_equal(bench_run("lru", NULL, PAGES, FRAMES, refs, PAGES * PASSES).faults,
                     PAGES * PASSES);
    print_message("%u faults\n", (unsigned)faults);
    assert_true(faults <= PAGES + (PASSES - 1) * (PAGES - FRAMES + 128));
}

/* Pages that are used again and again stay, although each scan between their uses reads more pages
 * than there are remaining frames. */
static void scans_do_not_sweep_what_is_hot(void **state) {
    enum { HOT = 400, SCAN = 500, ROUNDS = 20 };
    static uint32_t refs[ROUNDS * (HOT + SCAN)];
    uint32_t n = 0, cold = HOT;
    for (unsigned round = 0; round < ROUNDS; round++) {
        for (uint32_t i = 0; i < HOT; i++)
            refs[n++] = i;
        for (uint32_t i = 0; i < SCAN; i++)
            refs[n++] = cold++;
    }
    uint32_t lru = bench_run("lru", NULL, cold, FRAMES, refs, n).faults;
    uint32_t faults = bench_run("clock_pro", NULL, cold, FRAMES, refs, n).faults;
    print_message("%u faults, LRU %u\n", (unsigned)faults, (unsigned)lru);
    assert_int_equal(lru, n);
    assert_int_equal(faults, HOT + ROUNDS * SCAN);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_the_naive_model),
        cmocka_unit_test(a_scan_goes_through_the_cold_pages),
        cmocka_unit_test(a_page_back_in_its_test_period_is_hot),
        cmocka_unit_test(a_used_cold_page_is_spared),
        cmocka_unit_test(pages_that_left_are_as_many_as_frames),
        cmocka_unit_test(a_prefetched_page_was_not_used),
        cmocka_unit_test(a_loop_keeps_its_hot_pages),
        cmocka_unit_test(scans_do_not_sweep_what_is_hot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
