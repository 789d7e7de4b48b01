/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the kernels of our results: of a database of studies whose runs have details, or of a file
 * of `memtwin run --json`. */
#ifndef MEMTWIN_COMPARE_OURS_H
#define MEMTWIN_COMPARE_OURS_H

#include "compare/counters.h"
#include "lib/error.h"

/* Appends the kernels of each run that ended by itself, with means over their launches; of a
 * database, only runs that its studies still have. A counter is unknown if the run's L1D or L2
 * counts lines and the counter is in sectors. Returns 0, or -1 with one line in err. */
int ours_read(const char *path, struct compared_kernels *to, struct error *err);

#endif
