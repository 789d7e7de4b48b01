/* SPDX-License-Identifier: Apache-2.0 */
/* Scoreboard of cap: the answer by the division of Gu's formula, and the questions on their way.
 * Nothing of cmodel/cap but its ports. */
#ifndef MEMTWIN_CAP_CAP_SCORE_H
#define MEMTWIN_CAP_CAP_SCORE_H

#include "cap/cap_ports.h"

enum { CAP_SIZES = 5 }; /* answers: 0 to 4 */

struct cap_geometry {
    unsigned groups;
    uint64_t group_mask, avail_max, size_max, num, den;
    unsigned over;
};

/* What was asked, and what follows from it. */
struct cap_question {
    bool valid, full, known; /* known: group and agg were set */
    unsigned group;
    uint64_t avail, req, agg;
    unsigned limit, fit, size;
};

struct cap_score {
    struct cap_geometry g;
    bool known[CAP_MAX_GROUPS], agg_known;
    uint64_t req[CAP_MAX_GROUPS], agg;
    struct cap_question way[CAP_LATENCY]; /* the question of the last cycle first */
};

void cap_geometry_init(struct cap_geometry *g, const struct block_params *p);
/* The least number of pages that gets 2^k blocks; beyond all numbers of pages if there is none. req
 * is not 0. */
uint64_t cap_least_avail(const struct cap_geometry *g, uint64_t req, uint64_t agg, unsigned k);

void cap_score_init(struct cap_score *s, const struct cap_geometry *g);
/* The question that these inputs are. */
struct cap_question cap_score_question(const struct cap_score *s, const struct cap_in *in);
/* Checks the outputs of a cycle. Returns NULL, or the rule that is broken. */
const char *cap_score_check(const struct cap_score *s, const struct cap_out *out);
/* The clock edge of that cycle. */
void cap_score_tick(struct cap_score *s, const struct cap_in *in);

#endif
