/* SPDX-License-Identifier: Apache-2.0 */
/* What a timeline has gathered: timeline.c gathers it, timeline_file.c writes it. */
#ifndef MEMTWIN_SIM_TIMELINE_INSIDE_H
#define MEMTWIN_SIM_TIMELINE_INSIDE_H

#include <stdbool.h>

#include "harness/proc.h"
#include "timeline.h"
#include "workload_set.h"

/* Slices. `seq` counts all of the kind, kept or not; cut: it was under way at the end. */
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
    uint64_t transfer; /* seq of the one that brought the page */
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

/* Every stride-th of a kind. */
struct timeline_list {
    void *item; /* owned */
    size_t n, room;
    uint64_t seen, stride;
};

/* A counter: a gauge of a part, or the sum of one over all parts of its place. */
struct timeline_track {
    const char *place, *name, *unit;
    uint32_t index; /* of the part; GPU_ONLY: there is one */
    bool sum;
    uint32_t summed; /* the track of the sum it is part of; 0: none */
    uint64_t capacity;
};

/* At a sample: struct gauge. */
struct timeline_value {
    uint64_t value, cycles;
};

/* What is under way on an SM. */
struct timeline_lane {
    bool on;
    uint64_t seq, begin;
    uint64_t what;   /* CTA, or page */
    uint64_t free;   /* a new fault may begin in that cycle */
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
    struct timeline_kernel kernel[KERNELS_AT_ONCE]; /* the latest launch of each workload, */
    bool kernel_on[KERNELS_AT_ONCE];                /* which runs */
    struct timeline_lanes *ctas, *faults;           /* owned; per SM */
    uint32_t sms;
    uint64_t last_read; /* seq of the transfer to the GPU that began last */
    /* Counters: samples every `period` SM cycles, and one at the end. */
    struct timeline_track *track;        /* owned */
    uint32_t tracks, tracks_room, parts; /* parts: tracks that are no sums */
    uint32_t at;                         /* track that is read */
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

/* Writes all of it into t->file, which is open. Errors are found when the file is committed.
 * Returns 0, or -1 if out of memory. */
int timeline_write(struct timeline *t, const struct report *r);

#endif
