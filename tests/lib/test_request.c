// SPDX-License-Identifier: Apache-2.0
/* Tests of the pool of requests. */

#include "lib/request.h"
#include "tests/test.h"

#define REQUESTS 10

static void a_pool_knows_what_was_taken(void **state) {
    struct request_pool pool;
    request_pool_init(&pool, REQUESTS);
    assert_false(request_exists(&pool, 0));
    assert_int_equal(request_take(&pool), 0);
    assert_true(request_exists(&pool, 0));
    assert_false(request_exists(&pool, 1));
    request_pool_free(&pool);
}

static void a_request_and_its_times_lie_side_by_side(void **state) {
    struct request_pool pool;
    request_pool_init(&pool, REQUESTS);
    assert_int_equal((uintptr_t)request_at(&pool, 0) % HOST_LINE, 0);
    assert_true((void *)request_times(&pool, 0) == request_at(&pool, 0) + 1);
    assert_true(request_at(&pool, 1) == request_at(&pool, 0) + 2);
    request_pool_free(&pool);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pool_knows_what_was_taken),
        cmocka_unit_test(a_request_and_its_times_lie_side_by_side),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
