// SPDX-License-Identifier: Apache-2.0
#include "cache/lines.h"

#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"

void lines_init(struct lines *t, uint32_t sets, uint32_t ways) {
    const size_t n = (size_t)sets * ways;
    const uint32_t stride = (ways + 15) / 16 * 16;
    *t = (struct lines){
        .line = alloc_array(n, sizeof *t->line),
        .way = alloc_zeroed(n, sizeof *t->way),
        .mark = alloc_array(sets, stride),
        .use = alloc_array(sets, (ways + 1) * sizeof *t->use),
        .first_free = alloc_zeroed(sets, sizeof *t->first_free),
        .sets = sets,
        .ways = ways,
        .usable = ways,
        .stride = stride,
    };
    memset(t->line, 0xff, n * sizeof *t->line); /* sets all elements to LINE_NONE */
    memset(t->mark, lines_mark(LINE_NONE), sets * stride);
    for (uint32_t set = 0; set < sets; set++)
        for (uint32_t n = 0; n <= ways; n++)
            lines_uses(t, set)[n] = (struct way_use){(uint16_t)n, (uint16_t)n};
}

void lines_free(struct lines *t) {
    free(t->line);
    free(t->way);
    free(t->mark);
    free(t->use);
    free(t->first_free);
    free(t->data);
    memset(t, 0, sizeof *t);
}

void lines_carry(struct lines *t, bool on) {
    free(t->data);
    t->data = on ? alloc_zeroed(lines_count(t), LINE_BYTES) : NULL;
}

void lines_drop_all(struct lines *t) {
    for (uint32_t way = 0; way < lines_count(t) && t->held; way++)
        lines_drop(t, way);
    t->top = 0;
}

void lines_use_ways(struct lines *t, uint32_t n) {
    t->usable = n;
    for (uint32_t way = 0; way < lines_count(t) && t->held; way++)
        if (way % t->ways >= n && t->line[way] != LINE_NONE)
            lines_drop(t, way);
}

/* True if written lines are too few to be replaced. */
static bool keeps_written(const struct lines *t) {
    const uint64_t usable = (uint64_t)t->sets * t->usable;
    return UINT64_C(100) * t->written < t->written_percent * usable;
}

/* True if a way of the set may not be replaced. */
static bool is_busy(const struct lines *t, uint32_t set) {
    uint32_t way = set * t->ways;
    while (way < lines_end(t, set) && !lines_busy(t, way))
        way++;
    return way < lines_end(t, set);
}

/* Returns the least recently used way that is not pending and has none of the flags, or
 * WAY_NONE. */
static uint32_t oldest_way(const struct lines *t, uint32_t set, unsigned flags) {
    uint32_t way = lines_oldest(t, set);
    while (way != WAY_NONE && (t->way[way].pending || t->way[way].flags & flags))
        way = lines_newer(t, set, way);
    return way;
}

uint32_t lines_victim(const struct lines *t, uint32_t set) {
    if (t->first_free[set] < t->usable)
        return set * t->ways + t->first_free[set];
    if (!keeps_written(t))
        return oldest_way(t, set, WAY_PINNED);
    const uint32_t way = oldest_way(t, set, WAY_PINNED | WAY_WRITTEN);
    return way != WAY_NONE || is_busy(t, set) ? way : oldest_way(t, set, WAY_PINNED);
}

void lines_store(struct lines *t, uint32_t way, const struct byte_mask *mask, const uint8_t *from,
                 bool dirty) {
    struct way *const w = &t->way[way];
    mask_add(&w->valid, mask);
    if (dirty)
        mask_add(&w->dirty, mask);
    if (t->written_percent && !(w->flags & WAY_WRITTEN)) {
        w->flags |= WAY_WRITTEN;
        t->written++;
    }
    if (from)
        mask_copy(lines_data(t, way), from, mask);
}

void lines_fill(struct lines *t, uint32_t way, unsigned sectors, const uint8_t *from) {
    struct way *const w = &t->way[way];
    struct byte_mask fresh = mask_of_sectors(sectors);
    mask_add(&w->valid, &fresh);
    mask_remove(&fresh, &w->dirty);
    w->pending &= (uint8_t)~sectors;
    if (from)
        mask_copy(lines_data(t, way), from, &fresh);
}
