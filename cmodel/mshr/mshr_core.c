#include "mshr/mshr_core.h"

#include <stdlib.h>
#include <string.h>

enum { NONE = -1, BUCKETS = 512, DATA_WORDS = MSHR_MAX_DATA_W / 32, MASK_WORDS = DATA_WORDS / 8 };

struct slot {
    uint32_t id;
    uint16_t off;
    bool write;
};

struct slot_data {
    uint32_t data[DATA_WORDS];
    uint32_t mask[MASK_WORDS];
};

struct set {
    uint64_t addr;
    uint8_t used;  /* slots filled */
    int16_t next;  /* the set linked behind, if it is linked, else NONE */
    int16_t tail;  /* of a head that is not releasing: its last set */
    int16_t chain; /* next head in the same bucket of the index */
};

struct mshr_core {
    struct mshr_geometry g;
    struct set set[MSHR_MAX_SETS];
    uint32_t states[MSHR_MAX_SETS / 8]; /* packed as the port st_state; never MSHR_ERR */
    int16_t bucket[BUCKETS];            /* index of the matchable heads by address */
    uint64_t free[MSHR_MAX_SETS / 64];
    unsigned free_heads, free_shared;

    bool draining;
    int drain_set;       /* set whose slot is on the response port */
    unsigned drain_slot; /* that slot */
    int drain_head;

    int walk_head; /* head whose links are being followed, or NONE */
    int walk_at;   /* set that is looked at in this cycle */

    unsigned err;   /* enum mshr_error */
    unsigned fault; /* seen in this cycle: MSHR_ERR_ATTACH, MSHR_ERR_COUNT */
    int err_set;

    struct slot slot[MSHR_MAX_SETS * MSHR_MAX_SLOTS];
    struct slot_data *data; /* as many, or NULL if data_w is 0 */
};

/* What a request meets, by the state at the start of the cycle. */
struct decision {
    enum { PRIMARY, MERGE, LINK, REFUSED } kind;
    enum mshr_refusal refusal;
    int head; /* that matches, or NONE */
    int at;   /* MERGE, LINK, merge-full: the tail; walking: the set looked at */
    int take; /* PRIMARY, LINK: the free set taken */
};

static unsigned bucket_of(uint64_t addr) {
    return (unsigned)((addr * 0x9E3779B97F4A7C15u) >> 55);
}

static int find_head(const struct mshr_core *m, uint64_t addr) {
    int i = m->bucket[bucket_of(addr)];
    while (i != NONE && m->set[i].addr != addr)
        i = m->set[i].chain;
    return i;
}

static void index_insert(struct mshr_core *m, int i) {
    int16_t *b = &m->bucket[bucket_of(m->set[i].addr)];
    m->set[i].chain = *b;
    *b = (int16_t)i;
}

static void index_remove(struct mshr_core *m, int i) {
    int16_t *p = &m->bucket[bucket_of(m->set[i].addr)];
    while (*p != i)
        p = &m->set[*p].chain;
    *p = m->set[i].chain;
}

/* Lowest free set that is at least `from`, or NONE. */
static int lowest_free(const struct mshr_core *m, unsigned from) {
    for (unsigned w = from / 64; w < MSHR_MAX_SETS / 64; w++) {
        uint64_t bits = m->free[w];
        if (w == from / 64)
            bits &= ~(uint64_t)0 << (from % 64);
        if (bits)
            return (int)(w * 64 + (unsigned)__builtin_ctzll(bits));
    }
    return NONE;
}

static unsigned get_state(const struct mshr_core *m, unsigned i) {
    return m->states[i / 8] >> (i % 8 * MSHR_STATE_W) & 15;
}

static void set_state(struct mshr_core *m, int i, enum mshr_state state) {
    unsigned shift = (unsigned)i % 8 * MSHR_STATE_W;
    uint32_t *word = &m->states[i / 8];
    *word = (*word & ~((uint32_t)15 << shift)) | (uint32_t)state << shift;
}

static bool is_attached(const struct mshr_core *m, int i) {
    return get_state(m, (unsigned)i) >= MSHR_S6;
}

static struct decision decide_match(const struct mshr_core *m, int head) {
    struct decision d = {.head = head, .take = NONE, .at = m->set[head].tail};
    if (m->g.walk) {
        d.at = m->walk_head == head ? m->walk_at : head;
        if (m->set[d.at].next != NONE) {
            d.kind = REFUSED;
            d.refusal = MSHR_REFUSE_WALK;
            return d;
        }
    }
    if (m->set[d.at].used < m->g.slots) {
        d.kind = MERGE;
    } else if (m->free_shared) {
        d.kind = LINK;
        d.take = lowest_free(m, m->g.heads_only);
    } else {
        d.kind = REFUSED;
        d.refusal = MSHR_REFUSE_MERGE_FULL;
    }
    return d;
}

static struct decision decide(const struct mshr_core *m, uint64_t addr) {
    int head = find_head(m, addr);
    if (head != NONE)
        return decide_match(m, head);
    struct decision d = {.kind = PRIMARY, .head = NONE, .at = NONE};
    /* Reserved heads have the lowest ids, so "reserved first" is "lowest first". */
    d.take = lowest_free(m, 0);
    if (d.take == NONE) {
        d.kind = REFUSED;
        d.refusal = MSHR_REFUSE_ENTRY_FULL;
    }
    return d;
}

static const struct set *drain_set(const struct mshr_core *m) {
    return &m->set[m->drain_set];
}

static bool drain_set_ends(const struct mshr_core *m) {
    return m->drain_slot + 1 == drain_set(m)->used;
}

static bool drain_ends(const struct mshr_core *m) {
    return drain_set_ends(m) && drain_set(m)->next == NONE;
}

static bool ret_ready(const struct mshr_core *m, const struct mshr_in *in) {
    return !m->draining || (in->rsp_ready && drain_ends(m));
}

void mshr_core_eval(const void *core, const void *in_, void *out_) {
    const struct mshr_core *m = core;
    const struct mshr_in *in = in_;
    struct mshr_out *out = out_;
    memset(out, 0, offsetof(struct mshr_out, st_free_heads));
    out->err = m->err;
    if (m->err)
        return;
    if (in->req_valid) {
        struct decision d = decide(m, in->req_addr);
        out->req_ready = d.kind != REFUSED;
        out->req_refuse = d.refusal;
        out->req_primary = d.kind == PRIMARY;
        out->req_head = d.kind == PRIMARY ? (uint64_t)d.take : 0;
    }
    out->ret_ready = ret_ready(m, in);
    if (!m->draining)
        return;
    unsigned at = (unsigned)m->drain_set * m->g.slots + m->drain_slot;
    const struct slot *s = &m->slot[at];
    out->rsp_valid = 1;
    out->rsp_last = drain_ends(m);
    out->rsp_off = s->off;
    out->rsp_id = s->id;
    out->rsp_write = s->write;
    if (s->write && m->data) {
        memcpy(out->rsp_data, m->data[at].data, sizeof out->rsp_data);
        memcpy(out->rsp_mask, m->data[at].mask, sizeof out->rsp_mask);
    }
}

void mshr_core_observe(const void *core, const void *in, void *out_) {
    const struct mshr_core *m = core;
    struct mshr_out *out = out_;
    (void)in;
    out->st_free_heads = m->free_heads;
    out->st_free_shared = m->free_shared;
    memcpy(out->st_state, m->states, sizeof out->st_state);
    if (m->err && m->err_set < (int)m->g.sets)
        out->st_state[m->err_set / 8] |= (uint32_t)MSHR_ERR << (m->err_set % 8 * MSHR_STATE_W);
}

/* What cannot happen (docs/dl_mshr.md, err): the lower code wins. */
static void note_fault(struct mshr_core *m, enum mshr_error fault, int set) {
    if (m->fault && m->fault <= fault)
        return;
    m->fault = fault;
    m->err_set = set;
}

static void count_free(struct mshr_core *m, int i, int by) {
    bool head = (unsigned)i < m->g.heads_only;
    unsigned *n = head ? &m->free_heads : &m->free_shared;
    unsigned pool = head ? m->g.heads_only : m->g.sets - m->g.heads_only;
    if (by < 0 ? *n == 0 : *n == pool)
        note_fault(m, MSHR_ERR_COUNT, (int)m->g.sets); /* names no set */
    *n += (unsigned)by;
    m->free[i / 64] ^= (uint64_t)1 << (i % 64);
}

static void put_slot(struct mshr_core *m, int i, const struct mshr_in *in) {
    struct set *s = &m->set[i];
    unsigned at = (unsigned)i * m->g.slots + s->used++;
    m->slot[at] = (struct slot){
        .id = (uint32_t)in->req_id, .off = (uint16_t)in->req_off, .write = in->req_write};
    if (m->data && in->req_write) {
        memcpy(m->data[at].data, in->req_data, sizeof in->req_data);
        memcpy(m->data[at].mask, in->req_mask, sizeof in->req_mask);
    }
    bool full = s->used == m->g.slots;
    if (is_attached(m, i))
        set_state(m, i, full ? MSHR_S7 : MSHR_S6);
    else
        set_state(m, i, full ? MSHR_S2 : MSHR_S1);
}

static void take_set(struct mshr_core *m, int i, enum mshr_state state) {
    if (get_state(m, (unsigned)i) != MSHR_S0)
        note_fault(m, MSHR_ERR_ATTACH, i);
    count_free(m, i, -1);
    set_state(m, i, state);
    m->set[i] = (struct set){.next = NONE, .tail = NONE, .chain = NONE};
}

static void apply_request(struct mshr_core *m, const struct mshr_in *in, const struct decision *d) {
    switch (d->kind) {
    case PRIMARY:
        take_set(m, d->take, MSHR_S1);
        m->set[d->take].addr = in->req_addr;
        m->set[d->take].tail = (int16_t)d->take;
        index_insert(m, d->take);
        put_slot(m, d->take, in);
        break;
    case MERGE:
        put_slot(m, d->at, in);
        break;
    case LINK:
        take_set(m, d->take, MSHR_S6);
        m->set[d->at].next = (int16_t)d->take;
        set_state(m, d->at, is_attached(m, d->at) ? MSHR_S8 : MSHR_S3);
        m->set[d->head].tail = (int16_t)d->take;
        put_slot(m, d->take, in);
        break;
    case REFUSED:
        if (d->refusal == MSHR_REFUSE_MERGE_FULL)
            set_state(m, d->at, is_attached(m, d->at) ? MSHR_S9 : MSHR_S4);
        break;
    }
}

static void advance_walk(struct mshr_core *m, const struct decision *d) {
    m->walk_head = NONE;
    if (!m->g.walk || !d || d->kind != REFUSED || d->head == NONE)
        return;
    m->walk_head = d->head;
    m->walk_at = d->refusal == MSHR_REFUSE_WALK ? m->set[d->at].next : d->at;
}

static void free_set(struct mshr_core *m, int i) {
    set_state(m, i, MSHR_S0);
    count_free(m, i, 1);
}

static void release_all(struct mshr_core *m) {
    for (int i = m->drain_head; i != NONE; i = m->set[i].next)
        free_set(m, i);
}

/* The response on the port has been taken. */
static void advance_drain(struct mshr_core *m) {
    if (!drain_set_ends(m)) {
        m->drain_slot++;
        return;
    }
    int next = drain_set(m)->next;
    if (m->g.early_free)
        free_set(m, m->drain_set);
    else if (next == NONE)
        release_all(m);
    m->draining = next != NONE;
    m->drain_slot = 0;
    if (next != NONE) {
        m->drain_set = next;
        set_state(m, next, MSHR_S10);
    }
}

static bool returnable(const struct mshr_core *m, uint64_t head) {
    if (head >= m->g.sets)
        return false;
    unsigned state = get_state(m, (unsigned)head);
    return state >= MSHR_S1 && state <= MSHR_S4;
}

static void begin_drain(struct mshr_core *m, int head) {
    index_remove(m, head);
    set_state(m, head, MSHR_S5);
    m->draining = true;
    m->drain_head = m->drain_set = head;
    m->drain_slot = 0;
}

static void reset(struct mshr_core *m) {
    for (unsigned i = 0; i < m->g.sets; i++)
        m->set[i] = (struct set){.next = NONE, .tail = NONE, .chain = NONE};
    memset(m->states, 0, sizeof m->states); /* all S0 */
    for (unsigned i = 0; i < BUCKETS; i++)
        m->bucket[i] = NONE;
    memset(m->free, 0, sizeof m->free);
    for (unsigned i = 0; i < m->g.sets; i++)
        m->free[i / 64] |= (uint64_t)1 << (i % 64);
    m->free_heads = m->g.heads_only;
    m->free_shared = m->g.sets - m->g.heads_only;
    m->draining = false;
    m->walk_head = NONE;
    m->err = m->fault = MSHR_OK;
}

void mshr_core_tick(void *core, const void *in_) {
    struct mshr_core *m = core;
    const struct mshr_in *in = in_;
    if (in->rst) {
        reset(m);
        return;
    }
    if (m->err)
        return;
    bool ret = in->ret_valid && ret_ready(m, in);
    bool ret_good = ret && returnable(m, in->ret_head);
    if (in->req_valid) {
        struct decision d = decide(m, in->req_addr);
        apply_request(m, in, &d);
        advance_walk(m, &d);
    } else {
        advance_walk(m, NULL);
    }
    if (m->draining && in->rsp_ready)
        advance_drain(m);
    if (ret_good)
        begin_drain(m, (int)in->ret_head);
    else if (ret)
        note_fault(m, MSHR_ERR_RETURN, (int)in->ret_head);
    m->err = m->fault;
}

struct mshr_core *mshr_core_create(const struct mshr_geometry *g) {
    struct mshr_core *m = calloc(1, sizeof *m);
    if (!m)
        return NULL;
    m->g = *g;
    if (g->data_w) {
        m->data = calloc((size_t)g->sets * g->slots, sizeof *m->data);
        if (!m->data) {
            free(m);
            return NULL;
        }
    }
    reset(m);
    return m;
}

void mshr_core_destroy(void *core) {
    struct mshr_core *m = core;
    if (m)
        free(m->data);
    free(m);
}

const char *mshr_illegal_data_w(int64_t data_w) {
    return data_w % 8 ? "DATA_W must be a multiple of 8" : NULL;
}

#define BLOCK_IN_T struct mshr_in
#define BLOCK_OUT_T struct mshr_out
MSHR_PORTS(BLOCK_PORT_FUNCTIONS)

const struct port_desc mshr_port_table[MSHR_N_PORTS] = {MSHR_PORTS(BLOCK_PORT_ENTRY)};
