/* SPDX-License-Identifier: Apache-2.0 */
/* Whether all threads do a cycle's phases faster than the caller alone: both are tried now and
 * then, and timed. */
#ifndef MEMTWIN_GPU_PACE_H
#define MEMTWIN_GPU_PACE_H

#include <stdbool.h>
#include <stdint.h>

/* Of so many SM cycles the first ones are done by the caller, then as many by all threads; the
 * second half of each is timed. */
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
