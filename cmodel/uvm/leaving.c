// SPDX-License-Identifier: Apache-2.0
/* Eviction of pages: they are chosen, wait until their last user is done, and go to the host. */
#include "uvm/inside.h"

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

/* ---- pages that leave ---- */

void uvm_back_home(struct uvm *u, uint32_t page, uint64_t cycle) {
    uvm_set_state(u, page, PAGE_HOST);
    if (u->pages.page[page].again)
        uvm_raise(u, page, cycle);
}

/* The last use of an evicted page has ended. */
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
        ring_push(&u->runs, &number);
}

/* A page may be held again, by one of its lines on the way to DRAM, or have been noted twice. */
void uvm_vacate_released(struct uvm *u, uint64_t cycle) {
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

/* The first n pages of u->victim leave, all at once. */
static void leave_together(struct uvm *u, uint32_t n, uint64_t cycle) {
    assert(n <= EVICT_MOST);
    for (uint32_t i = 0; i < n; i++)
        leave(u, u->victim[i]);
    qsort(u->victim, n, sizeof *u->victim, uvm_by_number);
    make_runs(u, n);
    for (uint32_t i = 0; i < n; i++)
        if (!u->pages.page[u->victim[i]].holds)
            vacate(u, u->victim[i], cycle);
}

/* The policy is asked for its choice only if there is one: to be asked changes what it keeps. */
bool uvm_evict(struct uvm *u, uint64_t cycle) {
    if (!any_evictable(u))
        return false;
    uint32_t n = u->evictor->choose(u->evict, u->victim);
    leave_together(u, n, cycle);
    return n && u->context->fault == CONTEXT_OK;
}

/* ---- the policy's own time and initiative ---- */

void uvm_tick_evictor(struct uvm *u, uint64_t cycle) {
    const struct evictor *e = u->evictor;
    if (e->tick && e->next_event(u->evict, cycle) <= cycle)
        e->tick(u->evict, cycle);
    if (e->wants)
        leave_together(u, e->wants(u->evict, u->victim), cycle);
}
