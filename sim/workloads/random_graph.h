/* SPDX-License-Identifier: Apache-2.0 */
/* Generates a random graph for the breadth-first searches. Each vertex adds 2 to 4 edges to random
 * vertices, and the reverse of each edge is added too. */
#ifndef MEMTWIN_WORKLOADS_RANDOM_GRAPH_H
#define MEMTWIN_WORKLOADS_RANDOM_GRAPH_H

#include <stdint.h>

/* Calls edge(ctx, from, to) for every edge of a graph of n vertices (1..2^32), in an order that
 * depends only on n and the seed. Returns the root of the search, which is a random vertex. */
uint32_t random_graph(uint64_t seed, uint64_t n,
                      void (*edge)(void *ctx, uint32_t from, uint32_t to), void *ctx);

#endif
