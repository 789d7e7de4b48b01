// SPDX-License-Identifier: Apache-2.0
/* Implements true-usage eviction: a page is evicted after the number of accesses that the lease of
 * its group grants. */
#include "evict/ture.h"

#include <inttypes.h>
#include <stdlib.h>

#include "evict/order.h"
#include "expiry/expiry_ports.h"
#include "lease/lease.h"
#include "lib/alloc.h"
#include "lib/bits.h"
#include "lib/ring.h"

#define LIFE_UNSET ((UINT32_C(1) << TURE_LIFE_BITS) - 1)

/* A block of pages. */
struct block {
    uint16_t expired;     /* expired pages, one bit each */
    uint16_t table_pages; /* pages that the block's entry in the table must have */
    uint8_t resident;     /* number of resident pages */
    bool in_table; /* the table will have an entry for the block when all operations are done */
    bool popped;  /* the block has left the table; its pages leave GPU memory as soon as possible */
    bool leaving; /* pages of the block were chosen as victims and have not left yet */
    uint32_t expires; /* number of TURE_EXPIRE operations that the table has not accepted */
    uint32_t recalls; /* number of recalls that the table has not completed */
};

struct ture {
    const struct pages *pages; /* not owned */
    struct stats *stats;       /* not owned */
    struct context *context;   /* not owned */
    bool accesses; /* true if ture.unit counts accesses; false if it counts page walks */
    uint32_t take; /* number of blocks evicted together */
    uint32_t n_blocks;
    struct block *block;         /* owned; indexed by block number */
    uint16_t *life;              /* owned; indexed by page */
    uint16_t *granted;           /* owned; indexed by page: the lease that its first life had */
    struct order used;           /* blocks with resident pages, least recently used first */
    struct order popped;         /* blocks to evict, in the order in which they left the table */
    uint32_t lease[PAGE_GROUPS]; /* lease of each group; 0 if it has none yet */
    RING(struct ture_op) ops;    /* operations that the table has not accepted */
    struct ture_op current;      /* last operation that the table has accepted */
    RING(uint32_t) seen;         /* pages of accesses not yet sent to `lease` */
    bool taking;                 /* a TURE_TAKE is pending */
    bool hurries;                /* the table gets TURE_TAKE before the operations in `ops` */
    bool answered; /* TURE_TAKE has completed, but no block has been evicted for it yet */
    bool news;     /* the driver must check `popped` or `answered` */
};

/* ---- creation and destruction ---- */

static void destroy_ture(void *policy) {
    struct ture *t = policy;
    order_free(&t->used);
    order_free(&t->popped);
    ring_free(&t->ops);
    ring_free(&t->seen);
    free(t->block);
    free(t->life);
    free(t->granted);
    free(t);
}

static void *create_ture(const struct evict_env *env) {
    struct ture *t = alloc_zeroed(1, sizeof *t);
    t->pages = env->pages;
    t->stats = env->stats;
    t->context = env->context;
    t->accesses = env->cfg->ture_unit == TURE_COUNT_ACCESSES;
    t->take = (uint32_t)env->cfg->ture_batch;
    t->n_blocks = (env->pages->n + BLOCK_PAGES - 1) / BLOCK_PAGES;
    t->block = alloc_zeroed(t->n_blocks, sizeof *t->block);
    t->life = alloc_zeroed(env->pages->n, sizeof *t->life);
    t->granted = alloc_zeroed(env->pages->n, sizeof *t->granted);
    ring_init(&t->ops, RING_GROWS);
    ring_init(&t->seen, RING_GROWS);
    order_init(&t->used);
    order_init(&t->popped);
    return t;
}

struct block_params ture_lease_params(const struct config *cfg) {
    struct block_params p;
    block_params_default(&lease_type, &p);
    p.v[LEASE_LANES] = cfg->ture_unit == TURE_COUNT_ACCESSES ? cfg->sm_count : 1;
    p.v[LEASE_ENTRIES] = TURE_ENTRIES;
    p.v[LEASE_BLOCK_W] = PAGE_BLOCK_BITS;
    p.v[LEASE_PAGES] = BLOCK_PAGES;
    p.v[LEASE_GROUPS] = PAGE_GROUPS;
    p.v[LEASE_DUTY] = cfg->ture_window;
    p.v[LEASE_PERIOD] = cfg->ture_period;
    p.v[LEASE_LIFE_W] = TURE_LIFE_BITS;
    p.v[LEASE_WEIGHT] = TURE_WEIGHT;
    return p;
}

static uint32_t group_of(const struct ture *t, uint32_t page) {
    return (uint32_t)(pages_alloc(t->pages, page) - t->pages->alloc);
}

static struct block *block_of(const struct ture *t, uint32_t page) {
    return &t->block[page / BLOCK_PAGES];
}

/* ---- the coalescing table ---- */

static void tell_hardware(struct ture *t, enum ture_what what, uint32_t block, uint32_t page) {
    const struct ture_op op = {(uint8_t)what, (uint8_t)page, block};
    hist_add(t->stats, HIST_ture_queue, t->ops.count);
    ring_push_growing(&t->ops, op);
}

static void tell_recall(struct ture *t, uint32_t number) {
    struct block *b = &t->block[number];
    b->in_table = false;
    b->recalls++;
    tell_hardware(t, TURE_RECALL, number, 0);
}

const struct ture_op *ture_op(const struct ture *t) {
    static const struct ture_op take = {.what = TURE_TAKE};
    if (t->hurries)
        return &take;
    return t->ops.count ? ring_first(&t->ops) : NULL;
}

static void accepted(struct ture *t) {
    t->current = *ture_op(t);
    if (t->hurries) {
        t->hurries = false;
        return;
    }
    if (t->current.what == TURE_EXPIRE) {
        struct block *b = &t->block[t->current.block];
        b->expires--;
        if (!context_plant(t->context, PLANT_LOSE_EXPIRY))
            b->table_pages |= (uint16_t)(1 << t->current.page);
    }
    ring_drop(&t->ops);
}

/* Checks an entry that leaves the table. It must have the pages that were sent to the table since
 * the block's last entry left. */
static void check_mask(struct ture *t, uint32_t number, uint32_t mask) {
    struct block *b = &t->block[number];
    if (mask != b->table_pages)
        context_fail(t->context, CONTEXT_BROKEN,
                     "gmmu.expiry has pages %04" PRIx32 " of block %" PRIu32 ", not %04x", mask,
                     number, (unsigned)b->table_pages);
    b->table_pages = 0;
}

/* Handles a block that leaves the table. Ignores the block if a recall is in flight, because the
 * block still has live pages. */
static void pop(struct ture *t, uint32_t number) {
    struct block *b = &t->block[number];
    if (b->recalls)
        return;
    b->in_table = b->expires != 0;
    b->popped = true;
    order_last(&t->popped, number);
    t->news = true;
}

static void take_answer(struct ture *t, uint32_t block, uint32_t mask, unsigned why, bool last) {
    if (t->current.what == TURE_RECALL) {
        check_mask(t, t->current.block, mask);
        t->block[t->current.block].recalls--;
        return;
    }
    if (why == EXPIRY_FULL || why == EXPIRY_TAKEN) {
        stat_add(t->stats,
                 why == EXPIRY_FULL ? STAT_ture_exits_table_full : STAT_ture_exits_memory_full, 1);
        check_mask(t, block, mask);
        pop(t, block);
    }
    if (t->current.what == TURE_TAKE && last) {
        t->taking = false;
        t->answered = t->news = true;
    }
}

void ture_serve(struct ture *t, const struct expiry_out *out, struct expiry_in *in) {
    if (out->out_valid) {
        in->out_ready = 1;
        take_answer(t, (uint32_t)out->out_block, (uint32_t)out->out_mask, (unsigned)out->out_why,
                    out->out_last);
    }
    const struct ture_op *op = ture_op(t);
    if (!op || !out->exp_ready)
        return;
    in->exp_valid = op->what == TURE_EXPIRE;
    in->exp_block = in->exp_valid ? op->block : 0;
    in->exp_page = op->page;
    in->rec_valid = op->what == TURE_RECALL;
    in->rec_block = in->rec_valid ? op->block : 0;
    in->take = op->what == TURE_TAKE;
    accepted(t);
}

/* ---- the life of a page ---- */

void ture_lease(struct ture *t, uint32_t group, uint32_t lease) {
    t->lease[group] = lease;
}

static void expire_page(struct ture *t, uint32_t page) {
    struct block *b = block_of(t, page);
    b->expired |= (uint16_t)(1 << page % BLOCK_PAGES);
    b->expires++;
    b->in_table = true;
    stat_add(t->stats, STAT_ture_expired, 1);
    tell_hardware(t, TURE_EXPIRE, page / BLOCK_PAGES, page % BLOCK_PAGES);
}

/* Recalls a block that is used again. Each expired page of the block gets half of the lease that it
 * had at first. */
static void recall_block(struct ture *t, uint32_t number) {
    struct block *b = &t->block[number];
    stat_add(t->stats, STAT_ture_recalls, 1);
    stat_add(t->stats, STAT_ture_recalled_pages, bits_count(b->expired));
    for (uint32_t left = b->expired; left; left &= left - 1) {
        uint32_t page = number * BLOCK_PAGES + bits_lowest(left);
        t->life[page] = (uint16_t)((t->granted[page] + 1) / 2);
    }
    b->expired = 0;
    b->popped = false;
    order_remove(&t->popped, number);
    if (b->in_table)
        tell_recall(t, number);
}

/* True if an access to the page recalls the block. */
static bool recalls(const struct ture *t, uint32_t page) {
    const struct block *b = block_of(t, page);
    return b->popped || (b->expired >> page % BLOCK_PAGES & 1);
}

/* Returns the number of accesses that the page may still receive before it expires. */
static uint32_t life_of(const struct ture *t, uint32_t page) {
    uint32_t lease = t->lease[group_of(t, page)];
    return t->life[page] == LIFE_UNSET && lease ? lease : t->life[page];
}

bool ture_would_tell(const struct ture *t, uint32_t page) {
    return recalls(t, page) || life_of(t, page) == 1;
}

static void count_access(struct ture *t, uint32_t page) {
    if (t->pages->page[page].state != PAGE_RESIDENT)
        return;
    order_last(&t->used, page / BLOCK_PAGES);
    if (recalls(t, page)) {
        recall_block(t, page / BLOCK_PAGES);
        return;
    }
    uint32_t life = life_of(t, page);
    if (life == LIFE_UNSET)
        return;
    if (!t->granted[page])
        t->granted[page] = (uint16_t)life;
    t->life[page] = (uint16_t)(life - 1);
    if (life == 1)
        expire_page(t, page);
}

static void touch_page(void *policy, uint32_t page, uint32_t times) {
    struct ture *t = policy;
    (void)times;
    if (!t->accesses)
        count_access(t, page);
}

static void use_page(void *policy, uint32_t page) {
    struct ture *t = policy;
    if (!t->accesses)
        return;
    count_access(t, page);
    ring_push_growing(&t->seen, page);
}

bool ture_accesses(const struct ture *t) {
    return t->seen.count != 0;
}

bool ture_access(struct ture *t, uint32_t *page) {
    if (!ture_accesses(t))
        return false;
    *page = ring_pop(&t->seen);
    return true;
}

static void add_page(void *policy, uint32_t page, bool demanded) {
    struct ture *t = policy;
    uint32_t lease = t->lease[group_of(t, page)];
    (void)demanded;
    t->life[page] = (uint16_t)(lease ? lease : LIFE_UNSET);
    t->granted[page] = (uint16_t)lease;
    block_of(t, page)->resident++;
    order_last(&t->used, page / BLOCK_PAGES);
}

static void remove_page(void *policy, uint32_t page) {
    struct ture *t = policy;
    uint32_t number = page / BLOCK_PAGES;
    struct block *b = &t->block[number];
    b->expired &= (uint16_t) ~(1 << page % BLOCK_PAGES);
    b->leaving = false;
    if (!b->expired && b->in_table)
        tell_recall(t, number);
    if (--b->resident)
        return;
    b->popped = false;
    order_remove(&t->popped, number);
    order_remove(&t->used, number);
}

/* ---- eviction of blocks ---- */

/* True if the block is not yet among the victims, all its pages in GPU memory are evictable, and no
 * other page of the block is on its way there. */
static bool may_leave(const struct ture *t, uint32_t number) {
    uint32_t first = number * BLOCK_PAGES;
    if (t->block[number].leaving)
        return false;
    for (uint32_t page = first; page < first + BLOCK_PAGES; page++)
        if (page_stays(&t->pages->page[page]) && !page_evictable(t->pages, page))
            return false;
    return true;
}

/* Makes the evictable pages of the block victims. Returns the number of victims. */
static uint32_t leave_block(struct ture *t, uint32_t number, uint32_t *victim) {
    uint32_t first = number * BLOCK_PAGES, n = 0;
    for (uint32_t page = first; page < first + BLOCK_PAGES; page++)
        if (page_evictable(t->pages, page))
            victim[n++] = page;
    t->block[number].leaving = n != 0;
    return n;
}

/* Evicts evictable blocks in order until *blocks reaches `most`. Returns the number of evicted
 * pages. */
static uint32_t leave_in_order(struct ture *t, const struct order *o, uint32_t *blocks,
                               uint32_t most, uint32_t *victim) {
    uint32_t n = 0;
    for (uint32_t b = o->first; b != ORDER_NONE && *blocks < most; b = order_after(o, b)) {
        if (!may_leave(t, b))
            continue;
        n += leave_block(t, b, &victim[n]);
        ++*blocks;
    }
    return n;
}

/* Evicts the evictable pages of the least recently used block that has any. Used if no block is
 * evictable as a whole. Returns the number of evicted pages. */
static uint32_t leave_in_part(struct ture *t, uint32_t *victim) {
    uint32_t n = 0;
    for (uint32_t b = t->used.first; b != ORDER_NONE && !n; b = order_after(&t->used, b))
        n = leave_block(t, b, victim);
    stat_add(t->stats, STAT_ture_evictions_partial, n != 0);
    return n;
}

/* Evicts blocks that have left the table, as soon as possible. If fewer blocks than requested have
 * left the table, also evicts the least recently used blocks. Returns the number of evicted
 * pages. */
static uint32_t wants(void *policy, uint32_t *victim) {
    struct ture *t = policy;
    uint32_t blocks = 0, n, popped;
    n = leave_in_order(t, &t->popped, &blocks, EVICT_MOST / BLOCK_PAGES, victim);
    if (!t->answered)
        return n;
    t->answered = false;
    popped = blocks;
    n += leave_in_order(t, &t->used, &blocks, t->take > blocks ? t->take : blocks, &victim[n]);
    stat_add(t->stats, STAT_ture_evictions_lru, blocks - popped);
    return n ? n : leave_in_part(t, victim);
}

/* Requests blocks from the table. `wants` evicts them when they have left the table, so no victim
 * is chosen here. If ture.unit=accesses (an ideal model), the request does not wait for queued
 * operations. */
static uint32_t choose_victims(void *policy, uint32_t *victim) {
    struct ture *t = policy;
    (void)victim;
    if (!t->taking && !t->answered) {
        t->taking = true;
        t->hurries = t->accesses;
        if (!t->hurries)
            tell_hardware(t, TURE_TAKE, 0, 0);
    }
    return 0;
}

static void tick_policy(void *policy, uint64_t cycle) {
    struct ture *t = policy;
    (void)cycle;
    t->news = false;
}

static uint64_t next_event(const void *policy, uint64_t cycle) {
    const struct ture *t = policy;
    return t->news ? cycle : UINT64_MAX;
}

static int check_keys(const struct config *c, struct error *err) {
    const struct block_params p = ture_lease_params(c);
    const int64_t most = LEASE_MAX_LANES, least = lease_least_period(&p);
    if (c->ture_period < least)
        return error_set(err,
                         "ture.period=%" PRId64 " is too short: with ture.window=%" PRId64
                         " it must be at least %" PRId64,
                         c->ture_period, c->ture_window, least);
    if (c->ture_unit == TURE_COUNT_ACCESSES && c->sm_count > most)
        return error_set(err,
                         "ture.unit=accesses needs at most %" PRId64 " SMs, not sm.count=%" PRId64,
                         most, c->sm_count);
    return 0;
}

const struct evictor evictor_ture = {
    .name = "ture",
    .doc = "64 KB blocks whose pages have had their expected number of accesses; then the least "
           "recently used block",
    .needs = NEED_PAGING | NEED_PAGE_BLOCKS,
    .hardware = {&lease_type, &expiry_type},
    .check = check_keys,
    .create = create_ture,
    .destroy = destroy_ture,
    .touch = touch_page,
    .use = use_page,
    .add = add_page,
    .remove = remove_page,
    .choose = choose_victims,
    .tick = tick_policy,
    .next_event = next_event,
    .wants = wants,
};
