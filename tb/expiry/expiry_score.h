/* SPDX-License-Identifier: Apache-2.0 */
/* Scoreboard of expiry. Applies the rules in docs/understand/expiry.md to an array of entries in
 * the order of their updates. All outputs follow from this array. */
#ifndef MEMTWIN_EXPIRY_EXPIRY_SCORE_H
#define MEMTWIN_EXPIRY_EXPIRY_SCORE_H

#include "expiry/expiry_ports.h"

enum { EXPIRY_MAX_ENTRIES = 1024 };

/* Sizes derived from the parameters. */
struct expiry_geometry {
    unsigned entries, pages, take;
    uint64_t block_mask;
};

enum expiry_kind { KIND_NONE, KIND_RECALL, KIND_EXPIRE, KIND_TAKE, N_KINDS };

struct expiry_item {
    uint32_t block, mask;
    unsigned way;
};

/* An accepted operation. */
struct expiry_op {
    enum expiry_kind kind;
    uint32_t block;
    unsigned page;
};

struct expiry_score {
    struct expiry_geometry g;
    unsigned n; /* number of items, which are in order of age, oldest first */
    struct expiry_item items[EXPIRY_MAX_ENTRIES];
    bool used[EXPIRY_MAX_ENTRIES];

    struct expiry_op now, next; /* the current operation, and an accepted one that follows it */
    unsigned left;              /* number of cycles until the output of `now`, if it has one */
    unsigned outputs;           /* number of outputs of `now` accepted so far */
    bool take_asked;
    unsigned exp_age, rec_age; /* number of cycles for which exp_valid and rec_valid have waited */
};

/* Events of one cycle, before its clock edge. */
struct expiry_look {
    bool ready;             /* operations are accepted */
    struct expiry_op begin; /* operation that starts */
    struct expiry_op next;  /* operation accepted to follow `begin` */
    bool known;          /* the entry of `now` is visible at the st_ ports or by a valid output */
    bool found, use;     /* expected st_found and st_use */
    unsigned way, place; /* if `use`, the entry and its position in the order, oldest first */
    bool made;           /* if `use`, true if the entry is new and not in the order yet */
    bool outputs;        /* `now` has an output, with the expected `valid`, `why` and `last` */
    bool valid, last;
    enum expiry_why why;
};

void expiry_geometry_init(struct expiry_geometry *g, const struct block_params *p);
void expiry_score_init(struct expiry_score *s, const struct expiry_geometry *g);
/* Checks the outputs of a cycle and fills in *look. Returns the broken rule, or NULL if there is
 * none. */
const char *expiry_score_check(const struct expiry_score *s, const struct expiry_in *in,
                               const struct expiry_out *out, struct expiry_look *look);
/* Applies the cycle's clock edge. */
void expiry_score_tick(struct expiry_score *s, const struct expiry_in *in,
                       const struct expiry_look *look);

#endif
