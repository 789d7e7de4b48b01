/* SPDX-License-Identifier: Apache-2.0 */
/* Declares the parts of a system for the files in this folder. build.c creates, wires and destroys
 * the parts; streams.c runs launches; launches.c takes launches of several
 * streams from one list; dispatch.c starts CTAs; partition.c limits each kernel's
 * number of CTAs per SM; clock.c runs instants; totals.c adds statistics; paging.c and page_data.c
 * handle unified memory; gpu.c controls the run. */
#ifndef MEMTWIN_GPU_PARTS_H
#define MEMTWIN_GPU_PARTS_H

#include "cache/addr_map.h"
#include "dram/dram.h"
#include "context/context.h"
#include "gpu/clocked.h"
#include "gpu/gpu.h"
#include "gpu/paging.h"
#include "l2/l2.h"
#include "lib/clocks.h"
#include "sm/sm.h"
#include "xbar/xbar.h"
#include "config/config.h"

/* A workload and its current launch, or a place for a launch of a list. Stream k is kernel k on the
 * SMs. */
struct gpu_stream {
    struct workload *workload; /* not owned */
    bool done;                 /* true if the workload has no more launches */
    bool waits_for_pages;      /* true if `launch` waits for its pages (uvm.user_prefetch) */
    bool on;                   /* true if a launch is running */
    bool ended;                /* true if a launch has ended that the monitor does not know of */
    uint64_t id;               /* number of the launch among those of all streams, counted from 0 */
    struct kernel_launch launch;
    uint64_t next_cta, n_ctas;
    uint64_t begins;        /* first SM cycle in which the launch's CTAs may start */
    uint64_t full_at;       /* value of context.ctas_ended when no SM had room for the next CTA;
                               UINT64_MAX if an SM may have room */
    uint64_t ended_before;  /* value of context.ctas_ended when the launch began */
    uint64_t launches;      /* number of launches that have ended */
    struct stats at_launch; /* totals of the statistics when the launch began */
};

/* Launches of several streams that are taken from one list (launches.c). All zero if each workload
 * has a stream of its own. */
struct gpu_list {
    const struct workload_streams *of; /* not owned */
    uint64_t n, next;                  /* number of launches; the first one behind the window */
    struct list_entry {
        uint64_t launch;
        bool begun;
    } * window;            /* owned; launches of which some run, in the order of the list */
    uint32_t used, room;   /* number of launches in the window; its size */
    uint32_t running;      /* number of launches that run */
    uint32_t chosen;       /* place whose launch gets CTAs, as long as it has any */
    bool *busy;            /* owned; true for each stream that runs a launch */
    struct stats *ended;   /* owned; statistics of each stream's launches that have ended */
    bool *warm;            /* owned; true for each SM that had a CTA since its L1D was empty */
    uint64_t shared_bytes; /* shared memory of an SM's CTAs of the latest launch */
};

struct gpu {
    const struct config *cfg; /* not owned */
    struct context context;
    struct clocks clocks;
    struct addr_map map;
    struct draws draws; /* random numbers of the address map */
    uint32_t n_sms, n_banks, n_channels;
    struct sm *sm;     /* owned */
    struct l2 *l2;     /* owned */
    struct dram *dram; /* owned; one channel per partition */
    struct xbar req, reply;
    struct backing backing;
    struct paging *paging; /* owned; NULL if uvm.mode=off */
    struct gpu_stream stream[KERNELS_AT_ONCE];
    uint32_t n_streams;
    struct gpu_list list;
    bool reads_input;              /* true if a workload reads input that may be wrong */
    uint32_t idle;                 /* number of streams that run no launch but may have one left */
    uint32_t sms_per_port;         /* number of SMs that share a port of the crossbar */
    uint32_t turn;                 /* number of the port whose SMs have priority for the next CTA */
    uint32_t *port_turn;           /* owned; number of each port's SM, from 0 on, with priority */
    uint64_t cycle;                /* number of completed SM cycles */
    uint64_t edges[CLOCK_DOMAINS]; /* number of edges per clock domain so far, ticked or skipped */
    struct clocked *sm_clocked,    /* owned; one element per SM */
        *l2_clocked;               /* owned; one element per L2 bank */
    bool leftover;                 /* true if cke.partition=leftover */
    bool skip;                     /* value of sim.skip */
    bool ticked;                   /* true if a part has been active since the last SM cycle */
    uint64_t launches;             /* number of launches that have begun */
    uint64_t kernels;              /* number of launches that have ended */
    uint64_t users;                /* number of users of the L1Ds, summed over launches */
    uint64_t cta_launches;         /* number of launches in which CTAs are the users of the L1Ds */
    uint64_t seen_progress;        /* value of context.progress in cycle `moved_at` */
    uint64_t moved_at;             /* last SM cycle with progress */
    uint64_t patience;    /* number of SM cycles without progress after which the run ends */
    uint64_t sampled;     /* SM cycle of the last sample */
    uint64_t last_report; /* SM cycle of the last progress report */
    uint64_t look_at;     /* SM cycle of the next call to `look`; UINT64_MAX if there is none */
};

/* Accounts for the SM's skipped cycles before `cycle`. */
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

/* Returns the set of streams that run a launch. Bit k is 1 if stream k runs one. */
static inline uint32_t streams_on(const struct gpu *g) {
    uint32_t on = 0;
    for (uint32_t k = 0; k < g->n_streams; k++)
        on |= (uint32_t)g->stream[k].on << k;
    return on;
}
/* Returns true and records a failure if the input of a running workload is wrong. */
bool gpu_input_wrong(struct gpu *g);
/* Begins the next launch of each idle stream. Returns true if a launch runs or waits, or if a copy
 * is in progress. */
bool gpu_begin_launches(struct gpu *g);
/* True if no stream has another launch to run. */
bool gpu_streams_done(const struct gpu *g);
/* Ends the launch of stream k if no work of the launch is left. All its CTAs must have started. */
void gpu_try_end(struct gpu *g, uint32_t k);
static inline void gpu_end_launches(struct gpu *g) {
    for (uint32_t k = 0; k < g->n_streams; k++)
        if (g->stream[k].next_cta == g->stream[k].n_ctas && g->stream[k].on &&
            !(g->n_streams == 1 && g->context.pool.in_use))
            gpu_try_end(g, k);
}

/* Makes a copy from the host to the GPU. */
void gpu_fill_copy(struct gpu *g, const struct kernel_copy *copy);
/* Begins the launch that stream k has taken. Returns false after a failure. */
bool gpu_start_launch(struct gpu *g, uint32_t k);

/* ---- launches.c ---- */

/* True if launches are taken from a list. */
static inline bool gpu_listed(const struct gpu *g) {
    return g->list.of != NULL;
}
/* Begins launches of the list. Returns true if a launch runs. */
bool list_begin_launches(struct gpu *g);
/* True if stream k runs the last launch of the list. */
bool list_is_last(const struct gpu *g, uint32_t k);
/* Takes an ended launch off the list. */
void list_end_launch(struct gpu *g, uint32_t k);
/* Records that an SM gets a CTA. */
void list_warm(struct gpu *g, uint32_t i);
/* Empties the L1Ds of SMs that have become idle. Called once per SM cycle, after the dispatch. */
void list_flush_idle(struct gpu *g);
/* Returns the place whose launch gets the next CTA, or NO_PLACE. */
#define NO_PLACE UINT32_MAX
uint32_t list_choose(struct gpu *g);
/* Adds the statistics of CUDA stream i to *s. */
void list_add_stats(const struct gpu *g, uint32_t i, struct stats *s);
void list_free(struct gpu *g);

/* ---- dispatch.c ---- */

/* True if the stream has a CTA that may start in this cycle. */
static inline bool stream_has_cta(const struct gpu *g, const struct gpu_stream *s) {
    return s->next_cta < s->n_ctas && s->on && s->begins <= g->cycle;
}
/* True if the stream has a CTA that may start in this cycle, and an SM may have room for it. */
static inline bool stream_waits(const struct gpu *g, const struct gpu_stream *s) {
    return stream_has_cta(g, s) && s->full_at != g->context.ctas_ended;
}
static inline bool gpu_may_dispatch(const struct gpu *g) {
    for (uint32_t k = 0; k < g->n_streams; k++)
        if (stream_waits(g, &g->stream[k]))
            return true;
    return false;
}
/* Gives an SM of each port, if one has room, at most one CTA from each stream. Called once per SM
 * cycle. */
void gpu_dispatch(struct gpu *g);

/* ---- clock.c ---- */

/* Simulates one instant. Returns true if it was an SM cycle. */
bool gpu_tick(struct gpu *g);
/* True if nothing has happened since the last SM cycle and nothing waits for a clock edge. */
bool gpu_may_jump(const struct gpu *g);
/* Skips instants in which nothing can happen. SM cycle `cycle` is never skipped. */
void gpu_jump(struct gpu *g, uint64_t cycle);

#endif
