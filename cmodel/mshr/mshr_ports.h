/* SPDX-License-Identifier: Apache-2.0 */
/* The ports of every MSHR block (dl_mshr, static_mshr): the one list. Columns: block/block.h.
 *
 * Five channels and an error output. docs/understand/dl_mshr.md has the cycle-by-cycle contract.
 *   look with LOOKUP=2: the block address of the requests from the next cycle on. look and
 *        look_addr are late inputs (block_type.late): no output depends on them
 *   req  a miss asks to be tracked; answered in the same cycle
 *   ret  the line of a super-entry has come back (RET); it is named by its head's id
 *   rsp  the tracked requests of that line leave, one a cycle, in the order in which they came
 *   st_  observed state
 */
#ifndef MEMTWIN_MSHR_MSHR_PORTS_H
#define MEMTWIN_MSHR_MSHR_PORTS_H

#include "block/block.h"

/* Parameters that all MSHR blocks have, in this order, first in their tables. */
enum mshr_param {
    MSHR_SETS,      /* slot sets (dl_mshr) or entries (static_mshr) */
    MSHR_SLOTS,     /* slots per set or entry */
    MSHR_ADDR_W,    /* bits of a block address */
    MSHR_OFF_W,     /* bits of the offset in a block */
    MSHR_ID_W,      /* bits of a requester id */
    MSHR_DATA_W,    /* bits of write data per slot, 0 for none */
    MSHR_PAYLOAD_W, /* bits of payload per slot, 0 for none */
    MSHR_ADDR_OUT,  /* 1: rsp_addr is there */
    MSHR_N_COMMON
};

/* Why a request was not taken. Same codes in the RTL (rtl/mshr/mshr_defs.vh). */
enum mshr_refusal {
    MSHR_REFUSE_NONE = 0,
    MSHR_REFUSE_ENTRY_FULL = 1, /* a new block, and nothing free to hold it */
    MSHR_REFUSE_MERGE_FULL = 2, /* a known block, its entry full, and nothing free to extend it */
    MSHR_REFUSE_WALK = 3,       /* not a failure: the tail is still being looked for (TAIL=0) */
};

/* State of a slot set, as in Gu and Chen 2019, Figure 8. */
enum mshr_state {
    MSHR_S0 = 0,   /* free */
    MSHR_S1 = 1,   /* head, partly filled */
    MSHR_S2 = 2,   /* head, full */
    MSHR_S3 = 3,   /* head, full, linked */
    MSHR_S4 = 4,   /* head, full, a request was refused here */
    MSHR_S5 = 5,   /* head, releasing */
    MSHR_S6 = 6,   /* attached, partly filled */
    MSHR_S7 = 7,   /* attached, full */
    MSHR_S8 = 8,   /* attached, full, linked */
    MSHR_S9 = 9,   /* attached, full, a request was refused here */
    MSHR_S10 = 10, /* attached, releasing */
    MSHR_ERR = 15, /* the set that an error names */
};
#define MSHR_STATE_W 4

enum mshr_error {
    MSHR_OK = 0,
    MSHR_ERR_RETURN = 1, /* RET for a set that is no outstanding head */
    MSHR_ERR_ATTACH = 2, /* a set that was not free was allocated */
    MSHR_ERR_COUNT = 3,  /* a free-set counter under- or overflowed */
};

/* Of the Verilog. */
#define MSHR_MAX_SETS 256
#define MSHR_MAX_SLOTS 64
#define MSHR_MAX_DATA_W 1024
#define MSHR_MAX_PAYLOAD_W 512

/* Bits that hold the values 0..n-1; at least one. */
static inline unsigned mshr_clog2(int64_t n) {
    unsigned w = 1;
    while (((int64_t)1 << w) < n)
        w++;
    return w;
}

#define MSHR_SET_W mshr_clog2(p->v[MSHR_SETS])
#define MSHR_CNT_W mshr_clog2(p->v[MSHR_SETS] + 1)
#define MSHR_DATA_PW (p->v[MSHR_DATA_W] ? p->v[MSHR_DATA_W] : 1)
#define MSHR_MASK_PW (p->v[MSHR_DATA_W] >= 8 ? p->v[MSHR_DATA_W] / 8 : 1)

#define MSHR_PAYLOAD_PW (p->v[MSHR_PAYLOAD_W] ? p->v[MSHR_PAYLOAD_W] : 1)
#define MSHR_NUM_W mshr_clog2(p->v[MSHR_SETS] * p->v[MSHR_SLOTS])

#define MSHR_PORTS(X)                                                                              \
    X(IN, N, rst, 1, 1, ALWAYS)                                                                    \
    X(IN, N, look, 1, 1, ALWAYS)                                                                   \
    X(IN, N, look_addr, 64, p->v[MSHR_ADDR_W], in->look)                                           \
    X(IN, N, req_valid, 1, 1, ALWAYS)                                                              \
    X(IN, N, req_addr, 64, p->v[MSHR_ADDR_W], in->req_valid)                                       \
    X(IN, N, req_off, 16, p->v[MSHR_OFF_W], in->req_valid)                                         \
    X(IN, N, req_id, 32, p->v[MSHR_ID_W], in->req_valid)                                           \
    X(IN, N, req_write, 1, 1, in->req_valid)                                                       \
    X(IN, W, req_data, 1024, MSHR_DATA_PW, in->req_valid && in->req_write)                         \
    X(IN, W, req_mask, 128, MSHR_MASK_PW, in->req_valid && in->req_write)                          \
    X(IN, W, req_payload, 512, MSHR_PAYLOAD_PW, in->req_valid)                                     \
    X(OUT, N, req_ready, 1, 1, in->req_valid)                                                      \
    X(OUT, N, req_refuse, 2, 2, in->req_valid)                                                     \
    X(OUT, N, req_primary, 1, 1, in->req_valid && out->req_ready)                                  \
    X(OUT, N, req_head, 8, MSHR_SET_W, in->req_valid && out->req_ready && out->req_primary)        \
    X(OUT, N, req_slot, 14, MSHR_NUM_W, in->req_valid && out->req_ready)                           \
    X(IN, N, ret_valid, 1, 1, ALWAYS)                                                              \
    X(IN, N, ret_head, 8, MSHR_SET_W, in->ret_valid)                                               \
    X(OUT, N, ret_ready, 1, 1, ALWAYS)                                                             \
    X(OUT, N, rsp_valid, 1, 1, ALWAYS)                                                             \
    X(IN, N, rsp_ready, 1, 1, out->rsp_valid)                                                      \
    X(OUT, N, rsp_last, 1, 1, out->rsp_valid)                                                      \
    X(OUT, N, rsp_off, 16, p->v[MSHR_OFF_W], out->rsp_valid)                                       \
    X(OUT, N, rsp_id, 32, p->v[MSHR_ID_W], out->rsp_valid)                                         \
    X(OUT, N, rsp_write, 1, 1, out->rsp_valid)                                                     \
    X(OUT, W, rsp_data, 1024, MSHR_DATA_PW, out->rsp_valid && out->rsp_write)                      \
    X(OUT, W, rsp_mask, 128, MSHR_MASK_PW, out->rsp_valid && out->rsp_write)                       \
    X(OUT, W, rsp_payload, 512, MSHR_PAYLOAD_PW, out->rsp_valid)                                   \
    X(OUT, N, rsp_slot, 14, MSHR_NUM_W, out->rsp_valid)                                            \
    X(OUT, N, rsp_addr, 64, p->v[MSHR_ADDR_W], out->rsp_valid)                                     \
    X(OUT, N, err, 2, 2, ALWAYS)                                                                   \
    X(OBS, N, st_free_heads, 9, MSHR_CNT_W, ALWAYS)                                                \
    X(OBS, N, st_free_shared, 9, MSHR_CNT_W, ALWAYS)                                               \
    X(OBS, W, st_state, 1024, MSHR_STATE_W * p->v[MSHR_SETS], ALWAYS)

struct mshr_in {
    BLOCK_IN_MEMBERS(MSHR_PORTS)
};
struct mshr_out {
    BLOCK_OUT_MEMBERS(MSHR_PORTS)
};

#endif
