#include "l1d/heads.h"

#include <stdlib.h>
#include <string.h>

int heads_init(struct l1d_heads *t, uint32_t n) {
    unsigned bits = 1;
    while (UINT32_C(1) << bits < n)
        bits++;
    memset(t, 0, sizeof *t);
    t->n = n;
    t->shift = 64 - bits;
    t->head = calloc(n, sizeof *t->head);
    t->bucket = malloc(sizeof *t->bucket << bits);
    if (!t->head || !t->bucket)
        return -1;
    memset(t->bucket, 0xff, sizeof *t->bucket << bits); /* HEAD_NONE */
    return 0;
}

void heads_free(struct l1d_heads *t) {
    free(t->head);
    free(t->bucket);
    memset(t, 0, sizeof *t);
}

void heads_add(struct l1d_heads *t, uint32_t h, uint64_t line, uint64_t granule,
               const struct byte_mask *wanted) {
    uint32_t *first = &t->bucket[heads_bucket(t, granule)];
    t->head[h] = (struct l1d_head){
        .line = line, .granule = granule, .wanted = *wanted, .chain = *first, .waiting = true};
    *first = h;
    t->waiting++;
}

void heads_remove(struct l1d_heads *t, uint32_t h) {
    uint32_t *p = &t->bucket[heads_bucket(t, t->head[h].granule)];
    while (*p != h)
        p = &t->head[*p].chain;
    *p = t->head[h].chain;
    t->head[h].waiting = false;
    t->waiting--;
}
