// SPDX-License-Identifier: Apache-2.0
/* Evicts the page with the farthest next use, which is known from a first pass (Belady's MIN).
 * Among pages with the same next use, or without a next use, evicts the page with the lowest
 * number. */
#include <stdlib.h>

#include "evict/evict.h"
#include "evict/heap.h"
#include "lib/alloc.h"

struct ideal {
    const struct pages *pages;
    struct book *book;
    struct heap next; /* resident pages, by next use */
};

static void *create_ideal(const struct evict_env *env) {
    struct ideal *p = alloc_zeroed(1, sizeof *p);
    p->pages = env->pages;
    p->book = env->book;
    return p;
}

static void destroy_ideal(void *policy) {
    struct ideal *p = policy;
    heap_free(&p->next);
    free(p);
}

static void add_page(void *policy, uint32_t page, bool demanded) {
    (void)demanded;
    struct ideal *p = policy;
    heap_put(&p->next, page, book_next(p->book, page));
}

static void remove_page(void *policy, uint32_t page) {
    struct ideal *p = policy;
    heap_remove(&p->next, page);
}

/* Updates the next use of the pages that were used since the last call. */
static void catch_up(struct ideal *p) {
    for (uint32_t page; book_changed(p->book, &page);)
        if (heap_has(&p->next, page))
            heap_put(&p->next, page, book_next(p->book, page));
}

static uint32_t choose_victims(void *policy, uint32_t *victim) {
    struct ideal *p = policy;
    catch_up(p);
    *victim = heap_first_evictable(&p->next, p->pages);
    return *victim != PAGE_NONE;
}

const struct evictor evictor_ideal = {
    .name = "ideal",
    .doc = "the page whose next use is farthest: Belady's MIN",
    .needs = NEED_FIRST_PASS,
    .create = create_ideal,
    .destroy = destroy_ideal,
    .add = add_page,
    .remove = remove_page,
    .choose = choose_victims,
};
