// SPDX-License-Identifier: Apache-2.0
#include "sm/units.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/wrap.h"
#include "sm/alu_pipes.h"
#include "sm/banks.h"

/* later: results of an issuer that come after others' for their operands, at most. */
static void init_unit(struct unit *k, int64_t latency, int64_t interval, int64_t issuers,
                      int64_t later) {
    k->latency = (uint32_t)latency;
    k->interval = (uint32_t)interval;
    k->capacity = (uint32_t)((latency + 1 + later) * issuers);
    k->result = alloc_zeroed(k->capacity, sizeof *k->result);
}

void units_init(struct units *u, const struct config *c) {
    memset(u, 0, sizeof *u);
    u->next = UINT64_MAX;
    const int64_t n = c->sm_schedulers;
    const int64_t banks = c->sm_register_banks ? BANKS_MAX_READS - 1 : 0;
    const int64_t pipes = c->sm_ends_wait ? ALU_PIPES_WAITS : 0;
    const int64_t later = c->sm_collectors ? c->sm_collectors + 2 : banks + pipes;
    init_unit(&u->unit[WARP_ALU], c->sm_alu_latency, c->sm_alu_interval, n, later);
    init_unit(&u->unit[WARP_SFU], c->sm_sfu_latency, c->sm_sfu_interval, n, later);
    init_unit(&u->unit[WARP_FP64], c->sm_fp64_latency, c->sm_fp64_interval, n, later);
    init_unit(&u->unit[WARP_SHARED], c->sm_shared_latency, c->sm_shared_interval, 1, 0);
}

void units_free(struct units *u) {
    for (unsigned k = 0; k < UNITS; k++)
        free(u->unit[k].result);
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

static struct unit_result *result_at(const struct unit *k, uint32_t i) {
    return &k->result[wrap(k->head + i, k->capacity)];
}

void units_write(struct units *u, enum warp_op op, uint32_t passes, uint32_t warp,
                 const struct reg_set *regs, uint64_t cycle) {
    struct unit *k = &u->unit[op];
    uint64_t ready = cycle + k->latency;
    if (op == WARP_SHARED)
        ready += (uint64_t)(passes - 1) * k->interval;
    assert(k->count < k->capacity);
    *result_at(k, k->count++) = (struct unit_result){ready, warp, *regs};
    if (ready < u->next)
        u->next = ready;
}

void units_write_later(struct units *u, enum warp_op op, uint32_t warp, const struct reg_set *regs,
                       uint64_t cycle) {
    struct unit *k = &u->unit[op];
    const struct unit_result r = {cycle + k->latency, warp, *regs};
    uint32_t i = k->count++;
    assert(k->count <= k->capacity);
    for (; i && result_at(k, i - 1)->ready > r.ready; i--)
        *result_at(k, i) = *result_at(k, i - 1);
    *result_at(k, i) = r;
    if (r.ready < u->next)
        u->next = r.ready;
}

static void find_next(struct units *u) {
    u->next = UINT64_MAX;
    for (unsigned i = 0; i < UNITS; i++) {
        const struct unit *k = &u->unit[i];
        if (k->count && k->result[k->head].ready < u->next)
            u->next = k->result[k->head].ready;
    }
}

const struct unit_result *units_take(struct units *u, uint64_t cycle) {
    if (u->next > cycle)
        return NULL;
    unsigned i = 0;
    while (!u->unit[i].count || u->unit[i].result[u->unit[i].head].ready > cycle)
        i++;
    struct unit *k = &u->unit[i];
    const struct unit_result *r = &k->result[k->head];
    if (--k->count == 0 || ++k->head == k->capacity)
        k->head = 0;
    find_next(u);
    return r;
}

uint64_t units_free_from(const struct units *u, const warp_set wants[UNITS], warp_set warps,
                         uint32_t scheduler, uint64_t cycle) {
    uint64_t from = UINT64_MAX;
    for (unsigned i = 0; i < UNITS; i++) {
        if (!(warps & wants[i]))
            continue;
        uint64_t free = u->unit[i].free[i == WARP_SHARED ? 0 : scheduler];
        if (free < from)
            from = free;
        warps &= ~wants[i];
    }
    return warps || from < cycle ? cycle : from;
}
