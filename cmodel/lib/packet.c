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
    pool->size = size;
    pool->free = PACKET_NONE;
    return 0;
}

void packet_pool_free(struct packet_pool *pool) {
    free(pool->packet);
    free(pool->times);
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
