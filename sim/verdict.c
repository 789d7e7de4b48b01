// SPDX-License-Identifier: Apache-2.0
#include "verdict.h"

#include <inttypes.h>
#include <stdio.h>

#include "check/check.h"
#include "commands.h"
#include "harness/harness.h"
#include "lib/message.h"

void print_place(const struct gpu_reached *reached, uint64_t launches, char *buf, size_t size) {
    char of[32] = "";
    if (launches)
        snprintf(of, sizeof of, " of %" PRIu64, launches);
    if (reached->grid)
        snprintf(buf, size, "kernel %" PRIu64 "%s, %" PRIu64 " of %" PRIu64 " CTAs",
                 reached->launch, of, reached->ctas, reached->grid);
    else
        snprintf(buf, size, "launch %" PRIu64 "%s, %" PRIu64 " CTAs done", reached->launch, of,
                 reached->all_ctas);
}

static struct verdict verdict_of(int code, const char *end, const char *what, const char *why) {
    struct verdict v = {.code = code, .end = end};
    message_print(v.line, sizeof v.line, "%s%s%s", what, why ? ": " : "", why ? why : "");
    return v;
}

const char *data_failure(const struct machine *m) {
    const char *seen = m->check ? check_failure(m->check) : NULL;
    const char *broken = gpu_error(m->gpu);
    return seen ? seen : broken && broken[0] ? broken : NULL;
}

/* Checks memory and results after all kernels have ended, and returns the verdict. */
static struct verdict judge_results(struct machine *m) {
    struct error why;
    const char *unverifiable = workload_set_unverifiable(&m->workloads);
    if (m->check) {
        check_final(m->check, gpu_read_line, m->gpu);
        if (data_failure(m))
            return verdict_of(EXIT_CHECK, "check_failed", "data check failed", data_failure(m));
    }
    if (!unverifiable && workload_set_verify(&m->workloads, &why))
        return verdict_of(EXIT_CHECK, "wrong_result", "results are wrong", why.text);
    if (!gpu_plant_made(m->gpu))
        return verdict_of(EXIT_USAGE, "not_planted",
                          "sim.planted_fault: the run had no opportunity to plant this fault",
                          NULL);
    if (!unverifiable)
        return verdict_of(EXIT_GOOD, "done", "", NULL);
    error_set(&why, "%s updates its data in place, so a repeated launch changes the results",
              unverifiable);
    return verdict_of(EXIT_GOOD, "done", "results not verified", why.text);
}

/* Returns the verdict on a run that was stopped from outside, with the cause and the point at which
 * it stopped. */
static struct verdict judge_stop(const struct machine *m) {
    struct gpu_reached reached;
    char where[256], place[128];
    gpu_reached(m->gpu, &reached);
    print_place(&reached, workload_set_launches(&m->workloads), place, sizeof place);
    snprintf(where, sizeof where, "in SM cycle %" PRIu64 ", %s", reached.cycles, place);
    if (interrupted())
        return verdict_of(interrupted(), "interrupted", "interrupted", where);
    if (time_is_up())
        return verdict_of(EXIT_GOOD, "time_limit", "cut off by --max-time, results not verified",
                          where);
    return verdict_of(EXIT_GOOD, "cut_off", "cut off at sim.max_cycles, results not verified",
                      where);
}

/* Returns the verdict on a kernel that cannot be launched. The trace has an error, or the kernel is
 * too large for the machine; in that case, the message names the sources of the keys. */
static struct verdict judge_launch(const struct machine *m, const struct run *r) {
    struct error why;
    if (workload_set_error(&m->workloads))
        return verdict_of(EXIT_USAGE, "bad_trace", workload_set_error(&m->workloads), NULL);
    error_set(&why, "%s", gpu_error(m->gpu));
    config_add_sources(&r->from, &why);
    return verdict_of(EXIT_USAGE, "bad_launch", r->opts->trace ? r->trace.path : r->workload,
                      why.text);
}

struct verdict judge(struct machine *m, const struct run *r, enum gpu_end end) {
    if (harness_first_mismatch(m->harness))
        return verdict_of(EXIT_MISMATCH, "mismatch", "a twin differed from its model", NULL);
    switch (end) {
    case GPU_DONE:
        return judge_results(m);
    case GPU_CHECK_FAILED:
        return verdict_of(EXIT_CHECK, "check_failed", "data check failed", data_failure(m));
    case GPU_NO_PROGRESS:
        return verdict_of(EXIT_NO_PROGRESS, "no_progress",
                          "no progress for sim.no_progress_cycles cycles", NULL);
    case GPU_BAD_LAUNCH:
        return judge_launch(m, r);
    case GPU_INTERNAL:
        return verdict_of(EXIT_INTERNAL, "internal", "internal error", gpu_error(m->gpu));
    case GPU_STOPPED:
        return judge_stop(m);
    }
    return verdict_of(EXIT_INTERNAL, "internal", "the simulation ended in an unknown way", NULL);
}
