/* SPDX-License-Identifier: Apache-2.0 */
/* Decides whether all threads do a cycle's phases faster than the caller alone, by occasionally
 * timing both. */
#ifndef MEMTWIN_GPU_PACE_H
#define MEMTWIN_GPU_PACE_H

#include <stdbool.h>
#include <stdint.h>

/* In every PACE_EVERY SM cycles, the caller does the first PACE_TRY alone and all threads the next
 * PACE_TRY; the second half of each is timed. */
#define PACE_EVERY 8192
#define PACE_TRY 128

struct pace {
    uint64_t (*clock)(void); /* in ns */
    uint64_t parts;          /* ticked since `began`; counted by the user */
    /* The rest is pace.c's. */
    uint32_t count; /* SM cycles, up to PACE_EVERY */
    uint64_t began; /* when this half began */
    uint64_t caller_ns, caller_parts;
    bool all_faster;
};

/* Whether all threads are to do this cycle. */
bool pace_all(const struct pace *p);
/* An SM cycle has passed. */
void pace_cycle(struct pace *p);

#endif
