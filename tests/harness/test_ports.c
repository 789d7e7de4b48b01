// SPDX-License-Identifier: Apache-2.0
/* Checks that the port list of every block matches the ports in its Verilog, and that this check
 * detects errors. Uses the defaults, and each parameter at its least value and at its
 * greatest value: all in the long tier, one parameter in three in the others; one in six, or in the
 * test tier none, at its greatest value.
 * tier: test, 6 s; full, 25 s; long, 80 s */
#define _GNU_SOURCE
#include "block/block.h"
#include "harness/layout.h"
#include "harness/library.h"
#include "harness/ports_check.h"
#include "os/path.h"
#include "os/proc.h"
#include "harness/twin.h"
#include "tests/test.h"
#include "tests/tier.h"

static void must_agree(const struct block_type *type, const struct block_params *p) {
    char text[512];
    struct error err = {0};
    if (block_params_check(type, p, &err))
        return; /* the point is illegal */
    if (ports_check(type, p, &err)) {
        block_params_print(type, p, text, sizeof text);
        fail_msg("%s %s: %s", type->name, text, err.text);
    }
}

/* Sets the parameters to a small point. Wide sets would only cost Yosys time. */
static void small(const struct block_type *type, struct block_params *p) {
    struct error err;
    block_params_default(type, p);
    const char *const set[] = {"SETS=8", "HEADS=5", "ENTRIES=8", "RESERVED_HEADS=4", "SLOTS=2"};
    for (size_t i = 0; i < sizeof set / sizeof *set; i++)
        (void)block_params_set(type, p, set[i], &err);
}

static void test_defaults(void **state) {
    for (const struct block_type *const *t = block_types; *t; t++) {
        struct block_params p;
        block_params_default(*t, &p);
        must_agree(*t, &p);
    }
}

static void test_ends_of_each_parameter(void **state) {
    for (const struct block_type *const *t = block_types; *t; t++) {
        for (unsigned i = 0; i < (*t)->n_params; i++) {
            struct block_params p;
            small(*t, &p);
            p.v[i] = (*t)->params[i].min;
            if (tier_is("long") || i % 3 == 0)
                must_agree(*t, &p);
            p.v[i] = (*t)->params[i].max;
            if (tier_is("long") || (tier_is("full") && i % 6 == 1))
                must_agree(*t, &p);
        }
    }
}

static void test_widths_of_data(void **state) {
    static const int64_t widths[] = {8, 24, 32, 40, 64, 72, 520};
    for (const struct block_type *const *t = block_types; *t; t++) {
        for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
            char text[64];
            struct error err;
            struct block_params p;
            small(*t, &p);
            static const char *const names[] = {"DATA_W", "PAYLOAD_W"};
            for (size_t n = 0; n < 2; n++) {
                snprintf(text, sizeof text, "%s=%d", names[n], (int)widths[w]);
                if (block_params_set(*t, &p, text, &err) == 0)
                    must_agree(*t, &p);
            }
        }
    }
}

/* ---- The check must be able to fail ---- */

struct scratch {
    char dir[PATH_SIZE], rtl[PATH_SIZE + 8], top[PATH_SIZE + 32], fifo[PATH_SIZE + 32];
};

static void run(const char *const argv[], const char *dir) {
    char log[PATH_SIZE + 8];
    struct error err;
    snprintf(log, sizeof log, "%s/log", dir);
    assert_int_equal(proc_run(argv, NULL, log, &err), 0);
}

static int scratch_setup(void **state) {
    static struct scratch s;
    char rtl[PATH_SIZE];
    struct error err;
    assert_int_equal(temp_dir_make(s.dir, &err), 0);
    assert_int_equal(block_rtl("dl_mshr", rtl, &err), 0);
    snprintf(s.rtl, sizeof s.rtl, "%s/rtl", s.dir);
    snprintf(s.top, sizeof s.top, "%s/dl_mshr/dl_mshr.v", s.rtl);
    snprintf(s.fifo, sizeof s.fifo, "%s/in_fifo/in_fifo.v", s.rtl);
    const char *copy[] = {"cp", "-r", rtl, s.rtl, NULL};
    run(copy, s.dir);
    setenv("MEMTWIN_RTL", s.rtl, 1);
    setenv("MEMTWIN_TWINS", s.dir, 1);
    *state = &s;
    return 0;
}

static int scratch_teardown(void **state) {
    unsetenv("MEMTWIN_RTL");
    unsetenv("MEMTWIN_TWINS");
    temp_dir_remove(((struct scratch *)*state)->dir);
    return 0;
}

/* Edits the scratch copy of the top module with sed, and expects the check to report this
 * message. */
static void must_find(void **state, const char *sed, const char *text) {
    struct scratch *s = *state;
    const struct block_type *type = block_find("dl_mshr");
    struct block_params p;
    struct error err = {0};
    const char *edit[] = {"sed", "-i", sed, s->top, NULL};
    run(edit, s->dir);
    small(type, &p);
    assert_int_equal(ports_check(type, &p, &err), PORTS_DIFFER);
    if (!strstr(err.text, text))
        fail_msg("expected '%s' in: %s", text, err.text);
}

static void test_unlisted_output(void **state) {
    must_find(state, "s/^    output wire  *ret_ready,/    output wire extra,\\n&/", "extra");
}

static void test_other_width(void **state) {
    must_find(state, "s/output wire \\[1:0\\]  *req_refuse/output wire [2:0] req_refuse/",
              "req_refuse");
}

static void test_missing_port(void **state) {
    must_find(state, "s/^\\(    output wire .*\\)rsp_last,/\\1rsp_final,/", "rsp_last");
}

static void test_other_direction(void **state) {
    must_find(state, "s/input  wire  *rsp_ready,/output wire rsp_ready,/", "rsp_ready");
}

/* A twin of Verilog with another width or another port does not load. */
static void test_twin_of_other_width(void **state) {
    struct scratch *s = *state;
    const struct block_type *type = block_find("in_fifo");
    const char *edit[] = {"sed", "-i",
                          "s/output wire \\[2:0\\] *drain_why/output wire [1:0] drain_why/",
                          s->fifo, NULL};
    struct block_params p;
    struct layout l;
    struct twin_lib lib;
    struct error err = {0};
    run(edit, s->dir);
    block_params_default(type, &p);
    assert_int_equal(layout_init(&l, type, &p, &err), 0);
    for (int bare = 0; bare < 2; bare++) {
        for (int again = 0; again < 2; again++) {
            assert_int_equal((bare ? twin_load_bare : twin_load)(&lib, &l, TWIN_BRIEF, &err), -1);
            if (!strstr(err.text, "port drain_why: the list says output of 3 bits, the Verilog "
                                  "output of 2 bits"))
                fail_msg("no widths in: %s", err.text);
        }
    }
    layout_free(&l);
}

static void test_illegal_parameters_fail_by_name(void **state) {
    const struct block_type *type = block_find("dl_mshr");
    struct block_params p;
    struct layout l;
    struct twin_lib lib;
    struct error err = {0};
    small(type, &p);
    assert_int_equal(block_params_set(type, &p, "HEADS=8", &err), 0);
    assert_int_equal(layout_init(&l, type, &p, &err), 0);
    assert_int_equal(twin_load(&lib, &l, TWIN_BRIEF, &err), -1);
    if (!strstr(err.text, "ILLEGAL_HEADS") || !strstr(err.text, ".log"))
        fail_msg("no ILLEGAL_ and log in: %s", err.text);
    assert_int_equal(ports_check(type, &p, &err), PORTS_UNKNOWN);
    assert_non_null(strstr(err.text, "ILLEGAL_HEADS"));
    layout_free(&l);
}

int main(void) {
#define IN_SCRATCH(test) cmocka_unit_test_setup_teardown(test, scratch_setup, scratch_teardown)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_ends_of_each_parameter),
        cmocka_unit_test(test_widths_of_data),
        IN_SCRATCH(test_unlisted_output),
        IN_SCRATCH(test_other_width),
        IN_SCRATCH(test_missing_port),
        IN_SCRATCH(test_other_direction),
        IN_SCRATCH(test_twin_of_other_width),
        IN_SCRATCH(test_illegal_parameters_fail_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
