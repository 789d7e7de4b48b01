// SPDX-License-Identifier: Apache-2.0
#include "mismatch.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "gpu/gpu.h"
#include "harness/harness.h"
#include "harness/proc.h"
#include "identity.h"
#include "machine.h"
#include "paths.h"

/* Repeats the run up to the cycle of the mismatch and records the ports of the instance. */
static int record_replay(struct run *r, const struct mismatch *first, uint64_t sm_cycles,
                         const char *path) {
    struct machine m;
    r->pass = ", again to record it";
    r->pass_no = 0;
    r->passes = 1;
    progress_begin(&r->progress, r->opts->quiet);
    /* The first run stopped at sm_cycles; a few more cycles reach the mismatch. */
    r->cfg.sim_max_cycles = (int64_t)sm_cycles + 4;
    r->stop = interrupted() != 0;
    int result = machine_init(&m, r);
    struct block_inst *inst = result == 0 ? twins_find(&m.choice, first->instance) : NULL;
    if (inst)
        result = harness_record(m.harness, inst, path, first->cycle, true, r->err, sizeof r->err);
    const struct gpu_monitor monitor = {.ctx = r, .progress = run_show_progress};
    if (inst && result == 0)
        gpu_run_streams(m.gpu, m.workloads.w, &r->stop, &monitor);
    machine_free(&m);
    if (result == 0 && access(path, R_OK) != 0) {
        snprintf(r->err, sizeof r->err, "the second run did not get to cycle %" PRIu64,
                 first->cycle);
        return -1;
    }
    return result;
}

/* The last part of a path, without an extension of three letters. Characters unfit for a file name
 * become '_'. */
static void plain_name(const char *path, char *buf, size_t size) {
    const char *slash = strrchr(path, '/');
    size_t len = (size_t)snprintf(buf, size, "%s", slash ? slash + 1 : path);
    if (len < size && len > 4 && buf[len - 4] == '.')
        buf[len - 4] = '\0';
    for (; *buf; buf++)
        if (!isalnum((unsigned char)*buf) && !strchr("._", *buf))
            *buf = '_';
}

/* Name of the replay file: "memtwin-atax_64-tiny-1a2b3c4d-l1d.0.mshr-1234.vec". The hash covers the
 * machine, the workload or trace and the twins: equal runs write the same file, others do not. */
static int name_replay(struct run *r, const struct mismatch *first, char *buf, size_t size) {
    const struct run_opts *o = r->opts;
    char workload[32], config[32], program[HASH_SIZE], identity[HASH_SIZE], what[PATH_SIZE];
    size_t n = (size_t)snprintf(what, sizeof what, "%s", o->trace ? o->trace : r->shown);
    char *slash = o->trace ? strrchr(what, '/') : NULL; /* a list is named by its folder */
    if (slash && slash != what)
        *slash = '\0';
    plain_name(what, workload, sizeof workload);
    plain_name(o->config, config, sizeof config);
    if (slash && slash != what)
        *slash = '/';
    for (size_t i = 0; i < o->twins.n && n < sizeof what; i++)
        n += (size_t)snprintf(what + n, sizeof what - n, " %s", o->twins.text[i]);
    if (identity_program(program, r->err, sizeof r->err) ||
        identity_of(&r->cfg, what, NULL, program, identity, r->err, sizeof r->err))
        return -1;
    snprintf(buf, size, "memtwin-%s-%s-%.8s-%s-%" PRIu64 ".vec", workload, config, identity,
             first->instance, first->cycle);
    return 0;
}

int report_mismatch(struct run *r, const struct mismatch *first) {
    char name[BLOCK_NAME_MAX + 128], path[4096];
    struct config cfg = r->cfg;
    const char *json = r->opts->json;
    time_limit(0); /* no limit from here on */
    int failed = name_replay(r, first, name, sizeof name);
    if (!failed &&
        (failed = paths_beside(json && !is_stream(json) ? json : NULL, name, path, sizeof path)))
        snprintf(r->err, sizeof r->err, "its path is too long");
    if (!failed)
        failed = record_replay(r, first, r->report.stats.v[STAT_cycles], path);
    r->cfg = cfg;
    progress_end(&r->progress);
    harness_print_mismatch(first, failed ? NULL : path, stderr);
    if (failed)
        usage_error(r->opts->command, "no replay file: %s", r->err);
    return EXIT_MISMATCH;
}
