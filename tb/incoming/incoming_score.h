/* SPDX-License-Identifier: Apache-2.0 */
/* Scoreboard of in_fifo, bank_queues and cart: what docs/understand/incoming.md and
 * docs/understand/cart.md say of the ports, told without queue numbers. It keeps runs: requests
 * that share a queue, by bank and line, in order of arrival. To it a FIFO is a branch with a single
 * run.
 *
 * It says of each fill whether and why it is refused, of each offer which requests it may be, and
 * what both counts are. Which of several longest queues is offered, and the order of round robin
 * among queues, only the model knows. */
#ifndef MEMTWIN_INCOMING_INCOMING_SCORE_H
#define MEMTWIN_INCOMING_INCOMING_SCORE_H

#include "block/block.h"
#include "cart/cart.h"

/* What the parameters come to. A FIFO queue is a branch of one row and one column, whatever the
 * address. */
struct geometry {
    unsigned branches, depth, policy, age_limit;
    unsigned queues, rows, cols; /* of a branch; rows it can hold; queues a row can have */
    unsigned group_rows,
        group_cols;        /* row groups, and queues of one, whether that matters or not */
    bool tree, hold, pool; /* tree: cart; pool: any row may take any queue */
    uint64_t addr_mask, id_mask, bank_mask, col_mask, row_mask, drop_mask;
};

/* What becomes of a fill. */
enum fill_rule {
    FILL_JOIN,    /* a queue of that line has room */
    FILL_SECOND,  /* the line's youngest queue is full: one more of the row's group */
    FILL_QUEUE,   /* a first queue for the line, of a row that has some */
    FILL_GROUP,   /* an empty group; of a pool, and of bank_queues, in_fifo: an empty queue */
    FILL_NO_ROW,  /* refused: no group */
    FILL_NO_ROOM, /* refused: no queue in the row's group; bank_queues, in_fifo: full */
    N_FILL_RULES
};

/* Requests in one queue: those of a line, as score_line says. */
struct run {
    uint64_t line, row, serial; /* serial: number of its first request, its name */
    unsigned count;
    int first, last; /* requests */
};

struct branch {
    struct run *runs; /* in order of assignment */
    unsigned n, rows_held;
    uint64_t last_row, last_run; /* of the last drain; last_run 0: none that is still there */
    bool drained;                /* last_row means something */
    bool row_left;               /* no request of last_row was held at some time since */
    unsigned passed;             /* drains past the oldest request, up to the limit */
};

struct held_request {
    uint64_t addr, id, serial;
    int next;
};

struct score {
    struct geometry g;
    struct branch *branches;
    struct run *runs;
    struct held_request *requests;
    int free_request;
    uint64_t next_serial;
    unsigned held, queues;
    unsigned turn; /* branch that was offered last */
    bool waiting;  /* the last offer was not taken */
    struct incoming_out last;
};

/* One cycle, before its edge. Pointers are into the scoreboard, NULL: none. */
struct look {
    bool fill, offer, taken; /* fill: valid, accepted or not */
    enum fill_rule rule;
    struct branch *to, *from;
    struct run *youngest; /* of the fill's line */
    struct run *run;      /* offered */
};

void geometry_init(struct geometry *g, const struct block_type *type, const struct block_params *p);
/* Returns 0, or -1 if out of memory; score_free is due in both cases. */
int score_init(struct score *s, const struct geometry *g);
void score_free(struct score *s);
/* As after reset. */
void score_forget(struct score *s);

/* Checks the outputs of a cycle and fills *look. Returns NULL, or the rule that is broken. */
const char *score_check(struct score *s, const struct incoming_in *in,
                        const struct incoming_out *out, struct look *look);
/* The clock edge of that cycle; rst: score_forget. */
void score_tick(struct score *s, const struct incoming_in *in, const struct incoming_out *out,
                const struct look *look);

/* What requests share a queue by: the line without the dropped bits of the column; of a FIFO all
 * lines are one. */
uint64_t score_line(const struct geometry *g, uint64_t addr);
struct branch *score_branch(const struct score *s, uint64_t addr);
/* No earlier run of the same line is there. */
bool score_eligible(const struct branch *b, const struct run *run);
/* Eligible runs of the branch that are at least `count` long, of all rows or of `row` alone. */
unsigned score_longer(const struct branch *b, unsigned count, const uint64_t *row);
unsigned score_in_row(const struct branch *b, uint64_t row);

#endif
