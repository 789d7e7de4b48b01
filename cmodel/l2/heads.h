/* The super-entries of an L2 bank's MSHR as the bank knows them: which granule (line or sector)
 * each head tracks, the packets that wait for it, in order, and a lookup from granule to head that
 * mirrors what the MSHR answered. A head leaves the table at its RET: its drain may go on, but the
 * MSHR may have given the head away again.
 */
#ifndef MEMTWIN_L2_HEADS_H
#define MEMTWIN_L2_HEADS_H

#include <stdbool.h>
#include <stdint.h>

#define HEAD_NONE UINT32_MAX
#define GRANULE_NONE UINT64_MAX

struct l2_head {
    uint64_t granule;     /* line; line * 4 + sector if the bank is sectored */
    uint32_t first, last; /* packets; first is PACKET_NONE in a head that tracks nothing */
    uint32_t way;         /* that waits for the data, or WAY_NONE: chosen when they come */
    uint32_t set;         /* of the line */
    uint32_t chain;       /* next head of the same bucket */
};

struct l2_heads {
    struct l2_head *head; /* owned; by MSHR head id */
    uint32_t *bucket;     /* owned */
    uint32_t n, shift, used;
};

/* n: head ids are below it; at least 1. Returns 0, or -1 if out of memory. */
int l2_heads_init(struct l2_heads *t, uint32_t n);
void l2_heads_free(struct l2_heads *t);

/* Head that waits for the granule, or HEAD_NONE. */
uint32_t l2_heads_find(const struct l2_heads *t, uint64_t granule);
/* The head tracks nothing and is not in the table. */
void l2_heads_insert(struct l2_heads *t, uint32_t id, const struct l2_head *head);
void l2_heads_remove(struct l2_heads *t, uint32_t id);

#endif
