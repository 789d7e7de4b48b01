/* SPDX-License-Identifier: Apache-2.0 */
/* What must hold of the answers of cache_example: every request is answered once, those of a line
 * in order, with an error where its fetch had one; a load gets the bytes that were stored last. It
 * knows nothing of ways, heads or buffers. */
#ifndef MEMTWIN_CACHE_EXAMPLE_CACHE_SCORE_H
#define MEMTWIN_CACHE_EXAMPLE_CACHE_SCORE_H

#include "cache_example/cache_lines.h"

#define CACHE_SCORE_EVENTS(X)                                                                      \
    X(LOAD, "a load is answered")                                                                  \
    X(STORE, "a store is answered")                                                                \
    X(LOAD_ERR, "a load is answered with an error")                                                \
    X(STORE_ERR, "a store is answered with an error")                                              \
    X(ANSWER_WAITS, "an answer waits")                                                             \
    X(OVERTAKES, "an answer before that of an older request")                                      \
    X(LOAD_BEHIND_STORE, "a load behind a store to its line, both under way")                      \
    X(PARTIAL, "a store of some bytes of a word")

enum cache_score_event {
#define X(id, text) CACHE_EV_##id,
    CACHE_SCORE_EVENTS(X)
#undef X
        CACHE_SCORE_N_EVENTS
};

struct cache_record {
    bool live, write;
    int line, next; /* next: request of the same line, or CACHE_NONE */
    unsigned beat;
    uint32_t mask;
    uint32_t data[CACHE_MAX_WORDS];
    uint64_t number;
};

struct cache_score {
    struct cache_lines *lines;        /* not owned */
    struct cache_record *record;      /* owned; by id */
    unsigned live, newest;            /* newest: id of the request that was taken last */
    uint64_t taken, answered, oldest; /* oldest: number of the oldest that may be live */
    bool waits;                       /* the answer of the cycle before was not taken */
    struct cache_example_out before;
    uint64_t events[CACHE_SCORE_N_EVENTS];
};

/* Returns 0, or -1 if out of memory. */
int cache_score_init(struct cache_score *s, struct cache_lines *lines);
void cache_score_free(struct cache_score *s);
/* What was stored and has not come to memory is lost. */
void cache_score_reset(struct cache_score *s);
/* An answer, and a request that is taken. Returns NULL, or a static text for a broken rule. */
const char *cache_score_sample(struct cache_score *s, const struct cache_example_in *in,
                               const struct cache_example_out *out);

#endif
