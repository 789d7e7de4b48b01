/* SPDX-License-Identifier: Apache-2.0 */
/* Coalescer: turns the lanes of a memory instruction into accesses.
 *
 * Lanes in the same granule share one access. A granule is a 128 B line if sm.coalesce=line, or a
 * 32 B sector if sm.coalesce=sector. If sm.coalesce=segment, a granule is as large as the bytes of
 * 32 lanes, but at most a line. Accesses are in the order of their first lanes. In an atomic, lanes
 * with overlapping bytes need separate accesses. A lane joins the first access of its granule in
 * which its bytes are still free. If sm.coalesce=segment, the two halves of the warp do not
 * share accesses of an atomic. Local addresses are mapped to device addresses first, word by
 * word. */
#ifndef MEMTWIN_SM_COALESCE_H
#define MEMTWIN_SM_COALESCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "check/check.h"
#include "config/config.h"
#include "kernel/kernel.h"

#define COALESCE_MAX LOAD_MAX_ACCESSES

/* Maximum number of bytes per lane: of a global load or store, and of a local one. */
#define COALESCE_MAX_SIZE 32
#define COALESCE_MAX_LOCAL_SIZE 16

struct coalescer {
    uint64_t local_line; /* line of the first local word of this SM's slot 0 */
    uint64_t slot_lines; /* distance in lines between slots */
    uint64_t word_lines; /* distance in lines between words of a slot */
    uint32_t cta_slots;  /* number of slots per CTA slot; 0 if a slot is a warp slot */
    uint8_t granule[COALESCE_MAX_SIZE + 1]; /* granule size in bytes (128, 64 or 32), indexed by the
                                               number of bytes per lane */
    uint32_t first_lanes; /* mask of lanes that may share accesses of an atomic; the other lanes
                             may share accesses among themselves */
};

struct coalesced {
    uint64_t granule; /* address of the granule's first byte */
    struct byte_mask mask;
};

void coalescer_init(struct coalescer *c, const struct config *cfg, uint32_t sm);

/* Arranges local memory as GPGPU-Sim does. Each word has a block of lines, one for each warp that
 * the machine holds: those of a CTA, which has `warps`, are adjacent, CTAs of the `sms` SMs in the
 * same CTA slot follow one another, and then the next of `ctas` CTA slots. */
void coalescer_interleave(struct coalescer *c, uint32_t sm, uint32_t sms, uint32_t warps,
                          uint32_t ctas);

/* Returns the slot in local memory of a warp slot with warp `cta_warp` of the CTA in slot `cta`. */
static inline uint32_t coalescer_slot(const struct coalescer *c, uint32_t warp, uint32_t cta,
                                      uint32_t cta_warp) {
    return c->cta_slots ? cta * c->cta_slots + cta_warp : warp;
}

/* True if the memory system supports the instruction's size, lanes and addresses, which must be
 * aligned and within their space. If the result is false, stores the reason in `why`. */
bool coalesce_legal(const struct warp_inst *inst, struct error *why);

/* Writes the accesses of a legal instruction. `slot` is the slot in local memory. Returns
 * their number, 1 to COALESCE_MAX. */
uint32_t coalesce(const struct coalescer *c, const struct warp_inst *inst, uint32_t slot,
                  struct coalesced to[COALESCE_MAX]);

/* Fast path for a global load or store of a full warp with one address or consecutive addresses.
 * Writes the same accesses as coalesce(), but also checks legality. Returns their number, or 0
 * if the instruction has another form or is not legal. */
uint32_t coalesce_even(const struct coalescer *c, const struct warp_inst *inst,
                       struct coalesced to[COALESCE_MAX]);

static inline uint64_t coalesced_line(const struct coalesced *a) {
    return a->granule / LINE_BYTES;
}

#endif
