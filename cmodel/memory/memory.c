// SPDX-License-Identifier: Apache-2.0
#include "memory/memory.h"

#include "memory/levels.def"

#define MOST_LINES (1 << 20) /* of a level in a partition: 128 MB */

/* ---- the table of levels ---- */

#define LEVEL_STATS_OF(level, title)                                                               \
    {.refusals = {REFUSAL_STATS_OF(level)},                                                        \
     .mshr = {STAT_##level##_mshr_busy_cycles, STAT_##level##_mshr_slot_cycles,                    \
              STAT_##level##_mshr_capacity},                                                       \
     .cycles = STAT_##level##_cycles,                                                              \
     .accesses = STAT_##level##_accesses,                                                          \
     .hits = STAT_##level##_hits,                                                                  \
     .primary = STAT_##level##_primary,                                                            \
     .secondary = STAT_##level##_secondary,                                                        \
     .stores = STAT_##level##_stores,                                                              \
     .writebacks = STAT_##level##_writebacks,                                                      \
     .fills = STAT_##level##_fills},

static const struct cache_level_stats level_stats[] = {MEMORY_LEVELS(LEVEL_STATS_OF)};
#define N_LEVELS (sizeof level_stats / sizeof level_stats[0])

#define LEVEL_KEYS_OF(level, title)                                                                \
    {#level,                                                                                       \
     cfg->level##_sets,                                                                            \
     cfg->level##_ways,                                                                            \
     cfg->level##_latency,                                                                         \
     cfg->level##_queue,                                                                           \
     cfg->l2_sectored != 0,                                                                        \
     {.section = #level,                                                                           \
      .kind = MSHR_KIND_STATIC,                                                                    \
      .entries = cfg->level##_mshr_entries,                                                        \
      .slots = cfg->level##_mshr_slots,                                                            \
      .lookup = 1}},

static struct cache_level_keys keys_of(const struct config *cfg, unsigned i) {
    const struct cache_level_keys keys[N_LEVELS] = {MEMORY_LEVELS(LEVEL_KEYS_OF)};
    return keys[i];
}

const char *memory_first_level(const struct config *cfg) {
    for (unsigned i = 0; i < N_LEVELS; i++)
        if (keys_of(cfg, i).sets)
            return keys_of(cfg, i).name;
    return NULL;
}

int memory_check(const struct config *cfg, char *err, size_t err_size) {
    for (unsigned i = 0; i < N_LEVELS; i++) {
        const struct cache_level_keys k = keys_of(cfg, i);
        if (k.sets * k.ways > MOST_LINES)
            return config_refuse(err, err_size,
                                 "%s.sets=%lld and %s.ways=%lld are more than %d lines", k.name,
                                 (long long)k.sets, k.name, (long long)k.ways, MOST_LINES);
    }
    return 0;
}

uint64_t memory_requests(const struct config *cfg) {
    uint64_t n = 0;
    for (unsigned i = 0; i < N_LEVELS; i++) {
        const struct cache_level_keys k = keys_of(cfg, i);
        n += k.sets ? cache_level_requests(&k) : 0;
    }
    return n;
}

uint64_t memory_longest_wait(const struct config *cfg) {
    uint64_t n = 0;
    for (unsigned i = 0; i < N_LEVELS; i++)
        n += keys_of(cfg, i).sets ? (uint64_t)keys_of(cfg, i).latency : 0;
    return n;
}

/* ---- making and ending ---- */

int memory_init(struct memory *m, const struct config *cfg, struct context *context,
                const struct addr_map *map, struct dram *dram, uint32_t channel, char *err,
                size_t err_size) {
    *m = (struct memory){NULL, dram};
    for (unsigned i = N_LEVELS; i-- > 0;) {
        const struct cache_level_keys k = keys_of(cfg, i);
        struct cache_level *l = k.sets ? cache_level_create(&k, &level_stats[i], context, map, m,
                                                            channel, err, err_size)
                                       : NULL;
        if (k.sets && !l)
            return -1;
        m->level = l ? l : m->level;
    }
    return 0;
}

void memory_free(struct memory *m) {
    if (m->level)
        cache_level_destroy(m->level);
}

/* ---- levels ---- */

/* In builds for tests, a cycle in which the level has no event is ticked all the same: nothing may
 * move in it. */
static void tick_idle(struct cache_level *l, uint64_t cycle) {
#ifdef MEMTWIN_CHECKED
    struct context *c = l->cache.context;
    const uint64_t progress = c->progress, refused = l->cache.refusals.counted;
    cache_level_tick(l, cycle);
    if (c->progress != progress || l->cache.refusals.counted != refused)
        context_fail(c, CONTEXT_INTERNAL, "%s.%u did something in cycle %llu, which is no event",
                     l->name, (unsigned)l->channel, (unsigned long long)cycle);
#else
    (void)l, (void)cycle;
#endif
}

uint32_t memory_tick(struct memory *m, uint64_t cycle, bool skip) {
    struct cache_level *l = m->level;
    if (!l)
        return 0;
    const uint32_t ticked = memory_tick(&l->below, cycle, skip);
    const bool idle = skip && cache_level_next_event(l, cycle, m->dram->context->now) > cycle;
    if (idle)
        tick_idle(l, cycle);
    else
        cache_level_tick(l, cycle);
    return ticked + !idle;
}

uint64_t memory_next_event(const struct memory *m, uint64_t cycle, uint64_t instant) {
    uint64_t next = UINT64_MAX;
    for (; m->level; m = &m->level->below) {
        const uint64_t event = cache_level_next_event(m->level, cycle, instant);
        next = event < next ? event : next;
    }
    return next;
}

void memory_carry(struct memory *m, bool on) {
    for (; m->level; m = &m->level->below)
        cache_level_carry(m->level, on);
}

void memory_read_line(const struct memory *m, uint64_t line, uint8_t data[LINE_BYTES]) {
    if (!m->level)
        return;
    memory_read_line(&m->level->below, line, data);
    cache_level_read_line(m->level, line, data);
}

void memory_add_stats(const struct memory *m, uint64_t cycle, struct stats *to) {
    for (; m->level; m = &m->level->below)
        cache_level_add_stats(m->level, cycle, to);
}

void memory_gauges(const struct memory *m, uint64_t cycle, const struct gauge_reader *to) {
    for (; m->level; m = &m->level->below)
        cache_level_gauges(m->level, cycle, to);
}

void memory_dump(const struct memory *m, FILE *out) {
    for (; m->level; m = &m->level->below)
        cache_level_dump(m->level, out);
}
