/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the MSHR block of a cache once per cycle, and counts statistics at its ports.
 *
 * The cache fills `in`, calls mshr_unit_step once per cycle and reads `out`. If no probe is
 * attached, the block is not run in a cycle in which nothing can change: no input is valid, no
 * drain is in progress, and the last request was not refused.
 *
 * If `looks` is true, a lookup takes two cycles, and the block responds for the address in its
 * lookup register. A cycle then has a second half, mshr_unit_look, because the next lookup address
 * may depend on this cycle's response. The cache may request only the address in the register; see
 * mshr_unit_knows.
 */
#ifndef MEMTWIN_CACHE_MSHR_UNIT_H
#define MEMTWIN_CACHE_MSHR_UNIT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "block/block_part.h"
#include "lib/level.h"
#include "mshr/mshr_kind.h"

/* The fields used in each cycle come first. */
struct mshr_unit {
    struct level used; /* number of tracked requests, over the cycles of this clock domain */
    uint64_t capacity; /* number of slots, for the utilization; 0 if the number is unlimited */
    uint64_t looked;   /* address in the lookup register, or MSHR_UNIT_NOTHING */
    uint64_t returns;  /* address of the head in in.ret_head, valid with in.ret_valid */
    uint32_t heads;    /* number of MSHR entries (head ids) */
    struct mshr_payload payload;
    bool looks;
    bool draining; /* a RET was accepted, and the last response of its drain has not been taken */
    bool busy;     /* a drain is in progress, or the last request was refused */
    struct block_part block;
    struct mshr_in in;
    struct mshr_out out;
};

/* Creates the block in reset: the first step has rst = 1. Returns 0, or -1 with one line in err. */
int mshr_unit_init(struct mshr_unit *u, struct block_list *blocks, const struct mshr_geometry *g,
                   const char *name, struct error *err);
void mshr_unit_free(struct mshr_unit *u);

/* Returns 0 if the unit must be ticked in the next cycle, or UINT64_MAX if it is idle until an
 * input arrives. If `standing` is true, a unit that repeats the same refusal counts as idle. */
static inline uint64_t mshr_unit_next_event(const struct mshr_unit *u, bool standing) {
    return u->draining || (u->busy && !standing) ? 0 : block_part_next_event(&u->block);
}

#define MSHR_UNIT_NOTHING UINT64_MAX

/* True if a request for address `addr` may be offered in this cycle. */
static inline bool mshr_unit_knows(const struct mshr_unit *u, uint64_t addr) {
    return !u->looks || u->looked == addr;
}

/* Sets the inputs of a request, except its data and byte mask. The response returns `tag`. */
void mshr_unit_ask(struct mshr_unit *u, uint64_t addr, unsigned offset, uint32_t tag, bool write);
/* Returns the words of the request's data or mask, which the cache may write before the cycle. */
static inline uint32_t *mshr_unit_req_data(struct mshr_unit *u) {
    return u->in.req_payload;
}
static inline uint32_t *mshr_unit_req_mask(struct mshr_unit *u) {
    return &u->in.req_payload[u->payload.mask_at];
}

/* Return the parts of the response's payload. */
unsigned mshr_unit_offset(const struct mshr_unit *u);
uint32_t mshr_unit_tag(const struct mshr_unit *u);
bool mshr_unit_writes(const struct mshr_unit *u);
static inline const uint32_t *mshr_unit_data(const struct mshr_unit *u) {
    return u->out.rsp_payload;
}
static inline const uint32_t *mshr_unit_mask(const struct mshr_unit *u) {
    return &u->out.rsp_payload[u->payload.mask_at];
}

/* Runs one cycle of the block or, if `looks` is true, its first half. Called only in cycles in
 * which something may change. */
void mshr_unit_work(struct mshr_unit *u, uint64_t cycle);

/* Runs one cycle of the block with the inputs in u->in, then clears the valid inputs. `cycle`
 * increases by one with each cycle of the domain. If `looks` is true, this is only the first half
 * of the cycle, and mshr_unit_look must follow. */
static inline void mshr_unit_step(struct mshr_unit *u, uint64_t cycle) {
    if (u->busy || u->in.req_valid || u->in.ret_valid || block_part_next_event(&u->block) == 0) {
        mshr_unit_work(u, cycle);
        return;
    }
    u->out.req_ready = u->out.req_refuse = u->out.rsp_valid = 0;
    u->out.ret_ready = 1;
}

/* Runs the second half of a cycle, if `looks` is true. Sets the address to look up for the next
 * cycle's request. MSHR_UNIT_NOTHING keeps the address in the register. The tags of a cache of this
 * program are read in the cycle of the request, so a lookup before or in the cycle of RET is
 * repeated: a request for that address misses again. */
void mshr_unit_look(struct mshr_unit *u, uint64_t addr);

/* Returns the number of tracked requests. */
static inline uint64_t mshr_unit_used(const struct mshr_unit *u) {
    return u->used.value;
}
/* Prints one line if the MSHR tracks requests or a drain is in progress. */
void mshr_unit_dump(const struct mshr_unit *u, FILE *out);

#endif
