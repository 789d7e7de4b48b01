// SPDX-License-Identifier: Apache-2.0
/* Memory of the host: zeroed, aligned, bounded, refused. (test; less than a second) */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "lib/host_memory.h"

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#endif

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
#ifdef __SANITIZE_ADDRESS__
        assert_true(__asan_address_is_poisoned(p + PIECE + HOST_LINE));
#endif
        host_memory_give(p, PIECE);
    }
    host_memory_give(NULL, PIECE);
}

static void too_much_is_refused(void **state) {
    (void)state;
    for (int huge = 0; huge < 2; huge++)
        assert_null(host_memory_take(SIZE_MAX - 100, huge));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_taken_is_zeroed_and_aligned),
        cmocka_unit_test(too_much_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
