/* SPDX-License-Identifier: Apache-2.0 */
/* Declares the options of memtwin run, and runs the simulation. */
#ifndef MEMTWIN_SIM_RUN_H
#define MEMTWIN_SIM_RUN_H

#include "config/config.h"
#include "accelsim.h"
#include "detail.h"
#include "gauge_series.h"
#include "kernel/kernel.h"
#include "loads.h"
#include "options.h"
#include "progress.h"
#include "report.h"
#include "pages/book.h"
#include "timeline.h"
#include "trace/list.h"

/* Statistics that are printed besides the summary, or instead of it (STATS_ACCELSIM). */
enum run_stats { STATS_NONE, STATS_ALL, STATS_ZEROS, STATS_ACCELSIM };

struct run_opts {
    const char *command, *config, *trace, *json, *csv, *series, *timeline, *loads, *loads_range,
        *kernels;
    struct text_list workloads, sets, twins, records;
    uint64_t sample;       /* sampling period in SM cycles; 0 for no time series */
    uint64_t max_time;     /* time limit in seconds; 0 for no limit */
    uint64_t timeline_mib; /* size limit in MiB; 0 for TIMELINE_MIB */
    uint64_t repeat;       /* number of times that each launch runs; 0 for once */
    bool check, detail, json_series, quiet, identity, skip_bad, strict;
    enum run_stats stats;
};

struct machine;

/* Return the number of result files that are possible, and the path of file i. The files are in the
 * order JSON, CSV, series, timeline, loads, recordings. run_file returns NULL for a file that was
 * not requested. */
size_t run_files(const struct run_opts *o);
const char *run_file(const struct run_opts *o, size_t i);

struct run {
    const struct run_opts *opts;
    struct config cfg;
    struct config_sources from; /* source of each value of cfg */
    char workload[256]; /* NAME:SIZE, joined by + if several; or the name of the trace's list */
    char shown[300];    /* `workload`, followed by opts->repeat if it is more than 1 */
    uint32_t workloads; /* number of concurrent workloads */
    struct trace trace; /* used if there is no workload */
    bool overlaps;      /* true if kernels of the trace's streams run at once */
    char trace_hash[HASH_SIZE], identity[HASH_SIZE]; /* for result files and --identity */
    struct error err;
    struct book
        *book;        /* owned; page references of the first pass; NULL if there is no first pass */
    const char *pass; /* label of the pass in the progress line */
    unsigned pass_no, /* index of the current pass, counted from 0 */
        passes;       /* number of passes */
    volatile bool stop;            /* set to true by Ctrl-C, by the time limit or by a mismatch */
    const struct machine *machine; /* current simulation, for the progress line */
    struct progress command_progress, /* progress of the command */
        progress;                     /* progress of the current pass */
    struct accelsim accelsim;         /* used if opts->stats is STATS_ACCELSIM */
    struct detail detail;
    struct kernel_sums kernels; /* empty if several workloads run concurrently */
    struct series series;
    struct gauge_series gauges;
    struct timeline *timeline; /* owned; NULL if there is none or it has been written */
    struct loads *loads;       /* owned; NULL if there are none or they have been written */
    struct report report;
};

/* Prints a warning of the run. `ctx` is the run. */
void run_show_warning(void *ctx, const char *line);
/* Returns a text to append to an error in a trace of several kernels, or "". */
const char *run_skip_hint(const struct run *r);

/* Runs the first pass for policies that use future references, and keeps only its book (r->book).
 * Returns EXIT_GOOD, or the exit code of the command. */
int run_first_pass(struct run *r);

/* Updates the progress line if it is due. It is a callback of a gpu_monitor, and `ctx` is the
 * run. */
void run_show_progress(void *ctx);

/* Simulates the machine, verifies the results, prints the report and writes the result files.
 * Returns the exit code. */
int run_simulate(struct run *r);

#endif
