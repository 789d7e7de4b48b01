// SPDX-License-Identifier: Apache-2.0
#include "evict/heap.h"

#include "lib/table.h"

void heap_free(struct heap *h) {
    free(h->page);
    free(h->of);
    *h = (struct heap){0};
}

static bool before(const struct heap *h, uint32_t a, uint32_t b) {
    uint64_t key = h->of[a].key, other = h->of[b].key;
    return key != other ? key > other : a < b;
}

static void set(struct heap *h, uint32_t place, uint32_t page) {
    h->page[place] = page;
    h->of[page].place = place;
}

/* The page goes to that place, which is free, or up or down from it. */
static void settle(struct heap *h, uint32_t place, uint32_t page) {
    for (; place > 1 && before(h, page, h->page[place / 2]); place /= 2)
        set(h, place, h->page[place / 2]);
    for (uint32_t child; (child = 2 * place) <= h->n; place = child) {
        if (child < h->n && before(h, h->page[child + 1], h->page[child]))
            child++;
        if (before(h, page, h->page[child]))
            break;
        set(h, place, h->page[child]);
    }
    set(h, place, page);
}

void heap_put(struct heap *h, uint32_t page, uint64_t key) {
    h->page = table_reach(h->page, &h->pages_room, h->n + 2, sizeof *h->page);
    h->of = table_reach(h->of, &h->of_room, page + 1, sizeof *h->of);
    h->of[page].key = key;
    settle(h, heap_has(h, page) ? h->of[page].place : ++h->n, page);
}

void heap_remove(struct heap *h, uint32_t page) {
    if (!heap_has(h, page))
        return;
    uint32_t place = h->of[page].place, last = h->page[h->n--];
    h->of[page].place = 0;
    if (last != page)
        settle(h, place, last);
}

/* Of the pages from a place down. */
static uint32_t first_below(const struct heap *h, const struct pages *pages, uint32_t place) {
    if (place > h->n)
        return PAGE_NONE;
    if (page_evictable(pages, h->page[place]))
        return h->page[place];
    uint32_t left = first_below(h, pages, 2 * place);
    uint32_t right = first_below(h, pages, 2 * place + 1);
    if (left == PAGE_NONE || right == PAGE_NONE)
        return left == PAGE_NONE ? right : left;
    return before(h, left, right) ? left : right;
}

uint32_t heap_first_evictable(const struct heap *h, const struct pages *pages) {
    return first_below(h, pages, 1);
}
