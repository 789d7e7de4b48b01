/* Unloaded latencies as equations of the configuration, to the cycle; bandwidth bounds. */
#include "tests/gpu/fixture.h"

/* Touch, wait until it is there, touch again; the last instruction depends on the second load. */
static void load_twice(const struct warp_place *place, uint32_t pc, struct warp_inst *i) {
    (void)place;
    switch (pc) {
    case 0:
        load(i, BASE, R(1));
        break;
    case 1:
        alu(i, R(1), R(2));
        break;
    case 2:
        load(i, BASE, R(3));
        break;
    case 3:
        alu(i, R(3), R(4));
        break;
    default:
        i->op = WARP_EXIT;
    }
}

/* The line is in the L2 but not in the L1D: written first, which allocates in the L2 only. */
static void store_then_load(const struct warp_place *place, uint32_t pc, struct warp_inst *i) {
    (void)place;
    switch (pc) {
    case 0:
        store(i, BASE, 0);
        break;
    case 1:
        alu(i, 0, R(1));
        i->repeat = 3000; /* the store is long done */
        break;
    case 2:
        load(i, BASE, R(3));
        break;
    case 3:
        alu(i, R(3), R(4));
        break;
    default:
        i->op = WARP_EXIT;
    }
}

static uint64_t reply_flits(const struct config *c) {
    return (uint64_t)((c->icnt_header_bytes + LINE_BYTES + c->icnt_flit_bytes - 1) /
                      c->icnt_flit_bytes);
}

static uint64_t l1_hit(const struct config *c) {
    return 2 + (uint64_t)c->l1d_hit_latency;
}

static uint64_t l2_hit(const struct config *c) {
    return 8 + 2 * (uint64_t)c->icnt_latency + (uint64_t)c->l2_latency + reply_flits(c);
}

/* All atoms of a line lie in one row of one bank. */
static uint64_t row_hit(const struct config *c) {
    int64_t gap = c->dram_ccd > c->dram_burst ? c->dram_ccd : c->dram_burst;
    gap = c->dram_groups > 1 && c->dram_ccdl > gap ? c->dram_ccdl : gap;
    return (uint64_t)((LINE_BYTES / c->dram_atom_bytes - 1) * gap + c->dram_cl + c->dram_burst +
                      c->dram_extra_latency);
}

static uint64_t dram_miss(const struct config *c) {
    return l2_hit(c) + 4 + (uint64_t)c->dram_rcd + row_hit(c);
}

static void expect_latencies(const struct config *c) {
    struct program p = program_of(load_twice);
    assert_int_equal(run_program(c, &p, true).end, GPU_DONE);
    assert_int_equal(p.issued[1] - p.issued[0], dram_miss(c));
    assert_int_equal(p.issued[3] - p.issued[2], l1_hit(c));
    p = program_of(store_then_load);
    assert_int_equal(run_program(c, &p, true).end, GPU_DONE);
    assert_int_equal(p.issued[3] - p.issued[2], l2_hit(c));
}

static void latency_is_the_sum(void **state) {
    (void)state;
    for (int mshr = MSHR_KIND_STATIC; mshr <= MSHR_KIND_DL; mshr++)
        for (int variant = 0; variant < 9; variant++) {
            struct config c = small_config();
            c.l1d_mshr = c.l2_mshr = mshr;
            c.icnt_latency = variant == 1 ? 1 : 8;
            c.l2_latency = variant == 2 ? 1 : 60;
            c.dram_extra_latency = variant == 3 ? 0 : 176;
            c.dram_cl = variant == 6 ? 1 : 16;
            c.dram_ccdl = variant == 7 ? 0 : 4;
            c.l1d_hit_latency = variant == 4 ? 1 : 28;
            c.icnt_flit_bytes = variant == 5 ? 256 : 32;
            if (variant == 8) { /* GTX480's */
                const char *map = "0000RRRR.RRRRRRRR.BBBCCCCB.CCSSSSSS";
                snprintf(c.dram_address_map, sizeof c.dram_address_map, "%s", map);
                c.dram_atom_bytes = 64;
                c.dram_groups = 1;
            }
            expect_latencies(&c);
        }
}

/* Two dependent instructions, then a run. */
static void alu_chain(const struct warp_place *place, uint32_t pc, struct warp_inst *i) {
    (void)place;
    switch (pc) {
    case 0:
        alu(i, 0, R(1));
        break;
    case 1:
        alu(i, R(1), R(2)); /* waits for R1 */
        i->repeat = 10;
        break;
    case 2:
        alu(i, R(2), R(2)); /* waits for the run's last instruction */
        i->op = WARP_SHARED;
        break;
    case 3:
        alu(i, 0, R(2)); /* write after write: waits too */
        break;
    case 4:
        alu(i, R(5), R(6)); /* independent: issues at once */
        break;
    default:
        i->op = WARP_EXIT; /* waits for all */
    }
}

static void alu_latency_is_exact(void **state) {
    (void)state;
    struct config c = small_config();
    struct program p = program_of(alu_chain);
    struct outcome o = run_program(&c, &p, false);
    assert_int_equal(o.end, GPU_DONE);
    assert_int_equal(p.issued[0], 0);
    assert_int_equal(p.issued[1], (uint64_t)c.sm_alu_latency + 9); /* the last of the run */
    assert_int_equal(p.issued[2], p.issued[1] + (uint64_t)c.sm_alu_latency);
    assert_int_equal(p.issued[3], p.issued[2] + (uint64_t)c.sm_shared_latency);
    assert_int_equal(p.issued[4], p.issued[3] + 1);
    assert_int_equal(o.stats.v[STAT_warp_insts], 1 + 10 + 1 + 1 + 1 + 1);
    assert_int_equal(o.stats.v[STAT_cycles], p.issued[3] + (uint64_t)c.sm_alu_latency + 2);
}

#define STREAM_LOADS 16

/* Each warp loads consecutive lines of its own, all independent. */
static void stream(const struct warp_place *place, uint32_t pc, struct warp_inst *i) {
    uint64_t warp = place->cta[0] * 8 + place->warp;
    if (pc < STREAM_LOADS)
        load(i, BASE + (warp * STREAM_LOADS + pc) * LINE_BYTES, R(1 + pc));
    else
        i->op = WARP_EXIT;
}

static void stream_fills_the_dram_bus(void **state) {
    (void)state;
    struct config c = small_config();
    c.sm_count = 8;
    c.icnt_flit_bytes = 128;
    c.icnt_header_bytes = 0;
    struct program p = program_of(stream);
    p.ctas = 128;
    p.threads = 256;
    struct outcome o = run_program(&c, &p, false);
    assert_int_equal(o.end, GPU_DONE);
    assert_int_equal(o.stats.v[STAT_dram_reads], 128 * 8 * STREAM_LOADS);
    double busy = (double)o.stats.v[STAT_dram_busy_cycles] / (double)o.stats.v[STAT_dram_cycles];
    if (busy <= 0.9 || busy > 1.0)
        fail_msg("DRAM data bus busy %.3f of the time", busy);
}

/* 128 B in 2 cycles, wherever they are: opening a row takes next to no time. */
static void fast_dram(struct config *c) {
    const char *map = "RRRRRRRR.RRRRRRRR.CCCBBBB.SSSSSSS";
    snprintf(c->dram_address_map, sizeof c->dram_address_map, "%s", map);
    c->dram_atom_bytes = 128;
    c->dram_read_queue = 128;
    c->dram_ras = c->dram_rp = c->dram_rcd = c->dram_rrd = 2;
    c->dram_rc = 4;
}

/* With a wide DRAM the bank's reply port is the limit: one line in reply_flits cycles. */
static void stream_fills_the_crossbar(void **state) {
    (void)state;
    struct config c = small_config();
    c.sm_count = 8;
    c.l2_partitions = 1; /* no two banks reply to one SM */
    fast_dram(&c);
    c.l2_mshr_entries = 128;
    struct program p = program_of(stream);
    p.ctas = 128;
    p.threads = 256;
    struct outcome o = run_program(&c, &p, false);
    assert_int_equal(o.end, GPU_DONE);
    double used = (double)o.stats.v[STAT_icnt_rsp_flits] / (double)o.stats.v[STAT_cycles];
    if (used <= 0.9 || used > 1.0)
        fail_msg("reply ports busy %.3f of the time", used);
}

/* Little's law: E MSHR entries, each held from the primary miss to the RET, bound the rate of
 * misses. */
static void entries_bound_the_bandwidth(void **state) {
    (void)state;
    struct config c = small_config();
    c.sm_count = 8;
    fast_dram(&c);
    c.l2_mshr_entries = 16;
    struct program p = program_of(stream);
    p.ctas = 128;
    p.threads = 256;
    struct outcome o = run_program(&c, &p, false);
    assert_int_equal(o.end, GPU_DONE);
    /* From the cycle after the miss until its one response is taken: 4 + latency cycles. */
    double bound = 16.0 / (4.0 + (double)row_hit(&c));
    double rate = (double)o.stats.v[STAT_dram_reads] / (2.0 * (double)o.stats.v[STAT_cycles]);
    if (rate > bound || rate < 0.9 * bound)
        fail_msg("%.4f misses a cycle and bank, bound %.4f", rate, bound);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(latency_is_the_sum),          cmocka_unit_test(alu_latency_is_exact),
        cmocka_unit_test(stream_fills_the_dram_bus),   cmocka_unit_test(stream_fills_the_crossbar),
        cmocka_unit_test(entries_bound_the_bandwidth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
