/* SPDX-License-Identifier: Apache-2.0 */
/* Instruction fetch of an SM (sm.fetch): an instruction buffer of two per warp. A warp whose buffer
 * is empty is fetched in turn, two instructions at once, sm.fetch warps a cycle. All fetches of a
 * cycle but the last fill their buffer before the next cycle, the last one a cycle later: decoding
 * is one fetch behind. A warp asks the instruction cache (icache/icache.h) for the address behind
 * the instruction that it issued last, as GPGPU-Sim does with traces; one that misses is fetched
 * when its line has come, before any other.
 */
#ifndef MEMTWIN_SM_FETCH_H
#define MEMTWIN_SM_FETCH_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/warp_set.h"

#define FETCH_INSTS 2

struct fetch {
    uint32_t width;           /* fetches a cycle; 0: every warp has its next instruction */
    uint32_t last;            /* warp slot that was fetched last */
    warp_set hungry;          /* warps with an empty buffer that are not being fetched */
    warp_set empty;           /* warps with an empty buffer */
    uint32_t decoding;        /* warp slot whose instructions are decoded next, or FETCH_NONE */
    uint8_t held[WARP_SLOTS]; /* instructions in the buffer */
};

#define FETCH_NONE UINT32_MAX

static inline void fetch_init(struct fetch *f, int64_t width) {
    f->width = (uint32_t)width;
    f->decoding = FETCH_NONE;
}

/* A warp starts in that slot; it has exited. */
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

/* The warp issues an instruction of its buffer. */
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
