/* The frame: SMs, crossbar, L2 partitions and DRAM channels, wired and clocked.
 *
 * Ownership: the caller owns cfg, workload, check and probes, and keeps them alive while the gpu
 * lives.
 */
#ifndef MEMTWIN_GPU_GPU_H
#define MEMTWIN_GPU_GPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "block/block.h"
#include "check/check.h"
#include "config/config.h"
#include "kernel/kernel.h"
#include "stats/stats.h"

struct gpu;

enum gpu_end {
    GPU_DONE,         /* the workload has run to its end */
    GPU_STOPPED,      /* `stop` was set (interrupt, mismatch, max_cycles) */
    GPU_CHECK_FAILED, /* check_failure() says what */
    GPU_NO_PROGRESS,  /* nothing moved for sim.no_progress_cycles and the longest unloaded wait */
    GPU_BAD_LAUNCH,   /* a CTA does not fit on an SM, or a bad trace; gpu_error() says what */
    GPU_INTERNAL      /* out of memory; gpu_error() says for what */
};

/* A system in reset. check may be NULL. Returns NULL with one line in err. */
struct gpu *gpu_create(const struct config *cfg, struct check *check, char *err, size_t err_size);
void gpu_destroy(struct gpu *gpu);

/* Calls fn for each twinnable block instance ("l1d.0.mshr" .. , "l2.0.mshr" ..), in a fixed order.
 * Probes are attached by setting inst->probe, before gpu_run. */
void gpu_each_block(struct gpu *gpu, void (*fn)(void *ctx, struct block_inst *inst), void *ctx);

/* Data move only when somebody can see them (check, or a probe on a block with data ports). */
void gpu_carry_data(struct gpu *gpu, bool on);

/* Runs the workload to its end. *stop is polled every SM cycle; progress (may be NULL) is called
 * about every 2^14 SM cycles with the totals so far. */
enum gpu_end gpu_run(struct gpu *gpu, struct workload *workload, const volatile bool *stop,
                     void (*progress)(void *ctx, const struct stats *totals), void *ctx);

/* Totals over all instances. */
void gpu_stats(const struct gpu *gpu, struct stats *totals);
/* One line: why the run ended, for GPU_BAD_LAUNCH and GPU_INTERNAL. */
const char *gpu_error(const struct gpu *gpu);
/* Whether the fault of sim.plant has changed anything in the run; true if none was asked for. */
bool gpu_plant_made(const struct gpu *gpu);
/* Every queue, every waiting warp, every MSHR: for GPU_NO_PROGRESS. */
void gpu_dump(const struct gpu *gpu, FILE *out);
/* Bytes of a line as memory holds it, dirty L2 lines included (for check_final). ctx is the gpu. */
void gpu_read_line(void *gpu, uint64_t line, uint8_t data[LINE_BYTES]);

#endif
