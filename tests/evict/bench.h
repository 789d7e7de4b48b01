/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a page trace without a GPU: a string of references to pages, a number of frames and an
 * eviction policy, without prefetching or time. Checks every rule in evict/evict.h on the way.
 *
 *     struct evict_bench b;
 *     bench_open(&b, "lru", NULL, pages, frames, NULL, 0);
 *     bool faulted = bench_ref(&b, 7);
 *     bench_close(&b);
 *
 * bench_run() runs a whole string. Pages are numbered from 0, and all belong to one allocation. If
 * b.pages.page[x].waiters is not 0, page x is not evicted. */
#ifndef MEMTWIN_TESTS_EVICT_BENCH_H
#define MEMTWIN_TESTS_EVICT_BENCH_H

#include "config/config.h"
#include "evict/evict.h"
#include "kernel/kernel.h"
#include "stats/stats.h"
#include "tests/evict/ture_table.h"
#include "tests/test.h"
#include "pages/book.h"
#include "pages/pages.h"

struct bench_counts {
    uint32_t faults;
    uint32_t evictions;
};

struct evict_bench {
    const struct evictor *evictor;
    void *policy;
    struct config cfg;
    struct pages pages;
    struct stats stats;
    struct book *book; /* NULL if the policy needs no knowledge of the future */
    struct context context;
    struct ture_table table; /* coalescing table of true-usage eviction */
    bool ture;
    struct bench_counts count;
    uint32_t victim[EVICT_MOST]; /* pages evicted by the last choice */
    uint32_t n_victims;
};

/* Writes the future references into a book. Each reference fills an epoch, so that the book has
 * their exact order. */
static inline void bench_write_book(struct evict_bench *b, const uint32_t *refs, uint32_t n) {
    b->book = book_create();
    assert_non_null(b->book);
    for (uint32_t i = 0; i < n; i++)
        for (unsigned k = 0; k < BOOK_EPOCH; k++)
            book_write(b->book, refs[i]);
    book_read(b->book);
}

/* Opens a bench. If cfg is NULL, the keys have their defaults. `refs` lists the future arguments
 * of bench_ref, and is used only by a policy that knows the future. */
static inline void bench_open(struct evict_bench *b, const char *evictor, const struct config *cfg,
                              uint32_t n_pages, uint32_t frames, const uint32_t *refs, uint32_t n) {
    memset(b, 0, sizeof *b);
    b->evictor = evictor_find(evictor);
    if (!b->evictor)
        fail_msg("no eviction policy %s", evictor);
    config_default(&b->cfg);
    if (cfg)
        b->cfg = *cfg;
    const struct device_array array = {
        .name = "a", .base = UINT64_C(1) << 31, .bytes = (uint64_t)n_pages * PAGE_BYTES};
    pages_init(&b->pages, &array, 1);
    b->pages.capacity = b->pages.free = frames;
    if (b->evictor->needs & NEED_FIRST_PASS)
        bench_write_book(b, refs, n);
    b->policy = b->evictor->create(
        &(struct evict_env){&b->cfg, &b->pages, b->book, &b->stats, &b->context});
    assert_non_null(b->policy);
    b->ture = strcmp(evictor, "ture") == 0;
    if (b->ture)
        ture_table_open(&b->table, &b->cfg);
}

static inline void bench_leave(struct evict_bench *b, uint32_t page) {
    if (!page_evictable(&b->pages, page))
        fail_msg("%s: page %u was chosen twice, or may not leave", b->evictor->name,
                 (unsigned)page);
    pages_move(&b->pages, page, PAGE_LEAVING);
    if (b->evictor->remove)
        b->evictor->remove(b->policy, page);
    pages_move(&b->pages, page, PAGE_HOST);
    b->pages.free++;
    b->count.evictions++;
}

static inline uint32_t bench_leave_all(struct evict_bench *b, uint32_t n) {
    b->n_victims = n;
    assert_true(n <= EVICT_MOST);
    for (uint32_t i = 0; i < n; i++)
        bench_leave(b, b->victim[i]);
    return n;
}

/* Runs the policy's hardware until it is idle. Returns the number of pages that the policy then
 * evicts by itself. */
static inline uint32_t bench_settle(struct evict_bench *b) {
    if (!b->ture)
        return 0;
    ture_table_settle(&b->table, b->policy);
    uint32_t left = bench_leave_all(b, b->evictor->wants(b->policy, b->victim));
    ture_table_settle(&b->table, b->policy);
    return left;
}

/* Evicts the pages of one choice of the policy. Returns their number. */
static inline uint32_t bench_evict(struct evict_bench *b) {
    uint32_t left = bench_leave_all(b, b->evictor->choose(b->policy, b->victim));
    return left ? left : bench_settle(b);
}

/* Brings in the page, and evicts others if there is no free frame. */
static inline void bench_bring(struct evict_bench *b, uint32_t page, bool demanded) {
    while (!b->pages.free)
        if (!bench_evict(b))
            fail_msg("%s: chooses none of the resident pages", b->evictor->name);
    pages_move(&b->pages, page, PAGE_COMING);
    b->pages.free--;
    pages_move(&b->pages, page, PAGE_RESIDENT);
    if (b->evictor->add)
        b->evictor->add(b->policy, page, demanded);
}

/* Makes a reference, which is a page walk that hits unless it faults. Returns true if it
 * faulted. */
static inline bool bench_ref(struct evict_bench *b, uint32_t page) {
    const struct evictor *e = b->evictor;
    bool fault = b->pages.page[page].state != PAGE_RESIDENT;
    if (fault) {
        b->count.faults++;
        pages_move(&b->pages, page, PAGE_WAITED);
        if (e->fault)
            e->fault(b->policy, page);
        bench_bring(b, page, true);
    } else if (e->touch) {
        e->touch(b->policy, page, 1);
    }
    bench_settle(b);
    for (unsigned k = 0; b->book && k < BOOK_EPOCH; k++)
        book_use(b->book, page);
    return fault;
}

/* Closes a bench. First checks that the policy tracks exactly the resident pages: it can still
 * choose each of them, and no other page. */
static inline void bench_close(struct evict_bench *b) {
    for (uint32_t page = 0; page < b->pages.n; page++)
        b->pages.page[page].waiters = 0;
    while (bench_evict(b) > 0)
        ;
    assert_int_equal(b->pages.in[PAGE_RESIDENT], 0);
    assert_int_equal(b->pages.free, b->pages.capacity);
    assert_int_equal(b->context.fault, CONTEXT_OK);
    b->evictor->destroy(b->policy);
    if (b->ture)
        ture_table_close(&b->table);
    book_destroy(b->book);
    pages_free(&b->pages);
}

/* Runs a whole reference string, and returns its counts. */
static inline struct bench_counts bench_run(const char *evictor, const struct config *cfg,
                                            uint32_t n_pages, uint32_t frames, const uint32_t *refs,
                                            uint32_t n) {
    static struct evict_bench b;
    bench_open(&b, evictor, cfg, n_pages, frames, refs, n);
    for (uint32_t i = 0; i < n; i++)
        bench_ref(&b, refs[i]);
    struct bench_counts count = b.count;
    assert_int_equal(count.faults - count.evictions, b.pages.in[PAGE_RESIDENT]);
    assert_true(b.pages.in[PAGE_RESIDENT] + b.pages.free == frames);
    bench_close(&b);
    return count;
}

#endif
