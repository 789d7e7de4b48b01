// SPDX-License-Identifier: Apache-2.0
#include "evict/hpe_chain.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/bits.h"

/* Ensures room for all entries up to and including entry number `entry`. */
static void grow_chain(struct hpe_chain *c, uint64_t entry) {
    uint64_t n = 2 * entry + 1;
    if (n > UINT32_MAX)
        alloc_limit("page sets of HPE", UINT32_MAX);
    c->entry = alloc_resized(c->entry, n, sizeof *c->entry);
    memset(&c->entry[c->n], 0, (n - c->n) * sizeof *c->entry);
    c->n = (uint32_t)n;
}

void hpe_chain_init(struct hpe_chain *c, uint32_t set_pages, struct stats *stats) {
    assert(set_pages <= 32 && bits_power_of_two(set_pages));
    memset(c, 0, sizeof *c);
    c->set_pages = set_pages;
    c->all = UINT32_MAX >> (32 - set_pages);
    c->stats = stats;
    grow_chain(c, HPE_END);
}

void hpe_chain_free(struct hpe_chain *c) {
    free(c->entry);
    memset(c, 0, sizeof *c);
}

/* ---- from pages to entries ---- */

static uint32_t bit_of(const struct hpe_chain *c, uint32_t page) {
    return UINT32_C(1) << page % c->set_pages;
}

uint32_t hpe_chain_entry(const struct hpe_chain *c, uint32_t page) {
    uint64_t first = 2 * (uint64_t)(page / c->set_pages) + 1;
    if (first + 1 >= c->n)
        return HPE_END;
    uint32_t primary = c->entry[first].primary;
    return (uint32_t)first + (primary && !(primary & bit_of(c, page)));
}

uint32_t hpe_chain_first(const struct hpe_chain *c, uint32_t entry) {
    return (entry - 1) / 2 * c->set_pages;
}

/* Returns the page's entry, and ensures room for it. */
static struct hpe_entry *entry_for(struct hpe_chain *c, uint32_t page) {
    uint64_t second = 2 * (uint64_t)(page / c->set_pages) + 2;
    if (second >= c->n)
        grow_chain(c, second);
    return &c->entry[hpe_chain_entry(c, page)];
}

/* ---- the chain ---- */

static uint32_t number_of(const struct hpe_chain *c, const struct hpe_entry *e) {
    return (uint32_t)(e - c->entry);
}

static void take_out(struct hpe_chain *c, struct hpe_entry *e) {
    uint32_t number = number_of(c, e);
    if (c->p1 == number)
        c->p1 = e->prev;
    if (c->p2 == number)
        c->p2 = e->prev;
    c->entry[e->prev].next = e->next;
    c->entry[e->next].prev = e->prev;
}

static void put_newest(struct hpe_chain *c, struct hpe_entry *e) {
    struct hpe_entry *end = &c->entry[HPE_END];
    uint32_t number = number_of(c, e);
    e->prev = end->prev;
    e->next = HPE_END;
    c->entry[end->prev].next = number;
    end->prev = number;
    e->newest_since = c->interval;
}

static void enlist(struct hpe_chain *c, struct hpe_entry *e) {
    e->here = e->due = e->bits = e->counter = 0;
    e->listed = true;
    c->length++;
    put_newest(c, e);
}

static void delist(struct hpe_chain *c, struct hpe_entry *e) {
    take_out(c, e);
    e->listed = false;
    c->length--;
}

void hpe_chain_end_interval(struct hpe_chain *c) {
    c->p1 = c->p2;
    c->p2 = c->entry[HPE_END].prev;
    c->interval++;
}

uint32_t hpe_chain_old(const struct hpe_chain *c) {
    uint32_t n = 0;
    for (uint32_t i = c->p1; i != HPE_END; i = c->entry[i].prev)
        n++;
    return n;
}

/* ---- page events ---- */

/* Divides a set with a full counter. The set's pages that have neither faulted nor been prefetched
 * form the secondary. */
static void divide_entry(struct hpe_chain *c, struct hpe_entry *e) {
    uint32_t touched = e->bits | e->here;
    bool first = number_of(c, e) % 2 == 1;
    if (!first || e->primary || touched == c->all)
        return;
    e->primary = touched;
    stat_add(c->stats, STAT_hpe_divisions, 1);
}

static void refer_entry(struct hpe_chain *c, struct hpe_entry *e, uint32_t times) {
    if (e->newest_since != c->interval) {
        take_out(c, e);
        put_newest(c, e);
    }
    uint32_t most = HPE_COUNTER_MOST * c->set_pages, room = most - e->counter;
    if (room && times >= room)
        divide_entry(c, e);
    e->counter += times < room ? times : room;
}

void hpe_chain_fault(struct hpe_chain *c, uint32_t page) {
    struct hpe_entry *e = entry_for(c, page);
    if (!e->listed)
        enlist(c, e);
    e->due |= bit_of(c, page);
    e->bits |= bit_of(c, page);
    refer_entry(c, e, 1);
}

void hpe_chain_touch(struct hpe_chain *c, uint32_t page, uint32_t times) {
    struct hpe_entry *e = &c->entry[hpe_chain_entry(c, page)];
    if (e->listed && times)
        refer_entry(c, e, times);
}

void hpe_chain_come(struct hpe_chain *c, uint32_t page) {
    struct hpe_entry *e = entry_for(c, page);
    if (!e->listed)
        enlist(c, e);
    e->due &= ~bit_of(c, page);
    e->here |= bit_of(c, page);
}

void hpe_chain_gone(struct hpe_chain *c, uint32_t page) {
    struct hpe_entry *e = &c->entry[hpe_chain_entry(c, page)];
    e->here &= ~bit_of(c, page);
    if (e->listed && !e->here && !e->due)
        delist(c, e);
}
