// SPDX-License-Identifier: Apache-2.0
/* Errors 2 and 3 cannot be reached through the ports: the model's state is broken by hand, and the
 * error has to show. The same is done to the RTL in tests/harness/planted_faults.sh. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* A second copy of the model, whose state this file can reach. */
#define mshr_core_create copy_create
#define mshr_core_destroy copy_destroy
#define mshr_core_eval copy_eval
#define mshr_core_observe copy_observe
#define mshr_core_tick copy_tick
#define mshr_core_step copy_step
#define mshr_illegal_data_w copy_illegal_data_w
#define mshr_port_table copy_port_table
#include "mshr/mshr_core.c"

static struct mshr_core *start(struct mshr_in *in) {
    const struct mshr_core_geometry g = {.sets = 8, .slots = 1, .heads_only = 4, .heads = 8};
    struct mshr_core *m = copy_create(&g);
    assert_non_null(m);
    *in = (struct mshr_in){.rst = 1};
    copy_tick(m, in);
    *in = (struct mshr_in){.req_valid = 1, .req_addr = 7};
    return m;
}

static struct mshr_out look(struct mshr_core *m, const struct mshr_in *in) {
    struct mshr_out out;
    copy_eval(m, in, &out);
    copy_observe(m, in, &out);
    return out;
}

static void test_attach_of_a_used_set(void **unused) {
    (void)unused;
    struct mshr_in in;
    struct mshr_core *m = start(&in);
    set_state(m, 0, MSHR_S2); /* used, but still marked free */
    copy_tick(m, &in);
    struct mshr_out out = look(m, &in);
    assert_int_equal(out.err, MSHR_ERR_ATTACH);
    assert_int_equal(out.st_state[0] & 15, MSHR_ERR);
    assert_int_equal(out.req_ready, 0);
    copy_destroy(m);
}

static void test_count_underflow(void **unused) {
    (void)unused;
    struct mshr_in in;
    struct mshr_core *m = start(&in);
    m->free_heads = 0;
    copy_tick(m, &in);
    assert_int_equal(look(m, &in).err, MSHR_ERR_COUNT);
    copy_destroy(m);
}

static void test_count_overflow(void **unused) {
    (void)unused;
    struct mshr_in in;
    struct mshr_core *m = start(&in);
    copy_tick(m, &in);
    m->free_heads = 4;
    in = (struct mshr_in){.ret_valid = 1, .ret_head = 0, .rsp_ready = 1};
    copy_tick(m, &in);
    in.ret_valid = 0;
    assert_int_equal(look(m, &in).err, MSHR_OK);
    copy_tick(m, &in);
    assert_int_equal(look(m, &in).err, MSHR_ERR_COUNT);
    copy_destroy(m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_attach_of_a_used_set),
        cmocka_unit_test(test_count_underflow),
        cmocka_unit_test(test_count_overflow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
