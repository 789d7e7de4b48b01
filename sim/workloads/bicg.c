// SPDX-License-Identifier: Apache-2.0
/* bicg: s = A^T r and q = A p, the two products of a BiCG step, over an N x N matrix: one kernel
 * with a thread a column, one with a thread a row. The kernels are in matvec.c; they zero their
 * sums.
 *
 * Thread-level accesses: a: 2 N^2 loads. r, p: N^2 loads each. s, q: N^2 + N stores each, no loads
 * (L=1: N^2).
 */
#include "matvec.h"

enum { A, VEC_R, VEC_S, VEC_P, VEC_Q };

static const struct matvec_variant variant = {
    .seed = 0xb1c6,
    .array = {[A] = {"a", true},
              [VEC_R] = {"r", true},
              [VEC_S] = {"s", false},
              [VEC_P] = {"p", true},
              [VEC_Q] = {"q", false}},
    .product =
        {{.kernel = "bicg columns", .columns = true, .zeroed = true, .vector = VEC_R, .sum = VEC_S},
         {.kernel = "bicg rows", .zeroed = true, .vector = VEC_P, .sum = VEC_Q}},
};

static struct workload *bicg_create(const char *size, char *err, size_t err_size);

const struct workload_type workload_bicg = {
    .name = "bicg",
    .suite = "UVMBench (PolyBench)",
    .class = "irregular",
    .doc = "A^T r and A p: column per thread (coalesced), then row per thread (32 lines a warp)",
    .size_doc = MATVEC_SIZE_DOC,
    .default_size = "1024",
    .repeatable = true,
    .create = bicg_create,
};

static struct workload *bicg_create(const char *size, char *err, size_t err_size) {
    return matvec_create(&workload_bicg, &variant, size, err, err_size);
}
