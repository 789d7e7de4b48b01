/* RRIP with frequency priority, and a delay: each resident page has a prediction of 2 bits of when
 * it is used again, which a use makes one step nearer. Of the pages that are predicted for the
 * distant future and are ripe (have been here for the delay), the one in the lowest place leaves: a
 * place is a way of RRIP's one set, and a page that comes takes over that of one that has left. */
#include <stdlib.h>

#include "evict/evict.h"
#include "evict/order.h"
#include "lib/table.h"

enum { NEAR_IMMEDIATE, NEAR, LONG, DISTANT, PREDICTIONS };

struct stay {
    uint64_t faults;  /* taken before it came */
    uint32_t place;   /* it has */
    uint32_t in_heap; /* where in the heap; 0: not there */
};

struct rrip {
    const struct pages *pages;
    unsigned insert; /* prediction for a page that comes */
    uint64_t delay, faults;
    struct order resident, unripe;   /* pages in the order of arrival */
    struct order group[PREDICTIONS]; /* pages by prediction, in no order */
    struct order left;               /* places of pages that have left, in that order */
    uint32_t places;                 /* so far */
    uint32_t *heap;    /* owned; pages that are ripe and distant, the lowest place at 1 */
    struct stay *stay; /* owned; by page */
    uint32_t n, heap_room, stay_room;
};

static void *create(const struct evict_env *env) {
    struct rrip *p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    p->pages = env->pages;
    p->insert = env->cfg->rrip_insert == RRIP_DISTANT ? DISTANT : LONG;
    p->delay = (uint64_t)env->cfg->rrip_delay;
    order_init(&p->resident);
    order_init(&p->unripe);
    order_init(&p->left);
    for (unsigned i = 0; i < PREDICTIONS; i++)
        order_init(&p->group[i]);
    return p;
}

static void destroy(void *policy) {
    struct rrip *p = policy;
    order_free(&p->resident);
    order_free(&p->unripe);
    order_free(&p->left);
    for (unsigned i = 0; i < PREDICTIONS; i++)
        order_free(&p->group[i]);
    free(p->heap);
    free(p->stay);
    free(p);
}

/* ---- ripe and distant pages ---- */

static bool lower(const struct rrip *p, uint32_t page, uint32_t other) {
    return p->stay[page].place < p->stay[other].place;
}

static void put(struct rrip *p, uint32_t at, uint32_t page) {
    p->heap[at] = page;
    p->stay[page].in_heap = at;
}

static void rise(struct rrip *p, uint32_t at, uint32_t page) {
    for (; at > 1 && lower(p, page, p->heap[at / 2]); at /= 2)
        put(p, at, p->heap[at / 2]);
    put(p, at, page);
}

static void sink(struct rrip *p, uint32_t at, uint32_t page) {
    for (uint32_t child; (child = 2 * at) <= p->n; at = child) {
        if (child < p->n && lower(p, p->heap[child + 1], p->heap[child]))
            child++;
        if (lower(p, page, p->heap[child]))
            break;
        put(p, at, p->heap[child]);
    }
    put(p, at, page);
}

/* If it is ripe and distant. The heap has room for every page. */
static void heap_add(struct rrip *p, uint32_t page) {
    if (order_has(&p->group[DISTANT], page) && !order_has(&p->unripe, page))
        rise(p, ++p->n, page);
}

static void heap_remove(struct rrip *p, uint32_t page) {
    uint32_t at = p->stay[page].in_heap;
    if (!at)
        return;
    uint32_t last = p->heap[p->n--];
    p->stay[page].in_heap = 0;
    if (last == page)
        return;
    rise(p, at, last);
    sink(p, p->stay[last].in_heap, last);
}

/* Of the pages in the heap from there down that may leave, the one in the lowest place; or
 * PAGE_NONE. */
static uint32_t lowest(const struct rrip *p, uint32_t at) {
    if (at > p->n)
        return PAGE_NONE;
    if (page_evictable(p->pages, p->heap[at]))
        return p->heap[at];
    uint32_t left = lowest(p, 2 * at), right = lowest(p, 2 * at + 1);
    if (left == PAGE_NONE || right == PAGE_NONE)
        return left == PAGE_NONE ? right : left;
    return lower(p, left, right) ? left : right;
}

static bool passed(const struct rrip *p, uint32_t page) {
    return p->faults - p->stay[page].faults >= p->delay;
}

static void ripen(struct rrip *p) {
    for (uint32_t page; (page = p->unripe.first) != ORDER_NONE && passed(p, page);) {
        order_remove(&p->unripe, page);
        heap_add(p, page);
    }
}

/* ---- predictions ---- */

static unsigned prediction(const struct rrip *p, uint32_t page) {
    unsigned i = 0;
    while (i < DISTANT && !order_has(&p->group[i], page))
        i++;
    return i;
}

static void predict(struct rrip *p, uint32_t page, unsigned prediction) {
    order_last(&p->group[prediction], page);
    heap_add(p, page);
}

static void forget(struct rrip *p, uint32_t page) {
    heap_remove(p, page);
    for (unsigned i = 0; i < PREDICTIONS; i++)
        order_remove(&p->group[i], page);
}

/* Every prediction goes one step further. */
static void age(struct rrip *p) {
    struct order emptied = p->group[LONG];
    for (uint32_t page; (page = emptied.first) != ORDER_NONE;) {
        order_remove(&emptied, page);
        predict(p, page, DISTANT);
    }
    for (unsigned i = LONG; i > NEAR_IMMEDIATE; i--)
        p->group[i] = p->group[i - 1];
    p->group[NEAR_IMMEDIATE] = emptied;
}

/* ---- the policy ---- */

static void fault(void *policy, uint32_t page) {
    (void)page;
    struct rrip *p = policy;
    p->faults++;
}

/* While SMs wait for the page, its walks are those of the fault, made again. */
static void touch(void *policy, uint32_t page, uint32_t times) {
    struct rrip *p = policy;
    if (!order_has(&p->resident, page) || p->pages->page[page].waiters)
        return;
    unsigned now = prediction(p, page);
    forget(p, page);
    predict(p, page, now > times ? now - times : NEAR_IMMEDIATE);
}

static uint32_t take_place(struct rrip *p) {
    uint32_t place = p->left.first;
    if (place == ORDER_NONE)
        return p->places++;
    order_remove(&p->left, place);
    return place;
}

static void come(void *policy, uint32_t page, bool demanded) {
    (void)demanded;
    struct rrip *p = policy;
    struct stay *stay = table_reach(p->stay, &p->stay_room, page + 1, sizeof *stay);
    if (stay)
        p->stay = stay;
    uint32_t *heap = table_reach(p->heap, &p->heap_room, page + 2, sizeof *heap);
    if (heap)
        p->heap = heap;
    if (!stay || !heap)
        return;
    stay[page] = (struct stay){p->faults, take_place(p), 0};
    order_last(&p->resident, page);
    order_last(&p->unripe, page);
    predict(p, page, p->insert);
}

static void gone(void *policy, uint32_t page) {
    struct rrip *p = policy;
    if (!order_has(&p->resident, page))
        return;
    forget(p, page);
    order_remove(&p->resident, page);
    order_remove(&p->unripe, page);
    order_last(&p->left, p->stay[page].place);
}

/* The page that came first of those that may leave, or PAGE_NONE. */
static uint32_t oldest(const struct rrip *p) {
    uint32_t page = p->resident.first;
    while (page != ORDER_NONE && !page_evictable(p->pages, page))
        page = order_after(&p->resident, page);
    return page;
}

static uint32_t choose(void *policy, uint32_t *victim) {
    struct rrip *p = policy;
    *victim = oldest(p);
    if (*victim == PAGE_NONE)
        return 0;
    if (!passed(p, *victim))
        return 1;
    ripen(p);
    while ((*victim = lowest(p, 1)) == PAGE_NONE)
        age(p);
    return 1;
}

const struct evictor evictor_rrip = {
    .name = "rrip",
    .doc = "RRIP with frequency priority, and a delay",
    .walks = true,
    .create = create,
    .destroy = destroy,
    .fault = fault,
    .touch = touch,
    .come = come,
    .gone = gone,
    .choose = choose,
};
