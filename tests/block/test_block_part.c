// SPDX-License-Identifier: Apache-2.0
/* Tests of a block inside a part: its steps, its reset, and the order of the registry. */
#include "block/block_part.h"
#include "static_mshr/static_mshr.h"
#include "tests/test.h"

static struct block_list list;
static struct mshr_in in;
static struct mshr_out out;

static void make(struct block_part *b, const char *name) {
    struct block_params p;
    struct error err;
    block_params_default(&static_mshr_type, &p);
    assert_int_equal(block_part_init(b, &list, &static_mshr_type, &p, name, &err), 0);
}

/* ---- when a block is ticked ---- */

static unsigned evals, ticks;
static uint64_t resets;

static void see_eval(struct block_probe *probe, const struct block_inst *inst, const void *seen,
                     void *answer) {
    (void)probe;
    (void)inst;
    (void)answer;
    evals++;
    resets += ((const struct mshr_in *)seen)->rst;
}

static void see_tick(struct block_probe *probe, const struct block_inst *inst, const void *seen) {
    (void)probe;
    (void)inst;
    (void)seen;
    ticks++;
}

/* The block is stepped in its first cycle, which is its reset, and afterwards only while it is
 * busy. */
static void test_steps(void **unused) {
    struct block_part b;
    make(&b, "a.0");
    assert_int_equal(block_part_next_event(&b), 0);
    assert_false(block_part_eval(&b, &in, &out, false)); /* during reset the outputs are invalid */
    assert_int_equal(in.rst, 1);
    assert_true(block_part_tick(&b, &in));
    assert_true(block_part_next_event(&b) == UINT64_MAX);
    assert_false(block_part_eval(&b, &in, &out, false));
    assert_false(block_part_tick(&b, &in));
    in.req_valid = 1;
    assert_true(block_part_eval(&b, &in, &out, true));
    assert_int_equal(in.rst, 0);
    assert_int_equal(out.req_ready, 1);
    assert_true(block_part_tick(&b, &in));
    in.req_valid = 0;
    assert_false(block_part_eval(&b, &in, &out, false));
    assert_false(block_part_tick(&b, &in));
    block_part_free(&b);
}

/* A probe sees each cycle once, whether the part makes one call per cycle or two, and sees one
 * reset. */
static void test_watched(void **unused) {
    struct block_probe probe = {see_eval, see_tick};
    struct block_part b;
    evals = ticks = 0;
    resets = 0;
    make(&b, "a.0");
    b.inst.probe = &probe;
    assert_int_equal(block_part_next_event(&b), 0);
    assert_false(block_part_step(&b, &in, &out));
    for (unsigned i = 0; i < 3; i++) {
        assert_true(block_part_step(&b, &in, &out));
        assert_true(block_part_eval(&b, &in, &out, false));
        assert_true(block_part_tick(&b, &in));
    }
    assert_int_equal(evals, 7);
    assert_int_equal(ticks, 7);
    assert_int_equal(resets, 1);
    block_part_free(&b);
}

/* ---- the registry ---- */

static void is_order(const char *const *names) {
    const struct block_part *b = list.first;
    for (; *names; names++, b = b->next) {
        assert_non_null(b);
        assert_string_equal(b->inst.name, *names);
    }
    assert_null(b);
}

#define IS_ORDER(...) is_order((const char *const[]){__VA_ARGS__, NULL})

static void test_registry(void **unused) {
    static const char *const name[] = {"l1d.0.mshr",  "l1d.0.bpg", "l1d.1.mshr", "l1d.1.bpg",
                                       "l1d.10.mshr", "l2.0.mshr", "l2.1.mshr",  "gmmu.hir"};
    struct block_part b[8];
    for (unsigned i = 0; i < 8; i++)
        make(&b[i], name[i]);
    IS_ORDER("l1d.0.mshr", "l1d.1.mshr", "l1d.10.mshr", "l1d.0.bpg", "l1d.1.bpg", "l2.0.mshr",
             "l2.1.mshr", "gmmu.hir");
    block_part_free(&b[0]);
    block_part_free(&b[3]);
    block_part_free(&b[7]);
    IS_ORDER("l1d.1.mshr", "l1d.10.mshr", "l1d.0.bpg", "l2.0.mshr", "l2.1.mshr");
    make(&b[0], "l1d.0.mshr");
    IS_ORDER("l1d.1.mshr", "l1d.10.mshr", "l1d.0.mshr", "l1d.0.bpg", "l2.0.mshr", "l2.1.mshr");
    for (unsigned i = 0; i < 7; i++)
        block_part_free(&b[i]); /* frees b[3] for the second time */
    assert_null(list.first);
}

/* A block with illegal parameters is not registered. */
static void test_illegal(void **unused) {
    struct block_params p;
    struct block_part b;
    struct error err;
    block_params_default(&static_mshr_type, &p);
    p.v[MSHR_SETS] = 0;
    assert_int_equal(block_part_init(&b, &list, &static_mshr_type, &p, "x", &err), -1);
    assert_string_equal(err.text, "static_mshr: parameter ENTRIES=0 is outside 1..16384");
    assert_null(list.first);
    block_part_free(&b);
}

/* Reset is the first port of every block, so that a part can set it. */
static void test_first_port(void **unused) {
    for (const struct block_type *const *t = block_types; *t; t++) {
        assert_string_equal((*t)->ports[0].name, "rst");
        assert_int_equal((*t)->ports[0].offset, 0);
        assert_int_equal((*t)->ports[0].dir, PORT_IN);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_steps),      cmocka_unit_test(test_watched),
        cmocka_unit_test(test_registry),   cmocka_unit_test(test_illegal),
        cmocka_unit_test(test_first_port),
    };
    return cmocka_run_group_tests_name("block_part", tests, NULL, NULL);
}
