/* SPDX-License-Identifier: Apache-2.0 */
/* Scoreboard of dl_mshr and static_mshr. It knows nothing of slot sets: it keeps, per outstanding
 * head, what was accepted, and checks that it leaves once, in order and unchanged. Of the observed
 * state it checks that the free counts are the number of free sets and that every state change is
 * one of docs/understand/dl_mshr.md. */
#ifndef MEMTWIN_MSHR_MSHR_SCORE_H
#define MEMTWIN_MSHR_MSHR_SCORE_H

#include "mshr/mshr_ports.h"

enum { NONE = -1, MAX_SLOTS = MSHR_MAX_SETS * MSHR_MAX_SLOTS, N_STATES = 11 };

/* What the parameters come to. */
struct mshr_shape {
    unsigned sets, slots, heads_only, set_w, data_words, mask_words, payload_words;
    uint64_t addr_mask, off_mask, id_mask;
    uint32_t last_data_mask, last_mask_mask, last_payload_mask;
    bool walk, early_free, addr_out, looks; /* looks: LOOKUP=2 */
};

/* State changes of a slot set: from, to, what they need (mshr_cover.c). */
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

/* One accepted request. */
struct mshr_record {
    uint64_t off, id, write, slot, hash, payload; /* the last two of words */
    int next;
};

/* A super-entry, by its head's id. */
struct mshr_entry {
    bool live;      /* accepted, not all responses taken */
    bool matchable; /* RET not accepted */
    uint64_t addr;
    int first, last; /* records */
    unsigned count;  /* records accepted */
    unsigned tail;   /* last set, as the observed state tells */
};

struct mshr_score {
    struct mshr_shape g;
    struct mshr_entry entry[MSHR_MAX_SETS];
    struct mshr_record record[MAX_SLOTS];
    int free_record;
    bool slot_used[MAX_SLOTS];
    unsigned live;
    int draining;            /* head whose drain goes on, or NONE */
    struct mshr_entry drain; /* its super-entry: with EARLY_FREE the head may be in use again */
    unsigned drained;        /* responses of the drain taken so far */
    int linking;             /* head to whose entry a set was linked in the cycle before, or NONE */
    bool looked_up;          /* LOOKUP=2: since the last reset */
    uint64_t looked;         /* the block of a request */
    bool faulty;             /* a RET since the last reset had no cause */
    bool stalled, seen_state; /* in the cycle before: a response that was not taken; no reset */
    struct mshr_out before;   /* outputs of the cycle before */
};

/* One cycle, before its edge. */
struct mshr_look {
    int match;     /* head of the request's block, or NONE */
    bool ret, bad; /* RET is taken; it names no outstanding head */
};

void mshr_shape_init(struct mshr_shape *g, const struct block_type *type,
                     const struct block_params *p);
void mshr_score_init(struct mshr_score *s, const struct mshr_shape *g);

/* A set that may be attached may be a head too. */
static inline bool mshr_shares_heads(const struct mshr_shape *g) {
    return g->heads_only < g->sets && !g->looks;
}

static inline unsigned mshr_state_of(const struct mshr_out *out, unsigned set) {
    return out->st_state[set / 8] >> (set % 8 * MSHR_STATE_W) & 15;
}

static inline bool mshr_releasing(unsigned state) {
    return state == MSHR_S5 || state == MSHR_S10;
}

/* The block that a request of this cycle is for. */
static inline uint64_t mshr_score_asked(const struct mshr_score *s, const struct mshr_in *in) {
    return s->g.looks ? s->looked : in->req_addr;
}

/* Head to whose entry a request for that block belongs, or NONE. */
int mshr_score_find(const struct mshr_score *s, uint64_t addr);

static inline bool mshr_score_bad_return(const struct mshr_score *s, uint64_t head) {
    return head >= s->g.sets || !s->entry[head].matchable;
}

/* The drain of a reserved head is past it, and goes on. */
static inline bool mshr_score_past_head(const struct mshr_score *s) {
    return s->draining != NONE && (unsigned)s->draining < s->g.heads_only &&
           s->drained >= s->g.slots;
}

/* Checks the outputs of a cycle, fills *look, and notes which sets are attached now. Returns NULL,
 * or the rule that is broken. */
const char *mshr_score_check(struct mshr_score *s, const struct mshr_in *in,
                             const struct mshr_out *out, struct mshr_look *look);
/* The clock edge of that cycle. */
void mshr_score_tick(struct mshr_score *s, const struct mshr_in *in, const struct mshr_out *out,
                     const struct mshr_look *look);

#endif
