/* SPDX-License-Identifier: Apache-2.0 */
/* A line on the terminal for what takes more than two seconds; nothing when stderr is not one. */
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
/* True if a line may be shown now: then call progress_line. */
bool progress_due(struct progress *p);
__attribute__((format(printf, 2, 3))) void progress_line(struct progress *p, const char *fmt, ...);
/* "12 %, 3:45 left, " of the part that is done, 0 to 1, and the seconds left; what is not known (0,
 * below 0) is left out. */
void progress_left(double done, double left, char *buf, size_t size);
/* Seconds since progress_begin. */
double progress_seconds(const struct progress *p);
/* How much of a workload is done, 0 to 1 (0: not known): CTAs of all, or launches of all, of the
 * last of which `of` CTAs are `done`. */
struct progress_of {
    uint64_t ctas, launches; /* in all; 0: not known */
    uint64_t all_done;       /* CTAs */
    uint64_t launch;         /* from 1 */
    uint64_t done, of;
};
double progress_done(const struct progress_of *p);
/* Wipes the line. */
void progress_end(struct progress *p);

#endif
