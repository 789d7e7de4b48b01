// SPDX-License-Identifier: Apache-2.0
/* Stimulus in phases. Each phase draws a locality mode and, independently, a delay mix for each
 * channel.
 *
 * The scoreboard knows nothing of slot sets: it keeps, per outstanding head, what was accepted, and
 * checks that it leaves once, in order and unchanged. Of the observed state it checks that the free
 * counts are the number of free sets and that every state change is one of docs/dl_mshr.md. */

#include "harness/cosim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dl_mshr/dl_mshr.h"
#include "static_mshr/static_mshr.h"
#include "mshr/mshr_ports.h"

enum { NONE = -1, MAX_HOT = 64, MAX_SLOTS = MSHR_MAX_SETS * MSHR_MAX_SLOTS, N_STATES = 11 };

enum delay_mix { DELAY_SHORT, DELAY_MEDIUM, DELAY_LONG, N_DELAYS };

enum mode {
    MODE_PRIMARY,   /* hardly ever the same block twice */
    MODE_SECONDARY, /* one to four blocks */
    MODE_MIXED,     /* as many blocks as a pool holds, the first ones hotter */
    MODE_FULL,   /* few blocks or all different, and a line comes back only when a request has been
                    refused */
    MODE_REFILL, /* requests follow the block that is draining */
    MODE_PAIRS,  /* two requests back to back to each new block, lines come back at once */
    MODE_HEADS,  /* all blocks different until a shared set is a head, whose line comes back first;
                    only after a reset */
    N_MODES
};

/* One accepted request. */
struct record {
    uint64_t off, id, write, slot, hash, payload; /* the last two of words */
    int next;
};

/* A super-entry, by its head's id. */
struct entry {
    bool live;          /* accepted, not all responses taken */
    bool matchable;     /* RET not accepted */
    uint64_t addr, due; /* due: cycle from which its line may come back */
    int first, last;    /* records */
    unsigned count;     /* records accepted since the primary */
    unsigned tail;      /* last set, as the observed state tells */
};

#define EVENTS(X)                                                                                  \
    X(PRIMARY, "req.primary")                                                                      \
    X(MERGE, "req.merge")                                                                          \
    X(LINK, "req.link")                                                                            \
    X(WALK, "req.walk")                                                                            \
    X(ENTRY_FULL, "refuse.entry_full")                                                             \
    X(MERGE_FULL, "refuse.merge_full")                                                             \
    X(MERGE_FULL_DRAINING, "refuse.merge_full while another entry drains")                         \
    X(ALLOC_AND_FREE, "allocate and free in one cycle")                                            \
    X(RET_AND_MERGE, "RET in the cycle of a merge into that entry")                                \
    X(RET_AND_LINK, "RET in the cycle of a link to that entry")                                    \
    X(RET_AND_REFUSE, "RET in the cycle of a merge-full refusal by that entry")                    \
    X(PAIR, "two back-to-back requests to one new block")                                          \
    X(LATE, "late request opens a second head while the first drains")                             \
    X(LATE_MERGE, "merge into that second head while the first drains")                            \
    X(NEAR, "new block that differs from a tracked one in the highest bit")                        \
    X(POOL_EMPTY, "no set free in either pool")                                                    \
    X(POOL_FULL, "last set comes free")                                                            \
    X(SHARED_EMPTY, "no shared set free, a reserved one is")                                       \
    X(STALL_MID_DRAIN, "back-pressure in the middle of a drain")                                   \
    X(STALL_LAST, "back-pressure on the last response")                                            \
    X(RET_WAITS, "RET waits for a drain")                                                          \
    X(RET_ON_LAST, "RET accepted with the last response of the drain before")                      \
    X(RET_FIRST_CYCLE, "RET in the cycle after the primary")                                       \
    X(WITHDRAWN, "a refused request is withdrawn")                                                 \
    X(LOOK_AHEAD, "LOOKUP=2: the next block is looked up in the cycle of a request")               \
    X(LOOK_OPENED, "LOOKUP=2: a block is looked up in the cycle of the request that opens it")     \
    X(LOOK_JOINED, "LOOKUP=2: a block is looked up in the cycle of a request that joins it")       \
    X(LOOK_RET, "LOOKUP=2: a block is looked up in the cycle of its RET")                          \
    X(KEPT_RET, "LOOKUP=2: RET of the block that was looked up, and is kept")                      \
    X(KEPT_LONG, "LOOKUP=2: a request from a lookup of 16 cycles before or more")                  \
    X(SUCCESSIVE, "LOOKUP=2: requests for two blocks accepted in successive cycles")               \
    X(ERROR, "RET for a set that is no outstanding head")                                          \
    X(RESET, "reset in the middle")                                                                \
    X(RESET_PAST_HEAD, "reset while a drain goes on past its reserved head")                       \
    X(RESET_PRIMARY, "reset in the cycle of a request that would open an entry")                   \
    X(RESET_RET, "reset in the cycle of a RET that would begin a drain")                           \
    X(SHARED_FIRST, "the first line after a reset comes back to a shared head")

enum event {
#define X(id, text) EV_##id,
    EVENTS(X)
#undef X
        N_EVENTS
};

/* State changes of a slot set, with what they need: attachable sets at all, two of them behind one
 * head. */
enum need { ANY, MULTI_SLOT, SINGLE_SLOT, ATTACH, ATTACH_MULTI, ATTACH_SINGLE, ATTACH_TWO };
static const struct transition {
    uint8_t from, to;
    enum need need;
} transitions[] = {
    {0, 1, MULTI_SLOT}, {0, 2, SINGLE_SLOT},   {0, 6, ATTACH_MULTI}, {0, 7, ATTACH_SINGLE},
    {1, 2, MULTI_SLOT}, {2, 3, ATTACH},        {2, 4, ANY},          {4, 3, ATTACH},
    {1, 5, MULTI_SLOT}, {2, 5, ANY},           {3, 5, ATTACH},       {4, 5, ANY},
    {5, 0, ANY},        {6, 7, ATTACH_MULTI},  {7, 8, ATTACH_TWO},   {7, 9, ATTACH},
    {9, 8, ATTACH_TWO}, {6, 10, ATTACH_MULTI}, {7, 10, ATTACH},      {8, 10, ATTACH_TWO},
    {9, 10, ATTACH},    {10, 0, ATTACH},
};
enum { N_TRANSITIONS = sizeof transitions / sizeof *transitions };

/* Events by the state of the set that they meet, at the start of the cycle. */
#define CROSSES(X)                                                                                 \
    X(MERGE, "merge at a tail in")                                                                 \
    X(LINK, "link to a tail in")                                                                   \
    X(REFUSE, "merge-full at a tail in")                                                           \
    X(RET, "RET of a head in")                                                                     \
    X(RET_TAIL, "RET of an entry whose attached tail is in")                                       \
    X(BAD_RET, "faulty RET of a set in")
enum cross {
#define X(id, text) CR_##id,
    CROSSES(X)
#undef X
        N_CROSSES
};
static const struct cell {
    enum cross cross;
    uint8_t state;
    enum need need;
} cells[] = {
    {CR_MERGE, 1, MULTI_SLOT},
    {CR_MERGE, 6, ATTACH_MULTI},
    {CR_LINK, 2, ATTACH},
    {CR_LINK, 4, ATTACH},
    {CR_LINK, 7, ATTACH_TWO},
    {CR_LINK, 9, ATTACH_TWO},
    {CR_REFUSE, 2, ANY},
    {CR_REFUSE, 4, ANY},
    {CR_REFUSE, 7, ATTACH},
    {CR_REFUSE, 9, ATTACH},
    {CR_RET, 1, MULTI_SLOT},
    {CR_RET, 2, ANY},
    {CR_RET, 3, ATTACH},
    {CR_RET, 4, ANY},
    {CR_RET_TAIL, 6, ATTACH_MULTI},
    {CR_RET_TAIL, 7, ATTACH},
    {CR_RET_TAIL, 9, ATTACH},
    {CR_BAD_RET, 0, ANY},
    {CR_BAD_RET, 5, ANY},
    {CR_BAD_RET, 6, ATTACH_MULTI},
    {CR_BAD_RET, 7, ATTACH},
    {CR_BAD_RET, 8, ATTACH_TWO},
    {CR_BAD_RET, 9, ATTACH},
    {CR_BAD_RET, 10, ATTACH},
};
enum { N_CELLS = sizeof cells / sizeof *cells };

struct driver {
    unsigned sets, slots, heads_only, set_w, data_words, mask_words, payload_words;
    uint64_t addr_mask, off_mask, id_mask;
    uint32_t last_data_mask, last_mask_mask, last_payload_mask;
    bool walk, early_free, addr_out, looks; /* looks: LOOKUP=2 */
    uint64_t rng, cycle, total;

    /* phase */
    enum mode mode;
    uint64_t phase_end, next_upset;
    enum delay_mix req_mix, ret_mix, rsp_mix;
    unsigned n_hot; /* 0: all blocks different */
    uint64_t hot[MAX_HOT];
    bool may_withdraw;

    /* channels */
    struct mshr_in req; /* the request that is offered, or was last */
    bool offering;
    unsigned req_wait, rsp_wait, refused_for, pair_left;
    int ret_head; /* offered, or NONE */
    bool bad_ret; /* a faulty RET is planned, of a set in bad_state */
    unsigned bad_state, bad_wait;
    unsigned reset_in; /* cycles until a planned reset, 0: none planned */
    unsigned
        reset_wait;  /* cycles left to wait for a drain that is past its head; 0: none planned */
    unsigned upsets; /* so far */
    bool looked_up;  /* LOOKUP=2: since the last reset */
    uint64_t looked; /* the block of a request */
    uint64_t look_cycle;
    bool ahead; /* the block of the next request is chosen */
    uint64_t ahead_addr, accepted_addr, accepted_cycle;

    /* scoreboard */
    struct entry entry[MSHR_MAX_SETS];
    struct record record[MAX_SLOTS];
    int free_record;
    bool slot_used[MAX_SLOTS];
    unsigned live;
    int draining;           /* head whose drain goes on, or NONE */
    struct entry drain;     /* its super-entry: with EARLY_FREE the head may be in use again */
    unsigned drained;       /* responses of the drain taken so far */
    int linking;            /* head to whose entry a set was linked in the cycle before, or NONE */
    int fresh_head;         /* head taken in the cycle before, or NONE */
    struct mshr_out before; /* outputs of the cycle before */
    bool stalled_before, seen_state;
    bool drained_any; /* since reset */

    uint64_t events[N_EVENTS], moves[N_STATES][N_STATES], crosses[N_CROSSES][N_STATES];
    struct cover_point points[N_EVENTS + N_TRANSITIONS + N_CELLS];
    char names[N_TRANSITIONS + N_CELLS][64];
};

static uint64_t mix(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static uint64_t rnd(struct driver *d) {
    return mix(d->rng += 0x9E3779B97F4A7C15u);
}

static unsigned below(struct driver *d, unsigned n) {
    return (unsigned)(((rnd(d) >> 32) * n) >> 32);
}

static unsigned at_most(unsigned n, unsigned bound) {
    return n < bound ? n : bound;
}

static bool one_in(struct driver *d, unsigned n) {
    return below(d, n) == 0;
}

/* Cycles to wait; `reach` bounds the long ones. */
static unsigned delay(struct driver *d, enum delay_mix mix, unsigned reach) {
    switch (mix) {
    case DELAY_SHORT:
        return one_in(d, 8);
    case DELAY_MEDIUM:
        return below(d, 8);
    default:
        return one_in(d, 3) ? below(d, reach) : below(d, 4);
    }
}

/* ---- Scoreboard ---- */

static void forget_all(struct driver *d) {
    memset(d->entry, 0, sizeof d->entry);
    for (int i = 0; i < MAX_SLOTS; i++)
        d->record[i].next = i + 1 < MAX_SLOTS ? i + 1 : NONE;
    d->free_record = 0;
    memset(d->slot_used, 0, sizeof d->slot_used);
    d->live = 0;
    d->draining = d->ret_head = d->fresh_head = d->linking = NONE;
    d->offering = d->bad_ret = d->stalled_before = d->seen_state = d->drained_any = false;
    d->looked_up = d->ahead = false;
    d->req_wait = d->rsp_wait = d->refused_for = d->pair_left = 0;
    d->reset_in = d->reset_wait = 0;
}

/* The block that a request of this cycle is for. */
static uint64_t asked(const struct driver *d, const struct mshr_in *in) {
    return d->looks ? d->looked : in->req_addr;
}

static int find_matchable(const struct driver *d, uint64_t addr) {
    for (unsigned i = 0; i < d->sets; i++)
        if (d->entry[i].matchable && d->entry[i].addr == addr)
            return (int)i;
    return NONE;
}

static uint64_t hash_words(uint64_t h, const uint32_t *words, unsigned n) {
    for (unsigned i = 0; i < n; i++)
        h = (h ^ words[i]) * 0x100000001B3u;
    return h;
}

static uint64_t data_hash(const struct driver *d, const uint32_t *data, const uint32_t *mask) {
    return hash_words(hash_words(1, data, d->data_words), mask, d->mask_words);
}

static const char *accept(struct driver *d, const struct mshr_in *in, const struct mshr_out *out,
                          int head) {
    struct entry *e = &d->entry[head];
    int r = d->free_record;
    if (r == NONE)
        return "more requests accepted than there are slots";
    if (out->req_slot >= (uint64_t)d->sets * d->slots)
        return "req_slot is no slot";
    if (d->slot_used[out->req_slot])
        return "a request was put into a slot in use";
    d->slot_used[out->req_slot] = true;
    d->free_record = d->record[r].next;
    d->record[r] = (struct record){
        .off = in->req_off, .id = in->req_id, .write = in->req_write, .slot = out->req_slot};
    d->record[r].next = NONE;
    d->record[r].payload = hash_words(1, in->req_payload, d->payload_words);
    if (in->req_write)
        d->record[r].hash = data_hash(d, in->req_data, in->req_mask);
    if (!e->live)
        e->first = r;
    else
        d->record[e->last].next = r;
    e->last = r;
    e->live = true;
    e->count++;
    return NULL;
}

static const char *open_entry(struct driver *d, const struct mshr_in *in,
                              const struct mshr_out *out) {
    uint64_t head = out->req_head;
    if (head >= d->sets)
        return "req_head is no set";
    if (d->entry[head].live)
        return "a set in use was taken as head";
    d->entry[head].addr = asked(d, in);
    d->entry[head].count = 0;
    d->entry[head].tail = (unsigned)head;
    d->entry[head].due = d->cycle + 1 + delay(d, d->ret_mix, 32 + 4 * d->sets * d->slots);
    d->entry[head].matchable = true;
    d->live++;
    return accept(d, in, out, (int)head);
}

static const char *check_response(struct driver *d, const struct mshr_out *out) {
    if (d->draining == NONE)
        return "a response without a RET";
    const struct record *r = &d->record[d->drain.first];
    if (out->rsp_off != r->off || out->rsp_id != r->id || out->rsp_write != r->write)
        return "a response is not the oldest request of its entry";
    if (r->write && d->data_words && data_hash(d, out->rsp_data, out->rsp_mask) != r->hash)
        return "write data or mask of a response are not what was stored";
    if (hash_words(1, out->rsp_payload, d->payload_words) != r->payload)
        return "the payload of a response is not what came with the request";
    if (out->rsp_slot != r->slot)
        return "rsp_slot is not where the request was put";
    if (out->rsp_addr != (d->addr_out ? d->drain.addr : 0))
        return "rsp_addr is not the block of the request";
    if (out->rsp_last != (r->next == NONE))
        return "rsp_last is wrong";
    if (d->stalled_before && (!d->before.rsp_valid || d->before.rsp_id != out->rsp_id ||
                              d->before.rsp_off != out->rsp_off))
        return "a response changed while it waited";
    return NULL;
}

static void take_response(struct driver *d) {
    int r = d->drain.first;
    d->drain.first = d->record[r].next;
    d->slot_used[d->record[r].slot] = false;
    d->record[r].next = d->free_record;
    d->free_record = r;
    d->drained++;
    if (d->drain.first == NONE) {
        if (!d->early_free)
            d->entry[d->draining].live = false;
        d->live--;
        d->draining = NONE;
    }
}

/* ---- Observed state ---- */

static unsigned state_of(const struct mshr_out *out, unsigned i) {
    return out->st_state[i / 8] >> (i % 8 * MSHR_STATE_W) & 15;
}

static bool legal_move(unsigned from, unsigned to) {
    for (unsigned t = 0; t < N_TRANSITIONS; t++)
        if (transitions[t].from == from && transitions[t].to == to)
            return true;
    return false;
}

static const char *check_state(struct driver *d, const struct mshr_out *out) {
    unsigned free_heads = 0, free_shared = 0;
    for (unsigned i = 0; i < d->sets; i++) {
        unsigned to = state_of(out, i);
        if (to == MSHR_S0)
            *(i < d->heads_only ? &free_heads : &free_shared) += 1;
        if (!d->seen_state || to == MSHR_ERR)
            continue;
        unsigned from = state_of(&d->before, i);
        if (from == to)
            continue;
        if (!legal_move(from, to))
            return "a slot set made a state change that is not in the diagram";
        d->moves[from][to]++;
        if (from == MSHR_S0 && to >= MSHR_S6) {
            if (d->linking == NONE)
                return "a set was attached without a link";
            d->entry[d->linking].tail = i;
        }
    }
    if (!out->err && (out->st_free_heads != free_heads || out->st_free_shared != free_shared))
        return "a free count is not the number of free sets";
    return NULL;
}

/* ---- Coverage of a cycle ---- */

static void cover_request(struct driver *d, const struct mshr_in *in, const struct mshr_out *out,
                          int match, bool ret) {
    bool of_ret = ret && match != NONE && in->ret_head == (uint64_t)match;
    if (out->req_refuse == MSHR_REFUSE_WALK)
        d->events[EV_WALK]++;
    if (out->req_refuse == MSHR_REFUSE_ENTRY_FULL)
        d->events[EV_ENTRY_FULL]++;
    if (out->req_refuse == MSHR_REFUSE_MERGE_FULL) {
        d->events[EV_MERGE_FULL]++;
        d->events[EV_MERGE_FULL_DRAINING] += d->draining != NONE;
        d->events[EV_RET_AND_REFUSE] += of_ret;
    }
    if (!out->req_ready)
        return;
    bool second = d->draining != NONE && d->drain.addr == asked(d, in);
    if (out->req_primary) {
        uint64_t top = d->addr_mask ^ d->addr_mask >> 1;
        d->events[EV_NEAR] += find_matchable(d, asked(d, in) ^ top) != NONE;
        d->events[EV_PRIMARY]++;
        d->events[EV_LATE] += second;
        return;
    }
    bool link = d->entry[match].count % d->slots == 0;
    d->events[link ? EV_LINK : EV_MERGE]++;
    d->events[link ? EV_RET_AND_LINK : EV_RET_AND_MERGE] += of_ret;
    d->events[EV_LATE_MERGE] += second;
    d->events[EV_PAIR] += d->fresh_head == match;
}

static void cross(struct driver *d, enum cross c, const struct mshr_out *out, unsigned set) {
    unsigned state = state_of(out, set);
    if (state < N_STATES)
        d->crosses[c][state]++;
}

static void cross_request(struct driver *d, const struct mshr_out *out, int match) {
    if (match == NONE || out->req_refuse == MSHR_REFUSE_WALK)
        return;
    const struct entry *e = &d->entry[match];
    if (!out->req_ready)
        cross(d, CR_REFUSE, out, e->tail);
    else
        cross(d, e->count % d->slots ? CR_MERGE : CR_LINK, out, e->tail);
}

static void cross_return(struct driver *d, const struct mshr_out *out, unsigned head, bool bad) {
    if (head >= d->sets)
        return;
    cross(d, bad ? CR_BAD_RET : CR_RET, out, head);
    if (!bad && d->entry[head].tail != head)
        cross(d, CR_RET_TAIL, out, d->entry[head].tail);
}

static void cover_pools(struct driver *d, const struct mshr_out *out) {
    bool none = !out->st_free_heads && !out->st_free_shared;
    d->events[EV_POOL_EMPTY] += none;
    d->events[EV_SHARED_EMPTY] += !out->st_free_shared && out->st_free_heads;
    uint64_t n_before = d->before.st_free_heads + d->before.st_free_shared;
    uint64_t n = out->st_free_heads + out->st_free_shared;
    d->events[EV_POOL_FULL] += d->seen_state && n == d->sets && n_before < d->sets;
}

static void cover_return(struct driver *d, const struct mshr_in *in, const struct mshr_out *out) {
    bool last = out->rsp_valid && out->rsp_last;
    d->events[EV_RET_WAITS] += !out->ret_ready;
    d->events[EV_RET_ON_LAST] += out->ret_ready && last;
    d->events[EV_RET_FIRST_CYCLE] += out->ret_ready && d->fresh_head == (int)in->ret_head;
}

static void cover_response(struct driver *d, const struct mshr_in *in, const struct mshr_out *out) {
    bool fire = out->rsp_valid && in->rsp_ready;
    if (out->rsp_valid && !in->rsp_ready) {
        d->events[EV_STALL_MID_DRAIN] += d->drained && !out->rsp_last;
        d->events[EV_STALL_LAST] += out->rsp_last;
    }
    d->events[EV_ALLOC_AND_FREE] +=
        fire && out->rsp_last && in->req_valid && out->req_ready && out->req_primary;
}

static void cover_look(struct driver *d, const struct mshr_in *in, const struct mshr_out *out,
                       bool ret) {
    bool accepted = in->req_valid && out->req_ready;
    bool same = in->look && in->look_addr == d->looked;
    uint64_t gone = ret ? d->entry[in->ret_head].addr : 0;
    d->events[EV_LOOK_AHEAD] += in->look && accepted && !same;
    d->events[EV_LOOK_OPENED] += same && accepted && out->req_primary;
    d->events[EV_LOOK_JOINED] += same && accepted && !out->req_primary;
    d->events[EV_LOOK_RET] += ret && in->look && in->look_addr == gone;
    d->events[EV_KEPT_RET] += ret && !in->look && d->looked_up && d->looked == gone;
    d->events[EV_KEPT_LONG] += accepted && d->cycle >= d->look_cycle + 16;
    d->events[EV_SUCCESSIVE] +=
        accepted && d->accepted_cycle + 1 == d->cycle && d->accepted_addr != d->looked;
    if (accepted) {
        d->accepted_addr = d->looked;
        d->accepted_cycle = d->cycle;
    }
}

/* ---- Sampling a cycle ---- */

static const char *sample_request(struct driver *d, const struct mshr_in *in,
                                  const struct mshr_out *out, int match) {
    if (out->req_ready == (out->req_refuse != MSHR_REFUSE_NONE))
        return "req_ready and req_refuse contradict each other";
    if (!out->req_ready) {
        d->refused_for++;
        bool wrong = match == NONE ? out->req_refuse != MSHR_REFUSE_ENTRY_FULL
                                   : out->req_refuse == MSHR_REFUSE_ENTRY_FULL;
        return wrong ? "refused for the wrong reason" : NULL;
    }
    d->refused_for = 0;
    d->offering = false;
    if (out->req_primary != (match == NONE))
        return "primary and secondary confused";
    if (!out->req_primary) {
        d->fresh_head = NONE;
        if (d->entry[match].count % d->slots == 0)
            d->linking = match;
        return accept(d, in, out, match);
    }
    d->fresh_head = (int)out->req_head;
    return open_entry(d, in, out);
}

static bool bad_return(const struct driver *d, uint64_t head) {
    return head >= d->sets || !d->entry[head].matchable;
}

static void begin_drain(struct driver *d, int head) {
    d->events[EV_SHARED_FIRST] += !d->drained_any && (unsigned)head >= d->heads_only;
    d->drained_any = true;
    d->entry[head].matchable = false;
    d->drain = d->entry[head];
    d->entry[head].live = !d->early_free;
    d->draining = head;
    d->drained = 0;
}

static const char *sample_cycle(struct driver *d, const struct mshr_in *in,
                                const struct mshr_out *out) {
    int match = in->req_valid ? find_matchable(d, asked(d, in)) : NONE;
    bool ret = in->ret_valid && out->ret_ready;
    bool bad = ret && bad_return(d, in->ret_head);
    const char *broken = check_state(d, out);
    d->linking = NONE;
    cover_pools(d, out);
    if (in->req_valid) {
        cover_request(d, in, out, match, ret);
        cross_request(d, out, match);
    }
    if (ret)
        cross_return(d, out, (unsigned)in->ret_head, bad);
    if (in->ret_valid)
        cover_return(d, in, out);
    cover_response(d, in, out);
    if (d->looks)
        cover_look(d, in, out, ret && !bad);

    if (!broken && out->ret_ready !=
                       (d->draining == NONE || (out->rsp_valid && in->rsp_ready && out->rsp_last)))
        broken = "ret_ready is wrong";
    if (!broken && out->rsp_valid != (d->draining != NONE))
        broken = "rsp_valid is wrong";
    if (!broken && out->rsp_valid)
        broken = check_response(d, out);
    if (!broken && in->req_valid)
        broken = sample_request(d, in, out, match);
    else
        d->fresh_head = NONE;
    if (broken)
        return broken;
    d->stalled_before = out->rsp_valid && !in->rsp_ready;
    if (out->rsp_valid && in->rsp_ready)
        take_response(d);
    if (ret) {
        d->ret_head = NONE;
        if (bad) {
            d->bad_ret = false;
            d->reset_in = 2 + below(d, 6);
        } else {
            begin_drain(d, (int)in->ret_head);
        }
    }
    return NULL;
}

static const char *sample_error(struct driver *d, const struct mshr_out *out) {
    d->events[EV_ERROR]++;
    if (out->err != MSHR_ERR_RETURN || !d->reset_in)
        return "an error without a cause";
    if (out->req_ready || out->ret_ready || out->rsp_valid)
        return "the block goes on after an error";
    return NULL;
}

/* What else comes in the cycle of reset. */
static void cover_reset(struct driver *d, const struct mshr_in *in, const struct mshr_out *out) {
    if (!d->seen_state)
        return;
    d->events[EV_RESET_PRIMARY] += in->req_valid && out->req_ready && out->req_primary;
    d->events[EV_RESET_RET] += in->ret_valid && out->ret_ready && !bad_return(d, in->ret_head);
}

/* A set that may be attached may be a head too. */
static bool has_shared_heads(const struct driver *d) {
    return d->heads_only < d->sets && !d->looks;
}

/* Which pools a reset has left whole shows when shared sets are taken as heads. */
static void begin_again(struct driver *d) {
    forget_all(d);
    if (!has_shared_heads(d) || !one_in(d, 2))
        return;
    d->mode = MODE_HEADS;
    d->phase_end = d->cycle + 2 * d->heads_only + 64;
    d->req_mix = d->ret_mix = d->rsp_mix = DELAY_SHORT;
    d->n_hot = 0;
    d->may_withdraw = false;
}

static const char *sample(void *driver, const void *in_, const void *out_) {
    struct driver *d = driver;
    const struct mshr_in *in = in_;
    const struct mshr_out *out = out_;
    const char *broken = NULL;
    if (in->rst)
        cover_reset(d, in, out);
    if (in->rst)
        begin_again(d);
    else if (out->err)
        broken = sample_error(d, out);
    else
        broken = sample_cycle(d, in, out);
    if (in->look && !in->rst) {
        d->looked_up = true;
        d->looked = in->look_addr;
        d->look_cycle = d->cycle;
    }
    d->seen_state = !in->rst;
    d->before = *out;
    d->cycle++;
    if (!broken && d->cycle == d->total && d->live && d->total > 1024 + 4 * d->sets * d->slots)
        broken = "requests are left after the final drain";
    return broken;
}

/* ---- Stimulus ---- */

/* Often one bit from a block that is tracked; often the highest, which a compare may leave out. */
static uint64_t random_address(struct driver *d) {
    uint64_t addr = rnd(d) & d->addr_mask;
    const struct entry *e = &d->entry[below(d, d->sets)];
    if (!e->matchable || !one_in(d, 4))
        return addr;
    uint64_t top = d->addr_mask ^ d->addr_mask >> 1;
    unsigned bits = (unsigned)__builtin_popcountll(d->addr_mask);
    return e->addr ^ (one_in(d, 4) ? top : (uint64_t)1 << below(d, bits));
}

static void new_phase(struct driver *d) {
    unsigned slots = d->sets * d->slots;
    d->mode = one_in(d, 4) ? MODE_FULL : (enum mode)below(d, MODE_HEADS);
    d->phase_end = d->cycle + 64 + below(d, 2 * slots);
    d->req_mix = (enum delay_mix)below(d, N_DELAYS);
    d->ret_mix = (enum delay_mix)below(d, N_DELAYS);
    d->rsp_mix = (enum delay_mix)below(d, N_DELAYS);
    d->may_withdraw = one_in(d, 4);
    d->n_hot = d->mode == MODE_MIXED ? MAX_HOT : 1 + below(d, at_most(4, d->sets / 2));
    if (d->mode == MODE_FULL) {
        d->req_mix = DELAY_SHORT;
        d->n_hot = one_in(d, 3) ? 0 : 1 + below(d, at_most(16, d->sets / 2));
    }
    if (d->mode == MODE_PAIRS)
        d->ret_mix = DELAY_SHORT;
    for (unsigned i = 0; i < d->n_hot; i++)
        d->hot[i] = random_address(d);
}

/* Now and then, in turn: a reset in a drain that is past its head, a faulty RET, which has to be
 * answered by an error, and either that or a reset at any time. */
static void plan_upset(struct driver *d) {
    static const uint8_t states[] = {5, 10, 0, 6, 7, 8, 9};
    unsigned n = d->upsets++;
    d->next_upset = d->cycle + 512 + below(d, 4 * d->sets * d->slots + 1);
    d->bad_state = states[n / 3 % sizeof states];
    d->bad_wait = 0;
    if (n % 3 == 0)
        d->reset_wait = 256;
    else if (n % 3 == 1 || one_in(d, 2))
        d->bad_ret = true;
    else
        d->reset_in = 1 + below(d, 64);
}

static uint64_t hot_address(struct driver *d) {
    if (!d->n_hot)
        return random_address(d);
    unsigned i = below(d, d->n_hot), j = below(d, d->n_hot);
    return d->hot[i < j ? i : j];
}

static uint64_t choose_address(struct driver *d) {
    switch (d->mode) {
    case MODE_PRIMARY:
        return one_in(d, 16) ? d->req.req_addr : random_address(d);
    case MODE_REFILL:
        if (d->draining != NONE && !one_in(d, 4))
            return d->drain.addr;
        return one_in(d, 4) ? random_address(d) : hot_address(d);
    case MODE_PAIRS:
        if (d->pair_left) {
            d->pair_left--;
            return d->req.req_addr;
        }
        d->pair_left = 1 + below(d, 2 * d->slots);
        return random_address(d);
    default:
        return hot_address(d);
    }
}

static void fill_words(struct driver *d, uint32_t *words, unsigned n, uint32_t last_mask) {
    for (unsigned i = 0; i < n; i++)
        words[i] = (uint32_t)(rnd(d) >> 16);
    if (n)
        words[n - 1] &= last_mask;
}

static void new_request(struct driver *d) {
    d->req.req_addr = d->ahead ? d->ahead_addr : choose_address(d);
    d->ahead = false;
    d->req.req_off = rnd(d) & d->off_mask;
    d->req.req_id = rnd(d) & d->id_mask;
    d->req.req_write = one_in(d, 3);
    fill_words(d, d->req.req_data, d->data_words, d->last_data_mask);
    fill_words(d, d->req.req_mask, d->mask_words, d->last_mask_mask);
    fill_words(d, d->req.req_payload, d->payload_words, d->last_payload_mask);
    d->offering = true;
    d->req_wait = d->mode == MODE_PAIRS && d->pair_left ? 0 : delay(d, d->req_mix, 64);
}

static bool quiescing(const struct driver *d) {
    return d->cycle + 4 * d->sets * d->slots + 256 >= d->total;
}

static void drive_request(struct driver *d, struct mshr_in *in) {
    if (d->offering && d->refused_for && d->may_withdraw && one_in(d, 16)) {
        d->offering = false;
        d->events[EV_WITHDRAWN]++;
    }
    if (!d->offering) {
        d->refused_for = 0;
        if (quiescing(d))
            return;
        if (d->req_wait)
            d->req_wait--;
        else
            new_request(d);
    }
    if (!d->offering || (d->looks && !(d->looked_up && d->looked == d->req.req_addr)))
        return;
    in->req_valid = 1;
    if (!d->looks)
        in->req_addr = d->req.req_addr;
    in->req_off = d->req.req_off;
    in->req_id = d->req.req_id;
    in->req_write = d->req.req_write;
    memcpy(in->req_data, d->req.req_data, sizeof in->req_data);
    memcpy(in->req_mask, d->req.req_mask, sizeof in->req_mask);
    memcpy(in->req_payload, d->req.req_payload, sizeof in->req_payload);
}

/* Of MODE_HEADS, which ends with it. */
static int shared_head(struct driver *d) {
    for (unsigned i = d->heads_only; i < d->sets; i++)
        if (d->entry[i].matchable) {
            d->phase_end = d->cycle + 1;
            return (int)i;
        }
    return NONE;
}

/* An entry whose line may come back now, preferring the one that the current request wants. */
static int choose_return(struct driver *d, const struct mshr_in *in) {
    bool hold = d->mode == MODE_FULL && d->refused_for < 2 && !quiescing(d);
    if (hold && !one_in(d, 512))
        return NONE;
    if (d->mode == MODE_HEADS && !quiescing(d))
        return shared_head(d);
    int match = in->req_valid ? find_matchable(d, asked(d, in)) : NONE;
    if (match != NONE && d->entry[match].due <= d->cycle && one_in(d, 4))
        return match;
    unsigned start = below(d, d->sets);
    bool brim = one_in(d, 4); /* a last set that is just full, if it can have room */
    unsigned least = d->slots > 1 ? d->slots : 2;
    for (unsigned k = 0; k < d->sets; k++) {
        unsigned i = (start + k) % d->sets;
        const struct entry *e = &d->entry[i];
        if (e->matchable && brim ? e->count >= least && e->count % d->slots == 0
                                 : e->matchable && (e->due <= d->cycle || quiescing(d)))
            return (int)i;
    }
    return NONE;
}

static bool releasing(unsigned state) {
    return state == MSHR_S5 || state == MSHR_S10;
}

/* A set of the super-entry under drain that is in this state when RET is taken: with its last
 * response. */
static int choose_releasing(const struct driver *d) {
    bool one_set = d->drain.tail == (unsigned)d->draining;
    if (d->bad_state == MSHR_S10)
        return one_set ? NONE : (int)d->drain.tail;
    return one_set || !d->early_free ? d->draining : NONE;
}

/* A set for the planned faulty RET: in the state drawn for it, or, after long waiting, any. */
static int choose_bad_return(struct driver *d) {
    unsigned start = below(d, d->sets);
    for (unsigned k = 0; k < d->sets; k++) {
        unsigned i = (start + k) % d->sets;
        if (d->seen_state && state_of(&d->before, i) == d->bad_state && bad_return(d, i))
            return (int)i;
    }
    if (++d->bad_wait < (releasing(d->bad_state) ? 512 : 64))
        return NONE;
    uint64_t head = rnd(d) & (((uint64_t)1 << d->set_w) - 1);
    return bad_return(d, head) ? (int)head : NONE;
}

static void drive_return(struct driver *d, struct mshr_in *in) {
    if (d->ret_head == NONE && d->bad_ret) {
        /* RET is taken between drains: offered earlier, it would find another state. */
        bool drains = d->draining != NONE;
        if (drains && !releasing(d->bad_state))
            return;
        d->ret_head = drains ? choose_releasing(d) : choose_bad_return(d);
    }
    if (d->ret_head == NONE && d->live)
        d->ret_head = choose_return(d, in);
    if (d->ret_head == NONE)
        return;
    in->ret_valid = 1;
    in->ret_head = (uint64_t)d->ret_head;
}

/* With LOOKUP=2 the block of the request on offer is looked up, and while it is asked for often
 * that of the next one, or the same again; now and then another, which costs the request a lookup
 * more. */
static void choose_look(struct driver *d, struct mshr_in *in) {
    if (in->req_valid && !d->ahead && !one_in(d, 4)) {
        d->ahead_addr = choose_address(d);
        d->ahead = true;
    }
    if (in->req_valid ? d->ahead && !one_in(d, 3) : !d->offering && d->ahead) {
        in->look = 1;
        in->look_addr = d->ahead_addr;
    } else if (in->req_valid ? one_in(d, 8) : d->offering && !one_in(d, 16)) {
        in->look = 1;
        in->look_addr = d->req.req_addr;
    } else if (one_in(d, 16)) {
        in->look = 1;
        in->look_addr = hot_address(d);
    }
}

/* With LOOKUP=1 nothing depends on the lookup, nor with 2 on req_addr: they get noise. */
static void drive_look(struct driver *d, struct mshr_in *in) {
    uint64_t noise = mix(d->cycle);
    in->look_addr = noise & d->addr_mask;
    if (!d->looks) {
        in->look = noise >> 63;
        return;
    }
    in->req_addr = ~noise & d->addr_mask;
    choose_look(d, in);
}

/* The drain of a reserved head is past it, and goes on. */
static bool past_head(const struct driver *d) {
    return d->draining != NONE && (unsigned)d->draining < d->heads_only && d->drained >= d->slots;
}

static bool reset_now(struct driver *d) {
    if (d->reset_wait && (past_head(d) || --d->reset_wait == 0)) {
        d->reset_wait = 0;
        d->reset_in = 1;
    }
    return d->reset_in == 1;
}

/* Nothing of this is taken. */
static void drive_reset(struct driver *d, struct mshr_in *in) {
    unsigned head = below(d, d->sets);
    if (one_in(d, 2) && (!d->looks || d->looked_up)) {
        in->req_valid = 1;
        in->req_addr = random_address(d);
        in->req_off = in->req_id = in->req_write = 0;
    }
    if (one_in(d, 2) && d->entry[head].matchable) {
        in->ret_valid = 1;
        in->ret_head = head;
    }
}

static void drive(void *driver, void *in_) {
    struct driver *d = driver;
    struct mshr_in *in = in_;
    memset(in, 0, sizeof *in);
    if (d->cycle >= d->phase_end)
        new_phase(d);
    if (d->cycle >= d->next_upset)
        plan_upset(d);
    if (quiescing(d)) {
        d->bad_ret = false;
        d->rsp_mix = DELAY_SHORT;
    }
    bool reset = reset_now(d);
    in->rst = d->cycle == 0 || reset;
    d->events[EV_RESET] += reset;
    d->events[EV_RESET_PAST_HEAD] += reset && past_head(d);
    if (d->reset_in)
        d->reset_in--;
    drive_request(d, in);
    drive_look(d, in);
    drive_return(d, in);
    if (d->rsp_wait) {
        d->rsp_wait--;
    } else {
        in->rsp_ready = 1;
        d->rsp_wait = delay(d, d->rsp_mix, 64);
    }
    if (in->rst)
        drive_reset(d, in);
}

/* ---- Coverage table: what the parameters allow has to be hit by a run of 500 cycles a slot ----
 */

static bool possible(const struct driver *d, enum need need) {
    unsigned shared = d->sets - d->heads_only;
    bool two = shared >= 2 && d->sets >= 3;
    switch (need) {
    case ANY:
        return true;
    case MULTI_SLOT:
        return d->slots > 1;
    case SINGLE_SLOT:
        return d->slots == 1;
    case ATTACH:
        return shared >= 1;
    case ATTACH_MULTI:
        return shared >= 1 && d->slots > 1;
    case ATTACH_SINGLE:
        return shared >= 1 && d->slots == 1;
    default:
        return two;
    }
}

/* Slots that one super-entry can have at most. */
static unsigned longest(const struct driver *d) {
    unsigned shared = d->sets - d->heads_only;
    unsigned attachable = d->heads_only ? shared : d->sets - 1;
    return d->slots * (1 + attachable);
}

static bool event_possible(const struct driver *d, enum event e) {
    bool shared = d->heads_only < d->sets;
    switch (e) {
    case EV_WALK:
        return d->walk;
    case EV_MERGE:
    case EV_RET_AND_MERGE:
        return d->slots > 1;
    case EV_LINK:
    case EV_RET_AND_LINK:
        return shared;
    case EV_PAIR:
        return shared || d->slots > 1;
    case EV_LATE_MERGE:
        return d->slots > 1 || (shared && d->sets > 2);
    case EV_SHARED_EMPTY:
        return shared && d->heads_only;
    case EV_ENTRY_FULL:
    case EV_POOL_EMPTY: /* reserved heads take different blocks */
        return d->addr_mask > d->heads_only;
    case EV_LOOK_JOINED:
        return d->looks && (shared || d->slots > 1);
    case EV_LOOK_AHEAD:
    case EV_LOOK_OPENED:
    case EV_LOOK_RET:
    case EV_KEPT_RET:
    case EV_KEPT_LONG:
    case EV_SUCCESSIVE:
        return d->looks;
    case EV_STALL_MID_DRAIN:
        return longest(d) > 2;
    case EV_RESET_PAST_HEAD:
        return shared && d->heads_only;
    case EV_SHARED_FIRST:
        return has_shared_heads(d) && d->addr_mask >= d->heads_only;
    default:
        return true;
    }
}

/* Hits that each possible point needs: one, in runs that are long enough for it. A pool has to fill
 * many times for the rarest of them, and with the walk long chains fill slowly. */
static uint64_t floor_of(const struct driver *d) {
    uint64_t reach = 500 * (uint64_t)d->sets * d->slots;
    if (d->walk && d->addr_mask < d->sets)
        reach *= 1 + d->sets / (unsigned)(d->addr_mask + 1);
    return d->total >= reach;
}

static size_t coverage(void *driver, const struct cover_point **points) {
    static const char *const event_names[] = {
#define X(id, text) text,
        EVENTS(X)
#undef X
    };
    struct driver *d = driver;
    uint64_t floor = floor_of(d);
    size_t n = 0;
    for (unsigned e = 0; e < N_EVENTS; e++)
        d->points[n++] = (struct cover_point){event_names[e], d->events[e],
                                              event_possible(d, (enum event)e) ? floor : 0};
    for (unsigned t = 0; t < N_TRANSITIONS; t++) {
        const struct transition *m = &transitions[t];
        if (possible(d, m->need))
            d->points[n++] = (struct cover_point){d->names[t], d->moves[m->from][m->to], floor};
    }
    for (unsigned c = 0; c < N_CELLS; c++) {
        const struct cell *m = &cells[c];
        /* Upsets are too rare to ask for one in each state that waits for RET. */
        bool rare = m->cross == CR_BAD_RET && m->state != MSHR_S0 && !releasing(m->state);
        uint64_t least = rare ? 0 : floor;
        if (possible(d, m->need))
            d->points[n++] = (struct cover_point){d->names[N_TRANSITIONS + c],
                                                  d->crosses[m->cross][m->state], least};
    }
    *points = d->points;
    return n;
}

/* ---- Life ---- */

static uint64_t low_bits(int64_t n) {
    return n >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << n) - 1;
}

/* Of the last word of so many bits. */
static uint32_t last_word_mask(int64_t bits) {
    return bits % 32 ? (uint32_t)low_bits(bits % 32) : ~0u;
}

static void name_cells(struct driver *d) {
    static const char *const texts[] = {
#define X(id, text) text,
        CROSSES(X)
#undef X
    };
    for (unsigned c = 0; c < N_CELLS; c++)
        snprintf(d->names[N_TRANSITIONS + c], sizeof d->names[0], "%s S%u", texts[cells[c].cross],
                 cells[c].state);
}

static void *create(const struct block_type *type, const struct block_params *p, uint64_t seed,
                    uint64_t cycles) {
    struct driver *d = calloc(1, sizeof *d);
    if (!d)
        return NULL;
    bool dl = type == &dl_mshr_type;
    d->sets = (unsigned)p->v[MSHR_SETS];
    d->slots = (unsigned)p->v[MSHR_SLOTS];
    d->heads_only = dl ? (unsigned)p->v[DL_MSHR_RESERVED_HEADS] : d->sets;
    d->walk = dl && p->v[DL_MSHR_TAIL] == DL_MSHR_WALK;
    d->early_free = dl && p->v[DL_MSHR_EARLY_FREE];
    d->looks = p->v[dl ? (int)DL_MSHR_LOOKUP : (int)STATIC_MSHR_LOOKUP] == 2;
    d->set_w = mshr_clog2(d->sets);
    d->addr_mask = low_bits(p->v[MSHR_ADDR_W]);
    d->off_mask = low_bits(p->v[MSHR_OFF_W]);
    d->id_mask = low_bits(p->v[MSHR_ID_W]);
    unsigned bits = (unsigned)p->v[MSHR_DATA_W], payload = (unsigned)p->v[MSHR_PAYLOAD_W];
    d->data_words = (bits + 31) / 32;
    d->mask_words = (bits / 8 + 31) / 32;
    d->payload_words = (payload + 31) / 32;
    d->last_data_mask = last_word_mask(bits);
    d->last_mask_mask = last_word_mask(bits / 8);
    d->last_payload_mask = last_word_mask(payload);
    d->addr_out = p->v[MSHR_ADDR_OUT];
    d->rng = seed;
    d->total = cycles;
    d->next_upset = 1024;
    for (unsigned t = 0; t < N_TRANSITIONS; t++)
        snprintf(d->names[t], sizeof d->names[t], "S%u->S%u", transitions[t].from,
                 transitions[t].to);
    name_cells(d);
    forget_all(d);
    return d;
}

#define CALLS                                                                                      \
    { .create = create, .destroy = free, .drive = drive, .sample = sample, .coverage = coverage }

const struct cosim_driver dl_mshr_driver = CALLS;
const struct cosim_driver static_mshr_driver = CALLS;
