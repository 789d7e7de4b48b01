// SPDX-License-Identifier: Apache-2.0
/* Set-index functions against vectors computed with the original functions, and what they are for:
 * power-of-two strides. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
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

/* 16 channels of 256 B chunks: channel and address within it, computed with the original functions.
 */
static void test_channel_vectors(void **unused) {
    (void)unused;
    static const struct {
        uint64_t addr, part;
        uint32_t xored, linear;
    } v[] = {
        {0x80000000, 0x8000000, 0, 0}, {0x80000080, 0x8000080, 0, 0},
        {0x80000100, 0x8000000, 1, 1}, {0x80001000, 0x8000100, 0, 0},
        {0x80010000, 0x8001000, 1, 0}, {0x80012380, 0x8001280, 2, 3},
        {0x80123480, 0x8012380, 6, 4}, {0x8ABCDE80, 0x8ABCD80, 2, 14},
    };
    struct config cfg;
    config_default(&cfg);
    cfg.l2_partitions = 16;
    cfg.l2_interleave_lines = 2;
    for (int map = PARTITION_MODULO; map <= PARTITION_XOR; map++) {
        cfg.l2_partition_map = map;
        const struct addr_map m = addr_map_of(&cfg);
        for (size_t i = 0; i < sizeof v / sizeof *v; i++) {
            uint64_t line = v[i].addr >> 7;
            assert_int_equal(addr_partition(&m, line),
                             map == PARTITION_XOR ? v[i].xored : v[i].linear);
            assert_int_equal(addr_rest(&m, line), v[i].part >> 7);
        }
    }
}

/* Channels that 256 accesses of a stride reach: modulo, XOR. */
static void test_channel_strides(void **unused) {
    (void)unused;
    static const struct {
        uint64_t stride;
        int modulo, xored;
    } v[] = {{256, 16, 16}, {1024, 4, 16}, {4096, 1, 16}, {65536, 1, 16}, {1 << 20, 1, 1}};
    struct config cfg;
    config_default(&cfg);
    cfg.l2_partitions = 16;
    for (size_t i = 0; i < sizeof v / sizeof *v; i++)
        for (int map = PARTITION_MODULO; map <= PARTITION_XOR; map++) {
            cfg.l2_partition_map = map;
            const struct addr_map m = addr_map_of(&cfg);
            uint32_t reached = 0;
            for (uint64_t k = 0; k < 256; k++)
                reached |= 1u << addr_partition(&m, (0x80000000 + k * v[i].stride) >> 7);
            assert_int_equal(__builtin_popcount(reached),
                             map == PARTITION_XOR ? v[i].xored : v[i].modulo);
        }
}

/* Every line has its own place: bank and number within the bank, whatever the map. */
static void test_banks_have_no_gaps(void **unused) {
    (void)unused;
    for (unsigned variant = 0; variant < 24; variant++) {
        struct config cfg;
        config_default(&cfg);
        cfg.l2_partitions = variant % 2 ? 8 : 6;
        cfg.l2_partition_map = variant % 2 && variant & 2 ? PARTITION_XOR : PARTITION_MODULO;
        cfg.l2_subs = INT64_C(1) << (variant / 4 % 3);
        cfg.l2_sub_shift = variant / 12;
        cfg.l2_interleave_lines = 2;
        const struct addr_map m = addr_map_of(&cfg);
        const uint32_t banks = m.partitions * m.subs;
        /* A whole number of rounds over everything that the map looks at. */
        const uint64_t lines = 8 * 512 * 6;
        uint8_t *seen = calloc(lines, 1);
        assert_non_null(seen);
        for (uint64_t line = 0; line < lines; line++) {
            uint32_t bank = addr_bank(&m, line);
            uint64_t place = addr_local(&m, line) * banks + bank;
            assert_true(bank < banks && bank / m.subs == addr_partition(&m, line));
            assert_true(place < lines);
            assert_int_equal(seen[place]++, 0);
        }
        free(seen);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vectors),
        cmocka_unit_test(test_stride),
        cmocka_unit_test(test_partitions_have_no_gaps),
        cmocka_unit_test(test_channel_vectors),
        cmocka_unit_test(test_channel_strides),
        cmocka_unit_test(test_banks_have_no_gaps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
