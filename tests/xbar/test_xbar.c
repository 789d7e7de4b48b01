// SPDX-License-Identifier: Apache-2.0
/* One crossbar network alone: latency, occupation of ports, fairness, head-of-line blocking,
 * conservation. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "xbar/xbar.h"
#include "xbar/xbar_packet.h"

static struct context context;
static struct xbar xbar;
static bool in_flight_free;

static void make(uint32_t n_in, uint32_t n_out, uint32_t in_queue, uint32_t out_queue,
                 uint32_t latency) {
    const struct xbar_size size = {n_in, n_out, in_queue, out_queue, latency, in_flight_free};
    memset(&context, 0, sizeof context);
    assert_int_equal(packet_pool_init(&context.pool, 4096), 0);
    assert_int_equal(xbar_init(&xbar, &context, &size), 0);
}

static void end(void) {
    xbar_free(&xbar);
    packet_pool_free(&context.pool);
}

/* One instant: the network ticks first, then the test acts, as an SM does. */
static void step(void) {
    context.now++;
    xbar_tick(&xbar);
}

static uint32_t send(uint32_t in, uint32_t out, uint32_t flits, uint64_t tag) {
    uint32_t n = packet_take(&context.pool);
    struct packet *p = packet_at(&context.pool, n);
    p->line = tag;
    p->sm = (uint16_t)in;
    xbar_push(&xbar, in, n, out, flits);
    return n;
}

/* Takes what is there; returns PACKET_NONE if nothing is. */
static uint32_t take(uint32_t out) {
    uint32_t n = xbar_peek(&xbar, out);
    return n == PACKET_NONE ? n : xbar_pop(&xbar, out);
}

static void latency_is_exact(void **state) {
    (void)state;
    for (uint32_t latency = 1; latency < 10; latency += 4)
        for (uint32_t flits = 1; flits < 6; flits++) {
            make(2, 2, 4, 4, latency);
            step();
            send(1, 0, flits, 0);
            /* Granted in the next cycle, its last flit in flits - 1 later, out latency later, seen
             * one later. */
            for (uint32_t i = 0; i < 1 + (flits - 1) + latency; i++) {
                step();
                assert_int_equal(xbar_peek(&xbar, 0), PACKET_NONE);
            }
            step();
            assert_int_not_equal(take(0), PACKET_NONE);
            assert_int_equal(xbar.flits, flits);
            end();
        }
}

/* One input sends n-flit packets back to back: one every n cycles. */
static void a_packet_holds_its_ports(void **state) {
    (void)state;
    make(2, 2, 8, 8, 3);
    unsigned got = 0;
    for (unsigned cycle = 0; cycle < 200; cycle++) {
        step();
        while (xbar_can_push(&xbar, 0))
            send(0, cycle % 2, 5, 0);
        for (uint32_t o = 0; o < 2; o++) {
            uint32_t n = take(o);
            if (n == PACKET_NONE)
                continue;
            packet_give(&context.pool, n);
            got++;
        }
    }
    assert_in_range(got, 200 / 5 - 2, 200 / 5);
    end();
}

static void arbitration_is_fair(void **state) {
    (void)state;
    enum { INPUTS = 300, OUTPUTS = 200, BUSY = 150 }; /* sets of several words */
    make(INPUTS, OUTPUTS, 2, 4, 2);
    unsigned got[INPUTS] = {0};
    for (unsigned cycle = 0; cycle < INPUTS * 20; cycle++) {
        step();
        for (uint32_t i = 0; i < INPUTS; i++)
            if (xbar_can_push(&xbar, i))
                send(i, BUSY, 1, 0);
        uint32_t n = take(BUSY);
        if (n == PACKET_NONE)
            continue;
        got[packet_at(&context.pool, n)->sm]++;
        packet_give(&context.pool, n);
    }
    for (uint32_t i = 0; i < INPUTS; i++)
        assert_in_range(got[i], 19, 20);
    end();
}

/* Output 0 is not emptied: a packet for output 1 waits behind one for output 0. */
static void the_head_blocks_the_line(void **state) {
    (void)state;
    make(1, 2, 8, 1, 1);
    step();
    send(0, 0, 1, 0);
    send(0, 0, 1, 0);
    send(0, 1, 1, 0);
    for (unsigned i = 0; i < 50; i++)
        step();
    assert_int_equal(xbar_peek(&xbar, 1), PACKET_NONE);
    assert_true(xbar.stalls > 40);
    assert_int_not_equal(take(0), PACKET_NONE);
    for (unsigned i = 0; i < 10; i++)
        step();
    assert_int_not_equal(take(1), PACKET_NONE);
    end();
}

#define PAIRS (5 * 7)

/* Random traffic and random back-pressure: each packet arrives once, at its output, in the order of
 * its pair. */
static void nothing_is_lost_or_reordered(void **state) {
    (void)state;
    make(5, 7, 3, 2, 4);
    uint64_t sent[PAIRS] = {0}, got[PAIRS] = {0}, total = 0;
    uint32_t seed = 12345;
    for (unsigned cycle = 0; cycle < 20000; cycle++) {
        step();
        for (uint32_t i = 0; i < 5 && cycle < 19000; i++) {
            seed = seed * 1664525 + 1013904223;
            uint32_t o = (seed >> 8) % 7;
            if (seed >> 30 && xbar_can_push(&xbar, i))
                send(i, o, 1 + (seed >> 16) % 5, sent[i * 7 + o]++);
        }
        for (uint32_t o = 0; o < 7; o++) {
            seed = seed * 1664525 + 1013904223;
            uint32_t n = seed >> 31 || cycle > 19000 ? take(o) : PACKET_NONE;
            if (n == PACKET_NONE)
                continue;
            struct packet *p = packet_at(&context.pool, n);
            assert_int_equal(xbar_packet(p)->dest, o);
            assert_int_equal(p->line, got[p->sm * 7 + o]++);
            packet_give(&context.pool, n);
            total++;
        }
    }
    assert_true(total > 5000);
    assert_memory_equal(sent, got, sizeof sent);
    assert_int_equal(context.pool.in_use, 0);
    end();
}

/* Packets of one flit through one port, taken as they come: in flight they take places, or not. */
static void packets_in_flight_take_places_or_none(void **state) {
    (void)state;
    uint64_t taken[2];
    for (unsigned i = 0; i < 2; i++) {
        in_flight_free = i;
        make(1, 1, 4, 4, 8);
        taken[i] = 0;
        for (unsigned cycle = 0; cycle < 1000; cycle++) {
            step();
            if (xbar_can_push(&xbar, 0))
                send(0, 0, 1, 0);
            uint32_t n = take(0);
            taken[i] += n != PACKET_NONE;
            if (n != PACKET_NONE)
                packet_give(&context.pool, n);
        }
        end();
    }
    assert_in_range(taken[0], 390, 400);        /* 4 places, each for 10 cycles */
    assert_in_range(taken[1], 1000 - 12, 1000); /* one a cycle */
    in_flight_free = false;
}

/* Nobody takes: none starts once the queue is full, and those on their way still arrive. */
static void packets_in_flight_stand_behind_a_full_queue(void **state) {
    (void)state;
    in_flight_free = true;
    make(1, 1, 64, 4, 8);
    for (unsigned cycle = 0; cycle < 100; cycle++) {
        step();
        if (xbar_can_push(&xbar, 0))
            send(0, 0, 1, cycle);
    }
    assert_int_equal(xbar.out[0].queue.count, 4 + 7);
    for (uint64_t tag = 0; tag < 4 + 7; tag++) {
        uint32_t n = take(0);
        assert_int_not_equal(n, PACKET_NONE);
        assert_int_equal(packet_at(&context.pool, n)->line, tag);
    }
    assert_int_equal(xbar_peek(&xbar, 0), PACKET_NONE);
    end();
    in_flight_free = false;
}

static void nothing_is_lost_behind_a_full_queue(void **state) {
    in_flight_free = true;
    nothing_is_lost_or_reordered(state);
    in_flight_free = false;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(latency_is_exact),
        cmocka_unit_test(a_packet_holds_its_ports),
        cmocka_unit_test(arbitration_is_fair),
        cmocka_unit_test(the_head_blocks_the_line),
        cmocka_unit_test(nothing_is_lost_or_reordered),
        cmocka_unit_test(packets_in_flight_take_places_or_none),
        cmocka_unit_test(packets_in_flight_stand_behind_a_full_queue),
        cmocka_unit_test(nothing_is_lost_behind_a_full_queue),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
