// SPDX-License-Identifier: Apache-2.0
#include "icache/icache.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/hash.h"

#define NO_LINE UINT64_MAX

void icache_init(struct icache *c, const struct config *cfg, struct context *context,
                 const struct icache_ports *ports, struct stats *stats, uint32_t sm) {
    memset(c, 0, sizeof *c);
    c->context = context;
    c->req = ports->req;
    c->reply = ports->reply;
    c->map = ports->map;
    c->stats = stats;
    c->sm = sm;
    c->port = sm / (uint32_t)cfg->icnt_sms_per_port;
    c->sets = icache_sets(cfg);
    c->ways = (uint32_t)cfg->icache_ways;
    c->flit_bytes = (uint32_t)cfg->icnt_flit_bytes;
    c->draws = !c->sets && c->map->map == PARTITION_RANDOM;
    if (!c->sets)
        return;
    c->way = alloc_zeroed((size_t)c->sets * c->ways, sizeof *c->way);
    ring_init(&c->ready_warps, WARP_SLOTS);
    for (uint32_t i = 0; i < ICACHE_MISSES; i++)
        ring_init(&c->miss[i].warps, WARP_SLOTS);
    for (uint32_t i = 0; i < c->sets * c->ways; i++)
        c->way[i].line = NO_LINE;
}

void icache_free(struct icache *c) {
    free(c->way);
    for (uint32_t i = 0; i < ICACHE_MISSES; i++)
        ring_free(&c->miss[i].warps);
    ring_free(&c->ready_warps);
    free(c->form);
    hash_map_free(&c->forms);
    memset(c, 0, sizeof *c);
}

uint64_t icache_requests(const struct config *cfg) {
    return icache_sets(cfg) ? ICACHE_MISSES : 0;
}

/* ---- addresses of instructions ---- */

void icache_launch(struct icache *c) {
    hash_map_clear(&c->forms);
}

/* Returns the index of an instruction form. A new form gets the next free index. */
static uint32_t form_number(struct icache *c, const struct warp_inst_form *form) {
    const uint64_t hash = hash_bytes(0, form, sizeof *form);
    uint32_t at = HASH_MAP_START, i;
    while ((i = hash_map_next(&c->forms, hash, &at)) != HASH_MAP_NONE)
        if (memcmp(&c->form[i], form, sizeof *form) == 0)
            return i;
    i = c->forms.used;
    c->form = alloc_grown(c->form, i, &c->room, sizeof *c->form);
    c->form[i] = *form;
    hash_map_add(&c->forms, hash, i);
    return i;
}

uint32_t icache_pc(struct icache *c, const struct warp_inst *inst) {
    if (inst->has_pc)
        return inst->pc;
    const struct warp_inst_form form = warp_inst_form(inst);
    return ICACHE_INST_BYTES * form_number(c, &form);
}

/* ---- lines ---- */

static struct icache_way *set_of(const struct icache *c, uint64_t line) {
    return &c->way[line % c->sets * c->ways];
}

static bool find_line(struct icache *c, uint64_t line) {
    struct icache_way *set = set_of(c, line);
    for (uint32_t i = 0; i < c->ways; i++)
        if (set[i].line == line) {
            set[i].used = c->clock;
            return true;
        }
    return false;
}

static void fill_line(struct icache *c, uint64_t line) {
    struct icache_way *set = set_of(c, line), *victim = set;
    for (uint32_t i = 1; i < c->ways; i++)
        if (set[i].used < victim->used)
            victim = &set[i];
    *victim = (struct icache_way){line, c->clock};
}

/* ---- fetches ---- */

static void send_fetch(struct icache *c, struct icache_miss *m) {
    if (!xbar_can_push(c->req, c->port))
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
    xbar_push(c->req, c->port, number, addr_bank(c->map, p->line), request_flits(p, c->flit_bytes),
              1);
    m->sent = true;
    c->unsent--;
}

/* Returns the fetch in flight for the line, or starts one. Returns NULL if the maximum number of
 * fetches is in flight. */
static struct icache_miss *miss_of(struct icache *c, uint64_t line) {
    struct icache_miss *spare = NULL;
    for (struct icache_miss *m = c->miss; m < c->miss + ICACHE_MISSES; m++) {
        if (m->busy && m->line == line)
            return m;
        if (!m->busy && !spare)
            spare = m;
    }
    if (!spare)
        return NULL;
    spare->line = line;
    spare->busy = true;
    spare->sent = false;
    c->unsent++;
    send_fetch(c, spare);
    return spare;
}

/* Draws the line's bank, at most once for each of the first 64 lines. GPGPU-Sim creates a request
 * for each fetch, even if it does not send the request. */
static void draw_bank(struct icache *c, uint64_t line) {
    const uint64_t bit = line < 64 ? UINT64_C(1) << line : 0;
    if (c->drawn & bit)
        return;
    c->drawn |= bit;
    addr_bank(c->map, CODE_LINE + line);
}

enum icache_result icache_fetch(struct icache *c, uint32_t warp, uint32_t pc) {
    uint64_t line = pc / LINE_BYTES;
    if (!icache_on(c)) {
        draw_bank(c, line);
        return ICACHE_HIT;
    }
    c->clock++;
    if (find_line(c, line)) {
        stat_add(c->stats, STAT_icache_hits, 1);
        return ICACHE_HIT;
    }
    struct icache_miss *m = miss_of(c, line);
    if (!m)
        return ICACHE_REFUSED;
    ring_push(&m->warps, (uint8_t)warp);
    stat_add(c->stats, STAT_icache_misses, 1);
    c->context->progress++;
    return ICACHE_MISS;
}

uint32_t icache_take(struct icache *c) {
    return c->ready_warps.count ? ring_pop(&c->ready_warps) : ICACHE_NO_WARP;
}

/* Takes a reply. Fills its line and makes the waiting warps ready. */
static void take_reply(struct icache *c, uint32_t number) {
    struct icache_miss *m = &c->miss[request_at(&c->context->pool, number)->entry];
    xbar_pop(c->reply, c->sm);
    request_give(&c->context->pool, number);
    fill_line(c, m->line);
    while (m->warps.count)
        ring_push(&c->ready_warps, ring_pop(&m->warps));
    m->busy = false;
}

bool icache_tick(struct icache *c) {
    for (uint32_t i = 0; c->unsent && i < ICACHE_MISSES; i++)
        if (c->miss[i].busy && !c->miss[i].sent)
            send_fetch(c, &c->miss[i]);
    uint32_t number = xbar_peek(c->reply, c->sm);
    if (number == REQUEST_NONE || !line_is_code(request_at(&c->context->pool, number)->line))
        return false;
    take_reply(c, number);
    return true;
}

void icache_dump(const struct icache *c, FILE *out) {
    for (uint32_t i = 0; icache_on(c) && i < ICACHE_MISSES; i++)
        if (c->miss[i].busy)
            fprintf(out, "sm.%u instructions at 0x%" PRIx64 ": %u warps wait, %s\n",
                    (unsigned)c->sm, c->miss[i].line * LINE_BYTES, (unsigned)c->miss[i].warps.count,
                    c->miss[i].sent ? "fetch sent" : "fetch not sent");
}
