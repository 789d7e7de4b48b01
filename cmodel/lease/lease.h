/* SPDX-License-Identifier: Apache-2.0 */
/* lease: samples page accesses and computes the expected number of accesses for the pages of each
 * group (Gu, PhD dissertation, Oregon State University, section 4.3.2). Ports and cycles:
 * docs/understand/lease.md. RTL: rtl/lease/. */
#ifndef MEMTWIN_LEASE_LEASE_H
#define MEMTWIN_LEASE_LEASE_H

#include "block/block.h"

enum lease_param {
    LEASE_LANES,   /* maximum number of accesses per cycle */
    LEASE_ENTRIES, /* maximum number of blocks sampled per window */
    LEASE_BLOCK_W, /* width of a block number in bits */
    LEASE_COUNT_W, /* width of an access counter in bits */
    LEASE_PAGES,   /* number of pages per block, a power of two */
    LEASE_GROUPS,  /* number of groups of pages */
    LEASE_DUTY,    /* number of cycles per window */
    LEASE_PERIOD,  /* number of cycles from the start of one window to the next */
    LEASE_LIFE_W,  /* width of a lease in bits */
    LEASE_WEIGHT,  /* a new sample has the weight 2^-WEIGHT in a lease */
    LEASE_N_PARAMS
};

/* Values of port `st_phase`. */
enum lease_phase {
    LEASE_PHASE_SAMPLE,
    LEASE_PHASE_ENTRIES, /* computes the entries of a group */
    LEASE_PHASE_GROUP,
    LEASE_PHASE_IDLE
};

#define LEASE_MAX_LANES 32
#define LEASE_MAX_ENTRIES 32
#define LEASE_MAX_GROUPS 64

/* Number of cycles from an access to the clock edge that counts it. */
#define LEASE_COUNT_LATENCY 5
/* Number of cycles from an access to the clock edge that allocates an entry for it. */
#define LEASE_CHOOSE_LATENCY 2

extern const struct block_type lease_type;

/* Returns the smallest PERIOD that the other parameters allow. */
int64_t lease_least_period(const struct block_params *p);

/* Returns the number of ticks that only advance the cycle within the period and the current
 * computation, if no access or quota arrives. */
uint64_t lease_next_event(const void *model);
/* Skips `cycles` ticks, which must be at most lease_next_event(). */
void lease_pass(void *model, uint64_t cycles);

/* Returns the number of accesses of the current window that found no free entry. Unlike st_missed,
 * it does not saturate at 65535. */
uint64_t lease_overflows(const void *model);

#endif
