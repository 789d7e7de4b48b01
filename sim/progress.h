/* SPDX-License-Identifier: Apache-2.0 */
/* A progress line on stderr for work of more than two seconds, if stderr is a terminal. */
#ifndef MEMTWIN_SIM_PROGRESS_H
#define MEMTWIN_SIM_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct progress {
    bool on;
    bool shown;
    double start, last; /* seconds of the monotonic clock */
};

void progress_begin(struct progress *p, bool quiet);
/* Whether a line may be shown now; if so, call progress_line. */
bool progress_due(struct progress *p);
__attribute__((format(printf, 2, 3))) void progress_line(struct progress *p, const char *fmt, ...);
/* Prints "12 %, 3:45 left, " from the fraction done and the seconds left. Omits a fraction of 0 or
 * a negative time, which are not known. */
void progress_left(double done, double left, char *buf, size_t size);
/* Seconds since progress_begin. */
double progress_seconds(const struct progress *p);
/* Progress of a workload, as a fraction (0: not known): CTAs done of all CTAs, or else launches
 * done of all launches, with `done` of `of` CTAs of the current one. */
struct progress_of {
    uint64_t ctas, launches; /* in all; 0: not known */
    uint64_t all_done;       /* CTAs */
    uint64_t launch;         /* from 1 */
    uint64_t done, of;
};
double progress_done(const struct progress_of *p);
/* Clears the line. */
void progress_end(struct progress *p);

#endif
