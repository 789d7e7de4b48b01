// SPDX-License-Identifier: Apache-2.0
#include "page_string.h"

#include <stdlib.h>
#include <string.h>

#include "lane.h"
#include "lib/alloc.h"

#define SEED 0x9a6e
#define AGAIN_MOST 3 /* maximum number of further references to a page in types III to VI */
#define REGIONS 8

struct page_string_event {
    uint32_t time, seq, page;
};

static int earlier(const void *a, const void *b) {
    const struct page_string_event *x = a, *y = b;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return x->seq < y->seq ? -1 : 1;
}

/* Generates one event for each page, in order, and further events for `often` in eight pages on
 * average. Sorts the events by time. Returns their number, at most (1 + AGAIN_MOST) * pages. */
static uint32_t repetitive(struct page_string_event *e, uint32_t pages, unsigned often,
                           struct rng *r) {
    const uint32_t later = pages / 16 + 1;
    uint32_t n = 0;
    for (uint32_t page = 0; page < pages; page++) {
        uint64_t again = rng_below(r, 8) < often ? 1 + rng_below(r, AGAIN_MOST) : 0;
        uint32_t time = page;
        e[n] = (struct page_string_event){time, n, page};
        for (n++; again; again--, n++) {
            time += 1 + (uint32_t)rng_below(r, later);
            e[n] = (struct page_string_event){time, n, page};
        }
    }
    qsort(e, n, sizeof *e, earlier);
    return n;
}

/* Generates the events of type VI. Returns their number, at most (1 + AGAIN_MOST) * pages. */
static uint32_t regions(struct page_string_event *e, uint32_t pages, struct rng *r) {
    const uint32_t size = (pages + REGIONS - 1) / REGIONS;
    uint32_t n = 0;
    for (uint32_t first = 0; first < pages; first += size)
        for (unsigned round = 0; round <= AGAIN_MOST; round++)
            for (uint32_t page = first; page < first + size && page < pages; page++)
                if (round == 0 || rng_below(r, 8) < 5)
                    e[n++].page = page;
    return n;
}

static uint32_t in_order(struct page_string_event *e, uint32_t pages) {
    for (uint32_t page = 0; page < pages; page++)
        e[page].page = page;
    return pages;
}

static uint32_t once(struct page_string_event *e, enum page_pattern pattern, uint32_t pages) {
    struct rng r = {SEED};
    switch (pattern) {
    case PATTERN_STREAMING:
    case PATTERN_THRASHING:
        return in_order(e, pages);
    case PATTERN_PART_REPETITIVE:
        return repetitive(e, pages, 2, &r);
    case PATTERN_MOST_REPETITIVE:
    case PATTERN_REPETITIVE_THRASHING:
        return repetitive(e, pages, 7, &r);
    case PATTERN_REGION_MOVING:
        return regions(e, pages, &r);
    }
    return 0;
}

void page_string_init(struct page_string *s, enum page_pattern pattern, uint32_t pages,
                      uint32_t repeats) {
    bool over = pattern == PATTERN_THRASHING || pattern == PATTERN_REPETITIVE_THRASHING;
    struct page_string_event *e = alloc_zeroed((1 + AGAIN_MOST) * (size_t)pages, sizeof *e);
    uint32_t n = once(e, pattern, pages), times = over ? repeats : 1;
    s->n = n * times;
    s->page = alloc_array(s->n, sizeof *s->page);
    for (uint32_t i = 0; i < s->n; i++)
        s->page[i] = e[i % n].page;
    free(e);
}

void page_string_free(struct page_string *s) {
    free(s->page);
    memset(s, 0, sizeof *s);
}
