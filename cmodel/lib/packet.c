// SPDX-License-Identifier: Apache-2.0
#include "lib/packet.h"

#include <stdlib.h>
#include <string.h>

int packet_pool_init(struct packet_pool *pool, uint32_t size) {
    memset(pool, 0, sizeof *pool);
    pool->packet = calloc(size, sizeof *pool->packet);
    pool->times = calloc(size, sizeof *pool->times);
    if (!pool->packet || !pool->times)
        return -1;
    pool->size = pool->end = size;
    pool->free = PACKET_NONE;
    return 0;
}

void packet_pool_free(struct packet_pool *pool) {
    free(pool->packet);
    free(pool->times);
    free(pool->data);
    memset(pool, 0, sizeof *pool);
}

int packet_pool_split(struct packet_pool *pool, struct packet_pool *const part[], uint32_t n) {
    struct packet_pool wide = {.size = pool->size * n,
                               .free = PACKET_NONE,
                               .split = true,
                               .note_of_asked = pool->note_of_asked};
    wide.packet = calloc(wide.size, sizeof *wide.packet);
    wide.times = calloc(wide.size, sizeof *wide.times);
    if (!wide.packet || !wide.times) {
        packet_pool_free(&wide);
        return -1;
    }
    for (uint32_t i = 0; i < n; i++) {
        *part[i] = wide;
        part[i]->fresh = i * pool->size;
        part[i]->end = part[i]->fresh + pool->size;
    }
    packet_pool_free(pool);
    *pool = wide;
    return 0;
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
