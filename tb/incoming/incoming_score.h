/* SPDX-License-Identifier: Apache-2.0 */
/* Scoreboard of in_fifo, bank_queues and cart. Applies the rules in docs/understand/incoming.md
 * and docs/understand/cart.md without queue numbers. It keeps runs in order of arrival. A run
 * consists of requests for the same bank and line that share a queue. A FIFO is a branch with a
 * single run.
 *
 * The scoreboard decides if and why each fill is refused, which requests each output may have, and
 * the expected counts. It does not determine which of several longest queues is output, or the
 * order of a round robin among queues. */
#ifndef MEMTWIN_INCOMING_INCOMING_SCORE_H
#define MEMTWIN_INCOMING_INCOMING_SCORE_H

#include "block/block.h"
#include "cart/cart.h"

/* Sizes derived from the parameters. A FIFO is a branch with one row and one column for all
 * addresses. */
struct geometry {
    unsigned branches, depth, policy, age_limit;
    unsigned queues,     /* number of queues per branch */
        rows,            /* number of rows per branch */
        cols;            /* number of queues per row */
    unsigned group_rows, /* number of row groups, even if some are unused */
        group_cols;      /* number of queues per group, even if some are unused */
    bool tree,           /* true for cart */
        hold,            /* true if a refused output is held */
        pool;            /* true if any row can use any queue */
    uint64_t addr_mask, id_mask, bank_mask, col_mask, row_mask, drop_mask;
};

/* Results of a fill. */
enum fill_rule {
    FILL_JOIN,    /* joins a queue of its line */
    FILL_SECOND,  /* gets one more queue in the row's group; the line's youngest is full */
    FILL_QUEUE,   /* gets the line's first queue; the row has other queues */
    FILL_GROUP,   /* gets an empty group or, in a pool, bank_queues and in_fifo, an empty queue */
    FILL_NO_ROW,  /* refused, since no group is empty */
    FILL_NO_ROOM, /* refused: the row's group has no queue, or bank_queues or in_fifo is full */
    N_FILL_RULES
};

/* The requests in one queue, which have the same score_line. */
struct incoming_run {
    /* `serial` is the number of the first request, which identifies the run */
    uint64_t line, row, serial;
    unsigned count;
    int first, last; /* oldest request and youngest request */
};

struct incoming_branch {
    struct incoming_run *runs; /* runs in order of assignment */
    unsigned n, rows_held;
    uint64_t last_row, /* row of the last drain */
        last_run;      /* run of the last drain, or 0 if the run is now empty */
    bool drained;      /* true if last_row is valid */
    bool row_left;     /* true if the last drain took the last stored request of last_row */
    unsigned passed; /* number of drains that have overtaken the oldest request, up to the limit */
};

struct held_request {
    uint64_t addr, id, serial;
    int next;
};

struct score {
    struct geometry g;
    struct incoming_branch *branches;
    struct incoming_run *runs;
    struct held_request *requests;
    int free_request;
    uint64_t next_serial;
    unsigned held, queues;
    unsigned turn; /* branch of the last output */
    bool waiting;  /* true if the last output was not accepted */
    struct incoming_out last;
};

/* Events of one cycle, before its clock edge. Pointers point into the scoreboard or are NULL. */
struct look {
    bool fill,       /* true if there is a fill, even if it is refused */
        offer,       /* true if there is an output */
        offer_taken; /* true if the output is accepted */
    enum fill_rule rule;
    struct incoming_branch *to, *from;
    struct incoming_run *youngest; /* the youngest run for the fill's line */
    struct incoming_run *run;      /* the run that is offered */
};

void geometry_init(struct geometry *g, const struct block_type *type, const struct block_params *p);
/* Initializes the scoreboard. score_free() frees it. */
void score_init(struct score *s, const struct geometry *g);
void score_free(struct score *s);

/* Checks the outputs of a cycle and fills in *look. Returns the broken rule, or NULL if there is
 * none. */
const char *score_check(struct score *s, const struct incoming_in *in,
                        const struct incoming_out *out, struct look *look);
/* Applies the cycle's clock edge, and calls score_forget if rst is set. */
void score_tick(struct score *s, const struct incoming_in *in, const struct incoming_out *out,
                const struct look *look);

/* Returns the key that requests in a queue have in common. It is the line without the dropped
 * column bits, or a constant for a FIFO. */
uint64_t score_line(const struct geometry *g, uint64_t addr);
struct incoming_branch *score_branch(const struct score *s, uint64_t addr);
/* Returns the number of eligible runs in the branch that have at least `count` requests. If `row`
 * is not NULL, counts only runs of row *row. */
unsigned score_longer(const struct incoming_branch *b, unsigned count, const uint64_t *row);
unsigned score_in_row(const struct incoming_branch *b, uint64_t row);

#endif
