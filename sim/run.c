// SPDX-License-Identifier: Apache-2.0
#include "run.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "check/check.h"
#include "commands.h"
#include "context/context.h"
#include "gpu/gpu.h"
#include "harness/harness.h"
#include "lib/message.h"
#include "os/path.h"
#include "machine.h"
#include "mismatch.h"
#include "screen.h"
#include "twins.h"
#include "trace/reader.h"
#include "uvm/uvm.h"
#include "verdict.h"

#define BAD_KERNELS 10 /* maximum number of bad kernels that a run names on the screen */
enum { RESULTS = 5 };  /* number of files other than recordings */

size_t run_files(const struct run_opts *o) {
    return RESULTS + o->records.n;
}

const char *run_file(const struct run_opts *o, size_t i) {
    const char *out[RESULTS] = {o->json, o->csv, o->series, o->timeline, o->loads};
    if (i < RESULTS)
        return out[i];
    const char *name = strchr(o->records.text[i - RESULTS], '=');
    return name ? name + 1 : NULL;
}

void run_show_warning(void *ctx, const char *line) {
    const struct run *r = ctx;
    if (!r->opts->identity)
        warning_print(r->opts->command, "%s", line);
}

const char *run_skip_hint(const struct run *r) {
    const bool useful = r->trace.listed > 1 && !r->opts->skip_bad && !interrupted();
    return useful ? " (memtwin run --skip-bad leaves out bad kernels)" : "";
}

static void show_attach(void *ctx, const char *instance) {
    struct run *r = ctx;
    if (progress_due(&r->progress))
        progress_line(&r->progress, "attaching the twin of %s", instance);
}

/* ---- Progress ---- */

/* Number of CTAs that must have ended before a fraction of them is shown. A few CTAs, which run at
 * the same time, also end at the same time. */
#define CTAS_FIRST 10

/* Returns the fraction of the pass that is done, which never decreases, and in *unit its unit; 0 if
 * it is not known. */
static double done_of_pass(const struct run *r, const struct gpu_reached *progress_at,
                           const char **unit) {
    const struct workload_set *w = &r->machine->workloads;
    const struct progress_of reached = {.ctas = workload_set_ctas(w),
                                        .launches = workload_set_launches(w),
                                        .all_done = progress_at->all_ctas,
                                        .launch = progress_at->launch,
                                        .done = progress_at->ctas,
                                        .of = progress_at->grid};
    double done = progress_at->all_ctas < CTAS_FIRST ? 0 : progress_done(&reached), cut = 0;
    if (r->cfg.sim_max_cycles)
        cut = (double)progress_at->cycles / (double)r->cfg.sim_max_cycles;
    *unit = cut > done ? "the cycle limit" : progress_unit(&reached);
    done = cut > done ? cut : done;
    return done < 1 ? done : 1;
}

/* Prints "12 % of CTAs, 3:45 left, ", or nothing if the total is not known. */
static void print_done(struct run *r, const struct gpu_reached *progress_at, char *buf,
                       size_t size) {
    const char *unit;
    double done = done_of_pass(r, progress_at, &unit);
    double left = progress_predict(&r->progress, done, r->passes - r->pass_no);
    done = (r->pass_no + done) / r->passes;
    if (r->opts->max_time) {
        double limit = (double)r->opts->max_time, used = progress_seconds(&r->command_progress);
        left = left < 0 || limit - used < left ? limit - used : left;
        unit = used / limit > done ? "the time limit" : unit;
        done = used / limit > done ? used / limit : done;
    }
    progress_left(done, unit, left, buf, size);
}

void run_show_progress(void *ctx) {
    struct run *r = ctx;
    struct gpu_reached progress_at;
    struct stats s;
    char done[64], place[128];
    if (!progress_due(&r->progress))
        return;
    gpu_reached(r->machine->gpu, &progress_at);
    gpu_stats(r->machine->gpu, &s);
    print_done(r, &progress_at, done, sizeof done);
    print_place(&progress_at, workload_set_launches(&r->machine->workloads), place, sizeof place);
    progress_line(&r->progress, "%s%s: %s%s, %.3g M cycles, %.3g M instructions, %.0f cycles/s",
                  r->workload, r->pass, done, place, 1e-6 * (double)progress_at.cycles,
                  1e-6 * (double)s.v[STAT_warp_insts],
                  (double)progress_at.cycles / progress_seconds(&r->progress));
}

static void take_sample(void *ctx, const struct stats *totals) {
    struct run *r = ctx;
    series_row(&r->series, r->machine->gpu, totals);
}

static uint64_t look_at_gauges(void *ctx, uint64_t cycle) {
    struct run *r = ctx;
    uint64_t next = r->timeline ? timeline_look(r->timeline, cycle) : UINT64_MAX;
    uint64_t sample = r->opts->json_series ? gauge_series_look(&r->gauges, cycle) : UINT64_MAX;
    return next < sample ? next : sample;
}

/* Prints what has happened since the last kernel ended: kernels may overlap. */
static void print_kernel(struct run *r, uint64_t launch, const char *name) {
    struct stats now, since;
    gpu_stats(r->machine->gpu, &now);
    stats_difference(&since, &now, &r->accelsim.totals);
    accelsim_kernel(&r->accelsim, launch, name, &since);
}

static void take_kernel(void *ctx, uint64_t launch, const char *name, const struct stats *during) {
    struct run *r = ctx;
    if (r->opts->stats == STATS_ACCELSIM)
        print_kernel(r, launch, name);
    if (r->workloads == 1 && !r->overlaps)
        kernel_sums_add(&r->kernels, name, during);
    if (r->opts->detail)
        detail_kernel(&r->detail, launch, name, during, &r->trace);
    if (r->opts->json_series)
        gauge_series_kernel(&r->gauges, launch, name, during);
}

static void fill_lockstep(struct report *p, const struct harness *h) {
    p->lockstep.all = harness_count(h, NULL);
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
    p->contents = p->trace ? &r->trace : NULL;
    gpu_reached(m->gpu, &p->reached);
    p->launches = workload_set_launches(&m->workloads);
    p->ctas = p->launches == 1 ? p->reached.grid : workload_set_ctas(&m->workloads);
    gpu_stats(m->gpu, &p->stats);
    fill_lockstep(p, m->harness);
    p->check.enabled = m->check != NULL;
    if (m->check) {
        p->check.loads = check_loads_checked(m->check);
        p->check.bytes = check_bytes_checked(m->check);
    }
    p->check.failure = data_failure(m);
    p->verified =
        !p->trace && strcmp(v->end, "done") == 0 && !workload_set_unverifiable(&m->workloads);
    if (r->opts->json_series) {
        gauge_series_end(&r->gauges);
        p->series = &r->gauges;
    }
    if (m->workloads.n > 1)
        detail_streams(&r->detail, m->gpu, r->workload, m->workloads.n);
    if (r->overlaps)
        detail_trace_streams(&r->detail, m->gpu, &r->trace);
    if (r->opts->detail)
        detail_parts(&r->detail, m->gpu);
    p->kernels = &r->kernels;
    if (r->opts->detail || m->workloads.n > 1 || r->overlaps)
        p->detail = &r->detail;
}

static enum gpu_end run_machine(struct run *r, struct machine *m,
                                const struct gpu_monitor *monitor) {
    return gpu_run_streams(m->gpu, m->workloads.w, &r->stop, monitor);
}

/* ---- First pass ---- */

/* Returns the configuration of the first pass, in which all pages fit in GPU memory. */
static struct config first_pass_config(const struct config *cfg) {
    struct config c = *cfg;
    c.uvm_memory_pages = c.uvm_memory_percent = 0;
    c.sim_planted_fault = PLANT_NONE;
    c.uvm_user_prefetch = USER_PREFETCH_NONE;
    strcpy(c.uvm_evict, "lru");
    strcpy(c.uvm_prefetch, "none");
    strcpy(c.uvm_prefetch_full, "none");
    config_reset(&c, "cap");
    config_reset(&c, "ture");
    return c;
}

/* Returns the exit code if the run cannot continue after the first pass, else EXIT_GOOD. After a
 * time limit or an interrupt, the run continues to the first cycle of the second pass, which
 * reports the stop and writes the files. */
static int conclude_first(struct run *r, struct machine *m, enum gpu_end end) {
    struct verdict v = judge(m, r, end);
    if (v.code == EXIT_GOOD && !stop_asked())
        return EXIT_GOOD;
    if (v.code == EXIT_GOOD || v.code == interrupted()) {
        note_print(r->opts->command, "first pass: %s", v.line);
        return EXIT_GOOD;
    }
    error_print(v.code, r->opts->command, "first pass: %s", v.line);
    if (v.code == EXIT_NO_PROGRESS)
        gpu_dump(m->gpu, stderr);
    return v.code;
}

int run_first_pass(struct run *r) {
    const struct config cfg = first_pass_config(&r->cfg);
    const struct gpu_monitor monitor = {.ctx = r, .progress = run_show_progress};
    struct machine m = {0};
    int code;
    r->book = book_create();
    r->pass = ", first pass";
    progress_begin(&r->progress, r->opts->quiet);
    if (machine_make(&m, r, &cfg) != 0) {
        code = error_print(EXIT_USAGE, r->opts->command, "%s", r->err.text);
    } else {
        enum gpu_end end = run_machine(r, &m, &monitor);
        progress_end(&r->progress);
        code = conclude_first(r, &m, end);
    }
    machine_free(&m);
    r->pass = ", second pass";
    r->pass_no = 1;
    return code;
}

/* ---- Run ---- */

/* Says that the file of loads has no load, and why. */
static void note_no_loads(const struct run_opts *o, uint64_t seen) {
    if (o->loads_range)
        note_print(o->command, "%s: no load met --loads-at %s (%" PRIu64 " load%s in total)",
                   o->loads, o->loads_range, seen, message_plural(seen));
    else
        note_print(o->command, "%s: the run had no loads", o->loads);
}

static int write_loads(struct run *r, const struct machine *m) {
    const struct run_opts *o = r->opts;
    uint64_t seen;
    const bool empty = loads_empty(r->loads, &seen);
    struct loads *l = r->loads;
    r->loads = NULL;
    if (loads_end(l, &r->report, m->gpu, o, &r->err))
        return error_print(EXIT_USAGE, o->command, "cannot write %s", r->err.text);
    if (empty)
        note_no_loads(o, seen);
    return EXIT_GOOD;
}

/* Writes the result files. Failure to write one file does not affect the others. */
static int write_files(struct run *r, const struct machine *m) {
    const struct run_opts *o = r->opts;
    int code = EXIT_GOOD;
    while (harness_end_recordings(m->harness, true, &r->err))
        code = error_print(EXIT_USAGE, o->command, "cannot write %s", r->err.text);
    if (o->json && report_json(&r->report, o->json, &r->err))
        code = error_print(EXIT_USAGE, o->command, "%s", r->err.text);
    if (o->csv && report_csv(&r->report, o->csv, &r->err))
        code = error_print(EXIT_USAGE, o->command, "%s", r->err.text);
    if (o->series && series_end(&r->series, r->report.complete, &r->err))
        code = error_print(EXIT_USAGE, o->command, "cannot write %s", r->err.text);
    if (r->timeline && timeline_end(r->timeline, &r->report, &r->err))
        code = error_print(EXIT_USAGE, o->command, "cannot write %s", r->err.text);
    r->timeline = NULL;
    if (r->loads && write_loads(r, m) != EXIT_GOOD)
        code = EXIT_USAGE;
    return code;
}

/* Returns true if a result goes to standard output. Nothing else may then be printed there. */
static bool writes_stdout(const struct run_opts *o) {
    for (size_t i = 0; i < run_files(o); i++)
        if (run_file(o, i) && is_stdout(run_file(o, i)))
            return true;
    return false;
}

static FILE *report_stream(const struct run_opts *o) {
    return writes_stdout(o) ? stderr : stdout;
}

/* Prints the kernel in which the run ended before its end, and the last lines. */
static void print_accelsim(struct run *r) {
    struct stats rest;
    stats_difference(&rest, &r->report.stats, &r->accelsim.totals);
    const bool cut_off = !r->report.complete && r->report.reached.kernel[0];
    if (cut_off)
        accelsim_kernel(&r->accelsim, r->report.reached.launch - 1, r->report.reached.kernel,
                        &rest);
    accelsim_end(&r->accelsim, r->report.seconds, cut_off);
}

static void print_report(struct run *r) {
    FILE *out = report_stream(r->opts);
    if (r->opts->stats == STATS_ACCELSIM)
        print_accelsim(r);
    else if (r->opts->quiet)
        report_summary(&r->report, out);
    else
        screen_print(&r->report, r->opts->stats != STATS_NONE, r->opts->stats == STATS_ZEROS, out);
    fflush(out);
}

static int conclude(struct run *r, struct machine *m, enum gpu_end end) {
    struct verdict v = judge(m, r, end);
    if (r->opts->trace)
        trace_note_odd(m->workloads.w[0]);
    fill_report(r, m, &v, end);
    if (v.code == EXIT_USAGE) { /* an input error may occur after hours, so the results are kept */
        if (r->report.reached.cycles)
            write_files(r, m);
        trace_warn_odd(&r->trace, run_show_warning, r);
        return error_print(v.code, r->opts->command, "%s%s", v.line,
                           strcmp(v.end, "bad_trace") == 0 ? run_skip_hint(r) : "");
    }
    print_report(r);
    trace_warn_odd(&r->trace, run_show_warning, r);
    trace_warn_left_out(&r->trace, BAD_KERNELS, run_show_warning, r);
    int files = write_files(r, m);
    if (v.code == EXIT_MISMATCH)
        return report_mismatch(r, harness_first_mismatch(m->harness));
    if (v.line[0] && v.code == EXIT_GOOD)
        note_print(r->opts->command, "%s", v.line);
    else if (v.line[0])
        error_print(v.code, r->opts->command, "%s", v.line);
    if (v.code == EXIT_NO_PROGRESS)
        gpu_dump(m->gpu, stderr);
    if (v.code != EXIT_GOOD || files != EXIT_GOOD)
        return v.code != EXIT_GOOD ? v.code : files;
    return r->trace.n_left_out ? EXIT_LEFT_OUT : EXIT_GOOD;
}

static const struct watcher *begin_watch(struct run *r, struct gpu *gpu) {
    if (!r->timeline)
        return NULL;
    timeline_of(r->timeline, gpu);
    return timeline_watcher(r->timeline);
}

/* Simulates from the first cycle to the verdict. */
static int simulate_machine(struct run *r, struct machine *m) {
    const struct run_opts *o = r->opts;
    const struct gpu_monitor monitor = {
        .ctx = r,
        .progress = run_show_progress,
        .sample = take_sample,
        .sample_cycles = o->sample,
        .kernel = take_kernel,
        .watcher = begin_watch(r, m->gpu),
        .loads = r->loads ? loads_watcher(r->loads) : NULL,
        .look = r->timeline || o->json_series ? look_at_gauges : NULL,
        .banks = r->timeline && timeline_has_banks(r->timeline, r->report.cfg)};
    if (o->json_series)
        gauge_series_begin(&r->gauges, m->gpu, (uint32_t)r->report.cfg->dram_banks);
    if (o->stats == STATS_ACCELSIM)
        accelsim_begin(&r->accelsim, report_stream(o), &r->cfg);
    progress_begin(&r->progress, r->opts->quiet);
    enum gpu_end end = run_machine(r, m, &monitor);
    r->report.seconds = progress_seconds(&r->progress);
    progress_end(&r->progress);
    return conclude(r, m, end);
}

int run_simulate(struct run *r) {
    struct machine m;
    int code;
    progress_begin(&r->progress, r->opts->quiet);
    if (machine_init(&m, r)) {
        code = error_print(EXIT_USAGE, r->opts->command, "%s", r->err.text);
    } else {
        int unrecorded =
            twins_record(&m.choice, m.harness, r->opts->records.text, r->opts->records.n, &r->err);
        int failed = unrecorded || twins_attach(&m.choice, m.harness, show_attach, r, &r->err);
        progress_end(&r->progress);
        if (unrecorded) {
            code = error_print(EXIT_USAGE, r->opts->command, "%s", r->err.text);
        } else if (failed && !stop_asked()) {
            code = error_print(EXIT_USAGE, r->opts->command, "%s", r->err.text);
        } else {
            code = simulate_machine(r, &m);
        }
    }
    if (m.harness)
        harness_end_recordings(m.harness, false, &r->err);
    machine_free(&m);
    return code;
}
