// SPDX-License-Identifier: Apache-2.0
/* Tests HPE against the reference model (hpe_naive.h) with random driver events: faults whose
 * pages arrive later, transfers of hits, prefetched pages, and pages that may not be evicted.
 * Every choice and all counts must be equal. */
#include "tests/evict/bench.h"
#include "tests/evict/hpe_naive.h"
#include "evict/evict.h"

#define STEPS 8000
#define PAGES 2048
#define QUEUE 8

static struct evict_bench b;
static struct hpe_naive naive;
static uint64_t seed;

static uint32_t below(uint32_t n) {
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((seed >> 33) % n);
}

/* Pages that have faulted and have not arrived yet. */
static uint32_t queue[QUEUE];
static unsigned queued;

static void check_counts(void) {
    assert_int_equal(b.stats.v[STAT_hpe_regular], naive.regular);
    assert_int_equal(b.stats.v[STAT_hpe_irregular1], naive.irregular1);
    assert_int_equal(b.stats.v[STAT_hpe_irregular2], naive.irregular2);
    assert_int_equal(b.stats.v[STAT_hpe_wrong_evictions], naive.wrongs);
    assert_int_equal(b.stats.v[STAT_hpe_switches], naive.switches);
    assert_int_equal(b.stats.v[STAT_hpe_jumps], naive.jumps);
    assert_int_equal(b.stats.v[STAT_hpe_divisions], naive.divided);
    assert_int_equal(b.stats.v[STAT_hpe_searches], naive.searches);
    assert_int_equal(b.stats.v[STAT_hpe_comparisons], naive.compared);
    assert_int_equal(b.stats.v[STAT_hpe_intervals], naive.interval);
}

/* Lets both models choose a page. Returns false if neither finds one. */
static bool evict(void) {
    uint32_t expected = naive_choose(&naive);
    uint32_t n = bench_evict(&b);
    assert_int_equal(n, expected != PAGE_NONE);
    if (n && b.victim[0] != expected)
        fail_msg("page %u is chosen, not %u", (unsigned)b.victim[0], (unsigned)expected);
    if (n)
        naive_gone(&naive, expected);
    check_counts();
    return n != 0;
}

static void bring(uint32_t page, bool demanded) {
    for (bool any = true; !b.pages.free && any;)
        any = evict();
    if (!b.pages.free) { /* no page may be evicted, so all waits are ended */
        for (uint32_t i = 0; i < b.pages.n; i++)
            b.pages.page[i].waiters = 0;
        assert_true(evict());
    }
    bench_bring(&b, page, demanded);
    naive_come(&naive, page);
}

static void serve(void) {
    if (!queued)
        return;
    bring(queue[0], true);
    memmove(queue, queue + 1, --queued * sizeof queue[0]);
}

static void refer(uint32_t page, unsigned late, uint32_t most) {
    if (b.pages.page[page].state == PAGE_RESIDENT) {
        uint32_t times = 1 + below(most);
        b.evictor->touch(b.policy, page, times);
        naive_touch(&naive, page, times);
    } else if (b.pages.page[page].state == PAGE_HOST) {
        pages_move(&b.pages, page, PAGE_WAITED);
        b.evictor->fault(b.policy, page);
        naive_fault(&naive, page);
        queue[queued++] = page;
    }
    while (queued > late)
        serve();
}

static void disturb(uint32_t pages) {
    uint32_t page = below(pages);
    struct page *p = &b.pages.page[page];
    switch (below(4)) {
    case 0:
        p->waiters = p->state == PAGE_RESIDENT;
        break;
    case 1:
        for (uint32_t i = 0; i < pages; i++)
            b.pages.page[i].waiters = 0;
        break;
    case 2: /* reports hits on a page that may have been evicted */
        b.evictor->touch(b.policy, page, 2);
        naive_touch(&naive, page, 2);
        break;
    default:
        if (p->state == PAGE_HOST)
            bring(page, false);
    }
}

/* Kind of reference string: sweeps with any stride, a moving window, or a mixture of both with
 * some recurring pages. */
struct evict_shape {
    uint32_t pages, stride, window, hot, noise;
    unsigned late;    /* maximum number of faults in progress at the same time */
    uint32_t again;   /* number of consecutive references to each page */
    uint32_t touches; /* maximum number of touches per hit */
};

static uint32_t next_page(const struct evict_shape *s, uint32_t step) {
    if (s->hot && below(4) == 0)
        return below(s->hot);
    uint64_t at = (uint64_t)(step / s->again) * s->stride;
    uint32_t page = (uint32_t)((at + at / s->pages) % s->pages);
    return (page + below(s->window)) % s->pages;
}

static void run(const struct config *cfg, const struct evict_shape *s, uint32_t frames) {
    bench_open(&b, "hpe", cfg, s->pages, frames, NULL, 0);
    naive_init(&naive, cfg, &b.pages);
    queued = 0;
    for (uint32_t step = 0; step < STEPS; step++) {
        refer(next_page(s, step), s->late, s->touches);
        if (s->noise && below(s->noise) == 0)
            disturb(s->pages);
    }
    while (queued)
        serve();
    check_counts();
    bench_close(&b);
}

static struct hpe_naive seen; /* sums of the counts over all runs */

static void add_seen(void) {
    seen.regular += naive.regular;
    seen.irregular1 += naive.irregular1;
    seen.irregular2 += naive.irregular2;
    seen.switches += naive.switches;
    seen.jumps += naive.jumps;
    seen.wrongs += naive.wrongs;
    seen.divided += naive.divided;
    seen.searches += naive.searches;
}

static void random_run(void) {
    struct config c;
    config_default(&c);
    c.hpe_set_pages = 2 << below(5);
    c.hpe_interval = below(3) ? c.hpe_set_pages << below(3) : 1 + below(80);
    c.hpe_strategy = below(4) ? HPE_ADAPTIVE : 1 + below(2);
    uint32_t pages = 64 + below(NAIVE_SETS * (uint32_t)c.hpe_set_pages - 64);
    struct evict_shape s = {.pages = pages < PAGES ? pages : PAGES, .late = below(QUEUE)};
    s.stride = below(3) ? 1 : 1 + below(40);
    s.window = below(2) ? 1 + below(3) : 1 + below(s.pages / 2);
    s.hot = below(3) ? 0 : 1 + below(s.pages / 3);
    s.again = below(3) ? 1 : 2 + below(3);
    s.touches = below(2) ? 3 : 40;
    s.noise = below(2) ? 0 : 2 + below(60);
    if (below(3) == 0) { /* a regular application, which uses all pages equally often */
        s = (struct evict_shape){.pages = s.pages, .stride = 1, .window = 1, .touches = 1};
        s.again = 1 + below(4);
    }
    run(&c, &s, s.pages / 4 + below(s.pages / 2));
    add_seen();
}

static void both_choose_the_same(void **state) {
    for (uint32_t i = 0; i < 150; i++) {
        seed = i;
        random_run();
    }
    assert_true(seen.regular >= 10 && seen.irregular1 >= 10 && seen.irregular2 >= 10);
    assert_true(seen.switches >= 40 && seen.jumps >= 10);
    assert_true(seen.wrongs >= 1000 && seen.divided >= 100 && seen.searches >= 1000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_choose_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
