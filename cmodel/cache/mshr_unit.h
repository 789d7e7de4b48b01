/* SPDX-License-Identifier: Apache-2.0 */
/* An MSHR block in a cache: ticked once a cycle, with statistics counted at its ports.
 *
 * The cache fills `in`, calls mshr_unit_step once a cycle and acts on `out`. A cycle in which
 * nothing can change (no valid input, no drain, no refusal before) is not computed unless a probe
 * is attached.
 *
 * A block with a lookup of two cycles (`looks`) responds for the address in its lookup register.
 * Its cycle has a second half, mshr_unit_look, because the next lookup address may depend on this
 * cycle's response. The cache may request only the address in the register: mshr_unit_knows.
 */
#ifndef MEMTWIN_CACHE_MSHR_UNIT_H
#define MEMTWIN_CACHE_MSHR_UNIT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "block/block_part.h"
#include "lib/level.h"
#include "mshr/mshr_kind.h"

/* Fields used in each cycle come first. */
struct mshr_unit {
    struct level used; /* requests accepted and not yet answered, over this domain's cycles */
    uint64_t capacity; /* slots, for the utilisation; 0 if unlimited */
    uint64_t looked;   /* address in the lookup register, or MSHR_UNIT_NOTHING */
    uint32_t heads;    /* head ids are below this */
    bool looks;
    bool draining; /* a RET was accepted, its last response not yet taken */
    bool busy;     /* draining, or the request of the last cycle was refused */
    struct block_part block;
    struct mshr_in in;
    struct mshr_out out;
};

/* Returns 0, or -1 with one line in err. In reset: the first step has rst = 1. */
int mshr_unit_init(struct mshr_unit *u, struct block_list *blocks, const struct mshr_geometry *g,
                   const char *name, char *err, size_t err_size);
void mshr_unit_free(struct mshr_unit *u);

/* Returns 0 if it must be ticked in the next cycle, UINT64_MAX if it is idle until an input
 * arrives. With `standing`, repeating the same refusal counts as idle. */
static inline uint64_t mshr_unit_next_event(const struct mshr_unit *u, bool standing) {
    return u->draining || (u->busy && !standing) ? 0 : block_part_next_event(&u->block);
}

#define MSHR_UNIT_NOTHING UINT64_MAX

/* Whether a request for that address may be offered in this cycle. */
static inline bool mshr_unit_knows(const struct mshr_unit *u, uint64_t addr) {
    return !u->looks || u->looked == addr;
}

/* Whether the block is ticked in this cycle. */
void mshr_unit_work(struct mshr_unit *u, uint64_t cycle);

/* One cycle of the block with the inputs in u->in; clears the valid inputs afterwards. `cycle`
 * increases by one with each cycle of the domain. With `looks` this is the first half of the cycle,
 * and mshr_unit_look must follow. */
static inline void mshr_unit_step(struct mshr_unit *u, uint64_t cycle) {
    if (u->busy || u->in.req_valid || u->in.ret_valid || block_part_next_event(&u->block) == 0) {
        mshr_unit_work(u, cycle);
        return;
    }
    u->out.req_ready = u->out.req_refuse = u->out.rsp_valid = 0;
    u->out.ret_ready = 1;
}

/* The second half of a cycle, with `looks` only. Sets the address to look up for the next cycle's
 * request; MSHR_UNIT_NOTHING keeps the register. */
void mshr_unit_look(struct mshr_unit *u, uint64_t addr);

/* Number of requests that were accepted and not yet answered. */
static inline uint64_t mshr_unit_used(const struct mshr_unit *u) {
    return u->used.value;
}
/* Prints one line if the MSHR holds anything. */
void mshr_unit_dump(const struct mshr_unit *u, FILE *out);

#endif
