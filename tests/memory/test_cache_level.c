// SPDX-License-Identifier: Apache-2.0
/* tier: test, 1 s */
/* A cache level alone, between a hand-driven L2 bank and a DRAM channel: when a hit is answered,
 * how many a cycle, which line a miss replaces, what a write-back waits for, and that a full queue
 * refuses.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "config/config.h"
#include "memory/memory.h"

enum { BANK = 1, LATENCY = 5, QUEUE = 4 };

static struct config cfg;
static struct context context;
static struct backing backing;
static struct addr_map map;
static struct dram dram;
static struct memory memory;
static uint64_t cycle;

#define COUNT(name) (count(STAT_l3_##name))

static uint64_t count(enum stat_id id) {
    static struct stats s;
    memset(&s, 0, sizeof s);
    memory_add_stats(&memory, cycle, &s);
    return s.v[id];
}

static void step(void) {
    context.now++;
    dram_edge(&context);
    if (dram_due(&dram))
        dram_step(&dram);
    memory_tick(&memory, cycle++, true);
}

static void make(int64_t sets, int64_t ways) {
    char err[200];
    config_default(&cfg);
    cfg.l3_sets = sets;
    cfg.l3_ways = ways;
    cfg.l3_latency = LATENCY;
    cfg.l3_queue = QUEUE;
    assert_int_equal(dram_check(&cfg, err, sizeof err), 0);
    memset(&context, 0, sizeof context);
    memset(&backing, 0, sizeof backing);
    cycle = 0;
    map = (struct addr_map){.partitions = 1, .subs = 2, .interleave = 1};
    request_pool_init(&context.pool, 1024);
    dram_init(&dram, &context, &backing, &cfg);
    assert_int_equal(memory_init(&memory, &cfg, &context, &map, &dram, 0, err, sizeof err), 0);
    step(); /* the MSHR's reset */
}

static void end(void) {
    assert_int_equal(context.fault, CONTEXT_OK);
    memory_free(&memory);
    dram_free(&dram);
    backing_free(&backing);
    request_pool_free(&context.pool);
}

static void push(enum request_kind kind, uint64_t line) {
    const uint32_t number = request_take(&context.pool);
    *request_at(&context.pool, number) = (struct request){
        .line = line, .mask = {{UINT64_MAX, UINT64_MAX}}, .kind = (uint8_t)kind, .entry = 7};
    assert_false(memory_closed(&memory));
    memory_push(&memory, number, line, BANK);
}

/* Takes the reply that waits. Returns its line, or LINE_NONE. */
static uint64_t take(void) {
    const uint32_t number = memory_peek(&memory, BANK);
    if (number == REQUEST_NONE)
        return LINE_NONE;
    const struct request *r = request_at(&context.pool, number);
    const uint64_t line = r->line;
    assert_true(r->reply);
    assert_int_equal(r->entry, 7);
    assert_int_equal(memory_peek(&memory, 0), REQUEST_NONE); /* of another bank */
    memory_pop(&memory, BANK);
    request_give(&context.pool, number);
    return line;
}

/* Steps until the reply is there, and takes it. Returns how many cycles that took. */
static uint64_t wait_for(uint64_t line) {
    const uint64_t from = cycle;
    while (memory_peek(&memory, BANK) == REQUEST_NONE) {
        step();
        assert_true(cycle < from + 1000);
    }
    assert_int_equal(take(), line);
    return cycle - from;
}

static void load(uint64_t line) {
    push(REQUEST_LOAD, line);
    wait_for(line);
}

static void a_hit_takes_its_latency(void **state) {
    (void)state;
    make(4, 2);
    load(8);
    push(REQUEST_LOAD, 8);
    assert_int_equal(wait_for(8), 1 + LATENCY);
    assert_int_equal(COUNT(hits), 1);
    assert_int_equal(COUNT(primary), 1);
    end();
}

/* The pipeline holds as many as it has stages, and each cycle takes one more. */
static void each_cycle_takes_a_hit(void **state) {
    (void)state;
    enum { HITS = 40 };
    make(4, 2);
    load(8);
    uint64_t first = 0, taken = 0;
    for (uint64_t sent = 0; taken < HITS; step()) {
        if (sent < HITS) {
            push(REQUEST_LOAD, 8);
            first = sent++ ? first : cycle;
        }
        taken += take() == 8;
    }
    assert_in_range(cycle - first, HITS, HITS + LATENCY + 2);
    assert_int_equal(COUNT(rf), 0);
    end();
}

static void the_oldest_line_leaves(void **state) {
    (void)state;
    make(1, 2);
    load(1);
    load(2);
    load(1);
    load(3); /* replaces 2 */
    load(1);
    assert_int_equal(COUNT(hits), 2);
    load(2);
    assert_int_equal(COUNT(hits), 2);
    end();
}

static void a_write_back_is_kept_and_leaves_with_its_line(void **state) {
    (void)state;
    make(1, 2);
    push(REQUEST_WRITEBACK, 1);
    load(1); /* behind it in the queue */
    assert_int_equal(COUNT(stores), 1);
    assert_int_equal(COUNT(hits), 1);
    assert_int_equal(COUNT(fills), 0);
    load(2);
    load(3);
    assert_int_equal(COUNT(writebacks), 1);
    load(4); /* 2 was clean */
    assert_int_equal(COUNT(writebacks), 1);
    end();
}

/* Loads that wait for a line see what was there before the write. */
static void a_write_back_waits_for_older_loads(void **state) {
    (void)state;
    make(4, 2);
    push(REQUEST_LOAD, 8);
    push(REQUEST_LOAD, 8);
    push(REQUEST_WRITEBACK, 8);
    wait_for(8);
    assert_int_equal(COUNT(stores), 0); /* the line still drains */
    wait_for(8);
    while (!COUNT(stores))
        step();
    assert_true(COUNT(rf_order) > 0);
    assert_int_equal(COUNT(rf), COUNT(rf_order));
    end();
}

static void a_full_queue_is_closed(void **state) {
    (void)state;
    make(4, 2);
    for (uint64_t i = 0; i < QUEUE; i++)
        push(REQUEST_LOAD, i);
    assert_true(memory_closed(&memory));
    step();
    assert_false(memory_closed(&memory));
    end();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hit_takes_its_latency),
        cmocka_unit_test(each_cycle_takes_a_hit),
        cmocka_unit_test(the_oldest_line_leaves),
        cmocka_unit_test(a_write_back_is_kept_and_leaves_with_its_line),
        cmocka_unit_test(a_write_back_waits_for_older_loads),
        cmocka_unit_test(a_full_queue_is_closed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
