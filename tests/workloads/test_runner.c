// SPDX-License-Identifier: Apache-2.0
/* Tests that the runner, which runs workloads without timing, detects illegal instructions. */
#include "tests/test.h"
#include "tests/workloads/run.h"

struct probe {
    struct lane_workload base;
    struct warp_inst script[3]; /* instructions, followed by an exit */
    ARRAY(float) data;
};

struct probe_warp {
    struct warp_head head;
    unsigned at;
};

static void probe_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                       struct warp_inst *inst) {
    struct probe *m = ctx;
    struct probe_warp *w = state;
    (void)place;
    (void)cta;
    if (w->at < 3)
        *inst = m->script[w->at++];
    else
        lane_inst(inst, WARP_EXIT, 0, 1, 0, 0);
}

static bool probe_next(struct workload *w, struct kernel_launch *launch) {
    struct probe *m = (struct probe *)w;
    if (m->base.launched++ > 0)
        return false;
    *launch = (struct kernel_launch){.name = "probe",
                                     .grid = {1, 1, 1},
                                     .block = {20, 1, 1},
                                     .warp_state_size = sizeof(struct probe_warp),
                                     .step = probe_step,
                                     .ctx = m};
    return true;
}

static bool probe_create(struct workload *w, const uint64_t *size) {
    struct probe *m = (struct probe *)w;
    (void)size;
    return NEW_ARRAY(m, data, 100);
}

/* Runs a block of 20 threads with `inst` and one counted load. Expects the runner to report this
 * error. */
static void runner_says(struct warp_inst inst, const char *what) {
    static const struct workload_type type = {.name = "probe",
                                              .default_size = "1",
                                              .size = {{"N", 1, 1}},
                                              .state_size = sizeof(struct probe),
                                              .next = probe_next,
                                              .create = probe_create};
    struct workload_counts counts;
    struct error err;
    struct probe *m = (struct probe *)workload_create(&type, NULL, &err);
    assert_non_null(m);
    m->data.dev->loads = 1;
    for (int i = 0; i < 3; i++)
        m->script[i] = (struct warp_inst){.op = WARP_ALU, .repeat = 1, .mask = 1, .dst = {{R(0)}}};
    m->script[1] = inst;
    const int rc = workload_run_functional(&m->base.w, &counts);
    assert_int_equal(rc, what ? -1 : 0);
    if (what && !strstr(counts.err.text, what))
        fail_msg("\"%s\" instead of \"%s\"", counts.err.text, what);
    workload_free(&m->base.w);
}

static void test_runner(void **state) {
    const struct warp_inst good = {.op = WARP_LOAD,
                                   .mask = 2,
                                   .repeat = 1,
                                   .size = 4,
                                   .dst = {{R(1)}},
                                   .src = {{R(0)}},
                                   .addr = {0, 0x80000000}};
    struct warp_inst bad = good;
    runner_says(good, NULL);
    bad.mask = 0;
    runner_says(bad, "without an active lane");
    bad.mask = 1u << 20;
    runner_says(bad, "no thread");
    bad = good, bad.addr[1] += 2;
    runner_says(bad, "not aligned");
    bad = good, bad.addr[1] += 400;
    runner_says(bad, "outside");
    bad = good, bad.mask = 6, bad.addr[2] = 0x7ffffffc;
    runner_says(bad, "outside the array");
    bad = good, bad.size = 3;
    runner_says(bad, "size");
    bad = good, bad.src.w[0] = R(7);
    runner_says(bad, "read before it is written");
    bad = good, bad.repeat = 2;
    runner_says(bad, "repeat");
    bad = good, bad.dst.w[0] = 0;
    runner_says(bad, "writes a register");
    bad = good, bad.mask = 3, bad.addr[0] = 0x80000000;
    runner_says(bad, "counts");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_runner),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
