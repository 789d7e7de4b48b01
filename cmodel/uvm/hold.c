// SPDX-License-Identifier: Apache-2.0
/* Handles accesses that the caches report. */
#include "uvm/inside.h"

/* Returns the page of a line, or PAGE_NONE. Ensures that the page has a note. */
static uint32_t page_of(struct uvm *u, uint64_t line) {
    uint32_t page = pages_of_line(&u->pages, line);
    if (page != PAGE_NONE && page >= u->n_notes)
        uvm_cover(u);
    return page;
}

static void write_book(struct uvm *u, uint32_t page) {
    const struct pages *p = &u->pages;
    for (; p->on_touch && u->regions_told < p->n_allocs; u->regions_told++)
        book_write_region(u->book, p->alloc[u->regions_told].base);
    book_write(u->book, page);
}

static void use_page(struct uvm *u, uint32_t page) {
    struct uvm_note *n = &u->note[page];
    stat_add(&u->stats, STAT_uvm_touched_pages, !n->used);
    stat_add(&u->stats, STAT_uvm_prefetched_used, n->untried);
    n->used = true;
    n->untried = false;
    if (u->evictor->use)
        u->evictor->use(u->evict, page);
    if (u->book && book_is_read(u->book))
        book_use(u->book, page);
    else if (u->book)
        write_book(u, page);
}

void uvm_hold(struct uvm *u, uint64_t line, bool write) {
    uint32_t page = page_of(u, line);
    if (page == PAGE_NONE)
        return;
    account_use(u->account, page, line, true);
    u->pages.page[page].holds++;
    u->pages.page[page].dirty |= write;
    use_page(u, page);
}

void uvm_keep(struct uvm *u, uint64_t line) {
    uint32_t page = page_of(u, line);
    if (page == PAGE_NONE)
        return;
    account_use(u->account, page, line, false);
    u->pages.page[page].holds++;
}

void uvm_release(struct uvm *u, uint64_t line) {
    uint32_t page = page_of(u, line);
    if (page == PAGE_NONE)
        return;
    struct page *p = &u->pages.page[page];
    account_release(u->account, page, line);
    p->holds -= p->holds != 0;
    if (!p->holds && p->state == PAGE_LEAVING)
        ring_push_growing(&u->vacated, page);
}

void uvm_see(struct uvm *u, uint64_t line) {
    uint32_t page = u->account ? page_of(u, line) : PAGE_NONE;
    if (page != PAGE_NONE)
        account_use(u->account, page, line, false);
}

void uvm_all_released(const struct uvm *u) {
    account_all_released(u->account);
}
