/* A set-associative tag array with LRU replacement. A way is named by its number over all sets. */
#ifndef MEMTWIN_CACHE_TAGS_H
#define MEMTWIN_CACHE_TAGS_H

#include <stdbool.h>
#include <stdint.h>

#define WAY_NONE UINT32_MAX

enum line_state {
    LINE_INVALID,
    LINE_RESERVED, /* allocated, its data are on their way */
    LINE_VALID
};

enum line_flag {
    LINE_POISONED = 1, /* L1D, RESERVED: stored to meanwhile, the data on their way may be old */
    LINE_DIRTY = 2,    /* L2 */
    LINE_PINNED = 4,   /* L2, VALID: its earlier requests are still draining */
    LINE_STALE = 8     /* L1D, VALID: by sim.plant only; it should be INVALID */
};

struct tags {
    uint64_t *line; /* owned; per way; ~0 when INVALID */
    uint64_t *used; /* owned; per way: time of last use, for LRU */
    uint8_t *state; /* owned; per way: enum line_state */
    uint8_t *flags; /* owned; per way: enum line_flag */
    uint64_t clock; /* uses so far */
    uint32_t sets, ways;
};

/* Returns 0, or -1 if out of memory. All lines are INVALID. */
int tags_init(struct tags *t, uint32_t sets, uint32_t ways);
void tags_free(struct tags *t);
void tags_invalidate_all(struct tags *t);
/* Planted fault: the lines stay VALID. */
void tags_mark_stale(struct tags *t);

/* The way that holds the line (RESERVED or VALID), or WAY_NONE. */
static inline uint32_t tags_find(const struct tags *t, uint32_t set, uint64_t line) {
    uint32_t first = set * t->ways;
    const uint64_t *p = t->line + first;
    for (uint32_t w = 0; w < t->ways; w++)
        if (p[w] == line)
            return first + w;
    return WAY_NONE;
}

/* The way to replace: an INVALID one, else the least recently used VALID one that is not pinned,
 * else WAY_NONE. */
uint32_t tags_victim(const struct tags *t, uint32_t set);

static inline void tags_touch(struct tags *t, uint32_t way) {
    t->used[way] = ++t->clock;
}

/* Gives the way to a line whose data are to come. */
static inline void tags_reserve(struct tags *t, uint32_t way, uint64_t line) {
    t->line[way] = line;
    t->state[way] = LINE_RESERVED;
    t->flags[way] = 0;
    tags_touch(t, way);
}

static inline void tags_invalidate(struct tags *t, uint32_t way) {
    t->line[way] = ~UINT64_C(0);
    t->state[way] = LINE_INVALID;
    t->flags[way] = 0;
}

#endif
