/* SPDX-License-Identifier: Apache-2.0 */
/* Slow reference model of hir, written from docs/understand/hir.md with ways and valid bits, cycle
 * numbers, and a search for the order. It is independent of the C model. */
#ifndef MEMTWIN_TESTS_HIR_NAIVE_H
#define MEMTWIN_TESTS_HIR_NAIVE_H

#include <stdlib.h>
#include <string.h>

#include "hir/hir_ports.h"

struct naive_entry {
    bool valid, left;
    uint64_t tag, first; /* `first` is the cycle in which the entry was created */
    uint64_t counts[32];
};

struct hir_naive {
    struct block_params p;
    uint64_t now;      /* number of the current cycle */
    struct hir_in was; /* inputs of the previous cycle; hit_valid is 0 if no hit was accepted */
    bool flushing;
    uint64_t flushed; /* cycle of the flush, called t in hir.md */
    uint64_t lost;
    struct naive_entry *entries; /* WAYS entries for each set */
};

static inline uint64_t naive_entries(const struct hir_naive *n) {
    return (uint64_t)(n->p.v[HIR_SETS] * n->p.v[HIR_WAYS]);
}

static inline void naive_restart(struct hir_naive *n) {
    memset(n->entries, 0, naive_entries(n) * sizeof *n->entries);
    n->was.hit_valid = 0;
    n->flushing = false;
    n->lost = 0;
}

static inline void naive_init(struct hir_naive *n, const struct block_params *p) {
    *n = (struct hir_naive){.p = *p};
    n->entries = malloc(naive_entries(n) * sizeof *n->entries);
    naive_restart(n);
}

static inline void naive_free(struct hir_naive *n) {
    free(n->entries);
}

/* ---- Recording ---- */

struct naive_place {
    uint64_t set, tag, way;
    bool found, lose;
};

/* Returns the place of the entry for the previous cycle's hit. */
static inline struct naive_place naive_place(const struct hir_naive *n) {
    uint64_t sets = (uint64_t)n->p.v[HIR_SETS], ways = (uint64_t)n->p.v[HIR_WAYS];
    struct naive_place at = {.set = n->was.hit_set % sets, .tag = n->was.hit_set / sets};
    const struct naive_entry *set = &n->entries[at.set * ways];
    for (uint64_t way = 0; way < ways; way++)
        if (set[way].valid && set[way].tag == at.tag) {
            at.found = true;
            at.way = way;
        }
    if (at.found)
        return at;
    at.lose = true;
    for (uint64_t way = ways; way-- > 0;)
        if (!set[way].valid) {
            at.lose = false;
            at.way = way;
        }
    return at;
}

static inline void naive_record(struct hir_naive *n) {
    struct naive_place at = naive_place(n);
    uint64_t most = (UINT64_C(1) << n->p.v[HIR_COUNT_W]) - 1;
    uint64_t lost_most = (UINT64_C(1) << n->p.v[HIR_LOST_W]) - 1;
    if (at.lose) {
        if (n->lost < lost_most)
            n->lost++;
        return;
    }
    struct naive_entry *e = &n->entries[at.set * (uint64_t)n->p.v[HIR_WAYS] + at.way];
    if (!at.found)
        *e = (struct naive_entry){.valid = true, .tag = at.tag, .first = n->now};
    if (e->counts[n->was.hit_page] < most)
        e->counts[n->was.hit_page]++;
}

/* ---- Sending ---- */

/* Returns the number of entries in use or, if `to_send`, of those that have not been sent yet. */
static inline uint64_t naive_count(const struct hir_naive *n, bool to_send) {
    uint64_t count = 0;
    for (uint64_t i = 0; i < naive_entries(n); i++)
        count += n->entries[i].valid && !(to_send && n->entries[i].left);
    return count;
}

/* Returns the oldest entry that has not been sent yet, or naive_entries(n) if there is none. */
static inline uint64_t naive_first(const struct hir_naive *n) {
    uint64_t best = naive_entries(n);
    for (uint64_t i = 0; i < naive_entries(n); i++) {
        const struct naive_entry *e = &n->entries[i];
        if (!e->valid || e->left)
            continue;
        if (best == naive_entries(n) || e->first < n->entries[best].first)
            best = i;
    }
    return best;
}

static inline bool naive_shows(const struct hir_naive *n) {
    return n->flushing && n->now >= n->flushed + 4;
}

static inline void naive_send(struct hir_naive *n, const struct hir_in *in) {
    if (naive_shows(n) && in->out_ready)
        n->entries[naive_first(n)].left = true;
    if (n->now >= n->flushed + 2 && !naive_count(n, true))
        naive_restart(n);
}

/* ---- A cycle ---- */

static inline void naive_eval(const struct hir_naive *n, struct hir_out *out) {
    *out = (struct hir_out){.hit_ready = !n->flushing, .busy = n->flushing, .lost = n->lost};
    out->st_count = naive_count(n, false);
    if (naive_shows(n)) {
        uint64_t i = naive_first(n), width = (uint64_t)n->p.v[HIR_COUNT_W];
        uint64_t set = i / (uint64_t)n->p.v[HIR_WAYS];
        out->out_valid = 1;
        out->out_set = n->entries[i].tag * (uint64_t)n->p.v[HIR_SETS] + set;
        for (uint64_t page = 0; page < (uint64_t)n->p.v[HIR_PAGES]; page++)
            out->out_counts += n->entries[i].counts[page] << width * page;
        out->out_last = naive_count(n, true) == 1;
    }
    if (n->was.hit_valid) {
        struct naive_place at = naive_place(n);
        out->st_look = 1;
        out->st_row = at.set;
        out->st_found = at.found;
        out->st_lose = at.lose;
        out->st_way = at.way;
    }
}

static inline void naive_tick(struct hir_naive *n, const struct hir_in *in) {
    bool ready = !n->flushing;
    if (n->was.hit_valid)
        naive_record(n);
    n->was = *in;
    n->was.hit_valid = in->hit_valid && ready;
    if (n->flushing) {
        naive_send(n, in);
    } else if (in->flush) {
        n->flushing = true;
        n->flushed = n->now;
    }
    if (in->rst)
        naive_restart(n);
    n->now++;
}

#endif
