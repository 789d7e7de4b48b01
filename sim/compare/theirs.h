/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the counters of kernels that hardware or another simulator has written: CSV of nvprof,
 * Nsight Compute (one row per metric, or one column) and AccelWattch, or the output of
 * Accel-Sim. */
#ifndef MEMTWIN_COMPARE_THEIRS_H
#define MEMTWIN_COMPARE_THEIRS_H

#include "compare/counters.h"
#include "lib/error.h"

/* Appends the kernels of a file, each once, with means over its launches. Warns, in the name of
 * `command`, of each metric that has a value or a unit that cannot be read; the metric is left out
 * there. Returns 0, or -1 with one line in err if the file has no kernels with a known counter. */
int theirs_read(const char *path, const char *command, struct compared_kernels *to,
                struct error *err);

#endif
