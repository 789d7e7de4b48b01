/* SPDX-License-Identifier: Apache-2.0 */
/* Workloads of one kernel C = alpha S + beta C over N x N floats, one thread an element of C, no
 * tiling. S is a product of two matrices, or of one and its transpose, or the sum of A B^T and B
 * A^T; its factors are N x K (B of A B: K x N).
 *
 * The sum is kept in memory: every step of the inner loop stores C (see docs/use/workloads.md,
 * AIM); with L=1 it is also loaded in every step.
 *
 * Thread-level accesses: N^2 K loads of each factor of each product. c: N^2 loads (L=1: N^2 + N^2
 * K), N^2 + N^2 K stores.
 */
#ifndef MEMTWIN_WORKLOADS_MATMUL_H
#define MEMTWIN_WORKLOADS_MATMUL_H

#include "lane.h"

/* size_doc */
#define MATMUL_SIZE_DOC                                                                            \
    "N[,L[,K]]: N, edge of the result; L=1 reloads the sum in each step (default 0); K, length "   \
    "of the "                                                                                      \
    "sums (0: N)"

/* S, and the arrays. */
enum matmul_sum {
    MATMUL_AB,      /* A B; a, b, c */
    MATMUL_AAT,     /* A A^T; a, c */
    MATMUL_ABT_BAT, /* A B^T + B A^T; a, b, c */
};

struct matmul_variant {
    const char *kernel;
    uint64_t seed;
    enum matmul_sum sum;
};

/* Makes a workload; type and variant must outlive it. NULL with one line in err on an error. */
struct workload *matmul_create(const struct workload_type *type,
                               const struct matmul_variant *variant, const char *size, char *err,
                               size_t err_size);

#endif
