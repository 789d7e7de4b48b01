/* Tiny workloads for the tests of the system: a kernel is a function from a warp's place and its
 * instruction number to the instruction. */
#ifndef MEMTWIN_TESTS_GPU_FIXTURE_H
#define MEMTWIN_TESTS_GPU_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "gpu/gpu.h"
#include "gpu/parts.h"

#define BASE UINT64_C(0x80000000)
#define R(n) (UINT64_C(1) << (n))
#define MAX_ISSUES 64

typedef void (*program_fn)(const struct warp_place *place, uint32_t pc, struct warp_inst *inst);

struct program {
    struct workload base;
    struct gpu *gpu;                /* for the cycle of an issue */
    program_fn kernel[8];           /* ended by NULL; run one after the other */
    uint32_t ctas, threads, shared; /* of every kernel */
    unsigned next;
    uint64_t issued[MAX_ISSUES]; /* cycle in which instruction n of warp 0 of CTA 0 issued */
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
    inst->skip_l1 = false;
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

/* One kernel, one warp. */
static inline struct program program_of(program_fn fn) {
    struct program p = {.base = {.next = program_next}, .kernel = {fn}, .ctas = 1, .threads = 32};
    return p;
}

static inline void alu(struct warp_inst *i, uint64_t src, uint64_t dst) {
    i->op = WARP_ALU;
    i->src = (struct reg_set){{src}};
    i->dst = (struct reg_set){{dst}};
}

/* Lane l accesses addr + l * stride. */
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

/* A small system in which all clocks are equal, so that latencies are sums. */
static inline struct config small_config(void) {
    struct config c;
    config_default(&c);
    c.clock_sm_mhz = c.clock_icnt_mhz = c.clock_l2_mhz = c.clock_dram_mhz = 1000;
    c.sm_count = 2;
    c.l2_partitions = 2;
    c.sim_no_progress_cycles = 5000;
    return c;
}

/* Room for one line each of reads and writes. */
static inline void dram_of_one_line(struct config *c) {
    c->dram_read_queue = c->dram_write_queue = c->dram_write_high = LINE_BYTES / c->dram_atom_bytes;
    c->dram_write_low = 0;
}

struct outcome {
    enum gpu_end end;
    struct stats stats;
    char error[512]; /* gpu_error, or else check_failure */
    uint64_t checked;
    bool plant_made;
};

/* Runs a program to its end, with or without the data check. */
static inline struct outcome run_program(const struct config *cfg, struct program *p,
                                         bool checked) {
    struct outcome o = {0};
    char err[256];
    struct check *check = checked ? check_create((unsigned)cfg->sm_count) : NULL;
    struct gpu *g = gpu_create(cfg, check, err, sizeof err);
    if (!g)
        fail_msg("gpu_create: %s", err);
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

#endif
