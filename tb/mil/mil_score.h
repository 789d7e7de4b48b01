/* SPDX-License-Identifier: Apache-2.0 */
/* Scoreboard of mil. Applies the rules in docs/understand/mil.md to the inputs of each cycle and
 * to the state that the outputs show. It also tracks when limits, ratios and shares are due. */
#ifndef MEMTWIN_MIL_MIL_SCORE_H
#define MEMTWIN_MIL_MIL_SCORE_H

#include "mil/mil_ports.h"

/* Values of LIMIT, and below of ORDER and ZERO, as numbered in the contract. */
enum { LIMIT_NONE, LIMIT_STATIC, LIMIT_DYNAMIC };
enum { ORDER_NONE, ORDER_TURNS, ORDER_QUOTAS };
enum { ZERO_OPEN, ZERO_KEEP, ZERO_STEP };

/* Sizes derived from the parameters. */
struct mil_geometry {
    unsigned kernels, schedulers, interval_w, rf_w, inflight_w, minst_w, ratio_max, quota_w;
    unsigned limit, order, zero;
    unsigned index_w, room_w, ratio_w;
    uint64_t interval, none, rf_max, minst_max, quota_max;
};

/* State of a kernel that the outputs show. */
struct mil_shown {
    uint64_t room, inflight, limit, max, rf, req, minst, ratio, quota, share;
    bool go, update;
};

/* Results of an ended interval that have not been output yet. */
struct mil_due {
    /* number of cycles until each result is output; 0 if it is not due */
    unsigned limit_in, ratio_in;
    uint64_t q, max, minst;
};

struct mil_score {
    struct mil_geometry g;
    struct mil_shown now[MIL_MAX_KERNELS],
        next[MIL_MAX_KERNELS]; /* states that this cycle and the next one output */
    struct mil_due due[MIL_MAX_KERNELS];
    unsigned last;       /* kernel that issued last */
    unsigned engine_for; /* number of cycles until the shares are computed; 0 if idle */
    bool busy;
    unsigned err;

    /* results of the last mil_score_tick, which the coverage reads */
    bool refilled, ended[MIL_MAX_KERNELS], ratio_new, restarted;
};

void mil_geometry_init(struct mil_geometry *g, const struct block_params *p);
void mil_score_init(struct mil_score *s, const struct mil_geometry *g);
/* Reads and checks the outputs of a cycle. Returns the broken rule, or NULL if there is none. */
const char *mil_score_check(struct mil_score *s, const struct mil_in *in,
                            const struct mil_out *out);
/* True if kernel k gets `go` in the next cycle if the kernels in `want` request to issue. */
bool mil_score_goes(const struct mil_score *s, uint64_t want, unsigned k);
/* Applies the cycle's clock edge. */
void mil_score_tick(struct mil_score *s, const struct mil_in *in);

static inline bool mil_bit(uint64_t vector, unsigned k) {
    return vector >> k & 1;
}

#endif
