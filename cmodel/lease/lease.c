// SPDX-License-Identifier: Apache-2.0
#include "lease/lease_ports.h"

#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"

/* Inputs of one cycle, kept until they are counted. */
struct batch {
    uint32_t valid; /* mask of the lanes with an access */
    uint32_t block[LEASE_MAX_LANES];
    uint8_t page[LEASE_MAX_LANES], group[LEASE_MAX_LANES];
    uint32_t counted; /* mask of the lanes whose block has an entry */
    uint8_t entry[LEASE_MAX_LANES];
    unsigned missed;
    bool quota_valid;
    uint8_t quota_group, quota;
};

struct lease_entry {
    uint32_t block, count, pages;
    uint8_t group;
};

struct group {
    uint32_t quota, /* maximum number of the group's entries in a window */
        entries;    /* number of the group's entries in the current window */
    uint32_t lease;
    bool leased;
};

struct lease {
    /* Parameters and values derived from them */
    unsigned lanes, n_entries, n_groups, count_w, weight;
    unsigned block_w, page_w, group_w, pages, quota_w, sum_w;
    uint32_t duty, period, count_max, lease_max;

    uint32_t cycle; /* cycle within the period */
    struct batch batches[LEASE_COUNT_LATENCY];
    unsigned newest;  /* index of the previous cycle's batch */
    unsigned waiting; /* number of ticks until all batches with input have been counted */
    struct lease_entry entries[LEASE_MAX_ENTRIES];
    unsigned used; /* entries 0 to used - 1 are in use */
    uint64_t missed;
    struct group groups[LEASE_MAX_GROUPS];

    enum lease_phase phase;
    uint32_t left;  /* number of cycles until the current computation ends; 0 if there is none */
    unsigned group; /* number of the group being computed; n_groups after the last group */
    bool updated;   /* true if updated_group has a new lease */
    uint8_t updated_group;
};

/* ---- Parameters ---- */

static const struct param_desc params[LEASE_N_PARAMS] = {
    {"LANES", 1, 1, LEASE_MAX_LANES, "accesses per cycle"},
    {"ENTRIES", 16, 1, LEASE_MAX_ENTRIES, "blocks sampled per window"},
    {"BLOCK_W", 16, 2, 20, "block number width"},
    {"COUNT_W", 10, 2, 16, "access counter width"},
    {"PAGES", 16, 2, 32, "pages per block, a power of two"},
    {"GROUPS", 32, 1, LEASE_MAX_GROUPS, "number of page groups"},
    {"DUTY", 1000, 1, 1 << 20, "window length in cycles"},
    {"PERIOD", 6000, 28, 1 << 22, "cycles from the start of one window to the next"},
    {"LIFE_W", 10, 2, 16, "lease width"},
    {"WEIGHT", 1, 0, 7, "smoothing: a lease moves 2^-WEIGHT of the distance to the sample"},
};

int64_t lease_least_period(const struct block_params *p) {
    const int64_t count_w = p->v[LEASE_COUNT_W];
    return p->v[LEASE_DUTY] + p->v[LEASE_ENTRIES] * (count_w + 8) +
           p->v[LEASE_GROUPS] * (count_w + 14) + 1;
}

static const char *find_illegal(const struct block_params *p) {
    if (!bits_power_of_two((uint64_t)p->v[LEASE_PAGES]))
        return "PAGES must be a power of two";
    return p->v[LEASE_PERIOD] >= lease_least_period(p)
               ? NULL
               : "PERIOD - DUTY must be more than ENTRIES * (COUNT_W + 8) + GROUPS * (COUNT_W + "
                 "14)";
}

/* ---- Creation ---- */

static void begin_window(struct lease *m) {
    m->cycle = 0;
    m->phase = LEASE_PHASE_SAMPLE;
    m->used = 0;
    m->missed = 0;
    memset(m->entries, 0, sizeof m->entries);
    for (unsigned g = 0; g < m->n_groups; g++)
        m->groups[g].entries = 0;
}

static void reset_lease(struct lease *m) {
    memset(m->groups, 0, sizeof m->groups);
    begin_window(m);
    memset(m->batches, 0, sizeof m->batches);
    m->newest = m->waiting = 0;
    m->left = 0;
    m->updated = false;
}

static void *create_lease(const struct block_params *p) {
    struct lease *m = alloc_zeroed(1, sizeof *m);
    m->lanes = (unsigned)p->v[LEASE_LANES];
    m->n_entries = (unsigned)p->v[LEASE_ENTRIES];
    m->n_groups = (unsigned)p->v[LEASE_GROUPS];
    m->count_w = (unsigned)p->v[LEASE_COUNT_W];
    m->weight = (unsigned)p->v[LEASE_WEIGHT];
    m->block_w = (unsigned)p->v[LEASE_BLOCK_W];
    m->page_w = lease_page_bits(p);
    m->group_w = lease_group_bits(p);
    m->pages = (unsigned)p->v[LEASE_PAGES];
    m->sum_w = m->count_w + 4 + (m->n_entries < 2 ? 0 : bits_to_hold(m->n_entries - 1));
    m->duty = (uint32_t)p->v[LEASE_DUTY];
    m->period = (uint32_t)p->v[LEASE_PERIOD];
    m->count_max = (uint32_t)bits_low(m->count_w);
    m->lease_max = (uint32_t)bits_low((unsigned)p->v[LEASE_LIFE_W]) - 1;
    reset_lease(m);
    return m;
}

/* ---- Outputs ---- */

static void eval_lease(const void *model, const void *in, void *out_) {
    const struct lease *m = model;
    struct lease_out *out = out_;
    (void)in;
    out->upd_valid = m->updated;
    out->upd_group = m->updated ? m->updated_group : 0;
    out->upd_lease = m->updated ? m->groups[m->updated_group].lease : 0;
    out->duty = m->cycle < m->duty;
}

static void observe_lease(const void *model, const void *in, void *out_) {
    const struct lease *m = model;
    struct lease_out *out = out_;
    (void)in;
    out->st_phase = m->phase;
    out->st_used = bits_low(m->used);
    out->st_missed = m->missed < UINT16_MAX ? m->missed : UINT16_MAX;
    memset(out->st_count, 0, sizeof out->st_count);
    memset(out->st_pages, 0, sizeof out->st_pages);
    for (unsigned e = 0; e < m->used; e++) {
        lease_put(out->st_count, e, m->count_w, m->entries[e].count);
        lease_put(out->st_pages, e, m->pages, m->entries[e].pages);
    }
}

/* ---- The clock edge: accesses ---- */

static struct batch *batch_before(struct lease *m, unsigned cycles) {
    return &m->batches[(m->newest + LEASE_COUNT_LATENCY - cycles) % LEASE_COUNT_LATENCY];
}

/* Returns the entry of a block, or `used` if it has no entry. */
static unsigned find_block(const struct lease *m, uint32_t block) {
    unsigned e = 0;
    while (e < m->used && m->entries[e].block != block)
        e++;
    return e;
}

static bool has_room(const struct lease *m, unsigned g) {
    return g < m->n_groups && m->groups[g].entries < m->groups[g].quota;
}

/* Looks up the entries of all lanes. Returns the lanes without an entry whose group has room. */
static uint32_t look_up(const struct lease *m, struct batch *b) {
    uint32_t able = 0;
    for (uint32_t rest = b->valid; rest; rest &= rest - 1) {
        unsigned lane = bits_lowest(rest), e = find_block(m, b->block[lane]);
        if (e < m->used) {
            b->entry[lane] = (uint8_t)e;
            b->counted |= UINT32_C(1) << lane;
        } else if (has_room(m, b->group[lane])) {
            able |= UINT32_C(1) << lane;
        }
    }
    return able;
}

static void enter_batch(struct lease *m, struct batch *b, unsigned first) {
    m->entries[m->used] = (struct lease_entry){.block = b->block[first], .group = b->group[first]};
    m->groups[b->group[first]].entries++;
    for (uint32_t rest = b->valid & ~b->counted; rest; rest &= rest - 1) {
        unsigned lane = bits_lowest(rest);
        if (b->block[lane] != b->block[first])
            continue;
        b->entry[lane] = (uint8_t)m->used;
        b->counted |= UINT32_C(1) << lane;
    }
    m->used++;
}

/* Allocates an entry if a lane needs one and an entry is free. A quota that arrives together with
 * accesses applies only to later accesses. */
static void choose_lease(struct lease *m, struct batch *b) {
    uint32_t able = look_up(m, b);
    if (m->used == m->n_entries)
        b->missed = bits_count(able);
    else if (able)
        enter_batch(m, b, bits_lowest(able));
    if (b->quota_valid && b->quota_group < m->n_groups)
        m->groups[b->quota_group].quota = b->quota;
}

static void count_batch(struct lease *m, const struct batch *b) {
    for (uint32_t rest = b->counted; rest; rest &= rest - 1) {
        unsigned lane = bits_lowest(rest);
        struct lease_entry *e = &m->entries[b->entry[lane]];
        e->count += e->count < m->count_max;
        e->pages |= UINT32_C(1) << b->page[lane];
    }
    m->missed += b->missed;
}

static void take_input(struct lease *m, const struct lease_in *in) {
    struct batch *b = batch_before(m, LEASE_COUNT_LATENCY - 1);
    m->newest = (m->newest + 1) % LEASE_COUNT_LATENCY;
    b->valid = m->cycle < m->duty ? (uint32_t)in->acc_valid : 0;
    b->counted = b->missed = 0;
    for (uint32_t rest = b->valid; rest; rest &= rest - 1) {
        unsigned lane = bits_lowest(rest);
        b->block[lane] = lease_field(in->acc_block, lane, m->block_w);
        b->page[lane] = (uint8_t)lease_field(in->acc_page, lane, m->page_w);
        b->group[lane] = (uint8_t)lease_field(in->acc_group, lane, m->group_w);
    }
    b->quota_valid = in->quota_valid;
    b->quota_group = (uint8_t)in->quota_group;
    b->quota = (uint8_t)in->quota;
    if (b->valid || b->quota_valid)
        m->waiting = LEASE_COUNT_LATENCY;
    else
        m->waiting -= m->waiting > 0;
}

static void tick_accesses(struct lease *m, const struct lease_in *in) {
    count_batch(m, batch_before(m, LEASE_COUNT_LATENCY - 1));
    choose_lease(m, batch_before(m, LEASE_CHOOSE_LATENCY - 1));
    take_input(m, in);
}

/* ---- The clock edge: leases ---- */

/* Starts the computation for the first group from g on that has entries. */
static void plan_group(struct lease *m, unsigned g) {
    m->phase = LEASE_PHASE_ENTRIES;
    m->left = 0;
    for (m->group = g; m->group < m->n_groups; m->group++) {
        m->left += 2;
        if (m->groups[m->group].entries) {
            m->left += m->groups[m->group].entries * (m->count_w + 7);
            return;
        }
    }
}

/* Returns F, the rounded average number of accesses per page over the group's entries. */
static uint32_t sample_of(const struct lease *m, unsigned g) {
    uint32_t sum = 0;
    for (unsigned e = 0; e < m->used; e++)
        if (m->entries[e].group == g)
            sum += 16 * m->entries[e].count / bits_count(m->entries[e].pages);
    return (sum / m->groups[g].entries + 8) / 16;
}

/* Returns x / 2^n, rounded down. */
static int64_t shift_down(int64_t x, unsigned n) {
    return x < 0 ? -((-x + (int64_t)bits_low(n)) >> n) : x >> n;
}

static void update(struct lease *m) {
    struct group *g = &m->groups[m->group];
    int64_t sample = sample_of(m, m->group), lease = sample;
    if (g->leased)
        lease = g->lease + shift_down(sample - g->lease, m->weight);
    g->lease = lease < 1 ? 1 : lease > m->lease_max ? m->lease_max : (uint32_t)lease;
    g->leased = true;
    m->updated = true;
    m->updated_group = (uint8_t)m->group;
}

static void end_step(struct lease *m) {
    if (m->phase == LEASE_PHASE_GROUP) {
        update(m);
        plan_group(m, m->group + 1);
    } else if (m->group < m->n_groups) {
        m->phase = LEASE_PHASE_GROUP;
        m->left = m->sum_w + 3;
    }
    if (m->left == 0)
        m->phase = LEASE_PHASE_IDLE;
}

static void tick_leases(struct lease *m) {
    m->updated = false;
    if (m->cycle == m->duty + LEASE_COUNT_LATENCY - 1)
        plan_group(m, 0);
    else if (m->left && --m->left == 0)
        end_step(m);
}

/* ---- The clock edge ---- */

static void tick_lease(void *model, const void *in_) {
    struct lease *m = model;
    const struct lease_in *in = in_;
    if (in->rst) {
        reset_lease(m);
        return;
    }
    tick_leases(m);
    tick_accesses(m, in);
    if (++m->cycle == m->period)
        begin_window(m);
}

uint64_t lease_next_event(const void *model) {
    const struct lease *m = model;
    if (m->waiting || m->updated)
        return 0;
    if (m->left)
        return m->left - 1;
    return (m->phase == LEASE_PHASE_SAMPLE ? m->duty + LEASE_COUNT_LATENCY : m->period) - 1 -
           m->cycle;
}

void lease_pass(void *model, uint64_t cycles) {
    struct lease *m = model;
    m->cycle += (uint32_t)cycles;
    m->left -= m->left ? (uint32_t)cycles : 0;
}

uint64_t lease_overflows(const void *model) {
    return ((const struct lease *)model)->missed;
}

LEASE_PORTS(BLOCK_PORT_FUNCTIONS)

static const struct port_desc ports[] = {LEASE_PORTS(BLOCK_PORT_ENTRY)};

const struct block_type lease_type = {
    .name = "lease",
    .params = params,
    .n_params = LEASE_N_PARAMS,
    .ports = ports,
    .n_ports = sizeof ports / sizeof *ports,
    .in_size = sizeof(struct lease_in),
    .out_size = sizeof(struct lease_out),
    .late = true,
    .illegal = find_illegal,
    .create = create_lease,
    .destroy = free,
    .eval = eval_lease,
    .observe = observe_lease,
    .tick = tick_lease,
};
