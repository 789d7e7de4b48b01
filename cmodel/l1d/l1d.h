/* SPDX-License-Identifier: Apache-2.0 */
/* L1 data cache of an SM: a cache (cache/cache.h) between the LSU and the crossbar. Four write
 * policies, allocation on a miss or on a fill, lines or sectors, bypassing loads, atomics executed
 * by the L2; LRU.
 *
 * It accepts one request a cycle from the LSU, one reply a cycle from the crossbar, and gives one
 * response a cycle to the register file. Cycle order, outcomes, refusals: docs/understand/l1d.md.
 */
#ifndef MEMTWIN_L1D_L1D_H
#define MEMTWIN_L1D_L1D_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "cache/addr_map.h"
#include "cache/cache.h"
#include "config/config.h"
#include "context/context.h"
#include "lib/fifo.h"
#include "lib/level.h"
#include "lib/request.h"
#include "lib/timed_fifo.h"
#include "stats/gauge.h"
#include "stats/stats.h"
#include "xbar/xbar.h"

/* l1d.lookup */
enum { L1D_LOOKUP_FRONT, L1D_LOOKUP_BACK };
/* l1d.bypass_full */
enum { L1D_BYPASS_FULL_STALL, L1D_BYPASS_FULL_L1D };
/* l1d.write */
enum { L1D_WTWN, L1D_WEWN, L1D_LOCAL_WB, L1D_WBWA };

/* Atomics in flight, for the data check. */
struct l1d_ticket {
    uint64_t ticket;
    uint32_t version;
};

struct l1d_tickets {
    struct l1d_ticket *ticket; /* owned */
    uint32_t n, room;
};

/* What an SM and its L1D are connected to. Nothing is owned. */
struct l1d_ports {
    struct xbar *req, *reply;
    const struct addr_map *map;
    const struct l1d *leader; /* the L1D of SM 0, for policies that decide there; NULL on SM 0 */
    /* For the lookahead of the MSHR: predicts the request that `source` offers after the current
     * one is accepted. Returns false if it cannot tell. NULL if the source never can. */
    bool (*next)(const void *source, struct request *next);
    const void *source;
};

/* Fields used in each cycle come first. */
struct l1d {
    struct cache cache;
    struct l1d_ports to;
    enum set_index set_index;
    uint32_t sm, hit_latency, flit_bytes, header_bytes;
    bool enabled;
    uint8_t write;          /* L1D_W.. */
    uint8_t bypass_full;    /* L1D_BYPASS_FULL_ */
    uint32_t bypass_limit;  /* most bypassing loads in flight; UINT32_MAX: no limit */
    uint32_t *version;      /* owned; per way: newest store to its dirty bytes */
    uint32_t dirty_ways;    /* ways with dirty bytes */
    bool flush;             /* set by the SM when it is done: dirty lines are written back */
    uint32_t flush_at;      /* next way to check */
    struct timed_fifo hits; /* hit pipeline; its capacity is its stages */
    struct fifo responses;  /* requests that wait for the register file */
    uint64_t stores_out;    /* stores, write-backs and atomics sent and not acknowledged */
    struct level bypassing; /* bypassing loads in flight */
    uint32_t done[2];       /* stores, and atomics without a result, that the last tick has */
    uint32_t n_done;        /* finished: requests for l1d_take_done */
    struct l1d_tickets tickets;
};

/* Checks relations between the keys of the L1D. Returns 0, or -1 with one line in err. */
int l1d_check(const struct config *cfg, char *err, size_t err_size);

/* Most requests that an L1D can hold. */
uint64_t l1d_requests(const struct config *cfg);
/* Most SM cycles in a row in which an L1D with work may move nothing. */
uint64_t l1d_longest_wait(const struct config *cfg);

/* stats: of the SM. Returns 0, or -1 with one line in err. */
int l1d_init(struct l1d *l1, const struct config *cfg, struct context *context,
             const struct l1d_ports *ports, struct stats *stats, uint32_t sm, char *err,
             size_t err_size);
void l1d_free(struct l1d *l1);
/* Several kernels may run at once, before the first cycle; kernel_stats: of each, not owned.
 * Returns 0, or -1 with one line in err. */
int l1d_use_kernels(struct l1d *l1, const struct config *cfg, struct stats *const *kernel_stats,
                    uint32_t kernels, char *err, size_t err_size);
/* Allocates or frees the memory for line data. */
void l1d_carry(struct l1d *l1, bool on);

/* Whether dirty lines are left, so that the kernel has not ended. */
static inline bool l1d_dirty(const struct l1d *l1) {
    return l1->dirty_ways != 0;
}

/* Whether a reply, or a place in the crossbar for a waiting request, lets the L1D move. */
static inline bool l1d_has_input(const struct l1d *l1) {
    return xbar_waiting(l1->to.reply, l1->sm) ||
           (l1->cache.miss_queue.count && xbar_can_push(l1->to.req, l1->sm));
}

/* One SM cycle with the request that is offered (NULL: none). Returns true if it was accepted. */
bool l1d_tick(struct l1d *l1, const struct request *r, uint64_t cycle);
/* The first cycle, from `cycle` on, in which a tick with that request, the one of the last tick,
 * may do more than refuse it once more, if l1d_has_input does not hold; UINT64_MAX: never. */
static inline uint64_t l1d_next_event(const struct l1d *l1, const struct request *r,
                                      uint64_t cycle) {
    const struct cache *c = &l1->cache;
    const bool repeats = !r || c->refusals.standing;
    if (!repeats || mshr_unit_next_event(&c->mshr, r) == 0 || (l1->flush && l1->dirty_ways) ||
        l1d_has_input(l1))
        return cycle;
    uint64_t next = c->policies.listeners ? cache_policies_next_event(c, cycle) : UINT64_MAX;
    const uint64_t hit = l1->hits.ready > cycle ? l1->hits.ready : cycle;
    return hit < next ? hit : next;
}
/* Accounts for skipped ticks with that request, all before l1d_next_event. */
void l1d_advance(struct l1d *l1, const struct request *r, uint64_t cycles);
/* Whether its last refusal was of a request that uses it, for a resource that a miss needs. */
static inline bool l1d_failed(const struct l1d *l1) {
    return refusal_of_miss(l1->cache.refusals.last) && l1->cache.use != CACHE_BYPASS_ALL;
}

/* The response that the register file gets next: a request in the pool, or REQUEST_NONE. */
static inline uint32_t l1d_response(const struct l1d *l1) {
    return l1->responses.count ? fifo_peek(&l1->responses) : REQUEST_NONE;
}

static inline void l1d_take_response(struct l1d *l1) {
    request_give(&l1->cache.context->pool, fifo_pop(&l1->responses));
}

/* Drops n lines from `first` on between two ticks. They must be neither dirty nor in flight.
 * Returns how many were present. */
uint32_t l1d_drop(struct l1d *l1, uint64_t first, uint32_t n);
/* Adds the statistics up to this cycle that are not counted in those of the SM. */
void l1d_add_stats(const struct l1d *l1, uint64_t cycle, struct stats *to);
/* Reports the gauges at this cycle. */
void l1d_gauges(const struct l1d *l1, uint64_t cycle, const struct gauge_reader *to);
/* Drops all lines between kernels. No line may be dirty. */
void l1d_invalidate(struct l1d *l1);
/* Drops the lines from `first` up to `end` when a kernel ends while others run. */
void l1d_invalidate_range(struct l1d *l1, uint64_t first, uint64_t end);
/* A line from `first` up to `end` that it holds, or LINE_NONE. Ignores a line that
 * sim.plant=stale_line left behind: the data check must find it. */
uint64_t l1d_line_held(const struct l1d *l1, uint64_t first, uint64_t end);
/* Prints one line for each waiting request or queue. */
void l1d_dump(const struct l1d *l1, FILE *out);

#endif
