/* SPDX-License-Identifier: Apache-2.0 */
/* A random number for each key, drawn when it is first asked for: the same numbers in the same
 * order as the C library's rand() on Linux after srand(1), since GPGPU-Sim draws with that. */
#ifndef MEMTWIN_CACHE_DRAWS_H
#define MEMTWIN_CACHE_DRAWS_H

#include <stdint.h>

#define DRAWS_NONE UINT32_MAX

#define DRAWS_LAGS 31 /* numbers that the generator keeps */

struct draws {
    struct draws_group *group; /* owned; hash table of neighbouring keys */
    uint16_t *number;          /* owned; of the keys of a group, one after the other */
    uint64_t size;             /* of the table, a power of two */
    uint32_t used, room;       /* groups; that `number` has room for */
    uint32_t below;            /* what is drawn is below it */
    uint32_t lag[DRAWS_LAGS];
    uint32_t at; /* the oldest of them */
};

/* below: 1 to 65535. */
void draws_init(struct draws *d, uint32_t below);
void draws_free(struct draws *d);
/* The number of a key. */
uint32_t draws_get(struct draws *d, uint64_t key);
/* DRAWS_NONE: it has not been drawn. */
uint32_t draws_find(const struct draws *d, uint64_t key);

#endif
