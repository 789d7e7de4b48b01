// SPDX-License-Identifier: Apache-2.0
#include "run.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "check/check.h"
#include "commands.h"
#include "context/context.h"
#include "gpu/gpu.h"
#include "harness/harness.h"
#include "harness/proc.h"
#include "paths.h"
#include "screen.h"
#include "trace/reader.h"
#include "twins.h"

/* One simulation: everything that a second one, for the recording, needs anew. */
struct machine {
    struct workload *workload;
    struct check *check;
    struct gpu *gpu;
    struct twin_choice choice;
    struct harness *harness;
};

size_t run_files(const struct run_opts *o) {
    return 3 + o->records.n;
}

const char *run_file(const struct run_opts *o, size_t i) {
    const char *out[] = {o->json, o->csv, o->series};
    if (i < 3)
        return out[i];
    const char *name = strchr(o->records.text[i - 3], '=');
    return name ? name + 1 : NULL;
}

/* ---- The machine ---- */

static void machine_free(struct machine *m) {
    if (m->harness)
        harness_destroy(m->harness);
    twins_free(&m->choice);
    if (m->gpu)
        gpu_destroy(m->gpu);
    if (m->check)
        check_destroy(m->check);
    if (m->workload)
        m->workload->destroy(m->workload);
    memset(m, 0, sizeof *m);
}

/* NULL with one line in r->err. */
static struct workload *open_workload(struct run *r) {
    if (r->type)
        return r->type->create(r->size, r->err, sizeof r->err);
    return trace_open(&r->trace, r->err, sizeof r->err);
}

/* Workload, harness and gpu; m->check is made, or not. */
static int machine_make(struct machine *m, struct run *r, const struct config *cfg) {
    char why[512];
    r->machine = m;
    m->workload = open_workload(r);
    if (!m->workload)
        return -1;
    m->harness = harness_create(&r->stop);
    if (!m->harness) {
        snprintf(r->err, sizeof r->err, "out of memory");
        return -1;
    }
    m->gpu = gpu_create_booked(cfg, m->check, r->book, why, sizeof why);
    if (!m->gpu) {
        snprintf(r->err, sizeof r->err, "configuration %s: %s", r->opts->config, why);
        return -1;
    }
    return 0;
}

/* Everything but the twins. machine_free either way. */
static int machine_init(struct machine *m, struct run *r) {
    const struct run_opts *o = r->opts;
    memset(m, 0, sizeof *m);
    m->check = o->check ? check_create((unsigned)r->cfg.sm_count) : NULL;
    if (o->check && !m->check) {
        snprintf(r->err, sizeof r->err, "out of memory");
        return -1;
    }
    if (r->book)
        book_read(r->book);
    if (machine_make(m, r, &r->cfg) != 0)
        return -1;
    gpu_carry_data(m->gpu, o->check || o->twins.n + o->records.n > 0);
    return twins_choose(&m->choice, m->gpu, o->twins.text, o->twins.n, r->err, sizeof r->err);
}

static void show_attach(void *ctx, const char *instance) {
    struct run *r = ctx;
    if (progress_due(&r->progress))
        progress_line(&r->progress, "attaching the twin of %s", instance);
}

/* ---- Progress ---- */

/* How much of the pass is done, 0 to 1; 0: not known. It never falls. */
static double done_of_pass(const struct run *r, const struct gpu_reached *at) {
    const struct workload *w = r->machine->workload;
    double done = 0, cut = 0;
    if (w->ctas)
        done = (double)at->all_ctas / (double)w->ctas;
    else if (w->launches && at->grid)
        done =
            ((double)(at->launch - 1) + (double)at->ctas / (double)at->grid) / (double)w->launches;
    if (r->cfg.sim_max_cycles)
        cut = (double)at->cycles / (double)r->cfg.sim_max_cycles;
    done = cut > done ? cut : done;
    return done < 1 ? done : 1;
}

/* "12 %, 3:45 left, "; empty if there is nothing to judge it by. */
static void print_done(const struct run *r, const struct gpu_reached *at, char *buf, size_t size) {
    double done = done_of_pass(r, at), left = -1, passed = progress_seconds(&r->progress);
    if (done > 0)
        left = passed * ((r->passes - r->pass_no) / done - 1);
    done = (r->pass_no + done) / r->passes;
    if (r->opts->max_time) {
        double limit = (double)r->opts->max_time, used = progress_seconds(&r->whole);
        left = left < 0 || limit - used < left ? limit - used : left;
        done = used / limit > done ? used / limit : done;
    }
    progress_left(done, left, buf, size);
}

/* "kernel 3 of 10, 40 of 128 CTAs" */
static void print_place(const struct gpu_reached *at, uint64_t launches, char *buf, size_t size) {
    char of[32] = "";
    if (launches)
        snprintf(of, sizeof of, " of %" PRIu64, launches);
    snprintf(buf, size, "kernel %" PRIu64 "%s, %" PRIu64 " of %" PRIu64 " CTAs", at->launch, of,
             at->ctas, at->grid);
}

static void show_progress(void *ctx) {
    struct run *r = ctx;
    struct gpu_reached at;
    struct stats s;
    char done[64], place[128];
    if (!progress_due(&r->progress))
        return;
    gpu_reached(r->machine->gpu, &at);
    gpu_stats(r->machine->gpu, &s);
    print_done(r, &at, done, sizeof done);
    print_place(&at, r->machine->workload->launches, place, sizeof place);
    progress_line(&r->progress, "%s%s: %s%s, %.3g M cycles, %.3g M instructions, %.0f cycles/s",
                  r->workload, r->pass, done, place, 1e-6 * (double)at.cycles,
                  1e-6 * (double)s.v[STAT_warp_insts],
                  (double)at.cycles / progress_seconds(&r->progress));
}

static void take_sample(void *ctx, const struct stats *totals) {
    struct run *r = ctx;
    series_row(&r->series, totals);
}

static void take_kernel(void *ctx, uint64_t launch, const char *name, const struct stats *during) {
    struct run *r = ctx;
    detail_kernel(&r->detail, launch, name, during);
}

/* ---- The verdict ---- */

/* The run's end as the report and the exit code have it; `line` says why, if it is not good. */
struct verdict {
    int code;
    const char *end;
    char line[1200];
};

static struct verdict verdict_of(int code, const char *end, const char *what, const char *why) {
    struct verdict v = {.code = code, .end = end};
    snprintf(v.line, sizeof v.line, "%s%s%s", what, why ? ": " : "", why ? why : "");
    return v;
}

/* What went wrong with the data: as the check saw it, or else the memory system itself. NULL:
 * nothing. */
static const char *data_failure(const struct machine *m) {
    const char *seen = m->check ? check_failure(m->check) : NULL;
    const char *broken = gpu_error(m->gpu);
    return seen ? seen : broken && broken[0] ? broken : NULL;
}

/* All kernels have run: memory and results. */
static struct verdict judge_results(struct machine *m) {
    char why[1024];
    if (m->check) {
        check_final(m->check, gpu_read_line, m->gpu);
        if (data_failure(m))
            return verdict_of(EXIT_CHECK, "check_failed", "data check failed", data_failure(m));
    }
    if (m->workload->verify(m->workload, why, sizeof why))
        return verdict_of(EXIT_CHECK, "wrong_result", "results are wrong", why);
    if (!gpu_plant_made(m->gpu))
        return verdict_of(EXIT_USAGE, "not_planted",
                          "sim.plant: the run gave no opportunity for this fault", NULL);
    return verdict_of(EXIT_GOOD, "done", "", NULL);
}

/* Something outside the machine has ended the run: what, and where it was. */
static struct verdict judge_stop(const struct machine *m) {
    struct gpu_reached at;
    char where[256], place[128];
    gpu_reached(m->gpu, &at);
    print_place(&at, m->workload->launches, place, sizeof place);
    snprintf(where, sizeof where, "in SM cycle %" PRIu64 ", %s", at.cycles, place);
    if (interrupted())
        return verdict_of(interrupted(), "interrupted", "interrupted", where);
    if (time_is_up())
        return verdict_of(EXIT_GOOD, "time_limit", "cut off by --max-time, results not verified",
                          where);
    return verdict_of(EXIT_GOOD, "cut_off", "cut off at sim.max_cycles, results not verified",
                      where);
}

static struct verdict judge(struct machine *m, const struct run *r, enum gpu_end end) {
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
        if (m->workload->error && m->workload->error(m->workload))
            return verdict_of(EXIT_USAGE, "bad_trace", m->workload->error(m->workload), NULL);
        return verdict_of(EXIT_USAGE, "bad_launch", r->workload, gpu_error(m->gpu));
    case GPU_INTERNAL:
        return verdict_of(EXIT_INTERNAL, "internal", "internal error", gpu_error(m->gpu));
    case GPU_STOPPED:
        return judge_stop(m);
    }
    return verdict_of(EXIT_INTERNAL, "internal", "the simulation ended in an unknown way", NULL);
}

static void fill_lockstep(struct report *p, const struct harness *h) {
    const struct harness_count all = harness_count(h, NULL);
    p->lockstep.twins = all.twins;
    p->lockstep.cycles = all.cycles;
    p->lockstep.evaluated = all.evaluated;
    p->lockstep.mismatches = all.mismatches;
    p->lockstep.n_blocks = 0;
    for (const struct block_type *const *t = block_types; *t; t++) {
        struct report_block *b = &p->lockstep.blocks[p->lockstep.n_blocks];
        b->block = (*t)->name;
        b->count = harness_count(h, *t);
        p->lockstep.n_blocks += b->count.twins > 0;
    }
}

static void fill_report(struct run *r, const struct machine *m, const struct verdict *v,
                        enum gpu_end end) {
    struct report *p = &r->report;
    p->end = v->end;
    p->complete = end == GPU_DONE;
    gpu_reached(m->gpu, &p->at);
    p->launches = m->workload->launches;
    p->ctas = m->workload->launches == 1 ? p->at.grid : m->workload->ctas;
    gpu_stats(m->gpu, &p->stats);
    fill_lockstep(p, m->harness);
    p->check.enabled = m->check != NULL;
    if (m->check) {
        p->check.loads = check_loads_checked(m->check);
        p->check.bytes = check_bytes_checked(m->check);
    }
    p->check.failure = data_failure(m);
    p->verified = !p->trace && strcmp(v->end, "done") == 0;
    if (!r->opts->detail)
        return;
    detail_parts(&r->detail, m->gpu);
    p->detail = &r->detail;
}

/* ---- A mismatch ---- */

/* Runs once more, up to the cycle of the mismatch, with the instance's inputs recorded. */
static int record_replay(struct run *r, const struct mismatch *first, uint64_t sm_cycles,
                         const char *path) {
    struct machine m;
    r->pass = ", again to record it";
    r->pass_no = 0;
    r->passes = 1;
    progress_begin(&r->progress, r->opts->quiet);
    /* Clocks stand now as they stood when the first run stopped: a few cycles more are enough. */
    r->cfg.sim_max_cycles = (int64_t)sm_cycles + 4;
    time_limit(0);
    r->stop = interrupted() != 0;
    int result = machine_init(&m, r);
    struct block_inst *inst = result == 0 ? twins_find(&m.choice, first->instance) : NULL;
    if (inst)
        result = harness_record(m.harness, inst, path, first->cycle, r->err, sizeof r->err);
    const struct gpu_monitor monitor = {.ctx = r, .progress = show_progress};
    if (inst && result == 0)
        gpu_run(m.gpu, m.workload, &r->stop, &monitor);
    machine_free(&m);
    if (result == 0 && access(path, R_OK) != 0) {
        snprintf(r->err, sizeof r->err, "the second run did not get to cycle %" PRIu64,
                 first->cycle);
        return -1;
    }
    return result;
}

/* FNV-1a, with an end that tells "a", "b" from "ab". */
static void hash_text(uint32_t *hash, const char *text) {
    for (; *text; text++)
        *hash = (*hash ^ (unsigned char)*text) * 0x01000193u;
    *hash = (*hash ^ 0xff) * 0x01000193u;
}

static void hash_key(void *ctx, const char *section, const char *key, const char *value,
                     const char *doc) {
    (void)doc;
    hash_text(ctx, section);
    hash_text(ctx, key);
    hash_text(ctx, value);
}

/* The last part of a path, without an extension of four; what is no good in a file name is '_'. */
static void plain_name(const char *path, char *buf, size_t size) {
    const char *slash = strrchr(path, '/');
    size_t len = (size_t)snprintf(buf, size, "%s", slash ? slash + 1 : path);
    if (len < size && len > 4 && buf[len - 4] == '.')
        buf[len - 4] = '\0';
    for (; *buf; buf++)
        if (!isalnum((unsigned char)*buf) && !strchr("._", *buf))
            *buf = '_';
}

/* "memtwin-atax_64-tiny-1a2b3c4d-l1d.0.mshr-1234.vec": the hash is of the machine, the workload or
 * trace and the twins, so that another run writes to another file and the same run to the same. */
static void name_replay(const struct run *r, const struct mismatch *first, char *buf, size_t size) {
    const struct run_opts *o = r->opts;
    uint32_t hash = 0x811c9dc5u;
    char workload[32], config[32], folder[4096];
    config_each(&r->cfg, hash_key, &hash);
    hash_text(&hash, o->trace ? o->trace : r->workload);
    for (size_t i = 0; i < o->twins.n; i++)
        hash_text(&hash, o->twins.text[i]);
    snprintf(folder, sizeof folder, "%s", o->trace ? o->trace : r->workload);
    char *slash = o->trace ? strrchr(folder, '/') : NULL; /* a list is known by its folder */
    if (slash && slash != folder)
        *slash = '\0';
    plain_name(folder, workload, sizeof workload);
    plain_name(o->config, config, sizeof config);
    snprintf(buf, size, "memtwin-%s-%s-%08" PRIx32 "-%s-%" PRIu64 ".vec", workload, config, hash,
             first->instance, first->cycle);
}

static int report_mismatch(struct run *r, const struct mismatch *first) {
    char name[BLOCK_NAME_MAX + 128], path[4096];
    struct config cfg = r->cfg;
    const char *json = r->opts->json;
    name_replay(r, first, name, sizeof name);
    int failed = paths_beside(json && !is_stream(json) ? json : NULL, name, path, sizeof path);
    if (failed)
        snprintf(r->err, sizeof r->err, "its path is too long");
    else
        failed = record_replay(r, first, r->report.stats.v[STAT_cycles], path);
    r->cfg = cfg;
    progress_end(&r->progress);
    harness_print_mismatch(first, failed ? NULL : path, stderr);
    if (failed)
        usage_error(r->opts->command, "no replay file: %s", r->err);
    return EXIT_MISMATCH;
}

/* ---- The first pass ---- */

/* The same machine with all pages in GPU memory once they have been faulted on. */
static struct config first_pass_config(const struct config *cfg) {
    struct config c = *cfg;
    c.uvm_memory_pages = c.uvm_memory_percent = 0;
    c.sim_plant = PLANT_NONE;
    strcpy(c.uvm_evict, "lru");
    strcpy(c.uvm_prefetch, "none");
    strcpy(c.uvm_prefetch_full, "none");
    return c;
}

/* How a first pass ended that the run cannot go on from. Out of time it goes on, to the second
 * one's first cycle, and says so. */
static int conclude_first(struct run *r, struct machine *m, enum gpu_end end) {
    struct verdict v = judge(m, r, end);
    if (v.code == EXIT_GOOD) {
        if (time_is_up())
            usage_error(r->opts->command, "first pass: %s", v.line);
        return EXIT_GOOD;
    }
    usage_error(r->opts->command, "first pass: %s", v.line);
    if (v.code == EXIT_NO_PROGRESS)
        gpu_dump(m->gpu, stderr);
    return v.code;
}

int run_first_pass(struct run *r) {
    const struct config cfg = first_pass_config(&r->cfg);
    const struct gpu_monitor monitor = {.ctx = r, .progress = show_progress};
    struct machine m = {0};
    int code;
    r->book = book_create();
    r->pass = ", first pass";
    progress_begin(&r->progress, r->opts->quiet);
    if (!r->book || machine_make(&m, r, &cfg) != 0) {
        code = usage_error(r->opts->command, "%s", r->book ? r->err : "out of memory");
    } else {
        enum gpu_end end = gpu_run(m.gpu, m.workload, &r->stop, &monitor);
        progress_end(&r->progress);
        code = conclude_first(r, &m, end);
    }
    machine_free(&m);
    r->pass = ", second pass";
    r->pass_no = 1;
    return code;
}

/* ---- The run ---- */

/* The files that were asked for. One that cannot be written costs none of the others. */
static int write_files(struct run *r, const struct machine *m) {
    const struct run_opts *o = r->opts;
    int code = EXIT_GOOD;
    if (r->detail.lost) {
        code = usage_error(o->command, "out of memory for the detail: it is left out");
        r->report.detail = NULL;
    }
    while (harness_end_recordings(m->harness, true, r->err, sizeof r->err))
        code = usage_error(o->command, "cannot write %s", r->err);
    if (o->json && report_json(&r->report, o->json, r->err, sizeof r->err))
        code = usage_error(o->command, "%s", r->err);
    if (o->csv && report_csv(&r->report, o->csv, r->err, sizeof r->err))
        code = usage_error(o->command, "%s", r->err);
    if (o->series && series_end(&r->series, r->report.complete, r->err, sizeof r->err))
        code = usage_error(o->command, "cannot write %s", r->err);
    return code;
}

/* Standard output belongs to a file that was asked for there. */
static bool writes_stdout(const struct run_opts *o) {
    for (size_t i = 0; i < run_files(o); i++)
        if (run_file(o, i) && is_stdout(run_file(o, i)))
            return true;
    return false;
}

static void print_report(const struct run *r) {
    FILE *out = writes_stdout(r->opts) ? stderr : stdout;
    if (r->opts->quiet)
        report_summary(&r->report, out);
    else
        screen_print(&r->report, r->opts->stats, r->opts->zeros, out);
    fflush(out);
}

static int conclude(struct run *r, struct machine *m, enum gpu_end end) {
    struct verdict v = judge(m, r, end);
    fill_report(r, m, &v, end);
    if (v.code == EXIT_USAGE) { /* an error of the input may come after hours */
        if (r->report.at.cycles)
            write_files(r, m);
        return usage_error(r->opts->command, "%s", v.line);
    }
    print_report(r);
    int files = write_files(r, m);
    if (v.code == EXIT_MISMATCH)
        return report_mismatch(r, harness_first_mismatch(m->harness));
    if (v.line[0])
        usage_error(r->opts->command, "%s", v.line);
    if (v.code == EXIT_NO_PROGRESS)
        gpu_dump(m->gpu, stderr);
    return v.code == EXIT_GOOD ? files : v.code;
}

/* From the first cycle to the verdict. */
static int simulate(struct run *r, struct machine *m) {
    const struct gpu_monitor monitor = {.ctx = r,
                                        .progress = show_progress,
                                        .sample = take_sample,
                                        .sample_cycles = r->opts->sample,
                                        .kernel = r->opts->detail ? take_kernel : NULL};
    progress_begin(&r->progress, r->opts->quiet);
    enum gpu_end end = gpu_run(m->gpu, m->workload, &r->stop, &monitor);
    r->report.seconds = progress_seconds(&r->progress);
    progress_end(&r->progress);
    return conclude(r, m, end);
}

int run_simulate(struct run *r) {
    struct machine m;
    int code;
    progress_begin(&r->progress, r->opts->quiet);
    if (machine_init(&m, r)) {
        code = usage_error(r->opts->command, "%s", r->err);
    } else {
        int unrecorded = twins_record(&m.choice, m.harness, r->opts->records.text,
                                      r->opts->records.n, r->err, sizeof r->err);
        int failed =
            unrecorded || twins_attach(&m.choice, m.harness, show_attach, r, r->err, sizeof r->err);
        progress_end(&r->progress);
        if (unrecorded) {
            code = usage_error(r->opts->command, "%s", r->err);
        } else if (failed && !(time_is_up() && !interrupted())) {
            usage_error(r->opts->command, "%s", r->err);
            code = interrupted() ? interrupted() : EXIT_USAGE;
        } else {
            code = simulate(r, &m);
        }
    }
    if (m.harness)
        harness_end_recordings(m.harness, false, r->err, sizeof r->err);
    machine_free(&m);
    return code;
}
