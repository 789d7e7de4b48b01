// SPDX-License-Identifier: Apache-2.0
/* Tests that a part with a wrong next event ends the run with a message that names the part. Test
 * builds check skipped cycles (gpu/skips.h). */
#include "tests/gpu/fixture.h"

#define PLANT_AFTER 300 /* number of SM cycles */

/* Makes a part of the system lose an event. From cycle PLANT_AFTER on, it is called whenever a warp
 * gets an instruction. NULL if no event is to be lost. */
static void (*plant)(struct gpu *g);

static void planted_chaos(const struct warp_place *place, uint32_t pc, struct warp_inst *i) {
    struct gpu *g = program_ctx.program->gpu;
    chaos(place, pc, i);
    if (plant && g->cycle >= PLANT_AFTER)
        plant(g);
}

static struct outcome run_planted(void (*what)(struct gpu *g)) {
    struct config c = chaos_config();
    struct program p = chaos_program(12);
    p.kernel[0] = p.kernel[1] = planted_chaos;
    plant = what;
    return run_program(&c, &p, true);
}

/* Expects the message to name the part and the error. */
static void expect_line(void (*what)(struct gpu *g), const char *part, const char *wrong) {
    const struct outcome o = run_planted(what);
    const size_t n = strlen(part);
    if (o.end != GPU_INTERNAL || strncmp(o.error, part, n) != 0 || o.error[n] != ',' ||
        !strstr(o.error, wrong))
        fail_msg("end %d: '%s', and not '%s, .. %s'", (int)o.end, o.error, part, wrong);
}

static void forget_sm(struct gpu *g) {
    g->sm_clocked[3].next_event = UINT64_MAX;
}

static void forget_bank(struct gpu *g) {
    g->l2_clocked[1].next_event = UINT64_MAX;
}

static void forget_channel(struct gpu *g) {
    g->dram[1].next = UINT64_MAX;
}

/* Loses the event that wakes the schedulers. */
static void forget_issue(struct gpu *g) {
    g->sm[3].next_issue = UINT64_MAX;
}

static void forget_input(struct gpu *g) {
    g->l2_clocked[0].may_wake = false;
}

/* Makes a count that the check of skipped cycles has recorded for the SM wrong by one. */
static void count_sm(struct gpu *g) {
    g->sm_clocked[3].skips.counter[0].counts++;
}

static void count_bank(struct gpu *g) {
    g->l2_clocked[1].skips.counter[0].counts += 5;
}

static void forgotten_events_end_the_run(void **state) {
    expect_line(forget_sm, "SM 3", "was to be skipped");
    expect_line(forget_bank, "L2 bank 1", "was to be skipped");
    expect_line(forget_channel, "DRAM channel 1", "was to be skipped");
    expect_line(forget_input, "L2 bank 0", "was to be skipped");
    expect_line(forget_issue, "SM 3", "sm_wake_issue");
}

static void wrong_counts_end_the_run(void **state) {
    expect_line(count_sm, "SM 3", " counts ");
    expect_line(count_bank, "L2 bank 1", " counts ");
}

static void a_run_without_a_plant_ends(void **state) {
    const struct outcome o = run_planted(NULL);
    if (o.end != GPU_DONE)
        fail_msg("end %d: '%s'", (int)o.end, o.error);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_without_a_plant_ends),
        cmocka_unit_test(forgotten_events_end_the_run),
        cmocka_unit_test(wrong_counts_end_the_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
