// SPDX-License-Identifier: Apache-2.0
#include "cache/granules.h"

#include <stdlib.h>
#include <string.h>

#include "lib/bits.h"

int granules_init(struct granules *t, uint32_t heads) {
    size_t buckets = bits_round_up((uint64_t)heads + 1); /* at least two: a shift below 64 */
    memset(t, 0, sizeof *t);
    t->granule = malloc(heads * sizeof *t->granule);
    t->chain = malloc(heads * sizeof *t->chain);
    t->bucket = malloc(buckets * sizeof *t->bucket);
    if (!t->granule || !t->chain || !t->bucket)
        return -1;
    t->heads = heads;
    t->shift = 64 - bits_lowest(buckets);
    memset(t->granule, 0xff, heads * sizeof *t->granule);
    memset(t->bucket, 0xff, buckets * sizeof *t->bucket);
    return 0;
}

void granules_free(struct granules *t) {
    free(t->granule);
    free(t->chain);
    free(t->bucket);
    memset(t, 0, sizeof *t);
}

void granules_add(struct granules *t, uint32_t head, uint64_t granule) {
    uint32_t *first = &t->bucket[granules_bucket(t, granule)];
    t->granule[head] = granule;
    t->chain[head] = *first;
    *first = head;
    t->used++;
}

void granules_remove(struct granules *t, uint32_t head) {
    uint32_t *p = &t->bucket[granules_bucket(t, t->granule[head])];
    while (*p != head)
        p = &t->chain[*p];
    *p = t->chain[head];
    t->granule[head] = GRANULE_NONE;
    t->used--;
}
