// SPDX-License-Identifier: Apache-2.0
/* What single workloads count and compute, held against what is known without them: counts by hand,
 * from the shapes of blocks and data, and properties of results (prices, sums, distances, errors).
 */
#include "tests/workloads/run.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
        /* a block of 4 warps: 4 keys a thread, the flag, the spine, its carries, keys, values; 8
         * passes, the flag in 7 */
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
        /* counts in local memory: cleared, for each sample one of them, then both */
        {"bn", "1,2,1,1", (2 + 2 + 2 + 4 + 1) + 8 + 1, 2 + 2 + 1 + 1 + 4, 8 * (1 + 8)},
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

/* The pixels move up by one and right by one each frame, and so do the points, also when templates
 * are replaced; 8 warps of a block meet at 35 barriers a context. */
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
        /* in and out 16 and 15; of 15 columns and 15 rows, number i takes 3 i + 3 and 3 i + 4, of
         * which 2 i + 2 go down a column in 15 - i lanes, every second of them in one bank */
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

/* Result of the passes: images on the margin have a multiplier, images behind it have none. */
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
