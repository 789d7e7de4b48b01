// SPDX-License-Identifier: Apache-2.0
/* Directed tests of the bpg model. They follow the contract rule by rule. test_bpg_math.c tests the
 * arithmetic. */
#include "tests/bpg/bench.h"

/* ---- Parameters ---- */

static void test_illegal_parameters(void **unused) {
    ILLEGAL("SETS must be a power of two", "SETS=24");
    ILLEGAL("SAMPLED must be a power of two", "SAMPLED=3");
    ILLEGAL("SAMPLED must be at most SETS", "SETS=8", "SAMPLED=16");
    ILLEGAL("fermi", "INDEX=2", "SETS=16");
    ILLEGAL("fermi", "INDEX=2", "SETS=128");
    ILLEGAL("set and tag must determine the line", "INDEX=4");
    ILLEGAL("set and tag must determine the line", "INDEX=5");
    ILLEGAL("ipoly", "INDEX=7", "SETS=4");
    ILLEGAL("ADDR_W must be more than log2(SETS)", "ADDR_W=5", "TAG_W=1");
    ILLEGAL("TAG_W must be at most ADDR_W - log2(SETS)", "ADDR_W=36");
    ILLEGAL("INTERVAL must be at least CALCULATORS + 4", "INTERVAL=11");
    struct bpg_bench b = START("ADDR_W=6", "TAG_W=1", "SAMPLED=32", "INTERVAL=12", "INDEX=2");
    end(&b);
}

/* Checks the outputs during reset, and the port widths that depend on parameters. */
static void test_reset_and_widths(void **unused) {
    static const struct {
        const char *calculators;
        unsigned k, index_bits, lmax_bits;
    } expect[] = {{"CALCULATORS=1", 1, 1, 1}, {"CALCULATORS=2", 2, 1, 2},
                  {"CALCULATORS=7", 7, 3, 3}, {"CALCULATORS=8", 8, 3, 4},
                  {"CALCULATORS=9", 9, 4, 4}, {"CALCULATORS=16", 16, 4, 5}};
    for (unsigned i = 0; i < sizeof expect / sizeof *expect; i++) {
        struct bpg_bench b = START(expect[i].calculators, "INTERVAL=20");
        assert_int_equal(bpg_index_bits(&b.inst.params), expect[i].index_bits);
        assert_int_equal(bpg_lmax_bits(&b.inst.params), expect[i].lmax_bits);
        struct bpg_out reset = {.lmax = expect[i].k};
        look(&b);
        assert_memory_equal(&b.out, &reset, sizeof reset);
        end(&b);
    }
    struct bpg_bench b = START("SETS=1", "SAMPLED=1");
    assert_int_equal(bpg_set_bits(&b.inst.params), 1);
    end(&b);
    b = START("SETS=4096", "TAG_W=1");
    assert_int_equal(bpg_set_bits(&b.inst.params), 12);
    end(&b);
}

/* ---- Sets and tags ---- */

/* Returns the set of a line, computed as the sources cited in docs/understand/bpg.md define the
 * function with number `index`. */
static unsigned set_of(unsigned index, unsigned bits, uint64_t line) {
    static const unsigned fermi[] = {6, 7, 8, 10, 12};
    unsigned set = 0;
    if (index == 6) /* the function d_prime */
        return (unsigned)((line >> bits) * 11 + line) & ((1u << bits) - 1);
    if (index == 7) /* ipoly: x^5 + x^2 + 1 for 32 sets, x^6 + x + 1 for 64 sets */
        for (unsigned i = 13; i >= bits; i--)
            line ^= (line >> i & 1) * (bits == 5 ? 37u : 67u) << (i - bits);
    for (unsigned i = 0; i < bits; i++) {
        uint64_t bit = line >> i;
        if (index == 1)
            bit ^= line >> (7 + i);
        if (index == 2 && i < 5)
            bit ^= line >> fermi[i];
        if (index == 3)
            bit ^= line >> (bits + i);
        set |= (unsigned)(bit & 1) << i;
    }
    return set;
}

static const unsigned indices[] = {0, 1, 2, 3, 6, 7};

#define INDICES (sizeof indices / sizeof *indices)

static struct bpg_bench start_sets(unsigned index, unsigned bits, int64_t sampled, int64_t tag_w,
                                   int64_t ways) {
    struct block_params p;
    p = point((const char *const[]){"ADDR_W=14", "CALCULATORS=1", "INTERVAL=1048575", NULL});
    p.v[BPG_INDEX] = index;
    p.v[BPG_SETS] = 1 << bits;
    p.v[BPG_SAMPLED] = sampled;
    p.v[BPG_TAG_W] = tag_w;
    p.v[BPG_WAYS] = ways;
    return start_at(NULL, &p);
}

/* Checks that one of every SETS / SAMPLED sets is sampled, and that no line of another set is ever
 * found. */
static void check_sampled(unsigned index, unsigned bits, int64_t sampled) {
    struct bpg_bench b = start_sets(index, bits, sampled, 14 - bits, 4);
    unsigned seen = 0, step = (1u << bits) / (unsigned)sampled;
    for (uint64_t line = 0; line < 1 << 14; line++) {
        unsigned set = set_of(index, bits, line);
        access_(&b, BPG_LOAD, line, 0);
        access_(&b, BPG_PASS, line, 0);
        assert_int_equal(b.out.st_set, set);
        assert_int_equal(b.out.st_sampled, set % step == 0);
        seen += set % step == 0;
        cycle(&b);
        assert_int_equal(b.out.st_found, set % step == 0);
    }
    assert_int_equal(seen, (1 << 14) / step);
    end(&b);
}

static void test_sampled_sets(void **unused) {
    for (unsigned i = 0; i < INDICES; i++) {
        for (int64_t sampled = 1; sampled <= 32; sampled *= 2)
            check_sampled(indices[i], 5, sampled);
        check_sampled(indices[i], 6, 64);
    }
    check_sampled(0, 0, 1);
    check_sampled(1, 1, 2);
    check_sampled(1, 9, 4); /* the folded bits may overlap the set number */
    check_sampled(1, 12, 64);
    check_sampled(0, 12, 1);
}

/* Checks that, with one way, a second line replaces the first if both are in one set and have
 * different tags, aliases it if the tags are equal, and has no effect if the sets differ. */
static void check_pair(struct bpg_bench *b, unsigned index, unsigned bits, uint64_t one,
                       uint64_t other) {
    bool same_set = set_of(index, bits, one) == set_of(index, bits, other);
    uint64_t kept = bits_low((unsigned)param(b, BPG_TAG_W));
    bool same = same_set && !((one ^ other) >> bits & kept);
    launch(b);
    access_(b, BPG_LOAD, one, 0);
    assert_int_equal(found(b, other), same);
    access_(b, BPG_LOAD, other, 0);
    assert_int_equal(found(b, one), same || !same_set);
}

static void check_pairs(unsigned index, unsigned bits, int64_t tag_w) {
    struct bpg_bench b = start_sets(index, bits, 4, tag_w, 1);
    uint64_t line[60], n = 0;
    /* the sequence of i would reach all 16384 lines */
    for (uint64_t i = 0; n < 60; i = (i * 5 + 4099) % 16384)
        if (set_of(index, bits, i) % ((1u << bits) / 4) == 0)
            line[n++] = i;
    for (uint64_t i = 0; i < n; i++) {
        for (uint64_t j = 0; j < n; j++)
            if (i != j)
                check_pair(&b, index, bits, line[i], line[j]);
        for (unsigned bit = 0; bit < 14; bit++) /* lines that differ in one bit or in two */
            for (unsigned second = bit; second < 14; second++) {
                uint64_t other = line[i] ^ UINT64_C(1) << bit;
                other ^= second > bit ? UINT64_C(1) << second : 0;
                if (set_of(index, bits, other) % ((1u << bits) / 4) == 0)
                    check_pair(&b, index, bits, line[i], other);
            }
    }
    end(&b);
}

static void test_aliasing(void **unused) {
    for (unsigned i = 0; i < INDICES; i++)
        for (int64_t tag_w = 1; tag_w <= 9; tag_w += 2)
            check_pairs(indices[i], 5, tag_w);
    check_pairs(2, 6, 8);
    check_pairs(1, 8, 6);
    check_pairs(1, 8, 2);
}

/* ---- Operations ---- */

/* Tests each operation on a line that is present and on one that is absent. User 2 makes the
 * accesses, which calculators 3 to 8 count. */
static void test_each_op(void **unused) {
    static const struct {
        uint32_t hits; /* number of hits on a present line */
        uint64_t kept, /* arrays that contain the line afterwards if it was present before */
            made;      /* arrays that contain the line afterwards if it was absent before */
    } expect[8] = {[BPG_PASS] = {0, 0xFF, 0},
                   [BPG_LOAD] = {1, 0xFF, 0xFC},
                   [BPG_UPDATE] = {0, 0xFF, 0},
                   [BPG_EVICT] = {0, 0x03, 0},
                   [BPG_WRITE] = {0, 0xFF, 0xFC},
                   [5] = {0, 0xFF, 0},
                   [6] = {0, 0xFF, 0},
                   [7] = {0, 0xFF, 0}};
    for (uint64_t op = 0; op < 8; op++) {
        uint32_t h = expect[op].hits;
        struct bpg_bench b = START("INDEX=0");
        access_(&b, BPG_WRITE, 64, 0);
        access_(&b, op, 64, 2);
        cycle(&b);
        assert_int_equal(b.out.st_found, 0xFF);
        expect_hits(&b, (uint32_t[8]){0, 0, h, h, h, h, h, h});
        assert_int_equal(b.out.st_count, 2);
        assert_int_equal(found(&b, 64), expect[op].kept);
        access_(&b, op, 96, 2);
        cycle(&b);
        assert_int_equal(b.out.st_found, 0);
        assert_int_equal(found(&b, 96), expect[op].made);
        expect_hits(&b, (uint32_t[8]){0, 0, h, h, h, h, h, h});
        assert_int_equal(b.out.st_count, 5);
        access_(&b, op, 65, 2); /* the set is not sampled */
        assert_int_equal(found(&b, 65), 0);
        settle(&b);
        assert_int_equal(b.out.st_count, 7);
        end(&b);
    }
}

/* Tests which operations make a line recent. A full set replaces its oldest line. */
static void test_use_makes_recent(void **unused) {
    for (uint64_t op = 0; op < 8; op++) {
        bool recent = op == BPG_LOAD || op == BPG_UPDATE || op == BPG_WRITE;
        if (op == BPG_EVICT)
            continue;
        struct bpg_bench b = START("INDEX=0", "WAYS=2", "CALCULATORS=1");
        access_(&b, BPG_LOAD, 0, 0);
        access_(&b, BPG_LOAD, 32, 0);
        access_(&b, op, 0, 0);
        access_(&b, BPG_LOAD, 64, 0);
        assert_int_equal(found(&b, 0), recent);
        assert_int_equal(found(&b, 32), !recent);
        end(&b);
    }
}

/* ---- Replacement. All lines are in set 0 and are named by their tags. ---- */

static uint64_t tag_line(uint64_t tag) {
    return tag * 32;
}

/* Loads lines 0 to n - 1, then uses each of them once, in steps of `stride` modulo n (`stride` and
 * n are coprime). New lines must then replace them in exactly that order. */
static void check_lru(const char *ways, uint64_t n, uint64_t stride, uint64_t op) {
    struct bpg_bench b = START("INDEX=0", "CALCULATORS=1", "SETS=32", ways);
    for (uint64_t i = 0; i < n; i++)
        access_(&b, BPG_LOAD, tag_line(i), 0);
    for (uint64_t i = 0; i < n; i++)
        access_(&b, op, tag_line(i * stride % n), 0);
    for (uint64_t i = 0; i < n; i++) {
        for (uint64_t j = 0; j < n; j++)
            assert_int_equal(found(&b, tag_line(j * stride % n)), j >= i);
        access_(&b, BPG_WRITE, tag_line(100 + i), 0);
    }
    assert_int_equal(found(&b, tag_line((n - 1) * stride % n)), 0);
    end(&b);
}

static void test_lru(void **unused) {
    static const uint64_t ops[] = {BPG_LOAD, BPG_UPDATE, BPG_WRITE};
    for (int i = 0; i < 3; i++) {
        check_lru("WAYS=1", 1, 1, ops[i]);
        check_lru("WAYS=3", 3, 1, ops[i]);
        check_lru("WAYS=3", 3, 2, ops[i]);
        for (uint64_t stride = 1; stride < 16; stride += 2)
            check_lru("WAYS=16", 16, stride, ops[i]);
    }
}

/* Checks that ways emptied by EVICT are filled before any line is replaced, and that all other
 * lines keep their order. */
static void check_evict(const char *ways, uint64_t n, uint64_t holes) {
    struct bpg_bench b = START("INDEX=0", "CALCULATORS=1", ways);
    uint64_t next = 100;
    for (uint64_t i = 0; i < n; i++)
        access_(&b, BPG_LOAD, tag_line(i), 0);
    for (uint64_t i = 0; i < n; i++)
        if (holes >> i & 1)
            access_(&b, BPG_EVICT, tag_line(i), 0);
    for (uint64_t i = 0; i < n; i++)
        assert_int_equal(found(&b, tag_line(i)), !(holes >> i & 1));
    for (unsigned i = 0; i < bits_count(holes); i++)
        access_(&b, BPG_LOAD, tag_line(next++), 0);
    for (uint64_t i = 0; i < n; i++)
        assert_int_equal(found(&b, tag_line(i)), !(holes >> i & 1));
    for (uint64_t i = 0; i < n; i++) /* the remaining lines are evicted in order, oldest first */
        if (!(holes >> i & 1)) {
            access_(&b, BPG_LOAD, tag_line(next++), 0);
            assert_int_equal(found(&b, tag_line(i)), 0);
            if (i + 1 < n && !(holes >> (i + 1) & 1))
                assert_int_equal(found(&b, tag_line(i + 1)), 1);
        }
    for (unsigned i = 0; i < n; i++) /* the set is then full of newer lines */
        assert_int_equal(found(&b, tag_line(100 + i)), 1);
    end(&b);
}

static void test_evict(void **unused) {
    check_evict("WAYS=1", 1, 1);
    for (uint64_t holes = 0; holes < 8; holes++)
        check_evict("WAYS=3", 3, holes);
    for (uint64_t holes = 1; holes < 0x10000; holes = holes * 3 + 1)
        check_evict("WAYS=16", 16, holes & 0xFFFF);
    check_evict("WAYS=16", 16, 0xFFFF);
}

/* ---- IDs ---- */

static void test_ids(void **unused) {
    struct bpg_bench b = START("INTERVAL=100");
    for (uint64_t id = 0; id < 32; id++) {
        uint64_t sees = id < 8 ? 0xFF & ~bits_low((unsigned)id) : 0;
        launch(&b);
        access_(&b, BPG_LOAD, 0, id);
        access_(&b, BPG_LOAD, 0, id);
        uint32_t hits[8];
        for (unsigned k = 0; k < 8; k++)
            hits[k] = sees >> k & 1;
        expect_hits(&b, hits);
        assert_int_equal(b.out.st_count, 2);
        assert_int_equal(found(&b, 0), sees);
        access_(&b, BPG_EVICT, 0, id < 8 ? 8 : 31); /* an ID that no calculator counts */
        assert_int_equal(found(&b, 0), sees);
    }
    end(&b);
}

static void check_ask(const char *calculators_, const char *id_w) {
    struct bpg_bench b = START(calculators_, id_w, "INTERVAL=40");
    unsigned n = calculators(&b);
    load_table(&b, 1);
    for (unsigned lmax = 1; lmax <= n; lmax++) {
        uint32_t hits[BPG_MAX_CALCULATORS] = {0};
        hits[lmax - 1] = 1;
        assert_int_equal(decision_of(&b, hits, 0).lmax, lmax);
        for (uint64_t id = 0; id < UINT64_C(1) << param(&b, BPG_ID_W); id++) {
            b.in.ask_id = id;
            look(&b);
            assert_int_equal(b.out.ask_past, lmax < n && id >= lmax);
        }
        b.in.ask_id = 0;
    }
    end(&b);
}

static void test_ask(void **unused) {
    check_ask("CALCULATORS=8", "ID_W=5");
    check_ask("CALCULATORS=1", "ID_W=8");
    check_ask("CALCULATORS=5", "ID_W=3");
    check_ask("CALCULATORS=16", "ID_W=8");
}

/* ---- Saturation ---- */

static void test_hits_saturate(void **unused) {
    struct bpg_bench b = START("HIT_W=3", "INTERVAL=30", "HIT_SCALE=0");
    load_table(&b, 8);
    access_(&b, BPG_WRITE, 0, 0);
    cycle(&b);
    for (uint32_t i = 1; i <= 20; i++) {
        access_(&b, BPG_LOAD, 0, 4);
        cycle(&b);
        uint32_t h = i < 7 ? i : 7;
        expect_hits(&b, (uint32_t[8]){0, 0, 0, 0, h, h, h, h});
    }
    accesses(&b, 8, BPG_PASS, 0, 0);
    access_(&b, BPG_LOAD, 0, 0); /* the interval's last access; full counters stay full */
    struct test_bpg_decision d = watch_decision(&b);
    for (unsigned k = 1; k <= 8; k++)
        assert_int_equal(d.adjusted[k - 1], k < 5 ? 1 : 7);
    expect_hits(&b, (uint32_t[8]){0, 0, 0, 0, 3, 3, 3, 3});
    end(&b);
}

/* The interval's last access brings the counters to their maximum. The decision uses the
 * maximum, and half of it remains. */
static void test_last_access_counts(void **unused) {
    struct bpg_bench b = START("HIT_W=3", "INTERVAL=20", "HIT_SCALE=2", "CALCULATORS=2");
    load_table(&b, 8);
    gain_hits(&b, (uint32_t[2]){6, 6});
    settle(&b);
    accesses(&b, 19 - b.out.st_count, BPG_PASS, 0, 0);
    access_(&b, BPG_LOAD, 0, 0);
    struct test_bpg_decision d = watch_decision(&b);
    assert_int_equal(d.adjusted[0], 28);
    assert_int_equal(d.lmax, 2);
    expect_hits(&b, (uint32_t[2]){3, 3});
    end(&b);
}

static void test_failures_saturate(void **unused) {
    struct bpg_bench b = START("FAIL_W=4", "INTERVAL=12");
    load_table(&b, 1);
    for (uint64_t i = 0; i < 40; i++) {
        b.in.fail = 1;
        cycle(&b);
        uint64_t counted = i ? i - 1 : 0; /* number of failures counted so far */
        assert_int_equal(b.out.st_fails, counted < 15 ? counted : 15);
    }
    accesses(&b, 11, BPG_PASS, 0, 0);
    b.in.fail = 1; /* a failure in the cycle of the last access */
    access_(&b, BPG_PASS, 0, 0);
    assert_int_equal(watch_decision(&b).adjusted[7], -7); /* 15 / 2, rounded down */
    assert_int_equal(b.out.st_fails, 7);
    end(&b);
}

/* ---- Intervals ---- */

/* Tests back-to-back decisions, with the shortest interval and with an access and a failure in
 * each cycle. The access of cycle c is looked up in c + 1, so intervals end in cycles 12, 24, .. */
static void test_back_to_back(void **unused) {
    struct bpg_bench b = START("INTERVAL=12", "FAIL_W=5");
    load_table(&b, 3);
    uint64_t fails = 0, copied = 0;
    for (uint64_t c = 0; c < 240; c++) {
        uint64_t since = c % 12, k = since - 2;
        bool decided = c >= 12;
        b.in.fail = 1;
        access_(&b, BPG_LOAD, 0, 0);
        assert_int_equal(b.out.st_look, c > 0);
        assert_int_equal(b.out.st_count, c ? (c - 1) % 12 : 0);
        assert_int_equal(b.out.st_fails, fails);
        assert_int_equal(b.out.update, decided && since == 11);
        assert_int_equal(b.out.st_judged, decided && since >= 3 && since <= 10);
        if (b.out.st_judged) {
            assert_int_equal(b.out.st_judged_k, k);
            int64_t half = (int64_t)(copied * bpg_cube((uint32_t)k, 3) >> 17);
            int64_t hits = c < 24 ? 11 : c < 36 ? 17 : c < 48 ? 20 : c < 60 ? 22 : 23;
            assert_int_equal(adjusted(&b), hits * 8 - half);
        }
        fails += c > 0 && fails < 31;
        if (c && since == 0) {
            copied = fails;
            fails /= 2;
        }
    }
    end(&b);
}

/* Gaps between accesses only delay the decision, which the INTERVAL-th access triggers. */
static void test_just_the_last_decides(void **unused) {
    struct bpg_bench b = START("INTERVAL=13", "CALCULATORS=3");
    load_table(&b, 3);
    for (unsigned round = 0; round < 5; round++) {
        settle(&b);
        for (uint64_t i = b.out.st_count; i < 12; i++) {
            access_(&b, i % 8, i, i);
            for (unsigned gap = 0; gap < 30; gap++) {
                cycle(&b);
                assert_int_equal(b.out.update | b.out.st_judged, 0);
            }
        }
        access_(&b, BPG_PASS, 0, 31);
        watch_decision(&b);
    }
    end(&b);
}

/* A failure in the cycle of the last access belongs to the old interval. Failures one cycle later
 * and during the decision belong to the new interval. If there is one user, RF / 2 is half of the
 * failures. */
static void test_what_belongs_to_which(void **unused) {
    struct bpg_bench b = START("INTERVAL=20", "CALCULATORS=4");
    load_table(&b, 1);
    access_(&b, BPG_WRITE, 0, 0);
    accesses(&b, 18, BPG_PASS, 0, 0);
    failures(&b, 5);
    b.in.fail = 1;
    access_(&b, BPG_LOAD, 0, 0); /* in cycle t; cycle t + 1 is p */
    b.in.fail = 1;
    access_(&b, BPG_LOAD, 0, 0); /* in cycle t + 1; looked up and counted in p + 1 */
    assert_int_equal(b.out.st_count, 19);
    assert_int_equal(b.out.st_fails, 5);
    b.in.fail = 1;
    access_(&b, BPG_LOAD, 0, 0);
    assert_int_equal(b.out.st_count, 0);
    assert_int_equal(b.out.st_fails, 3); /* 3 is half of 6 */
    assert_int_equal(hits_of(&b, 1), 0); /* 0 is half of 1, rounded down */
    cycle(&b);
    assert_int_equal(b.out.st_count, 1);
    assert_int_equal(b.out.st_fails, 4);
    assert_int_equal(hits_of(&b, 1), 1);
    for (unsigned k = 1; k <= 4; k++) {
        access_(&b, BPG_LOAD, 0, 0);
        assert_int_equal(b.out.st_judged_k, k);
        assert_int_equal(adjusted(&b), 8 - 3);
    }
    cycle(&b);
    assert_int_equal(b.out.update, 1);
    expect_hits(&b, (uint32_t[4]){6, 6, 6, 6});
    assert_int_equal(b.out.st_count, 6);
    assert_int_equal(b.out.st_fails, 5);
    end(&b);
}

/* The table's entry for k is read in cycle p + k, so a write in that cycle is too late. */
static void test_table_is_read_in_turn(void **unused) {
    for (unsigned late = 0; late < 2; late++)
        for (unsigned k = 1; k <= 8; k++) {
            struct bpg_bench b = START("INTERVAL=20");
            load_table(&b, 1);
            failures(&b, 100);
            accesses(&b, 20, BPG_PASS, 0, 0);
            idle(&b, k - 1 + late); /* runs cycles p to p + k - 2 + late */
            b.in.cube_valid = 1;
            b.in.cube_index = k - 1;
            cycle(&b);
            idle(&b, 3 - late);
            assert_int_equal(b.out.st_judged_k, k);
            assert_int_equal(adjusted(&b), late ? -50 : 0);
            end(&b);
        }
}

/* A write to an index that does not exist has no effect. */
static void test_table_index_out_of_range(void **unused) {
    struct bpg_bench b = START("CALCULATORS=5", "INTERVAL=20");
    load_table(&b, 1);
    for (uint64_t index = 5; index < 8; index++) {
        b.in.cube_valid = 1;
        b.in.cube_index = index;
        cycle(&b);
    }
    struct test_bpg_decision d = decision_of(&b, (uint32_t[5]){0}, 100);
    for (unsigned k = 0; k < 5; k++)
        assert_int_equal(d.adjusted[k], -50);
    end(&b);
}

/* ---- Launch and reset ---- */

static uint64_t draw(uint64_t *x) {
    *x ^= *x << 13, *x ^= *x >> 7, *x ^= *x << 17;
    return *x * UINT64_C(0x2545F4914F6CDD1D) >> 8;
}

/* Applies the same random traffic to two blocks, whose outputs must be equal in each cycle. */
static void expect_alike(struct bpg_bench *one, struct bpg_bench *other) {
    uint64_t x = 4711;
    for (unsigned i = 0; i < 200; i++) {
        set_access(one, draw(&x) % 5, draw(&x) % 4 * 32, draw(&x) % 9);
        one->in.acc_valid = draw(&x) % 4 > 0;
        one->in.fail = draw(&x) & 1;
        one->in.ask_id = draw(&x) % 16;
        other->in = one->in;
        cycle(one);
        cycle(other);
        assert_memory_equal(&one->out, &other->out, sizeof one->out);
    }
}

/* Runs some traffic up to the last access of an interval whose decision is lmax = 2, then `cycles`
 * cycles. The final cycle has a launch or a reset and, if `busy`, also an access, a failure and a
 * table write. Afterwards the block must behave as after power-up and reset, except that the table
 * keeps its contents. */
static void check_launch(unsigned cycles, bool reset, bool busy) {
    struct bpg_bench b = START("INTERVAL=20", "INDEX=0"), fresh = START("INTERVAL=20", "INDEX=0");
    load_table(&b, 6);
    load_table(&fresh, 6);
    fresh.in.cube_valid = 1;
    fresh.in.cube_index = 7;
    fresh.in.cube_value = 77;
    cycle(&fresh);
    gain_hits(&b, (uint32_t[8]){0, 4, 0, 0, 0, 0, 0, 0});
    failures(&b, 3);
    settle(&b);
    accesses(&b, 20 - b.out.st_count, BPG_PASS, 0, 0);
    for (unsigned i = 0; i < cycles; i++) {
        if (busy)
            set_access(&b, BPG_LOAD, 32 * (i % 3), 0);
        b.in.fail = busy;
        cycle(&b);
    }
    set_access(&b, BPG_LOAD, 0, 0);
    b.in.fail = 1;
    b.in.cube_valid = 1;
    b.in.cube_index = 7;
    b.in.cube_value = 77;
    b.in.launch = !reset;
    b.in.rst = reset;
    cycle(&b);
    unsigned n = calculators(&b); /* the launch does not affect the outputs of its cycle */
    assert_int_equal(b.out.st_judged, cycles > 2 && cycles < BPG_DECIDES(n));
    assert_int_equal(b.out.update, cycles == BPG_DECIDES(n));
    assert_int_equal(b.out.lmax, cycles < BPG_DECIDES(n) ? 8 : 2);
    struct bpg_out as_new = {.lmax = 8};
    for (unsigned i = 0; i < 20; i++) {
        cycle(&b);
        assert_memory_equal(&b.out, &as_new, sizeof as_new);
    }
    expect_alike(&b, &fresh);
    end(&b);
    end(&fresh);
}

static void test_launch_in_each_cycle(void **unused) {
    for (unsigned cycles = 0; cycles < 18; cycles++)
        for (unsigned how = 0; how < 4; how++)
            check_launch(cycles, how & 1, how & 2);
}

/* A launch clears the counts of accesses and failures, whatever their values are. */
static void test_launch_within_an_interval(void **unused) {
    for (unsigned n = 0; n <= 20; n++) {
        struct bpg_bench b = START("INTERVAL=20"), fresh = START("INTERVAL=20");
        load_table(&b, 8);
        load_table(&fresh, 8);
        for (unsigned i = 0; i < n; i++) {
            b.in.fail = 1;
            access_(&b, BPG_LOAD, 0, 0);
        }
        launch(&b);
        expect_alike(&b, &fresh);
        end(&b);
        end(&fresh);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_illegal_parameters),
        cmocka_unit_test(test_reset_and_widths),
        cmocka_unit_test(test_sampled_sets),
        cmocka_unit_test(test_aliasing),
        cmocka_unit_test(test_each_op),
        cmocka_unit_test(test_use_makes_recent),
        cmocka_unit_test(test_lru),
        cmocka_unit_test(test_evict),
        cmocka_unit_test(test_ids),
        cmocka_unit_test(test_ask),
        cmocka_unit_test(test_hits_saturate),
        cmocka_unit_test(test_last_access_counts),
        cmocka_unit_test(test_failures_saturate),
        cmocka_unit_test(test_back_to_back),
        cmocka_unit_test(test_just_the_last_decides),
        cmocka_unit_test(test_what_belongs_to_which),
        cmocka_unit_test(test_table_is_read_in_turn),
        cmocka_unit_test(test_table_index_out_of_range),
        cmocka_unit_test(test_launch_in_each_cycle),
        cmocka_unit_test(test_launch_within_an_interval),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
