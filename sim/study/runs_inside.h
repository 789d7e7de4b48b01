/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the sources runs*.c. */
#ifndef MEMTWIN_STUDY_RUNS_INSIDE_H
#define MEMTWIN_STUDY_RUNS_INSIDE_H

#include "study/runs.h"

/* ---- runs.c ---- */

/* Returns -1 with "FILE:LINE: what" in err. */
__attribute__((format(printf, 5, 6))) int
runs_refuse(const struct study *s, unsigned line, char *err, size_t err_size, const char *fmt, ...);

/* ---- runs_settings.c ---- */

/* The run with the indices in `place`, and those of `run` for the rest. */
size_t runs_moved(const struct study_runs *r, size_t run, const size_t *place);
size_t runs_with_scheme(const struct study_runs *r, size_t run, size_t scheme);
/* The run whose result a value depends on. */
size_t runs_source(const struct study_runs *r, size_t run, size_t from);
/* NULL: the study has no schemes. */
const struct study_section *runs_scheme_of(const struct study_runs *r, size_t run);
/* The variable for a statistic of a run. */
double *runs_value(const struct study_runs *r, size_t statistic, size_t run);
/* Both: 0, or -1 with one line in why. The first keeps keys that the run does not read; a value
 * whose result is missing is 1 there, or the machine's if the key cannot be 1. */
int runs_set_all(const struct study_runs *r, size_t run, const struct run_settings *set,
                 struct config *cfg, char *why, size_t why_size);
int runs_make_config(const struct study_runs *r, size_t run, const struct run_settings *set,
                     struct config *cfg, char *why, size_t why_size);

/* ---- runs_words.c ---- */

/* The places of the baseline and of the runs that values are from. 0, or -1 with one line in err.
 */
int runs_place_words(struct study_runs *r, char *err, size_t err_size);

/* ---- runs_resolve.c ---- */

/* Finds all runs that depend on no result, and checks that none depends on its own. 0, or -1 with
 * one line in err. */
int runs_find(struct study_runs *r, struct progress *p, char *err, size_t err_size);
/* The run with the scheme under its own whose keys depend on which one is the best; RUNS_NONE. */
size_t runs_best_base(const struct study_runs *r, size_t run);

/* ---- runs_unread.c ---- */

/* Refuses a line of the study whose key none of its runs reads. 0, or -1 with one line in err. */
int runs_check_keys(const struct study_runs *r, char *err, size_t err_size);

#endif
