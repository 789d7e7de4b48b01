// SPDX-License-Identifier: Apache-2.0
/* Unloaded latencies as equations of the configuration, to the cycle; bandwidth bounds. In
 * tier test on every second machine.
 * tier: test, 16 s; full, 30 s */
#include "tests/gpu/fixture.h"
#include "tests/tier.h"

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
    return 1 + (uint64_t)(c->sm_lsu_latency + c->l1d_hit_latency);
}

/* Cycles in the pipeline before the L1D's tags. */
static uint64_t piped(const struct config *c) {
    return c->l1d_lookup == L1D_LOOKUP_BACK ? (uint64_t)c->l1d_hit_latency - 1 : 0;
}

static uint64_t l2_hit(const struct config *c) {
    return piped(c) + 7 + (uint64_t)c->sm_lsu_latency + 2 * (uint64_t)c->icnt_latency +
           (uint64_t)c->l2_latency + reply_flits(c);
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

/* From the channel's queue to the bank, of a line. */
static uint64_t in_dram(const struct config *c) {
    return 2 + (uint64_t)c->dram_rcd + row_hit(c);
}

/* A load from DRAM, and one that hits in the L1D. */
static void expect_stages_of_two(const struct config *c, const uint64_t *v) {
    assert_int_equal(v[STAT_load_in_lsu], 2 * (uint64_t)c->sm_lsu_latency);
    assert_int_equal(v[STAT_load_in_l1d], piped(c) + 3 + 1 + (uint64_t)c->l1d_hit_latency);
    assert_int_equal(v[STAT_load_in_icnt], 3 + 2 * (uint64_t)c->icnt_latency + reply_flits(c));
    assert_int_equal(v[STAT_load_in_l2], (uint64_t)c->l2_latency + 3);
    assert_int_equal(v[STAT_load_in_dram], in_dram(c));
    assert_int_equal(v[STAT_load_life], dram_miss(c) + l1_hit(c));
}

static void expect_latencies(const struct config *c) {
    struct program p = program_of(load_twice);
    struct outcome o = run_program(c, &p, true);
    assert_int_equal(o.end, GPU_DONE);
    expect_stages_of_two(c, o.stats.v);
    assert_int_equal(p.issued[1] - p.issued[0], dram_miss(c));
    assert_int_equal(p.issued[3] - p.issued[2], l1_hit(c));
    p = program_of(store_then_load);
    assert_int_equal(run_program(c, &p, true).end, GPU_DONE);
    assert_int_equal(p.issued[3] - p.issued[2], l2_hit(c));
}

static void latency_is_the_sum(void **state) {
    (void)state;
    for (int mshr = MSHR_KIND_STATIC; mshr <= MSHR_KIND_DL; mshr++)
        for (int variant = 0; variant < 10; variant++) {
            struct config c = small_config();
            if (tier_is_test() && (mshr + variant) % 2)
                continue;
            c.l1d_mshr = c.l2_mshr = mshr;
            c.l1d_dl_pools = MSHR_POOLS_SHARED; /* a lookup of one cycle */
            c.icnt_latency = variant == 1 ? 1 : 8;
            c.l2_latency = variant == 2 ? 1 : 60;
            c.dram_extra_latency = variant == 3 ? 0 : 176;
            c.dram_cl = variant == 6 ? 1 : 16;
            c.dram_ccdl = variant == 7 ? 0 : 4;
            c.l1d_hit_latency = variant == 4 ? 1 : 28;
            c.icnt_flit_bytes = variant == 5 ? 256 : 32;
            c.sm_lsu_latency = variant == 8 ? 4 : 1;
            c.l1d_lookup = variant == 9 ? L1D_LOOKUP_BACK : L1D_LOOKUP_FRONT;
            if (variant == 8) { /* GTX480's */
                const char *map = "0000RRRR.RRRRRRRR.BBBCCCCB.CCSSSSSS";
                snprintf(c.dram_address_map, sizeof c.dram_address_map, "%s", map);
                c.dram_atom_bytes = 64;
                c.dram_groups = 1;
            }
            expect_latencies(&c);
        }
}

/* ---- the end of a CTA ---- */

static void store_and_exit(const struct warp_place *place, uint32_t pc, struct warp_inst *i) {
    (void)place;
    if (pc == 0)
        store(i, BASE, 0);
    else
        i->op = WARP_EXIT;
}

static uint64_t cycles_of(const struct config *c, uint32_t ctas) {
    struct program p = program_of(store_and_exit);
    p.ctas = ctas;
    struct outcome o = run_program(c, &p, true);
    assert_int_equal(o.end, GPU_DONE);
    return o.stats.v[STAT_sm_cycles]; /* of one SM */
}

/* With one place, the next CTA starts as the last one exits, or in the cycle after its store is
 * acknowledged, which is one before a load of the line would have come back. */
static void a_cta_ends(void **state) {
    (void)state;
    for (int lookup = L1D_LOOKUP_FRONT; lookup <= L1D_LOOKUP_BACK; lookup++) {
        struct config c = small_config();
        c.l1d_lookup = lookup;
        c.sm_count = c.sm_ctas = 1;
        c.sm_cta_ends = CTA_ENDS_EXIT;
        assert_int_equal(cycles_of(&c, 4) - cycles_of(&c, 1), 3); /* misses that merge */
        c.sm_cta_ends = CTA_ENDS_STORES;
        assert_int_equal(cycles_of(&c, 4) - cycles_of(&c, 3), l2_hit(&c) - 1);
    }
}

/* ---- stages of a load that joins another ---- */

#define JOINS_AFTER 120

/* The second warp, or CTA, loads the same line while it is in DRAM. */
static void join_later(const struct warp_place *place, uint32_t pc, struct warp_inst *i) {
    bool second = place->warp || place->cta[0];
    if (pc == 0) {
        alu(i, 0, 0);
        i->repeat = second ? 1 + JOINS_AFTER : 1;
    } else if (pc == 1) {
        load(i, BASE, R(1));
    } else {
        i->op = WARP_EXIT;
    }
}

static struct stats run_joined(const struct config *c, uint32_t ctas, uint32_t threads) {
    struct program p = program_of(join_later);
    p.ctas = ctas;
    p.threads = threads;
    struct outcome o = run_program(c, &p, true);
    assert_int_equal(o.end, GPU_DONE);
    assert_int_equal(o.stats.v[STAT_load_lines], 2);
    return o.stats;
}

/* In the L1D's MSHR: it has been only where the line was from then on. */
static void stages_of_a_merged_load(void **state) {
    (void)state;
    for (int mshr = MSHR_KIND_STATIC; mshr <= MSHR_KIND_UNLIMITED; mshr++) {
        if (mshr == MSHR_KIND_IMPLICIT) /* a word of a line once only: does not merge */
            continue;
        struct config c = small_config();
        c.l1d_mshr = c.l2_mshr = mshr;
        c.l1d_dl_pools = MSHR_POOLS_SHARED; /* a lookup of one cycle */
        const struct stats s = run_joined(&c, 1, 64);
        uint64_t to_dram = 5 + (uint64_t)(c.icnt_latency + c.l2_latency);
        uint64_t back = 1 + reply_flits(&c) + (uint64_t)c.icnt_latency;
        assert_int_equal(s.v[STAT_l1d_secondary], 1);
        assert_int_equal(s.v[STAT_load_in_dram], 2 * in_dram(&c) - (1 + JOINS_AFTER - to_dram));
        assert_int_equal(s.v[STAT_load_in_l2], (uint64_t)c.l2_latency + 3 + 2);
        assert_int_equal(s.v[STAT_load_in_icnt], 2 + (uint64_t)c.icnt_latency + 2 * back);
        assert_int_equal(s.v[STAT_load_in_l1d], 3 + 3); /* drains a cycle later */
        assert_int_equal(s.v[STAT_load_in_lsu], 2);
    }
}

/* In the L2's: what comes before that is of the L2. */
static void stages_of_a_load_merged_in_the_l2(void **state) {
    (void)state;
    struct config c = small_config();
    const struct stats s = run_joined(&c, 2, 32);
    assert_int_equal(s.v[STAT_l2_secondary], 1);
    assert_int_equal(s.v[STAT_load_in_dram], 2 * in_dram(&c) + 1 - JOINS_AFTER);
    assert_int_equal(s.v[STAT_load_in_l2], 2 * ((uint64_t)c.l2_latency + 3));
}

/* Of a line in sectors: where the last of them has been, which is looked up three cycles later. */
static void stages_of_sectors(void **state) {
    (void)state;
    struct config c = small_config();
    c.l2_sectored = 1;
    struct program p = program_of(load_twice);
    struct outcome o = run_program(&c, &p, true);
    assert_int_equal(o.end, GPU_DONE);
    assert_int_equal(o.stats.v[STAT_load_in_dram], in_dram(&c) - 3);
    assert_int_equal(o.stats.v[STAT_load_in_l2], (uint64_t)c.l2_latency + 3 + 3);
}

/* ---- other ways: sectors, past the L1D, atomics, local memory ---- */

static struct way {
    bool atomic;  /* with a result */
    bool skip;    /* marked */
    bool local;   /* local memory */
    bool sector;  /* 8 lanes of 4 B, not 32 */
    bool written; /* stored to first: in the L2, or in the L1D if it keeps stores */
} way;

static void one_access(const struct warp_place *place, uint32_t pc, struct warp_inst *i) {
    (void)place;
    if (way.sector)
        i->mask = 0xff;
    if (pc == 0 && way.written) {
        store(i, way.local ? 0 : BASE, 0);
    } else if (pc == 1) {
        alu(i, 0, 0);
        i->repeat = 3000; /* the store is long done */
    } else if (pc == 2) {
        load(i, way.local ? 0 : BASE, R(3));
        i->op = way.atomic ? WARP_ATOMIC : WARP_LOAD;
        i->skip_l1 = way.skip;
    } else if (pc == 3 || pc == 0) {
        alu(i, pc ? R(3) : 0, 0);
    } else {
        i->op = WARP_EXIT;
    }
    if (way.local && (i->op == WARP_STORE || i->op == WARP_LOAD)) {
        i->space = SPACE_LOCAL;
        for (unsigned l = 0; l < WARP_LANES; l++)
            i->addr[l] = 0; /* the word of each lane */
    }
}

static uint64_t latency_of(const struct config *c, struct way w) {
    way = w;
    struct program p = program_of(one_access);
    struct outcome o = run_program(c, &p, true);
    if (o.end != GPU_DONE)
        fail_msg("end %d: %s", (int)o.end, o.error);
    return p.issued[3] - p.issued[2];
}

static uint64_t flits(const struct config *c, uint64_t data) {
    uint64_t flit = (uint64_t)c->icnt_flit_bytes;
    return ((uint64_t)c->icnt_header_bytes + data + flit - 1) / flit;
}

/* Cycles of an L2 hit up to the response queue; `out` and `back` are the data bytes of request and
 * reply. */
static uint64_t round_trip(const struct config *c, uint64_t out, uint64_t back) {
    return 6 + 2 * (uint64_t)c->icnt_latency + (uint64_t)c->l2_latency + flits(c, out) +
           flits(c, back);
}

/* Cycles that DRAM adds to a fetch of `bytes` bytes of a line. */
static uint64_t from_dram(const struct config *c, uint64_t bytes) {
    struct config part = *c;
    uint64_t atoms = bytes / (uint64_t)c->dram_atom_bytes,
             line = LINE_BYTES / (uint64_t)c->dram_atom_bytes;
    uint64_t gap =
        line > 1
            ? (row_hit(&part) - (uint64_t)(c->dram_cl + c->dram_burst + c->dram_extra_latency)) /
                  (line - 1)
            : 0;
    return 4 + (uint64_t)c->dram_rcd + row_hit(&part) - (line - atoms) * gap;
}

static void each_machine(void (*expect)(const struct config *)) {
    for (int mshr = MSHR_KIND_STATIC; mshr <= MSHR_KIND_UNLIMITED; mshr++)
        for (int variant = 0; variant < 6; variant++) {
            struct config c = small_config();
            c.l1d_mshr = c.l2_mshr = mshr;
            c.l1d_dl_pools = MSHR_POOLS_SHARED; /* a lookup of one cycle */
            c.l2_subs = variant % 2 ? 2 : 1;
            c.l1d_allocate = c.l2_allocate = variant / 2 % 2;
            c.icnt_flit_bytes = variant == 2 ? 256 : 32;
            c.icnt_latency = variant == 3 ? 1 : 8;
            c.dram_extra_latency = variant == 4 ? 0 : 176;
            expect(&c);
        }
}

/* With all parts of the path as they are by default: the same whatever subs and allocation. */
static void expect_whole_lines(const struct config *c) {
    const struct way cold = {0}, warm = {.written = true};
    assert_int_equal(latency_of(c, cold), dram_miss(c));
    assert_int_equal(latency_of(c, warm), l2_hit(c));
    assert_int_equal(l2_hit(c), 1 + round_trip(c, 0, LINE_BYTES));
}

static void whole_lines(void **state) {
    (void)state;
    each_machine(expect_whole_lines);
}

/* Of the machine of the DL-MSHR experiments, with the latencies that dl_mshr_schemes.misses.ini
 * names. */
static void lone_loads_of_pascal28(void **state) {
    static const struct {
        int64_t l2, dram;
        uint64_t cycles;
    } with[] = {{120, 237, 269}, {60, 176, 183}, {180, 355, 378}};
    (void)state;
    const char *home = getenv("MEMTWIN_HOME");
    char configs[4096], err[512];
    snprintf(configs, sizeof configs, "%s/sim/configs", home ? home : ".");
    struct config c;
    struct config_sources from;
    assert_int_equal(config_load(&c, &from, "pascal28", configs, err, sizeof err), 0);
    assert_int_equal(c.l2_latency, with[0].l2);
    assert_int_equal(c.dram_extra_latency, with[0].dram);
    for (size_t i = 0; i < sizeof with / sizeof *with; i++) {
        c.l2_latency = with[i].l2;
        c.dram_extra_latency = with[i].dram;
        assert_int_equal(latency_of(&c, (struct way){0}), with[i].cycles);
    }
}

/* Past the MSHR nothing drains: a cycle less. */
static void expect_past_the_l1d(const struct config *c) {
    struct config off = *c, global = *c;
    off.l1d_enabled = 0;
    global.l1d_bypass = 1;
    for (int sector = 0; sector < 2; sector++) {
        uint64_t data = sector ? 32 : LINE_BYTES;
        for (int written = 0; written < 2; written++) {
            const struct way plain = {.sector = sector, .written = written};
            const struct way marked = {.sector = sector, .written = written, .skip = true};
            uint64_t want = round_trip(c, 0, data) + (written ? 0 : from_dram(c, LINE_BYTES));
            assert_int_equal(latency_of(&off, plain), want);
            assert_int_equal(latency_of(&global, plain), want);
            assert_int_equal(latency_of(c, marked), want);
        }
    }
}

static void past_the_l1d(void **state) {
    (void)state;
    each_machine(expect_past_the_l1d);
}

/* Its data go and its old bytes come back, past the L1D. */
static void expect_atomics(const struct config *c) {
    for (int sector = 0; sector < 2; sector++) {
        uint64_t data = sector ? 32 : LINE_BYTES;
        const struct way cold = {.atomic = true, .sector = sector};
        const struct way warm = {.atomic = true, .sector = sector, .written = true};
        uint64_t hit = round_trip(c, data, data);
        assert_int_equal(latency_of(c, warm), hit);
        assert_int_equal(latency_of(c, cold), hit + from_dram(c, LINE_BYTES));
    }
}

static void atomics_with_a_result(void **state) {
    (void)state;
    each_machine(expect_atomics);
}

/* One sector of a line, with sectors in one cache or in both. A line is four look-ups in a sectored
 * L2; those of a miss overlap with what DRAM takes. */
static void expect_sectors(const struct config *c) {
    const struct way cold = {.sector = true}, warm = {.sector = true, .written = true};
    struct config both = *c, first = *c, second = *c;
    both.l1d_sectored = both.sm_coalesce = both.l2_sectored = 1;
    first.l1d_sectored = first.sm_coalesce = 1;
    second.l2_sectored = 1;
    assert_int_equal(latency_of(&both, warm), 1 + round_trip(c, 0, 32));
    assert_int_equal(latency_of(&both, cold), 1 + round_trip(c, 0, 32) + from_dram(c, 32));
    assert_int_equal(latency_of(&first, warm), 1 + round_trip(c, 0, 32));
    assert_int_equal(latency_of(&first, cold), 1 + round_trip(c, 0, 32) + from_dram(c, LINE_BYTES));
    const struct way line_cold = {0}, line_warm = {.written = true};
    assert_int_equal(latency_of(&second, line_warm), 1 + round_trip(c, 0, LINE_BYTES) + 3);
    assert_int_equal(latency_of(&second, line_cold), dram_miss(c));
}

static void sectors(void **state) {
    (void)state;
    each_machine(expect_sectors);
}

/* A word of each lane is a line; what the L1D keeps is a hit. */
static void expect_local(const struct config *c) {
    const struct way cold = {.local = true}, warm = {.local = true, .written = true};
    struct config back = *c;
    back.l1d_write = L1D_LOCAL_WB;
    assert_int_equal(latency_of(c, cold), dram_miss(c));
    assert_int_equal(latency_of(c, warm), l2_hit(c));
    assert_int_equal(latency_of(&back, warm), l1_hit(c));
    back.l1d_write = L1D_WBWA;
    assert_int_equal(latency_of(&back, (struct way){.written = true}), l1_hit(c));
}

static void local_memory(void **state) {
    (void)state;
    each_machine(expect_local);
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
        cmocka_unit_test(latency_is_the_sum),
        cmocka_unit_test(a_cta_ends),
        cmocka_unit_test(stages_of_a_merged_load),
        cmocka_unit_test(stages_of_a_load_merged_in_the_l2),
        cmocka_unit_test(stages_of_sectors),
        cmocka_unit_test(whole_lines),
        cmocka_unit_test(lone_loads_of_pascal28),
        cmocka_unit_test(past_the_l1d),
        cmocka_unit_test(atomics_with_a_result),
        cmocka_unit_test(sectors),
        cmocka_unit_test(local_memory),
        cmocka_unit_test(alu_latency_is_exact),
        cmocka_unit_test(stream_fills_the_dram_bus),
        cmocka_unit_test(stream_fills_the_crossbar),
        cmocka_unit_test(entries_bound_the_bandwidth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
