// SPDX-License-Identifier: Apache-2.0
/* Tests which users bypass an L1D, and the inputs of its bpg block. The L1D runs alone, with a spy
 * on the block. */
#include <stdio.h>

#include "tests/l1d/fixture.h"

#include "tests/mdb/spy.h"
#include "gpu/gpu.h"
#include "mdb/mdb.h"
#include "policy/policies.h"

#define K 3

static struct spy spy;

/* Configures an L1D with one set of two ways, and with its own bpg block of K calculators. */
static void local_defaults(void) {
    defaults();
    cfg.l1d_sets = 1;
    cfg.l1d_ways = 2;
    cfg.l1d_bypass = BYPASS_MDB_LOCAL;
    cfg.l1d_mdb_sampled_sets = 1;
    cfg.l1d_mdb_calculators = K;
    spy = (struct spy){0};
}

static struct mdb *mdb; /* the L1D's model-driven bypassing policy */

static void make_mdb(void) {
    make();
    mdb = cache_policy_state(&l1.cache, l1d_bypass_policy(&cfg));
    assert_non_null(mdb);
}

static void watch(void) {
    make_mdb();
    spy_on(&spy, &mdb->block.inst);
}

/* Creates the policy with a spy on its block, which is still in its reset cycle. */
static void watch_reset(void) {
    make_mdb();
    mdb_free(mdb);
    struct error err;
    assert_int_equal(mdb_init(mdb, &context.blocks, &cfg, 0, &err), 0);
    spy_on(&spy, &mdb->block.inst);
}

static struct request user_load(uint64_t line, uint32_t id, uint8_t user) {
    struct request a = access_of(line, false, id);
    a.origin.cta_warp = user;
    return a;
}

static bool load_of(uint8_t user, uint64_t line, uint32_t id) {
    const struct request a = user_load(line, id, user);
    return step(&a);
}

/* ---- users ---- */

static void expect_users(uint32_t grid, uint32_t fit, bool ctas, uint32_t n) {
    struct config c;
    config_default(&c);
    c.sm_count = 4;
    const struct kernel_launch l = {.grid = {grid, 1, 1}};
    const struct mdb_users u = mdb_users_of(&c, &l, fit, 6);
    if (u.ctas != ctas || u.n != n)
        fail_msg("%u CTAs, %u fit: %u %s", (unsigned)grid, (unsigned)fit, (unsigned)u.n,
                 u.ctas ? "CTAs" : "warps");
}

/* Checks whether the users are CTAs or warps, and their number, for four SMs and CTAs of six
 * warps. */
static void users_are_ctas_if_each_sm_gets_two(void **state) {
    expect_users(100, 1, false, 6);
    expect_users(100, 2, true, 2);
    expect_users(100, 8, true, 8);
    expect_users(8, 8, true, 2);
    expect_users(11, 8, true, 2);
    expect_users(7, 8, false, 6);
    expect_users(1, 8, false, 6);
}

static void a_grid_may_be_huge(void **state) {
    struct config c;
    config_default(&c);
    c.sm_count = 1;
    const struct kernel_launch l = {.grid = {UINT32_C(1) << 31, 65535, 2}};
    assert_int_equal(mdb_users_of(&c, &l, 5, 6).n, 5);
}

/* ---- static ---- */

static void the_first_users_use_the_l1d(void **state) {
    for (uint32_t users = 0; users <= 4; users++) {
        defaults();
        cfg.l1d_bypass = BYPASS_STATIC;
        cfg.l1d_cache_users = users;
        make();
        for (uint8_t user = 0; user < 6; user++) {
            assert_true(load_of(user, user, user));
            assert_int_equal(COUNT(l1d_bypasses), user < users ? 0 : user + 1 - users);
        }
        assert_int_equal(COUNT(l1d_primary_misses), users);
        assert_int_equal(COUNT(mdb_accesses), 0);
        end();
    }
}

static void past_user_leaves_lines_and_fetches_alone(void **state) {
    defaults();
    cfg.l1d_bypass = BYPASS_STATIC;
    cfg.l1d_cache_users = 1;
    cfg.l1d_write = L1D_WBWA;
    make();
    assert_true(load_of(0, 5, 1));
    assert_true(load_of(1, 5, 2)); /* the line is in flight, but the load does not merge */
    assert_int_equal(COUNT(l1d_bypasses), 1);
    answer(5, 0x11);
    expect_response(1, 5, 0x11);
    assert_true(load_of(1, 5, 3)); /* the line is present, but the load does not hit */
    assert_true(load_of(0, 5, 4));
    assert_int_equal(COUNT(l1d_bypasses), 2);
    assert_int_equal(COUNT(l1d_hits), 1);
    struct request a = user_load(9, 5, 1); /* user 1 bypasses in local memory, too */
    a.local = true;
    assert_true(step(&a));
    assert_int_equal(COUNT(l1d_bypasses), 3);
    a = access_of(5, true, 0); /* user 1's stores are kept like those of other users */
    a.origin.cta_warp = 1;
    assert_true(step(&a));
    assert_int_equal(COUNT(l1d_stores_kept), 1);
    assert_true(load_of(1, 5, 6)); /* hits, since only the L1D has the newest bytes */
    assert_int_equal(COUNT(l1d_hits), 2);
    idle(20);
    assert_int_equal(n_sent, 4);
    end();
}

static void slots_are_as_many_as_said(void **state) {
    static const struct { uint32_t slots, taken; } cases[] = {{2, 2}, {8, 8}, {0, 40}};
    for (unsigned i = 0; i < 3; i++) {
        defaults();
        cfg.l1d_bypass = BYPASS_STATIC;
        cfg.l1d_cache_users = 1;
        cfg.l1d_bypass_slots = cases[i].slots;
        make();
        unsigned taken = 0;
        for (unsigned n = 0; n < 40; n++)
            taken += load_of(1, n, n);
        assert_int_equal(taken, cases[i].taken);
        assert_int_equal(COUNT(l1d_refusals_bypass_limit), 40 - cases[i].taken);
        if (taken < 40) { /* after a reply, one more load may leave */
            push_reply(&sent[0], 0x77);
            idle(5);
            assert_true(load_of(1, 50, 50));
            assert_false(load_of(1, 51, 51));
        }
        end();
    }
}

/* ---- inputs of the block ---- */

static void expect_sent(enum bpg_op op, uint64_t line, uint8_t user) {
    assert_int_equal(spy.in.acc_valid, 1);
    assert_int_equal(spy.in.acc_op, op);
    assert_int_equal(spy.in.acc_addr, line);
    assert_int_equal(spy.in.acc_id, user);
    assert_int_equal(spy.in.fail, 0);
}

static void expect_nothing_sent(void) {
    assert_int_equal(spy.in.acc_valid, 0);
    assert_int_equal(spy.in.fail, 0);
}

static void expect_failure_sent(void) {
    assert_int_equal(spy.in.acc_valid, 0);
    assert_int_equal(spy.in.fail, 1);
}

static void accesses_are_told_by_what_they_do(void **state) {
    static const struct {
        int64_t write;
        bool local;
        enum bpg_op op;
    } stores[] = {{L1D_WTWN, false, BPG_UPDATE},     {L1D_WTWN, true, BPG_UPDATE},
                  {L1D_WEWN, false, BPG_EVICT},      {L1D_WEWN, true, BPG_EVICT},
                  {L1D_LOCAL_WB, false, BPG_UPDATE}, {L1D_LOCAL_WB, true, BPG_WRITE},
                  {L1D_WBWA, false, BPG_WRITE},      {L1D_WBWA, true, BPG_WRITE}};
    for (unsigned i = 0; i < sizeof stores / sizeof stores[0]; i++) {
        local_defaults();
        cfg.l1d_write = stores[i].write;
        watch();
        struct request a = access_of(0x123456789a, true, 0);
        a.local = stores[i].local;
        a.origin.cta_warp = 2;
        assert_true(step(&a));
        expect_sent(stores[i].op, 0x123456789a, 2);
        a = user_load(7, 1, 5);
        assert_true(step(&a));
        expect_sent(BPG_LOAD, 7, 5);
        a.bypass = true;
        assert_true(step(&a));
        expect_sent(BPG_PASS, 7, 5);
        idle(3); /* empties the miss queue */
        expect_nothing_sent();
        a = access_of(8, false, 2);
        a.kind = REQUEST_ATOMIC;
        assert_true(step(&a));
        expect_sent(BPG_EVICT, 8, 0);
        idle(1);
        expect_nothing_sent();
        assert_int_equal(COUNT(mdb_accesses), 4);
        end();
    }
}

/* bpg also sees bypassing accesses. */
static void bpg_sees_bypassing_accesses(void **state) {
    local_defaults();
    watch();
    spy_limit(&spy, 1);
    assert_true(load_of(1, 4, 1));
    assert_int_equal(COUNT(l1d_bypasses), 1);
    expect_sent(BPG_LOAD, 4, 1);
    end();
}

static void a_full_set_and_a_full_miss_queue_are_failures(void **state) {
    local_defaults();
    watch();
    assert_true(load_of(0, 0, 0) && load_of(0, 1, 1));
    assert_false(load_of(0, 2, 2));
    assert_int_equal(COUNT(l1d_refusals_no_way), 1);
    expect_failure_sent();
    struct request a = user_load(3, 3, 0); /* a load of user 0 that is marked to bypass */
    a.bypass = true;
    net_stands = true;
    while (step(&a))
        expect_sent(BPG_PASS, 3, 0);
    assert_int_equal(COUNT(l1d_refusals_bypass_queue), 1);
    expect_nothing_sent();
    assert_false(store(4)); /* a store does not bypass */
    expect_failure_sent();
    spy_limit(&spy, 1);
    a = access_of(4, true, 0); /* a store of a bypassing user does */
    a.origin.cta_warp = 1;
    assert_false(step(&a));
    expect_nothing_sent();
    a = user_load(5, 5, 1);
    assert_false(step(&a));
    expect_nothing_sent();
    assert_int_equal(COUNT(l1d_refusals_miss_queue), 1);
    assert_int_equal(COUNT(l1d_refusals_bypass_queue), 3);
    assert_int_equal(COUNT(mdb_failures), 2);
    end();
}

static void a_full_mshr_is_a_failure(void **state) {
    local_defaults();
    cfg.l1d_ways = 16;
    cfg.l1d_miss_queue = 16;
    cfg.l1d_mshr_entries = cfg.l1d_mshr_slots = 2;
    watch();
    assert_true(load_of(0, 0, 0) && load_of(0, 0, 1));
    assert_false(load_of(0, 0, 2));
    assert_int_equal(COUNT(l1d_refusals_merge_full), 1);
    expect_failure_sent();
    assert_true(load_of(0, 1, 3));
    assert_false(load_of(0, 2, 4));
    assert_int_equal(COUNT(l1d_refusals_entry_full), 1);
    expect_failure_sent();
    end();
}

static void other_refusals_are_none(void **state) {
    local_defaults();
    cfg.l1d_bypass_slots = 1;
    cfg.l1d_response_queue = 1;
    cfg.l1d_hit_latency = 1;
    watch();
    assert_true(load_of(0, 0, 0));
    assert_true(store(0)); /* poisons the line's miss */
    assert_false(load_of(0, 0, 1));
    assert_int_equal(COUNT(l1d_refusals_order), 1);
    expect_nothing_sent();
    answer(0, 1);
    expect_response(0, 0, 1);
    spy_limit(&spy, 1);
    assert_true(load_of(1, 2, 2));
    assert_false(load_of(1, 3, 3));
    assert_int_equal(COUNT(l1d_refusals_bypass_limit), 1);
    expect_nothing_sent();
    spy_limit(&spy, K);
    idle(10);
    assert_true(load_of(0, 5, 4));
    answer(5, 2);
    expect_response(4, 5, 2);
    while (load_of(0, 5, 6))
        expect_sent(BPG_LOAD, 5, 0);
    assert_int_equal(COUNT(l1d_refusals_response_queue), 1);
    expect_nothing_sent();
    assert_int_equal(COUNT(mdb_failures), 0);
    end();
}

/* A repeated refusal is counted as if every cycle were ticked. */
static void standing_refusals_are_failures_too(void **state) {
    struct bpg_out ticked = {0}, repeated = {0};
    uint64_t failures[2];
    for (int repeat = 0; repeat < 2; repeat++) {
        local_defaults();
        make_mdb();
        assert_true(load_of(0, 0, 0) && load_of(0, 1, 1));
        idle(10);
        assert_false(load_of(0, 2, 2));
        assert_false(load_of(0, 2, 2));
        const struct request waits = user_load(2, 2, 0);
        assert_int_equal(l1d_next_event(&l1, &waits, cycle), UINT64_MAX);
        if (repeat)
            l1d_advance(&l1, &waits, 37);
        for (unsigned n = 0; !repeat && n < 37; n++)
            assert_false(load_of(0, 2, 2));
        cycle += repeat ? 37 : 0;
        answer(0, 1);
        while (!load_of(0, 2, 2))
            ;
        idle(2);
        bpg_type.observe(mdb->block.inst.model, &mdb->in, repeat ? &repeated : &ticked);
        failures[repeat] = COUNT(mdb_failures);
        l1d_take_response(&l1);
        end();
    }
    assert_int_equal(failures[0], ticked.st_fails);
    assert_int_equal(failures[1], failures[0]);
    assert_true(ticked.st_fails >= 40);
    assert_int_equal(ticked.st_count, 3);
    assert_memory_equal(&ticked, &repeated, sizeof ticked);
}

/* With l1d.mdb_failures=accesses, an access that waits is reported as one failure, and the next
 * waiting access as another one. Skipped cycles are not reported. */
static void an_access_may_be_one_failure(void **state) {
    local_defaults();
    cfg.l1d_mdb_failures = FAILURES_ACCESSES;
    watch();
    for (uint64_t n = 0; n < 2; n++) {
        assert_true(load_of(0, 3 * n, 0) && load_of(0, 3 * n + 1, 1));
        assert_false(load_of(0, 3 * n + 2, 2));
        expect_failure_sent();
        assert_false(load_of(0, 3 * n + 2, 2));
        expect_nothing_sent();
        const struct request waits = user_load(3 * n + 2, 2, 0);
        l1d_advance(&l1, &waits, 10);
        cycle += 10;
        assert_int_equal(COUNT(mdb_failures), n + 1);
        answer(3 * n, 1);
        answer(3 * n + 1, 1);
        idle(30);
        while (l1d_response(&l1) != REQUEST_NONE)
            l1d_take_response(&l1);
        idle(30);
        while (l1d_response(&l1) != REQUEST_NONE)
            l1d_take_response(&l1);
        /* accepted, so the next waiting access is reported */
        assert_true(load_of(0, 3 * n + 2, 2));
        answer(3 * n + 2, 1);
        idle(30);
        l1d_take_response(&l1);
    }
    assert_int_equal(COUNT(l1d_refusals_no_way), 24);
    end();
}

/* ---- outputs of the block ---- */

/* The block's output decides at the start of the cycle, whatever the model's state is. */
static void the_answer_counts_in_its_cycle(void **state) {
    local_defaults();
    watch();
    assert_true(load_of(1, 0, 0));
    assert_int_equal(COUNT(l1d_primary_misses), 1);
    spy_limit(&spy, 1);
    assert_true(load_of(1, 0, 1));
    assert_int_equal(spy.in.ask_id, 1);
    assert_int_equal(COUNT(l1d_bypasses), 1);
    assert_true(load_of(0, 0, 2));
    assert_int_equal(COUNT(l1d_secondary_misses), 1);
    spy_limit(&spy, K); /* all users may use the L1D, including those from K on */
    assert_true(load_of(200, 0, 3));
    assert_int_equal(COUNT(l1d_secondary_misses), 2);
    end();
}

/* The outputs of a block in its reset cycle have power-up values and are ignored. */
static void a_block_in_reset_says_nothing(void **state) {
    local_defaults();
    watch_reset();
    spy_limit(&spy, 1);
    spy.update = 1;
    assert_true(load_of(1, 0, 0));
    assert_int_equal(spy.in.rst, 1);
    assert_int_equal(mdb->limit, K);
    assert_int_equal(COUNT(l1d_primary_misses), 1);
    assert_int_equal(COUNT(mdb_decisions), 0);
    assert_true(load_of(1, 0, 1));
    assert_int_equal(spy.in.rst, 0);
    assert_int_equal(mdb->limit, 1);
    assert_int_equal(COUNT(l1d_bypasses), 1);
    assert_int_equal(COUNT(mdb_decisions), 1);
    end();
}

/* In the cycle of a launch, all users use the L1D, and a decision that the block outputs is
 * dropped. */
static void a_launch_lets_everybody_in(void **state) {
    local_defaults();
    watch();
    spy_limit(&spy, 1);
    spy.update = 1;
    mdb_launch(mdb, &(struct mdb_users){false, 7});
    assert_true(load_of(1, 0, 0));
    assert_int_equal(spy.in.launch, 1);
    assert_int_equal(mdb->limit, K);
    assert_int_equal(COUNT(l1d_primary_misses), 1);
    assert_int_equal(COUNT(mdb_decisions), 0);
    assert_true(load_of(1, 0, 1));
    assert_int_equal(COUNT(l1d_bypasses), 1);
    end();
}

/* The block sees a launch in the launch's cycle. From that cycle on, the block's table is written,
 * one entry per cycle. Another launch restarts the writing at the first entry. */
static void a_launch_writes_the_table(void **state) {
    local_defaults();
    watch();
    const struct mdb_users of[] = {{false, 7}, {true, 2}};
    mdb_launch(mdb, &of[0]);
    idle(1);
    assert_int_equal(spy.in.launch, 1);
    mdb_launch(mdb, &of[1]);
    for (unsigned k = 1; k <= K; k++) {
        assert_int_equal(mdb_next_event(mdb), 0);
        idle(1);
        assert_int_equal(spy.in.launch, k == 1);
        assert_int_equal(spy.in.cube_valid, 1);
        assert_int_equal(spy.in.cube_index, k - 1);
        assert_int_equal(spy.in.cube_value, bpg_cube(k, 2));
    }
    idle(1);
    assert_int_equal(spy.in.cube_valid, 0);
    assert_int_equal(mdb_user(mdb, 3, 9), 3);
    mdb_launch(mdb, &of[0]);
    assert_int_equal(mdb_user(mdb, 3, 9), 9);
    end();
}

/* Without a probe, a block that has nothing to do is not ticked. */
static void a_block_without_work_sleeps(void **state) {
    local_defaults();
    make_mdb();
    assert_true(mdb_next_event(mdb) != 0);
    assert_int_equal(l1d_next_event(&l1, NULL, cycle), UINT64_MAX);
    const struct mdb_users of = {false, 7};
    mdb_launch(mdb, &of);
    for (unsigned k = 1; k <= K; k++) {
        assert_int_equal(l1d_next_event(&l1, NULL, cycle), cycle);
        idle(1);
    }
    assert_int_equal(l1d_next_event(&l1, NULL, cycle), UINT64_MAX);
    assert_true(store(3));
    assert_int_equal(mdb_next_event(mdb), 0); /* the block looks up the access */
    idle(1);
    assert_true(mdb_next_event(mdb) != 0);
    end();
}

/* ---- configurations ---- */

static void refuses(const char *const set[], const char *why) {
    struct config c;
    struct error err;
    config_default(&c);
    for (; *set; set++)
        assert_int_equal(config_override(&c, NULL, *set, &err), 0);
    assert_int_equal(gpu_check(&c, &err), -1);
    assert_string_equal(err.text, why);
}

#define REFUSES(why, ...) refuses((const char *const[]){__VA_ARGS__, NULL}, why)

static void what_cannot_be_is_refused(void **state) {
    REFUSES("l1d.bypass=static needs l1d.enabled=yes, not no", "l1d.bypass=static",
            "l1d.enabled=no");
    REFUSES("l1d.bypass=mdb_local needs l1d.enabled=yes, not no", "l1d.bypass=mdb_local",
            "l1d.enabled=no");
    REFUSES("l1d.bypass=mdb_global needs sm.coalesce=line or segment, not sector",
            "l1d.bypass=mdb_global", "sm.coalesce=sector");
    REFUSES("l1d.bypass=mdb_local needs at most 16 ways per set, not l1d.ways=17",
            "l1d.bypass=mdb_local", "l1d.ways=17");
    REFUSES("l1d.bypass=mdb_local needs a power-of-two number of sets, not l1d.sets=48",
            "l1d.bypass=mdb_local", "l1d.sets=48");
    REFUSES("l1d.bypass=mdb_local needs a set index that with the tag determines the line, not "
            "l1d.set_index=pmod",
            "l1d.bypass=mdb_local", "l1d.set_index=pmod");
    REFUSES("l1d.bypass=mdb_global needs a set index that with the tag determines the line, not "
            "l1d.set_index=a_prime",
            "l1d.bypass=mdb_global", "l1d.set_index=a_prime");
    REFUSES("l1d.bypass=mdb_local needs a set index that with the tag determines the line, not "
            "l1d.set_index=ipoly_sum",
            "l1d.bypass=mdb_local", "l1d.set_index=ipoly_sum");
    REFUSES("l1d.mdb_sampled_sets=3 is not a power of two", "l1d.bypass=mdb_local",
            "l1d.mdb_sampled_sets=3");
    REFUSES("l1d.mdb_sampled_sets=64 is above l1d.sets=32", "l1d.bypass=mdb_local",
            "l1d.mdb_sampled_sets=64");
    REFUSES(
        "l1d.mdb_scale=yes needs at least one sampled set in 128, not l1d.mdb_sampled_sets=1 of "
        "l1d.sets=256",
        "l1d.bypass=mdb_local", "l1d.sets=256", "l1d.mdb_sampled_sets=1");
    REFUSES(
        "l1d.mdb_scale=yes needs at least one sampled set in 128, not l1d.mdb_sampled_sets=16 of "
        "l1d.sets=4096",
        "l1d.bypass=mdb_local", "l1d.sets=4096", "l1d.mdb_sampled_sets=16");
    REFUSES("l1d.bypass=mdb_global needs l1d.mdb_interval of at least l1d.mdb_calculators + 4, not "
            "19 and 16",
            "l1d.bypass=mdb_global", "l1d.mdb_interval=19", "l1d.mdb_calculators=16");
}

/* One set in 128, the smallest share, may be sampled. */
static void one_set_in_128_may_be_sampled(void **state) {
    struct config c;
    struct error err;
    config_default(&c);
    c.l1d_bypass = BYPASS_MDB_LOCAL;
    c.l1d_sets = 4096;
    c.l1d_mdb_sampled_sets = 32;
    assert_int_equal(gpu_check(&c, &err), 0);
    assert_int_equal(mdb_params(&c).v[BPG_HIT_SCALE], 7);
}

/* Tests each key at its limits. The block must accept every value that config_check accepts. */
static void what_is_legal_the_block_takes(void **state) {
    static const char *const ends[][4] = {
        {"l1d.sets=1", "l1d.sets=64", "l1d.sets=48", "l1d.sets=4096"},
        {"l1d.ways=1", "l1d.ways=16", "l1d.ways=17"},
        {"l1d.set_index=bmod", "l1d.set_index=bxor", "l1d.set_index=fermi"},
        {"l1d.mdb_sampled_sets=1", "l1d.mdb_sampled_sets=6", "l1d.mdb_sampled_sets=64"},
        {"l1d.mdb_calculators=1", "l1d.mdb_calculators=16"},
        {"l1d.mdb_interval=4", "l1d.mdb_interval=20", "l1d.mdb_interval=1048575"},
        {"l1d.mdb_scale=no", "l1d.mdb_scale=yes"},
        {"sm.warps=4", "sm.warps=96"},
        {"sm.ctas=1", "sm.ctas=32"},
    };
    unsigned n_ends = sizeof ends / sizeof ends[0], legal = 0, all = 0;
    unsigned at[sizeof ends / sizeof ends[0]] = {0};
    for (unsigned i = 0; i < n_ends; all++) {
        struct config c;
        struct error err;
        config_default(&c);
        c.l1d_bypass = BYPASS_MDB_LOCAL;
        for (unsigned k = 0; k < n_ends; k++)
            assert_int_equal(config_override(&c, NULL, ends[k][at[k]], &err), 0);
        if (gpu_check(&c, &err) == 0) {
            const struct block_params p = mdb_params(&c);
            legal++;
            assert_int_equal(block_params_check(&bpg_type, &p, &err), 0);
            assert_true(1 << p.v[BPG_ID_W] >= c.sm_warps && 1 << p.v[BPG_ID_W] >= c.sm_ctas);
        }
        for (i = 0; i < n_ends && (++at[i] == 4 || !ends[i][at[i]]); i++)
            at[i] = 0;
    }
    assert_true(legal > all / 20 && legal < all);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(users_are_ctas_if_each_sm_gets_two),
        cmocka_unit_test(a_grid_may_be_huge),
        cmocka_unit_test(the_first_users_use_the_l1d),
        cmocka_unit_test(past_user_leaves_lines_and_fetches_alone),
        cmocka_unit_test(slots_are_as_many_as_said),
        cmocka_unit_test(accesses_are_told_by_what_they_do),
        cmocka_unit_test(bpg_sees_bypassing_accesses),
        cmocka_unit_test(a_full_set_and_a_full_miss_queue_are_failures),
        cmocka_unit_test(a_full_mshr_is_a_failure),
        cmocka_unit_test(other_refusals_are_none),
        cmocka_unit_test(standing_refusals_are_failures_too),
        cmocka_unit_test(an_access_may_be_one_failure),
        cmocka_unit_test(the_answer_counts_in_its_cycle),
        cmocka_unit_test(a_block_in_reset_says_nothing),
        cmocka_unit_test(a_launch_lets_everybody_in),
        cmocka_unit_test(a_launch_writes_the_table),
        cmocka_unit_test(a_block_without_work_sleeps),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(one_set_in_128_may_be_sampled),
        cmocka_unit_test(what_is_legal_the_block_takes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
