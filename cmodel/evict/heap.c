// SPDX-License-Identifier: Apache-2.0
#include "evict/heap.h"

#include "lib/table.h"

void heap_free(struct heap *h) {
    free(h->page);
    free(h->node);
    *h = (struct heap){0};
}

static bool leaves_first(const struct heap *h, uint32_t a, uint32_t b) {
    uint64_t key = h->node[a].key, other = h->node[b].key;
    return key != other ? key > other : a < b;
}

static void set_place(struct heap *h, uint32_t place, uint32_t page) {
    h->page[place] = page;
    h->node[page].place = place;
}

/* Puts the page at the free index `place`, and moves it up or down until the heap is ordered. */
static void settle_page(struct heap *h, uint32_t place, uint32_t page) {
    for (; place > 1 && leaves_first(h, page, h->page[place / 2]); place /= 2)
        set_place(h, place, h->page[place / 2]);
    for (uint32_t child; (child = 2 * place) <= h->n; place = child) {
        if (child < h->n && leaves_first(h, h->page[child + 1], h->page[child]))
            child++;
        if (leaves_first(h, page, h->page[child]))
            break;
        set_place(h, place, h->page[child]);
    }
    set_place(h, place, page);
}

void heap_put(struct heap *h, uint32_t page, uint64_t key) {
    h->page = table_reach(h->page, &h->pages_room, h->n + 2, sizeof *h->page);
    h->node = table_reach(h->node, &h->node_room, page + 1, sizeof *h->node);
    h->node[page].key = key;
    settle_page(h, heap_has(h, page) ? h->node[page].place : ++h->n, page);
}

void heap_remove(struct heap *h, uint32_t page) {
    if (!heap_has(h, page))
        return;
    uint32_t place = h->node[page].place, last = h->page[h->n--];
    h->node[page].place = 0;
    if (last != page)
        settle_page(h, place, last);
}

/* Returns the first evictable page in the subtree whose root is at index `place`, or PAGE_NONE. */
static uint32_t first_below(const struct heap *h, const struct pages *pages, uint32_t place) {
    if (place > h->n)
        return PAGE_NONE;
    if (page_evictable(pages, h->page[place]))
        return h->page[place];
    uint32_t left = first_below(h, pages, 2 * place);
    uint32_t right = first_below(h, pages, 2 * place + 1);
    if (left == PAGE_NONE || right == PAGE_NONE)
        return left == PAGE_NONE ? right : left;
    return leaves_first(h, left, right) ? left : right;
}

uint32_t heap_first_evictable(const struct heap *h, const struct pages *pages) {
    return first_below(h, pages, 1);
}
