/* SPDX-License-Identifier: Apache-2.0 */
/* The coalescer: which accesses the lanes of a memory instruction make.
 *
 * Lanes in one granule make one access. A granule is a 128 B line; with sm.coalesce=sector, a 32 B
 * sector; with segment, as many bytes as 32 lanes have, a line at most. Accesses keep the order of
 * the lanes. Of an atomic, lanes whose bytes overlap need an access each: a lane joins the first
 * access of its granule in which its bytes are still free; with segment, only one of its half of
 * the warp. Local addresses are mapped to device addresses first, word by word.
 */
#ifndef MEMTWIN_SM_COALESCE_H
#define MEMTWIN_SM_COALESCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "check/check.h"
#include "config/config.h"
#include "kernel/kernel.h"

/* sm.coalesce */
enum { COALESCE_LINE, COALESCE_SECTOR, COALESCE_SEGMENT };
/* sm.access_order */
enum { ACCESS_ASCENDING, ACCESS_DESCENDING };

#define COALESCE_MAX LOAD_MAX_ACCESSES

/* Most bytes of a lane. */
#define COALESCE_MAX_SIZE 16

struct coalescer {
    uint64_t local_line;                    /* first line of the window of warp slot 0 of this SM */
    uint8_t granule[COALESCE_MAX_SIZE + 1]; /* bytes: 128, 64 or 32; by the bytes of a lane */
    uint32_t first_lanes; /* of an atomic: the others do not join their accesses */
};

struct coalesced {
    uint64_t granule; /* its first byte's address */
    struct byte_mask mask;
};

void coalescer_init(struct coalescer *c, const struct config *cfg, uint32_t sm);

/* Whether the instruction is one that the memory system can do: size, lanes, aligned addresses that
 * lie in their space. If not, says what is wrong in `why`. */
bool coalesce_legal(const struct warp_inst *inst, char *why, size_t size);

/* Writes the accesses of a legal instruction of that warp slot. Returns their number, 1 to
 * COALESCE_MAX. */
uint32_t coalesce(const struct coalescer *c, const struct warp_inst *inst, uint32_t warp,
                  struct coalesced to[COALESCE_MAX]);

/* Fast path for a global load or store of a full warp whose lanes have one address or consecutive
 * addresses. Gives the accesses of coalesce() and checks legality. Returns 0 if the instruction is
 * of another form or not legal. */
uint32_t coalesce_even(const struct coalescer *c, const struct warp_inst *inst,
                       struct coalesced to[COALESCE_MAX]);

static inline uint64_t coalesced_line(const struct coalesced *a) {
    return a->granule / LINE_BYTES;
}

#endif
