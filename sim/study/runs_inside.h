/* SPDX-License-Identifier: Apache-2.0 */
/* Declares what the sources runs*.c share. */
#ifndef MEMTWIN_STUDY_RUNS_INSIDE_H
#define MEMTWIN_STUDY_RUNS_INSIDE_H

#include "study/runs.h"

/* ---- runs.c ---- */

/* Returns -1 with "FILE:LINE: what" in err. */
__attribute__((format(printf, 4, 5))) int runs_refuse(const struct study *s, unsigned line,
                                                      struct error *err, const char *fmt, ...);

/* ---- runs_settings.c ---- */

size_t runs_with_scheme(const struct study_runs *r, size_t run, size_t scheme);
/* Returns the run whose result study.from[from] refers to in `run`. */
size_t runs_source(const struct study_runs *r, size_t run, size_t from);
/* Returns the run's scheme, or NULL if the study has no schemes. */
const struct study_section *runs_scheme_of(const struct study_runs *r, size_t run);
/* Returns the variable for a statistic of a run. */
double *runs_value(const struct study_runs *r, size_t statistic, size_t run);
/* Make the configuration of a run. Both return 0, or -1 with one line in why. runs_make_config
 * resets keys that the run does not read to the machine's values; runs_set_all does not. A value
 * that depends on a missing result becomes 1, or the machine's value if the key cannot be 1. */
int runs_set_all(const struct study_runs *r, size_t run, const struct run_settings *set,
                 struct config *cfg, struct error *why);
int runs_make_config(const struct study_runs *r, size_t run, const struct run_settings *set,
                     struct config *cfg, struct error *why);

/* ---- runs_words.c ---- */

/* Finds the selectors of the baseline and of the runs that values depend on. Returns 0, or -1 with
 * one line in err.
 */
int runs_place_words(struct study_runs *r, struct error *err);

/* ---- runs_resolve.c ---- */

/* Finds all runs that depend on no result, and checks that none depends on itself. Returns 0, or -1
 * with one line in err. */
int runs_find(struct study_runs *r, struct progress *p, struct error *err);
/* Follows the bases of the run's scheme to the nearest one that is the best of others. Returns the
 * corresponding run with that scheme, whose choice determines the keys, or RUNS_NONE if there is no
 * such base. */
size_t runs_best_base(const struct study_runs *r, size_t run);

/* ---- runs_unread.c ---- */

/* Refuses a study in which the key of some line is read by no run. Returns 0, or -1 with one line
 * in err. */
int runs_check_keys(const struct study_runs *r, struct error *err);

#endif
