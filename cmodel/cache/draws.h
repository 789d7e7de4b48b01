/* SPDX-License-Identifier: Apache-2.0 */
/* Draws a random number for each key on its first use. The sequence equals that of rand() in the C
 * library on Linux after srand(1), which GPGPU-Sim uses. */
#ifndef MEMTWIN_CACHE_DRAWS_H
#define MEMTWIN_CACHE_DRAWS_H

#include <stdint.h>

#include "lib/hash_map.h"

#define DRAWS_NONE UINT32_MAX

#define DRAWS_LAGS 31 /* number of values kept by the generator */

struct draws {
    struct hash_map groups; /* maps a group of adjacent keys to its index in `number` */
    uint16_t *number;       /* owned; the number drawn for each key, group by group */
    uint32_t room;          /* capacity of `number` in groups */
    uint32_t below;         /* all numbers are below this value */
    uint32_t lag[DRAWS_LAGS];
    uint32_t oldest; /* index of the oldest number in `lag` */
};

/* Creates an empty table. `below` is 1 to 65535. */
void draws_init(struct draws *d, uint32_t below);
void draws_free(struct draws *d);
/* Returns the number drawn for a key. Draws it on the key's first use. */
uint32_t draws_get(struct draws *d, uint64_t key);
/* Returns the number drawn for a key, or DRAWS_NONE if it has not been drawn yet. */
uint32_t draws_find(const struct draws *d, uint64_t key);

#endif
