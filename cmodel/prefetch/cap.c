// SPDX-License-Identifier: Apache-2.0
/* Capacity-aware prefetcher. The size of a prefetch depends on the amount of free GPU memory. */
#include "prefetch/cap.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/bits.h"
#include "prefetch/marks.h"
#include "stats/stats.h"

struct cap_policy {
    const struct pages *pages;    /* not owned */
    struct stats *stats;          /* not owned */
    struct context *context;      /* not owned */
    const struct cap_port *block; /* not owned */
    bool full, ahead;
    struct prefetch_marks picked;
    uint32_t percent, over_kib; /* percent: 100 c; over_kib: cap.full_kib */
    uint32_t agg;               /* Magg, in blocks */
};

/* Array of n picked pages with a capacity of `room`, and the set of the same pages. */
struct cap_picks {
    struct prefetch_marks *marks;
    uint32_t *page, n, room;
};

uint32_t cap_requested(const struct page_alloc *a) {
    uint64_t blocks = a->bytes / (BLOCK_PAGES * PAGE_BYTES);
    return blocks ? (uint32_t)blocks : 1;
}

uint32_t cap_aggregate(const struct pages *pages) {
    uint32_t blocks = 0;
    for (uint32_t i = 0; i < pages->n_allocs; i++)
        blocks += cap_requested(&pages->alloc[i]);
    return blocks;
}

static void *create_cap(const struct prefetch_env *env) {
    struct cap_policy *p = alloc_zeroed(1, sizeof *p);
    p->pages = env->pages;
    p->stats = env->stats;
    p->context = env->context;
    p->block = env->port;
    p->full = env->full;
    p->ahead = env->cfg->cap_range == CAP_RANGE_AHEAD;
    p->percent = CAP_C_PERCENT;
    p->over_kib = (uint32_t)env->cfg->cap_full_kib;
    p->agg = cap_aggregate(env->pages);
    return p;
}

static void destroy_cap(void *policy) {
    struct cap_policy *p = policy;
    marks_free(&p->picked);
    free(p);
}

/* Returns Mavail, which is the number of spare frames minus the number of pages already picked in
 * this call of choose(). It saturates at 0 and at the largest number of CAP_AVAIL_BITS bits. */
static uint32_t available(const struct pages *pages, uint32_t picked) {
    uint32_t most = (uint32_t)bits_low(CAP_AVAIL_BITS), spare = pages_spare(pages);
    uint32_t avail = spare > picked ? spare - picked : 0;
    return avail < most ? avail : most;
}

/* Returns the result expected from the block `cap`, computed independently with the division in
 * Gu's formula for the size G (section 4.3.1). The result is log2 of the largest size in blocks of
 * 64 KiB (1, 2, 4, 8 or 16) that exceeds neither G nor the allocation, or 0 if there is none. If
 * GPU memory is full, cap.full_kib replaces G. */
static unsigned due_for(const struct cap_policy *p, const struct cap_ask *ask) {
    const uint64_t req = cap_requested(&p->pages->alloc[ask->group]);
    const uint64_t avail_kib = ask->avail * (PAGE_BYTES / 1024);
    uint64_t kib = p->over_kib;
    if (!ask->full)
        kib = avail_kib * req * 100 / ((uint64_t)p->agg * p->percent);
    unsigned k = 4;
    while (k > 0 && (UINT64_C(64) << k > kib || UINT64_C(1) << k > req))
        k--;
    return k;
}

/* Returns the number of blocks to prefetch for a fault on a page of the allocation. */
static uint32_t find_size(struct cap_policy *p, const struct page_alloc *a, uint32_t picked) {
    const struct cap_ask ask = {.group = (uint32_t)(a - p->pages->alloc),
                                .avail = available(p->pages, picked),
                                .full = p->full};
    unsigned k = p->block->answer(p->block->ctx, &ask);
    unsigned due = due_for(p, &ask);
    if (context_plant(p->context, PLANT_WRONG_SIZE))
        k = !k;
    if (k != due)
        context_fail(p->context, CONTEXT_BROKEN,
                     "gmmu.cap answers %u, but the size should be %u (log2 of blocks)", k, due);
    stat_add(p->stats, STAT_cap_queries, 1);
    hist_exact_add(p->stats, HIST_cap_size, UINT64_C(1) << k);
    return UINT32_C(1) << k;
}

/* Picks all wanted pages of the block that begins with page `first`, or none if there is not enough
 * room for all of them. */
static void pick_block(const struct pages *pages, uint32_t first, struct cap_picks *to) {
    uint32_t n = 0;
    for (uint32_t page = first; page < first + BLOCK_PAGES; page++)
        n += page_wanted(pages, page) && !marks_has(to->marks, page);
    if (n > to->room - to->n)
        return;
    for (uint32_t page = first; page < first + BLOCK_PAGES; page++)
        if (page_wanted(pages, page) && marks_meet(to->marks, page))
            to->page[to->n++] = page;
}

/* Picks the rest of the faulted block, then every other block in the range that has a wanted first
 * page (see page_wanted()). */
static void pick_range(struct cap_policy *p, uint32_t page, struct cap_picks *to) {
    const struct page_alloc *a = pages_alloc(p->pages, page);
    uint32_t blocks = find_size(p, a, to->n), own = (page - a->first) / BLOCK_PAGES;
    uint32_t from = p->ahead ? own : own / blocks * blocks, end = from + blocks;
    if (end > a->pages / BLOCK_PAGES)
        end = a->pages / BLOCK_PAGES;
    pick_block(p->pages, a->first + own * BLOCK_PAGES, to);
    for (uint32_t b = from; b < end; b++)
        if (b != own && page_wanted(p->pages, a->first + b * BLOCK_PAGES))
            pick_block(p->pages, a->first + b * BLOCK_PAGES, to);
}

static uint32_t choose_pages(void *policy, const uint32_t *demand, uint32_t n, uint32_t *out,
                             uint32_t room) {
    struct cap_policy *p = policy;
    struct cap_picks picks = {&p->picked, out, 0, room};
    marks_begin(&p->picked);
    for (uint32_t i = 0; i < n; i++)
        pick_range(p, demand[i], &picks);
    return picks.n;
}

static int check_keys(const struct config *c, struct error *err) {
    if (!bits_power_of_two((uint64_t)c->cap_full_kib))
        return error_set(err, "cap.full_kib=%" PRId64 " is not 64 times a power of two",
                         c->cap_full_kib);
    return 0;
}

const struct prefetcher prefetcher_cap = {
    .name = "cap",
    .doc = "64 KB to 1 MB around the faulted page, depending on free memory",
    .needs = NEED_PAGING | NEED_PAGE_BLOCKS,
    .hardware = {&cap_type},
    .one_fault = true,
    .check = check_keys,
    .create = create_cap,
    .destroy = destroy_cap,
    .choose = choose_pages,
};
