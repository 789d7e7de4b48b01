/* SPDX-License-Identifier: Apache-2.0 */
/* Builds the runs of a study: each configuration with each workload, scheme and value of each axis.
 *
 * A run that depends on results of others is unknown until runs_resolve finds these results. */
#ifndef MEMTWIN_STUDY_RUNS_H
#define MEMTWIN_STUDY_RUNS_H

#include <stdio.h>

#include "config/config.h"
#include "os/hash.h"
#include "progress.h"
#include "study/file.h"
#include "study/reference.h"

#define RUNS_MAX 1000000
#define RUNS_NONE SIZE_MAX

enum run_state {
    RUN_UNKNOWN, /* depends on missing results */
    RUN_KNOWN,   /* has an identity */
    RUN_ABSENT   /* not part of the study: its scheme excludes this group, or its `if` is 0 */
};

/* Selectors of a run. Those of the axes follow, and the last axis changes fastest. */
enum { BY_CONFIG, BY_WORKLOAD, BY_SCHEME, BY_AXIS };

struct study_runs {
    const struct study *study;
    size_t n;         /* number of runs, including absent ones */
    size_t by;        /* BY_AXIS plus the number of axes */
    size_t *size,     /* number of values of each selector */
        *stride;      /* number of runs from one value of each selector to the next */
    size_t *baseline; /* value of each selector in the baseline; RUNS_NONE for any value */
    size_t *from;     /* for each element of study.from in turn, selectors as in `baseline` */
    struct study_machine {
        char path[PATH_SIZE]; /* path in the format of run -c */
        struct config cfg;
    } * machine; /* machine of each configuration */
    struct study_workload {
        const char *label;          /* as written in the study file */
        char name[PATH_SIZE];       /* NAME:SIZE, or the path of a trace */
        char trace_hash[HASH_SIZE]; /* content hash of a trace; empty for a workload */
        size_t group;               /* index of the group; STUDY_NONE if none */
    } * workload;                   /* array of the workloads, followed by the traces */
    char (*identity)[HASH_SIZE];    /* identity of each run; empty if not known */
    char ***listed;                 /* arguments of runs from a list (task.h); else NULL */
    unsigned char *state;           /* state of each run: enum run_state */
    size_t *choice; /* run chosen by each run that is the best of others; RUNS_NONE if not yet
                       known, and for other runs */
    double *value;  /* value of each study statistic in each run; NAN if unknown */
    struct reference reference; /* published figures */
    char program[HASH_SIZE];
    struct {
        size_t known, absent, unknown;
        char why[1024]; /* reason why the first unknown run is unknown */
    } count;
};

/* Stores a statistic of a completed run in *value, or leaves NAN if there is none. Returns 0, or -1
 * with one line in err. */
typedef int runs_lookup(void *ctx, const char *identity, const char *statistic, double *value,
                        struct error *err);

/* Keys that a run sets. Each key occurs once. */
struct run_settings {
    const struct study_machine *machine;
    size_t n;
    struct {
        const struct study_key *key;
        const struct study_word *value;
    } of[CONFIG_KEYS];
};

/* Builds all runs, and checks the configurations of the known ones. Calls `warn` with a line for
 * each feature of a trace that is not modeled. Returns 0, or -1 with one line in err; call
 * runs_free in both cases. */
int runs_make(struct study_runs *r, const struct study *s,
              void (*warn)(void *ctx, const char *line), void *ctx, struct progress *p,
              struct error *err);
void runs_free(struct study_runs *r);
/* Finds the runs that have become known, and sets *found to their number. Returns 0, or -1 with one
 * line in err. */
int runs_resolve(struct study_runs *r, runs_lookup *lookup, void *ctx, size_t *found,
                 struct error *err);
/* Updates the progress line on a terminal if it is due. */
void runs_show(const struct study_runs *r, size_t run, struct progress *p, const char *doing);

/* Returns the index of a run's configuration, workload, scheme or value of an axis. */
size_t runs_place(const struct study_runs *r, size_t run, size_t by);
const struct study_workload *runs_workload(const struct study_runs *r, size_t run);
/* Returns the name of the run's scheme, or "" if the study has no schemes. */
const char *runs_scheme(const struct study_runs *r, size_t run);
/* Returns the run that this one is compared with, or RUNS_NONE if the study has no baseline. */
size_t runs_baseline(const struct study_runs *r, size_t run);
/* Returns the group of the run's workload, or "" if it has none. */
const char *runs_group(const struct study_runs *r, size_t run);
/* Returns the chosen scheme if the run's scheme is the best of others, else NULL. */
const char *runs_choice(const struct study_runs *r, size_t run);
/* Get and compare the settings of known runs. runs_same returns true if both runs have the same
 * keys with the same values, and thus the same configuration. If it returns false, the
 * configurations may still be equal. */
void runs_settings(const struct study_runs *r, size_t run, struct run_settings *to);
bool runs_same(const struct run_settings *a, const struct run_settings *b);
/* Returns the i-th run, in an order in which runs that differ only in their workload are
 * adjacent. */
size_t runs_ordered(const struct study_runs *r, size_t i);
/* Makes the full configuration of a known run. */
void runs_config(const struct study_runs *r, size_t run, struct config *cfg);
/* Prints the axis values: "l1d.ways=4 l1d.sets=8". */
void runs_axes(const struct study_runs *r, size_t run, FILE *to);
/* Returns {"l1d.ways":4,"l1d.sets":8}, which the caller frees. */
char *runs_axes_json(const struct study_runs *r, size_t run);
/* Returns the command of a run, "memtwin", "run", "-c", .., NULL. The command writes its results to
 * standard output.
 */
char **runs_arguments(const struct study_runs *r, size_t run);
void runs_arguments_free(char **arguments);

#endif
