// SPDX-License-Identifier: Apache-2.0
#include "expiry/expiry_ports.h"

#include <stdlib.h>

#include "lib/alloc.h"

enum op { OP_NONE, OP_RECALL, OP_EXPIRE, OP_TAKE };

/* Cycles of an operation. In PHASE_READ the entry is known, in PHASE_OUT it stands at the output.
 * An operation without output goes from PHASE_READ to PHASE_IDLE. */
enum phase { PHASE_IDLE, PHASE_LOOK, PHASE_FIND, PHASE_READ, PHASE_OUT };

struct entry {
    bool used;
    uint16_t older, newer; /* of the order of updates, where there are such */
    uint32_t block, mask;
};

struct expiry {
    unsigned entries, take; /* parameters */

    enum phase phase;
    enum op op;                /* unless idle */
    bool exp_waits, rec_waits; /* taken, and not begun */
    bool take_waits;
    bool exp_first;                /* an expiration stands at its port longer than a recall */
    uint32_t exp_block, rec_block; /* taken last */
    uint32_t exp_page;             /* one bit */

    bool found;     /* the block has an entry */
    unsigned way;   /* the entry that is found, made or goes; `entries`: there is none */
    unsigned taken; /* entries that have left for this `take` */

    unsigned count, oldest, newest; /* entries in use; the ends of the order, where there are any */
    struct entry *entry;
};

/* ---- Parameters ---- */

static const struct param_desc params[EXPIRY_N_PARAMS] = {
    {"ENTRIES", 256, 2, 1024, "entries, of one block of pages each"},
    {"BLOCK_W", 16, 2, 32, "bits of a block number"},
    {"PAGES", 16, 2, 32, "pages of a block, a power of two"},
    {"TAKE", 4, 1, 16, "most entries that leave for one take"},
};

static const char *illegal(const struct block_params *p) {
    if (!bits_power_of_two((uint64_t)p->v[EXPIRY_PAGES]))
        return "PAGES must be a power of two";
    if (p->v[EXPIRY_ENTRIES] >= INT64_C(1) << p->v[EXPIRY_BLOCK_W])
        return "ENTRIES must be less than 2 ** BLOCK_W";
    return NULL;
}

/* ---- Creation ---- */

static void clear(struct expiry *m) {
    for (unsigned i = 0; i < m->entries; i++)
        m->entry[i].used = false;
    m->count = 0;
    m->phase = PHASE_IDLE;
    m->exp_waits = m->rec_waits = m->take_waits = m->exp_first = false;
}

static void destroy(void *model) {
    struct expiry *m = model;
    free(m->entry);
    free(m);
}

static void *create(const struct block_params *p) {
    struct expiry *m = alloc_zeroed(1, sizeof *m);
    m->entries = (unsigned)p->v[EXPIRY_ENTRIES];
    m->take = (unsigned)p->v[EXPIRY_TAKE];
    m->entry = alloc_zeroed(m->entries, sizeof *m->entry);
    return m;
}

/* ---- The order of updates ---- */

static void append(struct expiry *m, unsigned way) {
    struct entry *e = &m->entry[way];
    e->used = true;
    e->older = (uint16_t)m->newest;
    if (m->count++)
        m->entry[m->newest].newer = (uint16_t)way;
    else
        m->oldest = way;
    m->newest = way;
}

static void remove_entry(struct expiry *m, unsigned way) {
    struct entry *e = &m->entry[way];
    e->used = false;
    m->count--;
    if (way == m->oldest)
        m->oldest = e->newer;
    else
        m->entry[e->older].newer = e->newer;
    if (way == m->newest)
        m->newest = e->older;
    else
        m->entry[e->newer].older = e->older;
}

/* ---- Outputs ---- */

static bool is_ready(const struct expiry *m) {
    return m->phase == PHASE_IDLE && !m->exp_waits && !m->rec_waits;
}

/* Something stands at the output after PHASE_READ. */
static bool has_output(const struct expiry *m) {
    return m->op != OP_EXPIRE || (!m->found && m->count == m->entries);
}

static enum expiry_why why(const struct expiry *m) {
    if (m->way == m->entries)
        return EXPIRY_NOTHING;
    return m->op == OP_EXPIRE ? EXPIRY_FULL : m->op == OP_TAKE ? EXPIRY_TAKEN : EXPIRY_RECALLED;
}

/* Nothing of this operation comes behind what stands at the output. */
static bool is_last(const struct expiry *m) {
    return m->op != OP_TAKE || m->count <= 1 || m->taken + 1 == m->take;
}

static void eval(const void *model, const void *in, void *out_) {
    const struct expiry *m = model;
    struct expiry_out *out = out_;
    (void)in;
    out->exp_ready = out->rec_ready = is_ready(m);
    out->out_valid = m->phase == PHASE_OUT;
    out->out_block = out->out_mask = out->out_why = out->out_last = 0;
    if (!out->out_valid)
        return;
    out->out_why = why(m);
    out->out_last = is_last(m);
    if (m->way == m->entries)
        return;
    out->out_block = m->entry[m->way].block;
    out->out_mask = m->entry[m->way].mask;
}

static void observe(const void *model, const void *in, void *out_) {
    const struct expiry *m = model;
    struct expiry_out *out = out_;
    (void)in;
    out->st_entries = m->count;
    out->st_look = m->phase == PHASE_READ;
    out->st_found = out->st_look && m->found;
    out->st_use = out->st_look && m->way < m->entries;
    out->st_way = out->st_use ? m->way : 0;
}

/* ---- The clock edge ---- */

/* The entry of this block; `entries` if there is none. */
static unsigned find_block(const struct expiry *m, uint32_t block) {
    unsigned way = 0;
    while (way < m->entries && !(m->entry[way].used && m->entry[way].block == block))
        way++;
    return way;
}

static unsigned lowest_free(const struct expiry *m) {
    unsigned way = 0;
    while (m->entry[way].used)
        way++;
    return way;
}

static void find(struct expiry *m) {
    uint32_t block = m->op == OP_RECALL ? m->rec_block : m->exp_block;
    m->way = m->op == OP_TAKE ? m->entries : find_block(m, block);
    m->found = m->way < m->entries;
    if (m->op == OP_TAKE && m->count)
        m->way = m->oldest;
    if (m->op == OP_EXPIRE && !m->found)
        m->way = m->count == m->entries ? m->oldest : lowest_free(m);
}

/* The page that has expired is set, and its block's entry is the newest. */
static void set_page(struct expiry *m) {
    struct entry *e = &m->entry[m->way];
    uint32_t mask = m->found ? e->mask : 0;
    if (e->used)
        remove_entry(m, m->way);
    e->block = m->exp_block;
    e->mask = mask | m->exp_page;
    append(m, m->way);
}

/* What stands at the output leaves. */
static void leave(struct expiry *m) {
    bool last = is_last(m);
    m->taken++;
    if (m->op == OP_EXPIRE)
        set_page(m);
    else if (m->way < m->entries)
        remove_entry(m, m->way);
    m->phase = last ? PHASE_IDLE : PHASE_FIND;
}

static void receive(struct expiry *m, const struct expiry_in *in) {
    m->exp_waits = in->exp_valid;
    m->rec_waits = in->rec_valid;
    if (in->exp_valid) {
        m->exp_block = (uint32_t)in->exp_block;
        m->exp_page = UINT32_C(1) << in->exp_page;
    }
    if (in->rec_valid)
        m->rec_block = (uint32_t)in->rec_block;
}

/* The first operation of those that wait, if there is one. */
static void begin(struct expiry *m) {
    if (m->rec_waits && !(m->exp_waits && m->exp_first)) {
        m->op = OP_RECALL;
        m->rec_waits = false;
    } else if (m->exp_waits) {
        m->op = OP_EXPIRE;
        m->exp_waits = false;
    } else if (m->take_waits) {
        m->op = OP_TAKE;
        m->take_waits = false;
    } else {
        return;
    }
    m->taken = 0;
    m->phase = PHASE_LOOK;
}

static void tick(void *model, const void *in_) {
    struct expiry *m = model;
    const struct expiry_in *in = in_;
    if (in->rst) {
        clear(m);
        return;
    }
    bool ready = is_ready(m);
    m->take_waits |= in->take;
    if (ready)
        receive(m, in);
    if (m->phase == PHASE_IDLE) {
        begin(m);
    } else if (m->phase == PHASE_READ) {
        m->phase = has_output(m) ? PHASE_OUT : PHASE_IDLE;
        if (m->phase == PHASE_IDLE)
            set_page(m);
    } else if (m->phase == PHASE_OUT) {
        if (in->out_ready)
            leave(m);
    } else if (++m->phase == PHASE_READ) {
        find(m);
    }
    m->exp_first = in->exp_valid && !ready && (!in->rec_valid || m->exp_first);
}

uint64_t expiry_next_event(const void *model) {
    const struct expiry *m = model;
    return m->phase != PHASE_IDLE || m->exp_waits || m->rec_waits || m->take_waits ? 0 : UINT64_MAX;
}

EXPIRY_PORTS(BLOCK_PORT_FUNCTIONS)

static const struct port_desc ports[] = {EXPIRY_PORTS(BLOCK_PORT_ENTRY)};

const struct block_type expiry_type = {
    .name = "expiry",
    .params = params,
    .n_params = EXPIRY_N_PARAMS,
    .ports = ports,
    .n_ports = sizeof ports / sizeof *ports,
    .in_size = sizeof(struct expiry_in),
    .out_size = sizeof(struct expiry_out),
    .late = true,
    .illegal = illegal,
    .create = create,
    .destroy = destroy,
    .eval = eval,
    .observe = observe,
    .tick = tick,
};
