/* SPDX-License-Identifier: Apache-2.0 */
/* lease: samples page accesses, and works out how many accesses the pages of each group may expect
 * (Gu, PhD dissertation, Oregon State University, section 4.3.2). Ports and cycles:
 * docs/understand/lease.md. RTL: rtl/lease/. */
#ifndef MEMTWIN_LEASE_LEASE_H
#define MEMTWIN_LEASE_LEASE_H

#include "block/block.h"

enum lease_param {
    LEASE_LANES,   /* accesses in a cycle */
    LEASE_ENTRIES, /* blocks that are sampled in a window */
    LEASE_BLOCK_W, /* bits of a block's number */
    LEASE_COUNT_W, /* bits of a counter of accesses */
    LEASE_PAGES,   /* pages of a block, a power of two */
    LEASE_GROUPS,  /* groups of pages */
    LEASE_DUTY,    /* cycles of a window */
    LEASE_PERIOD,  /* cycles from the start of one window to the next */
    LEASE_LIFE_W,  /* bits of a lease */
    LEASE_WEIGHT,  /* a lease moves by 2^-WEIGHT of the way to the sample */
    LEASE_N_PARAMS
};

/* Port `st_phase`. */
enum lease_phase {
    LEASE_PHASE_SAMPLE,
    LEASE_PHASE_ENTRIES, /* of a group */
    LEASE_PHASE_GROUP,
    LEASE_PHASE_IDLE
};

#define LEASE_MAX_LANES 32
#define LEASE_MAX_ENTRIES 32
#define LEASE_MAX_GROUPS 64

/* Cycles from an access to the one whose end counts it, and to the one whose end chooses a new
 * entry. */
#define LEASE_COUNT_LATENCY 5
#define LEASE_CHOOSE_LATENCY 2

extern const struct block_type lease_type;

/* The least PERIOD that the other parameters allow. */
int64_t lease_least_period(const struct block_params *p);

/* Ticks in which, without an access or a quota, nothing changes but the cycle of the period. */
uint64_t lease_next_event(const void *model);
/* Skips `cycles` ticks, at most lease_next_event. */
void lease_pass(void *model, uint64_t cycles);

/* Accesses of the window that found no entry free, so far; st_missed stops at 65535. */
uint64_t lease_missed(const void *model);

#endif
