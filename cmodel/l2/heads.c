#include "l2/heads.h"

#include <stdlib.h>
#include <string.h>

#include "lib/bits.h"
#include "lib/packet.h"

int l2_heads_init(struct l2_heads *t, uint32_t n) {
    uint32_t buckets =
        (uint32_t)bits_round_up((uint64_t)n + 1); /* at least two: a shift below 64 */
    memset(t, 0, sizeof *t);
    t->head = malloc(n * sizeof *t->head);
    t->bucket = malloc(buckets * sizeof *t->bucket);
    if (!t->head || !t->bucket)
        return -1;
    t->n = n;
    t->shift = 64 - bits_lowest(buckets);
    for (uint32_t id = 0; id < n; id++)
        t->head[id].first = PACKET_NONE;
    memset(t->bucket, 0xff, buckets * sizeof *t->bucket);
    return 0;
}

void l2_heads_free(struct l2_heads *t) {
    free(t->head);
    free(t->bucket);
    memset(t, 0, sizeof *t);
}

static uint32_t *bucket_of(const struct l2_heads *t, uint64_t granule) {
    return &t->bucket[granule * UINT64_C(0x9e3779b97f4a7c15) >> t->shift];
}

uint32_t l2_heads_find(const struct l2_heads *t, uint64_t granule) {
    if (!t->used)
        return HEAD_NONE;
    uint32_t id = *bucket_of(t, granule);
    while (id != HEAD_NONE && t->head[id].granule != granule)
        id = t->head[id].chain;
    return id;
}

void l2_heads_insert(struct l2_heads *t, uint32_t id, const struct l2_head *head) {
    uint32_t *b = bucket_of(t, head->granule);
    t->head[id] = *head;
    t->head[id].chain = *b;
    *b = id;
    t->used++;
}

void l2_heads_remove(struct l2_heads *t, uint32_t id) {
    uint32_t *p = bucket_of(t, t->head[id].granule);
    while (*p != id)
        p = &t->head[*p].chain;
    *p = t->head[id].chain;
    t->head[id].first = PACKET_NONE;
    t->used--;
}
