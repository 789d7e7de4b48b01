/* SPDX-License-Identifier: Apache-2.0 */
/* Builds tiny workloads for the system tests. A kernel is a function that returns the instruction
 * for a warp's position and an instruction number. */
#ifndef MEMTWIN_TESTS_GPU_FIXTURE_H
#define MEMTWIN_TESTS_GPU_FIXTURE_H

#include "gpu/gpu.h"
#include "gpu/parts.h"
#include "check/check.h"
#include "tests/test.h"

#define BASE UINT64_C(0x80000000)
#define R(n) (UINT64_C(1) << (n))
#define MAX_ISSUES 64

typedef void (*program_fn)(const struct warp_place *place, uint32_t pc, struct warp_inst *inst);

struct program {
    struct workload base;
    struct gpu *gpu;      /* GPU that runs the program; gives the cycle of an issue */
    program_fn kernel[8]; /* run in sequence; NULL ends the list */
    uint32_t ctas,        /* number of CTAs, equal for all kernels */
        threads,          /* number of threads per CTA, equal for all kernels */
        shared;           /* bytes of shared memory per CTA, equal for all kernels */
    unsigned next;
    uint64_t issued[MAX_ISSUES]; /* cycle in which warp 0 of CTA 0 issued instruction n */
};

struct program_ctx {
    struct program *program;
    program_fn fn;
};

static struct program_ctx program_ctx;

static void program_step(void *ctx, const struct warp_place *place, void *cta_state,
                         void *warp_state, struct warp_inst *inst) {
    struct program_ctx *c = ctx;
    uint32_t *pc = warp_state;
    (void)cta_state;
    if (*pc > 0 && *pc <= MAX_ISSUES && place->cta[0] == 0 && place->warp == 0)
        c->program->issued[*pc - 1] = c->program->gpu->cycle;
    inst->repeat = 1;
    inst->size = 4;
    inst->src = inst->dst = (struct reg_set){{0}};
    inst->space = SPACE_GLOBAL;
    inst->skip_l1 = inst->atomic = inst->has_pc = false;
    inst->async = ASYNC_NONE;
    inst->passes = 1;
    inst->mask = (uint32_t)((UINT64_C(1) << place->threads) - 1);
    c->fn(place, (*pc)++, inst);
}

static bool program_next(struct workload *w, struct kernel_launch *launch) {
    struct program *p = (struct program *)w;
    program_ctx = (struct program_ctx){p, p->kernel[p->next]};
    if (!program_ctx.fn)
        return false;
    p->next++;
    *launch = (struct kernel_launch){
        .name = "test",
        .grid = {p->ctas, 1, 1},
        .block = {p->threads, 1, 1},
        .shared_bytes = p->shared,
        .warp_state_size = sizeof(uint32_t),
        .step = program_step,
        .ctx = &program_ctx,
    };
    return true;
}

/* Returns a program with one kernel of one warp. */
static inline struct program program_of(program_fn fn) {
    struct program p = {.base = {.next = program_next}, .kernel = {fn}, .ctas = 1, .threads = 32};
    return p;
}

static inline void alu(struct warp_inst *i, uint64_t src, uint64_t dst) {
    i->op = WARP_ALU;
    i->src = (struct reg_set){{src}};
    i->dst = (struct reg_set){{dst}};
}

/* Makes an instruction in which lane l accesses addr + l * stride. */
static inline void access_to(struct warp_inst *i, enum warp_op op, uint64_t addr, uint64_t stride) {
    i->op = op;
    for (unsigned l = 0; l < WARP_LANES; l++)
        i->addr[l] = addr + l * stride;
}

static inline void load(struct warp_inst *i, uint64_t addr, uint64_t dst) {
    access_to(i, WARP_LOAD, addr, 4);
    i->dst = (struct reg_set){{dst}};
}

static inline void store(struct warp_inst *i, uint64_t addr, uint64_t src) {
    access_to(i, WARP_STORE, addr, 4);
    i->src = (struct reg_set){{src}};
}

/* Returns a small system in which all clocks are equal, so that latencies are sums. */
static inline struct config small_config(void) {
    struct config c;
    config_default(&c);
    c.clock_sm_mhz = c.clock_icnt_mhz = c.clock_l2_mhz = c.clock_dram_mhz = 1000;
    c.sm_count = 2;
    c.l2_partitions = 2;
    c.sim_no_progress_cycles = 5000;
    return c;
}

/* Limits the DRAM queues to one line of reads and one line of writes. */
static inline void dram_of_one_line(struct config *c) {
    c->dram_read_queue = c->dram_write_queue = c->dram_write_high = LINE_BYTES / c->dram_atom_bytes;
    c->dram_write_low = 0;
}

struct outcome {
    enum gpu_end end;
    struct stats stats;
    char error[512]; /* text of gpu_error, or of check_failure if there is no error */
    uint64_t checked;
    bool plant_made;
};

/* Runs a program to its end, with or without the data check. */
static inline struct outcome run_program(const struct config *cfg, struct program *p,
                                         bool checked) {
    struct outcome o = {0};
    struct error err;
    struct check *check = checked ? check_create((unsigned)cfg->sm_count) : NULL;
    struct gpu *g = gpu_create(cfg, check, &err);
    if (!g)
        fail_msg("gpu_create: %s", err.text);
    p->gpu = g;
    p->next = 0;
    o.end = gpu_run(g, &p->base, NULL, NULL);
    gpu_stats(g, &o.stats);
    if (check && o.end == GPU_DONE)
        check_final(check, gpu_read_line, g);
    if (check && check_failure(check) && o.end == GPU_DONE)
        o.end = GPU_CHECK_FAILED;
    const char *why = gpu_error(g);
    if (!*why && check && check_failure(check))
        why = check_failure(check);
    snprintf(o.error, sizeof o.error, "%s", why);
    o.plant_made = gpu_plant_made(g);
    o.checked = check ? check_loads_checked(check) : 0;
    gpu_destroy(g);
    check_destroy(check);
    return o;
}

/* ---- random traffic on few lines, with every hazard of the caches ---- */

#define CHAOS_INSTS 36
#define CHAOS_LINES 48

static uint32_t chaos_seed; /* seed of the random program */

static inline uint32_t chaos_mix(uint32_t x) {
    x ^= x >> 16;
    x *= 0x7feb352dU;
    x ^= x >> 15;
    x *= 0x846ca68bU;
    return x ^ x >> 16;
}

/* Makes an atomic. Half of the atomics use four words that all warps share; the others use a sixth
 * of the lines. */
static inline void chaos_atomic(struct warp_inst *i, uint32_t r) {
    i->op = WARP_ATOMIC;
    i->size = r & 1 ? 8 : 4;
    bool hot = r >> 1 & 1;
    uint64_t line = hot ? 0 : chaos_mix(r + 1) % (CHAOS_LINES / 6);
    for (unsigned l = 0; l < WARP_LANES; l++)
        i->addr[l] = BASE + line * LINE_BYTES + chaos_mix(r + l / 3) % (hot ? 4 : 16) * i->size;
    if (hot)
        i->mask &= UINT32_C(0x01010101) << (r >> 4 & 7) | 1;
    i->src.w[0] = R(r >> 12 & 7);
    if (r >> 2 & 1)
        i->dst.w[0] = R(r >> 16 & 7);
}

/* Makes a load or a store of any size and space, in patterns from one line for all lanes to one
 * line per lane. */
static inline void chaos_access(struct warp_inst *i, uint32_t r) {
    static const uint8_t sizes[] = {1, 2, 4, 8, 16};
    i->op = r & 1 ? WARP_STORE : WARP_LOAD;
    i->size = sizes[(r >> 4) % 5];
    i->space = (r >> 1) % 4 == 0 ? SPACE_LOCAL : SPACE_GLOBAL;
    i->skip_l1 = chaos_mix(r + 2) % 6 == 0;
    uint64_t base =
        i->space == SPACE_LOCAL ? 0 : BASE + chaos_mix(r + 1) % CHAOS_LINES * LINE_BYTES;
    unsigned pattern = (r >> 22) % 8;
    uint64_t stride = pattern == 0 ? 128 : pattern == 1 ? 48 : i->size;
    if (i->space == SPACE_LOCAL)
        stride = pattern < 3 ? i->size : 0;
    for (unsigned l = 0; l < WARP_LANES; l++) {
        uint64_t at = pattern == 2 ? chaos_mix(r + l) % 512 : l * stride;
        i->addr[l] = base + at / i->size * i->size;
    }
    (i->op == WARP_LOAD ? &i->dst : &i->src)->w[0] = R(r >> 12 & 7);
}

static inline void chaos(const struct warp_place *place, uint32_t pc, struct warp_inst *i) {
    uint32_t r = chaos_mix(chaos_seed + place->cta[0] * 7919 + place->warp * 104729 + pc * 31 + 17);
    if (pc == CHAOS_INSTS) {
        i->op = WARP_EXIT;
        return;
    }
    if (pc % 20 == 19) {
        i->op = WARP_BARRIER;
        return;
    }
    i->mask &= (r >> 28 & 3) ? chaos_mix(r) | 1 : UINT32_MAX;
    switch (r % 8) {
    case 0:
        alu(i, R(r >> 8 & 7), R(r >> 12 & 7));
        i->op = (enum warp_op)((r >> 16) % (WARP_SHARED + 1));
        i->repeat = 1 + (r >> 18) % 5;
        i->passes = (uint8_t)(1 + (r >> 21) % 8);
        break;
    case 1:
        chaos_atomic(i, r >> 3);
        break;
    default:
        chaos_access(i, r >> 3);
    }
}

/* Returns a program with two kernels, in which the last warp of a CTA has 8 lanes. */
static inline struct program chaos_program(uint32_t ctas) {
    struct program p = program_of(chaos);
    p.kernel[1] = chaos;
    p.ctas = ctas;
    p.threads = 200;
    return p;
}

/* Returns a system with small caches and unequal clocks. */
static inline struct config chaos_config(void) {
    struct config c = small_config();
    c.sm_count = 4;
    c.clock_icnt_mhz = 900;
    c.clock_l2_mhz = 700;
    c.clock_dram_mhz = 1700;
    c.l1d_sets = 4;
    c.l1d_ways = 2;
    c.l2_sets = 4;
    c.l2_ways = 2;
    c.l2_reply_queue = c.l2_evict_buffer = c.l2_miss_queue = 2;
    c.dram_extra_latency = 20;
    c.dram_read_queue = 16;
    c.dram_write_queue = 8;
    c.dram_write_high = 8;
    c.dram_write_low = 2;
    return c;
}

/* ---- invariants of every complete run ---- */

/* Checks that each line that is accessed is counted with exactly one outcome in the L1D and each
 * refusal with exactly one reason. If there is no L1D, checks that it has no accesses. */
static inline void expect_l1d_sums(const struct config *c, const uint64_t *v) {
    uint64_t lines = v[STAT_load_lines] + v[STAT_store_lines] + v[STAT_atomic_lines];
    assert_int_equal(v[STAT_mrpb_accesses], c->l1d_mrpb_queues ? lines : 0);
    assert_true(v[STAT_mrpb_access_cycles] >= v[STAT_mrpb_accesses]);
    if (!c->l1d_enabled) {
        assert_int_equal(v[STAT_l1d_accesses], 0);
        return;
    }
    assert_int_equal(v[STAT_l1d_accesses], lines);
    assert_int_equal(v[STAT_load_lines], v[STAT_l1d_hits] + v[STAT_l1d_primary_misses] +
                                             v[STAT_l1d_secondary_misses] + v[STAT_l1d_bypasses]);
    assert_int_equal(v[STAT_store_lines], v[STAT_l1d_stores]);
    assert_int_equal(v[STAT_atomic_lines], v[STAT_l1d_atomics]);
    assert_int_equal(v[STAT_l1d_primary_misses], v[STAT_l1d_fills]);
    assert_true(v[STAT_l1d_fills_discarded] <= v[STAT_l1d_fills]);
    assert_int_equal(v[STAT_l1d_refusals],
                     v[STAT_l1d_refusals_entry_full] + v[STAT_l1d_refusals_merge_full] +
                         v[STAT_l1d_refusals_miss_queue] + v[STAT_l1d_refusals_no_way] +
                         v[STAT_l1d_refusals_response_queue] + v[STAT_l1d_refusals_order] +
                         v[STAT_l1d_refusals_bypass_limit] + v[STAT_l1d_refusals_bypass_queue]);
    assert_true(v[STAT_l1d_refused] <= v[STAT_l1d_refusals]);
    assert_true(c->l1d_mshr == MSHR_KIND_UNLIMITED ||
                v[STAT_l1d_mshr_slot_cycles] <= v[STAT_l1d_mshr_capacity]);
}

static inline void expect_l2_sums(const struct config *c, const uint64_t *v) {
    uint64_t stores = v[STAT_store_lines] - v[STAT_l1d_stores_kept] + v[STAT_l1d_writebacks];
    uint64_t loads =
        c->l1d_enabled ? v[STAT_l1d_primary_misses] + v[STAT_l1d_bypasses] : v[STAT_load_lines];
    uint64_t asked = loads + stores + v[STAT_atomic_lines];
    assert_true(v[STAT_l2_accesses] >= asked);
    assert_true(v[STAT_l2_accesses] <=
                (c->l2_sectored ? LINE_SECTORS : 1) * (asked + v[STAT_icache_misses]));
    assert_true(v[STAT_l2_atomics] >= v[STAT_atomic_lines]);
    assert_true(c->l2_sectored || v[STAT_l2_atomics] == v[STAT_atomic_lines]);
    assert_int_equal(v[STAT_l2_accesses], v[STAT_l2_hits] + v[STAT_l2_primary_misses] +
                                              v[STAT_l2_secondary_misses] +
                                              v[STAT_l2_write_misses] + v[STAT_l2_bypasses]);
    assert_true(c->l2_bypass || !v[STAT_l2_bypasses]);
    assert_int_equal(v[STAT_l2_primary_misses], v[STAT_l2_fills]);
    assert_true(v[STAT_l2_sector_misses] <= v[STAT_l2_primary_misses]);
    assert_true(v[STAT_l2_writebacks] <= v[STAT_l2_evictions] || c->l2_write_fetch);
    assert_int_equal(v[STAT_l2_refusals],
                     v[STAT_l2_refusals_entry_full] + v[STAT_l2_refusals_merge_full] +
                         v[STAT_l2_refusals_miss_queue] + v[STAT_l2_refusals_no_way] +
                         v[STAT_l2_refusals_evict_buffer] + v[STAT_l2_refusals_reply_queue] +
                         v[STAT_l2_refusals_order]);
    assert_true(v[STAT_l2_refused] <= v[STAT_l2_refusals]);
    assert_true(c->l2_mshr == MSHR_KIND_UNLIMITED ||
                v[STAT_l2_mshr_slot_cycles] <= v[STAT_l2_mshr_capacity]);
    assert_true(v[STAT_icnt_request_flits] >= asked);
    assert_true(v[STAT_icnt_reply_flits] >= asked);
}

static inline void expect_dram_sums(const struct config *c, const struct stats *s) {
    const uint64_t *v = s->v;
    uint64_t atoms = v[STAT_dram_rd] + v[STAT_dram_wr], binned = 0;
    const uint64_t reads = v[STAT_l2_primary_misses] + v[STAT_l2_bypasses];
    const uint64_t writes = v[STAT_l2_writebacks] + v[STAT_l2_write_throughs];
    assert_int_equal(reads, v[STAT_dram_reads]);
    assert_int_equal(writes, v[STAT_dram_writes]);
    assert_int_equal(v[STAT_dram_bytes], atoms * (uint64_t)c->dram_atom_bytes);
    assert_int_equal(v[STAT_dram_busy_cycles], atoms * (uint64_t)c->dram_burst);
    assert_int_equal(atoms,
                     v[STAT_dram_row_hits] + v[STAT_dram_row_misses] + v[STAT_dram_row_conflicts]);
    for (unsigned k = 0; k < HIST_BUCKETS; k++)
        binned += s->h[HIST_dram_read_latency_hist][k];
    assert_int_equal(binned, v[STAT_dram_rd]);
    assert_true(v[STAT_dram_bank_cycles] >= v[STAT_dram_active_cycles]);
    assert_int_equal(v[STAT_sm_cycles], v[STAT_cycles] * (uint64_t)c->sm_count);
    assert_true(v[STAT_lsu_queue_cycles] <= v[STAT_sm_cycles] * (uint64_t)c->sm_lsu_queue);
    assert_true(v[STAT_l2_miss_queue_cycles] <= v[STAT_l2_cycles] * (uint64_t)c->l2_miss_queue);
}

/* Checks that each SM cycle of a load is spent in exactly one stage. load_latency is measured
 * independently. */
static inline void expect_stages(const struct config *c, const uint64_t *v) {
    uint64_t before = v[STAT_load_in_lsu] + v[STAT_load_in_tlb];
    uint64_t inside =
        v[STAT_load_in_l1d] + v[STAT_load_in_icnt] + v[STAT_load_in_l2] + v[STAT_load_in_dram];
    assert_int_equal(v[STAT_load_latency], inside);
    assert_int_equal(v[STAT_load_life], before + inside);
    assert_true(v[STAT_load_in_lsu] >= v[STAT_load_lines]); /* at least one cycle per line */
    assert_true(v[STAT_load_in_l1d] >= v[STAT_load_lines]);
    assert_true(c->uvm_mode || !v[STAT_load_in_tlb]);
}

/* Checks that each issue slot is used, or is lost for exactly one reason. */
static inline void expect_slots(const struct config *c, const uint64_t *v) {
    uint64_t slots = v[STAT_warp_insts] - v[STAT_dual_issues] + v[STAT_slots_policy] +
                     v[STAT_slots_mil] + v[STAT_slots_lsu] + v[STAT_slots_unit] +
                     v[STAT_slots_fetch] + v[STAT_slots_registers] + v[STAT_slots_barrier] +
                     v[STAT_slots_no_warp] + v[STAT_slots_no_work];
    assert_int_equal(slots, v[STAT_sm_cycles] * (uint64_t)c->sm_schedulers);
}

static inline void expect_sums(const struct config *c, const struct stats *s) {
    expect_stages(c, s->v);
    expect_slots(c, s->v);
    expect_l1d_sums(c, s->v);
    expect_l2_sums(c, s->v);
    expect_dram_sums(c, s);
    uint64_t loads = 0;
    for (unsigned b = 0; b < HIST_BUCKETS; b++)
        loads += s->h[HIST_load_latency_hist][b];
    assert_true(loads >= s->v[STAT_load_insts]);
    assert_true(loads <= s->v[STAT_load_insts] + s->v[STAT_atomic_insts]);
}

#endif
