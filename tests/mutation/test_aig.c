// SPDX-License-Identifier: Apache-2.0
/* Tests of and-inverter graphs. A written graph reads back unchanged, equal logic exists only
 * once, and incomplete files are refused. */
#define _GNU_SOURCE
#include "os/path.h"
#include "mutation/aig.h"
#include "tests/test.h"

struct mutation_fixture {
    char dir[PATH_SIZE], path[PATH_SIZE + 16];
    struct aig_graph g;
    struct error err;
};

static int setup(void **state) {
    struct mutation_fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    assert_int_equal(temp_dir_make(f->dir, &f->err), 0);
    snprintf(f->path, sizeof f->path, "%s/x.aig", f->dir);
    aig_graph_init(&f->g, 4);
    *state = f;
    return 0;
}

static int teardown(void **state) {
    struct mutation_fixture *f = *state;
    aig_graph_free(&f->g);
    temp_dir_remove(f->dir);
    free(f);
    return 0;
}

static void test_equal_logic_is_there_once(void **state) {
    struct aig_graph *g = &((struct mutation_fixture *)*state)->g;
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

/* Makes more AND nodes than the initial tables can store. Each must be found again. */
static void test_many(void **state) {
    struct aig_graph *g = &((struct mutation_fixture *)*state)->g;
    uint32_t chain[10000], last = 2;
    for (size_t i = 0; i < 10000; i++)
        chain[i] = last = aig_and(g, aig_not(last), i % 2 ? 4 : 6);
    last = 2;
    for (size_t i = 0; i < 10000; i++)
        assert_int_equal(last = aig_and(g, aig_not(last), i % 2 ? 4 : 6), chain[i]);
}

/* Writes a graph with two inputs and two latches, and with names as Yosys adds them. */
static void write_example(struct mutation_fixture *f) {
    uint32_t both = aig_and(&f->g, 2, aig_not(6));
    uint32_t next[] = {both, aig_xor(&f->g, 4, 8)}, out = aig_not(both);
    assert_int_equal(aig_write(&f->g, f->path, 2, next, &out, 1, &f->err), 0);
    FILE *file = fopen(f->path, "ae");
    assert_non_null(file);
    fprintf(file, "i0 rst\ni1 put[3]\no0 full\nl1 count[0] u_x.count[0]\nc\nby hand\n");
    fclose(file);
}

static void test_written_is_read(void **state) {
    struct mutation_fixture *f = *state;
    struct aig_file file;
    uint32_t literal[16] = {0, 2, 4, 6, 8};
    write_example(f);
    assert_int_equal(aig_read(&file, f->path, &f->err), 0);
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

static void refused(struct mutation_fixture *f, const char *text, size_t size, const char *why) {
    struct aig_file file;
    FILE *out = fopen(f->path, "we");
    assert_non_null(out);
    assert_int_equal(fwrite(text, 1, size, out), size);
    fclose(out);
    assert_int_equal(aig_read(&file, f->path, &f->err), -1);
    if (!strstr(f->err.text, why))
        fail_msg("'%s' instead of '%s'", f->err.text, why);
}
#define REFUSED(f, text, why) refused(f, text, sizeof text - 1, why)

static void test_refused(void **state) {
    struct mutation_fixture *f = *state;
#define REFUSED(f, text, why) refused(f, text, sizeof text - 1, why)
    REFUSED(f, "", "not a binary AIGER file");
    REFUSED(f, "aag 1 1 0 0 0\n2\n", "not a binary AIGER file");
    REFUSED(f, "aig 5 1 0 1 0\n2\n", "not a binary AIGER file");
    REFUSED(f, "aig 1 1 0 1 0\n4\n", "invalid literal");
    REFUSED(f, "aig 1 1 0 1 0\n", "invalid literal");
    REFUSED(f, "aig 2 1 0 1 1\n4\n", "ends in the AND section");
    REFUSED(f, "aig 2 1 0 1 1\n4\n\x80\x80\x80\x80\x80\x80\x80", "ends in the AND section");
    REFUSED(f, "aig 2 1 0 1 1\n4\n\x00\x01", "precedes its operands");
    REFUSED(f, "aig 2 1 0 1 1\n4\n\x06\x01", "precedes its operands");
    REFUSED(f, "aig 1 1 0 1 0\n2\ni0 a\n", "an output without a name");
    REFUSED(f, "aig 1 1 0 1 0\n2\no0 a\n", "an input without a name");
    REFUSED(f, "aig 1 1 0 1 0\n2\ni0 a\ni0 b\no0 c\n", "the second one");
    REFUSED(f, "aig 1 1 0 1 0\n2\ni1 a\n", "for a missing object");
    REFUSED(f, "aig 1 1 0 1 0\n2\nx0 a\n", "malformed");
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
