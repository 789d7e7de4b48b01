/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps the lines of a cache: set-associative tags with LRU replacement, and for each way the valid
 * bytes, the dirty bytes and the pending sectors. Ways are numbered over all sets.
 *
 * A load hits if all its bytes are valid. A way with a line may have no valid bytes (it was
 * allocated on a miss, and the fetch is pending), some valid bytes (they were stored without a
 * fetch, or the cache is sectored), or only valid bytes. A fill brings a granule, which is a sector
 * in a sectored cache and otherwise the whole line. A fill does not overwrite dirty bytes, which
 * are newer.
 */
#ifndef MEMTWIN_CACHE_LINES_H
#define MEMTWIN_CACHE_LINES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "lib/hash.h"
#include "lib/request.h"
#include "config/values.def"

/* Values of l1d.allocate and l2.allocate. */
enum { CACHE_ALLOCATE_VALUES(VALUE_ENUMERATOR) };

#define WAY_NONE UINT32_MAX
#define LINE_NONE UINT64_MAX

enum way_flag {
    WAY_PINNED =
        1,         /* requests to the way are draining, so it may not be replaced (in an L2 bank) */
    WAY_STALE = 2, /* in an L1D: the line is valid only because of sim.planted_fault */
    WAY_WRITTEN = 4 /* a store has written to the line; only if written_percent is not 0 */
};

/* What a way has of its line. */
struct way {
    struct byte_mask valid; /* readable bytes */
    struct byte_mask dirty; /* valid bytes that are newer than in the next level */
    uint8_t pending; /* pending sectors, one bit each: 0 or all four in an unsectored cache */
    uint8_t flags;   /* bitwise OR of enum way_flag */
};

/* Place of a way in the order of use of its set, as numbers of ways in the set. The ways of a set
 * that have a place form a ring with its end, number `ways`, which is before the least recently
 * used and after the most recently used way. A way without a place is a ring of its own. */
struct way_use {
    uint16_t older, newer;
};

struct lines {
    uint64_t *line;  /* line in each way; LINE_NONE if the way is free. All arrays are owned */
    struct way *way; /* per way */
    uint8_t *mark;   /* 8-bit hashes of `line`, `stride` per set, which lines_find compares first */
    struct way_use *use;      /* per set: `ways` + 1 of them */
    uint8_t *data;            /* LINE_BYTES per way; NULL if lines carry no data */
    uint32_t *first_free;     /* per set: its first free way, counted from 0, or `ways` */
    uint32_t top;             /* ways from this number on have held no line since all were free */
    uint32_t held;            /* number of ways that hold a line */
    uint32_t written;         /* number of ways with WAY_WRITTEN */
    uint32_t written_percent; /* percentage of the usable ways up to which lines_victim() keeps
                                 written lines */
    uint32_t sets, ways;
    uint32_t usable; /* number of ways per set that lines may claim, the first ones */
    uint32_t stride; /* number of ways, rounded up to a multiple of 16 */
};

/* Creates the lines; all ways are free. */
void lines_init(struct lines *t, uint32_t sets, uint32_t ways);
void lines_free(struct lines *t);
/* Allocates the memory for data if `on`, otherwise frees it. */
void lines_carry(struct lines *t, bool on);
void lines_drop_all(struct lines *t);
/* Lets lines claim only the first n ways (1 to `ways`) of each set. Drops the lines in the others,
 * which must be neither dirty nor pending. */
void lines_use_ways(struct lines *t, uint32_t n);

static inline uint32_t lines_count(const struct lines *t) {
    return t->sets * t->ways;
}

/* Returns the way after the last one of a set that a line may claim. */
static inline uint32_t lines_end(const struct lines *t, uint32_t set) {
    return set * t->ways + t->usable;
}

static inline uint8_t *lines_data(const struct lines *t, uint32_t way) {
    return t->data + (uint64_t)way * LINE_BYTES;
}

static inline uint8_t lines_mark(uint64_t line) {
    return (uint8_t)hash_top(line, 8);
}

static inline void lines_name(struct lines *t, uint32_t way, uint64_t line) {
    const uint32_t set = way / t->ways, number = way % t->ways;
    uint32_t *const first = &t->first_free[set];
    t->held += (line != LINE_NONE) - (t->line[way] != LINE_NONE);
    t->line[way] = line;
    t->mark[set * t->stride + number] = lines_mark(line);
    if (line == LINE_NONE && number < *first)
        *first = number;
    while (*first < t->ways && t->line[set * t->ways + *first] != LINE_NONE)
        ++*first;
    if (line != LINE_NONE && number >= t->top)
        t->top = number + 1;
}

/* Each returns which of 16 marks are `want`, with bit i for mark i. */
static inline unsigned lines_match_plain(const uint8_t *mark, uint8_t want) {
    unsigned bits = 0;
    for (unsigned i = 0; i < 16; i++)
        bits |= (unsigned)(mark[i] == want) << i;
    return bits;
}

static inline unsigned lines_match(const uint8_t *mark, uint8_t want) {
#ifdef __SSE2__
    const __m128i marks = _mm_loadu_si128((const __m128i *)mark);
    return (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(marks, _mm_set1_epi8((char)want)));
#else
    return lines_match_plain(mark, want);
#endif
}

/* Returns the way that holds the line, or WAY_NONE. */
static inline uint32_t lines_find(const struct lines *t, uint32_t set, uint64_t line) {
    const uint8_t want = lines_mark(line), *const mark = t->mark + (uint64_t)set * t->stride;
    const uint64_t *p = t->line + (uint64_t)set * t->ways;
    for (uint32_t w = 0; w < t->top; w += 16)
        for (unsigned hit = lines_match(mark + w, want); hit; hit &= hit - 1) {
            const uint32_t way = w + (uint32_t)__builtin_ctz(hit);
            if (way < t->ways && p[way] == line)
                return set * t->ways + way;
        }
    return WAY_NONE;
}

/* Returns the way to replace: a free way if there is one, otherwise the least recently used way
 * that is neither pending nor pinned nor kept as a written line. A set of written lines only keeps
 * no line. Returns WAY_NONE if there is no such way. */
uint32_t lines_victim(const struct lines *t, uint32_t set);

static inline struct way_use *lines_uses(const struct lines *t, uint32_t set) {
    return t->use + (uint64_t)set * (t->ways + 1);
}

/* Takes way number n out of the order of use. */
static inline void lines_unplace(struct way_use *use, uint32_t n) {
    const struct way_use u = use[n];
    use[u.older].newer = u.newer;
    use[u.newer].older = u.older;
    use[n] = (struct way_use){(uint16_t)n, (uint16_t)n};
}

/* Makes the way the most recently used one of its set. */
static inline void lines_touch(struct lines *t, uint32_t way) {
    const uint32_t end = t->ways, n = way % end;
    struct way_use *use = lines_uses(t, way / end);
    const uint16_t last = use[end].older;
    if (last == n)
        return;
    lines_unplace(use, n);
    use[n] = (struct way_use){last, (uint16_t)end};
    use[last].newer = use[end].older = (uint16_t)n;
}

/* Returns the least recently used way of the set, or WAY_NONE. */
static inline uint32_t lines_oldest(const struct lines *t, uint32_t set) {
    const uint32_t n = lines_uses(t, set)[t->ways].newer;
    return n == t->ways ? WAY_NONE : set * t->ways + n;
}

/* Returns the way of the set that was used next after `way`, or WAY_NONE. */
static inline uint32_t lines_newer(const struct lines *t, uint32_t set, uint32_t way) {
    const uint32_t n = lines_uses(t, set)[way - set * t->ways].newer;
    return n == t->ways ? WAY_NONE : set * t->ways + n;
}

/* Removes all that the way has of its line but the name and the last use. */
static inline void lines_clear(struct lines *t, uint32_t way) {
    t->written -= (t->way[way].flags & WAY_WRITTEN) != 0;
    t->way[way] = (struct way){0};
}

/* Assigns the way to a line that has no valid bytes yet. */
static inline void lines_claim(struct lines *t, uint32_t way, uint64_t line) {
    lines_name(t, way, line);
    lines_clear(t, way);
    lines_touch(t, way);
}

/* Frees the way. */
static inline void lines_drop(struct lines *t, uint32_t way) {
    lines_name(t, way, LINE_NONE);
    lines_unplace(lines_uses(t, way / t->ways), way % t->ways);
    lines_clear(t, way);
}

/* True if all bytes of the mask are valid. */
static inline bool lines_hold(const struct lines *t, uint32_t way, const struct byte_mask *mask) {
    return mask_within(mask, &t->way[way].valid);
}

/* True if the way may not be replaced: it is pending or pinned. */
static inline bool lines_busy(const struct lines *t, uint32_t way) {
    return t->way[way].pending || t->way[way].flags & WAY_PINNED;
}

static inline bool lines_dirty(const struct lines *t, uint32_t way) {
    return !mask_none(&t->way[way].dirty);
}

/* Stores bytes, which become valid, and also dirty if `dirty` is true. `from` is the data of a
 * whole line, or NULL if lines carry no data. */
void lines_store(struct lines *t, uint32_t way, const struct byte_mask *mask, const uint8_t *from,
                 bool dirty);
/* Fills sectors, which are then no longer pending and have only valid bytes. Does not overwrite
 * dirty bytes. */
void lines_fill(struct lines *t, uint32_t way, unsigned sectors, const uint8_t *from);

#endif
