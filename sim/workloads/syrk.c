// SPDX-License-Identifier: Apache-2.0
/* syrk: C = alpha A A^T + beta C over N x N floats, sums of K terms, one thread an element of C (of
 * both triangles), no tiling. The kernel is in matmul.c.
 *
 * Thread-level accesses: a: 2 N^2 K loads. c: N^2 loads (L=1: N^2 + N^2 K), N^2 + N^2 K stores.
 */
#include "matmul.h"

static const struct matmul_variant variant = {.kernel = "syrk", .seed = 0x5121, .sum = MATMUL_AAT};

static struct workload *syrk_create(const char *size, char *err, size_t err_size);

const struct workload_type workload_syrk = {
    .name = "syrk",
    .suite = "UVMBench (PolyBench)",
    .class = "regular",
    .doc = "A A^T without tiling: row broadcast, 32 rows a warp (32 lines), a store each step",
    .size_doc = MATMUL_SIZE_DOC,
    .default_size = "256",
    .create = syrk_create,
};

static struct workload *syrk_create(const char *size, char *err, size_t err_size) {
    return matmul_create(&workload_syrk, &variant, size, err, err_size);
}
