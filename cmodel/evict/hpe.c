// SPDX-License-Identifier: Apache-2.0
/* HPE: the hierarchical page eviction policy of Yu et al., TCAD 2019. docs/understand/hpe.md. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "evict/evict.h"
#include "evict/hpe.h"
#include "evict/hpe_chain.h"
#include "hir/hir.h"
#include "lib/alloc.h"
#include "lib/bits.h"

#define JUMP 16        /* page sets by which the search point moves */
#define LARGE_OLD 4    /* times the pages of a set: the least old partition whose point moves */
#define RATIO2_LARGE 2 /* ratio2 from which on the application is irregular */
#define RATIO_INFINITE 1000000
#define NOT_TRIED UINT64_MAX

enum strategy { LRU, MRU_C, STRATEGIES };
enum kind { NOT_FULL, REGULAR, IRREGULAR1, IRREGULAR2 };

/* The last eviction of a page. */
struct eviction {
    uint64_t number; /* among those of its strategy, from 1; 0: there is none */
    uint8_t strategy;
};

struct hpe {
    struct hpe_chain chain;
    const struct pages *pages;
    struct stats *stats;
    uint32_t interval;      /* faults of one */
    uint32_t ratio_percent; /* ratio1 of a regular application at most */
    uint8_t forced;         /* HPE_ADAPTIVE, HPE_LRU, HPE_MRU_C */
    uint32_t transfer;      /* faults from one transfer of the HIR cache to the next */
    uint32_t faults_left;   /* until the next */
    bool calls_hir;         /* the next is due */
    unsigned count_bits;    /* of a counter of the HIR cache */

    uint32_t faults;       /* in this interval */
    uint8_t kind;          /* NOT_FULL until memory is */
    uint8_t strategy;      /* in use */
    uint32_t chosen;       /* entry whose pages leave one after the other; HPE_END: none */
    uint64_t chosen_moved; /* when it had last become the newest */

    bool jumps;                  /* a regular application with many page sets */
    uint32_t search_point;       /* entries from the newest of `old` to where MRU-C begins */
    uint64_t begun;              /* interval in which the strategy was chosen, again or not */
    uint64_t lasted[STRATEGIES]; /* intervals when it was last in use; NOT_TRIED */

    uint32_t wrong[STRATEGIES];     /* evictions known to be wrong in this interval */
    uint64_t evictions[STRATEGIES]; /* since the beginning */
    struct eviction *last;          /* owned; by page */
    uint32_t n_last;
};

static void destroy(void *policy) {
    struct hpe *h = policy;
    hpe_chain_free(&h->chain);
    free(h->last);
    free(h);
}

static void *create(const struct evict_env *env) {
    struct hpe *h = alloc_zeroed(1, sizeof *h);
    h->pages = env->pages;
    h->stats = env->stats;
    h->interval = (uint32_t)env->cfg->hpe_interval;
    h->ratio_percent = (uint32_t)env->cfg->hpe_ratio_percent;
    h->forced = (uint8_t)env->cfg->hpe_strategy;
    h->transfer = h->faults_left = (uint32_t)env->cfg->hpe_transfer;
    h->count_bits = (unsigned)env->cfg->hir_count_bits;
    h->strategy = h->forced == HPE_MRU_C ? MRU_C : LRU;
    h->lasted[LRU] = h->lasted[MRU_C] = NOT_TRIED;
    hpe_chain_init(&h->chain, (uint32_t)env->cfg->hpe_set_pages, h->stats);
    return h;
}

/* ---- classification ---- */

struct census {
    uint64_t irregular, small, large; /* entries, by their counters */
};

/* An entry without a touch is in no class. */
static struct census take_census(const struct hpe_chain *c) {
    struct census n = {0};
    for (uint32_t i = c->entry[HPE_END].next; i != HPE_END; i = c->entry[i].next) {
        uint32_t counter = c->entry[i].counter;
        if (counter % c->set_pages)
            n.irregular++;
        else if (counter > 2 * c->set_pages)
            n.large++;
        else if (counter)
            n.small++;
    }
    return n;
}

static enum kind kind_of(const struct hpe *h, const struct census *n) {
    uint64_t regular = n->small + n->large;
    if (n->irregular * 100 > h->ratio_percent * regular)
        return IRREGULAR2;
    return n->large && n->large >= RATIO2_LARGE * n->small ? IRREGULAR1 : REGULAR;
}

static uint64_t permille(uint64_t part, uint64_t of) {
    if (!of)
        return part ? RATIO_INFINITE : 0;
    return part * 1000 / of;
}

/* Memory is full for the first time. */
static void classify(struct hpe *h) {
    struct census n = take_census(&h->chain);
    uint32_t old = hpe_chain_old(&h->chain);
    h->kind = kind_of(h, &n);
    h->begun = h->chain.interval;
    if (h->forced == HPE_ADAPTIVE && h->kind == REGULAR) {
        h->strategy = MRU_C;
        h->jumps = old >= LARGE_OLD * h->chain.set_pages;
    }
    stat_add(h->stats, STAT_hpe_regular, h->kind == REGULAR);
    stat_add(h->stats, STAT_hpe_irregular1, h->kind == IRREGULAR1);
    stat_add(h->stats, STAT_hpe_irregular2, h->kind == IRREGULAR2);
    stat_add(h->stats, STAT_hpe_ratio1_permille, permille(n.irregular, n.small + n.large));
    stat_add(h->stats, STAT_hpe_ratio2_permille, permille(n.large, n.small));
    stat_add(h->stats, STAT_hpe_old_sets, old);
}

/* ---- dynamic adjustment ---- */

/* irregular#2: the strategy in use has failed. The other one is next, unless it lasted less when it
 * was last in use. */
static void change_strategy(struct hpe *h) {
    uint8_t other = h->strategy == LRU ? MRU_C : LRU;
    uint64_t lasted = h->chain.interval - h->begun;
    h->lasted[h->strategy] = lasted;
    h->begun = h->chain.interval;
    if (lasted > h->lasted[other])
        return;
    h->strategy = other;
    h->chosen = HPE_END;
    stat_add(h->stats, STAT_hpe_switches, 1);
}

static void adjust(struct hpe *h) {
    if (h->jumps) {
        h->search_point += JUMP;
        h->chosen = HPE_END;
        stat_add(h->stats, STAT_hpe_jumps, 1);
    } else if (h->forced == HPE_ADAPTIVE && h->kind == IRREGULAR2) {
        change_strategy(h);
    }
}

/* A fault on a page that is still in a FIFO of evicted pages: each holds two intervals' worth. */
static void judge_eviction(struct hpe *h, uint32_t page) {
    if (page >= h->n_last || !h->last[page].number)
        return;
    uint8_t by = h->last[page].strategy;
    uint64_t since = h->evictions[by] - h->last[page].number;
    if (since >= 2 * (uint64_t)h->interval)
        return;
    stat_add(h->stats, STAT_hpe_wrong, 1);
    if (++h->wrong[by] == h->chain.set_pages && by == h->strategy)
        adjust(h);
}

static void note_eviction(struct hpe *h, uint32_t page) {
    uint64_t number = ++h->evictions[h->strategy];
    if (page >= h->n_last) {
        h->last = alloc_resized(h->last, h->pages->n, sizeof *h->last);
        memset(&h->last[h->n_last], 0, (h->pages->n - h->n_last) * sizeof *h->last);
        h->n_last = h->pages->n;
    }
    h->last[page] = (struct eviction){number, h->strategy};
}

static void end_interval(struct hpe *h) {
    stat_add(h->stats, STAT_hpe_intervals, 1);
    if (h->kind != NOT_FULL)
        stat_add(h->stats, h->strategy == MRU_C ? STAT_hpe_intervals_mru_c : STAT_hpe_intervals_lru,
                 1);
    hpe_chain_end_interval(&h->chain);
    h->wrong[LRU] = h->wrong[MRU_C] = 0;
    h->faults = 0;
}

/* ---- choice ---- */

/* The lowest page of an entry that may leave, or PAGE_NONE. */
static uint32_t victim_of(const struct hpe *h, uint32_t entry) {
    uint32_t first = hpe_chain_first(&h->chain, entry);
    for (uint64_t left = h->chain.entry[entry].here; left; left &= left - 1) {
        uint32_t page = first + bits_lowest(left);
        if (page_evictable(h->pages, page))
            return page;
    }
    return PAGE_NONE;
}

/* The oldest, of whichever partition. */
static uint32_t search_lru(const struct hpe *h) {
    const struct hpe_entry *e = h->chain.entry;
    for (uint32_t i = e[HPE_END].next; i != HPE_END; i = e[i].next)
        if (victim_of(h, i) != PAGE_NONE)
            return i;
    return HPE_END;
}

/* From `first` to older ones, before `end`: the first whose counter is the size of a set, else the
 * first with the lowest counter. */
static uint32_t search_counters(const struct hpe *h, uint32_t first, uint32_t end) {
    const struct hpe_entry *e = h->chain.entry;
    uint32_t best = HPE_END;
    for (uint32_t i = first; i != end; i = e[i].prev) {
        stat_add(h->stats, STAT_hpe_compared, 1);
        if (victim_of(h, i) == PAGE_NONE)
            continue;
        if (e[i].counter == h->chain.set_pages)
            return i;
        if (best == HPE_END || e[i].counter < e[best].counter)
            best = i;
    }
    return best;
}

/* In the old partition, from the search point on; if nothing there may leave, before it. */
static uint32_t search_mru_c(const struct hpe *h) {
    const struct hpe_entry *e = h->chain.entry;
    uint32_t newest = h->chain.p1, point = newest;
    if (newest == HPE_END)
        return HPE_END;
    for (uint32_t i = 0; i < h->search_point && e[point].prev != HPE_END; i++)
        point = e[point].prev;
    stat_add(h->stats, STAT_hpe_searches, 1);
    uint32_t found = search_counters(h, point, HPE_END);
    return found != HPE_END ? found : search_counters(h, newest, point);
}

static void choose_entry(struct hpe *h) {
    h->chosen = h->strategy == MRU_C ? search_mru_c(h) : HPE_END;
    if (h->chosen == HPE_END)
        h->chosen = search_lru(h);
    h->chosen_moved = h->chain.entry[h->chosen].moved;
}

/* The entry chosen last, with pages that may leave, and not referenced in a later interval. */
static bool stays_chosen(const struct hpe *h) {
    return h->chosen != HPE_END && h->chain.entry[h->chosen].moved == h->chosen_moved &&
           victim_of(h, h->chosen) != PAGE_NONE;
}

/* ---- the interface ---- */

static void fault(void *policy, uint32_t page) {
    struct hpe *h = policy;
    judge_eviction(h, page);
    hpe_chain_fault(&h->chain, page);
    if (++h->faults == h->interval)
        end_interval(h);
    if (--h->faults_left)
        return;
    h->faults_left = h->transfer;
    h->calls_hir = true;
}

bool hpe_calls_hir(struct hpe *h) {
    bool calls = h->calls_hir;
    h->calls_hir = false;
    return calls;
}

static void touch(void *policy, uint32_t page, uint32_t times) {
    struct hpe *h = policy;
    hpe_chain_touch(&h->chain, page, times);
}

/* The counters are those of the pages in their order. */
static void hear(void *policy, const uint64_t entry[2]) {
    struct hpe *h = policy;
    for (uint32_t i = 0; i < h->chain.set_pages; i++) {
        uint32_t times = (uint32_t)(entry[1] >> i * h->count_bits & bits_low(h->count_bits));
        if (times)
            touch(h, (uint32_t)entry[0] * h->chain.set_pages + i, times);
    }
}

static void come(void *policy, uint32_t page, bool demanded) {
    struct hpe *h = policy;
    (void)demanded;
    hpe_chain_come(&h->chain, page);
}

static void gone(void *policy, uint32_t page) {
    struct hpe *h = policy;
    stat_add(h->stats, STAT_hpe_chain_sets, h->chain.length);
    note_eviction(h, page);
    hpe_chain_gone(&h->chain, page);
    if (!h->chain.entry[h->chosen].listed)
        h->chosen = HPE_END;
}

static uint32_t choose(void *policy, uint32_t *victim) {
    struct hpe *h = policy;
    if (h->kind == NOT_FULL)
        classify(h);
    if (!stays_chosen(h))
        choose_entry(h);
    if (h->chosen == HPE_END)
        return 0;
    *victim = victim_of(h, h->chosen);
    return 1;
}

static bool ideal(const struct config *c) {
    return c->hpe_hits == HPE_HITS_IDEAL;
}

static int check(const struct config *c, char *err, size_t err_size) {
    if (!bits_power_of_two((uint64_t)c->hpe_set_pages))
        return config_refuse(err, err_size, "hpe.set_pages=%" PRId64 " is not a power of two",
                             c->hpe_set_pages);
    if (!bits_power_of_two((uint64_t)c->hir_sets))
        return config_refuse(err, err_size, "hir.sets=%" PRId64 " is not a power of two",
                             c->hir_sets);
    if (c->hpe_set_pages * c->hir_count_bits > 64)
        return config_refuse(err, err_size,
                             "hpe.set_pages=%" PRId64 " counters of hir.count_bits=%" PRId64
                             " are more than 64 bits",
                             c->hpe_set_pages, c->hir_count_bits);
    return 0;
}

const struct evictor evictor_hpe = {
    .name = "hpe",
    .doc = "page sets by recency and counters of their touches, strategy by classification",
    .hardware = {&hir_type},
    .ideal = ideal,
    .check = check,
    .create = create,
    .destroy = destroy,
    .fault = fault,
    .touch = touch,
    .hear = hear,
    .come = come,
    .gone = gone,
    .choose = choose,
};
