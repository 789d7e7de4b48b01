/* SPDX-License-Identifier: Apache-2.0 */
/* L1 data cache of an SM: four write policies, allocation on a miss or on a fill, lines or sectors,
 * loads that go past it, atomics that go through it; LRU.
 *
 * One access a cycle from the LSU, one reply a cycle from the crossbar, one response a cycle to the
 * register file. Cycle order, what becomes of each access, refusals: docs/understand/l1d.md.
 */
#ifndef MEMTWIN_L1D_L1D_H
#define MEMTWIN_L1D_L1D_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "addr_watch/addr_watch.h"
#include "cache/addr_map.h"
#include "cache/granules.h"
#include "cache/lines.h"
#include "cache/mshr_unit.h"
#include "cache/refusals.h"
#include "context/context.h"
#include "lib/fifo.h"
#include "lib/level.h"
#include "l1d/protect.h"
#include "l1d/ucp.h"
#include "mdb/mdb.h"
#include "stats/gauge.h"
#include "stats/stats.h"
#include "xbar/xbar.h"
#include "config/config.h"

/* l1d.lookup */
enum { L1D_LOOKUP_FRONT, L1D_LOOKUP_BACK };

/* l1d.bypass_full */
enum { BYPASS_FULL_STALL, BYPASS_FULL_L1D };

/* l1d.write */
enum { L1D_WTWN, L1D_WEWN, L1D_LOCAL_WB, L1D_WBWA };

/* An access of the LSU: to a line, or by sm.coalesce to a sector or a segment of one. It stays the
 * same until it is taken. */
struct l1d_access {
    uint64_t line;
    struct byte_mask mask;
    uint32_t id;  /* pending load, of a load or an atomic with a result */
    uint8_t kind; /* REQUEST_LOAD, REQUEST_STORE or REQUEST_ATOMIC */
    bool local;   /* local memory */
    bool skip;    /* a load that must be served by the L2 */
    bool result;  /* of an atomic: `id` waits for the old bytes */
    uint8_t user; /* warp or CTA that uses the L1D or goes past it (mdb/mdb.h) */
    /* For the SM; of these the L1D looks at the kernel alone: */
    uint8_t warp; /* warp slot, CTA slot and kernel; the L1D gives them back (l1d.done) */
    uint8_t cta, kernel;
    bool last;            /* of its instruction */
    uint8_t queue;        /* that keeps its order (stage/stage.h) */
    bool parked;          /* has been parked by a stage */
    uint32_t translating; /* SM cycles in which it has waited for a translation */
    uint32_t piped;       /* SM cycles in the pipeline before the tags (l1d_pipe/l1d_pipe.h) */
};

/* Where a load has been since the L1D took it: SM cycles. The rest it has been in the L1D. */
struct l1d_stay {
    uint64_t taken; /* cycle in which the L1D took it */
    uint32_t icnt, l2, dram;
};

/* An access that is answered: `id`, `line` and `offset` tell which. */
struct l1d_rsp {
    uint64_t ready; /* SM cycle in which it leaves the hit pipeline */
    uint64_t line;
    struct l1d_stay stay;     /* of a load */
    uint32_t id;              /* pending load */
    uint32_t version;         /* of an atomic, else 0 */
    uint16_t offset;          /* of the access's first byte in the line */
    uint8_t data[LINE_BYTES]; /* only if data are carried */
};

struct l1d_rsp_queue {
    struct l1d_rsp *slot; /* owned */
    uint32_t head, count, capacity;
};

/* An atomic on its way, for the data check. */
struct l1d_ticket {
    uint64_t ticket;
    uint32_t version;
};

/* A load that waits for a fetch. */
struct l1d_waiter {
    uint64_t taken; /* cycle in which the L1D took it */
    uint32_t next;  /* of the same fetch, or of the free list; WAITER_NONE: the last */
};

#define WAITER_NONE UINT32_MAX

struct l1d_waiters {
    struct l1d_waiter *waiter; /* owned */
    uint32_t free;             /* first of the free list */
    uint32_t fresh, capacity;  /* fresh: from here on none was ever taken */
};

/* A fetch on its way. */
struct l1d_head {
    uint64_t line;
    struct byte_mask wanted; /* bytes of the loads that wait for it */
    uint32_t first, last;    /* loads that wait for it, in order */
    bool poisoned;           /* written to meanwhile; what comes may be old */
    uint8_t kernel;          /* of the load that made it */
};

/* A store, or an atomic without a result. The packet's `id` is this in 16 bits. */
struct l1d_done {
    uint8_t cta, warp; /* slots; both may have another CTA by now */
    uint8_t kernel;
    bool atomic;
};

/* First what each cycle looks at, then the rest. */
struct l1d {
    struct context *context;    /* not owned */
    struct xbar *req, *reply;   /* not owned */
    struct stats *stats;        /* not owned; the SM's */
    const struct addr_map *map; /* not owned */
    enum set_index set_index;
    uint32_t sm, hit_latency, flit_bytes, header_bytes;
    bool enabled, sectored, allocate_on_fill;
    uint8_t write, bypass; /* L1D_, BYPASS_ */
    uint8_t bypass_full;   /* BYPASS_FULL_ */
    uint32_t bypass_slots; /* UINT32_MAX: no limit */
    bool has_listeners;    /* one of mdb, watch and ucp is told of accesses */
    struct refusals refusals;
    struct lines lines;
    struct protect protect; /* l1d.bypass=pdp */
    uint32_t *version;      /* owned; per way: newest store to its dirty bytes */
    uint32_t dirty_ways;    /* ways with dirty bytes */
    bool flush;             /* set by the SM: nothing is left to run, dirty lines go out */
    uint32_t flush_at;      /* way that is looked at next */
    struct mshr_unit mshr;
    uint64_t expected; /* granule that is asked for after this one (l1d_expect), or GRANULE_NONE */
    struct granules inflight; /* fetches on their way, by granule */
    struct l1d_head *head;    /* owned; per MSHR head, of those that are entered there */
    struct l1d_waiters waiters;
    struct fifo miss_queue;
    struct l1d_rsp_queue hits; /* hit pipeline; capacity is its stages */
    struct l1d_rsp_queue rsp;
    uint64_t draining_line;              /* line of the fill buffer */
    uint32_t draining_offset;            /* byte offset in it of what came */
    uint32_t draining_first;             /* the next load that gets the fill buffer's data, */
    struct request_times draining_times; /* when they got where, */
    uint64_t draining_since;             /* and the cycle in which they came */
    uint64_t stores_out;                 /* stores, write-backs and atomics sent and not answered */
    struct level direct;                 /* direct loads sent and not answered */
    struct l1d_done done[2];             /* what the last tick has done: stores and atomics */
    uint32_t n_done;                     /* without a result, acknowledged or kept */
    struct l1d_ticket *ticket;           /* owned; atomics on their way, with a check only */
    uint32_t n_tickets, tickets_room;
    uint8_t fill[LINE_BYTES]; /* fill buffer: data that the draining requests get */
    struct mdb mdb;           /* who goes past */
    struct addr_watch watch;
    struct ucp ucp; /* l1d.partition=ucp */
};

/* Relations between the keys of the L1D. Returns 0, or -1 with one line in err. */
int l1d_check(const struct config *cfg, char *err, size_t err_size);
/* The same, if so many kernels run at once. */
int l1d_check_kernels(const struct config *cfg, uint32_t kernels, char *err, size_t err_size);

/* Packets that an L1D can hold, at most. */
uint64_t l1d_requests(const struct config *cfg);
/* SM cycles in which an L1D with work may move nothing, at most. */
uint64_t l1d_longest_wait(const struct config *cfg);

/* What an SM and its L1D are connected to. */
struct l1d_ports {
    struct xbar *req, *reply;
    const struct addr_map *map;
    struct mdb_bus *bus; /* of l1d.bypass=mdb_global */
};

/* stats: the SM's. Returns 0, or -1 with one line in err. */
int l1d_init(struct l1d *l1, const struct config *cfg, struct context *context,
             const struct l1d_ports *ports, struct stats *stats, uint32_t sm, char *err,
             size_t err_size);
void l1d_free(struct l1d *l1);
/* Several kernels may run at once, before the first cycle. Returns 0, or -1 if out of memory. */
int l1d_use_kernels(struct l1d *l1, const struct config *cfg, uint32_t kernels);
/* Makes room for line data. Returns 0, or -1 if out of memory. */
int l1d_carry(struct l1d *l1, bool on);

/* Dirty lines are left: the kernel is not over. */
static inline bool l1d_dirty(const struct l1d *l1) {
    return l1->dirty_ways != 0;
}

/* A kernel starts in the next SM cycle (mdb_launch). */
void l1d_launch(struct l1d *l1, const struct mdb_users *users);

/* Something from outside lets it move: a reply, or a place in the crossbar for what waits. */
static inline bool l1d_has_input(const struct l1d *l1) {
    return xbar_waiting(l1->reply, l1->sm) ||
           (l1->miss_queue.count && xbar_can_push(l1->req, l1->sm));
}

/* Before a tick, for an MSHR that looks: the access that is offered once that of the tick is taken,
 * as far as is known (NULL: nothing is). */
void l1d_expect(struct l1d *l1, const struct l1d_access *next);

/* Of what is told of accesses: the first cycle, from `cycle` on, that has to be computed. */
static inline uint64_t l1d_listeners_next_event(const struct l1d *l1, uint64_t cycle) {
    if (mdb_next_event(&l1->mdb) == 0 || addr_watch_next_event(&l1->watch) == 0)
        return cycle;
    return l1->ucp.decides > cycle ? l1->ucp.decides : cycle;
}

/* One SM cycle with the access that is offered (NULL: none). Returns true if it was taken. */
bool l1d_tick(struct l1d *l1, const struct l1d_access *access, uint64_t cycle);
/* The first cycle, from `cycle` on, in which a tick with that access, the one of the last tick, may
 * do more than refuse it once more, if l1d_has_input does not hold and SM 0 does not decide who
 * goes past (mdb/mdb.h); UINT64_MAX: never. */
static inline uint64_t l1d_next_event(const struct l1d *l1, const struct l1d_access *access,
                                      uint64_t cycle) {
    bool repeats = !access || l1->refusals.standing;
    if (!repeats || mshr_unit_next_event(&l1->mshr, access) == 0 || (l1->flush && l1->dirty_ways) ||
        l1d_has_input(l1))
        return cycle;
    uint64_t next = l1->has_listeners ? l1d_listeners_next_event(l1, cycle) : UINT64_MAX;
    if (!l1->hits.count)
        return next;
    uint64_t hit = l1->hits.slot[l1->hits.head].ready;
    hit = hit > cycle ? hit : cycle;
    return hit < next ? hit : next;
}
/* The last refusal was for want of what a miss needs. */
bool l1d_failed(const struct l1d *l1, const struct l1d_access *access);
/* Instead of so many ticks with that access, all before l1d_next_event. */
void l1d_advance(struct l1d *l1, const struct l1d_access *access, uint64_t cycles);

static inline const struct l1d_rsp *l1d_rsp_peek(const struct l1d *l1) {
    return l1->rsp.count ? &l1->rsp.slot[l1->rsp.head] : NULL;
}

static inline void l1d_rsp_drop(struct l1d_rsp_queue *q) {
    if (--q->count == 0 || ++q->head == q->capacity)
        q->head = 0;
}

static inline void l1d_rsp_pop(struct l1d *l1) {
    l1d_rsp_drop(&l1->rsp);
}

/* Between two ticks: n lines leave, from `first` on, if they are there. None is dirty or on its
 * way. Returns how many did. */
uint32_t l1d_drop(struct l1d *l1, uint64_t first, uint32_t n);
/* Adds what is not counted in the SM's statistics, up to this cycle. */
void l1d_add_stats(const struct l1d *l1, uint64_t cycle, struct stats *to);
/* Its gauges at this cycle. */
void l1d_gauges(const struct l1d *l1, uint64_t cycle, const struct gauge_reader *to);
/* Between kernels: all lines are dropped. None is dirty. */
void l1d_invalidate(struct l1d *l1);
/* A kernel is over and others go on: the same of the lines from `first` up to `end`. */
void l1d_invalidate_range(struct l1d *l1, uint64_t first, uint64_t end);
/* A line from `first` up to `end` that it holds, or LINE_NONE. What sim.plant=stale_line left
 * behind is for the data check to find. */
uint64_t l1d_line_held(const struct l1d *l1, uint64_t first, uint64_t end);
/* What waits in it, a line each. */
void l1d_dump(const struct l1d *l1, FILE *out);

#endif
