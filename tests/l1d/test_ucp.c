// SPDX-License-Identifier: Apache-2.0
/* Ways shared out by utility (l1d.partition=ucp): the look-ahead assignment by tables and beside
 * all assignments, the monitors, and what a miss and a fill replace. */
#include "tests/l1d/fixture.h"

#include "policy/ucp.h"

enum { ROOM = 8 };

/* ---- the look-ahead assignment ---- */

struct table {
    uint32_t kernels, ways;
    uint64_t hits[KERNELS_AT_ONCE][ROOM]; /* by place */
    uint32_t share[KERNELS_AT_ONCE];
};

static void share_out(const struct table *t, uint32_t share[KERNELS_AT_ONCE]) {
    uint64_t hits[KERNELS_AT_ONCE * ROOM];
    for (uint32_t k = 0; k < t->kernels; k++)
        memcpy(hits + k * t->ways, t->hits[k], t->ways * sizeof *hits);
    ucp_share_out(hits, t->kernels, t->ways, share);
}

static void expect_tables(const struct table *t, size_t n) {
    for (size_t i = 0; i < n; i++) {
        uint32_t share[KERNELS_AT_ONCE];
        share_out(&t[i], share);
        for (uint32_t k = 0; k < t[i].kernels; k++)
            if (share[k] != t[i].share[k])
                fail_msg("table %u: %u ways for kernel %u, not %u", (unsigned)i, (unsigned)share[k],
                         (unsigned)k, (unsigned)t[i].share[k]);
    }
}

static void the_most_hits_per_way_win(void **state) {
    (void)state;
    static const struct table t[] = {
        {2, 4, {{9, 5, 1, 0}, {9, 4, 3, 0}}, {2, 2}},
        {2, 6, {{9, 5, 4, 3, 2, 1}, {9, 1, 0, 0, 0, 0}}, {5, 1}},
        {3, 8, {{9, 6, 5}, {9, 9, 9, 9, 9}, {9}}, {2, 5, 1}},
        /* hits at the first place gain nothing: a way is there already */
        {2, 4, {{1000, 1, 1, 1}, {0, 2, 2, 2}}, {1, 3}},
    };
    expect_tables(t, sizeof t / sizeof *t);
}

/* Hits that only come with the third additional way: one way at a time, none would be added. */
static void it_looks_ahead(void **state) {
    (void)state;
    static const struct table t[] = {
        {2, 6, {{0, 0, 0, 40, 0, 0}, {10, 5, 5, 5, 5, 5}}, {4, 2}},
        {2, 6, {{0, 0, 0, 14, 0, 0}, {10, 5, 5, 5, 5, 5}}, {1, 5}}, /* less than 5 per way */
        {2, 5, {{0, 0, 0, 0, 99}, {0, 1, 1, 1, 0}}, {1, 4}},        /* four cannot be given */
        {2, 5, {{0, 0, 0, 99, 0}, {0, 1, 1, 1, 0}}, {4, 1}},        /* three can */
        {3, 8, {{0, 0, 30}, {0, 14, 0, 16}, {0, 0, 0, 0, 0, 0, 0, 99}}, {3, 4, 1}},
    };
    expect_tables(t, sizeof t / sizeof *t);
}

static void ties(void **state) {
    (void)state;
    static const struct table t[] = {
        {2, 4, {{0}}, {2, 2}}, /* no hits: as equal as possible, the first one first */
        {3, 8, {{0}}, {3, 3, 2}},
        {4, 6, {{0}}, {2, 2, 1, 1}},
        {2, 5, {{9, 3, 3, 3, 3}, {9, 3, 3, 3, 3}}, {3, 2}},
        {2,
         4,
         {{9, 4, 4, 0}, {9, 4, 4, 0}},
         {2, 2}},                                  /* one way each, not two of the same for one */
        {2, 8, {{9, 4, 4, 4, 4}, {9, 4}}, {5, 3}}, /* useless ways: the kernel with fewer */
    };
    expect_tables(t, sizeof t / sizeof *t);
}

static void one_way_each_at_least(void **state) {
    (void)state;
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

static uint64_t hits_with(const struct table *t, const uint32_t share[KERNELS_AT_ONCE]) {
    uint64_t sum = 0;
    for (uint32_t k = 0; k < t->kernels; k++)
        for (uint32_t w = 0; w < share[k]; w++)
            sum += t->hits[k][w];
    return sum;
}

/* The most hits of any assignment of `left` ways to kernels k and up. */
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

/* If each further way brings no more than the one before, the assignment is the best there is. */
static void no_assignment_has_more_hits(void **state) {
    (void)state;
    for (unsigned n = 0; n < 2000; n++) {
        struct table t = {.kernels = 2 + draw(3), .ways = 4 + draw(ROOM - 3)};
        uint32_t share[KERNELS_AT_ONCE], sum = 0;
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
    (void)state;
    monitor(8, 3, 2);
    use_all(0, 0, "abc");
    expect_hits(0, 0, 0, 0);
    use_all(0, 0, "c"); /* cba */
    use_all(0, 0, "b"); /* bca */
    use_all(0, 0, "a"); /* abc */
    expect_hits(0, 1, 1, 1);
    use_all(0, 0, "dc"); /* dab, cda */
    expect_hits(0, 1, 1, 1);
    use_all(0, 0, "aa");
    expect_hits(0, 2, 1, 2);
    expect_hits(1, 0, 0, 0);
    unmonitor();
}

static void monitors_are_apart(void **state) {
    (void)state;
    monitor(17, 3, 2); /* sets 0, 8, 16 */
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
    (void)state;
    monitor(16, 3, 2);
    for (uint32_t set = 0; set < 16; set++)
        use_all(set, 0, "aa");
    expect_hits(0, 2, 0, 0);
    unmonitor();
    monitor(4, 3, 2); /* fewer than eight: the first one */
    for (uint32_t set = 0; set < 4; set++)
        use_all(set, 1, "aa");
    expect_hits(1, 1, 0, 0);
    unmonitor();
}

static void what_the_l1d_drops_leaves(void **state) {
    (void)state;
    monitor(8, 3, 2);
    use_all(0, 0, "abc"); /* cba */
    ucp_evict(&ucp, 0, 0, 'b');
    ucp_evict(&ucp, 0, 0, 'z');
    ucp_evict(&ucp, 1, 0, 'c'); /* not monitored */
    use_all(0, 0, "a");         /* ac */
    expect_hits(0, 0, 1, 0);
    use_all(0, 0, "b"); /* bac */
    expect_hits(0, 0, 1, 0);
    use_all(0, 1, "bd");
    ucp_forget(&ucp, 'b', 'd'); /* b and c, of both */
    use_all(0, 0, "abc");
    use_all(0, 1, "db");
    expect_hits(0, 1, 1, 0);
    expect_hits(1, 1, 0, 0);
    unmonitor();
}

static void a_decision_halves_the_counters(void **state) {
    (void)state;
    monitor(8, 4, 2);
    assert_int_equal(ucp.share[0], 2); /* before the first one: equal */
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

/* ---- the way that a miss takes ---- */

static bool better(uint32_t way, uint32_t than) {
    return than == WAY_NONE || lines.used[way] < lines.used[than];
}

/* The rule, way by way. */
static uint32_t ref_victim(uint32_t kernel) {
    uint32_t has[KERNELS_AT_ONCE] = {0}, over = WAY_NONE, own = WAY_NONE;
    for (uint32_t w = 0; w < lines.ways; w++) {
        if (lines.line[w] == LINE_NONE)
            return w;
        has[ucp.owner[w]]++;
    }
    for (uint32_t w = 0; w < lines.ways; w++) {
        const uint32_t k = ucp.owner[w];
        if (!lines.pending[w] && has[k] > ucp.share[k] && better(w, over))
            over = w;
        if (!lines.pending[w] && k == kernel && better(w, own))
            own = w;
    }
    return over == WAY_NONE ? own : over;
}

static void victims_of_random_sets(void **state) {
    (void)state;
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
            lines.used[w] = 1000 * draw(100) + w;
            lines.pending[w] = draw(3) == 0 && lines.line[w] != LINE_NONE;
            ucp_own(&ucp, w, draw(kernels));
        }
        const uint32_t kernel = draw(kernels), way = ucp_victim(&ucp, &lines, 0, kernel);
        assert_int_equal(way, ref_victim(kernel));
        assert_true(way == WAY_NONE || !lines.pending[way]);
        none += way == WAY_NONE;
        from_others += way != WAY_NONE && lines.line[way] != LINE_NONE && ucp.owner[way] != kernel;
        unmonitor();
    }
    assert_true(none > 100 && from_others > 1000);
}

extern const struct cache_policy cache_policy_ucp;

static struct ucp *shares; /* of the L1D */
static struct stats of_kernel[2];
static struct stats *const kernel_stats[] = {&of_kernel[0], &of_kernel[1]};

/* An L1D of one set, shared by two kernels. */
static void shared_by_two(int64_t ways, uint32_t first, uint32_t second) {
    defaults();
    cfg.l1d_partition = L1D_PARTITION_UCP;
    cfg.l1d_sets = 1;
    cfg.l1d_ways = ways;
    make();
    char err[200];
    assert_int_equal(l1d_use_kernels(&l1, &cfg, kernel_stats, 2, err, sizeof err), 0);
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

/* It comes back, and its load is answered. */
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
        allocates(0, line); /* free ways, whatever its share */
    EXPECT_LINES(1, 2, 3, 4);
    allocates(1, 11);
    allocates(1, 12); /* for 1 and 2, of a kernel with too many */
    EXPECT_LINES(3, 4, 11, 12);
    assert_int_equal(COUNT(l1d_ucp_taken), 2);
    allocates(1, 13); /* each has its share: for 11, its own, though 3 is older */
    EXPECT_LINES(3, 4, 12, 13);
    allocates(0, 5);
    EXPECT_LINES(4, 5, 12, 13);
    assert_int_equal(COUNT(l1d_ucp_taken), 2);
    shares->share[0] = 3;
    shares->share[1] = 1;
    allocates(0, 6); /* for 12 */
    EXPECT_LINES(4, 5, 6, 13);
    allocates(0, 7); /* for 4: the other one keeps its way */
    EXPECT_LINES(5, 6, 7, 13);
    assert_int_equal(COUNT(l1d_ucp_taken), 3);
    end();
}

static void on_a_miss(void **state) {
    (void)state;
    misses_take_from_who_has_too_many(ALLOCATE_MISS);
}

static void on_a_fill(void **state) {
    (void)state;
    misses_take_from_who_has_too_many(ALLOCATE_FILL);
}

/* A line belongs to the kernel whose miss has allocated it, whoever uses it. */
static void hits_do_not_change_the_owner(void **state) {
    (void)state;
    shared_by_two(2, 1, 1);
    allocates(0, 1);
    allocates(1, 2);
    assert_true(load_of(1, 1));
    expect_response(1, 1, 0);
    allocates(1, 3); /* for 2 */
    EXPECT_LINES(1, 3);
    allocates(0, 4); /* for 1 */
    EXPECT_LINES(3, 4);
    end();
}

static void pending_ways_are_not_taken(void **state) {
    (void)state;
    shared_by_two(2, 1, 1);
    assert_true(load_of(0, 1));
    assert_true(load_of(0, 2));
    assert_false(load_of(1, 3));
    assert_int_equal(COUNT(l1d_rf_line), 1);
    comes(2);
    assert_true(load_of(1, 3)); /* for 2, though 1 is older */
    comes(3);
    EXPECT_LINES(1, 3);
    comes(1);
    end();
}

static void without_one_of_too_many_its_own(void **state) {
    (void)state;
    shared_by_two(4, 2, 2);
    allocates(1, 11);
    for (uint64_t line = 1; line <= 3; line++)
        assert_true(load_of(0, line)); /* one too many, all pending */
    allocates(1, 12);                  /* for 11 */
    EXPECT_LINES(1, 2, 3, 12);
    for (uint64_t line = 1; line <= 3; line++)
        comes(line);
    end();
}

/* All ways of the kernel's share have pending fills: its load waits, although the other kernel has
 * lines that could be evicted. New shares end the wait: the cycle of a decision is not skipped. */
static void new_shares_end_a_refusal(void **state) {
    (void)state;
    shared_by_two(4, 3, 1);
    for (uint64_t line = 1; line <= 3; line++)
        allocates(0, line);
    assert_true(load_of(1, 11));
    idle(8);
    struct request a = access_of(12, false, 12);
    a.origin.kernel = 1;
    for (unsigned n = 0; n < 5; n++)
        assert_false(step(&a));
    assert_int_equal(COUNT(l1d_rf_line), 5);
    assert_int_equal(l1d_next_event(&l1, &a, cycle), (uint64_t)cfg.l1d_ucp_cycles);
    shares->share[0] = shares->share[1] = 2;
    assert_true(step(&a));
    comes(11);
    comes(12);
    EXPECT_LINES(2, 3, 11, 12);
    end();
}

/* ---- what the monitors are told ---- */

static void loads_are_uses(void **state) {
    (void)state;
    shared_by_two(2, 1, 1);
    const uint64_t *hits = shares->hits;
    allocates(0, 1);
    assert_true(load_of(0, 2));
    assert_true(load_of(0, 2)); /* merged: a use too */
    assert_int_equal(hits[0], 1);
    comes(2);
    expect_response(2, 2, 0);
    allocates(1, 3); /* for 1 */
    allocates(0, 1); /* a miss with one way, a hit with two */
    assert_int_equal(hits[1], 1);
    assert_true(load_of(0, 1));
    expect_response(1, 1, 0);
    assert_int_equal(hits[0], 2);
    struct request skip = access_of(1, false, 7);
    skip.bypass = true;
    assert_true(step(&skip)); /* past the L1D: none */
    assert_true(store(1));    /* neither */
    assert_int_equal(hits[0], 2);
    end();
}

static void refused_loads_are_not(void **state) {
    (void)state;
    shared_by_two(2, 1, 1);
    assert_true(load_of(0, 1));
    assert_true(load_of(1, 2));
    for (unsigned n = 0; n < 5; n++)
        assert_false(load_of(0, 3));
    assert_int_equal(COUNT(l1d_rf_line), 5);
    comes(1);
    assert_true(load_of(0, 3));
    assert_int_equal(shares->hits[0], 0);
    end();
}

/* With write-evict, a store drops the line from the L1D and from the monitor. So does an atomic,
 * and the end of the kernel. */
static void what_drops_lines_is_told(void **state) {
    (void)state;
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
