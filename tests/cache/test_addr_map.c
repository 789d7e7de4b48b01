// SPDX-License-Identifier: Apache-2.0
/* Tests of a line's partition and bank, and of its number in the partition and in the bank. */
#include "cache/addr_map.h"
#include "tests/test.h"

static void test_partitions_have_no_gaps(void **unused) {
    const struct addr_map m = {.partitions = 6, .banks = 1, .interleave = 2};
    uint64_t next[6] = {0};
    for (uint64_t line = 0; line < 6000; line++)
        assert_int_equal(addr_local(&m, line), next[addr_partition(&m, line)]++);
}

#define MAPS (PARTITION_IPOLY + 1) /* number of maps defined by formulas */

static struct addr_map map_of(uint32_t map, uint32_t partitions, uint32_t interleave) {
    struct config cfg;
    config_default(&cfg);
    cfg.l2_partitions = partitions;
    cfg.l2_interleave_lines = interleave;
    cfg.l2_partition_map = map;
    return addr_map_of(&cfg);
}

/* Tests the partition of some addresses for each map, with 16 channels and 256 B chunks. The
 * partitions for modulo and xor were computed with the original functions. */
static void test_channel_vectors(void **unused) {
    static const struct {
        uint64_t addr;
        uint32_t partition[MAPS];
    } v[] = {
        {0x80000000, {0, 0, 0, 7, 8, 0, 5}},   {0x80001000, {0, 0, 1, 10, 8, 11, 6}},
        {0x80004000, {0, 0, 4, 6, 10, 12, 9}}, {0x80012380, {3, 2, 1, 12, 4, 9, 5}},
        {0x80123480, {4, 6, 7, 0, 2, 5, 1}},   {0x8ABCDE80, {14, 2, 3, 1, 2, 13, 2}},
    };
    for (uint32_t map = 0; map < MAPS; map++) {
        const struct addr_map m = map_of(map, 16, 2);
        for (size_t i = 0; i < sizeof v / sizeof *v; i++)
            assert_int_equal(addr_partition(&m, v[i].addr >> 7), v[i].partition[map]);
    }
}

/* Tests the address within the channel, which is the same for all maps except prime and a_prime.
 * The addresses were computed with the original functions. */
static void test_rest_vectors(void **unused) {
    static const struct {
        uint64_t addr, rest;
    } v[] = {
        {0x80000000, 0x8000000}, {0x80000080, 0x8000080}, {0x80000100, 0x8000000},
        {0x80001000, 0x8000100}, {0x80010000, 0x8001000}, {0x80012380, 0x8001280},
        {0x80123480, 0x8012380}, {0x8ABCDE80, 0x8ABCD80},
    };
    for (uint32_t map = 0; map < MAPS; map++) {
        const struct addr_map m = map_of(map, 16, 2);
        for (size_t i = 0; i < sizeof v / sizeof *v; i++)
            if (map != PARTITION_PRIME && map != PARTITION_A_PRIME)
                assert_int_equal(addr_rest(&m, v[i].addr >> 7), v[i].rest >> 7);
    }
}

/* Tests the number of channels that 256 accesses reach at each stride. */
static void test_channel_strides(void **unused) {
    static const struct {
        uint64_t stride;
        int reached[MAPS];
    } v[] = {
        {256, {16, 16, 16, 13, 16, 16, 16}}, {1024, {4, 16, 16, 13, 16, 16, 16}},
        {4096, {1, 16, 16, 13, 16, 16, 16}}, {65536, {1, 16, 1, 13, 16, 1, 16}},
        {1 << 20, {1, 1, 1, 13, 16, 1, 16}},
    };
    for (size_t i = 0; i < sizeof v / sizeof *v; i++)
        for (uint32_t map = 0; map < MAPS; map++) {
            const struct addr_map m = map_of(map, 16, 2);
            uint32_t reached = 0;
            for (uint64_t k = 0; k < 256; k++)
                reached |= 1u << addr_partition(&m, (0x80000000 + k * v[i].stride) >> 7);
            assert_int_equal(__builtin_popcount(reached), v[i].reached[map]);
        }
}

/* Tests the legal numbers of partitions of each map and, for prime and a_prime, the divisor. */
static void test_maps_and_their_partitions(void **unused) {
    for (uint32_t m = 1; m <= 512; m++) {
        const bool power = (m & (m - 1)) == 0;
        assert_null(addr_map_needs(PARTITION_MODULO, m));
        assert_int_equal(!addr_map_needs(PARTITION_XOR, m), power);
        assert_int_equal(!addr_map_needs(PARTITION_XOR_NEXT, m), power);
        assert_int_equal(!addr_map_needs(PARTITION_D_PRIME, m), power);
        assert_int_equal(!addr_map_needs(PARTITION_PRIME, m), m > 1);
        assert_int_equal(!addr_map_needs(PARTITION_A_PRIME, m),
                         m == 2 || m == 4 || m == 16 || m == 64);
        assert_int_equal(!addr_map_needs(PARTITION_IPOLY, m),
                         m == 8 || m == 16 || m == 32 || m == 64);
    }
    static const uint32_t primes[][2] = {{2, 2}, {3, 3}, {6, 5}, {16, 13}, {32, 31}, {512, 509}};
    for (size_t i = 0; i < sizeof primes / sizeof *primes; i++)
        assert_int_equal(addr_map_prime(PARTITION_PRIME, primes[i][0]), primes[i][1]);
    assert_int_equal(addr_map_prime(PARTITION_A_PRIME, 16), 31);
}

/* Returns the number of lines in a round, after which a map's sequence of partitions repeats. */
static uint64_t round_of(const struct addr_map *m) {
    return (uint64_t)(m->prime ? m->prime : m->partitions) * m->interleave;
}

/* Keeps the lines seen in each unit (a partition or a bank) by their number in the unit. */
struct places {
    uint8_t *seen;
    uint64_t room, units;
    uint64_t lines[1024], /* number of lines in each unit */
        end[1024];        /* greatest line number in each unit, plus 1 */
};

static void places_init(struct places *p, uint64_t lines, uint32_t units) {
    *p = (struct places){.room = 2 * lines, .units = units};
    assert_true(units <= sizeof p->lines / sizeof *p->lines);
    p->seen = calloc(p->room, 1);
    assert_non_null(p->seen);
}

/* Adds a line, and checks that no other line has the same unit and number. */
static void places_add(struct places *p, uint32_t unit, uint64_t number) {
    const uint64_t at = number * p->units + unit;
    assert_true(unit < p->units && at < p->room);
    assert_int_equal(p->seen[at]++, 0);
    p->lines[unit]++;
    if (number >= p->end[unit])
        p->end[unit] = number + 1;
}

/* Checks that the line numbers in each unit have no gaps, and that exactly the first `used` units
 * contain lines. */
static void places_end(struct places *p, uint32_t used) {
    for (uint32_t i = 0; i < p->units; i++) {
        assert_int_equal(p->lines[i] != 0, i < used);
        assert_int_equal(p->end[i], p->lines[i]);
    }
    free(p->seen);
}

/* In whole rounds of every map, the partition and the number identify a line, and all numbers of a
 * partition occur. */
static void test_maps_are_one_to_one(void **unused) {
    static const uint32_t sizes[] = {1, 2, 3, 4, 6, 8, 12, 13, 16, 32, 64, 256};
    static struct places places;
    unsigned maps = 0;
    for (uint32_t map = 0; map < MAPS; map++)
        for (size_t i = 0; i < 2 * sizeof sizes / sizeof *sizes; i++) {
            const struct addr_map m = map_of(map, sizes[i / 2], i % 2 ? 1 : 4);
            if (addr_map_needs(map, m.partitions))
                continue;
            const uint64_t lines = (UINT64_C(1) << 16) / round_of(&m) * round_of(&m);
            places_init(&places, lines, m.partitions);
            for (uint64_t line = 0; line < lines; line++)
                places_add(&places, addr_partition(&m, line), addr_rest(&m, line));
            places_end(&places, map == PARTITION_PRIME ? m.prime : m.partitions);
            maps++;
        }
    assert_int_equal(maps, 2 * (12 + 8 + 8 + 11 + 4 + 8 + 4));
}

static struct addr_map banks_of(uint32_t map, uint32_t partitions, uint32_t banks, uint32_t shift) {
    struct addr_map m = map_of(map, partitions, 2);
    m.banks = banks;
    m.bank_shift = shift;
    return m;
}

static void check_banks(const struct addr_map *m) {
    static struct places places;
    /* the number of lines in each partition is a multiple of its banks' interleave */
    const uint64_t lines = 8 * m->banks * round_of(m);
    places_init(&places, lines, m->partitions * m->banks);
    for (uint64_t line = 0; line < lines; line++) {
        const uint32_t bank = addr_bank(m, line);
        assert_int_equal(bank / m->banks, addr_partition(m, line));
        places_add(&places, bank, addr_local(m, line));
    }
    places_end(&places, (m->map == PARTITION_PRIME ? m->prime : m->partitions) * m->banks);
}

/* For every map, the bank and the number within the bank identify the line. */
static void test_banks_have_no_gaps(void **unused) {
    static const uint32_t sizes[] = {6, 8, 16, 64};
    for (uint32_t map = 0; map < MAPS; map++)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
            for (uint32_t banks = 1; banks <= 4; banks *= 2)
                for (uint32_t shift = 0; shift <= 2; shift++) {
                    const struct addr_map m = banks_of(map, sizes[i], banks, shift);
                    if (!addr_map_needs(map, m.partitions))
                        check_banks(&m);
                }
}

/* The set in an L2 bank follows from the line's number in the bank. The values are computed by
 * hand for 64 sets indexed by bmod, bxor and xor, and for 16 partitions with chunks of two lines
 * and banks selected by bit 1 of the remainder. */
static void test_l2_sets_are_of_local_lines(void **unused) {
    static const enum set_index index[] = {SET_BMOD, SET_BXOR, SET_XOR};
    static const struct {
        uint64_t addr, local;
        uint32_t banks, set[3];
    } v[] = {
        {0x80012380, 0x100025, 1, {37, 37, 37}},
        {0x80012380, 0x80013, 2, {19, 19, 19}},
        {0x8ABCDE80, 0x8ABCD, 2, {13, 26, 34}},
    };
    for (size_t i = 0; i < sizeof v / sizeof *v; i++) {
        const struct addr_map m = banks_of(PARTITION_MODULO, 16, v[i].banks, 1);
        assert_int_equal(addr_local(&m, v[i].addr >> 7), v[i].local);
        for (size_t f = 0; f < 3; f++)
            assert_int_equal(addr_l2_set(&m, index[f], v[i].addr >> 7, 64), v[i].set[f]);
    }
}

/* ---- random banks ---- */

static struct draws draws;

static struct addr_map drawn_map(uint32_t map, uint32_t banks, uint32_t interleave) {
    struct config cfg;
    config_default(&cfg);
    cfg.l2_partitions = 12;
    cfg.l2_banks = banks;
    cfg.l2_interleave_lines = interleave;
    cfg.l2_partition_map = map;
    struct addr_map m = addr_map_of(&cfg);
    draws_init(&draws, 12 * banks);
    m.draws = &draws;
    return m;
}

/* When a line is first accessed, its bank is drawn as rand() % 24. The sequence is that of rand()
 * after srand(1). */
static void test_random_draws_as_the_c_library(void **unused) {
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

/* Each line keeps its bank, and at any stride the banks contain about the same number of lines. */
static void test_drawn_banks_are_even(void **unused) {
    enum { LINES = 48000, BANKS = 24 };
    static uint32_t bank[LINES];
    const uint32_t map = PARTITION_RANDOM;
    for (uint64_t stride = 1; stride <= 1 << 16; stride *= 16) {
        const struct addr_map m = drawn_map(map, 2, 2);
        uint32_t count[BANKS] = {0};
        for (uint64_t i = 0; i < LINES; i++)
            count[bank[i] = addr_bank(&m, i * stride)]++;
        for (uint64_t i = 0; i < LINES; i++)
            assert_int_equal(addr_find_bank(&m, i * stride), bank[i]);
        for (unsigned b = 0; b < BANKS; b++) /* within five standard deviations of 2000 */
            assert_in_range(count[b], 2000 - 220, 2000 + 220);
        draws_free(&draws);
    }
}

/* Returns the average length of a run of consecutive lines in one bank. */
static unsigned neighbors(uint32_t map, uint32_t banks, uint32_t interleave) {
    const struct addr_map m = drawn_map(map, banks, interleave);
    unsigned changes = 0;
    for (uint64_t line = 0; line < 4096; line++)
        changes += addr_bank(&m, line) != addr_bank(&m, line + 1);
    draws_free(&draws);
    return (4096 + changes / 2) / changes;
}

static void test_chunks_are_drawn_by_bank(void **unused) {
    assert_int_equal(neighbors(PARTITION_RANDOM, 2, 2), 1);
    assert_int_equal(neighbors(PARTITION_RANDOM, 4, 2), 1);
    assert_int_equal(neighbors(PARTITION_RANDOM, 4, 16), 4);
    assert_int_equal(neighbors(PARTITION_RANDOM, 1, 8), 9); /* 1 draw in 12 repeats the bank */
}

/* Banks that Accel-Sim (gpgpu-sim 667834c, -icnt_verbose 1) chooses with
 * -gpgpu_memory_partition_indexing 2. */
static void test_ipoly_banks_as_accel_sim(void **unused) {
    enum { N = 20 };
    static const uint64_t addr[N] = {
        0,         0x80,      0x100,      0x180,      0x400,       0x1000,       0x2000,
        0x2100,    0x4000,    0x8000,     0x10000,    0x54300,     0x123480,     0x1000000,
        0x2345600, 0x7654380, 0x10000000, 0x3fffff80, 0x123456780, 0x2fedcba980,
    };
    static const struct {
        uint32_t partitions, bank_shift;
        uint8_t bank[N];
    } v[] = {
        /* SM7_QV100 */
        {32, 1, {0, 0, 2, 2, 8, 32, 1, 3, 3, 6, 12, 57, 52, 19, 54, 29, 60, 45, 59, 42}},
        /* SM7_TITANV */
        {24, 1, {0, 0, 2, 2, 8, 32, 18, 16, 38, 30, 14, 13, 1, 25, 2, 45, 12, 43, 9, 34}},
        /* SM86_RTX3070 */
        {16, 0, {0, 1, 2, 3, 8, 0, 5, 7, 10, 20, 13, 16, 24, 27, 22, 27, 0, 24, 9, 14}},
        /* SM86_RTX3070 with 8 channels */
        {8, 0, {0, 1, 2, 3, 8, 3, 6, 4, 12, 11, 5, 8, 9, 2, 6, 15, 0, 3, 12, 5}},
    };
    for (unsigned i = 0; i < sizeof v / sizeof *v; i++) {
        struct config cfg;
        config_default(&cfg);
        cfg.l2_partitions = v[i].partitions;
        cfg.l2_banks = 2;
        cfg.l2_interleave_lines = 2;
        cfg.l2_bank_shift = v[i].bank_shift;
        cfg.l2_partition_map = PARTITION_IPOLY_BANKS;
        const struct addr_map m = addr_map_of(&cfg);
        for (unsigned k = 0; k < N; k++)
            assert_int_equal(addr_bank(&m, (UINT64_C(0x7f2000000000) + addr[k]) >> 7),
                             v[i].bank[k]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_partitions_have_no_gaps),
        cmocka_unit_test(test_channel_vectors),
        cmocka_unit_test(test_rest_vectors),
        cmocka_unit_test(test_maps_and_their_partitions),
        cmocka_unit_test(test_maps_are_one_to_one),
        cmocka_unit_test(test_channel_strides),
        cmocka_unit_test(test_banks_have_no_gaps),
        cmocka_unit_test(test_l2_sets_are_of_local_lines),
        cmocka_unit_test(test_random_draws_as_the_c_library),
        cmocka_unit_test(test_drawn_banks_are_even),
        cmocka_unit_test(test_chunks_are_drawn_by_bank),
        cmocka_unit_test(test_ipoly_banks_as_accel_sim),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
