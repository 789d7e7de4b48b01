/* SPDX-License-Identifier: Apache-2.0 */
/* Memory as the L2 banks of a partition see it: its first cache level (levels.def), or the DRAM
 * channel if it has none. dram/dram.h has the contract; with a cache level, a request may take
 * any time, and a bank is not refused in turn. */
#ifndef MEMTWIN_MEMORY_MEMORY_H
#define MEMTWIN_MEMORY_MEMORY_H

#include "memory/cache_level.h"

/* Limits of the levels. Returns 0, or -1 with one line in err. */
int memory_check(const struct config *cfg, char *err, size_t err_size);
/* The name of the first cache level that the configuration has, or NULL. */
const char *memory_first_level(const struct config *cfg);
/* Requests that the levels of a partition can hold, at most. */
uint64_t memory_requests(const struct config *cfg);
/* L2 cycles in which levels with work may move nothing, at most. */
uint64_t memory_longest_wait(const struct config *cfg);

/* Makes the levels before that channel. Returns 0, or -1 with one line in err. */
int memory_init(struct memory *m, const struct config *cfg, struct context *context,
                const struct addr_map *map, struct dram *dram, uint32_t channel, char *err,
                size_t err_size);
void memory_free(struct memory *m);

/* ---- the port: dram/dram.h ---- */

/* There is no room for any request. */
static inline bool memory_closed(const struct memory *m) {
    return m->level ? cache_level_full(m->level) : dram_closed(m->dram);
}
/* There may be room for a read, or a write. */
static inline bool memory_has_room(const struct memory *m, bool write) {
    return m->level || dram_has_room(m->dram, write);
}
/* There is room for that request of that bank, and it is the bank's turn. */
static inline bool memory_may_push(const struct memory *m, uint32_t number, uint32_t bank) {
    return m->level ? !cache_level_full(m->level) : dram_may_push(m->dram, number, bank);
}
/* The bank has a request that it may not push. */
static inline void memory_refuse(struct memory *m, uint32_t bank) {
    if (!m->level)
        dram_refuse(m->dram, bank);
}
static inline void memory_push(struct memory *m, uint32_t number, uint64_t rest, uint32_t bank) {
    if (m->level)
        cache_level_push(m->level, number, bank);
    else
        dram_push(m->dram, number, rest, bank);
}
/* Replies are on their way out. */
static inline bool memory_returns(const struct memory *m) {
    return m->level || dram_returns(m->dram);
}
/* The reply that waits for the bank in that instant, this one or the next, or REQUEST_NONE. */
static inline uint32_t memory_peek_in(const struct memory *m, uint32_t bank, uint64_t instant) {
    return m->level ? cache_level_peek(m->level, bank) : dram_peek_in(m->dram, bank, instant);
}
static inline uint32_t memory_peek(const struct memory *m, uint32_t bank) {
    return memory_peek_in(m, bank, m->dram->context->now);
}
static inline uint32_t memory_pop(struct memory *m, uint32_t bank) {
    return m->level ? cache_level_pop(m->level) : dram_pop(m->dram, bank);
}

/* ---- levels ---- */

/* One L2 cycle of the levels, before that of the banks. skip: levels without an event are left
 * out. Returns how many were ticked. */
uint32_t memory_tick(struct memory *m, uint64_t cycle, bool skip);
/* The first L2 cycle, from `cycle` on, in which a level has to be ticked, if no bank pushes;
 * instant: that of the cycle. */
uint64_t memory_next_event(const struct memory *m, uint64_t cycle, uint64_t instant);
/* Makes room for line data, or gives it back. */
void memory_carry(struct memory *m, bool on);
/* Overwrites the bytes that levels hold, in `data`, which the caller has filled with DRAM's. */
void memory_read_line(const struct memory *m, uint64_t line, uint8_t data[LINE_BYTES]);
void memory_add_stats(const struct memory *m, uint64_t cycle, struct stats *to);
void memory_gauges(const struct memory *m, uint64_t cycle, const struct gauge_reader *to);
void memory_dump(const struct memory *m, FILE *out);

#endif
