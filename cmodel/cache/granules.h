/* SPDX-License-Identifier: Apache-2.0 */
/* From granule to the MSHR head that it is on its way for: a mirror of the MSHR's answers, since
 * what a miss needs depends on whether the MSHR has its granule before it is asked.
 *
 * A granule is what one fetch brings: a line, or in a sectored cache line * LINE_SECTORS + sector.
 * A head is entered at its primary miss and leaves at its RET: its drain may go on, but the MSHR
 * may have given the head away again.
 */
#ifndef MEMTWIN_CACHE_GRANULES_H
#define MEMTWIN_CACHE_GRANULES_H

#include <stdbool.h>
#include <stdint.h>

#define HEAD_NONE UINT32_MAX
#define GRANULE_NONE UINT64_MAX

struct granules {
    uint64_t *granule; /* owned; per head; GRANULE_NONE: it is not entered */
    uint32_t *chain;   /* owned; per head: the next of its bucket, or HEAD_NONE */
    uint32_t *bucket;  /* owned; first head of each */
    uint32_t heads;    /* that there can be */
    uint32_t used;     /* heads that are entered */
    uint32_t shift;    /* of the hash, to a bucket's number */
};

/* heads: at least 1. Returns 0, or -1 if out of memory. */
int granules_init(struct granules *t, uint32_t heads);
void granules_free(struct granules *t);

static inline uint32_t granules_bucket(const struct granules *t, uint64_t granule) {
    return (uint32_t)(granule * UINT64_C(0x9e3779b97f4a7c15) >> t->shift);
}

/* The head of the granule, or HEAD_NONE. */
static inline uint32_t granules_find(const struct granules *t, uint64_t granule) {
    if (!t->used)
        return HEAD_NONE;
    uint32_t h = t->bucket[granules_bucket(t, granule)];
    while (h != HEAD_NONE && t->granule[h] != granule)
        h = t->chain[h];
    return h;
}

static inline bool granules_has(const struct granules *t, uint32_t head) {
    return head < t->heads && t->granule[head] != GRANULE_NONE;
}

/* The head is not entered, nor is another for this granule. */
void granules_add(struct granules *t, uint32_t head, uint64_t granule);
void granules_remove(struct granules *t, uint32_t head);

#endif
