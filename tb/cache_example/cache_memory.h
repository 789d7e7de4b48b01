/* SPDX-License-Identifier: Apache-2.0 */
/* The memory behind cache_example, an AXI4 slave that does what AXI lets it: fetches are answered
 * in any order, beats of several of them mixed; what is fetched is what memory held when the
 * address came, what is written is there when it is acknowledged. It keeps the master to AXI's
 * rules, and on demand breaks them itself. */
#ifndef MEMTWIN_CACHE_EXAMPLE_CACHE_MEMORY_H
#define MEMTWIN_CACHE_EXAMPLE_CACHE_MEMORY_H

#include "cache_example/cache_lines.h"

enum { CACHE_MAX_HEADS = 64, CACHE_MAX_EVICTS = 8 };

/* What a memory does that breaks AXI. */
enum cache_breach { BREACH_NONE, BREACH_ID, BREACH_LAST, BREACH_ACK, N_BREACHES };

/* How it behaves in a phase. */
struct cache_manner {
    unsigned ready;   /* of 16 cycles, those in which it takes an address or a word */
    unsigned beat;    /* those in which it has a beat */
    unsigned delay;   /* cycles to a fetch's first beat, at most */
    unsigned ack;     /* and to an acknowledgement */
    bool mixed;       /* beats of several fetches */
    unsigned refused; /* of 256 fetches and write-backs, those with an error */
};

#define CACHE_MEMORY_EVENTS(X)                                                                     \
    X(FETCH_UNDER_FETCH, "a fetch begins while another is under way")                              \
    X(FETCH_ALL, "as many fetches as there are ids")                                               \
    X(FETCH_OVERTAKES, "a fetch is answered before an older one")                                  \
    X(MIXED, "a beat between beats of another fetch")                                              \
    X(BEAT_HELD, "a beat waits")                                                                   \
    X(FETCH_FAILS, "a fetch comes with an error")                                                  \
    X(FETCH_FAILS_ONCE, "an error in one beat alone")                                              \
    X(WRITE, "a write-back")                                                                       \
    X(WRITE_UNDER_FETCH, "a write-back while a fetch is under way")                                \
    X(WRITES_ALL, "as many write-backs as there is room for wait for acknowledgement")             \
    X(WRITE_FAILS, "a write-back is refused")                                                      \
    X(AGAIN, "a line is fetched that was written back")                                            \
    X(ADDRESS_HELD, "a write-back's address waits")                                                \
    X(WORD_HELD, "a write-back's word waits")

enum cache_memory_event {
#define X(id, text) CACHE_EV_##id,
    CACHE_MEMORY_EVENTS(X)
#undef X
        CACHE_MEMORY_N_EVENTS
};

struct cache_fetch {
    bool open, fails;
    int line;
    unsigned beat, bad_beat; /* bad_beat: `beats` if all of them are */
    uint64_t number, due;
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
    enum cache_breach breach; /* to be done; BREACH_NONE once it is */
    bool idle;                /* no request waits for anything: BREACH_ID may be done */
    bool broken;              /* it is on the bus, or has been, since reset */
    uint64_t cycle, fetched;  /* fetches so far */

    struct cache_fetch fetch[CACHE_MAX_HEADS];
    unsigned open;
    int begun; /* fetch of which some beats were sent, or CACHE_NONE */
    bool beat; /* one is offered: of this id, or of no fetch */
    unsigned beat_id;
    struct cache_write write[CACHE_MAX_EVICTS]; /* from the oldest on: sent, not acknowledged */
    unsigned writes;
    int writing; /* line whose words come, or CACHE_NONE */
    unsigned word;
    uint8_t words[128];
    bool ack;    /* offered */
    bool failed; /* the acknowledgement before was an error, for that line */
    int failed_line;
    bool was_written[CACHE_LINES];
    struct cache_example_in in; /* what it drives, and what it saw, a cycle before */
    struct cache_example_out before;
    uint64_t events[CACHE_MEMORY_N_EVENTS];
};

void cache_memory_init(struct cache_memory *m, struct cache_lines *lines, uint64_t *rng);
void cache_memory_reset(struct cache_memory *m);
/* Its part of the inputs of the next cycle. */
void cache_memory_drive(struct cache_memory *m, struct cache_example_in *in);
/* Returns NULL, or a static text for a broken rule. */
const char *cache_memory_sample(struct cache_memory *m, const struct cache_example_in *in,
                                const struct cache_example_out *out);

#endif
