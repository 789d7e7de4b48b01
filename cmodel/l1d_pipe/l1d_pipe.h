/* SPDX-License-Identifier: Apache-2.0 */
/* The pipeline before the tags of an L1D (l1d.lookup=back): a stage (stage/stage.h) that holds each
 * access for l1d.hit_latency - 1 cycles, in order, one in and one out per cycle. An access that the
 * L1D refuses stays at the end; the accesses behind it close up until all places are occupied.
 *
 * Loads that bypass the L1D, and with l1d.bypass=global all global accesses, also bypass the
 * pipeline: in a cycle in which nothing leaves it, if it holds no access to their line.
 */
#ifndef MEMTWIN_L1D_PIPE_L1D_PIPE_H
#define MEMTWIN_L1D_PIPE_L1D_PIPE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "config/config.h"
#include "context/context.h"
#include "lib/request.h"
#include "stage/stage.h"

struct l1d_pipe_slot {
    struct request access;
    uint64_t entered; /* SM cycle */
};

struct l1d_pipe {
    struct context *context;    /* not owned */
    struct l1d_pipe_slot *slot; /* owned; ring */
    uint64_t ready;             /* cycle in which the oldest may leave; UINT64_MAX: it is empty */
    uint32_t head, count;       /* accesses */
    uint32_t delay;             /* cycles in it at least; 0: there is no pipeline */
    uint32_t places;
    bool global_skips; /* global requests pass by (cache_policy.misses_bypass) */
    bool held;         /* the oldest is offered, and stays so until it is taken */
    bool passing;      /* the same for what passes by */
};

void l1d_pipe_init(struct l1d_pipe *p, const struct config *cfg, struct context *context);
void l1d_pipe_free(struct l1d_pipe *p);

static inline bool l1d_pipe_on(const struct l1d_pipe *p) {
    return p->delay != 0;
}

/* The stage: the last one before the L1D. */
struct stage l1d_pipe_stage(struct l1d_pipe *p);
/* What is in it, a line. */
void l1d_pipe_dump(const struct l1d_pipe *p, uint32_t sm, FILE *out);

#endif
