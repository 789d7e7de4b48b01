// SPDX-License-Identifier: Apache-2.0
/* Implements CLOCK-Pro with a fixed number of cold pages. A clock contains the hot pages, the
 * resident cold pages, and the evicted cold pages that are in their test period. Three hands move
 * around the clock: the cold hand finds the victim, the hot hand turns hot pages cold, and the test
 * hand ends test periods. */
#include <stdlib.h>

#include "evict/evict.h"
#include "lib/alloc.h"
#include "lib/table.h"

/* Neighbors of a page in a ring. Hands move toward `after`. */
struct link {
    uint32_t before, after;
};

struct clock_pro_ring {
    struct link *link; /* owned; indexed by page */
    uint32_t room;     /* capacity of `link` in links */
};

struct mark {
    bool in_clock, resident, hot;
    bool test; /* the page is cold and in its test period */
    bool used; /* reference bit of the page */
};

struct clock_pro {
    const struct pages *pages;
    uint32_t cold_share; /* number of cold pages (m_c), from the key clock_pro.cold */
    struct mark *mark;   /* owned; indexed by page */
    uint32_t mark_room;
    struct clock_pro_ring clock; /* all pages in the clock */
    struct clock_pro_ring cold;  /* resident cold pages, in clock order */
    /* Pages at the hands, or PAGE_NONE if the hand's ring is empty. */
    uint32_t hot_hand, test_hand; /* hands in `clock` */
    uint32_t cold_hand;           /* hand in `cold` */
    uint32_t cold_at_hot;         /* page in `cold` that the hot hand reaches next */
    uint32_t n_hot,               /* number of hot pages */
        n_cold,                   /* number of resident cold pages */
        n_left;                   /* number of evicted pages in the clock */
    bool filled;                  /* the number of hot pages has reached its limit */
};

static void *create_clock_pro(const struct evict_env *env) {
    struct clock_pro *p = alloc_zeroed(1, sizeof *p);
    p->pages = env->pages;
    p->cold_share = (uint32_t)env->cfg->clock_pro_cold;
    p->hot_hand = p->test_hand = p->cold_hand = p->cold_at_hot = PAGE_NONE;
    return p;
}

static void destroy_clock_pro(void *policy) {
    struct clock_pro *p = policy;
    free(p->mark);
    free(p->clock.link);
    free(p->cold.link);
    free(p);
}

/* ---- rings ---- */

static void ring_reach(struct clock_pro_ring *r, uint32_t page) {
    r->link = table_reach(r->link, &r->room, page + 1, sizeof *r->link);
}

/* Inserts a page before `next`, which is PAGE_NONE if the ring is empty. */
static void ring_insert(struct clock_pro_ring *r, uint32_t page, uint32_t next) {
    uint32_t after = next == PAGE_NONE ? page : next;
    uint32_t before = next == PAGE_NONE ? page : r->link[next].before;
    r->link[page] = (struct link){before, after};
    r->link[before].after = page;
    r->link[after].before = page;
}

static void ring_remove(struct clock_pro_ring *r, uint32_t page) {
    struct link link = r->link[page];
    r->link[link.before].after = link.after;
    r->link[link.after].before = link.before;
}

/* Moves a hand away from a page that is about to leave the hand's ring. */
static void release_page(const struct clock_pro_ring *r, uint32_t *hand, uint32_t page) {
    if (*hand == page)
        *hand = r->link[page].after == page ? PAGE_NONE : r->link[page].after;
}

/* ---- the clock ---- */

/* Adds a page at the clock's head, directly behind the hot hand, which reaches it last. */
static void clock_add(struct clock_pro *p, uint32_t page) {
    ring_insert(&p->clock, page, p->hot_hand);
    p->mark[page].in_clock = true;
    if (p->hot_hand == PAGE_NONE)
        p->hot_hand = p->test_hand = page;
}

static void clock_remove(struct clock_pro *p, uint32_t page) {
    release_page(&p->clock, &p->hot_hand, page);
    release_page(&p->clock, &p->test_hand, page);
    ring_remove(&p->clock, page);
    p->mark[page].in_clock = false;
}

/* Adds a page to `cold`. The page must be at the head of the clock or at the hot hand. */
static void cold_add(struct clock_pro *p, uint32_t page) {
    ring_insert(&p->cold, page, p->cold_at_hot);
    if (p->cold_at_hot == PAGE_NONE)
        p->cold_at_hot = p->cold_hand = page;
    p->n_cold++;
}

static void cold_remove(struct clock_pro *p, uint32_t page) {
    release_page(&p->cold, &p->cold_at_hot, page);
    release_page(&p->cold, &p->cold_hand, page);
    ring_remove(&p->cold, page);
    p->n_cold--;
}

/* Returns the maximum number of hot pages. This is the number of frames minus the cold share, but
 * at least one if there are several frames. */
static uint32_t most_hot(const struct clock_pro *p) {
    uint32_t all = p->pages->capacity;
    return p->cold_share < all ? all - p->cold_share : all > 1;
}

/* ---- hands ---- */

/* Ends the test period of a cold page. An evicted page then leaves the clock. */
static void end_test(struct clock_pro *p, uint32_t page) {
    p->mark[page].test = false;
    if (p->mark[page].resident)
        return;
    clock_remove(p, page);
    p->n_left--;
}

/* Moves the hot hand past a page. The page keeps its position and becomes the head of the clock. */
static void pass_hot(struct clock_pro *p) {
    uint32_t page = p->hot_hand;
    p->hot_hand = p->clock.link[page].after;
    if (page == p->cold_at_hot)
        p->cold_at_hot = p->cold.link[page].after;
}

/* Moves the hot hand to the next hot page, and ends the test periods of the pages that it
 * passes. */
static void seek_hot(struct clock_pro *p) {
    while (!p->mark[p->hot_hand].hot) {
        bool stays = p->mark[p->hot_hand].resident;
        end_test(p, p->hot_hand);
        if (stays)
            pass_hot(p);
    }
}

/* Finds the first hot page that was not used since the hot hand's last visit, turns the page cold,
 * and returns it. There must be a hot page. */
static uint32_t turn_cold(struct clock_pro *p) {
    for (seek_hot(p); p->mark[p->hot_hand].used; seek_hot(p)) {
        p->mark[p->hot_hand].used = false;
        pass_hot(p);
    }
    uint32_t page = p->hot_hand;
    cold_add(p, page);
    p->hot_hand = p->clock.link[page].after;
    p->mark[page].hot = p->mark[page].test = false;
    if (--p->n_hot)
        seek_hot(p);
    return page;
}

/* Adds a hot page that is not in the clock. */
static void add_hot(struct clock_pro *p, uint32_t page) {
    clock_add(p, page);
    p->mark[page].hot = true;
    p->n_hot++;
    while (p->n_hot > most_hot(p))
        turn_cold(p);
}

/* Adds a cold page that is not in the clock. */
static void add_cold(struct clock_pro *p, uint32_t page, bool test) {
    clock_add(p, page);
    cold_add(p, page);
    p->mark[page].test = test;
}

/* Ends test periods while the clock has more evicted pages than there are frames. */
static void run_test(struct clock_pro *p) {
    while (p->n_left > p->pages->capacity) {
        uint32_t page = p->test_hand;
        p->test_hand = p->clock.link[page].after;
        if (!p->mark[page].hot)
            end_test(p, page);
    }
}

/* Handles a cold page that was used since the cold hand's last visit. If the page is in its test
 * period, the page turns hot. Otherwise, the page's test period begins. */
static void spare(struct clock_pro *p, uint32_t page) {
    bool test = p->mark[page].test;
    p->mark[page].used = false;
    cold_remove(p, page);
    clock_remove(p, page);
    if (test)
        add_hot(p, page);
    else
        add_cold(p, page, true);
}

/* Moves the cold hand to the next evictable cold page that was not used since the hand's last
 * visit. Returns the page, or PAGE_NONE if there is no such page. */
static uint32_t run_cold(struct clock_pro *p) {
    for (uint32_t passed = 0; passed < p->n_cold;) {
        uint32_t page = p->cold_hand;
        if (p->mark[page].used) {
            spare(p, page);
            passed = 0;
        } else if (page_evictable(p->pages, page)) {
            return page;
        } else {
            p->cold_hand = p->cold.link[page].after;
            passed++;
        }
    }
    return PAGE_NONE;
}

/* ---- the policy ---- */

static void touch_page(void *policy, uint32_t page, uint32_t times) {
    (void)times;
    struct clock_pro *p = policy;
    if (page < p->mark_room && p->mark[page].resident)
        p->mark[page].used = true;
}

/* Handles the return of an evicted page in its test period. If the page was demanded by a fault, it
 * has passed the test and turns hot. */
static void come_back(struct clock_pro *p, uint32_t page, bool demanded) {
    clock_remove(p, page);
    p->n_left--;
    if (demanded)
        add_hot(p, page);
    else
        add_cold(p, page, true);
}

static void add_page(void *policy, uint32_t page, bool demanded) {
    struct clock_pro *p = policy;
    struct mark *mark = p->mark = table_reach(p->mark, &p->mark_room, page + 1, sizeof *mark);
    ring_reach(&p->clock, page);
    ring_reach(&p->cold, page);
    p->filled = p->filled || p->n_hot >= most_hot(p);
    mark[page].resident = true;
    if (mark[page].in_clock)
        come_back(p, page, demanded);
    else if (!p->filled)
        add_hot(p, page);
    else
        add_cold(p, page, demanded);
}

static void remove_page(void *policy, uint32_t page) {
    struct clock_pro *p = policy;
    cold_remove(p, page);
    p->mark[page].resident = p->mark[page].used = false;
    if (p->mark[page].test)
        p->n_left++;
    else
        clock_remove(p, page);
    run_test(p);
}

/* Chooses the page that the cold hand finds. If the hand finds no page, turns hot pages cold until
 * one of the turned pages is evictable. */
static uint32_t choose_victims(void *policy, uint32_t *victim) {
    struct clock_pro *p = policy;
    *victim = run_cold(p);
    while (*victim == PAGE_NONE && p->n_hot) {
        uint32_t page = turn_cold(p);
        if (page_evictable(p->pages, page))
            *victim = page;
    }
    return *victim != PAGE_NONE;
}

const struct evictor evictor_clock_pro = {
    .name = "clock_pro",
    .doc = "CLOCK-Pro with a fixed number of cold pages",
    .create = create_clock_pro,
    .destroy = destroy_clock_pro,
    .touch = touch_page,
    .add = add_page,
    .remove = remove_page,
    .choose = choose_victims,
};
