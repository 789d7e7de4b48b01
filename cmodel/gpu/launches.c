// SPDX-License-Identifier: Apache-2.0
/* Launches: one is taken from the workload when the one before is over. */
#include <string.h>

#include "check/check.h"
#include "gpu/parts.h"

bool gpu_input_wrong(struct gpu *g, const struct workload *workload) {
    const char *why = workload->error ? workload->error(workload) : NULL;
    if (why)
        context_fail(&g->context, CONTEXT_BAD_INPUT, "%s", why);
    return why;
}

/* Who goes past the L1Ds is decided anew. */
static void begin_bypass(struct gpu *g) {
    const struct mdb_users *users = sm_bypass_users(&g->sm[0]);
    if (!users)
        return;
    g->users += users->n;
    g->cta_launches += users->ctas;
    if (g->cfg->l1d_bypass == BYPASS_MDB_GLOBAL)
        g->turn = 0; /* the SM that decides has work, however small the grid */
    for (uint32_t i = 0; i < g->n_sms; i++)
        clocked_due(&g->sm_clocked[i], g->cycle); /* one with a block has to be stepped */
}

bool gpu_begin_kernel(struct gpu *g, struct running *r, struct workload *workload) {
    struct kernel_launch *l = &r->launch;
    memset(l, 0, sizeof *l);
    if (!workload->next(workload, l)) {
        g->all_done = !gpu_input_wrong(g, workload);
        return false;
    }
    char why[CONTEXT_ERROR_MAX];
    for (uint32_t i = 0; i < g->n_sms; i++)
        if (sm_launch(&g->sm[i], l, why, sizeof why) != 0) {
            context_fail(&g->context, CONTEXT_BAD_INPUT, "%s", why);
            return false;
        }
    begin_bypass(g);
    r->next_cta = 0;
    r->begins = g->cycle + (uint64_t)g->cfg->sm_launch_latency;
    r->n_ctas = (uint64_t)l->grid[0] * l->grid[1] * l->grid[2];
    r->on = true;
    r->id = g->launches++;
    r->full_at = UINT64_MAX;
    r->ended_before = g->context.ctas_ended;
    const struct watcher *watcher = g->context.watcher;
    if (watcher)
        watcher->kernel_begins(watcher->ctx, r->id, l->name, g->cycle);
    return true;
}

bool gpu_kernel_over(const struct gpu *g, const struct running *r) {
    if (r->next_cta < r->n_ctas || g->context.pool.in_use)
        return false;
    for (uint32_t i = 0; i < g->n_sms; i++)
        if (!sm_empty(&g->sm[i]))
            return false;
    return true;
}

void gpu_end_kernel(struct gpu *g, struct running *r) {
    for (uint32_t i = 0; i < g->n_sms; i++)
        sm_end_kernel(&g->sm[i]);
    if (g->context.check)
        check_kernel_end(g->context.check);
    if (g->context.uvm)
        uvm_all_released(g->context.uvm);
    g->kernels++;
    r->on = false;
    const struct watcher *watcher = g->context.watcher;
    if (watcher)
        watcher->kernel_ends(watcher->ctx, g->cycle);
}
