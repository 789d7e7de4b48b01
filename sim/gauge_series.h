/* SPDX-License-Identifier: Apache-2.0 */
/* A short time series of a run, for its JSON file: kernels, what the gauges of all parts showed,
 * and some figures made of statistics.
 *
 * A sample is taken every `period` SM cycles; when there are as many as are kept, every second one
 * goes and the period doubles. So what is in it depends on the run alone. */
#ifndef MEMTWIN_SIM_GAUGE_SERIES_H
#define MEMTWIN_SIM_GAUGE_SERIES_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gpu/gpu.h"

#define GAUGE_SERIES_SAMPLES 400 /* upper limit; when it is reached, every other one is dropped */
#define GAUGE_SERIES_BANKS 512   /* in all channels; the series of a larger machine has no bank */
#define GAUGE_SERIES_ACCESSES 64 /* fewest accesses that a miss rate or similar rate is over */
#define GAUGE_SERIES_OPEN 25600  /* most values of DRAM banks; above it they have fewer samples */

/* A gauge: the sum over all parts of its place, or of one of them. */
struct gauge_track {
    const char *place, *name, *unit;
    uint32_t index; /* GPU_ONLY: the sum, or there is one part */
    uint64_t capacity;
};

struct gauge_value {
    uint64_t value, cycles; /* struct gauge */
};

/* The tracks that a gauge goes into: the sum, and its own (the same: it has none). */
struct gauge_way {
    uint32_t all, own;
};

struct gauge_kernel {
    uint64_t launch, begin, end; /* SM cycles */
    char name[64];
};

struct gauge_series {
    struct gpu *gpu;           /* not owned */
    struct gauge_track *track; /* owned, as all that follow */
    uint32_t tracks, tracks_room;
    struct gauge_way *way; /* of each gauge, in the order in which they are shown */
    uint32_t ways, ways_room, at;
    struct gauge_value *value; /* of each sample: `tracks`, then each bank of each channel */
    uint32_t channels, channel_banks;
    uint32_t banks;      /* of all channels; 0: too many, they are left out */
    struct stats *stats; /* totals at each sample */
    size_t samples;
    uint64_t period;
    struct gauge_kernel *kernel; /* every kernel_stride-th of those that have ended */
    size_t kernels;
    uint64_t kernel_stride;
    bool lost; /* out of memory: there is no series */
};

/* Before the run. channel_banks: banks of a DRAM channel. */
void gauge_series_begin(struct gauge_series *s, struct gpu *gpu, uint32_t channel_banks);
/* A gpu_monitor's look and kernel. */
uint64_t gauge_series_look(struct gauge_series *s, uint64_t cycle);
void gauge_series_kernel(struct gauge_series *s, uint64_t launch, const char *name,
                         const struct stats *during);
/* The last sample, at the end of the run. */
void gauge_series_end(struct gauge_series *s);
/* Adds it as `series`. NULL in places says: no cycle of the part's clock.
 * Figures made of statistics take in samples before and after until they are over `accesses`.
 * What was 0 all the time is left out, except a DRAM channel if another one was not. `banks`: each
 * bank's row open, in percent, or that they are too many. */
void gauge_series_json(const struct gauge_series *s, cJSON *to);
void gauge_series_free(struct gauge_series *s);

#endif
