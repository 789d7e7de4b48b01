// SPDX-License-Identifier: Apache-2.0
/* Memory of the host. (test; less than a second) */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/host_memory.h"
#include "lib/packet.h"

#define PIECE ((size_t)5 << 20)

static void what_is_taken_is_zeroed_and_aligned(void **state) {
    (void)state;
    for (int huge = 0; huge < 2; huge++) {
        char *p = host_memory_take(PIECE, huge);
        assert_non_null(p);
        assert_int_equal((uintptr_t)p % HOST_LINE, 0);
        for (size_t i = 0; i < PIECE; i++)
            assert_true(p[i] == 0);
        memset(p, 1, PIECE);
        host_memory_give(p, PIECE);
    }
    host_memory_give(NULL, PIECE);
}

static void what_malloc_gives_is_good(void **state) {
    (void)state;
    host_memory_use_huge_pages(PIECE);
    char *part[200];
    for (unsigned i = 0; i < 200; i++) {
        part[i] = calloc(1, 50000);
        assert_non_null(part[i]);
        assert_true(part[i][0] == 0 && part[i][49999] == 0);
        memset(part[i], (int)i, 50000);
    }
    for (unsigned i = 0; i < 200; i++) {
        assert_true(part[i][0] == (char)i && part[i][49999] == (char)i);
        free(part[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_taken_is_zeroed_and_aligned),
        cmocka_unit_test(what_malloc_gives_is_good),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
