/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of cache_example. It is an AXI4 slave that replies to fetches in any order and
 * interleaves their beats, as AXI allows. A fetch returns the memory contents at the time of its
 * address handshake, and a write becomes visible when it is acknowledged. The memory checks that
 * the master obeys AXI, and can violate AXI on request. */
#ifndef MEMTWIN_CACHE_EXAMPLE_CACHE_MEMORY_H
#define MEMTWIN_CACHE_EXAMPLE_CACHE_MEMORY_H

#include "cache_example/cache_lines.h"

enum { CACHE_MAX_HEADS = 64, CACHE_MAX_EVICTS = 8 };

/* AXI violations that the memory can commit. */
enum cache_breach { BREACH_NONE, BREACH_ID, BREACH_LAST, BREACH_ACK, N_BREACHES };

/* Behavior of the memory in a phase. */
struct cache_manner {
    unsigned ready;   /* number of cycles in 16 that accept an address or a word */
    unsigned beat;    /* number of cycles in 16 that offer a beat */
    unsigned delay;   /* maximum number of cycles until the first beat of a fetch */
    unsigned ack;     /* maximum number of cycles until an acknowledgement */
    bool mixed;       /* true to interleave the beats of several fetches */
    unsigned refused; /* number of fetches and write-backs in 256 that get an error */
};

#define CACHE_MEMORY_EVENTS(X)                                                                     \
    X(FETCH_UNDER_FETCH, "a fetch starts while another is in flight")                              \
    X(FETCH_ALL, "as many fetches as there are IDs")                                               \
    X(FETCH_OVERTAKES, "a fetch is answered before an older one")                                  \
    X(MIXED, "a beat between beats of another fetch")                                              \
    X(BEAT_HELD, "a beat has to wait")                                                             \
    X(FETCH_FAILS, "a fetch returns an error")                                                     \
    X(FETCH_FAILS_ONCE, "an error in only one beat")                                               \
    X(WRITE, "a write-back")                                                                       \
    X(WRITE_UNDER_FETCH, "a write-back while a fetch is in flight")                                \
    X(WRITES_ALL, "EVICTS write-backs wait for acknowledgement")                                   \
    X(WRITE_FAILS, "a write-back is refused")                                                      \
    X(AGAIN, "fetch of a line that was written back")                                              \
    X(ADDRESS_HELD, "a write-back address has to wait")                                            \
    X(WORD_HELD, "a write-back word has to wait")

enum cache_memory_event {
#define X(id, text) CACHE_EV_##id,
    CACHE_MEMORY_EVENTS(X)
#undef X
        CACHE_MEMORY_N_EVENTS
};

struct cache_fetch {
    bool open, fails;
    int line;
    unsigned beat,   /* index of the next beat */
        bad_beat;    /* index of the beat with an error, or `beats` if all beats have one */
    uint64_t number, /* number of earlier fetches */
        due;         /* first cycle in which a beat may be sent */
    uint8_t data[128];
};

struct cache_write {
    int line;
    bool fails;
    uint64_t due;
    uint8_t data[128];
};

struct cache_memory {
    struct cache_lines *lines; /* not owned */
    uint64_t *rng;             /* not owned */
    struct cache_manner manner;
    enum cache_breach breach; /* violation to commit; BREACH_NONE after it was committed */
    bool idle;                /* true if no request is pending, so BREACH_ID is possible */
    bool broken;              /* true if a violation has been on the bus since the reset */
    uint64_t cycle,           /* number of the current cycle */
        fetched;              /* number of fetches so far */

    struct cache_fetch fetch[CACHE_MAX_HEADS];
    unsigned open;
    int begun; /* fetch whose beats have been sent in part, or CACHE_NONE */
    bool beat; /* true if a beat with the ID beat_id is offered */
    unsigned beat_id;
    struct cache_write
        write[CACHE_MAX_EVICTS]; /* write-backs that were sent but not acknowledged, oldest first */
    unsigned writes;
    int writing; /* line whose words are arriving, or CACHE_NONE */
    unsigned word;
    uint8_t words[128];
    bool ack;    /* true if an acknowledgement is offered */
    bool failed; /* true if the last acknowledgement, for failed_line, was an error */
    int failed_line;
    bool was_written[CACHE_LINES];
    struct cache_example_in in; /* inputs of the previous cycle */
    struct cache_example_out before;
    uint64_t events[CACHE_MEMORY_N_EVENTS];
};

void cache_memory_init(struct cache_memory *m, struct cache_lines *lines, uint64_t *rng);
void cache_memory_reset(struct cache_memory *m);
/* Sets the memory's part of the inputs for the next cycle. */
void cache_memory_drive(struct cache_memory *m, struct cache_example_in *in);
/* Checks the outputs of a cycle. Returns a static text that names the broken rule, or NULL if there
 * is none. */
const char *cache_memory_sample(struct cache_memory *m, const struct cache_example_in *in,
                                const struct cache_example_out *out);

#endif
