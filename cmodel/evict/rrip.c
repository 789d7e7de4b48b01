/* RRIP with frequency priority, and a delay: each resident page has a prediction of 2 bits of when
 * it is used again, which a use makes one step nearer. The oldest of the pages predicted for the
 * distant future leaves; before the delay has passed no page does if another can. */
#include <stdlib.h>

#include "evict/evict.h"
#include "evict/order.h"
#include "lib/table.h"

enum { NEAR_IMMEDIATE, NEAR, LONG, DISTANT };

struct arrival {
    uint64_t number; /* of all arrivals */
    uint64_t faults; /* taken before */
    uint32_t place;  /* in the heap; 0: it is not there */
};

struct rrip {
    const struct pages *pages;
    unsigned insert; /* prediction for a page that comes */
    uint64_t delay, faults, arrivals;
    struct order resident;        /* in the order of arrival */
    struct order nearer[DISTANT]; /* pages by prediction, in no order */
    uint32_t *heap;               /* owned; distant pages, the oldest at place 1 */
    struct arrival *arrival;      /* owned; by page */
    uint32_t n, places, arrival_room;
};

static void *create(const struct evict_env *env) {
    struct rrip *p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    p->pages = env->pages;
    p->insert = env->cfg->rrip_insert == RRIP_DISTANT ? DISTANT : LONG;
    p->delay = (uint64_t)env->cfg->rrip_delay;
    order_init(&p->resident);
    for (unsigned i = 0; i < DISTANT; i++)
        order_init(&p->nearer[i]);
    return p;
}

static void destroy(void *policy) {
    struct rrip *p = policy;
    order_free(&p->resident);
    for (unsigned i = 0; i < DISTANT; i++)
        order_free(&p->nearer[i]);
    free(p->heap);
    free(p->arrival);
    free(p);
}

/* ---- distant pages ---- */

static bool older(const struct rrip *p, uint32_t page, uint32_t other) {
    return p->arrival[page].number < p->arrival[other].number;
}

static void put(struct rrip *p, uint32_t place, uint32_t page) {
    p->heap[place] = page;
    p->arrival[page].place = place;
}

static void rise(struct rrip *p, uint32_t place, uint32_t page) {
    for (; place > 1 && older(p, page, p->heap[place / 2]); place /= 2)
        put(p, place, p->heap[place / 2]);
    put(p, place, page);
}

static void sink(struct rrip *p, uint32_t place, uint32_t page) {
    for (uint32_t child; (child = 2 * place) <= p->n; place = child) {
        if (child < p->n && older(p, p->heap[child + 1], p->heap[child]))
            child++;
        if (older(p, page, p->heap[child]))
            break;
        put(p, place, p->heap[child]);
    }
    put(p, place, page);
}

/* There is room for every page that is resident. */
static void heap_add(struct rrip *p, uint32_t page) {
    rise(p, ++p->n, page);
}

static void heap_remove(struct rrip *p, uint32_t page) {
    uint32_t place = p->arrival[page].place, last = p->heap[p->n--];
    p->arrival[page].place = 0;
    if (last == page)
        return;
    rise(p, place, last);
    sink(p, p->arrival[last].place, last);
}

/* The oldest of those in the heap from a place down that may leave, or PAGE_NONE. */
static uint32_t oldest_distant(const struct rrip *p, uint32_t place) {
    if (place > p->n)
        return PAGE_NONE;
    if (page_evictable(p->pages, p->heap[place]))
        return p->heap[place];
    uint32_t left = oldest_distant(p, 2 * place), right = oldest_distant(p, 2 * place + 1);
    if (left == PAGE_NONE || right == PAGE_NONE)
        return left == PAGE_NONE ? right : left;
    return older(p, left, right) ? left : right;
}

/* ---- predictions ---- */

static unsigned prediction(const struct rrip *p, uint32_t page) {
    unsigned i = 0;
    while (i < DISTANT && !order_has(&p->nearer[i], page))
        i++;
    return i;
}

static void predict(struct rrip *p, uint32_t page, unsigned prediction) {
    if (prediction == DISTANT)
        heap_add(p, page);
    else
        order_last(&p->nearer[prediction], page);
}

static void forget(struct rrip *p, uint32_t page) {
    if (p->arrival[page].place)
        heap_remove(p, page);
    for (unsigned i = 0; i < DISTANT; i++)
        order_remove(&p->nearer[i], page);
}

/* Every prediction goes one step further. */
static void age(struct rrip *p) {
    struct order emptied = p->nearer[LONG];
    for (uint32_t page; (page = emptied.first) != ORDER_NONE;) {
        order_remove(&emptied, page);
        heap_add(p, page);
    }
    for (unsigned i = LONG; i > NEAR_IMMEDIATE; i--)
        p->nearer[i] = p->nearer[i - 1];
    p->nearer[NEAR_IMMEDIATE] = emptied;
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

static void come(void *policy, uint32_t page, bool demanded) {
    (void)demanded;
    struct rrip *p = policy;
    struct arrival *arrival = table_reach(p->arrival, &p->arrival_room, page + 1, sizeof *arrival);
    if (arrival)
        p->arrival = arrival;
    uint32_t *heap = table_reach(p->heap, &p->places, page + 2, sizeof *heap);
    if (heap)
        p->heap = heap;
    if (!arrival || !heap)
        return;
    arrival[page] = (struct arrival){p->arrivals++, p->faults, 0};
    order_last(&p->resident, page);
    predict(p, page, p->insert);
}

static void gone(void *policy, uint32_t page) {
    struct rrip *p = policy;
    order_remove(&p->resident, page);
    if (page < p->arrival_room)
        forget(p, page);
}

static bool passed(const struct rrip *p, uint32_t page) {
    return p->faults - p->arrival[page].faults >= p->delay;
}

/* The page that has been here longest of those that may leave, or PAGE_NONE. */
static uint32_t oldest(const struct rrip *p) {
    uint32_t page = p->resident.first;
    while (page != ORDER_NONE && !page_evictable(p->pages, page))
        page = order_after(&p->resident, page);
    return page;
}

static uint32_t choose(void *policy, uint32_t *victim) {
    struct rrip *p = policy;
    uint32_t first = oldest(p);
    if (first == PAGE_NONE)
        return 0;
    *victim = first;
    while (passed(p, first)) {
        uint32_t page = oldest_distant(p, 1);
        if (page != PAGE_NONE && passed(p, page)) {
            *victim = page;
            break;
        }
        age(p);
    }
    return 1;
}

const struct evictor evictor_rrip = {
    .name = "rrip",
    .doc = "RRIP-FP with a delay: the oldest page predicted to be used in the distant future",
    .walks = true,
    .create = create,
    .destroy = destroy,
    .fault = fault,
    .touch = touch,
    .come = come,
    .gone = gone,
    .choose = choose,
};
