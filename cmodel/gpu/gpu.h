/* SPDX-License-Identifier: Apache-2.0 */
/* The system: SMs, crossbar, L2 partitions and DRAM channels, wired and clocked.
 *
 * Ownership: the caller owns cfg, workload, check, book and probes, and keeps them alive while the
 * gpu lives.
 */
#ifndef MEMTWIN_GPU_GPU_H
#define MEMTWIN_GPU_GPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "block/block.h"
#include "check/check.h"
#include "context/watcher.h"
#include "config/config.h"
#include "kernel/kernel.h"
#include "stats/gauge.h"
#include "stats/stats.h"
#include "pages/book.h"

#define THREADS_MAX 64

struct gpu;

enum gpu_end {
    GPU_DONE,         /* the workload has run to its end */
    GPU_STOPPED,      /* `stop` was set (interrupt, mismatch, max_cycles) */
    GPU_CHECK_FAILED, /* check_failure() says what */
    GPU_NO_PROGRESS,  /* nothing moved for sim.no_progress_cycles and the longest unloaded wait */
    GPU_BAD_LAUNCH,   /* a CTA does not fit on an SM, or a bad trace; gpu_error() says what */
    GPU_INTERNAL      /* a part contradicts itself; gpu_error() says how */
};

/* Relations between the keys of all parts. Returns 0, or -1 with one line in err that names the
 * keys and their values. */
int gpu_check(const struct config *cfg, char *err, size_t err_size);

/* Checks whether the GPU can run n workloads at once. Returns 0, or -1 with one line in err that
 * names the keys. */
int gpu_check_streams(const struct config *cfg, uint32_t n, char *err, size_t err_size);

/* Creates a system in reset. check may be NULL. Returns NULL with one line in err on failure. */
struct gpu *gpu_create(const struct config *cfg, struct check *check, char *err, size_t err_size);
/* gpu_create with the record of pages that a first pass has made, or is to make (uvm_create). book
 * may be NULL. */
struct gpu *gpu_create_booked(const struct config *cfg, struct check *check, struct book *book,
                              char *err, size_t err_size);
void gpu_destroy(struct gpu *gpu);
/* Ticks the parts on n threads. Call it at most once, before gpu_run; blocks, data and events must
 * not be observed. always: even if one thread is faster. Returns 0, or -1 with one line in err. */
int gpu_use_threads(struct gpu *gpu, uint32_t n, bool always, char *err, size_t err_size);
/* Number of phases (threads.h) that all threads did, rather than the caller alone. */
uint64_t gpu_phases_by_all(const struct gpu *gpu);

/* Sets the number of concurrent workloads, 1..KERNELS_AT_ONCE, initially 1. They share the SMs by
 * cke.partition (partition.h). Call it at most once, before gpu_run_streams and before probes are
 * attached; gpu_check_streams must have accepted n. Returns 0, or -1 with one line in err. */
int gpu_use_streams(struct gpu *gpu, uint32_t n, char *err, size_t err_size);

/* Calls fn for each twinnable block instance ("l1d.0.mshr" .. , "l2.0.mshr" ..), in a fixed order.
 * Probes are attached by setting inst->probe, before gpu_run. */
void gpu_each_block(struct gpu *gpu, void (*fn)(void *ctx, struct block_inst *inst), void *ctx);

/* Data move only when somebody can see them (check, or a probe on a block with data ports). */
void gpu_carry_data(struct gpu *gpu, bool on);

/* Who is told of a run while it goes on. Each function may be NULL. */
struct gpu_monitor {
    void *ctx;
    /* About every 2^14 SM cycles. */
    void (*progress)(void *ctx);
    /* Every sample_cycles SM cycles (0: never), exactly, and at the end: totals so far. */
    void (*sample)(void *ctx, const struct stats *totals);
    uint64_t sample_cycles;
    /* At the end of each kernel: the number of its launch, from 0, its name, and what happened
     * while it ran. */
    void (*kernel)(void *ctx, uint64_t launch, const char *name, const struct stats *during);
    /* Receives begins and ends of events, in the order of time. Not owned; may be NULL. */
    const struct watcher *watcher;
    /* Reads the gauges (gpu_gauges), first before cycle 0. `cycle` cycles are done; returns the
     * number of cycles after which it is called next, greater than `cycle`. */
    uint64_t (*look)(void *ctx, uint64_t cycle);
    bool banks; /* the gauges have each DRAM bank too */
};

/* Runs the workload to its end. *stop (may be NULL) is polled every SM cycle; monitor may be NULL.
 */
enum gpu_end gpu_run(struct gpu *gpu, struct workload *workload, const volatile bool *stop,
                     const struct gpu_monitor *monitor);

/* gpu_run for the number of workloads set by gpu_use_streams. */
enum gpu_end gpu_run_streams(struct gpu *gpu, struct workload *const *workload,
                             const volatile bool *stop, const struct gpu_monitor *monitor);

/* Progress of a run. With several workloads, `grid` is 0, `ctas` is that of all workloads and
 * `kernel` that of the first. */
struct gpu_reached {
    uint64_t cycles;     /* of the SMs */
    uint64_t launch;     /* number of the current or last launch, from 1; 0: before the first */
    uint64_t ctas, grid; /* CTAs of this launch that have ended, and all its CTAs; grid is 0 if
                          * several launches run or the launch restarts with its last CTA */
    uint64_t all_ctas;   /* CTAs that have ended, over all launches */
    const char *kernel;  /* name of this launch's kernel, or ""; lives as long as the workload */
};
void gpu_reached(const struct gpu *gpu, struct gpu_reached *reached);

/* Totals over all instances. */
void gpu_stats(struct gpu *gpu, struct stats *totals);

/* Of several workloads: the statistics of workload k that are told apart (cache/cache.h), its
 * launches and all cycles; the others are 0. */
void gpu_stream_stats(const struct gpu *gpu, uint32_t k, struct stats *s);

/* The statistics of one part; those that belong to other kinds of parts are 0. */
enum gpu_part { GPU_SM, GPU_L2_BANK, GPU_DRAM_CHANNEL, GPU_PARTS };
extern const char *const gpu_part_name[GPU_PARTS]; /* "sm", "l2", "dram" */
uint32_t gpu_part_count(const struct gpu *gpu, enum gpu_part part);
void gpu_part_stats(struct gpu *gpu, enum gpu_part part, uint32_t index, struct stats *s);

/* The gauges of all parts, always in the same order. `place` lives as long as the program: "SM",
 * "L2 bank" .. and `index` counts those; GPU_ONLY: there is one. */
#define GPU_ONLY UINT32_MAX
void gpu_gauges(struct gpu *gpu,
                void (*fn)(void *ctx, const char *place, uint32_t index, const struct gauge *gauge),
                void *ctx);
/* Counts, from now on, the cycles in which each DRAM bank has an open row. */
void gpu_watch_banks(struct gpu *gpu);
/* The gauges of the banks of a DRAM channel, from bank 0. Only after gpu_watch_banks. */
void gpu_bank_gauges(const struct gpu *gpu, uint32_t channel, const struct gauge_reader *to);
/* One line: why the run ended, for GPU_BAD_LAUNCH and GPU_INTERNAL. */
const char *gpu_error(const struct gpu *gpu);
/* Whether the fault of sim.plant has changed anything in the run; true if none was asked for. */
bool gpu_plant_made(const struct gpu *gpu);
/* Every queue, every waiting warp, every MSHR: for GPU_NO_PROGRESS. */
void gpu_dump(const struct gpu *gpu, FILE *out);
/* Bytes of a line as memory holds it, dirty L2 lines included (for check_final). ctx is the gpu. */
void gpu_read_line(void *gpu, uint64_t line, uint8_t data[LINE_BYTES]);

#endif
