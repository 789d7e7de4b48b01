// SPDX-License-Identifier: Apache-2.0
/* Implements gpu_dump(), which prints non-empty queues, waiting warps and MSHRs. */
#include <inttypes.h>

#include "gpu/parts.h"

static void dump_stream(const struct gpu_stream *s, FILE *out) {
    fprintf(out, "kernel %s, %" PRIu64 " of %" PRIu64 " CTAs started",
            s->launch.name ? s->launch.name : "none", s->next_cta, s->n_ctas);
}

void gpu_dump(const struct gpu *g, FILE *out) {
    fprintf(out, "SM cycle %" PRIu64 ", last progress in %" PRIu64 "; ", g->cycle, g->moved_at);
    for (uint32_t k = 0; k < g->n_streams; k++) {
        fputs(k ? "; " : "", out);
        dump_stream(&g->stream[k], out);
    }
    fprintf(out, ", %u requests in flight\n", (unsigned)g->context.pool.in_use);
    for (uint32_t i = 0; i < g->n_sms; i++)
        sm_dump(&g->sm[i], out);
    if (g->paging)
        paging_dump(g, out);
    xbar_dump(&g->req, XBAR_REQUESTS, out);
    xbar_dump(&g->reply, XBAR_REPLIES, out);
    for (uint32_t b = 0; b < g->n_banks; b++) {
        l2_dump(&g->l2[b], out);
        if (b % g->map.banks != 0)
            continue;
        dram_dump(&g->dram[b / g->map.banks], b / g->map.banks, out);
    }
}
