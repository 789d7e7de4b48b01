/* SPDX-License-Identifier: Apache-2.0 */
/* mil: the memory-instruction limiter of kernels that share an SM (Dai, PhD dissertation, NC State
 * 2017, section 4.3). Ports and cycles: docs/understand/mil.md. RTL: rtl/mil/. */
#ifndef MEMTWIN_MIL_MIL_H
#define MEMTWIN_MIL_MIL_H

#include "block/block.h"

enum mil_param {
    MIL_KERNELS,    /* on the SM */
    MIL_SCHEDULERS, /* of the SM */
    MIL_INTERVAL_W, /* log2 of the requests from a decision to the next */
    MIL_RF_W,       /* bits of a failure counter */
    MIL_INFLIGHT_W, /* bits of a counter of instructions in flight, and of a limit */
    MIL_MINST_W,    /* bits of a counter of instructions */
    MIL_RATIO_MAX,  /* most requests per instruction */
    MIL_QUOTA_W,    /* bits of a quota */
    MIL_LIMIT,      /* enum mil_limit */
    MIL_ORDER,      /* enum mil_order */
    MIL_ZERO,       /* enum mil_zero */
    MIL_N_PARAMS
};

enum mil_limit { MIL_LIMIT_NONE, MIL_LIMIT_STATIC, MIL_LIMIT_DYNAMIC };
enum mil_order { MIL_ORDER_NONE, MIL_ORDER_TURNS, MIL_ORDER_QUOTAS };

/* A new limit where failures >> INTERVAL_W is 0: none, the old one, one more. */
enum mil_zero { MIL_ZERO_OPEN, MIL_ZERO_KEEP, MIL_ZERO_STEP };

/* Port `err`: the first fault since reset. */
enum mil_err {
    MIL_OK,
    MIL_ERR_DONE,   /* more are done than are in flight */
    MIL_ERR_KERNEL, /* a kernel that there is not */
    MIL_ERR_ISSUED, /* more issued than `go` and `room` allow */
};

#define MIL_MAX_KERNELS 4

extern const struct block_type mil_type;

/* Returns 0 if the next tick computes or outputs something new. UINT64_MAX: while `live` does not
 * change, a tick whose only input is a failure does no more than count that failure. */
uint64_t mil_next_event(const void *model);
/* Skips ticks of a model without a next event, each with one failure of `kernel` and no other
 * input. */
void mil_pass(void *model, unsigned kernel, uint64_t cycles);

#endif
