/* SPDX-License-Identifier: Apache-2.0 */
/* Port list of cache_example. Columns: block/block.h. Cycle-by-cycle contract:
 * docs/understand/cache_example.md.
 *
 *   req   a load or a store of a word
 *   rsp   the response to a req
 *   m_    AXI4 master: fetches (AR, R) and write-backs (AW, W, B)
 *   fail  memory responded to a write-back with an error
 *   st_   observed state
 */
#ifndef MEMTWIN_CACHE_EXAMPLE_CACHE_EXAMPLE_PORTS_H
#define MEMTWIN_CACHE_EXAMPLE_CACHE_EXAMPLE_PORTS_H

#include "cache_example/cache_example.h"
#include "lib/bits.h"

#define CACHE_ADDR p->v[CACHE_EXAMPLE_ADDR_W]
#define CACHE_ID p->v[CACHE_EXAMPLE_ID_W]
#define CACHE_WORD p->v[CACHE_EXAMPLE_DATA_W]
#define CACHE_MASK p->v[CACHE_EXAMPLE_DATA_W] / 8
#define CACHE_HEAD bits_to_hold((uint64_t)p->v[CACHE_EXAMPLE_MSHR_SETS] - 1)

#define CACHE_EXAMPLE_PORTS(X)                                                                     \
    X(IN, N, rst, 1, 1, ALWAYS)                                                                    \
    X(IN, N, req_valid, 1, 1, ALWAYS)                                                              \
    X(OUT, N, req_ready, 1, 1, ALWAYS)                                                             \
    X(IN, N, req_addr, 48, CACHE_ADDR, in->req_valid)                                              \
    X(IN, N, req_write, 1, 1, in->req_valid)                                                       \
    X(IN, N, req_id, 16, CACHE_ID, in->req_valid)                                                  \
    X(IN, W, req_data, 256, CACHE_WORD, in->req_valid && in->req_write)                            \
    X(IN, N, req_mask, 32, CACHE_MASK, in->req_valid && in->req_write)                             \
    X(OUT, N, rsp_valid, 1, 1, ALWAYS)                                                             \
    X(IN, N, rsp_ready, 1, 1, out->rsp_valid)                                                      \
    X(OUT, N, rsp_id, 16, CACHE_ID, out->rsp_valid)                                                \
    X(OUT, N, rsp_write, 1, 1, out->rsp_valid)                                                     \
    X(OUT, N, rsp_err, 1, 1, out->rsp_valid)                                                       \
    X(OUT, W, rsp_data, 256, CACHE_WORD, out->rsp_valid && !out->rsp_write && !out->rsp_err)       \
    X(OUT, N, m_arvalid, 1, 1, ALWAYS)                                                             \
    X(IN, N, m_arready, 1, 1, out->m_arvalid)                                                      \
    X(OUT, N, m_arid, 6, CACHE_HEAD, out->m_arvalid)                                               \
    X(OUT, N, m_araddr, 48, CACHE_ADDR, out->m_arvalid)                                            \
    X(OUT, N, m_arlen, 8, 8, ALWAYS)                                                               \
    X(OUT, N, m_arsize, 3, 3, ALWAYS)                                                              \
    X(OUT, N, m_arburst, 2, 2, ALWAYS)                                                             \
    X(IN, N, m_rvalid, 1, 1, ALWAYS)                                                               \
    X(OUT, N, m_rready, 1, 1, ALWAYS)                                                              \
    X(IN, N, m_rid, 6, CACHE_HEAD, in->m_rvalid)                                                   \
    X(IN, W, m_rdata, 256, CACHE_WORD, in->m_rvalid)                                               \
    X(IN, N, m_rresp, 2, 2, in->m_rvalid)                                                          \
    X(IN, N, m_rlast, 1, 1, in->m_rvalid)                                                          \
    X(OUT, N, m_awvalid, 1, 1, ALWAYS)                                                             \
    X(IN, N, m_awready, 1, 1, out->m_awvalid)                                                      \
    X(OUT, N, m_awaddr, 48, CACHE_ADDR, out->m_awvalid)                                            \
    X(OUT, N, m_awlen, 8, 8, ALWAYS)                                                               \
    X(OUT, N, m_awsize, 3, 3, ALWAYS)                                                              \
    X(OUT, N, m_awburst, 2, 2, ALWAYS)                                                             \
    X(OUT, N, m_wvalid, 1, 1, ALWAYS)                                                              \
    X(IN, N, m_wready, 1, 1, out->m_wvalid)                                                        \
    X(OUT, W, m_wdata, 256, CACHE_WORD, out->m_wvalid)                                             \
    X(OUT, N, m_wstrb, 32, CACHE_MASK, ALWAYS)                                                     \
    X(OUT, N, m_wlast, 1, 1, out->m_wvalid)                                                        \
    X(IN, N, m_bvalid, 1, 1, ALWAYS)                                                               \
    X(OUT, N, m_bready, 1, 1, ALWAYS)                                                              \
    X(IN, N, m_bresp, 2, 2, in->m_bvalid)                                                          \
    X(OUT, N, fail, 1, 1, ALWAYS)                                                                  \
    X(OUT, N, fail_addr, 48, CACHE_ADDR, out->fail)                                                \
    X(OUT, N, err, 2, 2, ALWAYS)                                                                   \
    X(OBS, N, st_wait, 4, 4, ALWAYS)

struct cache_example_in {
    BLOCK_IN_MEMBERS(CACHE_EXAMPLE_PORTS)
};
struct cache_example_out {
    BLOCK_OUT_MEMBERS(CACHE_EXAMPLE_PORTS)
};

#define BLOCK_PORTS CACHE_EXAMPLE_PORTS
#define BLOCK_IN_T struct cache_example_in
#define BLOCK_OUT_T struct cache_example_out

#endif
