// SPDX-License-Identifier: Apache-2.0
#include "sm/units.h"

#include <string.h>

#include "lib/numbers.h"
#include "sm/model.h"

bool units_read(const char *text, uint32_t *latency, uint32_t *interval) {
    enum { MAX_LATENCY = 1000, MAX_INTERVAL = 64 };
    uint32_t number[2];
    if (numbers_read(text, MAX_LATENCY, false, number, 2) != 2 || number[1] > MAX_INTERVAL)
        return false;
    *latency = number[0];
    *interval = number[1];
    return true;
}

bool units_read_own(const char *text, uint32_t *latency, uint32_t *interval) {
    *latency = 0;
    *interval = 1;
    return strcmp(text, "none") == 0 || units_read(text, latency, interval);
}

static void init_unit(struct unit *k, const char *timing) {
    units_read(timing, &k->latency, &k->interval);
}

/* Initializes the units of the kinds of arithmetic that have one of their own (sm.int). Returns the
 * number of the unit for `kind`, or `otherwise` if it has none. */
static uint8_t init_own(struct units *u, enum warp_unit kind, const char *timing,
                        uint8_t otherwise) {
    struct unit *k = &u->unit[UNITS_OF_OPS + kind];
    units_read_own(timing, &k->latency, &k->interval);
    if (!k->latency)
        return otherwise;
    u->n = UNITS;
    return (uint8_t)(UNITS_OF_OPS + kind);
}

static void init_kinds(struct units *u, const struct config *c) {
    const uint8_t integers = init_own(u, UNIT_INT, c->sm_int, WARP_ALU);
    u->kind_unit[UNIT_INT] = integers;
    u->kind_unit[UNIT_FLOAT] = u->kind_unit[UNIT_HALF] = WARP_ALU;
    u->kind_unit[UNIT_BRANCH] = init_own(u, UNIT_BRANCH, c->sm_branch, integers);
    u->kind_unit[UNIT_TEXTURE] = init_own(u, UNIT_TEXTURE, c->sm_texture, integers);
    u->kind_unit[UNIT_TENSOR] = init_own(u, UNIT_TENSOR, c->sm_tensor, integers);
    u->kind_unit[UNIT_UNIFORM] = init_own(u, UNIT_UNIFORM, c->sm_uniform, integers);
}

void units_init(struct units *u, const struct config *c) {
    memset(u, 0, sizeof *u);
    u->next = UINT64_MAX;
    u->n = UNITS_OF_OPS;
    for (unsigned k = 0; k < UNITS; k++)
        ring_init(&u->unit[k].results, RING_GROWS);
    init_unit(&u->unit[WARP_ALU], c->sm_alu);
    init_unit(&u->unit[WARP_SFU], c->sm_sfu);
    init_unit(&u->unit[WARP_FP64], c->sm_fp64);
    u->unit[WARP_SHARED].latency = (uint32_t)c->sm_shared_latency;
    u->unit[WARP_SHARED].interval = 1;
    if (sm_model_of(c).register_ports)
        init_kinds(u, c);
}

void units_free(struct units *u) {
    for (unsigned k = 0; k < UNITS; k++)
        ring_free(&u->unit[k].results);
    memset(u, 0, sizeof *u);
}

void units_issue(struct units *u, enum warp_op op, uint32_t passes, uint32_t scheduler,
                 uint64_t cycle) {
    struct unit *k = &u->unit[op];
    if (op == WARP_SHARED) {
        k->free[0] = cycle + (uint64_t)passes * k->interval;
        return;
    }
    if (units_instant(u, op))
        return;
    k->free[scheduler] = cycle + k->interval;
    if (u->all_free[scheduler] < k->free[scheduler])
        u->all_free[scheduler] = k->free[scheduler];
}

struct unit_result *units_write(struct units *u, uint32_t unit, uint32_t passes, uint32_t warp,
                                const struct reg_set *regs, uint64_t cycle) {
    struct unit *k = &u->unit[unit];
    uint64_t ready = cycle + k->latency;
    if (unit == WARP_SHARED)
        ready += (uint64_t)(passes - 1) * k->interval;
    ring_push_growing(&k->results, ((struct unit_result){ready, warp, *regs, false}));
    if (ready < u->next)
        u->next = ready;
    return ring_at(&k->results, k->results.count - 1);
}

void units_write_later(struct units *u, enum warp_op op, uint32_t warp, const struct reg_set *regs,
                       uint64_t cycle) {
    struct unit *k = &u->unit[op];
    const struct unit_result r = {cycle + k->latency, warp, *regs, false};
    uint32_t i = k->results.count;
    ring_push_growing(&k->results, r);
    for (; i && ring_at(&k->results, i - 1)->ready > r.ready; i--)
        *ring_at(&k->results, i) = *ring_at(&k->results, i - 1);
    *ring_at(&k->results, i) = r;
    if (r.ready < u->next)
        u->next = r.ready;
}

static void find_next(struct units *u) {
    u->next = UINT64_MAX;
    for (unsigned i = 0; i < u->n; i++) {
        const struct unit *k = &u->unit[i];
        if (k->results.count && ring_first(&k->results)->ready < u->next)
            u->next = ring_first(&k->results)->ready;
    }
}

const struct unit_result *units_take(struct units *u, uint64_t cycle) {
    if (u->next > cycle)
        return NULL;
    unsigned i = 0;
    while (!u->unit[i].results.count || ring_first(&u->unit[i].results)->ready > cycle)
        i++;
    const struct unit_result *r = &ring_pop(&u->unit[i].results);
    find_next(u);
    return r;
}

uint64_t units_free_from(const struct units *u, const warp_set *wants, warp_set warps,
                         uint32_t scheduler, uint64_t cycle) {
    uint64_t from = UINT64_MAX;
    for (unsigned i = 0; i < UNITS_OF_OPS; i++) {
        if (!(warps & wants[i]))
            continue;
        uint64_t free = u->unit[i].free[i == WARP_SHARED ? 0 : scheduler];
        if (free < from)
            from = free;
        warps &= ~wants[i];
    }
    return warps || from < cycle ? cycle : from;
}
