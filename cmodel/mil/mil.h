/* SPDX-License-Identifier: Apache-2.0 */
/* mil: the memory-instruction limiter of kernels that share an SM (Dai, PhD dissertation, NC State
 * 2017, section 4.3). Ports and cycles: docs/understand/mil.md. RTL: rtl/mil/. */
#ifndef MEMTWIN_MIL_MIL_H
#define MEMTWIN_MIL_MIL_H

#include "block/block.h"
#include "config/values.def"

enum mil_param {
    MIL_KERNELS,    /* number of kernels on the SM */
    MIL_SCHEDULERS, /* number of warp schedulers of the SM */
    MIL_INTERVAL_W, /* log2 of the number of requests per decision interval */
    MIL_RF_W,       /* width of a failure counter in bits */
    MIL_INFLIGHT_W, /* width in bits of a counter of instructions in flight, and of a limit */
    MIL_MINST_W,    /* width of an instruction counter in bits */
    MIL_RATIO_MAX,  /* maximum number of requests per instruction */
    MIL_QUOTA_W,    /* width of a quota in bits */
    MIL_LIMIT,      /* enum mil_limit */
    MIL_ORDER,      /* enum mil_order */
    MIL_ZERO,       /* enum mil_zero */
    MIL_N_PARAMS
};

enum mil_limit { MIL_LIMIT_NONE, MIL_LIMIT_STATIC, MIL_LIMIT_DYNAMIC };
enum mil_order { MIL_ORDER_VALUES(VALUE_ENUMERATOR) };

/* New limit if failures >> INTERVAL_W is 0: no limit, the old limit, or the old limit plus one. */
enum mil_zero { MIL_FALLBACK_VALUES(VALUE_ENUMERATOR) };

/* Values of port `err`, which reports the first fault since reset. */
enum mil_err {
    MIL_OK,
    MIL_ERR_DONE,   /* more instructions completed than were in flight */
    MIL_ERR_KERNEL, /* an input names a kernel that does not exist */
    MIL_ERR_ISSUED, /* more instructions issued than `go` and `room` allow */
};

#define MIL_MAX_KERNELS 4

extern const struct block_type mil_type;

/* Returns 0 if the next tick computes or outputs something new. Returns UINT64_MAX if a tick whose
 * only input is a failure just counts that failure, as long as `live` does not change. */
uint64_t mil_next_event(const void *model);
/* Skips ticks of a model without a next event, each with one failure of `kernel` and no other
 * input. */
void mil_pass(void *model, unsigned kernel, uint64_t cycles);

#endif
