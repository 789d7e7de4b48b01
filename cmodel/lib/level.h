/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps the exact integral of a level over time. It is updated only when the level changes. */
#ifndef MEMTWIN_LIB_LEVEL_H
#define MEMTWIN_LIB_LEVEL_H

#include <stdint.h>

struct level {
    uint64_t value; /* current level */
    uint64_t since; /* cycle of the last change */
    uint64_t area;  /* sum of the level over the cycles before `since` */
    uint64_t busy;  /* number of cycles before `since` in which the level was not 0 */
};

static inline void level_change(struct level *l, uint64_t cycle, int64_t by) {
    uint64_t span = cycle - l->since;
    l->area += l->value * span;
    l->busy += l->value ? span : 0;
    l->since = cycle;
    l->value += (uint64_t)by;
}

static inline uint64_t level_area(const struct level *l, uint64_t cycle) {
    return l->area + l->value * (cycle - l->since);
}

static inline uint64_t level_busy(const struct level *l, uint64_t cycle) {
    return l->busy + (l->value ? cycle - l->since : 0);
}

#endif
