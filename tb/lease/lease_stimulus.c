// SPDX-License-Identifier: Apache-2.0
#include "lease/lease_stimulus.h"

#include "lib/random.h"

static unsigned draw_below(struct lease_stimulus *d, unsigned n) {
    return random_below(&d->rng, n);
}

static bool one_in(struct lease_stimulus *d, unsigned n) {
    return draw_below(d, n) == 0;
}

/* ---- Windows ---- */

static void draw_accesses(struct lease_stimulus *d) {
    static const uint8_t often[] = {1, 3, 8, 13, 16, 16};
    const unsigned n = d->g.entries, spans[] = {1, 2, n, n + 1, 2 * n, 4 * n};
    d->blocks = (enum lease_blocks)draw_below(d, LEASE_N_BLOCKS);
    d->pages = (enum lease_touched)draw_below(d, LEASE_N_PAGES);
    d->owners = (enum lease_owners)draw_below(d, N_OWNERS);
    d->span = spans[draw_below(d, sizeof spans / sizeof *spans)];
    d->first_group = draw_below(d, d->g.groups);
    d->base = draw_below(d, 1u << d->g.block_w);
    d->bit = draw_below(d, d->g.block_w);
    d->valid_in_16 = often[draw_below(d, sizeof often)];
    d->some_in_16 = often[draw_below(d, sizeof often)];
    d->until = one_in(d, 3) ? draw_below(d, d->g.duty + 1) : d->g.period;
    if (one_in(d, 12))
        d->until = 0;
    d->fresh = draw_below(d, 1u << d->g.block_w);
    d->turn = 0;
}

static void draw_quotas(struct lease_stimulus *d) {
    const unsigned mosts[] = {1, 2, 3, 4, d->g.entries, d->g.entries};
    d->quota_most = mosts[draw_below(d, 6)];
    if (d->quota_most > d->g.entries)
        d->quota_most = d->g.entries;
    d->quotas_left = one_in(d, 3) ? draw_below(d, d->g.groups + 1) : 0;
    if (one_in(d, 3))
        d->quotas_left = d->g.groups;
    d->quota_1_in = one_in(d, 2) ? 1 + draw_below(d, 30) : 0;
}

/* Draws two entries whose mean is at the edge of rounding. The sum of their f values changes the
 * lease by one per 32, and is rounded at 16. The sum is drawn at that edge or one below. */
static void draw_edge(struct lease_stimulus *d) {
    const uint32_t window = (d->g.duty - 1) / 2;
    const unsigned most = window < d->g.count_max ? window : d->g.count_max;
    d->edge.on = false;
    if (d->g.entries < 2 || !most || random_below(&d->edge.rng, 4))
        return;
    for (unsigned tries = 0; tries < 64 && !d->edge.on; tries++) {
        unsigned sum = 0;
        for (unsigned i = 0; i < 2; i++) {
            unsigned n = 1 + random_below(&d->edge.rng, most < 12 ? most : 12);
            unsigned pages = 1 + random_below(&d->edge.rng, n < d->g.pages ? n : d->g.pages);
            d->edge.accesses[i] = n;
            d->edge.pages[i] = pages;
            sum += 16 * n / pages;
        }
        d->edge.on = sum % 32 == 15 || sum % 32 == 16;
    }
    d->edge.group = random_below(&d->edge.rng, d->g.groups);
}

bool lease_stimulus_bursts(const struct lease_geometry *g) {
    return g->entries > 1 && g->duty > 6;
}

bool lease_stimulus_saturates(const struct lease_geometry *g) {
    return g->lease_max < g->count_max && (g->duty - 1) * g->lanes > g->lease_max;
}

static void draw_script(struct lease_stimulus *d) {
    d->script.kind = LEASE_SCRIPT_NONE;
    if (d->edge.on || random_below(&d->script.rng, 4) == 0)
        return;
    d->script.kind = (enum lease_script)random_below(&d->script.rng, LEASE_N_SCRIPTS);
    if (!d->script.kind)
        d->script.kind = LEASE_SCRIPT_NEW;
    if (d->script.kind != LEASE_SCRIPT_HOT && !lease_stimulus_bursts(&d->g))
        d->script.kind = LEASE_SCRIPT_NONE;
    d->script.group = random_below(&d->script.rng, d->g.groups);
    d->script.quota = 2 + random_below(&d->script.rng, 3);
    if (d->script.quota > d->g.entries || d->script.kind == LEASE_SCRIPT_HOT)
        d->script.quota = d->g.entries;
    d->script.page = random_below(&d->script.rng, d->g.pages);
}

/* Draws the cycle of a reset, which is mostly one in which the block is busy. */
static uint32_t draw_reset(struct lease_stimulus *d) {
    unsigned rest = d->g.period - d->g.duty, early = rest < 256 ? rest : 256;
    if (!one_in(d, 8))
        return d->g.period;
    switch (draw_below(d, 4)) {
    case 0:
        return draw_below(d, d->g.duty);
    case 1:
        return d->g.duty + draw_below(d, early < 8 ? early : 8);
    case 2:
        return d->g.duty + draw_below(d, early);
    default:
        return draw_below(d, d->g.period);
    }
}

/* Makes each third window one whose last accesses use up a quota. It has entries left for them. */
static void draw_last(struct lease_stimulus *d) {
    const unsigned n = d->windows++;
    d->last.on = n % 3 == 2;
    if (!d->last.on)
        return;
    d->last.group = d->first_group;
    d->last.room = 1 + n / 3 % 2;
    d->until = d->until < d->g.entries / 2 ? d->until : d->g.entries / 2;
    d->reset_at = d->g.period;
    d->edge.on = false;
    d->script.kind = LEASE_SCRIPT_NONE;
}

static void new_window(struct lease_stimulus *d) {
    draw_accesses(d);
    draw_quotas(d);
    draw_edge(d);
    draw_script(d);
    d->reset_at = draw_reset(d);
    d->reset_shown = one_in(d, 24);
    draw_last(d);
}

/* ---- Inputs ---- */

static unsigned all_blocks(const struct lease_stimulus *d) {
    return (unsigned)bits_low(d->g.block_w);
}

static unsigned draw_block(struct lease_stimulus *d, unsigned lane) {
    unsigned n;
    switch (d->blocks) {
    case LEASE_BLOCKS_LAST:
        if (!one_in(d, 4))
            return d->last_block;
        return d->last_block = (d->last_block ^ 1u << draw_below(d, d->g.block_w)) & all_blocks(d);
    case LEASE_BLOCKS_NEW:
        return (d->fresh + (lane & d->base)) & all_blocks(d);
    case LEASE_BLOCKS_AGAIN:
        n = one_in(d, 2) ? d->fresh : d->fresh - draw_below(d, 4);
        return n & all_blocks(d);
    case LEASE_BLOCKS_SAME:
        return one_in(d, 8) ? draw_below(d, 1 + all_blocks(d)) : d->fresh & all_blocks(d);
    default:
        n = draw_below(d, d->span);
        return (d->base ^ n << d->bit ^ n >> 4) & all_blocks(d);
    }
}

static unsigned draw_group(struct lease_stimulus *d, unsigned block) {
    unsigned mixed = block * 0x9e3779b9u >> 16;
    switch (d->owners) {
    case OWNERS_BLOCK:
        return mixed % d->g.groups;
    case OWNERS_TWO:
        return (d->first_group + (mixed & 1)) % d->g.groups;
    case OWNERS_LAST:
        return d->g.groups - 1;
    default:
        return draw_below(d, 1u << d->g.group_w);
    }
}

static unsigned draw_page(struct lease_stimulus *d) {
    if (d->pages == LEASE_PAGES_ANY)
        return draw_below(d, d->g.pages);
    d->turn += d->pages == LEASE_PAGES_IN_TURN;
    return d->turn % d->g.pages;
}

static void drive_accesses(struct lease_stimulus *d, struct lease_in *in) {
    bool some = d->score->cycle < d->until && draw_below(d, 16) < d->some_in_16;
    if (some && !(d->blocks == LEASE_BLOCKS_SAME && !one_in(d, 6)))
        d->fresh++;
    for (unsigned l = 0; l < d->g.lanes; l++) {
        unsigned block = draw_block(d, l);
        bool valid = some && (d->g.lanes == 1 || draw_below(d, 16) < d->valid_in_16);
        in->acc_valid |= (uint64_t)valid << l;
        lease_put(in->acc_block, l, d->g.block_w, block);
        lease_put(in->acc_page, l, d->g.page_w, draw_page(d));
        lease_put(in->acc_group, l, d->g.group_w, draw_group(d, block));
    }
}

static void drive_quota(struct lease_stimulus *d, struct lease_in *in) {
    in->quota_group = draw_below(d, 1u << d->g.group_w);
    in->quota = draw_below(d, d->quota_most + 1);
    if (d->quotas_left) {
        in->quota_valid = 1;
        in->quota_group = --d->quotas_left;
        in->quota = one_in(d, 4) ? in->quota : d->quota_most;
        return;
    }
    in->quota_valid = d->quota_1_in && one_in(d, d->quota_1_in);
    if (one_in(d, 2)) /* prefers a group with accesses */
        in->quota_group = lease_field(in->acc_group, draw_below(d, d->g.lanes), d->g.group_w);
}

static void put_access(const struct lease_stimulus *d, struct lease_in *in, unsigned lane,
                       unsigned block, unsigned page, unsigned group) {
    in->acc_valid |= UINT64_C(1) << lane;
    lease_put(in->acc_block, lane, d->g.block_w, block & all_blocks(d));
    lease_put(in->acc_page, lane, d->g.page_w, page);
    lease_put(in->acc_group, lane, d->g.group_w, group);
}

static void put_quota(struct lease_in *in, unsigned group, unsigned quota) {
    in->quota_valid = 1;
    in->quota_group = group;
    in->quota = quota;
}

/* Sets the quota, and then drives the accesses to the first block and those to the second. */
static void drive_edge(const struct lease_stimulus *d, struct lease_in *in) {
    const unsigned first = d->edge.accesses[0], all = first + d->edge.accesses[1];
    const uint32_t cycle = d->score->cycle;
    *in = (struct lease_in){0};
    if (cycle == 0) {
        put_quota(in, d->edge.group, d->g.entries);
    } else if (cycle <= all) {
        unsigned b = cycle > first, n = cycle - 1 - b * first;
        put_access(d, in, 0, d->base ^ b, n % d->edge.pages[b], d->edge.group);
    }
}

/* Puts an access of the script's group in the lanes from `first` up to `last`. */
static void put_script(const struct lease_stimulus *d, struct lease_in *in, unsigned first,
                       unsigned last, unsigned block) {
    for (unsigned l = first; l <= last; l++)
        put_access(d, in, l, block, d->script.page, d->script.group);
}

/* Sets the quota, and then accesses one more block than it allows, or one block. */
static void drive_script(const struct lease_stimulus *d, struct lease_in *in) {
    const uint32_t cycle = d->score->cycle, each = d->script.kind == LEASE_SCRIPT_TWICE ? 2 : 1;
    const bool hot = d->script.kind == LEASE_SCRIPT_HOT;
    if (cycle > (hot ? d->g.duty : each * (d->script.quota + 1)))
        return;
    if (cycle > 0)
        *in = (struct lease_in){0};
    if (cycle == 0) {
        put_quota(in, d->script.group, d->script.quota);
    } else if (hot) {
        put_script(d, in, 0, d->g.lanes - 1, d->base);
    } else {
        unsigned lane = d->script.page % d->g.lanes;
        put_script(d, in, lane, lane, d->base + (cycle - 1) / each);
    }
}

/* Returns a block without an entry, or any block if all have one. */
static unsigned new_block(const struct lease_stimulus *d) {
    unsigned n = 0;
    while (n < d->g.entries &&
           lease_score_find(&d->score->window[0], (d->base + n) & all_blocks(d)) >= 0)
        n++;
    return d->base + n;
}

/* Gives the group room for one or two more entries, and then accesses two new blocks of it. */
static void drive_last(const struct lease_stimulus *d, struct lease_in *in) {
    const uint32_t cycle = d->score->cycle, group = d->last.group;
    const unsigned quota = d->score->group[group].entries + d->last.room;
    if (cycle + 3 < d->g.duty || cycle >= d->g.duty)
        return;
    *in = (struct lease_in){0};
    if (cycle + 3 == d->g.duty)
        put_quota(in, group, quota < d->g.entries ? quota : d->g.entries);
    else
        put_access(d, in, 0, new_block(d), 0, group);
}

static bool decide_reset(struct lease_stimulus *d) {
    const struct lease_step *step = lease_score_step(d->score);
    bool shows = step && step->update && step->cycle == d->score->cycle;
    return d->cycle++ == 0 || d->score->cycle == d->reset_at ||
           (shows && d->reset_shown && one_in(d, 2));
}

void lease_stimulus_drive(struct lease_stimulus *d, struct lease_in *in) {
    *in = (struct lease_in){0};
    if (d->score->cycle == 0)
        new_window(d);
    drive_accesses(d, in);
    drive_quota(d, in);
    if (d->edge.on)
        drive_edge(d, in);
    if (d->script.kind)
        drive_script(d, in);
    if (d->last.on)
        drive_last(d, in);
    in->rst = decide_reset(d);
}

void lease_stimulus_init(struct lease_stimulus *d, const struct lease_geometry *g,
                         const struct lease_score *score, uint64_t seed) {
    *d = (struct lease_stimulus){.g = *g, .score = score, .rng = seed};
    d->edge.rng = seed;
    d->script.rng = seed ^ UINT64_C(0x5c);
}
