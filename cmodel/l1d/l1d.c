// SPDX-License-Identifier: Apache-2.0
#include "l1d/l1d.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/bits.h"

#define L1D_ID_W 8 /* pending load: of the point that synthesis and proofs are given */

static const struct refusal_stats refusal_stats = REFUSAL_STATS_OF(l1d);

uint64_t l1d_requests(const struct config *cfg) {
    return (uint64_t)cfg->l1d_miss_queue;
}

uint64_t l1d_longest_wait(const struct config *cfg) {
    return (uint64_t)cfg->l1d_hit_latency;
}

/* ---- making and ending ---- */

static int rsp_init(struct l1d_rsp_queue *q, uint32_t capacity) {
    q->slot = calloc(capacity, sizeof *q->slot);
    q->head = q->count = 0;
    q->capacity = capacity;
    return q->slot ? 0 : -1;
}

static struct mshr_geometry mshr_of(const struct config *cfg) {
    int64_t id_w = bits_to_hold((uint64_t)cfg->sm_pending_loads - 1);
    return (struct mshr_geometry){
        .keys = MSHR_KEYS_OF(cfg, l1d),
        .addr_w = cfg->l1d_sectored ? ADDR_LINE_BITS + 2 : ADDR_LINE_BITS,
        .off_w = cfg->l1d_sectored ? SECTOR_BITS : LINE_BITS,
        .id_w = id_w > L1D_ID_W ? id_w : L1D_ID_W,
    };
}

static int init_mshr(struct l1d *l1, const struct config *cfg, char *err, size_t err_size) {
    const struct mshr_geometry g = mshr_of(cfg);
    char name[BLOCK_NAME_MAX];
    snprintf(name, sizeof name, "l1d.%u.mshr", (unsigned)l1->sm);
    return mshr_unit_init(&l1->mshr, &l1->context->blocks, &g, name, err, err_size);
}

static void set_policies(struct l1d *l1, const struct config *cfg) {
    l1->enabled = cfg->l1d_enabled != 0;
    l1->sectored = cfg->l1d_sectored != 0;
    l1->allocate_on_fill = cfg->l1d_allocate == ALLOCATE_FILL;
    l1->write = (uint8_t)cfg->l1d_write;
    l1->bypass = (uint8_t)cfg->l1d_bypass;
    l1->bypass_full = (uint8_t)cfg->l1d_bypass_full;
    l1->bypass_slots = cfg->l1d_bypass_slots ? (uint32_t)cfg->l1d_bypass_slots : UINT32_MAX;
    /* With the lookup at the end, the pipeline before the tags has the other cycles. */
    l1->hit_latency = cfg->l1d_lookup == L1D_LOOKUP_BACK ? 1 : (uint32_t)cfg->l1d_hit_latency;
    l1->set_index = (enum set_index)cfg->l1d_set_index;
    l1->flit_bytes = (uint32_t)cfg->icnt_flit_bytes;
    l1->header_bytes = (uint32_t)cfg->icnt_header_bytes;
}

static int init_parts(struct l1d *l1, const struct config *cfg) {
    const struct mshr_geometry mshr = mshr_of(cfg);
    const struct mshr_size size = mshr_size_of(&mshr);
    if (fifo_init(&l1->miss_queue, (uint32_t)cfg->l1d_miss_queue) != 0 ||
        rsp_init(&l1->hits, l1->hit_latency) != 0 ||
        rsp_init(&l1->rsp, (uint32_t)cfg->l1d_rsp_queue) != 0 ||
        granules_init(&l1->inflight, size.heads) != 0 ||
        lines_init(&l1->lines, (uint32_t)cfg->l1d_sets, (uint32_t)cfg->l1d_ways) != 0 ||
        protect_init(&l1->protect, &l1->lines,
                     l1->bypass == BYPASS_PDP ? (uint32_t)cfg->l1d_protect_distance : 0) != 0)
        return -1;
    l1->version = calloc(lines_count(&l1->lines), sizeof *l1->version);
    l1->head = calloc(l1->inflight.heads, sizeof *l1->head);
    l1->waiters.capacity = (uint32_t)mshr_size_requests(&size);
    l1->waiters.waiter = malloc(l1->waiters.capacity * sizeof *l1->waiters.waiter);
    l1->waiters.free = l1->draining_first = WAITER_NONE;
    return l1->version && l1->head && l1->waiters.waiter ? 0 : -1;
}

static void find_listeners(struct l1d *l1) {
    l1->has_listeners = mdb_on(&l1->mdb) || addr_watch_on(&l1->watch) || ucp_on(&l1->ucp);
}

int l1d_init(struct l1d *l1, const struct config *cfg, struct context *context,
             const struct l1d_ports *ports, struct stats *stats, uint32_t sm, char *err,
             size_t err_size) {
    *l1 = (struct l1d){
        .context = context,
        .req = ports->req,
        .reply = ports->reply,
        .map = ports->map,
        .stats = stats,
        .refusals.ids = &refusal_stats,
        .expected = GRANULE_NONE,
        .sm = sm,
    };
    set_policies(l1, cfg);
    ucp_off(&l1->ucp);
    if (init_parts(l1, cfg) != 0) {
        snprintf(err, err_size, "out of memory for the L1D of SM %u", (unsigned)sm);
        return -1;
    }
    if (!l1->enabled)
        return 0;
    if (init_mshr(l1, cfg, err, err_size) != 0 ||
        mdb_init(&l1->mdb, &context->blocks, cfg, sm, err, err_size) != 0 ||
        addr_watch_init(&l1->watch, &context->blocks, cfg, l1->map, sm, err, err_size) != 0)
        return -1;
    if (l1->mdb.scheme == BYPASS_MDB_GLOBAL)
        l1->mdb.bus = ports->bus;
    find_listeners(l1);
    return 0;
}

int l1d_use_kernels(struct l1d *l1, const struct config *cfg, uint32_t kernels) {
    if (cfg->l1d_partition == L1D_PARTITION_NONE || kernels == 1)
        return 0;
    int lost = ucp_init(&l1->ucp, &l1->lines, kernels, (uint64_t)cfg->l1d_ucp_cycles);
    find_listeners(l1);
    return lost;
}

/* From here on nothing begins to watch a block. */
void l1d_launch(struct l1d *l1, const struct mdb_users *users) {
    mdb_launch(&l1->mdb, users);
    find_listeners(l1);
}

void l1d_free(struct l1d *l1) {
    fifo_free(&l1->miss_queue);
    free(l1->hits.slot);
    free(l1->rsp.slot);
    free(l1->version);
    free(l1->ticket);
    granules_free(&l1->inflight);
    free(l1->head);
    free(l1->waiters.waiter);
    protect_free(&l1->protect);
    ucp_free(&l1->ucp);
    lines_free(&l1->lines);
    mshr_unit_free(&l1->mshr);
    mdb_free(&l1->mdb);
    addr_watch_free(&l1->watch);
}

/* ---- lines and their data ---- */

int l1d_carry(struct l1d *l1, bool on) {
    return lines_carry(&l1->lines, on);
}

void l1d_invalidate(struct l1d *l1) {
    assert(!l1->dirty_ways);
    if (ucp_on(&l1->ucp))
        ucp_forget(&l1->ucp, 0, LINE_NONE);
    if (!context_plant_stuck(l1->context, PLANT_STALE_LINE)) {
        lines_drop_all(&l1->lines);
        return;
    }
    for (uint32_t way = 0; way < lines_count(&l1->lines); way++)
        l1->lines.flags[way] |= WAY_STALE;
}

void l1d_invalidate_range(struct l1d *l1, uint64_t first, uint64_t end) {
    struct lines *t = &l1->lines;
    const bool stale = context_plant_stuck(l1->context, PLANT_STALE_LINE);
    const bool keep = context_plant_stuck(l1->context, PLANT_KEEP_LINES);
    if (ucp_on(&l1->ucp))
        ucp_forget(&l1->ucp, first, end);
    for (uint32_t way = 0; way < lines_count(t); way++) {
        if (t->line[way] < first || t->line[way] >= end)
            continue;
        if (t->pending[way] || lines_dirty(t, way))
            context_fail(l1->context, CONTEXT_BROKEN,
                         "L1D %u: line 0x%llx is dirty or on its way when its kernel ends",
                         (unsigned)l1->sm, (unsigned long long)t->line[way] * LINE_BYTES);
        if (stale)
            t->flags[way] |= WAY_STALE;
        else if (keep)
            l1->context->planted = true;
        else
            lines_drop(t, way);
    }
}

uint64_t l1d_line_held(const struct l1d *l1, uint64_t first, uint64_t end) {
    const struct lines *t = &l1->lines;
    for (uint32_t way = 0; way < lines_count(t); way++)
        if (t->line[way] >= first && t->line[way] < end && !(t->flags[way] & WAY_STALE))
            return t->line[way];
    return LINE_NONE;
}

uint32_t l1d_drop(struct l1d *l1, uint64_t first, uint32_t n) {
    struct lines *t = &l1->lines;
    uint32_t dropped = 0;
    for (uint64_t line = first; l1->enabled && line < first + n; line++) {
        uint32_t way = lines_find(t, addr_set(l1->set_index, line, t->sets), line);
        if (way == WAY_NONE)
            continue;
        if (t->pending[way] || lines_dirty(t, way))
            context_fail(l1->context, CONTEXT_BROKEN,
                         "L1D %u: line 0x%llx of a page that leaves is dirty or on its way",
                         (unsigned)l1->sm, (unsigned long long)line * LINE_BYTES);
        lines_drop(t, way);
        dropped++;
    }
    return dropped;
}

/* ---- statistics ---- */

void l1d_add_stats(const struct l1d *l1, uint64_t cycle, struct stats *to) {
    const struct mshr_unit *u = &l1->mshr;
    stat_add(to, STAT_l1d_mshr_busy_cycles, level_busy(&u->used, cycle));
    stat_add(to, STAT_l1d_mshr_slot_cycles, level_area(&u->used, cycle));
    stat_add(to, STAT_l1d_mshr_capacity, level_busy(&u->used, cycle) * u->capacity);
    stat_add(to, STAT_l1d_direct_cycles, level_area(&l1->direct, cycle));
    stat_add(to, STAT_l1d_direct_busy_cycles, level_busy(&l1->direct, cycle));
}

void l1d_gauges(const struct l1d *l1, uint64_t cycle, const struct gauge_reader *to) {
    const uint64_t *v = l1->stats->v;
    if (l1->enabled)
        gauge_show(to, "L1D MSHR", "requests", l1->mshr.capacity, level_area(&l1->mshr.used, cycle),
                   cycle);
    gauge_show(to, "L1D miss queue", "packets", l1->miss_queue.capacity,
               v[STAT_l1d_miss_queue_cycles], cycle);
    gauge_show(to, "L1D response queue", "responses", l1->rsp.capacity,
               v[STAT_l1d_rsp_queue_cycles], cycle);
}
