// SPDX-License-Identifier: Apache-2.0
/* Tests that an exported trace reads back as the instructions that the kernels produced. */
#include <unistd.h>

#include "os/path.h"
#include "trace/export.h"
#include "trace/reader.h"
#include "trace/synth.h"
#include "workloads/lane.h"
#include "tests/test.h"

/* Declared here, since the header of libasan, which every test links, may be missing. */
size_t __sanitizer_get_current_allocated_bytes(void);

/* Register r of a kernel is written as register 4 r. A wide register also uses the following
 * ones. */
#define STEP 4

/* Maximum number of sources that Accel-Sim reads per instruction; it reads one destination. */
#define MAX_SRC 4

struct trace_folder {
    char top[PATH_SIZE], dir[PATH_SIZE + 16];
    struct trace trace; /* trace that the files contain */
};

static void folder_make(struct trace_folder *f) {
    struct error err;
    if (temp_dir_make(f->top, &err))
        fail_msg("%s", err.text);
    snprintf(f->dir, sizeof f->dir, "%s/trace", f->top);
    f->trace = (struct trace){0};
}

static void close_folder(struct trace_folder *f) {
    trace_free(&f->trace);
    temp_dir_remove(f->top);
}

static struct trace_exported export_to(struct trace_folder *f, struct workload *w, bool xz) {
    struct error err;
    struct trace_exported totals;
    const struct trace_export how = {.dir = f->dir, .xz = xz};
    folder_make(f);
    if (trace_export(w, &how, &totals, &err) != 0 ||
        trace_find(&f->trace, f->dir, &(struct trace_how){0}, &err) != 0)
        fail_msg("%s", err.text);
    return totals;
}

static struct workload *open_list(struct trace_folder *f) {
    struct error err;
    struct workload *w = trace_open(&f->trace);
    if (!w)
        fail_msg("%s", err.text);
    return w;
}

/* ---- Two workloads side by side ---- */

/* Returns the kernel's registers for a set of the trace's registers. */
static uint64_t named(const struct reg_set *set) {
    uint64_t r = 0;
    for (unsigned i = 0; i < 64; i++)
        r |= (set->w[i * STEP / 64] >> (i * STEP % 64) & 1) << i;
    return r;
}

static void assert_addresses(const struct warp_inst *want, const struct warp_inst *got) {
    assert_int_equal(got->size, want->size);
    assert_int_equal(got->space, want->space);
    assert_int_equal(got->skip_l1, want->op == WARP_LOAD && want->skip_l1);
    FOR_LANES(l, want->mask)
    assert_int_equal(got->addr[l], want->addr[l]);
}

/* Registers that the lines of a run have named so far. */
struct test_trace_run {
    uint64_t src, dst;
};

static int count(uint64_t set) {
    return __builtin_popcountll(set);
}

/* Checks the registers of instruction i of the run `want`. An instruction has at most MAX_SRC
 * sources, as early as possible, and one destination, as late as possible. It does not wait for a
 * result of its own run. */
static void assert_registers(const struct warp_inst *want, uint32_t i, struct test_trace_run *run,
                             const struct warp_inst *got) {
    const uint64_t src = want->src.w[0] | (want->repeat > 1 ? want->dst.w[0] : 0);
    const uint64_t reads = named(&got->src), makes = named(&got->dst);
    const int left = count(src & ~run->src), results = count(want->dst.w[0]);
    assert_int_equal(reads & (~src | run->src | run->dst), 0);
    assert_int_equal(count(reads), left < MAX_SRC ? left : MAX_SRC);
    assert_int_equal(makes & (~want->dst.w[0] | run->dst), 0);
    assert_int_equal(count(makes), (int)(want->repeat - i) <= results);
    run->src |= reads;
    run->dst |= makes;
    assert_true(i + 1 < want->repeat || (run->src == src && run->dst == want->dst.w[0]));
}

/* Compares instruction i of the run `want` with the trace's instruction. */
static void assert_same(const struct warp_inst *want, uint32_t i, struct test_trace_run *run,
                        const struct warp_inst *got) {
    assert_int_equal(got->op, want->op);
    assert_int_equal(got->mask, want->op == WARP_EXIT ? 0 : want->mask);
    assert_int_equal(got->repeat, 1);
    if (want->op != WARP_EXIT)
        assert_registers(want, i, run, got);
    if (want->op == WARP_SHARED)
        assert_int_equal(got->passes, want->passes);
    if (want->op == WARP_LOAD || want->op == WARP_STORE || want->op == WARP_ATOMIC)
        assert_addresses(want, got);
}

struct side {
    struct workload *w;
    struct kernel_launch launch;
    unsigned char *cta, *warps;
    size_t stride;
};

static void side_block(struct side *s, uint32_t n_warps) {
    s->stride = (s->launch.warp_state_size + 64) / 64 * 64;
    free(s->cta);
    free(s->warps);
    s->cta = calloc(1, s->launch.cta_state_size + 64);
    s->warps = calloc(n_warps, s->stride);
    assert_true(s->cta && s->warps);
}

static void side_step(struct side *s, const struct warp_place *p, struct warp_inst *inst) {
    memset(inst, 0xee, sizeof *inst);
    inst->even = false;
    s->launch.step(s->launch.ctx, p, s->cta, s->warps + p->warp * s->stride, inst);
    warp_inst_expand(inst);
}

/* Compares one instruction of the kernel with a run of the trace. Returns its operation. */
static enum warp_op step_both(struct side *kernel, struct side *trace, const struct warp_place *p) {
    struct warp_inst want, got;
    struct test_trace_run run = {0, 0};
    side_step(kernel, p, &want);
    for (uint32_t i = 0; i < want.repeat; i++) {
        side_step(trace, p, &got);
        assert_same(&want, i, &run, &got);
    }
    return want.op;
}

static void compare_block(struct side *kernel, struct side *trace, struct warp_place *p,
                          uint32_t threads) {
    const uint32_t n = (threads + 31) / 32;
    enum warp_op at[32] = {WARP_ALU};
    side_block(kernel, n);
    side_block(trace, n);
    for (uint32_t live = n, waiting = 0; live > 0;) {
        for (uint32_t i = 0; i < n; i++) {
            if (at[i] == WARP_EXIT || at[i] == WARP_BARRIER)
                continue;
            p->warp = i;
            p->threads = threads - i * 32 < 32 ? threads - i * 32 : 32;
            at[i] = step_both(kernel, trace, p);
            live -= at[i] == WARP_EXIT;
            waiting += at[i] == WARP_BARRIER;
        }
        if (waiting < live)
            continue;
        waiting = 0;
        for (uint32_t i = 0; i < n; i++)
            at[i] = at[i] == WARP_BARRIER ? WARP_ALU : at[i];
    }
}

static void compare(struct workload *w, struct workload *t) {
    struct side kernel = {.w = w}, trace = {.w = t};
    while (w->next(w, &kernel.launch)) {
        const struct kernel_launch *a = &kernel.launch, *b = &trace.launch;
        assert_true(t->next(t, &trace.launch));
        assert_string_equal(a->name, b->name);
        assert_memory_equal(a->grid, b->grid, sizeof a->grid);
        assert_memory_equal(a->block, b->block, sizeof a->block);
        assert_int_equal(a->shared_bytes, b->shared_bytes);
        assert_int_equal(a->regs, b->regs);
        struct warp_place p;
        for (p.cta[2] = 0; p.cta[2] < a->grid[2]; p.cta[2]++)
            for (p.cta[1] = 0; p.cta[1] < a->grid[1]; p.cta[1]++)
                for (p.cta[0] = 0; p.cta[0] < a->grid[0]; p.cta[0]++)
                    compare_block(&kernel, &trace, &p, a->block[0] * a->block[1] * a->block[2]);
    }
    assert_false(t->next(t, &trace.launch));
    assert_null(t->error(t));
    free(kernel.cta);
    free(kernel.warps);
    free(trace.cta);
    free(trace.warps);
}

/* ---- The built-in workloads ---- */

static struct workload *create(const char *name, const char *size) {
    struct error err;
    struct workload *w = workload_create(workload_find(name), size, &err);
    if (!w)
        fail_msg("%s", err.text);
    return w;
}

static void workloads_read_back(void **state) {
    static const struct {
        const char *name, *size;
    } table[] = {{"addvect", "1000"},   {"2dconv", "40"}, {"gemm", "33"},
                 {"atax", "40"},        {"bfs", "777"},   {"kmeans", "300,4,3,2"},
                 {"hotspot", "40,2,4"}, {"ra", "5000"}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct trace_folder f;
        struct workload *w = create(table[i].name, table[i].size);
        export_to(&f, w, i % 2 == 1);
        w->destroy(w);
        w = create(table[i].name, table[i].size);
        struct workload *t = open_list(&f);
        compare(w, t);
        t->destroy(t);
        w->destroy(w);
        close_folder(&f);
    }
}

/* ---- Every kind of instruction ---- */

struct odd {
    struct workload w;
    bool launched;
};

struct odd_warp {
    uint32_t done;
};

static struct rng odd_rng(const struct warp_place *p, uint32_t i) {
    return (struct rng){p->cta[1] * 1000003u + p->warp * 1009u + i};
}

static uint64_t odd_address(struct rng *r, unsigned how, uint32_t l, const struct warp_inst *inst) {
    const uint64_t unit = inst->size, room = inst->space == SPACE_LOCAL ? LOCAL_BYTES : 1ull << 47;
    if (how == 0)
        return 4096 + l * unit;
    if (how == 1) /* a stride of up to 40 bits */
        return rng_next(r) % room / unit * unit;
    return 65536 + rng_below(r, 4096) * unit;
}

/* Adds random registers to an instruction, at most as many as the lines of its run can name. */
static void odd_registers(struct rng *r, struct warp_inst *inst) {
    const bool result = inst->op != WARP_STORE && (inst->op == WARP_LOAD || rng_below(r, 2));
    for (uint64_t n = result ? 1 + rng_below(r, inst->repeat) : 0; n > 0; n--)
        inst->dst.w[0] |= R(rng_below(r, 64));
    for (uint64_t n = rng_below(r, MAX_SRC * inst->repeat + 1); n > 0; n--)
        inst->src.w[0] |= R(rng_below(r, 64));
    while (inst->repeat > 1 &&
           count(inst->src.w[0] | inst->dst.w[0]) > (int)(MAX_SRC * inst->repeat))
        inst->src.w[0] &= inst->src.w[0] - 1;
}

/* Makes a warp's next instruction, which may be any that kernel.h allows. */
static void odd_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                     struct warp_inst *inst) {
    static const enum warp_op ops[] = {WARP_ALU,  WARP_SFU,   WARP_FP64,   WARP_SHARED,
                                       WARP_LOAD, WARP_STORE, WARP_ATOMIC, WARP_BARRIER};
    const uint32_t live = warp_live_lanes(place), i = ((struct odd_warp *)state)->done++;
    struct rng r = odd_rng(place, i);
    (void)ctx;
    (void)cta;
    memset(inst, 0, sizeof *inst);
    inst->repeat = inst->passes = 1;
    inst->op = i == 120 ? WARP_EXIT : ops[rng_below(&r, 8)];
    if (inst->op == WARP_EXIT)
        return;
    inst->mask = (uint32_t)rng_next(&r) & live;
    inst->mask = inst->op == WARP_BARRIER || !inst->mask ? live : inst->mask;
    if (inst->op == WARP_BARRIER)
        return;
    if (inst->op <= WARP_SHARED)
        inst->repeat = 1 + (uint32_t)rng_below(&r, 5);
    odd_registers(&r, inst);
    if (inst->op == WARP_SHARED) {
        const uint32_t lanes = (uint32_t)__builtin_popcount(inst->mask);
        inst->passes = (uint8_t)(1 + rng_below(&r, lanes));
    }
    if (inst->op <= WARP_SHARED)
        return;
    inst->size = inst->op == WARP_ATOMIC ? (uint8_t)(4u << rng_below(&r, 2))
                                         : (uint8_t)(1u << rng_below(&r, 5));
    inst->space = inst->op == WARP_ATOMIC ? SPACE_GLOBAL : (uint8_t)rng_below(&r, 2);
    inst->skip_l1 = inst->op == WARP_LOAD && rng_below(&r, 2);
    const unsigned how = (unsigned)rng_below(&r, 3);
    FOR_LANES(l, inst->mask)
    inst->addr[l] = odd_address(&r, how, l, inst);
}

static bool odd_next(struct workload *w, struct kernel_launch *launch) {
    struct odd *m = (struct odd *)w;
    if (m->launched)
        return false;
    m->launched = true;
    *launch = (struct kernel_launch){.name = "odd kernel",
                                     .grid = {1, 7, 1},
                                     .block = {10, 7, 1},
                                     .shared_bytes = 1234,
                                     .regs = 77,
                                     .warp_state_size = sizeof(struct odd_warp),
                                     .step = odd_step};
    return true;
}

static void every_instruction_reads_back(void **state) {
    struct trace_folder f;
    struct odd a = {.w = {.next = odd_next}}, b = a;
    struct trace_exported totals = export_to(&f, &a.w, false);
    assert_int_equal(totals.kernels, 1);
    assert_int_equal(totals.blocks, 7);
    assert_int_equal(totals.warps, 21);
    struct workload *t = open_list(&f);
    compare(&b.w, t);
    t->destroy(t);
    struct trace_counts counts;
    struct error err;
    assert_int_equal(trace_count(&f.trace, NULL, NULL, &counts, &err), 0);
    assert_int_equal(counts.insts, totals.insts);
    assert_int_equal(counts.warps, 21);
    assert_int_equal(counts.text_bytes, totals.bytes);
    assert_int_equal(counts.alu + counts.sfu + counts.fp64 + counts.shared + counts.loads +
                         counts.stores + counts.local + counts.atomics + counts.barriers + 21,
                     counts.insts);
    assert_true(counts.local && counts.atomics && counts.shared_passes > counts.shared);
    close_folder(&f);
}

/* ---- Synthetic kernels ---- */

static void synthetic_kernels(void **state) {
    static const struct {
        unsigned kind, warps, scale;
        /* numbers of instructions, global loads and stores, and local accesses per warp */
        uint64_t insts, loads, stores, local;
    } table[] = {{0, 64, 1, 9, 2, 1, 0},  {0, 8, 3, 19, 6, 3, 0},   {1, 16, 1, 84, 32, 16, 0},
                 {2, 64, 1, 8, 1, 1, 0},  {3, 64, 2, 12, 2, 2, 0},  {4, 64, 2, 36, 2, 2, 16},
                 {5, 8, 1, 56, 1, 1, 32}, {6, 8, 1, 328, 1, 1, 192}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct trace_folder f;
        struct trace_counts c;
        struct error err;
        const struct synth_kind *kind = &synth_kinds[table[i].kind];
        struct workload *w = synth_create(kind, table[i].warps, table[i].scale);
        assert_non_null(w);
        export_to(&f, w, false);
        w->destroy(w);
        assert_int_equal(trace_count(&f.trace, NULL, NULL, &c, &err), 0);
        assert_int_equal(c.warps, table[i].warps);
        assert_int_equal(c.insts, table[i].insts * table[i].warps);
        assert_int_equal(c.loads, table[i].loads * table[i].warps);
        assert_int_equal(c.stores, table[i].stores * table[i].warps);
        assert_int_equal(c.local, table[i].local * table[i].warps);
        w = synth_create(kind, table[i].warps, table[i].scale);
        struct workload *t = open_list(&f);
        compare(w, t);
        t->destroy(t);
        w->destroy(w);
        close_folder(&f);
    }
}

/* Blocks that run at the same time are read in an order different from that in the file. */
static void blocks_side_by_side(void **state) {
    enum { BLOCKS = 6, WARPS = SYNTH_BLOCK / 32, INSTS = 9 };
    struct trace_folder f;
    unsigned char cta[BLOCKS][64] = {{0}}, warp[BLOCKS][WARPS][64] = {{{0}}};
    struct workload *w = synth_create(&synth_kinds[0], BLOCKS * WARPS, 1);
    assert_non_null(w);
    export_to(&f, w, false);
    w->destroy(w);
    struct workload *t = open_list(&f);
    struct kernel_launch l;
    assert_true(t->next(t, &l));
    assert_true(l.cta_state_size <= 64 && l.warp_state_size <= 64);
    /* the second half of the blocks reuses the memory of the first half */
    for (unsigned half = 0; half < BLOCKS; half += BLOCKS / 2)
        for (unsigned i = 0; i < INSTS; i++)
            for (unsigned k = 0; k < BLOCKS / 2; k++)
                for (unsigned n = 0; n < WARPS; n++) {
                    const unsigned c = half + BLOCKS / 2 - 1 - k;
                    const struct warp_place p = {{c, 0, 0}, n, 32};
                    struct warp_inst inst;
                    l.step(l.ctx, &p, cta[c], warp[c][n], &inst);
                    assert_int_equal(inst.op == WARP_EXIT, i == INSTS - 1);
                    if (inst.op == WARP_STORE)
                        assert_int_equal(inst.addr[0] & 0xffffff, 128 * (c * WARPS + n));
                }
    assert_false(t->next(t, &l));
    assert_null(t->error(t));
    t->destroy(t);
    close_folder(&f);
}

/* The memory of blocks is reused. At the end, no more memory is in use than after the first few
 * blocks. */
static void memory_is_bounded(void **state) {
    enum { BLOCKS = 200, WARPS = SYNTH_BLOCK / 32 };
    struct trace_folder f;
    size_t early = 0;
    struct workload *w = synth_create(&synth_kinds[0], BLOCKS * WARPS, 8);
    assert_non_null(w);
    export_to(&f, w, false);
    w->destroy(w);
    struct workload *t = open_list(&f);
    struct side s = {.w = t};
    assert_true(t->next(t, &s.launch));
    for (uint32_t c = 0; c < BLOCKS; c++) {
        side_block(&s, WARPS);
        for (uint32_t n = 0; n < WARPS; n++) {
            const struct warp_place p = {{c, 0, 0}, n, 32};
            struct warp_inst inst;
            do
                side_step(&s, &p, &inst);
            while (inst.op != WARP_EXIT);
        }
        if (c == 3)
            early = __sanitizer_get_current_allocated_bytes();
    }
    assert_true(__sanitizer_get_current_allocated_bytes() <= early);
    free(s.cta);
    free(s.warps);
    t->destroy(t);
    close_folder(&f);
}

/* ---- what the format cannot express ---- */

static void (*spoil)(struct warp_inst *inst);

static void spoilt_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                        struct warp_inst *inst) {
    odd_step(ctx, place, cta, state, inst);
    memset(inst, 0, sizeof *inst);
    inst->op = WARP_LOAD;
    inst->mask = 1;
    inst->repeat = inst->passes = 1;
    inst->size = 4;
    spoil(inst);
}

static bool spoilt_next(struct workload *w, struct kernel_launch *launch) {
    bool more = odd_next(w, launch);
    launch->step = spoilt_step;
    return more;
}

static void no_lane(struct warp_inst *inst) {
    inst->mask = 0;
}
static void many_sources(struct warp_inst *inst) {
    inst->src.w[0] = 0x1f;
}
static void many_results(struct warp_inst *inst) {
    inst->dst.w[0] = 3;
}
static void many_of_a_run(struct warp_inst *inst) {
    inst->op = WARP_ALU;
    inst->repeat = 2;
    inst->src.w[0] = 0xff;
    inst->dst.w[0] = 0x100;
}
static void high_register(struct warp_inst *inst) {
    inst->dst.w[1] = 1;
}
static void high_address(struct warp_inst *inst) {
    inst->addr[0] = UINT64_C(1) << 47;
}
static void high_local(struct warp_inst *inst) {
    inst->space = SPACE_LOCAL;
    inst->addr[0] = LOCAL_BYTES;
}
static void many_passes(struct warp_inst *inst) {
    inst->op = WARP_SHARED;
    inst->passes = 2;
}

static void inexpressible(void **state) {
    static const struct {
        void (*spoil)(struct warp_inst *inst);
        const char *why;
    } table[] = {{no_lane, "an access without an active lane"},
                 {many_sources, "more than 4 sources"},
                 {many_results, "more than 1 destination"},
                 {many_of_a_run, "more than 4 sources"},
                 {high_register, "a register above R63"},
                 {high_address, "an address of more than 47 bits"},
                 {high_local, "a local address above 512 KiB"},
                 {many_passes, "more passes than lanes"}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct trace_folder f;
        struct trace_exported totals;
        struct odd w = {.w = {.next = spoilt_next}};
        struct error err;
        folder_make(&f);
        const struct trace_export how = {.dir = f.dir};
        spoil = table[i].spoil;
        assert_int_equal(trace_export(&w.w, &how, &totals, &err), -1);
        assert_non_null(strstr(err.text, "kernel odd kernel: a trace cannot express "));
        if (!strstr(err.text, table[i].why))
            fail_msg("%s", err.text);
        assert_int_equal(rmdir(f.top), 0); /* no files are left over */
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(workloads_read_back), cmocka_unit_test(every_instruction_reads_back),
        cmocka_unit_test(synthetic_kernels),   cmocka_unit_test(blocks_side_by_side),
        cmocka_unit_test(memory_is_bounded),   cmocka_unit_test(inexpressible),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
