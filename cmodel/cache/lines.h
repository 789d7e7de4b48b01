/* SPDX-License-Identifier: Apache-2.0 */
/* The lines of a cache: set-associative tags with LRU replacement, and for each way which bytes are
 * there, which of them are newer than the next level's, and which sectors are on their way. One way
 * is named by its number over all sets.
 *
 * A load hits if all its bytes are valid. A way that holds a line may have none of its bytes
 * (allocated on a miss, the fetch pending), some (stored to without a fetch, or sectored), or all.
 * A fill brings a granule (a sector of a sectored cache, else the whole line) and leaves dirty
 * bytes as they are, since they are newer.
 */
#ifndef MEMTWIN_CACHE_LINES_H
#define MEMTWIN_CACHE_LINES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "lib/request.h"

/* l1d.allocate, l2.allocate */
enum { ALLOCATE_MISS, ALLOCATE_FILL };

#define WAY_NONE UINT32_MAX
#define LINE_NONE UINT64_MAX

enum way_flag {
    WAY_PINNED = 1, /* requests to it are draining, so it is not replaced (L2 and levels below) */
    WAY_STALE = 2   /* L1D: valid by sim.plant only; it should be gone */
};

struct lines {
    uint64_t *line; /* per way; LINE_NONE: free. All arrays are owned */
    uint8_t *mark;  /* eight bits of `line`, `stride` to a set: what lines_find looks at first */
    uint64_t *used; /* time of last use, for LRU; 0: the way is free */
    struct byte_mask *valid; /* bytes that may be read */
    struct byte_mask *dirty; /* valid bytes that are newer than the next level's */
    uint8_t *pending; /* sectors on their way, bit s; all four if the cache is not sectored */
    uint8_t *flags;   /* enum way_flag */
    uint8_t *data;    /* LINE_BYTES per way, while data are carried; else NULL */
    uint64_t clock;   /* uses so far */
    uint32_t held;    /* ways that hold a line */
    uint32_t sets, ways;
    uint32_t stride; /* ways, rounded up to eight */
};

/* All ways are free. */
void lines_init(struct lines *t, uint32_t sets, uint32_t ways);
void lines_free(struct lines *t);
/* Makes room for data, or gives it back. */
void lines_carry(struct lines *t, bool on);
void lines_drop_all(struct lines *t);

static inline uint32_t lines_count(const struct lines *t) {
    return t->sets * t->ways;
}

static inline uint8_t *lines_data(const struct lines *t, uint32_t way) {
    return t->data + (uint64_t)way * LINE_BYTES;
}

static inline uint8_t lines_mark(uint64_t line) {
    return (uint8_t)(line * UINT64_C(0x9e3779b97f4a7c15) >> 56);
}

static inline void lines_name(struct lines *t, uint32_t way, uint64_t line) {
    t->held += (line != LINE_NONE) - (t->line[way] != LINE_NONE);
    t->line[way] = line;
    t->mark[way / t->ways * t->stride + way % t->ways] = lines_mark(line);
}

/* The way that holds the line, or WAY_NONE. (Bytes of a word from low to high: little-endian.) */
static inline uint32_t lines_find(const struct lines *t, uint32_t set, uint64_t line) {
    const uint64_t ones = UINT64_C(0x0101010101010101), want = lines_mark(line) * ones;
    const uint64_t *p = t->line + (uint64_t)set * t->ways;
    for (uint32_t w = 0; w < t->ways && t->held; w += 8) {
        uint64_t differ;
        memcpy(&differ, t->mark + (uint64_t)set * t->stride + w, 8);
        differ ^= want;
        /* Bit 7 of each byte that is 0, and now and then of another. */
        for (uint64_t hit = (differ - ones) & ~differ & ones << 7; hit; hit &= hit - 1) {
            uint32_t at = w + (uint32_t)__builtin_ctzll(hit) / 8;
            if (at < t->ways && p[at] == line)
                return set * t->ways + at;
        }
    }
    return WAY_NONE;
}

/* The way to replace: a free one, else the least recently used one that has nothing pending and is
 * not pinned, else WAY_NONE. */
uint32_t lines_victim(const struct lines *t, uint32_t set);

static inline void lines_touch(struct lines *t, uint32_t way) {
    t->used[way] = ++t->clock;
}

/* Gives the way to a line, of which nothing is there yet. */
static inline void lines_claim(struct lines *t, uint32_t way, uint64_t line) {
    lines_name(t, way, line);
    t->valid[way] = t->dirty[way] = (struct byte_mask){{0, 0}};
    t->pending[way] = t->flags[way] = 0;
    lines_touch(t, way);
}

/* The way is free. */
static inline void lines_drop(struct lines *t, uint32_t way) {
    lines_name(t, way, LINE_NONE);
    t->used[way] = 0;
    t->valid[way] = t->dirty[way] = (struct byte_mask){{0, 0}};
    t->pending[way] = t->flags[way] = 0;
}

/* All bytes of the mask can be read. */
static inline bool lines_hold(const struct lines *t, uint32_t way, const struct byte_mask *mask) {
    return mask_within(mask, &t->valid[way]);
}

static inline bool lines_dirty(const struct lines *t, uint32_t way) {
    return !mask_none(&t->dirty[way]);
}

/* Stores bytes: they are valid, and dirty if `dirty`. `from` is a whole line's data, or NULL while
 * no data are carried. */
void lines_store(struct lines *t, uint32_t way, const struct byte_mask *mask, const uint8_t *from,
                 bool dirty);
/* Sectors have come: they are no longer pending, their bytes are valid; dirty bytes stay. */
void lines_fill(struct lines *t, uint32_t way, unsigned sectors, const uint8_t *from);

#endif
