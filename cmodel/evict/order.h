/* SPDX-License-Identifier: Apache-2.0 */
/* Implements an ordered list of numbers, for example of pages or chunks, as a doubly linked list in
 * a table that grows with the largest number. Every operation takes constant time. */
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
    struct order_link *link; /* owned; indexed by number */
    uint32_t room;           /* capacity of `link` in links */
    uint32_t first, last;
};

void order_init(struct order *o);
void order_free(struct order *o);

/* Moves a number to the end of the list, or adds it there. */
void order_last(struct order *o, uint32_t x);
/* Removes a number if it is in the list. */
void order_remove(struct order *o, uint32_t x);

static inline bool order_has(const struct order *o, uint32_t x) {
    return x < o->room && o->link[x].in;
}

/* Returns the number after x, or ORDER_NONE if x is the last. x must be in the list. */
static inline uint32_t order_after(const struct order *o, uint32_t x) {
    return o->link[x].after;
}

#endif
