// SPDX-License-Identifier: Apache-2.0
#include "cache/draws.h"

#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"

#define GROUP_KEYS 32 /* number of keys per group; a power of two */
#define NOT_DRAWN UINT16_MAX

/* ---- the generator: each number is the sum of the numbers 3 and 31 positions before it ---- */

static uint32_t next_number(struct draws *d) {
    const uint32_t sum = d->lag[d->oldest] += d->lag[(d->oldest + DRAWS_LAGS - 3) % DRAWS_LAGS];
    d->oldest = (d->oldest + 1) % DRAWS_LAGS;
    return sum >> 1;
}

static void seed(struct draws *d) {
    uint64_t x = 1;
    for (unsigned i = 0; i < DRAWS_LAGS; i++, x = 16807 * x % 2147483647)
        d->lag[i] = (uint32_t)x;
    d->oldest = 3;
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
    hash_map_free(&d->groups);
    free(d->number);
    memset(d, 0, sizeof *d);
}

/* Adds a group without drawing a number. Returns the group's array of numbers. */
static uint16_t *add_group(struct draws *d, uint64_t group) {
    const uint32_t index = d->groups.used;
    d->number = alloc_grown(d->number, index, &d->room, GROUP_KEYS * sizeof *d->number);
    hash_map_add(&d->groups, group, index);
    uint16_t *numbers = d->number + (size_t)index * GROUP_KEYS;
    return memset(numbers, 0xff, GROUP_KEYS * sizeof *numbers);
}

/* Returns the numbers of a group, or NULL if no number of the group has been drawn. */
static uint16_t *numbers_of(const struct draws *d, uint64_t group) {
    const uint32_t index = hash_map_get(&d->groups, group);
    return index == HASH_MAP_NONE ? NULL : d->number + (size_t)index * GROUP_KEYS;
}

uint32_t draws_get(struct draws *d, uint64_t key) {
    uint16_t *n = numbers_of(d, key / GROUP_KEYS);
    if (!n)
        n = add_group(d, key / GROUP_KEYS);
    n += key % GROUP_KEYS;
    if (*n == NOT_DRAWN)
        *n = (uint16_t)(next_number(d) % d->below);
    return *n;
}

uint32_t draws_find(const struct draws *d, uint64_t key) {
    const uint16_t *n = numbers_of(d, key / GROUP_KEYS);
    return n && n[key % GROUP_KEYS] != NOT_DRAWN ? n[key % GROUP_KEYS] : DRAWS_NONE;
}
