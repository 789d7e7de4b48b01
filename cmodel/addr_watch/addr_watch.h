/* SPDX-License-Identifier: Apache-2.0 */
/* An observer in each SM: the block addr_hash (sm.N.hash) is told every access that the L1D takes,
 * and what it says is held against the set in which the L1D looked, the L2 bank that a packet goes
 * to, and the line that its DRAM channel was asked for. A difference ends the run: what the system
 * did, the C functions and (with a twin) the Verilog are one, or it is an internal error.
 *
 * It is stepped with sim.hash=yes, or while something watches the block.
 * docs/understand/addr_hash.md.
 */
#ifndef MEMTWIN_ADDR_WATCH_ADDR_WATCH_H
#define MEMTWIN_ADDR_WATCH_ADDR_WATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "addr_hash/addr_hash.h"
#include "block/block_part.h"
#include "cache/addr_map.h"
#include "config/config.h"
#include "context/context.h"
#include "stats/stats.h"

/* An access in the block, or about to be, and where the L1D looked for its line. */
struct addr_watch_access {
    bool valid;
    uint64_t line;
    uint32_t set;
};

/* A line that was accessed, and what the block has said of it. */
struct addr_watch_line {
    uint64_t line;      /* LINE_NONE: there is none */
    bool known;         /* the block has said something: the next two */
    uint32_t partition; /* where it lives, */
    uint64_t rest;      /* and its line there */
    uint32_t sent;      /* L2 bank of a packet that left before; ADDR_NO_BANK: none did */
};

struct addr_watch {
    bool asked;                 /* sim.hash=yes */
    bool busy;                  /* the block has to be stepped even if there is no access */
    struct block_part block;    /* without a type: the keys allow none */
    const struct addr_map *map; /* not owned */
    uint32_t sm, latency;
    struct addr_watch_access way[ADDR_HASH_MAX_LATENCY]; /* that of the last cycle first */
    struct addr_watch_line *lines; /* owned; by a part of the line number, the last one counts */
    uint32_t mask;                 /* number of `lines` less 1 */
};

/* Whether sim.hash may be yes. Returns 0, or -1 with one line in err. */
int addr_watch_check(const struct config *cfg, char *err, size_t err_size);
/* The block's parameters. Returns false if the keys allow none. */
bool addr_watch_params(const struct config *cfg, struct block_params *p);

/* Returns 0, or -1 with one line in err. The block is in reset: its first cycle has rst = 1. */
int addr_watch_init(struct addr_watch *w, struct block_list *blocks, const struct config *cfg,
                    const struct addr_map *map, uint32_t sm, char *err, size_t err_size);
void addr_watch_free(struct addr_watch *w);

/* It is to be told of accesses, packets and replies, and stepped. */
static inline bool addr_watch_on(const struct addr_watch *w) {
    return w->asked || w->block.inst.probe;
}

/* A packet of that line goes to that L2 bank. */
void addr_watch_packet(struct addr_watch *w, struct context *c, struct stats *s, uint64_t line,
                       uint32_t bank);
/* The reply of a request for that line comes, which has waited for a fetch of that DRAM line. */
void addr_watch_reply(struct addr_watch *w, struct context *c, struct stats *s, uint64_t line,
                      uint64_t dram_line);
/* A cycle, at its end. access: what the L1D has taken; NULL: nothing. */
void addr_watch_tick(struct addr_watch *w, struct context *c, struct stats *s,
                     const struct addr_watch_access *access);

/* 0: the next cycle has to be computed even without an access; UINT64_MAX: none has. */
static inline uint64_t addr_watch_next_event(const struct addr_watch *w) {
    return w->busy || w->block.inst.probe ? 0 : UINT64_MAX;
}

#endif
