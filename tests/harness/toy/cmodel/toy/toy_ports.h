/* SPDX-License-Identifier: Apache-2.0 */
/* Port list of toy. block/block.h explains the columns. Contract: docs/understand/toy.md. */
#ifndef MEMTWIN_TOY_PORTS_H
#define MEMTWIN_TOY_PORTS_H

#include "block/block.h"

enum toy_param { TOY_WIDTH, TOY_N };

#define TOY_PORTS(X)                                                                               \
    X(IN, N, rst, 1, 1, ALWAYS)                                                                    \
    X(IN, N, put_valid, 1, 1, ALWAYS)                                                              \
    X(IN, N, put_value, 64, p->v[TOY_WIDTH], ALWAYS)                                               \
    X(OUT, N, get_valid, 1, 1, ALWAYS)                                                             \
    X(OUT, N, get_value, 64, p->v[TOY_WIDTH], out->get_valid)                                      \
    X(OBS, N, st_same, 1, 1, out->get_valid)

struct toy_in {
    BLOCK_IN_MEMBERS(TOY_PORTS)
};
struct toy_out {
    BLOCK_OUT_MEMBERS(TOY_PORTS)
};

#define BLOCK_PORTS TOY_PORTS
#define BLOCK_IN_T struct toy_in
#define BLOCK_OUT_T struct toy_out

#endif
