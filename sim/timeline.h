/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a timeline of a run in Chrome's trace-event format, which ui.perfetto.dev opens. Kernels,
 * CTAs, far-faults and PCIe transfers are slices, and the gauges of all parts are counters.
 *
 * A microsecond in the file is an SM cycle, because viewers represent whole microseconds exactly.
 * When the file would exceed its size limit, every other item of the largest kind is dropped, and
 * only every other one is recorded from then on. For counters, this doubles the sampling period.
 * The file therefore depends only on the run, not on the host. It appears at its path when
 * timeline_end is called.
 */
#ifndef MEMTWIN_SIM_TIMELINE_H
#define MEMTWIN_SIM_TIMELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gpu/gpu.h"
#include "report.h"

#define TIMELINE_MIB 64 /* default size limit */

struct timeline;

/* Begins a file of at most limit_mib MiB before compression (0 means TIMELINE_MIB). Compresses it
 * with gzip if its name ends in .gz. Returns NULL with one line in err on error. */
struct timeline *timeline_begin(const char *path, uint64_t limit_mib, struct error *err);
/* Sets the GPU whose gauges are sampled. The timeline does not own it. */
void timeline_of(struct timeline *t, struct gpu *gpu);
/* Returns the watcher for a gpu_monitor. */
const struct watcher *timeline_watcher(const struct timeline *t);
/* Returns true if there is room for a counter of each DRAM bank. */
bool timeline_has_banks(const struct timeline *t, const struct config *cfg);
uint64_t timeline_look(struct timeline *t, uint64_t cycle);
/* Writes the file and frees the timeline. Open slices end in the last cycle. Returns 0, or -1 with
 * one line in err. */
int timeline_end(struct timeline *t, const struct report *r, struct error *err);
/* Frees the timeline without writing a file. t may be NULL. */
void timeline_drop(struct timeline *t);

#endif
