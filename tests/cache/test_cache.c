// SPDX-License-Identifier: Apache-2.0
/* Tests of struct cache inside a minimal cache level. The level serves loads between an LSU and a
 * memory that the tests drive by hand. It shows what a level must implement itself: classify,
 * accept, respond and fill. */
#include "cache/cache.h"
#include "config/config.h"
#include "tests/test.h"

enum { SETS = 2, WAYS = 2, ENTRIES = 3, SLOTS = 2, MISS_QUEUE = 4, KERNELS = 2 };

static struct config cfg;
static struct context context;
static struct cache cache;
static struct stats stats, kernel[KERNELS];
static uint64_t cycle;
static uint32_t last_response;

#define COUNT(name) (stats.v[STAT_##name])

static const struct refusal_stats refusal_stats = {REFUSAL_STATS_OF(l1d, response_queue)};

static void make(void) {
    static struct stats *const kernel_stats[KERNELS] = {&kernel[0], &kernel[1]};
    struct error err;
    config_default(&cfg);
    cfg.l1d_mshr_entries = ENTRIES;
    cfg.l1d_mshr_slots = SLOTS;
    cfg.l1d_sets = SETS;
    cfg.l1d_ways = WAYS;
    cfg.l1d_miss_queue = MISS_QUEUE;
    const struct cache_size size = CACHE_SIZE_OF(&cfg, l1d, false, 8, 0);
    memset(&context, 0, sizeof context);
    memset(&stats, 0, sizeof stats);
    memset(kernel, 0, sizeof kernel);
    request_pool_init(&context.pool, 64);
    cache_init(&cache, &size, &context, &stats, &refusal_stats);
    assert_int_equal(cache_init_mshr(&cache, &size, "level.mshr", &err), 0);
    cache.kernel_stats = kernel_stats;
    cycle = 0;
    cache_step(&cache, cache.bank, cycle++, true); /* the reset cycle */
}

static void end(void) {
    assert_int_equal(context.fault, CONTEXT_OK);
    cache_free(&cache);
    request_pool_free(&context.pool);
}

/* ---- level ---- */

static enum cache_outcome plan_of(const struct request *r, struct cache_plan *plan) {
    plan->place = cache_find(&cache, (uint32_t)(r->line % SETS), r->line, r->line);
    if (plan->place.way != WAY_NONE && lines_hold(&cache.lines, plan->place.way, &r->mask))
        return CACHE_HIT;
    if (plan->place.miss != MISS_NONE)
        return CACHE_SECONDARY;
    return cache_plan_claim(&cache, plan, CACHE_PRIMARY, r, 1, 0);
}

static bool accept(const struct request *r, const struct cache_plan *plan) {
    const bool misses = plan->outcome == CACHE_PRIMARY || plan->outcome == CACHE_SECONDARY;
    const enum refusal why = plan->outcome == CACHE_REFUSED ? (enum refusal)plan->why
                             : misses                       ? cache_answer(cache.bank)
                                                            : REFUSE_NONE;
    if (why)
        return cache_refuse(&cache, r, why);
    if (!misses) {
        cache_touch(&cache, plan->place.way);
        return cache_accept(&cache);
    }
    assert_true(cache_agrees(&cache, cache.bank, plan));
    if (plan->claim)
        cache_claim(&cache, plan->place.way, r->line, r);
    const uint32_t number = request_take(&context.pool);
    *request_at(&context.pool, number) = *r;
    request_at(&context.pool, number)->next = REQUEST_NONE;
    cache_track(&cache, plan, number, r->line);
    return cache_accept(&cache);
}

/* Fills the line that the entry fetched. */
static void fill(uint32_t entry) {
    cache_begin_drain(&cache, entry);
    lines_fill(&cache.lines, cache.bank->drain.way, SECTORS_ALL, NULL);
}

/* Runs a cycle with a request, or NULL for none, and with the reply to the entry's fetch, or
 * MISS_NONE for no reply. Returns true if the request is accepted. */
static bool tick(const struct request *r, uint32_t reply) {
    struct cache_plan plan = {.outcome = CACHE_IDLE};
    bool accepted = false;
    if (r)
        plan.outcome = plan_of(r, &plan);
    if (plan.outcome == CACHE_PRIMARY || plan.outcome == CACHE_SECONDARY)
        cache_ask(&cache, r->line, mask_first(&r->mask), r->origin.load, false);
    if (reply != MISS_NONE)
        cache_return(&cache, reply);
    const uint32_t leaves = cache_step(&cache, cache.bank, cycle++, true);
    last_response = REQUEST_NONE;
    if (leaves != REQUEST_NONE) {
        last_response = request_at(&context.pool, leaves)->origin.load;
        request_give(&context.pool, leaves);
        if (cache.bank->mshr.out.rsp_last)
            cache_end_drain(&cache, cache.bank);
    }
    if (r)
        accepted = accept(r, &plan);
    if (reply != MISS_NONE && cache.bank->mshr.out.ret_ready)
        fill(reply);
    return accepted;
}

/* ---- tests ---- */

static struct request load_of(uint64_t line, uint16_t load, uint8_t k) {
    return (struct request){.line = line,
                            .mask = {{0xff, 0}},
                            .origin = {.load = load, .kernel = k},
                            .kind = REQUEST_LOAD};
}

static bool load(uint64_t line, uint16_t number, uint8_t k) {
    const struct request r = load_of(line, number, k);
    return tick(&r, MISS_NONE);
}

/* Takes the oldest fetch from the miss queue and replies to it. Returns the fetch's line. */
static uint64_t answer(void) {
    const struct request fetch = *request_at(&context.pool, ring_pop(&cache.miss_queue));
    assert_true(cache_expects(&cache, &fetch));
    tick(NULL, fetch.entry);
    return fetch.line;
}

static void a_miss_is_one_fetch_and_answers_all(void **state) {
    make();
    assert_true(load(4, 7, 0));
    assert_true(load(4, 8, 0));
    assert_int_equal(cache.miss_queue.count, 1);
    assert_int_equal(cache.misses.index.used, 1);
    assert_int_equal(answer(), 4);
    assert_int_equal(cache.misses.index.used, 0);
    tick(NULL, MISS_NONE);
    assert_int_equal(last_response, 7);
    tick(NULL, MISS_NONE);
    assert_int_equal(last_response, 8);
    assert_int_equal(cache.bank->drain.granule, GRANULE_NONE);
    assert_true(load(4, 9, 0)); /* a hit needs none of the missing resources */
    assert_int_equal(context.pool.in_use, 0);
    end();
}

/* Each exhausted resource has its own refusal, which is counted for the kernel of the waiting
 * request. */
static void what_a_miss_lacks_is_named(void **state) {
    make();
    assert_true(load(0, 1, 0));
    assert_true(load(0, 2, 0));
    assert_false(load(0, 3, 1)); /* both slots are in use */
    assert_int_equal(cache.refusals.last, REFUSE_MERGE_FULL);
    assert_true(load(2, 4, 0));
    assert_false(load(4, 5, 0)); /* both ways of set 0 have pending sectors */
    assert_int_equal(cache.refusals.last, REFUSE_WAY);
    assert_true(load(1, 6, 0));
    assert_false(load(3, 7, 1)); /* all three entries are in use */
    assert_int_equal(cache.refusals.last, REFUSE_ENTRY_FULL);
    assert_int_equal(COUNT(l1d_refusals), 3);
    assert_int_equal(kernel[0].v[STAT_l1d_refusals_no_way], 1);
    assert_int_equal(kernel[1].v[STAT_l1d_refusals_merge_full], 1);
    assert_int_equal(kernel[1].v[STAT_l1d_refusals_entry_full], 1);
    for (enum stat_id id = 0; id < STAT_COUNT; id++)
        assert_int_equal(stats.v[id], kernel[0].v[id] + kernel[1].v[id]);
    end();
}

static void a_full_miss_queue_refuses(void **state) {
    make();
    while (!ring_full(&cache.miss_queue))
        ring_push(&cache.miss_queue, request_take(&context.pool));
    assert_false(load(0, 1, 0));
    assert_int_equal(cache.refusals.last, REFUSE_MISS_QUEUE);
    end();
}

/* ---- policies ---- */

static unsigned claims, touches;

/* Chooses the most recently used way. */
static uint32_t most_recent(const void *policy, uint32_t set, const struct request *r) {
    const struct lines *t = policy;
    uint32_t best = WAY_NONE;
    (void)r;
    for (uint32_t way = set * t->ways; way < (set + 1) * t->ways; way++)
        if (t->line[way] == LINE_NONE)
            return way;
    for (uint32_t way = lines_oldest(t, set); way != WAY_NONE; way = lines_newer(t, set, way))
        if (!t->way[way].pending)
            best = way;
    return best;
}

static int share_lines(void **policy, const struct cache_policy_env *env, struct error *err) {
    (void)err;
    *policy = env->lines;
    return 0;
}

static void count_claim(void *policy, uint32_t way, const struct request *r) {
    (void)policy, (void)way, (void)r;
    claims++;
}

static void count_touch(void *policy, uint32_t way) {
    (void)policy, (void)way;
    touches++;
}

static const struct cache_policy mru = {.name = "mru",
                                        .create = share_lines,
                                        .victim = most_recent,
                                        .claim = count_claim,
                                        .touch = count_touch};

/* A victim policy chooses the victim, and the cache calls its claim and touch functions. */
static void a_policy_chooses_the_victim(void **state) {
    const struct cache_policy_env env = {.cfg = &cfg, .kernels = 1};
    struct error err;
    make();
    claims = touches = 0;
    assert_int_equal(cache_add_policy(&cache, &mru, &env, NULL, &err), 0);
    assert_ptr_equal(cache_policy_state(&cache, &mru), &cache.lines);
    for (uint64_t line = 0; line <= 2; line += 2) {
        assert_true(load(line, (uint16_t)line, 0));
        answer();
        tick(NULL, MISS_NONE);
    }
    assert_true(load(0, 9, 0)); /* line 0 is now the most recently used line and the next victim */
    assert_int_equal(touches, 1);
    assert_true(load(4, 10, 0));
    assert_int_equal(claims, 3);
    assert_int_equal(lines_find(&cache.lines, 0, 0), WAY_NONE);
    assert_true(lines_find(&cache.lines, 0, 2) != WAY_NONE);
    end();
}

static enum cache_use bypass_odd(void *policy, const struct request *r, uint64_t now) {
    (void)policy, (void)now;
    return r && r->line % 2 ? CACHE_BYPASS_ALL : CACHE_USE;
}

static const struct cache_policy odd = {.name = "odd", .use = bypass_odd};

static void a_policy_says_who_bypasses(void **state) {
    const struct cache_policy_env env = {.cfg = &cfg, .kernels = 1};
    struct request even = load_of(2, 0, 0), uneven = load_of(3, 0, 0);
    struct error err;
    make();
    assert_int_equal(cache_add_policy(&cache, &odd, &env, NULL, &err), 0);
    cache_begin_cycle(&cache, &even, cycle);
    assert_int_equal(cache.use, CACHE_USE);
    cache_begin_cycle(&cache, &uneven, cycle);
    assert_int_equal(cache.use, CACHE_BYPASS_ALL);
    even.bypass = true; /* the instruction's restriction overrides every policy */
    cache_begin_cycle(&cache, &even, cycle);
    assert_int_equal(cache.use, CACHE_BYPASS_ALL);
    end();
}

static struct cache_users no_users(const void *policy) {
    (void)policy;
    return (struct cache_users){false, 0};
}

static bool not_wanted(const struct cache_policy_env *env) {
    return env->kernels > 1;
}

/* A policy is rejected if one of its functions could never be called, or if another policy already
 * makes the same decision. Unused policies are not attached. */
static void a_policy_that_makes_no_sense_is_refused(void **state) {
    static const struct cache_policy touchy = {.name = "touchy", .touch = count_touch},
                                     numbered = {.name = "numbered", .users = no_users},
                                     mru_too = {.name = "mru_too", .victim = most_recent},
                                     missing = {.name = "missing", .misses_bypass = true},
                                     absent = {.name = "absent", .wanted = not_wanted};
    static const struct {
        const struct cache_policy *policy;
        const char *error; /* NULL if the policy is attached */
    } cases[] = {
        {&touchy, "policy touchy: begin, claim, touch or fill without victim"},
        {&numbered, "policy numbered: users without use"},
        {&mru, NULL},
        {&mru_too, "policies mru and mru_too both decide: use only one of them"},
        {&odd, NULL},
        {&missing, "policies odd and missing both decide: use only one of them"},
        {&absent, NULL},
    };
    const struct cache_policy_env env = {.cfg = &cfg, .kernels = 1};
    make();
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct error err = {0};
        const int bad = cache_add_policy(&cache, cases[i].policy, &env, NULL, &err);
        assert_int_equal(bad, cases[i].error ? -1 : 0);
        assert_string_equal(err.text, cases[i].error ? cases[i].error : "");
    }
    assert_int_equal(cache.policies.n_all, 2);
    end();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_miss_is_one_fetch_and_answers_all),
        cmocka_unit_test(what_a_miss_lacks_is_named),
        cmocka_unit_test(a_full_miss_queue_refuses),
        cmocka_unit_test(a_policy_chooses_the_victim),
        cmocka_unit_test(a_policy_says_who_bypasses),
        cmocka_unit_test(a_policy_that_makes_no_sense_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
