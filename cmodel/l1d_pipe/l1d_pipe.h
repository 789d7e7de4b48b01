/* SPDX-License-Identifier: Apache-2.0 */
/* Pipeline in front of the tags of an L1D (l1d.model=gpgpusim). It is a stage (stage/stage.h) that
 * holds each access for at least l1d.hit_latency - 1 cycles. Accesses stay in order. At most one
 * access enters and one leaves per cycle and bank (l1d.banks); accesses that enter in the same
 * cycle are of one instruction, and those that leave after the first must hit. An access that the
 * L1D refuses stays in the last place, and the accesses behind it move up until all places are
 * occupied.
 *
 * Loads that bypass the L1D also bypass the pipeline. If l1d.bypass=global, all global accesses
 * do so. An access can bypass the pipeline only in a cycle in which no other access leaves it,
 * and only if the pipeline holds no access to the same line. */
#ifndef MEMTWIN_L1D_PIPE_L1D_PIPE_H
#define MEMTWIN_L1D_PIPE_L1D_PIPE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "config/config.h"
#include "context/context.h"
#include "lib/request.h"
#include "lib/ring.h"
#include "stage/stage.h"

struct l1d_pipe_slot {
    struct request access;
    uint64_t entered; /* SM cycle of entry */
};

struct l1d_pipe {
    struct context *context; /* not owned */
    uint64_t ready; /* cycle in which the oldest access may leave; UINT64_MAX if there is none */
    RING(struct l1d_pipe_slot);
    uint32_t banks;    /* number of accesses that may enter and leave per cycle, at most 32 */
    uint32_t delay;    /* minimum number of cycles in the pipeline; 0 if there is no pipeline */
    bool global_skips; /* true if global requests bypass the pipeline (misses_bypass) */
    bool held;         /* true if the oldest access is offered and not yet taken */
    bool passing;      /* true if a bypassing access is offered and not yet taken */
    bool yielded;      /* true if the oldest access could have left when an access last passed */
};

void l1d_pipe_init(struct l1d_pipe *p, const struct config *cfg, struct context *context);
void l1d_pipe_free(struct l1d_pipe *p);

static inline bool l1d_pipe_on(const struct l1d_pipe *p) {
    return p->delay != 0;
}

/* Returns the bank of an access to a sector, as a mask. */
uint32_t l1d_pipe_bank(const struct l1d_pipe *p, const struct request *a);
/* Enters the instruction's next access if the pipeline has accepted others of it in this cycle, all
 * to other banks. Returns true if it did. */
bool l1d_pipe_enter_more(struct l1d_pipe *p, const struct request *from, uint64_t cycle);
/* Returns the oldest access if it may leave in this cycle and is to none of the banks in the mask
 * `busy`, which others have left in this cycle; or NULL. l1d_pipe_drop removes the access. */
const struct request *l1d_pipe_more(struct l1d_pipe *p, uint32_t busy, uint64_t cycle);
void l1d_pipe_drop(struct l1d_pipe *p);

/* Returns the pipeline as a stage. It must be the last stage before the L1D. */
struct stage l1d_pipe_stage(struct l1d_pipe *p);
/* Prints the occupancy in one line, unless the pipeline is empty. */
void l1d_pipe_dump(const struct l1d_pipe *p, uint32_t sm, FILE *out);

#endif
