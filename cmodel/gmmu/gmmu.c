// SPDX-License-Identifier: Apache-2.0
#include "gmmu/gmmu.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/bits.h"

/* Number of ways in the page-walk cache. A cache with fewer lines is fully associative. */
#define CACHE_WAYS 8

static int check_l2_ways(const struct config *cfg, struct error *err) {
    if (cfg->tlb_l2_entries % cfg->tlb_l2_ways == 0)
        return 0;
    return error_set(err, "tlb.l2_entries=%" PRId64 " is not a multiple of tlb.l2_ways=%" PRId64,
                     cfg->tlb_l2_entries, cfg->tlb_l2_ways);
}

static int check_l2_index(const struct config *cfg, struct error *err) {
    const int64_t sets = cfg->tlb_l2_entries / cfg->tlb_l2_ways;
    if (cfg->tlb_l2_index == LRU_MODULO || !sets || bits_power_of_two((uint64_t)sets))
        return 0;
    return error_set(err,
                     "tlb.l2_index=xor needs a power-of-two number of sets; tlb.l2_entries=%" PRId64
                     " with tlb.l2_ways=%" PRId64 " give %" PRId64,
                     cfg->tlb_l2_entries, cfg->tlb_l2_ways, sets);
}

static uint32_t cache_ways(const struct config *cfg) {
    return cfg->gmmu_cache_lines < CACHE_WAYS ? (uint32_t)cfg->gmmu_cache_lines : CACHE_WAYS;
}

static int check_cache_lines(const struct config *cfg, struct error *err) {
    const int64_t lines = cfg->gmmu_cache_lines;
    if (lines < CACHE_WAYS || lines % CACHE_WAYS == 0)
        return 0;
    return error_set(err,
                     "gmmu.cache_lines=%" PRId64
                     " is neither below the %d ways of a set nor a multiple of them",
                     lines, CACHE_WAYS);
}

int gmmu_check(const struct config *cfg, struct error *err) {
    if (cfg->uvm_mode != UVM_PAGED)
        return 0;
    return check_l2_ways(cfg, err) || check_cache_lines(cfg, err) || check_l2_index(cfg, err) ? -1
                                                                                              : 0;
}

/* ---- creation and destruction ---- */

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
    g->walkers = (uint32_t)cfg->gmmu_walkers;
    ring_init(&g->pipe, g->ports * g->latency);
    ring_init(&g->waiting, (uint32_t)cfg->gmmu_walk_queue);
    g->walk = alloc_zeroed(g->walkers, sizeof *g->walk);
    if (g->has_l2)
        lru_table_init(&g->l2, (uint32_t)cfg->tlb_l2_entries, (uint32_t)cfg->tlb_l2_ways,
                       (enum lru_index)cfg->tlb_l2_index);
    if (g->has_cache)
        lru_table_init(&g->cache, (uint32_t)cfg->gmmu_cache_lines, cache_ways(cfg), LRU_MODULO);
}

#define OBSERVER(x) extern const struct block_type x##_type;
#include "gmmu/observers.def"
#undef OBSERVER

static int attach_blocks(struct gmmu *g, const struct config *cfg, struct error *err) {
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
        struct gmmu_observer *o = row[i].create(cfg, g->context, g->uvm, err);
        if (!o)
            return -1;
        gmmu_attach(g, o);
    }
    return 0;
}

int gmmu_init(struct gmmu *g, const struct config *cfg, struct context *context, struct uvm *uvm,
              struct error *err) {
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
        .replays_touch = cfg->gmmu_report_replays != 0,
        .walk_latency = (uint32_t)cfg->gmmu_walk_latency,
        .miss_latency = (uint32_t)cfg->gmmu_cache_miss,
        .misses = (uint32_t)cfg->tlb_l1_misses,
    };
    init_ports(g);
    init_tables(g, cfg);
    return attach_blocks(g, cfg, err);
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
    ring_free(&g->pipe);
    ring_free(&g->waiting);
    free(g->walk);
    lru_table_free(&g->l2);
    lru_table_free(&g->cache);
    free_observers(g);
}

/* ---- messages to the SMs ---- */

/* Sends a message that the TLB sees in the next cycle. */
static void tell_tlb(struct gmmu *g, uint32_t sm, uint32_t page, enum mmu_kind kind, bool tracked) {
    const struct mmu_message m = {g->context->sm_cycle + 1, page, (uint8_t)kind, tracked};
    mmu_port_tell(&g->port[sm], &m);
    g->context->progress++;
}

static uint32_t *tracked_of(const struct gmmu *g, uint32_t sm) {
    return &g->tracked[(size_t)sm * g->misses];
}

/* Allocates a far-fault MSHR of the SM. Returns false if all its MSHRs are in use. */
static bool track_page(struct gmmu *g, uint32_t sm, uint32_t page) {
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

/* Frees the SM's far-fault MSHR for the page. Returns false if the SM has none for the page. */
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
        tell_tlb(g, sm, page, MMU_REPLAY, false);
        if (watcher)
            watcher->fault_ends(watcher->ctx, sm, page, g->context->sm_cycle);
    }
}

void gmmu_shoot(struct gmmu *g, uint32_t page) {
    if (g->has_l2)
        lru_table_remove(&g->l2, page);
    for (uint32_t sm = 0; sm < g->sms; sm++)
        for (uint32_t i = 0; i < g->port[sm].messages.count; i++) {
            struct mmu_message *m = ring_at(&g->port[sm].messages, i);
            if (m->page == page && m->kind == MMU_TRANSLATION)
                m->kind = MMU_AGAIN;
        }
}

/* ---- observers ---- */

/* Returns the first observer that cannot accept a walk that hits the page, or NULL. */
static const struct gmmu_observer *not_ready(const struct gmmu *g, uint32_t page) {
    const struct gmmu_observer *o = g->observers;
    while (o && (!o->type->ready || o->type->ready(o, page)))
        o = o->next;
    return o;
}

/* Reports a reference to the observers and the driver. */
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

/* Returns the page's walk, which may be waiting or in progress, or NULL if there is none. */
static struct gmmu_walk *find_walk(struct gmmu *g, uint32_t page) {
    for (uint32_t i = 0; i < g->walks; i++)
        if (g->walk[i].page == page)
            return &g->walk[i];
    for (uint32_t i = 0; i < g->waiting.count; i++)
        if (ring_at(&g->waiting, i)->page == page)
            return ring_at(&g->waiting, i);
    return NULL;
}

/* Merges the request into a walk, or queues a new walk. Returns false if the queue of waiting walks
 * is full. */
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
    if (ring_full(&g->waiting))
        return false;
    walk = ring_add(&g->waiting);
    *walk = (struct gmmu_walk){.page = page, .touches = touches, .fresh = !replay};
    bit_set_add(walk->asking, sm);
    level_change(&g->queued, cycle, 1);
    return true;
}

/* Starts the oldest waiting walk, and inserts it after the walks that end no later. */
static void start_walk(struct gmmu *g, uint64_t cycle) {
    struct gmmu_walk walk = ring_pop(&g->waiting);
    level_change(&g->queued, cycle, -1);
    bool cached = g->has_cache && lru_table_touch(&g->cache, walk.page / GMMU_LINE_PAGES);
    walk.uncached = g->has_cache && !cached;
    walk.end = cycle + g->walk_latency + (walk.uncached ? g->miss_latency : 0);
    uint32_t index = g->walks++;
    for (; index > 0 && g->walk[index - 1].end > walk.end; index--)
        g->walk[index] = g->walk[index - 1];
    g->walk[index] = walk;
    stat_add(&g->stats, STAT_gmmu_walks, 1);
    stat_add(&g->stats, STAT_gmmu_walk_cache_hits, cached);
    g->context->progress++;
}

/* Returns the first SM, from SM `sm` on, that gets the walk's result, or BIT_SET_NONE. */
static uint32_t asking(const struct gmmu *g, const struct gmmu_walk *walk, uint32_t sm) {
    return bit_set_next(walk->asking, g->words, sm);
}

static void walk_hits(struct gmmu *g, const struct gmmu_walk *walk) {
    stat_add(&g->stats, STAT_gmmu_walk_hits, 1);
    stat_add(&g->stats, STAT_gmmu_walk_reports, walk->touches);
    if (walk->touches)
        tell_reference(g, walk->page);
    if (g->has_l2 && !lru_table_touch(&g->l2, walk->page))
        lru_table_insert(&g->l2, walk->page);
    for (uint32_t sm = asking(g, walk, 0); sm != BIT_SET_NONE; sm = asking(g, walk, sm + 1))
        tell_tlb(g, sm, walk->page, MMU_TRANSLATION, false);
}

/* Handles a far-fault. Reports the far-fault to the driver if at least one SM tracks it, and
 * otherwise drops it. */
static void walk_faults(struct gmmu *g, const struct gmmu_walk *walk, uint64_t cycle) {
    bool any = false;
    stat_add(&g->stats, STAT_gmmu_walk_faults, 1);
    for (uint32_t sm = asking(g, walk, 0); sm != BIT_SET_NONE; sm = asking(g, walk, sm + 1)) {
        bool tracked = track_page(g, sm, walk->page);
        tell_tlb(g, sm, walk->page, MMU_NACK, tracked);
        any = any || tracked;
    }
    if (any)
        uvm_fault(g->uvm, walk->page, cycle);
}

/* Ends the first walk in progress if it is due and no observer delays it. The page table is read in
 * this cycle. */
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

/* Looks up the oldest request in the L2 TLB. Returns true if the request has left the L2 TLB. */
static bool look_up(struct gmmu *g, uint64_t cycle) {
    const struct gmmu_request *r = ring_first(&g->pipe);
    bool hit = lru_table_touch(&g->l2, r->page);
    if (!hit && !enter_walk(g, r->sm, r->page, r->replay, cycle))
        return false;
    stat_add(&g->stats, STAT_gmmu_l2_accesses, 1);
    stat_add(&g->stats, STAT_gmmu_l2_hits, hit);
    if (hit)
        tell_tlb(g, r->sm, r->page, MMU_TRANSLATION, false);
    ring_drop(&g->pipe);
    g->context->progress++;
    return true;
}

static void look_up_all(struct gmmu *g, uint64_t cycle) {
    for (uint32_t n = 0; n < g->ports; n++)
        if (!g->pipe.count || ring_first(&g->pipe)->ready > cycle || !look_up(g, cycle))
            return;
}

/* Moves the SM's oldest request into the L2 TLB, or directly to the walkers if there is no L2 TLB.
 * Returns false if there is no room for it. */
static bool hear_tlb(struct gmmu *g, uint32_t sm, uint64_t cycle) {
    uint32_t request = *ring_first(&g->port[sm].ask), page = MMU_REQUEST_PAGE(request);
    bool replay = MMU_REQUEST_REPLAY(request);
    if (!g->has_l2)
        return enter_walk(g, sm, page, replay, cycle);
    if (ring_full(&g->pipe))
        return false;
    ring_push(&g->pipe, ((struct gmmu_request){cycle + g->latency, page, sm, replay}));
    return true;
}

/* Accepts up to one request per port, each from a different SM. The SMs take turns. */
static void hear_all(struct gmmu *g, uint64_t cycle) {
    uint64_t left[MMU_SM_WORDS];
    memcpy(left, g->asking, sizeof left);
    for (uint32_t n = 0; n < g->ports && bit_set_any(left, g->words); n++) {
        uint32_t sm = bit_set_next_round(left, g->words, g->turn);
        if (!hear_tlb(g, sm, cycle))
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
    while (g->waiting.count && g->walks < g->walkers)
        start_walk(g, cycle);
    for (struct gmmu_observer *o = g->observers; o; o = o->next)
        o->type->tick(o, cycle);
}

uint64_t gmmu_next_event(const struct gmmu *g, uint64_t cycle) {
    uint64_t next = UINT64_MAX;
    if (g->pipe.count)
        next = ring_first(&g->pipe)->ready;
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
    gauge_show(to, "page walks waiting", "walks", g->waiting.capacity,
               level_area(&g->queued, cycle), cycle);
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
    if (!g->walks && !g->waiting.count)
        return;
    fprintf(out, "gmmu walks %u/%u:", (unsigned)g->walks, (unsigned)g->walkers);
    for (uint32_t i = 0; i < g->walks; i++)
        dump_walk(g, &g->walk[i], out);
    fprintf(out, ", waiting %u/%u:", (unsigned)g->waiting.count, (unsigned)g->waiting.capacity);
    for (uint32_t i = 0; i < g->waiting.count; i++)
        dump_walk(g, ring_at(&g->waiting, i), out);
    fputc('\n', out);
}

static void dump_sm(const struct gmmu *g, uint32_t sm, FILE *out) {
    static const char *const kind_name[] = {"translation", "nack", "replay", "again"};
    const struct mmu_port *p = &g->port[sm];
    if (!g->n_tracked[sm] && !p->messages.count && !p->ask.count)
        return;
    fprintf(out, "gmmu sm %u: far-faults on pages", (unsigned)sm);
    for (uint32_t i = 0; i < g->n_tracked[sm]; i++)
        fprintf(out, " %u", (unsigned)tracked_of(g, sm)[i]);
    fputs("; requests", out);
    for (uint32_t i = 0; i < p->ask.count; i++)
        fprintf(out, " %u", (unsigned)*ring_at(&p->ask, i));
    fputs("; messages", out);
    for (uint32_t i = 0; i < p->messages.count; i++)
        fprintf(out, " %s %u", kind_name[ring_at(&p->messages, i)->kind],
                (unsigned)ring_at(&p->messages, i)->page);
    fputc('\n', out);
}

void gmmu_dump(const struct gmmu *g, FILE *out) {
    if (g->pipe.count)
        fprintf(out, "gmmu L2 TLB: %u requests\n", (unsigned)g->pipe.count);
    dump_walks(g, out);
    for (uint32_t sm = 0; sm < g->sms; sm++)
        dump_sm(g, sm, out);
}
