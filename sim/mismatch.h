/* SPDX-License-Identifier: Apache-2.0 */
/* Reports a mismatch and records its vector file. */
#ifndef MEMTWIN_SIM_MISMATCH_H
#define MEMTWIN_SIM_MISMATCH_H

#include "run.h"

struct mismatch;

/* Repeats the run to record the instance up to its first mismatch, for `memtwin replay`. Returns
 * EXIT_MISMATCH. */
int report_mismatch(struct run *r, const struct mismatch *first);

#endif
