/* SPDX-License-Identifier: Apache-2.0 */
/* Requests: loads, stores and atomics on their way from an LSU to DRAM and back, and what caches
 * send for them: fetches and write-backs.
 *
 * The LSU makes a request. Once a cache has accepted it, it lives in the pool and is named by its
 * number there; exactly one queue or list holds it at a time. The pool is made once, large enough
 * for every place that can hold a request, so taking one cannot fail in a correct system.
 */
#ifndef MEMTWIN_LIB_REQUEST_H
#define MEMTWIN_LIB_REQUEST_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#include "lib/host_memory.h"
#include "lib/line.h"

#define REQUEST_NONE UINT32_MAX
#define REQUEST_POOL_MAX ((UINT32_C(1) << 28) - 1) /* a number has 28 bits, not all of them 1 */

enum request_kind {
    REQUEST_LOAD,      /* the masked bytes; its reply carries the sectors that they touch */
    REQUEST_STORE,     /* written through; its reply is the acknowledgement */
    REQUEST_WRITEBACK, /* dirty bytes of a cache; acknowledged to an L1D, not by DRAM */
    REQUEST_ATOMIC     /* read-modify-write in the L2; its reply has the old bytes if `result` */
};

/* Origin of a request. The LSU sets it; a fetch has the origin of the request that missed. */
struct request_origin {
    uint16_t sm;
    uint16_t load;    /* entry in the LSU's table of loads; of a load or an atomic with `result` */
    uint8_t kernel;   /* of those that share the SM */
    uint8_t cta;      /* CTA slot; a store may outlive its CTA there, and its warp */
    uint8_t warp;     /* warp slot */
    uint8_t cta_warp; /* number of the warp in its CTA, modulo 256 */
};

/* State of a request that the L1D has not accepted yet. */
struct request_sm {
    uint32_t translating; /* SM cycles in which it has waited for a translation */
    uint32_t piped;       /* SM cycles in the pipeline before the tags (l1d_pipe/l1d_pipe.h) */
    uint8_t queue;        /* queue that keeps its order (stage/stage.h) */
    bool last;            /* of its instruction */
    bool parked;          /* a stage has parked it */
};

/* In an L2 bank. */
struct request_l2 {
    uint32_t parent; /* request of which this is one sector's part, or REQUEST_NONE */
    uint8_t parts;   /* parts that are not yet served */
    uint8_t refused; /* why it was refused, while the bank looks up another one (refusals.h) */
    bool bypass;     /* it does not use the bank's lines */
};

/* In a DRAM channel. */
struct request_dram {
    uint16_t atoms; /* column accesses that are not done */
    uint16_t bank;  /* L2 bank of the partition that gets the reply */
};

struct request {
    uint64_t line;         /* byte address / LINE_BYTES */
    struct byte_mask mask; /* bytes that are loaded or stored */
    struct request_origin origin;
    uint32_t next;    /* the next request of a list, or of the free ones */
    uint32_t version; /* of a store or atomic; of a write-back the newest in the line */
    uint16_t entry;   /* of a fetch: MSHR entry of the cache that sent it */
    uint8_t kind;     /* enum request_kind */
    bool reply;
    bool local;  /* to local memory */
    bool bypass; /* a load that does not use the L1D */
    bool result; /* an atomic whose old bytes go to a register */
    /* Parts that levels keep for themselves. A request is in one level at a time. */
    union {
        struct request_sm sm;
        struct {
            struct request_l2 l2;
            struct request_dram dram;
        };
    };
};

/* SM cycles in which a load, or the reply to it, has got from one part to the next; 0: it has not
 * been there. */
struct request_times {
    uint64_t taken; /* the L1D accepted it */
    uint64_t to_icnt, to_l2;
    uint64_t to_dram;   /* it waits for DRAM since then; of a fetch: it has gone there */
    uint64_t from_dram; /* the fetch that served its last part has come back */
    uint64_t to_reply;
    uint64_t back;      /* the reply has reached the L1D */
    uint64_t dram_line; /* line of the channel that the fetch has read; with from_dram */
};

_Static_assert(sizeof(struct request) == HOST_LINE && sizeof(struct request_times) == HOST_LINE,
               "the pool keeps each in a cache line of its own");

/* All parts of a request in one struct, so that a short run touches one huge page of the host. */
struct request_place {
    struct request request;
    struct request_times times;
};

struct request_pool {
    struct request_place *place; /* owned */
    uint8_t *data;               /* owned; LINE_BYTES per request; NULL while no data are carried */
    uint32_t size, in_use;       /* requests */
    uint32_t free;               /* first of the free list */
    uint32_t fresh;              /* first number that was never taken: memory is untouched */
    uint32_t end;                /* end of the numbers from `fresh` on */
    bool split;                  /* other pools have other numbers of the same requests */
};

/* Bytes of address space for n requests, without data; most of them are never touched. */
static inline uint64_t request_pool_bytes(uint64_t n) {
    return n * sizeof(struct request_place);
}

void request_pool_init(struct request_pool *pool, uint32_t size);
void request_pool_free(struct request_pool *pool);
/* Before the first request is taken: each of n parts gets `each` numbers of its own. Parts take
 * these, or what was given to them: a request may be given to any part. So `in_use` of a part may
 * fall below 0 (wrap): the sum counts, which the user keeps in the pool. The pool owns the memory,
 * and nothing is taken from it. */
void request_pool_split(struct request_pool *pool, struct request_pool *const part[], uint32_t n,
                        uint32_t each);
/* Allocates or frees the memory for data. */
void request_pool_carry(struct request_pool *pool, bool on);

static inline uint32_t request_take(struct request_pool *pool) {
    uint32_t i = pool->free;
    if (i == REQUEST_NONE) {
        assert(pool->fresh < pool->end);
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

/* Whether such a request was ever taken; in a pool that is split: whether there is one. */
static inline bool request_exists(const struct request_pool *pool, uint32_t i) {
    return i < (pool->split ? pool->size : pool->fresh);
}

static inline struct request *request_at(struct request_pool *pool, uint32_t i) {
    return &pool->place[i].request;
}

static inline struct request_times *request_times(struct request_pool *pool, uint32_t i) {
    return &pool->place[i].times;
}

/* Prefetches the request into the host's cache. */
static inline void request_prefetch(const struct request_pool *pool, uint32_t i) {
    __builtin_prefetch(&pool->place[i].request);
    __builtin_prefetch(&pool->place[i].times);
}

static inline uint8_t *request_data(struct request_pool *pool, uint32_t i) {
    return pool->data + (uint64_t)i * LINE_BYTES;
}

/* Whether the request carries data to be written. */
static inline bool request_writes(const struct request *r) {
    return r->kind != REQUEST_LOAD;
}

/* Whether an entry of the load table waits for its response. */
static inline bool request_answered(const struct request *r) {
    return r->kind == REQUEST_LOAD || r->result;
}

#endif
