// SPDX-License-Identifier: Apache-2.0
/* Tests of the ring: order, growth around the head, capacity, pointers. */
#include "lib/ring.h"
#include "tests/test.h"

struct thing {
    uint64_t number;
    uint32_t square;
};

static RING(struct thing) ring;

static void push(uint32_t i) {
    const struct thing t = {i, i * i};
    if (ring.capacity == RING_GROWS)
        ring_push_growing(&ring, t);
    else
        ring_push(&ring, t);
}

static void pop(uint32_t i) {
    const struct thing t = ring_pop(&ring);
    assert_int_equal(t.number, i);
    assert_int_equal(t.square, i * i);
}

/* The ring grows twice. The test is repeated for each possible slot of the head. */
static void grows_around_its_head(void **state) {
    for (uint32_t before = 0; before < 2 * RING_SLOTS; before++) {
        uint32_t in = 0, out = 0;
        ring_init(&ring, RING_GROWS);
        push(in++);
        while (out < before) {
            push(in++);
            pop(out++);
        }
        assert_int_equal(ring.mask, RING_SLOTS - 1);
        while (ring.count < 3 * RING_SLOTS)
            push(in++);
        assert_int_equal(ring.mask, 4 * RING_SLOTS - 1);
        for (uint32_t i = 0; i < ring.count; i++)
            assert_int_equal(ring_at(&ring, i)->number, out + i);
        while (ring.count)
            pop(out++);
        assert_int_equal(out, in);
        ring_free(&ring);
        assert_null(ring.slot);
    }
}

/* Tests capacities near a power of two. The head wraps around many times. */
static void keeps_its_capacity(void **state) {
    const uint32_t capacities[] = {1, 2, 7, 8, 9, 15, 16, 17};
    for (unsigned c = 0; c < sizeof capacities / sizeof *capacities; c++) {
        uint32_t in = 0, out = 0;
        ring_init(&ring, capacities[c]);
        for (uint32_t round = 0; round < 50; round++) {
            while (!ring_full(&ring))
                push(in++);
            assert_int_equal(ring.count, capacities[c]);
            for (uint32_t n = round % 4; n && ring.count; n--)
                pop(out++);
        }
        while (ring.count)
            pop(out++);
        assert_int_equal(out, in);
        ring_free(&ring);
    }
}

/* A popped element keeps its value until the next push. */
static void a_popped_element_stays(void **state) {
    ring_init(&ring, 3);
    push(1);
    push(2);
    const struct thing *oldest = ring_first(&ring);
    assert_ptr_equal(oldest, &ring_pop(&ring));
    assert_int_equal(oldest->number, 1);
    ring_drop(&ring);
    assert_int_equal(oldest->number, 1);
    assert_int_equal(ring.count, 0);
    assert_int_equal(ring.head, 0); /* an empty ring starts at slot 0 again */
    ring_free(&ring);
}

/* The elements of a ring with a fixed capacity do not move until they are popped. */
static void elements_stay_where_they_are(void **state) {
    ring_init(&ring, 5 * RING_SLOTS);
    push(0);
    const struct thing *oldest = ring_first(&ring);
    for (uint32_t i = 1; !ring_full(&ring); i++)
        push(i);
    assert_ptr_equal(ring_first(&ring), oldest);
    ring_clear(&ring);
    assert_int_equal(ring.count, 0);
    ring_add(&ring)->number = 5;
    assert_int_equal(ring_first(&ring)->number, 5);
    ring_free(&ring);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grows_around_its_head),
        cmocka_unit_test(keeps_its_capacity),
        cmocka_unit_test(a_popped_element_stays),
        cmocka_unit_test(elements_stay_where_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
