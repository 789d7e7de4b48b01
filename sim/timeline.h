/* SPDX-License-Identifier: Apache-2.0 */
/* The timeline of a run, in the trace-event format of Chrome, which ui.perfetto.dev opens: kernels,
 * CTAs, far-faults and PCIe transfers as slices, the gauges of all parts as counters.
 *
 * Time in the file is SM cycles: a microsecond there is a cycle, since whole microseconds are what
 * viewers read exactly. The file stays below a limit: when it would grow beyond, every second item
 * of the kind that takes the most is dropped, and only every second one is kept from then on; for
 * the counters the sampling period doubles. So the file depends on the run alone. It appears at its
 * path when it is ended.
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
/* Whose gauges are looked at. Not owned. */
void timeline_of(struct timeline *t, struct gpu *gpu);
/* What a gpu_monitor needs. */
const struct watcher *timeline_watcher(const struct timeline *t);
/* Whether there is room for a counter of each DRAM bank. */
bool timeline_has_banks(const struct timeline *t, const struct config *cfg);
uint64_t timeline_look(struct timeline *t, uint64_t cycle);
/* Writes the file. What is under way ends in the last cycle. The timeline is gone then, as it is
 * with timeline_drop. Returns 0, or -1 with one line in err. */
int timeline_end(struct timeline *t, const struct report *r, char *err, size_t err_size);
/* Leaves no file. t may be NULL. */
void timeline_drop(struct timeline *t);

#endif
