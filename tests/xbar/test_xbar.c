// SPDX-License-Identifier: Apache-2.0
/* Tests of one crossbar network alone: latency, use of ports, fairness, head-of-line blocking, and
 * conservation. */
#include "xbar/xbar.h"
#include "tests/test.h"

static struct context context;
static struct xbar xbar;
static uint32_t speedup = 1, sharers = 1;
static bool flit_places, input_bursts;

static void make(uint32_t n_in, uint32_t n_out, uint32_t in_queue, uint32_t out_queue,
                 uint32_t latency) {
    const struct xbar_size size = {n_in,    n_out,       in_queue,     out_queue, latency,
                                   speedup, flit_places, input_bursts, sharers};
    memset(&context, 0, sizeof context);
    request_pool_init(&context.pool, 4096);
    xbar_init(&xbar, &context, &size);
}

static void end(void) {
    xbar_free(&xbar);
    request_pool_free(&context.pool);
}

/* Advances by one instant. The network ticks first. The test acts after it, as an SM does. */
static void step(void) {
    context.now++;
    xbar_tick(&xbar);
}

static uint32_t send_pieces(uint32_t in, uint32_t out, uint32_t flits, uint32_t pieces,
                            uint64_t tag) {
    uint32_t n = request_take(&context.pool);
    struct request *p = request_at(&context.pool, n);
    p->line = tag;
    p->origin.sm = (uint16_t)in;
    p->entry = (uint16_t)out;
    xbar_push(&xbar, in, n, out, flits, pieces);
    return n;
}

static uint32_t send(uint32_t in, uint32_t out, uint32_t flits, uint64_t tag) {
    return send_pieces(in, out, flits, 1, tag);
}

/* Removes and returns a delivered request, or returns REQUEST_NONE if there is none. */
static uint32_t take(uint32_t out) {
    uint32_t n = xbar_peek(&xbar, out);
    return n == REQUEST_NONE ? n : xbar_pop(&xbar, out);
}

static void latency_is_exact(void **state) {
    for (uint32_t latency = 1; latency < 10; latency += 4)
        for (uint32_t flits = 1; flits < 6; flits++) {
            make(2, 2, 4, 4, latency);
            step();
            send(1, 0, flits, 0);
            /* The packet is granted in the next cycle, and its last flit follows flits - 1 cycles
             * later. It is delivered `latency` cycles after its last flit, and is visible in the
             * cycle after that. */
            for (uint32_t i = 0; i < 1 + (flits - 1) + latency; i++) {
                step();
                assert_int_equal(xbar_peek(&xbar, 0), REQUEST_NONE);
            }
            step();
            assert_int_not_equal(take(0), REQUEST_NONE);
            assert_int_equal(xbar.flits, flits);
            end();
        }
}

/* If one input sends packets of n flits back to back, it sends one packet every n cycles. */
static void a_packet_holds_its_ports(void **state) {
    make(2, 2, 8, 8, 3);
    unsigned got = 0;
    for (unsigned cycle = 0; cycle < 200; cycle++) {
        step();
        while (xbar_can_push(&xbar, 0))
            send(0, cycle % 2, 5, 0);
        for (uint32_t o = 0; o < 2; o++) {
            uint32_t n = take(o);
            if (n == REQUEST_NONE)
                continue;
            request_give(&context.pool, n);
            got++;
        }
    }
    assert_in_range(got, 200 / 5 - 2, 200 / 5);
    end();
}

static void arbitration_is_fair(void **state) {
    enum { INPUTS = 300, OUTPUTS = 200, BUSY = 150 }; /* a bit set of ports has several words */
    make(INPUTS, OUTPUTS, 2, 4, 2);
    unsigned got[INPUTS] = {0};
    for (unsigned cycle = 0; cycle < INPUTS * 20; cycle++) {
        step();
        for (uint32_t i = 0; i < INPUTS; i++)
            if (xbar_can_push(&xbar, i))
                send(i, BUSY, 1, 0);
        uint32_t n = take(BUSY);
        if (n == REQUEST_NONE)
            continue;
        got[request_at(&context.pool, n)->origin.sm]++;
        request_give(&context.pool, n);
    }
    for (uint32_t i = 0; i < INPUTS; i++)
        assert_in_range(got[i], 19, 20);
    end();
}

/* While output 0 is blocked, a packet for output 1 waits behind a packet for output 0. */
static void the_head_blocks_the_line(void **state) {
    make(1, 2, 8, 1, 1);
    step();
    send(0, 0, 1, 0);
    send(0, 0, 1, 0);
    send(0, 1, 1, 0);
    for (unsigned i = 0; i < 50; i++)
        step();
    assert_int_equal(xbar_peek(&xbar, 1), REQUEST_NONE);
    assert_true(xbar.stalls > 40);
    assert_int_not_equal(take(0), REQUEST_NONE);
    for (unsigned i = 0; i < 10; i++)
        step();
    assert_int_not_equal(take(1), REQUEST_NONE);
    end();
}

#define PAIRS (5 * 7)

/* Under random traffic and back-pressure, each packet arrives once, at its output, and in order
 * among the packets with the same input and output. */
static void nothing_is_lost_or_reordered(void **state) {
    make(5, 7, 3, 2, 4);
    uint64_t sent[PAIRS] = {0}, got[PAIRS] = {0}, total = 0;
    uint32_t seed = 12345;
    for (unsigned cycle = 0; cycle < 20000; cycle++) {
        step();
        for (uint32_t i = 0; i < 5 && cycle < 19000; i++) {
            seed = seed * 1664525 + 1013904223;
            uint32_t o = (seed >> 8) % 7;
            if (seed >> 30 && xbar_can_push(&xbar, i))
                send_pieces(i, o, 1 + (seed >> 16) % 5, 1 + (seed >> 20) % 4, sent[i * 7 + o]++);
        }
        for (uint32_t o = 0; o < 7; o++) {
            seed = seed * 1664525 + 1013904223;
            uint32_t n = seed >> 31 || cycle > 19000 ? take(o) : REQUEST_NONE;
            if (n == REQUEST_NONE)
                continue;
            struct request *p = request_at(&context.pool, n);
            assert_int_equal(p->entry, o);
            assert_int_equal(p->line, got[p->origin.sm * 7 + o]++);
            request_give(&context.pool, n);
            total++;
        }
    }
    assert_true(total > 1000);
    assert_memory_equal(sent, got, sizeof sent);
    assert_int_equal(context.pool.in_use, 0);
    end();
}

/* Removes and frees a packet that waits at this output. Returns true if there was one. */
static bool drop(uint32_t out) {
    uint32_t n = take(out);
    if (n != REQUEST_NONE)
        request_give(&context.pool, n);
    return n != REQUEST_NONE;
}

/* Returns the number of cycles in which one input sends 9 packets of 4 flits, alternately to two
 * outputs, after a full output has delayed the packets until all their flits had arrived. */
static unsigned cycles_of_backlog(void) {
    make(1, 2, 16, 3, 1);
    for (unsigned i = 0; i < 12; i++) {
        step();
        send(0, i < 4 ? 0 : i % 2, 4, 0);
    }
    for (unsigned i = 0; i < 60; i++)
        step();
    assert_int_equal(xbar.queued, 9);
    unsigned cycles = 0;
    while (xbar.queued) {
        drop(0);
        drop(1);
        step();
        cycles++;
    }
    end();
    return cycles;
}

static void a_faster_switch_passes_what_is_there(void **state) {
    assert_int_equal(cycles_of_backlog(), 8 * 4 + 1);
    speedup = 2; /* 5 flit times per packet, and two flits per cycle */
    assert_int_equal(cycles_of_backlog(), 8 * 5 / 2 + 1);
    speedup = 1;
}

/* Links carry one flit per cycle, however fast the switch is. */
static void links_bound_a_faster_switch(void **state) {
    speedup = 4;
    a_packet_holds_its_ports(state);
    latency_is_exact(state);
    speedup = 1;
}

/* A packet of 8 flits uses the output while two packets of 4 flits arrive at the other input.
 * Afterwards the switch passes each of the two in 2.5 cycles, but the link from the output takes 4
 * cycles. */
static void the_link_of_an_output_takes_a_flit_a_cycle(void **state) {
    unsigned at[3] = {0}, got = 0;
    speedup = 2;
    make(2, 1, 4, 8, 3);
    step();
    send(0, 0, 8, 0);
    send(1, 0, 4, 0);
    send(1, 0, 4, 0);
    for (unsigned cycle = 1; cycle < 40; cycle++) {
        step();
        if (drop(0))
            at[got++] = cycle;
    }
    assert_int_equal(got, 3);
    /* the packets arrive as with a switch at the speed of the links */
    assert_int_equal(at[0], 1 + (8 - 1) + 3 + 1);
    assert_int_equal(at[1], at[0] + 4);
    assert_int_equal(at[2], at[1] + 4);
    end();
    speedup = 1;
}

static void places_hold_flits(void **state) {
    flit_places = true;
    make(1, 1, 9, 8, 1);
    step();
    for (unsigned i = 0; i < 3; i++) {
        assert_true(xbar_can_push(&xbar, 0));
        send(0, 0, 4, 0);
    }
    /* 12 flits fit in 9 slots, because a slot was free for the third packet */
    assert_false(xbar_can_push(&xbar, 0));
    for (unsigned i = 0; i < 40; i++)
        step();
    assert_int_equal(xbar.out[0].queue.count, 2);
    assert_int_equal(xbar.queued, 1);
    assert_true(xbar_can_push(&xbar, 0));
    assert_true(drop(0));
    for (unsigned i = 0; i < 6; i++)
        step();
    assert_int_equal(xbar.queued, 0);
    assert_int_equal(xbar.out[0].used, 8);
    end();
    flit_places = false;
}

/* Sends two packets from two inputs to one output at the same time. Sets at[] to the cycles in
 * which they arrive. */
static void arrivals(uint32_t flits, uint32_t pieces, unsigned at[2]) {
    make(2, 1, 4, 8, 3);
    for (unsigned i = 0; i < 2; i++) { /* each input has already sent a packet, so it is not idle */
        step();
        send(0, 0, 1, 0);
        send(1, 0, 1, 0);
    }
    unsigned got = 0;
    step();
    send_pieces(0, 0, flits, pieces, 1);
    send_pieces(1, 0, flits, pieces, 2);
    for (unsigned cycle = 1; got < 2; cycle++) {
        step();
        uint32_t n = take(0);
        if (n == REQUEST_NONE)
            continue;
        if (request_at(&context.pool, n)->line)
            at[got++] = cycle;
        request_give(&context.pool, n);
    }
    end();
}

static void pieces_are_granted_one_by_one(void **state) {
    unsigned whole[2], cut[2];
    arrivals(4, 1, whole);
    arrivals(1, 4, cut);
    assert_int_equal(whole[1] - whole[0], 4);
    assert_int_equal(cut[1] - cut[0], 1);
    assert_int_equal(cut[1], whole[1]);
}

/* An idle input transfers all flits except the last while they arrive. */
static void pieces_of_an_idle_input_come_with_the_last(void **state) {
    make(1, 1, 4, 8, 3);
    for (unsigned i = 0; i < 10; i++)
        step();
    send_pieces(0, 0, 1, 4, 0);
    for (unsigned i = 0; i < 4; i++) {
        step();
        assert_int_equal(xbar_peek(&xbar, 0), REQUEST_NONE);
    }
    step();
    assert_true(drop(0));
    assert_int_equal(xbar.flits, 4);
    end();
}

static void nothing_is_lost_with_any_places_and_speed(void **state) {
    for (speedup = 1; speedup <= 4; speedup++)
        for (int flits = 0; flits < 2; flits++) {
            flit_places = flits;
            nothing_is_lost_or_reordered(state);
        }
    speedup = 1;
    flit_places = false;
}

/* A request does not move in the instant of its arrival, even if it is at the head. */
static void packets_wait_for_the_next_instant(void **state) {
    make(2, 3, 4, 4, 1);
    context.now++;
    send(0, 0, 1, 1);
    send(0, 1, 1, 2);
    xbar_tick(&xbar); /* a tick in the instant of the arrival */
    assert_int_equal(xbar.in[0].queue.count, 2);
    context.now++;
    send(0, 2, 1, 3);
    xbar_tick(&xbar); /* the first request moves, and the second is next */
    assert_int_equal(xbar.in[0].queue.count, 2);
    xbar_tick(&xbar); /* the second request moves, since it arrived in an earlier instant */
    assert_int_equal(xbar.in[0].queue.count, 1);
    xbar_tick(&xbar); /* the third request does not move, since it arrived in this instant */
    assert_int_equal(xbar.in[0].queue.count, 1);
    step();
    assert_int_equal(xbar.in[0].queue.count, 0);
    end();
}

/* Sends three packets from input 0 to outputs a, b and c. Returns the cycles in which they wait
 * there, one digit each, in the order in which they arrive. */
static unsigned arrival_cycles(uint32_t a, uint32_t b, uint32_t c) {
    const uint32_t out[3] = {a, b, c};
    unsigned digits = 0;
    make(2, 4, 8, 8, 1);
    for (unsigned i = 0; i < 3; i++)
        send(0, out[i], 1, i);
    for (unsigned cycle = 1; cycle < 6; cycle++) {
        step();
        for (unsigned i = 0; i < 3; i++) {
            const uint32_t packet = take(out[i]);
            if (packet == REQUEST_NONE)
                continue;
            request_give(&context.pool, packet);
            digits = 10 * digits + cycle;
        }
    }
    end();
    return digits;
}

/* With input_bursts, an input sends packets to ascending outputs in one cycle. A packet to the same
 * or a lower output waits. */
static void an_input_sends_to_ascending_outputs(void **state) {
    assert_int_equal(arrival_cycles(0, 1, 3), 345);
    input_bursts = true;
    assert_int_equal(arrival_cycles(0, 1, 3), 333);
    assert_int_equal(arrival_cycles(1, 0, 3), 344);
    assert_int_equal(arrival_cycles(2, 2, 2), 345);
    assert_int_equal(arrival_cycles(3, 2, 1), 345);
    input_bursts = false;
}

/* A packet at a shared output is visible only to its receiver, and only one leaves in an instant.
 */
static void receivers_take_turns_at_a_shared_output(void **state) {
    const uint32_t to[4] = {1, 0, 0, 1};
    sharers = 2;
    make(1, 2, 8, 8, 1);
    for (unsigned i = 0; i < 4; i++)
        send(0, 2 + to[i], 1, i); /* the receivers of output 1 */
    for (unsigned i = 0; i < 8; i++)
        step();
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(take(3 - to[i]), REQUEST_NONE);
        const uint32_t packet = take(2 + to[i]);
        assert_int_not_equal(packet, REQUEST_NONE);
        assert_int_equal(request_at(&context.pool, packet)->line, i);
        request_give(&context.pool, packet);
        for (uint32_t r = 0; r < 4; r++)
            assert_int_equal(take(r), REQUEST_NONE);
        step();
    }
    end();
    sharers = 1;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_input_sends_to_ascending_outputs),
        cmocka_unit_test(latency_is_exact),
        cmocka_unit_test(a_packet_holds_its_ports),
        cmocka_unit_test(arbitration_is_fair),
        cmocka_unit_test(the_head_blocks_the_line),
        cmocka_unit_test(nothing_is_lost_or_reordered),
        cmocka_unit_test(a_faster_switch_passes_what_is_there),
        cmocka_unit_test(links_bound_a_faster_switch),
        cmocka_unit_test(the_link_of_an_output_takes_a_flit_a_cycle),
        cmocka_unit_test(places_hold_flits),
        cmocka_unit_test(pieces_are_granted_one_by_one),
        cmocka_unit_test(pieces_of_an_idle_input_come_with_the_last),
        cmocka_unit_test(nothing_is_lost_with_any_places_and_speed),
        cmocka_unit_test(packets_wait_for_the_next_instant),
        cmocka_unit_test(receivers_take_turns_at_a_shared_output),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
