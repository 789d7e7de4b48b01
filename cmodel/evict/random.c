// SPDX-License-Identifier: Apache-2.0
/* Evicts a resident page that is chosen uniformly at random. */
#include <stdlib.h>

#include "evict/evict.h"
#include "lib/alloc.h"
#include "lib/random.h"
#include "lib/table.h"

struct evict_random_policy {
    const struct pages *pages;
    uint64_t state;
    uint32_t *resident; /* owned; resident pages, unordered */
    uint32_t *place;    /* owned; indexed by page: the page's index in `resident` */
    uint32_t n, room, places;
};

static void *create_random(const struct evict_env *env) {
    struct evict_random_policy *p = alloc_zeroed(1, sizeof *p);
    p->pages = env->pages;
    p->state = (uint64_t)env->cfg->uvm_seed;
    return p;
}

static void destroy_random(void *policy) {
    struct evict_random_policy *p = policy;
    free(p->resident);
    free(p->place);
    free(p);
}

static void put_page(struct evict_random_policy *p, uint32_t place, uint32_t page) {
    p->resident[place] = page;
    p->place[page] = place;
}

static void swap_pages(struct evict_random_policy *p, uint32_t i, uint32_t j) {
    uint32_t page = p->resident[i];
    put_page(p, i, p->resident[j]);
    put_page(p, j, page);
}

static void add_page(void *policy, uint32_t page, bool demanded) {
    (void)demanded;
    struct evict_random_policy *p = policy;
    p->place = table_reach(p->place, &p->places, page + 1, sizeof *p->place);
    p->resident = table_reach(p->resident, &p->room, p->n + 1, sizeof *p->resident);
    put_page(p, p->n++, page);
}

static void remove_page(void *policy, uint32_t page) {
    struct evict_random_policy *p = policy;
    swap_pages(p, p->place[page], p->n - 1);
    p->n--;
}

/* Draws an evictable page. Moves rejected pages behind the pages that were not drawn yet. */
static uint32_t choose_victims(void *policy, uint32_t *victim) {
    struct evict_random_policy *p = policy;
    for (uint32_t left = p->n; left; left--) {
        uint32_t drawn = random_below(&p->state, left);
        *victim = p->resident[drawn];
        if (page_evictable(p->pages, *victim))
            return 1;
        swap_pages(p, drawn, left - 1);
    }
    return 0;
}

const struct evictor evictor_random = {
    .name = "random",
    .doc = "a random page",
    .create = create_random,
    .destroy = destroy_random,
    .add = add_page,
    .remove = remove_page,
    .choose = choose_victims,
};
