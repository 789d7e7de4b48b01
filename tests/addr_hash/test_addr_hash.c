// SPDX-License-Identifier: Apache-2.0
/* Directed tests of the addr_hash model. They follow docs/understand/addr_hash.md sentence by
 * sentence. */
#include "addr_hash/addr_hash_ports.h"
#include "cache/addr_map.h"

#define BENCH addr_hash
#define BENCH_VECTORS NULL
#include "tests/block/bench.h"

static void access_line(struct addr_hash_bench *b, uint64_t line) {
    b->in.acc_valid = 1;
    b->in.acc_line = line;
    cycle(b);
}

static void expect_place(const struct addr_hash_bench *b, uint64_t set, uint64_t part,
                         uint64_t rest) {
    assert_int_equal(b->out.out_valid, 1);
    assert_int_equal(b->out.out_set, set);
    assert_int_equal(b->out.out_part, part);
    assert_int_equal(b->out.out_rest, rest);
}

/* Expects all outputs to be 0. */
static void expect_nothing(const struct addr_hash_bench *b) {
    static const struct addr_hash_out nothing;
    assert_memory_equal(&b->out, &nothing, sizeof nothing);
}

/* ---- Parameters ---- */

static void test_ranges(void **unused) {
    static const char *const beyond[] = {
        "ADDR_W=0",      "ADDR_W=49",     "SETS=0",         "SETS=8192", "INDEX=-1",
        "INDEX=9",       "PARTITIONS=0",  "PARTITIONS=257", "MAP=-1",    "MAP=7",
        "INTERLEAVE=-1", "INTERLEAVE=11", "LATENCY=0",      "LATENCY=3"};
    for (unsigned i = 0; i < LENGTH(beyond); i++) {
        struct block_params p;
        struct error err = {0};
        block_params_default(&addr_hash_type, &p);
        if (!block_params_set(&addr_hash_type, &p, beyond[i], &err))
            assert_int_equal(block_params_check(&addr_hash_type, &p, &err), -1);
    }
}

static void test_illegal_sets(void **unused) {
    ILLEGAL("SETS must be a power of two", "SETS=24");
    ILLEGAL("SETS must be a power of two", "SETS=24", "INDEX=0");
    ILLEGAL("INDEX=2 (fermi)", "INDEX=2", "SETS=16");
    ILLEGAL("INDEX=2 (fermi)", "INDEX=2", "SETS=128");
    ILLEGAL("INDEX=4 (pmod)", "INDEX=4", "SETS=2");
    ILLEGAL("INDEX=5 (a_prime)", "INDEX=5", "SETS=2");
    ILLEGAL("INDEX=7 (ipoly)", "INDEX=7", "SETS=4");
}

static void test_illegal_partitions(void **unused) {
    ILLEGAL("MAP=1 (xor)", "MAP=1", "PARTITIONS=12");
    ILLEGAL("MAP=2 (xor_next)", "MAP=2", "PARTITIONS=12");
    ILLEGAL("MAP=3 (prime)", "MAP=3", "PARTITIONS=1");
    ILLEGAL("MAP=4 (a_prime)", "MAP=4", "PARTITIONS=1");
    ILLEGAL("MAP=4 (a_prime)", "MAP=4",
            "PARTITIONS=6"); /* 2 * 6 - 1 is prime, but 6 is not a power of two */
    ILLEGAL("MAP=4 (a_prime)", "MAP=4", "PARTITIONS=8"); /* 2 * 8 - 1 is not prime */
    ILLEGAL("MAP=5 (d_prime)", "MAP=5", "PARTITIONS=12");
    ILLEGAL("MAP=6 (ipoly)", "MAP=6", "PARTITIONS=4");
    ILLEGAL("MAP=6 (ipoly)", "MAP=6", "PARTITIONS=24");
    ILLEGAL("MAP=6 (ipoly)", "MAP=6", "PARTITIONS=128");
}

/* Checks that the block accepts parameter values at the limits of their legal ranges. */
static void test_legal(void **unused) {
    static const char *const points[][4] = {
        {"INDEX=0", "SETS=1", "ADDR_W=1", "PARTITIONS=1"},
        {"INDEX=1", "SETS=4096", "ADDR_W=48", "PARTITIONS=256"},
        {"INDEX=2", "SETS=64", "MAP=1", "PARTITIONS=1"},
        {"INDEX=3", "SETS=2", "MAP=2", "PARTITIONS=256"},
        {"INDEX=4", "SETS=4", "MAP=3", "PARTITIONS=2"},
        {"INDEX=4", "SETS=4096", "MAP=3", "PARTITIONS=255"},
        {"INDEX=5", "SETS=4096", "MAP=4", "PARTITIONS=64"},
        {"INDEX=6", "SETS=1", "MAP=5", "PARTITIONS=2"},
        {"INDEX=7", "SETS=8", "MAP=6", "PARTITIONS=8"},
        {"INDEX=8", "SETS=4096", "MAP=6", "PARTITIONS=64"},
    };
    for (unsigned i = 0; i < LENGTH(points); i++) {
        const char *const *p = points[i];
        struct addr_hash_bench b = START(p[0], p[1], p[2], p[3]);
        end(&b);
    }
}

static bool is_legal(enum addr_hash_param function, int f, enum addr_hash_param number, int64_t n) {
    struct block_params p;
    struct error err;
    block_params_default(&addr_hash_type, &p);
    p.v[function] = f;
    p.v[number] = n;
    return block_params_check(&addr_hash_type, &p, &err) == 0;
}

/* Checks that the block accepts exactly the parameter values that the keys' checks accept. */
static void test_legal_as_the_keys(void **unused) {
    for (int f = SET_BMOD; f <= SET_IPOLY_SUM; f++)
        for (uint32_t sets = 1; sets <= 4096; sets *= 2)
            assert_int_equal(is_legal(ADDR_HASH_INDEX, f, ADDR_HASH_SETS, sets),
                             !set_index_needs((enum set_index)f, sets));
    for (int f = PARTITION_MODULO; f <= PARTITION_IPOLY; f++)
        for (uint32_t m = 1; m <= 256; m++)
            assert_int_equal(is_legal(ADDR_HASH_MAP, f, ADDR_HASH_PARTITIONS, m),
                             !addr_map_needs((enum partition_map)f, m));
}

static unsigned width_of(const struct addr_hash_bench *b, const char *name) {
    for (unsigned i = 0; i < addr_hash_type.n_ports; i++)
        if (!strcmp(addr_hash_type.ports[i].name, name))
            return addr_hash_type.ports[i].width(&b->inst.params);
    fail_msg("no port %s", name);
    return 0;
}

static void check_widths(const char *const *set, unsigned line, unsigned set_w, unsigned part_w) {
    struct addr_hash_bench b = start(NULL, set);
    assert_int_equal(width_of(&b, "acc_line"), line);
    assert_int_equal(width_of(&b, "out_rest"), line);
    assert_int_equal(width_of(&b, "out_set"), set_w);
    assert_int_equal(width_of(&b, "out_part"), part_w);
    end(&b);
}

#define WIDTHS(line, set_w, part_w, ...)                                                           \
    check_widths((const char *const[]){__VA_ARGS__, NULL}, line, set_w, part_w)

static void test_widths(void **unused) {
    WIDTHS(40, 5, 4, "SETS=32");
    WIDTHS(1, 1, 1, "ADDR_W=1", "SETS=1", "PARTITIONS=1");
    WIDTHS(48, 12, 8, "ADDR_W=48", "SETS=4096", "PARTITIONS=256");
    WIDTHS(12, 1, 4, "ADDR_W=12", "SETS=2", "PARTITIONS=9");
    WIDTHS(40, 5, 3, "PARTITIONS=8");
}

/* ---- Cycles ---- */

/* Parameters of a bench with 32 sets indexed by bmod, 16 partitions mapped by modulo, and chunks
 * of two lines. */
#define PLAIN "INDEX=0", "MAP=0"

static void expect_plain(const struct addr_hash_bench *b, uint64_t line) {
    expect_place(b, line % 32, line / 2 % 16, line / 32 * 2 + line % 2);
}

/* The outputs are valid for one cycle, LATENCY cycles after the access. */
static void test_latency(void **unused) {
    static const char *const latencies[] = {"LATENCY=1", "LATENCY=2"};
    for (unsigned latency = 1; latency <= 2; latency++) {
        struct addr_hash_bench b = START(PLAIN, latencies[latency - 1]);
        access_line(&b, 0x123456789);
        expect_nothing(&b);
        for (unsigned i = 1; i < latency; i++) {
            cycle(&b);
            expect_nothing(&b);
        }
        cycle(&b);
        expect_plain(&b, 0x123456789);
        cycle(&b);
        expect_nothing(&b);
        end(&b);
    }
}

/* Checks that the results of accesses in consecutive cycles are output in order, each `cycles`
 * cycles after its access. The last two cycles have no access. */
static void check_order(const char *latency, unsigned cycles) {
    static const uint64_t lines[] = {7, 0xffffffffff, 0, 7, 7, 0x8000000000, 40, 41, 0, 0};
    static const bool valid[] = {1, 1, 1, 1, 0, 1, 1, 1, 0, 0};
    struct addr_hash_bench b = START(PLAIN, latency);
    for (unsigned i = 0; i < LENGTH(lines); i++) {
        b.in.acc_valid = valid[i];
        b.in.acc_line = lines[i];
        cycle(&b);
        if (i >= cycles && valid[i - cycles])
            expect_plain(&b, lines[i - cycles]);
        else
            expect_nothing(&b);
    }
    end(&b);
}

static void test_back_to_back(void **unused) {
    check_order("LATENCY=1", 1);
    check_order("LATENCY=2", 2);
}

/* If acc_valid is 0, all outputs are 0, whatever acc_line is. */
static void test_valid(void **unused) {
    struct addr_hash_bench b = START(PLAIN, "LATENCY=2");
    for (unsigned i = 0; i < 4; i++) {
        b.in.acc_line = 5 + i;
        cycle(&b);
        expect_nothing(&b);
    }
    end(&b);
}

/* Reset drops accesses in every stage of the pipeline, and an access in the reset cycle. In the
 * reset cycle itself, the result that is due is still output. */
static void test_reset(void **unused) {
    struct addr_hash_bench b = START(PLAIN, "LATENCY=2");
    access_line(&b, 1);
    access_line(&b, 2);
    b.in.rst = 1;
    access_line(&b, 3);
    expect_plain(&b, 1);
    for (unsigned i = 0; i < 3; i++) {
        cycle(&b);
        expect_nothing(&b);
    }
    reset(&b);
    access_line(&b, 4); /* the first cycle after reset */
    cycle(&b);
    cycle(&b);
    expect_plain(&b, 4);
    end(&b);
}

static void test_next_event(void **unused) {
    static const char *const latencies[] = {"LATENCY=1", "LATENCY=2"};
    for (unsigned latency = 1; latency <= 2; latency++) {
        struct addr_hash_bench b = START(PLAIN, latencies[latency - 1]);
        assert_true(addr_hash_next_event(b.inst.model) == UINT64_MAX);
        access_line(&b, 9);
        for (unsigned i = 0; i < latency; i++) {
            assert_int_equal(addr_hash_next_event(b.inst.model), 0);
            cycle(&b);
        }
        assert_true(addr_hash_next_event(b.inst.model) == UINT64_MAX);
        end(&b);
    }
}

/* ---- Values ---- */

static struct addr_hash_out look_up(struct addr_hash_bench *b, uint64_t line) {
    access_line(b, line);
    cycle(b);
    assert_int_equal(b->out.out_valid, 1);
    return b->out;
}

/* Byte addresses with their expected sets and partitions. The sets are those of bmod, bxor, fermi,
 * xor, pmod, a_prime, d_prime, ipoly and ipoly_sum. The partitions are those of modulo, xor,
 * xor_next, prime, a_prime, d_prime and ipoly, with 16 partitions and chunks of 256 bytes. The
 * values were computed from the formulas, independently of this code. */
static const struct {
    uint64_t address;
    uint8_t sets32[9], sets64[9], parts16[7];
} vectors[] = {
    {0x80000000,
     {0, 0, 0, 0, 16, 10, 0, 30, 7},
     {0, 0, 0, 0, 20, 14, 0, 17, 7},
     {0, 0, 0, 7, 8, 0, 5}},
    {0x80001000,
     {0, 0, 0, 1, 17, 5, 11, 27, 20},
     {32, 32, 32, 32, 52, 46, 32, 49, 20},
     {0, 0, 1, 10, 8, 11, 6}},
    {0x80004000,
     {0, 1, 2, 4, 20, 27, 12, 10, 21},
     {0, 1, 2, 2, 26, 8, 22, 23, 21},
     {0, 0, 4, 6, 10, 12, 9}},
    {0x80012380,
     {7, 3, 6, 21, 10, 1, 13, 9, 7},
     {7, 3, 6, 14, 54, 61, 42, 13, 39},
     {3, 2, 1, 12, 4, 9, 5}},
    {0x80123480,
     {9, 1, 0, 10, 6, 7, 10, 21, 24},
     {41, 33, 32, 56, 8, 22, 36, 1, 56},
     {4, 6, 7, 0, 2, 5, 1}},
    {0x8ABCDE80,
     {29, 14, 11, 16, 6, 25, 12, 3, 21},
     {61, 14, 43, 27, 49, 33, 31, 62, 53},
     {14, 2, 3, 1, 2, 13, 2}},
};

static void test_sets(void **unused) {
    for (unsigned f = 0; f < 9; f++)
        for (unsigned i = 0; i < LENGTH(vectors); i++) {
            struct block_params p;
            block_params_default(&addr_hash_type, &p);
            p.v[ADDR_HASH_INDEX] = f;
            for (unsigned sets = 32; sets <= 64; sets *= 2) {
                p.v[ADDR_HASH_SETS] = sets;
                struct addr_hash_bench b = start_at(NULL, &p);
                unsigned set = sets == 32 ? vectors[i].sets32[f] : vectors[i].sets64[f];
                assert_int_equal(look_up(&b, vectors[i].address / 128).out_set, set);
                end(&b);
            }
        }
}

static void test_partitions(void **unused) {
    for (unsigned map = 0; map < 7; map++) {
        struct block_params p;
        block_params_default(&addr_hash_type, &p);
        p.v[ADDR_HASH_MAP] = map;
        struct addr_hash_bench b = start_at(NULL, &p);
        for (unsigned i = 0; i < LENGTH(vectors); i++)
            assert_int_equal(look_up(&b, vectors[i].address / 128).out_part,
                             vectors[i].parts16[map]);
        end(&b);
    }
}

/* Tests a chunk's partition, and its number within the partition, for chunks near the ends of a
 * map's rounds. In a_prime with 16 partitions, a round has 31 chunks. The chunk with remainder 30
 * modulo 31 is in partition 14, after the chunk with remainder 14. */
static void test_rest(void **unused) {
    static const struct {
        const char *map;
        uint64_t chunk, part, rest;
    } v[] = {
        {"MAP=0", 33, 1, 2},       {"MAP=3", 12, 12, 0},     {"MAP=3", 13, 0, 1},
        {"MAP=4", 14, 14, 0},      {"MAP=4", 30, 14, 1},     {"MAP=4", 31, 0, 2},
        {"MAP=4", 15 + 31, 15, 1}, {"MAP=4", 16 + 31, 0, 3},
    };
    for (unsigned i = 0; i < LENGTH(v); i++) {
        struct addr_hash_bench b = START(v[i].map, "INTERLEAVE=3");
        struct addr_hash_out out = look_up(&b, v[i].chunk * 8 + 5);
        assert_int_equal(out.out_part, v[i].part);
        assert_int_equal(out.out_rest, v[i].rest * 8 + 5);
        end(&b);
    }
}

/* Map xor XORs the low bits of the chunk number with the chunk number shifted right by
 * 7 + INTERLEAVE, which is log2 of the number of bytes in a chunk. */
static void test_interleave(void **unused) {
    for (unsigned interleave = 0; interleave <= 10; interleave++) {
        struct block_params p;
        block_params_default(&addr_hash_type, &p);
        p.v[ADDR_HASH_INTERLEAVE] = interleave;
        p.v[ADDR_HASH_MAP] = 1;
        struct addr_hash_bench b = start_at(NULL, &p);
        uint64_t chunk = UINT64_C(1) << interleave;
        assert_int_equal(look_up(&b, chunk << (7 + interleave)).out_part, 1);
        assert_int_equal(look_up(&b, chunk << (6 + interleave)).out_part, 0);
        assert_int_equal(look_up(&b, chunk - 1).out_part, 0);
        assert_int_equal(look_up(&b, chunk).out_part, 1);
        end(&b);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ranges),
        cmocka_unit_test(test_illegal_sets),
        cmocka_unit_test(test_illegal_partitions),
        cmocka_unit_test(test_legal),
        cmocka_unit_test(test_legal_as_the_keys),
        cmocka_unit_test(test_widths),
        cmocka_unit_test(test_latency),
        cmocka_unit_test(test_back_to_back),
        cmocka_unit_test(test_valid),
        cmocka_unit_test(test_reset),
        cmocka_unit_test(test_next_event),
        cmocka_unit_test(test_sets),
        cmocka_unit_test(test_partitions),
        cmocka_unit_test(test_rest),
        cmocka_unit_test(test_interleave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
