// SPDX-License-Identifier: Apache-2.0
/* Tests of the parts in front of the tags (pipeline, buffer, reordering queues), and of how the
 * bank accepts requests from them. */
#include "tests/l2/bank.h"

#include "bank_queues/bank_queues.h"
#include "cart/cart.h"

/* Line number of a row, bank and column of simple_dram: bank = line mod 16, column = line / 16 mod
 * 8, row = line / 128. */
#define AT(row, bank, col) ((row)*128u + (col)*16u + (bank))

#define STEP_UNTIL(what)                                                                           \
    for (unsigned waited = 0; !(what); step())                                                     \
    assert_true(++waited < 1000)

static void defaults_with(int incoming) {
    defaults();
    cfg.l2_incoming = incoming;
    cfg.l2_ways = 16;
    cfg.l2_latency = 5;
}

/* Takes n replies, in any order. */
static void take_replies(unsigned n) {
    for (unsigned waited = 0; n;) {
        step();
        assert_true(++waited < 2000);
        if (xbar_peek(&reply, 0) == REQUEST_NONE)
            continue;
        request_give(&context.pool, xbar_pop(&reply, 0));
        n--;
    }
}

/* Steps until the first lookup. Returns the number of cycles. */
static unsigned first_lookup(void) {
    unsigned n = 0;
    while (COUNT(l2_accesses) + COUNT(l2_refusals) == 0) {
        step();
        assert_true(++n < 100);
    }
    return n;
}

/* With bank queues and CART, the first lookup is one cycle later than with the FIFO. */
static void a_lookup_comes_after_the_latency(void **state) {
    const unsigned more[] = {[INCOMING_FIFO] = 0,
                             [INCOMING_NONBLOCKING] = 0,
                             [INCOMING_BANK_QUEUES] = 1,
                             [INCOMING_CART] = 1};
    for (int incoming = INCOMING_FIFO; incoming <= INCOMING_CART; incoming++)
        for (int64_t latency = 1; latency < 8; latency++) {
            defaults_with(incoming);
            cfg.l2_latency = latency;
            make();
            step();
            load(1, 1);
            unsigned n = first_lookup();
            load(2, 2); /* arrives as soon after the first request as the crossbar allows */
            assert_int_equal(n, 3 + latency + more[incoming]);
            expect_load_reply(1, untouched(1));
            expect_load_reply(2, untouched(2));
            end();
        }
}

/* [Gu] section 2.3.1, case 1: a new line waits for an MSHR entry, and a later request merges. */
static void a_merge_passes_what_waits_for_an_entry(void **state) {
    for (int incoming = INCOMING_FIFO; incoming <= INCOMING_NONBLOCKING; incoming++) {
        defaults_with(incoming);
        cfg.l2_mshr_entries = 2;
        make();
        dram_stands = true;
        load(1, 1);
        load(2, 2);
        load(3, 3); /* finds no MSHR entry */
        load(1, 4);
        steps(30);
        assert_int_equal(COUNT(l2_secondary_misses), incoming == INCOMING_NONBLOCKING);
        assert_true(COUNT(l2_refusals_entry_full) > 10);
        assert_int_equal(COUNT(l2_refused), 1);
        dram_stands = false;
        take_replies(4);
        end();
    }
}

/* [Gu] section 2.3.1, case 2: a merge waits for a slot, and a later request opens an entry. */
static void a_new_line_passes_what_waits_for_a_slot(void **state) {
    for (int incoming = INCOMING_FIFO; incoming <= INCOMING_NONBLOCKING; incoming++) {
        defaults_with(incoming);
        cfg.l2_mshr_slots = 2;
        make();
        dram_stands = true;
        for (uint16_t i = 1; i <= 3; i++)
            load(1, i); /* the third request finds no slot */
        load(2, 4);
        steps(30);
        assert_int_equal(COUNT(l2_primary_misses), incoming == INCOMING_NONBLOCKING ? 2 : 1);
        assert_true(COUNT(l2_refusals_merge_full) > 10);
        dram_stands = false;
        take_replies(4);
        end();
    }
}

/* [Gu] section 2.3.1, case 3: a miss is stalled, and a later request hits. */
static void a_hit_passes_a_stalled_miss(void **state) {
    for (int incoming = INCOMING_FIFO; incoming <= INCOMING_NONBLOCKING; incoming++) {
        defaults_with(incoming);
        cfg.l2_mshr_entries = 2;
        make();
        load(9, 9);
        expect_load_reply(9, untouched(9));
        dram_stands = true;
        for (uint16_t i = 1; i <= 3; i++)
            load(i, i);
        load(9, 10);
        steps(30);
        assert_int_equal(COUNT(l2_hits), incoming == INCOMING_NONBLOCKING);
        if (incoming == INCOMING_NONBLOCKING)
            expect_load_reply(10, untouched(9));
        dram_stands = false;
        take_replies(incoming == INCOMING_FIFO ? 4 : 3);
        end();
    }
}

/* A store waits for the evict buffer. A later load of the store's line must not hit the old
 * bytes. */
static void the_order_of_a_line_is_kept(void **state) {
    defaults_with(INCOMING_NONBLOCKING);
    cfg.l2_write = L2_WTWN;
    cfg.l2_evict_buffer = 1;
    dram_of_lines(1);
    make();
    load(3, 1);
    load(4, 2);
    expect_load_reply(1, untouched(3));
    expect_load_reply(2, untouched(4));
    dram_stands = true;
    store(8, 3, 1); /* this write stays in the channel */
    store(9, 4, 1); /* this write stays in the evict buffer */
    store(3, 5, 0x77);
    load(3, 6);
    load(4, 7);
    expect_store_reply(3);
    expect_store_reply(4);
    expect_load_reply(7, untouched(4));
    steps(30);
    assert_int_equal(COUNT(l2_hits), 1);
    dram_stands = false;
    expect_store_reply(5);
    expect_load_reply(6, 0x77);
    end();
}

/* Three new lines wait for an MSHR entry. The first gets the free entry, and the second is
 * refused. The third is then first in turn. */
static void the_turn_passes_on_from_a_refused_request(void **state) {
    defaults_with(INCOMING_NONBLOCKING);
    cfg.l2_mshr_entries = 2;
    make();
    dram_stands = true;
    for (uint16_t i = 1; i <= 5; i++)
        load(i, i);
    steps(30);
    assert_int_equal(COUNT(l2_refused), 1); /* the other requests would be refused, too */
    dram_stands = false;
    const uint16_t order[] = {1, 2, 3, 5, 4};
    for (unsigned i = 0; i < 5; i++)
        expect_load_reply(order[i], untouched(order[i]));
    end();
}

/* If the reply queue is full, no hit is tried, and a miss behind the hit is served. */
static void a_miss_passes_a_hit_that_waits_for_the_reply_queue(void **state) {
    defaults_with(INCOMING_NONBLOCKING);
    cfg.l2_reply_queue = 1;
    make();
    load(9, 1);
    expect_load_reply(1, untouched(9));
    replies_stand = dram_stands = true;
    for (uint16_t i = 2; i <= 6; i++)
        load(9, i);
    load(1, 7);
    steps(30);
    assert_true(COUNT(l2_refusals_reply_queue) > 10);
    assert_int_equal(COUNT(l2_primary_misses), 2);
    replies_stand = dram_stands = false;
    take_replies(6);
    end();
}

/* A load that may bypass the bank does so, even if the MSHR has already refused a new line. */
static void a_load_bypasses_the_bank_behind_a_waiting_store(void **state) {
    defaults_with(INCOMING_NONBLOCKING);
    cfg.l2_bypass = L2_BYPASS_STALL;
    cfg.l2_mshr_entries = 2;
    make();
    dram_stands = true;
    load(1, 1);
    load(2, 2);
    store(3, 3, 0x77);
    load(4, 4);
    steps(30);
    assert_true(COUNT(l2_refusals_entry_full) > 10);
    assert_int_equal(COUNT(l2_bypasses), 1);
    dram_stands = false;
    take_replies(4);
    end();
}

/* A merge that needs a walk to find the list's tail is not interrupted when an earlier hit becomes
 * possible again. */
static void a_walk_is_not_interrupted(void **state) {
    defaults_with(INCOMING_NONBLOCKING);
    cfg.l2_mshr = MSHR_KIND_DL;
    cfg.l2_dl_sets = 32;
    cfg.l2_dl_slots = 1;
    cfg.l2_dl_reserved_heads = 1;
    cfg.l2_dl_tail = 0;
    cfg.l2_reply_queue = 1;
    make();
    load(9, 1);
    expect_load_reply(1, untouched(9));
    dram_stands = true;
    for (uint16_t i = 10; i < 25; i++)
        load(1, i);
    steps(200);
    assert_int_equal(COUNT(l2_secondary_misses), 14);
    replies_stand = true;
    for (uint16_t i = 30; i < 34; i++)
        load(9, i);
    STEP_UNTIL(COUNT(l2_refusals_reply_queue) == 2);
    load(1, 40);
    uint64_t walked = COUNT(l2_tail_walk_cycles), hits = COUNT(l2_hits);
    STEP_UNTIL(COUNT(l2_tail_walk_cycles) == walked + 3);
    replies_stand = false;
    STEP_UNTIL(COUNT(l2_secondary_misses) == 15 || COUNT(l2_hits) != hits);
    assert_int_equal(COUNT(l2_hits), hits);
    dram_stands = false;
    take_replies(20);
    end();
}

/* Runs loads of six lines that run out of slots, MSHR entries and reply entries. Returns the
 * statistics. */
static struct stats refused_often(bool skip) {
    defaults_with(INCOMING_NONBLOCKING);
    cfg.l2_mshr_entries = 3;
    cfg.l2_mshr_slots = 2;
    cfg.l2_ways = 4;
    cfg.l2_reply_queue = 1;
    skipping = skip;
    make();
    for (uint16_t i = 0; i < 60; i++)
        load(i * i % 11 % 6, i);
    replies_stand = true;
    steps(60);
    replies_stand = false;
    take_replies(60);
    struct stats s = l2.stats;
    end();
    return s;
}

static void passing_over_idle_cycles_changes_no_count(void **state) {
    const struct stats all = refused_often(false), skipped = refused_often(true);
    assert_true(all.v[STAT_l2_refusals_merge_full] > 0 && all.v[STAT_l2_refusals_entry_full] > 0);
    for (unsigned i = 0; i < STAT_COUNT; i++)
        if (all.v[i] != skipped.v[i])
            fail_msg("%s: %llu, skipped %llu", stat_table[i].name, (unsigned long long)all.v[i],
                     (unsigned long long)skipped.v[i]);
}

/* The L2 bank refuses a request. With hold, no other request overtakes the refused one. Without
 * hold, requests for other DRAM banks are tried. */
static void without_hold_a_hit_of_another_bank_passes(void **state) {
    for (int incoming = INCOMING_BANK_QUEUES; incoming <= INCOMING_CART; incoming++)
        for (int hold = 0; hold < 2; hold++) {
            defaults_with(incoming);
            cfg.l2_incoming_hold = hold;
            cfg.l2_mshr_entries = 2;
            make();
            load(AT(1, 9, 0), 9);
            expect_load_reply(9, untouched(AT(1, 9, 0)));
            dram_stands = true;
            for (uint16_t i = 1; i <= 3; i++)
                load(AT(0, i, 0), i); /* one request for each of three DRAM banks */
            load(AT(1, 9, 0), 10);
            steps(30);
            assert_int_equal(COUNT(l2_hits), !hold);
            assert_int_equal(COUNT(l2_refused), 1);
            if (!hold)
                expect_load_reply(10, untouched(AT(1, 9, 0)));
            dram_stands = false;
            take_replies(hold ? 4 : 3);
            end();
        }
}

/* Alternates requests for two rows of a DRAM bank while the first request keeps the L2 bank busy.
 * Returns the number of row conflicts. */
static uint64_t conflicts_of(int incoming) {
    defaults_with(incoming);
    cfg.l2_cart_cols = 4;
    cfg.l2_miss_queue = 1;
    cfg.l2_mshr_entries = 2;
    cfg.dram_scheduler = 1; /* DRAM keeps the order of the L2 */
    make();
    dram_stands = true;
    load(AT(7, 3, 0), 1);
    load(AT(7, 3, 1), 2);
    for (uint16_t i = 0; i < 8; i++)
        load(AT(i % 2, 5, i / 2 % 2 + 4 * (i / 4)), (uint16_t)(10 + i));
    steps(60);
    dram_stands = false;
    take_replies(10);
    struct stats s = {0};
    dram_add_stats(&dram, &s);
    end();
    return s.v[STAT_dram_row_conflicts];
}

static void cart_brings_the_requests_of_a_row_together(void **state) {
    /* all requests conflict, except the first one for the DRAM bank */
    assert_int_equal(conflicts_of(INCOMING_FIFO), 7);
    assert_int_equal(conflicts_of(INCOMING_CART), 1);
}

/* Each cycle in which a reordering queue refuses the buffer's head is counted by the reason. */
static void fill_stalls_are_counted_by_reason(void **state) {
    const struct {
        int incoming;
        uint64_t third; /* line for which the queues have no room */
        enum stat_id reason;
    } cases[] = {
        {INCOMING_BANK_QUEUES, AT(0, 5, 0), STAT_reorder_stalls_full},
        {INCOMING_CART, AT(1, 5, 0), STAT_reorder_stalls_row},
        {INCOMING_CART, AT(0, 5, 1), STAT_reorder_stalls_column},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (int skip = 0; skip < 2; skip++) {
            defaults_with(cases[i].incoming);
            cfg.l2_cart_rows = cfg.l2_cart_cols = cfg.l2_cart_depth = 1;
            cfg.l2_bank_queue_depth = 1;
            cfg.l2_mshr_entries = 2;
            skipping = skip;
            make();
            dram_stands = true;
            load(AT(0, 1, 0), 1);
            load(AT(0, 2, 0), 2);
            load(AT(0, 5, 0), 3); /* stays in the queue, since it finds no MSHR entry */
            load(cases[i].third, 4);
            STEP_UNTIL(COUNT(reorder_fills) == 3);
            assert_int_equal(COUNT(reorder_stalls), 0);
            steps(50);
            assert_int_equal(COUNT(reorder_stalls), 50);
            assert_int_equal(l2.stats.v[cases[i].reason], 50);
            assert_int_equal(COUNT(reorder_fills), 3);
            assert_true(COUNT(reorder_queue_cycles) == COUNT(reorder_request_cycles));
            dram_stands = false;
            take_replies(4);
            end();
        }
}

/* A branch of CART is a DRAM bank of the channel. Of two requests to the first of two partitions,
 * the second finds no row group if and only if it conflicts with the first in the DRAM. */
static void a_branch_is_a_bank_of_the_channel(void **state) {
    const struct {
        /* line number within the channel; the address has twice that line number */
        uint64_t second;
        bool same;
    } cases[] = {{AT(1, 0, 0), true}, {AT(1, 8, 0), false}};
    for (unsigned i = 0; i < 2; i++) {
        defaults_with(INCOMING_CART);
        cfg.l2_cart_rows = cfg.l2_cart_cols = cfg.l2_cart_depth = 1;
        cfg.l2_mshr_entries = 2;
        partitions = 2;
        make();
        dram_stands = true;
        load(2 * AT(0, 1, 0), 1);
        load(2 * AT(0, 2, 0), 2);
        load(2 * AT(0, 0, 0), 3); /* stays in its queue, since it finds no MSHR entry */
        load(2 * cases[i].second, 4);
        steps(50);
        assert_int_equal(COUNT(reorder_stalls_row) > 0, cases[i].same);
        assert_int_equal(COUNT(reorder_fills), cases[i].same ? 3 : 4);
        dram_stands = false;
        take_replies(4);
        struct stats s = {0};
        dram_add_stats(&dram, &s);
        assert_int_equal(s.v[STAT_dram_row_conflicts], cases[i].same);
        end();
    }
}

/* All values differ from the defaults, except the drain policy, since the age limit requires the
 * default. Other policies are tested afterwards. */
static void the_keys_reach_the_blocks(void **state) {
    for (int incoming = INCOMING_BANK_QUEUES; incoming <= INCOMING_CART; incoming++) {
        defaults_with(incoming);
        cfg.l2_in_queue = 9;
        cfg.l2_bank_queues = 4;
        cfg.l2_bank_queue_depth = 11;
        cfg.l2_cart_rows = 3;
        cfg.l2_cart_cols = 5;
        cfg.l2_cart_depth = 7;
        cfg.l2_cart_policy = CART_ROTATING;
        cfg.l2_cart_age_limit = 13;
        cfg.l2_cart_fill = CART_FILL_BRANCH;
        cfg.l2_cart_column_lines = 4;
        cfg.l2_incoming_hold = 0;
        cfg.dram_banks = 8;
        snprintf(cfg.dram_address_map, sizeof cfg.dram_address_map,
                 "RRRRRRRR.RRRRRRRR.CBCBRBC.SSSSSSS");
        make();
        const int64_t *fifo = l2.in.fifo.block.inst.params.v,
                      *p = l2.in.reorder.block.inst.params.v;
        assert_int_equal(fifo[INCOMING_DEPTH], 9);
        assert_int_equal(fifo[INCOMING_ADDR_W], ADDR_LINE_BITS);
        assert_int_equal(fifo[INCOMING_ID_W], 32);
        assert_int_equal(p[INCOMING_ADDR_W], ADDR_LINE_BITS);
        assert_int_equal(p[INCOMING_ID_W], 32);
        if (incoming == INCOMING_BANK_QUEUES) {
            assert_ptr_equal(l2.in.reorder.block.inst.type, &bank_queues_type);
            assert_int_equal(p[INCOMING_DEPTH], 11);
            assert_int_equal(p[BANK_QUEUES_BANKS], 8);
            assert_int_equal(p[BANK_QUEUES_BANK_MASK], 0x2A);
            assert_int_equal(p[BANK_QUEUES_QUEUES], 4);
            assert_int_equal(p[BANK_QUEUES_HOLD], 0);
        } else {
            assert_ptr_equal(l2.in.reorder.block.inst.type, &cart_type);
            assert_int_equal(p[INCOMING_DEPTH], 7);
            assert_int_equal(p[CART_BANKS], 8);
            assert_int_equal(p[CART_BANK_MASK], 0x2A);
            assert_int_equal(p[CART_COL_MASK], 0x51);
            assert_int_equal(p[CART_ROWS], 3);
            assert_int_equal(p[CART_COLS], 5);
            assert_int_equal(p[CART_POLICY], CART_ROTATING);
            assert_int_equal(p[CART_AGE_LIMIT], 13);
            assert_int_equal(p[CART_FILL], CART_FILL_BRANCH);
            assert_int_equal(p[CART_COL_DROP], 2);
            assert_int_equal(p[CART_HOLD], 0);
        }
        end();
    }
    for (int64_t policy = CART_LONGEST_FIRST; policy <= CART_ROUND_ROBIN; policy++) {
        defaults_with(INCOMING_CART);
        cfg.l2_cart_policy = policy;
        make();
        assert_int_equal(l2.in.reorder.block.inst.params.v[CART_POLICY], policy);
        assert_int_equal(l2.in.reorder.block.inst.params.v[CART_HOLD], 1);
        end();
    }
}

/* Statistics count the queues in use and the requests in them. Two requests for one line are in one
 * queue. */
static void queues_and_their_requests_are_counted(void **state) {
    for (int skip = 0; skip < 2; skip++) {
        defaults_with(INCOMING_CART);
        cfg.l2_mshr_entries = 2;
        skipping = skip;
        make();
        dram_stands = true;
        for (uint16_t i = 1; i <= 3; i++)
            load(AT(0, i, 0), i);
        load(AT(0, 3, 0), 4);
        STEP_UNTIL(COUNT(reorder_fills) == 4);
        uint64_t queues = COUNT(reorder_queue_cycles), requests = COUNT(reorder_request_cycles);
        steps(50);
        assert_int_equal(COUNT(reorder_queue_cycles) - queues, 50);
        assert_int_equal(COUNT(reorder_request_cycles) - requests, 100);
        dram_stands = false;
        take_replies(4);
        end();
    }
}

/* Every request through CART is counted once, by the reason why it was chosen, however often it is
 * refused. */
static void every_drain_has_a_reason(void **state) {
    for (int hold = 0; hold < 2; hold++) {
        defaults_with(INCOMING_CART);
        cfg.l2_mshr_entries = 2;
        cfg.l2_cart_age_limit = 2;
        cfg.l2_incoming_hold = hold;
        make();
        for (uint16_t i = 0; i < 40; i++) {
            load(AT(i % 3, i % 2, i % 5), i);
            step();
        }
        take_replies(40);
        assert_true(COUNT(l2_refusals_entry_full) > 40);
        assert_int_equal(COUNT(reorder_fills), 40);
        assert_int_equal(COUNT(reorder_drains_queue) + COUNT(reorder_drains_row) +
                             COUNT(reorder_drains_longest) + COUNT(reorder_drains_aged),
                         40);
        assert_true(COUNT(reorder_drains_aged) > 0);
        assert_true(COUNT(reorder_drains_row) > 0);
        end();
    }
}

/* The pipeline and the buffer have a limited number of entries. If both are full, requests wait in
 * the crossbar. */
static void a_full_buffer_holds_up_the_pipeline(void **state) {
    for (int incoming = INCOMING_FIFO; incoming <= INCOMING_NONBLOCKING; incoming++)
        for (int skip = 0; skip < 2; skip++) {
            defaults_with(incoming);
            cfg.l2_in_queue = 3;
            cfg.l2_mshr_entries = 2;
            skipping = skip;
            make();
            dram_stands = true;
            for (uint16_t i = 1; i <= 20; i++)
                load(i, i);
            steps(50);
            assert_int_equal(COUNT(l2_accesses), 2);
            assert_int_equal(l2.in.pipe.count, 5);
            assert_int_equal(l2.in.nonblocking ? l2.in.any.count : l2.in.fifo.held, 3);
            assert_false(l2_in_room(&l2.in));
            uint64_t full = COUNT(l2_in_full_cycles);
            assert_true(full > 20);
            steps(50);
            assert_int_equal(COUNT(l2_in_full_cycles) - full, 50);
            dram_stands = false;
            take_replies(20);
            end();
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_lookup_comes_after_the_latency),
        cmocka_unit_test(a_merge_passes_what_waits_for_an_entry),
        cmocka_unit_test(a_new_line_passes_what_waits_for_a_slot),
        cmocka_unit_test(a_hit_passes_a_stalled_miss),
        cmocka_unit_test(the_order_of_a_line_is_kept),
        cmocka_unit_test(the_turn_passes_on_from_a_refused_request),
        cmocka_unit_test(a_miss_passes_a_hit_that_waits_for_the_reply_queue),
        cmocka_unit_test(a_load_bypasses_the_bank_behind_a_waiting_store),
        cmocka_unit_test(a_walk_is_not_interrupted),
        cmocka_unit_test(passing_over_idle_cycles_changes_no_count),
        cmocka_unit_test(without_hold_a_hit_of_another_bank_passes),
        cmocka_unit_test(cart_brings_the_requests_of_a_row_together),
        cmocka_unit_test(fill_stalls_are_counted_by_reason),
        cmocka_unit_test(a_branch_is_a_bank_of_the_channel),
        cmocka_unit_test(the_keys_reach_the_blocks),
        cmocka_unit_test(queues_and_their_requests_are_counted),
        cmocka_unit_test(every_drain_has_a_reason),
        cmocka_unit_test(a_full_buffer_holds_up_the_pipeline),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
