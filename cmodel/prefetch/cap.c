// SPDX-License-Identifier: Apache-2.0
/* Capacity-aware prefetching: how much comes along follows the memory that is free. */
#include "prefetch/cap.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/bits.h"
#include "prefetch/marks.h"
#include "stats/stats.h"

struct cap_policy {
    const struct pages *pages; /* not owned, as the next three */
    struct stats *stats;
    struct context *context;
    const struct cap_port *block;
    bool full, ahead;
    struct marks picked;
    uint32_t percent, over_kib; /* 100 c; the size once memory is full */
    uint32_t agg;               /* Magg, blocks */
};

/* Pages that have been picked, and how many may be. */
struct picks {
    struct marks *marks;
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

static void *create(const struct prefetch_env *env) {
    struct cap_policy *p = alloc_zeroed(1, sizeof *p);
    p->pages = env->pages;
    p->stats = env->stats;
    p->context = env->context;
    p->block = env->port;
    p->full = env->full;
    p->ahead = env->cfg->cap_range == CAP_RANGE_AHEAD;
    p->percent = (uint32_t)env->cfg->cap_c_percent;
    p->over_kib = (uint32_t)env->cfg->cap_over_kib;
    p->agg = cap_aggregate(env->pages);
    return p;
}

static void destroy(void *policy) {
    struct cap_policy *p = policy;
    marks_free(&p->picked);
    free(p);
}

/* Mavail: spare frames, less those of pages that this service has picked. */
static uint32_t available(const struct pages *pages, uint32_t picked) {
    uint32_t most = (uint32_t)bits_low(CAP_AVAIL_BITS), spare = pages_spare(pages);
    uint32_t avail = spare > picked ? spare - picked : 0;
    return avail < most ? avail : most;
}

/* What the block has to answer, by the division of Gu's formula (section 4.3.1): G in KiB, the
 * greatest of 64 KiB to 1 MiB that is not above it. Nothing of the block's own arithmetic. */
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

/* Blocks of the prefetch for a fault on a page of the allocation. */
static uint32_t size(struct cap_policy *p, const struct page_alloc *a, uint32_t picked) {
    const struct cap_ask ask = {.group = (uint32_t)(a - p->pages->alloc),
                                .avail = available(p->pages, picked),
                                .full = p->full};
    unsigned k = p->block->answer(p->block->ctx, &ask);
    unsigned due = due_for(p, &ask);
    if (context_plant(p->context, PLANT_WRONG_SIZE))
        k = !k;
    if (k != due)
        context_fail(p->context, CONTEXT_BROKEN,
                     "the prefetcher takes %u where gmmu.cap has to answer %u (log2 of blocks)", k,
                     due);
    stat_add(p->stats, STAT_cap_asks, 1);
    hist_exact_add(p->stats, HIST_cap_size, UINT64_C(1) << k);
    return UINT32_C(1) << k;
}

/* All of the block that is not there, or nothing. */
static void pick_block(const struct pages *pages, uint32_t first, struct picks *to) {
    uint32_t n = 0;
    for (uint32_t page = first; page < first + BLOCK_PAGES; page++)
        n += page_wanted(pages, page) && !marks_has(to->marks, page);
    if (n > to->room - to->n)
        return;
    for (uint32_t page = first; page < first + BLOCK_PAGES; page++)
        if (page_wanted(pages, page) && marks_meet(to->marks, page))
            to->page[to->n++] = page;
}

/* The rest of the faulted block, then the blocks of the range whose first page is not there. */
static void pick_range(struct cap_policy *p, uint32_t page, struct picks *to) {
    const struct page_alloc *a = pages_alloc(p->pages, page);
    uint32_t blocks = size(p, a, to->n), own = (page - a->first) / BLOCK_PAGES;
    uint32_t from = p->ahead ? own : own / blocks * blocks, end = from + blocks;
    if (end > a->pages / BLOCK_PAGES)
        end = a->pages / BLOCK_PAGES;
    pick_block(p->pages, a->first + own * BLOCK_PAGES, to);
    for (uint32_t b = from; b < end; b++)
        if (b != own && page_wanted(p->pages, a->first + b * BLOCK_PAGES))
            pick_block(p->pages, a->first + b * BLOCK_PAGES, to);
}

static uint32_t choose(void *policy, const uint32_t *demand, uint32_t n, uint32_t *out,
                       uint32_t room) {
    struct cap_policy *p = policy;
    struct picks picks = {&p->picked, out, 0, room};
    marks_begin(&p->picked);
    for (uint32_t i = 0; i < n; i++)
        pick_range(p, demand[i], &picks);
    return picks.n;
}

static int check(const struct config *c, char *err, size_t err_size) {
    if (!bits_power_of_two((uint64_t)c->cap_over_kib))
        return config_refuse(err, err_size,
                             "cap.over_kib=%" PRId64 " is not 64 times a power of two",
                             c->cap_over_kib);
    return 0;
}

const struct prefetcher prefetcher_cap = {
    .name = "cap",
    .doc = "64 KB to 1 MB around the page with a fault, depending on free memory",
    .needs = NEED_PAGING | NEED_PAGE_BLOCKS,
    .hardware = {&cap_type},
    .one_fault = true,
    .check = check,
    .create = create,
    .destroy = destroy,
    .choose = choose,
};
