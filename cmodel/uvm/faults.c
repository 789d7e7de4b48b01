// SPDX-License-Identifier: Apache-2.0
/* Page faults become groups of pages that come together, and these loads of the link. */
#include "uvm/inside.h"

/* ---- faults ---- */

void uvm_raise(struct uvm *u, uint32_t page, uint64_t cycle) {
    struct note *n = &u->note[page];
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
    ring_push(&u->faults, &page);
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
    default: /* it is about to come */
        break;
    }
}

/* ---- groups ---- */

static uint32_t at_most(uint32_t n, uint32_t limit) {
    return n < limit ? n : limit;
}

static uint32_t above(uint32_t a, uint32_t b) {
    return a > b ? a - b : 0;
}

/* The driver begins to look for the page. Returns whether its fault waited for others. */
static bool take_up(struct uvm *u, uint32_t page) {
    struct page *p = &u->pages.page[page];
    bool waited = p->unserved;
    u->pages.unserved -= waited;
    p->unserved = false;
    return waited;
}

/* Most pages that may be prefetched with `demanded` demanded ones. Until memory is full, free
 * frames limit the number; after that, pages of the group must not evict each other. */
static uint32_t prefetch_room(const struct uvm *u, uint32_t demanded) {
    const struct pages *p = &u->pages;
    bool set = u->cfg->uvm_service == SERVICE_SET;
    uint32_t room = set ? above((uint32_t)u->cfg->uvm_set_pages, demanded) : CHUNK_PAGES;
    room = at_most(room, above(p->capacity / 2, u->prefetches));
    if (!u->full)
        return at_most(room, pages_spare(p));
    return at_most(room, above(p->capacity, pages_expected(p) + p->in[PAGE_COMING]));
}

/* The first n faults are the demanded pages of the group. Room for `more` pages besides. */
static void pick_faults(struct uvm *u, uint32_t n, uint32_t more) {
    if (u->pick_room < n + more) {
        u->pick = alloc_resized(u->pick, n + (size_t)more, sizeof *u->pick);
        u->pick_room = n + more;
    }
    for (u->n_pick = 0; u->n_pick < n; ring_pop(&u->faults))
        u->pick[u->n_pick++] = *(uint32_t *)ring_at(&u->faults, 0);
}

/* A page that comes along, whether its own fault waits or not. Returns whether it is prefetched. */
static bool bring_along(struct uvm *u, uint32_t page) {
    struct note *n = &u->note[page];
    n->along = n->demanded = take_up(u, page);
    if (!n->along)
        uvm_set_state(u, page, PAGE_WAITED);
    return !n->along;
}

/* Faults that were served along do not wait any more. */
static void drop_served(struct uvm *u, uint32_t served) {
    for (uint32_t n = served ? u->faults.count : 0; n > 0; n--) {
        uint32_t page = *(uint32_t *)ring_at(&u->faults, 0);
        ring_pop(&u->faults);
        if (u->pages.page[page].unserved)
            ring_push(&u->faults, &page);
    }
    stat_add(&u->stats, STAT_uvm_served_along, served);
}

/* What the prefetcher wants to come along. Returns how many pages. */
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

/* Pages in the order of their numbers. A load ends at a gap, at the end of an allocation, with each
 * page whose fault is the group's, and where GPU memory would be too small for it. */
static void make_loads(struct uvm *u) {
    const uint32_t half = u->pages.capacity / 2, longest = half ? half : 1;
    struct load load = {0, 0};
    qsort(u->pick, u->n_pick, sizeof *u->pick, uvm_by_number);
    for (uint32_t i = 0; i < u->n_pick; i++) {
        uint32_t page = u->pick[i];
        if (!load.n)
            load.first = page;
        load.n++;
        bool last = i + 1 == u->n_pick || u->pick[i + 1] != page + 1;
        bool faulted = u->note[page].demanded && !u->note[page].along;
        if (last || faulted || load.n == longest || begins_allocation(u, page + 1)) {
            ring_push(&u->loads, &load);
            load.n = 0;
        }
    }
}

/* The first n faults, and what is prefetched along, become loads. Returns whether prefetching may
 * find more. */
static bool serve_group(struct uvm *u, uint32_t n) {
    for (uint32_t i = 0; i < n; i++)
        take_up(u, *(uint32_t *)ring_at(&u->faults, i));
    uint32_t room = prefetch_room(u, n);
    pick_faults(u, n, room);
    uint32_t k = pick_prefetches(u, room);
    make_loads(u);
    u->context->progress++;
    if (u->n_pick && u->cfg->uvm_service == SERVICE_SET)
        stat_add(&u->stats, STAT_uvm_sets, 1);
    return k || !room;
}

/* Faults that were raised so long ago that their service ends now. */
static uint32_t due(const struct uvm *u, uint64_t cycle) {
    uint32_t n = 0;
    while (n < u->faults.count) {
        uint32_t page = *(uint32_t *)ring_at(&u->faults, n);
        if (u->note[page].raised + u->fault_cycles > cycle)
            break;
        n++;
    }
    return n;
}

/* The end of an interval. The next one begins at once if there are faults left, or something to
 * prefetch without any. */
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
    uint32_t n = due(u, cycle);
    if (n)
        serve_group(u, n);
}

uint64_t uvm_serve_next_event(const struct uvm *u) {
    if (u->cfg->uvm_service != SERVICE_EACH)
        return u->interval ? u->interval_end : CYCLE_NEVER;
    if (!u->faults.count)
        return CYCLE_NEVER;
    return u->note[*(uint32_t *)ring_at(&u->faults, 0)].raised + u->fault_cycles;
}
