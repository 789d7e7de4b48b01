// SPDX-License-Identifier: Apache-2.0
/* Runs workloads, launch by launch, to their end. */
#include "gpu/gpu.h"

#include "check/check.h"
#include "gpu/parts.h"
#include "gpu/partition.h"

#define PROGRESS_CYCLES (UINT64_C(1) << 14)

/* ---- interface ---- */

void gpu_read_line(void *gpu, uint64_t line, uint8_t data[LINE_BYTES]) {
    struct gpu *g = gpu;
    if (g->paging && page_data_read(g, line, data))
        return;
    backing_read(&g->backing, line, data);
    const uint32_t bank = addr_find_bank(&g->map, line);
    if (bank == ADDR_NO_BANK)
        return;
    l2_read_line(&g->l2[bank], line, data);
}

const char *gpu_error(const struct gpu *g) {
    return g->context.error.text;
}

bool gpu_plant_made(const struct gpu *g) {
    return g->context.plant == PLANT_NONE || g->context.plant_made;
}

void gpu_reached(const struct gpu *g, struct gpu_reached *reached) {
    const struct gpu_stream *s = &g->stream[0];
    const bool any = g->launches > 0;
    const bool counted = g->n_streams == 1 && g->cfg->cke_restart != RESTART_GRID;
    *reached = (struct gpu_reached){
        .cycles = g->cycle,
        .launch = g->launches,
        .ctas = any ? g->context.ctas_ended - s->ended_before : 0,
        .grid = any && counted ? s->n_ctas : 0,
        .all_ctas = g->context.ctas_ended,
        .kernel = any && s->launch.name ? s->launch.name : "",
    };
}

/* ---- the end ---- */

static bool stuck(struct gpu *g) {
    if (g->context.progress != g->seen_progress) {
        g->seen_progress = g->context.progress;
        g->moved_at = g->cycle;
    }
    return g->cycle - g->moved_at >= g->patience;
}

/* Returns true and sets *end if the run ends after this SM cycle. */
static bool ended(struct gpu *g, const volatile bool *stop, enum gpu_end *end) {
    const struct context *c = &g->context;
    if ((g->reads_input && gpu_input_wrong(g)) || c->fault == CONTEXT_BAD_INPUT)
        *end = GPU_BAD_LAUNCH;
    else if (c->fault == CONTEXT_INTERNAL)
        *end = GPU_INTERNAL;
    else if (c->fault == CONTEXT_BROKEN || (c->check && check_failure(c->check)))
        *end = GPU_CHECK_FAILED;
    else if ((stop && *stop) ||
             (g->cfg->sim_max_cycles && g->cycle >= (uint64_t)g->cfg->sim_max_cycles))
        *end = GPU_STOPPED;
    else if (stuck(g))
        *end = GPU_NO_PROGRESS;
    else
        return false;
    return true;
}

/* ---- monitor ---- */

/* Reports the statistics of a launch that has ended. Those of the stream's next launch are counted
 * from the current totals.
 */
static void report_kernel(struct gpu *g, struct gpu_stream *s, const struct gpu_monitor *monitor) {
    struct stats now, during;
    gpu_stats(g, &now);
    stats_difference(&during, &now, &s->at_launch);
    monitor->kernel(monitor->ctx, s->id, s->launch.name, &during);
    s->at_launch = now;
}

/* Calls the monitor after an SM cycle. */
static void tell_monitor(struct gpu *g, const struct gpu_monitor *monitor) {
    struct stats totals;
    for (uint32_t k = 0; k < g->n_streams; k++)
        if (g->stream[k].ended) {
            g->stream[k].ended = false;
            if (monitor->kernel)
                report_kernel(g, &g->stream[k], monitor);
        }
    if (monitor->progress && g->cycle - g->last_report >= PROGRESS_CYCLES) {
        g->last_report = g->cycle;
        monitor->progress(monitor->ctx);
    }
    if (monitor->sample_cycles && g->cycle - g->sampled >= monitor->sample_cycles) {
        g->sampled = g->cycle;
        gpu_stats(g, &totals);
        monitor->sample(monitor->ctx, &totals);
    }
    if (g->cycle >= g->look_at)
        g->look_at = monitor->look(monitor->ctx, g->cycle);
}

/* Returns the first SM cycle that must not be skipped, because the run may end after it, a sample
 * is due, or the gauges must be read. */
static uint64_t must_tick(const struct gpu *g, const struct gpu_monitor *monitor) {
    uint64_t next = g->moved_at + g->patience - 1;
    if (g->cfg->sim_max_cycles && (uint64_t)g->cfg->sim_max_cycles - 1 < next)
        next = (uint64_t)g->cfg->sim_max_cycles - 1;
    if (monitor && monitor->sample_cycles && g->sampled + monitor->sample_cycles - 1 < next)
        next = g->sampled + monitor->sample_cycles - 1;
    return g->look_at - 1 < next ? g->look_at - 1 : next;
}

/* ---- the run ---- */

void gpu_watch_banks(struct gpu *g) {
    for (uint32_t i = 0; i < g->n_channels; i++)
        dram_watch_banks(&g->dram[i]);
}

static void show_banks(struct gpu *g) {
    gpu_watch_banks(g);
    for (uint32_t i = 0; i < g->n_channels; i++)
        g->dram[i].show_banks = true;
}

static void begin_streams(struct gpu *g, struct workload *const *workload) {
    g->idle = g->n_streams;
    g->reads_input = false;
    for (uint32_t k = 0; k < g->n_streams; k++) {
        struct workload *w = workload[gpu_listed(g) ? 0 : k];
        g->stream[k] = (struct gpu_stream){.workload = w};
        g->reads_input = g->reads_input || w->error;
    }
    if (g->paging)
        paging_begin(g, workload[0]);
}

static void watch_loads(struct gpu *g, const struct load_watcher *loads) {
    g->context.loads = loads;
    request_pool_mark(&g->context.pool);
    for (uint32_t i = 0; i < g->n_sms; i++)
        lsu_watch_loads(&g->sm[i].lsu);
    for (uint32_t i = 0; i < g->n_channels; i++)
        dram_watch_loads(&g->dram[i]);
}

enum gpu_end gpu_run(struct gpu *g, struct workload *workload, const volatile bool *stop,
                     const struct gpu_monitor *monitor) {
    return gpu_run_streams(g, &workload, stop, monitor);
}

enum gpu_end gpu_run_streams(struct gpu *g, struct workload *const *workload,
                             const volatile bool *stop, const struct gpu_monitor *monitor) {
    enum gpu_end end = GPU_DONE;
    begin_streams(g, workload);
    g->context.watcher = monitor ? monitor->watcher : NULL;
    if (monitor && monitor->loads)
        watch_loads(g, monitor->loads);
    if (monitor && monitor->banks)
        show_banks(g);
    g->look_at = monitor && monitor->look ? monitor->look(monitor->ctx, g->cycle) : UINT64_MAX;
    while (!ended(g, stop, &end)) {
        if (g->idle && !gpu_begin_launches(g)) {
            if (gpu_streams_done(g))
                break;
            continue; /* the fault ends the run */
        }
        if (g->skip && gpu_may_jump(g))
            gpu_jump(g, must_tick(g, monitor));
        g->ticked = false;
        while (!gpu_tick(g))
            ;
        if (monitor)
            tell_monitor(g, monitor);
    }
    if (monitor && monitor->sample_cycles && g->cycle > g->sampled) {
        struct stats totals;
        gpu_stats(g, &totals);
        monitor->sample(monitor->ctx, &totals);
    }
    return end;
}
