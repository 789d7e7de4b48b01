/* SPDX-License-Identifier: Apache-2.0 */
/* Scoreboard of bpg. Applies the rules in docs/understand/bpg.md to the ports, without shadow
 * arrays. Instead, it takes the contents of the arrays from st_found, which it checks for
 * plausibility. The counters, the decision and its time follow from st_found and the inputs. */
#ifndef MEMTWIN_BPG_BPG_SCORE_H
#define MEMTWIN_BPG_BPG_SCORE_H

#include "bpg/bpg_ports.h"

enum { BPG_MAX_SAMPLED = 64 };

/* Sizes derived from the parameters. */
struct bpg_geometry {
    unsigned set_bits, tag_bits, /* widths of a set number and of a stored tag */
        stride;                  /* distance between sampled sets */
    unsigned index, sets, ways, sampled, calculators, interval, scale;
    unsigned index_max, /* greatest value of the index port */
        adjusted_bits;  /* width of Adjusted Hits */
    uint64_t addr_mask, tag_mask, id_max, hit_max, fail_max;
};

/* The inputs that were accepted in the previous cycle. */
struct bpg_taken {
    bool valid, fail;
    unsigned op;
    uint64_t addr, id;
};

/* A decision. `age` is the number of cycles since the interval's end. It is CALCULATORS + 3 in the
 * cycle with update, and 0 if there is no decision. */
struct bpg_decision {
    unsigned age, best_k; /* `best_k` is the best k so far, or 0 before the first comparison */
    uint64_t fails, hits[BPG_MAX_CALCULATORS];
    int64_t adjusted[BPG_MAX_CALCULATORS], best;
};

/* Line of the last sampled access, and the arrays that contain it. In all masks of arrays, bit k-1
 * belongs to calculator k. */
struct bpg_recent {
    bool any;
    unsigned row;
    uint64_t tag, addr;
    uint32_t held;
};

struct bpg_score {
    struct bpg_geometry g;
    struct bpg_taken last_access;
    unsigned lmax;
    uint64_t count, fails, hits[BPG_MAX_CALCULATORS];
    uint32_t table[BPG_MAX_CALCULATORS];
    struct bpg_decision decision;
    struct bpg_recent recent;
    unsigned valid[BPG_MAX_CALCULATORS][BPG_MAX_SAMPLED]; /* masks of the valid ways in each row */
};

/* Events of one cycle, before its clock edge. */
struct bpg_look {
    bool sampled;    /* true if an access to a sampled set is looked up */
    bool again,      /* true if the access is to the recent line */
        ends;        /* true if the access ends the interval */
    unsigned row;    /* row of the shadow arrays */
    uint64_t tag;    /* tag as stored by the arrays */
    uint32_t counts, /* mask of the arrays that count the user */
        found;       /* mask of the arrays that contain the line */
    unsigned judged; /* number of the calculator that is compared in this cycle, or 0 if none */
};

void bpg_geometry_init(struct bpg_geometry *g, const struct block_params *p);
unsigned bpg_set_of(const struct bpg_geometry *g, uint64_t line);
void bpg_score_init(struct bpg_score *s, const struct bpg_geometry *g);

/* True if the access being looked up is the last one in the interval. */
static inline bool bpg_score_ends(const struct bpg_score *s) {
    return s->last_access.valid && s->count + 1 == s->g.interval;
}

/* Checks the outputs of a cycle and fills in *look. Returns the broken rule, or NULL if there is
 * none. */
const char *bpg_score_check(const struct bpg_score *s, const struct bpg_in *in,
                            const struct bpg_out *out, struct bpg_look *look);
/* Applies the cycle's clock edge. */
void bpg_score_tick(struct bpg_score *s, const struct bpg_in *in, const struct bpg_look *look);

#endif
