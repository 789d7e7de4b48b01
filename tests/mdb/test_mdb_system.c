// SPDX-License-Identifier: Apache-2.0
/* Tests of model-driven bypassing in a whole system: one block per machine or per SM, launches,
 * decisions in progress, and sleeping SMs. In the test tier, random traffic runs on three of 15
 * machines, and in the full tier on six.
 * tier: test, 5 s; full, 15 s; long, 35 s */
#include "tests/gpu/fixture.h"
#include "tests/tier.h"

#include "mdb/mdb.h"
#include "policy/policies.h"
#include "tests/mdb/spy.h"

#define MAX_SMS 4

static struct config mdb_config(int64_t bypass) {
    struct config c = chaos_config();
    c.l1d_bypass = bypass;
    c.l1d_mdb_calculators = 4;
    c.l1d_mdb_sampled_sets = 2;
    c.l1d_mdb_interval = 9;
    return c;
}

/* ---- runs with access to the gpu ---- */

static struct gpu *gpu;

static void begin(const struct config *c, struct program *p) {
    struct error err;
    gpu = gpu_create(c, NULL, &err);
    if (!gpu)
        fail_msg("%s", err.text);
    p->gpu = gpu;
    p->next = 0;
}

static struct stats finish(struct program *p) {
    struct stats s;
    assert_int_equal(gpu_run(gpu, &p->base, NULL, NULL), GPU_DONE);
    gpu_stats(gpu, &s);
    return s;
}

static struct mdb *mdb_of(unsigned sm) {
    const struct l1d *l1 = &gpu->sm[sm].l1d;
    return cache_policy_state(&l1->cache, l1d_bypass_policy(gpu->cfg));
}

static int teardown(void **state) {
    gpu_destroy(gpu);
    gpu = NULL;
    return 0;
}

/* ---- instances ---- */

static unsigned bpgs, other;

static void count_block(void *ctx, struct block_inst *inst) {
    char name[BLOCK_NAME_MAX];
    (void)ctx;
    snprintf(name, sizeof name, "l1d.%u.bpg", bpgs);
    if (inst->type == &bpg_type && strcmp(inst->name, name) == 0)
        bpgs++;
    else
        other += inst->type == &bpg_type;
}

static void one_block_an_sm_or_one_for_all(void **state) {
    static const struct {
        int64_t bypass;
        unsigned blocks;
    } cases[] = {
        {BYPASS_NONE, 0}, {BYPASS_STATIC, 0}, {BYPASS_MDB_LOCAL, 4}, {BYPASS_MDB_GLOBAL, 1}};
    for (unsigned i = 0; i < 4; i++) {
        struct config c = mdb_config(cases[i].bypass);
        struct program p = chaos_program(1);
        begin(&c, &p);
        bpgs = other = 0;
        gpu_each_block(gpu, count_block, NULL);
        assert_int_equal(bpgs, cases[i].blocks);
        assert_int_equal(other, 0);
        teardown(NULL);
    }
}

/* ---- launches ---- */

static void two_loads(const struct warp_place *place, uint32_t pc, struct warp_inst *i) {
    (void)place;
    load(i, BASE + pc * LINE_BYTES, R(pc));
    if (pc == 2)
        i->op = WARP_EXIT;
}

/* Launches grids of one CTA. With mdb_global each grid runs on SM 0. With mdb_local the SMs take
 * turns. */
static void the_sm_that_decides_comes_first(void **state) {
    static const struct {
        int64_t bypass;
        unsigned on_first;
    } cases[] = {{BYPASS_MDB_LOCAL, 1}, {BYPASS_MDB_GLOBAL, 4}};
    for (unsigned i = 0; i < 2; i++) {
        struct config c = mdb_config(cases[i].bypass);
        struct stats first;
        struct program p = program_of(two_loads);
        p.kernel[1] = p.kernel[2] = p.kernel[3] = two_loads;
        begin(&c, &p);
        finish(&p);
        gpu_part_stats(gpu, GPU_SM, 0, &first);
        assert_int_equal(first.v[STAT_ctas], cases[i].on_first);
        teardown(NULL);
    }
}

/* A launch reaches even the blocks of sleeping SMs that get no CTA. */
static void a_launch_wakes_every_block(void **state) {
    struct config c = mdb_config(BYPASS_MDB_LOCAL);
    struct program p = program_of(two_loads);
    p.threads = 64; /* two warps per CTA */
    begin(&c, &p);
    struct stats s = finish(&p);
    for (unsigned i = 0; i < c.sm_count; i++) {
        assert_true(mdb_next_event(mdb_of(i)) != 0);
        assert_int_equal(mdb_of(i)->entry, 4);
        assert_int_equal(mdb_of(i)->in.cube_value, bpg_cube(4, 2));
    }
    assert_int_equal(s.v[STAT_mdb_users], 2);
    assert_int_equal(s.v[STAT_mdb_cta_launches], 0);
    assert_int_equal(s.v[STAT_mdb_accesses], s.v[STAT_l1d_accesses]);
}

/* There are four SMs with two CTA slots each. In grids of at least eight CTAs, the users are CTAs,
 * and otherwise warps. */
static void users_are_counted_by_launch(void **state) {
    static const struct {
        uint32_t grid, users, ctas;
    } cases[] = {{3, 3, 0}, {4, 3, 0}, {7, 3, 0}, {8, 2, 2}, {30, 2, 2}};
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct config c = mdb_config(BYPASS_STATIC);
        struct program p = program_of(two_loads);
        c.sm_ctas = 2;
        p.kernel[1] = two_loads;
        p.threads = 96; /* three warps per CTA */
        p.ctas = cases[i].grid;
        begin(&c, &p);
        struct stats s = finish(&p);
        assert_int_equal(s.v[STAT_mdb_users], 2 * cases[i].users);
        assert_int_equal(s.v[STAT_mdb_cta_launches], cases[i].ctas);
        teardown(NULL);
    }
}

/* The users are the warps in a CTA or the CTA slots. Each accesses one line, and only the lines of
 * the first users are kept. */
static void one_line_each(const struct warp_place *place, uint32_t pc, struct warp_inst *i) {
    load(i, BASE + (place->cta[0] * 8 + place->warp) * LINE_BYTES, R(1));
    if (pc)
        i->op = WARP_EXIT;
}

static void the_first_users_are_the_right_ones(void **state) {
    static const struct {
        int64_t users;
        unsigned kept; /* number of loads that use the L1D, for 4 CTAs of 3 warps */
    } cases[] = {{1, 3}, {3, 9}, {4, 12}};
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct config c = mdb_config(BYPASS_STATIC);
        struct program p = program_of(one_line_each);
        c.sm_count = 1;
        c.l1d_sets = 32;
        c.l1d_cache_users = cases[i].users;
        p.threads = 96;
        p.ctas = 4;
        begin(&c, &p);
        struct stats s = finish(&p);
        assert_int_equal(s.v[STAT_l1d_primary_misses], cases[i].kept);
        assert_int_equal(s.v[STAT_l1d_bypasses], 12 - cases[i].kept);
        teardown(NULL);
    }
}

/* ---- one block for all SMs ---- */

/* Records the lmax of SM 0 in the last three cycles, and checks the value that SM 1 used in the
 * previous cycle. */
struct listener {
    struct block_probe base;
    uint32_t lmax[3];  /* values in this cycle and in the two previous ones */
    uint64_t cycles;   /* number of cycles of SM 0 */
    uint64_t launched; /* cycle of the last launch */
    unsigned changes, checked;
};

static struct listener listener;

static void listen(struct block_probe *probe, const struct block_inst *inst, const void *in_,
                   void *out_) {
    struct listener *l = (struct listener *)probe;
    const struct bpg_in *in = in_;
    const struct bpg_out *out = out_;
    uint64_t c = l->cycles++;
    (void)inst;
    assert_int_equal(c, gpu->context.sm_cycle); /* the listener is called once in each cycle */
    l->lmax[2] = l->lmax[1];
    l->lmax[1] = l->lmax[0];
    l->lmax[0] = (uint32_t)out->lmax;
    if (in->launch)
        l->launched = c;
    if (c < l->launched + 3)
        return;
    l->changes += l->lmax[0] != l->lmax[1];
    if (mdb_of(1)->limit != l->lmax[2])
        fail_msg("cycle %u: SM 1 used %u, SM 0 %u", (unsigned)c - 1, (unsigned)mdb_of(1)->limit,
                 (unsigned)l->lmax[2]);
    l->checked++;
}

static void ignore(struct block_probe *probe, const struct block_inst *inst, const void *in) {
    (void)probe;
    (void)inst;
    (void)in;
}

static void ignore_eval(struct block_probe *probe, const struct block_inst *inst, const void *in,
                        void *out) {
    (void)out;
    ignore(probe, inst, in);
}

/* A decision of SM 0 reaches the other SMs one cycle later. A probe makes SM 1's L1D tick in every
 * cycle, so that the test can check this. */
static void decisions_take_a_cycle_to_the_others(void **state) {
    static struct block_probe awake = {ignore_eval, ignore};
    struct config c = mdb_config(BYPASS_MDB_GLOBAL);
    chaos_seed = 5;
    struct program p = chaos_program(4);
    begin(&c, &p);
    listener = (struct listener){.base = {listen, ignore}};
    mdb_of(0)->block.inst.probe = &listener.base;
    gpu->sm[1].l1d.cache.bank->mshr.block.inst.probe = &awake;
    struct stats s = finish(&p);
    assert_true(listener.checked > 1000 && listener.changes > 20);
    assert_int_equal(listener.cycles, s.v[STAT_cycles]);
}

/* SM 1 sleeps and waits only for a way, whose line is filled after 900 cycles. During this time SM
 * 0, which only computes, restricts the L1Ds to user 0. */
static void wait_for_a_way(const struct warp_place *place, uint32_t pc, struct warp_inst *i) {
    if (pc == 2)
        i->op = WARP_EXIT;
    else if (place->cta[0] == 0)
        alu(i, R(1), R(1));
    else
        load(i, BASE + (place->warp + 3 * pc) * LINE_BYTES, R(1 + pc));
    if (place->cta[0] == 0)
        i->repeat = 100;
}

struct decider {
    struct spy spy;
    uint64_t at; /* cycle in which SM 0 decides */
};

static void decide_at(struct block_probe *probe, const struct block_inst *inst, const void *in,
                      void *out) {
    struct decider *d = (struct decider *)probe;
    d->spy.limit = d->spy.cycles >= d->at ? 1 : 4;
    spy_eval(probe, inst, in, out);
}

static struct stats decided_at(uint64_t cycle, bool skip) {
    struct config c = mdb_config(BYPASS_MDB_GLOBAL);
    struct program p = program_of(wait_for_a_way);
    struct decider d = {.at = cycle};
    c.sm_count = 2;
    c.l1d_sets = c.l1d_ways = c.l1d_mdb_sampled_sets = 1;
    c.icnt_latency = 450;
    c.sim_skip = skip;
    p.ctas = 2;
    p.threads = 64;
    begin(&c, &p);
    spy_on(&d.spy, &mdb_of(0)->block.inst);
    d.spy.base.eval = decide_at;
    struct stats s = finish(&p);
    assert_int_equal(d.spy.cycles, s.v[STAT_cycles]);
    teardown(NULL);
    return s;
}

static void a_decision_wakes_an_sm_that_waits(void **state) {
    struct stats never = decided_at(100000, true);
    assert_int_equal(never.v[STAT_l1d_bypasses], 0);
    assert_true(never.v[STAT_l1d_refusals_no_way] > 900);
    for (uint64_t at = 300; at < 303; at++) {
        struct stats slow = decided_at(at, false), fast = decided_at(at, true);
        assert_int_equal(slow.v[STAT_l1d_bypasses], 2); /* the loads of warp 1 bypass */
        assert_true(slow.v[STAT_l1d_refusals_no_way] < never.v[STAT_l1d_refusals_no_way]);
        assert_memory_equal(&slow, &fast, sizeof slow);
    }
}

/* ---- skipping and probes change nothing ---- */

static struct spy spies[MAX_SMS];
static unsigned n_spies;

static void spy_bpg(void *ctx, struct block_inst *inst) {
    (void)ctx;
    if (inst->type != &bpg_type)
        return;
    spies[n_spies] = (struct spy){0};
    spy_on(&spies[n_spies++], inst);
}

static struct stats chaos_run(struct config c, bool skip, bool watched) {
    struct program p = chaos_program(9);
    c.sim_skip = skip;
    begin(&c, &p);
    n_spies = 0;
    if (watched)
        gpu_each_block(gpu, spy_bpg, NULL);
    struct stats s = finish(&p);
    for (unsigned i = 0; i < n_spies; i++)
        assert_int_equal(spies[i].cycles, s.v[STAT_cycles]);
    assert_int_equal(n_spies, !watched ? 0 : c.l1d_bypass == BYPASS_MDB_LOCAL ? 4 : 1);
    teardown(NULL);
    return s;
}

static void skipping_and_watching_change_nothing(void **state) {
    uint64_t decisions = 0;
    for (chaos_seed = 0; chaos_seed < 15; chaos_seed++) {
        if (!tier_has(chaos_seed))
            continue;
        struct config c = mdb_config(chaos_seed % 2 ? BYPASS_MDB_LOCAL : BYPASS_MDB_GLOBAL);
        c.l1d_bypass_slots = chaos_seed / 2 % 3 * 4;
        c.l1d_write = chaos_seed / 4 % 4;
        c.l1d_allocate = chaos_seed / 3 % 2;
        c.l1d_mshr = chaos_seed / 5 % 2;
        c.l1d_mrpb_queues = chaos_seed % 5 ? 0 : 4;
        c.l1d_mdb_interval = chaos_seed % 3 ? 9 : 40;
        struct stats slow = chaos_run(c, false, false), fast = chaos_run(c, true, false),
                     watched = chaos_run(c, true, true);
        assert_memory_equal(&slow, &fast, sizeof slow);
        assert_memory_equal(&slow, &watched, sizeof slow);
        decisions += slow.v[STAT_mdb_decisions];
        uint64_t counted = 0, sum = 0;
        for (unsigned k = 1; k <= 4; k++) {
            counted += slow.h[HIST_mdb_lmax][k];
            sum += k * slow.h[HIST_mdb_lmax][k];
        }
        assert_int_equal(counted, slow.v[STAT_mdb_decisions]);
        assert_int_equal(sum, slow.v[STAT_mdb_lmax_sum]);
    }
    assert_true(decisions > (tier_is("long") ? 1000 : 250));
}

/* ---- reported statistics ---- */

static void the_dump_tells(void **state) {
    struct config c = mdb_config(BYPASS_MDB_LOCAL);
    struct program p = program_of(two_loads);
    char *text = NULL;
    size_t size = 0;
    begin(&c, &p);
    finish(&p);
    mdb_of(2)->limit = 3;
    mdb_of(2)->users = (struct mdb_users){true, 6};
    FILE *f = open_memstream(&text, &size);
    gpu_dump(gpu, f);
    fclose(f);
    assert_non_null(strstr(text, "l1d.0 is used by all warps of a CTA (1)\n"));
    assert_non_null(strstr(text, "l1d.2 is used by CTAs 0 to 2 of 6\n"));
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(one_block_an_sm_or_one_for_all, teardown),
        cmocka_unit_test_teardown(the_sm_that_decides_comes_first, teardown),
        cmocka_unit_test_teardown(a_launch_wakes_every_block, teardown),
        cmocka_unit_test_teardown(users_are_counted_by_launch, teardown),
        cmocka_unit_test_teardown(the_first_users_are_the_right_ones, teardown),
        cmocka_unit_test_teardown(decisions_take_a_cycle_to_the_others, teardown),
        cmocka_unit_test_teardown(a_decision_wakes_an_sm_that_waits, teardown),
        cmocka_unit_test_teardown(skipping_and_watching_change_nothing, teardown),
        cmocka_unit_test_teardown(the_dump_tells, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
