/* SPDX-License-Identifier: Apache-2.0 */
/* Slow reference model of HPE, written from the paper and from the decisions in
 * docs/understand/hpe.md. It uses the paper's own structures (FIFO buffers, a history buffer) and
 * searches all page sets for every choice. */
#ifndef MEMTWIN_TESTS_EVICT_HPE_NAIVE_H
#define MEMTWIN_TESTS_EVICT_HPE_NAIVE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "config/config.h"
#include "pages/pages.h"
#include "evict/evict.h"

#define NAIVE_SETS 512  /* maximum number of page sets */
#define NAIVE_FIFO 1024 /* maximum depth of a FIFO */
#define NAIVE_NONE (-1)

enum naive_partition { NAIVE_OLD, NAIVE_MIDDLE, NAIVE_NEW };

struct naive_set {
    bool in_chain, divided;
    bool vector[32], here[32], coming[32], primary[32];
    int counter;
    int interval;  /* interval of the set's last move */
    uint64_t when; /* sequence number of the set's last move */
};

struct naive_history {
    bool known;
    bool primary[32];
};

struct naive_fifo {
    uint32_t page[NAIVE_FIFO]; /* PAGE_NONE if the page has faulted since its eviction */
    int n;
};

struct hpe_naive {
    const struct pages *pages;
    int set_pages, interval_faults, percent, forced;
    struct naive_set set[NAIVE_SETS][2]; /* index 0: primary, or whole set; index 1: secondary */
    struct naive_history history[NAIVE_SETS];
    struct naive_fifo fifo[2]; /* index 0: LRU, index 1: MRU-C; wrong, last_length and tried have
                                  the same indices */
    int wrong[2], last_length[2];
    bool tried[2];
    uint64_t clock;
    int interval, faults, strategy, since, point;
    bool full, may_jump, may_switch;
    int victim_set,  /* set that is being evicted, or NAIVE_NONE */
        victim_half; /* half of victim_set that is being evicted, as an index of `set[i]` */
    uint64_t victim_when;
    int regular, irregular1, irregular2, switches, jumps, wrongs, divided, compared, searches;
};

static inline void naive_init(struct hpe_naive *n, const struct config *cfg,
                              const struct pages *pages) {
    memset(n, 0, sizeof *n);
    n->pages = pages;
    n->set_pages = (int)cfg->hpe_set_pages;
    n->interval_faults = (int)cfg->hpe_interval;
    n->percent = 30;
    n->forced = (int)cfg->hpe_strategy;
    n->strategy = n->forced == HPE_MRU_C;
    n->victim_set = NAIVE_NONE;
}

/* ---- page sets ---- */

static inline int naive_half(const struct hpe_naive *n, int set, int i) {
    if (n->history[set].known)
        return !n->history[set].primary[i];
    const struct naive_set *s = &n->set[set][0];
    return s->in_chain && s->divided && !s->primary[i];
}

static inline struct naive_set *naive_set_of(struct hpe_naive *n, uint32_t page) {
    int set = (int)page / n->set_pages;
    return &n->set[set][naive_half(n, set, (int)page % n->set_pages)];
}

static inline void naive_to_mru(struct hpe_naive *n, struct naive_set *s) {
    s->interval = n->interval;
    s->when = ++n->clock;
}

static inline void naive_insert(struct hpe_naive *n, struct naive_set *s) {
    if (s->in_chain)
        return;
    memset(s, 0, sizeof *s);
    s->in_chain = true;
    naive_to_mru(n, s);
}

static inline enum naive_partition naive_partition(const struct hpe_naive *n,
                                                   const struct naive_set *s) {
    int age = n->interval - s->interval;
    return age == 0 ? NAIVE_NEW : age == 1 ? NAIVE_MIDDLE : NAIVE_OLD;
}

static inline void naive_divide(struct hpe_naive *n, uint32_t page, struct naive_set *s) {
    int set = (int)page / n->set_pages;
    bool whole = true;
    if (s == &n->set[set][1] || s->divided || n->history[set].known)
        return;
    for (int i = 0; i < n->set_pages; i++) {
        s->primary[i] = s->vector[i] || s->here[i];
        whole = whole && s->primary[i];
    }
    s->divided = !whole;
    n->divided += s->divided;
}

static inline void naive_reference(struct hpe_naive *n, uint32_t page, struct naive_set *s,
                                   uint32_t times) {
    if (naive_partition(n, s) != NAIVE_NEW)
        naive_to_mru(n, s);
    while (times--) {
        if (s->counter == 4 * n->set_pages)
            return;
        if (++s->counter == 4 * n->set_pages)
            naive_divide(n, page, s);
    }
}

static inline void naive_remove(struct hpe_naive *n, int set, struct naive_set *s) {
    s->in_chain = false;
    if (s == &n->set[set][0] && s->divided && !n->history[set].known) {
        n->history[set].known = true;
        memcpy(n->history[set].primary, s->primary, sizeof s->primary);
    }
}

/* ---- dynamic adjustment ---- */

static inline void naive_adjust(struct hpe_naive *n) {
    if (n->may_jump) {
        n->point += 16;
        n->jumps++;
        n->victim_set = NAIVE_NONE;
    } else if (n->may_switch) {
        int now = n->strategy, other = !now;
        n->tried[now] = true;
        n->last_length[now] = n->interval - n->since;
        n->since = n->interval;
        if (n->tried[other] && n->last_length[now] > n->last_length[other])
            return;
        n->strategy = other;
        n->switches++;
        n->victim_set = NAIVE_NONE;
    }
}

static inline void naive_judge(struct hpe_naive *n, uint32_t page) {
    for (int s = 0; s < 2; s++)
        for (int i = 0; i < n->fifo[s].n; i++)
            if (n->fifo[s].page[i] == page) {
                n->fifo[s].page[i] = PAGE_NONE;
                n->wrongs++;
                if (++n->wrong[s] == n->set_pages && s == n->strategy)
                    naive_adjust(n);
                return;
            }
}

/* Removes the page from both FIFOs, because a page that was prefetched after its eviction may
 * still be in one. */
static inline void naive_record(struct hpe_naive *n, uint32_t page) {
    for (int i = 0; i < n->fifo[0].n; i++)
        if (n->fifo[0].page[i] == page)
            n->fifo[0].page[i] = PAGE_NONE;
    for (int i = 0; i < n->fifo[1].n; i++)
        if (n->fifo[1].page[i] == page)
            n->fifo[1].page[i] = PAGE_NONE;
    struct naive_fifo *f = &n->fifo[n->strategy];
    if (f->n == 2 * n->interval_faults)
        memmove(f->page, f->page + 1, (size_t)--f->n * sizeof f->page[0]);
    f->page[f->n++] = page;
}

/* ---- driver events ---- */

static inline void naive_fault(struct hpe_naive *n, uint32_t page) {
    naive_judge(n, page);
    struct naive_set *s = naive_set_of(n, page);
    naive_insert(n, s);
    s->vector[page % (uint32_t)n->set_pages] = true;
    s->coming[page % (uint32_t)n->set_pages] = true;
    naive_reference(n, page, s, 1);
    if (++n->faults == n->interval_faults) {
        n->faults = n->wrong[0] = n->wrong[1] = 0;
        n->interval++;
    }
}

static inline void naive_touch(struct hpe_naive *n, uint32_t page, uint32_t times) {
    struct naive_set *s = naive_set_of(n, page);
    if (s->in_chain)
        naive_reference(n, page, s, times);
}

static inline void naive_come(struct hpe_naive *n, uint32_t page) {
    struct naive_set *s = naive_set_of(n, page);
    naive_insert(n, s);
    s->here[page % (uint32_t)n->set_pages] = true;
    s->coming[page % (uint32_t)n->set_pages] = false;
}

static inline void naive_gone(struct hpe_naive *n, uint32_t page) {
    struct naive_set *s = naive_set_of(n, page);
    naive_record(n, page);
    s->here[page % (uint32_t)n->set_pages] = false;
    for (int i = 0; i < n->set_pages; i++)
        if (s->here[i] || s->coming[i])
            return;
    naive_remove(n, (int)page / n->set_pages, s);
}

/* ---- choice ---- */

static inline void naive_classify(struct hpe_naive *n) {
    int count[5] = {0}, irregular = 0, old = 0;
    for (int i = 0; i < NAIVE_SETS * 2; i++) {
        const struct naive_set *s = &n->set[i / 2][i % 2];
        if (!s->in_chain)
            continue;
        old += naive_partition(n, s) == NAIVE_OLD;
        if (s->counter % n->set_pages)
            irregular++;
        else
            count[s->counter / n->set_pages]++;
    }
    int small = count[1] + count[2], large = count[3] + count[4];
    double ratio1 = irregular ? 100.0 * irregular / (small + large) : 0; /* may be infinite */
    double ratio2 = large ? (double)large / small : 0;
    n->irregular2 = ratio1 > n->percent;
    n->irregular1 = !n->irregular2 && ratio2 >= 2;
    n->regular = !n->irregular2 && !n->irregular1;
    n->full = true;
    n->since = n->interval;
    if (n->forced != HPE_ADAPTIVE)
        return;
    n->strategy = n->regular;
    n->may_jump = n->regular && old >= 4 * n->set_pages;
    n->may_switch = n->irregular2;
}

static inline uint32_t naive_page(const struct hpe_naive *n, int set, int half) {
    for (int i = 0; i < n->set_pages; i++) {
        uint32_t page = (uint32_t)(set * n->set_pages + i);
        if (n->set[set][half].here[i] && page_evictable(n->pages, page))
            return page;
    }
    return PAGE_NONE;
}

/* model whose sets the comparison function of qsort reads */
static const struct hpe_naive *naive_sorted;

static inline int naive_later(const void *a, const void *b) {
    int i = *(const int *)a, j = *(const int *)b;
    return naive_sorted->set[i / 2][i % 2].when < naive_sorted->set[j / 2][j % 2].when ? 1 : -1;
}

/* Lists the page sets in one partition, most recently referenced first. Returns their number. */
static inline int naive_sort(const struct hpe_naive *n, enum naive_partition partition,
                             int order[NAIVE_SETS * 2]) {
    int k = 0;
    for (int i = 0; i < NAIVE_SETS * 2; i++) {
        const struct naive_set *s = &n->set[i / 2][i % 2];
        if (s->in_chain && naive_partition(n, s) == partition)
            order[k++] = i;
    }
    naive_sorted = n;
    qsort(order, (size_t)k, sizeof *order, naive_later);
    return k;
}

static inline int naive_mru_c(struct hpe_naive *n, const int *order, int from, int to) {
    int best = NAIVE_NONE;
    for (int k = from; k < to; k++) {
        const struct naive_set *s = &n->set[order[k] / 2][order[k] % 2];
        n->compared++;
        if (naive_page(n, order[k] / 2, order[k] % 2) == PAGE_NONE)
            continue;
        if (s->counter == n->set_pages)
            return order[k];
        if (s->counter > n->set_pages &&
            (best == NAIVE_NONE || s->counter < n->set[best / 2][best % 2].counter))
            best = order[k];
    }
    return best;
}

static inline int naive_select(struct hpe_naive *n) {
    static int order[NAIVE_SETS * 2];
    int k = naive_sort(n, NAIVE_OLD, order);
    if (n->strategy == 1 && k) {
        int point = n->point < k ? n->point : k - 1;
        n->searches++;
        int found = naive_mru_c(n, order, point, k);
        if (found == NAIVE_NONE)
            found = naive_mru_c(n, order, 0, point);
        if (found != NAIVE_NONE)
            return found;
    }
    for (int p = NAIVE_OLD; p <= NAIVE_NEW; p++) {
        k = naive_sort(n, (enum naive_partition)p, order);
        while (k--)
            if (naive_page(n, order[k] / 2, order[k] % 2) != PAGE_NONE)
                return order[k];
    }
    return NAIVE_NONE;
}

static inline uint32_t naive_choose(struct hpe_naive *n) {
    if (!n->full)
        naive_classify(n);
    if (n->victim_set != NAIVE_NONE) {
        const struct naive_set *s = &n->set[n->victim_set][n->victim_half];
        uint32_t page = naive_page(n, n->victim_set, n->victim_half);
        if (s->in_chain && s->when == n->victim_when && page != PAGE_NONE)
            return page;
    }
    int found = naive_select(n);
    n->victim_set = found == NAIVE_NONE ? NAIVE_NONE : found / 2;
    n->victim_half = found == NAIVE_NONE ? 0 : found % 2;
    if (found == NAIVE_NONE)
        return PAGE_NONE;
    n->victim_when = n->set[n->victim_set][n->victim_half].when;
    return naive_page(n, n->victim_set, n->victim_half);
}

#endif
