// SPDX-License-Identifier: Apache-2.0
#include "cache/lines.h"

#include <stdlib.h>
#include <string.h>

int lines_init(struct lines *t, uint32_t sets, uint32_t ways) {
    size_t n = (size_t)sets * ways;
    memset(t, 0, sizeof *t);
    t->line = malloc(n * sizeof *t->line);
    t->stride = (ways + 7) / 8 * 8;
    t->mark = calloc(sets, t->stride);
    t->used = calloc(n, sizeof *t->used);
    t->valid = calloc(n, sizeof *t->valid);
    t->dirty = calloc(n, sizeof *t->dirty);
    t->pending = calloc(n, 1);
    t->flags = calloc(n, 1);
    if (!t->line || !t->mark || !t->used || !t->valid || !t->dirty || !t->pending || !t->flags)
        return -1;
    t->sets = sets;
    t->ways = ways;
    memset(t->line, 0xff, n * sizeof *t->line); /* LINE_NONE */
    memset(t->mark, lines_mark(LINE_NONE), sets * t->stride);
    return 0;
}

void lines_free(struct lines *t) {
    free(t->line);
    free(t->mark);
    free(t->used);
    free(t->valid);
    free(t->dirty);
    free(t->pending);
    free(t->flags);
    free(t->data);
    memset(t, 0, sizeof *t);
}

int lines_carry(struct lines *t, bool on) {
    free(t->data);
    t->data = on ? calloc(lines_count(t), LINE_BYTES) : NULL;
    return on && !t->data ? -1 : 0;
}

void lines_drop_all(struct lines *t) {
    for (uint32_t way = 0; way < lines_count(t) && t->held; way++)
        lines_drop(t, way);
}

/* A free way was never used. */
uint32_t lines_victim(const struct lines *t, uint32_t set) {
    uint32_t best = WAY_NONE;
    uint64_t oldest = UINT64_MAX;
    for (uint32_t way = set * t->ways; way < (set + 1) * t->ways; way++) {
        if (t->used[way] >= oldest || t->pending[way] || (t->flags[way] & WAY_PINNED))
            continue;
        best = way;
        oldest = t->used[way];
        if (!oldest)
            break;
    }
    return best;
}

void lines_store(struct lines *t, uint32_t way, const struct byte_mask *mask, const uint8_t *from,
                 bool dirty) {
    mask_add(&t->valid[way], mask);
    if (dirty)
        mask_add(&t->dirty[way], mask);
    if (from)
        mask_copy(lines_data(t, way), from, mask);
}

void lines_fill(struct lines *t, uint32_t way, unsigned sectors, const uint8_t *from) {
    struct byte_mask fresh = mask_of_sectors(sectors);
    mask_add(&t->valid[way], &fresh);
    mask_remove(&fresh, &t->dirty[way]);
    t->pending[way] &= (uint8_t)~sectors;
    if (from)
        mask_copy(lines_data(t, way), from, &fresh);
}
