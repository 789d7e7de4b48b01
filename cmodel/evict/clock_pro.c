// SPDX-License-Identifier: Apache-2.0
/* CLOCK-Pro with a fixed number of cold pages: one clock of hot pages, cold pages, and cold pages
 * that have left within their test period. Three hands go round it: the cold hand finds the victim,
 * the hot hand turns hot pages cold, the test hand ends test periods. */
#include <stdlib.h>

#include "evict/evict.h"
#include "lib/alloc.h"
#include "lib/table.h"

/* A page's neighbours in a ring; `after` is the direction in which hands go. */
struct link {
    uint32_t before, after;
};

struct ring {
    struct link *link; /* owned; by page */
    uint32_t room;     /* links in it */
};

struct mark {
    bool in_clock, resident, hot;
    bool test; /* cold: in its test period */
    bool used; /* the reference bit */
};

struct clock_pro {
    const struct pages *pages;
    uint32_t cold_share; /* m_c, as the key has it */
    struct mark *mark;   /* owned; by page */
    uint32_t mark_room;
    struct ring clock; /* all pages of the clock */
    struct ring cold;  /* cold resident pages, in the order of `clock` */
    /* Hands, PAGE_NONE if there is no page: */
    uint32_t hot_hand, test_hand;   /* in `clock` */
    uint32_t cold_hand;             /* in `cold` */
    uint32_t cold_at_hot;           /* the page of `cold` that the hot hand reaches next */
    uint32_t n_hot, n_cold, n_left; /* pages: hot; cold and resident; not resident */
    bool filled;                    /* the number of hot pages has reached its limit */
};

static void *create(const struct evict_env *env) {
    struct clock_pro *p = alloc_zeroed(1, sizeof *p);
    p->pages = env->pages;
    p->cold_share = (uint32_t)env->cfg->clock_pro_cold;
    p->hot_hand = p->test_hand = p->cold_hand = p->cold_at_hot = PAGE_NONE;
    return p;
}

static void destroy(void *policy) {
    struct clock_pro *p = policy;
    free(p->mark);
    free(p->clock.link);
    free(p->cold.link);
    free(p);
}

/* ---- rings ---- */

static void ring_reach(struct ring *r, uint32_t page) {
    r->link = table_reach(r->link, &r->room, page + 1, sizeof *r->link);
}

/* Behind `at`'s neighbour and before `at`; PAGE_NONE: the ring is empty. */
static void ring_insert(struct ring *r, uint32_t page, uint32_t at) {
    uint32_t after = at == PAGE_NONE ? page : at;
    uint32_t before = at == PAGE_NONE ? page : r->link[at].before;
    r->link[page] = (struct link){before, after};
    r->link[before].after = page;
    r->link[after].before = page;
}

static void ring_remove(struct ring *r, uint32_t page) {
    struct link link = r->link[page];
    r->link[link.before].after = link.after;
    r->link[link.after].before = link.before;
}

/* A hand that points to a page that is about to leave its ring goes on. */
static void release(const struct ring *r, uint32_t *hand, uint32_t page) {
    if (*hand == page)
        *hand = r->link[page].after == page ? PAGE_NONE : r->link[page].after;
}

/* ---- the clock ---- */

/* At the head, which is right behind the hot hand: that will come to it last. */
static void clock_add(struct clock_pro *p, uint32_t page) {
    ring_insert(&p->clock, page, p->hot_hand);
    p->mark[page].in_clock = true;
    if (p->hot_hand == PAGE_NONE)
        p->hot_hand = p->test_hand = page;
}

static void clock_remove(struct clock_pro *p, uint32_t page) {
    release(&p->clock, &p->hot_hand, page);
    release(&p->clock, &p->test_hand, page);
    ring_remove(&p->clock, page);
    p->mark[page].in_clock = false;
}

/* The page is at the head of the clock, or is the one that the hot hand points to. */
static void cold_add(struct clock_pro *p, uint32_t page) {
    ring_insert(&p->cold, page, p->cold_at_hot);
    if (p->cold_at_hot == PAGE_NONE)
        p->cold_at_hot = p->cold_hand = page;
    p->n_cold++;
}

static void cold_remove(struct clock_pro *p, uint32_t page) {
    release(&p->cold, &p->cold_at_hot, page);
    release(&p->cold, &p->cold_hand, page);
    ring_remove(&p->cold, page);
    p->n_cold--;
}

/* Hot pages that there may be: cold ones have their share, but one page at least is hot. */
static uint32_t most_hot(const struct clock_pro *p) {
    uint32_t all = p->pages->capacity;
    return p->cold_share < all ? all - p->cold_share : all > 1;
}

/* ---- hands ---- */

/* The test period of a cold page is over. */
static void end_test(struct clock_pro *p, uint32_t page) {
    p->mark[page].test = false;
    if (p->mark[page].resident)
        return;
    clock_remove(p, page);
    p->n_left--;
}

/* Moves the hot hand over a page. The page keeps its place and becomes the head of the clock. */
static void pass_hot(struct clock_pro *p) {
    uint32_t page = p->hot_hand;
    p->hot_hand = p->clock.link[page].after;
    if (page == p->cold_at_hot)
        p->cold_at_hot = p->cold.link[page].after;
}

/* The hot hand goes to the next hot page; what it passes ends its test period. */
static void seek_hot(struct clock_pro *p) {
    while (!p->mark[p->hot_hand].hot) {
        bool stays = p->mark[p->hot_hand].resident;
        end_test(p, p->hot_hand);
        if (stays)
            pass_hot(p);
    }
}

/* The first hot page that was not used since the hot hand was there turns cold. There is a hot
 * page. Returns it. */
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

/* A page outside the clock turns hot. */
static void add_hot(struct clock_pro *p, uint32_t page) {
    clock_add(p, page);
    p->mark[page].hot = true;
    p->n_hot++;
    while (p->n_hot > most_hot(p))
        turn_cold(p);
}

/* A page outside the clock is a cold one. */
static void add_cold(struct clock_pro *p, uint32_t page, bool test) {
    clock_add(p, page);
    cold_add(p, page);
    p->mark[page].test = test;
}

/* Not more pages that have left than GPU memory has frames. */
static void run_test(struct clock_pro *p) {
    while (p->n_left > p->pages->capacity) {
        uint32_t page = p->test_hand;
        p->test_hand = p->clock.link[page].after;
        if (!p->mark[page].hot)
            end_test(p, page);
    }
}

/* The cold page was used since the cold hand was there: within its test period it turns hot, else
 * that begins. */
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

/* The cold hand goes to the next cold page that was not used and may leave. Within two rounds it
 * has found it, or there is none: PAGE_NONE. */
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

static void touch(void *policy, uint32_t page, uint32_t times) {
    (void)times;
    struct clock_pro *p = policy;
    if (page < p->mark_room && p->mark[page].resident)
        p->mark[page].used = true;
}

/* A page comes back that was in its test period, which it has stood if it was faulted on. */
static void come_back(struct clock_pro *p, uint32_t page, bool demanded) {
    clock_remove(p, page);
    p->n_left--;
    if (demanded)
        add_hot(p, page);
    else
        add_cold(p, page, true);
}

static void come(void *policy, uint32_t page, bool demanded) {
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

static void gone(void *policy, uint32_t page) {
    struct clock_pro *p = policy;
    cold_remove(p, page);
    p->mark[page].resident = p->mark[page].used = false;
    if (p->mark[page].test)
        p->n_left++;
    else
        clock_remove(p, page);
    run_test(p);
}

/* If no cold page may leave, hot ones turn cold until one may. */
static uint32_t choose(void *policy, uint32_t *victim) {
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
    .create = create,
    .destroy = destroy,
    .touch = touch,
    .come = come,
    .gone = gone,
    .choose = choose,
};
