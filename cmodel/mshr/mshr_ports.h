/* SPDX-License-Identifier: Apache-2.0 */
/* Port lists of the MSHR blocks (dl_mshr, dl_mshr_paper, static_mshr). Columns: block/block.h.
 *
 * There are four channels and an error output. Cycle-by-cycle contract: docs/understand/dl_mshr.md.
 *   look  with a two-cycle lookup: granule address of the requests from the next cycle on. look and
 *         look_addr are late inputs (block_type.late): no output depends on them
 *   req   a miss, which is accepted or refused in the same cycle
 *   ret   the fill of a super-entry (RET), identified by its head's ID
 *   rsp   the tracked requests of that super-entry, one per cycle, in order of arrival
 *   st_   observed state */
#ifndef MEMTWIN_MSHR_MSHR_PORTS_H
#define MEMTWIN_MSHR_MSHR_PORTS_H

#include "block/block.h"

/* Parameters common to all MSHR blocks. They are the first rows of each block's parameter table,
 * in the order of this enum. */
enum mshr_param {
    MSHR_SETS,      /* number of slot sets (dl_mshr) or entries (static_mshr) */
    MSHR_SLOTS,     /* number of slots per set or entry */
    MSHR_ADDR_W,    /* width of a granule address in bits */
    MSHR_PAYLOAD_W, /* width in bits of a slot's payload, 0 for none */
    MSHR_N_COMMON
};

/* Reason for refusing a request. The RTL uses the same codes (rtl/mshr/mshr_defs.vh). */
enum mshr_refusal {
    MSHR_REFUSE_NONE = 0,
    MSHR_REFUSE_ENTRY_FULL = 1, /* the granule is new, but no set is free */
    MSHR_REFUSE_MERGE_FULL = 2, /* the granule's entry is full and cannot be extended */
    MSHR_REFUSE_WALK = 3,       /* a wait, not a refusal: the tail walk has not finished (TAIL=0) */
    MSHR_REFUSE_STALE =
        3, /* the drain of its entry has ended since the lookup (two-cycle lookup) */
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
    MSHR_ERR = 15, /* the set reported by an error */
};
#define MSHR_STATE_W 4

enum mshr_error {
    MSHR_OK = 0,
    MSHR_ERR_RETURN = 1, /* RET for a set that is not an outstanding head */
};

/* Maximum parameter values in the Verilog. */
#define MSHR_MAX_SETS 256
#define MSHR_MAX_SLOTS 64
#define MSHR_MAX_PAYLOAD_W 2048

/* Returns the number of bits needed to hold the values 0..n-1. The result is at least 1. */
static inline unsigned mshr_clog2(int64_t n) {
    unsigned w = 1;
    while (((int64_t)1 << w) < n)
        w++;
    return w;
}

#define MSHR_SET_W mshr_clog2(p->v[MSHR_SETS])
#define MSHR_CNT_W mshr_clog2(p->v[MSHR_SETS] + 1)
#define MSHR_PAYLOAD_PW (p->v[MSHR_PAYLOAD_W] ? p->v[MSHR_PAYLOAD_W] : 1)
#define MSHR_NUM_W mshr_clog2(p->v[MSHR_SETS] * p->v[MSHR_SLOTS])

/* Ports of a block with a two-cycle lookup: the address precedes the request. */
#define MSHR_LOOK_PORTS(X)                                                                         \
    X(IN, N, look, 1, 1, ALWAYS)                                                                   \
    X(IN, N, look_addr, 64, p->v[MSHR_ADDR_W], in->look)
/* Port of a block with a one-cycle lookup: the address comes with the request. */
#define MSHR_ADDR_PORT(X) X(IN, N, req_addr, 64, p->v[MSHR_ADDR_W], in->req_valid)
#define MSHR_NO_PORT(X)
/* Ports of a block that can promise not to refuse: room is the number of requests, from this cycle
 * on, that it cannot refuse; empty says that it tracks none. */
#define MSHR_ROOM_PORTS(X)                                                                         \
    X(OUT, N, room, 9, MSHR_CNT_W, ALWAYS)                                                         \
    X(OUT, N, empty, 1, 1, ALWAYS)

/* Port of a block that has parameter ADDR_OUT: granule address of ret_head, 0 if that is no head
 * in flight or ADDR_OUT is 0. */
#define MSHR_RET_PORT(X) X(OUT, N, ret_addr, 64, p->v[MSHR_ADDR_W], in->ret_valid)

/* Answer to the request. req_primary says that no entry has its address, also if it is refused. */
#define MSHR_ANSWER_PORTS(X)                                                                       \
    X(OUT, N, req_ready, 1, 1, in->req_valid)                                                      \
    X(OUT, N, req_refuse, 2, 2, in->req_valid)                                                     \
    X(OUT, N, req_primary, 1, 1, in->req_valid && !out->err)                                       \
    X(OUT, N, req_head, 8, MSHR_SET_W, in->req_valid && out->req_ready && out->req_primary)        \
    X(OUT, N, req_slot, 14, MSHR_NUM_W, in->req_valid && out->req_ready)
/* The same of a block that answers for the address of the last lookup, also without a request. */
#define MSHR_PROBE_PORTS(X)                                                                        \
    X(OUT, N, req_ready, 1, 1, ALWAYS)                                                             \
    X(OUT, N, req_refuse, 2, 2, ALWAYS)                                                            \
    X(OUT, N, req_primary, 1, 1, !out->err)                                                        \
    X(OUT, N, req_head, 8, MSHR_SET_W, out->req_ready && out->req_primary)                         \
    X(OUT, N, req_slot, 14, MSHR_NUM_W, out->req_ready)

/* All ports, with the lists of the ports that not all blocks have. */
#define MSHR_PORTS_WITH(X, LOOK, ADDR, ANSWER, ROOM, RET)                                          \
    X(IN, N, rst, 1, 1, ALWAYS)                                                                    \
    LOOK(X)                                                                                        \
    X(IN, N, req_valid, 1, 1, ALWAYS)                                                              \
    ADDR(X)                                                                                        \
    X(IN, W, req_payload, 2048, MSHR_PAYLOAD_PW, in->req_valid)                                    \
    ANSWER(X)                                                                                      \
    ROOM(X)                                                                                        \
    X(IN, N, ret_valid, 1, 1, ALWAYS)                                                              \
    X(IN, N, ret_head, 8, MSHR_SET_W, in->ret_valid)                                               \
    X(OUT, N, ret_ready, 1, 1, ALWAYS)                                                             \
    RET(X)                                                                                         \
    X(OUT, N, rsp_valid, 1, 1, ALWAYS)                                                             \
    X(IN, N, rsp_ready, 1, 1, out->rsp_valid)                                                      \
    X(OUT, N, rsp_last, 1, 1, out->rsp_valid)                                                      \
    X(OUT, W, rsp_payload, 2048, MSHR_PAYLOAD_PW, out->rsp_valid)                                  \
    X(OUT, N, rsp_slot, 14, MSHR_NUM_W, out->rsp_valid)                                            \
    X(OUT, N, err, 1, 1, ALWAYS)                                                                   \
    X(OBS, N, st_free_heads, 9, MSHR_CNT_W, ALWAYS)                                                \
    X(OBS, N, st_free_shared, 9, MSHR_CNT_W, ALWAYS)                                               \
    X(OBS, W, st_state, 1024, MSHR_STATE_W * p->v[MSHR_SETS], ALWAYS)

/* Members of the structs: all ports. */
#define MSHR_MEMBERS(X)                                                                            \
    MSHR_PORTS_WITH(X, MSHR_LOOK_PORTS, MSHR_ADDR_PORT, MSHR_ANSWER_PORTS, MSHR_ROOM_PORTS,        \
                    MSHR_RET_PORT)
/* Ports of static_mshr, dl_mshr and dl_mshr_paper. */
#define STATIC_MSHR_PORTS(X)                                                                       \
    MSHR_PORTS_WITH(X, MSHR_LOOK_PORTS, MSHR_ADDR_PORT, MSHR_ANSWER_PORTS, MSHR_NO_PORT,           \
                    MSHR_RET_PORT)
#define DL_MSHR_PORTS(X)                                                                           \
    MSHR_PORTS_WITH(X, MSHR_LOOK_PORTS, MSHR_NO_PORT, MSHR_PROBE_PORTS, MSHR_ROOM_PORTS,           \
                    MSHR_RET_PORT)
#define DL_MSHR_PAPER_PORTS(X)                                                                     \
    MSHR_PORTS_WITH(X, MSHR_NO_PORT, MSHR_ADDR_PORT, MSHR_ANSWER_PORTS, MSHR_NO_PORT, MSHR_NO_PORT)

struct mshr_in {
    BLOCK_IN_MEMBERS(MSHR_MEMBERS)
};
struct mshr_out {
    BLOCK_OUT_MEMBERS(MSHR_MEMBERS)
};

#endif
