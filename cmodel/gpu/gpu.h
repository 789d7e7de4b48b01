/* SPDX-License-Identifier: Apache-2.0 */
/* Connects, clocks and runs a system of SMs, crossbars, L2 partitions and DRAM channels.
 *
 * The caller owns cfg, workload, check, book and probes, and must keep them valid until
 * gpu_destroy().
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

struct gpu;

enum gpu_end {
    GPU_DONE,         /* the workload has run to its end */
    GPU_STOPPED,      /* *stop was set (interrupt, mismatch), or sim.max_cycles was reached */
    GPU_CHECK_FAILED, /* the data check failed; check_failure() returns the message */
    GPU_NO_PROGRESS,  /* nothing moved for sim.no_progress_cycles plus the longest unloaded wait */
    GPU_BAD_LAUNCH,   /* a CTA does not fit on an SM, or a trace is bad; gpu_error() returns the
                         message */
    GPU_INTERNAL      /* a part is inconsistent; gpu_error() returns the message */
};

/* Checks relations between the keys of all parts. Returns 0, or -1 with one line in err that
 * contains the keys and their values. */
int gpu_check(const struct config *cfg, struct error *err);

/* Checks that the GPU can run n concurrent workloads. Returns 0, or -1 with one line in err that
 * names the keys. */
int gpu_check_streams(const struct config *cfg, uint32_t n, struct error *err);

/* Creates a system in reset. `check` may be NULL. Returns NULL with one line in err on failure. */
struct gpu *gpu_create(const struct config *cfg, struct check *check, struct error *err);
/* Creates a system as gpu_create() does. Unless `book` is NULL, the run reads or writes this page
 * record of a first pass (see uvm_create()). */
struct gpu *gpu_create_booked(const struct config *cfg, struct check *check, struct book *book,
                              struct error *err);
void gpu_destroy(struct gpu *gpu);

/* Sets the number of concurrent workloads, 1..WORKLOADS_AT_ONCE. It is initially 1. The workloads
 * share the SMs according to cke.partition (partition.h). Call this function at most once, before
 * gpu_run_streams() and before probes are attached. gpu_check_streams() must have accepted n.
 * Returns 0, or -1 with one line in err. */
int gpu_use_streams(struct gpu *gpu, uint32_t n, struct error *err);

/* Checks that the GPU can run launches of a workload's streams at once (cke.kernels). Returns 0, or
 * -1 with one line in err that names the key. */
int gpu_check_launches(const struct config *cfg, struct error *err);
/* Lets launches of the workload's streams (struct workload_streams) run at once, up to cke.kernels.
 * It replaces gpu_use_streams(), with the same conditions; the workload is then the only one of the
 * run, and its streams are those of gpu_stream_stats(). gpu_check_launches() must have accepted the
 * configuration. Returns 0, or -1 with one line in err. */
int gpu_use_launches(struct gpu *gpu, const struct workload *workload, struct error *err);

/* Calls fn for each block instance that can have a twin ("l1d.0.mshr", ..., "l2.0.mshr", ...), in a
 * fixed order. To attach a probe, set inst->probe before gpu_run(). */
void gpu_each_block(struct gpu *gpu, void (*fn)(void *ctx, struct block_inst *inst), void *ctx);

/* Sets whether requests carry data. A probe on a block with data ports needs the data. If the
 * system has a check, requests always carry data. */
void gpu_carry_data(struct gpu *gpu, bool on);

/* Callbacks during a run. Each function may be NULL. */
struct gpu_monitor {
    void *ctx;
    /* Called about every 2^14 SM cycles. */
    void (*progress)(void *ctx);
    /* Called every `sample_cycles` SM cycles, and at the end of the run if the last call was in an
     * earlier cycle, with the totals so far. Never called if `sample_cycles` is 0. */
    void (*sample)(void *ctx, const struct stats *totals);
    uint64_t sample_cycles;
    /* Called at the end of each launch, with the launch's number (counted from 0, in a list of
     * launches that of the list), its kernel's name, and its statistics. */
    void (*kernel)(void *ctx, uint64_t launch, const char *name, const struct stats *during);
    /* Receives the beginning and end of each event, in order of time. Not owned; may be NULL. */
    const struct watcher *watcher;
    /* Receives each load when its data arrive. Not owned; may be NULL. */
    const struct load_watcher *loads;
    /* Reads the gauges (gpu_gauges) after `cycle` SM cycles. The first call is before cycle 0.
     * Returns the number of SM cycles, greater than `cycle`, after which the next call must be
     * made. */
    uint64_t (*look)(void *ctx, uint64_t cycle);
    bool banks; /* true if the gauges include those of each DRAM bank */
};

/* Runs the workload to its end. *stop is polled in every SM cycle. `stop` and `monitor` may be
 * NULL. */
enum gpu_end gpu_run(struct gpu *gpu, struct workload *workload, const volatile bool *stop,
                     const struct gpu_monitor *monitor);

/* Runs the workloads, as many as gpu_use_streams() has set, to their end. `stop` and `monitor` are
 * the same as for gpu_run(). */
enum gpu_end gpu_run_streams(struct gpu *gpu, struct workload *const *workload,
                             const volatile bool *stop, const struct gpu_monitor *monitor);

/* Progress of a run. If there are several workloads, `grid` is 0, `ctas` counts the CTAs of all
 * workloads, and `kernel` is the kernel of the first workload. */
struct gpu_reached {
    uint64_t cycles;    /* number of SM cycles */
    uint64_t launch;    /* number of the current or last launch, counted from 1; 0 before the first
                           launch */
    uint64_t ctas,      /* number of this launch's CTAs that have ended */
        grid;           /* number of CTAs in this launch; 0 if there are several workloads or
                           cke.restart=grid */
    uint64_t all_ctas;  /* number of CTAs that have ended in all launches */
    const char *kernel; /* name of this launch's kernel, or "" if there is none; valid as long as
                           the workload exists */
};
void gpu_reached(const struct gpu *gpu, struct gpu_reached *reached);

/* Sets *totals to the totals of the statistics over all parts. */
void gpu_stats(struct gpu *gpu, struct stats *totals);

/* Sets *s to the per-kernel statistics of workload k, or of stream k (cache/cache.h), its number of
 * launches, and the total number of cycles. All other statistics are 0. Call this function only if
 * there are several workloads or gpu_use_launches() has been called. */
void gpu_stream_stats(const struct gpu *gpu, uint32_t k, struct stats *s);

/* Kinds of parts with their own statistics. gpu_part_stats() sets statistics that belong to other
 * kinds to 0. */
enum gpu_part { GPU_SM, GPU_L2_BANK, GPU_DRAM_CHANNEL, GPU_PARTS };
extern const char *const gpu_part_name[GPU_PARTS]; /* "sm", "l2", "dram" */
uint32_t gpu_part_count(const struct gpu *gpu, enum gpu_part part);
void gpu_part_stats(struct gpu *gpu, enum gpu_part part, uint32_t index, struct stats *s);

/* Passes the gauges of all parts to fn, always in the same order. `place` is the kind of part, such
 * as "SM" or "L2 bank", in static storage. `index` is the part's number, or GPU_ONLY if there is
 * only one part of its kind. */
#define GPU_ONLY UINT32_MAX
void gpu_gauges(struct gpu *gpu,
                void (*fn)(void *ctx, const char *place, uint32_t index, const struct gauge *gauge),
                void *ctx);
/* Starts counting the cycles in which each DRAM bank has an open row. */
void gpu_watch_banks(struct gpu *gpu);
/* Passes the gauges of a channel's DRAM banks to `to`, from bank 0 on. Call gpu_watch_banks()
 * first. */
void gpu_bank_gauges(const struct gpu *gpu, uint32_t channel, const struct gauge_reader *to);
/* Returns the reason for GPU_BAD_LAUNCH or GPU_INTERNAL in one line. */
const char *gpu_error(const struct gpu *gpu);
/* True if the fault of sim.planted_fault has taken effect or no fault was planted. */
bool gpu_plant_made(const struct gpu *gpu);
/* Prints all non-empty queues, waiting warps and MSHRs. Used after GPU_NO_PROGRESS. */
void gpu_dump(const struct gpu *gpu, FILE *out);
/* Reads a line from memory, including dirty bytes in the L2. It is a callback for check_final(), so
 * `gpu` is a void pointer to a struct gpu. */
void gpu_read_line(void *gpu, uint64_t line, uint8_t data[LINE_BYTES]);

#endif
