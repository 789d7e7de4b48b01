/* SPDX-License-Identifier: Apache-2.0 */
/* Scoreboard of mil: what each cycle's inputs make of the state that was shown in it, rule by rule
 * of docs/understand/mil.md, and when limits, ratios and shares are due. */
#ifndef MEMTWIN_MIL_MIL_SCORE_H
#define MEMTWIN_MIL_MIL_SCORE_H

#include "mil/mil_ports.h"

/* LIMIT and ORDER, by their numbers in the contract. */
enum { LIMIT_NONE, LIMIT_STATIC, LIMIT_DYNAMIC };
enum { ORDER_NONE, ORDER_TURNS, ORDER_QUOTAS };
enum { ZERO_OPEN, ZERO_KEEP, ZERO_STEP };

/* What the parameters come to. */
struct mil_geometry {
    unsigned kernels, schedulers, interval_w, rf_w, inflight_w, minst_w, ratio_max, quota_w;
    unsigned limit, order, zero;
    unsigned index_w, room_w, ratio_w;
    uint64_t interval, none, rf_max, minst_max, quota_max;
};

/* The state of a kernel. */
struct mil_shown {
    uint64_t room, inflight, limit, max, rf, req, minst, ratio, quota, share;
    bool go, update;
};

/* What an interval that has ended will show. */
struct mil_due {
    unsigned limit_in, ratio_in; /* cycles; 0: nothing */
    uint64_t q, max, minst;
};

struct mil_score {
    struct mil_geometry g;
    struct mil_shown now[MIL_MAX_KERNELS], next[MIL_MAX_KERNELS]; /* shown; to be shown */
    struct mil_due due[MIL_MAX_KERNELS];
    unsigned last;       /* kernel that issued last */
    unsigned engine_for; /* cycles until the shares are there; 0: none */
    bool busy;
    unsigned err;

    /* What the last mil_score_tick found, for the coverage. */
    bool refilled, ended[MIL_MAX_KERNELS], ratio_new, restarted;
};

void mil_geometry_init(struct mil_geometry *g, const struct block_params *p);
void mil_score_init(struct mil_score *s, const struct mil_geometry *g);
/* Reads a cycle's outputs, and checks them. Returns NULL, or the rule that is broken. */
const char *mil_score_check(struct mil_score *s, const struct mil_in *in,
                            const struct mil_out *out);
/* Whether kernel k has `go` in the coming cycle, if these want. */
bool mil_score_goes(const struct mil_score *s, uint64_t want, unsigned k);
/* The clock edge of that cycle. */
void mil_score_tick(struct mil_score *s, const struct mil_in *in);

static inline bool mil_bit(uint64_t vector, unsigned k) {
    return vector >> k & 1;
}

#endif
