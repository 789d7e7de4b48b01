// SPDX-License-Identifier: Apache-2.0
/* mvt: x1 += A y1 and x2 += A^T y2 over an N x N matrix: one kernel with a thread a row, one with a
 * thread a column. The kernels are in matvec.c.
 *
 * Thread-level accesses: a: 2 N^2 loads. y1, y2: N^2 loads each. x1, x2: N^2 stores, N loads each
 * (L=1: N^2).
 */
#include "matvec.h"

enum { A, X1, X2, Y1, Y2 };

static const struct matvec_variant variant = {
    .seed = 0x317,
    .array = {[A] = {"a", true},
              [X1] = {"x1", true},
              [X2] = {"x2", true},
              [Y1] = {"y1", true},
              [Y2] = {"y2", true}},
    .product = {{.kernel = "mvt rows", .vector = Y1, .sum = X1},
                {.kernel = "mvt columns", .columns = true, .vector = Y2, .sum = X2}},
};

static struct workload *mvt_create(const char *size, char *err, size_t err_size);

const struct workload_type workload_mvt = {
    .name = "mvt",
    .suite = "UVMBench (PolyBench)",
    .class = "irregular",
    .doc = "A y1 and A^T y2: row per thread (32 lines a warp), then column per thread (coalesced)",
    .size_doc = MATVEC_SIZE_DOC,
    .default_size = "1024",
    .create = mvt_create,
};

static struct workload *mvt_create(const char *size, char *err, size_t err_size) {
    return matvec_create(&workload_mvt, &variant, size, err, err_size);
}
