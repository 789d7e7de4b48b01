// SPDX-License-Identifier: Apache-2.0
/* corr: correlations of the N columns of an N x N table, in four kernels. They are in columns.c. A
 * deviation that is almost 0 is replaced by 1; the last column is constant, so there is one.
 *
 * Thread-level accesses, with T = N(N-1)/2 pairs and D deviations replaced:
 *   data    3 N^2 + 2 N T loads, 2 N^2 stores
 *   symmat  (N-1) + 2 T + N T stores, no loads (L=1: N T)
 *   stddev  N^2 loads (L=1: 2 N^2), N^2 + 2 N + D stores
 *   mean    2 N^2 loads (L=1: 3 N^2), N^2 + 2 N stores
 */
#include "columns.h"

static const struct columns_variant variant = {
    .kernel = {"corr mean", "corr stddev", "corr reduce", "corr"},
    .scaled = true,
};

static struct workload *corr_create(const char *size, char *err, size_t err_size);

const struct workload_type workload_corr = {
    .name = "corr",
    .suite = "UVMBench (PolyBench)",
    .class = "irregular",
    .doc = "correlations of columns: triangular loop, coalesced loads, stores along diagonals",
    .size_doc = COLUMNS_SIZE_DOC,
    .default_size = "320",
    .create = corr_create,
};

static struct workload *corr_create(const char *size, char *err, size_t err_size) {
    return columns_create(&workload_corr, &variant, size, err, err_size);
}
