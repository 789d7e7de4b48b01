// SPDX-License-Identifier: Apache-2.0
/* Turns page faults into groups of pages that move together, and groups into loads, which are
 * transfers to the GPU. */
#include "uvm/inside.h"

#include "lib/alloc.h"

/* ---- faults ---- */

void uvm_raise(struct uvm *u, uint32_t page, uint64_t cycle) {
    struct uvm_note *n = &u->note[page];
    uvm_set_state(u, page, PAGE_WAITED);
    u->pages.page[page].again = false;
    n->raised = cycle;
    n->demanded = true;
    n->along = false;
    u->pages.page[page].unserved = u->cfg->uvm_service == SERVICE_SERIAL;
    u->pages.unserved += u->pages.page[page].unserved;
    stat_add(&u->stats, STAT_uvm_faults, 1);
    stat_add(&u->stats, STAT_uvm_refaults, n->evicted);
    if (u->evictor->fault)
        u->evictor->fault(u->evict, page);
    if (u->cfg->uvm_service != SERVICE_EACH && !u->interval) {
        u->interval = true;
        u->interval_end = cycle + u->fault_cycles;
    }
    ring_push_growing(&u->faults, page);
    u->context->progress++;
}

void uvm_fault(struct uvm *u, uint32_t page, uint64_t cycle) {
    uvm_cover(u);
    switch (u->pages.page[page].state) {
    case PAGE_HOST:
        uvm_raise(u, page, cycle);
        break;
    case PAGE_LEAVING:
    case PAGE_GOING:
        u->pages.page[page].again = true;
        break;
    default: /* the page has arrived or is about to arrive */
        break;
    }
}

/* ---- groups ---- */

static uint32_t at_most(uint32_t n, uint32_t limit) {
    return n < limit ? n : limit;
}

static uint32_t subtract_floor(uint32_t a, uint32_t b) {
    return a > b ? a - b : 0;
}

/* Begins to serve the page. Returns true if a fault on the page was still queued. */
static bool take_up(struct uvm *u, uint32_t page) {
    struct page *p = &u->pages.page[page];
    bool waited = p->unserved;
    u->pages.unserved -= waited;
    p->unserved = false;
    return waited;
}

/* Returns the maximum number of pages to prefetch together with `demanded` demanded pages. Until
 * GPU memory is full, the free frames limit the number. After that, it is limited so that pages
 * of the group do not evict each other. */
static uint32_t prefetch_room(const struct uvm *u, uint32_t demanded) {
    const struct pages *p = &u->pages;
    bool set = u->cfg->uvm_service == SERVICE_SET;
    uint32_t room = set ? subtract_floor((uint32_t)u->cfg->uvm_set_pages, demanded) : CHUNK_PAGES;
    room = at_most(room, subtract_floor(p->capacity / 2, u->prefetches));
    if (!u->full)
        return at_most(room, pages_spare(p));
    return at_most(room, subtract_floor(p->capacity, pages_expected(p) + p->in[PAGE_COMING]));
}

/* Makes the first n faults the demanded pages of the group. Ensures room for `more` further
 * pages. */
static void pick_faults(struct uvm *u, uint32_t n, uint32_t more) {
    if (u->pick_room < n + more) {
        u->pick = alloc_resized(u->pick, n + (size_t)more, sizeof *u->pick);
        u->pick_room = n + more;
    }
    for (u->n_pick = 0; u->n_pick < n; u->n_pick++)
        u->pick[u->n_pick] = ring_pop(&u->faults);
}

/* Begins to serve a page that the prefetcher has chosen. If a fault on the page is still queued,
 * the page counts as demanded. Otherwise it counts as prefetched, and the function returns true. */
static bool bring_along(struct uvm *u, uint32_t page) {
    struct uvm_note *n = &u->note[page];
    n->along = n->demanded = take_up(u, page);
    if (!n->along)
        uvm_set_state(u, page, PAGE_WAITED);
    return !n->along;
}

/* Removes the faults that were served with other faults. */
static void drop_served(struct uvm *u, uint32_t served) {
    for (uint32_t n = served ? u->faults.count : 0; n > 0; n--) {
        uint32_t page = ring_pop(&u->faults);
        if (u->pages.page[page].unserved)
            ring_push_growing(&u->faults, page);
    }
    stat_add(&u->stats, STAT_uvm_faults_joined, served);
}

/* Adds the pages chosen by the prefetcher to the group, at most `room` pages. Returns the number of
 * pages added. */
static uint32_t pick_prefetches(struct uvm *u, uint32_t room) {
    const struct prefetcher *how = u->prefetcher[u->full];
    uint32_t n = u->n_pick;
    uint32_t k = room ? how->choose(u->prefetch[u->full], u->pick, n, u->pick + n, room) : 0;
    uint32_t prefetched = 0;
    uvm_cover(u);
    for (uint32_t i = n; i < n + k; i++)
        prefetched += bring_along(u, u->pick[i]);
    drop_served(u, k - prefetched);
    u->n_pick += k;
    u->prefetches += prefetched;
    return k;
}

static bool begins_allocation(const struct uvm *u, uint32_t page) {
    return page % CHUNK_PAGES == 0 && pages_alloc(&u->pages, page)->first == page;
}

/* Divides the group into loads, in page order. A load ends at a gap, at the end of an allocation,
 * after each page that the group's faults demand, and when it fills half of GPU memory. */
static void make_loads(struct uvm *u) {
    const uint32_t half = u->pages.capacity / 2, longest = half ? half : 1;
    struct uvm_load load = {0, 0};
    qsort(u->pick, u->n_pick, sizeof *u->pick, uvm_by_number);
    for (uint32_t i = 0; i < u->n_pick; i++) {
        uint32_t page = u->pick[i];
        if (!load.n)
            load.first = page;
        load.n++;
        bool last = i + 1 == u->n_pick || u->pick[i + 1] != page + 1;
        bool faulted = u->note[page].demanded && !u->note[page].along;
        if (last || faulted || load.n == longest || begins_allocation(u, page + 1)) {
            ring_push_growing(&u->loads, load);
            load.n = 0;
        }
    }
}

/* Turns the first n faults and their prefetches into loads. Returns true if there may be more pages
 * to prefetch. */
static bool serve_group(struct uvm *u, uint32_t n) {
    for (uint32_t i = 0; i < n; i++)
        take_up(u, *ring_at(&u->faults, i));
    uint32_t room = prefetch_room(u, n);
    pick_faults(u, n, room);
    uint32_t k = pick_prefetches(u, room);
    make_loads(u);
    u->context->progress++;
    if (u->n_pick && u->cfg->uvm_service == SERVICE_SET)
        stat_add(&u->stats, STAT_uvm_sets, 1);
    return k || !room;
}

/* Returns the number of faults with a service time that has ended by this cycle. */
static uint32_t count_due(const struct uvm *u, uint64_t cycle) {
    uint32_t n = 0;
    while (n < u->faults.count) {
        uint32_t page = *ring_at(&u->faults, n);
        if (u->note[page].raised + u->fault_cycles > cycle)
            break;
        n++;
    }
    return n;
}

/* Ends an interval by serving a group. The next interval begins immediately if faults are left, or
 * if pages can be prefetched without a fault. */
static void serve_interval(struct uvm *u) {
    bool set = u->cfg->uvm_service == SERVICE_SET;
    bool more = serve_group(u, at_most(u->faults.count, set ? (uint32_t)u->cfg->uvm_set_pages : 1));
    bool fills = set && u->prefetcher[u->full]->fills && !u->full && pages_spare(&u->pages) > 0;
    u->interval = u->faults.count || (fills && more);
    u->interval_end += u->fault_cycles;
}

void uvm_serve(struct uvm *u, uint64_t cycle) {
    if (u->cfg->uvm_service != SERVICE_EACH) {
        if (u->interval && cycle >= u->interval_end)
            serve_interval(u);
        return;
    }
    uint32_t n = count_due(u, cycle);
    if (n)
        serve_group(u, n);
}

uint64_t uvm_serve_next_event(const struct uvm *u) {
    if (u->cfg->uvm_service != SERVICE_EACH)
        return u->interval ? u->interval_end : CYCLE_NEVER;
    if (!u->faults.count)
        return CYCLE_NEVER;
    return u->note[*ring_first(&u->faults)].raised + u->fault_cycles;
}
