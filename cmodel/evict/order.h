/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers (of pages, of chunks) in an order: a doubly linked list in a table, which grows with the
 * largest number. Every operation takes constant time. */
#ifndef MEMTWIN_EVICT_ORDER_H
#define MEMTWIN_EVICT_ORDER_H

#include <stdbool.h>
#include <stdint.h>

#define ORDER_NONE UINT32_MAX

struct order_link {
    uint32_t before, after;
    bool in;
};

struct order {
    struct order_link *link; /* owned; by number */
    uint32_t room;           /* links in it */
    uint32_t first, last;
};

void order_init(struct order *o);
void order_free(struct order *o);

/* Puts a number at the end, from wherever it is. */
void order_last(struct order *o, uint32_t x);
/* Takes it out, if it is in. */
void order_remove(struct order *o, uint32_t x);

static inline bool order_has(const struct order *o, uint32_t x) {
    return x < o->room && o->link[x].in;
}

/* The one behind x, which is in; ORDER_NONE: there is none. */
static inline uint32_t order_after(const struct order *o, uint32_t x) {
    return o->link[x].after;
}

#endif
