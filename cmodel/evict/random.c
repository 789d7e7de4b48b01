// SPDX-License-Identifier: Apache-2.0
/* Any resident page, each with the same probability. */
#include <stdlib.h>

#include "evict/evict.h"
#include "lib/alloc.h"
#include "lib/random.h"
#include "lib/table.h"

struct random_policy {
    const struct pages *pages;
    uint64_t state;
    uint32_t *resident; /* owned; in no order */
    uint32_t *place;    /* owned; by page: where it is in `resident` */
    uint32_t n, room, places;
};

static void *create(const struct evict_env *env) {
    struct random_policy *p = alloc_zeroed(1, sizeof *p);
    p->pages = env->pages;
    p->state = (uint64_t)env->cfg->uvm_seed;
    return p;
}

static void destroy(void *policy) {
    struct random_policy *p = policy;
    free(p->resident);
    free(p->place);
    free(p);
}

static void put(struct random_policy *p, uint32_t place, uint32_t page) {
    p->resident[place] = page;
    p->place[page] = place;
}

static void swap(struct random_policy *p, uint32_t i, uint32_t j) {
    uint32_t page = p->resident[i];
    put(p, i, p->resident[j]);
    put(p, j, page);
}

static void come(void *policy, uint32_t page, bool demanded) {
    (void)demanded;
    struct random_policy *p = policy;
    p->place = table_reach(p->place, &p->places, page + 1, sizeof *p->place);
    p->resident = table_reach(p->resident, &p->room, p->n + 1, sizeof *p->resident);
    put(p, p->n++, page);
}

static void gone(void *policy, uint32_t page) {
    struct random_policy *p = policy;
    swap(p, p->place[page], p->n - 1);
    p->n--;
}

/* Those that may not leave are put behind those not drawn yet. */
static uint32_t choose(void *policy, uint32_t *victim) {
    struct random_policy *p = policy;
    for (uint32_t left = p->n; left; left--) {
        uint32_t drawn = random_below(&p->state, left);
        *victim = p->resident[drawn];
        if (page_evictable(p->pages, *victim))
            return 1;
        swap(p, drawn, left - 1);
    }
    return 0;
}

const struct evictor evictor_random = {
    .name = "random",
    .doc = "a random page",
    .create = create,
    .destroy = destroy,
    .come = come,
    .gone = gone,
    .choose = choose,
};
