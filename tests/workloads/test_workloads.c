// SPDX-License-Identifier: Apache-2.0
/* The built-in workloads, run without timing: results, access counts, sizes.
 *
 * With --counts, prints what each workload yields at its default size, or at the sizes given
 * (`--counts gemm:256 ra`).
 */
#include "workloads/lane.h"

#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct workload *create(const char *name, const char *size) {
    char err[200] = "";
    const struct workload_type *type = workload_find(name);
    assert_non_null(type);
    struct workload *w = type->create(size, err, sizeof err);
    if (!w)
        fail_msg("%s", err);
    return w;
}

/* Runs it and lets it verify itself. */
static struct workload_counts run(struct workload *w, enum run_order order) {
    struct workload_counts counts;
    char err[200] = "";
    if (workload_run_ordered(w, order, &counts) != 0)
        fail_msg("%s", counts.err);
    if (w->verify(w, err, sizeof err) != 0)
        fail_msg("%s", err);
    return counts;
}

/* ---- Results and counts, in every order of the warps ---- */

static const struct {
    const char *name, *size;
} small[] = {
    {"addvect", "1"},
    {"addvect", "1000"},
    {"addvect", "8192"},
    {"2dconv", "3"},
    {"2dconv", "64"},
    {"2dconv", "77"},
    {"gemm", "1"},
    {"gemm", "32"},
    {"gemm", "37"},
    {"gemm", "33,1"},
    {"gemm", "20,1,45"},
    {"atax", "1"},
    {"atax", "64"},
    {"atax", "301"},
    {"atax", "50,1"},
    {"bfs", "1"},
    {"bfs", "2"},
    {"bfs", "777"},
    {"bfs", "4096"},
    {"kmeans", "1,1,1,1"},
    {"kmeans", "300,3,4,500"},
    {"kmeans", "1025,5,7,3"},
    {"hotspot", "1"},
    {"hotspot", "64"},
    {"hotspot", "45,2,5"},
    {"hotspot", "70,7,9"},
    {"hotspot", "20,3,1"},
    {"ra", "1"},
    {"ra", "101"},
    {"ra", "30000"},
    {"bicg", "1"},
    {"bicg", "64"},
    {"bicg", "301"},
    {"bicg", "50,1"},
    {"mvt", "1"},
    {"mvt", "64"},
    {"mvt", "301"},
    {"mvt", "50,1"},
    {"gesummv", "1"},
    {"gesummv", "64"},
    {"gesummv", "301"},
    {"3dconv", "3"},
    {"3dconv", "10"},
    {"3dconv", "35"},
    {"fdtd2d", "1"},
    {"fdtd2d", "1,3"},
    {"fdtd2d", "64"},
    {"fdtd2d", "45,4"},
    {"corr", "1"},
    {"corr", "2"},
    {"corr", "33"},
    {"corr", "61"},
    {"corr", "40,1"},
    {"covar", "1"},
    {"covar", "7"},
    {"covar", "33"},
    {"covar", "61"},
    {"covar", "40,1"},
    {"syrk", "1"},
    {"syrk", "32"},
    {"syrk", "37"},
    {"syrk", "33,1"},
    {"syrk", "20,1,45"},
    {"syr2k", "1"},
    {"syr2k", "32"},
    {"syr2k", "37"},
    {"syr2k", "33,1"},
    {"syr2k", "45,0,20"},
    {"sssp", "3"},
    {"sssp", "64"},
    {"sssp", "777"},
    {"sssp", "4096"},
    {"backprop", "16"},
    {"backprop", "208"},
    {"gaussian", "2"},
    {"gaussian", "7"},
    {"gaussian", "32"},
    {"nw", "16"},
    {"nw", "32"},
    {"nw", "112"},
    {"pathfinder", "300,20,3"},
    {"pathfinder", "1,2,1"},
    {"pathfinder", "1000,24,11"},
    {"pathfinder", "50,300,127"},
    {"srad", "32"},
    {"srad", "144,1"},
    {"srad", "48,3"},
    {"sc", "300,3,4,6"},
    {"sc", "1,1,1,1"},
    {"sc", "1025,2,20,8"},
    {"sc", "70,5,1,200"},
    {"cfd", "1"},
    {"cfd", "192,1"},
    {"cfd", "1500,2"},
    {"btree", "1,1,1"},
    {"btree", "128,5,128"},
    {"btree", "129,5,2"},
    {"btree", "40000,9,1000"},
    {"transpose", "16"},
    {"transpose", "48,1"},
    {"transpose", "80,2"},
    {"spmv", "1"},
    {"spmv", "33"},
    {"spmv", "777,3"},
    {"stencil", "3,3,1"},
    {"stencil", "64,5,2"},
    {"stencil", "67,4,3"},
    {"stencil", "130,3,1"},
    {"scan", "1"},
    {"scan", "300"},
    {"scan", "512"},
    {"scan", "513"},
    {"scan", "262145"},
    {"fwt", "2,0"},
    {"fwt", "7"},
    {"fwt", "11,3"},
    {"fwt", "12,12"},
    {"fwt", "15,1"},
    {"dwt2d", "48,1"},
    {"dwt2d", "80,2"},
    {"dwt2d", "144,3"},
    {"dwt2d", "496,1"},
    {"histo", "1,1"},
    {"histo", "5000,7"},
    {"histo", "300,256"},
    {"sn", "10"},
    {"sn", "11"},
    {"sn", "13"},
    {"lud", "16"},
    {"lud", "32"},
    {"lud", "80"},
    {"scalarprod", "1,1"},
    {"scalarprod", "1000,3"},
    {"scalarprod", "2500,130"},
    {"pfilter", "1,2"},
    {"pfilter", "100,3"},
    {"pfilter", "600,3"},
    {"pfilter", "1025,2"},
    {"patterns", "1,20,1,1,31"},
    {"patterns", "2,20,3,3,1"},
    {"patterns", "3,40,1,2,2"},
    {"patterns", "4,40,1,5,3"},
    {"patterns", "5,33,2,40,1"},
    {"patterns", "6,70,1,3,2"},
    {"patterns", "6,1,1,1,1"},
    {"hotspot3d", "64,2,1"},
    {"hotspot3d", "64,8,2"},
    {"hotspot3d", "128,3,3"},
    {"leukocyte", "2,45,1,1,2"},
    {"leukocyte", "5,50,3,2,3"},
    {"hybridsort", "1,1"},
    {"hybridsort", "700,3"},
    {"hybridsort", "9001,2"},
    {"hybridsort", "65536,1"},
    {"heartwall", "2,2,3,2"},
    {"heartwall", "3,12,4,2"},
    {"heartwall", "5,3,7,5"},
    {"heartwall", "2,2,2,4"},
    {"sgemm", "128,16,8"},
    {"sgemm", "256,48,40"},
    {"sgemm", "128,80,24"},
    {"mriq", "256,1"},
    {"mriq", "512,777"},
    {"mriq", "768,1026"},
    {"sad", "16,16"},
    {"sad", "48,32"},
    {"sad", "16,80"},
    {"alignedtypes", "256"},
    {"alignedtypes", "5120,3"},
    {"alignedtypes", "70144,1"},
    {"alignedtypes", "256,1,1"},
    {"alignedtypes", "70144,2,1"},
    {"asyncapi", "512"},
    {"asyncapi", "1536"},
    {"asyncapi", "8192"},
    {"blackscholes", "1,1"},
    {"blackscholes", "777,3"},
    {"blackscholes", "61500,1"},
    {"sobolqrng", "1,1,1"},
    {"sobolqrng", "1000,5,1"},
    {"sobolqrng", "3001,3,2"},
    {"sobolqrng", "70,9,4"},
    {"qrng", "1,1"},
    {"qrng", "333,2"},
    {"qrng", "17001,1"},
    {"binomialoptions", "1,32"},
    {"binomialoptions", "3,64"},
    {"binomialoptions", "2,512"},
    {"lbm", "3,3,1"},
    {"lbm", "33,4,3"},
    {"lbm", "120,3,2"},
    {"cutcp", "8,8,1"},
    {"cutcp", "24,16,5"},
    {"cutcp", "16,24,12"},
    {"cutcp", "8,8,20"},
    {"convsep", "128,64"},
    {"convsep", "256,192"},
    {"convsep", "640,128"},
    {"reduction", "2"},
    {"reduction", "64"},
    {"reduction", "257"},
    {"reduction", "65536"},
    {"reduction", "100001"},
    {"mergesort", "1024"},
    {"mergesort", "2048"},
    {"mergesort", "3072"},
    {"mergesort", "13312"},
    {"mergesort", "65536"},
    {"radixsort", "512"},
    {"radixsort", "6656"},
    {"radixsort", "263168"},
    {"2mm", "1"},
    {"2mm", "32"},
    {"2mm", "37"},
    {"2mm", "33,1"},
    {"3mm", "1"},
    {"3mm", "32"},
    {"3mm", "37"},
    {"3mm", "20,1"},
    {"gramschm", "1"},
    {"gramschm", "7"},
    {"gramschm", "32"},
    {"gramschm", "61"},
    {"knn", "32,16,4,1"},
    {"knn", "16,16,1,2"},
    {"knn", "48,32,48,1"},
    {"knn", "272,16,20,1"},
    {"svm", "1,1"},
    {"svm", "33,2"},
    {"svm", "40,50"},
    {"svm", "37,3,16"},
    {"lr", "1,1,1"},
    {"lr", "300,3,2"},
    {"lr", "1000,130,2"},
    {"kmeans2", "1,1,1"},
    {"kmeans2", "300,3,2"},
    {"kmeans2", "100,40,3"},
    {"bfs2", "1,0,5"},
    {"bfs2", "5000,0,10"},
    {"bfs2", "3,1,10"},
    {"bfs2", "2000,1,7"},
    {"bfs2", "1,2,10"},
    {"bfs2", "1500,2,8"},
    {"bn", "1,2,1"},
    {"bn", "3,1,2"},
    {"bn", "10,4,2"},
    {"bn", "12,9,1"},
    {"cnn", "1"},
    {"cnn", "3"},
};

/* The first of its small sizes. */
static const char *small_size(const char *name) {
    for (size_t i = 0; i < sizeof small / sizeof *small; i++)
        if (strcmp(small[i].name, name) == 0)
            return small[i].size;
    fail_msg("no small size of %s", name);
    return NULL;
}

static void test_results_and_counts(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof small / sizeof *small; i++) {
        struct workload_counts first;
        for (int order = RUN_ROUND_ROBIN; order <= RUN_REVERSE; order++) {
            struct workload *w = create(small[i].name, small[i].size);
            const struct workload_counts counts = run(w, (enum run_order)order);
            assert_true(counts.thread_loads + counts.thread_stores > 0);
            if (order == RUN_ROUND_ROBIN)
                first = counts;
            assert_memory_equal(&counts, &first, offsetof(struct workload_counts, err));
            w->destroy(w);
        }
    }
}

/* Each launch three times. Verifies itself if its type says so; else a size shows that it would
 * not.
 */
static bool verifies_repeated(const char *name, const char *size) {
    char err[200] = "";
    struct workload_counts counts;
    struct workload *w = workload_repeat(create(name, size), 3, err, sizeof err);
    if (!w)
        fail_msg("%s", err);
    if (workload_run_ordered(w, RUN_GREEDY, &counts) != 0)
        fail_msg("%s", counts.err);
    const bool good = w->verify(w, err, sizeof err) == 0;
    if (!good && w->type->repeatable)
        fail_msg("%s:%s: %s", name, size, err);
    w->destroy(w);
    return good;
}

static void test_repeated(void **state) {
    (void)state;
    for (const struct workload_type *const *t = workload_types; *t; t++) {
        bool all = true;
        for (size_t i = 0; i < sizeof small / sizeof *small && !(*t)->once; i++)
            if (strcmp(small[i].name, (*t)->name) == 0)
                all = verifies_repeated(small[i].name, small[i].size) && all;
        if (!(*t)->once && all != (*t)->repeatable)
            fail_msg("%s verifies itself repeated: is it repeatable?", (*t)->name);
    }
}

static void test_repeat_counts(void **state) {
    char err[200] = "";
    struct workload_counts counts;
    (void)state;
    struct workload *w = workload_repeat(create("2dconv", "64"), 4, err, sizeof err);
    assert_int_equal(w->launches, 4);
    assert_int_equal(workload_run_functional(w, &counts), 0);
    assert_int_equal(counts.thread_loads, 4 * 9 * 62 * 62);
    assert_int_equal(w->verify(w, err, sizeof err), 0);
    assert_int_equal(w->arrays[0].loads, 4 * 9 * 62 * 62); /* as they were */
    w->arrays[0].loads--;
    assert_int_equal(w->verify(w, err, sizeof err), -1);
    assert_non_null(strstr(err, "not 4 times as many"));
    w->destroy(w);
    assert_null(workload_repeat(create("hybridsort", "700"), 2, err, sizeof err));
    assert_non_null(strstr(err, "beyond its arrays"));
}

/* An observer sees each access, and may end the run. */
static uint64_t observed, observe_until;

static bool observe(void *ctx, const struct warp_inst *inst, unsigned array) {
    const struct workload *w = ctx;
    assert_true(inst->addr[lane_first(inst->mask)] >= w->arrays[array].base);
    return ++observed < observe_until;
}

static void test_observed(void **state) {
    struct workload_counts c;
    (void)state;
    for (uint64_t until = 700; until <= 70000; until *= 100) {
        struct workload *w = create("bfs", "777");
        const struct workload_observer o = {w, observe};
        observed = 0;
        observe_until = until;
        assert_int_equal(workload_run_observed(w, &o, &c), until == 700 ? -1 : 0);
        assert_string_equal(c.err, "");
        assert_int_equal(observed, c.warp_loads + c.warp_stores + c.warp_atomics);
        assert_true(until == 700 ? observed == 700 : observed > 700);
        w->destroy(w);
    }
}

/* Twice the same workload: bit for bit the same inputs. */
static void test_deterministic(void **state) {
    (void)state;
    for (size_t k = 0; k < sizeof small / sizeof *small; k++) {
        struct workload *a = create(small[k].name, small[k].size);
        struct workload *b = create(small[k].name, small[k].size);
        for (unsigned i = 0; i < a->n_arrays; i++)
            assert_memory_equal(workload_host(a, a->arrays[i].name),
                                workload_host(b, a->arrays[i].name), a->arrays[i].bytes);
        a->destroy(a);
        b->destroy(b);
    }
}

/* Hand-counted: 64 pixels make two warps a row and 62 rows of inner pixels. */
static void test_warp_counts(void **state) {
    (void)state;
    struct workload *w = create("2dconv", "64");
    struct workload_counts c = run(w, RUN_ROUND_ROBIN);
    assert_int_equal(c.warp_loads, 9 * 2 * 62);
    assert_int_equal(c.warp_stores, 2 * 62);
    assert_int_equal(c.thread_loads, 9 * 62 * 62);
    assert_int_equal(c.alu, (20 + 9) * 2 * 62);
    w->destroy(w);

    w = create("gemm", "32");
    c = run(w, RUN_ROUND_ROBIN);
    assert_int_equal(c.ctas, 4);
    assert_int_equal(c.warp_loads, 32 * (1 + 2 * 32));
    assert_int_equal(c.warp_stores, 32 * (1 + 32));
    assert_int_equal(c.alu, 32 * (1 + 2 * 32 + 4 * 4));
    w->destroy(w);

    /* One tile, all of whose rows are in the chip after P = 2 rows of border. */
    w = create("hotspot", "12,2,2");
    c = run(w, RUN_ROUND_ROBIN);
    assert_int_equal(c.ctas, 1);
    assert_int_equal(c.thread_loads, 2 * 12 * 12);
    assert_int_equal(c.thread_stores, 12 * 12);
    assert_int_equal(c.barriers, 8 * 4);
    w->destroy(w);
}

/* Hand-counted likewise, at sizes of whole warps. */
static const struct {
    const char *name, *size;
    uint64_t loads, stores, alu;
} by_hand[] = {
    /* Two of eight warps in either kernel; loops unrolled by 8 and by 16. */
    {"bicg", "64", 4 * 2 * 64, 4 * (1 + 64), 4 * (1 + 64) + 2 * 4 * (8 + 4)},
    {"mvt", "64", 4 * (1 + 2 * 64), 4 * 64, 4 * 64 + 2 * 4 * (8 + 4)},
    {"gesummv", "32", 6 * 32 + 1, 2 * 32 + 1, 2 * 32 + 4 * 4 + 2},
    /* Cells 1 to 32 of 32 rows in 32 planes: lanes 1 to 31 of one warp, lane 0 of the next. */
    {"3dconv", "34", 2048 * 11, 2048, 2048 * (20 + 6 + 9)},
    /* Two warps a row; those of row 0 only copy in the first kernel. */
    {"fdtd2d", "64,1", 2 + 126 * 3 + 128 * (3 + 5), 128 * 3, 126 * 2 + 128 * (2 + 5)},
    /* One warp, but 32 in the third kernel; the fourth has 31 distances between columns. */
    {"corr", "32", 32 + 64 + 32 * 3 + 31 * 64, 34 + (34 + 1) + 32 * 2 + (1 + 31 * 34),
     (1 + 32 + 16 + 1) + (1 + 64 + 16 + 4) + 32 * 3 + 31 * (1 + 32 + 16 + 2)},
    /* The same without deviations, for 8 rows, and with the diagonal. */
    {"covar", "32", 32 + 8 * 2 + 32 * 64, 34 + 8 + 32 * 34, (1 + 32 + 16 + 1) + 8 + 32 * 51},
    {"syrk", "32", 32 * (1 + 2 * 32), 32 * (1 + 32), 32 * (1 + 2 * 32 + 4 * 4)},
    {"syr2k", "32", 32 * (1 + 4 * 32), 32 * (1 + 32), 32 * (1 + 5 * 32 + 4 * 4)},
    /* 128 warps a product */
    {"2mm", "64", 2 * 128 * (1 + 2 * 64), 2 * 128 * 64, 2 * 128 * (64 + 4 * 8)},
    {"3mm", "64", 3 * 128 * (1 + 2 * 64), 3 * 128 * 64, 3 * 128 * (64 + 4 * 8)},
    /* A warp a launch: norm; unit; project, for all columns but the last. */
    {"gramschm", "32", 32 * 32 + 32 * 2 + 31 * (2 + 3) * 32, 32 + 32 + 31 * (1 + 2 * 32),
     32 * (2 + 32 + 4 * 4) + 32 + 31 * (1 + 3 * 32 + 2 * 4 * 4)},
};

static void test_warp_counts_of_more(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof by_hand / sizeof *by_hand; i++) {
        struct workload *w = create(by_hand[i].name, by_hand[i].size);
        const struct workload_counts c = run(w, RUN_ROUND_ROBIN);
        assert_int_equal(c.warp_loads, by_hand[i].loads);
        assert_int_equal(c.warp_stores, by_hand[i].stores);
        assert_int_equal(c.alu, by_hand[i].alu);
        assert_int_equal(c.warp_atomics, 0);
        w->destroy(w);
    }
}

/* Hand-counted too: warp instructions that follow from the shape of the blocks. */
static void test_warp_counts_of_blocks(void **state) {
    static const struct {
        const char *name, *size;
        uint64_t loads, stores, barriers;
    } expected[] = {
        /* forward: 8 warps of two rows; adjust: 8, and one that does the bias row */
        {"backprop", "16", 8 * 2 + 8 * 7 + 5, 8 * 2 + 8 * 2 + 2, 8 * 8 + 8},
        /* one row below the pivot's, of two columns; its first column also does b */
        {"gaussian", "2", 2 + 3 + 3, 1 + 1 + 1, 0},
        /* one tile: its corner, west and north edge; 16 rows; 31 anti-diagonals */
        {"nw", "16", 3 + 16, 16, 3 + 31},
        /* one block of 8 warps, 7 with cells inside; two rows */
        {"pathfinder", "200,3,2", 7 + 2 * 7, 7, 8 * 4},
        /* four blocks of 8 warps, each at two edges of the image, two at each */
        {"srad", "32,1", 32 * 7 + 32 * 8 + 16 + 16, 32 * 5 + 32, 32 * 9},
        /* the only point is a centre, and the candidate */
        {"sc", "1,1,1,1", 2 + 2 + 3, 1, 0},
        /* 6 warps of copies of one element without neighbours */
        {"cfd", "1,1", 6 * (6 + 3 * (5 + 16) + 3 * 11), 6 * (1 + 3 * 5 + 3 * 5), 0},
        /* a leaf and no more: find, start and end */
        {"btree", "128,1,128", (8 * 3 + 2) + (8 * 3 + 1) + (8 * 3 + 2), 3, 8},
        {"transpose", "32,1", 4 * 8, 4 * 8, 4 * 8},
        /* three of four warps have cells, of three planes; one has an inner cell */
        {"stencil", "3,3,1", 3 * 3, 1, 4 * 4},
        /* blocks of 512 and of 1 element, one for their two sums; then both are added to */
        {"scan", "513", 17 + 1 + (2 + 17), (17 + 2) + 1 + 17, 3 * 8 * (9 + 9 + 1) + 2 * 8},
        /* three transforms: a pass of 4 blocks of 8 warps, then these in 5 steps; a product */
        {"fwt", "12", 3 * 2 * 128 + 2 * 128, 3 * 2 * 128 + 128, 3 * 32 * (5 + 1)},
        /* 9 blocks unpack; of three colours, 6 blocks of two warps load 8 + 3 rows, one at the side
         */
        {"dwt2d", "48,1", 9 * 6 + 18 * 3 * 11, 9 * 8 * 3 + 18 * 2 * 8, 9 * 8 + 18 * 2 * 4},
        /* one block of 6 warps, two of which store twice; a merging block a value */
        {"histo", "1,1", 1 + 256, 8 + 256, 6 * 2 + 256 * 8 * 8},
        /* 1 + ... + 10 steps of 32 warps in shared memory, one without, 10 in shared memory */
        {"sn", "11", 3 * 128, 3 * 128, 32 * (55 + 1) + 32 * (10 + 1)},
        /* two tiles of the diagonal, a block beside them, and one of 8 warps for the last tile */
        {"lud", "32", 2 * 16 + 48 + 3 * 8, 2 * 15 + 31 + 8, 2 * 31 + 2 + 8},
        /* a block of 8 warps; 47 runs of 32 elements */
        {"scalarprod", "1500,1", 2 * 47, 1, 8 * 11},
        {"patterns", "2,9,4,3,2", 2 * 4 * 9, 0, 0},
        /* 16 blocks of 8 warps: the first cell, then 6 and 5 loads in two layers */
        {"hotspot3d", "64,2,1", 128 * 12, 128 * 2, 0},
        /* the number, its ten pivots; counts of 1024 buckets once or, with offsets, twice; a four
         */
        {"hybridsort", "1,1", 1 + 11 + 32 + (64 + 2) + 3, (1 + 32) + 64 + 1 + 3, 64 * 3 * 2 + 3},
        /* a block of 4 warps; two steps of a row of B and 8 of A, then 16 columns of C */
        {"sgemm", "128,16,16", 4 * (2 * (1 + 8) + 16), 4 * 16, 4 * 2 * 2},
        /* 33 warps with samples; 8 warps with points, twice */
        {"mriq", "256,1026", 33 * 2 + 8 * 2 * 5, 33 + 8 * 2 * 2, 0},
        /* 16 blocks of 2 warps: pixels, 6 x 24 of the reference, 9 copies; 5 warps add 18 times */
        {"sad", "16,16", 16 * (1 + 2 * 144) + 5 * 18 * 4, 16 * 9 + 5 * 18 * 5, 16 * 2 * 2},
        /* 256 to 16 elements without alignment, of 1, 1, 4, 2, 3 and 4 pieces; then aligned, once
         * with three members in two stores */
        {"alignedtypes", "256", 8 + 4 + 2 * 4 + 2 + 3 + 4 + 2 + 2 + 1 + 1 + 1 + 2,
         8 + 4 + 2 * 4 + 2 + 3 + 4 + 2 + 2 + 1 + 2 + 1 + 2, 0},
        {"alignedtypes", "256,1,1", 8 + 4 + 2 * 4 + 2 + 3 + 4 + 2 + 2 + 1 + 1 + 1 + 2,
         8 + 4 + 2 * 4 + 2 + 3 + 4 + 2 + 2 + 1 + 1 + 1 + 2, 0},
        {"asyncapi", "1024", 32, 32, 0},
        /* 10 warps, the last of 12 options, and again */
        {"blackscholes", "300,2", 2 * 10 * 3, 2 * 10 * 2, 0},
        /* 4 of 4 blocks, two dimensions; 8 warps make 256 numbers, and two the last 44 */
        {"sobolqrng", "300,2,1", 2 * 4, 2 * (8 + 2), 2 * 8},
        /* of each dimension four warps, the last of 4 numbers; then 10 warps */
        {"qrng", "100,1", 0, 3 * 4 + 10, 0},
        /* 33 values at expiry, 33 into shared memory, one back; 32 steps */
        {"binomialoptions", "1,32", 2, 2 + 1 + 1, 8 * (1 + 32 + 1)},
        /* two steps; in each, 33 x 3 blocks of two warps, one of which has one lane */
        {"lbm", "33,3,2", 2 * 99 * 2 * 20, 2 * 99 * 2 * 19, 0},
        /* one region of four warps; 27 bins, by eight: the last three for two warps; one round */
        {"cutcp", "8,8,4", (3 * 4 + 2) * 2, 4 * 4, 4 * 2},
        /* four regions; 7^3 - 8 bins, the last seven for all four warps; 11 rounds */
        {"cutcp", "16,8,12", 4 * 42 * 4 * 2, 4 * 4 * 4, 4 * 4 * 22},
        /* two tiles either way: in both kernels 128 warps that load one halo each */
        {"convsep", "256,128", 2 * 128 * (8 + 1), 2 * 128 * 8, 2 * 128},
        /* of 700 integers 512 and 188; two blocks of 8 warps, and one of a thread for their sums */
        {"reduction", "700", 16 + 6 + 2, 2 + 1, 2 * 8 * 3 + 1},
        /* 16 warps, with two barriers for each of ten lengths and one at the end */
        {"mergesort", "1024", 16 * 4, 16 * 4, 16 * (10 * 2 + 1)},
        /* a block of 4 warps: 4 keys a thread, the flag, the spine, its carries, keys, values; all
         * of these in 8 passes, the flag in 7 */
        {"radixsort", "512", 8 * (4 * 4 + 4 + 1 + 4 * (2 + 2)) + 7 * (4 + 1),
         8 * (1 + 4 + 1 + 4 * (4 + 4)), 8 * 4 * (2 + 2 + (1 + 7))},
        /* 32 warps; one that trains, in one pass of 32 turns, 4 + 3 loads each */
        {"svm", "32,1", 32 * 785 * 3 + 1 + 32 * 7 + 1, 32 + 32 * 2, 32 * 2 + 1},
        /* 8 warps of instances; two features in blocks of 4 warps, two rounds; one of weights */
        {"lr", "256,2,1", 8 * (2 * 2 + 2) + 2 * 4 * 2 * 2 + 2, 8 * (1 + 1) + 2 + 1, 2 * 4 * 7},
        /* blocks of a lane: ten points of the one cluster */
        {"kmeans2", "10,1,1", 10 * (4 + 1 + 7) + 4, 10 * (2 + 1 + 4) + 4 + 2, 0},
        /* the empty set, with two samples; 8 warps look for parents, the first has the set */
        {"bn", "1,2,1", (2 + 4 + 1) + 8 + 1, 1 + 1 + 4, 8 * (1 + 8)},
        /* 128 warps of one element a thread or less, 22 in two launches; warps with one of 10 or of
         * 16 elements */
        {"cnn", "1", 128 * (2 * 2 * 22 + 28) + 10 * 6 + 16 * 2, 128 * 9 + 10 * 4 + 16, 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        struct workload *w = create(expected[i].name, expected[i].size);
        const struct workload_counts c = run(w, RUN_ROUND_ROBIN);
        if (c.warp_loads != expected[i].loads || c.warp_stores != expected[i].stores ||
            c.barriers != expected[i].barriers)
            fail_msg("%s:%s: %" PRIu64 " loads, %" PRIu64 " stores, %" PRIu64 " barriers",
                     expected[i].name, expected[i].size, c.warp_loads, c.warp_stores, c.barriers);
        w->destroy(w);
    }
}

/* All three vertices have edges to both others, and each launch has one block of a half warp. */
static void test_sssp_counts(void **state) {
    (void)state;
    struct workload *w = create("sssp", "3");
    const int32_t *edges = workload_host(w, "edges"), *weights = workload_host(w, "weights");
    const int32_t *dist = workload_host(w, "dist");
    int32_t way[3][3]; /* from, to */
    for (int e = 0; e < 6; e++)
        way[e / 2][edges[e]] = weights[e];
    const struct workload_counts c = run(w, RUN_ROUND_ROBIN);
    for (int to = 1; to < 3; to++) {
        const int32_t round_about = way[0][3 - to] + way[3 - to][to];
        assert_int_equal(dist[to], way[0][to] < round_about ? way[0][to] : round_about);
    }
    assert_int_equal(c.ctas, c.launches);
    assert_int_equal(c.warp_atomics, c.launches); /* two edges a relaxation, every second launch */
    w->destroy(w);
}

/* The only row: index and datum of each entry, x[0] for it, and its number. */
static void test_spmv_counts(void **state) {
    (void)state;
    struct workload *w = create("spmv", "1,1");
    const float *data = workload_host(w, "data"), *x = workload_host(w, "x");
    const float *y = workload_host(w, "y");
    const struct workload_counts c = run(w, RUN_ROUND_ROBIN);
    const uint64_t entries = w->arrays[1].bytes / (WARP_LANES * sizeof *data);
    float sum = 0;
    for (uint64_t k = 0; k < entries; k++)
        sum += data[k * WARP_LANES] * x[0];
    assert_true(entries > 2 && sum == y[0]);
    assert_int_equal(c.warp_loads, 3 * entries + 1);
    assert_int_equal(c.warp_stores, 1);
    w->destroy(w);
}

/* 6 warps of a column of pixels; 56 blocks of 6 warps, the last without its last lane; a field of
 * 10 full chunks and of 4 warps, and in each of its two iterations 11 chunks and 10 steps of a sum.
 */
static void test_leukocyte_counts(void **state) {
    (void)state;
    struct workload *w = create("leukocyte", "2,45,1,1,2");
    const struct workload_counts c = run(w, RUN_ROUND_ROBIN);
    assert_int_equal(c.warp_stores, 6 + 56 * 6 + 104);
    assert_int_equal(c.barriers, 10 * (1 + 2 * (11 + 10)));
    assert_int_equal(w->arrays[2].loads + w->arrays[2].stores, c.thread_loads + c.thread_stores -
                                                                   2 * 7 * 2 * 175 - 219 * 45 -
                                                                   320 * 4 - 4 * 3321);
    w->destroy(w);
}

/* The pixels move up by one and on by one each frame, and so do the points, also when templates are
 * taken anew; 8 warps of a block meet at 35 barriers a context. */
static void test_heartwall_follows(void **state) {
    (void)state;
    const unsigned frames = 13, points = 3;
    struct workload *w = create("heartwall", "3,13,12,4");
    const struct workload_counts c = run(w, RUN_ROUND_ROBIN);
    const int32_t(*place)[2] = workload_host(w, "place"); /* row, column */
    for (unsigned p = 0; p < points; p++)
        for (unsigned f = 2; f < frames; f++) {
            const int32_t *now = place[p * frames + f], *before = place[p * frames + f - 1];
            assert_int_equal(now[0] - before[0], -1);
            assert_int_equal(now[1] - before[1], 1);
        }
    assert_int_equal(c.barriers, points * 8 * 35 * (frames - 1));
    w->destroy(w);
}

/* Sizes of the loads, and negative of the stores, of the first warp of a launch, up to a 0. */
static void sizes_of_accesses(struct workload *w, const char *kernel, int *size, unsigned most) {
    struct kernel_launch launch = {.name = ""};
    while (strcmp(launch.name, kernel) != 0)
        assert_true(w->next(w, &launch));
    const struct warp_place place = {.threads = WARP_LANES};
    void *warp = calloc(1, launch.warp_state_size);
    struct warp_inst inst = {.op = WARP_ALU};
    unsigned n = 0;
    assert_non_null(warp);
    while (inst.op != WARP_EXIT && n + 1 < most) {
        launch.step(launch.ctx, &place, NULL, warp, &inst);
        if (inst.op == WARP_LOAD || inst.op == WARP_STORE)
            size[n++] = inst.op == WARP_LOAD ? inst.size : -inst.size;
    }
    size[n] = 0;
    free(warp);
}

/* Open64 stored each piece before it loaded the next, and three members of four without padding. */
static void test_alignedtypes_order(void **state) {
    static const struct {
        const char *size, *kernel;
        int accesses[9];
    } expected[] = {
        {"512,1,0", "RGBA8_misaligned", {1, -1, 1, -1, 1, -1, 1, -1, 0}},
        {"512,1,1", "RGBA8_misaligned", {1, 1, 1, 1, -1, -1, -1, -1, 0}},
        {"512,1,0", "RGB32", {16, -8, -4, 0}},
        {"512,1,1", "RGB32", {16, -16, 0}},
        {"1024,1,0", "RGBA32_2", {16, -16, 16, -16, 0}},
        {"1024,1,1", "RGBA32_2", {16, 16, -16, -16, 0}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        struct workload *w = create("alignedtypes", expected[i].size);
        int size[9];
        sizes_of_accesses(w, expected[i].kernel, size, 9);
        for (unsigned k = 0; k == 0 || size[k - 1] != 0; k++)
            assert_int_equal(size[k], expected[i].accesses[k]);
        w->destroy(w);
    }
}

/* All keys the same: the first run goes before the second, so that 8 of 16 intervals lie in either.
 * A sample is loaded and searched for in 11 steps among 1024 keys; so is, in 4 among 8, its rank.
 */
static void test_mergesort_counts(void **state) {
    (void)state;
    struct workload *w = create("mergesort", "2048");
    memset(workload_host(w, "key"), 0, 2048 * sizeof(uint32_t));
    const struct workload_counts c = run(w, RUN_ROUND_ROBIN);
    const uint64_t sort = 2 * 16 * 4, merge = 16 * 4 * 2;
    assert_int_equal(c.warp_loads, sort + 2 * 12 + 2 * 2 * 5 + (15 * 4 + 2) + merge);
    assert_int_equal(c.warp_stores, sort + 2 * 2 + 2 * 2 + merge);
    assert_int_equal(c.barriers, 2 * 16 * 21 + 16 * 4 * 4);
    w->destroy(w);
}

/* Hand-counted passes of the accesses to shared memory. */
static void test_bank_conflicts(void **state) {
    static const struct {
        const char *name, *size;
        uint64_t accesses, passes;
    } expected[] = {
        /* 8 warps write two rows of 16 words, and read two columns: of every second row in one
         * bank, or, rows of 17 words, of all banks except the corners */
        {"transpose", "16,1", 8 * 2, 8 * (1 + 8)},
        {"transpose", "16,2", 8 * 2, 8 * (2 + 2)},
        /* a warp, three times: in and out 8; steps of four 32, 8 and 2 apart; twice a step of two
         */
        {"fwt", "7", 3 * (8 + 3 * 8 + 2 * 4), 3 * (8 + 8 * (1 + 4 + 4) + 2 * 4 * 2)},
        /* in and out 16 and 15; of 15 columns and 15 rows, number i takes 3 i + 3 and 3 i + 4. Of
         * these, 2 i + 2 go down a column in 15 - i lanes, every second of them in one bank */
        {"lud", "16", 766, 766 + 504},
        /* 16 blocks: the first warp writes the pixels, both read them and write 18 times without a
         * conflict; the first copies nine times 8 B a lane */
        {"sad", "16,16", 16 * (1 + 2 * (16 + 18) + 9), 16 * (1 + 2 * (16 + 18) + 9 * 2)},
        /* 32 warps of either kernel: 10 steps in, 17 taps of 8 results, two half warps apart */
        {"convsep", "128,64", 64 * (10 + 8 * 17), 64 * 2 * (10 + 8 * 17)},
    };
    (void)state;
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        struct workload *w = create(expected[i].name, expected[i].size);
        const struct workload_counts c = run(w, RUN_ROUND_ROBIN);
        assert_int_equal(c.shared, expected[i].accesses);
        assert_int_equal(c.shared_passes, expected[i].passes);
        w->destroy(w);
    }
}

/* All words the same: every lane of a warp wants the same counter. */
static void test_histo_conflicts(void **state) {
    (void)state;
    struct workload *w = create("histo", "192,1");
    const uint64_t passes[] = {1, WARP_LANES};
    struct workload_counts c[2];
    for (unsigned same = 0; same < 2; same++) {
        uint32_t *data = workload_host(w, "data");
        for (uint32_t i = 0; i < 192; i++)
            data[i] = same ? 0x07070707 : i % WARP_LANES * 0x01010101;
        c[same] = run(w, RUN_ROUND_ROBIN);
        w->destroy(w);
        w = create("histo", "192,1");
    }
    w->destroy(w);
    assert_int_equal(c[0].shared, c[1].shared);
    assert_int_equal(c[1].shared_passes - c[0].shared_passes, 6 * 4 * (passes[1] - passes[0]));
}

/* Both halves of a warp store to the same 16 banks, but for the last of 27 bins, which one half of
 * a warp brings. */
static void test_cutcp_conflicts(void **state) {
    (void)state;
    struct workload *w = create("cutcp", "8,8,4");
    const struct workload_counts c = run(w, RUN_ROUND_ROBIN);
    assert_int_equal(c.shared_passes - c.shared, 26 / 2 * 2);
    w->destroy(w);
}

/* The sums are those over all atoms, none of which the list of bins leaves out. */
static void test_cutcp_potential(void **state) {
    (void)state;
    const uint64_t edge = 24;
    struct workload *w = create("cutcp", "24,24,6");
    run(w, RUN_ROUND_ROBIN);
    const float *atom = workload_host(w, "bins"), *energy = workload_host(w, "energy");
    for (uint64_t i = 0; i < edge * edge * edge; i += 29) {
        const uint64_t region = i / 512, x = region % 3 * 8 + i % 8,
                       y = region / 3 % 3 * 8 + i / 8 % 8, z = region / 9 * 8 + i / 64 % 8;
        double sum = 0;
        for (uint64_t a = 0; a < w->arrays[0].bytes / sizeof *atom; a += 4) {
            const double dx = atom[a] - 0.5 * (double)x, dy = atom[a + 1] - 0.5 * (double)y,
                         dz = atom[a + 2] - 0.5 * (double)z;
            const double r2 = dx * dx + dy * dy + dz * dz;
            if (atom[a + 3] != 0 && r2 < 6 * 6)
                sum += atom[a + 3] / sqrt(r2) * (1 - r2 / (6 * 6)) * (1 - r2 / (6 * 6));
        }
        if (!(fabs(sum - (double)energy[i]) < 1e-4 * (1 + fabs(sum))))
            fail_msg("energy[%" PRIu64 "] is %g, expected %g", i, (double)energy[i], sum);
    }
    w->destroy(w);
}

/* A cell three times as dense as all others, at rest: of what it has more, a third stays, and the
 * 18 cells nearest get an 18th each or, across an edge, a 36th. */
static void test_lbm_spreads(void **state) {
    (void)state;
    const int64_t row = 32, plane = 9 * row, entry = 13 * plane,
                  middle = (2 + 4) * plane + 4 * row + 4;
    struct workload *w = create("lbm", "9,9,1");
    float *from = workload_host(w, "grid0");
    const float *to = workload_host(w, "grid1");
    for (int64_t k = 0; k < 20; k++) {
        for (int64_t i = 0; i < 9 * plane; i++)
            from[k * entry + 2 * plane + i] = k == 0   ? 1.0f / 3
                                              : k < 7  ? 1.0f / 18
                                              : k < 19 ? 1.0f / 36
                                                       : 0;
        from[k * entry + middle] *= 3;
    }
    struct workload_counts counts;
    assert_int_equal(workload_run_functional(w, &counts), 0);
    for (int64_t d = 0; d < 125; d++) {
        const int64_t dx = d % 5 - 2, dy = d / 5 % 5 - 2, dz = d / 25 - 2;
        const int64_t far = dx * dx + dy * dy + dz * dz;
        const double more = far == 0 ? 2.0 / 3 : far == 1 ? 2.0 / 18 : far == 2 ? 2.0 / 36 : 0;
        double sum = 0;
        for (int64_t k = 0; k < 19; k++)
            sum += to[k * entry + middle + dz * plane + dy * row + dx];
        if (!(fabs(sum - 1 - more) < 1e-5))
            fail_msg("density of %g at %d %d %d", sum, (int)dx, (int)dy, (int)dz);
    }
    w->destroy(w);
}

/* What a call option pays on average over the normal distribution of the logarithm of the price,
 * discounted: by the midpoint rule, without the formula of Black and Scholes. */
static double price_of_call(double price, double strike, double years, double rate,
                            double volatility) {
    const double step = 16.0 / 4000, spread = volatility * sqrt(years);
    double sum = 0;
    for (int i = 0; i < 4000; i++) {
        const double z = -8 + (i + 0.5) * step;
        const double then = price * exp((rate - volatility * volatility / 2) * years + spread * z);
        sum += fmax(then - strike, 0) * exp(-z * z / 2) * step;
    }
    return exp(-rate * years) * sum / sqrt(2 * acos(-1));
}

/* The call is worth what it pays; and to buy and sell at the strike is a forward contract. */
static void test_blackscholes_prices(void **state) {
    (void)state;
    struct workload *w = create("blackscholes", "200,1");
    run(w, RUN_ROUND_ROBIN);
    const float *price = workload_host(w, "price"), *strike = workload_host(w, "strike"),
                *years = workload_host(w, "years"), *call = workload_host(w, "call"),
                *put = workload_host(w, "put");
    for (int i = 0; i < 200; i++) {
        const double s = price[i], k = strike[i], t = years[i], c = call[i], p = put[i];
        assert_true(fabs(c - price_of_call(s, k, t, 0.02, 0.30)) < 1e-3);
        assert_true(fabs(c - p - (s - k * exp(-0.02 * t))) < 1e-3);
    }
    w->destroy(w);
}

/* Trees of 512 steps come near the price, to 0.01 or 1 %; their error is largest where the price is
 * far below the strike, and halves if the steps double. Options are drawn as the workload does. */
static void test_binomialoptions_prices(void **state) {
    (void)state;
    struct rng r = {0xb10};
    struct workload *w = create("binomialoptions", "40,512");
    run(w, RUN_ROUND_ROBIN);
    const float *value = workload_host(w, "value");
    int worth = 0;
    for (int i = 0; i < 40; i++) {
        float price, strike, years;
        rng_fill(&r, &price, 1, 5, 30);
        rng_fill(&r, &strike, 1, 1, 100);
        rng_fill(&r, &years, 1, 0.25f, 10);
        const double call = price_of_call((double)price, (double)strike, (double)years, 0.06, 0.10);
        worth += call > 0.1;
        if (!(fabs((double)value[i] - call) < 0.01 * fmax(call, 1)))
            fail_msg("option %d is worth %g, expected %g", i, (double)value[i], call);
    }
    assert_true(worth > 5);
    w->destroy(w);
}

/* Of 3 N points at equal distances in 0..1, the quantiles have the points as their probabilities.
 */
static void test_qrng_quantiles(void **state) {
    (void)state;
    const unsigned n = 3 * 1000;
    struct workload *w = create("qrng", "1000,1");
    run(w, RUN_ROUND_ROBIN);
    const float *quantile = workload_host(w, "output");
    for (unsigned i = 0; i < n; i++) {
        const double below = erfc((double)-quantile[i] / sqrt(2)) / 2, p = (i + 1) / (n + 1.0);
        if (!(fabs(below - p) < 3e-6))
            fail_msg("%g lie below quantile %u, expected %g", below, i, p);
    }
    w->destroy(w);
}

/* Difference of a part of a frame of 48 x 32 pixels, wide x high from (x0, y0) on, to the reference
 * moved by (dx, dy), whose outermost pixels repeat. */
static unsigned difference(const uint16_t *frame, const uint16_t *ref, int x0, int y0, int wide,
                           int high, int dx, int dy) {
    unsigned sum = 0;
    for (int y = y0; y < y0 + high; y++)
        for (int x = x0; x < x0 + wide; x++) {
            int column = x + dx, row = y + dy;
            if (column < 0)
                column = 0;
            if (column > 47)
                column = 47;
            if (row < 0)
                row = 0;
            if (row > 31)
                row = 31;
            sum += (unsigned)abs(frame[48 * y + x] - ref[48 * row + column]);
        }
    return sum;
}

/* All 41 parts of the macroblocks in two corners, at all positions. */
static void test_sad_differences(void **state) {
    static const struct {
        int before, wide, high; /* parts of a macroblock in the shapes before; pixels */
    } shape[] = {{0, 16, 16}, {1, 16, 8}, {3, 8, 16}, {5, 8, 8}, {9, 8, 4}, {17, 4, 8}, {25, 4, 4}};
    (void)state;
    struct workload *w = create("sad", "48,32");
    run(w, RUN_ROUND_ROBIN);
    const uint16_t *frame = workload_host(w, "frame"), *ref = workload_host(w, "ref"),
                   *sums = workload_host(w, "blk_sad");
    for (int macroblock = 0; macroblock < 6; macroblock += 5)
        for (int s = 0; s < 7; s++) {
            const int wide = shape[s].wide, high = shape[s].high, parts = 256 / (wide * high);
            for (int p = 0; p < parts; p++)
                for (int at = 0; at < 33 * 33; at++) {
                    const int x0 = macroblock % 3 * 16 + p % (16 / wide) * wide,
                              y0 = macroblock / 3 * 16 + p / (16 / wide) * high;
                    const int first = 1096 * (6 * shape[s].before + parts * macroblock + p);
                    assert_int_equal(sums[first + at], difference(frame, ref, x0, y0, wide, high,
                                                                  at % 33 - 16, at / 33 - 16));
                }
        }
    w->destroy(w);
}

/* Some points, in double precision; the samples are drawn as the workload draws them. */
static void test_mriq_points(void **state) {
    enum { POINTS = 512, SAMPLES = 1300 };
    static float sample[SAMPLES][3];
    (void)state;
    struct workload *w = create("mriq", "512,1300");
    run(w, RUN_ROUND_ROBIN);
    const float *phi_r = workload_host(w, "phiR"), *phi_i = workload_host(w, "phiI"),
                *x = workload_host(w, "x"), *y = workload_host(w, "y"), *z = workload_host(w, "z"),
                *real = workload_host(w, "Qr"), *imaginary = workload_host(w, "Qi");
    struct rng r = {0x3219};
    for (int i = 0; i < 2 * SAMPLES + 3 * POINTS; i++)
        rng_unit(&r); /* the other inputs */
    rng_fill(&r, sample[0], 3ull * SAMPLES, -1, 1);
    for (int i = 3; i < POINTS; i += 127) {
        double sum[2] = {0, 0};
        for (int k = 0; k < SAMPLES; k++) {
            const double turns = (double)sample[k][0] * (double)x[i] +
                                 (double)sample[k][1] * (double)y[i] +
                                 (double)sample[k][2] * (double)z[i];
            const double weight = pow((double)phi_r[k], 2) + pow((double)phi_i[k], 2);
            sum[0] += weight * cos(2 * acos(-1) * turns);
            sum[1] += weight * sin(2 * acos(-1) * turns);
        }
        assert_true(fabs(sum[0] - (double)real[i]) < 1e-3);
        assert_true(fabs(sum[1] - (double)imaginary[i]) < 1e-3);
    }
    w->destroy(w);
}

/* The columns of q are of length 1 and at right angles, and q r is what a was. */
static void test_gramschm_factors(void **state) {
    enum { N = 40 };
    static float a[N * N];
    (void)state;
    struct workload *w = create("gramschm", "40");
    memcpy(a, workload_host(w, "a"), sizeof a);
    run(w, RUN_ROUND_ROBIN);
    const float *q = workload_host(w, "q"), *r = workload_host(w, "r");
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            double columns = 0, product = 0;
            for (int k = 0; k < N; k++) {
                columns += (double)q[k * N + i] * (double)q[k * N + j];
                product += (double)q[i * N + k] * (double)r[k * N + j];
            }
            assert_true(fabs(columns - (i == j)) < 1e-5);
            assert_true(fabs(product - (double)a[i * N + j]) < 1e-4);
        }
    w->destroy(w);
}

/* All three ways find the same distances, which no edge makes shorter, and the same parents: of the
 * edges that come from a level less, the lowest. */
static void test_bfs2_parents(void **state) {
    enum { N = 2000 };
    static int32_t dist[N], par[N], lowest[N];
    (void)state;
    for (int way = 0; way < 3; way++) {
        char size[20];
        snprintf(size, sizeof size, "%d,%d", N, way);
        struct workload *w = create("bfs2", size);
        run(w, RUN_REVERSE);
        const int32_t *off = workload_host(w, "off"), *deg = workload_host(w, "deg");
        const int32_t *adj = workload_host(w, "adj");
        if (way == 0) {
            memcpy(dist, workload_host(w, "dist"), sizeof dist);
            memcpy(par, workload_host(w, "par"), sizeof par);
        }
        assert_memory_equal(dist, workload_host(w, "dist"), sizeof dist);
        assert_memory_equal(par, workload_host(w, "par"), sizeof par);
        for (int v = 0; v < N; v++)
            lowest[v] = INT32_MAX;
        for (int v = N; v-- > 0;)
            for (int32_t e = off[v] + deg[v]; e-- > off[v] && dist[v] < INT32_MAX;) {
                assert_true(dist[adj[e]] <= dist[v] + 1);
                if (dist[adj[e]] == dist[v] + 1)
                    lowest[adj[e]] = e;
            }
        assert_memory_equal(par, lowest, sizeof par);
        w->destroy(w);
    }
}

/* The only vertex has edges to itself. Flat; queue, which loads its range again after each edge;
 * scan, in whose last kernel one thread loads the sum before its block. */
static void test_bfs2_counts(void **state) {
    static const struct {
        uint64_t loads, of_an_edge, stores, barriers;
    } expected[] = {{3, 2, 0, 0}, {3, 4, 0, 0}, {3 + 3 + 1 + 1 + 3, 6, 1 + 2, 1 + 20 + 1}};
    (void)state;
    for (int way = 0; way < 3; way++) {
        char size[20];
        snprintf(size, sizeof size, "1,%d", way);
        struct workload *w = create("bfs2", size);
        const struct workload_counts c = run(w, RUN_ROUND_ROBIN);
        const int32_t *deg = workload_host(w, "deg");
        assert_true(deg[0] >= 4);
        assert_int_equal(c.warp_loads,
                         expected[way].loads + expected[way].of_an_edge * (uint64_t)deg[0]);
        assert_int_equal(c.warp_stores, expected[way].stores);
        assert_int_equal(c.barriers, expected[way].barriers);
        assert_int_equal(c.warp_atomics, 0);
        w->destroy(w);
    }
}

/* Of the sets of up to four of the nodes before the last one in the order, the best for it. */
static void test_bn_finds_the_best(void **state) {
    enum { N = 8, SETS = 1 + 7 + 21 + 35 + 35 }; /* C(7, 0) + .. + C(7, 4) */
    (void)state;
    struct workload *w = create("bn", "8,12,1");
    run(w, RUN_ROUND_ROBIN);
    const float *scores = workload_host(w, "scores"), *best = workload_host(w, "best");
    const uint8_t *before = workload_host(w, "parent");
    unsigned node = 0;
    while (before[node])
        node++;
    float most = scores[node * SETS];
    for (unsigned i = 1; i < SETS; i++)
        most = fmaxf(most, scores[node * SETS + i]);
    assert_true(w->arrays[1].bytes == N * SETS * sizeof *scores);
    assert_true(most == best[0]);
    w->destroy(w);
}

/* Errors become smaller, and each of the sums has its atomics. */
static void test_cnn_learns(void **state) {
    float error[2] = {0};
    (void)state;
    for (int longer = 0; longer < 2; longer++) {
        struct workload *w = create("cnn", longer ? "12" : "1");
        const struct workload_counts c = run(w, RUN_GREEDY);
        const float *d = workload_host(w, "f.d_sum");
        for (int i = 0; i < 10; i++)
            error[longer] += fabsf(d[i]);
        assert_int_equal(c.warp_atomics, (longer ? 12 : 1) * 128 * (2 * 22 + 7));
        w->destroy(w);
    }
    assert_true(error[1] < error[0]);
}

/* Points in a row, away from all queries or towards them: no row moves, or each goes to the first
 * place. 32 warps of pairs; one of queries; 4 of roots. */
static void test_knn_counts(void **state) {
    static const struct {
        uint64_t loads, stores;
    } insert[] = {
        {1 + 31 + 3, 1 + 3},
        /* looks at one place, but for row 1; moves 1, 2, then 3; takes the greatest */
        {1 + 31 + 30 + 2 * (1 + 2 + 29 * 3) + 31, 1 + 2 * (1 + 2 + 29 * 3) + 2 * 31},
    };
    (void)state;
    for (int towards = 0; towards < 2; towards++) {
        struct workload *w = create("knn", "32,16,4,1");
        float *ref = workload_host(w, "ref");
        memset(ref, 0, w->arrays[0].bytes);
        memset(workload_host(w, "query"), 0, w->arrays[1].bytes);
        for (int i = 0; i < 32; i++)
            ref[i] = (float)(towards ? 32 - i : i + 1);
        const struct workload_counts c = run(w, RUN_ROUND_ROBIN);
        const float *dist = workload_host(w, "dist");
        const int32_t *ind = workload_host(w, "ind");
        for (int i = 0; i < 4 * 32; i++) {
            assert_int_equal(ind[i], towards ? 31 - i / 32 : i / 32);
            assert_true(dist[i] == (float)(i / 32 + 1));
        }
        assert_int_equal(c.warp_loads, 32 * 2 + insert[towards].loads + 4);
        assert_int_equal(c.warp_stores, 32 + insert[towards].stores + 4);
        assert_int_equal(c.barriers, 32 * 2);
        w->destroy(w);
    }
}

/* What the passes lead to: images on the margin have a multiplier, those behind it have none. */
static void test_svm_separates(void **state) {
    (void)state;
    struct workload *w = create("svm", "48,1000");
    run(w, RUN_ROUND_ROBIN);
    const float *alpha = workload_host(w, "alpha"), *sigma = workload_host(w, "sigma"),
                *k = workload_host(w, "K");
    const int32_t *y = workload_host(w, "y");
    for (int j = 0; j < 48; j++) {
        double sum = 0;
        for (int i = 0; i < 48; i++)
            sum += (double)alpha[i] * y[i] * (double)k[i * 48 + j];
        assert_true(fabs(sum - (double)sigma[j]) < 1e-3);
        assert_true(k[j * 48 + j] == 1 && alpha[j] < 10);
        assert_true(alpha[j] > 0 ? fabs(y[j] * sum - 1) < 0.01 : y[j] * sum > 0.99);
    }
    w->destroy(w);
}

/* At weights of 0 each class has half a chance; the first step goes against the slope of that.
 * Later the weight of the first feature tells that the class is likelier below. */
static void test_lr_learns(void **state) {
    (void)state;
    struct workload *w = create("lr", "400,2,1");
    run(w, RUN_ROUND_ROBIN);
    const float *features = workload_host(w, "features"), *weights = workload_host(w, "weights");
    const uint16_t *class = workload_host(w, "class");
    for (int f = 0; f < 2; f++) {
        double slope = 0;
        for (int i = 0; i < 400; i++)
            slope += (double)features[400 * f + i] * (0.5 - class[i]);
        assert_true(fabs((double)weights[f] + 10.0 / 400 * slope) < 1e-5);
    }
    w->destroy(w);
    w = create("lr", "400,2,50");
    run(w, RUN_ROUND_ROBIN);
    weights = workload_host(w, "weights");
    assert_true(weights[0] < -1 && weights[1] > 1);
    w->destroy(w);
}

/* ---- Arrays ---- */

static void test_allocation(void **state) {
    (void)state;
    for (const struct workload_type *const *t = workload_types; *t; t++) {
        struct workload *w = create((*t)->name, NULL);
        uint64_t base = 0x80000000;
        for (unsigned i = 0; i < w->n_arrays; i++) {
            assert_int_equal(w->arrays[i].base, base);
            base += (w->arrays[i].bytes + 255) / 256 * 256;
        }
        w->destroy(w);
    }
}

/* ---- verify sees faults ---- */

/* A byte in the middle of the array. */
static unsigned char *middle_byte(struct workload *w, const char *array) {
    for (unsigned i = 0; i < w->n_arrays; i++)
        if (strcmp(w->arrays[i].name, array) == 0)
            return (unsigned char *)workload_host(w, array) + w->arrays[i].bytes / 2;
    fail_msg("%s has no array %s", w->type->name, array);
    return NULL;
}

static const struct {
    const char *name, *size, *array;
} results[] = {
    {"addvect", "1000", "y"},
    {"2dconv", "40", "b"},
    {"gemm", "20", "c"},
    {"atax", "50", "y"},
    {"atax", "50", "tmp"},
    {"bfs", "300", "cost"},
    {"hotspot", "33", "t0"},
    {"hotspot", "33,2,2", "t1"},
    {"kmeans", "200,2,3,4", "member"},
    {"ra", "3000", "output"},
    {"bicg", "50", "s"},
    {"bicg", "50", "q"},
    {"mvt", "50", "x1"},
    {"mvt", "50", "x2"},
    {"gesummv", "50", "y"},
    {"gesummv", "50", "tmp"},
    {"3dconv", "12", "b"},
    {"fdtd2d", "33", "ex"},
    {"fdtd2d", "33", "ey"},
    {"fdtd2d", "33", "hz"},
    {"corr", "30", "mean"},
    {"corr", "30", "stddev"},
    {"corr", "30", "data"},
    {"corr", "30", "symmat"},
    {"covar", "30", "mean"},
    {"covar", "30", "data"},
    {"covar", "30", "symmat"},
    {"syrk", "20", "c"},
    {"syrk", "20,0,45", "c"},
    {"syr2k", "20", "c"},
    {"syr2k", "20,0,45", "c"},
    {"sssp", "300", "dist"},
    {"sssp", "300", "updated"},
    {"backprop", "32", "psum"},
    {"backprop", "32", "w"},
    {"backprop", "32", "oldw"},
    {"gaussian", "9", "a"},
    {"gaussian", "9", "b"},
    {"gaussian", "9", "m"},
    {"nw", "32", "mat"},
    {"pathfinder", "90,9,4", "res0"},
    {"pathfinder", "90,9,8", "res1"},
    {"srad", "32,1", "C"},
    {"srad", "48,2", "J"},
    {"sc", "90,2,3,4", "point"},
    {"sc", "90,2,3,4", "switch_m"},
    {"sc", "90,2,3,4", "center_table"},
    {"sc", "90,2,3,4", "work"},
    {"cfd", "200,1", "var"},
    {"cfd", "200,1", "flux"},
    {"btree", "500,3", "ans"},
    {"btree", "500,3", "recstart"},
    {"btree", "500,3", "reclen"},
    {"transpose", "32", "out"},
    {"transpose", "32,1", "out"},
    {"spmv", "300", "y"},
    {"stencil", "33,5,1", "b"},
    {"stencil", "33,5,2", "a"},
    {"scan", "1000", "out"},
    {"fwt", "8", "data"},
    {"fwt", "8", "kernel"},
    {"dwt2d", "48,1", "c_r_out"},
    {"dwt2d", "48,1", "c_g_out"},
    {"dwt2d", "80,2", "c_b_out"},
    {"histo", "300,2", "histogram"},
    {"sn", "11", "sorted_key"},
    {"sn", "11", "sorted_value"},
    {"lud", "48", "m"},
    {"scalarprod", "1500,3", "c"},
    {"pfilter", "600,3", "seed"},
    {"pfilter", "600,3", "weights"},
    {"pfilter", "600,3", "arrayX"},
    {"pfilter", "600,3", "arrayY"},
    {"pfilter", "600,3", "xj"},
    {"pfilter", "600,3", "yj"},
    {"pfilter", "600,3", "CDF"},
    {"pfilter", "600,3", "u"},
    {"pfilter", "600,3", "likelihood"},
    {"pfilter", "600,3", "ind"},
    {"patterns", "4,40,1,5,3", "data"},
    {"hotspot3d", "64,3,1", "t1"},
    {"hotspot3d", "64,2,2", "t0"},
    {"leukocyte", "3,46,1,1,1", "gicov"},
    {"leukocyte", "3,46,1,1,1", "dilated"},
    {"leukocyte", "3,46,2,2,2", "V"},
    {"hybridsort", "5000,1", "hist"},
    {"hybridsort", "5000,1", "d_offsets"},
    {"hybridsort", "20000,1", "d_in"},
    {"hybridsort", "40000,1", "d_out"},
    {"heartwall", "2,3,5,3", "inner_templates"},
    {"heartwall", "3,3,5,3", "outer_templates"},
    {"heartwall", "3,3,5,3", "conv"},
    {"heartwall", "3,3,5,3", "sub2"},
    {"heartwall", "3,3,5,3", "sqr_sub2"},
    {"heartwall", "3,3,5,3", "place"},
    {"sgemm", "128,16,8", "c"},
    {"mriq", "256,33", "phiMag"},
    {"mriq", "256,33", "Qr"},
    {"mriq", "256,33", "Qi"},
    {"sad", "32,16", "blk_sad"},
    {"alignedtypes", "1024", "out"},
    {"alignedtypes", "1024,1,1", "out"},
    {"asyncapi", "1024", "data"},
    {"blackscholes", "300", "call"},
    {"blackscholes", "300", "put"},
    {"sobolqrng", "300,3", "output"},
    {"qrng", "300", "output"},
    {"binomialoptions", "3,64", "buffer"},
    {"binomialoptions", "3,64", "value"},
    {"lbm", "10,4,1", "grid1"},
    {"lbm", "10,4,2", "grid0"},
    {"cutcp", "16,8,5", "energy"},
    {"convsep", "128,64", "buffer"},
    {"convsep", "256,64", "output"},
    {"reduction", "700", "odata"},
    {"reduction", "60000", "odata"},
    {"mergesort", "2048", "sorted_key"},
    {"mergesort", "5120", "sorted_value"},
    {"radixsort", "1024", "keys"},
    {"radixsort", "1024", "values"},
    {"2mm", "20", "c"},
    {"2mm", "20", "e"},
    {"3mm", "20", "e"},
    {"3mm", "20", "f"},
    {"3mm", "20", "g"},
    {"gramschm", "20", "a"},
    {"gramschm", "20", "r"},
    {"gramschm", "20", "q"},
    {"knn", "48,16,5", "dist"},
    {"knn", "48,16,5", "ind"},
    {"svm", "33,2", "K"},
    {"svm", "33,2", "alpha"},
    {"svm", "33,2", "sigma"},
    {"lr", "200,5,2", "cost"},
    {"lr", "200,5,2", "gradient"},
    {"lr", "200,5,2", "weights"},
    {"kmeans2", "60,3,2", "dst"},
    {"kmeans2", "60,3,2", "group"},
    {"kmeans2", "60,3,2", "nx"},
    {"kmeans2", "60,3,2", "ny"},
    {"kmeans2", "60,3,2", "sum_x"},
    {"kmeans2", "60,3,2", "sum_y"},
    {"kmeans2", "60,3,2", "mu_x"},
    {"kmeans2", "60,3,2", "mu_y"},
    {"bfs2", "500,0", "dist"},
    {"bfs2", "500,0", "par"},
    {"bfs2", "500,1", "queue"},
    {"bfs2", "500,1", "next queue"},
    {"bfs2", "500,2,6", "queue"},
    {"bfs2", "500,2,6", "par"},
    {"bn", "8,5,2", "scores"},
    {"bn", "8,5,2", "best"},
    {"bn", "8,5,2", "sets"},
    {"cnn", "1", "c1.weight"},
    {"cnn", "1", "s1.weight"},
    {"cnn", "1", "f.weight"},
    {"cnn", "2", "c1.bias"},
    {"cnn", "2", "c1.d_weight"},
    {"cnn", "2", "f.bias"},
};

static void test_wrong_result_is_seen(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof results / sizeof *results; i++) {
        struct workload *w = create(results[i].name, results[i].size);
        run(w, RUN_ROUND_ROBIN);
        unsigned char *v = middle_byte(w, results[i].array);
        char err[200] = "";
        *v ^= 0x10;
        assert_int_equal(w->verify(w, err, sizeof err), -1);
        assert_non_null(strstr(err, results[i].array));
        *v ^= 0x10;
        assert_int_equal(w->verify(w, err, sizeof err), 0);
        w->destroy(w);
    }
}

static void test_wrong_count_is_seen(void **state) {
    (void)state;
    for (const struct workload_type *const *t = workload_types; *t; t++) {
        struct workload *w = create((*t)->name, small_size((*t)->name));
        run(w, RUN_ROUND_ROBIN);
        for (unsigned i = 0; i < w->n_arrays; i++) {
            char err[200] = "";
            w->arrays[i].loads++;
            assert_int_equal(w->verify(w, err, sizeof err), -1);
            assert_non_null(strstr(err, w->arrays[i].name));
            w->arrays[i].loads--;
            w->arrays[i].stores--;
            assert_int_equal(w->verify(w, err, sizeof err), -1);
            w->arrays[i].stores++;
            w->arrays[i].atomics++;
            assert_int_equal(w->verify(w, err, sizeof err), -1);
            w->arrays[i].atomics--;
            assert_int_equal(w->verify(w, err, sizeof err), 0);
        }
        w->destroy(w);
    }
}

/* A workload that was not run is not taken for a good one. */
static void test_not_run_is_seen(void **state) {
    (void)state;
    for (const struct workload_type *const *t = workload_types; *t; t++) {
        struct workload *w = create((*t)->name, small_size((*t)->name));
        char err[200] = "";
        assert_int_equal(w->verify(w, err, sizeof err), -1);
        assert_true(strlen(err) > 0);
        w->destroy(w);
    }
}

/* ---- Sizes ---- */

static void refused(const char *name, const char *size, const char *why) {
    char err[200] = "";
    assert_null(workload_find(name)->create(size, err, sizeof err));
    if (!strstr(err, why) || strncmp(err, name, strlen(name)) != 0 || strchr(err, '\n'))
        fail_msg("%s:%s: message \"%s\"", name, size, err);
}

static void test_bad_sizes(void **state) {
    (void)state;
    for (const struct workload_type *const *t = workload_types; *t; t++) {
        const char *name = (*t)->name;
        refused(name, "", "not a whole number");
        refused(name, "x", "not a whole number");
        refused(name, "-5", "not a whole number");
        refused(name, " 64", "not a whole number");
        refused(name, "64 ", "not a whole number");
        refused(name, "1e3", "not a whole number");
        char longer[100];
        snprintf(longer, sizeof longer, "%.*s,", (int)strcspn(small_size(name), ","),
                 small_size(name));
        refused(name, longer,
                strchr((*t)->size_doc, '[') ? "not a whole number" : "more than 1 value");
        snprintf(longer, sizeof longer, "%s,1,1,1,1", small_size(name));
        refused(name, longer, "more than");
        refused(name, "0", "must be from");
        refused(name, "4294967297", "must be from");
        refused(name, "99999999999999999999999999", "must be from");
    }
    refused("gemm", "32,2", "L must be from 0 to 1");
    refused("gemm", "16384", "2 GiB");
    refused("hotspot", "64,8", "P must be from 1 to 7");
    refused("hotspot", "64,2,0", "S must be from");
    refused("kmeans", "10,2,11", "K");
    refused("kmeans", "268435456,34", "2 GiB");
    refused("2dconv", "2", "must be from");
    refused("3dconv", "2", "N must be from 3");
    refused("3dconv", "1024", "2 GiB");
    refused("mvt", "32,2", "L must be from 0 to 1");
    refused("syrk", "16385", "N must be from 1 to 16384");
    refused("syr2k", "32,2", "L must be from 0 to 1");
    refused("syr2k", "32,0,16385", "K must be from 0 to 16384");
    refused("corr", "16384", "2 GiB");
    refused("covar", "32,2", "L must be from 0 to 1");
    refused("fdtd2d", "64,0", "S must be from");
    refused("sssp", "2", "N must be from 3");
    refused("backprop", "100", "N, 100, is not a multiple of 16");
    refused("nw", "1030", "not a multiple of 16");
    refused("nw", "16384", "must be from");
    refused("srad", "16", "must be from 32");
    refused("srad", "40", "not a multiple of 16");
    refused("pathfinder", "64,1", "R must be from 2");
    refused("pathfinder", "64,9,128", "P must be from 1 to 127");
    refused("pathfinder", "16777216,1048576", "2 GiB");
    refused("sc", "10,2,11", "K, 11, is more than N, 10");
    refused("sc", "16777216,4096", "2 GiB");
    refused("cfd", "8388608,2001", "I must be from");
    refused("btree", "5,65536", "Q must be from");
    refused("transpose", "40", "not a multiple of 16");
    refused("transpose", "32,3", "V must be from 0 to 2");
    refused("spmv", "64,0", "I must be from");
    refused("stencil", "3,2", "Z must be from 3");
    refused("stencil", "8192,8192", "2 GiB");
    refused("scan", "134217729", "must be from 1 to 134217728");
    refused("fwt", "1", "E must be from 2 to 26");
    refused("fwt", "6", "K, 7, is more than E, 6");
    refused("dwt2d", "56", "not a multiple of 16");
    refused("dwt2d", "48,2", "L, 2, leaves less than");
    refused("histo", "64,257", "B must be from 1 to 256");
    refused("sn", "9", "E must be from 10 to 26");
    refused("lud", "40", "not a multiple of 16");
    refused("scalarprod", "64,0", "V must be from");
    refused("pfilter", "64,1", "F must be from 2");
    refused("patterns", "7", "T must be from 1 to 6");
    refused("patterns", "2,64,4,1,32", "L must be from 1 to 31");
    refused("scalarprod", "16777216,1024", "2 GiB");
    refused("hotspot3d", "96", "not a multiple of 64");
    refused("hotspot3d", "64,1", "Z must be from 2");
    refused("hotspot3d", "8192,64", "2 GiB");
    refused("leukocyte", "1", "N must be from 2");
    refused("leukocyte", "8,44", "W must be from 45");
    refused("leukocyte", "8,64,1,1,501", "I must be from");
    refused("leukocyte", "8,1048576", "2 GiB");
    refused("hybridsort", "64,0", "R must be from");
    refused("hybridsort", "67108865", "N must be from 1 to 67108864");
    refused("heartwall", "52", "P must be from 2 to 51");
    refused("heartwall", "5,1", "F must be from 2");
    refused("heartwall", "5,2,41", "S must be from 2 to 40");
    refused("heartwall", "5,2,4,26", "T must be from 1 to 25");
    refused("sgemm", "200", "M, 200, is not a multiple of 128");
    refused("sgemm", "128,24", "N, 24, is not a multiple of 16");
    refused("sgemm", "128,16,12", "K, 12, is not a multiple of 8");
    refused("sgemm", "16384,16384,16384", "2 GiB");
    refused("mriq", "300", "N, 300, is not a multiple of 256");
    refused("mriq", "256,1025", "K, 1025, is odd and more than 1024");
    refused("mriq", "134217728", "2 GiB");
    refused("sad", "40", "W, 40, is not a multiple of 16");
    refused("sad", "16,24", "H, 24, is not a multiple of 16");
    refused("sad", "8192,8192", "2 GiB");
    refused("alignedtypes", "300", "N, 300, is not a multiple of 256");
    refused("alignedtypes", "128", "N must be from 256 to 1073741824");
    refused("alignedtypes", "256,0", "I must be from");
    refused("alignedtypes", "256,1,2", "V must be from 0 to 1");
    refused("asyncapi", "1000", "not a multiple of 512");
    refused("asyncapi", "256", "N must be from 512");
    refused("blackscholes", "67108865", "N must be from 1 to 67108864");
    refused("blackscholes", "64,0", "I must be from");
    refused("sobolqrng", "64,65536", "D must be from 1 to 65535");
    refused("sobolqrng", "64,3,0", "M must be from");
    refused("sobolqrng", "268435456,2", "2 GiB");
    refused("qrng", "16777216", "N must be from 1 to 16777215");
    refused("qrng", "64,0", "I must be from");
    refused("binomialoptions", "1025", "N must be from 1 to 1024");
    refused("binomialoptions", "4,40", "S, 40, is not a multiple of 32");
    refused("binomialoptions", "4,0", "S must be from 32");
    refused("lbm", "2", "N must be from 3 to 1024");
    refused("lbm", "8,2", "Z must be from 3");
    refused("lbm", "8,8,0", "I must be from");
    refused("lbm", "1024,64", "2 GiB");
    refused("cutcp", "12", "N, 12, is not a multiple of 8");
    refused("cutcp", "16,20", "Z, 20, is not a multiple of 8");
    refused("cutcp", "8,8,21", "R must be from 1 to 20");
    refused("cutcp", "1024,512", "2 GiB");
    refused("convsep", "192", "W, 192, is not a multiple of 128");
    refused("convsep", "128,96", "H, 96, is not a multiple of 64");
    refused("convsep", "128,0", "H must be from 64 to 16384");
    refused("convsep", "16384,16384", "2 GiB");
    refused("reduction", "1", "must be from 2 to 268435456");
    refused("mergesort", "1000", "must be from 1024");
    refused("mergesort", "1536", "N, 1536, is not a multiple of 1024");
    refused("radixsort", "500", "N must be from 512 to 67108864");
    refused("radixsort", "1000", "N, 1000, is not a multiple of 512");
    refused("2mm", "32,2", "L must be from 0 to 1");
    refused("2mm", "16384", "2 GiB");
    refused("3mm", "16385", "N must be from 1 to 16384");
    refused("gramschm", "16384", "2 GiB");
    refused("knn", "40", "R, 40, is not a multiple of 16");
    refused("knn", "32,24", "D, 24, is not a multiple of 16");
    refused("knn", "16,16,17", "K, 17, is more than R, 16");
    refused("knn", "64,16,4,0", "I must be from");
    refused("knn", "16384,16,16384", "2 GiB");
    refused("svm", "1025", "L must be from 1 to 1024");
    refused("svm", "32,0", "P must be from");
    refused("svm", "32,2,33", "E must be from 1 to 32");
    refused("lr", "64,0", "F must be from");
    refused("lr", "64,2,0", "I must be from");
    refused("lr", "16777216,65536", "2 GiB");
    refused("kmeans2", "10,11", "K, 11, is more than N, 10");
    refused("kmeans2", "2000,1025", "K must be from 1 to 1024");
    refused("kmeans2", "67108864,1024", "2 GiB");
    refused("bfs2", "64,3", "A must be from 0 to 2");
    refused("bfs2", "64,2,11", "E must be from 5 to 10");
    refused("bn", "65", "N must be from 1 to 64");
    refused("bn", "8,0", "D must be from");
    refused("bn", "8,4,0", "I must be from");
    refused("cnn", "60001", "I must be from 1 to 60000");
}

static void test_default_size(void **state) {
    (void)state;
    struct workload *w = create("kmeans", NULL);
    assert_int_equal(w->arrays[0].bytes, 16384 * 34 * 4);
    w->destroy(w);
    w = create("kmeans", "100");
    assert_int_equal(w->arrays[0].bytes, 100 * 34 * 4);
    w->destroy(w);
    assert_null(workload_find("nothing"));
}

/* ---- The runner sees faults ---- */

struct probe {
    struct lane_workload base;
    struct warp_inst script[3]; /* then exit */
    ARRAY(float) data;
};

struct probe_warp {
    struct warp_head head;
    unsigned at;
};

static void probe_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                       struct warp_inst *inst) {
    struct probe *m = ctx;
    struct probe_warp *w = state;
    (void)place;
    (void)cta;
    if (w->at < 3)
        *inst = m->script[w->at++];
    else
        lane_inst(inst, WARP_EXIT, 0, 1, 0, 0);
}

static bool probe_next(struct workload *w, struct kernel_launch *launch) {
    struct probe *m = (struct probe *)w;
    if (m->base.launched++ > 0)
        return false;
    *launch = (struct kernel_launch){.name = "probe",
                                     .grid = {1, 1, 1},
                                     .block = {20, 1, 1},
                                     .warp_state_size = sizeof(struct probe_warp),
                                     .step = probe_step,
                                     .ctx = m};
    return true;
}

/* A block of 20 threads that runs `inst`, one load counted. Says what the runner found. */
static void runner_says(struct warp_inst inst, const char *what) {
    static const struct workload_type type = {.name = "probe"};
    struct workload_counts counts;
    char err[200];
    struct probe *m = workload_new(&type, sizeof *m, err, sizeof err);
    assert_non_null(m);
    assert_true(NEW_ARRAY(m, data, 100, err, sizeof err));
    m->base.w.next = probe_next;
    m->data.dev->loads = 1;
    for (int i = 0; i < 3; i++)
        m->script[i] = (struct warp_inst){.op = WARP_ALU, .repeat = 1, .mask = 1, .dst = {{R(0)}}};
    m->script[1] = inst;
    const int rc = workload_run_functional(&m->base.w, &counts);
    assert_int_equal(rc, what ? -1 : 0);
    if (what && !strstr(counts.err, what))
        fail_msg("\"%s\" instead of \"%s\"", counts.err, what);
    workload_free(&m->base.w);
}

static void test_runner(void **state) {
    (void)state;
    const struct warp_inst good = {.op = WARP_LOAD,
                                   .mask = 2,
                                   .repeat = 1,
                                   .size = 4,
                                   .dst = {{R(1)}},
                                   .src = {{R(0)}},
                                   .addr = {0, 0x80000000}};
    struct warp_inst bad = good;
    runner_says(good, NULL);
    bad.mask = 0;
    runner_says(bad, "without an active lane");
    bad.mask = 1u << 20;
    runner_says(bad, "no thread");
    bad = good, bad.addr[1] += 2;
    runner_says(bad, "not aligned");
    bad = good, bad.addr[1] += 400;
    runner_says(bad, "outside");
    bad = good, bad.mask = 6, bad.addr[2] = 0x7ffffffc;
    runner_says(bad, "outside the array");
    bad = good, bad.size = 3;
    runner_says(bad, "size");
    bad = good, bad.src.w[0] = R(7);
    runner_says(bad, "read before it is written");
    bad = good, bad.repeat = 2;
    runner_says(bad, "repeat");
    bad = good, bad.dst.w[0] = 0;
    runner_says(bad, "writes a register");
    bad = good, bad.mask = 3, bad.addr[0] = 0x80000000;
    runner_says(bad, "counts");
}

/* ---- --counts ---- */

static int print_counts(const char *spec) {
    char name[64], err[200];
    struct workload_counts c;
    const char *colon = strchr(spec, ':');
    const int length = colon ? (int)(colon - spec) : (int)strlen(spec);
    snprintf(name, sizeof name, "%.*s", length, spec);
    const struct workload_type *type = workload_find(name);
    if (!type) {
        fprintf(stderr, "no workload \"%s\"\n", name);
        return 1;
    }
    struct workload *w = type->create(colon ? colon + 1 : NULL, err, sizeof err);
    if (!w) {
        fprintf(stderr, "%s\n", err);
        return 1;
    }
    int rc = workload_run_functional(w, &c);
    if (rc == 0 && (rc = w->verify(w, c.err, sizeof c.err)) == 0)
        printf("%-8s %-13s %8" PRIu64 " %8" PRIu64 " %9" PRIu64 " %9" PRIu64 " %9" PRIu64
               " %9" PRIu64 "\n",
               name, colon ? colon + 1 : type->default_size, c.launches, c.warps, c.warp_loads,
               c.warp_stores, c.warp_atomics, c.warp_loads + c.warp_stores + c.warp_atomics);
    else
        fprintf(stderr, "%s\n", c.err);
    w->destroy(w);
    return rc != 0;
}

static int print_table(int n, char **specs) {
    int rc = 0;
    printf("%-8s %-13s %8s %8s %9s %9s %9s %9s\n", "workload", "size", "launches", "warps",
           "WMI loads", "stores", "atomics", "all");
    for (int i = 0; i < n; i++)
        rc |= print_counts(specs[i]);
    for (const struct workload_type *const *t = workload_types; n == 0 && *t; t++)
        rc |= print_counts((*t)->name);
    return rc;
}

int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "--counts") == 0)
        return print_table(argc - 2, argv + 2);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_results_and_counts),
        cmocka_unit_test(test_deterministic),
        cmocka_unit_test(test_warp_counts),
        cmocka_unit_test(test_warp_counts_of_more),
        cmocka_unit_test(test_warp_counts_of_blocks),
        cmocka_unit_test(test_sssp_counts),
        cmocka_unit_test(test_spmv_counts),
        cmocka_unit_test(test_leukocyte_counts),
        cmocka_unit_test(test_heartwall_follows),
        cmocka_unit_test(test_bank_conflicts),
        cmocka_unit_test(test_histo_conflicts),
        cmocka_unit_test(test_allocation),
        cmocka_unit_test(test_wrong_result_is_seen),
        cmocka_unit_test(test_wrong_count_is_seen),
        cmocka_unit_test(test_not_run_is_seen),
        cmocka_unit_test(test_bad_sizes),
        cmocka_unit_test(test_default_size),
        cmocka_unit_test(test_runner),
        cmocka_unit_test(test_cutcp_conflicts),
        cmocka_unit_test(test_cutcp_potential),
        cmocka_unit_test(test_lbm_spreads),
        cmocka_unit_test(test_mergesort_counts),
        cmocka_unit_test(test_alignedtypes_order),
        cmocka_unit_test(test_blackscholes_prices),
        cmocka_unit_test(test_qrng_quantiles),
        cmocka_unit_test(test_binomialoptions_prices),
        cmocka_unit_test(test_sad_differences),
        cmocka_unit_test(test_mriq_points),
        cmocka_unit_test(test_gramschm_factors),
        cmocka_unit_test(test_knn_counts),
        cmocka_unit_test(test_bfs2_parents),
        cmocka_unit_test(test_bfs2_counts),
        cmocka_unit_test(test_bn_finds_the_best),
        cmocka_unit_test(test_cnn_learns),
        cmocka_unit_test(test_svm_separates),
        cmocka_unit_test(test_lr_learns),
        cmocka_unit_test(test_repeated),
        cmocka_unit_test(test_repeat_counts),
        cmocka_unit_test(test_observed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
