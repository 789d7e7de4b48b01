// SPDX-License-Identifier: Apache-2.0
/* Tests RRIP-FP with a delay against a reference model that searches all pages. */
#include "tests/evict/bench.h"

#include "lib/random.h"
#include "evict/evict.h"

#define MOST 64
/* Number of faults during which a distant page is not evicted (Yu et al., section V.B). */
#define DELAY 128

/* ---- reference model ---- */

struct naive_page {
    bool here;
    unsigned prediction;
    uint64_t arrival, faults;
    uint32_t place;
};

struct rrip_naive {
    const struct evict_bench *b;
    struct naive_page page[MOST];
    bool used[MOST];      /* true if the slot is in use */
    uint64_t freed[MOST]; /* time when the slot was freed; 0 if it was never used */
    uint64_t faults, arrivals, departures;
};

static unsigned inserted(const struct config *cfg) {
    return cfg->rrip_insert == RRIP_DISTANT ? 3 : 2;
}

/* Returns the slot that was freed first, or if there is none, one that was never used. */
static uint32_t naive_place(const struct rrip_naive *m) {
    uint32_t best = MOST;
    for (uint32_t i = 0; i < MOST; i++)
        if (!m->used[i] && m->freed[i] && (best == MOST || m->freed[i] < m->freed[best]))
            best = i;
    for (uint32_t i = 0; best == MOST; i++)
        if (!m->used[i])
            best = i;
    return best;
}

static void naive_come(struct rrip_naive *m, uint32_t page) {
    uint32_t place = naive_place(m);
    m->used[place] = true;
    m->page[page] =
        (struct naive_page){true, inserted(&m->b->cfg), m->arrivals++, m->faults, place};
}

static void naive_gone(struct rrip_naive *m, uint32_t page) {
    m->page[page].here = false;
    m->used[m->page[page].place] = false;
    m->freed[m->page[page].place] = ++m->departures;
}

static bool may_leave(const struct rrip_naive *m, uint32_t page) {
    return m->page[page].here && !m->b->pages.page[page].waiters;
}

static bool has_passed(const struct rrip_naive *m, uint32_t page) {
    return m->faults - m->page[page].faults >= (m->b->cfg.rrip_insert == RRIP_DISTANT ? DELAY : 0);
}

/* Returns the page that arrived first or, if `distant`, the page in the lowest slot among distant
 * pages whose delay has ended. Ignores pages that may not be evicted. */
static uint32_t naive_best(const struct rrip_naive *m, bool distant) {
    uint32_t best = PAGE_NONE;
    for (uint32_t i = 0; i < MOST; i++) {
        const struct naive_page *p = &m->page[i];
        if (!may_leave(m, i) || (distant && (p->prediction < 3 || !has_passed(m, i))))
            continue;
        if (best == PAGE_NONE ||
            (distant ? p->place < m->page[best].place : p->arrival < m->page[best].arrival))
            best = i;
    }
    return best;
}

static uint32_t naive_choose(struct rrip_naive *m) {
    uint32_t page = naive_best(m, false);
    if (page == PAGE_NONE || !has_passed(m, page))
        return page;
    while ((page = naive_best(m, true)) == PAGE_NONE)
        for (uint32_t i = 0; i < MOST; i++)
            m->page[i].prediction += m->page[i].here && m->page[i].prediction < 3;
    return page;
}

static void naive_touch(struct rrip_naive *m, uint32_t page, uint32_t times) {
    if (!m->page[page].here)
        return;
    unsigned *prediction = &m->page[page].prediction;
    *prediction = *prediction > times ? *prediction - times : 0;
}

/* ---- both ---- */

/* Lets both models choose a page and evicts it. Returns false if no page may be evicted. */
static bool evict_both(struct evict_bench *b, struct rrip_naive *m) {
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

static void fault_both(struct evict_bench *b, struct rrip_naive *m, uint32_t page) {
    m->faults++;
    b->evictor->fault(b->policy, page);
}

static void bring_both(struct evict_bench *b, struct rrip_naive *m, uint32_t page, bool demanded) {
    while (!b->pages.free)
        if (!evict_both(b, m))
            return;
    bench_bring(b, page, demanded);
    naive_come(m, page);
}

static void step(struct evict_bench *b, struct rrip_naive *m, uint64_t *dice, uint32_t pages) {
    uint32_t page = random_below(dice, random_below(dice, 2) ? pages : pages / 2 + 1);
    uint32_t times = 1 + random_below(dice, 2) * random_below(dice, 4);
    if (b->pages.page[page].state == PAGE_RESIDENT) {
        b->evictor->touch(b->policy, page, times);
        naive_touch(m, page, times);
    } else {
        bool demanded = random_below(dice, 4) != 0;
        if (demanded)
            fault_both(b, m, page);
        bring_both(b, m, page, demanded);
    }
    uint32_t other = random_below(dice, pages);
    b->pages.page[other].waiters = random_below(dice, 8) == 0;
    if (random_below(dice, 32) == 0)
        evict_both(b, m); /* frees a frame in advance */
}

static void it_is_the_naive_model(void **state) {
    static struct evict_bench b;
    uint64_t dice = 11;
    for (unsigned k = 0; k < 300; k++) {
        uint32_t pages = 2 + random_below(&dice, MOST - 1), frames = 1 + random_below(&dice, pages);
        struct rrip_naive m = {.b = &b};
        struct config cfg;
        config_default(&cfg);
        cfg.rrip_insert = random_below(&dice, 2);
        bench_open(&b, "rrip", &cfg, pages, frames, NULL, 0);
        for (unsigned i = 0; i < 600; i++)
            step(&b, &m, &dice, pages);
        bench_close(&b);
    }
}

/* ---- by hand ---- */

static void open_rrip(struct evict_bench *b, int64_t insert, uint32_t frames) {
    struct config cfg;
    config_default(&cfg);
    cfg.rrip_insert = insert;
    bench_open(b, "rrip", &cfg, MOST, frames, NULL, 0);
}

static void expect_victim(struct evict_bench *b, uint32_t page, uint32_t victim) {
    assert_true(bench_ref(b, page));
    assert_int_equal(b->victim[0], victim);
}

/* Pages that are used more stay longer. The uses give pages 0 to 3 the predictions 1, 2, 0 and 2.
 * After all predictions have aged by one, pages 1 and 3 are distant. */
static void what_is_used_more_stays_longer(void **state) {
    static struct evict_bench b;
    open_rrip(&b, RRIP_LONG, 4);
    for (uint32_t page = 0; page < 4; page++)
        bench_ref(&b, page);
    bench_ref(&b, 0);
    bench_ref(&b, 2);
    bench_ref(&b, 2);
    expect_victim(&b, 4, 1);
    expect_victim(&b, 5, 3);
    bench_ref(&b, 4);        /* predictions: page 0: 2, page 2: 1, page 4: 1, page 5: 2 */
    expect_victim(&b, 6, 0); /* page 0 is in a lower slot than page 5; predictions afterwards:
                                page 2: 2, page 4: 2, page 5: 3 */
    expect_victim(&b, 7, 5);
    bench_close(&b);
}

static void the_delay_protects(void **state) {
    static struct evict_bench b;
    open_rrip(&b, RRIP_DISTANT, 4);
    for (uint32_t page = 0; page < 12; page++)
        bench_ref(&b, page);
    /* no page's delay has ended, so the first to arrive is chosen */
    assert_int_equal(b.victim[0], 7);
    bench_close(&b);
}

/* ---- thrashing ---- */

/* Makes several passes over all pages in order. If the pages do not fit, LRU never hits. RRIP
 * with the settings for such kernels replaces pages only in as many slots as the delay has faults,
 * and keeps the pages in the other slots. */
static void it_keeps_what_lru_does_not(void **state) {
    enum { PAGES = 1000, FRAMES = 750, PASSES = 5 };
    static uint32_t refs[PAGES * PASSES];
    for (uint32_t i = 0; i < PAGES * PASSES; i++)
        refs[i] = i % PAGES;
    struct config cfg;
    config_default(&cfg);
    assert_int_equal(bench_run("lru", NULL, PAGES, FRAMES, refs, PAGES * PASSES).faults,
                     PAGES * PASSES);
    assert_int_equal(bench_run("rrip", &cfg, PAGES, FRAMES, refs, PAGES * PASSES).faults,
                     PAGES * PASSES);
    cfg.rrip_insert = RRIP_DISTANT;
    uint32_t faults = bench_run("rrip", &cfg, PAGES, FRAMES, refs, PAGES * PASSES).faults;
    print_message("%u faults\n", (unsigned)faults);
    assert_int_equal(faults, PAGES + (PASSES - 1) * (PAGES - FRAMES + DELAY));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_the_naive_model),
        cmocka_unit_test(what_is_used_more_stays_longer),
        cmocka_unit_test(the_delay_protects),
        cmocka_unit_test(it_keeps_what_lru_does_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
