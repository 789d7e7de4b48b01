/* SPDX-License-Identifier: Apache-2.0 */
/* Checks skipped cycles in test builds (MEMTWIN_CHECKED): compares a part's next_event() and
 * advance() with its tick().
 *
 * Some cycles that other builds skip are ticked. Such a tick is called a look, and nothing may move
 * in it. All looks of a wait must add the same counts, and advance() must add these counts once for
 * each cycle without a look. A wait lasts from one due tick to the next. */
#ifndef MEMTWIN_GPU_SKIPS_H
#define MEMTWIN_GPU_SKIPS_H

#include <stdbool.h>
#include <stdint.h>

struct gpu;
struct dram;

#ifdef MEMTWIN_CHECKED

#define SKIPS_COUNTERS 32 /* maximum number of counters that a cycle without an event changes */

struct skips_counter {
    uint16_t id; /* enum stat_id */
    uint64_t counts;
};

struct skips {
    uint64_t begin;  /* first cycle of the wait */
    uint64_t cycles; /* number of cycles that the wait's first counts cover; 0 if there are no
                        counts yet */
    bool ticked;     /* true if these cycles were ticked, false if they were advanced */
    uint32_t n;      /* number of counters that these cycles changed */
    struct skips_counter counter[SKIPS_COUNTERS];
};

/* The next two functions handle a skipped cycle of an SM or an L2 bank, with a look if one is
 * due. */
void skips_sm(struct gpu *g, uint32_t i, uint64_t cycle);
void skips_bank(struct gpu *g, uint32_t b, uint64_t cycle);
/* The next two functions call sm_advance() and l2_advance() for the `cycles` cycles before
 * `end`. */
void skips_advance_sm(struct gpu *g, uint32_t i, uint64_t cycles, uint64_t end);
void skips_advance_bank(struct gpu *g, uint32_t b, uint64_t cycles, uint64_t end);
/* Handles a cycle in which the channel is not due, with a look if one is due. */
void skips_channel(struct gpu *g, struct dram *d);
/* Handles a cycle in which the channel is due according to context.dram_next. */
void skips_due_channel(struct gpu *g, struct dram *d);
/* Begins a wait in cycle `cycle`. */
static inline void skips_begin(struct skips *s, uint64_t cycle) {
    s->begin = cycle;
    s->cycles = s->n = 0;
}
/* Returns the latest cycle in which a skip that begins in `now` may end. This cycle has a look. The
 * last cycle before the next event has a look, and in a long wait some other cycles have one
 * too. */
uint64_t skips_until(const struct skips *s, uint64_t next_event, uint64_t now);
#define SKIPS_UNTIL(clocked, now) skips_until(&(clocked)->skips, (clocked)->next_event, now)
/* Returns the latest cycle in which a skip of a channel may end. */
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
