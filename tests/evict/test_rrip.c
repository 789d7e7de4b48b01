// SPDX-License-Identifier: Apache-2.0
/* RRIP-FP with a delay, beside a model of it that looks at every page. */
#include "tests/evict/bench.h"

#include "lib/random.h"
#include "evict/evict.h"

#define MOST 64

/* ---- the naive model ---- */

struct naive_page {
    bool here;
    unsigned prediction;
    uint64_t arrival, faults;
    uint32_t place;
};

struct naive {
    const struct bench *b;
    struct naive_page page[MOST];
    bool used[MOST];      /* places */
    uint64_t freed[MOST]; /* when, by place; 0: it was never used */
    uint64_t faults, arrivals, departures;
};

static unsigned inserted(const struct config *cfg) {
    return cfg->rrip_insert == RRIP_DISTANT ? 3 : 2;
}

/* The place that was left first; else one that was never used. */
static uint32_t naive_place(const struct naive *m) {
    uint32_t best = MOST;
    for (uint32_t i = 0; i < MOST; i++)
        if (!m->used[i] && m->freed[i] && (best == MOST || m->freed[i] < m->freed[best]))
            best = i;
    for (uint32_t i = 0; best == MOST; i++)
        if (!m->used[i])
            best = i;
    return best;
}

static void naive_come(struct naive *m, uint32_t page) {
    uint32_t place = naive_place(m);
    m->used[place] = true;
    m->page[page] =
        (struct naive_page){true, inserted(&m->b->cfg), m->arrivals++, m->faults, place};
}

static void naive_gone(struct naive *m, uint32_t page) {
    m->page[page].here = false;
    m->used[m->page[page].place] = false;
    m->freed[m->page[page].place] = ++m->departures;
}

static bool may_leave(const struct naive *m, uint32_t page) {
    return m->page[page].here && !m->b->pages.page[page].waiters;
}

static bool has_passed(const struct naive *m, uint32_t page) {
    return m->faults - m->page[page].faults >= (uint64_t)m->b->cfg.rrip_delay;
}

/* Of those that may leave: the first to come of all, or if `distant` the lowest place of those that
 * are distant and have passed the delay. */
static uint32_t naive_best(const struct naive *m, bool distant) {
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

static uint32_t naive_choose(struct naive *m) {
    uint32_t page = naive_best(m, false);
    if (page == PAGE_NONE || !has_passed(m, page))
        return page;
    while ((page = naive_best(m, true)) == PAGE_NONE)
        for (uint32_t i = 0; i < MOST; i++)
            m->page[i].prediction += m->page[i].here && m->page[i].prediction < 3;
    return page;
}

static void naive_touch(struct naive *m, uint32_t page, uint32_t times) {
    if (!m->page[page].here)
        return;
    unsigned *prediction = &m->page[page].prediction;
    *prediction = *prediction > times ? *prediction - times : 0;
}

/* ---- both ---- */

/* Both choose; what they chose leaves. False: no page may. */
static bool evict_both(struct bench *b, struct naive *m) {
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

static void fault_both(struct bench *b, struct naive *m, uint32_t page) {
    m->faults++;
    b->evictor->fault(b->policy, page);
}

static void bring_both(struct bench *b, struct naive *m, uint32_t page, bool demanded) {
    while (!b->pages.free)
        if (!evict_both(b, m))
            return;
    bench_bring(b, page, demanded);
    naive_come(m, page);
}

static void step(struct bench *b, struct naive *m, uint64_t *dice, uint32_t pages) {
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
        evict_both(b, m); /* frames become free in advance */
}

static void it_is_the_naive_model(void **state) {
    (void)state;
    static struct bench b;
    uint64_t dice = 11;
    for (unsigned k = 0; k < 300; k++) {
        uint32_t pages = 2 + random_below(&dice, MOST - 1), frames = 1 + random_below(&dice, pages);
        struct naive m = {.b = &b};
        struct config cfg;
        config_default(&cfg);
        cfg.rrip_insert = random_below(&dice, 2);
        cfg.rrip_delay = random_below(&dice, 2) * random_below(&dice, 40);
        bench_open(&b, "rrip", &cfg, pages, frames, NULL, 0);
        for (unsigned i = 0; i < 600; i++)
            step(&b, &m, &dice, pages);
        bench_close(&b);
    }
}

/* ---- by hand ---- */

static void open_rrip(struct bench *b, int64_t insert, int64_t delay, uint32_t frames) {
    struct config cfg;
    config_default(&cfg);
    cfg.rrip_insert = insert;
    cfg.rrip_delay = delay;
    bench_open(b, "rrip", &cfg, MOST, frames, NULL, 0);
}

static void expect_victim(struct bench *b, uint32_t page, uint32_t victim) {
    assert_true(bench_ref(b, page));
    assert_int_equal(b->victim[0], victim);
}

/* Predictions 1, 2, 0 and 2 after these uses: aged by one, 1 and 3 are distant. */
static void what_is_used_more_stays_longer(void **state) {
    (void)state;
    static struct bench b;
    open_rrip(&b, RRIP_LONG, 0, 4);
    for (uint32_t page = 0; page < 4; page++)
        bench_ref(&b, page);
    bench_ref(&b, 0);
    bench_ref(&b, 2);
    bench_ref(&b, 2);
    expect_victim(&b, 4, 1);
    expect_victim(&b, 5, 3);
    bench_ref(&b, 4);        /* 0: 2, 2: 1, 4: 1, 5: 2; 0 is in a lower place than 5 */
    expect_victim(&b, 6, 0); /* then 2: 2, 4: 2, 5: 3 */
    expect_victim(&b, 7, 5);
    bench_close(&b);
}

static void a_distant_page_is_the_next_to_leave(void **state) {
    (void)state;
    static struct bench b;
    open_rrip(&b, RRIP_DISTANT, 0, 4);
    for (uint32_t page = 0; page < 4; page++)
        bench_ref(&b, page);
    expect_victim(&b, 4, 0);
    expect_victim(&b, 5, 4); /* it has the place of 0 */
    bench_ref(&b, 5);
    expect_victim(&b, 6, 1);
    bench_close(&b);
}

static void the_delay_protects(void **state) {
    (void)state;
    static struct bench b;
    open_rrip(&b, RRIP_DISTANT, 3, 4);
    for (uint32_t page = 0; page < 4; page++)
        bench_ref(&b, page);
    expect_victim(&b, 4, 0);
    expect_victim(&b, 5, 1); /* 4 came with the fault before this one */
    expect_victim(&b, 6, 2);
    expect_victim(&b, 7, 4); /* three faults ago, in the lowest place */
    bench_close(&b);
    open_rrip(&b, RRIP_DISTANT, 100, 4);
    for (uint32_t page = 0; page < 12; page++)
        bench_ref(&b, page);
    assert_int_equal(b.victim[0], 7); /* none has passed it: the one that came first */
    bench_close(&b);
}

/* ---- thrashing ---- */

/* Passes over all pages in order. Of a page more than fits LRU keeps none; RRIP with the values for
 * such kernels has all faults in as many places as the delay has faults, and keeps the rest. */
static void it_keeps_what_lru_does_not(void **state) {
    (void)state;
    enum { PAGES = 1000, FRAMES = 750, PASSES = 5, DELAY = 128 };
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
    cfg.rrip_delay = DELAY;
    uint32_t faults = bench_run("rrip", &cfg, PAGES, FRAMES, refs, PAGES * PASSES).faults;
    print_message("%u faults\n", (unsigned)faults);
    assert_int_equal(faults, PAGES + (PASSES - 1) * (PAGES - FRAMES + DELAY));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_the_naive_model),
        cmocka_unit_test(what_is_used_more_stays_longer),
        cmocka_unit_test(a_distant_page_is_the_next_to_leave),
        cmocka_unit_test(the_delay_protects),
        cmocka_unit_test(it_keeps_what_lru_does_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
