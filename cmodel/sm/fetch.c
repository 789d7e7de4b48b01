// SPDX-License-Identifier: Apache-2.0
/* Fetches and decodes the instructions of an SM. */
#include "sm/inside.h"

/* Returns the next warp in `hungry`, in round-robin order. */
static uint32_t next_in_turn(struct fetch *f) {
    warp_set later = f->hungry & ~warp_below(f->last) & ~warp_bit(f->last);
    f->last = warp_first(later ? later : f->hungry);
    return f->last;
}

/* Fetches instructions for one warp. Returns the warp with instructions to decode next, or
 * FETCH_NONE. */
static uint32_t fetch_inst(struct sm *sm) {
    struct fetch *f = &sm->fetch;
    uint32_t ready_warp = icache_take(&sm->icache);
    if (ready_warp != ICACHE_NO_WARP)
        return ready_warp;
    if (!f->hungry)
        return FETCH_NONE;
    uint32_t w = next_in_turn(f);
    enum icache_result result = ICACHE_HIT;
    if (icache_asks(&sm->icache))
        result = icache_fetch(&sm->icache, w, sm->warp[w].next_pc);
    if (result != ICACHE_REFUSED)
        f->hungry &= ~warp_bit(w);
    return result == ICACHE_HIT ? w : FETCH_NONE;
}

void sm_fetch_tick(struct sm *sm) {
    for (uint32_t n = 0; n < sm->fetch.width; n++) {
        fetch_decode(&sm->fetch);
        sm->fetch.decoding = fetch_inst(sm);
    }
}
