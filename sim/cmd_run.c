// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "gpu/gpu.h"
#include "harness/proc.h"
#include "identity.h"
#include "lib/message.h"
#include "options.h"
#include "paths.h"
#include "run.h"
#include "settings.h"
#include "uvm/uvm.h"
#include "workload_set.h"

/* ---- Command line ---- */

#define ROW(...) OPTION(struct run_opts, __VA_ARGS__)
#define ROWS(...) MANY(struct run_opts, __VA_ARGS__)
static const struct option_row table[] = {
    ROW('c', "config", "CONFIG", take_text, config,
        "name (memtwin list configs) or path of an INI file, or -: standard\n"
        "input"),
    ROWS('w', "workload", "W[:SIZE]", take_list, workloads,
         "memtwin list workloads names them and says what SIZE means; up to four,\n"
         "each with its -w or with + between them, run at once (cke.partition)"),
    ROW('t', "trace", "TRACE", take_text, trace,
        "Accel-Sim trace: kernelslist.g, its folder, or one .traceg, plain\n"
        "or compressed (memtwin trace --help); -: standard input"),
    NUMBER(struct run_opts, "repeat", "N", 1, 1000, repeat,
           "run each launch N times in a row, up to 1000; results are verified if a\n"
           "repeated launch does not change them"),
    ROWS('s', "set", "SECTION.KEY=V", take_list, sets,
         "change a key (memtwin list keys); the last value of a key counts"),
    ROWS(0, "twin", "PATTERN[:MODE]", take_list, twins,
         "attach the Verilog to the instances that match PATTERN ('l2.*.mshr')\n"
         "or to all instances of a block (dl_mshr); separate several by commas;\n"
         "if two match an instance, the last one counts.\n"
         "MODE lockstep (default) compares every output in every cycle;\n"
         "drive also feeds the Verilog's outputs to the system"),
    ROWS(0, "record", "INSTANCE=FILE", take_list, records,
         "write the ports of the instance in each cycle to a vector file\n"
         "(memtwin replay --help)"),
    ROW(0, "check", NULL, take_flag, check,
        "follow every byte from store to load (exit 4 if one goes wrong)"),
    ROW(0, "json", "FILE", take_text, json, "write the results to FILE as JSON"),
    ROW(0, "csv", "FILE", take_text, csv, "write the statistics to FILE as CSV, one per row"),
    ROW(0, "detail", NULL, take_flag, detail,
        "add statistics of each kernel, SM, L2 bank and DRAM channel to the\n"
        "JSON and CSV files"),
    NUMBER(struct run_opts, "sample", "N", 1, 0, sample,
           "write a row of statistics every N SM cycles, since the row before, .."),
    ROW(0, "series", "FILE", take_text, series,
        ".. to this CSV file, with a column for each statistic"),
    ROW(0, "json-series", NULL, take_flag, json_series,
        "add a time series of up to 400 samples to the JSON file: kernels, miss\n"
        "rates, and how full queues, MSHRs and each channel's DRAM banks were"),
    ROW(0, "timeline", "FILE", take_text, timeline,
        "write a timeline for ui.perfetto.dev: kernels, CTAs, far-faults, PCIe\n"
        "transfers, and how full queues, MSHRs and DRAM banks are; .gz: compressed"),
    NUMBER(struct run_opts, "timeline-size", "MIB", 1, 65536, timeline_mib,
           ".. of at most this many MiB (64), before compression; a larger\n"
           "timeline is thinned, and the file says by how much"),
    ROW(0, "max-time", "TIME", take_time, max_time,
        "stop after this many seconds (or 10m, 2h), as sim.max_cycles does"),
    NUMBER(struct run_opts, "threads", "N", 1, THREADS_MAX, threads,
           "tick SMs, L2 banks and DRAM channels on N threads, with the same results\n"
           "(not with --check, --twin, --record, --timeline): for traces, on idle cores"),
    ROW(0, "identity", NULL, take_flag, identity,
        "only print the identity of the result: a hash of the values of all\n"
        "keys, of the workload or the trace, and of the program"),
    ROW(0, "stats", NULL, take_flag, stats,
        "also print all statistics that are not 0, by part of the machine"),
    ROW(0, "zeros", NULL, take_flag, zeros, "also print statistics that are 0"),
    ROW('q', "quiet", NULL, take_flag, quiet, "one line on standard output, no progress"),
    {0}};

static const char usage[] =
    "usage: memtwin run -c CONFIG (-w WORKLOAD[:SIZE] | -t TRACE) [OPTION]...\n";
static const char notes[] =
    "A mismatch writes a replay file beside the JSON file or in the current folder, and exits\n"
    "with 3: memtwin-WORKLOAD-CONFIG-HASH-INSTANCE-CYCLE.vec (HASH: of this command line).\n"
    "With FILE -, the report goes to standard error.\n"
    "\n"
    "SIGINT (Ctrl-C), SIGTERM and SIGHUP stop the run: every file is written with what there is,\n"
    "`complete` is false in it and `reached` says where (CSV: rows of `run`; a series: the\n"
    "column `complete` of the last row); exit 130, 143 or 129. A second one ends the program at\n"
    "once and writes nothing. A trace that turns out to be wrong stops the run likewise; exit 1.\n";
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
            return usage_error(o->command, "%s would be overwritten: it is read by this run", out);
        for (size_t k = 0; k < i; k++)
            if (paths_same(out, run_file(o, k)))
                return usage_error(o->command, "%s is named for two results", out);
    }
    return EXIT_GOOD;
}

/* Refuses --threads with options that need the fixed order of a single thread. */
static int check_threads(const struct run_opts *o) {
    const char *what = o->check ? "--check" : o->timeline ? "--timeline" : NULL;
    what = o->twins.n ? "--twin" : o->records.n ? "--record" : what;
    if (o->threads <= 1 || !what)
        return EXIT_GOOD;
    return usage_error(o->command, "--threads %u: not with %s", (unsigned)o->threads, what);
}

static int check_options(const struct run_opts *o) {
    if (o->trace && o->workloads.n)
        return usage_error(o->command, "use either -w %s or -t %s", o->workloads.text[0], o->trace);
    if (o->trace && o->repeat)
        return usage_error(o->command, "--repeat is for workloads, not with -t %s", o->trace);
    if (!o->config)
        return usage_error(o->command, "no configuration: -c CONFIG (see memtwin list configs)");
    if (o->quiet && (o->stats || o->zeros))
        return usage_error(o->command, "use either -q or --%s", o->stats ? "stats" : "zeros");
    if (!o->sample != !o->series)
        return usage_error(o->command, "--sample N and --series FILE go together");
    if (o->timeline_mib && !o->timeline)
        return usage_error(o->command, "--timeline-size without --timeline FILE");
    if (o->detail && !o->json && !o->csv && !o->identity)
        return usage_error(o->command, "--detail needs --json or --csv to write to");
    if (o->json_series && !o->json && !o->identity)
        return usage_error(o->command, "--json-series needs --json to write to");
    if (!o->workloads.n && !o->trace)
        return usage_error(o->command,
                           "no workload: -w WORKLOAD (see memtwin list workloads) or -t TRACE");
    if (o->trace && strcmp(o->trace, "-") == 0 && strcmp(o->config, "-") == 0)
        return usage_error(o->command, "-c - and -t -: both would read standard input");
    return check_threads(o);
}

static int read_config(struct run *r) {
    return settings_read(r->opts->config, &r->opts->sets, &r->cfg, &r->from, r->err, sizeof r->err);
}

static void show_warning(void *ctx, const char *line) {
    const struct run *r = ctx;
    if (!r->opts->identity)
        usage_error(r->opts->command, "%s", line);
}

/* Refuses results that would replace a file of the trace. */
static int check_trace_files(struct run *r) {
    for (size_t i = 0; i < run_files(r->opts); i++) {
        const char *out = run_file(r->opts, i);
        if (!out || is_stdout(out) || !trace_has(&r->trace, out))
            continue;
        message_print(r->err, sizeof r->err, "%s would be overwritten: it is read by this run",
                      out);
        return -1;
    }
    return 0;
}

static int read_trace(struct run *r) {
    if (trace_find(&r->trace, r->opts->trace, show_warning, r, r->err, sizeof r->err) ||
        check_trace_files(r))
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
    if (used >= sizeof names) {
        snprintf(r->err, sizeof r->err, "the names of the workloads are too long: %.60s..", names);
        return -1;
    }
    return workload_set_name(names, r->workload, sizeof r->workload, r->err, sizeof r->err);
}

/* Checks that the machine can run all the workloads at once. */
static int check_streams(struct run *r) {
    char why[1024];
    r->workloads = r->opts->trace ? 1 : workload_set_count(r->workload);
    if (r->opts->trace && r->cfg.cke_restart) {
        message_print(r->err, sizeof r->err, "-t %s and cke.restart: a trace is read once",
                      r->opts->trace);
        return -1;
    }
    if (r->opts->repeat && r->cfg.cke_restart) {
        message_print(r->err, sizeof r->err,
                      "--repeat %" PRIu64 " and cke.restart, which restarts launches forever",
                      r->opts->repeat);
        return -1;
    }
    if (gpu_check_streams(&r->cfg, r->workloads, why, sizeof why) == 0)
        return 0;
    config_add_sources(&r->from, why, sizeof why);
    message_print(r->err, sizeof r->err, "configuration %s: %s", r->opts->config, why);
    return -1;
}

/* Computes the identity of the results. Reads the whole trace, so only if a result needs it. */
static int identify(struct run *r) {
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
    if (!o->json && !o->csv && !o->series && !o->timeline && !o->identity)
        return 0;
    char program[HASH_SIZE];
    if (p->trace && trace_hash(&r->trace, r->trace_hash, r->err, sizeof r->err))
        return -1;
    if (identity_program(program, r->err, sizeof r->err))
        return -1;
    return identity_of(&r->cfg, r->shown, p->trace ? r->trace_hash : NULL, program, r->identity,
                       r->err, sizeof r->err);
}

/* Exit code if input cannot be read or a signal interrupted reading: there are no results yet. */
static int unread(const struct run *r) {
    usage_error(r->opts->command, "%s", r->err);
    return interrupted() ? interrupted() : EXIT_USAGE;
}

/* Checks everything that can be checked before the first cycle. */
static int prepare(struct run *r) {
    if (read_config(r) || read_workload(r) || check_streams(r))
        return unread(r);
    if (check_outputs(r))
        return EXIT_USAGE;
    return identify(r) ? unread(r) : EXIT_GOOD;
}

static int simulate(struct run *r) {
    const struct run_opts *o = r->opts;
    int code = EXIT_GOOD;
    if ((o->json && report_writable(o->json, r->err, sizeof r->err)) ||
        (o->csv && report_writable(o->csv, r->err, sizeof r->err)))
        return usage_error(o->command, "%s", r->err);
    if (o->series && series_begin(&r->series, o->series, r->workloads, report_origin(&r->report),
                                  r->err, sizeof r->err))
        return usage_error(o->command, "cannot write %s", r->err);
    if (o->timeline &&
        !(r->timeline = timeline_begin(o->timeline, o->timeline_mib, r->err, sizeof r->err)))
        return usage_error(o->command, "cannot write %s", r->err);
    if (uvm_two_pass(&r->cfg)) {
        r->passes = 2;
        code = run_first_pass(r);
    }
    if (code == EXIT_GOOD)
        code = run_simulate(r);
    return code;
}

static int run(const struct run_opts *o) {
    struct run r = {.opts = o, .pass = "", .passes = 1};
    int code = check_options(o);
    if (code != EXIT_GOOD)
        return code;
    progress_begin(&r.whole, o->quiet);
    interrupt_catch(&r.stop);
    time_limit((unsigned)o->max_time);
    code = prepare(&r);
    if (code == EXIT_GOOD && o->identity)
        puts(r.identity);
    else if (code == EXIT_GOOD)
        code = simulate(&r);
    time_limit(0);
    book_destroy(r.book);
    series_drop(&r.series);
    timeline_drop(r.timeline);
    gauge_series_free(&r.gauges);
    detail_free(&r.detail);
    trace_free(&r.trace);
    return code;
}

int cmd_run(int argc, char **argv) {
    struct run_opts o = {.command = argv[0]};
    int code = read_options(&line, argc, argv, &o, NULL);
    if (code == GO_ON)
        code = run(&o);
    free(o.workloads.text);
    free(o.sets.text);
    free(o.twins.text);
    free(o.records.text);
    return code;
}
