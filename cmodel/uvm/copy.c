// SPDX-License-Identifier: Apache-2.0
/* Implements uvm.mode=copy, in which all data are moved before the first kernel starts. */
#include "uvm/inside.h"

#define COPY_BYTES (UINT64_C(1) * CHUNK_PAGES * PAGE_BYTES)

/* Begins the copy. Every page has a frame and counts as resident from the start. */
void uvm_begin_copy(struct uvm *u) {
    struct pages *p = &u->pages;
    for (uint32_t i = 0; i < p->n; i++)
        if (page_exists(p, i))
            pages_move(p, i, PAGE_RESIDENT);
    p->free = 0;
    u->copying = p->n_allocs != 0;
}

bool uvm_copying(const struct uvm *u) {
    return u->copying;
}

/* Copies the arrays one after the other, in parts of at most COPY_BYTES. */
void uvm_tick_copy(struct uvm *u, uint64_t cycle) {
    if (u->read.busy && !pcie_ends(&u->read, cycle))
        return;
    u->context->progress++;
    if (u->copy_alloc == u->pages.n_allocs) {
        u->copying = false;
        stat_add(&u->stats, STAT_uvm_copy_cycles, cycle);
        return;
    }
    const struct page_alloc *a = &u->pages.alloc[u->copy_alloc];
    uint64_t left = a->bytes - u->copy_offset;
    uint64_t bytes = left < COPY_BYTES ? left : COPY_BYTES;
    uvm_begin_transfer(u, &u->read, &(struct watched_transfer){.what = "copy", .bytes = bytes},
                       cycle);
    u->copy_offset += bytes;
    if (u->copy_offset == a->bytes) {
        u->copy_alloc++;
        u->copy_offset = 0;
    }
}

uint64_t uvm_copy_next_event(const struct uvm *u, uint64_t cycle) {
    return u->read.busy && u->read.until > cycle ? u->read.until : cycle;
}
