// SPDX-License-Identifier: Apache-2.0
#include "random_graph.h"

#include "lane.h"

#define MIN_EDGES 2
#define MAX_EDGES 4

uint32_t random_graph(uint64_t seed, uint64_t n,
                      void (*edge)(void *ctx, uint32_t from, uint32_t to), void *ctx) {
    struct rng r = {seed};
    const uint32_t root = (uint32_t)rng_below(&r, n);
    for (uint32_t v = 0; v < n; v++) {
        uint64_t count = MIN_EDGES + rng_below(&r, MAX_EDGES - MIN_EDGES + 1);
        while (count-- > 0) {
            const uint32_t to = (uint32_t)rng_below(&r, n);
            edge(ctx, v, to);
            edge(ctx, to, v);
        }
    }
    return root;
}
