/* SPDX-License-Identifier: Apache-2.0 */
/* Packets: what moves between the L1Ds, the crossbar, the L2 banks and the DRAM channels.
 *
 * A packet is a number into the pool, held by exactly one queue at a time. The pool is made once,
 * large enough for every place that can hold one, so taking a packet cannot fail in a correct
 * system.
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
    REQUEST_LOAD,  /* fetch of the masked bytes; its reply carries the sectors that they touch */
    REQUEST_STORE, /* write-through store; its reply is the acknowledgement */
    REQUEST_WRITEBACK, /* dirty bytes of a write-back cache; acknowledged to an L1D, not by DRAM */
    REQUEST_ATOMIC /* read-modify-write at the L2; its reply carries the old bytes if `result` */
};

struct request {
    uint64_t line;         /* byte address / LINE_BYTES */
    struct byte_mask mask; /* bytes that are loaded or stored */
    /* Rooms for notes: of the part that is asked, until it replies; of the part that holds it,
     * until it hands it on. */
    _Alignas(8) unsigned char of_asked[16];
    _Alignas(4) unsigned char of_holder[4];
    uint32_t next;    /* the next packet of a chain, or of the free list */
    uint32_t version; /* of a store or atomic; of a write-back the newest in the line */
    uint16_t sm;      /* who asked */
    uint16_t id;      /* L1D load, L2 fetch: MSHR head; direct, atomic with `result`: pending load;
                       * store, other atomic: whose it is (l1d/l1d.h) */
    uint8_t kind;     /* enum request_kind */
    bool reply;
    bool direct; /* load whose reply goes past the L1D's MSHRs to the pending load `id` */
    bool result; /* atomic whose old bytes are wanted by the pending load `id` */
};

/* SM cycles in which a load, or the reply that answers it, has got from one part to the next. */
struct request_times {
    uint64_t taken; /* by the L1D; of a direct load */
    uint64_t to_icnt, to_l2;
    uint64_t to_dram, from_dram; /* of the fetch that served its last part; 0: none did */
    uint64_t to_reply;
    uint64_t dram_line; /* that the channel was asked for; with from_dram */
    uint64_t unused;    /* up to a cache line of the host */
};

_Static_assert(sizeof(struct request) == HOST_LINE && sizeof(struct request_times) == HOST_LINE,
               "the pool keeps each in a cache line of its own");

/* Side by side: what a short run touches of the pool lies in one huge page of the host. */
struct request_place {
    struct request packet;
    struct request_times times;
};

struct request_pool {
    struct request_place *place; /* owned */
    uint8_t *data;               /* owned; LINE_BYTES per packet; NULL while no data are carried */
    uint32_t size, in_use;       /* packets */
    uint32_t free;               /* first of the free list */
    uint32_t fresh;              /* from here on none was ever taken: their memory is untouched */
    uint32_t end;                /* fresh ones end here */
    bool split;                  /* other pools have other numbers of the same packets */
    /* What a dump says of `of_asked`; set by the part that is asked. NULL: nothing. */
    const char *(*note_of_asked)(const struct request *p);
};

/* Bytes of address space for so many packets, without data; most of them are never touched. */
static inline uint64_t request_pool_bytes(uint64_t packets) {
    return packets * sizeof(struct request_place);
}

/* Returns 0, or -1 if out of memory. */
int request_pool_init(struct request_pool *pool, uint32_t size);
void request_pool_free(struct request_pool *pool);
/* Before the first packet is taken: each of n parts gets so many numbers of its own. Parts take
 * these, or what was given to them: a packet may be given to any part. So `in_use` of a part may
 * fall below 0 (wrap): the sum counts, which the user keeps in the pool. That owns the memory, and
 * nothing is taken from it. Returns 0, or -1 if out of memory. */
int request_pool_split(struct request_pool *pool, struct request_pool *const part[], uint32_t n,
                       uint32_t each);
/* Makes room for data, or gives it back. Returns 0, or -1 if out of memory. */
int request_pool_carry(struct request_pool *pool, bool on);

static inline uint32_t request_take(struct request_pool *pool) {
    uint32_t i = pool->free;
    if (i == REQUEST_NONE) {
        assert(pool->fresh < pool->end);
        i = pool->fresh++;
    } else {
        pool->free = pool->place[i].packet.next;
    }
    pool->place[i].packet.next = REQUEST_NONE;
    pool->in_use++;
    return i;
}

static inline void request_give(struct request_pool *pool, uint32_t i) {
    pool->place[i].packet.next = pool->free;
    pool->free = i;
    pool->in_use--;
}

/* Whether such a packet was ever taken; of a pool that is split: whether there is one. */
static inline bool request_exists(const struct request_pool *pool, uint32_t i) {
    return i < (pool->split ? pool->size : pool->fresh);
}

static inline struct request *request_at(struct request_pool *pool, uint32_t i) {
    return &pool->place[i].packet;
}

static inline struct request_times *request_times(struct request_pool *pool, uint32_t i) {
    return &pool->place[i].times;
}

/* It will be looked at soon: the host fetches it from its memory meanwhile. */
static inline void request_expect(const struct request_pool *pool, uint32_t i) {
    __builtin_prefetch(&pool->place[i].packet);
    __builtin_prefetch(&pool->place[i].times);
}

static inline uint8_t *request_data(struct request_pool *pool, uint32_t i) {
    return pool->data + (uint64_t)i * LINE_BYTES;
}

/* Whether it brings data to be written. */
static inline bool request_writes(const struct request *p) {
    return p->kind != REQUEST_LOAD;
}

#endif
