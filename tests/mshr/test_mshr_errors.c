// SPDX-License-Identifier: Apache-2.0
/* Tests errors 2 and 3, which cannot be caused through the ports. The tests corrupt the model's
 * state, and the error must be output. tests/harness/planted_faults.sh does the same with the
 * RTL. */
#include "tests/test.h"

/* A second copy of the model, whose state this file can access. */
#define mshr_core_create copy_create
#define mshr_core_destroy copy_destroy
#define mshr_core_eval copy_eval
#define mshr_core_observe copy_observe
#define mshr_core_tick copy_tick
#define mshr_core_step copy_step
#define mshr_illegal_data_w copy_illegal_data_w
#define static_mshr_port_table copy_static_port_table
#define dl_mshr_port_table copy_dl_port_table
#define dl_mshr_paper_port_table copy_dl_paper_port_table
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
    struct mshr_in in;
    struct mshr_core *m = start(&in);
    set_state(m, 0, MSHR_S2); /* the set is used but still marked as free */
    copy_tick(m, &in);
    struct mshr_out out = look(m, &in);
    assert_int_equal(out.err, MSHR_ERR_ATTACH);
    assert_int_equal(out.st_state[0] & 15, MSHR_ERR);
    assert_int_equal(out.req_ready, 0);
    copy_destroy(m);
}

static void test_count_underflow(void **unused) {
    struct mshr_in in;
    struct mshr_core *m = start(&in);
    m->free_heads = 0;
    copy_tick(m, &in);
    assert_int_equal(look(m, &in).err, MSHR_ERR_COUNT);
    copy_destroy(m);
}

static void test_count_overflow(void **unused) {
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
