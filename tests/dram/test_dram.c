/* One DRAM channel alone: latency, bandwidth, order, back-pressure, contents. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "dram/dram.h"

static struct frame frame;
static struct backing backing;
static struct dram dram;

static void make(uint32_t queue, uint32_t latency, uint32_t line_cycles) {
    const struct dram_size size = {queue, latency, line_cycles};
    memset(&frame, 0, sizeof frame);
    memset(&backing, 0, sizeof backing);
    assert_int_equal(packet_pool_init(&frame.pool, 64), 0);
    assert_int_equal(packet_pool_carry(&frame.pool, true), 0);
    frame.carry = true;
    assert_int_equal(dram_init(&dram, &frame, &backing, &size), 0);
}

static void end(void) {
    dram_free(&dram);
    backing_free(&backing);
    packet_pool_free(&frame.pool);
}

static void step(void) {
    frame.now++;
    dram_tick(&dram);
}

static void push(uint64_t line, bool write, uint8_t byte) {
    uint32_t n = packet_take(&frame.pool);
    struct packet *p = packet_at(&frame.pool, n);
    p->line = line;
    p->mask = mask_of_sectors(SECTORS_ALL);
    p->kind = write ? PACKET_WRITEBACK : PACKET_LOAD;
    memset(packet_data(&frame.pool, n), byte, LINE_BYTES);
    dram_push(&dram, n, 0);
}

/* Steps until a line is there; returns the steps. */
static unsigned wait_for(uint64_t line) {
    unsigned steps = 0;
    while (dram_peek(&dram, 0) == PACKET_NONE) {
        step();
        assert_true(++steps < 10000);
    }
    assert_int_equal(packet_at(&frame.pool, dram_peek(&dram, 0))->line, line);
    return steps;
}

static void latency_is_exact(void **state) {
    (void)state;
    make(4, 100, 8);
    step();
    push(5, false, 0);
    /* Accepted at the next edge, complete 100 later, seen one later. */
    assert_int_equal(wait_for(5), 1 + 100 + 1);
    end();
}

static void bandwidth_is_one_line_per_line_cycles(void **state) {
    (void)state;
    make(32, 100, 8);
    unsigned got = 0;
    for (unsigned cycle = 0; cycle < 1100; cycle++) {
        step();
        if (dram_peek(&dram, 0) != PACKET_NONE) {
            packet_give(&frame.pool, dram_pop(&dram, 0));
            got++;
        }
        if (dram_can_push(&dram))
            push(cycle, false, 0);
    }
    assert_in_range(got, 1000 / 8 - 1, 1000 / 8 + 1);
    end();
}

static void nobody_takes_so_the_queue_fills(void **state) {
    (void)state;
    make(4, 10, 2);
    for (unsigned cycle = 0; cycle < 1000; cycle++) {
        step();
        if (dram_can_push(&dram))
            push(cycle, false, 0);
    }
    assert_int_equal(frame.pool.in_use, 4 + DRAM_RETURN_QUEUE);
    assert_int_equal(dram.reads, DRAM_RETURN_QUEUE);
    end();
}

static void a_read_behind_a_write_sees_it(void **state) {
    (void)state;
    make(8, 50, 8);
    step();
    push(7, false, 0);
    push(7, true, 0xab);
    push(7, false, 0);
    wait_for(7);
    uint8_t first[LINE_BYTES];
    const struct byte_mask all = {{UINT64_MAX, UINT64_MAX}};
    check_stamp_line(first, 7, &all, 0);
    uint32_t n = dram_pop(&dram, 0);
    assert_memory_equal(packet_data(&frame.pool, n), first, LINE_BYTES);
    packet_give(&frame.pool, n);
    wait_for(7);
    n = dram_pop(&dram, 0);
    assert_int_equal(packet_data(&frame.pool, n)[77], 0xab);
    packet_give(&frame.pool, n);
    assert_int_equal(frame.pool.in_use, 0);
    assert_int_equal(dram.writes, 1);
    end();
}

static void contents_survive_growth(void **state) {
    (void)state;
    struct backing b = {0};
    const struct byte_mask all = {{UINT64_MAX, UINT64_MAX}};
    uint8_t data[LINE_BYTES], got[LINE_BYTES];
    for (uint64_t i = 0; i < 5000; i++) {
        memset(data, (int)(i * 7 % 251), sizeof data);
        assert_int_equal(backing_write(&b, i * 513, &all, data), 0);
    }
    for (uint64_t i = 0; i < 5000; i++) {
        backing_read(&b, i * 513, got);
        assert_int_equal(got[3], i * 7 % 251);
    }
    assert_int_equal(b.used, 5000);
    backing_free(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(latency_is_exact),
        cmocka_unit_test(bandwidth_is_one_line_per_line_cycles),
        cmocka_unit_test(nobody_takes_so_the_queue_fills),
        cmocka_unit_test(a_read_behind_a_write_sees_it),
        cmocka_unit_test(contents_survive_growth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
