/* SPDX-License-Identifier: Apache-2.0 */
/* Options of memtwin run, and the simulation. */
#ifndef MEMTWIN_SIM_RUN_H
#define MEMTWIN_SIM_RUN_H

#include "config/config.h"
#include "detail.h"
#include "gauge_series.h"
#include "kernel/kernel.h"
#include "options.h"
#include "progress.h"
#include "report.h"
#include "pages/book.h"
#include "timeline.h"
#include "trace/list.h"

struct run_opts {
    const char *command, *config, *trace, *json, *csv, *series, *timeline;
    struct text_list workloads, sets, twins, records;
    uint64_t sample;       /* SM cycles; 0: no time series */
    uint64_t threads;      /* 0: one */
    uint64_t max_time;     /* seconds; 0: no limit */
    uint64_t timeline_mib; /* 0: TIMELINE_MIB */
    uint64_t repeat;       /* of each launch; 0: once */
    bool check, detail, json_series, quiet, identity, stats, zeros;
};

struct machine;

/* Result files of the run: JSON, CSV, series, timeline, then the recordings. run_file returns NULL
 * for a file that was not requested. */
size_t run_files(const struct run_opts *o);
const char *run_file(const struct run_opts *o, size_t i);

struct run {
    const struct run_opts *opts;
    struct config cfg;
    struct config_sources from; /* sources of the values of cfg */
    char workload[256]; /* NAME:SIZE, of several with + between; or the name of the trace's list */
    char shown[300];    /* workload, and how often each launch runs */
    uint32_t workloads; /* number of workloads run at once */
    struct trace trace; /* used if there is no workload */
    char trace_hash[HASH_SIZE], identity[HASH_SIZE]; /* for result files and --identity */
    char err[1024];
    struct book *book;             /* owned; page references of a first pass; NULL: no first pass */
    const char *pass;              /* label of the pass in the progress line */
    unsigned pass_no, passes;      /* pass_no: from 0 */
    volatile bool stop;            /* set by Ctrl-C, by the time limit and by a mismatch */
    const struct machine *machine; /* current simulation, for progress */
    struct progress whole, progress; /* of the command; of the pass */
    struct detail detail;
    struct series series;
    struct gauge_series gauges;
    struct timeline *timeline; /* owned; NULL: none, or written */
    struct report report;
};

/* Runs the first pass for policies that use future references; only r->book is kept of it. Returns
 * EXIT_GOOD, or the exit code with which the command ends. */
int run_first_pass(struct run *r);

/* Progress function of a gpu_monitor: updates the line on the terminal if due. `ctx`: the run. */
void run_show_progress(void *ctx);

/* Simulates, verifies, prints the report and writes the result files. Returns the exit code. */
int run_simulate(struct run *r);

#endif
