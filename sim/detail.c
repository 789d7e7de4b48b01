// SPDX-License-Identifier: Apache-2.0
#include "detail.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "report.h"
#include "workload_set.h"

static struct detail_row *new_row(struct detail *d, const char *scope, uint64_t index,
                                  const char *name) {
    d->row = alloc_grown(d->row, d->n, &d->room, sizeof *d->row);
    struct detail_row *row = &d->row[d->n++];
    row->scope = scope;
    row->index = index;
    row->streamed = false;
    row->name = alloc_text(name);
    return row;
}

void detail_kernel(struct detail *d, uint64_t launch, const char *name, const struct stats *during,
                   const struct trace *trace) {
    struct detail_row *row = new_row(d, "kernel", launch, name);
    row->stats = *during;
    row->streamed = trace && trace->n_streams > 1;
    row->stream = row->streamed ? trace->stream[trace->list.kernel[launch].stream] : 0;
}

void detail_trace_streams(struct detail *d, const struct gpu *gpu, const struct trace *trace) {
    for (uint32_t i = 0; i < trace->n_streams; i++) {
        char name[32];
        snprintf(name, sizeof name, "%" PRIu64, trace->stream[i]);
        gpu_stream_stats(gpu, i, &new_row(d, "stream", i, name)->stats);
    }
}

void detail_streams(struct detail *d, const struct gpu *gpu, const char *workloads, uint32_t n) {
    for (uint32_t k = 0; k < n; k++) {
        char name[64];
        workload_set_part(workloads, k, name, sizeof name);
        gpu_stream_stats(gpu, k, &new_row(d, "stream", k, name)->stats);
    }
}

void detail_parts(struct detail *d, struct gpu *gpu) {
    for (int part = 0; part < GPU_PARTS; part++)
        for (uint32_t i = 0; i < gpu_part_count(gpu, (enum gpu_part)part); i++) {
            struct detail_row *row = new_row(d, gpu_part_name[part], i, "");
            gpu_part_stats(gpu, (enum gpu_part)part, i, &row->stats);
        }
}

void detail_free(struct detail *d) {
    for (uint32_t i = 0; i < d->n; i++)
        free(d->row[i].name);
    free(d->row);
    *d = (struct detail){0};
}

/* ---- Kernels of one name ---- */

static struct kernel_sum *find_sum(struct kernel_sums *k, const char *name) {
    const uint64_t key = hash_bytes(0, name, strlen(name));
    uint32_t i = HASH_MAP_START, at;
    while ((at = hash_map_next(&k->by_name, key, &i)) != HASH_MAP_NONE)
        if (strcmp(k->row[at].name, name) == 0)
            return &k->row[at];
    hash_map_add(&k->by_name, key, k->n);
    k->row = alloc_grown(k->row, k->n, &k->room, sizeof *k->row);
    k->row[k->n] = (struct kernel_sum){.name = alloc_text(name)};
    return &k->row[k->n++];
}

void kernel_sums_add(struct kernel_sums *k, const char *name, const struct stats *during) {
    struct kernel_sum *sum = find_sum(k, name);
    sum->launches++;
    stats_add(&sum->stats, during);
}

void kernel_sums_free(struct kernel_sums *k) {
    for (uint32_t i = 0; i < k->n; i++)
        free(k->row[i].name);
    free(k->row);
    hash_map_free(&k->by_name);
    *k = (struct kernel_sums){0};
}

/* ---- Time series ---- */

/* Statistics that have a column per workload, such as w0_thread_insts, if there are several
 * workloads. */
static const enum stat_id stream_stats[] = {
    STAT_warp_insts,           STAT_thread_insts, STAT_ctas,
    STAT_l1d_accesses,         STAT_l1d_hits,     STAT_l1d_primary_misses,
    STAT_l1d_secondary_misses, STAT_l1d_refusals};
#define OF_STREAM (sizeof stream_stats / sizeof stream_stats[0])

int series_begin(struct series *s, const char *path, uint32_t workloads, char *origin,
                 struct error *err) {
    *s = (struct series){.origin = origin, .n_streams = workloads > 1 ? workloads : 0};
    s->streams = alloc_zeroed(2 * (size_t)workloads, sizeof *s->streams);
    if (new_file_open(&s->file, path, err))
        return -1;
    s->open = true;
    fputs("cycle", s->file.f);
    for (int i = 0; i < STAT_COUNT; i++)
        fprintf(s->file.f, ",%s", stat_table[i].name);
    for (int i = 0; i < DERIVED_COUNT; i++)
        fprintf(s->file.f, ",%s", derived_table[i].name);
    for (uint32_t k = 0; k < s->n_streams; k++)
        for (unsigned i = 0; i < OF_STREAM; i++)
            fprintf(s->file.f, ",w%" PRIu32 "_%s", k, stat_table[stream_stats[i]].name);
    fputs(",complete" REPORT_ORIGIN "\n", s->file.f);
    return 0;
}

static void write_row(const struct series *s, bool complete) {
    fprintf(s->file.f, "%" PRIu64, s->last.v[STAT_cycles]);
    for (int i = 0; i < STAT_COUNT; i++)
        fprintf(s->file.f, ",%" PRIu64, s->since.v[i]);
    for (int i = 0; i < DERIVED_COUNT; i++)
        fprintf(s->file.f, ",%.6g", stats_derived(&s->since, (enum derived_id)i));
    for (uint32_t k = 0; k < s->n_streams; k++)
        for (unsigned i = 0; i < OF_STREAM; i++)
            fprintf(s->file.f, ",%" PRIu64, s->streams[2 * k + 1].v[stream_stats[i]]);
    fprintf(s->file.f, ",%d%s\n", complete, s->origin);
}

void series_row(struct series *s, const struct gpu *gpu, const struct stats *totals) {
    if (s->any)
        write_row(s, false);
    stats_difference(&s->since, totals, &s->last);
    s->last = *totals;
    for (uint32_t k = 0; k < s->n_streams; k++) {
        struct stats now, *last = &s->streams[2 * k];
        gpu_stream_stats(gpu, k, &now);
        stats_difference(&last[1], &now, last);
        *last = now;
    }
    s->any = true;
}

int series_end(struct series *s, bool complete, struct error *err) {
    if (s->any)
        write_row(s, complete);
    s->open = false;
    return new_file_commit(&s->file, err);
}

void series_drop(struct series *s) {
    if (s->open)
        new_file_drop(&s->file);
    s->open = false;
    free(s->streams);
    s->streams = NULL;
    free(s->origin);
    s->origin = NULL;
}
