#include "lib/packet.h"

#include <stdlib.h>
#include <string.h>

int packet_pool_init(struct packet_pool *pool, uint32_t size) {
    memset(pool, 0, sizeof *pool);
    pool->packet = calloc(size, sizeof *pool->packet);
    if (!pool->packet)
        return -1;
    pool->size = size;
    pool->free = PACKET_NONE;
    return 0;
}

void packet_pool_free(struct packet_pool *pool) {
    free(pool->packet);
    free(pool->data);
    memset(pool, 0, sizeof *pool);
}

int packet_pool_carry(struct packet_pool *pool, bool on) {
    if (!on) {
        free(pool->data);
        pool->data = NULL;
    } else if (!pool->data) {
        pool->data = calloc(pool->size, LINE_BYTES);
    }
    return on && !pool->data ? -1 : 0;
}

void mask_copy(uint8_t *to, const uint8_t *from, const struct byte_mask *mask) {
    if (mask->w[0] == UINT64_MAX && mask->w[1] == UINT64_MAX) {
        memcpy(to, from, LINE_BYTES);
        return;
    }
    for (unsigned h = 0; h < 2; h++)
        for (uint64_t left = mask->w[h]; left; left &= left - 1) {
            unsigned b = 64 * h + (unsigned)__builtin_ctzll(left);
            to[b] = from[b];
        }
}
