// SPDX-License-Identifier: Apache-2.0
#include "detail.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "report.h"
#include "workload_set.h"

static struct detail_row *new_row(struct detail *d, const char *scope, uint64_t index) {
    if (d->n == d->room) {
        size_t room = d->room ? 2 * d->room : 64;
        struct detail_row *row = realloc(d->row, room * sizeof *row);
        if (!row) {
            d->lost = true;
            return NULL;
        }
        d->row = row;
        d->room = room;
    }
    struct detail_row *row = &d->row[d->n++];
    row->scope = scope;
    row->index = index;
    row->name[0] = '\0';
    return row;
}

void detail_kernel(struct detail *d, uint64_t launch, const char *name,
                   const struct stats *during) {
    struct detail_row *row = new_row(d, "kernel", launch);
    if (!row)
        return;
    snprintf(row->name, sizeof row->name, "%s", name);
    row->stats = *during;
}

void detail_streams(struct detail *d, const struct gpu *gpu, const char *workloads, uint32_t n) {
    for (uint32_t k = 0; k < n; k++) {
        struct detail_row *row = new_row(d, "stream", k);
        if (!row)
            return;
        workload_set_part(workloads, k, row->name, sizeof row->name);
        gpu_stream_stats(gpu, k, &row->stats);
    }
}

void detail_parts(struct detail *d, struct gpu *gpu) {
    for (int part = 0; part < GPU_PARTS; part++)
        for (uint32_t i = 0; i < gpu_part_count(gpu, (enum gpu_part)part); i++) {
            struct detail_row *row = new_row(d, gpu_part_name[part], i);
            if (row)
                gpu_part_stats(gpu, (enum gpu_part)part, i, &row->stats);
        }
}

void detail_free(struct detail *d) {
    free(d->row);
    *d = (struct detail){0};
}

/* ---- time series ---- */

/* Statistics of each of several workloads in a row, in columns like w0_thread_insts. */
static const enum stat_id of_stream[] = {STAT_warp_insts,    STAT_thread_insts, STAT_ctas,
                                         STAT_l1d_accesses,  STAT_l1d_hits,     STAT_l1d_primary,
                                         STAT_l1d_secondary, STAT_l1d_rf};
#define OF_STREAM (sizeof of_stream / sizeof of_stream[0])

int series_begin(struct series *s, const char *path, uint32_t workloads, char *origin, char *err,
                 size_t err_size) {
    *s = (struct series){.origin = origin, .n_streams = workloads > 1 ? workloads : 0};
    s->streams = calloc(2 * (size_t)workloads, sizeof *s->streams);
    if (!origin || !s->streams) {
        snprintf(err, err_size, "%s: out of memory", path);
        return -1;
    }
    if (new_file_open(&s->file, path, err, err_size))
        return -1;
    s->open = true;
    fputs("cycle", s->file.f);
    for (int i = 0; i < STAT_COUNT; i++)
        fprintf(s->file.f, ",%s", stat_table[i].name);
    for (int i = 0; i < DERIVED_COUNT; i++)
        fprintf(s->file.f, ",%s", derived_table[i].name);
    for (uint32_t k = 0; k < s->n_streams; k++)
        for (unsigned i = 0; i < OF_STREAM; i++)
            fprintf(s->file.f, ",w%" PRIu32 "_%s", k, stat_table[of_stream[i]].name);
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
            fprintf(s->file.f, ",%" PRIu64, s->streams[2 * k + 1].v[of_stream[i]]);
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

int series_end(struct series *s, bool complete, char *err, size_t err_size) {
    if (s->any)
        write_row(s, complete);
    s->open = false;
    return new_file_commit(&s->file, err, err_size);
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
