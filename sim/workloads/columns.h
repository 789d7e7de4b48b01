/* SPDX-License-Identifier: Apache-2.0 */
/* Workloads over the pairs of the N columns of an N x N table: the means, the deviations (if
 * scaled), the centred (and scaled) table, then one thread for each column that combines it with
 * every later column, and with itself if not scaled.
 *
 * Indices run from 1, as in the original: row and column 0 of every array are unused, and the pitch
 * of N+1 shifts each row against the cache lines. All sums are in memory (see
 * docs/use/workloads.md, AIM); with L=1 each step also loads them.
 */
#ifndef MEMTWIN_WORKLOADS_COLUMNS_H
#define MEMTWIN_WORKLOADS_COLUMNS_H

#include "lane.h"

/* size_doc */
#define COLUMNS_SIZE_DOC "N[,L]: N, rows and columns; L=1 reloads the sums in each step (default 0)"

enum { MEANS, DEVIATIONS, REDUCE, PAIRS, COLUMNS_KERNELS }; /* DEVIATIONS only if scaled */

struct columns_variant {
    const char *kernel[COLUMNS_KERNELS]; /* names */
    bool scaled;                         /* correlations, else covariances */
};

/* Makes a workload; type and variant must outlive it. NULL with one line in err on an error. */
struct workload *columns_create(const struct workload_type *type,
                                const struct columns_variant *variant, const char *size, char *err,
                                size_t err_size);

#endif
