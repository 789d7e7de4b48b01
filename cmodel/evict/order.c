// SPDX-License-Identifier: Apache-2.0
#include "evict/order.h"

#include "lib/table.h"

void order_init(struct order *o) {
    *o = (struct order){.first = ORDER_NONE, .last = ORDER_NONE};
}

void order_free(struct order *o) {
    free(o->link);
    order_init(o);
}

void order_last(struct order *o, uint32_t x) {
    struct order_link *link = table_reach(o->link, &o->room, x + 1, sizeof *link);
    o->link = link;
    order_remove(o, x);
    link[x] = (struct order_link){o->last, ORDER_NONE, true};
    *(o->last == ORDER_NONE ? &o->first : &link[o->last].after) = x;
    o->last = x;
}

void order_remove(struct order *o, uint32_t x) {
    if (!order_has(o, x))
        return;
    struct order_link *l = &o->link[x];
    *(l->before == ORDER_NONE ? &o->first : &o->link[l->before].after) = l->after;
    *(l->after == ORDER_NONE ? &o->last : &o->link[l->after].before) = l->before;
    l->in = false;
}
