/* SPDX-License-Identifier: Apache-2.0 */
/* Port list of every block between the crossbar's pipeline and an L2 bank. Columns: block/block.h.
 * Cycle-by-cycle contract: docs/understand/incoming.md.
 *
 *   fill   an arriving request, which is accepted or refused in the same cycle
 *   drain  the request that is offered to the bank or to the next block
 *   st_    observed state
 *
 * drain_ready is a late input (block_type.late): no output depends on it. */
#ifndef MEMTWIN_INCOMING_INCOMING_PORTS_H
#define MEMTWIN_INCOMING_INCOMING_PORTS_H

#include "block/block.h"

/* Parameters common to these blocks. They are the first rows of each block's parameter table, in
 * the order of this enum. */
enum incoming_param {
    INCOMING_ADDR_W, /* width in bits of a line number within the DRAM channel */
    INCOMING_ID_W,   /* width in bits of a request ID */
    INCOMING_DEPTH,  /* maximum number of requests in a queue */
    INCOMING_N_COMMON
};

/* Reason for refusing a fill. The RTL uses the same codes (rtl/incoming/incoming_defs.vh). */
enum incoming_refusal {
    INCOMING_REFUSE_NONE = 0,
    INCOMING_REFUSE_FULL = 1,   /* the request's queue is full */
    INCOMING_REFUSE_ROW = 2,    /* no row group is empty or has the request's row */
    INCOMING_REFUSE_COLUMN = 3, /* the row's group has no queue for the request's column */
};

/* Reason why a request is offered. */
enum incoming_why {
    INCOMING_WHY_NEXT = 0,    /* in_fifo: the oldest request; otherwise in the next queue in turn */
    INCOMING_WHY_HELD = 1,    /* offered in the previous cycle and not taken (HOLD=1) */
    INCOMING_WHY_AGED = 2,    /* the branch's oldest request has reached AGE_LIMIT */
    INCOMING_WHY_QUEUE = 3,   /* in the queue last drained in the branch */
    INCOMING_WHY_ROW = 4,     /* in the longest queue of the row last drained in the branch */
    INCOMING_WHY_LONGEST = 5, /* in the longest queue */
};

/* Widths of st_requests and st_queues, large enough for all legal parameters. */
#define INCOMING_COUNT_W 18
#define INCOMING_QUEUES_W 13

#define INCOMING_PORTS(X)                                                                          \
    X(IN, N, rst, 1, 1, ALWAYS)                                                                    \
    X(IN, N, fill_valid, 1, 1, ALWAYS)                                                             \
    X(IN, N, fill_addr, 48, p->v[INCOMING_ADDR_W], in->fill_valid)                                 \
    X(IN, N, fill_id, 32, p->v[INCOMING_ID_W], in->fill_valid)                                     \
    X(OUT, N, fill_ready, 1, 1, in->fill_valid)                                                    \
    X(OUT, N, fill_refuse, 2, 2, in->fill_valid)                                                   \
    X(OUT, N, drain_valid, 1, 1, ALWAYS)                                                           \
    X(OUT, N, drain_addr, 48, p->v[INCOMING_ADDR_W], out->drain_valid)                             \
    X(OUT, N, drain_id, 32, p->v[INCOMING_ID_W], out->drain_valid)                                 \
    X(OUT, N, drain_why, 3, 3, out->drain_valid)                                                   \
    X(IN, N, drain_ready, 1, 1, out->drain_valid)                                                  \
    X(OBS, N, st_requests, 18, INCOMING_COUNT_W, ALWAYS)                                           \
    X(OBS, N, st_queues, 13, INCOMING_QUEUES_W, ALWAYS)

struct incoming_in {
    BLOCK_IN_MEMBERS(INCOMING_PORTS)
};
struct incoming_out {
    BLOCK_OUT_MEMBERS(INCOMING_PORTS)
};

#endif
