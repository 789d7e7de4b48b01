/* SPDX-License-Identifier: Apache-2.0 */
/* The runs of a study: each configuration with each workload, scheme and value of each axis.
 *
 * A run that depends on results of others is not known until these are there: runs_resolve. */
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
    RUN_UNKNOWN, /* depends on results that are not there yet */
    RUN_KNOWN,   /* it has an identity */
    RUN_ABSENT   /* the study has no such run: its scheme is not for this group, or its `if` is 0 */
};

/* What a run is told by, in this order; then the axes, of which the last changes first. */
enum { BY_CONFIG, BY_WORKLOAD, BY_SCHEME, BY_AXIS };

struct study_runs {
    const struct study *study;
    size_t n;              /* runs */
    size_t by;             /* BY_AXIS and the number of axes */
    size_t *size, *stride; /* of each of these: how many there are; runs from one to the next */
    size_t *baseline;      /* .. and the place of the baseline; RUNS_NONE: none is named */
    size_t *from;          /* the same for each `from` of the study, one after the other */
    struct study_machine {
        char path[PATH_SIZE]; /* as run -c takes it */
        struct config cfg;
    } * machine; /* of each configuration */
    struct study_workload {
        const char *label;          /* as the study has it */
        char name[PATH_SIZE];       /* NAME:SIZE, or the path of a trace */
        char trace_hash[HASH_SIZE]; /* empty: no trace */
        size_t group;               /* STUDY_NONE: in none */
    } * workload;                   /* workloads, then traces */
    char (*identity)[HASH_SIZE];    /* of each run; empty: it is not known */
    char ***listed;       /* .. its arguments, of runs that come from a list (task.h); else NULL */
    unsigned char *state; /* of each run: enum run_state */
    size_t *choice;       /* of each run: of a scheme that is the best of others, the run
                           * that it is; else RUNS_NONE */
    double *value;        /* of each statistic of the study and run; NAN: not known */
    struct reference reference; /* its published figures */
    char program[HASH_SIZE];
    struct {
        size_t known, absent, unknown;
        char why[1024]; /* of the first that is unknown: a line */
    } count;
};

/* A statistic of a run that has ended, into *value; NAN: it is not there. 0, or -1 with one line in
 * err. */
typedef int runs_lookup(void *ctx, const char *identity, const char *statistic, double *value,
                        char *err, size_t err_size);

/* What a run sets, a key once. */
struct run_settings {
    const struct study_machine *machine;
    size_t n;
    struct {
        const char *key;
        const struct study_word *value;
    } of[CONFIG_KEYS];
};

/* Finds all runs, and checks that each machine that is known can be. `warn` gets lines of what a
 * trace has and is not modelled. 0, or -1 with one line in err; runs_free is for both. */
int runs_make(struct study_runs *r, const struct study *s,
              void (*warn)(void *ctx, const char *line), void *ctx, struct progress *p, char *err,
              size_t err_size);
void runs_free(struct study_runs *r);
/* Finds the runs that have become known; *found: how many. 0, or -1 with one line in err. */
int runs_resolve(struct study_runs *r, runs_lookup *lookup, void *ctx, size_t *found, char *err,
                 size_t err_size);
/* A line on the terminal, if one is due. */
void runs_show(const struct study_runs *r, size_t run, struct progress *p, const char *doing);

/* Which configuration, workload, scheme or row of an axis a run has. */
size_t runs_place(const struct study_runs *r, size_t run, size_t by);
const struct study_workload *runs_workload(const struct study_runs *r, size_t run);
/* Its name; "" if the study has no schemes. */
const char *runs_scheme(const struct study_runs *r, size_t run);
/* The run that this one is compared with: RUNS_NONE: the study has no baseline. */
size_t runs_baseline(const struct study_runs *r, size_t run);
/* "" if its workload is in none. */
const char *runs_group(const struct study_runs *r, size_t run);
/* Of a scheme that is the best of others, which one that is here; NULL: of no such scheme. */
const char *runs_choice(const struct study_runs *r, size_t run);
/* Whether two runs that are known have one configuration, by what they set; false: perhaps. */
void runs_settings(const struct study_runs *r, size_t run, struct run_settings *to);
bool runs_same(const struct run_settings *a, const struct run_settings *b);
/* The i-th run, in an order in which those that differ in their workload alone come together. */
size_t runs_ordered(const struct study_runs *r, size_t i);
/* The whole configuration of a run that is known. */
void runs_config(const struct study_runs *r, size_t run, struct config *cfg);
/* The keys of the axes: "l1d.ways=4 l1d.sets=8". */
void runs_axes(const struct study_runs *r, size_t run, FILE *to);
/* {"l1d.ways":4,"l1d.sets":8}; the caller's. NULL: out of memory. */
char *runs_axes_json(const struct study_runs *r, size_t run);
/* "memtwin", "run", "-c", .., ended by NULL: writes the results to standard output. NULL: out of
 * memory. */
char **runs_arguments(const struct study_runs *r, size_t run);
void runs_arguments_free(char **arguments);

#endif
