// SPDX-License-Identifier: Apache-2.0
/* uvm.user_prefetch=launch: before each launch, what is at the host comes. uvm.resident=yes: all is
 * there from the start. */
#include "uvm/inside.h"

static bool wanted(const struct uvm *u, uint32_t page) {
    uint64_t line;
    return u->pages.page[page].state == PAGE_HOST && pages_lines(&u->pages, page, &line) > 0;
}

static void end_load(struct uvm *u, struct load *load) {
    if (load->n)
        ring_push(&u->loads, load);
    load->n = 0;
}

/* Up to `room` pages of an array come, in the order of their numbers. A load ends at a gap and with
 * a chunk. Returns how many. */
static uint32_t load_array(struct uvm *u, const struct page_alloc *a, uint32_t room) {
    struct load load = {0, 0};
    uint32_t n = 0;
    for (uint32_t page = a->first; page < a->first + a->pages && n < room; page++) {
        if (!wanted(u, page) || page % CHUNK_PAGES == 0)
            end_load(u, &load);
        if (!wanted(u, page))
            continue;
        u->note[page].demanded = u->note[page].along = false;
        uvm_set_state(u, page, PAGE_WAITED);
        u->prefetches++;
        load = (struct load){load.n ? load.first : page, load.n + 1};
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
        if (!wanted(u, page))
            continue;
        uvm_set_state(u, page, PAGE_WAITED);
        uvm_set_state(u, page, PAGE_COMING);
        account_frame(u->account, page, true);
        u->pages.free--;
        u->hooks.fill(u->hooks.ctx, page);
        uvm_set_state(u, page, PAGE_RESIDENT);
        if (u->evictor->come)
            u->evictor->come(u->evict, page, false);
    }
}
