/* SPDX-License-Identifier: Apache-2.0 */
/* Statistics by part and by kernel, gathered over a run, and the file of a time series. */
#ifndef MEMTWIN_SIM_DETAIL_H
#define MEMTWIN_SIM_DETAIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gpu/gpu.h"
#include "harness/proc.h"
#include "stats/stats.h"

struct detail_row {
    const char *scope; /* "kernel", "stream" (one of several workloads), or gpu_part_name */
    uint64_t index;    /* number in its scope */
    char name[64];     /* of a kernel or a workload; else empty */
    struct stats stats;
};

/* Rows in order: kernels as they end, then the parts. */
struct detail {
    struct detail_row *row; /* owned */
    size_t n, room;
    bool lost; /* out of memory: rows are missing */
};

void detail_kernel(struct detail *d, uint64_t launch, const char *name, const struct stats *during);
/* Adds a row for each of the n workloads in the full name (workload_set.h). */
void detail_streams(struct detail *d, const struct gpu *gpu, const char *workloads, uint32_t n);
/* Adds a row for each part. */
void detail_parts(struct detail *d, struct gpu *gpu);
void detail_free(struct detail *d);

/* CSV file with a row per sample, which counts events since the row before. It appears at its path
 * at series_end. The last column, `complete`, is 1 in the last row of a run that ended by itself,
 * else 0; a row is therefore written only when the next one is sampled. */
struct series {
    struct new_file file;
    struct stats last, since; /* totals at the newest row; the newest row */
    struct stats *streams; /* owned; `last` and `since` of each workload, if several run at once */
    uint32_t n_streams;    /* 0: one workload */
    char *origin;          /* owned; of report_origin */
    bool open, any;        /* any: there is a newest row */
};

/* Starts the series of `workloads` workloads and takes ownership of `origin`. Returns 0, or -1 with
 * one line in err. */
int series_begin(struct series *s, const char *path, uint32_t workloads, char *origin, char *err,
                 size_t err_size);
void series_row(struct series *s, const struct gpu *gpu, const struct stats *totals);
int series_end(struct series *s, bool complete, char *err, size_t err_size);
/* Drops the series without a file; does nothing if it is not open. */
void series_drop(struct series *s);

#endif
