// SPDX-License-Identifier: Apache-2.0
#include "expiry/expiry_ports.h"

#include <stdlib.h>

#include "lib/alloc.h"

enum op { OP_NONE, OP_RECALL, OP_EXPIRE, OP_TAKE };

/* Phases of an operation. The entry is known in PHASE_READ and is output in PHASE_OUT. An operation
 * without an output goes from PHASE_READ to PHASE_IDLE. */
enum phase { PHASE_IDLE, PHASE_LOOK, PHASE_FIND, PHASE_READ, PHASE_OUT };

struct expiry_entry {
    bool used;
    uint16_t older, newer; /* neighbors in the order of updates */
    uint32_t block, mask;
};

struct expiry {
    unsigned entries, take; /* parameters */

    enum phase phase;
    enum op op;         /* valid unless the phase is PHASE_IDLE */
    bool exp_waits,     /* an expiration was accepted but has not begun */
        rec_waits;      /* a recall was accepted but has not begun */
    bool take_waits;    /* a take was requested but has not begun */
    bool exp_first;     /* an expiration has waited at its port longer than a recall */
    uint32_t exp_block, /* block of the expiration accepted last */
        rec_block;      /* block of the recall accepted last */
    uint32_t exp_page;  /* page of the expiration, one-hot */

    bool found;   /* the block has an entry in the table */
    unsigned way; /* index of the entry found, allocated or removed; `entries` if there is none */
    unsigned leave_count; /* number of entries removed for this `take` */

    unsigned count, /* number of entries in use */
        oldest,     /* least recently updated entry, if count > 0 */
        newest;     /* most recently updated entry, if count > 0 */
    struct expiry_entry *entry;
};

/* ---- Parameters ---- */

static const struct param_desc params[EXPIRY_N_PARAMS] = {
    {"ENTRIES", 256, 2, 1024, "number of entries, one block of pages each"},
    {"BLOCK_W", 16, 2, 32, "block number width"},
    {"PAGES", 16, 2, 32, "pages per block, a power of two"},
    {"TAKE", 4, 1, 16, "maximum number of entries evicted by one take"},
};

static const char *find_illegal(const struct block_params *p) {
    if (!bits_power_of_two((uint64_t)p->v[EXPIRY_PAGES]))
        return "PAGES must be a power of two";
    if (p->v[EXPIRY_ENTRIES] >= INT64_C(1) << p->v[EXPIRY_BLOCK_W])
        return "ENTRIES must be less than 2 ** BLOCK_W";
    return NULL;
}

/* ---- Creation ---- */

static void clear_table(struct expiry *m) {
    for (unsigned i = 0; i < m->entries; i++)
        m->entry[i].used = false;
    m->count = 0;
    m->phase = PHASE_IDLE;
    m->exp_waits = m->rec_waits = m->take_waits = m->exp_first = false;
}

static void destroy_expiry(void *model) {
    struct expiry *m = model;
    free(m->entry);
    free(m);
}

static void *create_expiry(const struct block_params *p) {
    struct expiry *m = alloc_zeroed(1, sizeof *m);
    m->entries = (unsigned)p->v[EXPIRY_ENTRIES];
    m->take = (unsigned)p->v[EXPIRY_TAKE];
    m->entry = alloc_zeroed(m->entries, sizeof *m->entry);
    return m;
}

/* ---- The order of updates ---- */

static void append_way(struct expiry *m, unsigned way) {
    struct expiry_entry *e = &m->entry[way];
    e->used = true;
    e->older = (uint16_t)m->newest;
    if (m->count++)
        m->entry[m->newest].newer = (uint16_t)way;
    else
        m->oldest = way;
    m->newest = way;
}

static void remove_entry(struct expiry *m, unsigned way) {
    struct expiry_entry *e = &m->entry[way];
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

/* True if PHASE_READ is followed by an output. */
static bool has_output(const struct expiry *m) {
    return m->op != OP_EXPIRE || (!m->found && m->count == m->entries);
}

static enum expiry_why why(const struct expiry *m) {
    if (m->way == m->entries)
        return EXPIRY_NOTHING;
    return m->op == OP_EXPIRE ? EXPIRY_FULL : m->op == OP_TAKE ? EXPIRY_TAKEN : EXPIRY_RECALLED;
}

/* True if the current output is the last one of the operation. */
static bool is_last(const struct expiry *m) {
    return m->op != OP_TAKE || m->count <= 1 || m->leave_count + 1 == m->take;
}

static void eval_expiry(const void *model, const void *in, void *out_) {
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

static void observe_expiry(const void *model, const void *in, void *out_) {
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

/* Returns the index of the block's entry, or `entries` if the block has no entry. */
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

static void find_page(struct expiry *m) {
    uint32_t block = m->op == OP_RECALL ? m->rec_block : m->exp_block;
    m->way = m->op == OP_TAKE ? m->entries : find_block(m, block);
    m->found = m->way < m->entries;
    if (m->op == OP_TAKE && m->count)
        m->way = m->oldest;
    if (m->op == OP_EXPIRE && !m->found)
        m->way = m->count == m->entries ? m->oldest : lowest_free(m);
}

/* Marks the page as expired, and makes its block's entry the newest. */
static void set_page(struct expiry *m) {
    struct expiry_entry *e = &m->entry[m->way];
    uint32_t mask = m->found ? e->mask : 0;
    if (e->used)
        remove_entry(m, m->way);
    e->block = m->exp_block;
    e->mask = mask | m->exp_page;
    append_way(m, m->way);
}

/* Completes an output: removes the entry that is at the output or, for an expiration, reuses it for
 * the new block. */
static void leave_page(struct expiry *m) {
    bool last = is_last(m);
    m->leave_count++;
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

/* Begins the first waiting operation, if any. */
static void begin_flush(struct expiry *m) {
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
    m->leave_count = 0;
    m->phase = PHASE_LOOK;
}

static void tick_expiry(void *model, const void *in_) {
    struct expiry *m = model;
    const struct expiry_in *in = in_;
    if (in->rst) {
        clear_table(m);
        return;
    }
    bool ready = is_ready(m);
    m->take_waits |= in->take;
    if (ready)
        receive(m, in);
    if (m->phase == PHASE_IDLE) {
        begin_flush(m);
    } else if (m->phase == PHASE_READ) {
        m->phase = has_output(m) ? PHASE_OUT : PHASE_IDLE;
        if (m->phase == PHASE_IDLE)
            set_page(m);
    } else if (m->phase == PHASE_OUT) {
        if (in->out_ready)
            leave_page(m);
    } else if (++m->phase == PHASE_READ) {
        find_page(m);
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
    .illegal = find_illegal,
    .create = create_expiry,
    .destroy = destroy_expiry,
    .eval = eval_expiry,
    .observe = observe_expiry,
    .tick = tick_expiry,
};
