// SPDX-License-Identifier: Apache-2.0
/* atax: y = A^T (A x) over an N x N matrix: one kernel with a thread a row, one with a thread a
 * column. The kernels are in matvec.c.
 *
 * Thread-level accesses: a: 2 N^2 loads. x: N^2 loads. tmp: N^2 stores, N^2 + N loads
 * (L=1: 2 N^2). y: N^2 stores, N loads (L=1: N^2).
 */
#include "matvec.h"

enum { A, X, Y, TMP };

static const struct matvec_variant variant = {
    .seed = 0xa7a,
    .array = {[A] = {"a", true}, [X] = {"x", true}, [Y] = {"y", false}, [TMP] = {"tmp", false}},
    .product = {{.kernel = "atax rows", .vector = X, .sum = TMP},
                {.kernel = "atax columns", .columns = true, .vector = TMP, .sum = Y}},
};

static struct workload *atax_create(const char *size, char *err, size_t err_size);

const struct workload_type workload_atax = {
    .name = "atax",
    .suite = "UVMBench (PolyBench)",
    .class = "irregular",
    .doc = "A^T (A x): row per thread (32 lines a warp), then column per thread (coalesced)",
    .size_doc = MATVEC_SIZE_DOC,
    .default_size = "1024",
    .create = atax_create,
};

static struct workload *atax_create(const char *size, char *err, size_t err_size) {
    return matvec_create(&workload_atax, &variant, size, err, err_size);
}
