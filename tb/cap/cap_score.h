/* SPDX-License-Identifier: Apache-2.0 */
/* Scoreboard of cap. Computes the answer with the division in Gu's formula, and tracks the queries
 * in the pipeline. Uses only the ports of cmodel/cap. */
#ifndef MEMTWIN_CAP_CAP_SCORE_H
#define MEMTWIN_CAP_CAP_SCORE_H

#include "cap/cap_ports.h"

enum { CAP_SIZES = 5 }; /* number of possible answers, 0 to 4 */

struct cap_geometry {
    unsigned groups;
    uint64_t group_mask, avail_max, size_max, num, den;
    unsigned over;
};

/* A query with its expected answer. */
struct cap_question {
    bool valid, full, /* true if there is a query, and if memory is oversubscribed */
        known;        /* true if the group's req and agg have been set */
    unsigned group;
    uint64_t avail, req, agg;
    unsigned limit, fit, size;
};

struct cap_score {
    struct cap_geometry g;
    bool known[CAP_MAX_GROUPS], agg_known;
    uint64_t req[CAP_MAX_GROUPS], agg;
    struct cap_question way[CAP_LATENCY]; /* queries in the pipeline, newest first */
};

void cap_geometry_init(struct cap_geometry *g, const struct block_params *p);
/* Returns the least number of pages that gets 2^k blocks, or a number beyond the range of page
 * counts if none does. req must not be 0. */
uint64_t cap_least_avail(const struct cap_geometry *g, uint64_t req, uint64_t agg, unsigned k);

void cap_score_init(struct cap_score *s, const struct cap_geometry *g);
/* Returns the query in the inputs, with its expected answer. */
struct cap_question cap_score_question(const struct cap_score *s, const struct cap_in *in);
/* Checks the outputs of a cycle. Returns a text that names the broken rule, or NULL if there is
 * none. */
const char *cap_score_check(const struct cap_score *s, const struct cap_out *out);
/* Applies the cycle's clock edge. */
void cap_score_tick(struct cap_score *s, const struct cap_in *in);

#endif
