/* Declared statistics: one table (stats.def), counters by index. */
#ifndef MEMTWIN_STATS_STATS_H
#define MEMTWIN_STATS_STATS_H

#include <stdint.h>

enum stat_id {
#define STAT(name, unit, doc) STAT_##name,
#include "stats/stats.def"
#undef STAT
    STAT_COUNT
};

struct stats {
    uint64_t v[STAT_COUNT];
};

struct stat_desc {
    const char *name, *unit, *doc;
};

extern const struct stat_desc stat_table[STAT_COUNT];

static inline void stat_add(struct stats *s, enum stat_id id, uint64_t n) {
    s->v[id] += n;
}

/* *d = a - b, each. */
void stats_difference(struct stats *d, const struct stats *a, const struct stats *b);

/* Derived figures; 0 where the divisor is 0. */
double stats_ipc(const struct stats *s);        /* warp instructions per SM cycle, whole GPU */
double stats_thread_ipc(const struct stats *s); /* thread instructions per SM cycle */
double stats_l1d_utilisation(
    const struct stats *s); /* occupied/all slots, cycles with a miss outstanding */
double stats_l2_utilisation(const struct stats *s);

#endif
