// SPDX-License-Identifier: Apache-2.0
#include "gpu/page_data.h"

#include <string.h>

#include "gpu/parts.h"

static const struct byte_mask all_bytes = {{UINT64_MAX, UINT64_MAX}};

void page_data_init(struct gpu *g) {
    g->backing.garbage = true;
}

void page_data_free(struct page_data *d) {
    backing_free(&d->host);
}

/* ---- caches ---- */

/* True if the planted fault applies: the first SM's L1D keeps the lines of evicted pages. */
static bool keeps_lines(struct gpu *g, uint32_t sm) {
    if (sm || !context_plant_stuck(&g->context, PLANT_KEEP_LINES))
        return false;
    g->context.plant_made = true;
    return true;
}

static bool is_in_l2(const struct gpu *g, uint64_t line) {
    const uint32_t bank = addr_find_bank(&g->map, line);
    if (bank == ADDR_NO_BANK)
        return false;
    const struct l2 *l2 = &g->l2[bank];
    uint32_t set = addr_l2_set(l2->to.map, l2->set_index, line, l2->cache.lines.sets);
    return lines_find(&l2->cache.lines, set, line) != WAY_NONE;
}

/* True if any cache has the line. */
static bool is_cached(const struct gpu *g, uint64_t line) {
    if (is_in_l2(g, line))
        return true;
    for (uint32_t i = 0; i < g->n_sms; i++) {
        const struct l1d *l1 = &g->sm[i].l1d;
        if (lines_find(&l1->cache.lines, addr_set(l1->set_index, line, l1->cache.lines.sets),
                       line) != WAY_NONE)
            return true;
    }
    return false;
}

/* Checks that no cache has the lines. Looks up each line, independently of the code that drops
 * lines. */
static void expect_uncached(struct gpu *g, uint32_t page, uint64_t first, uint32_t n) {
    for (uint64_t line = first; line < first + n; line++)
        if (is_cached(g, line)) {
            context_fail(&g->context, CONTEXT_BROKEN,
                         "line 0x%llx of page %u, which leaves or arrives, is in a cache",
                         (unsigned long long)line * LINE_BYTES, (unsigned)page);
            return;
        }
}

/* Drops lines from all caches. A part that loses a line becomes due. It may have waited for a way
 * that its victim policy did not replace or, if it is an L2 bank, for an entry for the line's dirty
 * bytes. */
static void drop_lines(struct gpu *g, uint64_t first, uint32_t n) {
    struct page_data *d = &g->paging->data;
    for (uint32_t i = 0; i < g->n_sms; i++) {
        uint32_t dropped = keeps_lines(g, i) ? 0 : l1d_drop(&g->sm[i].l1d, first, n);
        d->l1d_dropped += dropped;
        if (dropped)
            clocked_due(&g->sm_clocked[i], g->context.sm_cycle);
    }
    for (uint64_t line = first; line < first + n; line++) {
        uint32_t b = addr_find_bank(&g->map, line);
        if (b == ADDR_NO_BANK || !l2_drop(&g->l2[b], line))
            continue;
        d->l2_dropped++;
        clocked_due(&g->l2_clocked[b], g->edges[CLOCK_L2]);
    }
}

/* ---- data ---- */

/* Reads a line from GPU memory, including dirty bytes in the L2. */
static void read_gpu(struct gpu *g, uint64_t line, uint8_t data[LINE_BYTES]) {
    backing_read(&g->backing, line, data);
    const uint32_t bank = addr_find_bank(&g->map, line);
    if (bank != ADDR_NO_BANK)
        l2_read_line(&g->l2[bank], line, data);
}

/* True if the page's data differ from the host's. */
static bool page_differs(struct gpu *g, uint64_t first, uint32_t n) {
    uint8_t here[LINE_BYTES], there[LINE_BYTES];
    for (uint64_t line = first; line < first + n; line++) {
        read_gpu(g, line, here);
        backing_read(&g->paging->data.host, line, there);
        if (memcmp(here, there, LINE_BYTES) != 0)
            return true;
    }
    return false;
}

/* True if the planted fault applies: from the first opportunity on, the data of one page do not
 * reach the host. */
static bool page_lost(struct gpu *g, uint64_t first, uint32_t n) {
    if (g->context.plant != PLANT_LOSE_PAGE)
        return false;
    if (page_differs(g, first, n) && context_plant(&g->context, PLANT_LOSE_PAGE))
        g->context.plant_line = first;
    return g->context.plant_line == first;
}

static void send_data(struct gpu *g, uint64_t first, uint32_t n) {
    uint8_t data[LINE_BYTES];
    if (page_lost(g, first, n))
        return;
    for (uint64_t line = first; line < first + n; line++) {
        read_gpu(g, line, data);
        backing_write(&g->paging->data.host, line, data, &all_bytes);
    }
}

void page_data_drop(struct gpu *g, uint32_t page) {
    uint8_t garbage[LINE_BYTES];
    const struct pages *p = uvm_pages(g->paging->uvm);
    uint64_t first;
    uint32_t n = pages_lines(p, page, &first);
    if (g->context.carry && p->page[page].dirty)
        send_data(g, first, n);
    drop_lines(g, first, n);
    if (g->context.check)
        expect_uncached(g, page, first, n);
    for (uint64_t line = first; g->context.carry && line < first + n; line++) {
        backing_garbage(garbage, line);
        backing_write(&g->backing, line, garbage, &all_bytes);
    }
}

void page_data_fill(struct gpu *g, uint32_t page) {
    uint8_t data[LINE_BYTES];
    uint64_t first;
    uint32_t n = pages_lines(uvm_pages(g->paging->uvm), page, &first);
    if (g->context.check)
        expect_uncached(g, page, first, n);
    for (uint64_t line = first; g->context.carry && line < first + n; line++) {
        backing_read(&g->paging->data.host, line, data);
        backing_write(&g->backing, line, data, &all_bytes);
    }
}

bool page_data_read(struct gpu *g, uint64_t line, uint8_t data[LINE_BYTES]) {
    struct pages *p = uvm_pages(g->paging->uvm);
    uint32_t page = pages_of_line(p, line);
    if (page == PAGE_NONE || p->page[page].state == PAGE_RESIDENT ||
        p->page[page].state == PAGE_LEAVING)
        return false;
    backing_read(&g->paging->data.host, line, data);
    return true;
}

void page_data_add_stats(const struct page_data *d, struct stats *s) {
    stat_add(s, STAT_uvm_l1d_invalidations, d->l1d_dropped);
    stat_add(s, STAT_uvm_l2_invalidations, d->l2_dropped);
}
