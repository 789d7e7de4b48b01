/* SPDX-License-Identifier: Apache-2.0 */
/* Instruction cache of an SM, modeled after GPGPU-Sim. It has lines of 128 B, LRU replacement,
 * allocation at the fill, and a few concurrent fetches from the L2. It shares the SM's crossbar
 * port with the L1D.
 *
 * A warp requests the line of its next instruction. The outcome is a hit, a miss, or a refusal
 * if the maximum number of fetches is in flight. When the line has arrived, the waiting warps
 * get it one by one, in the order in which they missed. Lines persist across kernels, and each
 * kernel's instructions start at address 0, so a kernel can hit lines of the previous kernel, as
 * in GPGPU-Sim. */
#ifndef MEMTWIN_ICACHE_ICACHE_H
#define MEMTWIN_ICACHE_ICACHE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "cache/addr_map.h"
#include "config/config.h"
#include "context/context.h"
#include "kernel/kernel.h"
#include "lib/hash_map.h"
#include "lib/ring.h"
#include "lib/warp_set.h"
#include "stats/stats.h"
#include "xbar/xbar.h"

#define ICACHE_NO_WARP UINT32_MAX
#define ICACHE_INST_BYTES 16
#define ICACHE_MISSES 2 /* maximum number of concurrent fetches, as in Accel-Sim */

struct icache_way {
    uint64_t line; /* UINT64_MAX if the way is free */
    uint64_t used; /* value of the LRU clock at the last use */
};

/* Line that is being fetched. */
struct icache_miss {
    uint64_t line;
    RING(uint8_t) warps; /* waiting warps, in order of arrival */
    bool busy, sent;
};

struct icache {
    struct context *context;    /* not owned */
    struct xbar *req, *reply;   /* not owned */
    const struct addr_map *map; /* not owned */
    struct stats *stats;        /* statistics of the SM; not owned */
    uint32_t sm, port, sets, ways, flit_bytes;
    struct icache_way *way; /* owned; NULL if every fetch hits */
    struct icache_miss miss[ICACHE_MISSES];
    uint32_t unsent; /* number of misses not yet sent to the crossbar */
    bool draws; /* true if every fetch hits, but the address map still draws a bank for the line */
    uint64_t drawn;            /* bit i is 1 if the bank of line i (0 to 63) has been drawn */
    RING(uint8_t) ready_warps; /* warps that can fetch again, because their line has arrived */
    uint64_t clock;            /* LRU clock, which counts the fetches */
    /* Forms of the running kernel's instructions without an address. A form's index gives the
     * address. */
    struct warp_inst_form *form; /* owned */
    struct hash_map forms;       /* maps the hash of a form to its index in `form` */
    uint32_t room;               /* capacity of `form` */
};

/* Connections of an SM's instruction cache. */
struct icache_ports {
    struct xbar *req, *reply;
    const struct addr_map *map;
};

enum icache_result { ICACHE_HIT, ICACHE_MISS, ICACHE_REFUSED };

/* Creates the cache. `stats` are the SM's statistics. */
void icache_init(struct icache *c, const struct config *cfg, struct context *context,
                 const struct icache_ports *ports, struct stats *stats, uint32_t sm);
void icache_free(struct icache *c);
/* Returns the number of sets in the instruction cache, or 0 if there is none (sm.model=simple,
 * where fetching takes no time). */
static inline uint32_t icache_sets(const struct config *cfg) {
    return cfg->sm_model == MODEL_SIMPLE ? 0 : (uint32_t)cfg->icache_sets;
}
/* Returns the maximum number of requests that an instruction cache has in the request pool. */
uint64_t icache_requests(const struct config *cfg);

/* True if fetches can miss. */
static inline bool icache_on(const struct icache *c) {
    return c->way != NULL;
}

/* True if fetches need an address. */
static inline bool icache_asks(const struct icache *c) {
    return icache_on(c) || c->draws;
}

/* Begins a kernel. Its instructions without an address get new addresses. */
void icache_launch(struct icache *c);
/* Returns the byte address of an instruction in its kernel's code. This is the address in the
 * trace if there is one, or else the address of an equal earlier instruction, or else a new
 * address. */
uint32_t icache_pc(struct icache *c, const struct warp_inst *inst);
/* Fetches the instruction at address `pc` for the warp slot. Returns the outcome. */
enum icache_result icache_fetch(struct icache *c, uint32_t warp, uint32_t pc);
/* Returns the next warp that can fetch again after a miss, or ICACHE_NO_WARP. */
uint32_t icache_take(struct icache *c);
/* Ticks one SM cycle, before the L1D's tick. Takes a line that waits at the SM's port, and sends
 * fetches that could not be sent before. Returns true if a line has arrived. */
bool icache_tick(struct icache *c);
/* Prints one line per fetch in flight. */
void icache_dump(const struct icache *c, FILE *out);

#endif
