/* SPDX-License-Identifier: Apache-2.0 */
/* Scoreboard of bpg: what docs/understand/bpg.md says of the ports, told without shadow arrays.
 * What these hold it takes from st_found, as far as that can be; the counters, the decision and
 * when it comes follow from it and from the inputs. */
#ifndef MEMTWIN_BPG_BPG_SCORE_H
#define MEMTWIN_BPG_BPG_SCORE_H

#include "bpg/bpg_ports.h"

enum { BPG_MAX_SAMPLED = 64 };

/* What the parameters come to. */
struct bpg_geometry {
    unsigned set_bits, tag_bits, stride; /* stride: from a sampled set to the next */
    unsigned index, sets, ways, sampled, calculators, interval, scale;
    unsigned index_max, adjusted_bits; /* index_max: of the port */
    uint64_t addr_mask, tag_mask, id_max, hit_max, fail_max;
};

/* What was taken in the cycle before. */
struct bpg_taken {
    bool valid, fail;
    unsigned op;
    uint64_t addr, id;
};

/* A decision. age 0: none; else cycles since the interval's end, CALCULATORS + 3 in the cycle with
 * update. */
struct bpg_decision {
    unsigned age, best_k; /* best_k 0: none judged yet */
    uint64_t fails, hits[BPG_MAX_CALCULATORS];
    int64_t adjusted[BPG_MAX_CALCULATORS], best;
};

/* The line of the last sampled access, and which arrays hold it: bit k-1 is calculator k's, here
 * and below. */
struct bpg_recent {
    bool any;
    unsigned row;
    uint64_t tag, addr;
    uint32_t held;
};

struct bpg_score {
    struct bpg_geometry g;
    struct bpg_taken taken;
    unsigned lmax;
    uint64_t count, fails, hits[BPG_MAX_CALCULATORS];
    uint32_t table[BPG_MAX_CALCULATORS];
    struct bpg_decision decision;
    struct bpg_recent recent;
    unsigned valid[BPG_MAX_CALCULATORS][BPG_MAX_SAMPLED]; /* ways of a row */
};

/* One cycle, before its edge. */
struct bpg_look {
    bool sampled;           /* an access to a sampled set is looked up */
    bool again, ends;       /* again: its line is the recent one; ends: it ends the interval */
    unsigned row;           /* of the shadow arrays */
    uint64_t tag;           /* as they keep it */
    uint32_t counts, found; /* of which arrays the user counts, which hold the line */
    unsigned judged;        /* k, or 0 */
};

void bpg_geometry_init(struct bpg_geometry *g, const struct block_params *p);
unsigned bpg_set_of(const struct bpg_geometry *g, uint64_t line);
void bpg_score_init(struct bpg_score *s, const struct bpg_geometry *g);

/* The access that is being looked up is the interval's last. */
static inline bool bpg_score_ends(const struct bpg_score *s) {
    return s->taken.valid && s->count + 1 == s->g.interval;
}

/* Checks the outputs of a cycle and fills *look. Returns NULL, or the rule that is broken. */
const char *bpg_score_check(const struct bpg_score *s, const struct bpg_in *in,
                            const struct bpg_out *out, struct bpg_look *look);
/* The clock edge of that cycle. */
void bpg_score_tick(struct bpg_score *s, const struct bpg_in *in, const struct bpg_look *look);

#endif
