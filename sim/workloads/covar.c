// SPDX-License-Identifier: Apache-2.0
/* covar: covariances of the N columns of an N x N table, in three kernels. They are in columns.c.
 * As in the original, the grid of the second is too low, and only the first quarter of the rows is
 * centred.
 *
 * Thread-level accesses, with T = N(N+1)/2 pairs and Q = min(N, 8 ceil(N / 32)) rows centred:
 *   data    N^2 + Q N + 2 N T loads, Q N stores
 *   symmat  2 T + N T stores, no loads (L=1: N T)
 *   mean    Q N loads (L=1: N^2 + Q N), N^2 + 2 N stores
 */
#include "columns.h"

static const struct columns_variant variant = {
    .kernel = {[MEANS] = "covar mean", [REDUCE] = "covar reduce", [PAIRS] = "covar"},
};

static struct workload *covar_create(const char *size, char *err, size_t err_size);

const struct workload_type workload_covar = {
    .name = "covar",
    .suite = "UVMBench (PolyBench)",
    .class = "irregular",
    .doc = "covariances of columns: as corr, with the diagonal and without scaling",
    .size_doc = COLUMNS_SIZE_DOC,
    .default_size = "256",
    .create = covar_create,
};

static struct workload *covar_create(const char *size, char *err, size_t err_size) {
    return columns_create(&workload_covar, &variant, size, err, err_size);
}
