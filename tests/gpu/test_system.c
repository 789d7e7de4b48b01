// SPDX-License-Identifier: Apache-2.0
/* Tests of the system as a whole: barriers, occupancy, determinism, the data check, planted
 * faults, and the ends of a run. In the test tier, random traffic runs on two of the six machines.
 * tier: test, 12 s; full, 20 s */
#include "tests/gpu/fixture.h"
#include "tests/tier.h"

/* ---- random traffic ---- */

static void expect_clean(const struct config *c) {
    struct program p = chaos_program(12);
    struct outcome o = run_program(c, &p, true);
    if (o.end != GPU_DONE)
        fail_msg("end %d: %s", (int)o.end, o.error);
    const uint64_t *v = o.stats.v;
    assert_int_equal(v[STAT_kernels], 2);
    assert_int_equal(v[STAT_ctas], 2 * 12);
    assert_true(o.checked > 1000);
    assert_int_equal(o.checked, v[STAT_load_lines] + v[STAT_atomic_lines]);
    expect_sums(c, &o.stats);
}

static void chaos_is_clean(void **state) {
    for (int variant = 0; variant < 6; variant += tier_is_test() ? 5 : 1) {
        struct config c = chaos_config();
        c.l1d_mshr = c.l2_mshr = variant % 2;
        c.l1d_dl_tail = c.l2_dl_tail = variant / 2 % 3;
        c.l1d_mshr_entries = c.l2_mshr_entries = 4;
        c.l1d_mshr_slots = c.l2_mshr_slots = 2;
        c.l1d_dl_pools = MSHR_POOLS_SHARED;
        c.l1d_dl_sets = c.l2_dl_sets = 6;
        c.l1d_dl_reserved_heads = c.l2_dl_reserved_heads = 2;
        expect_clean(&c);
    }
}

static void chaos_is_clean_without_l1d(void **state) {
    struct config c = chaos_config();
    c.l1d_enabled = 0;
    expect_clean(&c);
    c.l1d_response_queue = c.sm_pending_loads = c.sm_lsu_queue = c.icnt_out_queue = 1;
    expect_clean(&c);
}

static void chaos_is_clean_with_queues_of_one(void **state) {
    struct config c = chaos_config();
    c.sm_lsu_queue = c.sm_pending_loads = c.l1d_miss_queue = c.l1d_response_queue = 1;
    c.icnt_in_queue = c.icnt_out_queue = c.icnt_latency = c.dram_reply_queue = 1;
    dram_of_one_line(&c);
    c.l2_in_queue = c.l2_miss_queue = c.l2_evict_buffer = c.l2_reply_queue = c.l2_latency = 1;
    c.l1d_sets = c.l1d_ways = c.l2_sets = c.l2_ways = 1;
    c.l1d_hit_latency = 1;
    expect_clean(&c);
}

/* A repeated run, and a run with the check, have identical statistics. */
static void statistics_are_reproducible(void **state) {
    struct config c = chaos_config();
    struct program p = chaos_program(12);
    struct outcome first = run_program(&c, &p, false);
    struct outcome again = run_program(&c, &p, false);
    struct outcome checked = run_program(&c, &p, true);
    assert_int_equal(first.end, GPU_DONE);
    assert_memory_equal(&first.stats, &again.stats, sizeof first.stats);
    assert_memory_equal(&first.stats, &checked.stats, sizeof first.stats);
}

/* Probe that counts calls. A block with a probe ticks in every cycle, which must not change the
 * statistics. */
struct counter {
    struct block_probe probe;
    uint64_t evals, ticks;
};

static void count_eval(struct block_probe *probe, const struct block_inst *inst, const void *in,
                       void *out) {
    struct counter *c = (struct counter *)probe;
    (void)inst;
    (void)out;
    assert_int_equal(*(const uint64_t *)in,
                     c->evals == 0); /* rst is the first port of every block */
    c->evals++;
}

static void count_tick(struct block_probe *probe, const struct block_inst *inst, const void *in) {
    (void)inst;
    (void)in;
    ((struct counter *)probe)->ticks++;
}

static struct counter counters[16];
static unsigned n_counters;

static void attach(void *ctx, struct block_inst *inst) {
    (void)ctx;
    counters[n_counters] = (struct counter){{count_eval, count_tick}, 0, 0};
    inst->probe = &counters[n_counters++].probe;
}

static void probes_see_every_cycle_and_change_nothing(void **state) {
    struct config c = chaos_config();
    c.clock_l2_mhz = c.clock_sm_mhz;
    c.l1d_mshr = c.l2_mshr = MSHR_KIND_DL;
    c.l1d_dl_pools = MSHR_POOLS_SHARED;
    c.l1d_dl_tail = c.l2_dl_tail = 0;
    c.l2_incoming = INCOMING_CART;
    struct program p = chaos_program(12);
    struct outcome plain = run_program(&c, &p, false);
    struct error err;
    struct gpu *g = gpu_create(&c, NULL, &err);
    n_counters = 0;
    gpu_each_block(g, attach, NULL);
    gpu_carry_data(g, true);
    p.next = 0;
    p.gpu = g;
    assert_int_equal(gpu_run(g, &p.base, NULL, NULL), GPU_DONE);
    struct stats totals;
    gpu_stats(g, &totals);
    assert_memory_equal(&totals, &plain.stats, sizeof totals);
    /* each of 4 L1Ds has an MSHR and an address watch; each of 2 L2 banks has an MSHR, a FIFO and a
     * CART */
    assert_int_equal(n_counters, 2 * 4 + 2 * 3);
    for (unsigned i = 0; i < n_counters; i++) {
        assert_int_equal(counters[i].evals, totals.v[STAT_cycles]);
        assert_int_equal(counters[i].ticks, totals.v[STAT_cycles]);
    }
    gpu_destroy(g);
}

/* ---- order of the blocks ---- */

static void see_name(void *ctx, struct block_inst *inst) {
    const char *const **next = ctx;
    assert_non_null(**next);
    assert_string_equal(inst->name, *(*next)++);
}

/* Twins are listed in this order. If several mismatch in one cycle, the first of them is
 * reported. */
static void blocks_of_a_kind_stand_together(void **state) {
    static const char *const names[] = {"l1d.0.mshr", "l1d.1.mshr", "l1d.2.mshr", "l1d.3.mshr",
                                        "l1d.0.bpg",  "l1d.1.bpg",  "l1d.2.bpg",  "l1d.3.bpg",
                                        "sm.0.hash",  "sm.1.hash",  "sm.2.hash",  "sm.3.hash",
                                        "l2.0.in",    "l2.1.in",    "l2.0.cart",  "l2.1.cart",
                                        "l2.0.mshr",  "l2.1.mshr",  "gmmu.hir",   NULL};
    struct config c = chaos_config();
    struct error err;
    c.l2_incoming = INCOMING_CART;
    c.l1d_bypass = BYPASS_MDB_LOCAL;
    c.l1d_mdb_sampled_sets = 1;
    assert_int_equal(config_override(&c, NULL, "uvm.mode=paged", &err), 0);
    assert_int_equal(config_override(&c, NULL, "uvm.evict=hpe", &err), 0);
    struct gpu *g = gpu_create(&c, NULL, &err);
    if (!g)
        fail_msg("%s", err.text);
    const char *const *next = names;
    gpu_each_block(g, see_name, &next);
    assert_null(*next);
    gpu_destroy(g);
}

/* ---- planted faults ---- */

static const struct {
    int plant;
    enum gpu_end end;
} plants[] = {{PLANT_NONE, GPU_DONE},
              {PLANT_LOSE_STORE, GPU_CHECK_FAILED},
              {PLANT_STALE_LINE, GPU_CHECK_FAILED},
              {PLANT_DOUBLE_REPLY, GPU_CHECK_FAILED},
              {PLANT_LOSE_REPLY, GPU_NO_PROGRESS},
              {PLANT_LOSE_LANE, GPU_CHECK_FAILED},
              {PLANT_LOST_UPDATE, GPU_CHECK_FAILED}};

/* Every warp adds to the same line, so that no store hides a lost update. */
static void add_up(const struct warp_place *place, uint32_t pc, struct warp_inst *inst) {
    (void)place;
    inst->op = pc < 40 ? WARP_ATOMIC : WARP_EXIT;
    for (unsigned l = 0; l < WARP_LANES; l++)
        inst->addr[l] = BASE + 4 * l;
    inst->dst.w[0] = inst->op == WARP_ATOMIC;
}

static void expect_found(const struct config *c, unsigned i) {
    struct program p = chaos_program(8);
    if (plants[i].plant == PLANT_LOST_UPDATE)
        p.kernel[0] = p.kernel[1] = add_up;
    struct outcome o = run_program(c, &p, true);
    if (o.end != plants[i].end)
        fail_msg("plant %d, l1d.write %d, l2.write %d: end %d (%s)", plants[i].plant,
                 (int)c->l1d_write, (int)c->l2_write, (int)o.end, o.error);
    assert_int_equal(o.end == GPU_CHECK_FAILED, o.error[0] != 0);
    assert_true(o.plant_made);
}

/* Tests each write policy of the L1D with different write policies of the L2, and a system without
 * an L1D. */
static void plants_are_found(void **state) {
    for (unsigned i = 0; i < sizeof plants / sizeof plants[0]; i++)
        for (int l1 = 0; l1 < 5; l1++) {
            if (l1 == 4 && plants[i].plant == PLANT_STALE_LINE)
                continue; /* the fault needs an L1D */
            struct config c = chaos_config();
            c.l1d_enabled = l1 < 4;
            c.l1d_write = l1 % 4;
            c.l1d_mshr = c.l2_mshr = l1 % 2 ? MSHR_KIND_DL : MSHR_KIND_STATIC;
            c.l2_write = (l1 + (int)i) % 3;
            c.l2_sectored = l1 / 2 % 2;
            c.l2_banks = 1 + l1 % 2;
            c.sim_planted_fault = plants[i].plant;
            if (c.sim_planted_fault == PLANT_STALE_LINE)
                c.l1d_sets = 32; /* lines of the first kernel are still present in the second */
            expect_found(&c, i);
        }
}

static void one_load(const struct warp_place *place, uint32_t pc, struct warp_inst *i) {
    (void)place;
    if (pc == 0)
        load(i, BASE, R(1));
    else
        i->op = WARP_EXIT;
}

/* A planted fault that had no opportunity to show is reported as not made, however the run
 * ended. */
static void a_plant_that_does_not_show_is_not_made(void **state) {
    for (int plant = PLANT_LOSE_STORE; plant <= PLANT_LOSE_LANE; plant++) {
        struct config c = small_config();
        c.sim_planted_fault = plant;
        struct program p = program_of(one_load);
        struct outcome o = run_program(&c, &p, true);
        assert_int_equal(o.end, GPU_DONE);
        assert_false(o.plant_made);
    }
    /* Lines are still present after the last kernel, but no kernel loads them afterwards. */
    struct config c = small_config();
    c.sm_count = 1;
    c.sim_planted_fault = PLANT_STALE_LINE;
    c.dram_extra_latency = 5000;
    c.sim_no_progress_cycles = 10000;
    struct program p = program_of(one_load);
    struct outcome o = run_program(&c, &p, true);
    assert_int_equal(o.end, GPU_DONE);
    assert_true(o.stats.v[STAT_cycles] > CONTEXT_PLANT_FROM);
    assert_false(o.plant_made);
    p.kernel[1] = one_load;
    assert_true(run_program(&c, &p, true).plant_made);
}

/* ---- barriers and occupancy ---- */

/* No warp may pass a barrier before the last one arrives. Warp 0 is late. Warp 3 exits without
 * arriving, so the barrier does not wait for it. */
static uint64_t passed[4], arrived;
static struct program *barrier_program;

static void barrier(const struct warp_place *place, uint32_t pc, struct warp_inst *i) {
    if (place->warp == 3) {
        i->op = WARP_EXIT;
        return;
    }
    if (pc == 2)
        passed[place->warp] = barrier_program->gpu->cycle;
    if (place->warp == 0 && pc == 1)
        arrived = barrier_program->gpu->cycle;
    if (pc == 0) {
        alu(i, 0, 0);
        i->repeat = place->warp == 0 ? 500 : 1;
    } else if (pc == 1) {
        i->op = WARP_BARRIER;
    } else {
        i->op = WARP_EXIT;
    }
}

static void a_barrier_waits_for_the_last(void **state) {
    struct config c = small_config();
    struct program p = program_of(barrier);
    p.threads = 128;
    barrier_program = &p;
    struct outcome o = run_program(&c, &p, false);
    assert_int_equal(o.end, GPU_DONE);
    assert_true(arrived >= 499);
    for (unsigned w = 0; w < 3; w++)
        assert_true(passed[w] > arrived && passed[w] <= arrived + 4);
}

static void wait_long(const struct warp_place *place, uint32_t pc, struct warp_inst *i) {
    if (pc == 0)
        load(i, BASE + place->cta[0] * LINE_BYTES, R(1));
    else if (pc == 1)
        alu(i, R(1), 0);
    else
        i->op = WARP_EXIT;
}

/* CTAs of 8 warps run on one SM. The scarcest of warp slots, CTA slots and shared memory limits
 * the number of CTAs that run at the same time. */
static void occupancy_is_limited(void **state) {
    static const struct {
        int64_t warps, ctas;
        uint32_t shared;
        uint64_t fit;
    } cases[] = {{48, 8, 0, 6}, {48, 4, 0, 4}, {48, 8, 40 * 1024, 2}, {17, 8, 0, 2}};
    for (unsigned i = 0; i < 4; i++) {
        struct config c = small_config();
        c.sm_count = 1;
        c.sm_warps = cases[i].warps;
        c.sm_ctas = cases[i].ctas;
        struct program p = program_of(wait_long);
        p.threads = 256;
        p.shared = cases[i].shared;
        p.ctas = (uint32_t)cases[i].fit;
        uint64_t one_wave = run_program(&c, &p, false).stats.v[STAT_cycles];
        p.ctas++;
        uint64_t two_waves = run_program(&c, &p, false).stats.v[STAT_cycles];
        p.ctas--;
        assert_true(two_waves > one_wave + 200);
        p.ctas = 1;
        uint64_t one_cta = run_program(&c, &p, false).stats.v[STAT_cycles];
        assert_true(one_wave < one_cta + 200);
    }
}

static void a_cta_that_does_not_fit_is_named(void **state) {
    struct config c = small_config();
    c.sm_warps = 4;
    struct program p = program_of(wait_long);
    p.threads = 256;
    struct outcome o = run_program(&c, &p, false);
    assert_int_equal(o.end, GPU_BAD_LAUNCH);
    assert_non_null(strstr(o.error, "does not fit"));
}

static void misaligned(const struct warp_place *place, uint32_t pc, struct warp_inst *i) {
    (void)place;
    if (pc == 0)
        load(i, BASE + 2, R(1));
    else
        i->op = WARP_EXIT;
}

static void a_bad_address_is_named(void **state) {
    struct config c = small_config();
    struct program p = program_of(misaligned);
    struct outcome o = run_program(&c, &p, false);
    assert_int_equal(o.end, GPU_BAD_LAUNCH);
    assert_non_null(strstr(o.error, "0x80000002"));
}

/* ---- scheduling ---- */

static uint64_t gto_order[8];
static unsigned gto_issued;

static void gto(const struct warp_place *place, uint32_t pc, struct warp_inst *i) {
    if (pc > 0 && pc <= 2 && gto_issued < 8)
        gto_order[gto_issued++] = place->warp;
    alu(i, pc == 2 ? R(1) : 0, pc < 2 ? R(1 + pc) : 0);
    if (pc == 3)
        i->op = WARP_EXIT;
}

/* With one scheduler and four warps, the greedy warp issues until it stalls. Then the oldest ready
 * warp issues. */
static void gto_is_greedy_then_oldest(void **state) {
    struct config c = small_config();
    c.sm_schedulers = 1;
    strcpy(c.sm_alu, "100,1");
    struct program p = program_of(gto);
    p.threads = 128;
    gto_issued = 0;
    assert_int_equal(run_program(&c, &p, false).end, GPU_DONE);
    const uint64_t expected[8] = {0, 0, 1, 1, 2, 2, 3, 3};
    assert_memory_equal(gto_order, expected, sizeof expected);
}

/* Warp 0 waits for its first result. Warp 1 issues during that time, and continues when warp 0 is
 * ready. */
static void gto_stall(const struct warp_place *place, uint32_t pc, struct warp_inst *i) {
    if (pc > 0 && gto_issued < 8)
        gto_order[gto_issued++] = place->warp;
    bool waits = place->warp == 0 && pc == 1;
    alu(i, waits ? R(1) : 0, place->warp == 0 && pc == 0 ? R(1) : 0);
    if (pc == (place->warp == 0 ? 2 : 6))
        i->op = WARP_EXIT;
}

static void gto_stays_with_the_greedy_warp(void **state) {
    struct config c = small_config();
    c.sm_schedulers = 1;
    strcpy(c.sm_alu, "3,1");
    struct program p = program_of(gto_stall);
    p.threads = 64;
    gto_issued = 0;
    assert_int_equal(run_program(&c, &p, false).end, GPU_DONE);
    const uint64_t expected[8] = {0, 1, 1, 1, 1, 1, 1, 0};
    assert_memory_equal(gto_order, expected, sizeof expected);
}

/* ---- ends ---- */

#define DIRTY 8

static void store_lines(const struct warp_place *place, uint32_t pc, struct warp_inst *i) {
    (void)place;
    if (pc < DIRTY)
        store(i, BASE + pc * LINE_BYTES, 0);
    else
        i->op = WARP_EXIT;
}

static void load_others(const struct warp_place *place, uint32_t pc, struct warp_inst *i) {
    (void)place;
    if (pc < DIRTY)
        load(i, BASE + (DIRTY + pc) * LINE_BYTES, R(1 + pc));
    else
        i->op = WARP_EXIT;
}

/* A kernel ends only when its write-backs are in DRAM. Its loads evict dirty lines, and receive
 * their data long before the dirty lines are in DRAM. */
static void a_kernel_waits_for_its_write_backs(void **state) {
    struct config c = small_config();
    c.sm_count = c.l2_partitions = c.l2_sets = 1;
    c.l2_ways = DIRTY;
    c.dram_wl = 400; /* a write takes long, but a read does not */
    struct program p = program_of(store_lines);
    p.kernel[1] = load_others;
    struct outcome o = run_program(&c, &p, true);
    assert_int_equal(o.end, GPU_DONE);
    assert_int_equal(o.stats.v[STAT_l2_writebacks], DIRTY);
    assert_int_equal(o.stats.v[STAT_dram_writes], DIRTY);
}

/* Parts that take longer than sim.no_progress_cycles do not count as a hang. */
static void slow_parts_are_no_standstill(void **state) {
    for (int slow = 0; slow < 6; slow++) {
        struct config c = small_config();
        c.sim_no_progress_cycles = 100;
        c.clock_sm_mhz = 10000;
        if (slow == 0)
            c.clock_dram_mhz = 1;
        else if (slow == 1)
            c.clock_l2_mhz = 1;
        else if (slow == 2)
            c.clock_icnt_mhz = 1;
        else if (slow == 3)
            c.dram_extra_latency = 100000;
        else if (slow == 4)
            c.icnt_latency = c.l2_latency = c.l1d_hit_latency = 1000;
        else
            c.dram_rcd = c.dram_rp = c.dram_rc = c.dram_ras = c.dram_cl = c.dram_wl = 1000;
        struct program p = program_of(store_lines);
        p.kernel[1] = load_others;
        assert_int_equal(run_program(&c, &p, false).end, GPU_DONE);
    }
}

static void max_cycles_stops(void **state) {
    struct config c = chaos_config();
    c.sim_max_cycles = 1234;
    struct program p = chaos_program(12);
    struct outcome o = run_program(&c, &p, false);
    assert_int_equal(o.end, GPU_STOPPED);
    assert_int_equal(o.stats.v[STAT_cycles], 1234);
}

static unsigned reports;
static uint64_t reported;
static bool stop;

static void report(void *gpu) {
    struct gpu_reached at;
    gpu_reached(gpu, &at);
    assert_true(at.cycles >= reported + (1 << 14));
    assert_int_equal(at.launch, 1);
    assert_true(at.grid > 0 && at.ctas == 0 && at.all_ctas == 0);
    reported = at.cycles;
    stop = ++reports == 2;
}

static void spin(const struct warp_place *place, uint32_t pc, struct warp_inst *i) {
    (void)place;
    (void)pc;
    alu(i, 0, 0);
}

static void progress_is_reported_and_stop_is_obeyed(void **state) {
    struct config c = small_config();
    struct error err;
    struct gpu *g = gpu_create(&c, NULL, &err);
    struct program p = program_of(spin);
    p.gpu = g;
    const struct gpu_monitor monitor = {.ctx = g, .progress = report};
    assert_int_equal(gpu_run(g, &p.base, &stop, &monitor), GPU_STOPPED);
    assert_int_equal(reports, 2);
    struct stats totals;
    gpu_stats(g, &totals);
    assert_int_equal(totals.v[STAT_cycles], reported);
    gpu_destroy(g);
}

/* The dump of a hung run names the warp and the reason why it waits. */
static void a_dump_names_the_warp(void **state) {
    struct config c = chaos_config();
    c.sim_planted_fault = PLANT_LOSE_REPLY;
    struct error err;
    char *text = NULL;
    size_t size = 0;
    struct gpu *g = gpu_create(&c, NULL, &err);
    struct program p = chaos_program(12);
    p.gpu = g;
    assert_int_equal(gpu_run(g, &p.base, NULL, NULL), GPU_NO_PROGRESS);
    FILE *out = open_memstream(&text, &size);
    gpu_dump(g, out);
    fclose(out);
    assert_non_null(strstr(text, "waits for registers"));
    assert_non_null(strstr(text, ".mshr: "));
    assert_non_null(strstr(text, "waits for 0x8000"));
    free(text);
    gpu_destroy(g);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chaos_is_clean),
        cmocka_unit_test(chaos_is_clean_without_l1d),
        cmocka_unit_test(chaos_is_clean_with_queues_of_one),
        cmocka_unit_test(statistics_are_reproducible),
        cmocka_unit_test(probes_see_every_cycle_and_change_nothing),
        cmocka_unit_test(blocks_of_a_kind_stand_together),
        cmocka_unit_test(plants_are_found),
        cmocka_unit_test(a_plant_that_does_not_show_is_not_made),
        cmocka_unit_test(a_barrier_waits_for_the_last),
        cmocka_unit_test(occupancy_is_limited),
        cmocka_unit_test(a_cta_that_does_not_fit_is_named),
        cmocka_unit_test(a_bad_address_is_named),
        cmocka_unit_test(gto_is_greedy_then_oldest),
        cmocka_unit_test(gto_stays_with_the_greedy_warp),
        cmocka_unit_test(a_kernel_waits_for_its_write_backs),
        cmocka_unit_test(slow_parts_are_no_standstill),
        cmocka_unit_test(max_cycles_stops),
        cmocka_unit_test(progress_is_reported_and_stop_is_obeyed),
        cmocka_unit_test(a_dump_names_the_warp),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
