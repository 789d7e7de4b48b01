// SPDX-License-Identifier: Apache-2.0
/* Tests of the host memory functions: memory is zeroed, aligned and bounded, and the heap uses
 * huge pages. The test is linked twice: with the sanitizers' memory functions, and, by
 * tests/lib/host_memory.sh, with the program's. */
#include <unistd.h>

#include "lib/host_memory.h"
#include "tests/test.h"

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#endif

static const size_t sizes[] = {1, 64, (32 << 10) - 1, 32 << 10, 5 << 20};
#define SIZES (sizeof sizes / sizeof sizes[0])

/* Takes each size twice with and twice without huge pages, since memory that was given back must be
 * zeroed again. */
static void what_is_taken_is_zeroed_and_aligned(void **state) {
    for (unsigned n = 0; n < 4 * SIZES; n++) {
        const size_t bytes = sizes[n / 4];
        char *p = host_memory_take(bytes, n % 2);
        assert_int_equal((uintptr_t)p % HOST_LINE, 0);
        for (size_t i = 0; i < bytes; i++)
            assert_true(p[i] == 0);
        memset(p, 1, bytes);
#ifdef __SANITIZE_ADDRESS__
        assert_true(__asan_address_is_poisoned(p + bytes + HOST_LINE));
#endif
        host_memory_give(p, bytes);
    }
    for (unsigned n = 0; n < SIZES; n++)
        host_memory_give(NULL, sizes[n]);
}

#ifndef __SANITIZE_ADDRESS__

/* True if the address is in a mapping with the flag "hg": huge pages have been requested for it. */
static bool asked_for_huge(const void *p) {
    char line[512];
    unsigned long from, to;
    bool here = false, asked = false;
    FILE *f = fopen("/proc/self/smaps", "r");
    assert_non_null(f);
    while (fgets(line, sizeof line, f)) {
        if (sscanf(line, "%lx-%lx ", &from, &to) == 2)
            here = (uintptr_t)p >= from && (uintptr_t)p < to;
        else if (here && strncmp(line, "VmFlags:", 8) == 0)
            asked = strstr(line, " hg") != NULL;
    }
    fclose(f);
    return asked;
}

/* Allocates 9 MB in pieces of 100 KB, and expects huge pages. The first two pieces are not checked,
 * since they may lie in memory that malloc already had. */
static void expect_huge_heap(void) {
    char *piece[92];
    for (unsigned i = 0; i < 92; i++)
        assert_non_null(piece[i] = malloc(100000));
    for (unsigned i = 2; i < 92; i++)
        assert_true(asked_for_huge(piece[i]));
    for (unsigned i = 0; i < 92; i++)
        free(piece[i]);
}

static void the_heap_has_huge_pages(void **state) {
    if (access("/sys/kernel/mm/transparent_hugepage", F_OK) != 0)
        skip(); /* the kernel has no huge pages */
    host_memory_use_huge_pages(0);
    host_memory_use_huge_pages((size_t)9 << 20);
    expect_huge_heap();
    void *end = sbrk(0);
    /* 9 MB are still free, so the heap does not grow */
    host_memory_use_huge_pages((size_t)9 << 20);
    assert_true(sbrk(0) == end);
    void *mapped = malloc(200000);
    host_memory_use_huge_pages(HOST_HEAP_MAX);
    char *large = malloc(HOST_HEAP_MAX - ((size_t)1 << 20));
    assert_true(asked_for_huge(large + HOST_HEAP_MAX - ((size_t)2 << 20)));
    free(large);
    free(mapped);
}

#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_taken_is_zeroed_and_aligned),
#ifndef __SANITIZE_ADDRESS__
        cmocka_unit_test(the_heap_has_huge_pages),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
