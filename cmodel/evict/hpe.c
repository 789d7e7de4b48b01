// SPDX-License-Identifier: Apache-2.0
/* Implements HPE, the hierarchical page eviction policy of Yu et al., TCAD 2019
 * (docs/understand/hpe.md). */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "evict/evict.h"
#include "evict/hpe.h"
#include "evict/hpe_chain.h"
#include "hir/hir.h"
#include "lib/alloc.h"
#include "lib/bits.h"

#define JUMP 16           /* number of page sets by which the search point moves */
#define LARGE_OLD 4       /* MRU-C jumps if the old partition has at least 4 * set_pages entries */
#define RATIO1_PERCENT 30 /* maximum ratio1 of a regular application (Yu et al., section V.A) */
#define RATIO2_LARGE 2    /* minimum ratio2 of an irregular#1 application */
#define RATIO_INFINITE 1000000
#define NOT_TRIED UINT64_MAX

enum strategy { LRU, MRU_C, STRATEGIES };
enum hpe_kind { NOT_FULL, REGULAR, IRREGULAR1, IRREGULAR2 };

/* The last eviction of a page. */
struct eviction {
    uint64_t number; /* number among the evictions of its strategy, counted from 1; 0 if there was
                        none */
    uint8_t strategy;
};

struct hpe {
    struct hpe_chain chain;
    const struct pages *pages;
    struct stats *stats;
    uint32_t interval;    /* number of faults per interval */
    uint8_t forced;       /* HPE_ADAPTIVE, HPE_LRU or HPE_MRU_C */
    uint32_t transfer;    /* number of faults per transfer of the HIR cache */
    uint32_t faults_left; /* number of faults until the next transfer */
    bool calls_hir;       /* a transfer of the HIR cache is due */
    unsigned count_bits;  /* number of bits in a counter of the HIR cache */

    uint32_t faults;       /* number of faults in this interval */
    uint8_t kind;          /* NOT_FULL until GPU memory is full */
    uint8_t strategy;      /* strategy in use */
    uint32_t chosen;       /* entry whose pages are being evicted, or HPE_END if there is none */
    uint64_t chosen_moved; /* newest_since of the chosen entry when it was chosen */

    bool jumps;            /* the application is regular and has many page sets */
    uint32_t search_point; /* number of steps from the newest entry of the old partition to the
                              start of MRU-C's search */
    uint64_t begun;        /* interval in which the strategy was last chosen or kept */
    uint64_t lasted[STRATEGIES]; /* number of intervals for which a strategy's last use lasted, or
                                    NOT_TRIED */

    uint32_t wrong[STRATEGIES]; /* number of wrong evictions by each strategy in this interval */
    uint64_t evictions[STRATEGIES]; /* number of evictions by each strategy so far */
    struct eviction *last;          /* owned; indexed by page */
    uint32_t n_last;
};

static void destroy_hpe(void *policy) {
    struct hpe *h = policy;
    hpe_chain_free(&h->chain);
    free(h->last);
    free(h);
}

static void *create_hpe(const struct evict_env *env) {
    struct hpe *h = alloc_zeroed(1, sizeof *h);
    h->pages = env->pages;
    h->stats = env->stats;
    h->interval = (uint32_t)env->cfg->hpe_interval;
    h->forced = (uint8_t)env->cfg->hpe_strategy;
    h->transfer = h->faults_left = (uint32_t)env->cfg->hpe_transfer;
    h->count_bits = HIR_COUNT_BITS;
    h->strategy = h->forced == HPE_MRU_C ? MRU_C : LRU;
    h->lasted[LRU] = h->lasted[MRU_C] = NOT_TRIED;
    hpe_chain_init(&h->chain, (uint32_t)env->cfg->hpe_set_pages, h->stats);
    return h;
}

/* ---- classification ---- */

struct census {
    uint64_t irregular, small, large; /* numbers of entries, classified by counter */
};

/* Returns the number of entries per class. An entry with a counter of 0 is in no class. */
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

static enum hpe_kind kind_of(const struct census *n) {
    uint64_t regular = n->small + n->large;
    if (n->irregular * 100 > RATIO1_PERCENT * regular)
        return IRREGULAR2;
    return n->large && n->large >= RATIO2_LARGE * n->small ? IRREGULAR1 : REGULAR;
}

static uint64_t permille(uint64_t part, uint64_t of) {
    if (!of)
        return part ? RATIO_INFINITE : 0;
    return part * 1000 / of;
}

/* Classifies the application when GPU memory is full for the first time. */
static void classify(struct hpe *h) {
    struct census n = take_census(&h->chain);
    uint32_t old = hpe_chain_old(&h->chain);
    h->kind = kind_of(&n);
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

/* Changes the strategy in an irregular#2 application, because the current strategy has failed.
 * Keeps the current strategy if it has lasted longer than the other strategy's last use. */
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

/* Counts a wrong eviction if the faulted page is still in the FIFO of the strategy that evicted it.
 * The FIFO contains the strategy's last 2 * interval evictions. */
static void judge_eviction(struct hpe *h, uint32_t page) {
    if (page >= h->n_last || !h->last[page].number)
        return;
    uint8_t by = h->last[page].strategy;
    uint64_t since = h->evictions[by] - h->last[page].number;
    if (since >= 2 * (uint64_t)h->interval)
        return;
    stat_add(h->stats, STAT_hpe_wrong_evictions, 1);
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

/* Returns the lowest-numbered evictable page in an entry, or PAGE_NONE. */
static uint32_t victim_of(const struct hpe *h, uint32_t entry) {
    uint32_t first = hpe_chain_first(&h->chain, entry);
    for (uint64_t left = h->chain.entry[entry].here; left; left &= left - 1) {
        uint32_t page = first + bits_lowest(left);
        if (page_evictable(h->pages, page))
            return page;
    }
    return PAGE_NONE;
}

/* Returns the oldest entry with an evictable page, in any partition, or HPE_END. */
static uint32_t search_lru(const struct hpe *h) {
    const struct hpe_entry *e = h->chain.entry;
    for (uint32_t i = e[HPE_END].next; i != HPE_END; i = e[i].next)
        if (victim_of(h, i) != PAGE_NONE)
            return i;
    return HPE_END;
}

/* Searches the entries with an evictable page from `first` toward older entries, up to but not
 * including `end`. Returns the first entry whose counter equals the set size, otherwise the first
 * entry with the lowest counter above it, or HPE_END. */
static uint32_t search_counters(const struct hpe *h, uint32_t first, uint32_t end) {
    const struct hpe_entry *e = h->chain.entry;
    uint32_t best = HPE_END;
    for (uint32_t i = first; i != end; i = e[i].prev) {
        stat_add(h->stats, STAT_hpe_comparisons, 1);
        if (victim_of(h, i) == PAGE_NONE)
            continue;
        if (e[i].counter == h->chain.set_pages)
            return i;
        if (e[i].counter > h->chain.set_pages &&
            (best == HPE_END || e[i].counter < e[best].counter))
            best = i;
    }
    return best;
}

/* Searches the old partition from the search point toward older entries. If no entry there has an
 * evictable page, searches the newer entries. Returns the entry, or HPE_END. */
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
    h->chosen_moved = h->chain.entry[h->chosen].newest_since;
}

/* True if the last chosen entry has an evictable page and was not referenced in a later
 * interval. */
static bool stays_chosen(const struct hpe *h) {
    return h->chosen != HPE_END && h->chain.entry[h->chosen].newest_since == h->chosen_moved &&
           victim_of(h, h->chosen) != PAGE_NONE;
}

/* ---- the interface ---- */

static void note_fault(void *policy, uint32_t page) {
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

static void touch_page(void *policy, uint32_t page, uint32_t times) {
    struct hpe *h = policy;
    hpe_chain_touch(&h->chain, page, times);
}

/* Receives an entry of the HIR cache. The counters in the entry are in page order. */
static void hear_entry(void *policy, const uint64_t entry[2]) {
    struct hpe *h = policy;
    for (uint32_t i = 0; i < h->chain.set_pages; i++) {
        uint32_t times = (uint32_t)(entry[1] >> i * h->count_bits & bits_low(h->count_bits));
        if (times)
            touch_page(h, (uint32_t)entry[0] * h->chain.set_pages + i, times);
    }
}

static void add_page(void *policy, uint32_t page, bool demanded) {
    struct hpe *h = policy;
    (void)demanded;
    hpe_chain_come(&h->chain, page);
}

static void remove_page(void *policy, uint32_t page) {
    struct hpe *h = policy;
    stat_add(h->stats, STAT_hpe_chain_sets, h->chain.length);
    note_eviction(h, page);
    hpe_chain_gone(&h->chain, page);
    if (!h->chain.entry[h->chosen].listed)
        h->chosen = HPE_END;
}

static uint32_t choose_victims(void *policy, uint32_t *victim) {
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

static int check_keys(const struct config *c, struct error *err) {
    if (!bits_power_of_two((uint64_t)c->hpe_set_pages))
        return error_set(err, "hpe.set_pages=%" PRId64 " is not a power of two", c->hpe_set_pages);
    if (!bits_power_of_two((uint64_t)c->hir_sets))
        return error_set(err, "hir.sets=%" PRId64 " is not a power of two", c->hir_sets);
    return 0;
}

const struct evictor evictor_hpe = {
    .name = "hpe",
    .doc = "page sets by recency and touch counters, with a strategy chosen by classification",
    .hardware = {&hir_type},
    .ideal = ideal,
    .check = check_keys,
    .create = create_hpe,
    .destroy = destroy_hpe,
    .fault = note_fault,
    .touch = touch_page,
    .hear = hear_entry,
    .add = add_page,
    .remove = remove_page,
    .choose = choose_victims,
};
