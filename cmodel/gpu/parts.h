/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of a system, for the files of this room. build.c: creation, wiring, destruction;
 * streams.c: launches; dispatch.c: CTAs; partition.c: CTAs of a kernel per SM; clock.c: instants;
 * totals.c: statistics; paging.c, page_data.c: unified memory; gpu.c: the run. */
#ifndef MEMTWIN_GPU_PARTS_H
#define MEMTWIN_GPU_PARTS_H

#include "cache/addr_map.h"
#include "dram/dram.h"
#include "context/context.h"
#include "gpu/clocked.h"
#include "gpu/gpu.h"
#include "gpu/paging.h"
#include "gpu/threads.h"
#include "l2/l2.h"
#include "lib/clocks.h"
#include "memory/memory.h"
#include "sm/sm.h"
#include "xbar/xbar.h"
#include "config/config.h"

/* A workload and its current launch. Stream k is kernel k of the SMs. */
struct stream {
    struct workload *workload; /* not owned */
    bool done;                 /* it has no more launches */
    bool taken;                /* `launch` waits for its pages (uvm.user_prefetch) */
    bool on;                   /* a launch runs */
    uint64_t id;               /* number of that launch over all streams, from 0 */
    struct kernel_launch launch;
    uint64_t next_cta, n_ctas;
    uint64_t begins;        /* first SM cycle in which the launch may get CTAs */
    uint64_t full_at;       /* context.ctas_ended when no SM had room for its next CTA */
    uint64_t ended_before;  /* context.ctas_ended when the launch began */
    uint64_t launches;      /* launches that have ended */
    struct stats at_launch; /* totals when the launch began */
};

struct gpu {
    const struct config *cfg; /* not owned */
    struct context context;
    struct clocks clocks;
    struct addr_map map;
    struct draws draws; /* of the map */
    uint32_t n_sms, n_banks, n_channels;
    struct sm *sm;         /* owned */
    struct l2 *l2;         /* owned */
    struct dram *dram;     /* owned; one channel per partition, of subs banks */
    struct memory *memory; /* owned; per partition: its channel and the cache levels before it */
    struct xbar req, reply;
    struct backing backing;
    struct paging *paging;   /* owned; NULL: uvm.mode=off */
    struct threads *threads; /* owned; NULL: one thread */
    struct stream stream[KERNELS_AT_ONCE];
    uint32_t n_streams;
    bool reads_input;                        /* the workload reads input, which may be wrong */
    uint32_t idle;                           /* streams without a launch that may have a next one */
    uint32_t turn;                           /* SM that is first to get a CTA */
    uint64_t cycle;                          /* SM cycles done */
    uint64_t edges[CLOCK_DOMAINS];           /* edges passed, ticked or not */
    struct clocked *sm_clocked, *l2_clocked; /* owned; per part */
    bool skip;                               /* sim.skip */
    bool ticked;                             /* a part has done something since the last SM cycle */
    uint64_t launches;                       /* launches begun */
    uint64_t kernels;                        /* launches ended */
    uint64_t users;                          /* users of the L1Ds, summed over launches */
    uint64_t cta_launches;                   /* launches whose users of the L1Ds are CTAs */
    uint64_t seen_progress;                  /* context.progress in cycle `moved_at` */
    uint64_t moved_at;                       /* last SM cycle with progress */
    uint64_t patience;                       /* SM cycles without progress that end the run */
    uint64_t sampled;                        /* SM cycle of the last sample */
    uint64_t told;                           /* SM cycle of the last progress report */
    uint64_t look_at;                        /* SM cycle in which the gauges are due */
};

/* Accounts for the part's cycles before this one. */
static inline void gpu_account_sm(struct gpu *g, uint32_t i, uint64_t cycle) {
    uint64_t passed = clocked_passed(&g->sm_clocked[i], cycle);
    if (passed)
        skips_advance_sm(g, i, passed, cycle);
}

static inline void gpu_account_bank(struct gpu *g, uint32_t b, uint64_t cycle) {
    uint64_t passed = clocked_passed(&g->l2_clocked[b], cycle);
    if (passed)
        skips_advance_bank(g, b, passed, cycle);
}

/* ---- streams.c ---- */

/* The streams with a launch, a bit for each. */
static inline uint32_t streams_on(const struct gpu *g) {
    uint32_t on = 0;
    for (uint32_t k = 0; k < g->n_streams; k++)
        on |= (uint32_t)g->stream[k].on << k;
    return on;
}
/* Records a failure if the input of a running workload is wrong. */
bool gpu_input_wrong(struct gpu *g);
/* Begins the next launches of idle streams. Returns whether any launch runs or waits. */
bool gpu_begin_launches(struct gpu *g);
/* Whether no stream has another launch. */
bool gpu_streams_done(const struct gpu *g);
/* Ends the launch of stream k, whose CTAs have all started, if nothing of it is left. */
void gpu_try_end(struct gpu *g, uint32_t k);
static inline void gpu_end_launches(struct gpu *g) {
    for (uint32_t k = 0; k < g->n_streams; k++)
        if (g->stream[k].next_cta == g->stream[k].n_ctas && g->stream[k].on &&
            !(g->n_streams == 1 && g->context.pool.in_use))
            gpu_try_end(g, k);
}

/* ---- dispatch.c ---- */

/* Whether an SM may have room for the next CTA of the stream. */
static inline bool stream_has_cta(const struct gpu *g, const struct stream *s) {
    return s->next_cta < s->n_ctas && s->on && s->begins <= g->cycle;
}
static inline bool stream_waits(const struct gpu *g, const struct stream *s) {
    return stream_has_cta(g, s) && s->full_at != g->context.ctas_ended;
}
static inline bool gpu_may_dispatch(const struct gpu *g) {
    for (uint32_t k = 0; k < g->n_streams; k++)
        if (stream_waits(g, &g->stream[k]))
            return true;
    return false;
}
/* Gives each SM with room at most one CTA of each stream. Called once per SM cycle. */
void gpu_dispatch(struct gpu *g);

/* ---- clock.c ---- */

/* Simulates one instant. Returns true if it was an SM cycle. */
bool gpu_tick(struct gpu *g);
/* Ticks the parts from `from` up to `end` at the edge of their clock in this instant. Returns how
 * many did more than count it. The channels are all those of that context. */
uint32_t gpu_tick_channels(struct gpu *g, struct context *c, uint32_t from, uint32_t end);
uint32_t gpu_tick_banks(struct gpu *g, uint64_t cycle, uint32_t from, uint32_t end);
uint32_t gpu_tick_sms(struct gpu *g, uint64_t cycle, uint32_t from, uint32_t end);
/* Whether nothing has happened since the last SM cycle and nothing waits for a clock edge. */
bool gpu_may_jump(const struct gpu *g);
/* Skips the instants in which nothing can happen, but not that SM cycle. */
void gpu_jump(struct gpu *g, uint64_t cycle);

#endif
