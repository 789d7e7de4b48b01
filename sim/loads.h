/* SPDX-License-Identifier: Apache-2.0 */
/* Records single loads of a run, with the cycles of each stage, for the page of `memtwin report`
 * (docs/use/loads.md).
 *
 * All loads are counted, by instruction and by latency. The details of a load are kept if it is
 * among the slowest, or if a random sample contains it: one sample of the run, one of each latency
 * and one of each instruction. The file therefore has a limited size however long the run is, and
 * it depends only on the run. It appears at its path when loads_end is called. */
#ifndef MEMTWIN_SIM_LOADS_H
#define MEMTWIN_SIM_LOADS_H

#include "context/watcher.h"
#include "config/config.h"
#include "lib/error.h"
#include "report.h"

struct gpu;
struct loads;
struct run_opts;

/* Parses FROM-TO, two addresses in order, or one address. Returns false if the text is anything
 * else. */
bool loads_range(const char *text, uint64_t *first, uint64_t *last);

/* Begins a file. `range` is NULL, or a range whose loads alone have details kept. Returns NULL with
 * one line in err on error. */
struct loads *loads_begin(const char *path, const char *range, const struct config *cfg,
                          struct error *err);
/* Returns the watcher for a gpu_monitor. */
const struct load_watcher *loads_watcher(const struct loads *l);
/* Returns true if no load was in the range. Sets *seen to the number of loads of the run. */
bool loads_empty(const struct loads *l, uint64_t *seen);
/* Writes the file and frees the loads. `gpu` and `opts` are those of the run. Returns 0, or -1 with
 * one line in err. */
int loads_end(struct loads *l, const struct report *r, struct gpu *gpu, const struct run_opts *opts,
              struct error *err);
/* Frees the loads without writing a file. l may be NULL. */
void loads_drop(struct loads *l);

#endif
