// SPDX-License-Identifier: Apache-2.0
#include "policy/ucp.h"

#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"

#define SETS_PER_MONITORED 8

/* ---- creation and destruction ---- */

static void share_equally(struct ucp *u) {
    for (uint32_t k = 0; k < u->kernels; k++)
        u->share[k] = u->ways / u->kernels + (k < u->ways % u->kernels);
}

void ucp_init(struct ucp *u, const struct lines *t, uint32_t kernels, uint64_t interval) {
    const uint32_t sets = (t->sets + SETS_PER_MONITORED - 1) / SETS_PER_MONITORED;
    *u = (struct ucp){
        .interval = interval,
        .decides = interval,
        .kernels = kernels,
        .ways = t->ways,
        .sets = sets,
    };
    const size_t tags = (size_t)kernels * sets * t->ways;
    u->tag = alloc_array(tags, sizeof *u->tag);
    u->hits = alloc_zeroed((size_t)kernels * t->ways, sizeof *u->hits);
    u->owner = alloc_zeroed(lines_count(t), sizeof *u->owner);
    for (size_t i = 0; i < tags; i++)
        u->tag[i] = LINE_NONE;
    share_equally(u);
}

void ucp_free(struct ucp *u) {
    free(u->tag);
    free(u->hits);
    free(u->owner);
}

/* ---- lines ---- */

/* Counts each kernel's ways in the set and returns WAY_NONE. If the set has a free way, returns
 * that way instead, and the counts are incomplete. */
static uint32_t count_ways(const struct ucp *u, const struct lines *t, uint32_t set,
                           uint32_t has[WORKLOADS_AT_ONCE]) {
    for (uint32_t k = 0; k < WORKLOADS_AT_ONCE; k++)
        has[k] = 0;
    for (uint32_t way = set * t->ways; way < lines_end(t, set); way++) {
        if (t->line[way] == LINE_NONE)
            return way;
        has[u->owner[way]]++;
    }
    return WAY_NONE;
}

uint32_t ucp_victim(const struct ucp *u, const struct lines *t, uint32_t set, uint32_t kernel) {
    uint32_t has[WORKLOADS_AT_ONCE], own = WAY_NONE;
    const uint32_t free_way = count_ways(u, t, set, has);
    if (free_way != WAY_NONE)
        return free_way;
    for (uint32_t way = lines_oldest(t, set); way != WAY_NONE; way = lines_newer(t, set, way)) {
        const uint32_t owner = u->owner[way];
        if (t->way[way].pending)
            continue;
        if (has[owner] > u->share[owner])
            return way;
        if (owner == kernel && own == WAY_NONE)
            own = way;
    }
    return own;
}

/* ---- monitors ---- */

/* Returns the kernel's tags in the set, most recently used first, or NULL if the set is not
 * monitored. */
static uint64_t *tags_of(const struct ucp *u, uint32_t set, uint32_t kernel) {
    if (set % SETS_PER_MONITORED)
        return NULL;
    return u->tag + ((uint64_t)kernel * u->sets + set / SETS_PER_MONITORED) * u->ways;
}

/* Returns the LRU position of the line, or `ways` if the line has no tag. */
static uint32_t place_of(const uint64_t *tag, uint32_t ways, uint64_t line) {
    uint32_t place = 0;
    while (place < ways && tag[place] != line)
        place++;
    return place;
}

void ucp_use(struct ucp *u, uint32_t set, uint32_t kernel, uint64_t line) {
    uint64_t *tag = tags_of(u, set, kernel);
    if (!tag)
        return;
    uint32_t place = place_of(tag, u->ways, line);
    if (place < u->ways)
        u->hits[kernel * u->ways + place]++;
    else
        place--; /* the least recently used tag is dropped */
    memmove(tag + 1, tag, place * sizeof *tag);
    *tag = line;
}

static void drop_tag(uint64_t *tag, uint32_t ways, uint32_t place) {
    memmove(tag + place, tag + place + 1, (ways - 1 - place) * sizeof *tag);
    tag[ways - 1] = LINE_NONE;
}

void ucp_evict(struct ucp *u, uint32_t set, uint32_t kernel, uint64_t line) {
    uint64_t *tag = tags_of(u, set, kernel);
    const uint32_t place = tag ? place_of(tag, u->ways, line) : u->ways;
    if (place < u->ways)
        drop_tag(tag, u->ways, place);
}

void ucp_forget(struct ucp *u, uint64_t first, uint64_t end) {
    uint64_t *last = u->tag + (uint64_t)u->kernels * u->sets * u->ways;
    for (uint64_t *tag = u->tag; tag < last; tag += u->ways)
        for (uint32_t place = u->ways; place-- > 0;)
            if (tag[place] >= first && tag[place] < end)
                drop_tag(tag, u->ways, place);
}

/* ---- decisions ---- */

/* Gain of a kernel from additional ways. */
struct gain {
    uint64_t hits;
    uint32_t ways;
};

static bool more_per_way(const struct gain *x, const struct gain *y) {
    return x->hits * y->ways > y->hits * x->ways;
}

/* Returns the gain with the most hits per way among the gains from 1 to `most` additional ways.
 * hits[0] is the number of hits gained by the first additional way. */
static struct gain best_gain(const uint64_t *hits, uint32_t most) {
    struct gain all = {0, 0}, best = {0, 1};
    for (uint32_t n = 0; n < most; n++) {
        all.hits += hits[n];
        all.ways++;
        if (more_per_way(&all, &best))
            best = all;
    }
    return best;
}

void ucp_share_out(const uint64_t *hits, uint32_t kernels, uint32_t ways,
                   uint32_t share[WORKLOADS_AT_ONCE]) {
    uint32_t left = ways - kernels;
    for (uint32_t k = 0; k < kernels; k++)
        share[k] = 1;
    while (left) {
        uint32_t winner = 0;
        struct gain most = {0, 1};
        for (uint32_t k = 0; k < kernels; k++) {
            const struct gain gain = best_gain(hits + (uint64_t)k * ways + share[k], left);
            if (k && !more_per_way(&gain, &most) &&
                (more_per_way(&most, &gain) || share[k] >= share[winner]))
                continue;
            winner = k;
            most = gain;
        }
        share[winner] += most.ways;
        left -= most.ways;
    }
}

void ucp_decide(struct ucp *u, uint64_t cycle) {
    u->decides = cycle - cycle % u->interval + u->interval;
    ucp_share_out(u->hits, u->kernels, u->ways, u->share);
    for (uint32_t i = 0; i < u->kernels * u->ways; i++)
        u->hits[i] /= 2;
}
