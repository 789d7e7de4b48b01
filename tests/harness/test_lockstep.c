// SPDX-License-Identifier: Apache-2.0
/* Tests of twins that are attached to instances in a small system: several twins at the same time,
 * drive mode, recordings, and each way in which a difference is detected. */
#define _GNU_SOURCE
#include "block/block.h"
#include "harness/cosim.h"
#include "harness/harness.h"
#include "harness/library.h"
#include "os/path.h"
#include "os/proc.h"
#include "mshr/mshr_ports.h"
#include "tests/test.h"

#define CYCLES 3000

/* Instance with its stimulus. */
struct harness_part {
    struct block_inst inst;
    const struct cosim_driver *calls;
    void *driver;
    struct mshr_in in;
    struct mshr_out out;
};

static void part_init(struct harness_part *p, const char *block, const char *const set[],
                      uint64_t seed) {
    const struct block_type *type = block_find(block);
    struct block_params params;
    char name[32];
    struct error err;
    memset(p, 0, sizeof *p);
    block_params_default(type, &params);
    for (; *set; set++)
        assert_int_equal(block_params_set(type, &params, *set, &err), 0);
    snprintf(name, sizeof name, "part.%u", (unsigned)seed);
    assert_int_equal(block_inst_init(&p->inst, type, &params, name, &err), 0);
    p->calls = cosim_driver_find(type);
    p->driver = p->calls->create(type, &params, seed, CYCLES);
    assert_non_null(p->driver);
}

static void part_free(struct harness_part *p) {
    p->calls->destroy(p->driver);
    block_inst_free(&p->inst);
}

/* Performs the system's part of a cycle. The system reads p->out as changed by the probe. */
static void part_eval(struct harness_part *p) {
    p->calls->drive(p->driver, &p->in);
    block_eval(&p->inst, &p->in, &p->out);
    p->inst.type->observe(p->inst.model, &p->in, &p->out);
    p->calls->sample(p->driver, &p->in, &p->out);
}

static void part_cycle(struct harness_part *p) {
    part_eval(p);
    block_tick(&p->inst, &p->in);
}

static const char *const small[] = {"SETS=8", "SLOTS=2", "RESERVED_HEADS=3", "PAYLOAD_W=34", NULL};
static const char *const other[] = {"SETS=5", "SLOTS=2", "RESERVED_HEADS=2", "TAIL=0", NULL};
static const char *const entries[] = {"ENTRIES=6", NULL};

static void attach(struct harness *h, struct harness_part *p, enum twin_mode mode, uint64_t seed) {
    struct error err;
    if (harness_attach(h, &p->inst, mode, seed, &err))
        fail_msg("%s", err.text);
}

/* Runs three shared objects, with two instances of one of them, in one process. */
static void many_side_by_side(enum twin_mode mode) {
    volatile bool stop = false;
    struct harness *h = harness_create(&stop);
    struct harness_part parts[4];
    part_init(&parts[0], "dl_mshr_paper", small, 1);
    part_init(&parts[1], "dl_mshr_paper", other, 2);
    part_init(&parts[2], "static_mshr", entries, 3);
    part_init(&parts[3], "dl_mshr_paper", small, 4);
    for (int i = 0; i < 4; i++)
        attach(h, &parts[i], mode, (uint64_t)i);
    for (int c = 0; c < CYCLES; c++)
        for (int i = 0; i < 4; i++)
            part_cycle(&parts[i]);
    if (harness_first_mismatch(h))
        harness_print_mismatch(harness_first_mismatch(h), NULL, stdout);
    assert_int_equal(harness_count(h, NULL).mismatches, 0);
    assert_int_equal(harness_count(h, NULL).twins, 4);
    assert_int_equal(harness_count(h, NULL).cycles, 4 * (CYCLES - 1));
    assert_false(stop);
    harness_destroy(h);
    for (int i = 0; i < 4; i++) {
        assert_null(parts[i].inst.probe);
        part_free(&parts[i]);
    }
}

static void test_lockstep(void **state) {
    many_side_by_side(TWIN_LOCKSTEP);
}

static void test_drive(void **state) {
    many_side_by_side(TWIN_DRIVE);
}

static void test_attach_rules(void **state) {
    struct harness *h = harness_create(NULL);
    struct harness_part p, late;
    struct error err;
    part_init(&p, "dl_mshr_paper", small, 1);
    attach(h, &p, TWIN_LOCKSTEP, 1);
    assert_int_equal(harness_attach(h, &p.inst, TWIN_DRIVE, 1, &err), -1);
    assert_int_equal(harness_record(h, &p.inst, "/nonexistent/x.vec", 1, false, &err), -1);
    part_cycle(&p);
    assert_int_equal(harness_record(h, &p.inst, "x.vec", 1, false, &err), -1);
    part_init(&late, "dl_mshr_paper", small, 2);
    late.inst.probe = p.inst.probe; /* makes the instance have another probe */
    assert_int_equal(harness_attach(h, &late.inst, TWIN_LOCKSTEP, 1, &err), -1);
    late.inst.probe = NULL;
    harness_destroy(h);
    part_free(&p);
    part_free(&late);
}

/* After the harness is destroyed, a recording is complete and can be replayed, even if its instance
 * has a twin. */
static void test_record(void **state) {
    char dir[PATH_SIZE], path[PATH_SIZE + 16];
    struct error err;
    struct harness *h = harness_create(NULL);
    struct harness_part p;
    assert_int_equal(temp_dir_make(dir, &err), 0);
    snprintf(path, sizeof path, "%s/r.vec", dir);
    part_init(&p, "dl_mshr_paper", small, 1);
    assert_int_equal(harness_record(h, &p.inst, path, 99, false, &err), 0);
    attach(h, &p, TWIN_LOCKSTEP, 1);
    for (int c = 0; c < 200; c++)
        part_cycle(&p);
    harness_destroy(h);
    FILE *out = tmpfile();
    assert_int_equal(replay_run(path, REPLAY_MODEL, REPLAY_ALL, NULL, out), 0);
    assert_int_equal(replay_run(path, REPLAY_TWIN, REPLAY_ALL, NULL, out), 0);
    assert_int_equal(replay_run(path, REPLAY_ICARUS, REPLAY_ALL, NULL, out), 0);
    char text[4096];
    rewind(out);
    text[fread(text, 1, sizeof text - 1, out)] = '\0';
    assert_non_null(strstr(text, ": 100 cycles\nverdict: PASS\n"));
    fclose(out);
    part_free(&p);
    temp_dir_remove(dir);
}

/* If an instance is never reset, the RTL's random power-up state gives a mismatch. */
static void test_no_reset(void **state) {
    volatile bool stop = false;
    struct harness *h = harness_create(&stop);
    struct harness_part p;
    part_init(&p, "dl_mshr_paper", small, 1);
    attach(h, &p, TWIN_LOCKSTEP, 12345);
    memset(&p.in, 0, sizeof p.in);
    for (int c = 0; c < 2; c++) {
        block_eval(&p.inst, &p.in, &p.out);
        block_tick(&p.inst, &p.in);
    }
    assert_true(stop);
    assert_int_equal(harness_first_mismatch(h)->cycle, 1);
    harness_destroy(h);
    part_free(&p);
}

/* An input value that does not fit its port is an error, since the model and the RTL would
 * interpret it differently. */
static void test_input_too_wide(void **state) {
    volatile bool stop = false;
    struct harness *h = harness_create(&stop);
    struct harness_part p;
    part_init(&p, "dl_mshr_paper", small, 1);
    attach(h, &p, TWIN_LOCKSTEP, 1);
    part_cycle(&p);
    memset(&p.in, 0, sizeof p.in);
    p.in.req_valid = 1;
    p.in.req_payload[1] = 4; /* bit 34 of 34 bits */
    block_eval(&p.inst, &p.in, &p.out);
    block_tick(&p.inst, &p.in); /* checks inputs, since those of a lookup may be set late */
    assert_true(stop);
    assert_string_equal(harness_first_mismatch(h)->port, "req_payload");
    assert_int_equal(harness_first_mismatch(h)->cycle, 1);
    harness_destroy(h);
    part_free(&p);
}

/* ---- With a fault in a scratch copy of the RTL ---- */

static char scratch[PATH_SIZE];

static void run(const char *const argv[]) {
    char log[PATH_SIZE + 8];
    struct error err;
    snprintf(log, sizeof log, "%s/log", scratch);
    assert_int_equal(proc_run(argv, NULL, log, &err), 0);
}

/* Makes a scratch copy of the RTL and edits one file with sed. The file must then contain
 * `mark`. */
static void edit_rtl(const char *name, const char *edit, const char *mark) {
    char rtl[PATH_SIZE], copy[PATH_SIZE + 8], file[PATH_SIZE + 64];
    struct error err;
    assert_int_equal(temp_dir_make(scratch, &err), 0);
    assert_int_equal(block_rtl("dl_mshr_paper", rtl, &err), 0);
    snprintf(copy, sizeof copy, "%s/rtl", scratch);
    snprintf(file, sizeof file, "%s/rtl/%s", scratch, name);
    const char *cp[] = {"cp", "-r", rtl, copy, NULL};
    const char *sed[] = {"sed", "-i", edit, file, NULL};
    const char *found[] = {"grep", "-qF", mark, file, NULL};
    run(cp);
    run(sed);
    run(found);
    setenv("MEMTWIN_RTL", copy, 1);
    setenv("MEMTWIN_TWINS", scratch, 1);
}

static int break_rtl(void **state) {
    edit_rtl("mshr/mshr_drain.v", "s/(!active || (rsp_fire \\&\\& at_end \\&\\& !late))/!active/",
             "!stop && !active;");
    return 0;
}

static int mend_rtl(void **state) {
    unsetenv("MEMTWIN_RTL");
    unsetenv("MEMTWIN_TWINS");
    temp_dir_remove(scratch);
    return 0;
}

static void check_report(const struct mismatch *m, uint64_t cycle) {
    char text[8192];
    FILE *out = tmpfile();
    assert_int_equal(m->cycle, cycle);
    assert_string_equal(m->port, "ret_ready");
    assert_string_equal(m->instance, "part.1");
    assert_string_equal(m->block, "dl_mshr_paper");
    assert_string_equal(m->model, "1");
    assert_string_equal(m->rtl, "0");
    assert_non_null(strstr(m->params, "SETS=8 SLOTS=2"));
    assert_non_null(strstr(m->inputs, "rsp_ready=1"));
    harness_print_mismatch(m, "some/file.vec", out);
    rewind(out);
    text[fread(text, 1, sizeof text - 1, out)] = '\0';
    fclose(out);
    assert_non_null(strstr(text, " replay some/file.vec --wave OUT.vcd\n"));
}

static void test_broken_rtl(void **state) {
    for (int mode = TWIN_LOCKSTEP; mode <= TWIN_DRIVE; mode++) {
        volatile bool stop = false;
        struct harness *h = harness_create(&stop);
        struct harness_part p, clean;
        uint64_t cycle = 0;
        part_init(&p, "dl_mshr_paper", small, 1);
        /* an instance without a twin, whose faults are not detected */
        part_init(&clean, "dl_mshr_paper", small, 2);
        attach(h, &p, (enum twin_mode)mode, 1);
        for (; !stop && cycle < CYCLES; cycle++) {
            part_cycle(&p);
            part_cycle(&clean);
        }
        assert_true(stop);
        /* in lockstep the system gets the model's outputs, in drive the RTL's */
        assert_int_equal(p.out.ret_ready, mode == TWIN_LOCKSTEP);
        check_report(harness_first_mismatch(h), cycle - 1);
        assert_in_range(harness_count(h, NULL).mismatches, 1, 20);
        harness_destroy(h);
        part_free(&p);
        part_free(&clean);
    }
}

/* ---- Cycles in which the RTL is at a fixpoint, and RTL that never is ---- */

/* Resets the block in cycle 0 and then keeps all inputs at 0. Returns the cycle of the mismatch,
 * or 0 if there is none. */
static uint64_t idle(struct harness *h, struct harness_part *p, uint64_t cycles) {
    part_init(p, "dl_mshr_paper", small, 1);
    attach(h, p, TWIN_LOCKSTEP, 1);
    memset(&p->in, 0, sizeof p->in);
    for (uint64_t c = 0; c < cycles && !harness_first_mismatch(h); c++) {
        p->in.rst = c == 0;
        block_eval(&p->inst, &p->in, &p->out);
        block_tick(&p->inst, &p->in);
    }
    const struct mismatch *m = harness_first_mismatch(h);
    return m ? m->cycle : 0;
}

/* All cycles are compared, but only few are evaluated. */
static void test_fixpoint(void **state) {
    struct harness *h = harness_create(NULL);
    struct harness_part p;
    assert_int_equal(idle(h, &p, 2000), 0);
    assert_int_equal(harness_count(h, NULL).cycles, 1999);
    assert_in_range(harness_count(h, NULL).evaluated, 1, 5);
    harness_destroy(h);
    part_free(&p);
}

/* A register that changes by itself is noticed when the change reaches a port, even if nothing
 * else changes for a long time. The register counts from 0 in cycle 1, and stops the block with
 * err 1 at the 1024th edge. */
static void test_counts_by_itself(void **state) {
    struct harness *h = harness_create(NULL);
    struct harness_part p;
    assert_int_equal(idle(h, &p, 2000), 1025);
    assert_string_equal(harness_first_mismatch(h)->port, "ret_ready");
    assert_string_equal(harness_first_mismatch(h)->rtl, "0");
    assert_int_equal(harness_count(h, NULL).evaluated, harness_count(h, NULL).cycles);
    harness_destroy(h);
    part_free(&p);
}

static int plant_counter(void **state) {
    edit_rtl(
        "dl_mshr_paper/dau.v",
        "s/^    assign stop  *= .*/&\\n    reg [9:0] alone;\\n    always @(posedge clk) alone <= "
        "rst ? 10'd0 : alone + 10'd1;/; s/else if (ret_start/else if (\\&alone || ret_start/",
        "&alone ||");
    return 0;
}

/* Runs cycles 0..CYCLES-1, or up to a mismatch, and then replays the recording. Returns the exit
 * code of the replay. */
static int recorded(bool twin, bool noise) {
    char dir[PATH_SIZE], path[PATH_SIZE + 16];
    struct error err;
    volatile bool stop = false;
    struct harness *h = harness_create(&stop);
    struct harness_part p;
    assert_int_equal(temp_dir_make(dir, &err), 0);
    snprintf(path, sizeof path, "%s/r.vec", dir);
    part_init(&p, "static_mshr", entries, 1);
    assert_int_equal(harness_record(h, &p.inst, path, CYCLES, noise, &err), 0);
    if (twin)
        attach(h, &p, TWIN_LOCKSTEP, 1);
    for (int c = 0; !stop && c < CYCLES; c++)
        part_cycle(&p);
    assert_int_equal(stop, twin);
    harness_destroy(h);
    FILE *out = fopen("/dev/null", "w");
    int code = replay_run(path, REPLAY_TWIN, REPLAY_ALL, NULL, out);
    fclose(out);
    part_free(&p);
    temp_dir_remove(dir);
    return code;
}

/* The RTL uses an offset when there is no request. The system drives the offset with zeros, and
 * the twin gets noise. A recording that is meant to reproduce the mismatch gets the noise, too. */
static void test_noise(void **state) {
    assert_int_equal(recorded(true, true), 3);
    assert_int_equal(recorded(true, false), 0);
    assert_int_equal(recorded(false, true), 3);
    assert_int_equal(recorded(false, false), 0);
}

static int plant_look(void **state) {
    edit_rtl("static_mshr/static_mshr.v",
             "s/live = req_valid &&/live = (req_valid || req_payload[0]) \\&\\&/",
             "|| req_payload[0]) && !stop && !stale;");
    return 0;
}

/* If two twins differ from their models in one cycle, the one that was attached first is reported,
 * whichever is evaluated first. */
static void test_first_of_two(void **state) {
    volatile bool stop = false;
    struct harness *h = harness_create(&stop);
    struct harness_part a, b;
    part_init(&a, "dl_mshr_paper", small, 1);
    part_init(&b, "dl_mshr_paper", small, 1);
    snprintf(b.inst.name, sizeof b.inst.name, "second");
    attach(h, &a, TWIN_LOCKSTEP, 1);
    attach(h, &b, TWIN_LOCKSTEP, 2);
    for (int c = 0; !stop && c < CYCLES; c++) {
        part_eval(&b);
        part_eval(&a);
        block_tick(&b.inst, &b.in);
        block_tick(&a.inst, &a.in);
    }
    assert_true(stop);
    assert_string_equal(harness_first_mismatch(h)->instance, "part.1");
    harness_destroy(h);
    part_free(&a);
    part_free(&b);
}

/* ---- Coverage floors, with a driver that does nothing ---- */

static struct cover_point idle_points[] = {
    {"reached", 5, 5}, {"not.reached", 4, 5}, {"long.runs", 0, 0}};

static void *idle_create(const struct block_type *type, const struct block_params *p, uint64_t seed,
                         uint64_t cycles) {
    (void)type;
    (void)p;
    (void)seed;
    idle_points[2].floor = cycles > 1000000;
    return calloc(1, sizeof(uint64_t));
}

static void idle_drive(void *driver, void *in) {
    uint64_t *cycle = driver;
    memset(in, 0, sizeof(struct mshr_in));
    ((struct mshr_in *)in)->rst = (*cycle)++ == 0;
}

static const char *idle_sample(void *driver, const void *in, const void *out) {
    (void)driver;
    (void)in;
    (void)out;
    return NULL;
}

static size_t idle_coverage(void *driver, const struct cover_point **points) {
    (void)driver;
    *points = idle_points;
    return 3;
}

static int idle_cosim(uint64_t cycles, unsigned seeds, uint64_t floor, char *text, size_t size) {
    const struct cosim_driver driver = {idle_create, free, idle_drive, idle_sample, idle_coverage};
    const struct block_type *type = block_find("dl_mshr_paper");
    struct cosim_opts o = {
        .type = type, .cycles = cycles, .seeds = seeds, .model_only = true, .driver = &driver};
    FILE *out = tmpfile();
    idle_points[0].floor = idle_points[1].floor = floor;
    block_params_default(type, &o.params);
    int code = cosim_run(&o, out);
    rewind(out);
    text[fread(text, 1, size - 1, out)] = '\0';
    fclose(out);
    return code;
}

static void test_floors(void **state) {
    static const char few[] = "cycles are too few for coverage floors at this point";
    static const char unmet[] = "not met, and without a floor in a run of this length: long.runs\n";
    char text[4096];
    assert_int_equal(idle_cosim(100000, 1, 5, text, sizeof text), 2);
    assert_non_null(strstr(text, "verdict: COVERAGE: 1 point under its floor: not.reached\n"));
    assert_non_null(strstr(text, "5  UNDER ITS FLOOR\n"));
    assert_null(strstr(text, few));
    assert_int_equal(idle_cosim(100000, 1, 4, text, sizeof text), 0);
    assert_non_null(strstr(text, unmet));
    assert_int_equal(idle_cosim(100000, 4, 16, text, sizeof text), 0); /* the sum of four seeds */
    assert_non_null(strstr(text, "100000 cycles, seeds 0 to 3\n"));
    assert_int_equal(idle_cosim(100000, 4, 17, text, sizeof text), 2);
    assert_null(strstr(text, few));
    assert_int_equal(idle_cosim(100000, 1, 0, text, sizeof text), 0);
    assert_non_null(strstr(text, "\n100000 cycles are too few for coverage floors at this point; "
                                 "1000001 are enough\n"));
    assert_non_null(strstr(text, "PASS (model alone, coverage floors not applied)\n"));
    assert_int_equal(idle_cosim(99999, 4, 5, text, sizeof text), 0);
    assert_null(strstr(text, unmet));
    assert_non_null(strstr(text, "\n99999 cycles are too few for coverage floors at this point; "
                                 "100000 are enough\n"));
}

int main(void) {
    setenv("MEMTWIN_BRIEF", "1", 1); /* uses twins that are built fast and run slowly */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lockstep),
        cmocka_unit_test(test_drive),
        cmocka_unit_test(test_attach_rules),
        cmocka_unit_test(test_record),
        cmocka_unit_test(test_no_reset),
        cmocka_unit_test(test_input_too_wide),
        cmocka_unit_test(test_fixpoint),
        cmocka_unit_test(test_floors),
        cmocka_unit_test_setup_teardown(test_noise, plant_look, mend_rtl),
        cmocka_unit_test_setup_teardown(test_counts_by_itself, plant_counter, mend_rtl),
        cmocka_unit_test_setup_teardown(test_broken_rtl, break_rtl, mend_rtl),
        cmocka_unit_test_setup_teardown(test_first_of_two, break_rtl, mend_rtl),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
