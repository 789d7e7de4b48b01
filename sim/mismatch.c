// SPDX-License-Identifier: Apache-2.0
#include "mismatch.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "gpu/gpu.h"
#include "harness/folder.h"
#include "harness/harness.h"
#include "os/path.h"
#include "identity.h"
#include "machine.h"
#include "paths.h"

/* Repeats the run up to the cycle of the mismatch and records the ports of the instance. */
static int record_replay(struct run *r, const struct mismatch *first, uint64_t sm_cycles,
                         const char *path) {
    struct machine m;
    r->pass = ", second run to record it";
    r->pass_no = 0;
    r->passes = 1;
    progress_begin(&r->progress, r->opts->quiet);
    /* The first run stopped at sm_cycles. A few more cycles suffice to reach the mismatch. */
    r->cfg.sim_max_cycles = (int64_t)sm_cycles + 4;
    r->stop = interrupted() != 0;
    int result = machine_init(&m, r);
    struct block_inst *inst = result == 0 ? twins_find(&m.choice, first->instance) : NULL;
    if (inst)
        result = harness_record(m.harness, inst, path, first->cycle, true, &r->err);
    const struct gpu_monitor monitor = {.ctx = r, .progress = run_show_progress};
    if (inst && result == 0)
        gpu_run_streams(m.gpu, m.workloads.w, &r->stop, &monitor);
    machine_free(&m);
    if (result == 0 && access(path, R_OK) != 0)
        return error_set(&r->err, "the second run did not reach cycle %" PRIu64, first->cycle);
    return result;
}

/* Copies the last component of a path, without a three-letter extension. Replaces each character
 * that is not a letter, a digit, '.' or '_' with '_'. */
static void plain_name(const char *path, char *buf, size_t size) {
    const char *slash = strrchr(path, '/');
    size_t len = (size_t)snprintf(buf, size, "%s", slash ? slash + 1 : path);
    if (len < size && len > 4 && buf[len - 4] == '.')
        buf[len - 4] = '\0';
    for (; *buf; buf++)
        if (!isalnum((unsigned char)*buf) && !strchr("._", *buf))
            *buf = '_';
}

/* Makes the path of the vector file in the folder of the --json file, else in the current folder,
 * such as "memtwin-atax_64-tiny-l1d.0.mshr-1a2b3c4d-1234.vec". The hash covers the machine, the
 * workload or trace, the twins and the Verilog, so that different runs write different files. */
static int name_replay(struct run *r, const struct mismatch *first, char *path) {
    const struct run_opts *o = r->opts;
    char workload[32], config[32], program[HASH_SIZE], identity[HASH_SIZE], what[PATH_SIZE];
    char folder[PATH_SIZE], stem[BLOCK_NAME_MAX + 128];
    size_t n = (size_t)snprintf(what, sizeof what, "%s", o->trace ? o->trace : r->shown);
    char *slash = o->trace ? strrchr(what, '/') : NULL; /* a trace is named after its folder */
    if (slash && slash != what)
        *slash = '\0';
    plain_name(what, workload, sizeof workload);
    plain_name(o->config, config, sizeof config);
    if (slash && slash != what)
        *slash = '/';
    for (size_t i = 0; i < o->twins.n && n < sizeof what; i++)
        n += (size_t)snprintf(what + n, sizeof what - n, " %s", o->twins.text[i]);
    if (identity_program(program, &r->err))
        return -1;
    identity_of(&r->cfg, what, NULL, program, identity);
    if (paths_sibling(o->json && !is_stream(o->json) ? o->json : NULL, "", folder, sizeof folder))
        return error_set(&r->err, "the path of the replay file is too long");
    snprintf(stem, sizeof stem, "memtwin-%s-%s-%s", workload, config, first->instance);
    const struct replay_name name = {.block = first->block,
                                     .folder = folder,
                                     .stem = stem,
                                     .what = identity,
                                     .cycle = first->cycle};
    return replay_path(&name, path, &r->err);
}

int report_mismatch(struct run *r, const struct mismatch *first) {
    char path[PATH_SIZE];
    struct config cfg = r->cfg;
    time_limit(0); /* removes the time limit */
    int failed = name_replay(r, first, path);
    if (!failed)
        failed = record_replay(r, first, r->report.stats.v[STAT_cycles], path);
    r->cfg = cfg;
    progress_end(&r->progress);
    harness_print_mismatch(first, failed ? NULL : path, stderr);
    if (failed)
        error_print(EXIT_USAGE, r->opts->command, "no replay file: %s", r->err.text);
    return EXIT_MISMATCH;
}
