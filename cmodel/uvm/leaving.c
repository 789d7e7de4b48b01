// SPDX-License-Identifier: Apache-2.0
/* Evicts pages: chooses them, waits until their last use ends, and moves them to the host. */
#include "uvm/inside.h"

#include "lib/alloc.h"

/* ---- runs ---- */

static uint32_t new_run(struct uvm *u) {
    if (u->free_run == RUN_NONE) {
        u->run = alloc_resized(u->run, u->n_runs + (size_t)1, sizeof *u->run);
        u->free_run = u->n_runs++;
        u->run[u->free_run].first = RUN_NONE;
    }
    uint32_t number = u->free_run;
    u->free_run = u->run[number].first;
    return number;
}

void uvm_drop_run(struct uvm *u, uint32_t number) {
    u->run[number].first = u->free_run;
    u->free_run = number;
}

/* ---- pages that are evicted ---- */

void uvm_back_home(struct uvm *u, uint32_t page, uint64_t cycle) {
    uvm_set_state(u, page, PAGE_HOST);
    if (u->pages.page[page].again)
        uvm_raise(u, page, cycle);
}

/* Drops the lines of an evicted page after its last use. The page then frees its frame, or goes to
 * the host together with its run. */
static void vacate(struct uvm *u, uint32_t page, uint64_t cycle) {
    uint32_t number = u->note[page].run;
    u->hooks.drop(u->hooks.ctx, page);
    u->context->progress++;
    if (number == RUN_NONE) {
        uvm_free_frame(u, page);
        uvm_back_home(u, page, cycle);
        return;
    }
    uvm_set_state(u, page, PAGE_GOING);
    if (--u->run[number].held == 0)
        ring_push_growing(&u->runs, number);
}

/* Skips a page that is held again by one of its lines on the way to DRAM, or that occurs in the
 * list for the second time. */
void uvm_vacate_released(struct uvm *u, uint64_t cycle) {
    while (u->vacated.count) {
        uint32_t page = ring_pop(&u->vacated);
        const struct page *p = &u->pages.page[page];
        if (p->state == PAGE_LEAVING && !p->holds)
            vacate(u, page, cycle);
    }
}

static bool is_sent(const struct uvm *u, uint32_t page) {
    switch (u->cfg->uvm_write_back) {
    case WRITE_BACK_ALL:
        return true;
    case WRITE_BACK_DIRTY:
        return u->pages.page[page].dirty;
    default:
        return false;
    }
}

static void begin_leaving(struct uvm *u, uint32_t page) {
    struct uvm_note *n = &u->note[page];
    assert(page_evictable(&u->pages, page));
    uvm_set_state(u, page, PAGE_LEAVING);
    u->freeing++;
    n->evicted = true;
    stat_add(&u->stats, STAT_uvm_evictions, 1);
    stat_add(&u->stats, STAT_uvm_evicted_dirty, u->pages.page[page].dirty);
    u->hooks.shoot(u->hooks.ctx, page);
    if (u->evictor->remove)
        u->evictor->remove(u->evict, page);
}

/* Makes runs of the chosen pages that are sent to the host. There is one run for each stretch of
 * consecutive pages in an allocation. */
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
            u->run[number] = (struct uvm_run){page, 0, 0};
        }
        u->run[number].n++;
        u->run[number].held++;
        u->note[page].run = number;
    }
}

/* True if any page is evictable. Nearly all resident pages are evictable, so the search is
 * short. */
static bool any_evictable(const struct uvm *u) {
    for (uint32_t i = 0; u->pages.in[PAGE_RESIDENT] && i < u->pages.n; i++)
        if (page_evictable(&u->pages, i))
            return true;
    return false;
}

/* Evicts the first n pages of u->victim together. */
static void leave_together(struct uvm *u, uint32_t n, uint64_t cycle) {
    assert(n <= EVICT_MOST);
    for (uint32_t i = 0; i < n; i++)
        begin_leaving(u, u->victim[i]);
    qsort(u->victim, n, sizeof *u->victim, uvm_by_number);
    make_runs(u, n);
    for (uint32_t i = 0; i < n; i++)
        if (!u->pages.page[u->victim[i]].holds)
            vacate(u, u->victim[i], cycle);
}

/* Evicts pages. Calls the policy only if a page is evictable, because the call changes the policy's
 * state. */
bool uvm_evict(struct uvm *u, uint64_t cycle) {
    if (!any_evictable(u))
        return false;
    uint32_t n = u->evictor->choose(u->evict, u->victim);
    leave_together(u, n, cycle);
    return n && u->context->fault == CONTEXT_OK;
}

/* ---- ticks of the policy ---- */

void uvm_tick_evictor(struct uvm *u, uint64_t cycle) {
    const struct evictor *e = u->evictor;
    if (e->tick && e->next_event(u->evict, cycle) <= cycle)
        e->tick(u->evict, cycle);
    if (e->wants)
        leave_together(u, e->wants(u->evict, u->victim), cycle);
}
