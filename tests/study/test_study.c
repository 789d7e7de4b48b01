// SPDX-License-Identifier: Apache-2.0
/* Tests of study files and of the runs that they define. */
#include <unistd.h>

#include "kernel/kernel.h"
#include "study/runs.h"
#include "tests/test.h"

static struct progress quiet;
static char path[] = "/tmp/memtwin-study-XXXXXX";

/* Writes a study file and reads it. */
static int read_some(struct study *s, const char *text, size_t size, bool in_part,
                     struct error *err) {
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_int_equal(fwrite(text, 1, size, f), size);
    assert_int_equal(fclose(f), 0);
    return study_read(s, path, in_part, err);
}

static int read_text(struct study *s, const char *text, size_t size, struct error *err) {
    return read_some(s, text, size, false, err);
}

static void ignore(void *ctx, const char *line) {
    (void)ctx, (void)line;
}

static void make(struct study *s, struct study_runs *r, const char *text) {
    struct error err = {0};
    if (read_text(s, text, strlen(text), &err) || runs_make(r, s, ignore, NULL, &quiet, &err))
        fail_msg("%s", err.text);
}

static void expect_axes(const struct study_runs *r, size_t run, const char *axes) {
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    runs_axes(r, run, f);
    fclose(f);
    assert_string_equal(text, axes);
    free(text);
}

static void expect_json(const struct study_runs *r, size_t run, const char *axes) {
    char *text = runs_axes_json(r, run);
    assert_string_equal(text, axes);
    free(text);
}

static const char whole[] = "[study]\n"
                            "config = tiny pascal28\n"
                            "workload = addvect:32\n"
                            "  atax:16 ; two of them\n"
                            "\tmvt:16\n"
                            "baseline = b l1d.ways=4 icnt.flit_bytes=64\n"
                            "twin = dl_mshr l2.*.mshr\n"
                            "check = yes\n"
                            "[set]\n"
                            "l1d.miss_queue = 8\n"
                            "[scheme a]\n"
                            "l1d.mshr = static\n"
                            "l1d.mshr_entries = 8\n"
                            "[scheme b]\n"
                            "base = a\n"
                            "l1d.mshr = dl\n"
                            "l1d.miss_queue = 4\n"
                            "[axis]\n"
                            "l1d.ways = 2 4\n"
                            "[axis crossbar]\n"
                            "icnt.latency = 4 8 8\n"
                            "icnt.flit_bytes = 32 32 64\n";

static void makes_the_product(void **state) {
    struct study s;
    struct study_runs r;
    make(&s, &r, whole);
    assert_int_equal(r.n, 2 * 3 * 2 * 2 * 3);
    /* the run with pascal28, mvt, scheme b, 4 ways and the second crossbar */
    size_t run = 36 + 2 * 12 + 6 + 3 + 1;
    assert_int_equal(runs_place(&r, run, BY_CONFIG), 1);
    assert_string_equal(runs_workload(&r, run)->name, "mvt:16");
    assert_string_equal(runs_scheme(&r, run), "b");
    expect_axes(&r, run, "l1d.ways=4 icnt.latency=8 icnt.flit_bytes=32");
    expect_json(&r, run, "{\"l1d.ways\":4,\"icnt.latency\":8,\"icnt.flit_bytes\":32}");
    assert_int_equal(runs_baseline(&r, run), run + 1);
    assert_int_equal(runs_baseline(&r, 0), 6 + 3 + 2);
    for (size_t i = 0; i < r.n; i++)
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(r.identity[i], r.identity[k]);
    runs_free(&r);
    study_free(&s);
}

/* The settings of a scheme's runs are those of its base, and those in [set] unless the scheme
 * overrides them. */
static void sets_keys(void **state) {
    struct study s;
    struct study_runs r;
    struct config cfg;
    make(&s, &r, whole);
    runs_config(&r, 0, &cfg);
    assert_int_equal(cfg.l1d_miss_queue, 8);
    assert_int_equal(cfg.l1d_ways, 2);
    runs_config(&r, 6 + 2, &cfg);
    assert_int_equal(cfg.l1d_mshr_entries, 8);
    assert_int_equal(cfg.l1d_miss_queue, 4);
    assert_int_equal(cfg.icnt_flit_bytes, 64);
    runs_free(&r);
    study_free(&s);
}

static void writes_the_command(void **state) {
    static const char *const expected[] = {"memtwin",
                                           "run",
                                           "-c",
                                           "tiny",
                                           "-w",
                                           "addvect:32",
                                           "-s",
                                           "l1d.miss_queue=8",
                                           "-s",
                                           "l1d.mshr=static",
                                           "-s",
                                           "l1d.mshr_entries=8",
                                           "-s",
                                           "l1d.ways=2",
                                           "-s",
                                           "icnt.latency=4",
                                           "-s",
                                           "icnt.flit_bytes=32",
                                           "--twin=dl_mshr",
                                           "--twin=l2.*.mshr",
                                           "--check",
                                           "--json=-",
                                           "-q"};
    struct study s;
    struct study_runs r;
    make(&s, &r, whole);
    char **got = runs_arguments(&r, 0);
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        assert_string_equal(got[i], expected[i]);
    assert_null(got[sizeof expected / sizeof *expected]);
    runs_arguments_free(got);
    runs_free(&r);
    study_free(&s);
}

/* Reads a study without schemes and axes, and one in which an axis has a text among its values. */
static void makes_small_studies(void **state) {
    struct study s;
    struct study_runs r;
    make(&s, &r, "[study]\nconfig = tiny\nworkload = atax\n");
    assert_int_equal(r.n, 1);
    assert_string_equal(runs_scheme(&r, 0), "");
    assert_string_equal(runs_workload(&r, 0)->label, "atax");
    assert_string_equal(runs_workload(&r, 0)->name + 5, workload_find("atax")->default_size);
    assert_true(runs_baseline(&r, 0) == RUNS_NONE);
    expect_json(&r, 0, "{}");
    runs_free(&r);
    study_free(&s);
    make(&s, &r, "[study]\nconfig = tiny\nworkload = atax:16\n[axis]\nl1d.mshr = static dl\n");
    expect_json(&r, 1, "{\"l1d.mshr\":\"dl\"}");
    runs_free(&r);
    study_free(&s);
    make(&s, &r, "[study]\nconfig = tiny\nworkload = atax:16\n[axis]\nl1d.ways = 02 4\n");
    expect_json(&r, 0, "{\"l1d.ways\":2}");
    runs_free(&r);
    study_free(&s);
}

/* Returns the result of a run, which is always available. Scheme a2 has an IPC of 3, and all other
 * schemes have an IPC of 1. Every other statistic is 10. */
static int look_up(void *ctx, const char *identity, const char *statistic, double *value,
                   struct error *err) {
    const struct study_runs *r = ctx;
    (void)err->text, *value = strcmp(statistic, "ipc") == 0
                                  ? 1 + 2 * (strcmp(identity, r->identity[1]) == 0)
                                  : 10;
    return 0;
}

static const char dependent[] = "[study]\n"
                                "config = tiny\n"
                                "workload = addvect:{32,64}\n"
                                "[scheme a{1,2}]\n"
                                "l1d.ways = {}\n"
                                "[scheme top]\n"
                                "best = ipc a{1,2}\n"
                                "[scheme top+]\n"
                                "base = top\n"
                                "l1d.sets = 250%l1d_primary_misses@a1\n"
                                "[scheme g]\n"
                                "group = heavy\n"
                                "[group heavy]\n"
                                "workload = mvt:16\n"
                                "l1d.ways = 3\n";

/* Runs that depend on results become known when the results exist. Then the runs that depend on
 * their results become known, too. */
static void resolves(void **state) {
    struct study s;
    struct study_runs r;
    struct config cfg;
    size_t found;
    struct error err;
    make(&s, &r, dependent);
    assert_int_equal(r.n, 3 * 5);
    assert_int_equal(r.count.known, 3 * 2 + 1);
    assert_int_equal(r.count.absent, 2);
    assert_int_equal(r.count.unknown, 6);
    assert_null(runs_choice(&r, 2));
    assert_int_equal(runs_resolve(&r, look_up, &r, &found, &err), 0);
    assert_int_equal(found, 6);
    assert_int_equal(r.count.unknown, 0);
    assert_string_equal(runs_choice(&r, 2), "a2");
    assert_string_equal(runs_choice(&r, 7), "a1"); /* a1 is as good as a2, and is listed first */
    assert_string_equal(r.identity[2], r.identity[1]);
    runs_config(&r, 3, &cfg);
    assert_int_equal(cfg.l1d_ways, 2);
    assert_int_equal(cfg.l1d_sets, 25);
    runs_config(&r, 14, &cfg);
    assert_string_equal(runs_group(&r, 14), "heavy");
    assert_int_equal(cfg.l1d_ways, 3);
    runs_config(&r, 10, &cfg);
    assert_int_equal(cfg.l1d_ways, 1); /* a scheme's value has priority over a group's */
    char **got = runs_arguments(&r, 3);
    assert_string_equal(got[7], "l1d.ways=2");
    assert_string_equal(got[9], "l1d.sets=25");
    runs_arguments_free(got);
    runs_free(&r);
    study_free(&s);
}

/* A value that rounds to 0 is reported with its line, and the study does not have the run. */
static void refuses_a_percentage_of_0(void **state) {
    struct study s;
    struct study_runs r;
    size_t found;
    struct error err;
    make(&s, &r,
         "[study]\nconfig = tiny\nworkload = addvect:32\n[set]\nuvm.mode = paged\n[scheme a]\n"
         "[scheme b{9,10}]\nuvm.memory_pages = {}%l1d_primary_misses@a\n");
    assert_int_equal(runs_resolve(&r, look_up, &r, &found, &err), 0);
    assert_int_equal(found, 1); /* scheme b10: 10 % of 10 is 1 */
    assert_int_equal(r.count.unknown, 1);
    const char *why = ":8: impossible configuration: tiny, scheme b9: "
                      "uvm.memory_pages=9%l1d_primary_misses@a is 0: 9 % of 10, rounded down";
    if (!strstr(r.count.why, why))
        fail_msg("'%s' instead of '%s'", r.count.why, why);
    runs_free(&r);
    study_free(&s);
}

static void expect_refusal(const char *text, size_t size, const char *why) {
    struct study s;
    struct study_runs r = {0};
    struct error err = {0};
    int bad = read_text(&s, text, size, &err) || runs_make(&r, &s, ignore, NULL, &quiet, &err);
    assert_true(bad);
    assert_memory_equal(err.text, path, strlen(path));
    if (!strstr(err.text, why))
        fail_msg("'%s' instead of '%s'", err.text, why);
    runs_free(&r);
    study_free(&s);
}

/* Tests errors that users do not usually make. tests/cli/study.sh tests the others. */
static void refuses(void **state) {
    static const struct {
        const char *text, *why;
    } rows[] = {
        {"x = y\n", ":1: key 'x' is outside any section"},
        {"[study x]\n", ":1: [study x]: this section takes no name"},
        {"[scheme]\n", ":1: a scheme without a name"},
        {"[scheme a=b]\n", ":1: [scheme a=b]: a name may not contain blanks"},
        {"[scheme a] l1d.ways = 2\n", ":1: text after ']': 'l1d.ways = 2'"},
        {"[ study ]\n", ":1: blanks within '[ study ]'; did you mean '[study]'?"},
        {"[scheme a\n", ":1: neither [section] nor key = value"},
        {"[set]\nl1d.ways =\n", ":2: key 'l1d.ways' has no value"},
        {"[set]\nl1d.ways = 2 4\n", ":2: l1d.ways: '2 4' is not an integer"},
        {"[scheme a]\nl1d.ways = 2\n[scheme b]\nl1d.sets = 8\nbase = a\n",
         ":5: base = a must be the first line of its scheme"},
        {"[scheme a]\nbase = a\n", ":2: base = a: no earlier scheme has that name"},
        {"[axis]\nl1d.ways = 2\n  4 x\n", ":3: l1d.ways: 'x' is not an integer"},
        {"[study]\nconfig = tiny\n  tiny\n", ":3: 'tiny' is given twice"},
        {"[study]\nconfig = -\nworkload = atax:16\n", ":2: '-': not a configuration file"},
        {"[study]\nconfig = tiny\nworkload = atax:16\nbaseline = l1d.sets=8\n[axis x]\nl1d.sets = "
         "8 8\nl1d.ways = 2 4\n",
         ":4: baseline l1d.sets=8: more than one row"},
        {"[study]\nconfig = tiny\nworkload = atax:16\n[axis]\ntlb.walk = 1\n", ":5: unknown key"},
        {"[study]\nconfig = tiny\nworkload = atax:16\n[axis]\n", ":4: [axis] has no keys"},
        {"[study]\nconfig = tiny\nworkload = atax:16\ntwin = foo\n",
         ":4: twin = foo: every run rejects it: --twin foo: no such instance"},
        {"[study]\nconfig = tiny\nworkload = atax:16\n[set]\nl2.cart_fill = branch\n",
         ":5: no run reads this key: l2.cart_fill=branch has no effect with l2.incoming=fifo"},
        {"[study]\nconfig = tiny\nworkload = atax:16\n[axis]\nsm.active_warps = 2 4\n",
         ":5: no run reads this key: sm.active_warps=2 has no effect with sm.scheduler="},
        {"[study]\nconfig = tiny\nworkload = atax:16\n[scheme a]\nl2.incoming = cart\n"
         "l2.cart_fill = branch\n[scheme b]\nl2.cart_fill = branch\n",
         ":8: no run reads this key: l2.cart_fill="},
        {"[study]\nconfig = tiny\nworkload = atax:16\n[set]\nuvm.mode = paged\n[scheme a]\n"
         "[scheme b]\nuvm.memory_pages = 50%uvm_touched_pages@a\nhpe.interval = 8\n",
         ":9: no run reads this key: hpe.interval="},
        /* each run sets the key in another line */
        {"[study]\nconfig = tiny\nworkload = atax:16\n[set]\nl1d.ways = 7\n"
         "[scheme a]\nl1d.ways = 2\n[scheme b]\nl1d.ways = 4\n",
         ":5: no run reads this key: each run sets l1d.ways again, for example in line 7"},
        {"[study]\nconfig = tiny\n[group g]\nworkload = atax:16\nl1d.ways = 7\n"
         "[group h]\nworkload = mvt:16\n[scheme a]\nl1d.ways = 2\n",
         ":5: no run reads this key: each run sets l1d.ways again, for example in line 9"},
        /* the result is missing, and the key cannot be 1 */
        {"[study]\nconfig = tiny\nworkload = atax:16\n[scheme a]\n[scheme b]\n"
         "hpe.set_pages = 50%l1d_accesses@a\n",
         ":6: no run reads this key: hpe.set_pages="},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        expect_refusal(rows[i].text, strlen(rows[i].text), rows[i].why);
    expect_refusal("[study]\nconfig = ti\0ny\n", 23, ":2: not a text file (contains a zero byte)");
}

/* Keys that some run uses, or may use once results exist, are accepted. */
static void takes_keys_of_some_runs(void **state) {
    static const char *const texts[] = {
        "[scheme {fifo,cart}]\nl2.incoming = {}\nl2.cart_fill = branch\n",
        "[set]\nuvm.mode = paged\n[scheme a]\n[scheme b]\nuvm.write_back = dirty\n"
        "uvm.memory_pages = 50%uvm_touched_pages@a\n",
        "[scheme a]\nl1d.bypass = pdp\n[scheme b]\nl1d.bypass = stall\n[scheme c]\n"
        "best = ipc a b\n[scheme d]\nbase = c\nl1d.protect_distance = 8\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct study s;
        struct study_runs r = {0};
        char text[512];
        snprintf(text, sizeof text, "[study]\nconfig = tiny\nworkload = atax:16\n%s", texts[i]);
        make(&s, &r, text);
        runs_free(&r);
        study_free(&s);
    }
}

/* A line for a group whose workloads are not chosen is accepted. */
static void takes_keys_of_others(void **state) {
    static const char text[] = "[study]\nconfig = tiny\n[group a]\nworkload = atax:16\n"
                               "[group b]\nworkload = mvt:16\nl1d.bypass = pdp\n"
                               "[set]\nl1d.protect_distance = 8\n";
    static const char *const chosen[] = {"atax"};
    struct study s;
    struct study_runs r = {0};
    struct error err = {0};
    assert_int_equal(read_text(&s, text, strlen(text), &err), 0);
    assert_int_equal(study_choose(&s, chosen, 1, &err), 0);
    if (runs_make(&r, &s, ignore, NULL, &quiet, &err))
        fail_msg("%s", err.text);
    assert_int_equal(r.n, 1);
    runs_free(&r);
    study_free(&s);
}

/* Only chosen workloads must have a size that exists. */
static void checks_chosen_sizes(void **state) {
    static const char text[] = "[study]\nconfig = tiny\nworkload = atax:16 lud:250\n";
    static const char *const chosen[] = {"lud"}, *const other[] = {"atax"};
    struct study s;
    struct error err = {0};
    expect_refusal(text, strlen(text), ":3: lud: ");
    assert_int_equal(read_some(&s, text, strlen(text), true, &err), 0);
    assert_int_equal(study_choose(&s, chosen, 1, &err), -1);
    study_free(&s);
    assert_int_equal(read_some(&s, text, strlen(text), true, &err), 0);
    assert_int_equal(study_choose(&s, other, 1, &err), 0);
    study_free(&s);
}

/* A study of 11^6 runs is refused before the first configuration is built. */
static void refuses_too_many(void **state) {
    static const char *const keys[] = {"l1d.miss_queue",  "l1d.response_queue", "icnt.in_queue",
                                       "l1d.hit_latency", "icnt.latency",       "icnt.out_queue"};
    char text[2048] = "[study]\nconfig = tiny\nworkload = atax:16\n[axis]\n";
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        size_t n = strlen(text);
        snprintf(text + n, sizeof text - n, "%s = 2 3 4 5 6 7 8 9 10 11 12\n", keys[i]);
    }
    expect_refusal(text, strlen(text), ": more than 1000000 runs");
}

/* A section name or a key of any length is read completely, or refused. */
static void takes_long_names(void **state) {
    struct study s;
    char text[512], name[151];
    struct error err = {0};
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    snprintf(text, sizeof text,
             "\xef\xbb\xbf[study];x\nconfig = tiny\nworkload = atax:16\n[scheme %s] # %0100d\n",
             name, 0);
    assert_int_equal(read_text(&s, text, strlen(text), &err), 0);
    assert_string_equal(s.scheme[0].name, name);
    study_free(&s);
    snprintf(text, sizeof text, "[scheme %s%s]\n", name, name);
    expect_refusal(text, strlen(text), ":1: a section or key longer than 198 characters");
}

static int make_file(void **state) {
    int fd = mkstemp(path);
    return fd < 0 ? -1 : close(fd);
}

static int remove_file(void **state) {
    return unlink(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(makes_the_product),
        cmocka_unit_test(sets_keys),
        cmocka_unit_test(writes_the_command),
        cmocka_unit_test(makes_small_studies),
        cmocka_unit_test(resolves),
        cmocka_unit_test(refuses_a_percentage_of_0),
        cmocka_unit_test(refuses),
        cmocka_unit_test(checks_chosen_sizes),
        cmocka_unit_test(refuses_too_many),
        cmocka_unit_test(takes_long_names),
        cmocka_unit_test(takes_keys_of_some_runs),
        cmocka_unit_test(takes_keys_of_others),
    };
    return cmocka_run_group_tests(tests, make_file, remove_file);
}
