// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "gpu/gpu.h"
#include "os/path.h"
#include "identity.h"
#include "options.h"
#include "paths.h"
#include "run.h"
#include "settings.h"
#include "uvm/uvm.h"
#include "workload_set.h"

/* ---- Command line ---- */

/* Takes the form of the statistics; NULL stands for "all". */
static int take_stats(const char *command, const struct option_row *row, void *to, char *text) {
    static const char *const forms[] = {
        [STATS_ALL] = "all", [STATS_ZEROS] = "zeros", [STATS_ACCELSIM] = "accelsim"};
    (void)row;
    for (int i = STATS_ALL; i <= STATS_ACCELSIM; i++)
        if (strcmp(text ? text : "all", forms[i]) == 0) {
            *(enum run_stats *)to = (enum run_stats)i;
            return EXIT_GOOD;
        }
    return usage_error(command, "--stats %s: expected all, zeros or accelsim", text);
}

#define ROW(...) OPTION(struct run_opts, __VA_ARGS__)
#define ROWS(...) MANY(struct run_opts, __VA_ARGS__)
static const struct option_row table[] = {
    ROW('c', "config", "CONFIG", take_text, config,
        "name (memtwin list configs) or path of an INI file, or -: standard\n"
        "input"),
    ROWS('w', "workload", "W[:SIZE]", take_list, workloads,
         "memtwin list workloads names them and explains SIZE; up to four, each with\n"
         "its own -w or joined by +, run concurrently (cke.partition)"),
    ROW('t', "trace", "TRACE", take_text, trace,
        "Accel-Sim trace: kernelslist.g, its folder, or one .traceg, plain\n"
        "or compressed (memtwin trace --help); -: standard input"),
    ROW(0, "kernels", "LIST", take_text, kernels, KERNELS_HELP),
    ROW(0, "strict", NULL, take_flag, strict,
        "a kernel is bad if the model differs from one of its lines"),
    ROW(0, "skip-bad", NULL, take_flag, skip_bad,
        "leave out kernels of the trace that cannot be read or do not fit on an SM,\n"
        "instead of stopping; each is named at the end and in the JSON file, and the\n"
        "run exits with 6. Every file is read once more before the first cycle"),
    NUMBER(struct run_opts, "repeat", "N", 1, 1000, repeat,
           "run each launch N times in a row, up to 1000; results are verified if a\n"
           "repeated launch does not change them"),
    ROWS('s', "set", "SECTION.KEY=V", take_list, sets,
         "set a key (memtwin list keys); if a key is repeated, the last value wins"),
    ROWS(0, "twin", "PATTERN[:MODE]", take_list, twins,
         "attach the Verilog to the instances that match PATTERN ('l2.*.mshr')\n"
         "or to all instances of a block (dl_mshr); separate several patterns by commas;\n"
         "if two patterns match an instance, the last one applies.\n"
         "MODE lockstep (default) compares every output in every cycle;\n"
         "drive also feeds the Verilog's outputs to the system"),
    ROWS(0, "record", "INSTANCE=FILE", take_list, records,
         "write the ports of the instance in each cycle to a vector file\n"
         "(memtwin replay --help)"),
    ROW(0, "check", NULL, take_flag, check,
        "check every byte from store to load (exit 4 on an error)"),
    ROW(0, "json", "FILE", take_text, json, "write the results to FILE as JSON"),
    ROW(0, "csv", "FILE", take_text, csv, "write the statistics to FILE as CSV, one per row"),
    ROW(0, "detail", NULL, take_flag, detail,
        "add statistics of each kernel, SM, L2 bank and DRAM channel to the\n"
        "JSON and CSV files"),
    NUMBER(struct run_opts, "sample", "N", 1, 0, sample,
           "write the statistics of the last N SM cycles, every N SM cycles, .."),
    ROW(0, "series", "FILE", take_text, series,
        ".. to this CSV file, with a column for each statistic"),
    ROW(0, "json-series", NULL, take_flag, json_series,
        "add a time series of up to 400 samples to the JSON file: kernels, miss\n"
        "rates, and the occupancy of queues, MSHRs and each channel's DRAM banks"),
    ROW(0, "timeline", "FILE", take_text, timeline,
        "write a timeline for ui.perfetto.dev: kernels, CTAs, far-faults, PCIe\n"
        "transfers, and occupancy of queues, MSHRs and DRAM banks; .gz: compressed"),
    NUMBER(struct run_opts, "timeline-size", "MIB", 1, 65536, timeline_mib,
           ".. of at most this size before compression (default: 64); a larger timeline\n"
           "is thinned, and the file says by how much"),
    ROW(0, "loads", "FILE", take_text, loads,
        "write single loads, with the cycles that each spent in each queue; memtwin\n"
        "report FILE shows them. A long run keeps samples, and the file says which"),
    ROW(0, "loads-at", "FROM-TO", take_text, loads_range,
        ".. and keeps only loads at addresses FROM to TO (0x80000000-0x800000ff)"),
    ROW(0, "max-time", "TIME", take_time, max_time,
        "stop after this many seconds (or 10m, 2h), as sim.max_cycles does"),
    ROW(0, "identity", NULL, take_flag, identity,
        "only print the identity of the result: a hash of the values of all\n"
        "keys, of the workload or the trace, and of the program"),
    OPTIONAL(struct run_opts, 0, "stats", "all|zeros|accelsim", take_stats, stats,
             "also print all statistics that are not 0 (all, default) or all of them\n"
             "(zeros), by part of the machine; or only print, after each kernel, the lines\n"
             "that Accel-Sim's get_stats.py reads (docs/use/output.md)"),
    ROW('q', "quiet", NULL, take_flag, quiet, "one line on standard output, no progress"),
    {0}};

static const char usage[] =
    "usage: memtwin run -c CONFIG (-w WORKLOAD[:SIZE] | -t TRACE) [OPTION]...\n";
static const char notes[] =
    "After a mismatch, the run exits with 3 and writes a replay file next to the JSON file or in\n"
    "the current folder: memtwin-WORKLOAD-CONFIG-HASH-INSTANCE-CYCLE.vec (HASH: of this command\n"
    "line). With FILE -, the report goes to standard error.\n"
    "\n"
    "SIGINT (Ctrl-C), SIGTERM and SIGHUP stop the run. Every file is written with the results so\n"
    "far; `complete` is false in it and `reached` says where the run stopped (CSV: rows of\n"
    "`run`; a series: the column `complete` of the last row); exit 130, 143 or 129. A signal\n"
    "while the trace is opened, and a second signal, end the program and nothing is written. An\n"
    "invalid trace stops the run in the same way; exit 1.\n";
static const struct command_line line = {.usage = usage, .table = table, .notes = notes};

static bool is_read(const struct run *r, const char *out) {
    return settings_has(&r->from, out) || paths_same(out, r->opts->trace);
}

/* Refuses results that would replace a file that the run reads, or each other. */
static int check_outputs(const struct run *r) {
    const struct run_opts *o = r->opts;
    for (size_t i = 0; i < run_files(o); i++) {
        const char *out = run_file(o, i);
        if (out && !is_stdout(out) && is_read(r, out))
            return usage_error(o->command, "%s would be overwritten, but this run reads it", out);
        for (size_t k = 0; k < i; k++)
            if (paths_same(out, run_file(o, k)))
                return usage_error(o->command, "%s is given for two outputs", out);
    }
    return EXIT_GOOD;
}

static int check_options(const struct run_opts *o) {
    uint64_t first, last;
    if (o->trace && o->workloads.n)
        return usage_error(o->command, "use either -w %s or -t %s", o->workloads.text[0], o->trace);
    if (!o->trace && (o->kernels || o->skip_bad || o->strict))
        return usage_error(o->command, "--%s works only with a trace: use -t TRACE",
                           o->kernels    ? "kernels"
                           : o->skip_bad ? "skip-bad"
                                         : "strict");
    if (o->trace && o->repeat)
        return usage_error(o->command, "--repeat works only with workloads, not with -t %s",
                           o->trace);
    if (!o->config)
        return usage_error(o->command,
                           "no configuration: use -c CONFIG (see memtwin list configs)");
    if (o->quiet && o->stats)
        return usage_error(o->command, "use either -q or --stats");
    if (o->stats == STATS_ACCELSIM && o->workloads.n > 1)
        return usage_error(o->command, "--stats accelsim: expected one workload, not several");
    if (!o->sample != !o->series)
        return usage_error(o->command, "--sample N and --series FILE must be used together");
    if (o->timeline_mib && !o->timeline)
        return usage_error(o->command, "--timeline-size needs --timeline FILE");
    if (o->loads_range && !o->loads)
        return usage_error(o->command, "--loads-at needs --loads FILE");
    if (o->loads_range && !loads_range(o->loads_range, &first, &last))
        return usage_error(o->command, "--loads-at %s: expected FROM-TO, two addresses in order",
                           o->loads_range);
    if (o->detail && !o->json && !o->csv && !o->identity)
        return usage_error(o->command, "--detail needs --json or --csv");
    if (o->json_series && !o->json && !o->identity)
        return usage_error(o->command, "--json-series needs --json");
    if (!o->workloads.n && !o->trace)
        return usage_error(o->command,
                           "no workload: use -w WORKLOAD (see memtwin list workloads) or -t TRACE");
    if (o->trace && strcmp(o->trace, "-") == 0 && strcmp(o->config, "-") == 0)
        return usage_error(o->command, "-c - and -t - would both read standard input");
    return EXIT_GOOD;
}

static int read_config(struct run *r) {
    if (settings_read(r->opts->config, &r->opts->sets, &r->cfg, &r->from, &r->err))
        return -1;
    settings_warn(r->opts->command, &r->from);
    return 0;
}

/* Refuses results that would replace a file of the trace. */
static int check_trace_files(struct run *r) {
    for (size_t i = 0; i < run_files(r->opts); i++) {
        const char *out = run_file(r->opts, i);
        if (!out || is_stdout(out) || !trace_has(&r->trace, out))
            continue;
        return error_set(&r->err, "%s would be overwritten, but this run reads it", out);
    }
    return 0;
}

/* Checks that a kernel of the trace fits on an SM. */
static int check_launch(void *ctx, const struct kernel_launch *launch, struct error *err) {
    const struct run *r = ctx;
    return settings_check_launch(&r->cfg, &r->from, launch, err);
}

static int read_trace(struct run *r) {
    const struct trace_how how = {.kernels = r->opts->kernels,
                                  .skip_bad = r->opts->skip_bad,
                                  .read_all = r->opts->skip_bad,
                                  .strict = r->opts->strict,
                                  .check = check_launch,
                                  .warn = run_show_warning,
                                  .ctx = r};
    if (trace_find(&r->trace, r->opts->trace, &how, &r->err) || check_trace_files(r))
        return -1;
    const char *slash = strrchr(r->trace.path, '/');
    snprintf(r->workload, sizeof r->workload, "%s", slash ? slash + 1 : r->trace.path);
    return 0;
}

static int read_workload(struct run *r) {
    const struct text_list *w = &r->opts->workloads;
    char names[sizeof r->workload] = "";
    size_t used = 0;
    if (!w->n)
        return read_trace(r);
    for (size_t i = 0; i < w->n && used < sizeof names; i++)
        used +=
            (size_t)snprintf(names + used, sizeof names - used, "%s%s", i ? "+" : "", w->text[i]);
    if (used >= sizeof names)
        return error_set(&r->err, "the names of the workloads are too long: %.60s..", names);
    return workload_set_name(names, r->workload, sizeof r->workload, &r->err);
}

/* Decides whether kernels of the trace's streams run at once. */
static void choose_overlap(struct run *r) {
    struct error why, text;
    if (r->trace.n_streams < 2)
        return;
    r->overlaps = gpu_check_launches(&r->cfg, &why) == 0;
    if (r->overlaps)
        return;
    error_set(&text, "%.150s: warning: the kernels of %" PRIu32 " streams run one by one: %s",
              r->trace.path, r->trace.n_streams, why.text);
    run_show_warning(r, text.text);
}

/* Checks that the machine can run all the workloads concurrently. */
static int check_streams(struct run *r) {
    struct error why;
    r->workloads = r->opts->trace ? 1 : workload_set_count(r->workload);
    if (r->opts->trace && r->cfg.cke_restart)
        return error_set(&r->err,
                         "-t %s cannot be combined with cke.restart: a trace is read only once",
                         r->opts->trace);
    if (r->opts->repeat && r->cfg.cke_restart)
        return error_set(&r->err,
                         "--repeat %" PRIu64
                         " cannot be combined with cke.restart, which restarts launches forever",
                         r->opts->repeat);
    choose_overlap(r);
    if (gpu_check_streams(&r->cfg, r->workloads, &why) == 0)
        return 0;
    config_add_sources(&r->from, &why);
    return error_set(&r->err, "configuration %s: %s", r->opts->config, why.text);
}

/* Fills in the fields of the report that identify the run. Computes the identity if a result needs
 * it. For a trace, this requires reading all of its files. */
static int print_identity(struct run *r) {
    const struct run_opts *o = r->opts;
    struct report *p = &r->report;
    char repeat[32] = "";
    if (o->repeat > 1)
        snprintf(repeat, sizeof repeat, " --repeat %" PRIu64, o->repeat);
    snprintf(r->shown, sizeof r->shown, "%s%s", r->workload, repeat);
    p->cfg = &r->cfg;
    p->from = &r->from;
    p->config = o->config;
    p->workload = r->shown;
    p->trace = r->trace.path;
    p->trace_hash = r->trace_hash;
    p->identity = r->identity;
    if (!o->json && !o->csv && !o->series && !o->timeline && !o->loads && !o->identity)
        return 0;
    char program[HASH_SIZE];
    if (p->trace && trace_hash(&r->trace, r->trace_hash, &r->err))
        return -1;
    if (identity_program(program, &r->err))
        return -1;
    identity_of(&r->cfg, r->shown, p->trace ? r->trace_hash : NULL, program, r->identity);
    return 0;
}

/* Reports that the input cannot be read, or that a signal interrupted the reading. There are no
 * results yet. Returns the exit code. */
static int unread(const struct run *r) {
    return error_print(interrupted() ? interrupted() : EXIT_USAGE, r->opts->command, "%s%s",
                       r->err.text, r->trace.ends_bad ? run_skip_hint(r) : "");
}

/* Checks everything that can be checked before the first cycle. */
static int prepare_run(struct run *r) {
    if (read_config(r) || read_workload(r) || check_streams(r))
        return unread(r);
    if (check_outputs(r))
        return EXIT_USAGE;
    return print_identity(r) ? unread(r) : EXIT_GOOD;
}

static int simulate_run(struct run *r) {
    const struct run_opts *o = r->opts;
    int code = EXIT_GOOD;
    if ((o->json && report_writable(o->json, &r->err)) ||
        (o->csv && report_writable(o->csv, &r->err)))
        return error_print(EXIT_USAGE, o->command, "%s", r->err.text);
    if (o->series &&
        series_begin(&r->series, o->series, r->workloads, report_origin(&r->report), &r->err))
        return error_print(EXIT_USAGE, o->command, "cannot write %s", r->err.text);
    if (o->timeline && !(r->timeline = timeline_begin(o->timeline, o->timeline_mib, &r->err)))
        return error_print(EXIT_USAGE, o->command, "cannot write %s", r->err.text);
    if (o->loads && !(r->loads = loads_begin(o->loads, o->loads_range, &r->cfg, &r->err)))
        return error_print(EXIT_USAGE, o->command, "cannot write %s", r->err.text);
    if (uvm_two_pass(&r->cfg)) {
        r->passes = 2;
        code = run_first_pass(r);
    }
    if (code == EXIT_GOOD)
        code = run_simulate(r);
    return code;
}

static int run_command(const struct run_opts *o) {
    struct run r = {.opts = o, .pass = "", .passes = 1};
    int code = check_options(o);
    if (code != EXIT_GOOD)
        return code;
    progress_begin(&r.command_progress, o->quiet);
    interrupt_catch(&r.stop);
    time_limit((unsigned)o->max_time);
    code = prepare_run(&r);
    if (code == EXIT_GOOD && o->identity)
        puts(r.identity);
    else if (code == EXIT_GOOD)
        code = simulate_run(&r);
    time_limit(0);
    book_destroy(r.book);
    series_drop(&r.series);
    timeline_drop(r.timeline);
    loads_drop(r.loads);
    gauge_series_free(&r.gauges);
    detail_free(&r.detail);
    kernel_sums_free(&r.kernels);
    trace_free(&r.trace);
    return code;
}

int cmd_run(int argc, char **argv) {
    struct run_opts o = {.command = argv[0]};
    int code = read_options(&line, argc, argv, &o, NULL);
    if (code == GO_ON)
        code = run_command(&o);
    free(o.workloads.text);
    free(o.sets.text);
    free(o.twins.text);
    free(o.records.text);
    return code;
}
