// SPDX-License-Identifier: Apache-2.0
/* Tests of the partitioning of ways by utility (l1d.partition=ucp): the look-ahead assignment,
 * compared with tables and with all assignments; the monitors; and the victims of misses and
 * fills. */
#include "tests/l1d/fixture.h"

#include "policy/ucp.h"

enum { ROOM = 8 };

/* ---- the look-ahead assignment ---- */

struct table {
    uint32_t kernels, ways;
    uint64_t hits[WORKLOADS_AT_ONCE][ROOM]; /* number of hits, by position in the LRU order */
    uint32_t share[WORKLOADS_AT_ONCE];
};

static void share_out(const struct table *t, uint32_t share[WORKLOADS_AT_ONCE]) {
    uint64_t hits[WORKLOADS_AT_ONCE * ROOM];
    for (uint32_t k = 0; k < t->kernels; k++)
        memcpy(hits + k * t->ways, t->hits[k], t->ways * sizeof *hits);
    ucp_share_out(hits, t->kernels, t->ways, share);
}

static void expect_tables(const struct table *t, size_t n) {
    for (size_t i = 0; i < n; i++) {
        uint32_t share[WORKLOADS_AT_ONCE];
        share_out(&t[i], share);
        for (uint32_t k = 0; k < t[i].kernels; k++)
            if (share[k] != t[i].share[k])
                fail_msg("table %u: %u ways for kernel %u, not %u", (unsigned)i, (unsigned)share[k],
                         (unsigned)k, (unsigned)t[i].share[k]);
    }
}

static void the_most_hits_per_way_win(void **state) {
    static const struct table t[] = {
        {2, 4, {{9, 5, 1, 0}, {9, 4, 3, 0}}, {2, 2}},
        {2, 6, {{9, 5, 4, 3, 2, 1}, {9, 1, 0, 0, 0, 0}}, {5, 1}},
        {3, 8, {{9, 6, 5}, {9, 9, 9, 9, 9}, {9}}, {2, 5, 1}},
        /* hits at the first position gain nothing, since each kernel already has one way */
        {2, 4, {{1000, 1, 1, 1}, {0, 2, 2, 2}}, {1, 3}},
    };
    expect_tables(t, sizeof t / sizeof *t);
}

/* A kernel has no further hits until its third additional way. If ways were assigned one at a time,
 * it would get none. */
static void it_looks_ahead(void **state) {
    static const struct table t[] = {
        {2, 6, {{0, 0, 0, 40, 0, 0}, {10, 5, 5, 5, 5, 5}}, {4, 2}},
        /* kernel 0 has fewer than 5 hits per additional way, so kernel 1 gets the ways */
        {2, 6, {{0, 0, 0, 14, 0, 0}, {10, 5, 5, 5, 5, 5}}, {1, 5}},
        /* three additional ways are available; kernel 0 needs four in the first case, and three in
         * the second */
        {2, 5, {{0, 0, 0, 0, 99}, {0, 1, 1, 1, 0}}, {1, 4}},
        {2, 5, {{0, 0, 0, 99, 0}, {0, 1, 1, 1, 0}}, {4, 1}},
        {3, 8, {{0, 0, 30}, {0, 14, 0, 16}, {0, 0, 0, 0, 0, 0, 0, 99}}, {3, 4, 1}},
    };
    expect_tables(t, sizeof t / sizeof *t);
}

static void ties(void **state) {
    static const struct table t[] = {
        /* without hits, shares are as equal as possible, and the first kernels get more */
        {2, 4, {{0}}, {2, 2}},
        {3, 8, {{0}}, {3, 3, 2}},
        {4, 6, {{0}}, {2, 2, 1, 1}},
        {2, 5, {{9, 3, 3, 3, 3}, {9, 3, 3, 3, 3}}, {3, 2}},
        /* each kernel gets one more way; neither gets both */
        {2, 4, {{9, 4, 4, 0}, {9, 4, 4, 0}}, {2, 2}},
        /* useless ways are given to the kernel with fewer ways */
        {2, 8, {{9, 4, 4, 4, 4}, {9, 4}}, {5, 3}},
    };
    expect_tables(t, sizeof t / sizeof *t);
}

static void one_way_each_at_least(void **state) {
    static const struct table t[] = {
        {2, 8, {{0}, {9, 9, 9, 9, 9, 9, 9, 9}}, {1, 7}},
        {4, 4, {{9, 9, 9, 9}}, {1, 1, 1, 1}},
        {4, 7, {{0}, {0}, {0}, {9, 9, 9, 9, 9, 9, 9}}, {1, 1, 1, 4}},
        {2, 2, {{5, 5}, {0, 0}}, {1, 1}},
    };
    expect_tables(t, sizeof t / sizeof *t);
}

static uint64_t rng = 1;

static uint32_t draw(uint32_t n) {
    rng ^= rng << 13;
    rng ^= rng >> 7;
    rng ^= rng << 17;
    return (uint32_t)(rng >> 20) % n;
}

static uint64_t hits_with(const struct table *t, const uint32_t share[WORKLOADS_AT_ONCE]) {
    uint64_t sum = 0;
    for (uint32_t k = 0; k < t->kernels; k++)
        for (uint32_t w = 0; w < share[k]; w++)
            sum += t->hits[k][w];
    return sum;
}

/* Returns the maximum number of hits over all assignments of `left` ways to kernels k and up. */
static uint64_t most_hits(const struct table *t, uint32_t k, uint32_t left) {
    uint64_t most = 0, own = 0;
    const uint32_t behind = t->kernels - 1 - k;
    for (uint32_t w = 1; w + behind <= left; w++) {
        own += t->hits[k][w - 1];
        uint64_t all = own + (behind ? most_hits(t, k + 1, left - w) : 0);
        most = all > most ? all : most;
    }
    return most;
}

/* If each further way adds no more hits than the previous one, the assignment is optimal. */
static void no_assignment_has_more_hits(void **state) {
    for (unsigned n = 0; n < 2000; n++) {
        struct table t = {.kernels = 2 + draw(3), .ways = 4 + draw(ROOM - 3)};
        uint32_t share[WORKLOADS_AT_ONCE], sum = 0;
        for (uint32_t k = 0; k < t.kernels; k++)
            for (uint32_t w = 0, most = draw(50); w < t.ways; w++)
                t.hits[k][w] = most = draw(most + 1);
        share_out(&t, share);
        for (uint32_t k = 0; k < t.kernels; k++) {
            assert_true(share[k] >= 1);
            sum += share[k];
        }
        assert_int_equal(sum, t.ways);
        assert_int_equal(hits_with(&t, share), most_hits(&t, 0, t.ways));
    }
}

/* ---- monitors ---- */

static struct lines lines;
static struct ucp ucp;

static void monitor(uint32_t sets, uint32_t ways, uint32_t kernels) {
    lines_init(&lines, sets, ways);
    ucp_init(&ucp, &lines, kernels, 100);
}

static void unmonitor(void) {
    ucp_free(&ucp);
    lines_free(&lines);
}

static void use_all(uint32_t set, uint32_t kernel, const char *names) {
    for (; *names; names++)
        ucp_use(&ucp, set, kernel, (uint64_t)*names);
}

static void expect_hits(uint32_t kernel, uint64_t a, uint64_t b, uint64_t c) {
    const uint64_t *hits = ucp.hits + kernel * ucp.ways;
    assert_int_equal(hits[0], a);
    assert_int_equal(hits[1], b);
    assert_int_equal(hits[2], c);
}

static void hits_count_by_place(void **state) {
    monitor(8, 3, 2);
    use_all(0, 0, "abc");
    expect_hits(0, 0, 0, 0);
    use_all(0, 0, "c"); /* the order is then cba */
    use_all(0, 0, "b"); /* the order is then bca */
    use_all(0, 0, "a"); /* the order is then abc */
    expect_hits(0, 1, 1, 1);
    use_all(0, 0, "dc"); /* then dab and cda */
    expect_hits(0, 1, 1, 1);
    use_all(0, 0, "aa");
    expect_hits(0, 2, 1, 2);
    expect_hits(1, 0, 0, 0);
    unmonitor();
}

static void monitors_are_apart(void **state) {
    monitor(17, 3, 2); /* monitors sets 0, 8 and 16 */
    use_all(0, 0, "a");
    use_all(8, 0, "a");
    use_all(16, 0, "a");
    use_all(16, 1, "a");
    expect_hits(0, 0, 0, 0);
    expect_hits(1, 0, 0, 0);
    use_all(16, 1, "ba");
    use_all(8, 0, "a");
    expect_hits(0, 1, 0, 0);
    expect_hits(1, 0, 1, 0);
    unmonitor();
}

static void one_of_eight_sets(void **state) {
    monitor(16, 3, 2);
    for (uint32_t set = 0; set < 16; set++)
        use_all(set, 0, "aa");
    expect_hits(0, 2, 0, 0);
    unmonitor();
    monitor(4, 3, 2); /* there are fewer than eight sets, so only set 0 is monitored */
    for (uint32_t set = 0; set < 4; set++)
        use_all(set, 1, "aa");
    expect_hits(1, 1, 0, 0);
    unmonitor();
}

static void what_the_l1d_drops_leaves(void **state) {
    monitor(8, 3, 2);
    use_all(0, 0, "abc"); /* the order is then cba */
    ucp_evict(&ucp, 0, 0, 'b');
    ucp_evict(&ucp, 0, 0, 'z');
    ucp_evict(&ucp, 1, 0, 'c'); /* set 1 is not monitored */
    use_all(0, 0, "a");         /* the order is then ac */
    expect_hits(0, 0, 1, 0);
    use_all(0, 0, "b"); /* the order is then bac */
    expect_hits(0, 0, 1, 0);
    use_all(0, 1, "bd");
    ucp_forget(&ucp, 'b', 'd'); /* drops b and c in both monitors */
    use_all(0, 0, "abc");
    use_all(0, 1, "db");
    expect_hits(0, 1, 1, 0);
    expect_hits(1, 1, 0, 0);
    unmonitor();
}

static void a_decision_halves_the_counters(void **state) {
    monitor(8, 4, 2);
    assert_int_equal(ucp.share[0], 2); /* the shares are equal before the first assignment */
    assert_int_equal(ucp.share[1], 2);
    assert_int_equal(ucp.decides, 100);
    use_all(0, 1, "abcabcabcccc");
    ucp_decide(&ucp, 100);
    assert_int_equal(ucp.share[0], 1);
    assert_int_equal(ucp.share[1], 3);
    assert_int_equal(ucp.decides, 200);
    expect_hits(1, 1, 0, 3);
    unmonitor();
    monitor(8, 5, 3);
    assert_int_equal(ucp.share[0], 2);
    assert_int_equal(ucp.share[1], 2);
    assert_int_equal(ucp.share[2], 1);
    unmonitor();
}

/* ---- victims of misses ---- */

static unsigned last_use[16]; /* per way */

static bool better(uint32_t way, uint32_t than) {
    return than == WAY_NONE || last_use[way] < last_use[than];
}

/* Returns the victim, found by checking the rule for each way. */
static uint32_t ref_victim(uint32_t kernel) {
    uint32_t has[WORKLOADS_AT_ONCE] = {0}, over = WAY_NONE, own = WAY_NONE;
    for (uint32_t w = 0; w < lines.ways; w++) {
        if (lines.line[w] == LINE_NONE)
            return w;
        has[ucp.owner[w]]++;
    }
    for (uint32_t w = 0; w < lines.ways; w++) {
        const uint32_t k = ucp.owner[w];
        if (!lines.way[w].pending && has[k] > ucp.share[k] && better(w, over))
            over = w;
        if (!lines.way[w].pending && k == kernel && better(w, own))
            own = w;
    }
    return over == WAY_NONE ? own : over;
}

static void victims_of_random_sets(void **state) {
    unsigned from_others = 0, none = 0;
    for (unsigned n = 0; n < 20000; n++) {
        const uint32_t kernels = 2 + draw(3), ways = kernels + draw(5);
        monitor(1, ways, kernels);
        for (uint32_t spare = ways - kernels, k = 0; k < kernels; k++) {
            const uint32_t more = k + 1 < kernels ? draw(spare + 1) : spare;
            ucp.share[k] = 1 + more;
            spare -= more;
        }
        for (uint32_t w = 0; w < ways; w++) {
            if (draw(40))
                lines_claim(&lines, w, w);
            last_use[w] = w;
            lines.way[w].pending = draw(3) == 0 && lines.line[w] != LINE_NONE;
            ucp_own(&ucp, w, draw(kernels));
        }
        for (unsigned use = ways; use < 3 * ways; use++) {
            const uint32_t w = draw(ways);
            if (lines.line[w] == LINE_NONE)
                continue;
            lines_touch(&lines, w);
            last_use[w] = use;
        }
        const uint32_t kernel = draw(kernels), way = ucp_victim(&ucp, &lines, 0, kernel);
        assert_int_equal(way, ref_victim(kernel));
        assert_true(way == WAY_NONE || !lines.way[way].pending);
        none += way == WAY_NONE;
        from_others += way != WAY_NONE && lines.line[way] != LINE_NONE && ucp.owner[way] != kernel;
        unmonitor();
    }
    assert_true(none > 100 && from_others > 1000);
}

extern const struct cache_policy cache_policy_ucp;

static struct ucp *shares; /* state of the L1D's partitioning policy */
static struct stats stats_by_kernel[2];
static struct stats *const kernel_stats[] = {&stats_by_kernel[0], &stats_by_kernel[1]};

/* Initializes an L1D with one set, shared by two kernels. */
static void shared_by_two(int64_t ways, uint32_t first, uint32_t second) {
    defaults();
    cfg.l1d_partition = L1D_PARTITION_UCP;
    cfg.l1d_sets = 1;
    cfg.l1d_ways = ways;
    make();
    struct error err;
    assert_int_equal(l1d_use_kernels(&l1, &cfg, kernel_stats, 2, &err), 0);
    shares = cache_policy_state(&l1.cache, &cache_policy_ucp);
    assert_non_null(shares);
    shares->share[0] = first;
    shares->share[1] = second;
}

static bool load_of(uint32_t kernel, uint64_t line) {
    struct request a = access_of(line, false, (uint32_t)line);
    a.origin.kernel = (uint8_t)kernel;
    return step(&a);
}

/* Answers the fetch of the line, and then expects the response to the load, whose ID is the line.
 */
static void comes(uint64_t line) {
    idle(8);
    answer(line, 0);
    expect_response((uint32_t)line, line, 0);
}

static void allocates(uint32_t kernel, uint64_t line) {
    assert_true(load_of(kernel, line));
    comes(line);
}

static void expect_lines(const uint64_t *line, unsigned n) {
    unsigned has = 0;
    for (uint32_t way = 0; way < lines_count(&l1.cache.lines); way++)
        has += l1.cache.lines.line[way] != LINE_NONE;
    assert_int_equal(has, n);
    for (unsigned i = 0; i < n; i++)
        if (lines_find(&l1.cache.lines, 0, line[i]) == WAY_NONE)
            fail_msg("line %u has gone", (unsigned)line[i]);
}

#define EXPECT_LINES(...)                                                                          \
    expect_lines((const uint64_t[]){__VA_ARGS__}, sizeof(uint64_t[]){__VA_ARGS__} / 8)

static void misses_take_from_who_has_too_many(int64_t allocate) {
    shared_by_two(4, 2, 2);
    l1.cache.allocate_on_fill = allocate == ALLOCATE_FILL;
    for (uint64_t line = 1; line <= 4; line++)
        allocates(0, line); /* uses free ways, whatever the kernel's share */
    EXPECT_LINES(1, 2, 3, 4);
    allocates(1, 11);
    allocates(1, 12); /* lines 11 and 12 replace 1 and 2, since kernel 0 has too many ways */
    EXPECT_LINES(3, 4, 11, 12);
    assert_int_equal(COUNT(l1d_ucp_transfers), 2);
    allocates(1, 13); /* each kernel has its share, so 13 replaces the kernel's own 11, although 3
                         is older */
    EXPECT_LINES(3, 4, 12, 13);
    allocates(0, 5);
    EXPECT_LINES(4, 5, 12, 13);
    assert_int_equal(COUNT(l1d_ucp_transfers), 2);
    shares->share[0] = 3;
    shares->share[1] = 1;
    allocates(0, 6); /* replaces line 12 */
    EXPECT_LINES(4, 5, 6, 13);
    allocates(0, 7); /* replaces line 4, since the other kernel keeps its way */
    EXPECT_LINES(5, 6, 7, 13);
    assert_int_equal(COUNT(l1d_ucp_transfers), 3);
    end();
}

static void on_a_miss(void **state) {
    misses_take_from_who_has_too_many(ALLOCATE_MISS);
}

static void on_a_fill(void **state) {
    misses_take_from_who_has_too_many(ALLOCATE_FILL);
}

/* A line belongs to the kernel whose miss allocated it, whichever kernels use it. */
static void hits_do_not_change_the_owner(void **state) {
    shared_by_two(2, 1, 1);
    allocates(0, 1);
    allocates(1, 2);
    assert_true(load_of(1, 1));
    expect_response(1, 1, 0);
    allocates(1, 3); /* replaces line 2 */
    EXPECT_LINES(1, 3);
    allocates(0, 4); /* replaces line 1 */
    EXPECT_LINES(3, 4);
    end();
}

static void pending_ways_are_not_taken(void **state) {
    shared_by_two(2, 1, 1);
    assert_true(load_of(0, 1));
    assert_true(load_of(0, 2));
    assert_false(load_of(1, 3));
    assert_int_equal(COUNT(l1d_refusals_no_way), 1);
    comes(2);
    assert_true(load_of(1, 3)); /* replaces line 2, although line 1 is older */
    comes(3);
    EXPECT_LINES(1, 3);
    comes(1);
    end();
}

static void without_one_of_too_many_its_own(void **state) {
    shared_by_two(4, 2, 2);
    allocates(1, 11);
    for (uint64_t line = 1; line <= 3; line++)
        /* the kernel has one way too many, but all its ways are pending */
        assert_true(load_of(0, line));
    allocates(1, 12); /* replaces line 11 */
    EXPECT_LINES(1, 2, 3, 12);
    for (uint64_t line = 1; line <= 3; line++)
        comes(line);
    end();
}

/* If all ways in a kernel's share are pending, its load waits, although the other kernel has lines
 * that could be evicted. New shares may end the wait, so the cycle of a decision is not skipped. */
static void new_shares_end_a_refusal(void **state) {
    shared_by_two(4, 3, 1);
    for (uint64_t line = 1; line <= 3; line++)
        allocates(0, line);
    assert_true(load_of(1, 11));
    idle(8);
    struct request a = access_of(12, false, 12);
    a.origin.kernel = 1;
    for (unsigned n = 0; n < 5; n++)
        assert_false(step(&a));
    assert_int_equal(COUNT(l1d_refusals_no_way), 5);
    assert_int_equal(l1d_next_event(&l1, &a, cycle), (uint64_t)cfg.l1d_ucp_cycles);
    shares->share[0] = shares->share[1] = 2;
    assert_true(step(&a));
    comes(11);
    comes(12);
    EXPECT_LINES(2, 3, 11, 12);
    end();
}

/* ---- inputs of the monitors ---- */

static void loads_are_uses(void **state) {
    shared_by_two(2, 1, 1);
    const uint64_t *hits = shares->hits;
    allocates(0, 1);
    assert_true(load_of(0, 2));
    assert_true(load_of(0, 2)); /* merges, which counts as a use */
    assert_int_equal(hits[0], 1);
    comes(2);
    expect_response(2, 2, 0);
    allocates(1, 3); /* replaces line 1 */
    allocates(0, 1); /* misses with one way, but would hit with two */
    assert_int_equal(hits[1], 1);
    assert_true(load_of(0, 1));
    expect_response(1, 1, 0);
    assert_int_equal(hits[0], 2);
    struct request skip = access_of(1, false, 7);
    skip.bypass = true;
    assert_true(step(&skip)); /* bypasses the L1D, so the monitor does not see it */
    assert_true(store(1));    /* the monitor does not see stores, either */
    assert_int_equal(hits[0], 2);
    end();
}

static void refused_loads_are_not(void **state) {
    shared_by_two(2, 1, 1);
    assert_true(load_of(0, 1));
    assert_true(load_of(1, 2));
    for (unsigned n = 0; n < 5; n++)
        assert_false(load_of(0, 3));
    assert_int_equal(COUNT(l1d_refusals_no_way), 5);
    comes(1);
    assert_true(load_of(0, 3));
    assert_int_equal(shares->hits[0], 0);
    end();
}

/* With write-evict, a store drops the line from the L1D and from the monitor. An atomic and the
 * end of the kernel do so, too. */
static void what_drops_lines_is_told(void **state) {
    shared_by_two(2, 1, 1);
    l1.write = L1D_WEWN;
    allocates(0, 1);
    assert_true(store(1));
    allocates(0, 1);
    struct request atomic = {.line = 1, .mask = {{0xff, 0}}, .kind = REQUEST_ATOMIC};
    assert_true(step(&atomic));
    allocates(0, 1);
    l1d_invalidate_range(&l1, 1, 2);
    allocates(0, 1);
    l1d_invalidate(&l1);
    allocates(0, 1);
    assert_int_equal(shares->hits[0], 0);
    assert_true(load_of(0, 1));
    expect_response(1, 1, 0);
    assert_int_equal(shares->hits[0], 1);
    end();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_most_hits_per_way_win),
        cmocka_unit_test(it_looks_ahead),
        cmocka_unit_test(ties),
        cmocka_unit_test(one_way_each_at_least),
        cmocka_unit_test(no_assignment_has_more_hits),
        cmocka_unit_test(hits_count_by_place),
        cmocka_unit_test(monitors_are_apart),
        cmocka_unit_test(one_of_eight_sets),
        cmocka_unit_test(what_the_l1d_drops_leaves),
        cmocka_unit_test(a_decision_halves_the_counters),
        cmocka_unit_test(victims_of_random_sets),
        cmocka_unit_test(on_a_miss),
        cmocka_unit_test(on_a_fill),
        cmocka_unit_test(hits_do_not_change_the_owner),
        cmocka_unit_test(pending_ways_are_not_taken),
        cmocka_unit_test(without_one_of_too_many_its_own),
        cmocka_unit_test(new_shares_end_a_refusal),
        cmocka_unit_test(loads_are_uses),
        cmocka_unit_test(refused_loads_are_not),
        cmocka_unit_test(what_drops_lines_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
