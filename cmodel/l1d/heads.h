/* The fetches of an L1D that are on their way, by MSHR head and by granule: a mirror of the MSHR's
 * answers, since what a miss needs depends on whether the MSHR has its granule before it is asked.
 *
 * A granule is what one fetch brings: a line, or with sectors line * LINE_SECTORS + sector.
 */
#ifndef MEMTWIN_L1D_HEADS_H
#define MEMTWIN_L1D_HEADS_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/packet.h"

#define HEAD_NONE UINT32_MAX

struct l1d_head {
    uint64_t line, granule;
    struct byte_mask wanted; /* bytes of the loads that wait for it */
    uint32_t chain;          /* next head of the bucket, or HEAD_NONE */
    bool waiting;            /* on its way */
    bool poisoned;           /* written to meanwhile; what comes may be old */
};

struct l1d_heads {
    struct l1d_head *head; /* owned; per MSHR head */
    uint32_t *bucket;      /* owned; first head of each */
    uint32_t n;            /* heads */
    uint32_t shift;        /* of the hash, to a bucket's number */
    uint32_t waiting;      /* heads that are on their way */
};

/* Returns 0, or -1 if out of memory. n: heads that the MSHR can have, from 1 up. */
int heads_init(struct l1d_heads *t, uint32_t n);
void heads_free(struct l1d_heads *t);

static inline uint32_t heads_bucket(const struct l1d_heads *t, uint64_t granule) {
    return (uint32_t)(granule * UINT64_C(0x9e3779b97f4a7c15) >> t->shift);
}

/* The head that the granule is on its way for, or HEAD_NONE. */
static inline uint32_t heads_find(const struct l1d_heads *t, uint64_t granule) {
    uint32_t h = t->bucket[heads_bucket(t, granule)];
    while (h != HEAD_NONE && t->head[h].granule != granule)
        h = t->head[h].chain;
    return h;
}

/* The granule, of which no head is waiting, is on its way for this head. */
void heads_add(struct l1d_heads *t, uint32_t h, uint64_t line, uint64_t granule,
               const struct byte_mask *wanted);
/* It has come. */
void heads_remove(struct l1d_heads *t, uint32_t h);

#endif
