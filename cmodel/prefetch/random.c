// SPDX-License-Identifier: Apache-2.0
/* Prefetches pages drawn uniformly at random from the arrays. */
#include <stdlib.h>

#include "lib/random.h"
#include "lib/alloc.h"
#include "lib/table.h"
#include "prefetch/marks.h"
#include "prefetch/prefetch.h"
#include "prefetch/walk.h"

#define TRIES 64 /* number of failed draws after which the pages that may be picked are listed */

struct prefetch_random_policy {
    const struct pages *pages;
    uint64_t state;
    struct prefetch_marks picked;
    uint32_t *left; /* owned; list of the pages that may be picked, made when random draws fail */
    uint32_t room;  /* capacity of `left` */
};

static void *create_random(const struct prefetch_env *env) {
    struct prefetch_random_policy *p = alloc_zeroed(1, sizeof *p);
    p->pages = env->pages;
    p->state = (uint64_t)env->cfg->uvm_seed;
    return p;
}

static void destroy_random(void *policy) {
    struct prefetch_random_policy *p = policy;
    marks_free(&p->picked);
    free(p->left);
    free(p);
}

static bool may_be_picked(const struct prefetch_random_policy *p, uint32_t page) {
    uint64_t line;
    return page_wanted(p->pages, page) && !marks_has(&p->picked, page) &&
           pages_lines(p->pages, page, &line) > 0;
}

/* Returns a page found by random draws, or PAGE_NONE if TRIES draws fail. */
static uint32_t draw_page(struct prefetch_random_policy *p) {
    for (unsigned i = 0; i < TRIES && p->pages->n; i++) {
        uint32_t page = random_below(&p->state, p->pages->n);
        if (may_be_picked(p, page))
            return page;
    }
    return PAGE_NONE;
}

/* Lists the pages that may be picked. Returns their number. */
static uint32_t list_pages(struct prefetch_random_policy *p) {
    uint32_t n = 0, page;
    uint32_t *left = p->left = table_reach(p->left, &p->room, pages_wanted(p->pages), sizeof *left);
    struct prefetch_walk w;
    walk_begin(&w, p->pages);
    while ((page = walk_next(&w)) != PAGE_NONE)
        if (may_be_picked(p, page))
            left[n++] = page;
    return n;
}

/* Lists the pages that may be picked and draws from the list until it is empty or `room` pages are
 * picked. Returns the number of picked pages. */
static uint32_t pick_listed(struct prefetch_random_policy *p, uint32_t *out, uint32_t room) {
    uint32_t n = list_pages(p), picked = 0;
    while (n && picked < room) {
        uint32_t place = random_below(&p->state, n);
        out[picked++] = p->left[place];
        p->left[place] = p->left[--n];
    }
    return picked;
}

static uint32_t choose_pages(void *policy, const uint32_t *demand, uint32_t n, uint32_t *out,
                             uint32_t room) {
    (void)demand, (void)n;
    struct prefetch_random_policy *p = policy;
    uint32_t picked = 0;
    marks_begin(&p->picked);
    while (picked < room) {
        uint32_t page = draw_page(p);
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
    .create = create_random,
    .destroy = destroy_random,
    .choose = choose_pages,
};
