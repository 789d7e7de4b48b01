/* SPDX-License-Identifier: Apache-2.0 */
/* Requests: loads, stores and atomics on their way from an LSU to DRAM and back, and the fetches
 * and write-backs that caches send.
 *
 * The LSU creates a request. Once a cache has accepted it, the request is in the pool and is
 * identified by its index there. It is in exactly one queue or list at a time. The pool is large
 * enough for all queues and lists, so taking a request cannot fail in a correct system. */
#ifndef MEMTWIN_LIB_REQUEST_H
#define MEMTWIN_LIB_REQUEST_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/host_memory.h"
#include "lib/line.h"

#define REQUEST_NONE UINT32_MAX
#define REQUEST_POOL_MAX ((UINT32_C(1) << 28) - 1) /* an index has 28 bits, not all of them 1 */

enum request_kind {
    REQUEST_LOAD,      /* masked bytes; the reply carries the sectors that they touch */
    REQUEST_STORE,     /* write-through; the reply is the acknowledgement */
    REQUEST_WRITEBACK, /* dirty bytes of a cache; acknowledged by the L2, but not by DRAM */
    REQUEST_ATOMIC     /* read-modify-write in the L2; the reply has the old bytes if `result` */
};

/* Origin of a request. The LSU sets it; a fetch has the origin of the request that missed. */
struct request_origin {
    uint16_t sm;
    uint16_t load;    /* index in the LSU's load table, for a load or an atomic with `result` */
    uint8_t kernel;   /* index among the kernels that share the SM */
    uint8_t cta;      /* CTA slot; a store may outlive its CTA and its warp */
    uint8_t warp;     /* warp slot */
    uint8_t cta_warp; /* index of the warp in its CTA, modulo 256 */
};

/* State of a request that the L1D has not accepted yet. */
struct request_sm {
    uint32_t translating; /* number of SM cycles spent waiting for a translation */
    uint32_t piped; /* number of SM cycles in the pipeline before the tags (l1d_pipe/l1d_pipe.h) */
    uint8_t queue;  /* number of the request's in-order queue (stage/stage.h) */
    bool last;      /* true if this is the last request of its instruction */
    bool parked;    /* true if a stage has parked the request */
};

/* State of a request in an L2 bank. */
struct request_l2 {
    uint32_t parent; /* request that this sector part belongs to, or REQUEST_NONE */
    uint8_t parts;   /* number of parts not yet served */
    uint8_t refused; /* enum refusal, saved while another request is looked up */
    bool bypass;     /* true if the request does not use the L2 bank's lines */
};

/* State of a request in a DRAM channel. */
struct request_dram {
    uint16_t atoms; /* number of column accesses not yet done */
    uint16_t bank;  /* index, in the partition, of the L2 bank that gets the reply */
};

struct request {
    uint64_t line;         /* byte address / LINE_BYTES */
    struct byte_mask mask; /* bytes loaded or stored */
    struct request_origin origin;
    uint32_t next;    /* next request in a list or in the free list */
    uint32_t version; /* version of a store or atomic, or newest version in a write-back's line */
    uint16_t entry;   /* MSHR entry of the cache that sent the fetch */
    uint8_t kind;     /* enum request_kind */
    bool reply;
    bool local;  /* true if the request accesses local memory */
    bool bypass; /* true for a load that does not use the L1D */
    bool result; /* true for an atomic with a destination register for the old bytes */
    /* State that belongs to one level of the hierarchy. A request is in one level at a time. */
    union {
        struct request_sm sm;
        struct {
            struct request_l2 l2;
            struct request_dram dram;
        };
    };
};

/* SM cycles in which a load or its reply reached each part, or 0 if it did not. */
struct request_times {
    uint64_t l1d_accept; /* accepted by the L1D */
    uint64_t to_icnt, to_l2;
    uint64_t to_dram;   /* start of the wait for DRAM; for a fetch, when it was sent */
    uint64_t from_dram; /* return of the fetch that served the last part */
    uint64_t to_reply;
    uint64_t back;      /* arrival of the reply at the L1D */
    uint64_t dram_line; /* line of the channel that the fetch read; valid if from_dram is not 0 */
};

/* Times of a load between those of request_times. */
enum request_mark {
    MARK_GRANTED,      /* SM cycle in which the crossbar's switch granted the request */
    MARK_BUFFERED,     /* .. in which it left the L2 bank's pipeline for the incoming buffer */
    MARK_ACCEPTED,     /* .. in which the L2 bank accepted its last part */
    MARK_DRAM_BEGIN,   /* .. of the first DRAM command for its fetch */
    MARK_DRAM_READ,    /* .. of the last column command for its fetch */
    MARK_REPLIED,      /* .. in which it entered the L2 bank's reply queue */
    MARK_GRANTED_BACK, /* .. in which the crossbar's switch granted the reply */
    MARK_RESPONDED,    /* .. in which it entered the L1D's response queue */
    MARK_L2_FROM,      /* L2 cycle in which it reached the L2 bank */
    MARK_L2_TO,        /* L2 cycle in which its reply left the L2 bank */
    REQUEST_MARKS
};

/* Details of the path of a load, recorded only while loads are watched (context/watcher.h). A mark
 * that does not lie between the times around it is of an earlier request. */
struct request_marks {
    uint64_t at[REQUEST_MARKS];
    uint64_t dram_row;
    uint32_t crossing[2]; /* interconnect cycles from the grant to the output queue, for the request
                             (0) and the reply (1) */
    uint16_t l2_bank;     /* index over all partitions */
    uint16_t dram_bank;
    bool opened; /* the row was not open when the first command was issued */
};

_Static_assert(sizeof(struct request) == HOST_LINE && sizeof(struct request_times) == HOST_LINE,
               "the pool keeps each in a cache line of its own");

/* All state of a request in one struct, so that a short run touches only one of the host's huge
 * pages. */
struct request_place {
    struct request request;
    struct request_times times;
};

struct request_pool {
    struct request_place *place; /* owned */
    uint8_t *data;               /* owned; LINE_BYTES per request; NULL if requests carry no data */
    struct request_marks *marks; /* owned; one per request; NULL unless loads are watched */
    uint32_t size,               /* capacity in requests */
        in_use;                  /* number of requests in use */
    uint32_t free;               /* head of the free list */
    uint32_t fresh;              /* lowest index never taken; memory from there on is untouched */
};

/* Returns the size in bytes of the address space for n requests without data. Most of it is never
 * touched. */
static inline uint64_t request_pool_bytes(uint64_t n) {
    return n * sizeof(struct request_place);
}

void request_pool_init(struct request_pool *pool, uint32_t size);
void request_pool_free(struct request_pool *pool);
/* Allocates the memory for data if `on` is true, or else frees it. */
void request_pool_carry(struct request_pool *pool, bool on);

/* Starts recording marks. */
void request_pool_mark(struct request_pool *pool);

static inline uint32_t request_take(struct request_pool *pool) {
    uint32_t i = pool->free;
    if (i == REQUEST_NONE) {
        assert(pool->fresh < pool->size);
        i = pool->fresh++;
    } else {
        pool->free = pool->place[i].request.next;
    }
    pool->place[i].request.next = REQUEST_NONE;
    pool->in_use++;
    return i;
}

static inline void request_give(struct request_pool *pool, uint32_t i) {
    pool->place[i].request.next = pool->free;
    pool->free = i;
    pool->in_use--;
}

/* True if the request was ever taken from the pool. */
static inline bool request_exists(const struct request_pool *pool, uint32_t i) {
    return i < pool->fresh;
}

static inline struct request *request_at(struct request_pool *pool, uint32_t i) {
    return &pool->place[i].request;
}

static inline struct request_times *request_times(struct request_pool *pool, uint32_t i) {
    return &pool->place[i].times;
}

/* Sets a mark of a request. Call it through request_note(). */
void request_mark(struct request_pool *pool, uint32_t i, enum request_mark mark, uint64_t cycle);

/* Sets a mark of a request if loads are watched. */
static inline void request_note(struct request_pool *pool, uint32_t i, enum request_mark mark,
                                uint64_t cycle) {
    if (__builtin_expect(pool->marks != NULL, 0))
        request_mark(pool, i, mark, cycle);
}

/* Prefetches the request into the host's cache. */
static inline void request_prefetch(const struct request_pool *pool, uint32_t i) {
    __builtin_prefetch(&pool->place[i].request);
    __builtin_prefetch(&pool->place[i].times);
}

static inline uint8_t *request_data(struct request_pool *pool, uint32_t i) {
    return pool->data + (uint64_t)i * LINE_BYTES;
}

/* True if the request carries data to write. */
static inline bool request_writes(const struct request *r) {
    return r->kind != REQUEST_LOAD;
}

/* True if a load table entry waits for the response. */
static inline bool request_answered(const struct request *r) {
    return r->kind == REQUEST_LOAD || r->result;
}

#endif
