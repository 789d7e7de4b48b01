// SPDX-License-Identifier: Apache-2.0
/* Which users bypass an L1D, and what its bpg sees: an L1D alone, with a spy on the block. */
#include <stdio.h>

#include "tests/l1d/fixture.h"

#include "tests/mdb/spy.h"
#include "gpu/gpu.h"
#include "mdb/mdb.h"
#include "policy/policies.h"

#define K 3

static struct spy spy;

/* An L1D of one set of two ways with its own block of K calculators. */
static void local_defaults(void) {
    defaults();
    cfg.l1d_sets = 1;
    cfg.l1d_ways = 2;
    cfg.l1d_bypass = BYPASS_MDB_LOCAL;
    cfg.l1d_mdb_sampled = 1;
    cfg.l1d_mdb_calculators = K;
    spy = (struct spy){0};
}

static struct mdb *mdb; /* of the L1D */

static void make_mdb(void) {
    make();
    mdb = cache_policy_state(&l1.cache, l1d_bypass_policy(&cfg));
    assert_non_null(mdb);
}

static void watch(void) {
    make_mdb();
    spy_on(&spy, &mdb->block.inst);
}

/* From its first cycle on. */
static void watch_reset(void) {
    make_mdb();
    mdb_free(mdb);
    char err[200];
    assert_int_equal(mdb_init(mdb, &context.blocks, &cfg, 0, err, sizeof err), 0);
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

static void expect_users(const char *unit, uint32_t grid, uint32_t fit, bool ctas, uint32_t n) {
    struct config c;
    char err[100], set[50];
    config_default(&c);
    c.sm_count = 4;
    snprintf(set, sizeof set, "l1d.bypass_unit=%s", unit);
    assert_int_equal(config_override(&c, NULL, set, err, sizeof err), 0);
    const struct kernel_launch l = {.grid = {grid, 1, 1}};
    const struct mdb_users u = mdb_users_of(&c, &l, fit, 6);
    if (u.ctas != ctas || u.n != n)
        fail_msg("%s, %u CTAs, %u fit: %u %s", unit, (unsigned)grid, (unsigned)fit, (unsigned)u.n,
                 u.ctas ? "CTAs" : "warps");
}

/* On four SMs, CTAs of six warps. */
static void users_are_ctas_if_each_sm_gets_two(void **state) {
    (void)state;
    expect_users("auto", 100, 1, false, 6);
    expect_users("auto", 100, 2, true, 2);
    expect_users("auto", 100, 8, true, 8);
    expect_users("auto", 8, 8, true, 2);
    expect_users("auto", 11, 8, true, 2);
    expect_users("auto", 7, 8, false, 6);
    expect_users("auto", 1, 8, false, 6);
    expect_users("warp", 100, 8, false, 6);
    expect_users("cta", 100, 8, true, 8);
    expect_users("cta", 7, 8, true, 1);
    expect_users("cta", 3, 8, true, 1);
}

static void a_grid_may_be_huge(void **state) {
    (void)state;
    struct config c;
    config_default(&c);
    c.sm_count = 1;
    const struct kernel_launch l = {.grid = {UINT32_C(1) << 31, 65535, 2}};
    assert_int_equal(mdb_users_of(&c, &l, 5, 6).n, 5);
}

/* ---- static ---- */

static void the_first_users_use_the_l1d(void **state) {
    (void)state;
    for (uint32_t users = 0; users <= 4; users++) {
        defaults();
        cfg.l1d_bypass = BYPASS_STATIC;
        cfg.l1d_cache_users = users;
        make();
        for (uint8_t user = 0; user < 6; user++) {
            assert_true(load_of(user, user, user));
            assert_int_equal(COUNT(l1d_bypassed), user < users ? 0 : user + 1 - users);
        }
        assert_int_equal(COUNT(l1d_primary), users);
        assert_int_equal(COUNT(mdb_accesses), 0);
        end();
    }
}

static void past_user_leaves_lines_and_fetches_alone(void **state) {
    (void)state;
    defaults();
    cfg.l1d_bypass = BYPASS_STATIC;
    cfg.l1d_cache_users = 1;
    cfg.l1d_write = L1D_WBWA;
    make();
    assert_true(load_of(0, 5, 1));
    assert_true(load_of(1, 5, 2)); /* on its way: not merged */
    assert_int_equal(COUNT(l1d_bypassed), 1);
    answer(5, 0x11);
    expect_response(1, 5, 0x11);
    assert_true(load_of(1, 5, 3)); /* here: not a hit */
    assert_true(load_of(0, 5, 4));
    assert_int_equal(COUNT(l1d_bypassed), 2);
    assert_int_equal(COUNT(l1d_hits), 1);
    struct request a = user_load(9, 5, 1); /* local memory too */
    a.local = true;
    assert_true(step(&a));
    assert_int_equal(COUNT(l1d_bypassed), 3);
    a = access_of(5, true, 0); /* its stores are kept as those of the others */
    a.origin.cta_warp = 1;
    assert_true(step(&a));
    assert_int_equal(COUNT(l1d_stores_kept), 1);
    assert_true(load_of(1, 5, 6)); /* no newer bytes anywhere */
    assert_int_equal(COUNT(l1d_hits), 2);
    idle(20);
    assert_int_equal(n_sent, 4);
    end();
}

static void slots_are_as_many_as_said(void **state) {
    (void)state;
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
        assert_int_equal(COUNT(l1d_rf_bypass), 40 - cases[i].taken);
        if (taken < 40) { /* one comes back: one may go */
            push_reply(&sent[0], 0x77);
            idle(5);
            assert_true(load_of(1, 50, 50));
            assert_false(load_of(1, 51, 51));
        }
        end();
    }
}

/* ---- what the block is told ---- */

static void told(enum bpg_op op, uint64_t line, uint8_t user) {
    assert_int_equal(spy.in.acc_valid, 1);
    assert_int_equal(spy.in.acc_op, op);
    assert_int_equal(spy.in.acc_addr, line);
    assert_int_equal(spy.in.acc_id, user);
    assert_int_equal(spy.in.fail, 0);
}

static void told_nothing(void) {
    assert_int_equal(spy.in.acc_valid, 0);
    assert_int_equal(spy.in.fail, 0);
}

static void told_failure(void) {
    assert_int_equal(spy.in.acc_valid, 0);
    assert_int_equal(spy.in.fail, 1);
}

static void accesses_are_told_by_what_they_do(void **state) {
    (void)state;
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
        told(stores[i].op, 0x123456789a, 2);
        a = user_load(7, 1, 5);
        assert_true(step(&a));
        told(BPG_LOAD, 7, 5);
        a.bypass = true;
        assert_true(step(&a));
        told(BPG_PASS, 7, 5);
        idle(3); /* the miss queue empties */
        told_nothing();
        a = access_of(8, false, 2);
        a.kind = REQUEST_ATOMIC;
        assert_true(step(&a));
        told(BPG_EVICT, 8, 0);
        idle(1);
        told_nothing();
        assert_int_equal(COUNT(mdb_accesses), 4);
        end();
    }
}

/* bpg sees bypassing accesses like all others. */
static void bpg_sees_bypassing_accesses(void **state) {
    (void)state;
    local_defaults();
    watch();
    spy_limit(&spy, 1);
    assert_true(load_of(1, 4, 1));
    assert_int_equal(COUNT(l1d_bypassed), 1);
    told(BPG_LOAD, 4, 1);
    end();
}

static void a_full_set_and_a_full_miss_queue_are_failures(void **state) {
    (void)state;
    local_defaults();
    watch();
    assert_true(load_of(0, 0, 0) && load_of(0, 1, 1));
    assert_false(load_of(0, 2, 2));
    assert_int_equal(COUNT(l1d_rf_line), 1);
    told_failure();
    struct request a = user_load(3, 3, 0); /* a marked one bypasses */
    a.bypass = true;
    net_stands = true;
    while (step(&a))
        told(BPG_PASS, 3, 0);
    assert_int_equal(COUNT(l1d_rf_bypass_queue), 1);
    told_nothing();
    assert_false(store(4)); /* a store uses the L1D, */
    told_failure();
    spy_limit(&spy, 1);
    a = access_of(4, true, 0); /* unless its user bypasses */
    a.origin.cta_warp = 1;
    assert_false(step(&a));
    told_nothing();
    a = user_load(5, 5, 1);
    assert_false(step(&a));
    told_nothing();
    assert_int_equal(COUNT(l1d_rf_miss_queue), 1);
    assert_int_equal(COUNT(l1d_rf_bypass_queue), 3);
    assert_int_equal(COUNT(mdb_failures), 2);
    end();
}

static void a_full_mshr_is_a_failure(void **state) {
    (void)state;
    local_defaults();
    cfg.l1d_ways = 16;
    cfg.l1d_miss_queue = 16;
    cfg.l1d_mshr_entries = cfg.l1d_mshr_slots = 2;
    watch();
    assert_true(load_of(0, 0, 0) && load_of(0, 0, 1));
    assert_false(load_of(0, 0, 2));
    assert_int_equal(COUNT(l1d_rf_merge_full), 1);
    told_failure();
    assert_true(load_of(0, 1, 3));
    assert_false(load_of(0, 2, 4));
    assert_int_equal(COUNT(l1d_rf_entry_full), 1);
    told_failure();
    end();
}

static void other_refusals_are_none(void **state) {
    (void)state;
    local_defaults();
    cfg.l1d_bypass_slots = 1;
    cfg.l1d_rsp_queue = 1;
    cfg.l1d_hit_latency = 1;
    watch();
    assert_true(load_of(0, 0, 0));
    assert_true(store(0)); /* poisons it */
    assert_false(load_of(0, 0, 1));
    assert_int_equal(COUNT(l1d_rf_order), 1);
    told_nothing();
    answer(0, 1);
    expect_response(0, 0, 1);
    spy_limit(&spy, 1);
    assert_true(load_of(1, 2, 2));
    assert_false(load_of(1, 3, 3));
    assert_int_equal(COUNT(l1d_rf_bypass), 1);
    told_nothing();
    spy_limit(&spy, K);
    idle(10);
    assert_true(load_of(0, 5, 4));
    answer(5, 2);
    expect_response(4, 5, 2);
    while (load_of(0, 5, 6))
        told(BPG_LOAD, 5, 0);
    assert_int_equal(COUNT(l1d_rf_rsp_queue), 1);
    told_nothing();
    assert_int_equal(COUNT(mdb_failures), 0);
    end();
}

/* A refusal that is repeated counts as if it had been ticked. */
static void standing_refusals_are_failures_too(void **state) {
    (void)state;
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

/* An access that waits is told once, the next one again; cycles that are passed over are not. */
static void an_access_may_be_one_failure(void **state) {
    (void)state;
    local_defaults();
    cfg.l1d_mdb_failures = FAILURES_ACCESSES;
    watch();
    for (uint64_t n = 0; n < 2; n++) {
        assert_true(load_of(0, 3 * n, 0) && load_of(0, 3 * n + 1, 1));
        assert_false(load_of(0, 3 * n + 2, 2));
        told_failure();
        assert_false(load_of(0, 3 * n + 2, 2));
        told_nothing();
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
        assert_true(load_of(0, 3 * n + 2, 2)); /* taken: the next that waits counts */
        answer(3 * n + 2, 1);
        idle(30);
        l1d_take_response(&l1);
    }
    assert_int_equal(COUNT(l1d_rf_line), 24);
    end();
}

/* ---- what the block says ---- */

/* The port decides, at the start of the cycle, whatever the model holds. */
static void the_answer_counts_in_its_cycle(void **state) {
    (void)state;
    local_defaults();
    watch();
    assert_true(load_of(1, 0, 0));
    assert_int_equal(COUNT(l1d_primary), 1);
    spy_limit(&spy, 1);
    assert_true(load_of(1, 0, 1));
    assert_int_equal(spy.in.ask_id, 1);
    assert_int_equal(COUNT(l1d_bypassed), 1);
    assert_true(load_of(0, 0, 2));
    assert_int_equal(COUNT(l1d_secondary), 1);
    spy_limit(&spy, K); /* all, those above K too */
    assert_true(load_of(200, 0, 3));
    assert_int_equal(COUNT(l1d_secondary), 2);
    end();
}

/* The outputs of a block in its reset cycle are power-up values: they are ignored. */
static void a_block_in_reset_says_nothing(void **state) {
    (void)state;
    local_defaults();
    watch_reset();
    spy_limit(&spy, 1);
    spy.update = 1;
    assert_true(load_of(1, 0, 0));
    assert_int_equal(spy.in.rst, 1);
    assert_int_equal(mdb->limit, K);
    assert_int_equal(COUNT(l1d_primary), 1);
    assert_int_equal(COUNT(mdb_decisions), 0);
    assert_true(load_of(1, 0, 1));
    assert_int_equal(spy.in.rst, 0);
    assert_int_equal(mdb->limit, 1);
    assert_int_equal(COUNT(l1d_bypassed), 1);
    assert_int_equal(COUNT(mdb_decisions), 1);
    end();
}

/* In the cycle of a launch everybody uses the L1D; a decision that shows in it is dropped. */
static void a_launch_lets_everybody_in(void **state) {
    (void)state;
    local_defaults();
    watch();
    spy_limit(&spy, 1);
    spy.update = 1;
    mdb_launch(mdb, &(struct mdb_users){false, 7});
    assert_true(load_of(1, 0, 0));
    assert_int_equal(spy.in.launch, 1);
    assert_int_equal(mdb->limit, K);
    assert_int_equal(COUNT(l1d_primary), 1);
    assert_int_equal(COUNT(mdb_decisions), 0);
    assert_true(load_of(1, 0, 1));
    assert_int_equal(COUNT(l1d_bypassed), 1);
    end();
}

/* In the cycle of a launch the block is told so, and from it on the table is written, an entry a
 * cycle; a launch in the middle begins again. */
static void a_launch_writes_the_table(void **state) {
    (void)state;
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

/* Without a watcher the block sleeps, but while it has something to do. */
static void a_block_without_work_sleeps(void **state) {
    (void)state;
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
    assert_int_equal(mdb_next_event(mdb), 0); /* it looks the access up */
    idle(1);
    assert_true(mdb_next_event(mdb) != 0);
    end();
}

/* ---- configurations ---- */

static void refuses(const char *const set[], const char *why) {
    struct config c;
    char err[256];
    config_default(&c);
    for (; *set; set++)
        assert_int_equal(config_override(&c, NULL, *set, err, sizeof err), 0);
    assert_int_equal(gpu_check(&c, err, sizeof err), -1);
    assert_string_equal(err, why);
}

#define REFUSES(why, ...) refuses((const char *const[]){__VA_ARGS__, NULL}, why)

static void what_cannot_be_is_refused(void **state) {
    (void)state;
    REFUSES("l1d.bypass=static needs l1d.enabled=1, not 0", "l1d.bypass=static", "l1d.enabled=0");
    REFUSES("l1d.bypass=mdb_local needs l1d.enabled=1, not 0", "l1d.bypass=mdb_local",
            "l1d.enabled=0");
    REFUSES("l1d.bypass=mdb_global needs l1d.sectored=no, not yes", "l1d.bypass=mdb_global",
            "sm.coalesce=sector", "l1d.sectored=yes");
    REFUSES("l1d.bypass=mdb_local needs at most 16 ways of a set, not l1d.ways=17",
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
    REFUSES("l1d.mdb_sampled=3 is not a power of two", "l1d.bypass=mdb_local", "l1d.mdb_sampled=3");
    REFUSES("l1d.mdb_sampled=64 is above l1d.sets=32", "l1d.bypass=mdb_local",
            "l1d.mdb_sampled=64");
    REFUSES("l1d.mdb_scale=yes needs at least one sampled set in 128, not l1d.mdb_sampled=1 of "
            "l1d.sets=256",
            "l1d.bypass=mdb_local", "l1d.sets=256", "l1d.mdb_sampled=1");
    REFUSES("l1d.mdb_scale=yes needs at least one sampled set in 128, not l1d.mdb_sampled=16 of "
            "l1d.sets=4096",
            "l1d.bypass=mdb_local", "l1d.sets=4096", "l1d.mdb_sampled=16");
    REFUSES("l1d.bypass=mdb_global needs l1d.mdb_interval of at least l1d.mdb_calculators + 4, not "
            "19 and 16",
            "l1d.bypass=mdb_global", "l1d.mdb_interval=19", "l1d.mdb_calculators=16");
}

/* One set in 128, the greatest ratio. */
static void one_set_in_128_may_be_sampled(void **state) {
    (void)state;
    struct config c;
    char err[256];
    config_default(&c);
    c.l1d_bypass = BYPASS_MDB_LOCAL;
    c.l1d_sets = 4096;
    c.l1d_mdb_sampled = 32;
    assert_int_equal(gpu_check(&c, err, sizeof err), 0);
    assert_int_equal(mdb_params(&c).v[BPG_HIT_SCALE], 7);
}

/* Each key at its ends: what config_check lets through the block takes. */
static void what_is_legal_the_block_takes(void **state) {
    (void)state;
    static const char *const ends[][4] = {
        {"l1d.sets=1", "l1d.sets=64", "l1d.sets=48", "l1d.sets=4096"},
        {"l1d.ways=1", "l1d.ways=16", "l1d.ways=17"},
        {"l1d.set_index=bmod", "l1d.set_index=bxor", "l1d.set_index=fermi"},
        {"l1d.mdb_sampled=1", "l1d.mdb_sampled=6", "l1d.mdb_sampled=64"},
        {"l1d.mdb_calculators=1", "l1d.mdb_calculators=16"},
        {"l1d.mdb_interval=4", "l1d.mdb_interval=20", "l1d.mdb_interval=1048575"},
        {"l1d.mdb_tag_bits=1", "l1d.mdb_tag_bits=40"},
        {"l1d.mdb_scale=no", "l1d.mdb_scale=yes"},
        {"sm.warps=4", "sm.warps=96"},
        {"sm.ctas=1", "sm.ctas=32"},
    };
    unsigned n_ends = sizeof ends / sizeof ends[0], legal = 0, all = 0;
    unsigned at[sizeof ends / sizeof ends[0]] = {0};
    for (unsigned i = 0; i < n_ends; all++) {
        struct config c;
        char err[256];
        config_default(&c);
        c.l1d_bypass = BYPASS_MDB_LOCAL;
        for (unsigned k = 0; k < n_ends; k++)
            assert_int_equal(config_override(&c, NULL, ends[k][at[k]], err, sizeof err), 0);
        if (gpu_check(&c, err, sizeof err) == 0) {
            const struct block_params p = mdb_params(&c);
            legal++;
            assert_int_equal(block_params_check(&bpg_type, &p, err, sizeof err), 0);
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
