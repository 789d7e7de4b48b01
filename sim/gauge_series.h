/* SPDX-License-Identifier: Apache-2.0 */
/* Collects a short time series of a run for its JSON file: kernels, the gauges of all parts, and
 * values computed from statistics.
 *
 * A sample is taken every `period` SM cycles. When there are GAUGE_SERIES_SAMPLES samples, every
 * other one is dropped and the period is doubled. The series therefore depends only on the run, not
 * on the host. */
#ifndef MEMTWIN_SIM_GAUGE_SERIES_H
#define MEMTWIN_SIM_GAUGE_SERIES_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gpu/gpu.h"

#define GAUGE_SERIES_SAMPLES 400 /* maximum number of samples */
#define GAUGE_SERIES_BANKS 512   /* maximum number of DRAM banks for which each bank has a series */
#define GAUGE_SERIES_ACCESSES 64 /* minimum number of accesses for a miss rate */
#define GAUGE_SERIES_OPEN 25600  /* maximum number of open-row values for all banks together */

/* A gauge of one part, or its sum over all parts of a kind. */
struct gauge_track {
    const char *place, *name, *unit;
    uint32_t index; /* part index, or GPU_ONLY for the sum or the only part */
    uint64_t capacity;
};

struct gauge_value {
    uint64_t value, cycles; /* as in struct gauge */
};

/* Indices of the tracks that a gauge is added to: `all` is the track of the sum, and `own` is the
 * gauge's own track, or `all` again if it has none. */
struct gauge_way {
    uint32_t all, own;
};

struct gauge_kernel {
    uint64_t launch, begin, end; /* times in SM cycles */
    const char *name;            /* valid as long as the workload */
};

struct gauge_series {
    struct gpu *gpu;           /* not owned */
    struct gauge_track *track; /* owned, like all arrays below */
    uint32_t tracks, tracks_room;
    struct gauge_way *way; /* tracks of each gauge, in gpu_gauges' order */
    uint32_t ways, ways_room, next_way;
    struct gauge_value *value; /* per sample: `tracks` values, then `banks` values */
    uint32_t channels, channel_banks;
    uint32_t banks;      /* number of DRAM banks in all channels; 0 if there are too many */
    struct stats *stats; /* totals at each sample */
    size_t samples;
    uint64_t period;
    struct gauge_kernel *kernel; /* every kernel_stride-th kernel */
    size_t kernels;
    uint64_t kernel_stride;
};

/* Initializes the series before the run. channel_banks is the number of banks of a DRAM channel. */
void gauge_series_begin(struct gauge_series *s, struct gpu *gpu, uint32_t channel_banks);
/* Implement the callbacks `look` and `kernel` of a gpu_monitor. */
uint64_t gauge_series_look(struct gauge_series *s, uint64_t cycle);
void gauge_series_kernel(struct gauge_series *s, uint64_t launch, const char *name,
                         const struct stats *during);
/* Takes the last sample, at the end of the run. */
void gauge_series_end(struct gauge_series *s);
/* Adds the member `series`. A null value means that the part's clock had no cycle in the sample. A
 * value computed from statistics covers enough adjacent samples to have GAUGE_SERIES_ACCESSES
 * accesses, if the run has that many. A track that is always 0 is omitted, except a DRAM channel's
 * if the sum over all channels is not always 0. `banks` has the percentage of time with an open row
 * for each bank, or a note that there are too many banks. */
void gauge_series_json(const struct gauge_series *s, cJSON *to);
void gauge_series_free(struct gauge_series *s);

#endif
