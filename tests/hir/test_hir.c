// SPDX-License-Identifier: Apache-2.0
/* Directed tests of the hir model. They follow the contract sentence by sentence. */
#include "tests/hir/bench.h"

/* ---- Parameters ---- */

static void expect_out_of_range(const char *set) {
    struct block_params p;
    struct error err = {0};
    block_params_default(&hir_type, &p);
    if (!block_params_set(&hir_type, &p, set, &err))
        assert_int_equal(block_params_check(&hir_type, &p, &err), -1);
}

static void test_illegal_parameters(void **unused) {
    static const char *const beyond[] = {"SETS=0",    "SETS=2048", "WAYS=0",   "WAYS=17",
                                         "SET_W=3",   "SET_W=49",  "PAGES=1",  "PAGES=64",
                                         "COUNT_W=0", "COUNT_W=5", "LOST_W=0", "LOST_W=17"};
    for (unsigned i = 0; i < sizeof beyond / sizeof *beyond; i++)
        expect_out_of_range(beyond[i]);
    ILLEGAL("SETS must be a power of two", "SETS=24");
    ILLEGAL("PAGES must be a power of two", "PAGES=12");
    ILLEGAL("SET_W must be more than log2(SETS)", "SET_W=7");
    ILLEGAL("PAGES * COUNT_W must be at most 64", "PAGES=32", "COUNT_W=3");
    struct hir_bench b = START("SET_W=8", "PAGES=32", "COUNT_W=2", "WAYS=16", "LOST_W=1");
    end(&b);
    b = START("SETS=1", "WAYS=1", "SET_W=4", "PAGES=2", "COUNT_W=4");
    end(&b);
    b = START("SETS=1024", "SET_W=11", "PAGES=16", "COUNT_W=4", "WAYS=16");
    end(&b);
}

static unsigned width_of(const struct hir_bench *b, const char *name) {
    for (unsigned i = 0; i < hir_type.n_ports; i++)
        if (!strcmp(hir_type.ports[i].name, name))
            return hir_type.ports[i].width(&b->inst.params);
    fail_msg("no port %s", name);
    return 0;
}

/* Checks the port widths, which are derived from the parameters. */
static void check_widths(const char *const *set, unsigned page, unsigned counts, unsigned row,
                         unsigned way, unsigned count) {
    struct hir_bench b = start(NULL, set);
    assert_int_equal(width_of(&b, "hit_page"), page);
    assert_int_equal(width_of(&b, "out_counts"), counts);
    assert_int_equal(width_of(&b, "st_row"), row);
    assert_int_equal(width_of(&b, "st_way"), way);
    assert_int_equal(width_of(&b, "st_count"), count);
    end(&b);
}

#define WIDTHS(page, counts, row, way, count, ...)                                                 \
    check_widths((const char *const[]){__VA_ARGS__, NULL}, page, counts, row, way, count)

static void test_widths(void **unused) {
    WIDTHS(4, 32, 7, 3, 11, "SETS=128");
    WIDTHS(1, 2, 1, 1, 1, "SETS=1", "WAYS=1", "PAGES=2", "COUNT_W=1");
    WIDTHS(1, 8, 1, 2, 3, "SETS=2", "WAYS=3", "PAGES=2", "COUNT_W=4");
    WIDTHS(5, 64, 10, 4, 15, "SETS=1024", "WAYS=16", "PAGES=32");
}

/* ---- Recording ---- */

/* A hit is accepted in t and looked up in t + 1, with the state at the start of that cycle. The
 * result is visible from t + 2 on. */
static void test_lookup_cycles(void **unused) {
    struct hir_bench b = START("SETS=16");
    expect_empty(&b);
    touch(&b, 0x123, 5);
    assert_int_equal(b.out.hit_ready, 1);
    assert_int_equal(b.out.st_look, 0);
    touch(&b, 0x123, 5);
    assert_int_equal(b.out.st_look, 1);
    assert_int_equal(b.out.st_row, 3);
    assert_int_equal(b.out.st_found, 0);
    assert_int_equal(b.out.st_lose, 0);
    assert_int_equal(b.out.st_way, 0);
    assert_int_equal(b.out.st_count, 0);
    cycle(&b); /* completes the previous hit */
    assert_int_equal(b.out.st_look, 1);
    assert_int_equal(b.out.st_found, 1);
    assert_int_equal(b.out.st_way, 0);
    assert_int_equal(b.out.st_count, 1);
    cycle(&b);
    assert_int_equal(b.out.st_look, 0);
    assert_int_equal(b.out.st_count, 1);
    SENDS(&b, {0x123, 2 << 10});
    end(&b);
}

/* If hit_valid is 0, no entry is made. */
static void test_valid(void **unused) {
    struct hir_bench b = START("SETS=4");
    set_hit(&b, 7, 3);
    b.in.hit_valid = 0;
    cycle(&b);
    cycle(&b);
    expect_empty(&b);
    end(&b);
}

/* Checks that each bit of a page-set number makes a difference: the low bits select the set, and
 * the others are the tag. */
static void check_numbers(const char *sets, unsigned set_bits) {
    struct hir_bench b = START(sets);
    const uint64_t number = 0x5a5a5a5a5a5a;
    for (unsigned bit = 0; bit < 48; bit++) {
        uint64_t other = number ^ UINT64_C(1) << bit;
        touch(&b, number, 0);
        touch(&b, other, 1);
        cycle(&b);
        assert_int_equal(b.out.st_row, other & bits_low(set_bits));
        assert_int_equal(b.out.st_found, 0);
        assert_int_equal(b.out.st_way, bit >= set_bits);
        SENDS(&b, {number, 1}, {other, 1 << 2});
    }
    end(&b);
}

static void test_numbers(void **unused) {
    check_numbers("SETS=1", 0);
    check_numbers("SETS=128", 7);
    check_numbers("SETS=1024", 10);
}

/* Ways are filled from the lowest up, independently in each set. */
static void test_lowest_way(void **unused) {
    struct hir_bench b = START("SETS=4", "WAYS=5");
    for (uint64_t tag = 0; tag < 5; tag++)
        for (uint64_t row = 0; row < 4; row++) {
            touch(&b, tag << 2 | row, 0);
            cycle(&b);
            assert_int_equal(b.out.st_row, row);
            assert_int_equal(b.out.st_way, tag);
            assert_int_equal(b.out.st_lose, 0);
        }
    for (uint64_t tag = 5; tag-- > 0;) {
        touch(&b, tag << 2 | 3, 0);
        cycle(&b);
        assert_int_equal(b.out.st_found, 1);
        assert_int_equal(b.out.st_way, tag);
    }
    end(&b);
}

/* ---- Counters ---- */

/* Checks that each counter counts to its maximum, and that no other counter changes. */
static void check_counters(const char *pages, const char *width) {
    struct hir_bench b = START(pages, width);
    unsigned n = (unsigned)param(&b, HIR_PAGES), w = (unsigned)param(&b, HIR_COUNT_W);
    unsigned most = (unsigned)bits_low(w);
    for (unsigned page = 0; page < n; page++)
        for (unsigned times = 1; times <= most + 2; times++) {
            touches(&b, times, 99, page);
            flush(&b);
            expect_lead(&b);
            uint64_t count = times < most ? times : most;
            expect_leave(&b, &(struct hir_entry){99, count << page * w}, 1);
        }
    end(&b);
}

static void test_counters(void **unused) {
    check_counters("PAGES=2", "COUNT_W=1");
    check_counters("PAGES=16", "COUNT_W=2");
    check_counters("PAGES=32", "COUNT_W=2");
    check_counters("PAGES=8", "COUNT_W=3");
    check_counters("PAGES=16", "COUNT_W=4");
}

/* Adjacent counters do not affect each other, even if some are full. */
static void test_counters_together(void **unused) {
    struct hir_bench b = START("PAGES=16");
    for (unsigned round = 0; round < 5; round++)
        for (unsigned page = 0; page < 16; page++)
            if (round < page % 5)
                touch(&b, 7, page);
    flush(&b);
    expect_lead(&b);
    b.in.out_ready = 1;
    cycle(&b);
    assert_int_equal(b.out.out_set, 7);
    for (unsigned page = 0; page < 16; page++)
        assert_int_equal(count_of(&b, page), page % 5 < 3 ? page % 5 : 3);
    expect_empty(&b);
    end(&b);
}

/* ---- Way conflicts ---- */

/* The ninth page set in a set of eight ways is lost, which is visible from t + 2 on. The older
 * page sets stay, and continue to count. */
static void test_way_conflict(void **unused) {
    struct hir_bench b = START("SETS=128");
    struct hir_entry entries[9];
    for (uint64_t tag = 0; tag < 8; tag++) {
        touch(&b, tag << 7 | 5, tag);
        entries[tag] = (struct hir_entry){tag << 7 | 5, UINT64_C(1) << 2 * tag};
    }
    touch(&b, UINT64_C(8) << 7 | 5, 8);
    assert_int_equal(b.out.st_way, 7);
    touch(&b, UINT64_C(3) << 7 | 5, 3);
    assert_int_equal(b.out.st_look, 1);
    assert_int_equal(b.out.st_found, 0);
    assert_int_equal(b.out.st_lose, 1);
    assert_int_equal(b.out.lost, 0);
    touch(&b, UINT64_C(8) << 7 | 6, 8); /* this page set is in the next set, which has a free way */
    assert_int_equal(b.out.lost, 1);
    assert_int_equal(b.out.st_found, 1);
    assert_int_equal(b.out.st_way, 3);
    touch(&b, UINT64_C(8) << 7 | 5, 8);
    assert_int_equal(b.out.st_lose, 0);
    assert_int_equal(b.out.st_way, 0);
    idle(&b, 2);
    assert_int_equal(b.out.lost, 2);
    assert_int_equal(b.out.st_count, 9);
    entries[3].counts = 2 << 6;
    entries[8] = (struct hir_entry){UINT64_C(8) << 7 | 6, 1 << 16};
    expect_entries(&b, entries, 9);
    end(&b);
}

static void check_lost(const char *width, unsigned most) {
    struct hir_bench b = START("SETS=2", "WAYS=1", width);
    touch(&b, 0, 0);
    for (unsigned i = 1; i <= most + 3; i++) {
        touch(&b, 2 * i, 0);
        if (i > 1)
            assert_int_equal(b.out.lost, i - 2 < most ? i - 2 : most);
    }
    idle(&b, 2);
    assert_int_equal(b.out.lost, most);
    SENDS(&b, {0, 1}); /* lost is 0 afterwards */
    touch(&b, 0, 0);
    touch(&b, 2, 0);
    idle(&b, 2);
    assert_int_equal(b.out.lost, 1);
    reset(&b);
    expect_empty(&b);
    end(&b);
}

static void test_lost(void **unused) {
    check_lost("LOST_W=1", 1);
    check_lost("LOST_W=5", 31);
    check_lost("LOST_W=16", 65535);
}

/* ---- Sending ---- */

static void test_first_touch_order(void **unused) {
    struct hir_bench b = START("SETS=4", "WAYS=3", "PAGES=4");
    static const uint64_t order[] = {9, 2, 5, 9, 1, 2, 13, 0, 5, 1, 6};
    for (unsigned i = 0; i < sizeof order / sizeof *order; i++)
        touch(&b, order[i], i % 4);
    /* page set 13 finds no free way and is lost */
    SENDS(&b, {9, 0x41}, {2, 0x08}, {5, 0x11}, {1, 0x05}, {0, 0x40}, {6, 0x10});
    end(&b);
}

/* All entries can be in use, and are sent in their order of creation, which alternates between
 * sets. */
static void test_all_entries(void **unused) {
    struct hir_bench b = START("SETS=128");
    static struct hir_entry entries[1024];
    for (unsigned i = 0; i < 1024; i++) {
        entries[i] = (struct hir_entry){(uint64_t)i * 389 % 1024, UINT64_C(1) << 2 * (i % 16)};
        touch(&b, entries[i].set, i % 16);
    }
    idle(&b, 2);
    assert_int_equal(b.out.st_count, 1024);
    assert_int_equal(b.out.lost, 0);
    expect_entries(&b, entries, 1024);
    flush(&b);
    idle(&b, 2);
    expect_empty(&b); /* nothing is left to send */
    end(&b);
}

/* A flush sends all hits before it, in whichever cycle after the last hit it comes. */
static void test_flush_behind_hits(void **unused) {
    struct hir_bench b = START("SETS=8");
    for (unsigned rest = 0; rest < 6; rest++) {
        touch(&b, 1, 0);
        touch(&b, 9, 1);
        set_hit(&b, 1, 0);
        for (unsigned i = 0; i < rest; i++)
            cycle(&b);
        SENDS(&b, {1, 2}, {9, 4});
    }
    end(&b);
}

/* A hit in the cycle of the flush is counted. Tests a first hit, a hit on a new page set, a hit on
 * a present one, and a hit that is lost. */
static void test_hit_with_flush(void **unused) {
    struct hir_bench b = START("SETS=1", "WAYS=2");
    set_hit(&b, 4, 2);
    SENDS(&b, {4, 1 << 4});
    touch(&b, 4, 2);
    set_hit(&b, 8, 0);
    SENDS(&b, {4, 1 << 4}, {8, 1});
    touch(&b, 4, 2);
    touch(&b, 8, 0);
    set_hit(&b, 4, 2);
    SENDS(&b, {4, 2 << 4}, {8, 1});
    touch(&b, 4, 2);
    touch(&b, 8, 0);
    set_hit(&b, 7, 7);
    flush(&b);
    cycle(&b);
    assert_int_equal(b.out.st_look, 1);
    assert_int_equal(b.out.st_lose, 1);
    assert_int_equal(b.out.lost, 0);
    idle(&b, 2);
    assert_int_equal(b.out.lost, 1);
    assert_int_equal(b.out.st_look, 0);
    expect_shown(&b, 4, 1 << 4, false, true);
    assert_int_equal(b.out.lost, 1); /* stays 1 until the last entry has been sent */
    expect_shown(&b, 8, 1, true, true);
    assert_int_equal(b.out.lost, 1);
    expect_empty(&b);
    end(&b);
}

/* Sends four entries that are accepted in the 8-cycle pattern `pattern`. Each must be stable until
 * it is accepted, none may be skipped, and all are counted until the last one has been sent. */
static void check_pattern(struct hir_bench *b, unsigned pattern) {
    unsigned taken = 0;
    for (uint64_t i = 0; i < 4; i++)
        touch(b, 10 + i, i);
    flush(b);
    expect_lead(b);
    for (unsigned i = 0; taken < 4; i++) {
        bool ready = i >= 8 || pattern >> i & 1;
        expect_shown(b, 10 + taken, UINT64_C(1) << 2 * taken, taken == 3, ready);
        assert_int_equal(b->out.st_count, 4);
        taken += ready;
    }
    expect_empty(b);
}

static void test_out_ready(void **unused) {
    struct hir_bench b = START("SETS=2");
    for (unsigned pattern = 0; pattern < 256; pattern++)
        check_pattern(&b, pattern);
    touch(&b, 3, 0);
    flush(&b);
    expect_lead(&b);
    for (unsigned i = 0; i < 300; i++)
        expect_shown(&b, 3, 1, true, false);
    expect_leave(&b, &(struct hir_entry){3, 1}, 1);
    end(&b);
}

/* If there is nothing to send, busy is 1 only in t + 1 and t + 2. Flush and hits are accepted
 * again in t + 3. */
static void test_nothing_to_send(void **unused) {
    struct hir_bench b = START("SETS=8");
    for (unsigned round = 0; round < 3; round++) {
        flush(&b);
        for (unsigned i = 1; i <= 2; i++) {
            b.in.out_ready = 1;
            cycle(&b);
            assert_int_equal(b.out.busy, 1);
            assert_int_equal(b.out.hit_ready, 0);
            assert_int_equal(b.out.out_valid, 0);
        }
        expect_empty(&b);
    }
    flush(&b);
    idle(&b, 2);
    touch(&b, 5, 0); /* a hit in cycle t + 3 */
    assert_int_equal(b.out.hit_ready, 1);
    SENDS(&b, {5, 1});
    end(&b);
}

/* A hit or a flush is ignored in each busy cycle, including the cycle in which the last entry is
 * sent. */
static void test_busy_takes_nothing(void **unused) {
    struct hir_bench b = START("SETS=8");
    const unsigned cycles = HIR_FLUSH_LATENCY - 1 + 3;
    for (unsigned at = 1; at <= cycles; at++)
        for (unsigned what = 1; what <= 3; what++) {
            for (uint64_t i = 0; i < 3; i++)
                touch(&b, i, 0);
            flush(&b);
            for (unsigned i = 1; i <= cycles; i++) {
                if (i == at && what & 1)
                    set_hit(&b, 6, 0);
                b.in.flush = i == at && what & 2;
                b.in.out_ready = 1;
                cycle(&b);
                assert_int_equal(b.out.busy, 1);
                assert_int_equal(b.out.hit_ready, 0);
                assert_int_equal(b.out.out_valid, i >= HIR_FLUSH_LATENCY);
            }
            expect_empty(&b);
            cycle(&b);
            expect_empty(&b);
        }
    end(&b);
}

/* In the first cycle after busy, flush and hits are accepted. At that time there are no entries,
 * and all counters are 0. */
static void test_again(void **unused) {
    struct hir_bench b = START("SETS=1", "WAYS=3");
    touches(&b, 5, 1, 1);
    touch(&b, 2, 2);
    for (unsigned round = 0; round < 5; round++) {
        flush(&b);
        expect_lead(&b);
        expect_shown(&b, 1, round ? 1 << 2 : 3 << 2, false, true);
        expect_shown(&b, 2, 1 << 4, true, true);
        touch(&b, 1, 1);
        assert_int_equal(b.out.hit_ready, 1);
        set_hit(&b, 2, 2);
        look(&b);
        assert_int_equal(b.out.st_found, 0);
        assert_int_equal(b.out.st_way, 0);
    }
    end(&b);
}

/* ---- Reset ---- */

/* Resets the block in cycle `at` of a sequence of hits, flush and sent entries. Afterwards the
 * state must be that after power-up, and the inputs in the cycle of reset must have been
 * ignored. */
static void check_reset(struct hir_bench *b, unsigned at) {
    const unsigned flush_at = 4;
    for (unsigned i = 0; i < at; i++) {
        if (i < flush_at)
            set_hit(b, i, i);
        b->in.flush = i == flush_at;
        b->in.out_ready = 1;
        cycle(b);
    }
    set_hit(b, 6, 1);
    b->in.flush = 1;
    b->in.out_ready = 1;
    reset(b);
    expect_empty(b);
    cycle(b);
    expect_empty(b);
    touch(b, 1, 0);
    touch(b, 0, 0);
    SENDS(b, {1, 1}, {0, 1});
}

static void test_reset(void **unused) {
    struct hir_bench b = START("SETS=1", "WAYS=3"); /* the last hit is lost */
    for (unsigned at = 0; at < 14; at++)
        check_reset(&b, at);
    flush(&b); /* there is nothing to send */
    cycle(&b);
    reset(&b);
    expect_empty(&b);
    touch(&b, 1, 0);
    flush(&b);
    expect_lead(&b);
    expect_shown(&b, 1, 1, true, false);
    reset(&b); /* an entry waits at the output */
    expect_empty(&b);
    end(&b);
}

/* ---- hir_next_event ---- */

static void test_next_event(void **unused) {
    struct hir_bench b = START("SETS=8");
    assert_true(hir_next_event(b.inst.model) == UINT64_MAX);
    touch(&b, 1, 1);
    assert_int_equal(hir_next_event(b.inst.model), 0);
    cycle(&b);
    assert_true(hir_next_event(b.inst.model) == UINT64_MAX); /* holds even if an entry is in use */
    look(&b);
    struct hir_out before = b.out;
    b.in.out_ready = 1;
    idle(&b, 100);
    look(&b);
    assert_memory_equal(&b.out, &before, sizeof before);
    SENDS(&b, {1, 4}); /* each cycle is an event while the block sends */
    flush(&b);
    for (unsigned i = 1; i <= 2; i++) {
        assert_int_equal(hir_next_event(b.inst.model), 0);
        cycle(&b);
    }
    assert_true(hir_next_event(b.inst.model) == UINT64_MAX);
    end(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_illegal_parameters),
        cmocka_unit_test(test_widths),
        cmocka_unit_test(test_lookup_cycles),
        cmocka_unit_test(test_valid),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_lowest_way),
        cmocka_unit_test(test_counters),
        cmocka_unit_test(test_counters_together),
        cmocka_unit_test(test_way_conflict),
        cmocka_unit_test(test_lost),
        cmocka_unit_test(test_first_touch_order),
        cmocka_unit_test(test_all_entries),
        cmocka_unit_test(test_flush_behind_hits),
        cmocka_unit_test(test_hit_with_flush),
        cmocka_unit_test(test_out_ready),
        cmocka_unit_test(test_nothing_to_send),
        cmocka_unit_test(test_busy_takes_nothing),
        cmocka_unit_test(test_again),
        cmocka_unit_test(test_reset),
        cmocka_unit_test(test_next_event),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
