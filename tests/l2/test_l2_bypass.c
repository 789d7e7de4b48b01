// SPDX-License-Identifier: Apache-2.0
/* Tests of l2.bypass=stall: which loads bypass the bank, which data they return, and which
 * requests must wait for them. DRAM is halted so that the bank runs out of resources. */
#include "tests/l2/bank.h"
#include "check/check.h"

#define TWO_SECTORS ((struct byte_mask){{UINT64_C(0xffffffff), UINT64_C(0xffffffff)}})

static void passing(void) {
    defaults();
    cfg.l2_bypass = L2_BYPASS_STALL;
}

/* Byte BYTE and byte 0 of each reply, by the request's ID. Replies may arrive in any order. */
static uint8_t got[64], first_byte[64];

static void collect(unsigned replies) {
    for (unsigned n = 0; replies; n++) {
        assert_true(n < 5000);
        step();
        uint32_t number = xbar_peek(&reply, 0);
        if (number == REQUEST_NONE)
            continue;
        xbar_pop(&reply, 0);
        struct request *p = request_at(&context.pool, number);
        assert_false(p->l2.bypass);
        got[request_name(p)] = request_data(&context.pool, number)[BYTE];
        first_byte[request_name(p)] = request_data(&context.pool, number)[0];
        request_give(&context.pool, number);
        replies--;
    }
}

/* Fills both MSHR entries with loads 1 and 2, which DRAM does not answer. */
static void fill_entries(void) {
    dram_stands = true;
    send(REQUEST_LOAD, 8, SECTOR, 1, 0);
    send(REQUEST_LOAD, 9, SECTOR, 2, 0);
    steps(20);
    assert_int_equal(mshr_unit_used(&l2.cache.bank->mshr), 2);
}

static void expect_contents(uint8_t byte) {
    uint8_t data[LINE_BYTES];
    backing_read(&backing, LINE, data);
    l2_read_line(&l2, LINE, data);
    assert_int_equal(data[BYTE], byte);
}

/* ---- which loads bypass ---- */

enum shortage { WAY, ENTRY, EVICT_PLACE, PLACE_ON_FILL, SHORTAGES };

static const enum stat_id reason[SHORTAGES] = {STAT_l2_refusals_no_way, STAT_l2_refusals_entry_full,
                                               STAT_l2_refusals_evict_buffer,
                                               STAT_l2_refusals_evict_buffer};

static void configure(enum shortage s) {
    passing();
    if (s == ENTRY)
        cfg.l2_mshr_entries = 2;
    else if (s == PLACE_ON_FILL)
        cfg.l2_allocate = ALLOCATE_FILL;
    else
        cfg.l2_ways = 1;
    if (s == EVICT_PLACE) {
        cfg.l2_write_fetch = WRITE_LAZY;
        dram_of_lines(1);
    }
    cfg.l2_evict_buffer = s == PLACE_ON_FILL || s == EVICT_PLACE ? 1 : 8;
}

/* Makes the bank run out of the resource `s`. Returns the number of requests sent. */
static unsigned bring_about(enum shortage s) {
    dram_stands = true;
    if (s == ENTRY) {
        fill_entries();
        return 2;
    }
    if (s != EVICT_PLACE) {
        send(REQUEST_LOAD, 9, SECTOR, 1, 0);
        return 1;
    }
    /* one dirty line is in the way, one in the evict buffer and one in the channel */
    for (uint16_t i = 1; i <= 3; i++)
        send(REQUEST_STORE, 20 + i, WORD, i, 0);
    return 3;
}

static void one_request(enum shortage s, uint8_t kind) {
    configure(s);
    make();
    unsigned before = bring_about(s);
    send(kind, LINE, kind == REQUEST_LOAD ? SECTOR : WORD, 10, 0x77);
    steps(30);
    bool passes = kind == REQUEST_LOAD;
    assert_int_equal(COUNT(l2_bypasses), passes);
    assert_int_equal(l2.stats.v[reason[s]] > 5, !passes);
    assert_int_equal(COUNT(l2_refusals), l2.stats.v[reason[s]]);
    dram_stands = false;
    collect(before + 1);
    settle();
    if (passes || kind == REQUEST_ATOMIC)
        assert_int_equal(got[10], original());
    assert_int_equal(way_of(LINE) == WAY_NONE, passes);
    expect_contents(passes ? original() : 0x77);
    end();
}

static void only_loads_pass_and_leave_nothing(void **state) {
    for (int s = 0; s < SHORTAGES; s++)
        for (uint8_t kind = REQUEST_LOAD; kind <= REQUEST_ATOMIC; kind++)
            one_request((enum shortage)s, kind);
}

static void it_is_read_as_what_it_asks_for(void **state) {
    passing();
    cfg.l2_ways = 1;
    dram_of_lines(1);
    make();
    dram_stands = true;
    send(REQUEST_STORE, 9, WHOLE, 1, 0);
    send(REQUEST_LOAD, LINE, SECTOR, 2, 0);
    steps(20);
    struct request *p = request_at(&context.pool, *ring_first(&l2.cache.miss_queue));
    const struct byte_mask sector = SECTOR;
    assert_true(p->l2.bypass && p->line == LINE && request_name(p) == 2);
    assert_memory_equal(&p->mask, &sector, sizeof sector);
    dram_stands = false;
    collect(2);
    end();
}

/* A load that finds no MSHR slot does not bypass the bank, since the requests that wait for the
 * line may be stores. */
static void merge_full_is_refused(void **state) {
    passing();
    cfg.l2_mshr_slots = 1;
    make();
    dram_stands = true;
    send(REQUEST_STORE, LINE, WORD, 1, 0x31);
    send(REQUEST_LOAD, LINE, SECTOR, 2, 0);
    steps(30);
    assert_true(COUNT(l2_refusals_merge_full) > 5);
    dram_stands = false;
    collect(2);
    assert_int_equal(got[2], 0x31);
    assert_int_equal(COUNT(l2_bypasses), 0);
    end();
}

static void a_full_miss_queue_refuses(void **state) {
    passing();
    cfg.l2_ways = cfg.l2_miss_queue = 1;
    dram_of_lines(1);
    make();
    dram_stands = true;
    send(REQUEST_LOAD, 8, SECTOR, 1, 0);
    send(REQUEST_LOAD, 9, SECTOR, 2, 0);
    send(REQUEST_LOAD, LINE, SECTOR, 3, 0);
    steps(30);
    assert_int_equal(COUNT(l2_bypasses), 1);
    assert_true(COUNT(l2_refusals_no_way) > 5);
    assert_int_equal(COUNT(l2_refusals), COUNT(l2_refusals_no_way));
    dram_stands = false;
    collect(3);
    assert_int_equal(got[3], original());
    end();
}

/* If bytes of the granule are present, they are newer than those in DRAM, so a load of the granule
 * does not bypass. Other sectors make no difference. */
static void what_is_partly_here_does_not_pass(void **state) {
    for (int other_sector = 0; other_sector < 2; other_sector++) {
        passing();
        cfg.l2_write_fetch = WRITE_LAZY;
        cfg.l2_sectored = other_sector;
        cfg.l2_mshr_entries = 2;
        make();
        send(REQUEST_STORE, LINE, other_sector ? FIRST_SECTOR : WORD, 3, 0x41);
        answer(3);
        fill_entries();
        send(REQUEST_LOAD, LINE, SECTOR, 4, 0);
        steps(20);
        assert_int_equal(COUNT(l2_bypasses), other_sector);
        assert_int_equal(COUNT(l2_refusals_entry_full) > 5, !other_sector);
        dram_stands = false;
        collect(3);
        assert_int_equal(got[4], other_sector ? original() : 0x41);
        end();
    }
}

/* ---- order ---- */

/* The line's dirty bytes are in the evict buffer, behind those of other lines, so a load of the
 * line waits for them. */
static void a_read_does_not_pass_an_older_write(void **state) {
    passing();
    cfg.l2_write_fetch = WRITE_LAZY;
    cfg.l2_ways = 1;
    cfg.l2_evict_buffer = 2;
    dram_of_lines(1);
    make();
    dram_stands = true;
    send(REQUEST_STORE, 20, WORD, 1, 0);
    send(REQUEST_STORE, 21, WORD, 2, 0);
    send(REQUEST_STORE, LINE, WORD, 3, 0x51);
    send(REQUEST_LOAD, 9, SECTOR, 4, 0);
    send(REQUEST_LOAD, LINE, SECTOR, 5, 0);
    steps(30);
    assert_int_equal(l2.evict_buffer.count, 2);
    assert_int_equal(COUNT(l2_bypasses), 1);
    dram_stands = false;
    collect(5);
    assert_int_equal(got[5], 0x51);
    settle();
    end();
}

/* A store to bytes of a read that has not left the bank waits, whether the store would be sent to
 * DRAM, claim a way, or write to a way with other sectors. A store to other bytes does not wait. */
static void a_store_does_not_pass_an_older_read(void **state) {
    for (int variant = 0; variant < 3; variant++) {
        passing();
        cfg.l2_write = variant ? L2_WBWA : L2_WTWN;
        cfg.l2_write_fetch = variant ? WRITE_LAZY : WRITE_FETCH;
        cfg.l2_sectored = variant == 2;
        cfg.l2_mshr_entries = 2;
        dram_of_lines(1);
        make();
        fill_entries();
        send(REQUEST_LOAD, LINE, SECTOR, 3, 0);
        send(REQUEST_STORE, LINE, FIRST_SECTOR, 4, 0x61);
        send(REQUEST_STORE, LINE, WORD, 5, 0x62);
        collect(1);
        steps(20);
        assert_int_equal(COUNT(l2_bypasses), 1);
        assert_int_equal(COUNT(l2_write_misses), 1);
        assert_true(COUNT(l2_refusals_order) > 5);
        assert_int_equal(COUNT(l2_refusals), COUNT(l2_refusals_order));
        dram_stands = false;
        collect(4);
        assert_int_equal(got[3], original());
        settle();
        expect_contents(0x62);
        end();
    }
}

/* If the read is already in the channel, which keeps the order per address, no request waits. */
static void a_store_follows_a_read_into_dram(void **state) {
    passing();
    cfg.l2_write = L2_WTWN;
    cfg.l2_mshr_entries = 2;
    make();
    fill_entries();
    send(REQUEST_LOAD, LINE, SECTOR, 3, 0);
    send(REQUEST_STORE, LINE, WORD, 4, 0x63);
    steps(20);
    assert_int_equal(COUNT(l2_refusals), 0);
    assert_int_equal(at_dram().reads, 3);
    assert_int_equal(at_dram().writes, 1);
    dram_stands = false;
    collect(4);
    assert_int_equal(got[3], original());
    settle();
    expect_contents(0x63);
    end();
}

static void two_loads_of_a_line_are_two_reads(void **state) {
    passing();
    cfg.l2_ways = 1;
    make();
    dram_stands = true;
    send(REQUEST_LOAD, 9, SECTOR, 1, 0);
    send(REQUEST_LOAD, LINE, SECTOR, 2, 0);
    send(REQUEST_LOAD, LINE, WHOLE, 3, 0);
    steps(20);
    assert_int_equal(COUNT(l2_bypasses), 2);
    dram_stands = false;
    collect(3);
    assert_int_equal(got[2], original());
    assert_int_equal(got[3], original());
    assert_int_equal(dram.reads, 3);
    end();
}

/* ---- granules ---- */

/* One sector of a request is dirty in the bank, and the other is read from DRAM by a bypass. The
 * reply contains the right bytes, whichever sector is first. The atom of this DRAM is the whole
 * line, so it includes older bytes of the dirty sector. */
static void a_part_passes_as_a_part(void **state) {
    for (int first = 0; first < 2; first++) {
        passing();
        cfg.l2_write_fetch = WRITE_LAZY;
        cfg.l2_sectored = 1;
        cfg.l2_mshr_entries = 2;
        make();
        send(REQUEST_STORE, LINE, first ? SECTOR : FIRST_SECTOR, 3, 0x71);
        answer(3);
        fill_entries();
        send(REQUEST_LOAD, LINE, TWO_SECTORS, 4, 0);
        steps(20);
        assert_int_equal(COUNT(l2_bypasses), 1);
        assert_int_equal(COUNT(l2_hits), 1);
        dram_stands = false;
        collect(3);
        assert_int_equal(first_byte[4], first ? check_stamp(0, LINE * LINE_BYTES) : 0x71);
        assert_int_equal(got[4], first ? 0x71 : original());
        settle();
        end();
    }
}

/* ---- replies ---- */

static void it_waits_for_the_reply_queue(void **state) {
    passing();
    cfg.l2_ways = cfg.l2_reply_queue = 1;
    make();
    dram_stands = true;
    for (uint16_t i = 1; i <= 6; i++)
        send(REQUEST_LOAD, i, SECTOR, i, 0);
    steps(30);
    assert_int_equal(COUNT(l2_bypasses), 5);
    dram_stands = false;
    replies_stand = true;
    steps(200);
    assert_true(dram_peek(&dram, 0) != REQUEST_NONE);
    assert_true(l2_has_input(&l2, context.now));
    replies_stand = false;
    collect(6);
    for (uint16_t i = 1; i <= 6; i++)
        assert_int_equal(got[i], check_stamp(0, (uint64_t)i * LINE_BYTES + BYTE));
    settle();
    end();
}

/* The reply to a bypassing load blocks other data from DRAM, so the reply has priority over any
 * number of hits. */
static void hits_do_not_starve_it(void **state) {
    passing();
    cfg.l2_mshr_entries = 2;
    cfg.l2_reply_queue = 1;
    make();
    send(REQUEST_LOAD, 7, WHOLE, 3, 0);
    answer(3);
    fill_entries();
    send(REQUEST_LOAD, LINE, SECTOR, 4, 0);
    for (uint16_t i = 10; i < 50; i++)
        send(REQUEST_LOAD, 7, WHOLE, i, 0);
    steps(20);
    assert_int_equal(COUNT(l2_bypasses), 1);
    dram_stands = false;
    got[4] = (uint8_t)~original();
    collect(30);
    assert_int_equal(got[4], original());
    collect(13);
    end();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_loads_pass_and_leave_nothing),
        cmocka_unit_test(it_is_read_as_what_it_asks_for),
        cmocka_unit_test(merge_full_is_refused),
        cmocka_unit_test(a_full_miss_queue_refuses),
        cmocka_unit_test(what_is_partly_here_does_not_pass),
        cmocka_unit_test(a_read_does_not_pass_an_older_write),
        cmocka_unit_test(a_store_does_not_pass_an_older_read),
        cmocka_unit_test(a_store_follows_a_read_into_dram),
        cmocka_unit_test(two_loads_of_a_line_are_two_reads),
        cmocka_unit_test(a_part_passes_as_a_part),
        cmocka_unit_test(it_waits_for_the_reply_queue),
        cmocka_unit_test(hits_do_not_starve_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
