// SPDX-License-Identifier: Apache-2.0
/* The CTAs of a launch. */
#include "gpu/parts.h"

/* In turn. */
void gpu_dispatch(struct gpu *g, struct running *r) {
    uint32_t first = g->turn;
    bool given = false;
    for (uint32_t n = 0; n < g->n_sms && r->next_cta < r->n_ctas; n++) {
        uint32_t i = first + n;
        i = i >= g->n_sms ? i - g->n_sms : i;
        if (!sm_has_room(&g->sm[i]))
            continue;
        gpu_account_sm(g, i, g->cycle);
        sm_dispatch(&g->sm[i], r->next_cta++);
        clocked_due(&g->sm_clocked[i], g->cycle);
        g->turn = i + 1 == g->n_sms ? 0 : i + 1;
        given = true;
    }
    if (!given)
        r->full_at = g->context.ctas_ended;
}

bool gpu_may_dispatch(const struct gpu *g, const struct running *r) {
    return r->next_cta < r->n_ctas && r->full_at != g->context.ctas_ended && r->begins <= g->cycle;
}
