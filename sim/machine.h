/* SPDX-License-Identifier: Apache-2.0 */
/* One simulation of a run: everything that each pass, or a second simulation for the recording,
 * builds for itself. */
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

/* Workload, harness and gpu, of *cfg. 0, or -1 with one line in r->err; machine_free either way. */
int machine_make(struct machine *m, struct run *r, const struct config *cfg);
/* The same and the data check, of r->cfg, with the twins chosen and none attached. */
int machine_init(struct machine *m, struct run *r);
void machine_free(struct machine *m);

#endif
