// SPDX-License-Identifier: Apache-2.0
#include "trace/synth.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/random.h"

#define SETUP 3
#define ARRAY_A UINT64_C(0x7f0000000000)
#define ARRAY_B UINT64_C(0x7f1000000000)
#define ARRAY_C UINT64_C(0x7f2000000000)
#define GATHER_BYTES (UINT64_C(16) << 20)

enum { VECADD, VECADD16, DIVERGENT, RANDOM, SPILL4, SPILL16, ARRAY };
enum { INDEX, FIRST, SECOND, SUM, VALUE }; /* registers; up to 16 begin at VALUE */

const struct synth_kind synth_kinds[] = {
    [VECADD] = {"vecadd", "two coalesced loads, add, store", 1},
    [VECADD16] = {"vecadd16", "vecadd with 16 elements per thread", 16},
    [DIVERGENT] = {"divergent", "a load with lanes 128 B apart, add, store", 1},
    [RANDOM] = {"random", "a gather in 16 MiB, add, store", 1},
    [SPILL4] = {"spill4", "load, spill and reload of 4 registers, adds, store", 1},
    [SPILL16] = {"spill16", "load, spill and reload of 16 registers, adds, store", 1},
    [ARRAY] = {"array", "load, loops over 64 words of local memory, store", 1},
    {NULL, NULL, 0},
};

/* Local accesses of an iteration. The words are the last ones of a thread's memory. */
struct local_use {
    uint32_t words;
    uint32_t passes; /* number of times that all words are loaded */
    uint32_t group;  /* number of loads before the adds that wait for them */
};

static const struct local_use local_uses[] = {
    [SPILL4] = {4, 1, 4}, [SPILL16] = {16, 1, 16}, [ARRAY] = {64, 2, 1}};

struct synth {
    struct workload w;
    uint32_t kind, warps, turns;
    bool launched;
};

/* Number of instructions that the warp has issued. */
struct synth_warp {
    uint32_t done;
};

static const struct workload_type synth_type = {
    .name = "synth",
    .suite = "MemTwin",
    .doc = "a synthetic kernel",
    .size_doc = "none",
    .default_size = "",
};

static struct reg_set reg_set_of(unsigned r) {
    return (struct reg_set){{UINT64_C(1) << r}};
}

static struct reg_set regs2(unsigned r, unsigned s) {
    return (struct reg_set){{UINT64_C(1) << r | UINT64_C(1) << s}};
}

static void plain(struct warp_inst *inst, struct reg_set dst, struct reg_set src) {
    inst->op = WARP_ALU;
    inst->dst = dst;
    inst->src = src;
}

/* Returns the address that an element's first load reads. */
static uint64_t first_address(uint32_t kind, uint64_t element) {
    if (kind == DIVERGENT)
        return ARRAY_A + 128 * element;
    if (kind == RANDOM)
        return ARRAY_A + random_next(&element) % (GATHER_BYTES / 4) * 4;
    return ARRAY_A + 4 * element;
}

static void make_access(struct warp_inst *inst, enum warp_op op, uint64_t array, uint64_t element) {
    inst->op = op;
    inst->size = 4;
    for (uint32_t l = 0; l < WARP_LANES; l++)
        inst->addr[l] = array + 4 * (element + l);
}

/* Makes a load or store of a word of all lanes' local memory. */
static void make_local(struct warp_inst *inst, enum warp_op op, uint32_t word, uint32_t words) {
    inst->op = op;
    inst->space = SPACE_LOCAL;
    inst->size = LOCAL_WORD;
    for (uint32_t l = 0; l < WARP_LANES; l++)
        inst->addr[l] = LOCAL_BYTES - LOCAL_WORD * (uint64_t)(words - word);
}

/* Makes local access or add `number` of an iteration: the stores of all words, then the passes. */
static void local_step(const struct local_use *use, uint32_t number, struct warp_inst *inst) {
    if (number < use->words) {
        make_local(inst, WARP_STORE, number, use->words);
        inst->src = reg_set_of(FIRST);
        return;
    }
    number = (number - use->words) % (2 * use->words);
    const uint32_t at = number % (2 * use->group), value = VALUE + at % use->group;
    if (at >= use->group) {
        plain(inst, reg_set_of(SUM), regs2(SUM, value));
        return;
    }
    make_local(inst, WARP_LOAD, number / 2 / use->group * use->group + at, use->words);
    inst->dst = reg_set_of(value);
}

/* Returns the number of instructions of an iteration that local_step makes. */
static uint32_t local_steps(const struct synth *m) {
    const struct local_use *use = &local_uses[m->kind];
    return m->kind < SPILL4 ? 0 : use->words * (1 + 2 * use->passes);
}

/* Returns the number of instructions of an iteration. */
static uint32_t turn_steps(const struct synth *m) {
    return m->kind <= VECADD16 ? 5 : 4 + local_steps(m);
}

/* Makes instruction `number` of an iteration. `element` is the element of lane 0. */
static void turn_step(const struct synth *m, uint32_t number, uint64_t element,
                      struct warp_inst *inst) {
    const bool two = m->kind <= VECADD16;
    const uint32_t local = local_steps(m);
    if (number > 0 && number <= local) {
        local_step(&local_uses[m->kind], number - 1, inst);
        return;
    }
    number -= number > local ? local : 0;
    number += number > 0 && !two; /* skips the second load */
    switch (number) {
    case 0:
        make_access(inst, WARP_LOAD, ARRAY_A, element);
        for (uint32_t l = 0; l < WARP_LANES; l++)
            inst->addr[l] = first_address(m->kind, element + l);
        inst->dst = reg_set_of(FIRST);
        inst->src = reg_set_of(INDEX);
        break;
    case 1:
        make_access(inst, WARP_LOAD, ARRAY_B, element);
        inst->dst = reg_set_of(SECOND);
        inst->src = reg_set_of(INDEX);
        break;
    case 2:
        plain(inst, reg_set_of(SUM), two ? regs2(FIRST, SECOND) : reg_set_of(FIRST));
        break;
    case 3:
        make_access(inst, WARP_STORE, ARRAY_C, element);
        inst->src = regs2(INDEX, SUM);
        break;
    default:
        plain(inst, reg_set_of(INDEX), reg_set_of(INDEX));
    }
}

static void synth_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                       struct warp_inst *inst) {
    const struct synth *m = ctx;
    struct synth_warp *w = state;
    const uint32_t turn = turn_steps(m), i = w->done++;
    const uint64_t warp = place->cta[0] * (SYNTH_BLOCK / WARP_LANES) + place->warp;
    (void)cta;
    memset(inst, 0, offsetof(struct warp_inst, addr));
    inst->mask = UINT32_MAX;
    inst->repeat = inst->passes = 1;
    if (i < SETUP) {
        plain(inst, reg_set_of(INDEX), i ? reg_set_of(INDEX) : (struct reg_set){{0}});
    } else if (i < SETUP + turn * m->turns) {
        uint64_t n = (i - SETUP) / turn;
        turn_step(m, (i - SETUP) % turn, (n * m->warps + warp) * WARP_LANES, inst);
    } else {
        inst->op = WARP_EXIT;
        inst->mask = 0;
    }
}

static bool synth_next(struct workload *w, struct kernel_launch *launch) {
    struct synth *m = (struct synth *)w;
    if (m->launched)
        return false;
    m->launched = true;
    *launch = (struct kernel_launch){
        .name = synth_kinds[m->kind].name,
        .grid = {m->warps / (SYNTH_BLOCK / WARP_LANES), 1, 1},
        .block = {SYNTH_BLOCK, 1, 1},
        .regs = m->kind < SPILL4 ? 16 : 32,
        .warp_state_size = sizeof(struct synth_warp),
        .step = synth_step,
        .ctx = m,
    };
    return true;
}

static int synth_verify(struct workload *w, struct error *err) {
    (void)w; /* a synthetic kernel computes nothing */
    (void)err;
    return 0;
}

static void synth_destroy(struct workload *w) {
    free(w);
}

struct workload *synth_create(const struct synth_kind *kind, uint32_t warps, uint32_t scale) {
    struct synth *m = alloc_zeroed(1, sizeof *m);
    m->w = (struct workload){
        .type = &synth_type, .next = synth_next, .verify = synth_verify, .destroy = synth_destroy};
    m->kind = (uint32_t)(kind - synth_kinds);
    m->warps = warps;
    m->turns = scale * kind->turns;
    return &m->w;
}
