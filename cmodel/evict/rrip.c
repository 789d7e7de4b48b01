// SPDX-License-Identifier: Apache-2.0
/* RRIP with frequency priority, and a delay: each resident page has a prediction of 2 bits of when
 * it is used again, which a use makes one step nearer. Of the pages that are predicted for the
 * distant future and are ripe (have been here for the delay), the one in the lowest place leaves: a
 * place is a way of RRIP's one set, and a page that comes takes over that of one that has left. */
#include <stdlib.h>

#include "evict/evict.h"
#include "evict/heap.h"
#include "evict/order.h"
#include "lib/alloc.h"
#include "lib/table.h"

enum { NEAR_IMMEDIATE, NEAR, LONG, DISTANT, PREDICTIONS };

struct stay {
    uint64_t faults; /* taken before it came */
    uint32_t place;  /* it has */
};

struct rrip {
    const struct pages *pages;
    unsigned insert; /* prediction for a page that comes */
    uint64_t delay, faults;
    struct order resident, unripe;   /* pages in the order of arrival */
    struct order group[PREDICTIONS]; /* pages by prediction, in no order */
    struct order left;               /* places of pages that have left, in that order */
    uint32_t places;                 /* so far */
    struct heap ripe;                /* pages that are ripe and distant, the lowest place first */
    struct stay *stay;               /* owned; by page */
    uint32_t stay_room;
};

static void *create(const struct evict_env *env) {
    struct rrip *p = alloc_zeroed(1, sizeof *p);
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
    heap_free(&p->ripe);
    free(p->stay);
    free(p);
}

/* ---- ripe and distant pages ---- */

/* If it is ripe and distant. */
static void add_ripe(struct rrip *p, uint32_t page) {
    if (order_has(&p->group[DISTANT], page) && !order_has(&p->unripe, page))
        heap_put(&p->ripe, page, UINT64_MAX - p->stay[page].place);
}

static bool passed(const struct rrip *p, uint32_t page) {
    return p->faults - p->stay[page].faults >= p->delay;
}

static void ripen(struct rrip *p) {
    for (uint32_t page; (page = p->unripe.first) != ORDER_NONE && passed(p, page);) {
        order_remove(&p->unripe, page);
        add_ripe(p, page);
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
    add_ripe(p, page);
}

static void forget(struct rrip *p, uint32_t page) {
    heap_remove(&p->ripe, page);
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

static void touch(void *policy, uint32_t page, uint32_t times) {
    struct rrip *p = policy;
    if (!order_has(&p->resident, page))
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
    p->stay = table_reach(p->stay, &p->stay_room, page + 1, sizeof *p->stay);
    p->stay[page] = (struct stay){p->faults, take_place(p)};
    order_last(&p->resident, page);
    order_last(&p->unripe, page);
    predict(p, page, p->insert);
}

static void gone(void *policy, uint32_t page) {
    struct rrip *p = policy;
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
    while ((*victim = heap_first_evictable(&p->ripe, p->pages)) == PAGE_NONE)
        age(p);
    return 1;
}

const struct evictor evictor_rrip = {
    .name = "rrip",
    .doc = "RRIP with frequency priority, and a delay",
    .create = create,
    .destroy = destroy,
    .fault = fault,
    .touch = touch,
    .come = come,
    .gone = gone,
    .choose = choose,
};
