/* SPDX-License-Identifier: Apache-2.0 */
/* The results of a run, written as one line, JSON or CSV. */
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

/* Number of kinds of block. */
enum {
    REPORT_BLOCKS = 0
#define BLOCK(name) +1
#include "blocks.def"
#undef BLOCK
};

struct report {
    const char *config;                /* as given */
    const char *workload;              /* NAME:SIZE, or the name of a trace's list */
    const char *trace;                 /* path of the trace; NULL: a workload, which has results */
    const char *trace_hash, *identity; /* trace/list.h, identity.h */
    const char *end; /* "done", "cut_off", "mismatch", "check_failed", "wrong_result", ... */
    bool complete;   /* the workload ran to its last instruction */
    struct gpu_reached at;
    uint64_t launches, ctas; /* totals of the workload; 0: not known ahead */
    const struct config *cfg;
    const struct config_sources *from; /* sources of the values of cfg */
    struct stats stats;
    const struct detail *detail;       /* NULL: totals only */
    const struct gauge_series *series; /* NULL: none */
    struct {
        struct harness_count all; /* twins */
        size_t n_blocks;
        struct report_block {
            const char *block;
            struct harness_count count;
        } blocks[REPORT_BLOCKS]; /* counts of each block that has twins */
    } lockstep;
    struct {
        bool enabled;
        uint64_t loads, bytes;
        const char *failure; /* NULL: none; without the check the system may find one itself */
    } check;
    bool verified;  /* results and access counts equal those of the plain C version */
    double seconds; /* host time of the simulation itself */
    uint64_t phases_by_all_threads;
};

/* "0.1.0 (1a2b3c4d5e6f, clean)". */
const char *report_version(void);
const char *report_release(void); /* "1.2.3" */
const char *report_date(void);    /* of the commit: "2026-11-30", or "" if not known */
/* Whether the program was built from an unmodified commit, which the version then identifies. */
bool report_version_clean(void);

/* Verdict of the data check, in a word or two. */
const char *report_check_verdict(const struct report *r);
/* Speed in SM cycles per second of host time. */
double report_speed(const struct report *r);
long report_peak_rss_kib(void);

/* Prints the one-line summary of --quiet (sim/screen.h prints the full report). */
void report_summary(const struct report *r, FILE *out);

/* Last columns of each row of a CSV file, which name its run, so that a file can hold many runs.
 * report_origin returns their fields, which the caller frees; NULL if out of memory. */
#define REPORT_ORIGIN ",config,workload,version,identity"
char *report_origin(const struct report *r);

/* Checks before the run that the file can probably be written. 0, or -1 with one line in err. */
int report_writable(const char *path, char *err, size_t err_size);
/* Adds a configuration: its values, the files that it is based on, and the source of each value. */
void report_config(cJSON *root, const struct config *cfg, const struct config_sources *from);
/* Writes the JSON file, whole or not at all (new_file). 0, or -1 with one line in err. */
int report_json(const struct report *r, const char *path, char *err, size_t err_size);
/* Writes the CSV file, a row per scope and statistic: totals, then the detail if there is any. */
int report_csv(const struct report *r, const char *path, char *err, size_t err_size);

#endif
