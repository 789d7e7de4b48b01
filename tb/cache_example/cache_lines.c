// SPDX-License-Identifier: Apache-2.0
#include "cache_example/cache_lines.h"

#include "lib/random.h"

int cache_lines_find(const struct cache_lines *l, uint64_t addr) {
    for (unsigned i = 0; i < l->n; i++)
        if (l->line[i].addr == addr)
            return (int)i;
    return CACHE_NONE;
}

static void add_line(struct cache_lines *l, uint64_t number, uint64_t *rng) {
    uint64_t addr = number % l->shape.lines * l->shape.bytes;
    if (l->n == CACHE_LINES || cache_lines_find(l, addr) != CACHE_NONE)
        return;
    struct cache_line *line = &l->line[l->n++];
    *line = (struct cache_line){.addr = addr, .first = CACHE_NONE, .last = CACHE_NONE};
    for (unsigned i = 0; i < l->shape.bytes; i++)
        line->memory[i] = line->want[i] = (uint8_t)random_next(rng);
}

/* Adds a hub and its neighbors: first the neighbors that differ in a tag bit, from the highest bit
 * down, then the neighbors that differ in a set bit. */
static void add_hub(struct cache_lines *l, struct cache_hub *hub, uint64_t number, uint64_t *rng) {
    const struct cache_shape *s = &l->shape;
    hub->first = l->n;
    add_line(l, number, rng);
    for (unsigned bit = s->line_bits; bit-- > s->set_bits;)
        add_line(l, number ^ UINT64_C(1) << bit, rng);
    hub->same_set = l->n - hub->first;
    for (unsigned bit = 0; bit < s->set_bits; bit++)
        add_line(l, number ^ UINT64_C(1) << bit, rng);
    hub->all = l->n - hub->first;
}

void cache_lines_init(struct cache_lines *l, const struct block_params *p, uint64_t *rng) {
    struct cache_shape *s = &l->shape;
    *s = (struct cache_shape){
        .bytes = (unsigned)p->v[CACHE_EXAMPLE_LINE_BYTES],
        .beat_bytes = (unsigned)p->v[CACHE_EXAMPLE_DATA_W] / 8,
        .sets = (unsigned)p->v[CACHE_EXAMPLE_SETS],
        .ways = (unsigned)p->v[CACHE_EXAMPLE_WAYS],
        .heads = (unsigned)p->v[CACHE_EXAMPLE_MSHR_SETS],
        .slots = (unsigned)p->v[CACHE_EXAMPLE_MSHR_SLOTS],
        .evicts = (unsigned)p->v[CACHE_EXAMPLE_EVICTS],
        .ids = 1u << p->v[CACHE_EXAMPLE_ID_W],
        .lines =
            (UINT64_C(1) << p->v[CACHE_EXAMPLE_ADDR_W]) / (uint64_t)p->v[CACHE_EXAMPLE_LINE_BYTES],
    };
    s->size = bits_lowest(s->beat_bytes);
    s->beats = s->bytes / s->beat_bytes;
    s->tags = s->lines / s->sets < 64 ? (unsigned)(s->lines / s->sets) : 64;
    s->set_bits = bits_lowest(s->sets);
    s->line_bits = bits_lowest(s->lines);
    l->n = 0;
    for (unsigned h = 0; h < CACHE_HUBS; h++) {
        uint64_t set = h == 0 ? 0 : h == 1 ? s->sets - 1 : random_below(rng, s->sets);
        add_hub(l, &l->hub[h], random_next(rng) * s->sets + set, rng);
    }
    for (unsigned i = 0; i < CACHE_OTHERS; i++)
        add_line(l, random_next(rng), rng);
}
