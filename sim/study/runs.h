/* SPDX-License-Identifier: Apache-2.0 */
/* The runs of a study: each configuration with each workload, scheme and value of each axis.
 *
 * A run that depends on results of others is unknown until runs_resolve has them. */
#ifndef MEMTWIN_STUDY_RUNS_H
#define MEMTWIN_STUDY_RUNS_H

#include <stdio.h>

#include "config/config.h"
#include "harness/hash.h"
#include "progress.h"
#include "study/file.h"
#include "study/reference.h"

#define RUNS_MAX 1000000
#define RUNS_NONE SIZE_MAX

enum run_state {
    RUN_UNKNOWN, /* depends on results that are missing */
    RUN_KNOWN,   /* has an identity */
    RUN_ABSENT   /* no such run: its scheme excludes this group, or its `if` is 0 */
};

/* What selects a run, in this order; then the axes, of which the last changes fastest. */
enum { BY_CONFIG, BY_WORKLOAD, BY_SCHEME, BY_AXIS };

struct study_runs {
    const struct study *study;
    size_t n;              /* runs */
    size_t by;             /* BY_AXIS and the number of axes */
    size_t *size, *stride; /* of each selector: its number of values; runs between two values */
    size_t *baseline;      /* of each selector: its value in the baseline; RUNS_NONE: any */
    size_t *from;          /* such values for each `from` of the study in turn */
    struct study_machine {
        char path[PATH_SIZE]; /* as run -c takes it */
        struct config cfg;
    } * machine; /* of each configuration */
    struct study_workload {
        const char *label;          /* as in the study file */
        char name[PATH_SIZE];       /* NAME:SIZE, or the path of a trace */
        char trace_hash[HASH_SIZE]; /* empty: not a trace */
        size_t group;               /* STUDY_NONE: no group */
    } * workload;                   /* workloads, then traces */
    char (*identity)[HASH_SIZE];    /* of each run; empty: not known */
    char ***listed;                 /* arguments of runs from a list (task.h); else NULL */
    unsigned char *state;           /* of each run: enum run_state */
    size_t *choice;                 /* of each run whose scheme is the best of others: the
                                     * chosen run; else RUNS_NONE */
    double *value;              /* of each of the study's statistics and each run; NAN: unknown */
    struct reference reference; /* its published figures */
    char program[HASH_SIZE];
    struct {
        size_t known, absent, unknown;
        char why[1024]; /* a line about the first unknown run */
    } count;
};

/* Puts a statistic of a completed run into *value, or leaves NAN if there is none. 0, or -1 with
 * one line in err. */
typedef int runs_lookup(void *ctx, const char *identity, const char *statistic, double *value,
                        char *err, size_t err_size);

/* The keys that a run sets, each once. */
struct run_settings {
    const struct study_machine *machine;
    size_t n;
    struct {
        const struct study_key *key;
        const struct study_word *value;
    } of[CONFIG_KEYS];
};

/* Builds all runs, and checks the configurations of those that are known. `warn` gets a line for
 * each feature of a trace that is not modelled. 0, or -1 with one line in err; call runs_free in
 * both cases. */
int runs_make(struct study_runs *r, const struct study *s,
              void (*warn)(void *ctx, const char *line), void *ctx, struct progress *p, char *err,
              size_t err_size);
void runs_free(struct study_runs *r);
/* Finds out which runs have become known; *found: how many. 0, or -1 with one line in err. */
int runs_resolve(struct study_runs *r, runs_lookup *lookup, void *ctx, size_t *found, char *err,
                 size_t err_size);
/* Updates the progress line on a terminal, if it is time. */
void runs_show(const struct study_runs *r, size_t run, struct progress *p, const char *doing);

/* The index of a run's configuration, workload, scheme or axis row. */
size_t runs_place(const struct study_runs *r, size_t run, size_t by);
const struct study_workload *runs_workload(const struct study_runs *r, size_t run);
/* Its name; "" if the study has no schemes. */
const char *runs_scheme(const struct study_runs *r, size_t run);
/* The run that this one is compared with; RUNS_NONE: the study has no baseline. */
size_t runs_baseline(const struct study_runs *r, size_t run);
/* "" if its workload is in no group. */
const char *runs_group(const struct study_runs *r, size_t run);
/* The chosen scheme, if the run's scheme is the best of others; else NULL. */
const char *runs_choice(const struct study_runs *r, size_t run);
/* Whether two known runs set the same keys to the same values, and so have one configuration; if
 * false, the configurations may still be equal. */
void runs_settings(const struct study_runs *r, size_t run, struct run_settings *to);
bool runs_same(const struct run_settings *a, const struct run_settings *b);
/* The i-th run, in an order that keeps runs together that differ only in their workload. */
size_t runs_ordered(const struct study_runs *r, size_t i);
/* The full configuration of a known run. */
void runs_config(const struct study_runs *r, size_t run, struct config *cfg);
/* Prints the axis values: "l1d.ways=4 l1d.sets=8". */
void runs_axes(const struct study_runs *r, size_t run, FILE *to);
/* {"l1d.ways":4,"l1d.sets":8}, which the caller frees. NULL: out of memory. */
char *runs_axes_json(const struct study_runs *r, size_t run);
/* The command of a run, "memtwin", "run", "-c", .., NULL; it writes its results to standard output.
 * NULL: out of memory. */
char **runs_arguments(const struct study_runs *r, size_t run);
void runs_arguments_free(char **arguments);

#endif
