// SPDX-License-Identifier: Apache-2.0
/* Tests of outcomes and refusals of a write-back bank, most of them with fetches of whole lines. */
#include "tests/l2/bank.h"

/* A write, read, write and read of one absent line are answered in that order. Each read gets the
 * data of the writes before it. */
static void requests_of_a_line_keep_their_order(void **state) {
    defaults();
    cfg.l2_mshr_slots = 8;
    make();
    load(1, 1);
    store(1, 2, 0xa0);
    load(1, 3);
    store(1, 4, 0xb0);
    load(1, 5);
    expect_load_reply(1, untouched(1));
    expect_store_reply(2);
    expect_load_reply(3, 0xa0);
    expect_store_reply(4);
    expect_load_reply(5, 0xb0);
    assert_int_equal(COUNT(l2_primary_misses), 1);
    assert_int_equal(COUNT(l2_secondary_misses), 4);
    load(1, 6);
    expect_load_reply(6, 0xb0);
    assert_int_equal(COUNT(l2_hits), 1);
    end();
}

/* If more lines are stored to than the bank has ways, dirty lines are written to DRAM. Loads fetch
 * their data again. */
static void dirty_lines_are_written_back(void **state) {
    defaults();
    make();
    for (uint16_t line = 1; line <= 12; line++)
        store(line, line, (uint8_t)line);
    for (uint16_t i = 1; i <= 12; i++)
        expect_store_reply(i);
    assert_int_equal(COUNT(l2_evictions), 8);
    assert_int_equal(COUNT(l2_writebacks), 8);
    steps(500);
    assert_int_equal(dram.writes, 8);
    for (uint16_t line = 1; line <= 12; line++) {
        uint8_t data[LINE_BYTES];
        backing_read(&backing, line, data);
        l2_read_line(&l2, line, data);
        assert_int_equal(data[99], line);
        load(line, line);
        expect_load_reply(line, (uint8_t)line);
    }
    end();
}

/* A line is fetched again while its write-back still waits. The write-back leaves first. */
static void a_fetch_does_not_pass_the_write_back(void **state) {
    defaults();
    cfg.l2_ways = 1;
    dram_of_lines(1);
    make();
    store(1, 1, 0x5a);
    load(2, 2);
    load(1, 3);
    expect_store_reply(1);
    expect_load_reply(2, untouched(2));
    expect_load_reply(3, 0x5a);
    end();
}

static void refused_entry_full(void **state) {
    defaults();
    cfg.l2_mshr_entries = 2;
    make();
    dram_stands = true;
    for (uint16_t i = 1; i <= 3; i++)
        load(i, i);
    steps(20);
    assert_true(COUNT(l2_refusals_entry_full) > 5);
    assert_int_equal(COUNT(l2_refusals_entry_full), COUNT(l2_refusals));
    assert_int_equal(COUNT(l2_refused), 1);
    assert_int_equal(COUNT(l2_refused_entry_full), 1);
    dram_stands = false;
    for (uint16_t i = 1; i <= 3; i++)
        expect_load_reply(i, untouched(i));
    end();
}

static void refused_merge_full(void **state) {
    defaults();
    cfg.l2_mshr_slots = 2;
    make();
    dram_stands = true;
    for (uint16_t i = 1; i <= 3; i++)
        load(7, i);
    steps(20);
    assert_true(COUNT(l2_refusals_merge_full) > 5);
    assert_int_equal(COUNT(l2_refused_merge_full), 1);
    dram_stands = false;
    for (uint16_t i = 1; i <= 3; i++)
        expect_load_reply(i, untouched(7));
    /* the third load arrives after the line's data, and waits for the drain of the first two
     * loads */
    assert_true(COUNT(l2_refusals_order) > 0);
    assert_int_equal(COUNT(l2_hits), 1);
    assert_int_equal(COUNT(l2_refused), 1);
    end();
}

static void refused_line(void **state) {
    defaults();
    cfg.l2_ways = 2;
    make();
    dram_stands = true;
    for (uint16_t i = 1; i <= 3; i++)
        load(i, i);
    steps(20);
    assert_true(COUNT(l2_refusals_no_way) > 5);
    assert_int_equal(COUNT(l2_refusals_no_way), COUNT(l2_refusals));
    end();
}

static void refused_miss_queue(void **state) {
    defaults();
    cfg.l2_miss_queue = 1;
    dram_of_lines(1);
    make();
    dram_stands = true;
    for (uint16_t i = 1; i <= 3; i++)
        load(i, i);
    steps(20);
    assert_true(COUNT(l2_refusals_miss_queue) > 5);
    assert_true(COUNT(dram_full_cycles) > 5);
    end();
}

static void refused_evict_buffer(void **state) {
    defaults();
    cfg.l2_ways = 4;
    cfg.l2_evict_buffer = 1;
    dram_of_lines(1);
    make();
    for (uint16_t i = 1; i <= 4; i++)
        store(i, i, 0);
    for (uint16_t i = 1; i <= 4; i++)
        expect_store_reply(i);
    steps(50);
    dram_stands = true;
    for (uint16_t i = 5; i <= 8; i++)
        load(i, i);
    steps(30);
    assert_true(COUNT(l2_refusals_evict_buffer) > 5);
    dram_stands = false;
    for (uint16_t i = 5; i <= 8; i++)
        expect_load_reply(i, untouched(i));
    end();
}

static void refused_reply_queue(void **state) {
    defaults();
    cfg.l2_reply_queue = 2;
    make();
    load(1, 0);
    expect_load_reply(0, untouched(1));
    replies_stand = true;
    for (uint16_t i = 1; i <= 6; i++)
        load(1, i);
    steps(30);
    assert_true(COUNT(l2_refusals_reply_queue) > 5);
    replies_stand = false;
    for (uint16_t i = 1; i <= 6; i++)
        expect_load_reply(i, untouched(1));
    end();
}

/* Sends twenty loads of a line while replies are halted. One reply is in the crossbar. Other loads
 * fill the reply queue (4 entries) and the incoming buffer (8 entries). Each load takes one entry,
 * or four if entries hold sectors. */
static void places_hold_requests_or_sectors(void **state) {
    for (int sectors = 0; sectors < 2; sectors++) {
        defaults();
        cfg.l2_sectored = 1;
        cfg.l2_model = sectors ? MODEL_GPGPUSIM : MODEL_SIMPLE;
        cfg.l2_reply_queue = 4;
        cfg.l2_in_queue = 8;
        make();
        load(1, 0);
        expect_load_reply(0, untouched(1));
        replies_stand = true;
        for (uint16_t i = 1; i <= 20; i++)
            load(1, i);
        steps(100);
        assert_int_equal(l2.reply_queue.count, sectors ? 1 : 4);
        assert_int_equal(l2.in.fifo.held, sectors ? 2 : 8);
        assert_int_equal(l2.in.sectors, sectors ? 8 : 0);
        replies_stand = false;
        for (uint16_t i = 1; i <= 20; i++)
            expect_load_reply(i, untouched(1));
        assert_int_equal(l2.reply_places, 0);
        assert_int_equal(l2.in.sectors, 0);
        end();
    }
}

/* Sends loads of three sectors each, of a line that is present or, if `comes`, arrives later. Two
 * loads fill the five entries of the reply queue, and others fill the seven of the incoming
 * buffer. */
static void places_of_part_lines(void **state) {
    for (int comes = 0; comes < 2; comes++) {
        defaults();
        cfg.l2_sectored = 1;
        cfg.l2_model = MODEL_GPGPUSIM;
        cfg.l2_reply_queue = 5;
        cfg.l2_in_queue = 7;
        cfg.l2_latency = 10; /* keeps more requests in flight when the tags stop */
        cfg.l2_mshr_slots = 4;
        make();
        load(1, 0);
        if (!comes)
            expect_load_reply(0, untouched(1));
        replies_stand = true;
        for (uint16_t i = 1; i <= 20; i++)
            ask_sectors(1, 7, false, i, 0);
        steps(200);
        assert_int_equal(l2.reply_queue.count, 2);
        assert_in_range(l2.in.sectors, 7, 9);
        replies_stand = false;
        while (context.pool.in_use) {
            step();
            const uint32_t n = xbar_peek(&reply, 0);
            if (n != REQUEST_NONE) {
                xbar_pop(&reply, 0);
                request_give(&context.pool, n);
            }
        }
        assert_int_equal(l2.reply_places + l2.in.sectors, 0);
        end();
    }
}

/* A request leaves the crossbar only if four entries of the incoming buffer are free. */
static void four_places_let_a_request_in(void **state) {
    defaults();
    cfg.l2_sectored = 1;
    cfg.l2_model = MODEL_GPGPUSIM;
    cfg.l2_in_queue = 7;
    make();
    l2.in.sectors = 3;
    assert_true(l2_in_room(&l2.in));
    l2.in.sectors = 4;
    assert_false(l2_in_room(&l2.in));
    end();
}

/* An access to a draining line waits until the drain ends, and a draining line is not replaced. */
static void refused_order_and_pinned(void **state) {
    defaults();
    cfg.l2_ways = 1;
    cfg.l2_reply_queue = 1;
    make();
    replies_stand = true;
    for (uint16_t i = 1; i <= 4; i++)
        load(1, i);
    while (mask_none(&l2.cache.lines.way[0].valid))
        step();
    store(1, 5, 0x99);
    steps(30);
    assert_true(COUNT(l2_refusals_order) > 5);
    assert_true(l2.cache.lines.way[0].flags & WAY_PINNED);
    load(2, 6);
    replies_stand = false;
    for (uint16_t i = 1; i <= 4; i++)
        expect_load_reply(i, untouched(1));
    expect_store_reply(5);
    expect_load_reply(6, untouched(2));
    end();
}

static bool dump_has(const char *what) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    l2_dump(&l2, out);
    fclose(out);
    const bool has = strstr(text, what) != NULL;
    free(text);
    return has;
}

/* Four loads of a line cannot leave, and the data of two more lines arrive. With model=gpgpusim
 * these data are accepted, and a later load of the first line waits only for a reply entry. */
static void loads_hit_while_others_drain(void **state) {
    for (int fills_in_drain = 0; fills_in_drain < 2; fills_in_drain++) {
        defaults();
        cfg.l2_model = fills_in_drain ? MODEL_GPGPUSIM : MODEL_SIMPLE;
        cfg.l2_reply_queue = 1;
        cfg.l2_mshr_slots = 8;
        make();
        replies_stand = true;
        for (uint16_t i = 1; i <= 4; i++)
            load(1, i);
        store(2, 5, 0x99);
        load(2, 6);
        load(3, 7);
        steps(60);
        assert_int_equal(l2.cache.bank->filled.count, fills_in_drain ? 2 : 0);
        assert_int_equal(dump_has("l2.0 filled entries 2/"), fills_in_drain);
        assert_int_equal(COUNT(l2_fills), fills_in_drain ? 3 : 1);
        load(1, 8);
        steps(30);
        assert_int_equal(COUNT(l2_refusals_order) > 5, !fills_in_drain);
        assert_int_equal(COUNT(l2_refusals_reply_queue) > 5, fills_in_drain);
        replies_stand = false;
        for (uint16_t i = 1; i <= 4; i++)
            expect_load_reply(i, untouched(1));
        load(2, 9);
        load(3, 10);
        for (unsigned n = 0; n < 200 && context.pool.in_use; n++) {
            step();
            if (xbar_peek(&reply, 0) != REQUEST_NONE)
                request_give(&context.pool, xbar_pop(&reply, 0));
        }
        assert_int_equal(context.pool.in_use, 0);
        end();
    }
}

static void a_pinned_line_is_not_replaced(void **state) {
    defaults();
    cfg.l2_ways = 1;
    cfg.l2_reply_queue = 1;
    make();
    replies_stand = true;
    for (uint16_t i = 1; i <= 4; i++)
        load(1, i);
    while (mask_none(&l2.cache.lines.way[0].valid))
        step();
    load(2, 6);
    steps(30);
    assert_true(COUNT(l2_refusals_no_way) > 5);
    replies_stand = false;
    for (uint16_t i = 1; i <= 4; i++)
        expect_load_reply(i, untouched(1));
    expect_load_reply(6, untouched(2));
    end();
}

/* A stream is spread over four partitions. The bank gets every fourth line, and all its sets fill
 * evenly. */
static void a_stream_fills_all_sets(void **state) {
    defaults();
    partitions = 4;
    cfg.l2_sets = 8;
    cfg.l2_ways = 2;
    make();
    for (uint16_t i = 0; i < 16; i++) {
        load(4 * i, i);
        expect_load_reply(i, untouched(4 * i));
    }
    assert_int_equal(COUNT(l2_evictions), 0);
    for (uint32_t way = 0; way < 16; way++)
        assert_false(mask_none(&l2.cache.lines.way[way].valid));
    end();
}

static void clean_evictions_count_too(void **state) {
    defaults();
    make();
    for (uint16_t line = 1; line <= 7; line++) {
        load(line, line);
        expect_load_reply(line, untouched(line));
    }
    assert_int_equal(COUNT(l2_evictions), 3);
    assert_int_equal(COUNT(l2_writebacks), 0);
    end();
}

/* In one set of two ways, line 1 is used after line 2, by a load or a store that is a hit or a
 * secondary miss. So line 3 does not replace line 1. */
static void every_access_is_a_use(void **state) {
    for (int variant = 0; variant < 4; variant++) {
        bool write = variant % 2, in_flight = variant / 2;
        defaults();
        cfg.l2_ways = 2;
        make();
        load(1, 1);
        load(2, 2);
        if (in_flight)
            ask(1, write, 3, 0);
        steps(300);
        if (!in_flight)
            ask(1, write, 3, 0);
        load(3, 4);
        steps(300);
        load(1, 5);
        steps(300);
        /* the misses are those of lines 1, 2 and 3 */
        assert_int_equal(COUNT(l2_primary_misses), 3);
        assert_int_equal(COUNT(l2_secondary_misses), in_flight);
        assert_int_equal(COUNT(l2_hits), in_flight ? 1 : 2);
        end();
    }
}

/* In the statistic l2_refused, a refused access counts once, however long it waits. The next
 * refused access counts separately. */
static void refused_accesses_are_told_apart(void **state) {
    defaults();
    cfg.l2_mshr_entries = 2;
    make();
    for (uint16_t i = 1; i <= 4; i++)
        load(i, i);
    for (uint16_t i = 1; i <= 4; i++)
        expect_load_reply(i, untouched(i));
    assert_true(COUNT(l2_refusals_entry_full) > 5);
    assert_int_equal(COUNT(l2_refusals_entry_full), COUNT(l2_refusals));
    assert_int_equal(COUNT(l2_refused), 2);
    assert_int_equal(COUNT(l2_refused_entry_full), 2);
    assert_int_equal(COUNT(l2_refused_merge_full), 0);
    end();
}

/* The lines in a partition are numbered without gaps, for any interleave. */
static void the_partition_map_is_a_bijection(void **state) {
    for (uint32_t partitions = 1; partitions < 6; partitions++)
        for (uint32_t interleave = 1; interleave < 4; interleave++) {
            const struct addr_map m = {
                .partitions = partitions, .banks = 1, .interleave = interleave};
            uint8_t seen[6][120] = {{0}};
            for (uint64_t line = 0; line < (uint64_t)60 * partitions; line++) {
                uint32_t p = addr_partition(&m, line);
                uint64_t local = addr_local(&m, line);
                assert_true(p < partitions && local < 120);
                assert_int_equal(seen[p][local]++, 0);
            }
            for (uint32_t p = 0; p < partitions; p++)
                for (unsigned i = 0; i < 60; i++)
                    assert_int_equal(seen[p][i], 1);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(requests_of_a_line_keep_their_order),
        cmocka_unit_test(dirty_lines_are_written_back),
        cmocka_unit_test(a_fetch_does_not_pass_the_write_back),
        cmocka_unit_test(refused_entry_full),
        cmocka_unit_test(refused_merge_full),
        cmocka_unit_test(refused_line),
        cmocka_unit_test(refused_miss_queue),
        cmocka_unit_test(refused_evict_buffer),
        cmocka_unit_test(refused_reply_queue),
        cmocka_unit_test(places_hold_requests_or_sectors),
        cmocka_unit_test(places_of_part_lines),
        cmocka_unit_test(four_places_let_a_request_in),
        cmocka_unit_test(refused_order_and_pinned),
        cmocka_unit_test(loads_hit_while_others_drain),
        cmocka_unit_test(a_pinned_line_is_not_replaced),
        cmocka_unit_test(a_stream_fills_all_sets),
        cmocka_unit_test(clean_evictions_count_too),
        cmocka_unit_test(every_access_is_a_use),
        cmocka_unit_test(refused_accesses_are_told_apart),
        cmocka_unit_test(the_partition_map_is_a_bijection),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
