// SPDX-License-Identifier: Apache-2.0
/* Threads that do the shares of a piece of work, and pools of requests for them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "lib/request.h"
#include "lib/team.h"

#define SHARES 7
#define PIECES 20000

struct sums {
    uint32_t piece;
    uint64_t of[SHARES];
};

static void add(void *ctx, uint32_t share) {
    struct sums *s = ctx;
    s->of[share] += s->piece + share;
}

/* Each share of each piece is done once, and the caller sees all of it. */
static void every_share_is_done_once(void **state) {
    (void)state;
    for (uint32_t threads = 1; threads <= 4; threads++) {
        struct sums s = {0};
        struct team *t = team_create(threads, SHARES, add, &s);
        assert_non_null(t);
        uint64_t expected = 0;
        for (s.piece = 0; s.piece < PIECES; s.piece++) {
            team_run(t);
            expected += s.piece;
            if (s.piece % 5000 == 0)
                usleep(20000); /* they fall asleep */
            for (uint32_t i = 0; i < SHARES; i++)
                assert_int_equal(s.of[i], expected + (s.piece + 1) * i);
        }
        team_destroy(t);
    }
}

static void threads_that_sleep_are_ended(void **state) {
    (void)state;
    struct sums s = {0};
    struct team *t = team_create(3, 1, add, &s);
    assert_non_null(t);
    usleep(20000);
    team_destroy(t);
    team_destroy(NULL);
}

/* ---- pools ---- */

#define REQUESTS 10
#define PARTS 3

static void parts_take_requests_of_their_own(void **state) {
    (void)state;
    struct request_pool pool, part[PARTS], *const parts[PARTS] = {&part[0], &part[1], &part[2]};
    bool taken[REQUESTS * PARTS] = {false};
    request_pool_init(&pool, 1);
    request_pool_split(&pool, parts, PARTS, REQUESTS);
    for (uint32_t i = 0; i < REQUESTS * PARTS; i++) {
        struct request_pool *p = &part[i % PARTS];
        uint32_t n = request_take(p);
        assert_true(n < REQUESTS * PARTS);
        assert_false(taken[n]);
        taken[n] = true;
        assert_true(request_at(p, n) == request_at(&pool, n));
        for (uint32_t k = 0; k < PARTS; k++)
            assert_true(request_exists(&part[k], n));
    }
    assert_false(request_exists(&part[0], REQUESTS * PARTS));
    request_pool_free(&pool);
}

/* A request may be given to another part, which takes it then. */
static void a_part_takes_what_it_was_given(void **state) {
    (void)state;
    struct request_pool pool, part[2], *const parts[2] = {&part[0], &part[1]};
    request_pool_init(&pool, REQUESTS);
    request_pool_split(&pool, parts, 2, REQUESTS);
    uint32_t n = request_take(&part[0]);
    request_give(&part[1], n);
    assert_int_equal(request_take(&part[1]), n);
    assert_int_equal(part[0].in_use + part[1].in_use, 1);
    request_pool_free(&pool);
}

static void a_whole_pool_knows_what_was_taken(void **state) {
    (void)state;
    struct request_pool pool;
    request_pool_init(&pool, REQUESTS);
    assert_false(request_exists(&pool, 0));
    assert_int_equal(request_take(&pool), 0);
    assert_true(request_exists(&pool, 0));
    assert_false(request_exists(&pool, 1));
    request_pool_free(&pool);
}

static void a_request_and_its_times_lie_side_by_side(void **state) {
    (void)state;
    struct request_pool pool;
    request_pool_init(&pool, REQUESTS);
    assert_int_equal((uintptr_t)request_at(&pool, 0) % HOST_LINE, 0);
    assert_true((void *)request_times(&pool, 0) == request_at(&pool, 0) + 1);
    assert_true(request_at(&pool, 1) == request_at(&pool, 0) + 2);
    request_pool_free(&pool);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_share_is_done_once),
        cmocka_unit_test(threads_that_sleep_are_ended),
        cmocka_unit_test(parts_take_requests_of_their_own),
        cmocka_unit_test(a_part_takes_what_it_was_given),
        cmocka_unit_test(a_whole_pool_knows_what_was_taken),
        cmocka_unit_test(a_request_and_its_times_lie_side_by_side),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
