// SPDX-License-Identifier: Apache-2.0
/* True-usage eviction: a page leaves when it has seen the accesses that its group was granted. */
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
    uint16_t expired; /* pages whose life is over: a bit each */
    uint16_t told;    /* pages that the table's entry must have */
    uint8_t resident; /* pages */
    bool in_table;    /* when all operations are done, the table has it */
    bool popped;      /* the table has let it go: it leaves as soon as it may */
    bool leaving;     /* it is among the victims that are being chosen */
    uint32_t expires; /* operations that the table has not accepted */
    uint32_t recalls; /* operations that the table has not answered */
};

struct ture {
    const struct pages *pages; /* not owned, as the next two */
    struct stats *stats;
    struct context *context;
    bool accesses; /* ture.count */
    uint32_t take; /* blocks that leave at a time */
    uint32_t n_blocks;
    struct block *block; /* owned; by number */
    uint16_t *life;      /* owned; by page */
    struct order used;   /* blocks with resident pages, the least recently used first */
    struct order popped; /* blocks that shall leave, in the order in which the table let them go */
    uint32_t lease[PAGE_GROUPS]; /* 0: none yet */
    struct ring ops;             /* struct ture_op, those that the table has not accepted */
    struct ture_op current;      /* the last one that it has */
    struct ring seen;            /* pages of accesses that `lease` has not been shown */
    bool taking;                 /* TURE_TAKE has been told and not answered; */
    bool hurries;                /* it goes before `ops` */
    bool answered;               /* it has been answered, and no block has left for it yet */
    bool news;                   /* the driver has to look at `popped` or `answered` */
};

/* ---- making and ending ---- */

static void destroy(void *policy) {
    struct ture *t = policy;
    order_free(&t->used);
    order_free(&t->popped);
    ring_free(&t->ops);
    ring_free(&t->seen);
    free(t->block);
    free(t->life);
    free(t);
}

static void *create(const struct evict_env *env) {
    struct ture *t = alloc_zeroed(1, sizeof *t);
    t->pages = env->pages;
    t->stats = env->stats;
    t->context = env->context;
    t->accesses = env->cfg->ture_count == TURE_COUNT_ACCESSES;
    t->take = (uint32_t)env->cfg->ture_take;
    t->n_blocks = (env->pages->n + BLOCK_PAGES - 1) / BLOCK_PAGES;
    t->block = alloc_zeroed(t->n_blocks, sizeof *t->block);
    t->life = alloc_zeroed(env->pages->n, sizeof *t->life);
    ring_init(&t->ops, sizeof(struct ture_op));
    ring_init(&t->seen, sizeof(uint32_t));
    order_init(&t->used);
    order_init(&t->popped);
    return t;
}

struct block_params ture_lease_params(const struct config *cfg) {
    struct block_params p;
    block_params_default(&lease_type, &p);
    p.v[LEASE_LANES] = cfg->ture_count == TURE_COUNT_ACCESSES ? cfg->sm_count : 1;
    p.v[LEASE_ENTRIES] = cfg->ture_entries;
    p.v[LEASE_BLOCK_W] = PAGE_BLOCK_BITS;
    p.v[LEASE_PAGES] = BLOCK_PAGES;
    p.v[LEASE_GROUPS] = PAGE_GROUPS;
    p.v[LEASE_DUTY] = cfg->ture_duty;
    p.v[LEASE_PERIOD] = cfg->ture_period;
    p.v[LEASE_LIFE_W] = TURE_LIFE_BITS;
    p.v[LEASE_WEIGHT] = cfg->ture_weight;
    return p;
}

static uint32_t group_of(const struct ture *t, uint32_t page) {
    return (uint32_t)(pages_alloc(t->pages, page) - t->pages->alloc);
}

static struct block *block_of(const struct ture *t, uint32_t page) {
    return &t->block[page / BLOCK_PAGES];
}

/* ---- the coalescing table ---- */

static void tell(struct ture *t, enum ture_what what, uint32_t block, uint32_t page) {
    const struct ture_op op = {(uint8_t)what, (uint8_t)page, block};
    hist_add(t->stats, HIST_ture_queue, t->ops.count);
    ring_push(&t->ops, &op);
}

static void tell_recall(struct ture *t, uint32_t number) {
    struct block *b = &t->block[number];
    b->in_table = false;
    b->recalls++;
    tell(t, TURE_RECALL, number, 0);
}

const struct ture_op *ture_op(const struct ture *t) {
    static const struct ture_op take = {.what = TURE_TAKE};
    if (t->hurries)
        return &take;
    return t->ops.count ? ring_at(&t->ops, 0) : NULL;
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
            b->told |= (uint16_t)(1 << t->current.page);
    }
    ring_pop(&t->ops);
}

/* The entry that goes has the pages that the table was told of since the last one went. */
static void check_mask(struct ture *t, uint32_t number, uint32_t mask) {
    struct block *b = &t->block[number];
    if (mask != b->told)
        context_fail(t->context, CONTEXT_BROKEN,
                     "gmmu.expiry has pages %04" PRIx32 " of block %" PRIu32 ", not %04x", mask,
                     number, (unsigned)b->told);
    b->told = 0;
}

/* The table lets a block go. One whose recall is on its way has pages that live on. */
static void pop(struct ture *t, uint32_t number) {
    struct block *b = &t->block[number];
    if (b->recalls)
        return;
    b->in_table = b->expires != 0;
    b->popped = true;
    order_last(&t->popped, number);
    t->news = true;
}

static void answer(struct ture *t, uint32_t block, uint32_t mask, unsigned why, bool last) {
    if (t->current.what == TURE_RECALL) {
        check_mask(t, t->current.block, mask);
        t->block[t->current.block].recalls--;
        return;
    }
    if (why == EXPIRY_FULL || why == EXPIRY_TAKEN) {
        stat_add(t->stats, why == EXPIRY_FULL ? STAT_ture_out_full : STAT_ture_out_taken, 1);
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
        answer(t, (uint32_t)out->out_block, (uint32_t)out->out_mask, (unsigned)out->out_why,
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

static void expire(struct ture *t, uint32_t page) {
    struct block *b = block_of(t, page);
    b->expired |= (uint16_t)(1 << page % BLOCK_PAGES);
    b->expires++;
    b->in_table = true;
    stat_add(t->stats, STAT_ture_expired, 1);
    tell(t, TURE_EXPIRE, page / BLOCK_PAGES, page % BLOCK_PAGES);
}

/* The block is used after all: its expired pages go on with half of the lease. */
static void recall(struct ture *t, uint32_t number) {
    struct block *b = &t->block[number];
    uint32_t lease = t->lease[group_of(t, number * BLOCK_PAGES)], life = (lease + 1) / 2;
    stat_add(t->stats, STAT_ture_recalls, 1);
    stat_add(t->stats, STAT_ture_recalled_pages, bits_count(b->expired));
    for (uint32_t left = b->expired; left; left &= left - 1)
        t->life[number * BLOCK_PAGES + bits_lowest(left)] = (uint16_t)life;
    b->expired = 0;
    b->popped = false;
    order_remove(&t->popped, number);
    if (b->in_table)
        tell_recall(t, number);
}

/* The access recalls the block. */
static bool recalls(const struct ture *t, uint32_t page) {
    const struct block *b = block_of(t, page);
    return b->popped || (b->expired >> page % BLOCK_PAGES & 1);
}

/* Accesses that the page may see from now on. */
static uint32_t life_of(const struct ture *t, uint32_t page) {
    uint32_t lease = t->lease[group_of(t, page)];
    return t->life[page] == LIFE_UNSET && lease ? lease : t->life[page];
}

bool ture_would_tell(const struct ture *t, uint32_t page) {
    return recalls(t, page) || life_of(t, page) == 1;
}

static void access(struct ture *t, uint32_t page) {
    if (t->pages->page[page].state != PAGE_RESIDENT)
        return;
    order_last(&t->used, page / BLOCK_PAGES);
    if (recalls(t, page)) {
        recall(t, page / BLOCK_PAGES);
        return;
    }
    uint32_t life = life_of(t, page);
    if (life == LIFE_UNSET)
        return;
    t->life[page] = (uint16_t)(life - 1);
    if (life == 1)
        expire(t, page);
}

static void touch(void *policy, uint32_t page, uint32_t times) {
    struct ture *t = policy;
    (void)times;
    if (!t->accesses)
        access(t, page);
}

static void use(void *policy, uint32_t page) {
    struct ture *t = policy;
    if (!t->accesses)
        return;
    access(t, page);
    ring_push(&t->seen, &page);
}

bool ture_accesses(const struct ture *t) {
    return t->seen.count != 0;
}

bool ture_access(struct ture *t, uint32_t *page) {
    if (!ture_accesses(t))
        return false;
    *page = *(uint32_t *)ring_at(&t->seen, 0);
    ring_pop(&t->seen);
    return true;
}

static void come(void *policy, uint32_t page, bool demanded) {
    struct ture *t = policy;
    uint32_t lease = t->lease[group_of(t, page)];
    (void)demanded;
    t->life[page] = (uint16_t)(lease ? lease : LIFE_UNSET);
    block_of(t, page)->resident++;
    order_last(&t->used, page / BLOCK_PAGES);
}

static void gone(void *policy, uint32_t page) {
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

/* ---- blocks that leave ---- */

/* Whether all pages of the block in GPU memory may leave and no page is on its way there. */
static bool may_leave(const struct ture *t, uint32_t number) {
    uint32_t first = number * BLOCK_PAGES;
    if (t->block[number].leaving)
        return false;
    for (uint32_t page = first; page < first + BLOCK_PAGES; page++)
        if (page_stays(&t->pages->page[page]) && !page_evictable(t->pages, page))
            return false;
    return true;
}

/* The pages of the block that may leave become victims. Returns how many. */
static uint32_t leave(struct ture *t, uint32_t number, uint32_t *victim) {
    uint32_t first = number * BLOCK_PAGES, n = 0;
    for (uint32_t page = first; page < first + BLOCK_PAGES; page++)
        if (page_evictable(t->pages, page))
            victim[n++] = page;
    t->block[number].leaving = n != 0;
    return n;
}

/* Blocks of the order that may leave, until `blocks` do or there is no room. */
static uint32_t leave_in_order(struct ture *t, const struct order *o, uint32_t *blocks,
                               uint32_t most, uint32_t *victim) {
    uint32_t n = 0;
    for (uint32_t b = o->first; b != ORDER_NONE && *blocks < most; b = order_after(o, b)) {
        if (!may_leave(t, b))
            continue;
        n += leave(t, b, &victim[n]);
        ++*blocks;
    }
    return n;
}

/* No block may leave whole: of the one used least recently, those pages leave that may. */
static uint32_t leave_in_part(struct ture *t, uint32_t *victim) {
    uint32_t n = 0;
    for (uint32_t b = t->used.first; b != ORDER_NONE && !n; b = order_after(&t->used, b))
        n = leave(t, b, victim);
    stat_add(t->stats, STAT_ture_partial, n != 0);
    return n;
}

/* Blocks that the table has let go leave as soon as they may. If these are fewer than were asked
 * for, those used least recently leave too. */
static uint32_t wants(void *policy, uint32_t *victim) {
    struct ture *t = policy;
    uint32_t blocks = 0, n, popped;
    n = leave_in_order(t, &t->popped, &blocks, EVICT_MOST / BLOCK_PAGES, victim);
    if (!t->answered)
        return n;
    t->answered = false;
    popped = blocks;
    n += leave_in_order(t, &t->used, &blocks, t->take > blocks ? t->take : blocks, &victim[n]);
    stat_add(t->stats, STAT_ture_out_lru, blocks - popped);
    return n ? n : leave_in_part(t, victim);
}

/* The table is asked; what it answers leaves by `wants`. Operations of accesses, an ideal, may have
 * queued up: the driver does not wait for these. */
static uint32_t choose(void *policy, uint32_t *victim) {
    struct ture *t = policy;
    (void)victim;
    if (!t->taking && !t->answered) {
        t->taking = true;
        t->hurries = t->accesses;
        if (!t->hurries)
            tell(t, TURE_TAKE, 0, 0);
    }
    return 0;
}

static void tick(void *policy, uint64_t cycle) {
    struct ture *t = policy;
    (void)cycle;
    t->news = false;
}

static uint64_t next_event(const void *policy, uint64_t cycle) {
    const struct ture *t = policy;
    return t->news ? cycle : UINT64_MAX;
}

static int check(const struct config *c, char *err, size_t err_size) {
    const struct block_params p = ture_lease_params(c);
    const int64_t most = LEASE_MAX_LANES, least = lease_least_period(&p);
    if (c->ture_period < least)
        return config_refuse(err, err_size,
                             "ture.period=%" PRId64 " is too short: with ture.duty=%" PRId64
                             " and ture.entries=%" PRId64 " it is at least %" PRId64,
                             c->ture_period, c->ture_duty, c->ture_entries, least);
    if (c->ture_count == TURE_COUNT_ACCESSES && c->sm_count > most)
        return config_refuse(err, err_size,
                             "ture.count=accesses is for %" PRId64
                             " SMs at most, not sm.count=%" PRId64,
                             most, c->sm_count);
    return 0;
}

const struct evictor evictor_ture = {
    .name = "ture",
    .doc = "64 KB blocks whose pages have had their expected number of accesses; then the block "
           "used least recently",
    .needs = NEED_PAGING | NEED_PAGE_BLOCKS,
    .hardware = {&lease_type, &expiry_type},
    .check = check,
    .create = create,
    .destroy = destroy,
    .touch = touch,
    .use = use,
    .come = come,
    .gone = gone,
    .choose = choose,
    .tick = tick,
    .next_event = next_event,
    .wants = wants,
};
