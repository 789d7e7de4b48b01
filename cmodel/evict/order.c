#include "evict/order.h"

#include <stdlib.h>

#include "lib/bits.h"

void order_init(struct order *o) {
    *o = (struct order){.first = ORDER_NONE, .last = ORDER_NONE};
}

void order_free(struct order *o) {
    free(o->before);
    free(o->after);
    order_init(o);
}

/* Makes room for number x. */
static bool reach(struct order *o, uint32_t x) {
    if (x < o->room)
        return true;
    uint64_t room = bits_round_up((uint64_t)x + 1);
    uint32_t *before = realloc(o->before, room * sizeof *before);
    if (before)
        o->before = before;
    uint32_t *after = realloc(o->after, room * sizeof *after);
    if (after)
        o->after = after;
    if (!before || !after)
        return false;
    for (uint64_t i = o->room; i < room; i++)
        before[i] = (uint32_t)i;
    o->room = (uint32_t)room;
    return true;
}

void order_last(struct order *o, uint32_t x) {
    if (!reach(o, x))
        return;
    order_remove(o, x);
    o->before[x] = o->last;
    o->after[x] = ORDER_NONE;
    *(o->last == ORDER_NONE ? &o->first : &o->after[o->last]) = x;
    o->last = x;
    o->count++;
}

void order_remove(struct order *o, uint32_t x) {
    if (!order_has(o, x))
        return;
    uint32_t before = o->before[x], after = o->after[x];
    *(before == ORDER_NONE ? &o->first : &o->after[before]) = after;
    *(after == ORDER_NONE ? &o->last : &o->before[after]) = before;
    o->before[x] = x;
    o->count--;
}
