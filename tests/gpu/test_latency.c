// SPDX-License-Identifier: Apache-2.0
/* Compares unloaded latencies with equations over the configuration, exact to the cycle, and tests
 * bandwidth bounds. The test tier uses every second machine.
 * tier: test, 6 s; full, 30 s */
#include "tests/gpu/fixture.h"
#include "tests/tier.h"

/* Loads a line, waits until it arrives, and loads the line again. The last instruction depends on
 * the second load. */
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

/* A store allocates the line only in the L2, so the load misses in the L1D and hits in the L2. */
static void store_then_load(const struct warp_place *place, uint32_t pc, struct warp_inst *i) {
    (void)place;
    switch (pc) {
    case 0:
        store(i, BASE, 0);
        break;
    case 1:
        alu(i, 0, R(1));
        i->repeat = 3000; /* enough cycles for the store to be done */
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
    return (uint64_t)((XBAR_HEADER_BYTES + LINE_BYTES + c->icnt_flit_bytes - 1) /
                      c->icnt_flit_bytes);
}

static uint64_t l1_hit(const struct config *c) {
    return 1 + (uint64_t)(c->sm_lsu_latency + c->l1d_hit_latency);
}

/* Returns the number of pipeline cycles before the lookup in the L1D's tags. */
static uint64_t piped(const struct config *c) {
    return c->l1d_model == MODEL_GPGPUSIM ? (uint64_t)c->l1d_hit_latency - 1 : 0;
}

static uint64_t l2_hit(const struct config *c) {
    return piped(c) + 7 + (uint64_t)c->sm_lsu_latency + 2 * (uint64_t)c->icnt_latency +
           (uint64_t)c->l2_latency + reply_flits(c);
}

/* Returns the number of DRAM cycles for a line whose row is open. All atoms of the line are in one
 * row. */
static uint64_t row_hit(const struct config *c) {
    int64_t gap = c->dram_ccd > c->dram_burst ? c->dram_ccd : c->dram_burst;
    gap = c->dram_groups > 1 && c->dram_ccdl > gap ? c->dram_ccdl : gap;
    return (uint64_t)((LINE_BYTES / c->dram_atom_bytes - 1) * gap + c->dram_cl + c->dram_burst +
                      c->dram_extra_latency);
}

static uint64_t dram_miss(const struct config *c) {
    return l2_hit(c) + 4 + (uint64_t)c->dram_rcd + row_hit(c);
}

/* Returns the number of cycles that a line spends in DRAM, from the channel's queue to the last
 * data. */
static uint64_t in_dram(const struct config *c) {
    return 2 + (uint64_t)c->dram_rcd + row_hit(c);
}

/* Checks the stages of two loads: one from DRAM and one that hits in the L1D. */
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
    for (int mshr = MSHR_KIND_STATIC; mshr <= MSHR_KIND_DL; mshr++)
        for (int variant = 0; variant < 10; variant++) {
            struct config c = small_config();
            if (tier_is_test() && (mshr + variant) % 2)
                continue;
            c.l1d_mshr = c.l2_mshr = mshr;
            c.l1d_dl_pools = MSHR_POOLS_SHARED; /* makes the lookup take one cycle */
            c.icnt_latency = variant == 1 ? 1 : 8;
            c.l2_latency = variant == 2 ? 1 : 60;
            c.dram_extra_latency = variant == 3 ? 0 : 176;
            c.dram_cl = variant == 6 ? 1 : 16;
            c.dram_ccdl = variant == 7 ? 0 : 4;
            c.l1d_hit_latency = variant == 4 ? 1 : 28;
            c.icnt_flit_bytes = variant == 5 ? 256 : 32;
            c.sm_model = variant == 8 ? MODEL_GPGPUSIM : MODEL_SIMPLE;
            c.sm_lsu_latency = variant == 8 ? 4 : 1;
            c.l1d_model = variant == 9 ? MODEL_GPGPUSIM : MODEL_SIMPLE;
            if (variant == 8) { /* timings of GTX480 */
                const char *map = "0000RRRR.RRRRRRRR.BBBCCCCB.CCSSSSSS";
                snprintf(c.dram_address_map, sizeof c.dram_address_map, "%s", map);
                c.dram_atom_bytes = 64;
                c.dram_groups = 1;
            }
            expect_latencies(&c);
        }
}

/* ---- when a CTA ends ---- */

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
    return o.stats.v[STAT_sm_cycles]; /* number of cycles of the only SM */
}

/* With one CTA slot, a CTA starts when the previous one exits. With sm.model=gpgpusim, it waits
 * until the previous CTA's store is acknowledged, which is one cycle before a load of the line
 * would return. */
static void a_cta_ends(void **state) {
    for (int model = MODEL_SIMPLE; model <= MODEL_GPGPUSIM; model++) {
        struct config c = small_config();
        c.l1d_model = model;
        c.sm_count = c.sm_ctas = 1;
        /* the loads are misses that merge */
        assert_int_equal(cycles_of(&c, 4) - cycles_of(&c, 1), 3);
        c.sm_model = MODEL_GPGPUSIM;
        assert_int_equal(cycles_of(&c, 4) - cycles_of(&c, 3), l2_hit(&c) - 1);
    }
}

/* ---- stages of a load that merges with another ---- */

#define JOINS_AFTER 120

/* Loads a line. The second warp or CTA loads it while the first one's fetch is in DRAM. */
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

/* A load that is merged in the L1D's MSHR goes through the same stages as the line's fetch from
 * the merge on. */
static void stages_of_a_merged_load(void **state) {
    for (int mshr = MSHR_KIND_STATIC; mshr <= MSHR_KIND_UNLIMITED; mshr++) {
        struct config c = small_config();
        c.l1d_mshr = c.l2_mshr = mshr;
        c.l1d_dl_pools = MSHR_POOLS_SHARED; /* makes the lookup take one cycle */
        const struct stats s = run_joined(&c, 1, 64);
        uint64_t to_dram = 5 + (uint64_t)(c.icnt_latency + c.l2_latency);
        uint64_t back = 1 + reply_flits(&c) + (uint64_t)c.icnt_latency;
        assert_int_equal(s.v[STAT_l1d_secondary_misses], 1);
        assert_int_equal(s.v[STAT_load_in_dram], 2 * in_dram(&c) - (1 + JOINS_AFTER - to_dram));
        assert_int_equal(s.v[STAT_load_in_l2], (uint64_t)c.l2_latency + 3 + 2);
        assert_int_equal(s.v[STAT_load_in_icnt], 2 + (uint64_t)c.icnt_latency + 2 * back);
        assert_int_equal(s.v[STAT_load_in_l1d], 3 + 3); /* the second load drains one cycle later */
        assert_int_equal(s.v[STAT_load_in_lsu], 2);
    }
}

/* The time before a load is merged in the L2's MSHR counts as time in the L2. */
static void stages_of_a_load_merged_in_the_l2(void **state) {
    struct config c = small_config();
    const struct stats s = run_joined(&c, 2, 32);
    assert_int_equal(s.v[STAT_l2_secondary_misses], 1);
    assert_int_equal(s.v[STAT_load_in_dram], 2 * in_dram(&c) + 1 - JOINS_AFTER);
    assert_int_equal(s.v[STAT_load_in_l2], 2 * ((uint64_t)c.l2_latency + 3));
}

/* The stages of a line that is fetched in sectors are those of its last sector, which is looked up
 * three cycles after the first. */
static void stages_of_sectors(void **state) {
    struct config c = small_config();
    c.l2_sectored = 1;
    struct program p = program_of(load_twice);
    struct outcome o = run_program(&c, &p, true);
    assert_int_equal(o.end, GPU_DONE);
    assert_int_equal(o.stats.v[STAT_load_in_dram], in_dram(&c) - 3);
    assert_int_equal(o.stats.v[STAT_load_in_l2], (uint64_t)c.l2_latency + 3 + 3);
}

/* ---- other paths: sectors, bypass, atomics, local memory ---- */

static struct gpu_way {
    bool atomic;  /* true for an atomic with a result */
    bool skip;    /* true if the load is marked to bypass */
    bool local;   /* true for local memory */
    bool sector;  /* true if 8 lanes, instead of 32, access 4 B each */
    bool written; /* true if the line was stored to before; the line is then in the L2, or in the
                     L1D if the L1D keeps stores */
} way;

static void one_access(const struct warp_place *place, uint32_t pc, struct warp_inst *i) {
    (void)place;
    if (way.sector)
        i->mask = 0xff;
    if (pc == 0 && way.written) {
        store(i, way.local ? 0 : BASE, 0);
    } else if (pc == 1) {
        alu(i, 0, 0);
        i->repeat = 3000; /* enough cycles for the store to be done */
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
            i->addr[l] = 0; /* a different word for each lane */
    }
}

static uint64_t latency_of(const struct config *c, struct gpu_way w) {
    way = w;
    struct program p = program_of(one_access);
    struct outcome o = run_program(c, &p, true);
    if (o.end != GPU_DONE)
        fail_msg("end %d: %s", (int)o.end, o.error);
    return p.issued[3] - p.issued[2];
}

static uint64_t flits(const struct config *c, uint64_t data) {
    uint64_t flit = (uint64_t)c->icnt_flit_bytes;
    return (XBAR_HEADER_BYTES + data + flit - 1) / flit;
}

/* Returns the number of cycles of an L2 hit up to the response queue. `out` and `back` are the
 * numbers of data bytes in the request and in the reply. */
static uint64_t round_trip(const struct config *c, uint64_t out, uint64_t back) {
    return 6 + 2 * (uint64_t)c->icnt_latency + (uint64_t)c->l2_latency + flits(c, out) +
           flits(c, back);
}

/* Returns the number of cycles that DRAM adds to a fetch of `bytes` bytes of a line. */
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
            c.l1d_dl_pools = MSHR_POOLS_SHARED; /* makes the lookup take one cycle */
            c.l2_banks = variant % 2 ? 2 : 1;
            c.l1d_allocate = c.l2_allocate = variant / 2 % 2;
            c.icnt_flit_bytes = variant == 2 ? 256 : 32;
            c.icnt_latency = variant == 3 ? 1 : 8;
            c.dram_extra_latency = variant == 4 ? 0 : 176;
            expect(&c);
        }
}

/* Checks loads of whole lines, without sectors, bypasses or atomics. The latencies do not depend on
 * the number of banks per partition or on the allocation. */
static void expect_whole_lines(const struct config *c) {
    const struct gpu_way cold = {0}, warm = {.written = true};
    assert_int_equal(latency_of(c, cold), dram_miss(c));
    assert_int_equal(latency_of(c, warm), l2_hit(c));
    assert_int_equal(l2_hit(c), 1 + round_trip(c, 0, LINE_BYTES));
}

static void whole_lines(void **state) {
    each_machine(expect_whole_lines);
}

/* The machine of the DL-MSHR experiments has the latencies listed in dl_mshr_schemes.misses.ini. */
static void lone_loads_of_pascal28(void **state) {
    static const struct {
        int64_t l2, dram;
        uint64_t cycles;
    } with[] = {{120, 237, 269}, {60, 176, 183}, {180, 355, 378}};
    const char *home = getenv("MEMTWIN_HOME");
    char configs[4096];
    struct error err;
    snprintf(configs, sizeof configs, "%s/sim/configs", home ? home : ".");
    struct config c;
    struct config_sources from;
    assert_int_equal(config_load(&c, &from, "pascal28", configs, &err), 0);
    assert_int_equal(c.l2_latency, with[0].l2);
    assert_int_equal(c.dram_extra_latency, with[0].dram);
    for (size_t i = 0; i < sizeof with / sizeof *with; i++) {
        c.l2_latency = with[i].l2;
        c.dram_extra_latency = with[i].dram;
        assert_int_equal(latency_of(&c, (struct gpu_way){0}), with[i].cycles);
    }
}

/* Checks that a load that bypasses the L1D has no drain, and takes one cycle less. */
static void expect_past_the_l1d(const struct config *c) {
    struct config off = *c, global = *c;
    off.l1d_enabled = 0;
    global.l1d_bypass = 1;
    for (int sector = 0; sector < 2; sector++) {
        uint64_t data = sector ? 32 : LINE_BYTES;
        for (int written = 0; written < 2; written++) {
            const struct gpu_way plain = {.sector = sector, .written = written};
            const struct gpu_way marked = {.sector = sector, .written = written, .skip = true};
            uint64_t want = round_trip(c, 0, data) + (written ? 0 : from_dram(c, LINE_BYTES));
            assert_int_equal(latency_of(&off, plain), want);
            assert_int_equal(latency_of(&global, plain), want);
            assert_int_equal(latency_of(c, marked), want);
        }
    }
}

static void past_the_l1d(void **state) {
    each_machine(expect_past_the_l1d);
}

/* Checks that an atomic bypasses the L1D: its data are sent to the L2, and the old bytes return. */
static void expect_atomics(const struct config *c) {
    for (int sector = 0; sector < 2; sector++) {
        uint64_t data = sector ? 32 : LINE_BYTES;
        const struct gpu_way cold = {.atomic = true, .sector = sector};
        const struct gpu_way warm = {.atomic = true, .sector = sector, .written = true};
        uint64_t hit = round_trip(c, data, data);
        assert_int_equal(latency_of(c, warm), hit);
        assert_int_equal(latency_of(c, cold), hit + from_dram(c, LINE_BYTES));
    }
}

static void atomics_with_a_result(void **state) {
    each_machine(expect_atomics);
}

/* Checks loads of one sector, with sectors in one cache or in both. A whole line needs four
 * lookups in a sectored L2, which overlap with DRAM if it misses. */
static void expect_sectors(const struct config *c) {
    const struct gpu_way cold = {.sector = true}, warm = {.sector = true, .written = true};
    struct config both = *c, first = *c, second = *c;
    both.sm_coalesce = COALESCE_SECTOR;
    both.l2_sectored = 1;
    first.sm_coalesce = COALESCE_SECTOR;
    second.l2_sectored = 1;
    assert_int_equal(latency_of(&both, warm), 1 + round_trip(c, 0, 32));
    assert_int_equal(latency_of(&both, cold), 1 + round_trip(c, 0, 32) + from_dram(c, 32));
    assert_int_equal(latency_of(&first, warm), 1 + round_trip(c, 0, 32));
    assert_int_equal(latency_of(&first, cold), 1 + round_trip(c, 0, 32) + from_dram(c, LINE_BYTES));
    const struct gpu_way line_cold = {0}, line_warm = {.written = true};
    assert_int_equal(latency_of(&second, line_warm), 1 + round_trip(c, 0, LINE_BYTES) + 3);
    assert_int_equal(latency_of(&second, line_cold), dram_miss(c));
}

static void sectors(void **state) {
    each_machine(expect_sectors);
}

/* Checks local memory, in which one word per lane fills a line. If the L1D keeps the line, the
 * load hits. */
static void expect_local(const struct config *c) {
    const struct gpu_way cold = {.local = true}, warm = {.local = true, .written = true};
    struct config back = *c;
    back.l1d_write = L1D_LOCAL_WB;
    assert_int_equal(latency_of(c, cold), dram_miss(c));
    assert_int_equal(latency_of(c, warm), l2_hit(c));
    assert_int_equal(latency_of(&back, warm), l1_hit(c));
    back.l1d_write = L1D_WBWA;
    assert_int_equal(latency_of(&back, (struct gpu_way){.written = true}), l1_hit(c));
}

static void local_memory(void **state) {
    each_machine(expect_local);
}

/* Issues an instruction, a dependent run of 10 instructions, and further instructions that wait for
 * others or do not wait. */
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
        alu(i, R(2), R(2)); /* waits for the last instruction of the run */
        i->op = WARP_SHARED;
        break;
    case 3:
        alu(i, 0, R(2)); /* waits, too, because of a write after a write */
        break;
    case 4:
        alu(i, R(5), R(6)); /* is independent and issues immediately */
        break;
    default:
        i->op = WARP_EXIT; /* waits for all instructions */
    }
}

static void alu_latency_is_exact(void **state) {
    struct config c = small_config();
    const uint64_t latency = 6; /* value of sm.alu */
    struct program p = program_of(alu_chain);
    struct outcome o = run_program(&c, &p, false);
    assert_int_equal(o.end, GPU_DONE);
    assert_int_equal(p.issued[0], 0);
    assert_int_equal(p.issued[1], latency + 9); /* issues after the last instruction of the run */
    assert_int_equal(p.issued[2], p.issued[1] + latency);
    assert_int_equal(p.issued[3], p.issued[2] + (uint64_t)c.sm_shared_latency);
    assert_int_equal(p.issued[4], p.issued[3] + 1);
    assert_int_equal(o.stats.v[STAT_warp_insts], 1 + 10 + 1 + 1 + 1 + 1);
    assert_int_equal(o.stats.v[STAT_cycles], p.issued[3] + latency + 2);
}

#define STREAM_LOADS 16

/* Each warp loads consecutive lines of its own, with independent loads. */
static void stream(const struct warp_place *place, uint32_t pc, struct warp_inst *i) {
    uint64_t warp = place->cta[0] * 8 + place->warp;
    if (pc < STREAM_LOADS)
        load(i, BASE + (warp * STREAM_LOADS + pc) * LINE_BYTES, R(1 + pc));
    else
        i->op = WARP_EXIT;
}

static void stream_fills_the_dram_bus(void **state) {
    struct config c = small_config();
    c.sm_count = 8;
    c.icnt_flit_bytes = LINE_BYTES + XBAR_HEADER_BYTES;
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

/* Makes DRAM transfer 128 B in 2 cycles at any address, with almost no time to open a row. */
static void fast_dram(struct config *c) {
    const char *map = "RRRRRRRR.RRRRRRRR.CCCBBBB.SSSSSSS";
    snprintf(c->dram_address_map, sizeof c->dram_address_map, "%s", map);
    c->dram_atom_bytes = 128;
    c->dram_read_queue = 128;
    c->dram_ras = c->dram_rp = c->dram_rcd = c->dram_rrd = 2;
    c->dram_rc = 4;
}

/* If the DRAM is wide, the bank's reply port is the limit, with reply_flits cycles per line. */
static void stream_fills_the_crossbar(void **state) {
    struct config c = small_config();
    c.sm_count = 8;
    c.l2_partitions = 1; /* prevents two banks from replying to one SM */
    fast_dram(&c);
    c.l2_mshr_entries = 128;
    struct program p = program_of(stream);
    p.ctas = 128;
    p.threads = 256;
    struct outcome o = run_program(&c, &p, false);
    assert_int_equal(o.end, GPU_DONE);
    double used = (double)o.stats.v[STAT_icnt_reply_flits] / (double)o.stats.v[STAT_cycles];
    if (used <= 0.9 || used > 1.0)
        fail_msg("reply ports busy %.3f of the time", used);
}

/* By Little's law, the number of MSHR entries limits the miss rate, because each miss uses an entry
 * from the primary miss to the RET. */
static void entries_bound_the_bandwidth(void **state) {
    struct config c = small_config();
    c.sm_count = 8;
    fast_dram(&c);
    c.l2_mshr_entries = 16;
    struct program p = program_of(stream);
    p.ctas = 128;
    p.threads = 256;
    struct outcome o = run_program(&c, &p, false);
    assert_int_equal(o.end, GPU_DONE);
    /* Each entry is used for 4 + latency cycles: from the cycle after the miss until its one
     * response is accepted. */
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
