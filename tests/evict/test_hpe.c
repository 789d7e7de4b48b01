// SPDX-License-Identifier: Apache-2.0
/* Tests HPE rule by rule, first the page-set chain alone and then the policy. The rules are in
 * docs/understand/hpe.md. */
#include "tests/evict/bench.h"

#include <stdio.h>

#include "evict/hpe.h"
#include "evict/hpe_chain.h"

#define SET 16 /* number of pages in a page set */

/* ---- the chain ---- */

static struct hpe_chain chain;
static struct stats chain_stats;

static void make_chain(uint32_t set_pages) {
    hpe_chain_free(&chain);
    memset(&chain_stats, 0, sizeof chain_stats);
    hpe_chain_init(&chain, set_pages, &chain_stats);
}

static int free_chain(void **state) {
    hpe_chain_free(&chain);
    return 0;
}

static void fault_pages(uint32_t first, uint32_t step, uint32_t n) {
    for (uint32_t i = 0; i < n; i++) {
        hpe_chain_fault(&chain, first + i * step);
        hpe_chain_come(&chain, first + i * step);
    }
}

static void gone_pages(uint32_t first, uint32_t step, uint32_t n) {
    for (uint32_t i = 0; i < n; i++)
        hpe_chain_gone(&chain, first + i * step);
}

/* Compares the partitions, which are separated by `|`, with `text`, oldest set first. A page set is
 * written as its number, with an s if it is a secondary. */
static void expect_chain(const char *text) {
    char got[256] = "";
    size_t n = 0;
    bool p1_passed = chain.p1 == HPE_END, p2_passed = chain.p2 == HPE_END;
    n += (size_t)sprintf(got, "%s%s", p1_passed ? "|" : "", p2_passed ? "|" : "");
    for (uint32_t i = chain.entry[HPE_END].next; i != HPE_END; i = chain.entry[i].next) {
        assert_true(n < sizeof got - 20);
        n += (size_t)sprintf(got + n, "%u%s", (unsigned)((i - 1) / 2), i % 2 ? "" : "s");
        n += (size_t)sprintf(got + n, "%s%s", i == chain.p1 ? "|" : "", i == chain.p2 ? "|" : "");
        if (i != chain.p1 && i != chain.p2)
            n += (size_t)sprintf(got + n, " ");
    }
    while (n && got[n - 1] == ' ')
        got[--n] = 0;
    assert_string_equal(got, text);
}

static uint32_t counter_of(uint32_t page) {
    return chain.entry[hpe_chain_entry(&chain, page)].counter;
}

static void sets_grow_old_in_two_intervals(void **state) {
    make_chain(SET);
    expect_chain("||");
    hpe_chain_fault(&chain, 3 * SET);
    hpe_chain_fault(&chain, 5 * SET + 15);
    expect_chain("||3 5");
    hpe_chain_end_interval(&chain);
    expect_chain("|3 5|");
    hpe_chain_fault(&chain, 2 * SET);
    expect_chain("|3 5|2");
    hpe_chain_end_interval(&chain);
    expect_chain("3 5|2|");
    hpe_chain_end_interval(&chain);
    expect_chain("3 5 2||");
    assert_int_equal(hpe_chain_old(&chain), 3);
}

static void a_reference_moves_a_set_once_an_interval(void **state) {
    make_chain(SET);
    for (uint32_t set = 1; set <= 4; set++)
        fault_pages(set * SET, 1, 1);
    expect_chain("||1 2 3 4");
    hpe_chain_touch(&chain, 1 * SET, 1);
    fault_pages(2 * SET + 1, 1, 1);
    expect_chain("||1 2 3 4");
    hpe_chain_end_interval(&chain);
    fault_pages(2 * SET + 2, 1, 1); /* a fault moves a set from the middle partition */
    expect_chain("|1 3 4|2");
    /* walks also move a set, here the newest one in the middle */
    hpe_chain_touch(&chain, 4 * SET, 2);
    expect_chain("|1 3|2 4");
    hpe_chain_touch(&chain, 2 * SET, 2);
    expect_chain("|1 3|2 4");
    hpe_chain_end_interval(&chain);
    hpe_chain_touch(&chain, 3 * SET, 1); /* moves the newest set in the old partition */
    expect_chain("1|2 4|3");
    hpe_chain_touch(&chain, 1 * SET, 1); /* moves the last set in the old partition */
    expect_chain("|2 4|3 1");
}

static void walks_of_pages_in_no_entry_are_ignored(void **state) {
    make_chain(SET);
    hpe_chain_touch(&chain, 1000 * SET, 3);
    fault_pages(SET, 1, 1);
    hpe_chain_end_interval(&chain);
    hpe_chain_touch(&chain, 2 * SET, 3);
    hpe_chain_touch(&chain, SET, 0);
    expect_chain("|1|");
    hpe_chain_touch(&chain, SET + 1, 3); /* a walk of an absent page in a present set */
    assert_int_equal(counter_of(SET), 4);
}

static void counters_count_faults_and_walks_up_to_their_most(void **state) {
    for (uint32_t set_pages = 2; set_pages <= 32; set_pages *= 2) {
        make_chain(set_pages);
        uint32_t most = 4 * set_pages;
        fault_pages(0, 1, set_pages);
        assert_int_equal(counter_of(0), set_pages);
        hpe_chain_touch(&chain, 0, 2);
        hpe_chain_touch(&chain, 1, 2 * set_pages - 3);
        assert_int_equal(counter_of(0), 3 * set_pages - 1);
        hpe_chain_touch(&chain, 1, 3 * set_pages);
        assert_int_equal(counter_of(0), most);
        hpe_chain_touch(&chain, 1, 1);
        gone_pages(0, 1, 1);
        fault_pages(0, 1, 1);
        assert_int_equal(counter_of(0), most);
        assert_int_equal(chain_stats.v[STAT_hpe_divisions], 0);
    }
}

static void prefetched_pages_are_no_touch(void **state) {
    make_chain(SET);
    hpe_chain_come(&chain, 1 * SET);
    fault_pages(2 * SET, 1, 1);
    expect_chain("||1 2");
    assert_int_equal(counter_of(1 * SET), 0);
    hpe_chain_end_interval(&chain);
    /* a page of an existing entry arrives, but the set does not move */
    hpe_chain_come(&chain, 1 * SET + 1);
    expect_chain("|1 2|");
    assert_int_equal(chain.entry[hpe_chain_entry(&chain, SET)].bits, 0);
    assert_int_equal(chain.entry[hpe_chain_entry(&chain, SET)].here, 3);
}

static void a_set_leaves_with_its_last_page(void **state) {
    make_chain(SET);
    for (uint32_t set = 1; set <= 5; set++) {
        fault_pages(set * SET, 1, 2);
        if (set == 2 || set == 4)
            hpe_chain_end_interval(&chain);
    }
    expect_chain("1 2|3 4|5");
    gone_pages(4 * SET, 1, 1);
    expect_chain("1 2|3 4|5");
    gone_pages(4 * SET + 1, 1, 1);
    expect_chain("1 2|3|5");
    gone_pages(3 * SET, 1, 2);
    expect_chain("1 2||5");
    gone_pages(2 * SET, 1, 2);
    expect_chain("1||5");
    gone_pages(1 * SET, 1, 2);
    expect_chain("||5");
    /* page 2 is in transfer, so the set stays until it arrives */
    hpe_chain_fault(&chain, 5 * SET + 2);
    gone_pages(5 * SET, 1, 2);
    expect_chain("||5");
    hpe_chain_come(&chain, 5 * SET + 2);
    gone_pages(5 * SET + 2, 1, 1);
    expect_chain("||");
    fault_pages(5 * SET, 1, 1); /* a new entry keeps nothing of the previous one */
    assert_int_equal(counter_of(5 * SET), 1);
    assert_int_equal(chain.entry[hpe_chain_entry(&chain, 5 * SET)].bits, 1);
    assert_int_equal(chain.length, 1);
}

/* ---- division ---- */

static void touch_until_full(uint32_t page) {
    hpe_chain_touch(&chain, page, HPE_COUNTER_MOST * chain.set_pages);
}

static void a_half_touched_set_is_divided_when_its_counter_is_full(void **state) {
    make_chain(SET);
    fault_pages(SET, 2, 8); /* faults on the even pages */
    hpe_chain_touch(&chain, SET, 4 * SET - 8 - 1);
    assert_int_equal(counter_of(SET), 4 * SET - 1);
    assert_int_equal(hpe_chain_entry(&chain, SET), hpe_chain_entry(&chain, SET + 1));
    hpe_chain_touch(&chain, SET, 1);
    assert_int_equal(chain_stats.v[STAT_hpe_divisions], 1);
    expect_chain("||1"); /* the secondary appears with its first touch */
    fault_pages(SET + 1, 2, 8);
    expect_chain("||1 1s");
    assert_int_equal(counter_of(SET), 4 * SET);
    assert_int_equal(counter_of(SET + 1), 8);
    assert_int_equal(chain.entry[hpe_chain_entry(&chain, SET)].here, 0x5555);
    assert_int_equal(chain.entry[hpe_chain_entry(&chain, SET + 1)].here, 0xaaaa);
    touch_until_full(SET + 1); /* neither half is divided again */
    touch_until_full(SET);
    assert_int_equal(chain_stats.v[STAT_hpe_divisions], 1);
}

/* The last touch may be a fault, whose page belongs to the primary. */
static void a_fault_can_fill_the_counter(void **state) {
    make_chain(SET);
    fault_pages(SET, 1, 7);
    hpe_chain_touch(&chain, SET, 4 * SET - 7 - 1);
    fault_pages(SET + 9, 1, 1);
    assert_int_equal(chain_stats.v[STAT_hpe_divisions], 1);
    assert_int_equal(chain.entry[hpe_chain_entry(&chain, SET)].primary, 0x27f);
    make_chain(SET);
    fault_pages(SET, 1, 15);
    hpe_chain_touch(&chain, SET, 4 * SET - 15 - 1);
    fault_pages(SET + 15, 1, 1); /* all pages are touched, so the set is not divided */
    assert_int_equal(chain_stats.v[STAT_hpe_divisions], 0);
}

static void prefetched_pages_belong_to_the_primary(void **state) {
    make_chain(SET);
    fault_pages(SET, 1, 1);
    for (uint32_t i = 1; i < 4; i++)
        hpe_chain_come(&chain, SET + i);
    touch_until_full(SET);
    assert_int_equal(chain.entry[hpe_chain_entry(&chain, SET)].primary, 0xf);
    make_chain(SET);
    fault_pages(SET, 1, 1);
    for (uint32_t i = 1; i < SET; i++)
        hpe_chain_come(&chain, SET + i);
    touch_until_full(SET);
    assert_int_equal(chain_stats.v[STAT_hpe_divisions], 0);
}

static void the_first_division_is_remembered(void **state) {
    make_chain(SET);
    fault_pages(SET, 2, 8);
    touch_until_full(SET);
    fault_pages(SET + 1, 2, 2);
    gone_pages(SET, 2, 8);
    expect_chain("||1s");
    gone_pages(SET + 1, 2, 2);
    expect_chain("||");
    fault_pages(SET + 3, 1, 1); /* this page of the secondary was evicted earlier */
    expect_chain("||1s");
    fault_pages(SET + 4, 1, 1); /* this page belongs to the primary */
    expect_chain("||1s 1");
    assert_int_equal(counter_of(SET + 4), 1);
    touch_until_full(SET + 4); /* only page 4 is touched, but the first division still applies */
    fault_pages(SET + 2, 1, 1);
    expect_chain("||1s 1");
    assert_int_equal(chain_stats.v[STAT_hpe_divisions], 1);
    assert_int_equal(chain.entry[hpe_chain_entry(&chain, SET)].primary, 0x5555);
}

/* ---- the policy ---- */

static struct evict_bench b;

/* The number of faults in an interval equals the number of pages in a page set, so each complete
 * set ends an interval. */
static struct config small_intervals(void) {
    struct config c;
    config_default(&c);
    c.hpe_interval = SET;
    return c;
}

static void open_policy(const struct config *cfg, uint32_t sets) {
    bench_open(&b, "hpe", cfg, sets * SET, sets * SET, NULL, 0);
}

/* Brings in all pages of a page set, and touches the first so that the set's counter ends at
 * `counter`. */
static void fill(uint32_t set, uint32_t counter) {
    bench_ref(&b, set * SET);
    if (counter > SET)
        b.evictor->touch(b.policy, set * SET, counter - SET);
    for (uint32_t i = 1; i < SET; i++)
        bench_ref(&b, set * SET + i);
}

static void fill_sets(uint32_t first, uint32_t n, uint32_t counter) {
    for (uint32_t i = 0; i < n; i++)
        fill(first + i, counter);
}

static uint32_t stat(enum stat_id id) {
    return (uint32_t)b.stats.v[id];
}

static void expect_victim(uint32_t page) {
    assert_int_equal(bench_evict(&b), 1);
    assert_int_equal(b.victim[0], page);
}

/* Expects all pages of the set to be evicted, in address order. */
static void expect_set(uint32_t set) {
    for (uint32_t i = 0; i < SET; i++)
        expect_victim(set * SET + i);
}

/* ---- classification ---- */

static void expect_class(uint32_t irregular, uint32_t small, uint32_t large, enum stat_id kind,
                         uint32_t ratio1, uint32_t ratio2) {
    struct config c = small_intervals();
    open_policy(&c, 64);
    fill_sets(0, irregular, SET + 1);
    for (uint32_t i = 0; i < small; i++)
        fill(irregular + i, SET * (1 + i % 2));
    for (uint32_t i = 0; i < large; i++)
        fill(irregular + small + i, SET * (3 + i % 2));
    bench_bring(&b, 63 * SET, false); /* an entry without a touch is not counted */
    assert_int_equal(stat(STAT_hpe_regular) + stat(STAT_hpe_irregular1) + stat(STAT_hpe_irregular2),
                     0);
    bench_evict(&b);
    bench_evict(&b);
    assert_int_equal(b.stats.v[kind], 1);
    assert_int_equal(stat(STAT_hpe_regular) + stat(STAT_hpe_irregular1) + stat(STAT_hpe_irregular2),
                     1);
    assert_int_equal(stat(STAT_hpe_ratio1_permille), ratio1);
    assert_int_equal(stat(STAT_hpe_ratio2_permille), ratio2);
    bench_close(&b);
}

static void applications_are_classified_when_memory_is_full(void **state) {
    const uint32_t infinite = 1000000;
    expect_class(3, 10, 0, STAT_hpe_regular, 300, 0);
    expect_class(4, 10, 0, STAT_hpe_irregular2, 400, 0);
    expect_class(3, 5, 5, STAT_hpe_regular, 300, 1000);
    expect_class(0, 4, 7, STAT_hpe_regular, 0, 1750);
    expect_class(0, 4, 8, STAT_hpe_irregular1, 0, 2000);
    expect_class(3, 1, 9, STAT_hpe_irregular1, 300, 9000);
    expect_class(4, 1, 9, STAT_hpe_irregular2, 400, 9000);
    expect_class(0, 0, 3, STAT_hpe_irregular1, 0, infinite); /* no counter is small */
    expect_class(1, 0, 0, STAT_hpe_irregular2, infinite, 0); /* no counter is regular */
    expect_class(0, 0, 0, STAT_hpe_regular, 0, 0);           /* there are only prefetched pages */
}

static void saturated_counters_are_large(void **state) {
    const struct config c = small_intervals();
    open_policy(&c, 8);
    for (uint32_t set = 0; set < 3; set++) {
        fill(set, SET);
        b.evictor->touch(b.policy, set * SET, 9 * SET + 3);
    }
    bench_evict(&b);
    assert_int_equal(stat(STAT_hpe_irregular1), 1);
    bench_close(&b);
}

/* ---- choice ---- */

static void lru_takes_the_oldest_and_its_pages_by_address(void **state) {
    struct config c = small_intervals();
    c.hpe_strategy = HPE_LRU;
    open_policy(&c, 8);
    const uint32_t order[] = {5, 2, 7, 1, 3};
    for (unsigned i = 0; i < 5; i++)
        fill(order[i], SET);
    for (unsigned i = 0; i < 5; i++) /* old sets, then middle ones; the new partition is empty */
        expect_set(order[i]);
    bench_close(&b);
}

static void pages_that_may_not_leave_are_passed_over(void **state) {
    struct config c = small_intervals();
    for (int64_t strategy = HPE_LRU; strategy <= HPE_MRU_C; strategy++) {
        c.hpe_strategy = strategy;
        open_policy(&c, 8);
        fill_sets(0, 3, SET); /* 0 and 1 are old; 2 is in the middle */
        for (uint32_t page = 0; page < 2 * SET; page++)
            b.pages.page[page].waiters = 1;
        expect_victim(2 * SET);
        b.pages.page[2 * SET + 1].waiters = 1;
        expect_victim(2 * SET + 2);
        b.pages.page[2 * SET + 1].waiters = 0;
        /* this page is in an old set, but the eviction of another set has begun */
        b.pages.page[SET + 3].waiters = 0;
        expect_victim(2 * SET + 1);
        for (uint32_t i = 3; i < SET; i++)
            expect_victim(2 * SET + i);
        expect_victim(SET + 3);
        assert_int_equal(bench_evict(&b), 0);
        bench_close(&b);
    }
}

static void mru_c_takes_a_fully_populated_set_next_to_the_middle(void **state) {
    struct config c = small_intervals();
    c.hpe_strategy = HPE_MRU_C;
    open_policy(&c, 16);
    fill(0, SET);
    fill(1, SET);
    fill(2, SET + 1);
    fill(3, 3 * SET);
    fill(4, SET + 2);
    fill(5, SET); /* this set is in the middle */
    expect_set(1);
    assert_int_equal(stat(STAT_hpe_searches), 1);
    assert_int_equal(stat(STAT_hpe_comparisons), 4);
    expect_set(0);
    assert_int_equal(stat(STAT_hpe_comparisons), 4 + 4);
    /* no counter equals the set size, so the set with the lowest counter above it is chosen */
    expect_set(2);
    assert_int_equal(stat(STAT_hpe_comparisons), 8 + 3);
    expect_set(4);
    expect_set(3);
    assert_int_equal(stat(STAT_hpe_searches), 5);
    expect_set(5); /* the old partition is empty, so there is no search */
    assert_int_equal(stat(STAT_hpe_searches), 5);
    assert_int_equal(stat(STAT_hpe_comparisons), 11 + 2 + 1);
    bench_close(&b);
}

static void mru_c_takes_the_newest_of_equal_counters(void **state) {
    struct config c = small_intervals();
    c.hpe_strategy = HPE_MRU_C;
    open_policy(&c, 16);
    fill(0, 2 * SET);
    fill(1, SET + 3);
    fill(2, SET + 3);
    fill(3, 2 * SET);
    fill(4, SET);
    expect_set(2);
    expect_set(1);
    expect_set(3);
    bench_close(&b);
}

/* A set with a counter below the set size is chosen only by LRU, if no other set is left. */
static void mru_c_takes_a_partly_populated_set_last(void **state) {
    struct config c = small_intervals();
    c.hpe_strategy = HPE_MRU_C;
    c.hpe_interval = 8;
    open_policy(&c, 16);
    for (uint32_t i = 0; i < 8; i++)
        bench_ref(&b, i);
    fill(1, SET);
    fill(2, 2 * SET);
    fill(3, 2 * SET);
    expect_set(1);
    expect_set(2);
    for (uint32_t i = 0; i < 8; i++)
        expect_victim(i);
    expect_set(3);
    bench_close(&b);
}

static void with_nothing_old_the_oldest_of_the_rest_leaves(void **state) {
    struct config c = small_intervals();
    c.hpe_strategy = HPE_MRU_C;
    c.hpe_interval = 2 * SET;
    open_policy(&c, 16);
    fill_sets(0, 3, SET); /* 0 and 1 are in the middle; 2 is new */
    expect_set(0);
    expect_set(1);
    bench_ref(&b, 0);
    expect_set(2);
    expect_victim(0);
    assert_int_equal(stat(STAT_hpe_searches), 0);
    bench_close(&b);
}

static void a_set_that_is_referenced_again_is_left(void **state) {
    struct config c = small_intervals();
    c.hpe_strategy = HPE_LRU;
    open_policy(&c, 16);
    fill_sets(0, 5, SET);
    expect_victim(0);
    expect_victim(1);
    b.evictor->touch(b.policy, 7, 1);
    expect_victim(SET);
    bench_ref(&b, SET); /* a fault has the same effect as a touch */
    expect_victim(2 * SET);
    bench_ref(&b, 10 * SET); /* a fault in another set has no effect */
    b.evictor->touch(b.policy, 3 * SET, 1);
    expect_victim(2 * SET + 1);
    bench_close(&b);
}

/* The secondary of a divided set is evicted separately. */
static void primary_and_secondary_are_chosen_apart(void **state) {
    struct config c = small_intervals();
    c.hpe_strategy = HPE_LRU;
    open_policy(&c, 16);
    for (uint32_t i = 0; i < SET; i += 2)
        bench_ref(&b, i);
    b.evictor->touch(b.policy, 0, 4 * SET);
    fill(1, SET);
    for (uint32_t i = 1; i < SET; i += 2)
        bench_ref(&b, i);
    fill_sets(2, 2, SET);
    assert_int_equal(stat(STAT_hpe_divisions), 1);
    for (uint32_t i = 0; i < SET; i += 2)
        expect_victim(i);
    expect_set(1);
    for (uint32_t i = 1; i < SET; i += 2)
        expect_victim(i);
    bench_close(&b);
}

/* ---- wrong evictions and their effects ---- */

static void evict_pages(uint32_t n) {
    for (uint32_t i = 0; i < n; i++)
        assert_int_equal(bench_evict(&b), 1);
}

/* Evicts n pages, and then faults on each of them. */
static void fail_evictions(uint32_t n) {
    uint32_t page[64], before = stat(STAT_hpe_wrong_evictions);
    assert_true(n <= 64);
    for (uint32_t i = 0; i < n; i++) {
        assert_int_equal(bench_evict(&b), 1);
        page[i] = b.victim[0];
    }
    for (uint32_t i = 0; i < n; i++)
        assert_true(bench_ref(&b, page[i]));
    assert_int_equal(stat(STAT_hpe_wrong_evictions) - before, n);
}

static void an_eviction_is_wrong_while_two_intervals_have_not_evicted_more(void **state) {
    struct config c = small_intervals();
    c.hpe_strategy = HPE_LRU;
    open_policy(&c, 32);
    fill_sets(0, 10, SET);
    evict_pages(2 * SET + 1);
    bench_ref(&b, 0);
    assert_int_equal(stat(STAT_hpe_wrong_evictions), 0);
    bench_ref(&b, 1);
    assert_int_equal(stat(STAT_hpe_wrong_evictions), 1);
    bench_ref(&b, 20 * SET); /* this page was never resident */
    assert_int_equal(stat(STAT_hpe_wrong_evictions), 1);
    bench_ref(&b, 2 * SET);
    assert_int_equal(stat(STAT_hpe_wrong_evictions), 2);
    bench_close(&b);
}

/* Brings in `sets` sets, each of which ends an interval. With 65 sets, 64 are old. */
static void open_jumping(struct config *c, uint32_t sets) {
    *c = small_intervals();
    open_policy(c, 128);
    fill_sets(0, sets, SET);
}

static void large_regular_applications_jump(void **state) {
    struct config c;
    open_jumping(&c, 65);
    expect_victim(63 * SET);
    assert_int_equal(stat(STAT_hpe_old_sets), 64);
    evict_pages(SET - 1);
    for (uint32_t i = 0; i < SET; i++) {
        assert_int_equal(stat(STAT_hpe_jumps), 0);
        bench_ref(&b, 63 * SET + i);
    }
    assert_int_equal(stat(STAT_hpe_jumps), 1);
    /* old sets, newest first: 64, 62, 61 .. */
    expect_victim((63 - 16) * SET);
    evict_pages(SET - 1);
    for (uint32_t i = 0; i < SET; i++)
        bench_ref(&b, 47 * SET + i);
    assert_int_equal(stat(STAT_hpe_jumps), 2);
    /* from the 33rd old set on: 63, 64, 62 .. 48, 46 .. */
    expect_victim(31 * SET);
    evict_pages(SET - 1);
    for (uint32_t i = 0; i < SET; i++)
        bench_ref(&b, 31 * SET + i);
    fail_evictions(SET);
    assert_int_equal(stat(STAT_hpe_jumps), 4);
    expect_victim(0); /* the jump is longer than the number of old sets, so the oldest is chosen */
    assert_int_equal(stat(STAT_hpe_switches), 0);
    bench_close(&b);
}

static void a_jump_leaves_the_set_that_was_begun(void **state) {
    struct config c;
    open_jumping(&c, 65);
    evict_pages(SET + 4); /* evicts all pages of 63 and some of 62 */
    for (uint32_t i = 0; i < SET; i++)
        bench_ref(&b, 63 * SET + i);
    assert_int_equal(stat(STAT_hpe_jumps), 1);
    expect_victim(47 * SET); /* old sets, newest first: 64, 62, 61 .. */
    bench_close(&b);
}

/* If no page from the search point on may be evicted, pages before it are tried. */
static void what_a_jump_has_passed_is_not_lost(void **state) {
    struct config c;
    open_jumping(&c, 65);
    fail_evictions(SET);
    for (uint32_t page = 0; page < 60 * SET; page++)
        b.pages.page[page].waiters = 1;
    expect_victim(64 * SET);
    bench_close(&b);
}

static void small_regular_applications_do_not_jump(void **state) {
    struct config c;
    open_jumping(&c, 64);
    fail_evictions(SET);
    assert_int_equal(stat(STAT_hpe_old_sets), 63);
    assert_int_equal(stat(STAT_hpe_jumps), 0);
    expect_victim(63 * SET);
    bench_close(&b);
}

static void wrong_evictions_are_forgotten_at_an_intervals_end(void **state) {
    struct config c;
    config_default(&c);
    c.hpe_interval = 2 * SET;
    open_policy(&c, 256);
    fill_sets(0, 132, SET);
    fail_evictions(SET - 1);
    fill(200, SET);
    bench_ref(&b, 201 * SET); /* this is the 32nd fault in the interval */
    fail_evictions(SET - 1);
    assert_int_equal(stat(STAT_hpe_jumps), 0);
    fail_evictions(1); /* this is the 16th wrong eviction in this interval */
    assert_int_equal(stat(STAT_hpe_jumps), 1);
    fail_evictions(SET); /* no effect, as an interval has at most one adjustment */
    assert_int_equal(stat(STAT_hpe_jumps), 1);
    fail_evictions(SET);
    assert_int_equal(stat(STAT_hpe_jumps), 2);
    bench_close(&b);
}

static void irregular1_stays_with_lru(void **state) {
    const struct config c = small_intervals();
    open_policy(&c, 128);
    fill_sets(0, 70, 3 * SET);
    for (unsigned i = 0; i < 5; i++)
        fail_evictions(SET);
    assert_int_equal(stat(STAT_hpe_irregular1), 1);
    assert_int_equal(stat(STAT_hpe_switches) + stat(STAT_hpe_jumps), 0);
    assert_int_equal(stat(STAT_hpe_intervals_lru), 5);
    expect_set(5);
    bench_close(&b);
}

static void irregular2_takes_the_strategy_that_lasts_longer(void **state) {
    const struct config c = small_intervals();
    open_policy(&c, 128);
    fill_sets(0, 70, SET + 1);
    expect_victim(0);
    assert_int_equal(stat(STAT_hpe_irregular2), 1);
    fill_sets(80, 2, SET + 1);
    fail_evictions(SET); /* LRU lasted two intervals, and MRU-C is tried */
    assert_int_equal(stat(STAT_hpe_switches), 1);
    /* MRU-C is in use at the end of the last interval */
    assert_int_equal(stat(STAT_hpe_intervals_lru), 2);
    expect_victim(81 * SET);
    fill_sets(90, 5, SET + 1);
    fail_evictions(SET); /* MRU-C lasted longer than LRU and is kept */
    assert_int_equal(stat(STAT_hpe_switches), 1);
    fail_evictions(SET); /* MRU-C lasted only one interval, so LRU is used */
    assert_int_equal(stat(STAT_hpe_switches), 2);
    assert_int_equal(stat(STAT_hpe_intervals_mru_c), 1 + 5 + 1);
    expect_victim(2 * SET); /* pages of 0 and 1 were evicted and have returned */
    fail_evictions(SET);    /* LRU lasted as long as MRU-C, so the strategy changes */
    assert_int_equal(stat(STAT_hpe_switches), 3);
    assert_int_equal(stat(STAT_hpe_jumps), 0);
    bench_close(&b);
}

/* Wrong evictions by the previous strategy do not count against the current one. */
static void each_strategy_has_its_own_wrong_evictions(void **state) {
    const struct config c = small_intervals();
    open_policy(&c, 128);
    fill_sets(0, 70, SET + 1);
    evict_pages(2 * SET); /* LRU evicts sets 0 and 1 */
    fill_sets(80, 3, SET + 1);
    for (uint32_t i = 0; i < 2 * SET; i++) {
        assert_int_equal(stat(STAT_hpe_switches), i >= SET);
        bench_ref(&b, i);
    }
    assert_int_equal(stat(STAT_hpe_wrong_evictions), 2 * SET);
    assert_int_equal(stat(STAT_hpe_switches), 1);
    bench_close(&b);
}

static void a_switch_leaves_the_set_that_was_begun(void **state) {
    const struct config c = small_intervals();
    open_policy(&c, 128);
    fill_sets(0, 70, SET + 1);
    evict_pages(SET + 4); /* evicts all pages of 0 and some of 1 */
    for (uint32_t i = 0; i < SET; i++)
        bench_ref(&b, i);
    assert_int_equal(stat(STAT_hpe_switches), 1);
    expect_victim(69 * SET); /* 69 is the newest old set */
    bench_close(&b);
}

static void a_forced_strategy_is_not_adjusted(void **state) {
    for (int64_t strategy = HPE_LRU; strategy <= HPE_MRU_C; strategy++)
        for (uint32_t counter = SET; counter <= SET + 1; counter++) {
            struct config c = small_intervals();
            c.hpe_strategy = strategy;
            open_policy(&c, 128);
            fill_sets(0, 70, counter);
            for (unsigned i = 0; i < 4; i++)
                fail_evictions(SET);
            assert_int_equal(stat(STAT_hpe_switches) + stat(STAT_hpe_jumps), 0);
            /* the class is still counted */
            assert_int_equal(stat(STAT_hpe_regular), counter == SET);
            assert_int_equal(stat(STAT_hpe_irregular2), counter != SET);
            assert_int_equal(stat(STAT_hpe_intervals), 70 + 4);
            assert_int_equal(
                stat(strategy == HPE_LRU ? STAT_hpe_intervals_lru : STAT_hpe_intervals_mru_c), 4);
            bench_close(&b);
        }
}

static void the_length_of_the_chain_is_summed_over_evictions(void **state) {
    const struct config c = small_intervals();
    open_policy(&c, 16);
    fill_sets(0, 4, SET);
    evict_pages(SET + 1);
    assert_int_equal(stat(STAT_hpe_chain_sets), 4 * SET + 3);
    bench_close(&b);
}

/* ---- the HIR cache ---- */

static void the_hir_cache_sends_with_every_nth_fault(void **state) {
    struct config c = small_intervals();
    c.hpe_transfer = 3;
    open_policy(&c, 1);
    for (uint32_t i = 0; i < 9; i++) {
        bench_ref(&b, i);
        assert_int_equal(hpe_calls_hir(b.policy), i % 3 == 2);
        assert_false(hpe_calls_hir(b.policy));
    }
    bench_close(&b);
}

/* If each page of a set has one walk, the set's counter is regular. One more walk makes it
 * irregular. */
static void counters_of_the_hir_cache_are_touches(void **state) {
    struct config c = small_intervals();
    open_policy(&c, 2);
    fill_sets(0, 2, SET);
    b.evictor->hear(b.policy, (const uint64_t[]){0, 0x55555555});
    b.evictor->hear(b.policy, (const uint64_t[]){1, 0x95555555});
    bench_evict(&b);
    assert_int_equal(stat(STAT_hpe_ratio1_permille), 1000);
    bench_close(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sets_grow_old_in_two_intervals),
        cmocka_unit_test(a_reference_moves_a_set_once_an_interval),
        cmocka_unit_test(walks_of_pages_in_no_entry_are_ignored),
        cmocka_unit_test(counters_count_faults_and_walks_up_to_their_most),
        cmocka_unit_test(prefetched_pages_are_no_touch),
        cmocka_unit_test(a_set_leaves_with_its_last_page),
        cmocka_unit_test(a_half_touched_set_is_divided_when_its_counter_is_full),
        cmocka_unit_test(a_fault_can_fill_the_counter),
        cmocka_unit_test(prefetched_pages_belong_to_the_primary),
        cmocka_unit_test(the_first_division_is_remembered),
        cmocka_unit_test(applications_are_classified_when_memory_is_full),
        cmocka_unit_test(saturated_counters_are_large),
        cmocka_unit_test(lru_takes_the_oldest_and_its_pages_by_address),
        cmocka_unit_test(pages_that_may_not_leave_are_passed_over),
        cmocka_unit_test(mru_c_takes_a_fully_populated_set_next_to_the_middle),
        cmocka_unit_test(mru_c_takes_the_newest_of_equal_counters),
        cmocka_unit_test(mru_c_takes_a_partly_populated_set_last),
        cmocka_unit_test(with_nothing_old_the_oldest_of_the_rest_leaves),
        cmocka_unit_test(a_set_that_is_referenced_again_is_left),
        cmocka_unit_test(primary_and_secondary_are_chosen_apart),
        cmocka_unit_test(an_eviction_is_wrong_while_two_intervals_have_not_evicted_more),
        cmocka_unit_test(large_regular_applications_jump),
        cmocka_unit_test(a_jump_leaves_the_set_that_was_begun),
        cmocka_unit_test(what_a_jump_has_passed_is_not_lost),
        cmocka_unit_test(small_regular_applications_do_not_jump),
        cmocka_unit_test(wrong_evictions_are_forgotten_at_an_intervals_end),
        cmocka_unit_test(irregular1_stays_with_lru),
        cmocka_unit_test(irregular2_takes_the_strategy_that_lasts_longer),
        cmocka_unit_test(each_strategy_has_its_own_wrong_evictions),
        cmocka_unit_test(a_switch_leaves_the_set_that_was_begun),
        cmocka_unit_test(a_forced_strategy_is_not_adjusted),
        cmocka_unit_test(the_length_of_the_chain_is_summed_over_evictions),
        cmocka_unit_test(the_hir_cache_sends_with_every_nth_fault),
        cmocka_unit_test(counters_of_the_hir_cache_are_touches),
    };
    return cmocka_run_group_tests(tests, NULL, free_chain);
}
