// SPDX-License-Identifier: Apache-2.0
#include "sm/sm_kernel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"

#define STATE_ALIGN 64

static void make_room(struct slot_state *s, size_t size, size_t slots) {
    s->size = (size + STATE_ALIGN - 1) / STATE_ALIGN * STATE_ALIGN;
    const size_t need = s->size * slots;
    if (need <= s->room)
        return;
    free(s->bytes);
    s->bytes = alloc_aligned(STATE_ALIGN, need);
    s->room = need;
}

int sm_kernel_begin(struct sm_kernel *k, const struct config *cfg,
                    const struct kernel_launch *launch, struct error *err) {
    const struct sm_resources have = sm_resources_of(cfg), none = {{0}};
    if (sm_resources_needed(cfg, launch, &k->need, err) != 0)
        return -1;
    k->launch = launch;
    k->warps_per_cta = (uint32_t)k->need.n[RES_WARPS];
    k->limit = (uint32_t)sm_resources_fit(&have, &none, &k->need);
    make_room(&k->warp, launch->warp_state_size, (size_t)cfg->sm_warps);
    make_room(&k->cta, launch->cta_state_size, (size_t)cfg->sm_ctas);
    return 0;
}

void sm_kernel_free(struct sm_kernel *k) {
    free(k->warp.bytes);
    free(k->cta.bytes);
    free(k->part);
}

void sm_kernel_clear_warp(const struct sm_kernel *k, uint32_t slot) {
    if (k->warp.size)
        memset(slot_state(&k->warp, slot), 0, k->launch->warp_state_size);
}

void sm_kernel_clear_cta(const struct sm_kernel *k, uint32_t slot) {
    if (k->cta.size)
        memset(slot_state(&k->cta, slot), 0, k->launch->cta_state_size);
}

struct warp_place sm_kernel_place(const struct sm_kernel *k, uint64_t cta, uint32_t warp) {
    const uint32_t *grid = k->launch->grid, *block = k->launch->block;
    const uint64_t threads = (uint64_t)block[0] * block[1] * block[2];
    const uint64_t left = threads - (uint64_t)warp * WARP_LANES;
    return (struct warp_place){
        .cta = {(uint32_t)(cta % grid[0]), (uint32_t)(cta / grid[0] % grid[1]),
                (uint32_t)(cta / grid[0] / grid[1])},
        .warp = warp,
        .threads = left < WARP_LANES ? (uint32_t)left : WARP_LANES,
    };
}
