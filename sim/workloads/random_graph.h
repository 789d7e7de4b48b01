/* SPDX-License-Identifier: Apache-2.0 */
/* The random graph of the breadth-first searches: each vertex makes 2 to 4 edges to any vertices,
 * and each of them has one back. */
#ifndef MEMTWIN_WORKLOADS_RANDOM_GRAPH_H
#define MEMTWIN_WORKLOADS_RANDOM_GRAPH_H

#include <stdint.h>

/* Calls edge(ctx, from, to) for every edge of the graph of n vertices, 1..2^32, made
 * from the seed, always in the same order. Returns the vertex to start from. */
uint32_t random_graph(uint64_t seed, uint64_t n,
                      void (*edge)(void *ctx, uint32_t from, uint32_t to), void *ctx);

#endif
