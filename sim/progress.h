/* SPDX-License-Identifier: Apache-2.0 */
/* Shows a progress line on stderr during work that takes more than two seconds, if stderr is a
 * terminal. */
#ifndef MEMTWIN_SIM_PROGRESS_H
#define MEMTWIN_SIM_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct progress {
    bool on;
    bool shown;
    double start, last; /* seconds on the monotonic clock */
    double done;        /* largest fraction given to progress_predict, and its time after `start` */
    double done_at;
};

void progress_begin(struct progress *p, bool quiet);
/* Returns true if a line may be shown now; the caller then calls progress_line. */
bool progress_due(struct progress *p);
__attribute__((format(printf, 2, 3))) void progress_line(struct progress *p, const char *fmt, ...);
/* Prints "12 % of CTAs, 3:45 left, " from the fraction done, the name of what it is a fraction of
 * ("CTAs"), and the seconds left. Omits a fraction of 0 or a negative time, because they mean "not
 * known". */
void progress_left(double done, const char *of, double left, char *buf, size_t size);
/* Predicts the seconds left until the fraction `of` (1: the whole) from the fraction done. The
 * prediction is made when the fraction grows, and counts down until then. Returns a negative
 * number if it is not known, as when the predicted time has passed. */
double progress_predict(struct progress *p, double done, double of);
/* Returns the seconds since progress_begin. */
double progress_seconds(const struct progress *p);
/* Progress of a workload. progress_done returns it as a fraction, or 0 if it is not known. The
 * fraction is that of all CTAs or, if their number is not known, that of all launches. The current
 * launch counts in proportion to its CTAs (`done` of `of`). */
struct progress_of {
    uint64_t ctas, launches; /* total numbers; 0 if not known */
    uint64_t all_done;       /* number of CTAs done so far, in all launches */
    uint64_t launch;         /* current launch, counted from 1 */
    uint64_t done, of;
};
double progress_done(const struct progress_of *p);
/* Returns what progress_done is a fraction of. */
const char *progress_unit(const struct progress_of *p);
/* Clears the line. */
void progress_end(struct progress *p);

#endif
