/* SPDX-License-Identifier: Apache-2.0 */
/* Prints statistics under the names of Accel-Sim, so that scripts that read its output read that of
 * MemTwin. */
#ifndef MEMTWIN_SIM_ACCELSIM_H
#define MEMTWIN_SIM_ACCELSIM_H

#include <stdint.h>
#include <stdio.h>

#include "config/config.h"
#include "stats/stats.h"

struct accelsim {
    FILE *out;                /* not owned */
    const struct config *cfg; /* not owned */
    struct stats totals;      /* of the kernels so far */
};

/* Prints the line that names the program. */
void accelsim_begin(struct accelsim *a, FILE *out, const struct config *cfg);
/* Prints the statistics of a launch (counted from 0) that has ended, or was cut off. */
void accelsim_kernel(struct accelsim *a, uint64_t launch, const char *name,
                     const struct stats *during);
/* Prints the host's time and the line that ends a complete output. If the run was cut off, the last
 * kernel is the one that it ended in. */
void accelsim_end(const struct accelsim *a, double seconds, bool cut_off);

#endif
