/* Transfers on the two lanes, and evictions, which make room for them. */
#include "uvm/inside.h"

/* ---- runs ---- */

/* Returns RUN_NONE if out of memory. */
static uint32_t new_run(struct uvm *u) {
    if (u->free_run == RUN_NONE) {
        struct run *wide = realloc(u->run, (u->n_runs + (size_t)1) * sizeof *wide);
        uvm_need(u, !wide);
        if (!wide)
            return RUN_NONE;
        u->run = wide;
        u->free_run = u->n_runs++;
        wide[u->free_run].first = RUN_NONE;
    }
    uint32_t number = u->free_run;
    u->free_run = u->run[number].first;
    return number;
}

static void drop_run(struct uvm *u, uint32_t number) {
    u->run[number].first = u->free_run;
    u->free_run = number;
}

static uint32_t first_run(const struct uvm *u) {
    return *(uint32_t *)ring_at(&u->runs, 0);
}

static void free_frames(struct uvm *u, const struct run *r) {
    for (uint32_t i = 0; i < r->n; i++)
        uvm_free_frame(u, r->first + i);
}

/* ---- pages that leave ---- */

/* The page is at the host, and only there. */
static void back_home(struct uvm *u, uint32_t page, uint64_t cycle) {
    uvm_set_state(u, page, PAGE_HOST);
    if (u->pages.page[page].again)
        uvm_raise(u, page, cycle);
}

/* Nobody uses a page that leaves any more. */
static void vacate(struct uvm *u, uint32_t page, uint64_t cycle) {
    uint32_t number = u->note[page].run;
    u->hooks.drop(u->hooks.ctx, page);
    u->context->progress++;
    if (number == RUN_NONE) {
        uvm_free_frame(u, page);
        back_home(u, page, cycle);
        return;
    }
    uvm_set_state(u, page, PAGE_GOING);
    if (--u->run[number].held == 0)
        uvm_need(u, ring_push(&u->runs, &number));
}

/* A page may be held again, by one of its lines on the way to DRAM, or have been noted twice. */
static void vacate_released(struct uvm *u, uint64_t cycle) {
    for (; u->vacated.count; ring_pop(&u->vacated)) {
        uint32_t page = *(uint32_t *)ring_at(&u->vacated, 0);
        const struct page *p = &u->pages.page[page];
        if (p->state == PAGE_LEAVING && !p->holds)
            vacate(u, page, cycle);
    }
}

static bool is_sent(const struct uvm *u, uint32_t page) {
    return u->pages.page[page].dirty || u->cfg->uvm_write_back == WRITE_BACK_ALL;
}

static void leave(struct uvm *u, uint32_t page) {
    struct note *n = &u->note[page];
    assert(page_evictable(&u->pages, page));
    uvm_set_state(u, page, PAGE_LEAVING);
    u->freeing++;
    n->evicted = true;
    stat_add(&u->stats, STAT_uvm_evictions, 1);
    stat_add(&u->stats, STAT_uvm_evicted_dirty, u->pages.page[page].dirty);
    u->hooks.shoot(u->hooks.ctx, page);
    if (u->evictor->gone)
        u->evictor->gone(u->evict, page);
}

/* The pages of a choice, in the order of their numbers, that are sent to the host: a run for each
 * stretch of successive ones in an allocation. */
static void make_runs(struct uvm *u, uint32_t n) {
    uint32_t number = RUN_NONE;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t page = u->victim[i];
        u->note[page].run = RUN_NONE;
        bool goes_on = number != RUN_NONE && page == u->run[number].first + u->run[number].n &&
                       pages_alloc(&u->pages, page)->first != page;
        if (!is_sent(u, page)) {
            number = RUN_NONE;
            continue;
        }
        if (!goes_on) {
            number = new_run(u);
            if (number == RUN_NONE)
                return;
            u->run[number] = (struct run){page, 0, 0};
        }
        u->run[number].n++;
        u->run[number].held++;
        u->note[page].run = number;
    }
}

/* Some page may be chosen. (Of those that are resident nearly all may: it is found at once.) */
static bool any_evictable(const struct uvm *u) {
    for (uint32_t i = 0; u->pages.in[PAGE_RESIDENT] && i < u->pages.n; i++)
        if (page_evictable(&u->pages, i))
            return true;
    return false;
}

/* Pages leave, by the policy's choice, which is asked for only if there is one: to be asked changes
 * what a policy keeps. False: there is none. */
static bool evict(struct uvm *u, uint64_t cycle) {
    if (!any_evictable(u))
        return false;
    uint32_t n = u->evictor->choose(u->evict, u->victim);
    assert(n <= EVICT_MOST);
    for (uint32_t i = 0; i < n; i++)
        leave(u, u->victim[i]);
    qsort(u->victim, n, sizeof *u->victim, uvm_by_number);
    make_runs(u, n);
    if (u->context->fault != CONTEXT_OK)
        return false;
    for (uint32_t i = 0; i < n; i++)
        if (!u->pages.page[u->victim[i]].holds)
            vacate(u, u->victim[i], cycle);
    return n;
}

/* ---- the lane to the GPU ---- */

static void arrive(struct uvm *u, uint32_t page, uint64_t cycle) {
    struct note *n = &u->note[page];
    u->pages.page[page].dirty = false;
    n->untried = !n->demanded;
    u->hooks.fill(u->hooks.ctx, page);
    uvm_set_state(u, page, PAGE_RESIDENT);
    stat_add(&u->stats, n->demanded ? STAT_uvm_demand_pages : STAT_uvm_prefetched_pages, 1);
    if (n->demanded) {
        stat_add(&u->stats, STAT_uvm_fault_latency, cycle - n->raised);
        hist_add(&u->stats, HIST_uvm_fault_latency_hist, cycle - n->raised);
    }
    if (u->evictor->come)
        u->evictor->come(u->evict, page, n->demanded);
    if (u->pages.page[page].waiters && context_plant(u->context, PLANT_LOSE_ARRIVAL))
        return;
    u->hooks.arrived(u->hooks.ctx, page);
}

static void end_load(struct uvm *u, uint64_t cycle) {
    struct load load = *(struct load *)ring_at(&u->loads, 0);
    ring_pop(&u->loads);
    for (uint32_t i = 0; i < load.n; i++)
        arrive(u, load.first + i, cycle);
}

/* Enough frames are free or about to be. The first time that they are not, memory is full. */
static bool make_room(struct uvm *u, uint32_t frames, uint64_t cycle) {
    while (u->pages.free + u->freeing < frames) {
        if (!u->full) {
            u->full = true;
            stat_add(&u->stats, STAT_uvm_full_cycle, cycle);
        }
        if (!evict(u, cycle))
            return false;
    }
    return true;
}

static void stall(struct uvm *u, uint64_t cycle) {
    if (u->stalled == CYCLE_NEVER)
        u->stalled = cycle;
}

static void end_stall(struct uvm *u, uint64_t cycle) {
    if (u->stalled != CYCLE_NEVER)
        stat_add(&u->stats, STAT_pcie_read_stall_cycles, cycle - u->stalled);
    u->stalled = CYCLE_NEVER;
}

static void start_load(struct uvm *u, uint64_t cycle) {
    u->starved = false;
    if (u->read.busy || !u->loads.count)
        return;
    const struct load load = *(const struct load *)ring_at(&u->loads, 0);
    u->starved = !make_room(u, load.n, cycle);
    if (u->pages.free < load.n) {
        stall(u, cycle);
        return;
    }
    end_stall(u, cycle);
    for (uint32_t i = 0; i < load.n; i++) {
        u->prefetches -= !u->note[load.first + i].demanded;
        uvm_set_state(u, load.first + i, PAGE_COMING);
        account_frame(u->account, load.first + i, true);
    }
    u->pages.free -= load.n;
    pcie_start(&u->read, u->cfg, (uint64_t)load.n * PAGE_BYTES, false, cycle);
    u->context->progress++;
}

/* ---- the lane to the host ---- */

static uint64_t hir_entry_bytes(const struct config *c) {
    return (48 + (uint64_t)(c->hpe_set_pages * c->hir_count_bits) + 7) / 8;
}

void uvm_hir_entry(struct uvm *u, uint64_t set, uint64_t counts, bool last) {
    struct hir_entry e = {set, counts};
    uvm_need(u, ring_push(&u->hir_entries, &e));
    stat_add(&u->stats, STAT_hir_entries, 1);
    u->hir_open++;
    if (!last)
        return;
    stat_add(&u->stats, STAT_hir_transfers, 1);
    uvm_need(u, ring_push(&u->hir_sizes, &u->hir_open));
    u->hir_open = 0;
}

/* The driver hears of the pages of a page set, in their order. */
static void apply_entry(struct uvm *u, const struct hir_entry *e) {
    const unsigned bits = (unsigned)u->cfg->hir_count_bits;
    for (uint32_t i = 0; i < (uint32_t)u->cfg->hpe_set_pages; i++) {
        uint32_t times = (uint32_t)(e->counts >> i * bits & bits_low(bits));
        if (times && u->evictor->touch)
            u->evictor->touch(u->evict, (uint32_t)(e->set * (uint64_t)u->cfg->hpe_set_pages + i),
                              times);
    }
}

static void end_hir(struct uvm *u) {
    uint32_t n = *(uint32_t *)ring_at(&u->hir_sizes, 0);
    ring_pop(&u->hir_sizes);
    for (; n; n--) {
        struct hir_entry e = *(struct hir_entry *)ring_at(&u->hir_entries, 0);
        ring_pop(&u->hir_entries);
        apply_entry(u, &e);
    }
}

static void end_run(struct uvm *u, uint64_t cycle) {
    uint32_t number = first_run(u);
    struct run r = u->run[number];
    ring_pop(&u->runs);
    drop_run(u, number);
    if (u->cfg->uvm_free_at == FREE_AT_END)
        free_frames(u, &r);
    for (uint32_t i = 0; i < r.n; i++)
        back_home(u, r.first + i, cycle);
}

/* What the HIR cache sends goes before pages. */
static bool start_write(struct uvm *u, uint64_t cycle) {
    if (u->write.busy || (!u->hir_sizes.count && !u->runs.count))
        return false;
    u->writing = u->hir_sizes.count ? WRITE_HIR : WRITE_RUN;
    u->context->progress++;
    if (u->writing == WRITE_HIR) {
        uint64_t entries = *(uint32_t *)ring_at(&u->hir_sizes, 0);
        pcie_start(&u->write, u->cfg, entries * hir_entry_bytes(u->cfg), false, cycle);
        return true;
    }
    const struct run r = u->run[first_run(u)];
    pcie_start(&u->write, u->cfg, (uint64_t)r.n * PAGE_BYTES, false, cycle);
    if (u->cfg->uvm_free_at == FREE_AT_START)
        free_frames(u, &r);
    return true;
}

/* ---- both ---- */

void uvm_end_moves(struct uvm *u, uint64_t cycle) {
    if (pcie_ends(&u->write, cycle)) {
        u->context->progress++;
        if (u->writing == WRITE_HIR)
            end_hir(u);
        else
            end_run(u, cycle);
    }
    if (pcie_ends(&u->read, cycle)) {
        u->context->progress++;
        end_load(u, cycle);
    }
}

void uvm_start_moves(struct uvm *u, uint64_t cycle) {
    vacate_released(u, cycle);
    do
        start_load(u, cycle);
    while (start_write(u, cycle) && u->context->fault == CONTEXT_OK);
}

uint64_t uvm_moves_next_event(const struct uvm *u, uint64_t cycle) {
    uint64_t next = CYCLE_NEVER;
    bool write_waits = !u->write.busy && (u->hir_sizes.count || u->runs.count);
    if (u->vacated.count || u->starved || write_waits)
        return cycle;
    if (u->read.busy)
        next = u->read.until;
    if (u->write.busy && u->write.until < next)
        next = u->write.until;
    return next;
}
