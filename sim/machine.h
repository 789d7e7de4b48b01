/* SPDX-License-Identifier: Apache-2.0 */
/* Builds one simulated machine. Each pass of a run has its own machine, and so does the repetition
 * that records a mismatch. */
#ifndef MEMTWIN_SIM_MACHINE_H
#define MEMTWIN_SIM_MACHINE_H

#include "run.h"
#include "twins.h"
#include "workload_set.h"

struct machine {
    struct workload_set workloads;
    struct check *check;
    struct gpu *gpu;
    struct twin_choice choice;
    struct harness *harness;
};

/* Makes the workload, the harness and the GPU for *cfg. Returns 0, or -1 with one line in r->err;
 * call machine_free in both cases. */
int machine_make(struct machine *m, struct run *r, const struct config *cfg);
/* Makes the machine for r->cfg, with the data check if --check requests it. Chooses the twins but
 * does not attach them. */
int machine_init(struct machine *m, struct run *r);
void machine_free(struct machine *m);

#endif
