// SPDX-License-Identifier: Apache-2.0
/* Distributes the CTAs of running launches to the SMs. */
#include "gpu/parts.h"
#include "gpu/partition.h"

static void give_cta(struct gpu *g, uint32_t i, uint32_t k) {
    struct gpu_stream *s = &g->stream[k];
    gpu_account_sm(g, i, g->cycle);
    sm_dispatch(&g->sm[i], k, s->next_cta++);
    clocked_due(&g->sm_clocked[i], g->cycle);
    g->turn = i + 1 == g->n_sms ? 0 : i + 1;
    if (s->next_cta == s->n_ctas && g->cfg->cke_restart == RESTART_GRID)
        s->next_cta = 0;
}

/* True if cke.partition=leftover and stream k must wait on SM i, because an earlier stream has a
 * CTA that fits there. */
static bool after_others(const struct gpu *g, uint32_t i, uint32_t k) {
    if (!g->leftover)
        return false;
    for (uint32_t j = 0; j < k; j++)
        if (stream_has_cta(g, &g->stream[j]) && sm_has_room(&g->sm[i], j))
            return true;
    return false;
}

/* Gives CTAs of one launch until it has none left, and then of the next: a launch whose next CTA
 * does not fit keeps all others waiting. */
static void dispatch_listed(struct gpu *g) {
    const uint32_t first = g->turn;
    bool room = false;
    for (uint32_t n = 0; n < g->n_sms; n++) {
        const uint32_t i = first + n < g->n_sms ? first + n : first + n - g->n_sms;
        const uint32_t k = list_choose(g);
        if (k == NO_PLACE)
            return;
        if (!sm_has_room(&g->sm[i], k))
            continue;
        room = true;
        list_warm(g, i);
        give_cta(g, i, k);
    }
    for (uint32_t k = 0; k < g->n_streams; k++)
        g->stream[k].full_at = room ? UINT64_MAX : g->context.ctas_ended;
}

/* Visits the SMs in turn, and on each SM the kernels in ascending order. */
void gpu_dispatch(struct gpu *g) {
    if (gpu_listed(g)) {
        dispatch_listed(g);
        return;
    }
    const uint32_t first = g->turn;
    bool wait[WORKLOADS_AT_ONCE],          /* true if the kernel has a CTA to start */
        room[WORKLOADS_AT_ONCE] = {false}; /* true if an SM has room for the kernel's next CTA */
    for (uint32_t k = 0; k < g->n_streams; k++)
        wait[k] = stream_waits(g, &g->stream[k]);
    for (uint32_t n = 0; n < g->n_sms; n++) {
        const uint32_t i = first + n < g->n_sms ? first + n : first + n - g->n_sms;
        for (uint32_t k = 0; k < g->n_streams; k++) {
            const struct gpu_stream *s = &g->stream[k];
            if (!wait[k] || s->next_cta == s->n_ctas || !sm_has_room(&g->sm[i], k))
                continue;
            room[k] = true;
            if (!after_others(g, i, k))
                give_cta(g, i, k);
        }
    }
    for (uint32_t k = 0; k < g->n_streams; k++)
        if (wait[k] && !room[k])
            g->stream[k].full_at = g->context.ctas_ended;
}
