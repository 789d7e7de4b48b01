/* SPDX-License-Identifier: Apache-2.0 */
/* The data of a timeline: timeline.c gathers them, timeline_file.c writes them. */
#ifndef MEMTWIN_SIM_TIMELINE_INSIDE_H
#define MEMTWIN_SIM_TIMELINE_INSIDE_H

#include <stdbool.h>

#include "harness/proc.h"
#include "timeline.h"
#include "workload_set.h"

/* Slices. `seq` counts all slices of the kind, kept or not; cut: still open as the run ended. */
struct timeline_kernel {
    uint32_t stream;
    uint64_t seq, begin, end;
    bool cut;
    char name[128];
};

struct timeline_cta {
    uint64_t seq, begin, end, cta, launch;
    uint32_t sm, slot;
    bool cut;
};

struct timeline_fault {
    uint64_t seq, begin, end;
    uint64_t transfer; /* seq of the transfer of the page */
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

/* Every stride-th slice of a kind. */
struct timeline_list {
    void *item; /* owned */
    size_t n, room;
    uint64_t seen, stride;
};

/* A counter: a gauge of one part, or its sum over all parts of a kind. */
struct timeline_track {
    const char *place, *name, *unit;
    uint32_t index; /* of the part; GPU_ONLY: the only part */
    bool sum;
    uint32_t summed; /* track of the sum that includes it; 0: none */
    uint64_t capacity;
};

/* Value at a sample (struct gauge). */
struct timeline_value {
    uint64_t value, cycles;
};

/* An open slice of an SM. */
struct timeline_lane {
    bool on;
    uint64_t seq, begin;
    uint64_t what;   /* CTA, or page */
    uint64_t free;   /* first cycle in which a new fault may begin */
    uint64_t launch; /* of a CTA */
};

struct timeline_lanes {
    struct timeline_lane *lane; /* owned */
    uint32_t n;
};

struct timeline {
    struct gpu *gpu; /* not owned */
    struct watcher watcher;
    struct new_file file;
    bool open, gz, lost;   /* lost: out of memory */
    uint64_t limit;        /* bytes of the file */
    uint64_t bytes;        /* upper bound of what the gathered data take in it */
    uint64_t sample_bytes; /* the counters' share of `bytes` */
    struct timeline_list kept[TIMELINE_KINDS];
    struct timeline_kernel kernel[KERNELS_AT_ONCE]; /* latest launch of each workload */
    bool kernel_on[KERNELS_AT_ONCE];                /* whether it is running */
    struct timeline_lanes *ctas, *faults;           /* owned; per SM */
    uint32_t sms;
    uint64_t last_read; /* seq of the transfer to the GPU that began last */
    /* Counters: samples every `period` SM cycles, and one at the end. */
    struct timeline_track *track;        /* owned */
    uint32_t tracks, tracks_room, parts; /* parts: tracks of single parts */
    uint32_t at;                         /* track being read */
    struct timeline_value *value;        /* owned; `tracks` a sample */
    uint64_t *cycle;                     /* owned; per sample */
    size_t samples, samples_room;
    uint64_t period;
};

size_t timeline_size_of(enum timeline_kind kind);

static inline void *timeline_item(const struct timeline_list *list, enum timeline_kind kind,
                                  size_t i) {
    return (char *)list->item + i * timeline_size_of(kind);
}

/* Writes the timeline into the open t->file. Write errors show when the file is committed. Returns
 * 0, or -1 if out of memory. */
int timeline_write(struct timeline *t, const struct report *r);

#endif
