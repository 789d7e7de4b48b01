// SPDX-License-Identifier: Apache-2.0
/* Tests that toy outputs the last value written to it, until a reset. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/error.h"
#include "toy/toy_ports.h"

static void test_shows_what_was_put(void **state) {
    (void)state;
    const struct block_type *toy = block_find("toy");
    struct block_params p;
    struct toy_out out;
    struct error err;
    struct block_inst inst;
    block_params_default(toy, &p);
    assert_int_equal(block_inst_init(&inst, toy, &p, "toy", &err), 0);
    block_step(&inst, &(struct toy_in){.rst = 1}, &out);
    block_step(&inst, &(struct toy_in){.put_valid = 1, .put_value = 7}, &out);
    assert_false(out.get_valid);
    block_step(&inst, &(struct toy_in){.rst = 1}, &out);
    assert_true(out.get_valid && out.get_value == 7);
    block_step(&inst, &(struct toy_in){0}, &out);
    assert_false(out.get_valid);
    block_inst_free(&inst);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_shows_what_was_put)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
