/* SPDX-License-Identifier: Apache-2.0 */
/* Declares the data of a timeline, which timeline.c collects and timeline_file.c writes. */
#ifndef MEMTWIN_SIM_TIMELINE_INSIDE_H
#define MEMTWIN_SIM_TIMELINE_INSIDE_H

#include <stdbool.h>

#include "os/new_file.h"
#include "timeline.h"
#include "workload_set.h"

/* Slices. `seq` is the slice's index among all slices of its kind, whether recorded or not. `cut`
 * is true if the slice was open when the run ended. */
struct timeline_kernel {
    uint32_t stream;
    uint64_t seq, begin, end;
    bool cut;
    const char *name; /* valid as long as the workload */
};

struct timeline_cta {
    uint64_t seq, begin, end, cta, launch;
    uint32_t sm, slot;
    bool cut;
};

struct timeline_fault {
    uint64_t seq, begin, end;
    uint64_t transfer; /* seq of the transfer that moved the page */
    uint32_t sm, lane, page;
    bool cut;
};

struct timeline_transfer {
    uint64_t seq;
    struct watched_transfer t;
};

enum timeline_kind {
    TIMELINE_KERNELS,
    TIMELINE_CTAS,
    TIMELINE_FAULTS,
    TIMELINE_TRANSFERS,
    TIMELINE_KINDS
};

/* Recorded slices of a kind: every stride-th of the `seen` slices. */
struct timeline_list {
    void *item; /* owned */
    size_t n, room;
    uint64_t seen, stride;
};

/* A counter: a gauge of one part, or its sum over all parts of a kind. */
struct timeline_track {
    const char *place, *name, *unit;
    uint32_t index; /* part index; GPU_ONLY for the only part */
    bool sum;
    uint32_t summed; /* track of the sum that includes this gauge; 0 if none */
    uint64_t capacity;
};

/* Value of a gauge at a sample (struct gauge). */
struct timeline_value {
    uint64_t value, cycles;
};

/* Lane of an SM. If `on` is true, it has an open slice. */
struct timeline_lane {
    bool on;
    uint64_t seq, begin;
    uint64_t what;   /* index of the CTA or of the page */
    uint64_t free;   /* first cycle in which a new fault may begin */
    uint64_t launch; /* launch of the CTA */
};

struct timeline_lanes {
    struct timeline_lane *lane; /* owned */
    uint32_t n;
};

struct timeline {
    struct gpu *gpu; /* not owned */
    struct watcher watcher;
    struct new_file file;
    bool open, gz;
    uint64_t limit;        /* size limit of the file, in bytes */
    uint64_t bytes;        /* upper bound of the bytes that the recorded data take in the file */
    uint64_t sample_bytes; /* part of `bytes` that is due to the counters */
    struct timeline_list kept[TIMELINE_KINDS];
    struct timeline_kernel kernel[KERNELS_AT_ONCE]; /* latest launch of each workload */
    bool kernel_on[KERNELS_AT_ONCE];                /* true if that launch is running */
    struct timeline_lanes *ctas, *faults;           /* owned; per SM */
    uint32_t sms;
    uint64_t last_read; /* seq of the transfer to the GPU that began most recently */
    /* Counters, with samples every `period` SM cycles and one at the end. */
    struct timeline_track *track;        /* owned */
    uint32_t tracks, tracks_room, parts; /* `parts` is the number of tracks of single parts */
    uint32_t next_track;                 /* track of the next gauge */
    struct timeline_value *value;        /* owned; `tracks` values per sample */
    uint64_t *cycle;                     /* owned; SM cycle of each sample */
    size_t samples, samples_room;
    uint64_t period;
};

size_t timeline_size_of(enum timeline_kind kind);

static inline void *timeline_item(const struct timeline_list *list, enum timeline_kind kind,
                                  size_t i) {
    return (char *)list->item + i * timeline_size_of(kind);
}

/* Writes the timeline to the open t->file. Returns 0, or -1 with one line in err. */
int timeline_write(struct timeline *t, const struct report *r, struct error *err);

#endif
