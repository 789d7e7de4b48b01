/* SPDX-License-Identifier: Apache-2.0 */
/* Workloads of two kernels that each multiply an N x N matrix, or its transpose, by a vector, with
 * blocks of 256 threads and one thread a sum.
 *
 * Both keep the sum in memory (see docs/use/workloads.md, AIM); with L=1 they load it in each step
 * too.
 *
 * Thread-level accesses of one kernel: matrix, vector: N^2 loads each. sum: N^2 stores, N loads
 * (L=1: N^2); if the kernel zeroes it N^2 + N stores, no loads (L=1: N^2).
 */
#ifndef MEMTWIN_WORKLOADS_MATVEC_H
#define MEMTWIN_WORKLOADS_MATVEC_H

#include "lane.h"

#define MATVEC_ARRAYS 5

/* Size of such a workload, and its size_doc. */
#define MATVEC_SIZE_DOC "N[,L]: N, edge of the matrix; L=1 reloads the sum in each step (default 0)"

struct matvec_variant {
    uint64_t seed;
    /* In order of allocation, [0] the matrix, the others N elements; name NULL: none. Those that
     * are random start with values from [0, 1), filled in this order, the others with zeros. */
    struct {
        const char *name;
        bool random;
    } array[MATVEC_ARRAYS];
    /* In order of launch. */
    struct matvec_product {
        const char *kernel;
        bool columns;         /* lane i sums up matrix[k][i] vector[k]; else matrix[i][k] */
        bool zeroed;          /* the kernel begins with sum = 0; else it loads the sum */
        unsigned vector, sum; /* which arrays */
    } product[2];
};

/* Makes a workload; type and variant must outlive it. NULL with one line in err on an error. */
struct workload *matvec_create(const struct workload_type *type,
                               const struct matvec_variant *variant, const char *size, char *err,
                               size_t err_size);

#endif
