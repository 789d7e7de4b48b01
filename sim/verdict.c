// SPDX-License-Identifier: Apache-2.0
#include "verdict.h"

#include <inttypes.h>
#include <stdio.h>

#include "check/check.h"
#include "commands.h"
#include "harness/harness.h"
#include "lib/message.h"

void print_place(const struct gpu_reached *at, uint64_t launches, char *buf, size_t size) {
    char of[32] = "";
    if (launches)
        snprintf(of, sizeof of, " of %" PRIu64, launches);
    if (at->grid)
        snprintf(buf, size, "kernel %" PRIu64 "%s, %" PRIu64 " of %" PRIu64 " CTAs", at->launch, of,
                 at->ctas, at->grid);
    else
        snprintf(buf, size, "launch %" PRIu64 "%s, %" PRIu64 " CTAs done", at->launch, of,
                 at->all_ctas);
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

/* Verdict after all kernels: checks memory and results. */
static struct verdict judge_results(struct machine *m) {
    char why[1024];
    const char *unverifiable = workload_set_unverifiable(&m->workloads);
    if (m->check) {
        check_final(m->check, gpu_read_line, m->gpu);
        if (data_failure(m))
            return verdict_of(EXIT_CHECK, "check_failed", "data check failed", data_failure(m));
    }
    if (!unverifiable && workload_set_verify(&m->workloads, why, sizeof why))
        return verdict_of(EXIT_CHECK, "wrong_result", "results are wrong", why);
    if (!gpu_plant_made(m->gpu))
        return verdict_of(EXIT_USAGE, "not_planted",
                          "sim.plant: the run gave no opportunity for this fault", NULL);
    if (!unverifiable)
        return verdict_of(EXIT_GOOD, "done", "", NULL);
    snprintf(why, sizeof why,
             "%s updates its data in place, so a repeated launch changes its results",
             unverifiable);
    return verdict_of(EXIT_GOOD, "done", "results not verified", why);
}

/* Verdict if the run was stopped from outside: the cause, and where it stopped. */
static struct verdict judge_stop(const struct machine *m) {
    struct gpu_reached at;
    char where[256], place[128];
    gpu_reached(m->gpu, &at);
    print_place(&at, workload_set_launches(&m->workloads), place, sizeof place);
    snprintf(where, sizeof where, "in SM cycle %" PRIu64 ", %s", at.cycles, place);
    if (interrupted())
        return verdict_of(interrupted(), "interrupted", "interrupted", where);
    if (time_is_up())
        return verdict_of(EXIT_GOOD, "time_limit", "cut off by --max-time, results not verified",
                          where);
    return verdict_of(EXIT_GOOD, "cut_off", "cut off at sim.max_cycles, results not verified",
                      where);
}

/* Verdict on a kernel too large for the machine: the reason, and the sources of the keys. */
static struct verdict judge_launch(const struct machine *m, const struct run *r) {
    char why[1024];
    if (workload_set_error(&m->workloads))
        return verdict_of(EXIT_USAGE, "bad_trace", workload_set_error(&m->workloads), NULL);
    message_print(why, sizeof why, "%s", gpu_error(m->gpu));
    config_add_sources(&r->from, why, sizeof why);
    return verdict_of(EXIT_USAGE, "bad_launch", r->opts->trace ? r->trace.path : r->workload, why);
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
                          "no progress: nothing moved for sim.no_progress_cycles cycles", NULL);
    case GPU_BAD_LAUNCH:
        return judge_launch(m, r);
    case GPU_INTERNAL:
        return verdict_of(EXIT_INTERNAL, "internal", "internal error", gpu_error(m->gpu));
    case GPU_STOPPED:
        return judge_stop(m);
    }
    return verdict_of(EXIT_INTERNAL, "internal", "the simulation ended in an unknown way", NULL);
}
