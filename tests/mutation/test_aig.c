// SPDX-License-Identifier: Apache-2.0
/* And-inverter graphs: what is written is what is read; equal logic is there once; what is not
 * whole is refused. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/proc.h"
#include "mutation/aig.h"

struct fixture {
    char dir[PATH_SIZE], path[PATH_SIZE + 16];
    struct aig_graph g;
    char err[512];
};

static int setup(void **state) {
    struct fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    assert_int_equal(temp_dir_make(f->dir, f->err, sizeof f->err), 0);
    snprintf(f->path, sizeof f->path, "%s/x.aig", f->dir);
    aig_graph_init(&f->g, 4);
    *state = f;
    return 0;
}

static int teardown(void **state) {
    struct fixture *f = *state;
    aig_graph_free(&f->g);
    temp_dir_remove(f->dir);
    free(f);
    return 0;
}

static void test_equal_logic_is_there_once(void **state) {
    struct aig_graph *g = &((struct fixture *)*state)->g;
    const uint32_t a = 2, b = 4, c = 6;
    assert_int_equal(aig_and(g, a, b), aig_and(g, b, a));
    assert_int_equal(aig_and(g, a, aig_not(a)), AIG_FALSE);
    assert_int_equal(aig_and(g, a, AIG_TRUE), a);
    assert_int_equal(aig_and(g, AIG_FALSE, c), AIG_FALSE);
    assert_int_equal(aig_or(g, a, a), a);
    assert_int_equal(aig_xor(g, a, a), AIG_FALSE);
    assert_int_equal(aig_mux(g, AIG_TRUE, b, c), b);
    assert_int_equal(aig_mux(g, AIG_FALSE, b, c), c);
    assert_int_equal(aig_mux(g, a, b, b), b);
    assert_int_equal(aig_or(g, a, b), aig_not(aig_and(g, aig_not(b), aig_not(a))));
}

/* More ands than the first tables have room for, each found again. */
static void test_many(void **state) {
    struct aig_graph *g = &((struct fixture *)*state)->g;
    uint32_t chain[10000], last = 2;
    for (size_t i = 0; i < 10000; i++)
        chain[i] = last = aig_and(g, aig_not(last), i % 2 ? 4 : 6);
    last = 2;
    for (size_t i = 0; i < 10000; i++)
        assert_int_equal(last = aig_and(g, aig_not(last), i % 2 ? 4 : 6), chain[i]);
    assert_false(g->failed);
}

/* Two inputs, two latches; names as Yosys adds them. */
static void write_example(struct fixture *f) {
    uint32_t both = aig_and(&f->g, 2, aig_not(6));
    uint32_t next[] = {both, aig_xor(&f->g, 4, 8)}, out = aig_not(both);
    assert_int_equal(aig_write(&f->g, f->path, 2, next, &out, 1, f->err, sizeof f->err), 0);
    FILE *file = fopen(f->path, "ae");
    assert_non_null(file);
    fprintf(file, "i0 rst\ni1 put[3]\no0 full\nl1 count[0] u_x.count[0]\nc\nby hand\n");
    fclose(file);
}

static void test_written_is_read(void **state) {
    struct fixture *f = *state;
    struct aig_file file;
    uint32_t literal[16] = {0, 2, 4, 6, 8};
    write_example(f);
    assert_int_equal(aig_read(&file, f->path, f->err, sizeof f->err), 0);
    assert_int_equal(file.inputs, 2);
    assert_int_equal(file.latches, 2);
    assert_string_equal(file.in_name[1], "put[3]");
    assert_string_equal(file.out_name[0], "full");
    assert_null(file.latch_name[0]);
    assert_string_equal(file.latch_name[1], "count[0] u_x.count[0]");
    aig_copy(&f->g, &file, literal);
    assert_int_equal(aig_copied(literal, file.out[0]), aig_not(aig_and(&f->g, 2, aig_not(6))));
    assert_int_equal(aig_copied(literal, file.next[1]), aig_xor(&f->g, 4, 8));
    aig_free(&file);
}

static void refused(struct fixture *f, const char *text, size_t size, const char *why) {
    struct aig_file file;
    FILE *out = fopen(f->path, "we");
    assert_non_null(out);
    assert_int_equal(fwrite(text, 1, size, out), size);
    fclose(out);
    assert_int_equal(aig_read(&file, f->path, f->err, sizeof f->err), -1);
    if (!strstr(f->err, why))
        fail_msg("'%s' instead of '%s'", f->err, why);
}
#define REFUSED(f, text, why) refused(f, text, sizeof text - 1, why)

static void test_refused(void **state) {
    struct fixture *f = *state;
    REFUSED(f, "", "no binary AIGER file");
    REFUSED(f, "aag 1 1 0 0 0\n2\n", "no binary AIGER file");
    REFUSED(f, "aig 5 1 0 1 0\n2\n", "no binary AIGER file");
    REFUSED(f, "aig 1 1 0 1 0\n4\n", "no literal of the file");
    REFUSED(f, "aig 1 1 0 1 0\n", "no literal of the file");
    REFUSED(f, "aig 2 1 0 1 1\n4\n", "ends within its ands");
    REFUSED(f, "aig 2 1 0 1 1\n4\n\x80\x80\x80\x80\x80\x80\x80", "ends within its ands");
    REFUSED(f, "aig 2 1 0 1 1\n4\n\x00\x01", "before its operands");
    REFUSED(f, "aig 2 1 0 1 1\n4\n\x06\x01", "before its operands");
    REFUSED(f, "aig 1 1 0 1 0\n2\ni0 a\n", "an output without a name");
    REFUSED(f, "aig 1 1 0 1 0\n2\no0 a\n", "an input without a name");
    REFUSED(f, "aig 1 1 0 1 0\n2\ni0 a\ni0 b\no0 c\n", "a second one");
    REFUSED(f, "aig 1 1 0 1 0\n2\ni1 a\n", "a symbol of nothing");
    REFUSED(f, "aig 1 1 0 1 0\n2\nx0 a\n", "not understood");
    REFUSED(f, "aig 1 1 0 1 0\n2\ni a\n", "not understood");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_equal_logic_is_there_once, setup, teardown),
        cmocka_unit_test_setup_teardown(test_many, setup, teardown),
        cmocka_unit_test_setup_teardown(test_written_is_read, setup, teardown),
        cmocka_unit_test_setup_teardown(test_refused, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
