/* Set-index functions against vectors computed with the original functions, and what they are for:
 * power-of-two strides. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "cache/addr_map.h"

static const struct {
    uint64_t addr;
    uint32_t n32[3], n64[3]; /* bmod, bxor, fermi */
} vectors[] = {
    {0x80000000, {0, 0, 0}, {0, 0, 0}},       {0x80000080, {1, 1, 1}, {1, 1, 1}},
    {0x80001000, {0, 0, 0}, {32, 32, 32}},    {0x80004000, {0, 1, 2}, {0, 1, 2}},
    {0x80012380, {7, 3, 6}, {7, 3, 6}},       {0x80123480, {9, 1, 0}, {41, 33, 32}},
    {0x8ABCDE80, {29, 14, 11}, {61, 14, 43}},
};

static void test_vectors(void **unused) {
    (void)unused;
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        for (unsigned f = 0; f < 3; f++) {
            uint64_t line = vectors[i].addr >> 7;
            assert_int_equal(addr_set((enum set_index)f, line, 32), vectors[i].n32[f]);
            assert_int_equal(addr_set((enum set_index)f, line, 64), vectors[i].n64[f]);
        }
}

/* 128 accesses 4096 B apart over 32 sets: all in one set with bmod, four in each with bxor. */
static void test_stride(void **unused) {
    (void)unused;
    unsigned count[2][32];
    memset(count, 0, sizeof count);
    for (uint64_t i = 0; i < 128; i++)
        for (unsigned f = 0; f < 2; f++)
            count[f][addr_set((enum set_index)f, (0x80000000 + i * 4096) >> 7, 32)]++;
    assert_int_equal(count[SET_BMOD][0], 128);
    for (unsigned s = 0; s < 32; s++)
        assert_int_equal(count[SET_BXOR][s], 4);
}

static void test_partitions_have_no_gaps(void **unused) {
    (void)unused;
    const struct addr_map m = {.partitions = 6, .subs = 1, .interleave = 2};
    uint64_t next[6] = {0};
    for (uint64_t line = 0; line < 6000; line++)
        assert_int_equal(addr_local(&m, line), next[addr_partition(&m, line)]++);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vectors),
        cmocka_unit_test(test_stride),
        cmocka_unit_test(test_partitions_have_no_gaps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
