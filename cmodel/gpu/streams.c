// SPDX-License-Identifier: Apache-2.0
/* Runs the streams. Each stream runs the launches of one workload, one after another. */
#include <string.h>

#include "check/check.h"
#include "gpu/parts.h"
#include "gpu/partition.h"
#include "policy/policies.h"

bool gpu_input_wrong(struct gpu *g) {
    for (uint32_t k = 0; k < g->n_streams; k++) {
        const struct workload *w = g->stream[k].workload;
        const char *why = w->error ? w->error(w) : NULL;
        if (!why)
            continue;
        context_fail(&g->context, CONTEXT_BAD_INPUT, "%s", why);
        return true;
    }
    return false;
}

/* ---- a launch begins ---- */

/* Counts the users of the L1Ds in the launch, and makes all SMs due. */
static void begin_policies(struct gpu *g) {
    const struct cache_users users = cache_users(&g->sm[0].l1d.cache);
    g->users += users.n;
    g->cta_launches += users.ctas;
    if (l1d_leading_policy(g->cfg))
        g->turn = g->port_turn[0] =
            0; /* the SM that decides for all gets work even if the grid is small */
    for (uint32_t i = 0; i < g->n_sms; i++)
        clocked_due(&g->sm_clocked[i], g->cycle); /* an SM with a block must be ticked */
}

/* Partitions the SMs among the running streams. */
static void share_sms(struct gpu *g) {
    for (uint32_t k = 0; k < g->n_streams; k++)
        g->stream[k].full_at = UINT64_MAX;
    if (gpu_listed(g))
        return;
    for (uint32_t i = 0; i < g->n_sms; i++)
        partition_apply(g->cfg, &g->sm[i], g->n_streams, streams_on(g));
}

/* Launches kernel k on all SMs. Returns 0, or -1 with one line in `why`. */
static int launch_on_sms(struct gpu *g, uint32_t k, struct error *why) {
    for (uint32_t i = 0; i < g->n_sms; i++)
        if (sm_launch(&g->sm[i], k, &g->stream[k].launch, why) != 0)
            return -1;
    const bool first_of_all = g->launches + 1 == g->n_streams;
    return first_of_all ? partition_fits(g->cfg, &g->sm[0], g->n_streams, why) : 0;
}

/* Gets the next launch of the stream. Returns false if there is none. */
static bool next_launch(const struct gpu *g, struct gpu_stream *s) {
    if (g->cfg->cke_restart == RESTART_LAUNCH && s->launches)
        return true;
    memset(&s->launch, 0, sizeof s->launch);
    return s->workload->next(s->workload, &s->launch);
}

/* If all streams run and restart forever, returns the first stream whose CTA limit is 0 on all SMs.
 * Returns NULL otherwise, or if there is no such stream. */
static const struct gpu_stream *without_cta(const struct gpu *g) {
    if (gpu_listed(g) || g->cfg->cke_restart == RESTART_NONE ||
        streams_on(g) + 1 != 1u << g->n_streams)
        return NULL;
    for (uint32_t k = 0; k < g->n_streams; k++) {
        uint32_t i = 0;
        while (i < g->n_sms && !g->sm[i].kernel[k].limit)
            i++;
        if (i == g->n_sms)
            return &g->stream[k];
    }
    return NULL;
}

/* Takes the next launch of a stream. Returns false if there is no launch or its pages have not
 * arrived. */
static bool take_launch(struct gpu *g, struct gpu_stream *s) {
    struct uvm *uvm = g->paging ? g->paging->uvm : NULL;
    if (!s->waits_for_pages && !next_launch(g, s)) {
        s->done = !gpu_input_wrong(g);
        g->idle -= s->done;
        share_sms(g);
        return false;
    }
    if (!s->waits_for_pages && uvm)
        uvm_prefetch_arrays(uvm, g->cycle);
    s->waits_for_pages = uvm && uvm_prefetching(uvm);
    return !s->waits_for_pages;
}

/* Puts the last bytes of a copy into the L2. Bytes that later ones would replace for certain, all
 * but as many as four L2s hold, are left out. */
void gpu_fill_copy(struct gpu *g, const struct kernel_copy *copy) {
    const struct config *c = g->cfg;
    const uint64_t most = UINT64_C(4) * LINE_BYTES * (uint64_t)c->l2_partitions *
                          (uint64_t)c->l2_banks * (uint64_t)c->l2_sets * (uint64_t)c->l2_ways;
    uint64_t addr = copy->addr, left = copy->bytes;
    if (left > most) {
        addr += left - most;
        left = most;
    }
    while (left && addr / LINE_BYTES < UINT64_C(1) << ADDR_LINE_BITS) {
        const uint32_t first = (uint32_t)(addr % LINE_BYTES);
        const uint32_t n = left < LINE_BYTES - first ? (uint32_t)left : LINE_BYTES - first;
        const struct byte_mask mask = mask_range(first, n);
        const uint64_t line = addr / LINE_BYTES;
        uint8_t data[LINE_BYTES];
        if (g->context.carry)
            backing_read(&g->backing, line, data);
        if (addr < LOCAL_BASE || addr >= LOCAL_END)
            l2_copy_line(&g->l2[addr_bank(&g->map, line)], line, mask_sector_bits(&mask),
                         g->context.carry ? data : NULL);
        addr += n;
        left -= n;
    }
}

/* Makes the copies before a launch, once. */
static void make_copies(struct gpu *g, struct kernel_launch *l) {
    for (size_t i = 0; i < l->copies && g->cfg->l2_copy_fill && !g->paging; i++)
        gpu_fill_copy(g, &l->copy[i]);
    l->copies = 0;
}

bool gpu_start_launch(struct gpu *g, uint32_t k) {
    struct gpu_stream *s = &g->stream[k];
    const struct kernel_launch *l = &s->launch;
    struct error why;
    if (launch_on_sms(g, k, &why) != 0) {
        context_fail(&g->context, CONTEXT_BAD_INPUT, "%s", why.text);
        return false;
    }
    begin_policies(g);
    s->next_cta = 0;
    s->begins = g->cycle + (uint64_t)g->cfg->sm_launch_latency;
    s->n_ctas = (uint64_t)l->grid[0] * l->grid[1] * l->grid[2];
    s->on = true;
    g->launches++;
    share_sms(g);
    const struct gpu_stream *none = without_cta(g);
    if (none)
        context_fail(&g->context, CONTEXT_BAD_INPUT,
                     "cke.partition and cke.restart leave no room for a CTA of kernel %s",
                     none->launch.name);
    s->ended_before = g->context.ctas_ended;
    const struct watcher *watcher = g->context.watcher;
    if (watcher)
        watcher->kernel_begins(watcher->ctx, k, s->id, l->name, g->cycle);
    return true;
}

/* Begins the next launch of stream k, if there is a launch and it can run. */
static void begin_launch(struct gpu *g, uint32_t k) {
    struct gpu_stream *s = &g->stream[k];
    if (!take_launch(g, s))
        return;
    make_copies(g, &s->launch);
    s->id = g->launches;
    g->idle -= gpu_start_launch(g, k);
}

/* True during a copy. No launch may begin during this time. */
static bool copying(const struct gpu *g) {
    return g->paging && uvm_copying(g->paging->uvm);
}

bool gpu_begin_launches(struct gpu *g) {
    if (gpu_listed(g))
        return list_begin_launches(g);
    bool any = copying(g);
    for (uint32_t k = 0; k < g->n_streams; k++) {
        struct gpu_stream *s = &g->stream[k];
        if (!s->on && !s->done && !copying(g))
            begin_launch(g, k);
        any = any || s->on || s->waits_for_pages;
    }
    return any;
}

bool gpu_streams_done(const struct gpu *g) {
    for (uint32_t k = 0; k < g->n_streams; k++)
        if (!g->stream[k].done)
            return false;
    return true;
}

/* ---- end of a launch ---- */

/* True if the launch is over. The last running launch is over only when no request is left, because
 * memory must contain its final bytes. */
static bool launch_over(const struct gpu *g, uint32_t k, bool last) {
    if (last && g->context.pool.in_use)
        return false;
    for (uint32_t i = 0; i < g->n_sms; i++)
        if (last ? !sm_empty(&g->sm[i]) : !sm_kernel_done(&g->sm[i], k))
            return false;
    return true;
}

/* Ends the last running launch. No SM may have work left. */
static void end_all(struct gpu *g) {
    for (uint32_t i = 0; i < g->n_sms; i++)
        sm_end_kernel(&g->sm[i]);
    if (g->context.check)
        check_kernel_end(g->context.check);
    if (g->context.uvm)
        uvm_all_released(g->context.uvm);
}

/* Checks that no L1D has the lines, independently of the code that drops the lines. */
static void expect_forgotten(struct gpu *g, uint64_t first, uint64_t end) {
    for (uint32_t i = 0; i < g->n_sms; i++) {
        const uint64_t line = l1d_line_held(&g->sm[i].l1d, first, end);
        if (line != LINE_NONE)
            context_fail(&g->context, CONTEXT_BROKEN,
                         "line 0x%llx of a launch that has ended is in the L1D of SM %u",
                         (unsigned long long)line * LINE_BYTES, (unsigned)i);
    }
}

/* Ends one launch while others run. The L1Ds drop the lines of the launch's arrays. */
static void end_one(struct gpu *g, const struct workload *w) {
    for (unsigned a = 0; a < w->n_arrays; a++) {
        const struct device_array *array = &w->arrays[a];
        const uint64_t first = array->base / LINE_BYTES;
        const uint64_t end = (array->base + array->bytes + LINE_BYTES - 1) / LINE_BYTES;
        for (uint32_t i = 0; i < g->n_sms; i++)
            l1d_invalidate_range(&g->sm[i].l1d, first, end);
        if (!g->context.check)
            continue;
        expect_forgotten(g, first, end);
        check_kernel_end_range(g->context.check, first, end);
    }
}

static void flush_l2(struct gpu *g) {
    for (uint32_t i = 0; i < g->n_banks; i++)
        l2_flush(&g->l2[i]);
}

static void end_launch(struct gpu *g, uint32_t k, bool last) {
    struct gpu_stream *s = &g->stream[k];
    if (last)
        end_all(g);
    else if (!gpu_listed(g))
        end_one(g, s->workload);
    s->on = false;
    s->ended = true;
    g->idle++;
    s->launches++;
    g->kernels++;
    const struct watcher *watcher = g->context.watcher;
    if (watcher)
        watcher->kernel_ends(watcher->ctx, k, g->cycle);
    if (gpu_listed(g))
        list_end_launch(g, k);
}

void gpu_try_end(struct gpu *g, uint32_t k) {
    const bool alone = gpu_listed(g) ? g->list.running == 1 : streams_on(g) == 1u << k;
    const bool last = gpu_listed(g) ? list_is_last(g, k) : alone;
    const bool flush = alone && g->cfg->l2_flush;
    if (!launch_over(g, k, last || flush))
        return;
    end_launch(g, k, last);
    if (flush)
        flush_l2(g);
}
