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
    uint32_t n32[4], n64[4]; /* bmod, bxor, fermi, ipoly */
} vectors[] = {
    {0x80000000, {0, 0, 0, 30}, {0, 0, 0, 17}},      {0x80000080, {1, 1, 1, 31}, {1, 1, 1, 16}},
    {0x80001000, {0, 0, 0, 27}, {32, 32, 32, 49}},   {0x80004000, {0, 1, 2, 10}, {0, 1, 2, 23}},
    {0x80012380, {7, 3, 6, 9}, {7, 3, 6, 13}},       {0x80123480, {9, 1, 0, 21}, {41, 33, 32, 1}},
    {0x8ABCDE80, {29, 14, 11, 3}, {61, 14, 43, 62}},
};

static void test_vectors(void **unused) {
    (void)unused;
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        for (unsigned f = 0; f < 4; f++) {
            const struct addr_map m = {.partitions = 1, .subs = 1, .interleave = 1};
            const enum set_index index = (enum set_index)f;
            uint64_t line = vectors[i].addr >> 7;
            if (f < 3) {
                assert_int_equal(addr_set(index, line, 32), vectors[i].n32[f]);
                assert_int_equal(addr_set(index, line, 64), vectors[i].n64[f]);
            }
            assert_int_equal(addr_l2_set(&m, index, line, 32), vectors[i].n32[f]);
            assert_int_equal(addr_l2_set(&m, index, line, 64), vectors[i].n64[f]);
        }
}

/* The polynomials of the sets that ipoly takes. */
static const uint32_t polynomials[] = {11, 19, 37, 67, 131, 283, 529, 1033, 2053, 4179};

#define POLYNOMIALS (sizeof polynomials / sizeof *polynomials)

/* Long division over GF(2). */
static uint64_t remainder_of(uint64_t a, uint64_t b) {
    const int degree = 63 - __builtin_clzll(b);
    for (int i = 63; i >= degree; i--)
        if (a >> i & 1)
            a ^= b << (i - degree);
    return a;
}

/* Without factors: else strides of a power of two would meet in few sets. */
static void test_polynomials(void **unused) {
    (void)unused;
    for (size_t i = 0; i < POLYNOMIALS; i++)
        for (uint64_t factor = 2; factor < UINT64_C(2) << (i + 3) / 2; factor++)
            assert_true(remainder_of(polynomials[i], factor) != 0);
}

static void test_ipoly_is_a_remainder(void **unused) {
    (void)unused;
    uint64_t state = 1;
    for (size_t i = 0; i < POLYNOMIALS; i++)
        for (unsigned k = 0; k < 2000; k++) {
            const uint64_t line = random_next(&state) >> (24 + k % 40);
            assert_int_equal(addr_ipoly(line, 8u << i), remainder_of(line, polynomials[i]));
        }
}

/* Accesses a power of two apart, four times as many as sets: four in each. */
static void test_ipoly_strides(void **unused) {
    const uint64_t base = UINT64_C(1) << 38;
    (void)unused;
    for (uint64_t stride = 1; stride <= 65536; stride *= 2)
        for (uint32_t sets = 8; sets <= 4096; sets *= 2) {
            static uint32_t count[4096];
            memset(count, 0, sizeof count);
            for (uint64_t i = 0; i < 4 * sets; i++)
                count[addr_ipoly(base + i * stride, sets)]++;
            for (uint32_t s = 0; s < sets; s++)
                assert_int_equal(count[s], 4);
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

/* ---- drawn banks ---- */

static struct draws draws;

static struct addr_map drawn_map(uint32_t map, uint32_t subs, uint32_t interleave) {
    struct config cfg;
    config_default(&cfg);
    cfg.l2_partitions = 12;
    cfg.l2_subs = subs;
    cfg.l2_interleave_lines = interleave;
    cfg.l2_partition_map = map;
    struct addr_map m = addr_map_of(&cfg);
    draws_init(&draws, 12 * subs);
    m.draws = &draws;
    return m;
}

/* rand() after srand(1), modulo 24, in the order in which lines are first asked for. */
static void test_random_draws_as_the_c_library(void **unused) {
    (void)unused;
    const uint64_t lines[] = {7, 123456789, 0x80000000 >> 7, 6, 8};
    const uint32_t numbers[] = {1804289383, 846930886, 1681692777, 1714636915, 1957747793};
    const struct addr_map m = drawn_map(PARTITION_RANDOM, 2, 2);
    for (unsigned i = 0; i < 5; i++)
        assert_int_equal(addr_find_bank(&m, lines[i]), ADDR_NO_BANK);
    for (unsigned i = 0; i < 5; i++)
        assert_int_equal(addr_bank(&m, lines[i]), numbers[i] % 24);
    for (unsigned i = 0; i < 5; i++) {
        assert_int_equal(addr_find_bank(&m, lines[i]), numbers[i] % 24);
        assert_int_equal(addr_bank(&m, lines[i]), numbers[i] % 24);
    }
    draws_free(&draws);
}

/* Each line keeps its bank, and the banks are equally loaded, whichever lines there are. */
static void test_drawn_banks_are_even(void **unused) {
    (void)unused;
    enum { LINES = 48000, BANKS = 24 };
    static uint32_t bank[LINES];
    for (uint32_t map = PARTITION_RANDOM; map <= PARTITION_HASH; map++)
        for (uint64_t stride = 1; stride <= 1 << 16; stride *= 16) {
            const struct addr_map m = drawn_map(map, 2, 2);
            uint32_t count[BANKS] = {0};
            for (uint64_t i = 0; i < LINES; i++)
                count[bank[i] = addr_bank(&m, i * stride)]++;
            for (uint64_t i = 0; i < LINES; i++)
                assert_int_equal(addr_find_bank(&m, i * stride), bank[i]);
            for (unsigned b = 0; b < BANKS; b++) /* five standard deviations of 2000 */
                assert_in_range(count[b], 2000 - 220, 2000 + 220);
            draws_free(&draws);
        }
}

/* So many neighbours share a bank. */
static unsigned neighbours(uint32_t map, uint32_t subs, uint32_t interleave) {
    const struct addr_map m = drawn_map(map, subs, interleave);
    unsigned changes = 0;
    for (uint64_t line = 0; line < 4096; line++)
        changes += addr_bank(&m, line) != addr_bank(&m, line + 1);
    draws_free(&draws);
    return (4096 + changes / 2) / changes;
}

static void test_chunks_are_drawn_by_bank(void **unused) {
    (void)unused;
    for (uint32_t map = PARTITION_RANDOM; map <= PARTITION_HASH; map++) {
        assert_int_equal(neighbours(map, 2, 2), 1);
        assert_int_equal(neighbours(map, 4, 2), 1);
        assert_int_equal(neighbours(map, 4, 16), 4);
        assert_int_equal(neighbours(map, 1, 8), 9); /* two draws in twelve are the same */
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vectors),
        cmocka_unit_test(test_polynomials),
        cmocka_unit_test(test_ipoly_is_a_remainder),
        cmocka_unit_test(test_ipoly_strides),
        cmocka_unit_test(test_stride),
        cmocka_unit_test(test_partitions_have_no_gaps),
        cmocka_unit_test(test_channel_vectors),
        cmocka_unit_test(test_channel_strides),
        cmocka_unit_test(test_banks_have_no_gaps),
        cmocka_unit_test(test_random_draws_as_the_c_library),
        cmocka_unit_test(test_drawn_banks_are_even),
        cmocka_unit_test(test_chunks_are_drawn_by_bank),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
