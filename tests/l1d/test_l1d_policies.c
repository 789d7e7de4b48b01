// SPDX-License-Identifier: Apache-2.0
/* Tests of each of the L1D's policies alone (stores, allocation, sectors, bypass, atomics), and of
 * their refusals. */
#include <stdio.h>

#include "tests/l1d/fixture.h"
#include "l1d/inside.h"
#include "check/check.h"

/* Returns the mask of bytes first .. first + n - 1 of a line. */
static struct byte_mask bytes(unsigned first, unsigned n) {
    struct byte_mask m = {{0, 0}};
    for (unsigned i = first; i < first + n; i++)
        m.w[i / 64] |= UINT64_C(1) << i % 64;
    return m;
}

static struct request at(uint8_t kind, uint64_t line, unsigned first, unsigned n) {
    return (struct request){.line = line, .mask = bytes(first, n), .kind = kind};
}

static bool load_at(uint64_t line, uint32_t id, unsigned first, unsigned n) {
    struct request a = at(REQUEST_LOAD, line, first, n);
    a.origin.load = (uint16_t)id;
    return step(&a);
}

static bool skip_at(uint64_t line, uint32_t id, unsigned first, unsigned n) {
    struct request a = at(REQUEST_LOAD, line, first, n);
    a.origin.load = (uint16_t)id;
    a.bypass = true;
    return step(&a);
}

static bool store_at(uint64_t line, unsigned first, unsigned n) {
    struct request a = at(REQUEST_STORE, line, first, n);
    return step(&a);
}

static bool atomic_at(uint64_t line, unsigned first, unsigned n, bool result, uint32_t id) {
    struct request a = at(REQUEST_ATOMIC, line, first, n);
    a.result = result;
    a.origin.load = (uint16_t)id;
    return step(&a);
}

static bool local(uint8_t kind, uint64_t line, uint32_t id) {
    struct request a = at(kind, line, 0, 8);
    a.local = true;
    a.origin.load = (uint16_t)id;
    return step(&a);
}

/* Brings a line in which every byte is `byte` into the L1D, with a load of 8 bytes. */
static void bring(uint64_t line, uint8_t byte) {
    assert_true(load_at(line, 63, 64, 8));
    answer(line, byte);
    expect_response(63, line, byte);
}

/* Expects a response in which each byte in `asked` has the stamp of `version` if it is in
 * `stamped`, else the value `byte`. */
static void expect_stamped(uint32_t id, uint64_t line, uint32_t version, struct byte_mask stamped,
                           struct byte_mask asked, uint8_t byte) {
    uint8_t want[LINE_BYTES];
    memset(want, byte, sizeof want);
    check_stamp_line(want, line, &stamped, version);
    const struct request *r = await_response(id, line);
    for (unsigned i = 0; i < LINE_BYTES; i++)
        if (mask_bit(&asked, i))
            assert_int_equal(response_data()[i], want[i]);
    assert_int_equal(mask_first(&r->mask), mask_first(&asked));
    l1d_take_response(&l1);
}

static void expect_mask(const struct byte_mask *m, unsigned first, unsigned n) {
    const struct byte_mask want = bytes(first, n);
    assert_memory_equal(m, &want, sizeof want);
}

static void expect_sent(unsigned i, uint8_t kind, uint64_t line, unsigned first, unsigned n) {
    if (n_sent <= i)
        idle(8);
    assert_true(n_sent > i);
    assert_int_equal(sent[i].kind, kind);
    assert_int_equal(sent[i].line, line);
    expect_mask(&sent[i].mask, first, n);
}

/* Answers request i, which writes. The reply to an atomic contains the line's bytes before the
 * atomic, as written by the requests that were sent earlier. */
static void acknowledge(unsigned i) {
    uint8_t data[LINE_BYTES];
    const struct byte_mask all = bytes(0, LINE_BYTES);
    check_stamp_line(data, sent[i].line, &all, 0);
    for (unsigned k = 0; k < i; k++)
        if (request_writes(&sent[k]) && sent[k].line == sent[i].line)
            mask_copy(data, sent_data[k], &sent[k].mask);
    push_reply_data(&sent[i], data);
}

/* Answers all writing requests, starting with request i. */
static void acknowledge_from(unsigned i) {
    idle(8);
    for (; i < n_sent; i++)
        if (request_writes(&sent[i]))
            acknowledge(i);
    idle(8 + n_sent);
}

static void expect_acknowledged(void) {
    assert_int_equal(l1.stores_out, 0);
    check_kernel_end(context.check);
    if (check_failure(context.check))
        fail_msg("%s", check_failure(context.check));
}

/* ---- stores ---- */

static void write_evict(void) {
    bring(1, 0x11);
    assert_true(store_at(1, 0, 8));
    assert_int_equal(COUNT(l1d_write_evicts), 1);
    expect_sent(1, REQUEST_STORE, 1, 0, 8);
    assert_true(store_at(1, 0, 8)); /* there is no line to drop */
    assert_int_equal(COUNT(l1d_write_evicts), 1);
    assert_true(load(1, 1));
    assert_true(store_at(1, 0, 8)); /* the line is in flight, so the store poisons its miss */
    assert_false(load(1, 2));
    assert_int_equal(COUNT(l1d_refusals_order), 1);
    answer(1, 0x22);
    expect_response(1, 1, 0x22);
    assert_true(load(1, 3));
    assert_int_equal(COUNT(l1d_primary_misses), 3);
    assert_int_equal(COUNT(l1d_fills_discarded), 1);
}

static void write_evict_of_a_sector(void) {
    for (unsigned s = 0; s < 2; s++) {
        assert_true(load_at(1, s, 32 * s, 4));
        answer(1, 0);
        expect_response(s, 1, 0);
    }
    assert_true(store_at(1, 32, 4));
    assert_int_equal(COUNT(l1d_write_evicts), 1);
    assert_true(load_at(1, 2, 16, 4));
    assert_int_equal(COUNT(l1d_hits), 1);
    assert_true(load_at(1, 3, 60, 4));
    assert_int_equal(COUNT(l1d_primary_misses), 3);
}

/* A store does not fetch. A load of the stored bytes hits. A load of other bytes fetches the line,
 * and gets the stored bytes and the fetched ones. */
static void write_validate(void) {
    assert_true(store_at(1, 8, 8));
    assert_true(load_at(1, 1, 10, 4));
    assert_int_equal(COUNT(l1d_hits), 1);
    expect_stamped(1, 1, 1, bytes(8, 8), bytes(10, 4), 0);
    assert_int_equal(n_sent, 0);
    assert_true(load_at(1, 2, 12, 8));
    assert_int_equal(COUNT(l1d_primary_misses), 1);
    assert_true(load_at(1, 3, 15, 1)); /* the byte is valid, even while the line is in flight */
    assert_int_equal(COUNT(l1d_hits), 2);
    expect_stamped(3, 1, 1, bytes(8, 8), bytes(15, 1), 0);
    expect_sent(0, REQUEST_LOAD, 1, 0, LINE_BYTES);
    answer(1, 0x55);
    expect_stamped(2, 1, 1, bytes(8, 8), bytes(12, 8), 0x55);
    assert_true(load_at(1, 4, 0, LINE_BYTES));
    expect_stamped(4, 1, 1, bytes(8, 8), bytes(0, LINE_BYTES), 0x55);
    assert_int_equal(COUNT(l1d_stores_kept), 1);
    assert_true(l1d_dirty(&l1));
}

/* A miss on a partly valid line counts as a use of the line. */
static void a_partial_miss_is_a_use(void) {
    assert_true(store_at(1, 0, 8));
    assert_true(store_at(2, 0, 8));
    bring(1, 0x11);
    assert_true(store_at(3, 0, 8));
    assert_true(load_at(1, 1, 0, 8));
    assert_int_equal(COUNT(l1d_hits), 1);
    expect_sent(1, REQUEST_WRITEBACK, 2, 0, 8);
}

static void a_dirty_victim_is_written_back(void) {
    assert_true(store_at(1, 0, 8));
    assert_true(store_at(1, 4, 8));
    assert_int_equal(l1.stores_out, 0);
    net_stands = true;
    /* line 1's write-back moves to the crossbar's input in the next cycle */
    assert_true(store_at(2, 0, 4));
    assert_true(load_at(2, 1, 0, 4));
    assert_true(store_at(3, 0, 4)); /* line 2's write-back uses one entry and stays in the queue */
    assert_false(load_at(4, 2, 0, 4));
    /* the fetch and the victim's write-back need two entries, but only one is free */
    assert_int_equal(COUNT(l1d_refusals_miss_queue), 1);
    net_stands = false;
    while (!load_at(4, 2, 0, 4))
        ;
    expect_sent(0, REQUEST_WRITEBACK, 1, 0, 12);
    assert_int_equal(sent[0].version, 2);
    uint8_t want[LINE_BYTES];
    check_stamp_line(want, 1, &(struct byte_mask){{0xff, 0}}, 1);
    check_stamp_line(want, 1, &(struct byte_mask){{0xff0, 0}}, 2);
    assert_memory_equal(sent_data[0], want, 12);
    expect_sent(1, REQUEST_WRITEBACK, 2, 0, 4);
    expect_sent(2, REQUEST_WRITEBACK, 3, 0, 4);
    expect_sent(3, REQUEST_LOAD, 4, 0, LINE_BYTES);
    assert_int_equal(COUNT(l1d_writebacks), 3);
    assert_int_equal(l1.stores_out, 3);
    acknowledge_from(0);
    expect_acknowledged();
}

/* A load that waits for bytes must not get the bytes of a later store. */
static void a_store_waits_for_older_loads(void) {
    assert_true(load_at(1, 1, 0, 8));
    assert_true(store_at(1, 8, 8)); /* stores to other bytes */
    assert_true(load_at(1, 2, 12, 8));
    assert_int_equal(COUNT(l1d_secondary_misses), 1);
    assert_false(store_at(1, 4, 8));
    assert_false(store_at(1, 16, 1));
    assert_int_equal(COUNT(l1d_refusals_order), 2);
    answer(1, 0x66);
    expect_stamped(1, 1, 0, bytes(0, 0), bytes(0, 8), 0x66);
    assert_true(store_at(1, 4, 16)); /* the other load is already draining */
    expect_stamped(2, 1, 1, bytes(8, 8), bytes(12, 8), 0x66);
    assert_true(load_at(1, 3, 0, 32));
    expect_stamped(3, 1, 2, bytes(4, 16), bytes(0, 32), 0x66);
}

static void a_store_without_a_way_is_refused(void) {
    assert_true(load(1, 1));
    assert_false(store(2));
    assert_int_equal(COUNT(l1d_refusals_no_way), 1);
    answer(1, 0);
    expect_response(1, 1, 0);
    assert_true(store(2));
    assert_int_equal(COUNT(l1d_stores_kept), 1);
}

static void local_memory_is_written_back(void) {
    assert_true(local(REQUEST_STORE, 1, 0));
    bring(2, 0x22);
    /* a global store, which is written through and updates the line */
    assert_true(store_at(2, 60, 8));
    assert_true(load_at(2, 1, 56, 16));
    expect_stamped(1, 2, 2, bytes(60, 8), bytes(56, 16), 0x22);
    expect_sent(1, REQUEST_STORE, 2, 60, 8);
    /* a global store to a dirty line, which must be written back first */
    assert_false(store_at(1, 0, 4));
    assert_int_equal(COUNT(l1d_refusals_order), 1);
    assert_true(store_at(1, 0, 4));
    expect_sent(2, REQUEST_WRITEBACK, 1, 0, 8);
    expect_sent(3, REQUEST_STORE, 1, 0, 4);
    assert_int_equal(COUNT(l1d_stores_kept), 1);
    assert_false(l1d_dirty(&l1));
    acknowledge_from(0);
    expect_acknowledged();
}

/* local_wbwn: a local store is kept only if it hits, and the bytes are forgotten at the end. */
static void local_hits_are_written_back(void) {
    assert_true(local(REQUEST_STORE, 1, 0));
    expect_sent(0, REQUEST_STORE, 1, 0, 8);
    bring(1, 0x11);
    assert_true(local(REQUEST_STORE, 1, 0));
    assert_int_equal(COUNT(l1d_stores_kept), 1);
    assert_int_equal(l1.dirty_ways, 1);
    assert_true(load_at(1, 1, 0, 8));
    expect_stamped(1, 1, 2, bytes(0, 8), bytes(0, 8), 0x11);
    assert_int_equal(COUNT(l1d_hits), 1);
    bring(2, 0x22);
    assert_true(store_at(2, 60, 4)); /* a global store evicts the line that it hits */
    expect_sent(3, REQUEST_STORE, 2, 60, 4);
    assert_int_equal(COUNT(l1d_write_evicts), 1);
    acknowledge_from(0);
    idle(20);
    l1.flush = true;
    assert_false(l1d_dirty(&l1));
    assert_true(l1d_next_event(&l1, NULL, cycle) == UINT64_MAX);
    l1d_invalidate(&l1);
    assert_int_equal(COUNT(l1d_forgotten), 1);
    assert_int_equal(COUNT(l1d_writebacks), 0);
    expect_acknowledged();
}

/* wtwa: a store that misses goes to the L2, and its bytes can be read at once; a load of others
 * fetches the line. A store to a line in flight makes nothing valid. */
static void stores_allocate_and_write_through(void) {
    assert_true(store_at(1, 0, 8));
    expect_sent(0, REQUEST_STORE, 1, 0, 8);
    assert_true(load_at(1, 1, 0, 8));
    expect_stamped(1, 1, 1, bytes(0, 8), bytes(0, 8), 0);
    assert_int_equal(COUNT(l1d_hits), 1);
    assert_int_equal(COUNT(l1d_stores_kept), 0);
    assert_true(store_at(1, 8, 4)); /* a hit, whose bytes become valid too */
    assert_true(load_at(1, 2, 4, 8));
    assert_int_equal(COUNT(l1d_hits), 2);
    idle(40);
    l1d_take_response(&l1);
    assert_true(load_at(1, 3, 12, 4));
    expect_sent(2, REQUEST_LOAD, 1, 0, LINE_BYTES);
    assert_true(store_at(1, 32, 4)); /* overtakes the fetch, so that no load may read its data */
    assert_true(load_at(2, 4, 0, 4));
    expect_sent(4, REQUEST_LOAD, 2, 0, LINE_BYTES);
    assert_int_equal(COUNT(l1d_primary_misses), 2);
    assert_int_equal(l1.dirty_ways, 0);
}

/* wtwa: the way of a store is the least recently used one, and a store without a way waits. */
static void an_allocating_store_needs_a_way(void) {
    assert_true(load_at(1, 1, 0, 4)); /* the only way is pending */
    assert_false(store_at(2, 0, 8));
    assert_int_equal(COUNT(l1d_refusals_no_way), 1);
}

/* A line that is evicted is written back. */
static void local_victims_are_written_back(void) {
    bring(1, 0x11);
    assert_true(local(REQUEST_STORE, 1, 0));
    assert_true(load_at(2, 1, 0, 4));
    expect_sent(1, REQUEST_WRITEBACK, 1, 0, 8);
    expect_sent(2, REQUEST_LOAD, 2, 0, LINE_BYTES);
    assert_int_equal(COUNT(l1d_writebacks), 1);
}

/* Runs one SM cycle in which two accesses are offered. Returns the number of accepted ones. */
static unsigned step_two(const struct request *first, const struct request *second) {
    step_nets();
    return tick_l1d_twice(&l1, first, second, cycle++);
}

/* With two banks, two accesses are accepted in a cycle: hits, and stores that are kept. */
static void banks_accept_an_access_each(void) {
    struct request even = at(REQUEST_LOAD, 1, 64, 8), odd = at(REQUEST_LOAD, 1, 96, 8);
    struct request kept = at(REQUEST_STORE, 1, 64, 8);
    even.origin.load = 7;
    odd.origin.load = 8;
    kept.local = true;
    bring(1, 0x11); /* sectors of one line */
    assert_true(load_at(1, 62, 96, 8));
    answer(1, 0x11);
    expect_response(62, 1, 0x11);
    assert_int_equal(step_two(&odd, &even), 2);
    step(NULL);
    assert_int_equal(l1.responses.count, 2);
    expect_response(8, 1, 0x11);
    expect_response(7, 1, 0x11);
    assert_int_equal(step_two(&odd, &kept), 2);
    assert_int_equal(COUNT(l1d_stores_kept), 1);
    expect_response(8, 1, 0x11);
}

/* Each bank has an MSHR: two misses begin in a cycle, and two join them in the next. A refusal of
 * the second access is not counted. */
static void banks_miss_in_the_same_cycle(void) {
    struct request even = at(REQUEST_LOAD, 1, 0, 8), odd = at(REQUEST_LOAD, 1, 32, 8);
    assert_int_equal(step_two(&even, &odd), 2);
    assert_int_equal(COUNT(l1d_primary_misses), 2);
    assert_int_equal(step_two(&even, &odd), 2);
    assert_int_equal(COUNT(l1d_secondary_misses), 2);
    assert_int_equal(step_two(&even, &odd), 0); /* mshr_slots=2 */
    assert_int_equal(COUNT(l1d_refusals_merge_full), 1);
    idle(10);
    assert_int_equal(n_sent, 2);
    assert_int_equal(sent[0].entry, 0);
    assert_int_equal(sent[1].entry, 0); /* of the second bank */
}

/* Banks take turns to drain: one response per cycle, and another bank after the last one. */
static void one_bank_drains_in_a_cycle(void) {
    struct request even = at(REQUEST_LOAD, 1, 0, 8), odd = at(REQUEST_LOAD, 1, 32, 8);
    for (uint16_t i = 0; i < 2; i++) {
        even.origin.load = i;
        odd.origin.load = 2 + i;
        assert_int_equal(step_two(&even, &odd), 2);
    }
    idle(10);
    push_reply(&sent[0], 0x11);
    push_reply(&sent[1], 0x22);
    await_response(0, 1);
    for (uint16_t i = 0; i < 4; i++) {
        assert_int_equal(l1.responses.count, 1);
        assert_int_equal(request_at(&context.pool, l1d_response(&l1))->origin.load, i);
        l1d_take_response(&l1);
        step(NULL);
    }
    assert_int_equal(l1.responses.count, 0);
}

/* With model=gpgpusim, data fill their way while the MSHR drains another miss, and loads hit. Its
 * requests drain later. */
static void data_fill_during_a_drain(void) {
    struct request first = at(REQUEST_LOAD, 1, 0, 8), second = at(REQUEST_LOAD, 2, 0, 8);
    for (uint16_t i = 0; i < 2; i++) {
        first.origin.load = i;
        second.origin.load = 2 + i;
        assert_true(step(&first));
        assert_true(step(&second));
    }
    idle(10);
    push_reply(&sent[0], 0x11);
    push_reply(&sent[1], 0x22);
    await_response(0, 1); /* line 1 drains */
    assert_int_equal(COUNT(l1d_fills), 2);
    assert_true(load_at(2, 9, 64, 4));
    assert_int_equal(COUNT(l1d_hits), 1);
    const uint16_t order[] = {0, 1, 9, 2, 3};
    bool seen[10] = {false};
    for (unsigned i = 0; i < 5; i++) {
        while (l1d_response(&l1) == REQUEST_NONE)
            step(NULL);
        seen[request_at(&context.pool, l1d_response(&l1))->origin.load] = true;
        l1d_take_response(&l1);
    }
    for (unsigned i = 0; i < 5; i++)
        assert_true(seen[order[i]]);
}

/* A store may overtake filled data that wait for their drain: older loads get the filled data. */
static void a_store_leaves_filled_data(void) {
    for (uint16_t i = 0; i < 2; i++) {
        assert_true(load_at(1, i, 0, 4));
        assert_true(load_at(2, (uint16_t)(2 + i), 64, 4));
    }
    idle(10);
    push_reply(&sent[0], 0x11);
    push_reply(&sent[1], 0x22);
    await_response(0, 1);
    assert_true(store_at(2, 64, 4));
    assert_true(load_at(3, 5, 64, 4)); /* may not replace line 2, whose requests wait */
    for (uint16_t i = 0; i < 2; i++)
        expect_response(i, 1, 0x11);
    for (uint16_t i = 2; i < 4; i++)
        expect_response(i, 2, 0x22);
}

static void dirty_lines_are_flushed(void) {
    for (uint64_t line = 1; line <= 6; line++)
        assert_true(store_at(line, 0, 4));
    idle(20);
    assert_int_equal(n_sent, 0);
    assert_true(l1d_next_event(&l1, NULL, cycle) == UINT64_MAX);
    l1.flush = true;
    assert_int_equal(l1d_next_event(&l1, NULL, cycle), cycle);
    for (uint64_t line = 1; line <= 6; line++) { /* one write-back per cycle */
        assert_int_equal(l1.dirty_ways, 7 - line);
        step(NULL);
    }
    assert_false(l1d_dirty(&l1));
    for (unsigned i = 0; i < 6; i++)
        expect_sent(i, REQUEST_WRITEBACK, i + 1, 0, 4);
    net_stands = true;
    acknowledge_from(0);
    expect_acknowledged();
    l1d_invalidate(&l1);
    net_stands = false;
    assert_true(load(1, 1));
    assert_int_equal(COUNT(l1d_primary_misses), 1);
}

static void a_flush_waits_for_the_miss_queue(void) {
    for (uint64_t line = 1; line <= 6; line++)
        assert_true(store_at(line, 0, 4));
    l1.flush = net_stands = true;
    idle(20);
    /* two write-backs are in the queue, and one is in the crossbar's input */
    assert_int_equal(l1.dirty_ways, 6 - 3);
}

/* ---- allocation on a fill ---- */

static void fill_takes_the_way(void) {
    bring(1, 0x11);
    assert_true(load(2, 2));
    assert_true(load(3, 3));
    assert_true(load(2, 4));
    assert_true(load(1, 5)); /* line 1 is still present */
    assert_int_equal(COUNT(l1d_hits), 1);
    assert_int_equal(COUNT(l1d_secondary_misses), 1);
    expect_response(5, 1, 0x11);
    answer(3, 0x33);
    expect_response(3, 3, 0x33);
    answer(2, 0x22);
    expect_response(2, 2, 0x22);
    expect_response(4, 2, 0x22);
    assert_true(load(2, 6));
    assert_int_equal(COUNT(l1d_hits), 2);
    assert_int_equal(COUNT(l1d_refusals), 0);
}

static void a_poisoned_fill_is_not_kept(void) {
    bring(1, 0x11);
    assert_true(load(2, 2));
    assert_true(store(2));
    assert_false(load(2, 3));
    assert_int_equal(COUNT(l1d_refusals_order), 1);
    answer(2, 0x22);
    expect_response(2, 2, 0x22);
    assert_int_equal(COUNT(l1d_fills_discarded), 1);
    assert_true(load(1, 4)); /* the dropped fill has evicted no line */
    assert_int_equal(COUNT(l1d_hits), 1);
}

/* A fill that finds no way serves its loads and is dropped. It does not wait for a way. */
static void a_fill_that_finds_no_way(void) {
    assert_true(load_at(1, 1, 64, 8));
    assert_true(load_at(2, 2, 64, 8));
    idle(8);
    net_stands = true;
    assert_true(store_at(1, 0, 8)); /* claims the way, which is then pending */
    assert_false(store_at(3, 0, 8));
    assert_int_equal(COUNT(l1d_refusals_no_way), 1);
    answer(2, 0x22);
    expect_response(2, 2, 0x22);
    /* the fill was dropped because all ways are pending */
    assert_int_equal(COUNT(l1d_fills_discarded), 1);
    answer(1, 0x11);
    expect_response(1, 1, 0x11);
    assert_int_equal(COUNT(l1d_fills_discarded), 1);
    assert_true(load_at(4, 4, 64, 8)); /* this request moves to the crossbar's input */
    assert_true(load_at(5, 5, 64, 8)); /* this request stays in the miss queue, so there is no entry
                                          for line 1's write-back */
    answer(4, 0x44);
    expect_response(4, 4, 0x44);
    assert_int_equal(COUNT(l1d_fills_discarded), 2);
    net_stands = false;
    idle(8);
    answer(5, 0x55);
    expect_response(5, 5, 0x55);
    assert_int_equal(COUNT(l1d_fills_discarded), 2);
    expect_sent(4, REQUEST_WRITEBACK, 1, 0, 8);
}

/* ---- sectors ---- */

static void sectors_are_fetched_one_by_one(void) {
    assert_true(load_at(1, 1, 40, 8));
    assert_true(load_at(1, 2, 60, 4)); /* accesses the same sector */
    assert_true(load_at(1, 3, 96, 4)); /* accesses another sector */
    assert_int_equal(COUNT(l1d_primary_misses), 2);
    assert_int_equal(COUNT(l1d_secondary_misses), 1);
    expect_sent(0, REQUEST_LOAD, 1, 32, 32);
    expect_sent(1, REQUEST_LOAD, 1, 96, 32);
    assert_true(store_at(1, 96, 4)); /* poisons only that sector */
    assert_true(store_at(1, 0, 4));  /* the sector is absent, so there is nothing to update */
    push_reply(&sent[0], 0x11);
    expect_stamped(1, 1, 0, bytes(0, 0), bytes(40, 8), 0x11);
    expect_stamped(2, 1, 0, bytes(0, 0), bytes(60, 4), 0x11);
    assert_false(load(2, 9));
    assert_int_equal(COUNT(l1d_refusals_no_way), 1); /* a sector is still in flight */
    push_reply(&sent[1], 0x22);
    expect_stamped(3, 1, 0, bytes(0, 0), bytes(96, 4), 0x22);
    assert_true(load_at(1, 4, 32, 4));
    assert_int_equal(COUNT(l1d_hits), 1);
    assert_true(load_at(1, 5, 96, 4));
    assert_true(load_at(1, 6, 0, 4));
    assert_int_equal(COUNT(l1d_primary_misses), 4);
}

static void a_poisoned_only_sector_frees_its_way(void) {
    assert_true(load_at(2, 2, 0, 4));
    answer(2, 0);
    expect_response(2, 2, 0);
    assert_true(load_at(1, 1, 0, 4));
    assert_true(store_at(1, 0, 4));
    answer(1, 0);
    expect_response(1, 1, 0);
    assert_true(load_at(3, 3, 0, 4)); /* uses the free way; line 2 stays */
    assert_true(load_at(2, 4, 0, 4));
    assert_int_equal(COUNT(l1d_hits), 1);
}

/* ---- bypass ---- */

static void global_loads_bypass(void) {
    assert_true(load_at(1, 1, 40, 8));
    assert_true(load_at(1, 2, 100, 8)); /* bypasses, too, and is not merged */
    assert_int_equal(COUNT(l1d_bypasses), 2);
    assert_false(load_at(2, 3, 0, 8));
    assert_int_equal(COUNT(l1d_refusals_bypass_limit), 1);
    assert_true(local(REQUEST_LOAD, 2, 4)); /* a local load, which allocates */
    assert_int_equal(COUNT(l1d_primary_misses), 1);
    assert_true(load_at(2, 5, 0, 8)); /* merges with a fetch in flight */
    assert_int_equal(COUNT(l1d_secondary_misses), 1);
    expect_sent(0, REQUEST_LOAD, 1, 40, 8);
    assert_true(sent[0].bypass && sent[0].origin.load == 1);
    expect_sent(2, REQUEST_LOAD, 2, 0, LINE_BYTES);
    assert_false(sent[2].bypass);
    push_reply(&sent[1], 0x11);
    expect_stamped(2, 1, 0, bytes(0, 0), bytes(100, 8), 0x11);
    assert_int_equal(l1.bypassing.value, 1);
    answer(2, 0x22);
    expect_response(4, 2, 0x22);
    expect_response(5, 2, 0x22);
    assert_true(load_at(2, 6, 0, 8));
    assert_int_equal(COUNT(l1d_hits), 1);
    assert_true(load_at(1, 7, 0, 8)); /* no byte of line 1 was kept */
    assert_int_equal(COUNT(l1d_bypasses), 3);
}

/* A global load does not merge with a poisoned miss, since the L2 has newer data, but bypasses. A
 * local load waits. */
static void a_poisoned_line_is_bypassed(void) {
    assert_true(local(REQUEST_LOAD, 1, 1));
    assert_true(store(1));
    assert_true(load(1, 2));
    assert_int_equal(COUNT(l1d_bypasses), 1);
    assert_false(local(REQUEST_LOAD, 1, 3));
    assert_int_equal(COUNT(l1d_refusals_order), 1);
}

/* The reply to a bypassing load waits in order of arrival while the response queue is full. */
static void a_direct_reply_waits_for_its_place(void) {
    assert_true(load_at(1, 1, 0, 8));
    assert_true(load_at(2, 2, 0, 8));
    idle(8);
    push_reply(&sent[0], 0x11);
    push_reply(&sent[1], 0x22);
    idle(20);
    assert_int_equal(l1.bypassing.value, 1);
    expect_response(1, 1, 0x11);
    expect_response(2, 2, 0x22);
    assert_int_equal(l1.bypassing.value, 0);
    push_reply(&sent[1], 0x22);
    idle(4);
    assert_int_equal(context.fault, CONTEXT_BROKEN);
    assert_non_null(strstr(context.error.text, "bypassing load"));
    context.fault = CONTEXT_OK;
}

static void stalled_misses_bypass(void) {
    assert_true(load(2, 1));
    assert_true(load(4, 2)); /* finds no way, so it bypasses */
    assert_true(load(2, 3)); /* finds no slot, so it bypasses */
    assert_true(load(3, 4));
    assert_int_equal(COUNT(l1d_primary_misses), 2);
    assert_int_equal(COUNT(l1d_bypasses), 2);
    assert_true(store(3));
    assert_true(load(3, 5)); /* the miss is poisoned, so the load bypasses */
    idle(8);
    push_reply(&(struct request){.line = 3, .entry = sent[3].entry}, 0x33);
    expect_response(4, 3, 0x33);
    assert_true(load(5, 6)); /* two MSHR entries are in use again */
    assert_int_equal(COUNT(l1d_primary_misses), 3);
    assert_true(load(7, 7)); /* finds no way, and uses the last bypass slot */
    assert_int_equal(COUNT(l1d_bypasses), 4);
    assert_int_equal(COUNT(l1d_refusals), 0);
    assert_false(load(2, 8));
    assert_false(load(4, 8));
    assert_int_equal(COUNT(l1d_refusals_merge_full), 1);
    assert_int_equal(COUNT(l1d_refusals_no_way), 1);
    assert_int_equal(COUNT(l1d_refusals), 2);
}

static void a_full_mshr_is_bypassed(void) {
    assert_true(load(1, 1));
    assert_true(load(2, 2));
    idle(8);
    net_stands = true;
    assert_true(store(9)); /* moves to the crossbar's input */
    assert_true(load(3, 3));
    assert_int_equal(COUNT(l1d_bypasses), 1);
    assert_false(load(4, 4)); /* no entry in the miss queue is free */
    assert_int_equal(COUNT(l1d_refusals_miss_queue), 1);
    net_stands = false;
    idle(8);
    assert_false(load(4, 4)); /* no bypass slot is free */
    assert_int_equal(COUNT(l1d_refusals_entry_full), 1);
}

/* With l1d.bypass=line, a load bypasses only if it would be refused with "no way". All other
 * refusals remain. */
static void only_a_want_of_ways_is_bypassed(void) {
    assert_true(load(2, 1));
    assert_false(load(2, 2));
    assert_int_equal(COUNT(l1d_refusals_merge_full), 1);
    assert_true(load(4, 2)); /* finds no way, so it bypasses */
    assert_int_equal(COUNT(l1d_bypasses), 1);
    assert_int_equal(COUNT(l1d_refusals_no_way), 0);
    idle(8);
    push_reply(&sent[1], 0x44);
    expect_response(2, 4, 0x44);
    assert_true(load(4, 3));
    assert_true(load(6, 4));
    assert_false(load(8, 5)); /* no bypass slot is free either, but the refusal is "no way" */
    assert_int_equal(COUNT(l1d_refusals_no_way), 1);
    assert_int_equal(COUNT(l1d_refusals_bypass_limit), 0);
    assert_true(load(3, 6)); /* this line is in the other set */
    assert_true(store(3));
    idle(8);
    push_reply(&sent[2], 0x44);
    expect_response(3, 4, 0x44);
    assert_false(load(3, 7)); /* the miss is poisoned */
    assert_int_equal(COUNT(l1d_refusals_order), 1);
    answer(3, 0x33);
    expect_response(6, 3, 0x33);
    assert_int_equal(COUNT(l1d_bypasses), 3);
}

static void entries_and_places_are_waited_for(void) {
    assert_true(load(1, 1));
    assert_true(load(2, 2));
    idle(8);
    assert_false(load(3, 3));
    assert_int_equal(COUNT(l1d_refusals_entry_full), 1);
    net_stands = true;
    assert_true(store(8)); /* moves to the crossbar's input */
    assert_true(store(9));
    assert_false(load(3, 3));
    assert_int_equal(COUNT(l1d_refusals_miss_queue), 1);
    assert_int_equal(COUNT(l1d_bypasses), 0);
}

/* A load that waits for a walk of the DL-MSHR is not refused, and does not bypass. */
static void a_walk_is_waited_for(void) {
    assert_true(load(1, 0));
    assert_true(load(1, 1));
    assert_false(load(1, 2));
    assert_int_equal(COUNT(l1d_tail_walk_cycles), 1);
    assert_true(load(1, 2));
    assert_int_equal(COUNT(l1d_bypasses), 0);
    assert_int_equal(COUNT(l1d_secondary_misses), 2);
}

static void skipping_loads(void) {
    bring(1, 0x11);
    /* the bytes are valid in the L1D, but the load requests them from the L2 */
    assert_true(skip_at(1, 1, 40, 8));
    assert_int_equal(COUNT(l1d_bypasses), 1);
    expect_sent(1, REQUEST_LOAD, 1, 40, 8);
    assert_true(store_at(1, 0, 8));
    assert_true(skip_at(1, 2, 2, 4)); /* hits, since only the L1D has the newest bytes */
    assert_int_equal(COUNT(l1d_hits), 1);
    expect_stamped(2, 1, 1, bytes(0, 8), bytes(2, 4), 0);
    /* the bytes are partly dirty, so the line is written back first */
    assert_false(skip_at(1, 3, 4, 8));
    assert_int_equal(COUNT(l1d_refusals_order), 1);
    assert_true(skip_at(1, 3, 4, 8));
    expect_sent(2, REQUEST_WRITEBACK, 1, 0, 8);
    expect_sent(3, REQUEST_LOAD, 1, 4, 8);
    assert_true(load_at(1, 4, 0, 16)); /* the line is still present */
    expect_stamped(4, 1, 1, bytes(0, 8), bytes(0, 16), 0x11);
    assert_int_equal(COUNT(l1d_bypasses), 2);
}

/* ---- atomics ---- */

static void an_atomic_drops_a_clean_line(void) {
    bring(1, 0x11);
    assert_true(atomic_at(1, 8, 4, false, 0));
    assert_int_equal(l1.stores_out, 1);
    assert_true(load(1, 1));
    assert_int_equal(COUNT(l1d_primary_misses), 2);
    expect_sent(1, REQUEST_ATOMIC, 1, 8, 4);
    assert_false(sent[1].result);
    assert_int_equal(sent[1].version, 1);
    uint8_t want[LINE_BYTES];
    const struct byte_mask mask = bytes(8, 4);
    check_stamp_line(want, 1, &mask, 1);
    assert_memory_equal(sent_data[1] + 8, want + 8, 4);
    acknowledge_from(1);
    expect_acknowledged();
    assert_int_equal(l1d_response(&l1), REQUEST_NONE);
    assert_int_equal(COUNT(l1d_atomics), 1);
    push_reply(&sent[1], 0);
    idle(4);
    assert_non_null(strstr(context.error.text, "atomic that was not sent"));
    context.fault = CONTEXT_OK;
}

static void an_atomic_drops_its_sector(void) {
    for (unsigned s = 0; s < 2; s++) {
        assert_true(load_at(1, s, 32 * s, 4));
        answer(1, 0);
        expect_response(s, 1, 0);
    }
    assert_true(atomic_at(1, 0, 4, false, 0));
    assert_true(load_at(1, 2, 40, 4));
    assert_int_equal(COUNT(l1d_hits), 1);
    assert_true(load_at(1, 3, 8, 4));
    assert_int_equal(COUNT(l1d_primary_misses), 3);
}

static void an_atomic_poisons_what_is_on_its_way(void) {
    assert_true(load(1, 1));
    assert_true(atomic_at(1, 0, 4, false, 0));
    assert_false(load(1, 2));
    assert_int_equal(COUNT(l1d_refusals_order), 1);
    answer(1, 0x11);
    expect_response(1, 1, 0x11);
    assert_true(load(1, 2));
    assert_int_equal(COUNT(l1d_primary_misses), 2);
}

static void an_atomic_waits_for_a_write_back(void) {
    assert_true(store_at(1, 0, 8));
    assert_false(atomic_at(1, 4, 4, false, 0));
    assert_int_equal(COUNT(l1d_refusals_order), 1);
    assert_true(atomic_at(1, 4, 4, false, 0));
    expect_sent(0, REQUEST_WRITEBACK, 1, 0, 8);
    expect_sent(1, REQUEST_ATOMIC, 1, 4, 4);
    assert_true(load_at(1, 1, 0, 4));
    assert_int_equal(COUNT(l1d_primary_misses), 1);
    assert_true(store_at(1, 8, 4)); /* dirties bytes of a line that is in flight */
    assert_false(atomic_at(1, 4, 4, false, 0));
    assert_false(atomic_at(1, 4, 4, false, 0));
    assert_int_equal(COUNT(l1d_refusals_order), 3);
    assert_int_equal(COUNT(l1d_writebacks), 1);
    answer(1, 0x11);
    idle(3);
    assert_false(atomic_at(1, 4, 4, false, 0)); /* the line's write-back is sent first */
    assert_true(atomic_at(1, 4, 4, false, 0));
    net_stands = true;
    l1d_take_response(&l1);
    assert_true(store_at(1, 0, 4));
    assert_false(atomic_at(1, 0, 4, false, 0)); /* the line's write-back is sent first */
    assert_false(atomic_at(1, 0, 4, false, 0)); /* there is no miss queue entry for the atomic */
    assert_int_equal(COUNT(l1d_refusals_miss_queue), 1);
    net_stands = false;
    acknowledge_from(0);
    expect_acknowledged();
}

static void an_atomic_with_a_result(void) {
    assert_true(store_at(2, 0, 4));
    for (uint32_t id = 5; id <= 6; id++)
        assert_true(atomic_at(1, 40, 8, true, id));
    expect_sent(2, REQUEST_ATOMIC, 1, 40, 8);
    assert_true(sent[2].result && sent[2].origin.load == 6 && sent[2].version == 3);
    for (unsigned i = 0; i < 3; i++)
        push_reply(&sent[i], 0x70);
    idle(20);
    assert_int_equal(l1.stores_out, 1); /* the second atomic waits for the response queue */
    for (uint32_t id = 5; id <= 6; id++) {
        const struct request *r = await_response(id, 1);
        assert_int_equal(r->version, id - 3);
        assert_int_equal(mask_first(&r->mask), 40);
        assert_int_equal(response_data()[40], 0x70);
        l1d_take_response(&l1);
    }
    assert_int_equal(l1.stores_out, 0);
}

static void without_an_l1d(void) {
    assert_true(load_at(1, 1, 40, 8));
    assert_true(load_at(1, 2, 8, 8)); /* needs no bypass slot */
    assert_true(atomic_at(1, 8, 8, true, 3));
    assert_true(store_at(1, 8, 8));
    expect_sent(0, REQUEST_LOAD, 1, 40, 8);
    expect_sent(2, REQUEST_ATOMIC, 1, 8, 8);
    expect_sent(3, REQUEST_STORE, 1, 8, 8);
    push_reply(&sent[0], 0x11);
    expect_stamped(1, 1, 0, bytes(0, 0), bytes(40, 8), 0x11);
    acknowledge(2);
    acknowledge(3);
    assert_int_equal(await_response(3, 1)->version, 1);
    l1d_take_response(&l1);
    idle(8);
    expect_acknowledged();
}

/* ---- only the first refusal that applies ---- */

static void order_before_the_miss_queue(void) {
    net_stands = true;
    assert_true(load(1, 1)); /* moves to the crossbar's input */
    assert_true(store(1));   /* stays in the miss queue */
    assert_false(load(1, 2));
    assert_int_equal(COUNT(l1d_refusals_order), 1);
    assert_int_equal(COUNT(l1d_refusals), 1);
}

static void line_before_the_miss_queue(void) {
    net_stands = true;
    assert_true(load(1, 1));
    assert_true(load(2, 2));
    assert_false(load(3, 3));
    assert_int_equal(COUNT(l1d_refusals_no_way), 1);
    assert_int_equal(COUNT(l1d_refusals), 1);
}

static void slots_before_the_miss_queue(void) {
    net_stands = true;
    assert_true(load(1, 1));
    assert_true(load(2, 2));
    assert_false(load(3, 3));
    assert_int_equal(COUNT(l1d_refusals_bypass_limit), 1);
    assert_int_equal(COUNT(l1d_refusals), 1);
}

/* With one bypass slot, a load that gets no slot uses the L1D, where it may merge with the fetch of
 * another load. */
static void without_a_slot_to_the_l1d(void) {
    assert_true(load(1, 1));
    assert_true(load(2, 2));
    assert_true(load(2, 3));
    assert_int_equal(COUNT(l1d_bypasses), 1);
    assert_int_equal(COUNT(l1d_primary_misses), 1);
    assert_int_equal(COUNT(l1d_secondary_misses), 1);
    assert_int_equal(COUNT(l1d_bypass_fallbacks), 1); /* load 3 would have merged in any case */
    assert_int_equal(COUNT(l1d_refusals), 0);
}

/* A load that is marked to bypass waits for a bypass slot, and does not use the L1D instead. */
static void a_marked_load_waits_for_a_slot(void) {
    net_stands = true;
    assert_true(load(1, 1));
    assert_false(skip_at(2, 2, 0, 4));
    assert_int_equal(COUNT(l1d_refusals_bypass_limit), 1);
    assert_int_equal(COUNT(l1d_bypass_fallbacks), 0);
}

/* When a load bypasses, the number of bypassing loads in flight, including itself, is recorded: 1,
 * 2 and 3 here. */
static void direct_loads_are_counted(void) {
    for (uint64_t line = 1; line <= 3; line++)
        assert_true(load(line, (uint32_t)line));
    assert_int_equal(COUNT(l1d_bypass_depth_sum), 6);
    assert_int_equal(stats.h[HIST_l1d_bypass_depth_hist][1], 1);
    assert_int_equal(stats.h[HIST_l1d_bypass_depth_hist][2], 2);
}

static void the_miss_queue_before_the_mshr(void) {
    net_stands = true;
    assert_true(load(1, 1));
    assert_true(load(2, 2));
    assert_false(load(3, 3));
    assert_int_equal(COUNT(l1d_refusals_miss_queue), 1);
    assert_int_equal(COUNT(l1d_refusals), 1);
}

static void next_tells_when_a_hit_is_due(void) {
    assert_true(l1d_next_event(&l1, NULL, cycle) == UINT64_MAX);
    bring(1, 0);
    idle(2);
    assert_true(l1d_next_event(&l1, NULL, cycle) == UINT64_MAX);
    uint64_t taken = cycle;
    assert_true(load(1, 1));
    assert_int_equal(l1d_next_event(&l1, NULL, cycle), taken + 4);
    cycle = taken + 4;
    step(NULL);
    assert_true(l1d_next_event(&l1, NULL, cycle) == UINT64_MAX); /* the response waits for the SM */
    expect_response(1, 1, 0);
    assert_true(l1d_next_event(&l1, NULL, cycle) == UINT64_MAX);
    assert_true(load(2, 2));
    assert_int_equal(l1d_next_event(&l1, NULL, cycle), cycle);
}

/* ---- a twin in drive mode ---- */

static void accept_all(struct block_probe *probe, const struct block_inst *inst, const void *in_,
                       void *out_) {
    const struct mshr_in *in = in_;
    struct mshr_out *out = out_;
    (void)probe, (void)inst;
    out->req_ready = in->req_valid;
    out->req_refuse = MSHR_REFUSE_NONE;
}

static void let_be(struct block_probe *probe, const struct block_inst *inst, const void *in) {
    (void)probe, (void)inst, (void)in;
}

/* A twin that accepts more loads than the MSHR has slots is an error. */
static void a_twin_that_takes_too_many(void) {
    struct block_probe twin = {accept_all, let_be};
    l1.cache.bank->mshr.block.inst.probe = &twin;
    l1.cache.bank->mshr.capacity = 2;
    assert_true(load(1, 0));
    assert_true(load(1, 1));
    assert_int_equal(context.fault, CONTEXT_OK);
    load(1, 2);
    assert_int_equal(context.fault, CONTEXT_BROKEN);
    assert_non_null(strstr(context.error.text, "l1d.0.mshr: holds more than 2 requests"));
    context.fault = CONTEXT_OK;
}

/* ---- the cases ---- */

struct policy_case {
    const char *name;
    void (*body)(void);
    const char *settings; /* assignments to keys; keys without a section belong to [l1d] */
    bool checked;
};

#define CASE(body, settings)                                                                       \
    { #body, body, settings, false }
#define CHECKED(body, settings)                                                                    \
    { #body, body, settings, true }
static const struct policy_case cases[] = {
    CASE(write_evict, "write=wewn"),
    CASE(write_evict_of_a_sector, "write=wewn sm.coalesce=sector"),
    CASE(write_validate, "write=wbwa"),
    CASE(a_partial_miss_is_a_use, "write=wbwa sets=1 ways=2"),
    CHECKED(a_dirty_victim_is_written_back, "write=wbwa sets=1 ways=1 miss_queue=2"),
    CASE(a_store_waits_for_older_loads, "write=wbwa"),
    CASE(a_store_without_a_way_is_refused, "write=wbwa sets=1 ways=1"),
    CHECKED(local_memory_is_written_back, "write=local_wb"),
    CHECKED(local_hits_are_written_back, "write=local_wbwn"),
    CASE(stores_allocate_and_write_through, "write=wtwa"),
    CASE(an_allocating_store_needs_a_way, "write=wtwa sets=1 ways=1"),
    CASE(local_victims_are_written_back, "write=local_wbwn sets=1 ways=1"),
    CASE(banks_accept_an_access_each, "write=local_wbwn sm.coalesce=sector model=gpgpusim banks=2"),
    CASE(banks_miss_in_the_same_cycle,
         "sm.coalesce=sector model=gpgpusim banks=2 mshr_entries=4 mshr_slots=2"),
    CASE(one_bank_drains_in_a_cycle, "sm.coalesce=sector model=gpgpusim banks=2"),
    CASE(data_fill_during_a_drain, "model=gpgpusim"),
    CASE(a_store_leaves_filled_data, "model=gpgpusim write=wtwn"),
    CHECKED(dirty_lines_are_flushed, "write=wbwa icnt.in_queue=8"),
    CASE(a_flush_waits_for_the_miss_queue, "write=wbwa miss_queue=2"),
    CASE(fill_takes_the_way, "allocate=fill sets=1 ways=1"),
    CASE(a_poisoned_fill_is_not_kept, "allocate=fill sets=1 ways=1"),
    CASE(a_fill_that_finds_no_way, "allocate=fill write=wbwa sets=1 ways=1 miss_queue=1"),
    CASE(sectors_are_fetched_one_by_one, "sm.coalesce=sector sets=1 ways=1"),
    CASE(a_poisoned_only_sector_frees_its_way, "sm.coalesce=sector sets=1 ways=2"),
    CASE(global_loads_bypass, "bypass=global bypass_slots=2"),
    CASE(a_poisoned_line_is_bypassed, "bypass=global"),
    CASE(a_direct_reply_waits_for_its_place, "bypass=global response_queue=1"),
    CASE(stalled_misses_bypass,
         "bypass=stall bypass_slots=4 mshr_entries=2 mshr_slots=1 sets=2 ways=1"),
    CASE(a_full_mshr_is_bypassed, "bypass=stall bypass_slots=1 mshr_entries=2 miss_queue=1"),
    CASE(only_a_want_of_ways_is_bypassed,
         "bypass=line bypass_slots=2 mshr_entries=2 mshr_slots=1 sets=2 ways=1"),
    CASE(entries_and_places_are_waited_for, "bypass=line mshr_entries=2 miss_queue=1"),
    CASE(a_walk_is_waited_for, "bypass=stall mshr=dl dl_pools=shared dl_slots=1 dl_tail=0"),
    CASE(skipping_loads, "write=wbwa"),
    CHECKED(an_atomic_drops_a_clean_line, ""),
    CASE(an_atomic_drops_its_sector, "sm.coalesce=sector"),
    CASE(an_atomic_poisons_what_is_on_its_way, ""),
    CHECKED(an_atomic_waits_for_a_write_back, "write=wbwa miss_queue=2"),
    CHECKED(an_atomic_with_a_result, "response_queue=1"),
    CHECKED(without_an_l1d, "enabled=no bypass_slots=1"),
    CASE(order_before_the_miss_queue, "miss_queue=1"),
    CASE(line_before_the_miss_queue, "miss_queue=1 sets=1 ways=2"),
    CASE(slots_before_the_miss_queue, "bypass=global bypass_slots=2 miss_queue=1"),
    CASE(without_a_slot_to_the_l1d, "bypass=global bypass_slots=1 bypass_full=l1d"),
    CASE(a_marked_load_waits_for_a_slot, "bypass=global bypass_slots=1 bypass_full=l1d"),
    CASE(direct_loads_are_counted, "bypass=global bypass_slots=4"),
    CASE(the_miss_queue_before_the_mshr, "miss_queue=1 mshr_entries=2"),
    CASE(next_tells_when_a_hit_is_due, ""),
    CASE(a_twin_that_takes_too_many, "mshr_slots=2"),
};

static void run(void **state) {
    const struct policy_case *c = *state;
    char settings[160], key[80], *rest;
    struct error err;
    defaults();
    checked = c->checked;
    assert_true(strlen(c->settings) < sizeof settings);
    strcpy(settings, c->settings);
    for (char *s = strtok_r(settings, " ", &rest); s; s = strtok_r(NULL, " ", &rest)) {
        snprintf(key, sizeof key, "%s%s", strchr(s, '.') ? "" : "l1d.", s);
        if (config_override(&cfg, NULL, key, &err))
            fail_msg("%s", err.text);
    }
    make();
    c->body();
    end();
}

int main(void) {
    enum { N = sizeof cases / sizeof cases[0] };
    struct CMUnitTest tests[N];
    for (int i = 0; i < N; i++)
        tests[i] =
            (struct CMUnitTest){cases[i].name, run, NULL, NULL, (void *)(uintptr_t)&cases[i]};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
