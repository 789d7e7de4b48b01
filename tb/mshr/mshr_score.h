/* SPDX-License-Identifier: Apache-2.0 */
/* Scoreboard of the MSHR blocks, independent of slot sets. It keeps the accepted requests
 * of each head in flight, and checks that they leave once, in order and unchanged. In the observed
 * state, it checks the free counts, and that docs/understand/dl_mshr.md lists every change of
 * state. */
#ifndef MEMTWIN_MSHR_MSHR_SCORE_H
#define MEMTWIN_MSHR_MSHR_SCORE_H

#include "mshr/mshr_ports.h"

enum {
    MSHR_SCORE_NONE = -1,
    MSHR_SCORE_MAX_SLOTS = MSHR_MAX_SETS * MSHR_MAX_SLOTS,
    MSHR_SCORE_N_STATES = 11
};

/* Sizes derived from the parameters. */
struct mshr_shape {
    unsigned sets, slots, heads_only, set_w, payload_words;
    uint64_t addr_mask;
    uint32_t last_payload_mask; /* bits of the payload in its last word */
    bool walk,                  /* true if the tail is found by a walk */
        early_free,             /* true if EARLY_FREE=1 */
        addr_out,               /* true if ADDR_OUT=1 */
        looks,                  /* true if a lookup takes two cycles */
        promises;               /* true if the block has the port room */
};

/* State changes of a slot set. Each has the old state, the new state, and its requirement
 * (mshr_cover.c). */
#define MSHR_MOVES(X)                                                                              \
    X(0, 1, MULTI_SLOT)                                                                            \
    X(0, 2, SINGLE_SLOT)                                                                           \
    X(0, 6, ATTACH_MULTI)                                                                          \
    X(0, 7, ATTACH_SINGLE)                                                                         \
    X(1, 2, MULTI_SLOT)                                                                            \
    X(2, 3, ATTACH)                                                                                \
    X(2, 4, ANY)                                                                                   \
    X(4, 3, ATTACH)                                                                                \
    X(1, 5, MULTI_SLOT)                                                                            \
    X(2, 5, ANY)                                                                                   \
    X(3, 5, ATTACH)                                                                                \
    X(4, 5, ANY)                                                                                   \
    X(5, 0, ANY)                                                                                   \
    X(6, 7, ATTACH_MULTI)                                                                          \
    X(7, 8, ATTACH_TWO)                                                                            \
    X(7, 9, ATTACH)                                                                                \
    X(9, 8, ATTACH_TWO)                                                                            \
    X(6, 10, ATTACH_MULTI)                                                                         \
    X(7, 10, ATTACH)                                                                               \
    X(8, 10, ATTACH_TWO)                                                                           \
    X(9, 10, ATTACH)                                                                               \
    X(10, 0, ATTACH)

/* An accepted request. */
struct mshr_record {
    uint64_t slot, payload_hash;
    int next;
};

/* An MSHR entry, indexed by its head. */
struct mshr_entry {
    bool in_use;    /* true until all responses have been accepted */
    bool matchable; /* true until RET has been accepted */
    uint64_t addr;
    int first, last; /* oldest record and newest record */
    unsigned count;  /* number of accepted records */
    unsigned tail;   /* last slot set, according to the observed state */
};

struct mshr_score {
    struct mshr_shape g;
    struct mshr_entry entry[MSHR_MAX_SETS];
    struct mshr_record record[MSHR_SCORE_MAX_SLOTS];
    int free_record;
    bool slot_used[MSHR_SCORE_MAX_SLOTS];
    unsigned live_entries;
    int draining; /* head that is draining, or MSHR_SCORE_NONE */
    /* the draining entry: EARLY_FREE may reuse its head already */
    struct mshr_entry drain;
    unsigned drained; /* number of accepted responses in the drain so far */
    int linking;      /* head to which the previous cycle linked a set, or MSHR_SCORE_NONE */
    bool
        looked_up; /* with a two-cycle lookup, true if a block was looked up since the last reset */
    uint64_t looked; /* with a two-cycle lookup, the block that was looked up last */
    bool late,       /* that block is under drain, and its RET did not precede the lookup */
        stale,       /* that block's drain has ended, and its RET did not precede the lookup */
        gap;         /* no response in this cycle: a request merged with the last one */
    bool faulty;     /* true if, since the reset, a RET named a set that is not a head in flight */
    bool seen_state; /* true if the previous cycle was not a reset cycle */
    struct mshr_out before; /* outputs of the previous cycle */
};

/* Events of one cycle, before its clock edge. */
struct mshr_look {
    int match; /* head of the entry for the request's block, or MSHR_SCORE_NONE */
    bool late, /* true if that entry is under drain */
        ret,   /* true if RET is accepted */
        bad;   /* true if RET names a set that is not a head in flight */
};

void mshr_shape_init(struct mshr_shape *g, const struct block_type *type,
                     const struct block_params *p);
void mshr_score_init(struct mshr_score *s, const struct mshr_shape *g);

/* True if some slot sets can be either attached or heads. */
static inline bool mshr_shares_heads(const struct mshr_shape *g) {
    return g->heads_only < g->sets && !g->looks;
}

static inline unsigned mshr_state_of(const struct mshr_out *out, unsigned set) {
    return out->st_state[set / 8] >> (set % 8 * MSHR_STATE_W) & 15;
}

static inline bool mshr_releasing(unsigned state) {
    return state == MSHR_S5 || state == MSHR_S10;
}

/* Returns the block address of the current request. */
static inline uint64_t mshr_score_asked(const struct mshr_score *s, const struct mshr_in *in) {
    return s->g.looks ? s->looked : in->req_addr;
}

/* Returns the entry of the request: look->match must not be MSHR_SCORE_NONE. */
static inline const struct mshr_entry *mshr_score_match(const struct mshr_score *s,
                                                        const struct mshr_look *look) {
    return look->late ? &s->drain : &s->entry[look->match];
}

/* Returns the head of the entry to which a request for that block belongs, or MSHR_SCORE_NONE. */
int mshr_score_find(const struct mshr_score *s, uint64_t addr);

static inline bool mshr_score_bad_return(const struct mshr_score *s, uint64_t head) {
    return head >= s->g.sets || !s->entry[head].matchable;
}

/* True if a drain has gone past its reserved head and continues. */
static inline bool mshr_score_past_head(const struct mshr_score *s) {
    return s->draining != MSHR_SCORE_NONE && (unsigned)s->draining < s->g.heads_only &&
           s->drained >= s->g.slots;
}

/* Checks the outputs of a cycle, fills in *look, and records the attached sets. Returns the broken
 * rule, or NULL if there is none. */
const char *mshr_score_check(struct mshr_score *s, const struct mshr_in *in,
                             const struct mshr_out *out, struct mshr_look *look);
/* Applies the cycle's clock edge. */
void mshr_score_tick(struct mshr_score *s, const struct mshr_in *in, const struct mshr_out *out,
                     const struct mshr_look *look);

#endif
