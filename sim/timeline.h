/* SPDX-License-Identifier: Apache-2.0 */
/* The timeline of a run, in Chrome's trace-event format, which ui.perfetto.dev opens: kernels,
 * CTAs, far-faults and PCIe transfers as slices, the gauges of all parts as counters.
 *
 * A microsecond in the file is an SM cycle, since viewers read whole microseconds exactly. The file
 * stays below a size limit: when it would exceed the limit, every other item of the largest kind is
 * dropped, and only every other one is kept from then on; for counters the sampling period doubles.
 * The file therefore depends on the run alone, not on the host. It appears at its path at
 * timeline_end.
 */
#ifndef MEMTWIN_SIM_TIMELINE_H
#define MEMTWIN_SIM_TIMELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gpu/gpu.h"
#include "report.h"

#define TIMELINE_MIB 64 /* default limit */

struct timeline;

/* A file of limit_mib MiB at most (0: TIMELINE_MIB), before compression; through gzip if its name
 * ends in .gz. NULL with one line in err. */
struct timeline *timeline_begin(const char *path, uint64_t limit_mib, char *err, size_t err_size);
/* Sets the GPU whose gauges are sampled. Not owned. */
void timeline_of(struct timeline *t, struct gpu *gpu);
/* The watcher for a gpu_monitor. */
const struct watcher *timeline_watcher(const struct timeline *t);
/* Whether there is room for a counter of each DRAM bank. */
bool timeline_has_banks(const struct timeline *t, const struct config *cfg);
uint64_t timeline_look(struct timeline *t, uint64_t cycle);
/* Writes the file and frees the timeline. Slices still open end in the last cycle. Returns 0, or -1
 * with one line in err. */
int timeline_end(struct timeline *t, const struct report *r, char *err, size_t err_size);
/* Frees the timeline without writing a file. t may be NULL. */
void timeline_drop(struct timeline *t);

#endif
