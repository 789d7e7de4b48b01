/* SPDX-License-Identifier: Apache-2.0 */
/* An L2 bank: set-associative, LRU, write-back or write-through, whole lines or sectors, a way
 * given at the miss or at the fill, atomics, MSHRs that hold write data.
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

/* The request that is being looked up: a part of it a cycle. A part is what it wants of one
 * granule: the whole request, or one sector's share if the bank is sectored. */
struct l2_lookup {
    uint32_t number; /* of the request; REQUEST_NONE: none has been begun */
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

/* First what each cycle looks at, then the rest. */
struct l2 {
    struct cache cache;
    struct l2_ports to;
    uint64_t cycles; /* that are accounted for */
    enum set_index set_index;
    uint32_t bank, slice; /* among the banks of all partitions; of its own */
    uint32_t flit_bytes, header_bytes;
    bool reply_sectors;
    uint32_t reply_places; /* of the reply queue, taken */
    int write;             /* L2_WBWA, L2_WTWN, L2_WEWN */
    bool lazy;
    bool whole;  /* only whole sectors are read */
    bool beside; /* data are taken, and loads hit, while requests drain */
    struct l2_lookup lookup;
    bool drain_wrote;  /* a request of the miss that drains has written */
    uint32_t fill_way; /* that the data of the RET that is shown go to */
    struct l2_in in;
    bool taken; /* the request that was offered has left the incoming buffer, in this cycle */
    struct fifo evict_buffer, reply_queue;
    struct fifo filled; /* misses whose data have come, and whose requests have yet to drain */
    bool dram_full;     /* the channel had no room for what waits, in the last tick */
    bool moved;         /* something moved in the last tick */
    struct stats stats;
};

/* Relations between the keys of the L2. Returns 0, or -1 with one line in err. */
int l2_check(const struct config *cfg, char *err, size_t err_size);

/* Packets that the banks of one partition can hold, at most, and those that wait in them for parts
 * of theirs at DRAM. */
uint64_t l2_requests(const struct config *cfg);
/* L2 cycles in which a bank with work may move nothing, at most. */
uint64_t l2_longest_wait(const struct config *cfg);

/* bank: over all partitions. Returns 0, or -1 with one line in err. */
int l2_init(struct l2 *l2, const struct config *cfg, struct context *context,
            const struct l2_ports *ports, uint32_t bank, char *err, size_t err_size);
void l2_free(struct l2 *l2);
/* It uses that context from now on: another one of the same system. */
void l2_use_context(struct l2 *l2, struct context *context);
/* Makes room for line data, or gives it back. */
void l2_carry(struct l2 *l2, bool on);
/* One L2 cycle. `cycle` is greater than that of the call before; cycles that are left out are such
 * as l2_next_event allows. */
void l2_tick(struct l2 *l2, uint64_t cycle);
/* The first cycle in which a tick may do anything but count what the last one did, if it has no
 * input: 0 for at once, UINT64_MAX for never. */
uint64_t l2_next_event(const struct l2 *l2);
/* Something from outside lets it move in that instant, this one or the next: a request, data, or
 * room for what waits. */
bool l2_has_input(const struct l2 *l2, uint64_t instant);
/* Before its next tick, the bank may get room for what waits in it. */
static inline bool l2_may_wake(const struct l2 *l2) {
    return l2->reply_queue.count || l2->cache.miss_queue.count || l2->evict_buffer.count;
}
/* Accounts for skipped cycles, all before l2_next_event and without input. */
void l2_advance(struct l2 *l2, uint64_t cycles);
/* Overwrites those bytes that the bank holds, in `data`, which the caller has filled with DRAM's.
 */
void l2_read_line(const struct l2 *l2, uint64_t line, uint8_t data[LINE_BYTES]);
/* Between two ticks: the line leaves, its dirty bytes are lost. Nothing of it is on its way.
 * Returns whether it was there. */
bool l2_drop(struct l2 *l2, uint64_t line);
/* What has been counted up to that L2 cycle. */
void l2_add_stats(const struct l2 *l2, uint64_t cycle, struct stats *s);
/* Its gauges at that L2 cycle; all before are accounted for. */
void l2_gauges(const struct l2 *l2, uint64_t cycle, const struct gauge_reader *to);
/* What waits in it, a line each. */
void l2_dump(const struct l2 *l2, FILE *out);

#endif
