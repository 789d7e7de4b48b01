// SPDX-License-Identifier: Apache-2.0
#include "cache/draws.h"

#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"

#define GROUP_KEYS 32 /* keys of a group; a power of two */
#define NOT_DRAWN UINT16_MAX
#define FREE UINT64_MAX

struct draws_group {
    uint64_t number; /* key / GROUP_KEYS, or FREE */
    uint64_t place;  /* of its first number */
};

/* ---- the generator: each number is the sum of those 3 and 31 before it ---- */

static uint32_t next_number(struct draws *d) {
    const uint32_t sum = d->lag[d->at] += d->lag[(d->at + DRAWS_LAGS - 3) % DRAWS_LAGS];
    d->at = (d->at + 1) % DRAWS_LAGS;
    return sum >> 1;
}

static void seed(struct draws *d) {
    uint64_t x = 1;
    for (unsigned i = 0; i < DRAWS_LAGS; i++, x = 16807 * x % 2147483647)
        d->lag[i] = (uint32_t)x;
    d->at = 3;
    for (unsigned i = 0; i < 10 * DRAWS_LAGS; i++)
        next_number(d);
}

/* ---- the table ---- */

void draws_init(struct draws *d, uint32_t below) {
    memset(d, 0, sizeof *d);
    d->below = below;
    seed(d);
}

void draws_free(struct draws *d) {
    free(d->group);
    free(d->number);
    memset(d, 0, sizeof *d);
}

/* The group, or the free place where it would go. There is a free place. */
static struct draws_group *find_group(const struct draws *d, uint64_t number) {
    uint64_t at = number * UINT64_C(0x9e3779b97f4a7c15) >> 20;
    while (d->group[at & (d->size - 1)].number != number &&
           d->group[at & (d->size - 1)].number != FREE)
        at++;
    return &d->group[at & (d->size - 1)];
}

static void grow_table(struct draws *d) {
    struct draws wide = *d;
    wide.size = d->size ? 2 * d->size : 1024;
    wide.group = alloc_array(wide.size, sizeof *wide.group);
    memset(wide.group, 0xff, wide.size * sizeof *wide.group);
    for (uint64_t i = 0; i < d->size; i++)
        if (d->group[i].number != FREE)
            *find_group(&wide, d->group[i].number) = d->group[i];
    free(d->group);
    *d = wide;
}

/* A group of which nothing has been drawn. */
static void add_group(struct draws *d, uint64_t number) {
    if (2 * d->used >= d->size)
        grow_table(d);
    d->number = alloc_grown(d->number, d->used, &d->room, GROUP_KEYS * sizeof *d->number);
    const uint64_t place = (uint64_t)d->used++ * GROUP_KEYS;
    *find_group(d, number) = (struct draws_group){number, place};
    memset(d->number + place, 0xff, GROUP_KEYS * sizeof *d->number);
}

/* Where the key's number stands; NULL: nothing of its group has been drawn. */
static uint16_t *place_of(const struct draws *d, uint64_t key) {
    const uint64_t number = key / GROUP_KEYS;
    const struct draws_group *g = d->size ? find_group(d, number) : NULL;
    return g && g->number == number ? &d->number[g->place + key % GROUP_KEYS] : NULL;
}

uint32_t draws_get(struct draws *d, uint64_t key) {
    uint16_t *n = place_of(d, key);
    if (!n) {
        add_group(d, key / GROUP_KEYS);
        n = place_of(d, key);
    }
    if (*n == NOT_DRAWN)
        *n = (uint16_t)(next_number(d) % d->below);
    return *n;
}

uint32_t draws_find(const struct draws *d, uint64_t key) {
    const uint16_t *n = place_of(d, key);
    return n && *n != NOT_DRAWN ? *n : DRAWS_NONE;
}
