/* SPDX-License-Identifier: Apache-2.0 */
/* Scoreboard of expiry: what docs/understand/expiry.md says of the ports, told by an array of the
 * entries in the order in which they were updated. All outputs follow from it. */
#ifndef MEMTWIN_EXPIRY_EXPIRY_SCORE_H
#define MEMTWIN_EXPIRY_EXPIRY_SCORE_H

#include "expiry/expiry_ports.h"

enum { EXPIRY_MAX_ENTRIES = 1024 };

/* What the parameters come to. */
struct expiry_geometry {
    unsigned entries, pages, take;
    uint64_t block_mask;
};

enum expiry_kind { KIND_NONE, KIND_RECALL, KIND_EXPIRE, KIND_TAKE, N_KINDS };

struct expiry_item {
    uint32_t block, mask;
    unsigned way;
};

/* An operation that was taken. */
struct expiry_op {
    enum expiry_kind kind;
    uint32_t block;
    unsigned page;
};

struct expiry_score {
    struct expiry_geometry g;
    unsigned n; /* items, the oldest first */
    struct expiry_item items[EXPIRY_MAX_ENTRIES];
    bool used[EXPIRY_MAX_ENTRIES];

    struct expiry_op now, next; /* under way, and taken to follow */
    unsigned left;              /* cycles until the output of `now`, if it has one */
    unsigned gone;              /* outputs of `now` that were taken */
    bool take_asked;
    unsigned exp_age, rec_age; /* cycles in which exp_valid and rec_valid have waited */
};

/* One cycle, before its edge. */
struct expiry_look {
    bool ready;             /* operations are taken */
    struct expiry_op begin; /* the operation that begins */
    struct expiry_op next;  /* begin: what was taken to follow it */
    bool at;                /* the entry of `now` is known: it is in st_; or something stands */
    bool found, use;        /* as st_found and st_use */
    unsigned way, place;    /* use: its entry; its place in the order, the oldest first */
    bool made;              /* use: the entry is a new one, without a place yet */
    bool outputs;           /* `now` has an output, of which out_valid, why and last are: */
    bool valid, last;
    enum expiry_why why;
};

void expiry_geometry_init(struct expiry_geometry *g, const struct block_params *p);
void expiry_score_init(struct expiry_score *s, const struct expiry_geometry *g);
/* Checks the outputs of a cycle and fills *look. Returns NULL, or the rule that is broken. */
const char *expiry_score_check(const struct expiry_score *s, const struct expiry_in *in,
                               const struct expiry_out *out, struct expiry_look *look);
/* The clock edge of that cycle. */
void expiry_score_tick(struct expiry_score *s, const struct expiry_in *in,
                       const struct expiry_look *look);
/* The place in the order of this block's entry, the oldest first; -1 if there is none. */
int expiry_score_place(const struct expiry_score *s, uint32_t block);

#endif
