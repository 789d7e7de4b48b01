/* SPDX-License-Identifier: Apache-2.0 */
/* The ports of every block that may stand between the crossbar's pipeline and an L2 bank: the one
 * list. Columns: block/block.h. docs/understand/incoming.md has the cycle-by-cycle contract.
 *
 *   fill   a request wants to enter; answered in the same cycle
 *   drain  the request that is offered to the bank or the next block
 *   st_    observed state
 *
 * drain_ready is a late input (block_type.late): no output depends on it.
 */
#ifndef MEMTWIN_INCOMING_INCOMING_PORTS_H
#define MEMTWIN_INCOMING_INCOMING_PORTS_H

#include "block/block.h"

/* Parameters that all of them have, in this order, first in their tables. */
enum incoming_param {
    INCOMING_ADDR_W, /* bits of a line number within the DRAM channel */
    INCOMING_ID_W,   /* request ID width */
    INCOMING_DEPTH,  /* requests in a queue */
    INCOMING_N_COMMON
};

/* Why a fill was not taken. Same codes in the RTL (rtl/incoming/incoming_defs.vh). */
enum incoming_refusal {
    INCOMING_REFUSE_NONE = 0,
    INCOMING_REFUSE_FULL = 1,   /* its queue is full */
    INCOMING_REFUSE_ROW = 2,    /* no row group holds the row or is empty */
    INCOMING_REFUSE_COLUMN = 3, /* the row's group has no queue for it */
};

/* Why just this request is offered. */
enum incoming_why {
    INCOMING_WHY_NEXT = 0,    /* in_fifo: the oldest; else round robin */
    INCOMING_WHY_HELD = 1,    /* it was offered in the last cycle and not taken (HOLD=1) */
    INCOMING_WHY_AGED = 2,    /* AGE_LIMIT */
    INCOMING_WHY_QUEUE = 3,   /* the branch's queue of last time */
    INCOMING_WHY_ROW = 4,     /* the longest queue of the branch's row of last time */
    INCOMING_WHY_LONGEST = 5, /* the longest queue */
};

/* Widths of the counts below: any legal parameter point's fit. */
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
