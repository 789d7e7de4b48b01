// SPDX-License-Identifier: Apache-2.0
/* Tests of policies in an L2 bank: the victim (l2.replacement=srrip), and loads that a policy
 * makes bypass in any state of the line. */
#include "tests/l2/bank.h"
#include "policy/policies.h"

enum { WAYS = 4, LINES = 8 };

/* Runs one load from its request to its reply. Returns true if it hit. */
static bool load_alone(uint64_t line) {
    const uint64_t hits = COUNT(l2_hits);
    load(line, 1);
    expect_load_reply(1, untouched(line));
    settle();
    return COUNT(l2_hits) > hits;
}

/* ---- SRRIP as in the paper ---- */

static uint64_t held[WAYS];
static int prediction[WAYS];

static bool paper_hits(uint64_t line) {
    int way = 0;
    for (way = 0; way < WAYS; way++)
        if (held[way] == line) {
            prediction[way] = 0;
            return true;
        }
    for (way = 0; way < WAYS && held[way] != LINE_NONE; way++)
        ;
    while (way == WAYS) {
        for (way = 0; way < WAYS && prediction[way] != 3; way++)
            ;
        for (int i = 0; i < WAYS && way == WAYS; i++)
            prediction[i]++;
    }
    held[way] = line;
    prediction[way] = 2;
    return false;
}

static void lines_leave_as_the_paper_says(void **state) {
    uint32_t random = 1, hits = 0;
    for (int allocate = ALLOCATE_MISS; allocate <= ALLOCATE_FILL; allocate++) {
        defaults();
        cfg.l2_ways = WAYS;
        cfg.l2_allocate = allocate;
        cfg.l2_replacement = L2_REPLACEMENT_SRRIP;
        make();
        for (int way = 0; way < WAYS; way++)
            held[way] = LINE_NONE;
        for (int n = 0; n < 400; n++) {
            random = random * 1664525 + 1013904223;
            const uint64_t line = (random >> 16) % (n % 3 ? LINES : 3);
            const bool hit = paper_hits(line);
            hits += hit;
            assert_int_equal(load_alone(line), hit);
            for (int way = 0; way < WAYS; way++)
                assert_true(l2.cache.lines.line[way] == held[way]);
        }
        end();
    }
    assert_true(hits > 100);
}

/* Lines that are used once do not replace a line that was used twice. */
static void a_scan_leaves_lines_in_use(void **state) {
    for (int replacement = L2_REPLACEMENT_LRU; replacement <= L2_REPLACEMENT_SRRIP; replacement++) {
        defaults();
        cfg.l2_replacement = replacement;
        make();
        load_alone(1);
        load_alone(1);
        for (uint64_t line = 10; line < 16; line++)
            load_alone(line);
        assert_int_equal(load_alone(1), replacement == L2_REPLACEMENT_SRRIP);
        end();
    }
}

/* ---- a test bypass policy: loads of odd lines ---- */

static enum cache_use bypass_odd(void *policy, const struct request *r, uint64_t now) {
    (void)policy;
    assert_int_equal(now, cycle);
    return r->line % 2 ? CACHE_BYPASS_ALL : CACHE_USE;
}

static const struct cache_policy odd = {.name = "odd", .use = bypass_odd},
                                 missing = {.name = "missing", .misses_bypass = true};

static void make_with(const struct cache_policy *policy) {
    const struct cache_policy_env env = {.cfg = &cfg, .map = &map, .kernels = 1};
    struct error err;
    defaults();
    dram_of_lines(1);
    make();
    assert_int_equal(cache_add_policy(&l2.cache, policy, &env, NULL, &err), 0);
}

static void a_policy_keeps_loads_out(void **state) {
    make_with(&odd);
    for (uint64_t line = 4; line < 8; line++)
        load_alone(line);
    assert_int_equal(COUNT(l2_bypasses), 2);
    assert_true(way_of(4) != WAY_NONE && way_of(5) == WAY_NONE);
    store(5, 2, 0x77); /* the store is kept, and the way has the newest bytes from then on */
    expect_store_reply(2);
    load(5, 3);
    expect_load_reply(3, 0x77);
    assert_int_equal(COUNT(l2_bypasses), 2);
    end();
}

static void a_policy_keeps_misses_out(void **state) {
    make_with(&missing);
    store(5, 1, 0x77);
    expect_store_reply(1);
    load(5, 2); /* the load hits */
    expect_load_reply(2, 0x77);
    load_alone(6);
    assert_int_equal(COUNT(l2_bypasses), 1);
    assert_int_equal(way_of(6), WAY_NONE);
    end();
}

/* A store that hits a clean line waits if it would change the result of a load that still waits
 * for DRAM. */
static void a_store_waits_for_an_older_load(void **state) {
    make_with(&odd);
    l2.cache.policies.asked = false; /* line 5 allocates */
    load_alone(5);
    l2.cache.policies.asked = true;
    dram_stands = true;
    /* the channel has an entry only for the first of the two loads */
    for (uint16_t id = 1; id <= 2; id++)
        load(id == 1 ? 7 : 5, id);
    store(5, 3, 0x77);
    steps(20);
    assert_int_equal(l2.cache.miss_queue.count, 1);
    assert_true(COUNT(l2_refusals_order) > 5);
    dram_stands = false;
    expect_store_reply(3); /* the reply arrives after the load has left for DRAM */
    expect_load_reply(1, untouched(7));
    expect_load_reply(2, untouched(5));
    end();
}

/* A policy that needs launches or the crossbar is not accepted for an L2 bank. */
static void policies_of_banks_need_no_sm(void **state) {
    for (uint32_t k = L1D_POLICY_KEYS; k < POLICY_KEYS; k++)
        for (uint32_t i = 1; i < policy_keys[k].values; i++) {
            const struct cache_policy *p = policy_keys[k].value[i];
            assert_false(p->leads || p->launch || p->users || p->send || p->reply);
        }
    for (uint32_t k = 0; k < POLICY_KEYS; k++)
        for (uint32_t i = 1; i < policy_keys[k].values; i++)
            assert_true(policy_keys[k].value[i]->doc[0] != 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_leave_as_the_paper_says),
        cmocka_unit_test(a_scan_leaves_lines_in_use),
        cmocka_unit_test(a_policy_keeps_loads_out),
        cmocka_unit_test(a_policy_keeps_misses_out),
        cmocka_unit_test(a_store_waits_for_an_older_load),
        cmocka_unit_test(policies_of_banks_need_no_sm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
