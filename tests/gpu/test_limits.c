// SPDX-License-Identifier: Apache-2.0
/* Tests of theoretical limits. There are no refusals without contention or for an unlimited
 * resource, an MSHR with more entries or slots never refuses more, and a stream keeps the DRAM's
 * data bus busy. The test tier runs every fourth size of an MSHR, and the full
 * tier every second one. Only the long tier runs more than every third variant of the tests that
 * expect no refusals.
 * tier: test, 10 s; full, 15 s; long, 33 s */
#include "tests/gpu/fixture.h"
#include "tests/tier.h"

/* ---- one warp, one access at a time ---- */

#define ALONE_STEPS 300

static void alone(const struct warp_place *place, uint32_t pc, struct warp_inst *i) {
    (void)place;
    uint32_t r = chaos_mix(pc / 2 + 77);
    if (pc == ALONE_STEPS) {
        i->op = WARP_EXIT;
    } else if (pc % 2) { /* waits for a load's result; a store is done by that time */
        alu(i, R(1), 0);
        i->repeat = 1000;
    } else {
        load(i, BASE + r % 256 * LINE_BYTES, R(1));
        if (r >> 8 & 1)
            store(i, BASE + r % 256 * LINE_BYTES, 0);
        else if (r >> 9 & 1)
            i->op = WARP_ATOMIC;
        i->skip_l1 = r >> 10 & 1;
    }
}

static void one_at_a_time_nothing_is_refused(void **state) {
    for (int variant = 0; variant < 32; variant += tier_is("long") ? 1 : 3) {
        struct config c = chaos_config();
        c.l1d_enabled = variant % 8 != 7;
        c.l1d_mshr = c.l2_mshr = variant % MSHR_KINDS;
        c.l1d_bypass = variant / 4 % 3;
        c.l1d_write = variant / 8 == 1 ? L1D_WEWN : L1D_WTWN;
        c.l2_write = variant / 8 % 3;
        c.l1d_allocate = c.l2_allocate = variant / 4 % 2;
        c.l2_banks = variant / 8 == 3 ? 2 : 1;
        struct program p = program_of(alone);
        struct outcome o = run_program(&c, &p, true);
        if (o.end != GPU_DONE)
            fail_msg("end %d: %s", (int)o.end, o.error);
        const uint64_t *v = o.stats.v;
        expect_sums(&c, &o.stats);
        assert_int_equal(v[STAT_l1d_refusals], 0);
        assert_int_equal(v[STAT_l2_refusals], 0);
        assert_int_equal(v[STAT_icnt_request_stalls] + v[STAT_icnt_reply_stalls], 0);
        assert_int_equal(v[STAT_dram_full_cycles], 0);
        assert_int_equal(v[STAT_slots_lsu] + v[STAT_slots_unit], 0);
        assert_int_equal(v[STAT_l1d_secondary_misses] + v[STAT_l2_secondary_misses], 0);
        assert_true(v[STAT_l2_primary_misses] > 50 && v[STAT_dram_writes] > 20);
    }
}

/* ---- unlimited resources ---- */

static void make_endless(struct config *c) {
    c->l1d_mshr = c->l2_mshr = MSHR_KIND_UNLIMITED;
    c->l1d_sets = c->l2_sets = 4096;
    c->l1d_ways = 16;
    c->l2_ways = 32;
    c->l1d_miss_queue = c->l1d_response_queue = c->l1d_bypass_slots = 1024;
    c->icnt_in_queue = c->icnt_out_queue = 1024;
    c->l2_in_queue = c->l2_miss_queue = c->l2_reply_queue = c->l2_evict_buffer = 1024;
    c->dram_read_queue = c->dram_write_queue = 4096;
    c->dram_write_high = 4096;
    c->dram_reply_queue = 1024;
}

static void endless_resources_refuse_nothing(void **state) {
    for (int variant = 0; variant < 12; variant += tier_is("long") ? 1 : 3) {
        struct config c = chaos_config();
        make_endless(&c);
        c.l1d_write = variant % 4;
        c.l1d_bypass = variant / 4;
        c.l2_write = variant % 3;
        c.l1d_allocate = c.l2_allocate = variant / 2 % 2;
        c.l2_sectored = variant / 3 % 2;
        struct program p = chaos_program(8);
        struct outcome o = run_program(&c, &p, true);
        if (o.end != GPU_DONE)
            fail_msg("end %d: %s", (int)o.end, o.error);
        const uint64_t *v = o.stats.v;
        expect_sums(&c, &o.stats);
        assert_int_equal(v[STAT_l1d_refusals], v[STAT_l1d_refusals_order]);
        assert_int_equal(v[STAT_l2_refusals], v[STAT_l2_refusals_order]);
        assert_int_equal(v[STAT_dram_full_cycles], 0);
        assert_true(v[STAT_l1d_primary_misses] > 100 && v[STAT_l2_primary_misses] > 20);
    }
}

/* ---- more resources never refuse more ---- */

#define STREAM_LOADS 16

/* Each warp reads consecutive lines. */
static void stream(const struct warp_place *place, uint32_t pc, struct warp_inst *i) {
    uint64_t warp = place->cta[0] * 8 + place->warp;
    if (pc < STREAM_LOADS)
        load(i, BASE + (warp * STREAM_LOADS + pc) * LINE_BYTES, R(1 + pc));
    else
        i->op = WARP_EXIT;
}

/* Each lane reads a separate line. */
static void scatter(const struct warp_place *place, uint32_t pc, struct warp_inst *i) {
    uint32_t r = chaos_mix(place->cta[0] * 8 + place->warp + pc * 977);
    if (pc == 8) {
        i->op = WARP_EXIT;
        return;
    }
    access_to(i, WARP_LOAD, BASE, 0);
    for (unsigned l = 0; l < WARP_LANES; l++)
        i->addr[l] = BASE + chaos_mix(r + l) % 1024 * LINE_BYTES;
    i->dst.w[0] = R(1 + pc);
}

/* All warps read the same lines at the same time, which gives secondary misses. */
static void shared_lines(const struct warp_place *place, uint32_t pc, struct warp_inst *i) {
    if (pc < STREAM_LOADS)
        load(i, BASE + (place->cta[0] / 4 * STREAM_LOADS + pc) * LINE_BYTES, R(1 + pc));
    else
        i->op = WARP_EXIT;
}

static const program_fn limit_kernel[] = {stream, scatter, shared_lines};

enum grown { L1D_ENTRIES, L1D_SLOTS, L2_ENTRIES, L2_SLOTS, GROWN };

/* Returns the number of MSHR refusals in the L1Ds or in the L2, whichever `what` names, if their
 * MSHRs have n entries or slots. The MSHRs of the other level are unlimited. If n is 0, all MSHRs
 * are unlimited. */
static uint64_t mshr_refusals(program_fn fn, enum grown what, int64_t n) {
    struct config c = small_config();
    bool l1 = what == L1D_ENTRIES || what == L1D_SLOTS;
    c.sm_count = 4;
    c.l1d_mshr = l1 ? MSHR_KIND_STATIC : MSHR_KIND_UNLIMITED;
    c.l2_mshr = l1 ? MSHR_KIND_UNLIMITED : MSHR_KIND_STATIC;
    c.l1d_mshr_entries = c.l2_mshr_entries = 8;
    c.l1d_mshr_slots = c.l2_mshr_slots = 4;
    int64_t *key[GROWN] = {&c.l1d_mshr_entries, &c.l1d_mshr_slots, &c.l2_mshr_entries,
                           &c.l2_mshr_slots};
    if (n)
        *key[what] = n;
    else
        c.l1d_mshr = c.l2_mshr = MSHR_KIND_UNLIMITED;
    struct program p = program_of(fn);
    p.ctas = 16;
    p.threads = 256;
    struct outcome o = run_program(&c, &p, false);
    assert_int_equal(o.end, GPU_DONE);
    const uint64_t *v = o.stats.v;
    return l1 ? v[STAT_l1d_refusals_entry_full] + v[STAT_l1d_refusals_merge_full]
              : v[STAT_l2_refusals_entry_full] + v[STAT_l2_refusals_merge_full];
}

static void more_mshrs_never_fail_more(void **state) {
    const int64_t growth = tier_is_test() ? 16 : tier_is("full") ? 4 : 2;
    for (unsigned k = 0; k < sizeof limit_kernel / sizeof limit_kernel[0]; k++)
        for (enum grown what = 0; what < GROWN; what++) {
            bool entries = what == L1D_ENTRIES || what == L2_ENTRIES;
            uint64_t before = UINT64_MAX, first = 0;
            for (int64_t n = entries ? 2 : 1; n <= (entries ? 256 : 64); n *= growth) {
                uint64_t now = mshr_refusals(limit_kernel[k], what, n);
                if (now > before)
                    fail_msg("kernel %u, key %d: %llu refusals with %d, %llu with fewer", k,
                             (int)what, (unsigned long long)now, (int)n,
                             (unsigned long long)before);
                first = before == UINT64_MAX ? now : first;
                before = now;
            }
            assert_int_equal(mshr_refusals(limit_kernel[k], what, 0), 0);
            if (entries)
                assert_true(before < first); /* the smallest MSHR refuses requests */
        }
}

/* ---- limits of the parameter ranges ---- */

/* Runs a legal configuration with the data check, and checks that the statistics are consistent.
 * Returns them. */
static struct stats run_with(program_fn fn, uint32_t ctas, uint32_t threads,
                             const char *const *set) {
    struct config c = chaos_config();
    struct error err;
    for (; *set; set++)
        if (config_override(&c, NULL, *set, &err) != 0)
            fail_msg("%s", err.text);
    struct program p = program_of(fn);
    p.ctas = ctas;
    p.threads = threads;
    struct outcome o = run_program(&c, &p, true);
    if (o.end != GPU_DONE)
        fail_msg("end %d: %s", (int)o.end, o.error);
    expect_sums(&c, &o.stats);
    return o.stats;
}

#define RUN_WITH(fn, ctas, threads, ...)                                                           \
    run_with(fn, ctas, threads, (const char *const[]){__VA_ARGS__, NULL})

static void as_little_as_there_can_be(void **state) {
#define LEAST                                                                                      \
    "sm.count=1", "sm.warps=1", "sm.ctas=1", "sm.schedulers=1", "sm.active_warps=1",               \
        "sm.pending_loads=1", "l1d.sets=1", "l1d.ways=1", "l2.partitions=1", "l2.banks=1"
    RUN_WITH(chaos, 4, 32, LEAST, "l1d.mshr_entries=1", "l2.mshr_entries=1");
    RUN_WITH(chaos, 4, 32, LEAST, "l1d.mshr_entries=1", "l1d.mshr_slots=1", "l1d.mshr_lookup=2",
             "l2.mshr_entries=1", "l2.mshr_slots=1", "l2.mshr_lookup=2");
    RUN_WITH(chaos, 4, 32, LEAST, "sm.scheduler=swl", "l1d.mshr=dl", "l1d.dl_pools=shared",
             "l1d.dl_sets=2", "l1d.dl_reserved_heads=0", "l2.mshr=dl", "l2.dl_sets=2",
             "l2.dl_reserved_heads=0");
    RUN_WITH(chaos, 4, 32, LEAST, "l1d.mshr=dl", "l1d.dl_sets=3", "l1d.dl_reserved_heads=2");
    RUN_WITH(chaos, 4, 32, LEAST, "sm.scheduler=two_level", "l1d.mrpb_queues=1",
             "l1d.bypass=static", "l1d.cache_users=0");
}

/* Each warp stores to its own line, adds to one of a few words, and loads lines that others store
 * to. */
static void one_of_each(const struct warp_place *place, uint32_t pc, struct warp_inst *i) {
    uint64_t own = BASE + (uint64_t)place->cta[0] * LINE_BYTES;
    if (pc == 0)
        store(i, own, 0);
    else if (pc == 1)
        access_to(i, WARP_ATOMIC, BASE + place->cta[0] % 64 * UINT64_C(65536), 4);
    else if (pc == 2)
        load(i, own ^ 37 * LINE_BYTES, R(1));
    else
        i->op = WARP_EXIT;
}

static void as_many_sms_and_banks_as_there_can_be(void **state) {
    RUN_WITH(one_of_each, 512, 32, "sm.count=512", "l2.partitions=512", "l2.banks=4",
             "l2.interleave_lines=1", "l2.sectored=yes");
    RUN_WITH(one_of_each, 512, 32, "sm.count=512", "l2.partitions=1", "l1d.enabled=no");
}

static void as_many_warps_as_there_can_be(void **state) {
#define MOST_WARPS                                                                                 \
    "sm.count=1", "sm.warps=128", "sm.ctas=64", "sm.schedulers=4", "sm.pending_loads=1024",        \
        "sm.lsu_queue=64"
    RUN_WITH(chaos, 1, 1024, MOST_WARPS, "sm.scheduler=swl", "sm.active_warps=128",
             "l1d.mrpb_queues=128");
    RUN_WITH(chaos, 64, 64, MOST_WARPS, "sm.scheduler=two_level", "sm.active_warps=128",
             "sm.schedulers=1", "l1d.bypass=static", "l1d.cache_users=63");
    /* up to 1024 loads wait at the same time, 8 per warp */
#define LONG_WAIT                                                                                  \
    "l1d.enabled=no", "l2.sets=64", "l2.ways=128", "l2.mshr=unlimited", "dram.extra_latency=20000"
    struct stats most = RUN_WITH(stream, 4, 1024, MOST_WARPS, LONG_WAIT);
    struct stats fewer = RUN_WITH(stream, 4, 1024, MOST_WARPS, LONG_WAIT, "sm.pending_loads=512");
    assert_true(most.v[STAT_cycles] < fewer.v[STAT_cycles]);
}

static void note_payload_w(void *ctx, struct block_inst *inst) {
    if (strcmp(inst->name, "l1d.0.mshr") == 0)
        *(int64_t *)ctx = inst->params.v[MSHR_PAYLOAD_W];
}

/* The payload of an L1D MSHR has as many ID bits as its requests need, beside 7 bits of offset and
 * a write flag. For up to 256 loads, it has the width at the synthesized points. */
static void ids_have_room_for_all_loads(void **state) {
    const int64_t loads[] = {1, 256, 257, 1024}, bits[] = {16, 16, 17, 18};
    for (unsigned i = 0; i < 4; i++) {
        struct config c = small_config();
        struct error err;
        int64_t payload_w = 0;
        c.sm_pending_loads = loads[i];
        struct gpu *g = gpu_create(&c, NULL, &err);
        assert_non_null(g);
        gpu_each_block(g, note_payload_w, &payload_w);
        assert_int_equal(payload_w, bits[i]);
        gpu_destroy(g);
    }
}

/* If all lines of the L1D are in one set, all 1024 lines that the kernel reads stay in the
 * cache. */
static void as_many_ways_as_there_can_be(void **state) {
    struct stats s = RUN_WITH(scatter, 32, 256, "sm.count=1", "l1d.sets=1", "l1d.ways=2048");
    assert_int_equal(s.v[STAT_l1d_primary_misses], 1024);
}

/* Each lane reads a separate line; there are 4096 lines in total. */
static void own_lines(const struct warp_place *place, uint32_t pc, struct warp_inst *i) {
    if (pc) {
        i->op = WARP_EXIT;
        return;
    }
    access_to(i, WARP_LOAD, BASE, 0);
    for (unsigned l = 0; l < WARP_LANES; l++)
        i->addr[l] = BASE + ((place->cta[0] * 32 + place->warp) * WARP_LANES + l) * LINE_BYTES;
    i->dst.w[0] = R(1);
}

/* Returns the number of entry-full refusals in both caches if all 4096 lines are requested before
 * the first one arrives. */
static uint64_t entry_full(const char *mshr, const char *entries) {
    const char *const caches[] = {"l1d", "l2"};
    char set[2][3][40];
    for (unsigned i = 0; i < 2; i++) {
        snprintf(set[i][0], sizeof set[i][0], "%s.mshr=%s", caches[i], mshr);
        snprintf(set[i][1], sizeof set[i][1], "%s.mshr_entries=%s", caches[i], entries);
        snprintf(set[i][2], sizeof set[i][2], "%s.dl_sets=%s", caches[i], entries);
    }
    struct stats s = RUN_WITH(
        own_lines, 4, 1024, MOST_WARPS, "l1d.ways=1024", "l2.ways=128", "l2.sets=64",
        "l2.partitions=1", "l2.in_queue=1024", "l2.miss_queue=1024", "dram.extra_latency=20000",
        "l1d.dl_pools=shared", "l1d.dl_reserved_heads=0", "l2.dl_reserved_heads=0", set[0][0],
        set[0][1], set[0][2], set[1][0], set[1][1], set[1][2]);
    assert_int_equal(s.v[STAT_l2_primary_misses], 4096);
    return s.v[STAT_l1d_refusals_entry_full] + s.v[STAT_l2_refusals_entry_full];
}

static void as_many_mshrs_as_there_can_be(void **state) {
    const char *const kinds[] = {"static", "dl"};
    for (unsigned k = 0; k < 2; k++) {
        assert_true(entry_full(kinds[k], "4095") > 0);
        assert_int_equal(entry_full(kinds[k], "4096"), 0);
    }
    RUN_WITH(chaos, 4, 64, "l1d.mshr=dl", "l1d.dl_sets=4096", "l1d.dl_reserved_heads=4095",
             "l2.mshr=dl", "l2.dl_sets=4096", "l2.dl_reserved_heads=4095");
}

/* Request numbers have 28 bits. A configuration that could need more numbers is refused. */
static void more_requests_than_numbers_are_refused(void **state) {
    struct config c = small_config();
    struct error err;
    c.l2_partitions = 512;
    c.l2_banks = 4;
    c.l2_mshr_entries = 4096;
    c.l2_mshr_slots = 64;
    assert_null(gpu_create(&c, NULL, &err));
    assert_non_null(strstr(err.text, "more than the limit of 268435455"));
}

/* ---- bandwidth ---- */

#define SAMPLES 256
#define ARRAY_LOADS 4

/* CTAs read an array in sequence; neighboring warps read neighboring lines. */
static void read_array(const struct warp_place *place, uint32_t pc, struct warp_inst *i) {
    if (pc < ARRAY_LOADS)
        load(i, BASE + ((place->cta[0] * ARRAY_LOADS + pc) * 8 + place->warp) * LINE_BYTES,
             R(1 + pc));
    else
        i->op = WARP_EXIT;
}

struct bus {
    unsigned n;
    uint64_t busy[SAMPLES], cycles[SAMPLES];
};

static void take_sample(void *ctx, const struct stats *s) {
    struct bus *b = ctx;
    if (b->n == SAMPLES)
        return;
    b->busy[b->n] = s->v[STAT_dram_busy_cycles];
    b->cycles[b->n++] = s->v[STAT_dram_cycles];
}

/* A large array is read from beginning to end, and the crossbar is wider than the DRAM. The bus is
 * busy except at the start and the end of the run. */
static void a_stream_keeps_the_data_bus_busy(void **state) {
    for (int partitions = 1; partitions <= 4; partitions *= 2) {
        struct config c = small_config();
        c.sm_count = 8;
        c.l2_partitions = partitions;
        c.icnt_flit_bytes = 256;
        c.l2_mshr_entries = 64;
        struct error err;
        struct bus bus = {0};
        struct gpu *g = gpu_create(&c, NULL, &err);
        assert_non_null(g);
        struct program p = program_of(read_array);
        p.gpu = g;
        p.ctas = 256 * (uint32_t)partitions;
        p.threads = 256;
        const struct gpu_monitor monitor = {
            .ctx = &bus, .sample = take_sample, .sample_cycles = 3000};
        assert_int_equal(gpu_run(g, &p.base, NULL, &monitor), GPU_DONE);
        gpu_destroy(g);
        assert_true(bus.n > 10 && bus.n < SAMPLES);
        for (unsigned n = 1; n + 2 < bus.n; n++) {
            double busy = (double)(bus.busy[n] - bus.busy[n - 1]) /
                          (double)(bus.cycles[n] - bus.cycles[n - 1]);
            if (busy <= 0.9 || busy > 1.0)
                fail_msg("%d partitions, sample %u of %u: data bus busy %.3f of the time",
                         partitions, n, bus.n, busy);
        }
    }
}

/* ---- integrals, one kind of request at a time ---- */

/* Two warps request one line at the same time and then exit, so that the value of each integral is
 * known. */
static void one_load(const struct warp_place *place, uint32_t pc, struct warp_inst *i) {
    (void)place;
    if (pc == 0)
        load(i, BASE, R(1));
    else
        i->op = WARP_EXIT;
}

static void one_atomic(const struct warp_place *place, uint32_t pc, struct warp_inst *i) {
    one_load(place, pc, i);
    if (pc == 0)
        i->op = WARP_ATOMIC;
}

static struct outcome run_pair(program_fn fn) {
    struct config c = small_config();
    struct program p = program_of(fn);
    p.threads = 64;
    struct outcome o = run_program(&c, &p, true);
    assert_int_equal(o.end, GPU_DONE);
    return o;
}

static void integrals_are_of_their_own_kind(void **state) {
    struct outcome o = run_pair(one_load);
    const uint64_t *v = o.stats.v;
    assert_int_equal(v[STAT_l1d_primary_misses] + v[STAT_l1d_secondary_misses], 2);
    /* the second load arrives one cycle after the first, and receives its response one cycle after
     * the first */
    assert_int_equal(v[STAT_l1d_mshr_slot_cycles], 2 * (v[STAT_l1d_mshr_busy_cycles] - 1));
    assert_int_equal(v[STAT_l2_mshr_slot_cycles], v[STAT_l2_mshr_busy_cycles]);
    assert_int_equal(v[STAT_l2_mshr_capacity], 32 * 4 * v[STAT_l2_mshr_busy_cycles]);
    assert_true(v[STAT_load_latency] > 2 * v[STAT_l2_mshr_busy_cycles]);
    assert_int_equal(v[STAT_atomic_latency], 0);
    assert_int_equal(v[STAT_dram_rd], 4);
    assert_int_equal(v[STAT_dram_act], 1);
    assert_int_equal(v[STAT_dram_busy_cycles], 8);
    assert_true(v[STAT_dram_read_latency] > 4 * 16 && v[STAT_dram_read_queue_cycles] > 4 * 16);
    assert_int_equal(v[STAT_dram_write_latency] + v[STAT_dram_write_queue_cycles] +
                         v[STAT_dram_write_full_cycles] + v[STAT_dram_turnarounds],
                     0);
    /* only one bank is open */
    assert_int_equal(v[STAT_dram_bank_cycles], v[STAT_dram_active_cycles]);
    /* A request is counted from the crossbar's next tick on. The bank that replies ticks before
     * the crossbar, so a reply is counted in the same cycle. The fetch is in each miss queue for
     * one cycle. */
    assert_int_equal(v[STAT_icnt_request_queue_cycles], 1);
    assert_int_equal(v[STAT_icnt_reply_queue_cycles], 2);
    assert_int_equal(v[STAT_l1d_miss_queue_cycles], 1);
    assert_int_equal(v[STAT_l2_miss_queue_cycles], 1);
    assert_int_equal(v[STAT_l2_in_queue_cycles], 60); /* equals l2.latency */
    o = run_pair(one_atomic);
    assert_int_equal(v[STAT_load_latency], 0);
    assert_true(v[STAT_atomic_latency] > 0);
    assert_int_equal(v[STAT_l2_mshr_slot_cycles] - v[STAT_l2_mshr_busy_cycles] > 10, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_at_a_time_nothing_is_refused),
        cmocka_unit_test(endless_resources_refuse_nothing),
        cmocka_unit_test(more_mshrs_never_fail_more),
        cmocka_unit_test(as_little_as_there_can_be),
        cmocka_unit_test(as_many_sms_and_banks_as_there_can_be),
        cmocka_unit_test(as_many_warps_as_there_can_be),
        cmocka_unit_test(ids_have_room_for_all_loads),
        cmocka_unit_test(as_many_ways_as_there_can_be),
        cmocka_unit_test(as_many_mshrs_as_there_can_be),
        cmocka_unit_test(more_requests_than_numbers_are_refused),
        cmocka_unit_test(a_stream_keeps_the_data_bus_busy),
        cmocka_unit_test(integrals_are_of_their_own_kind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
