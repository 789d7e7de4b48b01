// SPDX-License-Identifier: Apache-2.0
/* Takes launches of several streams from one list, as Accel-Sim does. A window of cke.kernels
 * launches moves over the list. A launch in the window begins as soon as its stream runs no other,
 * and leaves the window when it ends. */
#include <stdlib.h>
#include <string.h>

#include "check/check.h"
#include "gpu/parts.h"
#include "lib/alloc.h"

int gpu_use_launches(struct gpu *g, const struct workload *w, struct error *err) {
    struct gpu_list *l = &g->list;
    const struct workload_streams *of = w->streams;
    *l = (struct gpu_list){.of = of, .n = w->launches, .room = (uint32_t)g->cfg->cke_kernels};
    l->window = alloc_zeroed(l->room, sizeof *l->window);
    l->busy = alloc_zeroed(of->n, sizeof *l->busy);
    l->ended = alloc_zeroed(of->n, sizeof *l->ended);
    l->warm = alloc_zeroed(g->n_sms, sizeof *l->warm);
    return gpu_use_streams(g, of->n < l->room ? of->n : l->room, err);
}

void list_free(struct gpu *g) {
    free(g->list.window);
    free(g->list.busy);
    free(g->list.ended);
    free(g->list.warm);
}

/* ---- begin ---- */

static void fill_window(struct gpu *g) {
    struct gpu_list *l = &g->list;
    for (; l->used < l->room && l->next < l->n; l->next++) {
        size_t n;
        const struct kernel_copy *copy = l->of->copies(g->stream[0].workload, l->next, &n);
        for (size_t i = 0; i < n && g->cfg->l2_copy_fill; i++)
            gpu_fill_copy(g, &copy[i]);
        l->window[l->used++] = (struct list_entry){.launch = l->next};
    }
}

/* Gives the L1Ds of empty SMs the ways that the launch leaves. Those of other SMs follow when they
 * are empty. */
static void divide_arrays(struct gpu *g, uint32_t k) {
    const struct sm_kernel *kernel = &g->sm[0].kernel[k];
    g->list.shared_bytes = kernel->need.n[RES_SHARED] * kernel->limit;
    for (uint32_t i = 0; i < g->n_sms; i++)
        if (!g->list.warm[i])
            sm_divide(&g->sm[i], g->list.shared_bytes);
}

static bool begin_entry(struct gpu *g, struct list_entry *e) {
    struct gpu_list *l = &g->list;
    uint32_t k = 0;
    while (g->stream[k].on)
        k++;
    struct gpu_stream *s = &g->stream[k];
    if (!l->of->open(s->workload, e->launch, &s->launch)) {
        gpu_input_wrong(g);
        return false;
    }
    s->id = e->launch;
    gpu_stats(g, &s->at_launch);
    l->running++;
    l->busy[l->of->of[e->launch]] = e->begun = true;
    if (!gpu_start_launch(g, k))
        return false;
    divide_arrays(g, k);
    return true;
}

bool list_begin_launches(struct gpu *g) {
    struct gpu_list *l = &g->list;
    fill_window(g);
    for (uint32_t i = 0; i < l->used; i++) {
        struct list_entry *e = &l->window[i];
        if (!e->begun && !l->busy[l->of->of[e->launch]] && l->running < g->n_streams &&
            !begin_entry(g, e))
            return false;
    }
    g->idle = !l->running;
    for (uint32_t k = 0; k < g->n_streams; k++)
        g->stream[k].done = !l->running;
    return l->running != 0;
}

/* ---- CTAs ---- */

uint32_t list_choose(struct gpu *g) {
    uint32_t k = g->list.chosen;
    for (uint32_t n = 0; n < g->n_streams; n++, k = k + 1 < g->n_streams ? k + 1 : 0)
        if (stream_has_cta(g, &g->stream[k])) {
            g->list.chosen = k;
            return k;
        }
    return NO_PLACE;
}

void list_warm(struct gpu *g, uint32_t i) {
    if (!g->list.warm[i] && g->context.check)
        check_sm_emptied(g->context.check, i);
    g->list.warm[i] = true;
}

void list_flush_idle(struct gpu *g) {
    for (uint32_t i = 0; i < g->n_sms; i++) {
        struct sm *sm = &g->sm[i];
        if (!g->list.warm[i] || !sm_idle(sm))
            continue;
        g->list.warm[i] = false;
        sm_end_kernel(sm);
        sm_divide(sm, g->list.shared_bytes);
    }
}

/* ---- end ---- */

bool list_is_last(const struct gpu *g, uint32_t k) {
    (void)k;
    return g->list.running == 1 && g->list.used == 1 && g->list.next == g->list.n;
}

/* Adds the statistics of the launch that runs, or has just run, in place k. */
static void add_running(const struct gpu *g, uint32_t k, struct stats *s) {
    for (uint32_t i = 0; i < g->n_sms; i++)
        stats_add(s, g->sm[i].kernel[k].part);
}

void list_end_launch(struct gpu *g, uint32_t k) {
    struct gpu_list *l = &g->list;
    struct gpu_stream *s = &g->stream[k];
    const uint32_t stream = l->of->of[s->id];
    uint32_t i = 0;
    add_running(g, k, &l->ended[stream]);
    stat_add(&l->ended[stream], STAT_kernels, 1);
    for (uint32_t sm = 0; sm < g->n_sms; sm++)
        memset(g->sm[sm].kernel[k].part, 0, sizeof *g->sm[sm].kernel[k].part);
    l->of->close(s->workload, &s->launch);
    l->busy[stream] = false;
    l->running--;
    while (l->window[i].launch != s->id)
        i++;
    memmove(&l->window[i], &l->window[i + 1], (--l->used - i) * sizeof *l->window);
}

void list_add_stats(const struct gpu *g, uint32_t i, struct stats *s) {
    stats_add(s, &g->list.ended[i]);
    for (uint32_t k = 0; k < g->n_streams; k++)
        if (g->stream[k].on && g->list.of->of[g->stream[k].id] == i)
            add_running(g, k, s);
}
