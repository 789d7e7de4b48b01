// SPDX-License-Identifier: Apache-2.0
/* Implements RRIP with frequency priority and a delay. Each resident page has a 2-bit prediction of
 * its next use, and each use moves the prediction one step nearer. A page is ripe when it has been
 * resident for the delay. Among the ripe pages whose next use is predicted for the distant
 * future, the victim is the one in the lowest place. A place is a way of RRIP's only set. A new
 * page gets the place of an evicted page. */
#include <stdlib.h>

#include "evict/evict.h"
#include "evict/heap.h"
#include "evict/order.h"
#include "lib/alloc.h"
#include "lib/table.h"

enum { PREDICT_NEAR_IMMEDIATE, PREDICT_NEAR, PREDICT_LONG, PREDICT_DISTANT, PREDICT_PREDICTIONS };

struct stay {
    uint64_t faults; /* number of faults before the page's arrival */
    uint32_t place;
};

/* Number of faults during which a page that arrived as distant is not evicted (Yu et al., section
 * V.B). */
#define RRIP_DELAY 128

struct rrip {
    const struct pages *pages;
    unsigned insert; /* prediction for a new page */
    uint64_t delay, faults;
    struct order resident, unripe;           /* pages in order of arrival */
    struct order group[PREDICT_PREDICTIONS]; /* pages by prediction, unordered */
    struct order left;                       /* places of evicted pages, in order of eviction */
    uint32_t places;                         /* number of places used so far */
    struct heap ripe;  /* pages that are ripe and distant, lowest place first */
    struct stay *stay; /* owned; indexed by page */
    uint32_t stay_room;
};

static void *create_rrip(const struct evict_env *env) {
    struct rrip *p = alloc_zeroed(1, sizeof *p);
    p->pages = env->pages;
    p->insert = env->cfg->rrip_insert == RRIP_DISTANT ? PREDICT_DISTANT : PREDICT_LONG;
    p->delay = p->insert == PREDICT_DISTANT ? RRIP_DELAY : 0;
    order_init(&p->resident);
    order_init(&p->unripe);
    order_init(&p->left);
    for (unsigned i = 0; i < PREDICT_PREDICTIONS; i++)
        order_init(&p->group[i]);
    return p;
}

static void destroy_rrip(void *policy) {
    struct rrip *p = policy;
    order_free(&p->resident);
    order_free(&p->unripe);
    order_free(&p->left);
    for (unsigned i = 0; i < PREDICT_PREDICTIONS; i++)
        order_free(&p->group[i]);
    heap_free(&p->ripe);
    free(p->stay);
    free(p);
}

/* ---- ripe and distant pages ---- */

/* Adds the page to `ripe` if it is ripe and distant. */
static void add_ripe(struct rrip *p, uint32_t page) {
    if (order_has(&p->group[PREDICT_DISTANT], page) && !order_has(&p->unripe, page))
        heap_put(&p->ripe, page, UINT64_MAX - p->stay[page].place);
}

static bool has_passed(const struct rrip *p, uint32_t page) {
    return p->faults - p->stay[page].faults >= p->delay;
}

static void ripen(struct rrip *p) {
    for (uint32_t page; (page = p->unripe.first) != ORDER_NONE && has_passed(p, page);) {
        order_remove(&p->unripe, page);
        add_ripe(p, page);
    }
}

/* ---- predictions ---- */

static unsigned prediction(const struct rrip *p, uint32_t page) {
    unsigned i = 0;
    while (i < PREDICT_DISTANT && !order_has(&p->group[i], page))
        i++;
    return i;
}

static void predict(struct rrip *p, uint32_t page, unsigned prediction) {
    order_last(&p->group[prediction], page);
    add_ripe(p, page);
}

static void forget_page(struct rrip *p, uint32_t page) {
    heap_remove(&p->ripe, page);
    for (unsigned i = 0; i < PREDICT_PREDICTIONS; i++)
        order_remove(&p->group[i], page);
}

/* Moves every prediction one step farther into the future. */
static void age_pages(struct rrip *p) {
    struct order emptied = p->group[PREDICT_LONG];
    for (uint32_t page; (page = emptied.first) != ORDER_NONE;) {
        order_remove(&emptied, page);
        predict(p, page, PREDICT_DISTANT);
    }
    for (unsigned i = PREDICT_LONG; i > PREDICT_NEAR_IMMEDIATE; i--)
        p->group[i] = p->group[i - 1];
    p->group[PREDICT_NEAR_IMMEDIATE] = emptied;
}

/* ---- the policy ---- */

static void note_fault(void *policy, uint32_t page) {
    (void)page;
    struct rrip *p = policy;
    p->faults++;
}

static void touch_page(void *policy, uint32_t page, uint32_t times) {
    struct rrip *p = policy;
    if (!order_has(&p->resident, page))
        return;
    unsigned now = prediction(p, page);
    forget_page(p, page);
    predict(p, page, now > times ? now - times : PREDICT_NEAR_IMMEDIATE);
}

static uint32_t take_place(struct rrip *p) {
    uint32_t place = p->left.first;
    if (place == ORDER_NONE)
        return p->places++;
    order_remove(&p->left, place);
    return place;
}

static void add_page(void *policy, uint32_t page, bool demanded) {
    (void)demanded;
    struct rrip *p = policy;
    p->stay = table_reach(p->stay, &p->stay_room, page + 1, sizeof *p->stay);
    p->stay[page] = (struct stay){p->faults, take_place(p)};
    order_last(&p->resident, page);
    order_last(&p->unripe, page);
    predict(p, page, p->insert);
}

static void remove_page(void *policy, uint32_t page) {
    struct rrip *p = policy;
    forget_page(p, page);
    order_remove(&p->resident, page);
    order_remove(&p->unripe, page);
    order_last(&p->left, p->stay[page].place);
}

/* Returns the evictable page that arrived first, or PAGE_NONE. */
static uint32_t oldest(const struct rrip *p) {
    uint32_t page = p->resident.first;
    while (page != ORDER_NONE && !page_evictable(p->pages, page))
        page = order_after(&p->resident, page);
    return page;
}

static uint32_t choose_victims(void *policy, uint32_t *victim) {
    struct rrip *p = policy;
    *victim = oldest(p);
    if (*victim == PAGE_NONE)
        return 0;
    if (!has_passed(p, *victim))
        return 1;
    ripen(p);
    while ((*victim = heap_first_evictable(&p->ripe, p->pages)) == PAGE_NONE)
        age_pages(p);
    return 1;
}

const struct evictor evictor_rrip = {
    .name = "rrip",
    .doc = "RRIP with frequency priority and an optional delay (rrip.insert)",
    .create = create_rrip,
    .destroy = destroy_rrip,
    .fault = note_fault,
    .touch = touch_page,
    .add = add_page,
    .remove = remove_page,
    .choose = choose_victims,
};
