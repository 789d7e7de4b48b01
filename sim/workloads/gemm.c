// SPDX-License-Identifier: Apache-2.0
/* gemm: C = alpha A B + beta C over N x N floats, sums of K terms, one thread an element of C, no
 * tiling. The kernel is in matmul.c.
 *
 * Thread-level accesses: a, b: N^2 K loads each. c: N^2 loads (L=1: N^2 + N^2 K), N^2 + N^2 K
 * stores.
 */
#include "matmul.h"

static const struct matmul_variant variant = {.kernel = "gemm", .seed = 0x6e33, .sum = MATMUL_AB};

static struct workload *gemm_create(const char *size, char *err, size_t err_size);

const struct workload_type workload_gemm = {
    .name = "gemm",
    .suite = "UVMBench (PolyBench)",
    .class = "irregular",
    .doc = "matrix product without tiling: row broadcast, coalesced column, a store each step",
    .size_doc = MATMUL_SIZE_DOC,
    .default_size = "512",
    .create = gemm_create,
};

static struct workload *gemm_create(const char *size, char *err, size_t err_size) {
    return matmul_create(&workload_gemm, &variant, size, err, err_size);
}
