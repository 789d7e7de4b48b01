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

/* Makes workload, harness and gpu for *cfg. Returns 0, or -1 with one line in r->err; call
 * machine_free in both cases. */
int machine_make(struct machine *m, struct run *r, const struct config *cfg);
/* As machine_make for r->cfg, with the data check. Twins are chosen, but not attached. */
int machine_init(struct machine *m, struct run *r);
void machine_free(struct machine *m);

#endif
