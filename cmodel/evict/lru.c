// SPDX-License-Identifier: Apache-2.0
/* Evicts the least recently used page. A page's arrival is a use, and so is a page walk that hits
 * the page. */
#include <stdlib.h>

#include "evict/evict.h"
#include "evict/order.h"
#include "lib/alloc.h"

struct lru {
    const struct pages *pages;
    struct order used; /* resident pages, least recently used first */
};

static void *create_lru(const struct evict_env *env) {
    struct lru *p = alloc_zeroed(1, sizeof *p);
    p->pages = env->pages;
    order_init(&p->used);
    return p;
}

static void destroy_lru(void *policy) {
    struct lru *p = policy;
    order_free(&p->used);
    free(p);
}

static void touch_page(void *policy, uint32_t page, uint32_t times) {
    (void)times;
    struct lru *p = policy;
    if (order_has(&p->used, page))
        order_last(&p->used, page);
}

static void add_page(void *policy, uint32_t page, bool demanded) {
    (void)demanded;
    struct lru *p = policy;
    order_last(&p->used, page);
}

static void remove_page(void *policy, uint32_t page) {
    struct lru *p = policy;
    order_remove(&p->used, page);
}

static uint32_t choose_victims(void *policy, uint32_t *victim) {
    const struct lru *p = policy;
    for (uint32_t page = p->used.first; page != ORDER_NONE; page = order_after(&p->used, page))
        if (page_evictable(p->pages, page)) {
            *victim = page;
            return 1;
        }
    return 0;
}

const struct evictor evictor_lru = {
    .name = "lru",
    .doc = "the least recently used page",
    .create = create_lru,
    .destroy = destroy_lru,
    .touch = touch_page,
    .add = add_page,
    .remove = remove_page,
    .choose = choose_victims,
};
