/* SPDX-License-Identifier: Apache-2.0 */
/* Workloads over the pairs of the N columns of an N x N table: means, if scaled deviations, the
 * table centred (and scaled), then one thread a column that takes it with every later column; if
 * not scaled, with itself too.
 *
 * Indices run from 1, as in the original: row and column 0 of every array are unused, and the pitch
 * of N+1 shifts each row against the cache lines. All sums are kept in memory (see
 * docs/use/workloads.md, AIM); with L=1 they are loaded in each step too.
 */
#ifndef MEMTWIN_WORKLOADS_COLUMNS_H
#define MEMTWIN_WORKLOADS_COLUMNS_H

#include "lane.h"

/* What size_doc says of the size. */
#define COLUMNS_SIZE_DOC "N[,L]: N, rows and columns; L=1 reloads the sums in each step (default 0)"

enum { MEANS, DEVIATIONS, REDUCE, PAIRS, COLUMNS_KERNELS }; /* DEVIATIONS only if scaled */

struct columns_variant {
    const char *kernel[COLUMNS_KERNELS]; /* names */
    bool scaled;                         /* correlations, else covariances */
};

/* The workload of that type, variant (both outlive it) and size. NULL on error, one line in err. */
struct workload *columns_create(const struct workload_type *type,
                                const struct columns_variant *variant, const char *size, char *err,
                                size_t err_size);

#endif
