/* SPDX-License-Identifier: Apache-2.0 */
/* L1 data cache of an SM: a cache (cache/cache.h) between the LSU and the crossbar. It supports
 * four write policies, allocation on a miss or on a fill, lines or sectors, and bypassing loads.
 * Replacement is LRU unless a policy chooses the victims. The L2 executes atomics.
 *
 * Per cycle it accepts one request per bank from the LSU and one reply from the crossbar, and sends
 * one response per bank to the register file. Cycle order, outcomes, refusals:
 * docs/understand/l1d.md.
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
#include "lib/bits.h"
#include "lib/ring.h"
#include "lib/level.h"
#include "lib/request.h"
#include "lib/timed_fifo.h"
#include "stats/gauge.h"
#include "stats/stats.h"
#include "xbar/xbar.h"

#define L1D_MAX_BANKS 8

/* Values of l1d.bypass_full. */
enum { L1D_BYPASS_FULL_VALUES(VALUE_ENUMERATOR) };
/* Values of l1d.write. */
enum { L1D_WRITE_VALUES(VALUE_ENUMERATOR) };

/* Atomic in flight, for the data check. */
struct l1d_ticket {
    uint64_t ticket;
    uint32_t version;
};

struct l1d_tickets {
    struct l1d_ticket *ticket; /* owned */
    uint32_t n, room;
};

/* Connections of an SM's L1D. Nothing is owned. */
struct l1d_ports {
    struct xbar *req, *reply;
    const struct addr_map *map;
    const struct l1d *leader; /* L1D of SM 0, for policies that decide there; NULL on SM 0 */
    /* For the MSHR's lookahead: predicts the request that `source` offers after the current one
     * is accepted. Returns false if there is no prediction. The pointer is NULL if the source
     * never makes a prediction. */
    bool (*next)(const void *source, struct request *next);
    const void *source;
};

/* The fields used in each cycle come first. */
struct l1d {
    struct cache cache;
    struct l1d_ports to;
    enum set_index set_index;
    uint32_t sm, port, hit_latency, flit_bytes; /* port: input of the request network */
    bool enabled;
    bool fills_early;      /* true if data arrive while the MSHR drains another miss */
    bool mshr_shared;      /* true if the banks share cache.bank_entries MSHR entries */
    uint32_t miss_room;    /* number of free entries of the miss queue that a load needs if it does
                              not hit */
    uint8_t write;         /* value of l1d.write */
    uint8_t bypass_full;   /* value of l1d.bypass_full */
    uint32_t bypass_limit; /* maximum number of bypassing loads in flight; UINT32_MAX if there is no
                              limit */
    uint32_t *version; /* owned; for each way, the version of the newest store to its dirty bytes */
    uint32_t dirty_ways; /* number of ways with dirty bytes */
    bool flush;          /* true if dirty lines are to be written back, because no store can follow
                            (sm_drained) */
    uint32_t flush_at;   /* next way to check for dirty bytes */
    struct timed_fifo hits; /* hit pipeline; its capacity is the number of stages */
    struct fifo responses;  /* requests that wait for the register file */
    uint64_t stores_out; /* number of stores, write-backs and atomics sent but not acknowledged */
    struct level bypassing; /* number of bypassing loads in flight */
    uint32_t done[2]; /* indices of the stores, and atomics without a result, completed in the last
                         tick */
    uint32_t n_done;  /* number of requests in `done` */
    struct l1d_tickets tickets;

    /* State between l1d_tick and l1d_tick_end. */
    uint64_t progress, refused;   /* context.progress and refusals.counted before the cycle */
    uint32_t reply;               /* the reply at the crossbar, or REQUEST_NONE */
    uint32_t draining;            /* bank whose drain may respond in this cycle */
    uint32_t drain_turn;          /* bank with priority in the choice of the next one */
    uint32_t active;              /* set of banks whose MSHR runs its cycle even without a request,
                                     one bit each; all others are idle (cache_bank_idle) */
    uint32_t stepped;             /* banks whose MSHR has run its cycle, one bit each */
    uint64_t look[L1D_MAX_BANKS]; /* granule that the bank's MSHR is to look up for the next cycle,
                                     or GRANULE_NONE */
    bool shown;                   /* true if the reply was offered to an MSHR */
    bool retries; /* a further request of the cycle failed only because of a walk or a lookup */
};

/* Returns the number of banks, each with an MSHR and a pipeline before it: granule g is in bank
 * g mod n. */
static inline uint32_t l1d_banks(const struct config *cfg) {
    const bool pipelined = cfg->l1d_enabled && cfg->l1d_model == MODEL_GPGPUSIM;
    return pipelined && cfg->l1d_hit_latency > 1 ? (uint32_t)cfg->l1d_banks : 1;
}

/* Checks relations between the keys of the L1D. Returns 0, or -1 with one line in err. */
int l1d_check(const struct config *cfg, struct error *err);

/* Returns the maximum number of requests in an L1D. */
uint64_t l1d_requests(const struct config *cfg);
/* Returns the maximum number of consecutive SM cycles in which an L1D with work moves nothing. */
uint64_t l1d_longest_wait(const struct config *cfg);

/* Creates an L1D. `stats` are the SM's statistics. Returns 0, or -1 with one line in err. */
int l1d_init(struct l1d *l1, const struct config *cfg, struct context *context,
             const struct l1d_ports *ports, struct stats *stats, uint32_t sm, struct error *err);
void l1d_free(struct l1d *l1);
/* Allows several concurrent kernels. Call it before the first cycle. `kernel_stats` has one element
 * per kernel and is not owned. Returns 0, or -1 with one line in err. */
int l1d_use_kernels(struct l1d *l1, const struct config *cfg, struct stats *const *kernel_stats,
                    uint32_t kernels, struct error *err);
/* Allocates or frees the memory for line data. */
void l1d_carry(struct l1d *l1, bool on);

/* True if dirty lines must be written back before the kernel ends. With l1d.write=local_wbwn only
 * local memory is dirty, and it ends with the kernel. */
static inline bool l1d_dirty(const struct l1d *l1) {
    return l1->dirty_ways != 0 && l1->write != L1D_LOCAL_WBWN;
}

/* True if a reply, or room in the crossbar for a waiting request, lets the L1D move. */
static inline bool l1d_has_input(const struct l1d *l1) {
    return xbar_waiting(l1->to.reply, l1->sm) ||
           (l1->cache.miss_queue.count && xbar_can_push(l1->to.req, l1->port));
}

/* Gives the L1D the ways that a launch leaves, whose CTAs on the SM have this much shared memory in
 * sum (l1d.carveouts). No line may be dirty or pending. */
void l1d_use_carveout(struct l1d *l1, const struct config *cfg, uint64_t shared_bytes);

/* Ticks one SM cycle. `r` is the offered request, or NULL if there is none. Returns true if it
 * was accepted. With several banks, this is the cycle's first part, and l1d_tick_end must follow.
 */
bool l1d_tick(struct l1d *l1, const struct request *r, uint64_t cycle);
/* Offers one more request of the cycle, to another bank than the requests before it. `behind` is
 * the bank's request after it, or NULL. Returns true if the request was accepted. A refusal is not
 * counted. Policies see no such request, so it is refused if there is one that must. */
bool l1d_tick_more(struct l1d *l1, const struct request *r, const struct request *behind,
                   uint64_t cycle);
/* Ends a cycle with several banks; `r` is the request of l1d_tick. */
void l1d_tick_end(struct l1d *l1, const struct request *r, uint64_t cycle);
/* True if no MSHR needs a tick before an input arrives (cache_bank_idle). */
static inline bool l1d_banks_idle(const struct l1d *l1, bool standing) {
    for (uint32_t left = l1->active; left; left &= left - 1)
        if (!cache_bank_idle(&l1->cache.bank[bits_lowest(left)], standing))
            return false;
    return true;
}
/* Returns the first cycle, from `cycle` on, in which a tick may do more than refuse the last
 * tick's request again, or UINT64_MAX if there is none. Assumes that no input arrives. */
static inline uint64_t l1d_next_event(const struct l1d *l1, const struct request *r,
                                      uint64_t cycle) {
    const struct cache *c = &l1->cache;
    const bool repeats = !r || c->refusals.standing;
    if (!repeats || !l1d_banks_idle(l1, r) || (l1->flush && l1d_dirty(l1)) || l1d_has_input(l1))
        return cycle;
    uint64_t next = c->policies.listeners ? cache_policies_next_event(c, cycle) : UINT64_MAX;
    const uint64_t hit = l1->hits.ready > cycle ? l1->hits.ready : cycle;
    return hit < next ? hit : next;
}
/* Accounts for skipped ticks with request `r`. All of them must be before l1d_next_event(). */
void l1d_advance(struct l1d *l1, const struct request *r, uint64_t cycles);
/* True if the last refused request uses the L1D and was refused because a resource that a miss
 * needs was missing. */
static inline bool l1d_failed(const struct l1d *l1) {
    return refusal_of_miss(l1->cache.refusals.last) && l1->cache.use != CACHE_BYPASS_ALL;
}

/* Returns the index of the next response for the register file, or REQUEST_NONE. */
static inline uint32_t l1d_response(const struct l1d *l1) {
    return l1->responses.count ? *ring_first(&l1->responses) : REQUEST_NONE;
}

static inline void l1d_take_response(struct l1d *l1) {
    request_give(&l1->cache.context->pool, ring_pop(&l1->responses));
}

/* Drops n lines from `first` on. Call it between two ticks. The lines must be neither dirty nor in
 * flight. Returns the number of lines that were present. */
uint32_t l1d_drop(struct l1d *l1, uint64_t first, uint32_t n);
/* Adds the statistics that are not among the SM's, up to `cycle`, to *to. */
void l1d_add_stats(const struct l1d *l1, uint64_t cycle, struct stats *to);
/* Passes the gauges to `to`, with `cycle` as the number of cycles so far. */
void l1d_gauges(const struct l1d *l1, uint64_t cycle, const struct gauge_reader *to);
/* Drops all lines between kernels. No line may be dirty, unless l1d.write=local_wbwn. */
void l1d_invalidate(struct l1d *l1);
/* Drops lines `first` to `end` - 1 when a kernel ends while others run. */
void l1d_invalidate_range(struct l1d *l1, uint64_t first, uint64_t end);
/* Returns a line from `first` to `end` - 1 that is present in the L1D, or LINE_NONE. Ignores
 * lines left behind by sim.planted_fault=stale_line, which the data check must find. */
uint64_t l1d_line_held(const struct l1d *l1, uint64_t first, uint64_t end);
/* Prints one line for each waiting request or queue. */
void l1d_dump(const struct l1d *l1, FILE *out);

#endif
