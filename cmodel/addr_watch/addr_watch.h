/* SPDX-License-Identifier: Apache-2.0 */
/* Observes each SM's L1D: the block addr_hash (sm.N.hash) receives every access that the L1D
 * accepts. The block's outputs are compared with the set that the L1D looks up, the L2 bank to
 * which the request is sent, and the line that the DRAM channel reads. A difference between the
 * system, the C functions and (with a twin) the Verilog ends the run as an internal error.
 *
 * The observer is ticked if sim.check_hash=yes, or while a probe is attached to the block
 * (docs/understand/addr_hash.md).
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
#include "lib/error.h"
#include "stats/stats.h"

/* An access that is in the block or about to enter it, and the set that the L1D has looked up. */
struct addr_watch_access {
    bool valid;
    uint64_t line;
    uint32_t set;
};

/* An accessed line, and the block's outputs for it. */
struct addr_watch_line {
    uint64_t line;      /* LINE_NONE if the slot is free */
    bool known;         /* partition and rest are valid */
    uint32_t partition; /* partition of the line */
    uint64_t rest;      /* line number within the partition */
    uint32_t sent;      /* L2 bank of a request that was sent while !known, or ADDR_NO_BANK */
};

struct addr_watch {
    bool asked;                 /* sim.check_hash=yes */
    bool busy;                  /* the block must be ticked even without an access */
    struct block_part block;    /* its type is NULL if the keys do not allow the block */
    const struct addr_map *map; /* not owned */
    uint32_t sm, latency;
    struct addr_watch_access way[ADDR_HASH_MAX_LATENCY]; /* newest access first */
    struct addr_watch_line *lines; /* owned; direct-mapped by a hash of the line number; a new
                                      line replaces the line in its slot */
    uint32_t mask;                 /* number of slots in `lines`, minus 1 */
};

/* If sim.check_hash=yes, checks that the other keys allow it. Returns 0, or -1 with one line in
 * err. */
int addr_watch_check(const struct config *cfg, struct error *err);
/* Sets the block's parameters. Returns false if the keys do not allow the block. */
bool addr_watch_params(const struct config *cfg, struct block_params *p);

/* Creates the observer, with its block in reset: the first cycle has rst = 1. Returns 0, or -1 with
 * one line in err. */
int addr_watch_init(struct addr_watch *w, struct block_list *blocks, const struct config *cfg,
                    const struct addr_map *map, uint32_t sm, struct error *err);
void addr_watch_free(struct addr_watch *w);

/* True if the observer must be ticked, and notified of accesses, requests and replies. */
static inline bool addr_watch_on(const struct addr_watch *w) {
    return w->asked || w->block.inst.probe;
}

/* Checks the L2 bank to which a request for the line is sent. */
void addr_watch_request(struct addr_watch *w, struct context *c, struct stats *s, uint64_t line,
                        uint32_t bank);
/* When the reply to a request for `line` arrives, checks the DRAM line from which the data were
 * read. */
void addr_watch_reply(struct addr_watch *w, struct context *c, struct stats *s, uint64_t line,
                      uint64_t dram_line);
/* Ends a cycle. `access` is the access that the L1D has accepted in this cycle, or NULL if there is
 * none. */
void addr_watch_tick(struct addr_watch *w, struct context *c, struct stats *s,
                     const struct addr_watch_access *access);

/* Returns 0 if the next cycle must be ticked even without an access, otherwise UINT64_MAX. */
static inline uint64_t addr_watch_next_event(const struct addr_watch *w) {
    return w->busy || w->block.inst.probe ? 0 : UINT64_MAX;
}

#endif
