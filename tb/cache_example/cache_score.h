/* SPDX-License-Identifier: Apache-2.0 */
/* Checks the responses of cache_example, independently of its ways, heads and buffers. Every
 * request must get one response, with an error if its fetch returned one. The responses for a line
 * must be in the order of its requests. A load must return the bytes that were stored last. */
#ifndef MEMTWIN_CACHE_EXAMPLE_CACHE_SCORE_H
#define MEMTWIN_CACHE_EXAMPLE_CACHE_SCORE_H

#include "cache_example/cache_lines.h"

#define CACHE_SCORE_EVENTS(X)                                                                      \
    X(LOAD, "load response")                                                                       \
    X(STORE, "store response")                                                                     \
    X(LOAD_ERR, "load response with an error")                                                     \
    X(STORE_ERR, "store response with an error")                                                   \
    X(ANSWER_WAITS, "a response has to wait")                                                      \
    X(OVERTAKES, "response before that of an older request")                                       \
    X(LOAD_BEHIND_STORE, "a load after a store to its line, both pending")                         \
    X(PARTIAL, "a store of only some bytes of a word")

enum cache_score_event {
#define X(id, text) CACHE_EV_##id,
    CACHE_SCORE_EVENTS(X)
#undef X
        CACHE_SCORE_N_EVENTS
};

struct cache_record {
    bool live, write;
    int line, next; /* `next` is the next request for the same line, or CACHE_NONE */
    unsigned beat;
    uint32_t mask;
    uint32_t data[CACHE_MAX_WORDS];
    uint64_t number;
};

struct cache_score {
    struct cache_lines *lines;   /* not owned */
    struct cache_record *record; /* owned; indexed by ID */
    unsigned live,               /* number of pending requests */
        newest;                  /* ID of the last accepted request */
    uint64_t requests,           /* number of accepted requests */
        answered,                /* number of responses */
        oldest;                  /* lowest number of a request that may be pending */
    bool waits;                  /* true if the response of the previous cycle was not accepted */
    struct cache_example_out before;
    uint64_t events[CACHE_SCORE_N_EVENTS];
};

void cache_score_init(struct cache_score *s, struct cache_lines *lines);
void cache_score_free(struct cache_score *s);
/* Handles a reset of the cache, which drops all stores that have not reached memory. */
void cache_score_reset(struct cache_score *s);
/* Checks a response and records an accepted request. Returns a static text for a broken rule, or
 * NULL if there is none. */
const char *cache_score_sample(struct cache_score *s, const struct cache_example_in *in,
                               const struct cache_example_out *out);

#endif
