/* SPDX-License-Identifier: Apache-2.0 */
/* Instruction fetch of an SM (sm.fetch). Each warp has a buffer for two instructions. In each
 * cycle, up to sm.fetch warps with an empty buffer fetch two instructions each, in round-robin
 * order. Decoding is one fetch behind, so the last fetch of a cycle fills its buffer a cycle later
 * than the others. A warp requests from the instruction cache (icache/icache.h) the address after
 * the instruction that it issued last, as GPGPU-Sim does with traces. A fetch that misses completes
 * when its line has arrived, before all other fetches. */
#ifndef MEMTWIN_SM_FETCH_H
#define MEMTWIN_SM_FETCH_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/warp_set.h"

#define FETCH_INSTS 2

struct fetch {
    uint32_t width;    /* number of fetches per cycle; if 0, instructions are always available */
    uint32_t last;     /* warp slot of the last fetch */
    warp_set hungry;   /* warps with an empty buffer and no fetch in progress */
    warp_set empty;    /* warps with an empty buffer */
    uint32_t decoding; /* warp slot with the next instructions to decode, or FETCH_NONE */
    uint8_t held[WARP_SLOTS]; /* number of instructions in each buffer */
};

#define FETCH_NONE UINT32_MAX

static inline void fetch_init(struct fetch *f, uint32_t width) {
    f->width = width;
    f->decoding = FETCH_NONE;
}

/* fetch_start records that a warp starts in slot w. fetch_stop records that the warp has exited. */
static inline void fetch_start(struct fetch *f, uint32_t w) {
    if (!f->width)
        return;
    f->held[w] = 0;
    f->empty |= warp_bit(w);
    f->hungry |= warp_bit(w);
}

static inline void fetch_stop(struct fetch *f, uint32_t w) {
    f->empty &= ~warp_bit(w);
    f->hungry &= ~warp_bit(w);
    if (f->decoding == w)
        f->decoding = FETCH_NONE;
}

/* Removes the issued instruction from the warp's buffer. */
static inline void fetch_use(struct fetch *f, uint32_t w) {
    if (!f->width || --f->held[w])
        return;
    f->empty |= warp_bit(w);
    f->hungry |= warp_bit(w);
}

static inline void fetch_decode(struct fetch *f) {
    if (f->decoding == FETCH_NONE)
        return;
    f->held[f->decoding] = FETCH_INSTS;
    f->empty &= ~warp_bit(f->decoding);
    f->decoding = FETCH_NONE;
}

#endif
