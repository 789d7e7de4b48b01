/* SPDX-License-Identifier: Apache-2.0 */
/* An L2 bank: set-associative, LRU, write-back or write-through, whole lines or sectors, way
 * allocation at the miss or at the fill, atomics, MSHRs that hold write data.
 *
 * One lookup a cycle, in order; one line or sector from DRAM at a time; one reply a cycle to the
 * crossbar; one request a cycle to DRAM. Policies, cycle order and refusals: docs/understand/l2.md.
 */
#ifndef MEMTWIN_L2_L2_H
#define MEMTWIN_L2_L2_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "cache/addr_map.h"
#include "cache/cache.h"
#include "context/context.h"
#include "lib/fifo.h"
#include "l2/l2_in.h"
#include "memory/memory.h"
#include "stats/gauge.h"
#include "stats/stats.h"
#include "xbar/xbar.h"
#include "config/config.h"

/* l2.write */
enum { L2_WBWA, L2_WTWN, L2_WEWN };
/* l2.write_fetch */
enum { WRITE_FETCH, WRITE_LAZY };
/* l2.replies */
enum { L2_REPLIES_WHOLE, L2_REPLIES_SECTORS };
/* l2.partial */
enum { PARTIAL_BYTES, PARTIAL_SECTORS };
/* l2.drain */
enum { DRAIN_ALONE, DRAIN_BESIDE };

/* The request in lookup, one part per cycle. A part is its share of one granule: the whole request,
 * or one sector of it if the bank is sectored. */
struct l2_lookup {
    uint32_t number; /* the request, or REQUEST_NONE */
    bool left_in;    /* the request has left the incoming buffer: a part is accepted, or its granule
                        has to be looked up first */
    uint32_t any;    /* its place in the non-blocking buffer, if it is there */
    bool no_place;   /* this part was refused because the miss queue was full */
    uint32_t set;
    unsigned left;         /* sectors whose parts are not yet accepted, this one too; or bit 0 */
    struct byte_mask mask; /* of this part */
    uint64_t granule;
};

/* What a bank is connected to. Nothing is owned. */
struct l2_ports {
    struct xbar *req, *reply;
    struct memory memory; /* of its partition; the level is not owned */
    const struct addr_map *map;
};

/* Fields used in each cycle come first. */
struct l2 {
    struct cache cache;
    struct l2_ports to;
    uint64_t cycles; /* cycles accounted for */
    enum set_index set_index;
    uint32_t bank, slice; /* among the banks of all partitions; of its own */
    uint32_t flit_bytes, header_bytes;
    bool reply_sectors;
    uint32_t reply_places; /* occupied places of the reply queue */
    int write;             /* L2_WBWA, L2_WTWN, L2_WEWN */
    bool lazy;
    bool whole;  /* only whole sectors are read */
    bool beside; /* fills are accepted, and loads hit, while requests drain */
    struct l2_lookup lookup;
    bool drain_wrote;  /* a request of the miss that drains has written */
    uint32_t fill_way; /* way for the data of the current RET */
    struct l2_in in;
    bool taken; /* the offered request has left the incoming buffer in this cycle */
    struct fifo evict_buffer, reply_queue;
    struct fifo filled; /* misses whose data have arrived and whose requests have yet to drain */
    bool dram_full;     /* in the last tick, the channel had no room for a waiting request */
    bool moved;         /* something moved in the last tick */
    struct stats stats;
};

/* Relations between the keys of the L2. Returns 0, or -1 with one line in err. */
int l2_check(const struct config *cfg, char *err, size_t err_size);

/* Most requests that the banks of one partition can hold, including those that wait for parts of
 * theirs at DRAM. */
uint64_t l2_requests(const struct config *cfg);
/* Most L2 cycles in a row in which a bank with work may move nothing. */
uint64_t l2_longest_wait(const struct config *cfg);

/* bank: over all partitions. Returns 0, or -1 with one line in err. */
int l2_init(struct l2 *l2, const struct config *cfg, struct context *context,
            const struct l2_ports *ports, uint32_t bank, char *err, size_t err_size);
void l2_free(struct l2 *l2);
/* Switches to another context of the same system. */
void l2_use_context(struct l2 *l2, struct context *context);
/* Allocates or frees the memory for line data. */
void l2_carry(struct l2 *l2, bool on);
/* One L2 cycle. `cycle` must be greater than in the previous call; only cycles that l2_next_event
 * allows may be skipped. */
void l2_tick(struct l2 *l2, uint64_t cycle);
/* The first cycle in which a tick without input may do more than repeat the last one: 0 for at
 * once, UINT64_MAX for never. */
uint64_t l2_next_event(const struct l2 *l2);
/* Whether a request, data or room for a waiting request lets the bank move in `instant`, which is
 * the current or the next one. */
bool l2_has_input(const struct l2 *l2, uint64_t instant);
/* Whether the bank holds requests that may get room before its next tick. */
static inline bool l2_may_wake(const struct l2 *l2) {
    return l2->reply_queue.count || l2->cache.miss_queue.count || l2->evict_buffer.count;
}
/* Accounts for skipped cycles, all before l2_next_event and without input. */
void l2_advance(struct l2 *l2, uint64_t cycles);
/* Overwrites the bytes that the bank holds in `data`, which the caller has filled from DRAM. */
void l2_read_line(const struct l2 *l2, uint64_t line, uint8_t data[LINE_BYTES]);
/* Drops the line between two ticks; its dirty bytes are lost. It must have no request in flight.
 * Returns whether it was present. */
bool l2_drop(struct l2 *l2, uint64_t line);
/* Adds the statistics up to that L2 cycle. */
void l2_add_stats(const struct l2 *l2, uint64_t cycle, struct stats *s);
/* Reports the gauges at that L2 cycle; all cycles before it must be accounted for. */
void l2_gauges(const struct l2 *l2, uint64_t cycle, const struct gauge_reader *to);
/* Prints one line for each waiting request or queue. */
void l2_dump(const struct l2 *l2, FILE *out);

#endif
