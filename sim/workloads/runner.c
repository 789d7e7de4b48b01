// SPDX-License-Identifier: Apache-2.0
/* Runs a workload without timing and checks the instructions of its kernels. */
#include "lane.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"

/* Progress of a warp of the running CTA. */
struct warp_run {
    enum { READY, AT_BARRIER, EXITED } state;
    struct reg_set written; /* registers written so far */
};

struct runner_run {
    struct workload *w;
    struct workload_counts *counts;
    const struct workload_observer *observer; /* NULL if none */
    struct kernel_launch launch;
    struct warp_run *warp;     /* warps of the running CTA */
    unsigned char *warp_state; /* states of the warps, one after the other */
    unsigned char *cta_state;
    size_t warp_stride; /* distance in bytes between states */
    uint32_t block_threads, n_warps;
    struct warp_place place; /* place of the running warp */
    /* Access counts of each array, derived from the addresses. */
    uint64_t loads[LANE_MAX_ARRAYS], stores[LANE_MAX_ARRAYS], atomics[LANE_MAX_ARRAYS];
};

static int fail(struct runner_run *r, const char *what) {
    return error_set(&r->counts->err,
                     "%s: kernel %s, block %" PRIu32 ",%" PRIu32 ",%" PRIu32 ", warp %" PRIu32
                     ": %s",
                     r->w->type->name, r->launch.name, r->place.cta[0], r->place.cta[1],
                     r->place.cta[2], r->place.warp, what);
}

/* Returns the index of the array that contains a byte address, or n_arrays. */
static unsigned array_at(const struct workload *w, uint64_t addr) {
    unsigned i = 0;
    while (i < w->n_arrays && addr - w->arrays[i].base >= w->arrays[i].bytes)
        i++;
    return i;
}

static void count_access(struct runner_run *r, enum warp_op op, unsigned lanes) {
    struct workload_counts *c = r->counts;
    if (op == WARP_LOAD) {
        c->warp_loads++;
        c->thread_loads += lanes;
    } else if (op == WARP_STORE) {
        c->warp_stores++;
        c->thread_stores += lanes;
    } else {
        c->warp_atomics++;
        c->thread_atomics += lanes;
    }
}

/* Adds the lanes to the array's access count, and calls the observer. Returns -1 if the observer
 * ends the run, else 0. */
static int in_array(struct runner_run *r, const struct warp_inst *inst, unsigned array,
                    unsigned lanes) {
    uint64_t *of = inst->op == WARP_LOAD    ? r->loads
                   : inst->op == WARP_STORE ? r->stores
                                            : r->atomics;
    of[array] += lanes;
    return r->observer && !r->observer->access(r->observer->ctx, inst, array) ? -1 : 0;
}

/* Checks the size and the addresses of an access. Sets *of to the index of its array, or 0 for
 * local memory. */
static int check_addresses(struct runner_run *r, const struct warp_inst *inst, unsigned *of) {
    if (!inst->mask)
        return fail(r, "access without an active lane");
    if (inst->size == 0 || inst->size > 16 || (inst->size & (inst->size - 1)))
        return fail(r, "access size is not 1, 2, 4, 8 or 16");
    if (inst->op == WARP_ATOMIC && inst->size != 4 && inst->size != 8)
        return fail(r, "atomic size is not 4 or 8");
    if (inst->op != WARP_ATOMIC && (inst->op == WARP_STORE) != regs_none(&inst->dst))
        return fail(r, "a load writes a register, a store none");
    const bool local = inst->space == SPACE_LOCAL;
    const unsigned array = local ? 0 : array_at(r->w, inst->addr[lane_first(inst->mask)]);
    if (array == r->w->n_arrays)
        return fail(r, "address outside the arrays");
    const uint64_t base = local ? 0 : r->w->arrays[array].base;
    const uint64_t bytes = local ? LOCAL_BYTES : r->w->arrays[array].bytes;
    FOR_LANES(l, inst->mask) {
        if (inst->addr[l] % inst->size != 0)
            return fail(r, "address not aligned");
        if (inst->addr[l] < base || inst->addr[l] + inst->size > base + bytes)
            return fail(r, local ? "address outside local memory" : "address outside the array");
    }
    *of = array;
    return 0;
}

static int take_access(struct runner_run *r, const struct warp_inst *inst) {
    const unsigned lanes = bits_count32(inst->mask);
    unsigned array = 0;
    if (r->w->n_arrays && check_addresses(r, inst, &array) != 0)
        return -1;
    count_access(r, inst->op, lanes);
    return inst->space == SPACE_LOCAL ? 0 : in_array(r, inst, array, lanes);
}

/* Checks the lanes, registers and repeat count of an instruction. Traces, which have no arrays, are
 * checked by their reader. */
static int check_form(struct runner_run *r, struct warp_run *warp, const struct warp_inst *inst) {
    if (!r->w->n_arrays)
        return 0;
    if (inst->mask & ~warp_live_lanes(&r->place))
        return fail(r, "a lane is active that has no thread");
    struct reg_set unwritten = inst->src;
    regs_remove(&unwritten, &warp->written);
    if (!regs_none(&unwritten))
        return fail(r, "a register is read before it is written");
    if (inst->repeat == 0 || (inst->repeat > 1 && inst->op > WARP_SHARED))
        return fail(r, "bad repeat count");
    regs_add(&warp->written, &inst->dst);
    return 0;
}

static int check_inst(struct runner_run *r, struct warp_run *warp, const struct warp_inst *inst) {
    if (check_form(r, warp, inst) != 0)
        return -1;
    switch (inst->op) {
    case WARP_LOAD:
    case WARP_STORE:
    case WARP_ATOMIC:
        return take_access(r, inst);
    case WARP_ALU:
    case WARP_SFU:
    case WARP_FP64:
        r->counts->alu += inst->repeat;
        return 0;
    case WARP_SHARED:
        r->counts->shared += inst->repeat;
        r->counts->shared_passes += (uint64_t)inst->repeat * inst->passes;
        return 0;
    case WARP_BARRIER:
        warp->state = AT_BARRIER;
        r->counts->barriers++;
        return 0;
    case WARP_EXIT:
        warp->state = EXITED;
        return 0;
    }
    return fail(r, "unknown instruction");
}

/* Runs one instruction of warp i of the running CTA. */
static int step_warp(struct runner_run *r, uint32_t i) {
    const uint32_t before = i * WARP_LANES;
    const uint32_t left = r->block_threads - before;
    struct warp_inst inst;
    r->place.warp = i;
    r->place.threads = left < WARP_LANES ? left : WARP_LANES;
    inst.even = false;
    r->launch.step(r->launch.ctx, &r->place, r->cta_state, r->warp_state + i * r->warp_stride,
                   &inst);
    warp_inst_expand(&inst);
    return check_inst(r, &r->warp[i], &inst);
}

/* Runs every ready warp. In round-robin order, a warp runs for one instruction. Otherwise, it runs
 * up to a barrier or its end. Returns the number of warps run, or -1. */
static long run_pass(struct runner_run *r, enum run_order order) {
    long ran = 0;
    for (uint32_t n = 0; n < r->n_warps; n++) {
        const uint32_t i = order == RUN_REVERSE ? r->n_warps - 1 - n : n;
        if (r->warp[i].state != READY)
            continue;
        ran++;
        do {
            if (step_warp(r, i) != 0)
                return -1;
        } while (order != RUN_ROUND_ROBIN && r->warp[i].state == READY);
    }
    return ran;
}

/* Releases all warps at the barrier. Returns true if there are any. Called when no warp is
 * ready. */
static bool release_barrier(struct runner_run *r) {
    bool any = false;
    for (uint32_t i = 0; i < r->n_warps; i++) {
        if (r->warp[i].state != AT_BARRIER)
            continue;
        r->warp[i].state = READY;
        any = true;
    }
    return any;
}

static int run_cta(struct runner_run *r, enum run_order order) {
    memset(r->warp, 0, r->n_warps * sizeof *r->warp);
    memset(r->warp_state, 0, r->n_warps * r->warp_stride);
    memset(r->cta_state, 0, r->launch.cta_state_size);
    do {
        long ran;
        while ((ran = run_pass(r, order)) > 0)
            ;
        if (ran < 0)
            return -1;
    } while (release_barrier(r));
    r->counts->ctas++;
    r->counts->warps += r->n_warps;
    return 0;
}

static int run_ctas(struct runner_run *r, enum run_order order) {
    const uint32_t *grid = r->launch.grid;
    const uint64_t n = (uint64_t)grid[0] * grid[1] * grid[2];
    for (uint64_t k = 0; k < n; k++) {
        const uint64_t id = order == RUN_REVERSE ? n - 1 - k : k;
        r->place.cta[0] = (uint32_t)(id % grid[0]);
        r->place.cta[1] = (uint32_t)(id / grid[0] % grid[1]);
        r->place.cta[2] = (uint32_t)(id / grid[0] / grid[1]);
        if (run_cta(r, order) != 0 || (r->w->error && r->w->error(r->w)))
            return -1;
    }
    return 0;
}

static int run_launch(struct runner_run *r, enum run_order order) {
    const size_t align = _Alignof(max_align_t);
    const uint32_t *block = r->launch.block;
    r->block_threads = block[0] * block[1] * block[2];
    r->n_warps = (uint32_t)ceil_div(r->block_threads, WARP_LANES);
    r->warp_stride = ceil_div(r->launch.warp_state_size, align) * align;
    r->warp = alloc_zeroed(r->n_warps, sizeof *r->warp);
    r->warp_state = alloc_zeroed(r->n_warps, r->warp_stride);
    r->cta_state = alloc_zeroed(1, r->launch.cta_state_size + 1);
    const int rc = run_ctas(r, order);
    free(r->warp);
    free(r->warp_state);
    free(r->cta_state);
    r->counts->launches++;
    return rc;
}

static int check_array_counts(struct runner_run *r) {
    for (unsigned i = 0; i < r->w->n_arrays; i++) {
        const struct device_array *a = &r->w->arrays[i];
        if (a->loads != r->loads[i] || a->stores != r->stores[i] || a->atomics != r->atomics[i])
            return error_set(&r->counts->err,
                             "%s: array %s counts %" PRIu64 " loads, %" PRIu64 " stores, %" PRIu64
                             " atomics; its addresses were yielded %" PRIu64 ", %" PRIu64
                             " and %" PRIu64 " times",
                             r->w->type->name, a->name, a->loads, a->stores, a->atomics,
                             r->loads[i], r->stores[i], r->atomics[i]);
    }
    return 0;
}

static int run_all(struct runner_run *r, enum run_order order) {
    struct workload *w = r->w;
    struct workload_counts *counts = r->counts;
    memset(counts, 0, sizeof *counts);
    while (w->next(w, &r->launch))
        if (run_launch(r, order) != 0)
            return -1;
    if (w->launches && w->launches != counts->launches)
        return error_set(&counts->err, "%s: %" PRIu64 " launches instead of %" PRIu64,
                         w->type->name, counts->launches, w->launches);
    return check_array_counts(r);
}

int workload_run_ordered(struct workload *w, enum run_order order, struct workload_counts *counts) {
    struct runner_run r = {.w = w, .counts = counts};
    return run_all(&r, order);
}

int workload_run_observed(struct workload *w, const struct workload_observer *observer,
                          struct workload_counts *counts) {
    struct runner_run r = {.w = w, .counts = counts, .observer = observer};
    return run_all(&r, RUN_ROUND_ROBIN);
}

int workload_run_functional(struct workload *w, struct workload_counts *counts) {
    return workload_run_ordered(w, RUN_ROUND_ROBIN, counts);
}
