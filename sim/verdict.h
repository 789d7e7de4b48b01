/* SPDX-License-Identifier: Apache-2.0 */
/* How a simulation ended. */
#ifndef MEMTWIN_SIM_VERDICT_H
#define MEMTWIN_SIM_VERDICT_H

#include "gpu/gpu.h"
#include "machine.h"

/* The run's end as the report and the exit code have it; `line` says why, if it is not good. */
struct verdict {
    int code;
    const char *end;
    char line[1200];
};

struct verdict judge(struct machine *m, const struct run *r, enum gpu_end end);

/* What went wrong with the data: as the check saw it, or else the memory system itself. NULL:
 * nothing. */
const char *data_failure(const struct machine *m);

/* "kernel 3 of 10, 40 of 128 CTAs"; launches 0: not known. */
void print_place(const struct gpu_reached *at, uint64_t launches, char *buf, size_t size);

#endif
