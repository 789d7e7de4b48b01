/* Numbers (of pages, blocks, chunks) in an order: a doubly linked list through a table, which grows
 * with the largest number. Every operation takes constant time. */
#ifndef MEMTWIN_EVICT_ORDER_H
#define MEMTWIN_EVICT_ORDER_H

#include <stdbool.h>
#include <stdint.h>

#define ORDER_NONE UINT32_MAX

struct order {
    uint32_t *before,
        *after;    /* owned; by number. before: itself if the number is not in the list */
    uint32_t room; /* numbers below it have a place in the tables */
    uint32_t first, last;
    uint32_t count;
};

void order_init(struct order *o);
void order_free(struct order *o);

/* Puts a number at the end, from wherever it is. One for which there is no memory stays out. */
void order_last(struct order *o, uint32_t x);
/* Takes it out, if it is in. */
void order_remove(struct order *o, uint32_t x);

static inline bool order_has(const struct order *o, uint32_t x) {
    return x < o->room && o->before[x] != x;
}

/* The one behind x, which is in the list; ORDER_NONE: x is the last. */
static inline uint32_t order_after(const struct order *o, uint32_t x) {
    return o->after[x];
}

#endif
