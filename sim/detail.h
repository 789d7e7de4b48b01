/* SPDX-License-Identifier: Apache-2.0 */
/* Collects statistics by part and by kernel, and writes the CSV file of a time series. */
#ifndef MEMTWIN_SIM_DETAIL_H
#define MEMTWIN_SIM_DETAIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gpu/gpu.h"
#include "lib/hash_map.h"
#include "os/new_file.h"
#include "stats/stats.h"
#include "trace/list.h"

struct detail_row {
    const char *scope; /* "kernel", "stream" (one of several workloads, or of a trace's streams), or
                          gpu_part_name */
    uint64_t index;    /* index within the scope */
    char *name;      /* owned; name of a kernel or workload, or number of a CUDA stream; empty for a
                        part */
    bool streamed;   /* true for a kernel of a trace of several streams .. */
    uint64_t stream; /* .. and its CUDA stream */
    struct stats stats;
};

/* Rows of statistics: first the kernels in the order in which they end, then concurrent workloads,
 * then parts. */
struct detail {
    struct detail_row *row; /* owned */
    uint32_t n, room;
};

/* Adds a row for a launch. `trace` is the trace with that launch, or NULL. */
void detail_kernel(struct detail *d, uint64_t launch, const char *name, const struct stats *during,
                   const struct trace *trace);
/* Adds a row for each of the n workloads in the full name `workloads` (workload_set.h). */
void detail_streams(struct detail *d, const struct gpu *gpu, const char *workloads, uint32_t n);
/* Adds a row for each stream of a trace. */
void detail_trace_streams(struct detail *d, const struct gpu *gpu, const struct trace *trace);
/* Adds a row for each part. */
void detail_parts(struct detail *d, struct gpu *gpu);
void detail_free(struct detail *d);

/* Sums over the launches of all kernels of one name. */
struct kernel_sum {
    char *name; /* owned */
    uint64_t launches;
    struct stats stats;
};

/* A sum for each name, in the order in which the first launches end. */
struct kernel_sums {
    struct kernel_sum *row; /* owned */
    uint32_t n, room;
    struct hash_map by_name;
};

void kernel_sums_add(struct kernel_sums *k, const char *name, const struct stats *during);
void kernel_sums_free(struct kernel_sums *k);

/* Writes a CSV file with one row per sample. A row counts events since the previous row. The file
 * appears at its path at series_end. The last column, `complete`, is 1 in the last row of a run
 * that ended by itself, and 0 in all other rows. A row is therefore written only when the next
 * sample is taken or when the series ends. */
struct series {
    struct new_file file;
    struct stats last, /* totals at the newest sample */
        since;         /* events between the two newest samples */
    struct stats
        *streams; /* owned; `last` and `since` of each workload, used only if there are several */
    uint32_t n_streams; /* number of workloads; 0 if there is only one */
    char *origin;       /* owned; result of report_origin */
    bool open,          /* true if the file is open */
        any;            /* true if a sample has been taken */
};

/* Starts the series of a run with `workloads` workloads and takes ownership of `origin`. Returns 0,
 * or -1 with one line in err. */
int series_begin(struct series *s, const char *path, uint32_t workloads, char *origin,
                 struct error *err);
void series_row(struct series *s, const struct gpu *gpu, const struct stats *totals);
int series_end(struct series *s, bool complete, struct error *err);
/* Discards the series without writing a file. Does nothing if it is not open. */
void series_drop(struct series *s);

#endif
