// SPDX-License-Identifier: Apache-2.0
#include "cache_example/cache_lines.h"

#include "lib/random.h"

int cache_lines_find(const struct cache_lines *l, uint64_t addr) {
    for (unsigned i = 0; i < l->n; i++)
        if (l->line[i].addr == addr)
            return (int)i;
    return CACHE_NONE;
}

static bool add(struct cache_lines *l, uint64_t number, uint64_t *rng) {
    uint64_t addr = number % l->shape.lines * l->shape.bytes;
    if (l->n == CACHE_LINES || cache_lines_find(l, addr) != CACHE_NONE)
        return false;
    struct cache_line *line = &l->line[l->n++];
    *line = (struct cache_line){.addr = addr, .first = CACHE_NONE, .last = CACHE_NONE};
    for (unsigned i = 0; i < l->shape.bytes; i++)
        line->memory[i] = line->want[i] = (uint8_t)random_next(rng);
    return true;
}

void cache_lines_init(struct cache_lines *l, const struct block_params *p, uint64_t *rng) {
    struct cache_shape *s = &l->shape;
    *s = (struct cache_shape){
        .bytes = (unsigned)p->v[CACHE_LINE_BYTES],
        .beat_bytes = (unsigned)p->v[CACHE_DATA_W] / 8,
        .sets = (unsigned)p->v[CACHE_SETS],
        .ways = (unsigned)p->v[CACHE_WAYS],
        .heads = (unsigned)p->v[CACHE_MSHR_SETS],
        .slots = (unsigned)p->v[CACHE_MSHR_SLOTS],
        .evicts = (unsigned)p->v[CACHE_EVICTS],
        .ids = 1u << p->v[CACHE_ID_W],
        .lines = (UINT64_C(1) << p->v[CACHE_ADDR_W]) / (uint64_t)p->v[CACHE_LINE_BYTES],
    };
    s->size = bits_lowest(s->beat_bytes);
    s->beats = s->bytes / s->beat_bytes;
    s->tags = s->lines / s->sets < 64 ? (unsigned)(s->lines / s->sets) : 64;
    l->n = 0;
    for (unsigned t = 0; t < CACHE_TIGHT_SETS; t++) {
        uint64_t set = t == 0 ? 0 : t == 1 ? s->sets - 1 : random_below(rng, s->sets);
        uint64_t tag = random_next(rng);
        l->tight[t] = add(l, tag * s->sets + set, rng);
        for (unsigned i = 0; i < CACHE_TIGHT - 1; i++)
            l->tight[t] += add(l, (tag ^ UINT64_C(1) << i) * s->sets + set, rng);
    }
    for (unsigned i = 0; i < CACHE_LINES; i++)
        add(l, random_next(rng), rng);
}
