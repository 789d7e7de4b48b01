// SPDX-License-Identifier: Apache-2.0
#include "gmmu/gmmu.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/bits.h"
#include "lib/wrap.h"

static int check_ways(const char *key, int64_t entries, const char *ways_key, int64_t ways,
                      char *err, size_t err_size) {
    if (entries % ways == 0)
        return 0;
    snprintf(err, err_size, "%s=%" PRId64 " is not a multiple of %s=%" PRId64, key, entries,
             ways_key, ways);
    return -1;
}

static int check_l2_index(const struct config *cfg, char *err, size_t err_size) {
    const int64_t sets = cfg->tlb_l2_entries / cfg->tlb_l2_ways;
    if (cfg->tlb_l2_index == LRU_MODULO || !sets || bits_power_of_two((uint64_t)sets))
        return 0;
    snprintf(err, err_size,
             "tlb.l2_index=xor needs a power-of-two number of sets; tlb.l2_entries=%" PRId64
             " of tlb.l2_ways=%" PRId64 " are %" PRId64,
             cfg->tlb_l2_entries, cfg->tlb_l2_ways, sets);
    return -1;
}

int gmmu_check(const struct config *cfg, char *err, size_t err_size) {
    if (cfg->uvm_mode != UVM_PAGED)
        return 0;
    return check_ways("tlb.l2_entries", cfg->tlb_l2_entries, "tlb.l2_ways", cfg->tlb_l2_ways, err,
                      err_size) ||
                   check_ways("gmmu.cache_lines", cfg->gmmu_cache_lines, "gmmu.cache_ways",
                              cfg->gmmu_cache_ways, err, err_size) ||
                   check_l2_index(cfg, err, err_size)
               ? -1
               : 0;
}

/* ---- making and ending ---- */

static void init_ports(struct gmmu *g) {
    assert(g->sms <= MMU_MAX_SMS);
    g->port = alloc_zeroed(g->sms, sizeof *g->port);
    g->tracked = alloc_zeroed((size_t)g->sms * g->misses, sizeof *g->tracked);
    g->n_tracked = alloc_zeroed(g->sms, sizeof *g->n_tracked);
    for (uint32_t i = 0; i < g->sms; i++)
        mmu_port_init(&g->port[i], i, g->asking, g->misses);
}

static void init_tables(struct gmmu *g, const struct config *cfg) {
    g->has_l2 = cfg->tlb_l2_entries != 0;
    g->has_cache = cfg->gmmu_cache_lines != 0;
    g->pipe_room = g->ports * g->latency;
    g->wait_room = (uint32_t)cfg->gmmu_walk_queue;
    g->walkers = (uint32_t)cfg->gmmu_walkers;
    g->pipe = alloc_zeroed(g->pipe_room, sizeof *g->pipe);
    g->waiting = alloc_zeroed(g->wait_room, sizeof *g->waiting);
    g->walk = alloc_zeroed(g->walkers, sizeof *g->walk);
    if (g->has_l2)
        lru_table_init(&g->l2, (uint32_t)cfg->tlb_l2_entries, (uint32_t)cfg->tlb_l2_ways,
                       (enum lru_index)cfg->tlb_l2_index);
    if (g->has_cache)
        lru_table_init(&g->cache, (uint32_t)cfg->gmmu_cache_lines, (uint32_t)cfg->gmmu_cache_ways,
                       LRU_MODULO);
}

#define OBSERVER(x) extern const struct block_type x##_type;
#include "gmmu/observers.def"
#undef OBSERVER

static int attach_blocks(struct gmmu *g, const struct config *cfg, char *err, size_t err_size) {
    static const struct {
        const struct block_type *block;
        gmmu_observer_create *create;
    } row[] = {
#define OBSERVER(x) {&x##_type, gmmu_##x##_create},
#include "gmmu/observers.def"
#undef OBSERVER
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        if (!uvm_needs_block(g->uvm, row[i].block))
            continue;
        struct gmmu_observer *o = row[i].create(cfg, g->context, g->uvm, err, err_size);
        if (!o)
            return -1;
        gmmu_attach(g, o);
    }
    return 0;
}

int gmmu_init(struct gmmu *g, const struct config *cfg, struct context *context, struct uvm *uvm,
              char *err, size_t err_size) {
    *g = (struct gmmu){
        .context = context,
        .uvm = uvm,
        .pages = uvm_pages(uvm),
        .sms = (uint32_t)cfg->sm_count,
        .words = bit_set_words((uint32_t)cfg->sm_count),
        .limit = mmu_far_faults(cfg),
        .ports = (uint32_t)cfg->tlb_l2_ports,
        .latency = (uint32_t)cfg->tlb_l2_latency,
        .merges = cfg->gmmu_walk_merge != 0,
        .replays_touch = cfg->gmmu_replays_touch != 0,
        .walk_latency = (uint32_t)cfg->gmmu_walk_latency,
        .miss_latency = (uint32_t)cfg->gmmu_cache_miss,
        .misses = (uint32_t)cfg->tlb_l1_misses,
    };
    init_ports(g);
    init_tables(g, cfg);
    return attach_blocks(g, cfg, err, err_size);
}

void gmmu_attach(struct gmmu *g, struct gmmu_observer *o) {
    struct gmmu_observer **last = &g->observers;
    while (*last)
        last = &(*last)->next;
    *last = o;
}

static void free_observers(struct gmmu *g) {
    for (struct gmmu_observer *o = g->observers, *next; o; o = next) {
        next = o->next;
        o->type->destroy(o);
    }
}

void gmmu_free(struct gmmu *g) {
    for (uint32_t i = 0; g->port && i < g->sms; i++)
        mmu_port_free(&g->port[i]);
    free(g->port);
    free(g->tracked);
    free(g->n_tracked);
    free(g->pipe);
    free(g->waiting);
    free(g->walk);
    lru_table_free(&g->l2);
    lru_table_free(&g->cache);
    free_observers(g);
}

/* ---- messages to the SMs ---- */

/* The TLB sees it in the next cycle. */
static void tell(struct gmmu *g, uint32_t sm, uint32_t page, enum mmu_kind kind, bool tracked) {
    const struct mmu_message m = {g->context->sm_cycle + 1, page, (uint8_t)kind, tracked};
    mmu_port_tell(&g->port[sm], &m);
    g->context->progress++;
}

static uint32_t *tracked_of(const struct gmmu *g, uint32_t sm) {
    return &g->tracked[(size_t)sm * g->misses];
}

/* A far-fault MSHR of the SM, if it has one free. Returns whether it has. */
static bool track(struct gmmu *g, uint32_t sm, uint32_t page) {
    if (g->n_tracked[sm] >= g->limit)
        return false;
    assert(g->n_tracked[sm] < g->misses);
    tracked_of(g, sm)[g->n_tracked[sm]++] = page;
    g->pages->page[page].waiters++;
    const struct watcher *watcher = g->context->watcher;
    if (watcher)
        watcher->fault_begins(watcher->ctx, sm, page, g->context->sm_cycle);
    return true;
}

/* Returns whether the SM had one for the page. */
static bool untrack(struct gmmu *g, uint32_t sm, uint32_t page) {
    uint32_t *tracked = tracked_of(g, sm), i = 0;
    while (i < g->n_tracked[sm] && tracked[i] != page)
        i++;
    if (i == g->n_tracked[sm])
        return false;
    tracked[i] = tracked[--g->n_tracked[sm]];
    return true;
}

void gmmu_arrived(struct gmmu *g, uint32_t page) {
    const struct watcher *watcher = g->context->watcher;
    if (!g->pages->page[page].waiters)
        return;
    for (uint32_t sm = 0; sm < g->sms; sm++) {
        if (!untrack(g, sm, page))
            continue;
        tell(g, sm, page, MMU_REPLAY, false);
        if (watcher)
            watcher->fault_ends(watcher->ctx, sm, page, g->context->sm_cycle);
    }
}

void gmmu_shoot(struct gmmu *g, uint32_t page) {
    if (g->has_l2)
        lru_table_remove(&g->l2, page);
    for (uint32_t sm = 0; sm < g->sms; sm++)
        for (uint32_t i = 0; i < g->port[sm].count; i++) {
            struct mmu_message *m = mmu_port_at(&g->port[sm], i);
            if (m->page == page && m->kind == MMU_TRANSLATION)
                m->kind = MMU_AGAIN;
        }
}

/* ---- observers ---- */

/* The first that cannot take a walk that hits the page, or NULL. */
static const struct gmmu_observer *not_ready(const struct gmmu *g, uint32_t page) {
    const struct gmmu_observer *o = g->observers;
    while (o && (!o->type->ready || o->type->ready(o, page)))
        o = o->next;
    return o;
}

/* What counts as a reference is told to them and to the driver. */
static void tell_reference(struct gmmu *g, uint32_t page) {
    for (struct gmmu_observer *o = g->observers; o; o = o->next)
        if (o->type->walk)
            o->type->walk(o, page);
    uvm_walk_hit(g->uvm, page);
}

static void tell_look(struct gmmu *g, uint32_t page) {
    for (struct gmmu_observer *o = g->observers; o; o = o->next)
        if (o->type->look)
            o->type->look(o, page);
}

/* ---- page walks ---- */

static struct gmmu_walk *waiting_at(const struct gmmu *g, uint32_t i) {
    return &g->waiting[wrap(g->wait_head + i, g->wait_room)];
}

/* The walk of the page that waits or is under way, or NULL. */
static struct gmmu_walk *find_walk(struct gmmu *g, uint32_t page) {
    for (uint32_t i = 0; i < g->walks; i++)
        if (g->walk[i].page == page)
            return &g->walk[i];
    for (uint32_t i = 0; i < g->wait_count; i++)
        if (waiting_at(g, i)->page == page)
            return waiting_at(g, i);
    return NULL;
}

/* The request joins a walk, or waits for a walker. Returns whether it could. */
static bool enter_walk(struct gmmu *g, uint32_t sm, uint32_t page, bool replay, uint64_t cycle) {
    bool touches = !replay || g->replays_touch;
    struct gmmu_walk *walk = g->merges ? find_walk(g, page) : NULL;
    if (walk) {
        bit_set_add(walk->asking, sm);
        walk->touches |= touches;
        walk->fresh |= !replay;
        stat_add(&g->stats, STAT_gmmu_walks_merged, 1);
        return true;
    }
    if (g->wait_count == g->wait_room)
        return false;
    walk = waiting_at(g, g->wait_count++);
    *walk = (struct gmmu_walk){.page = page, .touches = touches, .fresh = !replay};
    bit_set_add(walk->asking, sm);
    level_change(&g->queued, cycle, 1);
    return true;
}

/* Behind those that end before it or with it. */
static void start_walk(struct gmmu *g, uint64_t cycle) {
    struct gmmu_walk walk = *waiting_at(g, 0);
    g->wait_head = wrap(g->wait_head + 1, g->wait_room);
    g->wait_count--;
    level_change(&g->queued, cycle, -1);
    bool cached = g->has_cache && lru_table_touch(&g->cache, walk.page / GMMU_LINE_PAGES);
    walk.uncached = g->has_cache && !cached;
    walk.end = cycle + g->walk_latency + (walk.uncached ? g->miss_latency : 0);
    uint32_t at = g->walks++;
    for (; at > 0 && g->walk[at - 1].end > walk.end; at--)
        g->walk[at] = g->walk[at - 1];
    g->walk[at] = walk;
    stat_add(&g->stats, STAT_gmmu_walks, 1);
    stat_add(&g->stats, STAT_gmmu_walk_cache_hits, cached);
    g->context->progress++;
}

/* The first SM from `sm` on that gets the walk's answer, or BIT_SET_NONE. */
static uint32_t asking(const struct gmmu *g, const struct gmmu_walk *walk, uint32_t sm) {
    return bit_set_next(walk->asking, g->words, sm);
}

static void walk_hits(struct gmmu *g, const struct gmmu_walk *walk) {
    stat_add(&g->stats, STAT_gmmu_walk_hits, 1);
    stat_add(&g->stats, STAT_gmmu_walk_told, walk->touches);
    if (walk->touches)
        tell_reference(g, walk->page);
    if (g->has_l2 && !lru_table_touch(&g->l2, walk->page))
        lru_table_insert(&g->l2, walk->page);
    for (uint32_t sm = asking(g, walk, 0); sm != BIT_SET_NONE; sm = asking(g, walk, sm + 1))
        tell(g, sm, walk->page, MMU_TRANSLATION, false);
}

/* A far-fault. The driver is told of it if it is tracked for anybody, else it is dropped. */
static void walk_faults(struct gmmu *g, const struct gmmu_walk *walk, uint64_t cycle) {
    bool any = false;
    stat_add(&g->stats, STAT_gmmu_walk_faults, 1);
    for (uint32_t sm = asking(g, walk, 0); sm != BIT_SET_NONE; sm = asking(g, walk, sm + 1)) {
        bool tracked = track(g, sm, walk->page);
        tell(g, sm, walk->page, MMU_NACK, tracked);
        any = any || tracked;
    }
    if (any)
        uvm_fault(g->uvm, walk->page, cycle);
}

/* One walk a cycle ends: the page table is looked at now. */
static void end_walk(struct gmmu *g, uint64_t cycle) {
    if (!g->walks || g->walk[0].end > cycle)
        return;
    const struct gmmu_walk walk = g->walk[0];
    bool hit = g->pages->page[walk.page].state == PAGE_RESIDENT;
    const struct gmmu_observer *busy = hit && walk.touches ? not_ready(g, walk.page) : NULL;
    if (busy) {
        stat_add(&g->stats, busy->type->waits, 1);
        return;
    }
    memmove(&g->walk[0], &g->walk[1], --g->walks * sizeof g->walk[0]);
    if (walk.uncached && !lru_table_touch(&g->cache, walk.page / GMMU_LINE_PAGES))
        lru_table_insert(&g->cache, walk.page / GMMU_LINE_PAGES);
    if (walk.fresh)
        tell_look(g, walk.page);
    if (hit)
        walk_hits(g, &walk);
    else
        walk_faults(g, &walk, cycle);
}

/* ---- requests ---- */

/* The oldest request of the L2 TLB is looked up. Returns whether it has left. */
static bool look_up(struct gmmu *g, uint64_t cycle) {
    const struct gmmu_request *r = &g->pipe[g->pipe_head];
    bool hit = lru_table_touch(&g->l2, r->page);
    if (!hit && !enter_walk(g, r->sm, r->page, r->replay, cycle))
        return false;
    stat_add(&g->stats, STAT_gmmu_l2_accesses, 1);
    stat_add(&g->stats, STAT_gmmu_l2_hits, hit);
    if (hit)
        tell(g, r->sm, r->page, MMU_TRANSLATION, false);
    g->pipe_head = wrap(g->pipe_head + 1, g->pipe_room);
    g->pipe_count--;
    g->context->progress++;
    return true;
}

static void look_up_all(struct gmmu *g, uint64_t cycle) {
    for (uint32_t n = 0; n < g->ports; n++)
        if (!g->pipe_count || g->pipe[g->pipe_head].ready > cycle || !look_up(g, cycle))
            return;
}

/* The SM's oldest request goes into the L2 TLB, or without one on to the walkers. */
static bool hear(struct gmmu *g, uint32_t sm, uint64_t cycle) {
    uint32_t request = fifo_peek(&g->port[sm].ask), page = MMU_REQUEST_PAGE(request);
    bool replay = MMU_REQUEST_REPLAY(request);
    if (!g->has_l2)
        return enter_walk(g, sm, page, replay, cycle);
    if (g->pipe_count == g->pipe_room)
        return false;
    g->pipe[wrap(g->pipe_head + g->pipe_count++, g->pipe_room)] =
        (struct gmmu_request){cycle + g->latency, page, sm, replay};
    return true;
}

/* As many SMs as there are ports, one request each, in turn. */
static void hear_all(struct gmmu *g, uint64_t cycle) {
    uint64_t left[MMU_SM_WORDS];
    memcpy(left, g->asking, sizeof left);
    for (uint32_t n = 0; n < g->ports && bit_set_any(left, g->words); n++) {
        uint32_t sm = bit_set_next_round(left, g->words, g->turn);
        if (!hear(g, sm, cycle))
            return;
        mmu_port_asked(&g->port[sm]);
        bit_set_remove(left, sm);
        g->turn = sm + 1 == g->sms ? 0 : sm + 1;
        g->context->progress++;
    }
}

/* ---- a cycle ---- */

void gmmu_tick(struct gmmu *g, uint64_t cycle) {
    for (struct gmmu_observer *o = g->observers; o; o = o->next)
        if (o->type->begin)
            o->type->begin(o, cycle);
    end_walk(g, cycle);
    if (g->has_l2)
        look_up_all(g, cycle);
    hear_all(g, cycle);
    while (g->wait_count && g->walks < g->walkers)
        start_walk(g, cycle);
    for (struct gmmu_observer *o = g->observers; o; o = o->next)
        o->type->tick(o, cycle);
}

uint64_t gmmu_next_event(const struct gmmu *g, uint64_t cycle) {
    uint64_t next = UINT64_MAX;
    if (g->pipe_count)
        next = g->pipe[g->pipe_head].ready;
    if (g->walks && g->walk[0].end < next)
        next = g->walk[0].end;
    for (const struct gmmu_observer *o = g->observers; o; o = o->next) {
        uint64_t observed = o->type->next_event(o, cycle);
        next = observed < next ? observed : next;
    }
    return next > cycle ? next : cycle;
}

/* ---- statistics and dump ---- */

void gmmu_add_stats(const struct gmmu *g, uint64_t cycle, struct stats *s) {
    stats_add(s, &g->stats);
    stat_add(s, STAT_gmmu_walk_queue_cycles, level_area(&g->queued, cycle));
    for (const struct gmmu_observer *o = g->observers; o; o = o->next)
        if (o->type->add_stats)
            o->type->add_stats(o, s);
}

void gmmu_gauges(const struct gmmu *g, uint64_t cycle, const struct gauge_reader *to) {
    uint64_t faults = 0;
    for (uint32_t sm = 0; sm < g->sms; sm++)
        faults += g->n_tracked[sm];
    gauge_show(to, "page walks waiting", "walks", g->wait_room, level_area(&g->queued, cycle),
               cycle);
    gauge_show(to, "page walks under way", "walks", g->walkers, g->walks, 0);
    gauge_show(to, "far-fault MSHRs", "faults", g->limit == UINT32_MAX ? 0 : g->limit * g->sms,
               faults, 0);
}

static void dump_walk(const struct gmmu *g, const struct gmmu_walk *w, FILE *out) {
    fprintf(out, " [page %u:", (unsigned)w->page);
    for (uint32_t sm = asking(g, w, 0); sm != BIT_SET_NONE; sm = asking(g, w, sm + 1))
        fprintf(out, " sm %u", (unsigned)sm);
    fputc(']', out);
}

static void dump_walks(const struct gmmu *g, FILE *out) {
    if (!g->walks && !g->wait_count)
        return;
    fprintf(out, "gmmu walks %u/%u:", (unsigned)g->walks, (unsigned)g->walkers);
    for (uint32_t i = 0; i < g->walks; i++)
        dump_walk(g, &g->walk[i], out);
    fprintf(out, ", waiting %u/%u:", (unsigned)g->wait_count, (unsigned)g->wait_room);
    for (uint32_t i = 0; i < g->wait_count; i++)
        dump_walk(g, waiting_at(g, i), out);
    fputc('\n', out);
}

static void dump_sm(const struct gmmu *g, uint32_t sm, FILE *out) {
    static const char *const kind_name[] = {"translation", "nack", "replay", "again"};
    const struct mmu_port *p = &g->port[sm];
    if (!g->n_tracked[sm] && !p->count && !p->ask.count)
        return;
    fprintf(out, "gmmu sm %u: far-faults on pages", (unsigned)sm);
    for (uint32_t i = 0; i < g->n_tracked[sm]; i++)
        fprintf(out, " %u", (unsigned)tracked_of(g, sm)[i]);
    fputs("; asks for", out);
    for (uint32_t i = 0; i < p->ask.count; i++)
        fprintf(out, " %u", (unsigned)fifo_at(&p->ask, i));
    fputs("; is told", out);
    for (uint32_t i = 0; i < p->count; i++)
        fprintf(out, " %s %u", kind_name[mmu_port_at(p, i)->kind],
                (unsigned)mmu_port_at(p, i)->page);
    fputc('\n', out);
}

void gmmu_dump(const struct gmmu *g, FILE *out) {
    if (g->pipe_count)
        fprintf(out, "gmmu L2 TLB: %u requests\n", (unsigned)g->pipe_count);
    dump_walks(g, out);
    for (uint32_t sm = 0; sm < g->sms; sm++)
        dump_sm(g, sm, out);
}
