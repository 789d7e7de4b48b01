/* SPDX-License-Identifier: Apache-2.0 */
/* The runs of a study: each configuration with each workload, scheme and value of each axis. */
#ifndef MEMTWIN_STUDY_RUNS_H
#define MEMTWIN_STUDY_RUNS_H

#include <stdio.h>

#include "config/config.h"
#include "harness/hash.h"
#include "progress.h"
#include "study/file.h"

#define RUNS_MAX 1000000
#define RUNS_NONE SIZE_MAX

/* What a run is told by, in this order; then the axes, of which the last changes first. */
enum { BY_CONFIG, BY_WORKLOAD, BY_SCHEME, BY_AXIS };

struct study_runs {
    const struct study *study;
    size_t n;              /* runs */
    size_t by;             /* BY_AXIS and the number of axes */
    size_t *size, *stride; /* of each of these: how many there are; runs from one to the next */
    size_t *baseline;      /* .. and the place of the baseline; RUNS_NONE: none is named */
    struct study_machine {
        char path[PATH_SIZE]; /* as run -c takes it */
        struct config cfg;
    } * machine; /* of each configuration */
    struct study_workload {
        const char *label;          /* as the study has it */
        char name[PATH_SIZE];       /* NAME:SIZE, or the path of a trace */
        char trace_hash[HASH_SIZE]; /* empty: no trace */
    } * workload;                   /* workloads, then traces */
    char (*identity)[HASH_SIZE];    /* of each run */
};

/* Finds all runs, and checks that each machine can be. `warn` gets lines of what a trace has and is
 * not modelled. 0, or -1 with one line in err; runs_free is for both. */
int runs_make(struct study_runs *r, const struct study *s,
              void (*warn)(void *ctx, const char *line), void *ctx, struct progress *p, char *err,
              size_t err_size);
void runs_free(struct study_runs *r);
/* A line on the terminal, if one is due. */
void runs_show(const struct study_runs *r, size_t run, struct progress *p, const char *doing);

/* Which configuration, workload, scheme or row of an axis a run has. */
size_t runs_place(const struct study_runs *r, size_t run, size_t by);
const struct study_workload *runs_workload(const struct study_runs *r, size_t run);
/* Its name; "" if the study has no schemes. */
const char *runs_scheme(const struct study_runs *r, size_t run);
/* The run that this one is compared with: RUNS_NONE: the study has no baseline. */
size_t runs_baseline(const struct study_runs *r, size_t run);
/* The whole configuration. */
void runs_config(const struct study_runs *r, size_t run, struct config *cfg);
/* The keys of the axes: {"l1d.ways":4}, or l1d.ways=4 behind blanks. */
void runs_axes(const struct study_runs *r, size_t run, bool json, FILE *to);
/* "memtwin", "run", "-c", .., ended by NULL: writes the results to standard output. NULL: out of
 * memory. */
char **runs_arguments(const struct study_runs *r, size_t run);
void runs_arguments_free(char **arguments);

#endif
