// SPDX-License-Identifier: Apache-2.0
/* Tests of the built-in workloads, run without timing. Each verifies itself in every order of its
 * warps, and detects wrong results and counts. Required results of single workloads are in
 * test_known_results.c. In the full tier, each size runs in two orders. In the test tier,
 * every third size runs in a second order, and launches are not repeated.
 * tier: test, 10 s; full, 35 s; long, 45 s */
#include "tests/test.h"
#include "tests/workloads/run.h"
#include "tests/tier.h"

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
    {"misses", "1,12"},
    {"misses", "2,8"},
    {"misses", "3,4"},
    {"chase", "1,0"},
    {"chase", "3,70"},
    {"chase", "8,200"},
    {"stream", "1,32,0"},
    {"stream", "5000,96,1"},
    {"stream", "4097,1024,2"},
    {"stream", "3000,64,3"},
    {"cached", "1,0,1"},
    {"cached", "7,9,2"},
    {"cached", "40,1,3"},
    {"strides", "1,1"},
    {"strides", "5,0"},
    {"strides", "33,7,96"},
    {"conflicts", "1,0,1"},
    {"conflicts", "3,5,2"},
    {"conflicts", "16,1,4"},
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
    {"sgemm", "128,16,16,1"},
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
    {"bn", "10,4,2,1"},
    {"cnn", "1"},
    {"cnn", "3"},
};

/* Returns the first of a workload's small sizes. */
static const char *small_size(const char *name) {
    for (size_t i = 0; i < sizeof small / sizeof *small; i++)
        if (strcmp(small[i].name, name) == 0)
            return small[i].size;
    fail_msg("no small size of %s", name);
    return NULL;
}

/* Order besides RUN_ROUND_ROBIN in which the size runs in the tiers below long. */
static int second_order(size_t i) {
    if (tier_is_test() && i % 3)
        return RUN_ROUND_ROBIN;
    return (tier_is_test() ? i / 3 : i) % 2 ? RUN_REVERSE : RUN_GREEDY;
}

static void test_results_and_counts(void **state) {
    for (size_t i = 0; i < sizeof small / sizeof *small; i++) {
        struct workload_counts first;
        for (int order = RUN_ROUND_ROBIN; order <= RUN_REVERSE; order++) {
            if (order != RUN_ROUND_ROBIN && !tier_is("long") && order != second_order(i))
                continue;
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

/* True if the workload's launches may run only once. */
static bool runs_once(const char *name, const char *size) {
    struct workload *w = create(name, size);
    const bool once = w->once;
    w->destroy(w);
    return once;
}

/* Runs each launch three times. Returns true if the workload then verifies itself, as it must if
 * its type is repeatable. */
static bool verifies_repeated(const char *name, const char *size) {
    struct error err = {0};
    struct workload_counts counts;
    struct workload *w = workload_repeat(create(name, size), 3, &err);
    if (!w)
        fail_msg("%s", err.text);
    if (workload_run_ordered(w, RUN_GREEDY, &counts) != 0)
        fail_msg("%s", counts.err.text);
    const bool good = w->verify(w, &err) == 0;
    if (!good && w->type->repeatable)
        fail_msg("%s:%s: %s", name, size, err.text);
    w->destroy(w);
    return good;
}

static void test_repeated(void **state) {
    if (tier_is_test())
        skip();
    for (const struct workload_type *const *t = workload_types; *t; t++) {
        bool all = true, some = false;
        for (size_t i = 0; i < sizeof small / sizeof *small; i++)
            if (strcmp(small[i].name, (*t)->name) == 0 && !runs_once((*t)->name, small[i].size)) {
                all = verifies_repeated(small[i].name, small[i].size) && all;
                some = true;
            }
        if (some && all != (*t)->repeatable)
            fail_msg("%s verifies itself repeated: is it repeatable?", (*t)->name);
    }
}

static void test_repeat_counts(void **state) {
    struct error err = {0};
    struct workload_counts counts;
    struct workload *w = workload_repeat(create("2dconv", "64"), 4, &err);
    assert_int_equal(w->launches, 4);
    assert_int_equal(workload_run_functional(w, &counts), 0);
    assert_int_equal(counts.thread_loads, 4 * 9 * 62 * 62);
    assert_int_equal(w->verify(w, &err), 0);
    assert_int_equal(w->arrays[0].loads, 4 * 9 * 62 * 62); /* the counts have not changed */
    w->arrays[0].loads--;
    assert_int_equal(w->verify(w, &err), -1);
    assert_non_null(strstr(err.text, "not 4 times as many"));
    w->destroy(w);
    assert_null(workload_repeat(create("hybridsort", "700"), 2, &err));
    assert_non_null(strstr(err.text, "which would overflow"));
}

static uint64_t observed, /* number of accesses that the observer has seen */
    observe_until;        /* number of accesses at which the observer ends the run */

static bool observe(void *ctx, const struct warp_inst *inst, unsigned array) {
    const struct workload *w = ctx;
    assert_true(inst->addr[lane_first(inst->mask)] >= w->arrays[array].base);
    return ++observed < observe_until;
}

static void test_observed(void **state) {
    struct workload_counts c;
    for (uint64_t until = 700; until <= 70000; until *= 100) {
        struct workload *w = create("bfs", "777");
        const struct workload_observer o = {w, observe};
        observed = 0;
        observe_until = until;
        assert_int_equal(workload_run_observed(w, &o, &c), until == 700 ? -1 : 0);
        assert_string_equal(c.err.text, "");
        assert_int_equal(observed, c.warp_loads + c.warp_stores + c.warp_atomics);
        assert_true(until == 700 ? observed == 700 : observed > 700);
        w->destroy(w);
    }
}

/* Two instances of a workload have identical inputs. */
static void test_deterministic(void **state) {
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

/* ---- arrays ---- */

static void test_allocation(void **state) {
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

/* ---- verify detects faults ---- */

/* Returns a byte in the middle of the array. */
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
    {"misses", "2,4", "sums"},
    {"chase", "4,33", "ends"},
    {"stream", "700,64,2", "a"},
    {"cached", "3,2,2", "sums"},
    {"strides", "2,3", "sums"},
    {"conflicts", "2,3,2", "a"},
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
    for (size_t i = 0; i < sizeof results / sizeof *results; i++) {
        struct workload *w = create(results[i].name, results[i].size);
        run(w, RUN_ROUND_ROBIN);
        unsigned char *v = middle_byte(w, results[i].array);
        struct error err = {0};
        *v ^= 0x10;
        assert_int_equal(w->verify(w, &err), -1);
        assert_non_null(strstr(err.text, results[i].array));
        *v ^= 0x10;
        assert_int_equal(w->verify(w, &err), 0);
        w->destroy(w);
    }
}

static void test_wrong_count_is_seen(void **state) {
    for (const struct workload_type *const *t = workload_types; *t; t++) {
        struct workload *w = create((*t)->name, small_size((*t)->name));
        run(w, RUN_ROUND_ROBIN);
        for (unsigned i = 0; i < w->n_arrays; i++) {
            struct error err = {0};
            w->arrays[i].loads++;
            assert_int_equal(w->verify(w, &err), -1);
            assert_non_null(strstr(err.text, w->arrays[i].name));
            w->arrays[i].loads--;
            w->arrays[i].stores--;
            assert_int_equal(w->verify(w, &err), -1);
            w->arrays[i].stores++;
            w->arrays[i].atomics++;
            assert_int_equal(w->verify(w, &err), -1);
            w->arrays[i].atomics--;
            assert_int_equal(w->verify(w, &err), 0);
        }
        w->destroy(w);
    }
}

/* A workload that was not run fails its verification. */
static void test_not_run_is_seen(void **state) {
    for (const struct workload_type *const *t = workload_types; *t; t++) {
        struct workload *w = create((*t)->name, small_size((*t)->name));
        struct error err = {0};
        assert_int_equal(w->verify(w, &err), -1);
        assert_true(strlen(err.text) > 0);
        w->destroy(w);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_results_and_counts),
        cmocka_unit_test(test_deterministic),
        cmocka_unit_test(test_allocation),
        cmocka_unit_test(test_wrong_result_is_seen),
        cmocka_unit_test(test_wrong_count_is_seen),
        cmocka_unit_test(test_not_run_is_seen),
        cmocka_unit_test(test_repeated),
        cmocka_unit_test(test_repeat_counts),
        cmocka_unit_test(test_observed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
