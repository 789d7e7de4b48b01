// SPDX-License-Identifier: Apache-2.0
#include "mshr/mshr_core.h"

#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/host_memory.h"

enum { NONE = -1, DATA_WORDS = MSHR_MAX_DATA_W / 32, MASK_WORDS = DATA_WORDS / 8 };
enum { PAYLOAD_WORDS = MSHR_MAX_PAYLOAD_W / 32 };
enum { MIN_BUCKETS = 16, MAX_BUCKETS = 4096 };

struct slot {
    uint32_t id;
    uint16_t off;
    bool write;
};

struct slot_data {
    uint32_t data[DATA_WORDS];
    uint32_t mask[MASK_WORDS];
};

struct slot_payload {
    uint32_t word[PAYLOAD_WORDS];
};

struct set {
    uint64_t addr;
    uint8_t used;  /* slots filled */
    int16_t next;  /* the set linked behind, if it is linked, else NONE */
    int16_t tail;  /* of a head that is not releasing: its last set */
    int16_t chain; /* next head in the same bucket of the index */
};

/* Everything that is sized by the geometry is one allocation, the small and busy parts first. */
struct mshr_core {
    struct mshr_core_geometry g;
    unsigned free_heads, free_shared;
    uint64_t looked; /* address of the last lookup */

    bool draining;
    int drain_set;       /* set whose slot is on the response port */
    unsigned drain_slot; /* that slot */
    int drain_head;
    uint64_t drain_addr; /* its block, if g.addr_out; else 0 */

    int walk_head; /* head whose links are being followed, or NONE */
    int walk_at;   /* set that is looked at in this cycle */

    unsigned err;   /* enum mshr_error */
    unsigned fault; /* seen in this cycle: MSHR_ERR_ATTACH, MSHR_ERR_COUNT */
    int err_set;

    unsigned word_shift;   /* log2 of g.word */
    unsigned bucket_shift; /* a hash is 64 bits, its top ones number the bucket */
    uint64_t free_words[MSHR_CORE_MAX_SETS / 64 / 64]; /* bit w: free[w] is not 0 */
    uint64_t *free;                                    /* bit i: set i is free */
    int16_t *bucket;                                   /* index of the matchable heads by address */
    uint32_t *states;             /* packed as the port st_state; never MSHR_ERR */
    struct set *set;              /* what a free set holds means nothing */
    uint64_t *words;              /* per set: words of the line that it has; NULL if g.word is 0 */
    struct slot *slot;            /* sets * slots (place_of) */
    struct slot_data *data;       /* as many, or NULL if data_w is 0 */
    struct slot_payload *payload; /* as many, or NULL if payload_w is 0 */
    void *memory;                 /* owned: holds all arrays; most slots are never used */
    size_t bytes;                 /* size of `memory` */
};

/* What a request meets, by the state at the start of the cycle. */
struct decision {
    enum { PRIMARY, MERGE, LINK, REFUSED } kind;
    enum mshr_refusal refusal;
    int head; /* that matches, or NONE */
    int at;   /* MERGE, LINK, merge-full: the tail; walking: the set looked at */
    int take; /* PRIMARY, LINK: the free set taken */
};

static unsigned bucket_of(const struct mshr_core *m, uint64_t addr) {
    return (unsigned)((addr * 0x9E3779B97F4A7C15u) >> m->bucket_shift);
}

static int find_head(const struct mshr_core *m, uint64_t addr) {
    int i = m->bucket[bucket_of(m, addr)];
    while (i != NONE && m->set[i].addr != addr)
        i = m->set[i].chain;
    return i;
}

static void index_insert(struct mshr_core *m, int i) {
    int16_t *b = &m->bucket[bucket_of(m, m->set[i].addr)];
    m->set[i].chain = *b;
    *b = (int16_t)i;
}

static void index_remove(struct mshr_core *m, int i) {
    int16_t *p = &m->bucket[bucket_of(m, m->set[i].addr)];
    while (*p != i)
        p = &m->set[*p].chain;
    *p = m->set[i].chain;
}

/* Lowest free set that is at least `from`, or NONE. */
static int lowest_free(const struct mshr_core *m, unsigned from) {
    unsigned w = from / 64;
    uint64_t bits = m->free[w] & ~(uint64_t)0 << (from % 64);
    if (!bits) {
        unsigned k = ++w / 64, n = (m->g.sets + 4095) / 4096;
        uint64_t any = k < n ? m->free_words[k] & ~(uint64_t)0 << (w % 64) : 0;
        while (!any && ++k < n)
            any = m->free_words[k];
        if (!any)
            return NONE;
        w = k * 64 + (unsigned)__builtin_ctzll(any);
        bits = m->free[w];
    }
    return (int)(w * 64 + (unsigned)__builtin_ctzll(bits));
}

static void flip_free(struct mshr_core *m, int i) {
    uint64_t *bits = &m->free[i / 64], bit = (uint64_t)1 << (i / 64 % 64);
    *bits ^= (uint64_t)1 << (i % 64);
    uint64_t *any = &m->free_words[i / 4096];
    *any = *bits ? *any | bit : *any & ~bit;
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

/* Bit of the word that a request is for, in an entry's `words`. */
static uint64_t word_bit(const struct mshr_core *m, const struct mshr_in *in) {
    return (uint64_t)1 << (in->req_off >> m->word_shift & 63);
}

static struct decision decide_match(const struct mshr_core *m, const struct mshr_in *in, int head) {
    struct decision d = {.head = head, .take = NONE, .at = m->set[head].tail};
    if (m->words && m->words[head] & word_bit(m, in)) {
        d.kind = REFUSED;
        d.refusal = MSHR_REFUSE_MERGE_FULL;
        return d;
    }
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

/* The block address that the request is for. */
static uint64_t request_addr(const struct mshr_core *m, const struct mshr_in *in) {
    return m->g.looks ? m->looked : in->req_addr;
}

static struct decision decide(const struct mshr_core *m, const struct mshr_in *in) {
    int head = find_head(m, request_addr(m, in));
    if (head != NONE)
        return decide_match(m, in, head);
    struct decision d = {.kind = PRIMARY, .head = NONE, .at = NONE};
    /* Reserved heads have the lowest ids, so "reserved first" is "lowest first". */
    d.take = lowest_free(m, 0);
    if (d.take == NONE || (unsigned)d.take >= m->g.heads) {
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

static void answer_request(const struct decision *d, struct mshr_out *out) {
    out->req_ready = d->kind != REFUSED;
    out->req_refuse = d->refusal;
    out->req_primary = d->kind == PRIMARY;
    out->req_head = d->kind == PRIMARY ? (uint64_t)d->take : 0;
}

/* Where a slot is kept. The first slots of all sets, which are used most, lie together. */
static unsigned place_of(const struct mshr_core *m, int set, unsigned slot) {
    return slot * m->g.sets + (unsigned)set;
}

static void answer_write(const struct mshr_core *m, unsigned at, struct mshr_out *out) {
    if (m->data) {
        memcpy(out->rsp_data, m->data[at].data, sizeof out->rsp_data);
        memcpy(out->rsp_mask, m->data[at].mask, sizeof out->rsp_mask);
    } else {
        memset(out->rsp_data, 0, sizeof out->rsp_data);
        memset(out->rsp_mask, 0, sizeof out->rsp_mask);
    }
}

static void answer_drain(const struct mshr_core *m, struct mshr_out *out) {
    unsigned at = place_of(m, m->drain_set, m->drain_slot);
    const struct slot *s = &m->slot[at];
    out->rsp_valid = 1;
    out->rsp_last = drain_ends(m);
    out->rsp_off = s->off;
    out->rsp_id = s->id;
    out->rsp_write = s->write;
    if (s->write)
        answer_write(m, at, out);
}

/* The narrow outputs are 0 where they mean nothing; the wide ones are left as they were. */
static void answer(const struct mshr_core *m, const struct mshr_in *in, const struct decision *d,
                   struct mshr_out *out) {
    out->req_ready = out->req_refuse = out->req_primary = out->req_head = 0;
    out->ret_ready = 0;
    out->rsp_valid = out->rsp_last = out->rsp_off = out->rsp_id = out->rsp_write = 0;
    out->err = m->err;
    if (m->err)
        return;
    if (in->req_valid)
        answer_request(d, out);
    out->ret_ready = ret_ready(m, in);
    if (m->draining)
        answer_drain(m, out);
}

void mshr_core_eval(const void *core, const void *in_, void *out) {
    const struct mshr_core *m = core;
    const struct mshr_in *in = in_;
    struct decision d;
    if (in->req_valid)
        d = decide(m, in);
    answer(m, in, &d, out);
}

/* The number that the ports give a slot. */
static unsigned slot_number(const struct mshr_core *m, int set, unsigned slot) {
    return (unsigned)set * m->g.slots + slot;
}

/* That of the slot that an accepted request is put into. */
static unsigned slot_of(const struct mshr_core *m, const struct decision *d) {
    return d->kind == MERGE ? slot_number(m, d->at, m->set[d->at].used)
                            : slot_number(m, d->take, 0);
}

/* What a cache of the system does not use: payload, numbers of slots, the block address. */
static void observe_places(const struct mshr_core *m, const struct mshr_in *in,
                           struct mshr_out *out) {
    out->req_slot = out->rsp_slot = out->rsp_addr = 0;
    if (m->err)
        return;
    if (in->req_valid) {
        struct decision d = decide(m, in);
        out->req_slot = d.kind == REFUSED ? 0 : slot_of(m, &d);
    }
    if (!m->draining)
        return;
    unsigned at = place_of(m, m->drain_set, m->drain_slot);
    out->rsp_slot = slot_number(m, m->drain_set, m->drain_slot);
    out->rsp_addr = m->drain_addr;
    if (m->payload)
        memcpy(out->rsp_payload, m->payload[at].word, sizeof out->rsp_payload);
    else
        memset(out->rsp_payload, 0, sizeof out->rsp_payload);
}

void mshr_core_observe(const void *core, const void *in, void *out_) {
    const struct mshr_core *m = core;
    struct mshr_out *out = out_;
    observe_places(m, in, out);
    out->st_free_heads = m->free_heads;
    out->st_free_shared = m->free_shared;
    unsigned sets = m->g.sets < MSHR_MAX_SETS ? m->g.sets : MSHR_MAX_SETS;
    memset(out->st_state, 0, sizeof out->st_state);
    memcpy(out->st_state, m->states, (sets + 7) / 8 * sizeof *m->states);
    if (m->err && m->err_set < (int)sets)
        out->st_state[m->err_set / 8] |= (uint32_t)MSHR_ERR << (m->err_set % 8 * MSHR_STATE_W);
}

/* What cannot happen (docs/understand/dl_mshr.md, err): the lower code wins. */
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
    flip_free(m, i);
}

static void put_slot(struct mshr_core *m, int i, const struct mshr_in *in) {
    struct set *s = &m->set[i];
    unsigned at = place_of(m, i, s->used++);
    m->slot[at] = (struct slot){
        .id = (uint32_t)in->req_id, .off = (uint16_t)in->req_off, .write = in->req_write};
    if (m->data && in->req_write) {
        memcpy(m->data[at].data, in->req_data, sizeof in->req_data);
        memcpy(m->data[at].mask, in->req_mask, sizeof in->req_mask);
    }
    if (m->payload)
        memcpy(m->payload[at].word, in->req_payload, sizeof in->req_payload);
    if (m->words)
        m->words[i] |= word_bit(m, in);
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
    if (m->words)
        m->words[i] = 0;
}

static void apply_request(struct mshr_core *m, const struct mshr_in *in, const struct decision *d) {
    switch (d->kind) {
    case PRIMARY:
        take_set(m, d->take, MSHR_S1);
        m->set[d->take].addr = request_addr(m, in);
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
    if (m->g.addr_out)
        m->drain_addr = m->set[head].addr;
    m->drain_slot = 0;
}

static unsigned n_buckets(const struct mshr_core_geometry *g) {
    unsigned n = MIN_BUCKETS;
    while (n < 2 * g->sets && n < MAX_BUCKETS)
        n *= 2;
    return n;
}

static void reset(struct mshr_core *m) {
    memset(m->states, 0, (m->g.sets + 7) / 8 * sizeof *m->states); /* all S0 */
    memset(m->bucket, 0xff, n_buckets(&m->g) * sizeof *m->bucket); /* all NONE */
    for (unsigned w = 0; w < (m->g.sets + 63) / 64; w++)
        m->free[w] = 0;
    for (unsigned i = 0; i < m->g.sets; i++)
        flip_free(m, (int)i);
    m->free_heads = m->g.heads_only;
    m->free_shared = m->g.sets - m->g.heads_only;
    m->draining = false;
    m->looked = 0;
    m->walk_head = NONE;
    m->err = m->fault = MSHR_OK;
}

/* The clock edge; `d` is what the request meets, if there is one. */
static void advance(struct mshr_core *m, const struct mshr_in *in, const struct decision *d) {
    if (in->rst) {
        reset(m);
        return;
    }
    if (m->err)
        return;
    bool ret = in->ret_valid && ret_ready(m, in);
    bool ret_good = ret && returnable(m, in->ret_head);
    if (in->req_valid)
        apply_request(m, in, d);
    if (in->look)
        m->looked = in->look_addr;
    advance_walk(m, in->req_valid ? d : NULL);
    if (m->draining && in->rsp_ready)
        advance_drain(m);
    if (ret_good)
        begin_drain(m, (int)in->ret_head);
    else if (ret)
        note_fault(m, MSHR_ERR_RETURN, (int)in->ret_head);
    m->err = m->fault;
}

void mshr_core_tick(void *core, const void *in_) {
    struct mshr_core *m = core;
    const struct mshr_in *in = in_;
    struct decision d;
    if (in->req_valid)
        d = decide(m, in);
    advance(m, in, &d);
}

/* Not inlined: L1D and L2 would each have their own, and the host's instruction cache is full. */
__attribute__((noinline)) void mshr_core_step(void *core, const void *in_, void *out) {
    struct mshr_core *m = core;
    const struct mshr_in *in = in_;
    struct decision d;
    if (in->req_valid)
        d = decide(m, in);
    answer(m, in, &d, out);
    advance(m, in, &d);
}

/* Makes room for an array of n elements behind the *bytes laid out so far; whole cache lines. */
static size_t room(size_t *bytes, size_t n, size_t size) {
    size_t at = *bytes;
    *bytes += (n * size + 63) / 64 * 64;
    return at;
}

/* The arrays, in one piece of memory that m owns. */
static void allocate(struct mshr_core *m) {
    const struct mshr_core_geometry *g = &m->g;
    size_t sets = g->sets, slots = sets * g->slots, bytes = 0;
    size_t free_at = room(&bytes, (sets + 63) / 64, sizeof *m->free);
    size_t bucket_at = room(&bytes, n_buckets(g), sizeof *m->bucket);
    size_t states_at = room(&bytes, (sets + 7) / 8, sizeof *m->states);
    size_t set_at = room(&bytes, sets, sizeof *m->set);
    size_t words_at = room(&bytes, g->word ? sets : 0, sizeof *m->words);
    size_t slot_at = room(&bytes, slots, sizeof *m->slot);
    size_t data_at = room(&bytes, g->data_w ? slots : 0, sizeof *m->data);
    size_t payload_at = room(&bytes, g->payload_w ? slots : 0, sizeof *m->payload);
    unsigned char *memory = m->memory = host_memory_take(bytes, false);
    m->bytes = bytes;
    m->free = (uint64_t *)(memory + free_at);
    m->bucket = (int16_t *)(memory + bucket_at);
    m->states = (uint32_t *)(memory + states_at);
    m->set = (struct set *)(memory + set_at);
    m->words = g->word ? (uint64_t *)(memory + words_at) : NULL;
    m->slot = (struct slot *)(memory + slot_at);
    m->data = g->data_w ? (struct slot_data *)(memory + data_at) : NULL;
    m->payload = g->payload_w ? (struct slot_payload *)(memory + payload_at) : NULL;
}

struct mshr_core *mshr_core_create(const struct mshr_core_geometry *g) {
    struct mshr_core *m = alloc_zeroed(1, sizeof *m);
    m->g = *g;
    m->bucket_shift = 64 - mshr_clog2(n_buckets(g));
    m->word_shift = g->word ? (unsigned)__builtin_ctz(g->word) : 0;
    allocate(m);
    reset(m);
    return m;
}

void mshr_core_destroy(void *core) {
    struct mshr_core *m = core;
    host_memory_give(m->memory, m->bytes);
    free(m);
}

const char *mshr_illegal_data_w(int64_t data_w) {
    return data_w % 8 ? "DATA_W must be a multiple of 8" : NULL;
}

#define BLOCK_IN_T struct mshr_in
#define BLOCK_OUT_T struct mshr_out
MSHR_PORTS(BLOCK_PORT_FUNCTIONS)

const struct port_desc mshr_port_table[MSHR_N_PORTS] = {MSHR_PORTS(BLOCK_PORT_ENTRY)};
