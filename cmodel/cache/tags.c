#include "cache/tags.h"

#include <stdlib.h>
#include <string.h>

int tags_init(struct tags *t, uint32_t sets, uint32_t ways) {
    size_t n = (size_t)sets * ways;
    memset(t, 0, sizeof *t);
    t->line = malloc(n * sizeof *t->line);
    t->used = calloc(n, sizeof *t->used);
    t->state = calloc(n, sizeof *t->state);
    t->flags = calloc(n, sizeof *t->flags);
    if (!t->line || !t->used || !t->state || !t->flags)
        return -1;
    t->sets = sets;
    t->ways = ways;
    tags_invalidate_all(t);
    return 0;
}

void tags_free(struct tags *t) {
    free(t->line);
    free(t->used);
    free(t->state);
    free(t->flags);
    memset(t, 0, sizeof *t);
}

void tags_invalidate_all(struct tags *t) {
    size_t n = (size_t)t->sets * t->ways;
    memset(t->line, 0xff, n * sizeof *t->line);
    memset(t->state, LINE_INVALID, n);
    memset(t->flags, 0, n);
}

void tags_mark_stale(struct tags *t) {
    for (size_t way = 0; way < (size_t)t->sets * t->ways; way++)
        t->flags[way] |= LINE_STALE;
}

uint32_t tags_victim(const struct tags *t, uint32_t set) {
    uint32_t best = WAY_NONE;
    for (uint32_t way = set * t->ways; way < (set + 1) * t->ways; way++) {
        if (t->state[way] == LINE_INVALID)
            return way;
        if (t->state[way] != LINE_VALID || (t->flags[way] & LINE_PINNED))
            continue;
        if (best == WAY_NONE || t->used[way] < t->used[best])
            best = way;
    }
    return best;
}
