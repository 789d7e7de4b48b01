/* SPDX-License-Identifier: Apache-2.0 */
/* Instruction cache of an SM, as GPGPU-Sim has it: lines of 128 B, LRU, a way at the fill, a few
 * fetches from the L2 at once. It shares the SM's port of the crossbar with the L1D.
 *
 * A warp asks for the line of its next instruction: a hit, a miss, or refused, since all fetches
 * are out. Once the line has come, its warps get it one by one, in the order in which they missed.
 * Lines stay from kernel to kernel, and the instructions of each kernel begin at 0: a kernel finds
 * what the one before has left there, as in GPGPU-Sim.
 */
#ifndef MEMTWIN_ICACHE_ICACHE_H
#define MEMTWIN_ICACHE_ICACHE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "cache/addr_map.h"
#include "config/config.h"
#include "context/context.h"
#include "kernel/kernel.h"
#include "lib/warp_set.h"
#include "stats/stats.h"
#include "xbar/xbar.h"

#define ICACHE_NO_WARP UINT32_MAX
#define ICACHE_INST_BYTES 16

struct icache_way {
    uint64_t line; /* UINT64_MAX: none */
    uint64_t used; /* clock at its last use */
};

/* Warps in the order in which they came. */
struct icache_warps {
    uint8_t warp[WARP_SLOTS];
    uint32_t head, count;
};

/* A line that is fetched. */
struct icache_miss {
    uint64_t line;
    struct icache_warps warps;
    bool busy, sent;
};

/* A place of the table that gives addresses to instructions that have none. */
struct icache_pc {
    struct warp_inst_form form;
    uint32_t pc;
    bool used;
};

struct icache {
    struct context *context;    /* not owned */
    struct xbar *req, *reply;   /* not owned */
    const struct addr_map *map; /* not owned */
    struct stats *stats;        /* not owned; the SM's */
    uint32_t sm, sets, ways, n_misses, flit_bytes, header_bytes;
    struct icache_way *way;   /* owned; NULL: every instruction is there */
    struct icache_miss *miss; /* owned */
    uint32_t unsent;          /* of them: not in the crossbar yet */
    bool draws;     /* every instruction is there, but the map draws a bank for its line too */
    uint64_t drawn; /* of the first 64 lines: bit per line */
    struct icache_warps come; /* warps whose line has come */
    uint64_t clock;           /* of LRU: fetches that were asked for */
    struct icache_pc *pc;     /* owned; hash table of the running kernel */
    uint32_t n_pcs, room_pcs; /* room_pcs: a power of two, or 0 */
};

/* What an SM's instruction cache is connected to. */
struct icache_ports {
    struct xbar *req, *reply;
    const struct addr_map *map;
};

enum icache_result { ICACHE_HIT, ICACHE_MISS, ICACHE_REFUSED };

/* stats: the SM's. */
void icache_init(struct icache *c, const struct config *cfg, struct context *context,
                 const struct icache_ports *ports, struct stats *stats, uint32_t sm);
void icache_free(struct icache *c);
/* Packets that it can hold, at most. */
uint64_t icache_requests(const struct config *cfg);

/* Fetches may miss. */
static inline bool icache_on(const struct icache *c) {
    return c->way != NULL;
}

/* Fetches ask for an address. */
static inline bool icache_asks(const struct icache *c) {
    return icache_on(c) || c->draws;
}

/* A kernel begins: instructions without an address get new ones. */
void icache_launch(struct icache *c);
/* The address of an instruction in the code of its kernel, in bytes: the trace's, or a new one if
 * the kernel has not had an equal instruction yet. */
uint32_t icache_pc(struct icache *c, const struct warp_inst *inst);
/* The warp slot asks for the instruction at that address. */
enum icache_result icache_fetch(struct icache *c, uint32_t warp, uint32_t pc);
/* The next warp whose line has come, or ICACHE_NO_WARP. */
uint32_t icache_take(struct icache *c);
/* Before the L1D in an SM cycle: takes a line that waits at the SM's port, sends a request that
 * could not be sent. Returns whether a line has come. */
bool icache_tick(struct icache *c);
/* What it waits for, a line each. */
void icache_dump(const struct icache *c, FILE *out);

#endif
