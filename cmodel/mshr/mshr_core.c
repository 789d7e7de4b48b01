// SPDX-License-Identifier: Apache-2.0
#include "mshr/mshr_core.h"

#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/bits.h"
#include "lib/key_index.h"
#include "lib/host_memory.h"

enum { MSHR_NONE = -1 };

struct mshr_set {
    uint64_t addr;
    uint8_t used; /* number of filled slots */
    int16_t next; /* set linked behind this set, or MSHR_NONE */
    int16_t tail; /* last set of the super-entry, if this set is a head */
};

/* All arrays whose size depends on the geometry are in one allocation, with small and frequently
 * used arrays first. */
struct mshr_core {
    struct mshr_core_geometry g;
    unsigned free_heads, free_shared;
    uint64_t looked; /* granule address of the last lookup */
    bool late;       /* that lookup matched the entry under drain */
    bool stale;      /* the drain of the entry that the lookup matched has ended */

    bool draining;
    bool gap;      /* the next response is read in this cycle: a request merged with the last one */
    int drain_set; /* set of the slot on the response port */
    unsigned drain_slot; /* index, in drain_set, of the slot on the response port */
    int drain_head;

    int walk_head; /* head whose links are being followed, or MSHR_NONE */
    int walk_at;   /* set visited in this cycle */

    unsigned err; /* enum mshr_error */
    int err_set;  /* set named by the RET that caused the error */

    uint64_t free_words[MSHR_CORE_MAX_SETS / 64 / 64]; /* bit w is 1 if free[w] is not 0 */
    uint64_t *free;                                    /* bit i is 1 if set i is free */
    struct key_index heads; /* heads that requests can match, by address */
    uint32_t *states;       /* packed as in port st_state; never MSHR_ERR */
    struct mshr_set *set;   /* owned; has only the sets used so far; a free set's content is
                               undefined */
    uint32_t set_room;      /* number of elements of `set` */
    uint32_t *payload;      /* owned; see payload_of(); has only the slots used so far */
    unsigned payload_slots; /* number of slots of a set that `payload` has */
    unsigned payload_words; /* number of words of a payload */
    void *memory;           /* owned: memory of `free`, `states` and `heads`, uninitialized but for
                               reset_core() */
};

/* Decision on a request, based on the state at the start of the cycle. */
struct mshr_decision {
    enum { MSHR_PRIMARY, MSHR_MERGE, MSHR_LINK, MSHR_REFUSED } kind;
    enum mshr_refusal refusal;
    int head; /* matching head, or MSHR_NONE */
    int tail; /* the tail (MSHR_MERGE, MSHR_LINK, merge-full), or the set visited by the walk */
    int take; /* the free set to take; valid only for MSHR_PRIMARY and MSHR_LINK */
};

static int find_head(const struct mshr_core *m, uint64_t addr) {
    _Static_assert((int)KEY_INDEX_NONE == MSHR_NONE, "no head");
    uint32_t head = key_index_first(&m->heads, addr);
    while (head != KEY_INDEX_NONE && m->set[head].addr != addr)
        head = m->heads.next[head];
    return (int)head;
}

/* Returns the lowest free set that is at least `from`, or MSHR_NONE. */
static int lowest_free(const struct mshr_core *m, unsigned from) {
    unsigned w = from / 64;
    uint64_t bits = m->free[w] & ~(uint64_t)0 << (from % 64);
    if (!bits) {
        unsigned k = ++w / 64, n = (m->g.sets + 4095) / 4096;
        uint64_t any = k < n ? m->free_words[k] & ~(uint64_t)0 << (w % 64) : 0;
        while (!any && ++k < n)
            any = m->free_words[k];
        if (!any)
            return MSHR_NONE;
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

/* True if a request joins the drain, which is in set i or has left it. */
static bool is_releasing(const struct mshr_core *m, int i) {
    if (!m->late)
        return false;
    unsigned state = get_state(m, (unsigned)i);
    return state == MSHR_S5 || state == MSHR_S10;
}

static struct mshr_decision decide_match(const struct mshr_core *m, int head) {
    struct mshr_decision d = {.head = head, .take = MSHR_NONE, .tail = m->set[head].tail};
    if (m->g.walk) {
        d.tail = m->walk_head == head ? m->walk_at : head;
        if (m->set[d.tail].next != MSHR_NONE) {
            d.kind = MSHR_REFUSED;
            d.refusal = MSHR_REFUSE_WALK;
            return d;
        }
    }
    if (m->set[d.tail].used < m->g.slots) {
        d.kind = MSHR_MERGE;
    } else if (m->free_shared) {
        d.kind = MSHR_LINK;
        d.take = lowest_free(m, m->g.heads_only);
    } else {
        d.kind = MSHR_REFUSED;
        d.refusal = MSHR_REFUSE_MERGE_FULL;
    }
    return d;
}

/* Returns the granule address of the request. */
static uint64_t request_addr(const struct mshr_core *m, const struct mshr_in *in) {
    return m->g.looks ? m->looked : in->req_addr;
}

static struct mshr_decision make_decision(const struct mshr_core *m, const struct mshr_in *in) {
    if (m->stale)
        return (struct mshr_decision){
            .kind = MSHR_REFUSED, .refusal = MSHR_REFUSE_STALE, .head = MSHR_NONE};
    int head = m->late ? m->drain_head : find_head(m, request_addr(m, in));
    if (head != MSHR_NONE)
        return decide_match(m, head);
    struct mshr_decision d = {.kind = MSHR_PRIMARY, .head = MSHR_NONE, .tail = MSHR_NONE};
    /* Reserved heads have the lowest numbers, so the lowest free set is a reserved head if one is
     * free. */
    d.take = lowest_free(m, 0);
    if (d.take == MSHR_NONE || (unsigned)d.take >= m->g.heads) {
        d.kind = MSHR_REFUSED;
        d.refusal = MSHR_REFUSE_ENTRY_FULL;
    }
    return d;
}

static const struct mshr_set *drain_set(const struct mshr_core *m) {
    return &m->set[m->drain_set];
}

static bool drain_set_ends(const struct mshr_core *m) {
    return m->drain_slot + 1 == drain_set(m)->used;
}

static bool drain_ends(const struct mshr_core *m) {
    return drain_set_ends(m) && drain_set(m)->next == MSHR_NONE;
}

/* True if the request joins the drain. */
static bool joins_drain(const struct mshr_core *m, const struct mshr_decision *d) {
    return m->late && d->kind != MSHR_REFUSED;
}

/* RET waits for the end of a drain that a request may join. */
static bool ret_ready(const struct mshr_core *m, const struct mshr_in *in) {
    return !m->draining || (in->rsp_ready && !m->gap && !m->late && drain_ends(m));
}

static void answer_request(const struct mshr_decision *d, struct mshr_out *out) {
    out->req_ready = d->kind != MSHR_REFUSED;
    out->req_refuse = d->refusal;
    out->req_primary = d->head == MSHR_NONE;
    out->req_head = d->kind == MSHR_PRIMARY ? (uint64_t)d->take : 0;
}

/* Returns the payload of a slot. The first slots of all sets, which are used most, are adjacent. */
static uint32_t *payload_of(const struct mshr_core *m, int set, unsigned slot) {
    return &m->payload[(slot * m->g.sets + (unsigned)set) * (size_t)m->payload_words];
}

static void copy_payload(const struct mshr_core *m, uint32_t *to, const uint32_t *from) {
    memcpy(to, from, m->payload_words * sizeof *to);
}

static void answer_drain(const struct mshr_core *m, const struct mshr_decision *d,
                         struct mshr_out *out) {
    out->rsp_valid = 1;
    out->rsp_last = drain_ends(m) && !joins_drain(m, d);
    copy_payload(m, out->rsp_payload, payload_of(m, m->drain_set, m->drain_slot));
}

/* Sets the narrow outputs, which are 0 if they are not valid. Wide outputs that are not valid
 * keep their old values. */
static void drive_outputs(const struct mshr_core *m, const struct mshr_in *in,
                          const struct mshr_decision *d, struct mshr_out *out) {
    out->req_ready = out->req_refuse = out->req_primary = out->req_head = 0;
    out->ret_ready = 0;
    out->rsp_valid = out->rsp_last = 0;
    out->err = m->err;
    if (m->err)
        return;
    if (in->req_valid)
        answer_request(d, out);
    out->ret_ready = ret_ready(m, in);
    if (m->draining && !m->gap)
        answer_drain(m, d, out);
}

void mshr_core_eval(const void *core, const void *in_, void *out) {
    const struct mshr_core *m = core;
    const struct mshr_in *in = in_;
    struct mshr_decision d = {.kind = MSHR_REFUSED};
    if (in->req_valid)
        d = make_decision(m, in);
    drive_outputs(m, in, &d, out);
}

/* True if `head` is a head whose granule has not arrived. */
static bool returnable(const struct mshr_core *m, uint64_t head) {
    if (head >= m->g.sets)
        return false;
    unsigned state = get_state(m, (unsigned)head);
    return state >= MSHR_S1 && state <= MSHR_S4;
}

/* Returns the number that identifies a slot at the ports. */
static unsigned slot_number(const struct mshr_core *m, int set, unsigned slot) {
    return (unsigned)set * m->g.slots + slot;
}

/* Returns the number of the slot for an accepted request. */
static unsigned slot_of(const struct mshr_core *m, const struct mshr_decision *d) {
    return d->kind == MSHR_MERGE ? slot_number(m, d->tail, m->set[d->tail].used)
                                 : slot_number(m, d->take, 0);
}

/* Sets the outputs that no cache of the system uses: the slot numbers, the granule address, and the
 * answer to a lookup without a request. */
static void observe_places(const struct mshr_core *m, const struct mshr_in *in,
                           struct mshr_out *out) {
    out->req_slot = out->rsp_slot = out->ret_addr = 0;
    if (m->g.addr_out && in->ret_valid && returnable(m, in->ret_head))
        out->ret_addr = m->set[in->ret_head].addr;
    if (m->err)
        return;
    if (in->req_valid || m->g.looks) {
        struct mshr_decision d = make_decision(m, in);
        answer_request(&d, out);
        out->req_slot = d.kind == MSHR_REFUSED ? 0 : slot_of(m, &d);
    }
    if (m->draining && !m->gap)
        out->rsp_slot = slot_number(m, m->drain_set, m->drain_slot);
}

void mshr_core_observe(const void *core, const void *in, void *out_) {
    const struct mshr_core *m = core;
    struct mshr_out *out = out_;
    observe_places(m, in, out);
    out->room = m->free_heads < m->free_shared ? m->free_heads : m->free_shared;
    out->empty = m->free_heads + m->free_shared == m->g.sets;
    out->st_free_heads = m->free_heads;
    out->st_free_shared = m->free_shared;
    unsigned sets = m->g.sets < MSHR_MAX_SETS ? m->g.sets : MSHR_MAX_SETS;
    memset(out->st_state, 0, sizeof out->st_state);
    memcpy(out->st_state, m->states, (sets + 7) / 8 * sizeof *m->states);
    if (m->err && m->err_set < (int)sets)
        out->st_state[m->err_set / 8] |= (uint32_t)MSHR_ERR << (m->err_set % 8 * MSHR_STATE_W);
}

static void count_free(struct mshr_core *m, int i, int by) {
    bool head = (unsigned)i < m->g.heads_only;
    *(head ? &m->free_heads : &m->free_shared) += (unsigned)by;
    flip_free(m, i);
}

/* Adds a slot per set to `payload`. */
static __attribute__((cold, noinline)) void add_payload_slot(struct mshr_core *m) {
    const size_t bytes = (size_t)m->g.sets * m->payload_words * sizeof *m->payload;
    m->payload = alloc_resized(m->payload, ++m->payload_slots, bytes);
}

static void put_slot(struct mshr_core *m, int i, const struct mshr_in *in) {
    struct mshr_set *s = &m->set[i];
    if (s->used == m->payload_slots)
        add_payload_slot(m);
    copy_payload(m, payload_of(m, i, s->used++), in->req_payload);
    bool full = s->used == m->g.slots;
    if (is_releasing(m, i))
        return;
    if (is_attached(m, i))
        set_state(m, i, full ? MSHR_S7 : MSHR_S6);
    else
        set_state(m, i, full ? MSHR_S2 : MSHR_S1);
}

static void take_set(struct mshr_core *m, int i, enum mshr_state state) {
    count_free(m, i, -1);
    set_state(m, i, state);
    m->set = alloc_covering(m->set, &m->set_room, (uint32_t)i, sizeof *m->set);
    m->set[i] = (struct mshr_set){.next = MSHR_NONE, .tail = MSHR_NONE};
}

static void apply_request(struct mshr_core *m, const struct mshr_in *in,
                          const struct mshr_decision *d) {
    switch (d->kind) {
    case MSHR_PRIMARY:
        take_set(m, d->take, MSHR_S1);
        m->set[d->take].addr = request_addr(m, in);
        m->set[d->take].tail = (int16_t)d->take;
        key_index_add(&m->heads, m->set[d->take].addr, (uint32_t)d->take);
        put_slot(m, d->take, in);
        break;
    case MSHR_MERGE:
        put_slot(m, d->tail, in);
        break;
    case MSHR_LINK:
        take_set(m, d->take, MSHR_S6);
        m->set[d->tail].next = (int16_t)d->take;
        if (!is_releasing(m, d->tail))
            set_state(m, d->tail, is_attached(m, d->tail) ? MSHR_S8 : MSHR_S3);
        m->set[d->head].tail = (int16_t)d->take;
        put_slot(m, d->take, in);
        break;
    case MSHR_REFUSED:
        if (d->refusal == MSHR_REFUSE_MERGE_FULL && !is_releasing(m, d->tail))
            set_state(m, d->tail, is_attached(m, d->tail) ? MSHR_S9 : MSHR_S4);
        break;
    }
}

static void advance_walk(struct mshr_core *m, const struct mshr_decision *d) {
    m->walk_head = MSHR_NONE;
    if (!m->g.walk || !d || d->kind != MSHR_REFUSED || d->head == MSHR_NONE)
        return;
    m->walk_head = d->head;
    m->walk_at = d->refusal == MSHR_REFUSE_WALK ? m->set[d->tail].next : d->tail;
}

static void free_set(struct mshr_core *m, int i) {
    set_state(m, i, MSHR_S0);
    count_free(m, i, 1);
}

static void release_all(struct mshr_core *m) {
    for (int i = m->drain_head; i != MSHR_NONE; i = m->set[i].next)
        free_set(m, i);
}

/* Ends the drain. A lookup that matched its entry must be repeated. */
static void end_drain(struct mshr_core *m) {
    m->draining = false;
    m->stale |= m->late;
    m->late = false;
}

/* Advances the drain after the response on the port has been taken, or in the gap after it. */
static void advance_drain(struct mshr_core *m) {
    if (!drain_set_ends(m)) {
        m->drain_slot++;
        return;
    }
    int next = drain_set(m)->next;
    if (m->g.early_free)
        free_set(m, m->drain_set);
    else if (next == MSHR_NONE)
        release_all(m);
    m->drain_slot = 0;
    if (next == MSHR_NONE) {
        end_drain(m);
        return;
    }
    m->drain_set = next;
    set_state(m, next, MSHR_S10);
}

static void begin_drain(struct mshr_core *m, int head) {
    key_index_remove(&m->heads, m->set[head].addr, (uint32_t)head);
    set_state(m, head, MSHR_S5);
    m->draining = true;
    m->drain_head = m->drain_set = head;
    m->drain_slot = 0;
    m->late = m->g.looks && m->looked == m->set[head].addr;
}

/* Sets bits 0 to n - 1, and clears the others of their words. */
static void set_bits(uint64_t *bits, unsigned n) {
    for (unsigned w = 0; w < (n + 63) / 64; w++)
        bits[w] = bits_low(n - 64 * w);
}

static void reset_core(struct mshr_core *m) {
    memset(m->states, 0, (m->g.sets + 7) / 8 * sizeof *m->states); /* all sets in S0 */
    key_index_clear(&m->heads);
    set_bits(m->free, m->g.sets);
    set_bits(m->free_words, (m->g.sets + 63) / 64);
    m->free_heads = m->g.heads_only;
    m->free_shared = m->g.sets - m->g.heads_only;
    m->draining = m->gap = m->late = m->stale = false;
    m->looked = 0;
    m->walk_head = MSHR_NONE;
    m->err = MSHR_OK;
}

/* Advances the state at the clock edge. `d` is the decision on the request, if there is one. */
static void advance_state(struct mshr_core *m, const struct mshr_in *in,
                          const struct mshr_decision *d) {
    if (in->rst) {
        reset_core(m);
        return;
    }
    if (m->err)
        return;
    bool ret = in->ret_valid && ret_ready(m, in);
    bool ret_good = ret && returnable(m, in->ret_head);
    bool waits = joins_drain(m, d) && !m->gap && in->rsp_ready && drain_ends(m);
    bool steps = m->draining && (m->gap || in->rsp_ready) && !waits;
    if (in->req_valid)
        apply_request(m, in, d);
    if (in->look) {
        m->looked = in->look_addr;
        m->late = m->stale = false;
    }
    advance_walk(m, in->req_valid ? d : NULL);
    if (steps)
        advance_drain(m);
    m->gap = waits;
    if (ret_good) {
        begin_drain(m, (int)in->ret_head);
    } else if (ret) {
        m->err = MSHR_ERR_RETURN;
        m->err_set = (int)in->ret_head;
    }
}

void mshr_core_tick(void *core, const void *in_) {
    struct mshr_core *m = core;
    const struct mshr_in *in = in_;
    struct mshr_decision d = {.kind = MSHR_REFUSED};
    if (in->req_valid)
        d = make_decision(m, in);
    advance_state(m, in, &d);
}

/* noinline: L1D and L2 share one copy, which saves space in the host's instruction cache. */
__attribute__((noinline)) void mshr_core_step(void *core, const void *in_, void *out) {
    struct mshr_core *m = core;
    const struct mshr_in *in = in_;
    struct mshr_decision d = {.kind = MSHR_REFUSED};
    if (in->req_valid)
        d = make_decision(m, in);
    drive_outputs(m, in, &d, out);
    advance_state(m, in, &d);
}

/* Reserves whole cache lines for an array of n elements of `size` bytes, after the *bytes bytes
 * laid out so far. Returns the array's offset in bytes. */
static size_t reserve_bytes(size_t *bytes, size_t n, size_t size) {
    size_t begin = *bytes;
    *bytes += (n * size + 63) / 64 * 64;
    return begin;
}

/* Allocates `free`, `states` and `heads` as one block of memory that m owns. */
static void allocate_arrays(struct mshr_core *m) {
    const struct mshr_core_geometry *g = &m->g;
    size_t sets = g->sets, bytes = 0;
    size_t free_at = reserve_bytes(&bytes, (sets + 63) / 64, sizeof *m->free);
    size_t states_at = reserve_bytes(&bytes, (sets + 7) / 8, sizeof *m->states);
    size_t heads_at = reserve_bytes(&bytes, key_index_size(g->heads), sizeof *m->heads.first);
    unsigned char *memory = m->memory = alloc_aligned(HOST_LINE, bytes);
    m->free = (uint64_t *)(memory + free_at);
    m->states = (uint32_t *)(memory + states_at);
    key_index_init(&m->heads, (uint32_t *)(memory + heads_at), g->heads);
}

struct mshr_core *mshr_core_create(const struct mshr_core_geometry *g) {
    struct mshr_core *m = alloc_zeroed(1, sizeof *m);
    m->g = *g;
    m->payload_words = (g->payload_w + 31) / 32;
    allocate_arrays(m);
    reset_core(m);
    return m;
}

void mshr_core_destroy(void *core) {
    struct mshr_core *m = core;
    free(m->memory);
    free(m->set);
    free(m->payload);
    free(m);
}
