/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the results of a run as one line, JSON or CSV. */
#ifndef MEMTWIN_SIM_REPORT_H
#define MEMTWIN_SIM_REPORT_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "config/config.h"
#include "detail.h"
#include "gauge_series.h"
#include "gpu/gpu.h"
#include "harness/harness.h"
#include "stats/stats.h"
#include "trace/list.h"

/* Number of block kinds. */
enum {
    REPORT_BLOCKS = 0
#define BLOCK(name) +1
#include "blocks.def"
#undef BLOCK
};

struct report {
    const char *config;                /* as given on the command line */
    const char *workload;              /* NAME:SIZE, or the name of a trace's list */
    const char *trace;                 /* path of the trace; NULL for a workload */
    const struct trace *contents;      /* what was odd and bad in the trace; NULL for a workload */
    const char *trace_hash, *identity; /* results of trace_hash() and identity_of() */
    const char *end; /* "done", "cut_off", "mismatch", "check_failed", "wrong_result", ... */
    bool complete;   /* true if the workload ran to its last instruction */
    struct gpu_reached reached;
    uint64_t launches, ctas; /* totals of the workload; 0 if they are not known in advance */
    const struct config *cfg;
    const struct config_sources *from; /* source of each value of cfg */
    struct stats stats;
    const struct kernel_sums *kernels;
    const struct detail *detail;       /* NULL to report totals only */
    const struct gauge_series *series; /* NULL if none */
    struct {
        struct harness_count all; /* counts of all twins */
        size_t n_blocks;
        struct report_block {
            const char *block;
            struct harness_count count;
        } blocks[REPORT_BLOCKS]; /* counts of each block that has twins */
    } lockstep;
    struct {
        bool enabled;
        uint64_t loads, bytes;
        const char *failure; /* error found by the data check or, without the check, by the memory
                                system; NULL if none */
    } check;
    bool verified;  /* true if results and access counts equal those of the reference C version */
    double seconds; /* host time of the simulation alone */
};

/* Returns the version, such as "0.1.0 (1a2b3c4d5e6f, clean)". */
const char *report_version(void);
const char *report_release(void); /* Returns the release, such as "1.2.3". */
const char *
report_date(void); /* Returns the date of the commit, such as "2026-11-30", or "" if not known. */
/* Returns true if the program was built from an unmodified commit, which the version then
 * identifies. */
bool report_version_clean(void);

/* Returns the verdict of the data check in one or two words. */
const char *report_check_verdict(const struct report *r);
/* Returns the speed in SM cycles per second of host time. */
double report_speed(const struct report *r);
long report_peak_rss_kib(void);

/* Prints the one-line summary of --quiet (sim/screen.h prints the full report). */
void report_summary(const struct report *r, FILE *out);

/* Last columns of each row of a CSV file. They identify the row's run, so that a file can hold many
 * runs. report_origin returns the text of a row's fields, which the caller frees. */
#define REPORT_ORIGIN ",config,workload,version,identity"
char *report_origin(const struct report *r);

/* Checks before the run that the file can probably be written. Returns 0, or -1 with one line in
 * err. */
int report_writable(const char *path, struct error *err);
/* Adds a configuration: its values, its base files, and the source of each value. */
void report_config(cJSON *root, const struct config *cfg, const struct config_sources *from);
/* Writes the JSON file atomically (new_file). Returns 0, or -1 with one line in err. */
int report_json(const struct report *r, const char *path, struct error *err);
/* Writes the CSV file, one row per scope and statistic: totals, then the detail if there is any. */
int report_csv(const struct report *r, const char *path, struct error *err);

#endif
