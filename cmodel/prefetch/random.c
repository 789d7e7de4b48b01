// SPDX-License-Identifier: Apache-2.0
/* Any page of the arrays, each with the same probability. */
#include <stdlib.h>

#include "lib/random.h"
#include "lib/alloc.h"
#include "lib/table.h"
#include "prefetch/marks.h"
#include "prefetch/prefetch.h"
#include "prefetch/walk.h"

#define TRIES 64 /* draws for a page, before all that are left are listed */

struct random_policy {
    const struct pages *pages;
    uint64_t state;
    struct marks picked;
    uint32_t *left; /* owned; pages that may be picked, when they are few */
    uint32_t room;  /* pages in it */
};

static void *create(const struct prefetch_env *env) {
    struct random_policy *p = alloc_zeroed(1, sizeof *p);
    p->pages = env->pages;
    p->state = (uint64_t)env->cfg->uvm_seed;
    return p;
}

static void destroy(void *policy) {
    struct random_policy *p = policy;
    marks_free(&p->picked);
    free(p->left);
    free(p);
}

static bool may_be_picked(const struct random_policy *p, uint32_t page) {
    uint64_t line;
    return page_wanted(p->pages, page) && !marks_has(&p->picked, page) &&
           pages_lines(p->pages, page, &line) > 0;
}

/* A page found by drawing numbers, or PAGE_NONE: it was not found soon enough. */
static uint32_t draw(struct random_policy *p) {
    for (unsigned i = 0; i < TRIES && p->pages->n; i++) {
        uint32_t page = random_below(&p->state, p->pages->n);
        if (may_be_picked(p, page))
            return page;
    }
    return PAGE_NONE;
}

/* Lists the pages that may be picked. Returns how many. */
static uint32_t list(struct random_policy *p) {
    uint32_t n = 0, page;
    uint32_t *left = p->left = table_reach(p->left, &p->room, pages_wanted(p->pages), sizeof *left);
    struct walk w;
    walk_begin(&w, p->pages);
    while ((page = walk_next(&w)) != PAGE_NONE)
        if (may_be_picked(p, page))
            left[n++] = page;
    return n;
}

/* Picks from the list until it or the room is used up. Returns how many. */
static uint32_t pick_listed(struct random_policy *p, uint32_t *out, uint32_t room) {
    uint32_t n = list(p), picked = 0;
    while (n && picked < room) {
        uint32_t place = random_below(&p->state, n);
        out[picked++] = p->left[place];
        p->left[place] = p->left[--n];
    }
    return picked;
}

static uint32_t choose(void *policy, const uint32_t *demand, uint32_t n, uint32_t *out,
                       uint32_t room) {
    (void)demand, (void)n;
    struct random_policy *p = policy;
    uint32_t picked = 0;
    marks_begin(&p->picked);
    while (picked < room) {
        uint32_t page = draw(p);
        if (page == PAGE_NONE)
            return picked + pick_listed(p, &out[picked], room - picked);
        marks_meet(&p->picked, page);
        out[picked++] = page;
    }
    return picked;
}

const struct prefetcher prefetcher_random = {
    .name = "random",
    .doc = "a random page of the arrays",
    .fills = true,
    .create = create,
    .destroy = destroy,
    .choose = choose,
};
