// SPDX-License-Identifier: Apache-2.0
/* Tests of FIFOs whose entries become visible in a given cycle, and of the sectors of byte masks.
 */
#include "lib/line.h"
#include "lib/timed_fifo.h"
#include "tests/test.h"

static struct timed_fifo q;

static void an_empty_queue_is_never_ready(void **state) {
    for (uint32_t capacity = 0; capacity < 3; capacity++) {
        timed_fifo_init(&q, capacity);
        assert_false(timed_fifo_ready(&q, 0));
        assert_false(timed_fifo_ready(&q, UINT64_MAX - 1));
        assert_false(timed_fifo_ready(&q, UINT64_MAX)); /* UINT64_MAX is the cycle before cycle 0 */
        assert_int_equal(ring_full(&q), capacity == 0);
        ring_free(&q);
    }
}

static void the_head_is_ready_in_its_cycle(void **state) {
    timed_fifo_init(&q, 4);
    timed_fifo_push(&q, 1, 10);
    timed_fifo_push(&q, 2, 5); /* this entry is behind the head */
    assert_false(timed_fifo_ready(&q, 9));
    assert_false(timed_fifo_ready(&q, UINT64_MAX));
    assert_true(timed_fifo_ready(&q, 10));
    assert_int_equal(timed_fifo_pop(&q), 1);
    assert_true(timed_fifo_ready(&q, 5));
    assert_int_equal(timed_fifo_pop(&q), 2);
    assert_false(timed_fifo_ready(&q, 100));
    timed_fifo_push(&q, 3, 0);
    assert_true(timed_fifo_ready(&q, 0));
    ring_free(&q);
}

/* The ring grows with its head at any position. No request is lost, and notes stay with their
 * requests. */
static void a_ring_grows_around_its_head(void **state) {
    for (uint32_t before = 0; before < 2 * RING_SLOTS; before++) {
        uint32_t in = 0, out = 0;
        timed_fifo_init(&q, 5 * RING_SLOTS);
        timed_fifo_push(&q, in++, 0)->note = 7;
        for (uint32_t i = 0; i < before; i++) { /* moves the head */
            timed_fifo_push(&q, in, in)->note = 7 * in + 7;
            in++;
            assert_int_equal(timed_fifo_pop(&q), out++);
        }
        assert_int_equal(q.mask, RING_SLOTS - 1);
        while (!ring_full(&q)) {
            timed_fifo_push(&q, in, in)->note = 7 * in + 7;
            in++;
        }
        for (uint32_t i = 0; i < q.count; i++)
            assert_int_equal(ring_at(&q, i)->request, out + i);
        for (; q.count; out++) {
            assert_int_equal(ring_at(&q, 0)->note, 7 * out + 7);
            assert_int_equal(q.ready, out);
            assert_int_equal(timed_fifo_pop(&q), out);
        }
        assert_int_equal(out, in);
        assert_int_equal(q.head, 0); /* an empty ring starts at slot 0 again */
        ring_free(&q);
    }
}

static unsigned sectors_by_bits(const struct byte_mask *m) {
    unsigned sectors = 0;
    for (unsigned b = 0; b < LINE_BYTES; b++)
        if (m->w[b / 64] >> b % 64 & 1)
            sectors |= 1u << b / 32;
    return sectors;
}

static void sectors_are_those_with_bytes(void **state) {
    uint64_t seed = 1;
    for (unsigned n = 0; n < 20000; n++) {
        struct byte_mask m;
        for (unsigned i = 0; i < 2; i++) { /* many halves have no bit, one bit or all bits set */
            seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
            const uint64_t one = UINT64_C(1) << (seed >> 58);
            const uint64_t of[] = {0, one, one | UINT64_C(1) << (seed >> 40 & 63), seed,
                                   UINT64_MAX};
            m.w[i] = of[(seed >> 30) % 5];
        }
        assert_int_equal(mask_sector_bits(&m), sectors_by_bits(&m));
        assert_int_equal(mask_sector_bits_plain(&m), sectors_by_bits(&m));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_queue_is_never_ready),
        cmocka_unit_test(the_head_is_ready_in_its_cycle),
        cmocka_unit_test(a_ring_grows_around_its_head),
        cmocka_unit_test(sectors_are_those_with_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
