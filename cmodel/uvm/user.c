// SPDX-License-Identifier: Apache-2.0
/* Implements uvm.user_prefetch=launch, which moves pages from the host before each launch as
 * long as frames are free, and uvm.resident=yes, which makes all pages resident from the start. */
#include "uvm/inside.h"

static bool is_wanted(const struct uvm *u, uint32_t page) {
    uint64_t line;
    return u->pages.page[page].state == PAGE_HOST && pages_lines(&u->pages, page, &line) > 0;
}

static void end_load(struct uvm *u, struct uvm_load *load) {
    if (load->n)
        ring_push_growing(&u->loads, *load);
    load->n = 0;
}

/* Loads up to `room` pages of an array, in page order. A load ends at a gap and at the end of a
 * chunk. Returns the number of pages. */
static uint32_t load_array(struct uvm *u, const struct page_alloc *a, uint32_t room) {
    struct uvm_load load = {0, 0};
    uint32_t n = 0;
    for (uint32_t page = a->first; page < a->first + a->pages && n < room; page++) {
        if (!is_wanted(u, page) || page % CHUNK_PAGES == 0)
            end_load(u, &load);
        if (!is_wanted(u, page))
            continue;
        u->note[page].demanded = u->note[page].along = false;
        uvm_set_state(u, page, PAGE_WAITED);
        u->prefetches++;
        load = (struct uvm_load){load.n ? load.first : page, load.n + 1};
        n++;
    }
    end_load(u, &load);
    return n;
}

void uvm_prefetch_arrays(struct uvm *u, uint64_t cycle) {
    const struct pages *p = &u->pages;
    uint32_t room = pages_spare(p), loads = u->loads.count;
    if (u->cfg->uvm_user_prefetch != USER_PREFETCH_LAUNCH)
        return;
    for (uint32_t i = 0; i < p->n_allocs; i++)
        room -= load_array(u, &p->alloc[i], room);
    u->user_loads = u->loads.count > loads ? u->loads.count : 0;
    u->user_since = cycle;
}

bool uvm_prefetching(const struct uvm *u) {
    return u->user_loads != 0;
}

void uvm_user_arrived(struct uvm *u, uint64_t cycle) {
    if (u->user_loads && --u->user_loads == 0)
        stat_add(&u->stats, STAT_uvm_user_cycles, cycle - u->user_since);
}

void uvm_be_resident(struct uvm *u) {
    for (uint32_t page = 0; page < u->pages.n; page++) {
        if (!is_wanted(u, page))
            continue;
        uvm_set_state(u, page, PAGE_WAITED);
        uvm_set_state(u, page, PAGE_COMING);
        account_frame(u->account, page, true);
        u->pages.free--;
        u->hooks.fill(u->hooks.ctx, page);
        uvm_set_state(u, page, PAGE_RESIDENT);
        if (u->evictor->add)
            u->evictor->add(u->evict, page, false);
    }
}
