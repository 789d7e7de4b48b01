// SPDX-License-Identifier: Apache-2.0
/* syr2k: C = alpha (A B^T + B A^T) + beta C over N x N floats, sums of K terms, one thread an
 * element of C (of both triangles), no tiling. The kernel is in matmul.c.
 *
 * Thread-level accesses: a, b: 2 N^2 K loads each. c: N^2 loads (L=1: N^2 + N^2 K), N^2 + N^2 K
 * stores.
 */
#include "matmul.h"

static const struct matmul_variant variant = {
    .kernel = "syr2k", .seed = 0x52c4, .sum = MATMUL_ABT_BAT};

static struct workload *syr2k_create(const char *size, char *err, size_t err_size);

const struct workload_type workload_syr2k = {
    .name = "syr2k",
    .suite = "UVMBench (PolyBench)",
    .class = "irregular",
    .doc = "A B^T + B A^T without tiling: two row broadcasts, two columns of 32 lines, a store",
    .size_doc = MATMUL_SIZE_DOC,
    .default_size = "192",
    .create = syr2k_create,
};

static struct workload *syr2k_create(const char *size, char *err, size_t err_size) {
    return matmul_create(&workload_syr2k, &variant, size, err, err_size);
}
