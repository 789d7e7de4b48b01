// SPDX-License-Identifier: Apache-2.0
#include "icache/icache.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/hash.h"

#define NO_LINE UINT64_MAX
#define FIRST_PCS 256

void icache_init(struct icache *c, const struct config *cfg, struct context *context,
                 const struct icache_ports *ports, struct stats *stats, uint32_t sm) {
    memset(c, 0, sizeof *c);
    c->context = context;
    c->req = ports->req;
    c->reply = ports->reply;
    c->map = ports->map;
    c->stats = stats;
    c->sm = sm;
    c->sets = (uint32_t)cfg->icache_sets;
    c->ways = (uint32_t)cfg->icache_ways;
    c->n_misses = (uint32_t)cfg->icache_misses;
    c->flit_bytes = (uint32_t)cfg->icnt_flit_bytes;
    c->header_bytes = (uint32_t)cfg->icnt_header_bytes;
    c->draws = !c->sets && c->map->map == PARTITION_RANDOM;
    if (!c->sets)
        return;
    c->way = alloc_zeroed((size_t)c->sets * c->ways, sizeof *c->way);
    c->miss = alloc_zeroed(c->n_misses, sizeof *c->miss);
    for (uint32_t i = 0; i < c->sets * c->ways; i++)
        c->way[i].line = NO_LINE;
}

void icache_free(struct icache *c) {
    free(c->way);
    free(c->miss);
    free(c->pc);
    memset(c, 0, sizeof *c);
}

uint64_t icache_requests(const struct config *cfg) {
    return cfg->icache_sets ? (uint64_t)cfg->icache_misses : 0;
}

/* ---- addresses of instructions ---- */

void icache_launch(struct icache *c) {
    c->n_pcs = 0;
    if (c->pc)
        memset(c->pc, 0, c->room_pcs * sizeof *c->pc);
}

static struct icache_pc *place_of(const struct icache *c, const struct warp_inst_form *form) {
    for (uint32_t i = hash_bytes(0, form, sizeof *form);; i++) {
        struct icache_pc *p = &c->pc[i & (c->room_pcs - 1)];
        if (!p->used || memcmp(&p->form, form, sizeof *form) == 0)
            return p;
    }
}

static void grow_pcs(struct icache *c) {
    struct icache_pc *old = c->pc;
    uint32_t n = c->room_pcs;
    c->room_pcs = n ? 2 * n : FIRST_PCS;
    c->pc = alloc_zeroed(c->room_pcs, sizeof *c->pc);
    for (uint32_t i = 0; i < n; i++)
        if (old[i].used)
            *place_of(c, &old[i].form) = old[i];
    free(old);
}

uint32_t icache_pc(struct icache *c, const struct warp_inst *inst) {
    if (inst->has_pc)
        return inst->pc;
    if (2 * c->n_pcs >= c->room_pcs)
        grow_pcs(c);
    const struct warp_inst_form form = warp_inst_form(inst);
    struct icache_pc *p = place_of(c, &form);
    if (!p->used)
        *p = (struct icache_pc){form, ICACHE_INST_BYTES * c->n_pcs++, true};
    return p->pc;
}

/* ---- lines ---- */

static struct icache_way *set_of(const struct icache *c, uint64_t line) {
    return &c->way[line % c->sets * c->ways];
}

static bool hit(struct icache *c, uint64_t line) {
    struct icache_way *set = set_of(c, line);
    for (uint32_t i = 0; i < c->ways; i++)
        if (set[i].line == line) {
            set[i].used = c->clock;
            return true;
        }
    return false;
}

static void fill(struct icache *c, uint64_t line) {
    struct icache_way *set = set_of(c, line), *victim = set;
    for (uint32_t i = 1; i < c->ways; i++)
        if (set[i].used < victim->used)
            victim = &set[i];
    *victim = (struct icache_way){line, c->clock};
}

/* ---- fetches ---- */

static void warps_add(struct icache_warps *q, uint32_t warp) {
    assert(q->count < WARP_SLOTS);
    q->warp[(q->head + q->count++) % WARP_SLOTS] = (uint8_t)warp;
}

static uint32_t warps_take(struct icache_warps *q) {
    uint32_t warp = q->warp[q->head];
    q->head = (q->head + 1) % WARP_SLOTS;
    q->count--;
    return warp;
}

static void send(struct icache *c, struct icache_miss *m) {
    if (!xbar_can_push(c->req, c->sm))
        return;
    uint32_t number = request_take(&c->context->pool);
    struct request *p = request_at(&c->context->pool, number);
    *p = (struct request){
        .line = CODE_LINE + m->line,
        .mask = mask_of_sectors(SECTORS_ALL),
        .origin = {.sm = (uint16_t)c->sm},
        .next = REQUEST_NONE,
        .entry = (uint16_t)(m - c->miss),
        .kind = REQUEST_LOAD,
        .l2 = {.parent = REQUEST_NONE},
    };
    request_times(&c->context->pool, number)->to_icnt = c->context->time;
    xbar_push(c->req, c->sm, number, line_bank(c->context, c->map, p->line, number),
              request_flits(p, c->header_bytes, c->flit_bytes), 1);
    m->sent = true;
    c->unsent--;
}

/* The fetch of that line, a new one if there is none yet; NULL: all are out. */
static struct icache_miss *miss_of(struct icache *c, uint64_t line) {
    struct icache_miss *spare = NULL;
    for (struct icache_miss *m = c->miss; m < c->miss + c->n_misses; m++) {
        if (m->busy && m->line == line)
            return m;
        if (!m->busy && !spare)
            spare = m;
    }
    if (!spare)
        return NULL;
    *spare = (struct icache_miss){.line = line, .busy = true};
    c->unsent++;
    send(c, spare);
    return spare;
}

/* GPGPU-Sim makes a request for each fetch, though it sends none, and so draws the line's bank. */
static void draw(struct icache *c, uint64_t line) {
    const uint64_t bit = line < 64 ? UINT64_C(1) << line : 0;
    if (c->drawn & bit)
        return;
    c->drawn |= bit;
    line_bank(c->context, c->map, CODE_LINE + line, REQUEST_NONE);
}

enum icache_result icache_fetch(struct icache *c, uint32_t warp, uint32_t pc) {
    uint64_t line = pc / LINE_BYTES;
    if (!icache_on(c)) {
        draw(c, line);
        return ICACHE_HIT;
    }
    c->clock++;
    if (hit(c, line)) {
        stat_add(c->stats, STAT_icache_hits, 1);
        return ICACHE_HIT;
    }
    struct icache_miss *m = miss_of(c, line);
    if (!m)
        return ICACHE_REFUSED;
    warps_add(&m->warps, warp);
    stat_add(c->stats, STAT_icache_misses, 1);
    c->context->progress++;
    return ICACHE_MISS;
}

uint32_t icache_take(struct icache *c) {
    return c->come.count ? warps_take(&c->come) : ICACHE_NO_WARP;
}

/* A line has come. */
static void take(struct icache *c, uint32_t number) {
    struct icache_miss *m = &c->miss[request_at(&c->context->pool, number)->entry];
    xbar_pop(c->reply, c->sm);
    request_give(&c->context->pool, number);
    fill(c, m->line);
    while (m->warps.count)
        warps_add(&c->come, warps_take(&m->warps));
    m->busy = false;
}

bool icache_tick(struct icache *c) {
    for (uint32_t i = 0; c->unsent && i < c->n_misses; i++)
        if (c->miss[i].busy && !c->miss[i].sent)
            send(c, &c->miss[i]);
    uint32_t number = xbar_peek(c->reply, c->sm);
    if (number == REQUEST_NONE || !line_is_code(request_at(&c->context->pool, number)->line))
        return false;
    take(c, number);
    return true;
}

void icache_dump(const struct icache *c, FILE *out) {
    for (uint32_t i = 0; icache_on(c) && i < c->n_misses; i++)
        if (c->miss[i].busy)
            fprintf(out, "sm.%u instructions at 0x%" PRIx64 ": %u warps wait, %s\n",
                    (unsigned)c->sm, c->miss[i].line * LINE_BYTES, (unsigned)c->miss[i].warps.count,
                    c->miss[i].sent ? "asked for" : "to be sent");
}
