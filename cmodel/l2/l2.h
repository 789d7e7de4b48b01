/* SPDX-License-Identifier: Apache-2.0 */
/* L2 bank: a set-associative cache with LRU replacement, unless a policy chooses the victims. It
 * writes back or through, holds whole lines or sectors, allocates ways at the miss or at the fill,
 * executes atomics, and stores write data in its MSHR.
 *
 * In each cycle, it looks up at most one request, receives at most one line or sector from DRAM,
 * sends at most one reply to the crossbar, and sends at most one request to DRAM. Policies, cycle
 * order and refusals: docs/understand/l2.md. */
#ifndef MEMTWIN_L2_L2_H
#define MEMTWIN_L2_L2_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "cache/addr_map.h"
#include "cache/cache.h"
#include "context/context.h"
#include "lib/ring.h"
#include "l2/l2_in.h"
#include "dram/dram.h"
#include "stats/gauge.h"
#include "stats/stats.h"
#include "xbar/xbar.h"
#include "config/config.h"

/* Values of l2.write. */
enum { L2_WRITE_VALUES(VALUE_ENUMERATOR) };
/* Values of l2.write_fetch. */
enum { L2_WRITE_FETCH_VALUES(VALUE_ENUMERATOR) };

/* Request being looked up, one part per cycle. A part covers one granule: it is the whole request,
 * or one sector of it if the bank is sectored. */
struct l2_lookup {
    uint32_t number; /* index of the request, or REQUEST_NONE */
    bool left_in;  /* true if the request has left the incoming buffer, because a part was accepted
                      or the granule must be looked up first */
    uint32_t any;  /* the request's index in the non-blocking buffer, if it is there */
    bool no_place; /* true if this part was refused because the miss queue was full */
    uint32_t set;
    unsigned left;         /* bit mask of the parts not yet accepted, including this one */
    struct byte_mask mask; /* bytes of this part */
    uint64_t granule;
};

/* Connections of a bank. Nothing is owned. */
struct l2_ports {
    struct xbar *req, *reply;
    struct dram *dram; /* DRAM channel of the bank's partition */
    const struct addr_map *map;
};

/* The fields used in each cycle come first. */
struct l2 {
    struct cache cache;
    struct l2_ports to;
    uint64_t cycles; /* number of L2 cycles accounted for */
    enum set_index set_index;
    uint32_t bank,  /* index over all partitions */
        local_bank; /* index in the partition */
    uint32_t flit_bytes;
    uint32_t reply_places; /* number of occupied entries of the reply queue */
    int write;             /* value of l2.write */
    bool lazy_write_fetch;
    bool store_to_dram; /* l2.write_fetch=both */
    /* True if l2.model=gpgpusim. In that case, replies are sent by sector, only whole sectors are
     * read, and fills are accepted and loads can hit during a drain. */
    bool gpgpusim;
    struct l2_lookup lookup;
    bool drain_wrote;  /* true if a request of the draining miss has written */
    uint32_t fill_way; /* way for the data of the current RET, or WAY_NONE */
    struct l2_in in;
    bool offer_taken; /* true if the offered request has left the incoming buffer in this cycle */
    struct fifo evict_buffer, reply_queue;
    bool dram_full; /* true if in the last tick the channel had no room for a waiting request */
    bool has_moved; /* true if something moved in the last tick */
    struct stats stats;
};

/* Checks relations between the keys of the L2. Returns 0, or -1 with one line in err. */
int l2_check(const struct config *cfg, struct error *err);

/* Returns the maximum number of requests in the banks of one partition, including those with parts
 * that wait at DRAM. */
uint64_t l2_requests(const struct config *cfg);
/* Returns the maximum number of consecutive L2 cycles in which a bank with work moves nothing. */
uint64_t l2_longest_wait(const struct config *cfg);

/* Creates an L2 bank. `bank` is its index over all partitions. Returns 0, or -1 with one line in
 * err. */
int l2_init(struct l2 *l2, const struct config *cfg, struct context *context,
            const struct l2_ports *ports, uint32_t bank, struct error *err);
void l2_free(struct l2 *l2);
/* Allocates or frees the memory for line data. */
void l2_carry(struct l2 *l2, bool on);
/* Ticks one L2 cycle. `cycle` must be greater than in the previous call. Only cycles that
 * l2_next_event() allows may be skipped. */
void l2_tick(struct l2 *l2, uint64_t cycle);
/* Returns the first cycle in which a tick without input may do more than repeat the last tick. 0
 * means the next cycle, and UINT64_MAX means never. */
uint64_t l2_next_event(const struct l2 *l2);
/* True if a request, data or room for a waiting request lets the bank move in `instant`, which
 * is the current or the next instant. */
bool l2_has_input(const struct l2 *l2, uint64_t instant);
/* True if the bank holds requests that may get room before its next tick. */
static inline bool l2_may_wake(const struct l2 *l2) {
    return l2->reply_queue.count || l2->cache.miss_queue.count || l2->evict_buffer.count;
}
/* Accounts for skipped cycles. All of them must be before l2_next_event() and without input. */
void l2_advance(struct l2 *l2, uint64_t cycles);
/* Overwrites `data`, which the caller has filled from DRAM, with the bytes that the bank holds. */
void l2_read_line(const struct l2 *l2, uint64_t line, uint8_t data[LINE_BYTES]);
/* Drops the line. Its dirty bytes are lost. Call it between two ticks. The line must have no
 * request in flight. Returns true if the line was present. */
bool l2_drop(struct l2 *l2, uint64_t line);
/* Puts the sectors of a line into the bank, valid and clean, as a copy by the host leaves them.
 * `data` is the line in memory, or NULL if lines carry no data; dirty bytes that the bank holds
 * remain. Dirty bytes of a victim go to memory without a request. Call it between two ticks. */
void l2_copy_line(struct l2 *l2, uint64_t line, unsigned sectors, const uint8_t *data);
/* Drops all lines. Their dirty bytes go to memory without a request. Call it between two ticks.
 * The bank must hold no request. */
void l2_flush(struct l2 *l2);
/* Adds the statistics up to L2 cycle `cycle` to *s. */
void l2_add_stats(const struct l2 *l2, uint64_t cycle, struct stats *s);
/* Passes the gauges to `to`, with `cycle` as the number of L2 cycles so far. All cycles before
 * it must be accounted for. */
void l2_gauges(const struct l2 *l2, uint64_t cycle, const struct gauge_reader *to);
/* Prints one line for each waiting request or queue. */
void l2_dump(const struct l2 *l2, FILE *out);

#endif
