// SPDX-License-Identifier: Apache-2.0
#include "pages/pages.h"

#include <stdlib.h>
#include <string.h>

#include "check/check.h"
#include "lib/alloc.h"
#include "lib/bits.h"

#define BLOCK_BYTES (UINT64_C(1) * BLOCK_PAGES * PAGE_BYTES)
#define CHUNK_BYTES (UINT64_C(1) * CHUNK_PAGES * PAGE_BYTES)

const char *const page_state_name[PAGE_STATES] = {"no page",  "host",    "waited", "coming",
                                                  "resident", "leaving", "going"};

/* ---- allocations ---- */

uint64_t pages_rounded(uint64_t bytes) {
    uint64_t rest = bytes % CHUNK_BYTES;
    if (rest)
        rest = BLOCK_BYTES * bits_round_up((rest + BLOCK_BYTES - 1) / BLOCK_BYTES);
    return bytes - bytes % CHUNK_BYTES + rest;
}

/* Reserves page numbers for an allocation of `pages` pages, all in host memory. Returns the first
 * number. */
static uint32_t number_pages(struct pages *p, uint64_t pages) {
    uint64_t first = (p->n + (uint64_t)CHUNK_PAGES - 1) / CHUNK_PAGES * CHUNK_PAGES;
    if (first + pages >= PAGE_NONE)
        alloc_fail((first + pages) * sizeof *p->page);
    p->page = alloc_resized(p->page, first + pages, sizeof *p->page);
    memset(&p->page[p->n], 0, (first + pages - p->n) * sizeof *p->page);
    for (uint64_t i = first; i < first + pages; i++)
        p->page[i].state = PAGE_HOST;
    p->n = (uint32_t)(first + pages);
    p->in[PAGE_HOST] += (uint32_t)pages;
    return (uint32_t)first;
}

/* Adds an allocation. `alloc` must have room. */
static void allocate_array(struct pages *p, const char *name, uint64_t base, uint64_t bytes) {
    uint64_t pages = pages_rounded(bytes) / PAGE_BYTES;
    uint32_t first = number_pages(p, pages), rest = (uint32_t)(pages % CHUNK_PAGES);
    p->alloc[p->n_allocs++] = (struct page_alloc){
        name, base, bytes, first, (uint32_t)pages, rest ? rest : (uint32_t)CHUNK_PAGES};
}

void pages_init(struct pages *p, const struct device_array *arrays, unsigned n_arrays) {
    memset(p, 0, sizeof *p);
    p->on_touch = n_arrays == 0;
    p->alloc = alloc_zeroed(n_arrays, sizeof *p->alloc);
    for (unsigned i = 0; i < n_arrays; i++)
        if (arrays[i].bytes)
            allocate_array(p, arrays[i].name, arrays[i].base, arrays[i].bytes);
}

void pages_free(struct pages *p) {
    free(p->page);
    free(p->alloc);
    free(p->by_base);
    memset(p, 0, sizeof *p);
}

/* ---- from lines to pages ---- */

/* Returns the index of the i-th allocation in address order. */
static uint32_t in_order(const struct pages *p, uint32_t i) {
    return p->on_touch ? p->by_base[i] : i;
}

/* Returns the number of allocations that begin at or below `addr`. */
static uint32_t begun_at(const struct pages *p, uint64_t addr) {
    uint32_t low = 0, high = p->n_allocs;
    while (low < high) {
        uint32_t mid = low + (high - low) / 2;
        if (p->alloc[in_order(p, mid)].base <= addr)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

static bool alloc_has(const struct page_alloc *a, uint64_t addr) {
    return addr - a->base < a->bytes;
}

/* Makes the 2 MB region that contains addr an allocation, at index `place` in address order. */
static void touch_page(struct pages *p, uint64_t addr, uint32_t place) {
    const uint32_t made = p->n_allocs;
    p->alloc = alloc_resized(p->alloc, made + (size_t)1, sizeof *p->alloc);
    p->by_base = alloc_resized(p->by_base, made + (size_t)1, sizeof *p->by_base);
    allocate_array(p, "region", addr - addr % CHUNK_BYTES, CHUNK_BYTES);
    memmove(&p->by_base[place + 1], &p->by_base[place], (made - place) * sizeof *p->by_base);
    p->by_base[place] = made;
}

/* Sets p->last to the allocation that contains addr, and creates it if allowed (on_touch).
 * Returns false if there is no such allocation. */
static bool find_array(struct pages *p, uint64_t addr) {
    uint32_t begun = begun_at(p, addr);
    if (begun) {
        uint32_t index = in_order(p, begun - 1);
        if (alloc_has(&p->alloc[index], addr)) {
            p->last = index;
            return true;
        }
    }
    if (!p->on_touch || (addr >= LOCAL_BASE && addr < LOCAL_END))
        return false;
    touch_page(p, addr, begun);
    p->last = p->n_allocs - 1;
    return true;
}

uint32_t pages_of_line(struct pages *p, uint64_t line) {
    uint64_t addr = line * LINE_BYTES;
    if (!(p->n_allocs && alloc_has(&p->alloc[p->last], addr)) && !find_array(p, addr))
        return PAGE_NONE;
    const struct page_alloc *a = &p->alloc[p->last];
    return a->first + (uint32_t)((addr - a->base) / PAGE_BYTES);
}

/* ---- from pages to lines ---- */

const struct page_alloc *pages_alloc(const struct pages *p, uint32_t page) {
    uint32_t low = 0, high = p->n_allocs;
    while (high - low > 1) {
        uint32_t mid = low + (high - low) / 2;
        if (p->alloc[mid].first <= page)
            low = mid;
        else
            high = mid;
    }
    return &p->alloc[low];
}

uint32_t pages_lines(const struct pages *p, uint32_t page, uint64_t *first) {
    const struct page_alloc *a = pages_alloc(p, page);
    uint64_t offset = (uint64_t)(page - a->first) * PAGE_BYTES;
    *first = (a->base + offset) / LINE_BYTES;
    if (offset >= a->bytes)
        return 0;
    uint64_t lines = (a->bytes - offset + LINE_BYTES - 1) / LINE_BYTES;
    return lines < PAGE_LINES ? (uint32_t)lines : PAGE_LINES;
}

uint32_t pages_leaves(const struct pages *p, uint32_t chunk) {
    uint32_t first = chunk * CHUNK_PAGES;
    const struct page_alloc *a = pages_alloc(p, first);
    bool last = first - a->first + CHUNK_PAGES > a->pages;
    return (last ? a->chunk_pages : CHUNK_PAGES) / BLOCK_PAGES;
}

uint32_t pages_valid_leaves(const struct pages *p, uint32_t chunk) {
    const struct page *page = &p->page[chunk * CHUNK_PAGES];
    uint32_t n = pages_leaves(p, chunk) * BLOCK_PAGES, valid = 0;
    for (uint32_t i = 0; i < n; i++)
        valid |= (uint32_t)page_stays(&page[i]) << i / BLOCK_PAGES;
    return valid;
}

uint32_t pages_footprint(const struct pages *p) {
    uint64_t pages = 0;
    for (uint32_t i = 0; i < p->n_allocs; i++)
        pages += (p->alloc[i].bytes + PAGE_BYTES - 1) / PAGE_BYTES;
    return (uint32_t)pages;
}

void pages_move(struct pages *p, uint32_t page, enum page_state to) {
    p->in[p->page[page].state]--;
    p->page[page].state = (uint8_t)to;
    p->in[to]++;
}
