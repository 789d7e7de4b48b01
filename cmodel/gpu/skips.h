/* SPDX-License-Identifier: Apache-2.0 */
/* Proof that skipped cycles were nothing, in builds for tests (MEMTWIN_CHECKED): tick says once
 * what a part does, and what next_event and advance say of it is compared with tick.
 *
 * A cycle that is skipped is ticked all the same (a look). Nothing may move in it. What the looks
 * of a wait count, and what advance counts for the cycles without a look, must be the same in each
 * cycle. A wait is from a tick that is due to the next one. */
#ifndef MEMTWIN_GPU_SKIPS_H
#define MEMTWIN_GPU_SKIPS_H

#include <stdbool.h>
#include <stdint.h>

struct gpu;
struct dram;

#ifdef MEMTWIN_CHECKED

#define SKIPS_COUNTERS 32 /* that a cycle without an event changes, at most */

struct skips_counter {
    uint16_t id; /* enum stat_id */
    uint64_t counts;
};

struct skips {
    uint64_t begin;  /* first cycle of the wait */
    uint64_t cycles; /* of the wait, the first that were counted; 0: none yet */
    bool ticked;     /* they were, and not advanced */
    uint32_t n;      /* counters that they changed: */
    struct skips_counter counter[SKIPS_COUNTERS];
};

/* A skipped cycle of that SM, of that L2 bank: a look, if one is due. */
void skips_sm(struct gpu *g, uint32_t i, uint64_t cycle);
void skips_bank(struct gpu *g, uint32_t b, uint64_t cycle);
/* sm_advance and l2_advance over the cycles before this one. */
void skips_advance_sm(struct gpu *g, uint32_t i, uint64_t cycles, uint64_t end);
void skips_advance_bank(struct gpu *g, uint32_t b, uint64_t cycles, uint64_t end);
/* A cycle of that channel which is not due: a look, if one is. */
void skips_channel(struct gpu *g, struct dram *d);
/* A cycle which is due: context.dram_next has said so. */
void skips_due_channel(struct gpu *g, struct dram *d);
/* A wait begins with that cycle. */
static inline void skips_begin(struct skips *s, uint64_t cycle) {
    s->begin = cycle;
    s->cycles = s->n = 0;
}
/* The cycle that a jump from `now` ends at, at the latest: one that is looked at. The last before
 * the next event is; in a long wait, so is one now and then. */
uint64_t skips_until(const struct skips *s, uint64_t next_event, uint64_t now);
#define SKIPS_UNTIL(clocked, now) skips_until(&(clocked)->skips, (clocked)->next_event, now)
/* Of a channel. */
static inline uint64_t skips_until_channel(uint64_t next_event) {
    return next_event ? next_event - 1 : 0;
}
#define SKIPS_CHECKED true

#else

#define skips_advance_sm(g, i, cycles, end) sm_advance(&(g)->sm[i], cycles)
#define skips_advance_bank(g, b, cycles, end) l2_advance(&(g)->l2[b], cycles)
static inline void skips_sm(struct gpu *g, uint32_t i, uint64_t cycle) {
    (void)g, (void)i, (void)cycle;
}
static inline void skips_bank(struct gpu *g, uint32_t b, uint64_t cycle) {
    (void)g, (void)b, (void)cycle;
}
static inline void skips_channel(struct gpu *g, struct dram *d) {
    (void)g, (void)d;
}
static inline void skips_due_channel(struct gpu *g, struct dram *d) {
    (void)g, (void)d;
}
#define SKIPS_UNTIL(clocked, now) ((clocked)->next_event)
static inline uint64_t skips_until_channel(uint64_t next_event) {
    return next_event;
}
#define SKIPS_CHECKED false

#endif

#endif
