/* SPDX-License-Identifier: Apache-2.0 */
/* What a command line of memtwin run asks for, and the simulation that answers it. */
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
    uint64_t timeline_mib; /* 0: as timeline.h says */
    uint64_t repeat;       /* of each launch; 0: once */
    bool check, detail, json_series, quiet, identity, stats, zeros;
};

struct machine;

/* The files that the run writes: JSON, CSV, series, timeline, then the recordings. NULL: none, or
 * not named. */
size_t run_files(const struct run_opts *o);
const char *run_file(const struct run_opts *o, size_t i);

struct run {
    const struct run_opts *opts;
    struct config cfg;
    struct config_sources from; /* .. where its values came from */
    char workload[256]; /* NAME:SIZE, of several with + between; or the name of the trace's list */
    char shown[300];    /* the same, and how often each launch runs */
    uint32_t workloads; /* at once */
    struct trace trace; /* without workloads */
    char trace_hash[HASH_SIZE], identity[HASH_SIZE]; /* if a file is written or it is asked for */
    char err[1024];
    struct book *book; /* owned; what a first pass has seen of the pages; NULL: there is none */
    const char *pass;  /* what progress says of the run besides its workload */
    unsigned pass_no, passes;        /* pass_no: from 0 */
    volatile bool stop;              /* set by Ctrl-C, by the time limit and by a mismatch */
    const struct machine *machine;   /* that runs, for progress */
    struct progress whole, progress; /* of the command; of the pass */
    struct detail detail;
    struct series series;
    struct gauge_series gauges;
    struct timeline *timeline; /* owned; NULL: none, or written */
    struct report report;
};

/* Policies that know the future have it from a run before: nothing is kept of that but r->book.
 * Returns EXIT_GOOD, or the exit code with which the command ends. */
int run_first_pass(struct run *r);

/* A gpu_monitor's: a line on the terminal, if one is due. `ctx`: the run. */
void run_show_progress(void *ctx);

/* Runs, compares, prints and writes what was asked for. Returns the exit code. */
int run_simulate(struct run *r);

#endif
