// SPDX-License-Identifier: Apache-2.0
/* The page whose next use is farthest, as the book of a first pass has it: Belady's MIN. Of
 * several, those never used again too, the one of the lowest number. */
#include <stdlib.h>

#include "evict/evict.h"
#include "evict/heap.h"
#include "lib/alloc.h"

struct ideal {
    const struct pages *pages;
    struct book *book;
    struct heap next; /* resident pages by their next use */
};

static void *create(const struct evict_env *env) {
    struct ideal *p = alloc_zeroed(1, sizeof *p);
    p->pages = env->pages;
    p->book = env->book;
    return p;
}

static void destroy(void *policy) {
    struct ideal *p = policy;
    heap_free(&p->next);
    free(p);
}

static void come(void *policy, uint32_t page, bool demanded) {
    (void)demanded;
    struct ideal *p = policy;
    heap_put(&p->next, page, book_next(p->book, page));
}

static void gone(void *policy, uint32_t page) {
    struct ideal *p = policy;
    heap_remove(&p->next, page);
}

/* What was used since the last time. */
static void catch_up(struct ideal *p) {
    for (uint32_t page; book_changed(p->book, &page);)
        if (heap_has(&p->next, page))
            heap_put(&p->next, page, book_next(p->book, page));
}

static uint32_t choose(void *policy, uint32_t *victim) {
    struct ideal *p = policy;
    catch_up(p);
    *victim = heap_first_evictable(&p->next, p->pages);
    return *victim != PAGE_NONE;
}

const struct evictor evictor_ideal = {
    .name = "ideal",
    .doc = "the page whose next use is farthest: Belady's MIN",
    .needs = NEED_FIRST_PASS,
    .create = create,
    .destroy = destroy,
    .come = come,
    .gone = gone,
    .choose = choose,
};
