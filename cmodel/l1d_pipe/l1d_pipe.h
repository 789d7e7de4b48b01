/* SPDX-License-Identifier: Apache-2.0 */
/* Pipeline in front of the tags of an L1D (l1d.model=gpgpusim). It is a stage (stage/stage.h) that
 * holds each access for at least l1d.hit_latency - 1 cycles. Each bank of the L1D (l1d.banks) has a
 * pipeline of its own, in which accesses stay in order. At most one access enters and one leaves
 * per cycle and bank; accesses that enter in the same cycle are of one instruction. An access that
 * the L1D refuses stays in the last place, and the accesses behind it move up until all places are
 * occupied. In a cycle, the banks are offered to the L1D in ascending order, so an offer that the
 * L1D refuses may give way to one of a lower bank in the next cycle.
 *
 * Atomics and loads that bypass the L1D also bypass the pipeline. If l1d.bypass=global, all global
 * accesses do so. An access can bypass the pipeline only if the pipeline holds no access to the
 * same line and, with one bank, only in a cycle in which no other access leaves it. */
#ifndef MEMTWIN_L1D_PIPE_L1D_PIPE_H
#define MEMTWIN_L1D_PIPE_L1D_PIPE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "config/config.h"
#include "context/context.h"
#include "l1d/l1d.h"
#include "lib/request.h"
#include "lib/ring.h"
#include "stage/stage.h"

struct l1d_pipe_slot {
    struct request access;
    uint64_t entered; /* SM cycle of entry */
};

struct l1d_pipe {
    struct context *context; /* not owned */
    RING(struct l1d_pipe_slot) bank[L1D_MAX_BANKS];
    uint64_t ready[L1D_MAX_BANKS]; /* cycle in which the bank's oldest access may leave, or
                                      UINT64_MAX if it has none */
    uint32_t banks;                /* number of banks; 0 if there is no pipeline */
    uint32_t count;                /* number of accesses in all banks */
    uint32_t delay;      /* minimum number of cycles in the pipeline; 0 if there is no pipeline */
    uint32_t at;         /* bank whose oldest access is offered, if `held` */
    uint64_t entered_in; /* cycle in which the newest access entered */
    bool more;           /* true if that access was not the last of its instruction */
    bool sectored;       /* true if an access is to a sector, not to a line */
    bool global_skips;   /* true if global requests bypass the pipeline (misses_bypass) */
    bool held;           /* true if the oldest access of a bank is offered and not yet taken */
    bool passing;        /* true if a bypassing access is offered and not yet taken */
};

void l1d_pipe_init(struct l1d_pipe *p, const struct config *cfg, struct context *context);
void l1d_pipe_free(struct l1d_pipe *p);

static inline bool l1d_pipe_on(const struct l1d_pipe *p) {
    return p->delay != 0;
}

/* Enters the instruction's next access if the pipeline has accepted others of it in this cycle, all
 * to other banks. Returns true if it did. */
bool l1d_pipe_enter_more(struct l1d_pipe *p, const struct request *from, uint64_t cycle);
/* Returns the first bank, from `from` on, whose oldest access may leave in this cycle, or the
 * number of banks. */
uint32_t l1d_pipe_ready_bank(const struct l1d_pipe *p, uint32_t from, uint64_t cycle);
/* Returns the oldest access of a bank that l1d_pipe_ready_bank has returned. l1d_pipe_drop removes
 * it. */
const struct request *l1d_pipe_oldest(struct l1d_pipe *p, uint32_t bank, uint64_t cycle);
/* Returns the access behind the bank's oldest, or NULL. */
const struct request *l1d_pipe_behind(const struct l1d_pipe *p, uint32_t bank);
void l1d_pipe_drop(struct l1d_pipe *p, uint32_t bank);

/* Returns the pipeline as a stage. It must be the last stage before the L1D. */
struct stage l1d_pipe_stage(struct l1d_pipe *p);
/* Prints the occupancy in one line, unless the pipeline is empty. */
void l1d_pipe_dump(const struct l1d_pipe *p, uint32_t sm, FILE *out);

#endif
