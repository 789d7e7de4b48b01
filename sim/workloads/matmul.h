/* Workloads of one kernel C = alpha P Q + beta C over N x N floats, one thread an element of C, no
 * tiling. Q is a matrix of its own or the transpose of P.
 *
 * The sum is kept in memory: every step of the inner loop stores C (see docs/workloads.md, AIM);
 * with L=1 it is also loaded in every step.
 *
 * Thread-level accesses: N^3 loads of either factor. c: N^2 loads (L=1: N^2 + N^3), N^2 + N^3
 * stores.
 */
#ifndef MEMTWIN_WORKLOADS_MATMUL_H
#define MEMTWIN_WORKLOADS_MATMUL_H

#include "lane.h"

/* What size_doc says of the size. */
#define MATMUL_SIZE_DOC                                                                            \
    "N[,L]: N, edge of the matrices; L=1 reloads the sum in each step (default 0)"

struct matmul_plan {
    const char *kernel;
    uint64_t seed;
    bool transposed; /* Q is the transpose of P (arrays a, c); else arrays a, b, c */
};

/* The workload of that type, plan (both outlive it) and size. NULL on error, one line in err. */
struct workload *matmul_create(const struct workload_type *type, const struct matmul_plan *plan,
                               const char *size, char *err, size_t err_size);

#endif
