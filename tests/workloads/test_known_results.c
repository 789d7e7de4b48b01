// SPDX-License-Identifier: Apache-2.0
/* Compares counts and results of single workloads with independent knowledge. The counts follow by
 * hand from the shapes of blocks and data, and the results have known properties (prices, sums,
 * distances, errors). */
#include "tests/workloads/run.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Counts by hand: 64 pixels are two warps per row, and there are 62 rows of inner pixels. */
static void test_warp_counts(void **state) {
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

    /* one tile, with all its rows in the chip after P = 2 rows of border */
    w = create("hotspot", "12,2,2");
    c = run(w, RUN_ROUND_ROBIN);
    assert_int_equal(c.ctas, 1);
    assert_int_equal(c.thread_loads, 2 * 12 * 12);
    assert_int_equal(c.thread_stores, 12 * 12);
    assert_int_equal(c.barriers, 8 * 4);
    w->destroy(w);
}

/* Counts of warp instructions, computed by hand, for sizes of whole warps. */
static const struct {
    const char *name, *size;
    uint64_t loads, stores, alu;
} by_hand[] = {
    /* two of eight warps in both kernels, with loops unrolled by 8 and by 16 */
    {"bicg", "64", 4 * 2 * 64, 4 * (1 + 64), 4 * (1 + 64) + 2 * 4 * (8 + 4)},
    {"mvt", "64", 4 * (1 + 2 * 64), 4 * 64, 4 * 64 + 2 * 4 * (8 + 4)},
    {"gesummv", "32", 6 * 32 + 1, 2 * 32 + 1, 2 * 32 + 4 * 4 + 2},
    /* cells 1 to 32 of 32 rows in 32 planes: lanes 1 to 31 of one warp and lane 0 of the next */
    {"3dconv", "34", 2048 * 11, 2048, 2048 * (20 + 6 + 9)},
    /* two warps per row; in the first kernel, those of row 0 only copy */
    {"fdtd2d", "64,1", 2 + 126 * 3 + 128 * (3 + 5), 128 * 3, 126 * 2 + 128 * (2 + 5)},
    /* one warp, but 32 warps in the third kernel; the fourth kernel has 31 distances between
     * columns */
    {"corr", "32", 32 + 64 + 32 * 3 + 31 * 64, 34 + (34 + 1) + 32 * 2 + (1 + 31 * 34),
     (1 + 32 + 16 + 1) + (1 + 64 + 16 + 4) + 32 * 3 + 31 * (1 + 32 + 16 + 2)},
    /* like corr but without deviations, for 8 rows, and with the diagonal */
    {"covar", "32", 32 + 8 * 2 + 32 * 64, 34 + 8 + 32 * 34, (1 + 32 + 16 + 1) + 8 + 32 * 51},
    {"syrk", "32", 32 * (1 + 2 * 32), 32 * (1 + 32), 32 * (1 + 2 * 32 + 4 * 4)},
    {"syr2k", "32", 32 * (1 + 4 * 32), 32 * (1 + 32), 32 * (1 + 5 * 32 + 4 * 4)},
    /* 128 warps per product */
    {"2mm", "64", 2 * 128 * (1 + 2 * 64), 2 * 128 * 64, 2 * 128 * (64 + 4 * 8)},
    {"3mm", "64", 3 * 128 * (1 + 2 * 64), 3 * 128 * 64, 3 * 128 * (64 + 4 * 8)},
    /* one warp per launch: the norm, the unit vector, and the projection for all columns except
     * the last */
    {"gramschm", "32", 32 * 32 + 32 * 2 + 31 * (2 + 3) * 32, 32 + 32 + 31 * (1 + 2 * 32),
     32 * (2 + 32 + 4 * 4) + 32 + 31 * (1 + 3 * 32 + 2 * 4 * 4)},
};

static void test_warp_counts_of_more(void **state) {
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

/* Numbers of warp instructions, counted by hand from the shape of the blocks. */
static void test_warp_counts_of_blocks(void **state) {
    static const struct {
        const char *name, *size;
        uint64_t loads, stores, barriers;
    } expected[] = {
        /* forward: 8 warps with two rows each; adjust: 8 warps, and one warp for the bias row */
        {"backprop", "16", 8 * 2 + 8 * 7 + 5, 8 * 2 + 8 * 2 + 2, 8 * 8 + 8},
        /* one row of two columns below the pivot's row; the first column also computes b */
        {"gaussian", "2", 2 + 3 + 3, 1 + 1 + 1, 0},
        /* one tile: its corner, west edge and north edge; 16 rows; 31 anti-diagonals */
        {"nw", "16", 3 + 16, 16, 3 + 31},
        /* one block of 8 warps, 7 of which have cells; two rows */
        {"pathfinder", "200,3,2", 7 + 2 * 7, 7, 8 * 4},
        /* four blocks of 8 warps, each at two edges of the image, with two warps at each edge */
        {"srad", "32,1", 32 * 7 + 32 * 8 + 16 + 16, 32 * 5 + 32, 32 * 9},
        /* the only point is both a center and the candidate */
        {"sc", "1,1,1,1", 2 + 2 + 3, 1, 0},
        /* 6 warps that process copies of one element without neighbors */
        {"cfd", "1,1", 6 * (6 + 3 * (5 + 16) + 3 * 11), 6 * (1 + 3 * 5 + 3 * 5), 0},
        /* only one leaf: the kernels find, start and end */
        {"btree", "128,1,128", (8 * 3 + 2) + (8 * 3 + 1) + (8 * 3 + 2), 3, 8},
        {"transpose", "32,1", 4 * 8, 4 * 8, 4 * 8},
        /* three of four warps have cells, in three planes; one of them has an inner cell */
        {"stencil", "3,3,1", 3 * 3, 1, 4 * 4},
        /* one block of 512 elements, one of 1 element, and one for their two sums, which are then
         * added to both */
        {"scan", "513", 17 + 1 + (2 + 17), (17 + 2) + 1 + 17, 3 * 8 * (9 + 9 + 1) + 2 * 8},
        /* three transforms: a pass with 4 blocks of 8 warps, then the same blocks in 5 steps; one
         * product */
        {"fwt", "12", 3 * 2 * 128 + 2 * 128, 3 * 2 * 128 + 128, 3 * 32 * (5 + 1)},
        /* 9 blocks unpack; for each of three colors, 6 blocks of two warps load 8 + 3 rows, with
         * one warp at the side */
        {"dwt2d", "48,1", 9 * 6 + 18 * 3 * 11, 9 * 8 * 3 + 18 * 2 * 8, 9 * 8 + 18 * 2 * 4},
        /* one block of 6 warps, two of which store twice; one merging block per value */
        {"histo", "1,1", 1 + 256, 8 + 256, 6 * 2 + 256 * 8 * 8},
        /* 1 + ... + 10 steps of 32 warps in shared memory, one step without it, and 10 steps in
         * shared memory */
        {"sn", "11", 3 * 128, 3 * 128, 32 * (55 + 1) + 32 * (10 + 1)},
        /* two tiles on the diagonal, one block next to them, and one block of 8 warps for the last
         * tile */
        {"lud", "32", 2 * 16 + 48 + 3 * 8, 2 * 15 + 31 + 8, 2 * 31 + 2 + 8},
        /* one block of 8 warps; 47 runs of 32 elements */
        {"scalarprod", "1500,1", 2 * 47, 1, 8 * 11},
        {"patterns", "2,9,4,3,2", 2 * 4 * 9, 0, 0},
        {"misses", "3,8", 8 * 512, 512, 0},
        /* two warps: 80 links are two loads of the first warp and one of the second */
        {"chase", "5,40", 3 + 2 * 40, 2, 2},
        /* four warps, the last one with 4 elements: two loads and a store each */
        {"stream", "100,64,3", 4 * 2, 4, 0},
        {"stream", "100,64,1", 4, 0, 0},
        {"stream", "100,64,0", 0, 4, 0},
        /* 3 CTAs of 8 warps: 5 loads in each of two passes */
        {"cached", "5,2,3", 3 * 8 * 10, 3 * 8, 0},
        /* 32 warps: 8 loads in each of three iterations */
        {"strides", "3,3", 32 * 8 * 3, 32, 0},
        /* 3 CTAs of 8 warps: a load, a barrier and a store each */
        {"conflicts", "4,2,3", 3 * 8, 3 * 8, 3 * 8},
        /* 16 blocks of 8 warps: the first cell, then 6 and 5 loads in the two layers */
        {"hotspot3d", "64,2,1", 128 * 12, 128 * 2, 0},
        /* the number and its ten pivots; the counts of 1024 buckets, once, or twice with offsets;
         * a block of four */
        {"hybridsort", "1,1", 1 + 11 + 32 + (64 + 2) + 3, (1 + 32) + 64 + 1 + 3, 64 * 3 * 2 + 3},
        /* one block of 4 warps: two steps with one row of B and 8 rows of A, then 16 columns of
         * C */
        {"sgemm", "128,16,16", 4 * (2 * (1 + 8) + 16), 4 * 16, 4 * 2 * 2},
        {"sgemm", "128,16,16,1", 4 * (2 * (1 + 8) + 16), 4 * 16, 4 * 2 * 2},
        /* 33 warps with samples; 8 warps with points, which run twice */
        {"mriq", "256,1026", 33 * 2 + 8 * 2 * 5, 33 + 8 * 2 * 2, 0},
        /* 16 blocks of 2 warps: pixels, 6 x 24 values of the reference, 9 copies; 5 warps that add
         * 18 times */
        {"sad", "16,16", 16 * (1 + 2 * 144) + 5 * 18 * 4, 16 * 9 + 5 * 18 * 5, 16 * 2 * 2},
        /* 256 to 16 unaligned elements in 1, 1, 4, 2, 3 and 4 pieces; then aligned ones, one type
         * with three members in two stores */
        {"alignedtypes", "256", 8 + 4 + 2 * 4 + 2 + 3 + 4 + 2 + 2 + 1 + 1 + 1 + 2,
         8 + 4 + 2 * 4 + 2 + 3 + 4 + 2 + 2 + 1 + 2 + 1 + 2, 0},
        {"alignedtypes", "256,1,1", 8 + 4 + 2 * 4 + 2 + 3 + 4 + 2 + 2 + 1 + 1 + 1 + 2,
         8 + 4 + 2 * 4 + 2 + 3 + 4 + 2 + 2 + 1 + 1 + 1 + 2, 0},
        {"asyncapi", "1024", 32, 32, 0},
        /* 10 warps that run twice; the last has 12 options */
        {"blackscholes", "300,2", 2 * 10 * 3, 2 * 10 * 2, 0},
        /* 4 of 4 blocks, two dimensions; 8 warps generate 256 numbers, and two warps the last 44 */
        {"sobolqrng", "300,2,1", 2 * 4, 2 * (8 + 2), 2 * 8},
        /* four warps per dimension, the last with 4 numbers; then 10 warps */
        {"qrng", "100,1", 0, 3 * 4 + 10, 0},
        /* 33 values at expiry, 33 into shared memory, one back; 32 steps */
        {"binomialoptions", "1,32", 2, 2 + 1 + 1, 8 * (1 + 32 + 1)},
        /* two steps with 33 x 3 blocks of two warps each; one of the two warps has one lane */
        {"lbm", "33,3,2", 2 * 99 * 2 * 20, 2 * 99 * 2 * 19, 0},
        /* one region of four warps; 27 bins, eight at a time, the last three for two warps; one
         * round */
        {"cutcp", "8,8,4", (3 * 4 + 2) * 2, 4 * 4, 4 * 2},
        /* four regions; 7^3 - 8 bins, the last seven for all four warps; 11 rounds */
        {"cutcp", "16,8,12", 4 * 42 * 4 * 2, 4 * 4 * 4, 4 * 4 * 22},
        /* two tiles in each direction; both kernels have 128 warps, each of which loads one halo */
        {"convsep", "256,128", 2 * 128 * (8 + 1), 2 * 128 * 8, 2 * 128},
        /* 512 and 188 of 700 integers; two blocks of 8 warps, and one block of one thread for
         * their sums */
        {"reduction", "700", 16 + 6 + 2, 2 + 1, 2 * 8 * 3 + 1},
        /* 16 warps, with two barriers for each of ten lengths and one at the end */
        {"mergesort", "1024", 16 * 4, 16 * 4, 16 * (10 * 2 + 1)},
        /* one block of 4 warps: 4 keys per thread, the flag, the spine, its carries, keys, values;
         * 8 passes, of which 7 read the flag */
        {"radixsort", "512", 8 * (4 * 4 + 4 + 1 + 4 * (2 + 2)) + 7 * (4 + 1),
         8 * (1 + 4 + 1 + 4 * (4 + 4)), 8 * 4 * (2 + 2 + (1 + 7))},
        /* 32 warps, and one warp that trains, in one pass of 32 turns with 4 + 3 loads each */
        {"svm", "32,1", 32 * 785 * 3 + 1 + 32 * 7 + 1, 32 + 32 * 2, 32 * 2 + 1},
        /* 8 warps of instances; two features in blocks of 4 warps, in two rounds; one block of
         * weights */
        {"lr", "256,2,1", 8 * (2 * 2 + 2) + 2 * 4 * 2 * 2 + 2, 8 * (1 + 1) + 2 + 1, 2 * 4 * 7},
        /* blocks of one lane: ten points in one cluster */
        {"kmeans2", "10,1,1", 10 * (4 + 1 + 7) + 4, 10 * (2 + 1 + 4) + 4 + 2, 0},
        /* the empty set with two samples; 8 warps look for parents, and the first one has the
         * set */
        {"bn", "1,2,1", (2 + 4 + 1) + 8 + 1, 1 + 1 + 4, 8 * (1 + 8)},
        /* counts in local memory: both are cleared, one is updated for each sample, and both are
         * read */
        {"bn", "1,2,1,1", (2 + 2 + 2 + 4 + 1) + 8 + 1, 2 + 2 + 1 + 1 + 4, 8 * (1 + 8)},
        /* 128 warps with at most one element per thread, 22 of them in two launches; warps with
         * one of 10 or 16 elements */
        {"cnn", "1", 128 * (2 * 2 * 22 + 28) + 10 * 6 + 16 * 2, 128 * 9 + 10 * 4 + 16, 0},
    };
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

/* All three vertices have edges to the other two, and each launch has one block with half a
 * warp. */
static void test_sssp_counts(void **state) {
    struct workload *w = create("sssp", "3");
    const int32_t *edges = workload_host(w, "edges"), *weights = workload_host(w, "weights");
    const int32_t *dist = workload_host(w, "dist");
    int32_t way[3][3]; /* indexed by source and destination vertex */
    for (int e = 0; e < 6; e++)
        way[e / 2][edges[e]] = weights[e];
    const struct workload_counts c = run(w, RUN_ROUND_ROBIN);
    for (int to = 1; to < 3; to++) {
        const int32_t round_about = way[0][3 - to] + way[3 - to][to];
        assert_int_equal(dist[to], way[0][to] < round_about ? way[0][to] : round_about);
    }
    assert_int_equal(c.ctas, c.launches);
    /* two edges per relaxation, in every second launch */
    assert_int_equal(c.warp_atomics, c.launches);
    w->destroy(w);
}

/* Each row loads the index and the value of each entry, x[0] for the entry, and the row's
 * number. */
static void test_spmv_counts(void **state) {
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

/* There are 6 warps, each for one column of pixels, and 56 blocks of 6 warps, the last without its
 * last lane. A field has 10 full chunks and one of 4 warps; each of its two iterations has 11
 * chunks and 10 steps of a sum. */
static void test_leukocyte_counts(void **state) {
    struct workload *w = create("leukocyte", "2,45,1,1,2");
    const struct workload_counts c = run(w, RUN_ROUND_ROBIN);
    assert_int_equal(c.warp_stores, 6 + 56 * 6 + 104);
    assert_int_equal(c.barriers, 10 * (1 + 2 * (11 + 10)));
    assert_int_equal(w->arrays[2].loads + w->arrays[2].stores, c.thread_loads + c.thread_stores -
                                                                   2 * 7 * 2 * 175 - 219 * 45 -
                                                                   320 * 4 - 4 * 3321);
    w->destroy(w);
}

/* The pixels move up by one and right by one per frame, and so do the tracked points, even when
 * templates are replaced. The 8 warps in a block meet at 35 barriers per context. */
static void test_heartwall_follows(void **state) {
    const unsigned frames = 13, points = 3;
    struct workload *w = create("heartwall", "3,13,12,4");
    const struct workload_counts c = run(w, RUN_ROUND_ROBIN);
    const int32_t(*place)[2] = workload_host(w, "place"); /* row and column of each point */
    for (unsigned p = 0; p < points; p++)
        for (unsigned f = 2; f < frames; f++) {
            const int32_t *now = place[p * frames + f], *before = place[p * frames + f - 1];
            assert_int_equal(now[0] - before[0], -1);
            assert_int_equal(now[1] - before[1], 1);
        }
    assert_int_equal(c.barriers, points * 8 * 35 * (frames - 1));
    w->destroy(w);
}

/* Stores the sizes of the loads and, as negative numbers, of the stores of a launch's first warp.
 * The list ends with 0. */
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

/* Like code compiled with Open64, each piece is stored before the next one is loaded, and types
 * with four members and no padding load only three. */
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
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        struct workload *w = create("alignedtypes", expected[i].size);
        int size[9];
        sizes_of_accesses(w, expected[i].kernel, size, 9);
        for (unsigned k = 0; k == 0 || size[k - 1] != 0; k++)
            assert_int_equal(size[k], expected[i].accesses[k]);
        w->destroy(w);
    }
}

/* All keys are equal, so the first run precedes the second, and 8 of 16 intervals lie in each. A
 * sample is loaded and found in 11 steps among 1024 keys, and its rank is found in 4 steps among
 * 8. */
static void test_mergesort_counts(void **state) {
    struct workload *w = create("mergesort", "2048");
    memset(workload_host(w, "key"), 0, 2048 * sizeof(uint32_t));
    const struct workload_counts c = run(w, RUN_ROUND_ROBIN);
    const uint64_t sort = 2 * 16 * 4, merge = 16 * 4 * 2;
    assert_int_equal(c.warp_loads, sort + 2 * 12 + 2 * 2 * 5 + (15 * 4 + 2) + merge);
    assert_int_equal(c.warp_stores, sort + 2 * 2 + 2 * 2 + merge);
    assert_int_equal(c.barriers, 2 * 16 * 21 + 16 * 4 * 4);
    w->destroy(w);
}

/* Numbers of passes of accesses to shared memory, counted by hand. */
static void test_bank_conflicts(void **state) {
    static const struct {
        const char *name, *size;
        uint64_t accesses, passes;
    } expected[] = {
        /* 8 warps write two rows of 16 words and read two columns. Every second row of a column is
         * in one bank. If rows have 17 words, columns use all banks except for the corners. */
        {"transpose", "16,1", 8 * 2, 8 * (1 + 8)},
        {"transpose", "16,2", 8 * 2, 8 * (2 + 2)},
        /* one warp, three times: loads and stores take 8; three steps have elements 32, 8 and 2
         * apart; a step of two elements runs twice */
        {"fwt", "7", 3 * (8 + 3 * 8 + 2 * 4), 3 * (8 + 8 * (1 + 4 + 4) + 2 * 4 * 2)},
        /* loads and stores take 16 and 15; of 15 columns and 15 rows, number i takes 3 i + 3 and 3
         * i + 4, of which 2 i + 2 go down a column in 15 - i lanes, every second of which uses one
         * bank */
        {"lud", "16", 766, 766 + 504},
        /* 16 blocks: the first warp writes the pixels, both warps read them and write 18 times
         * without a conflict, and the first copies 8 B per lane nine times */
        {"sad", "16,16", 16 * (1 + 2 * (16 + 18) + 9), 16 * (1 + 2 * (16 + 18) + 9 * 2)},
        /* 32 warps in each kernel: 10 steps of loads, and 17 taps for 8 results; two half warps
         * are separate */
        {"convsep", "128,64", 64 * (10 + 8 * 17), 64 * 2 * (10 + 8 * 17)},
        /* one block of 4 warps: two steps that write one row of B and read 8, by words or by
         * fours of words */
        {"sgemm", "128,16,16", 4 * 2 * (1 + 8 * 16), 4 * 2 * (1 + 8 * 16)},
        {"sgemm", "128,16,16,1", 4 * 2 * (1 + 8 * 4), 4 * 2 * (1 + 8 * 4)},
        /* 24 warps: 8 stores without a conflict, and two iterations of 8 loads and a store */
        {"conflicts", "1,2,3", 24 * (8 + 2 * 9), 24 * (8 + 2 * 9)},
        {"conflicts", "4,2,3", 24 * (8 + 2 * 9), 24 * (8 + 2 * (8 * 4 + 1))},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        struct workload *w = create(expected[i].name, expected[i].size);
        const struct workload_counts c = run(w, RUN_ROUND_ROBIN);
        assert_int_equal(c.shared, expected[i].accesses);
        assert_int_equal(c.shared_passes, expected[i].passes);
        w->destroy(w);
    }
}

/* If all words are equal, every lane of a warp updates the same counter, so each access takes 32
 * passes instead of one. */
static void test_histo_conflicts(void **state) {
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

/* Both halves of a warp store to the same 16 banks, except that only one half loads the last of 27
 * bins. */
static void test_cutcp_conflicts(void **state) {
    struct workload *w = create("cutcp", "8,8,4");
    const struct workload_counts c = run(w, RUN_ROUND_ROBIN);
    assert_int_equal(c.shared_passes - c.shared, 26 / 2 * 2);
    w->destroy(w);
}

/* The sums cover all atoms, so the list of bins omits none. */
static void test_cutcp_potential(void **state) {
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

/* A cell at rest is three times as dense as all others. A third of its excess stays, and the 18
 * nearest cells get 1/18 each or, across an edge, 1/36 each. */
static void test_lbm_spreads(void **state) {
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

/* Returns the mean payoff of a call option, discounted, over the normal distribution of the
 * price's logarithm. It is computed by the midpoint rule, not by the formula of Black and
 * Scholes. */
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

/* A call is worth its discounted mean payoff. Buying a call and selling a put at the same strike is
 * worth a forward contract. */
static void test_blackscholes_prices(void **state) {
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

/* Trees of 512 steps approximate the price to within 0.01 or 1 %. Their error is greatest for
 * prices far below the strike, and halves if the number of steps doubles. Options are drawn as in
 * the workload. */
static void test_binomialoptions_prices(void **state) {
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

/* For each of 3 N equidistant points in 0..1, the probability below the quantile is the point. */
static void test_qrng_quantiles(void **state) {
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

/* Returns the difference between a part of a frame and the reference moved by (dx, dy), whose
 * outermost pixels repeat. The frame has 48 x 32 pixels. The part has wide x high pixels, starting
 * at (x0, y0). */
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

/* Checks all 41 parts of the macroblocks in two corners, at all positions. */
static void test_sad_differences(void **state) {
    static const struct {
        int before,     /* number of parts in earlier shapes */
            wide, high; /* width and height in pixels */
    } shape[] = {{0, 16, 16}, {1, 16, 8}, {3, 8, 16}, {5, 8, 8}, {9, 8, 4}, {17, 4, 8}, {25, 4, 4}};
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

/* Checks some points in double precision. The samples are drawn as in the workload. */
static void test_mriq_points(void **state) {
    enum { POINTS = 512, SAMPLES = 1300 };
    static float sample[SAMPLES][3];
    struct workload *w = create("mriq", "512,1300");
    run(w, RUN_ROUND_ROBIN);
    const float *phi_r = workload_host(w, "phiR"), *phi_i = workload_host(w, "phiI"),
                *x = workload_host(w, "x"), *y = workload_host(w, "y"), *z = workload_host(w, "z"),
                *real = workload_host(w, "Qr"), *imaginary = workload_host(w, "Qi");
    struct rng r = {0x3219};
    for (int i = 0; i < 2 * SAMPLES + 3 * POINTS; i++)
        rng_unit(&r); /* skips the draws for the other inputs */
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

/* The columns of q are orthonormal, and q r equals the original a. */
static void test_gramschm_factors(void **state) {
    enum { N = 40 };
    static float a[N * N];
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

/* All three variants find the same distances, which no edge shortens, and the same parents. A
 * parent is the lowest vertex of the previous level with an edge to the child. */
static void test_bfs2_parents(void **state) {
    enum { N = 2000 };
    static int32_t dist[N], par[N], lowest[N];
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

/* One vertex has edges to itself. The variants are flat; queue, which loads its range again after
 * each edge; and scan, in whose last kernel one thread loads the sum before its block. */
static void test_bfs2_counts(void **state) {
    static const struct {
        uint64_t loads, edge_loads, stores, barriers;
    } expected[] = {{3, 2, 0, 0}, {3, 4, 0, 0}, {3 + 3 + 1 + 1 + 3, 6, 1 + 2, 1 + 20 + 1}};
    for (int way = 0; way < 3; way++) {
        char size[20];
        snprintf(size, sizeof size, "1,%d", way);
        struct workload *w = create("bfs2", size);
        const struct workload_counts c = run(w, RUN_ROUND_ROBIN);
        const int32_t *deg = workload_host(w, "deg");
        assert_true(deg[0] >= 4);
        assert_int_equal(c.warp_loads,
                         expected[way].loads + expected[way].edge_loads * (uint64_t)deg[0]);
        assert_int_equal(c.warp_stores, expected[way].stores);
        assert_int_equal(c.barriers, expected[way].barriers);
        assert_int_equal(c.warp_atomics, 0);
        w->destroy(w);
    }
}

/* For the last node in the order, the best score is the maximum over all sets of up to four of the
 * nodes that precede it. */
static void test_bn_finds_the_best(void **state) {
    enum { N = 8, SETS = 1 + 7 + 21 + 35 + 35 }; /* C(7, 0) + ... + C(7, 4) sets */
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

/* A longer run has smaller errors, and each sum has the expected number of atomics. */
static void test_cnn_learns(void **state) {
    float error[2] = {0};
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

/* The points are in a row, with distances from the queries that increase or decrease. In the first
 * case no row moves, and in the second each row moves to the first position. There are 32 warps of
 * pairs, one of queries, and 4 of roots. */
static void test_knn_counts(void **state) {
    static const struct {
        uint64_t loads, stores;
    } insert[] = {
        {1 + 31 + 3, 1 + 3},
        /* each row except row 1 looks at one position; moves 1, 2, then 3 rows; takes the
         * greatest */
        {1 + 31 + 30 + 2 * (1 + 2 + 29 * 3) + 31, 1 + 2 * (1 + 2 + 29 * 3) + 2 * 31},
    };
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

/* Images on the margin have a multiplier after the passes, and images beyond the margin have
 * none. */
static void test_svm_separates(void **state) {
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

/* If all weights are 0, each class has a probability of one half. The first step goes against the
 * gradient. Later, the weight of the first feature shows that the class is less likely if the
 * feature is set. */
static void test_lr_learns(void **state) {
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_warp_counts),
        cmocka_unit_test(test_warp_counts_of_more),
        cmocka_unit_test(test_warp_counts_of_blocks),
        cmocka_unit_test(test_sssp_counts),
        cmocka_unit_test(test_spmv_counts),
        cmocka_unit_test(test_leukocyte_counts),
        cmocka_unit_test(test_heartwall_follows),
        cmocka_unit_test(test_alignedtypes_order),
        cmocka_unit_test(test_mergesort_counts),
        cmocka_unit_test(test_bank_conflicts),
        cmocka_unit_test(test_histo_conflicts),
        cmocka_unit_test(test_cutcp_conflicts),
        cmocka_unit_test(test_cutcp_potential),
        cmocka_unit_test(test_lbm_spreads),
        cmocka_unit_test(test_blackscholes_prices),
        cmocka_unit_test(test_binomialoptions_prices),
        cmocka_unit_test(test_qrng_quantiles),
        cmocka_unit_test(test_sad_differences),
        cmocka_unit_test(test_mriq_points),
        cmocka_unit_test(test_gramschm_factors),
        cmocka_unit_test(test_bfs2_parents),
        cmocka_unit_test(test_bfs2_counts),
        cmocka_unit_test(test_bn_finds_the_best),
        cmocka_unit_test(test_cnn_learns),
        cmocka_unit_test(test_knn_counts),
        cmocka_unit_test(test_svm_separates),
        cmocka_unit_test(test_lr_learns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
