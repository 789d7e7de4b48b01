/* SPDX-License-Identifier: Apache-2.0 */
/* A short time series of a run, for its JSON file: kernels, the gauges of all parts, and some
 * figures computed from statistics.
 *
 * A sample is taken every `period` SM cycles. At GAUGE_SERIES_SAMPLES every other sample is dropped
 * and the period doubles, so that the series depends on the run alone, not on the host. */
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

/* A gauge of one part, or its sum over all parts of a kind. */
struct gauge_track {
    const char *place, *name, *unit;
    uint32_t index; /* GPU_ONLY: the sum, or the only part */
    uint64_t capacity;
};

struct gauge_value {
    uint64_t value, cycles; /* struct gauge */
};

/* The tracks that a gauge is added to: the sum, and its own (the sum again if it has none). */
struct gauge_way {
    uint32_t all, own;
};

struct gauge_kernel {
    uint64_t launch, begin, end; /* SM cycles */
    char name[64];
};

struct gauge_series {
    struct gpu *gpu;           /* not owned */
    struct gauge_track *track; /* owned, like all arrays below */
    uint32_t tracks, tracks_room;
    struct gauge_way *way; /* of each gauge, in gpu_gauges' order */
    uint32_t ways, ways_room, at;
    struct gauge_value *value; /* of each sample: `tracks`, then each bank of each channel */
    uint32_t channels, channel_banks;
    uint32_t banks;      /* of all channels; 0: too many to be included */
    struct stats *stats; /* totals at each sample */
    size_t samples;
    uint64_t period;
    struct gauge_kernel *kernel; /* every kernel_stride-th ended kernel */
    size_t kernels;
    uint64_t kernel_stride;
    bool lost; /* out of memory: there is no series */
};

/* To be called before the run. channel_banks: banks of a DRAM channel. */
void gauge_series_begin(struct gauge_series *s, struct gpu *gpu, uint32_t channel_banks);
/* The functions `look` and `kernel` of a gpu_monitor. */
uint64_t gauge_series_look(struct gauge_series *s, uint64_t cycle);
void gauge_series_kernel(struct gauge_series *s, uint64_t launch, const char *name,
                         const struct stats *during);
/* Takes the last sample, at the end of the run. */
void gauge_series_end(struct gauge_series *s);
/* Adds the member `series`. A null value means that the part's clock had no cycle in the sample.
 * Figures computed from statistics are over enough neighbouring samples to have `accesses`
 * accesses. Tracks that are always 0 are left out, except a DRAM channel if another one is not 0.
 * `banks`: percentage of time with an open row of each bank, or a note that there are too many. */
void gauge_series_json(const struct gauge_series *s, cJSON *to);
void gauge_series_free(struct gauge_series *s);

#endif
