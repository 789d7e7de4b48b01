/* SPDX-License-Identifier: Apache-2.0 */
/* The verdict on a simulation. */
#ifndef MEMTWIN_SIM_VERDICT_H
#define MEMTWIN_SIM_VERDICT_H

#include "gpu/gpu.h"
#include "machine.h"

/* The end of the run for report and exit code. `line` gives the reason if the run is not good. */
struct verdict {
    int code;
    const char *end;
    char line[1200];
};

struct verdict judge(struct machine *m, const struct run *r, enum gpu_end end);

/* The data error found by the check, or else by the memory system itself. NULL if there is none. */
const char *data_failure(const struct machine *m);

/* Prints "kernel 3 of 10, 40 of 128 CTAs". launches 0: not known. */
void print_place(const struct gpu_reached *at, uint64_t launches, char *buf, size_t size);

#endif
