// SPDX-License-Identifier: Apache-2.0
/* Tests of protection distances (l1d.bypass=pdp): each rule with exact numbers, a scan that
 * competes with hot lines, and random accesses. The reference for the random accesses follows the
 * rule literally: it decrements a counter in each way. */
#include "tests/l1d/fixture.h"

/* Configures an L1D with one set, and sets its protection distance and number of ways. */
static void protected_for(int64_t distance, int64_t ways) {
    defaults();
    cfg.l1d_bypass = BYPASS_PDP;
    cfg.l1d_protect_distance = distance;
    cfg.l1d_sets = 1;
    cfg.l1d_ways = ways;
}

/* Answers the last request that was sent. */
static void answer_last(void) {
    idle(8);
    assert_true(n_sent > 0);
    push_reply(&sent[n_sent - 1], 0);
    n_sent = 0;
    idle(4);
}

/* Runs a load until its response, and expects statistic `count` to increase by 1. If `sends`,
 * answers the request that the load sends. */
static void load_counts(uint64_t line, enum stat_id count, bool sends) {
    uint64_t before = stats.v[count];
    assert_true(load(line, 1));
    assert_int_equal(stats.v[count], before + 1);
    if (sends)
        answer_last();
    await_response(1, line);
    l1d_take_response(&l1);
}

static void allocates(uint64_t line) {
    load_counts(line, STAT_l1d_primary_misses, true);
}

static void hits(uint64_t line) {
    load_counts(line, STAT_l1d_hits, false);
}

static void goes_past(uint64_t line) {
    load_counts(line, STAT_l1d_bypasses, true);
}

static void stores(uint64_t line) {
    assert_true(store(line));
    answer_last();
}

/* ---- protection and its duration ---- */

static void an_allocation_protects(void **state) {
    protected_for(3, 1);
    make();
    allocates(1);
    for (uint64_t line = 2; line <= 4; line++)
        goes_past(line);
    allocates(5);
    goes_past(1);
    assert_int_equal(COUNT(l1d_refusals), 0);
    end();
}

static void a_hit_restarts_protection(void **state) {
    protected_for(2, 1);
    make();
    allocates(1);
    goes_past(2);
    hits(1);
    goes_past(2);
    goes_past(3);
    hits(1); /* line 1 is unprotected but not replaced, so it is still present */
    goes_past(2);
    goes_past(3);
    allocates(4);
    end();
}

static void a_merge_restarts_protection(void **state) {
    protected_for(2, 1);
    make();
    assert_true(load(1, 1));
    assert_true(load(2, 2)); /* bypasses, since the only way is pending */
    assert_true(load(1, 3));
    assert_int_equal(COUNT(l1d_secondary_misses), 1);
    answer(1, 0x11);
    expect_response(1, 1, 0x11);
    expect_response(3, 1, 0x11);
    assert_int_equal(COUNT(l1d_bypasses), 1);
    goes_past(3);
    goes_past(4);
    allocates(5);
    end();
}

static void an_updating_store_restarts_protection(void **state) {
    protected_for(2, 1);
    make();
    allocates(1);
    goes_past(2);
    stores(1);
    goes_past(2);
    goes_past(3);
    allocates(4);
    stores(1); /* line 1 is absent, so this is an access but not a use */
    goes_past(5);
    allocates(6);
    end();
}

/* A store to a line in flight updates no byte, and does not count as a use. */
static void a_store_to_a_pending_line_does_not(void **state) {
    protected_for(2, 2);
    make();
    assert_true(load(1, 1));
    allocates(2);
    assert_true(store(1));
    idle(8);
    assert_true(load(3, 3)); /* line 2 is protected for one more access */
    assert_int_equal(COUNT(l1d_bypasses), 1);
    answer(1, 0); /* the miss is poisoned, so its fill frees the way */
    expect_response(1, 1, 0);
    allocates(4);
    end();
}

static void an_evicting_store_frees_the_way(void **state) {
    protected_for(9, 1);
    cfg.l1d_write = L1D_WEWN;
    make();
    allocates(1);
    goes_past(2);
    stores(1);
    allocates(3);
    goes_past(1);
    end();
}

/* ---- countdown ---- */

static void every_access_to_the_set_counts(void **state) {
    protected_for(4, 1);
    make();
    allocates(1);
    goes_past(2);
    stores(3);
    struct request atomic = {.line = 4, .mask = {{0xff, 0}}, .kind = REQUEST_ATOMIC};
    assert_true(step(&atomic));
    answer_last();
    struct request skip = access_of(1, false, 7);
    skip.bypass = true;
    assert_true(step(&skip)); /* bypasses line 1, which is present and stays unchanged */
    answer_last();
    expect_response(7, 1, 0);
    allocates(5);
    end();
}

static void other_sets_do_not(void **state) {
    protected_for(2, 1);
    cfg.l1d_sets = 2;
    make();
    allocates(2);
    goes_past(4);
    allocates(1);
    goes_past(3);
    goes_past(5);
    allocates(7);
    goes_past(6);
    allocates(8);
    end();
}

static void refused_cycles_do_not(void **state) {
    protected_for(2, 1);
    cfg.l1d_bypass_slots = 1;
    make();
    allocates(1);
    assert_true(load(2, 2));
    for (unsigned n = 0; n < 9; n++)
        assert_false(load(3, 3));
    assert_int_equal(COUNT(l1d_refusals_bypass_limit), 9);
    assert_int_equal(COUNT(l1d_refusals), 9);
    answer_last();
    expect_response(2, 2, 0);
    goes_past(3);
    allocates(4);
    end();
}

/* ---- victims ---- */

static void a_free_way_then_the_least_recently_used_unprotected_one(void **state) {
    protected_for(3, 3);
    make();
    allocates(1);
    allocates(2);
    allocates(3);
    goes_past(4); /* line 1 is protected for one last access */
    allocates(5); /* replaces line 1 */
    allocates(6); /* replaces line 2 */
    allocates(1); /* replaces line 3 */
    hits(5);
    goes_past(7); /* does not replace line 6, which was used two accesses ago */
    allocates(8); /* replaces line 6 */
    hits(1);
    hits(5);
    end();
}

/* A pending way cannot be a victim, whether it is protected or not. */
static void without_a_way_loads_go_past(void **state) {
    protected_for(1, 1);
    cfg.l1d_bypass_slots = 2;
    make();
    assert_true(load(1, 1));
    assert_true(load(2, 2));
    assert_true(load(3, 3)); /* the way is unprotected, but pending */
    assert_int_equal(COUNT(l1d_bypasses), 2);
    assert_false(load(4, 4));
    assert_int_equal(COUNT(l1d_refusals_bypass_limit), 1);
    assert_int_equal(COUNT(l1d_refusals_no_way), 0);
    answer(1, 0);
    expect_response(1, 1, 0);
    allocates(4);
    end();
}

/* A miss on a line that already has a way, with other bytes valid, needs no victim, so protection
 * makes no difference. */
static void a_line_that_is_partly_here(void **state) {
    protected_for(100, 1);
    cfg.l1d_write = L1D_WBWA;
    make();
    assert_true(store(1));
    struct request a = {.line = 1, .mask = {{UINT64_C(0xff00), 0}}, .kind = REQUEST_LOAD};
    assert_true(step(&a));
    assert_int_equal(COUNT(l1d_primary_misses), 1);
    end();
}

static void kept_stores_take_the_least_protected_way(void **state) {
    protected_for(100, 2);
    cfg.l1d_write = L1D_WBWA;
    make();
    allocates(1);
    allocates(2);
    hits(1);
    goes_past(3);
    assert_true(store(4)); /* replaces line 2 */
    hits(1);
    hits(4);
    goes_past(2);
    assert_true(store(5)); /* replaces line 1 */
    hits(4);
    hits(5);
    assert_int_equal(COUNT(l1d_refusals), 0);
    end();
}

/* ---- allocation on a fill ---- */

static void a_fill_that_may_not_replace_is_not_kept(void **state) {
    protected_for(2, 1);
    cfg.l1d_allocate = ALLOCATE_FILL;
    make();
    assert_true(load(1, 1));
    assert_true(load(2, 2));
    assert_true(load(3, 3));
    assert_int_equal(COUNT(l1d_primary_misses), 3); /* a miss claims no way before its fill */
    answer(1, 0x11);
    expect_response(1, 1, 0x11); /* line 1 is protected from its fill on, not from its miss */
    assert_true(load(2, 4));
    answer(2, 0x22);
    expect_response(2, 2, 0x22);
    expect_response(4, 2, 0x22);
    assert_int_equal(COUNT(l1d_secondary_misses), 1);
    assert_int_equal(COUNT(l1d_fills_discarded), 1);
    assert_true(load(4, 5)); /* the second access since the fill of line 1 ends its protection */
    answer(3, 0x33);
    expect_response(3, 3, 0x33);
    assert_int_equal(COUNT(l1d_fills_discarded), 1);
    hits(3);
    assert_int_equal(COUNT(l1d_bypasses), 0);
    end();
}

/* ---- patterns ---- */

static void distance_one(void **state) {
    protected_for(1, 1);
    make();
    for (uint64_t line = 1; line <= 9; line++)
        if (line % 2)
            allocates(line);
        else
            goes_past(line);
    end();
    /* Only the line used last is protected. With two ways, it is never the least recently used
     * line, so the replacement is LRU. */
    protected_for(1, 2);
    make();
    for (uint64_t line = 1; line <= 9; line++)
        allocates(line);
    hits(8);
    hits(9);
    end();
}

/* Runs rounds of loads in a four-way set. Each round loads the four hot lines, and then two lines
 * that are used only once. */
static void scan(unsigned rounds) {
    uint64_t fresh = 100;
    make();
    for (unsigned r = 0; r < rounds; r++)
        for (uint64_t n = 0; n < 6; n++) {
            uint64_t line = n < 4 ? n : fresh++, sends = COUNT(l1d_hits);
            assert_true(load(line, 1));
            if (COUNT(l1d_hits) == sends)
                answer_last();
            await_response(1, line);
            l1d_take_response(&l1);
        }
}

static void a_scan_over_hot_lines(void **state) {
    protected_for(5, 4); /* all hot lines are still protected at the second scanned line */
    scan(10);
    assert_int_equal(COUNT(l1d_primary_misses), 4);
    assert_int_equal(COUNT(l1d_hits), 9 * 4);
    assert_int_equal(COUNT(l1d_bypasses), 10 * 2);
    end();
    /* The second scanned line replaces line 0, and each hot line then replaces the next hot line
     * just before its use, so there are no hits, and one bypass per round. */
    protected_for(4, 4);
    scan(4);
    assert_int_equal(COUNT(l1d_hits), 0);
    assert_int_equal(COUNT(l1d_bypasses), 4);
    end();
    protected_for(5, 4);
    cfg.l1d_bypass = BYPASS_NONE; /* with LRU, each hot line is evicted before its next use */
    scan(10);
    assert_int_equal(COUNT(l1d_hits), 0);
    assert_int_equal(COUNT(l1d_primary_misses), 60);
    end();
}

static void kernels_forget(void **state) {
    protected_for(100, 1);
    make();
    allocates(1);
    goes_past(2);
    l1d_invalidate(&l1);
    allocates(2);
    goes_past(1);
    end();
}

/* ---- random accesses against a reference ---- */

enum { SETS = 2, WAYS = 3, LINES = 16, IDS = 256, CYCLES = 20000 };

enum fate { REFUSED, HIT, PRIMARY, SECONDARY, PAST, STORED, ATOMIC, FATES };

/* A way of the reference. All accesses are to whole lines, so one valid bit and one dirty bit
 * suffice. */
struct ref_way {
    uint64_t line; /* LINE_NONE if the way is free */
    bool valid, dirty, pending;
    uint32_t left; /* number of accesses to the set for which the line remains protected */
    uint64_t used;
};

enum l1d_flight { GROUNDED, FLYING, POISONED };

static struct {
    struct ref_way way[SETS][WAYS];
    enum l1d_flight flight[LINES];
    uint64_t clock, unkept;
} ref;

static uint64_t rng;

static uint32_t draw(uint32_t n) {
    rng ^= rng << 13;
    rng ^= rng >> 7;
    rng ^= rng << 17;
    return (uint32_t)(rng >> 20) % n;
}

static struct ref_way *ref_find(uint64_t line) {
    for (unsigned w = 0; w < WAYS; w++)
        if (ref.way[line % SETS][w].line == line)
            return &ref.way[line % SETS][w];
    return NULL;
}

/* True if x is a better victim than y: if `any`, it is less protected, or as protected and less
 * recently used; otherwise, it is less recently used. */
static bool sooner(const struct ref_way *x, const struct ref_way *y, bool any) {
    if (any && x->left != y->left)
        return x->left < y->left;
    return x->used < y->used;
}

/* Returns a free way if there is one. Otherwise returns, of the ways that are not pending, the
 * least protected one if `any`, else the least recently used unprotected one, or NULL. */
static struct ref_way *ref_choose(uint64_t line, bool any) {
    struct ref_way *set = ref.way[line % SETS], *best = NULL;
    for (unsigned w = 0; w < WAYS; w++)
        if (set[w].line == LINE_NONE)
            return &set[w];
    for (unsigned w = 0; w < WAYS; w++)
        if (!set[w].pending && (any || set[w].left == 0) && (!best || sooner(&set[w], best, any)))
            best = &set[w];
    return best;
}

static enum fate load_fate(const struct request *a) {
    const struct ref_way *way = ref_find(a->line);
    enum fate past = l1.bypassing.value < l1.bypass_limit ? PAST : REFUSED;
    if (a->bypass)
        return way && way->dirty ? HIT : past;
    if (way && way->valid)
        return HIT;
    if (ref.flight[a->line] != GROUNDED)
        return ref.flight[a->line] == POISONED ? REFUSED : SECONDARY;
    return cfg.l1d_allocate == ALLOCATE_FILL || ref_choose(a->line, false) ? PRIMARY : past;
}

static enum fate fate_of(const struct request *a) {
    const struct ref_way *way = ref_find(a->line);
    if (a->kind == REQUEST_LOAD)
        return load_fate(a);
    if (a->kind == REQUEST_ATOMIC)
        return way && way->dirty ? REFUSED : ATOMIC;
    if (cfg.l1d_write != L1D_WBWA)
        return STORED;
    return ref.flight[a->line] != GROUNDED || !(way || ref_choose(a->line, true)) ? REFUSED
                                                                                  : STORED;
}

static void ref_use(struct ref_way *way) {
    way->left = (uint32_t)cfg.l1d_protect_distance;
    way->used = ++ref.clock;
}

static struct ref_way *ref_claim(uint64_t line, bool any) {
    struct ref_way *way = ref_choose(line, any);
    if (way)
        *way = (struct ref_way){.line = line};
    return way;
}

static void ref_free_if_empty(struct ref_way *way) {
    if (!way->valid && !way->pending)
        way->line = LINE_NONE;
}

static void ref_drop(struct ref_way *way) {
    way->valid = way->dirty = false;
    ref_free_if_empty(way);
}

static void ref_store(uint64_t line, struct ref_way *way) {
    if (cfg.l1d_write == L1D_WBWA) {
        way = way ? way : ref_claim(line, true);
        way->valid = way->dirty = true;
        ref_use(way);
        return;
    }
    ref.flight[line] = ref.flight[line] == GROUNDED ? GROUNDED : POISONED;
    if (way && cfg.l1d_write == L1D_WEWN)
        ref_drop(way);
    else if (way && way->valid)
        ref_use(way);
}

static void ref_take(const struct request *a, enum fate fate) {
    struct ref_way *way = ref_find(a->line);
    for (unsigned w = 0; w < WAYS; w++)
        ref.way[a->line % SETS][w].left -= ref.way[a->line % SETS][w].left > 0;
    if (fate == PRIMARY) {
        ref.flight[a->line] = FLYING;
        if (cfg.l1d_allocate == ALLOCATE_MISS) {
            way = ref_claim(a->line, false);
            way->pending = true;
        }
    }
    if (fate == STORED) {
        ref_store(a->line, way);
    } else if (fate == ATOMIC) {
        ref.flight[a->line] = ref.flight[a->line] == GROUNDED ? GROUNDED : POISONED;
        if (way)
            ref_drop(way);
    } else if (fate != PAST && way) {
        ref_use(way);
    }
}

static void ref_fill(uint64_t line) {
    struct ref_way *way = ref_find(line);
    bool poisoned = ref.flight[line] == POISONED;
    ref.flight[line] = GROUNDED;
    if (!way && !poisoned) {
        way = ref_claim(line, false);
        if (way)
            ref_use(way);
    }
    ref.unkept += poisoned || !way;
    if (!way)
        return;
    way->pending = false;
    way->valid |= !poisoned;
    ref_free_if_empty(way);
}

static enum fate seen(const struct stats *before, bool taken) {
    static const enum stat_id of[FATES] = {
        [HIT] = STAT_l1d_hits,
        [PRIMARY] = STAT_l1d_primary_misses,
        [SECONDARY] = STAT_l1d_secondary_misses,
        [PAST] = STAT_l1d_bypasses,
        [STORED] = STAT_l1d_stores,
        [ATOMIC] = STAT_l1d_atomics,
    };
    enum fate fate = REFUSED;
    for (unsigned f = HIT; f < FATES; f++)
        if (stats.v[of[f]] != before->v[of[f]])
            fate = (enum fate)f;
    assert_int_equal(taken, fate != REFUSED);
    return fate;
}

/* Requests at the L2, which answers them in random order. `returned` contains the lines of answered
 * fetches whose fill is still to come, in the order of the answers. */
static struct request at_l2[1024];
static unsigned n_at_l2;
static uint64_t returned[64];
static unsigned n_returned;

static void step_l2(void) {
    for (unsigned i = 0; i < n_sent; i++) {
        assert_true(n_at_l2 < 1024);
        at_l2[n_at_l2++] = sent[i];
    }
    n_sent = 0;
    if (!n_at_l2 || draw(3) == 0 || n_returned == 64 || !xbar_can_push(&reply, 0))
        return;
    unsigned i = draw(n_at_l2);
    const struct request p = at_l2[i];
    at_l2[i] = at_l2[--n_at_l2];
    push_reply(&p, 0);
    if (!request_writes(&p) && !p.bypass)
        returned[n_returned++] = p.line;
}

/* Half of the accesses are to one of the first four lines, and the others are to any line. */
static struct request random_access(uint32_t id) {
    static const uint8_t kinds[] = {REQUEST_LOAD,   REQUEST_LOAD, REQUEST_LOAD,  REQUEST_LOAD,
                                    REQUEST_LOAD,   REQUEST_LOAD, REQUEST_STORE, REQUEST_STORE,
                                    REQUEST_ATOMIC, REQUEST_LOAD};
    uint32_t kind = draw(10);
    return (struct request){
        .line = draw(2) ? draw(4) : draw(LINES),
        .mask = mask_of_sectors(SECTORS_ALL),
        .origin.load = (uint16_t)id,
        .kind = kinds[kind],
        .bypass = kind == 9 && draw(3) == 0,
    };
}

static void expect_same_lines(void) {
    for (uint64_t line = 0; line < LINES; line++)
        assert_int_equal(lines_find(&l1.cache.lines, (uint32_t)(line % SETS), line) != WAY_NONE,
                         ref_find(line) != NULL);
}

/* Runs one cycle in the L1D and in the reference, and offers access `a` if it is not NULL. Returns
 * the outcome of the access, or REFUSED if there is none. */
static enum fate step_both(const struct request *a) {
    const struct stats before = stats;
    enum fate want = a ? fate_of(a) : REFUSED, got = seen(&before, step(a));
    if (got != want)
        fail_msg("distance %d, write %d, allocate %d, cycle %u: kind %u, line %u: %d, not %d",
                 (int)cfg.l1d_protect_distance, (int)cfg.l1d_write, (int)cfg.l1d_allocate,
                 (unsigned)cycle, (unsigned)a->kind, (unsigned)a->line, (int)got, (int)want);
    if (got != REFUSED)
        ref_take(a, got);
    else if (a && a->kind == REQUEST_ATOMIC)
        ref_find(a->line)->dirty = false; /* the line is written back first */
    if (stats.v[STAT_l1d_fills] != before.v[STAT_l1d_fills]) {
        ref_fill(returned[0]);
        memmove(returned, returned + 1, --n_returned * sizeof returned[0]);
    }
    assert_int_equal(COUNT(l1d_fills_discarded), ref.unkept);
    expect_same_lines();
    return got;
}

static void run_random(uint64_t fates[FATES]) {
    struct request a;
    bool offered = false;
    memset(&ref, 0, sizeof ref);
    for (unsigned s = 0; s < SETS; s++)
        for (unsigned w = 0; w < WAYS; w++)
            ref.way[s][w].line = LINE_NONE;
    n_at_l2 = n_returned = 0;
    for (unsigned n = 0; n < CYCLES; n++) {
        if (!offered && draw(3) == 0 && l1.cache.miss_queue.count < 32) {
            a = random_access(n % IDS);
            offered = true;
        }
        enum fate fate = step_both(offered ? &a : NULL);
        fates[fate] += offered;
        offered = offered && fate == REFUSED;
        while (l1d_response(&l1) != REQUEST_NONE)
            l1d_take_response(&l1);
        step_l2();
    }
}

static void random_accesses(void **state) {
    static const int64_t distances[] = {1, 3, 7, 40};
    for (unsigned n = 0; n < 4 * 3 * 2; n++) {
        uint64_t fates[FATES] = {0};
        protected_for(distances[n % 4], WAYS);
        static const int64_t writes[] = {L1D_WTWN, L1D_WEWN, L1D_WBWA};
        cfg.l1d_write = writes[n / 4 % 3];
        cfg.l1d_allocate = n / 12 ? ALLOCATE_FILL : ALLOCATE_MISS;
        cfg.l1d_sets = SETS;
        cfg.l1d_miss_queue = 64;
        cfg.l1d_response_queue = 64;
        cfg.l1d_bypass_slots = 3;
        cfg.l1d_mshr = MSHR_KIND_UNLIMITED;
        rng = (n + 1) * UINT64_C(0x9e3779b97f4a7c15) | 1;
        make();
        run_random(fates);
        for (unsigned f = 0; f < FATES; f++)
            assert_true(fates[f] > 0);
        assert_true(ref.unkept > 0);
        end();
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_allocation_protects),
        cmocka_unit_test(a_hit_restarts_protection),
        cmocka_unit_test(a_merge_restarts_protection),
        cmocka_unit_test(an_updating_store_restarts_protection),
        cmocka_unit_test(a_store_to_a_pending_line_does_not),
        cmocka_unit_test(an_evicting_store_frees_the_way),
        cmocka_unit_test(every_access_to_the_set_counts),
        cmocka_unit_test(other_sets_do_not),
        cmocka_unit_test(refused_cycles_do_not),
        cmocka_unit_test(a_free_way_then_the_least_recently_used_unprotected_one),
        cmocka_unit_test(without_a_way_loads_go_past),
        cmocka_unit_test(a_line_that_is_partly_here),
        cmocka_unit_test(kept_stores_take_the_least_protected_way),
        cmocka_unit_test(a_fill_that_may_not_replace_is_not_kept),
        cmocka_unit_test(distance_one),
        cmocka_unit_test(a_scan_over_hot_lines),
        cmocka_unit_test(kernels_forget),
        cmocka_unit_test(random_accesses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
