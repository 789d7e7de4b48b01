// SPDX-License-Identifier: Apache-2.0
/* Tests the set-index functions against vectors computed with the original functions, and with
 * power-of-two strides, which they are meant to spread. */
#include "cache/set_index.h"
#include "lib/random.h"
#include "tests/test.h"

#define FUNCTIONS (SET_IPOLY_SUM + 1)

/* Addresses with their expected sets, in the order of enum set_index. */
static const struct {
    uint64_t addr;
    uint32_t n32[FUNCTIONS], n64[FUNCTIONS];
} vectors[] = {
    {0x80000000, {0, 0, 0, 0, 16, 10, 0, 30, 7}, {0, 0, 0, 0, 20, 14, 0, 17, 7}},
    {0x80001000, {0, 0, 0, 1, 17, 5, 11, 27, 20}, {32, 32, 32, 32, 52, 46, 32, 49, 20}},
    {0x80004000, {0, 1, 2, 4, 20, 27, 12, 10, 21}, {0, 1, 2, 2, 26, 8, 22, 23, 21}},
    {0x80012380, {7, 3, 6, 21, 10, 1, 13, 9, 7}, {7, 3, 6, 14, 54, 61, 42, 13, 39}},
    {0x80123480, {9, 1, 0, 10, 6, 7, 10, 21, 24}, {41, 33, 32, 56, 8, 22, 36, 1, 56}},
    {0x8ABCDE80, {29, 14, 11, 16, 6, 25, 12, 3, 21}, {61, 14, 43, 27, 49, 33, 31, 62, 53}},
};

static void test_vectors(void **unused) {
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        for (unsigned f = 0; f < FUNCTIONS; f++) {
            uint64_t line = vectors[i].addr >> 7;
            assert_int_equal(addr_set((enum set_index)f, line, 32), vectors[i].n32[f]);
            assert_int_equal(addr_set((enum set_index)f, line, 64), vectors[i].n64[f]);
        }
}

/* Polynomials of ipoly, one for each number of sets that it supports. */
static const uint32_t polynomials[] = {11, 19, 37, 67, 131, 283, 529, 1033, 2053, 4179};

#define POLYNOMIALS (sizeof polynomials / sizeof *polynomials)

/* Returns the remainder of a / b by long division over GF(2). */
static uint64_t remainder_of(uint64_t a, uint64_t b) {
    const int degree = 63 - __builtin_clzll(b);
    for (int i = 63; i >= degree; i--)
        if (a >> i & 1)
            a ^= b << (i - degree);
    return a;
}

/* The polynomials are irreducible. If they were not, power-of-two strides would map to few sets. */
static void test_polynomials(void **unused) {
    for (size_t i = 0; i < POLYNOMIALS; i++)
        for (uint64_t factor = 2; factor < UINT64_C(2) << (i + 3) / 2; factor++)
            assert_true(remainder_of(polynomials[i], factor) != 0);
}

static void test_ipoly_is_a_remainder(void **unused) {
    uint64_t state = 1;
    for (size_t i = 0; i < POLYNOMIALS; i++)
        for (unsigned k = 0; k < 2000; k++) {
            const uint64_t line = random_next(&state) >> k % 64;
            assert_int_equal(addr_set(SET_IPOLY, line, 8u << i),
                             remainder_of(line, polynomials[i]));
        }
}

/* With a power-of-two stride, four times as many accesses as sets put four lines in each set. */
static void test_ipoly_strides(void **unused) {
    const uint64_t base = UINT64_C(1) << 38;
    for (uint64_t stride = 1; stride <= 65536; stride *= 2)
        for (uint32_t sets = 8; sets <= 4096; sets *= 2) {
            static uint32_t count[4096];
            memset(count, 0, sizeof count);
            for (uint64_t i = 0; i < 4 * sets; i++)
                count[addr_set(SET_IPOLY, base + i * stride, sets)]++;
            for (uint32_t s = 0; s < sets; s++)
                assert_int_equal(count[s], 4);
        }
}

/* Makes four times as many accesses as there are sets, at power-of-two strides. Checks how many
 * sets they reach, and the greatest number of accesses to one set. */
static void test_strides(void **unused) {
    static const struct {
        uint64_t stride;
        uint32_t sets;
        uint16_t reached[FUNCTIONS][2];
    } v[] = {
        {4096, 32, {{1, 128}, {32, 4}, {0}, {32, 4}, {31, 5}, {32, 8}, {32, 4}, {32, 4}, {32, 6}}},
        {16384, 32, {{1, 128}, {32, 4}, {0}, {8, 16}, {31, 5}, {32, 7}, {8, 16}, {32, 4}, {30, 7}}},
        {65536, 32, {{1, 128}, {8, 16}, {0}, {2, 64}, {31, 5}, {32, 8}, {2, 64}, {32, 4}, {31, 9}}},
        {16384, 64, {{1, 256}, {64, 4}, {0}, {32, 8}, {61, 5}, {64, 8}, {32, 8}, {64, 4}, {58, 8}}},
    };
    for (size_t i = 0; i < sizeof v / sizeof *v; i++)
        for (unsigned f = 0; f < FUNCTIONS; f++) {
            uint32_t count[64] = {0}, reached = 0, most = 0;
            for (uint64_t k = 0; k < 4 * v[i].sets; k++)
                count[addr_set((enum set_index)f, (0x80000000 + k * v[i].stride) >> 7,
                               v[i].sets)]++;
            for (uint32_t s = 0; s < 64; s++) {
                reached += count[s] > 0;
                most = count[s] > most ? count[s] : most;
            }
            if (!v[i].reached[f][0])
                continue; /* there are no expected values for fermi */
            assert_int_equal(reached, v[i].reached[f][0]);
            assert_int_equal(most, v[i].reached[f][1]);
        }
}

static bool is_prime(uint32_t n) {
    uint32_t divisors = 0;
    for (uint32_t d = 1; d <= n; d++)
        divisors += n % d == 0;
    return divisors == 2;
}

static void test_primes_are_the_nearest(void **unused) {
    for (uint32_t sets = 4; sets <= 4096; sets *= 2) {
        const uint32_t below = set_index_prime(SET_PMOD, sets);
        const uint32_t above = set_index_prime(SET_A_PRIME, sets);
        assert_true(below < sets && above > sets);
        for (uint32_t n = below; n <= above; n++)
            assert_int_equal(is_prime(n), n == below || n == above);
    }
}

/* Tests which numbers of sets a function supports, and that each set is in range. If a function is
 * exact, the set and the upper bits identify the line. If it is not, two lines that share both
 * must exist. */
static void test_functions_and_their_sets(void **unused) {
    static const uint32_t least[FUNCTIONS] = {1, 1, 32, 1, 4, 4, 1, 8, 1};
    static const uint32_t most[FUNCTIONS] = {UINT32_MAX, UINT32_MAX, 64,   UINT32_MAX, 4096,
                                             4096,       UINT32_MAX, 4096, UINT32_MAX};
    for (uint32_t f = 0; f < FUNCTIONS; f++)
        for (uint32_t sets = 1; sets <= 8192; sets++) {
            const bool power = (sets & (sets - 1)) == 0;
            const bool takes = (power || f == SET_BMOD) && sets >= least[f] && sets <= most[f];
            assert_int_equal(!set_index_needs((enum set_index)f, sets), takes);
            if (!takes || !power || sets > 256)
                continue;
            uint32_t shared = 0;
            for (uint64_t upper = 0; upper < 200; upper++) {
                uint8_t seen[256] = {0};
                for (uint64_t x = 0; x < sets; x++) {
                    const uint32_t set = addr_set((enum set_index)f, upper * sets + x, sets);
                    assert_true(set < sets);
                    shared += seen[set]++;
                }
            }
            if (set_index_is_exact((enum set_index)f))
                assert_int_equal(shared, 0);
            /* with up to 32 sets, ipoly_sum is one-to-one, because its weights are 1 to 16 */
            else if (f != SET_IPOLY_SUM || sets > 32)
                assert_true(shared > 0);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vectors),
        cmocka_unit_test(test_polynomials),
        cmocka_unit_test(test_ipoly_is_a_remainder),
        cmocka_unit_test(test_ipoly_strides),
        cmocka_unit_test(test_strides),
        cmocka_unit_test(test_primes_are_the_nearest),
        cmocka_unit_test(test_functions_and_their_sets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
