// SPDX-License-Identifier: Apache-2.0
/* Tests that workloads refuse illegal sizes and state the reason. The test tier tries only one
 * size above 2 GiB.
 * tier: test, 1 s; full, 5 s */
#include "tests/test.h"
#include "tests/workloads/run.h"
#include "tests/tier.h"

static void refused(const char *name, const char *size, const char *why) {
    struct error err = {0};
    if (tier_is_test() && strcmp(why, "2 GiB") == 0 && strcmp(name, "gemm") != 0)
        return; /* these workloads allocate memory before they refuse a size */
    assert_null(workload_create(workload_find(name), size, &err));
    if (!strstr(err.text, why) || strncmp(err.text, name, strlen(name)) != 0 ||
        strchr(err.text, '\n'))
        fail_msg("%s:%s: message \"%s\"", name, size, err.text);
}

static void test_bad_sizes(void **state) {
    for (const struct workload_type *const *t = workload_types; *t; t++) {
        const char *name = (*t)->name, *usual = (*t)->default_size;
        refused(name, "", "not a whole number");
        refused(name, "x", "not a whole number");
        refused(name, "-5", "not a whole number");
        refused(name, " 64", "not a whole number");
        refused(name, "64 ", "not a whole number");
        refused(name, "1e3", "not a whole number");
        char longer[100];
        snprintf(longer, sizeof longer, "%.*s,", (int)strcspn(usual, ","), usual);
        refused(name, longer,
                strchr((*t)->size_doc, '[') ? "not a whole number" : "more than 1 value");
        snprintf(longer, sizeof longer, "%s,1,1,1,1", usual);
        refused(name, longer, "more than");
        refused(name, "0", "must be from");
        refused(name, "4294967297", "must be from");
        refused(name, "99999999999999999999999999", "must be from");
    }
    refused("gemm", "32,2", "L must be from 0 to 1");
    refused("2mm", "64,2,3", "has more than 2 values (N[,L]");
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
    refused("misses", "4", "K must be from 1 to 3");
    refused("misses", "1,6", "not a multiple of 4");
    refused("chase", "4,16777217", "I must be from 0 to 16777216");
    refused("chase", "2097152", "2 GiB");
    refused("stream", "100,48", "not a multiple of 32");
    refused("stream", "100,64,4", "K must be from 0 to 3");
    refused("stream", "0", "N must be from 1");
    refused("cached", "1,1,0", "C must be from 1");
    refused("strides", "1,1,48", "not a multiple of 32");
    refused("strides", "65537", "S must be from 1 to 65536");
    refused("conflicts", "17", "W must be from 1 to 16");
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
    refused("sgemm", "128,16,8,2", "V must be from 0 to 1");
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
    refused("bn", "8,4,1,2", "L must be from 0 to 1");
    refused("cnn", "60001", "I must be from 1 to 60000");
}

static void test_default_size(void **state) {
    struct workload *w = create("kmeans", NULL);
    assert_int_equal(w->arrays[0].bytes, 16384 * 34 * 4);
    w->destroy(w);
    w = create("kmeans", "100");
    assert_int_equal(w->arrays[0].bytes, 100 * 34 * 4);
    w->destroy(w);
    assert_null(workload_find("nothing"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bad_sizes),
        cmocka_unit_test(test_default_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
