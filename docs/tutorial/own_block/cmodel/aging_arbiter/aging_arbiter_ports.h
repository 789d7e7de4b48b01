/* SPDX-License-Identifier: Apache-2.0 */
/* Port list of aging_arbiter. block/block.h explains the columns. */
#ifndef AGING_ARBITER_PORTS_H
#define AGING_ARBITER_PORTS_H

#include "block/block.h"

#define MAX_REQUESTERS 32

enum aging_arbiter_param { REQUESTERS, AGE, N_PARAMS };

#define AGING_ARBITER_PORTS(X)                                                                     \
    X(IN, N, rst, 1, 1, ALWAYS)                                                                    \
    X(IN, N, req, MAX_REQUESTERS, p->v[REQUESTERS], ALWAYS)                                        \
    X(IN, N, take, 1, 1, ALWAYS)                                                                   \
    X(OUT, N, valid, 1, 1, ALWAYS)                                                                 \
    X(OUT, N, grant, MAX_REQUESTERS, p->v[REQUESTERS], out->valid)                                 \
    X(OBS, N, st_old, MAX_REQUESTERS, p->v[REQUESTERS], ALWAYS)

struct aging_arbiter_in {
    BLOCK_IN_MEMBERS(AGING_ARBITER_PORTS)
};
struct aging_arbiter_out {
    BLOCK_OUT_MEMBERS(AGING_ARBITER_PORTS)
};

#define BLOCK_PORTS AGING_ARBITER_PORTS
#define BLOCK_IN_T struct aging_arbiter_in
#define BLOCK_OUT_T struct aging_arbiter_out

#endif
