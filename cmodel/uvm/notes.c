// SPDX-License-Identifier: Apache-2.0
/* Manages the notes, states and frames of pages. */
#include "uvm/inside.h"

#include "lib/alloc.h"

void uvm_cover(struct uvm *u) {
    struct pages *p = &u->pages;
    if (u->n_notes == p->n)
        return;
    u->note = alloc_resized(u->note, p->n, sizeof *u->note);
    for (; u->n_notes < p->n; u->n_notes++) {
        u->note[u->n_notes] = (struct uvm_note){.run = RUN_NONE};
        if (u->all_fit && page_exists(p, u->n_notes)) {
            p->capacity++;
            p->free++;
        }
    }
}

void uvm_set_state(struct uvm *u, uint32_t page, enum page_state to) {
    account_move(u->account, page, to);
    pages_move(&u->pages, page, to);
}

void uvm_free_frame(struct uvm *u, uint32_t page) {
    account_frame(u->account, page, false);
    u->freeing--;
    u->pages.free++;
    if (context_plant(u->context, PLANT_LOSE_FRAME))
        u->pages.free++;
}

int uvm_by_number(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

void uvm_begin_transfer(struct uvm *u, struct pcie_link *link, struct watched_transfer *t,
                        uint64_t cycle) {
    const struct watcher *watcher = u->context->watcher;
    if (t->pages)
        t->bytes = (uint64_t)t->pages * PAGE_BYTES;
    pcie_start(link, u->cfg, t->bytes, u->copying, cycle);
    t->to_host = link == &u->write;
    t->begin = cycle;
    t->end = link->until;
    if (watcher)
        watcher->transfer(watcher->ctx, t);
}
