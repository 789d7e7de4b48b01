/* The page whose next use is farthest, as the book of a first pass has it: Belady's MIN. Of
 * several, those never used again too, the one of the lowest number. */
#include <stdlib.h>

#include "evict/evict.h"
#include "lib/table.h"

#define PLACE_OUT 0 /* not resident; the root is place 1 */

struct ideal {
    const struct pages *pages;
    struct book *book;
    uint32_t *heap;  /* owned; resident pages, the farthest at place 1 */
    uint64_t *next;  /* owned; by page: the next use that its place goes by */
    uint32_t *place; /* owned; by page */
    uint32_t n;      /* pages in the heap */
    uint32_t room, nexts, places;
};

static void *create(const struct evict_env *env) {
    struct ideal *p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    p->pages = env->pages;
    p->book = env->book;
    return p;
}

static void destroy(void *policy) {
    struct ideal *p = policy;
    free(p->heap);
    free(p->next);
    free(p->place);
    free(p);
}

/* ---- the heap ---- */

static bool farther(const struct ideal *p, uint32_t a, uint32_t b) {
    return p->next[a] != p->next[b] ? p->next[a] > p->next[b] : a < b;
}

static void put(struct ideal *p, uint32_t place, uint32_t page) {
    p->heap[place] = page;
    p->place[page] = place;
}

static void rise(struct ideal *p, uint32_t place) {
    uint32_t page = p->heap[place];
    for (; place > 1 && farther(p, page, p->heap[place / 2]); place /= 2)
        put(p, place, p->heap[place / 2]);
    put(p, place, page);
}

static void sink(struct ideal *p, uint32_t place) {
    uint32_t page = p->heap[place];
    for (;;) {
        uint32_t child = 2 * place;
        if (child < p->n && farther(p, p->heap[child + 1], p->heap[child]))
            child++;
        if (child > p->n || !farther(p, p->heap[child], page))
            break;
        put(p, place, p->heap[child]);
        place = child;
    }
    put(p, place, page);
}

/* The page at this place may belong higher or lower. */
static void settle(struct ideal *p, uint32_t place) {
    uint32_t page = p->heap[place];
    rise(p, place);
    sink(p, p->place[page]);
}

static void add(struct ideal *p, uint32_t page) {
    put(p, ++p->n, page);
    rise(p, p->n);
}

/* Its slot behind the heap is free then. */
static void take(struct ideal *p, uint32_t place) {
    uint32_t page = p->heap[place], last = p->heap[p->n--];
    p->place[page] = PLACE_OUT;
    if (page == last)
        return;
    put(p, place, last);
    settle(p, place);
}

static bool has(const struct ideal *p, uint32_t page) {
    return page < p->places && p->place[page] != PLACE_OUT;
}

/* ---- the policy ---- */

static bool reach(struct ideal *p, uint32_t page) {
    uint32_t *heap = table_reach(p->heap, &p->room, p->n + 2, sizeof *heap);
    if (heap)
        p->heap = heap;
    uint64_t *next = table_reach(p->next, &p->nexts, page + 1, sizeof *next);
    if (next)
        p->next = next;
    uint32_t *place = table_reach(p->place, &p->places, page + 1, sizeof *place);
    if (place)
        p->place = place;
    return heap && next && place;
}

static void come(void *policy, uint32_t page, bool demanded) {
    (void)demanded;
    struct ideal *p = policy;
    if (!reach(p, page))
        return;
    p->next[page] = book_next(p->book, page);
    add(p, page);
}

static void gone(void *policy, uint32_t page) {
    struct ideal *p = policy;
    if (has(p, page))
        take(p, p->place[page]);
}

/* Pages that were used since. */
static void catch_up(struct ideal *p) {
    for (uint32_t page; book_changed(p->book, &page);)
        if (has(p, page)) {
            p->next[page] = book_next(p->book, page);
            settle(p, p->place[page]);
        }
}

/* Those that may not leave wait behind the heap, and go back. */
static uint32_t choose(void *policy, uint32_t *victim) {
    struct ideal *p = policy;
    catch_up(p);
    uint32_t n = p->n;
    while (p->n && !page_evictable(p->pages, p->heap[1])) {
        uint32_t page = p->heap[1];
        take(p, 1);
        p->heap[p->n + 1] = page;
    }
    uint32_t found = p->n > 0;
    if (found)
        *victim = p->heap[1];
    while (p->n < n)
        add(p, p->heap[p->n + 1]);
    return found;
}

const struct evictor evictor_ideal = {
    .name = "ideal",
    .doc = "the page whose next use is farthest: Belady's MIN",
    .two_pass = true,
    .create = create,
    .destroy = destroy,
    .come = come,
    .gone = gone,
    .choose = choose,
};
