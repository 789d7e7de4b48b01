/* SPDX-License-Identifier: Apache-2.0 */
/* Judges whether a simulation succeeded. */
#ifndef MEMTWIN_SIM_VERDICT_H
#define MEMTWIN_SIM_VERDICT_H

#include "gpu/gpu.h"
#include "machine.h"

/* Outcome of the run for the report and the exit code. `line` gives the reason if the run
 * failed. */
struct verdict {
    int code;
    const char *end;
    char line[1200];
};

struct verdict judge(struct machine *m, const struct run *r, enum gpu_end end);

/* Returns the data error found by the check or, failing that, by the memory system itself. Returns
 * NULL if there is none. */
const char *data_failure(const struct machine *m);

/* Prints "kernel 3 of 10, 40 of 128 CTAs". `launches` is the total number of launches, or 0 if it
 * is not known. */
void print_place(const struct gpu_reached *reached, uint64_t launches, char *buf, size_t size);

#endif
