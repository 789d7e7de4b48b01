// SPDX-License-Identifier: Apache-2.0
#include "gauge_series.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"

#define FIRST_PERIOD 64                                 /* in SM cycles */
#define MOST_SAMPLES ((size_t)GAUGE_SERIES_SAMPLES + 1) /* one more for the end of the run */

/* Figures computed from statistics. The sum of the statistics `over` is the denominator. */
static const struct figure {
    enum derived_id id;
    uint32_t n;
    enum stat_id over[4];
} figures[] = {
    {DERIVED_l1d_miss_rate,
     4,
     {STAT_l1d_hits, STAT_l1d_primary_misses, STAT_l1d_secondary_misses, STAT_l1d_bypasses}},
    {DERIVED_l2_miss_rate, 1, {STAT_l2_accesses}},
    {DERIVED_dram_row_hit_rate, 2, {STAT_dram_rd, STAT_dram_wr}},
    {DERIVED_load_latency_mean, 1, {STAT_load_lines}},
};

/* ---- Tracks ---- */

/* Returns the index of a track. Adds the track if it is new. */
static uint32_t track_of(struct gauge_series *s, const char *place, uint32_t index,
                         const struct gauge *g) {
    uint32_t i = 0;
    while (i < s->tracks && (s->track[i].index != index || strcmp(s->track[i].name, g->name) != 0 ||
                             strcmp(s->track[i].place, place) != 0))
        i++;
    if (i == s->tracks) {
        s->track = alloc_grown(s->track, s->tracks, &s->tracks_room, sizeof *s->track);
        s->track[s->tracks++] = (struct gauge_track){place, g->name, g->unit, index, 0};
    }
    s->track[i].capacity += g->capacity;
    return i;
}

/* Adds a gauge to the track of its sum. A DRAM channel's gauge also has a track of its own. */
static void meet_gauge(void *ctx, const char *place, uint32_t index, const struct gauge *g) {
    struct gauge_series *s = ctx;
    if (g->bank)
        return;
    s->way = alloc_grown(s->way, s->ways, &s->ways_room, sizeof *s->way);
    struct gauge_way *w = &s->way[s->ways++];
    w->all = w->own = track_of(s, place, GPU_ONLY, g);
    if (index != GPU_ONLY && strcmp(place, "DRAM channel") == 0)
        w->own = track_of(s, place, index, g);
}

/* Returns the number of values in a sample. */
static size_t width_of(const struct gauge_series *s) {
    return s->tracks + (size_t)s->banks;
}

static struct gauge_value *row_of(const struct gauge_series *s, size_t sample) {
    return &s->value[sample * width_of(s)];
}

static void take_gauge(void *ctx, const char *place, uint32_t index, const struct gauge *g) {
    struct gauge_series *s = ctx;
    struct gauge_value *row = row_of(s, s->samples);
    (void)place, (void)index;
    if (g->bank)
        return;
    const struct gauge_way *w = &s->way[s->next_way++];
    row[w->all].value += g->value;
    row[w->all].cycles = g->cycles;
    if (w->own != w->all)
        row[w->own] = (struct gauge_value){g->value, g->cycles};
}

static void take_bank(void *ctx, const struct gauge *g) {
    struct gauge_series *s = ctx;
    row_of(s, s->samples)[s->next_way++] = (struct gauge_value){g->value, g->cycles};
}

/* ---- Samples ---- */

void gauge_series_begin(struct gauge_series *s, struct gpu *gpu, uint32_t channel_banks) {
    *s = (struct gauge_series){.gpu = gpu,
                               .channels = gpu_part_count(gpu, GPU_DRAM_CHANNEL),
                               .channel_banks = channel_banks,
                               .period = FIRST_PERIOD,
                               .kernel_stride = 1};
    if ((uint64_t)s->channels * channel_banks <= GAUGE_SERIES_BANKS)
        s->banks = s->channels * channel_banks;
    s->stats = alloc_zeroed(MOST_SAMPLES, sizeof *s->stats);
    s->kernel = alloc_zeroed(GAUGE_SERIES_SAMPLES, sizeof *s->kernel);
    if (s->banks)
        gpu_watch_banks(gpu);
}

/* Lists the tracks when the first sample is taken, because the gauges are not known before the
 * run. */
static void find_tracks(struct gauge_series *s) {
    gpu_gauges(s->gpu, meet_gauge, s);
    s->value = alloc_zeroed(MOST_SAMPLES * width_of(s) + 1, sizeof *s->value);
}

static void take_sample(struct gauge_series *s) {
    const struct gauge_reader banks = {s, take_bank};
    if (!s->value)
        find_tracks(s);
    memset(row_of(s, s->samples), 0, width_of(s) * sizeof *s->value);
    s->next_way = 0;
    gpu_gauges(s->gpu, take_gauge, s);
    s->next_way = s->tracks;
    for (uint32_t c = 0; s->banks && c < s->channels; c++)
        gpu_bank_gauges(s->gpu, c, &banks);
    gpu_stats(s->gpu, &s->stats[s->samples++]);
}

static void thin(struct gauge_series *s) {
    size_t n = 0;
    s->period *= 2;
    for (size_t i = 0; i < s->samples; i++) {
        if (s->stats[i].v[STAT_cycles] % s->period)
            continue;
        s->stats[n] = s->stats[i];
        memmove(row_of(s, n++), row_of(s, i), width_of(s) * sizeof *s->value);
    }
    s->samples = n;
}

uint64_t gauge_series_look(struct gauge_series *s, uint64_t cycle) {
    if (cycle % s->period == 0 && s->samples == GAUGE_SERIES_SAMPLES)
        thin(s);
    if (cycle % s->period == 0)
        take_sample(s);
    return (cycle / s->period + 1) * s->period;
}

void gauge_series_kernel(struct gauge_series *s, uint64_t launch, const char *name,
                         const struct stats *during) {
    struct gpu_reached reached;
    size_t n = 0;
    if (launch % s->kernel_stride == 0 && s->kernels == GAUGE_SERIES_SAMPLES) {
        s->kernel_stride *= 2;
        for (size_t i = 0; i < s->kernels; i++)
            if (s->kernel[i].launch % s->kernel_stride == 0)
                s->kernel[n++] = s->kernel[i];
        s->kernels = n;
    }
    if (launch % s->kernel_stride)
        return;
    gpu_reached(s->gpu, &reached);
    struct gauge_kernel *k = &s->kernel[s->kernels++];
    *k = (struct gauge_kernel){launch, reached.cycles - during->v[STAT_cycles], reached.cycles,
                               name};
}

void gauge_series_end(struct gauge_series *s) {
    struct gpu_reached reached;
    gpu_reached(s->gpu, &reached);
    if (!s->samples || s->stats[s->samples - 1].v[STAT_cycles] < reached.cycles)
        take_sample(s);
}

/* ---- JSON ---- */

/* Returns v rounded to three significant digits, which is more than a plot can show, or null if v
 * is NAN. */
static cJSON *number(double v) {
    char text[32];
    if (!isfinite(v))
        return cJSON_CreateNull();
    snprintf(text, sizeof text, "%.3g", v);
    return cJSON_CreateNumber(strtod(text, NULL));
}

/* Returns a gauge's mean from sample i to the next, or the gauge's value at sample i if it counts
 * no cycles. Returns NAN if the part's clock had no cycle between the two samples. */
static double gauge_at(const struct gauge_series *s, uint32_t track, size_t i) {
    const struct gauge_value *a = row_of(s, i) + track, *b = row_of(s, i + 1) + track;
    if (!a->cycles && !b->cycles)
        return (double)a->value;
    return b->cycles == a->cycles ? (double)NAN
                                  : (double)(b->value - a->value) / (double)(b->cycles - a->cycles);
}

static uint64_t count_accesses(const struct gauge_series *s, const struct figure *f, size_t from,
                               size_t to) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < f->n; i++)
        sum += s->stats[to].v[f->over[i]] - s->stats[from].v[f->over[i]];
    return sum;
}

/* Returns a figure over the interval from sample i to the next. Widens the interval on both sides
 * until it has enough accesses. */
static double figure_at(const struct gauge_series *s, uint32_t figure, size_t i) {
    const struct figure *f = &figures[figure];
    size_t from = i, to = i + 1;
    struct stats since;
    while (count_accesses(s, f, from, to) < GAUGE_SERIES_ACCESSES &&
           (from || to + 1 < s->samples)) {
        from -= from > 0;
        to += to + 1 < s->samples;
    }
    stats_difference(&since, &s->stats[to], &s->stats[from]);
    return stats_derived(&since, f->id);
}

/* Returns the values of a track, or NULL if all are 0 and `keep` is not set. */
static cJSON *values(const struct gauge_series *s, uint32_t which, bool keep,
                     double (*at)(const struct gauge_series *s, uint32_t which, size_t i)) {
    cJSON *list = cJSON_CreateArray();
    bool any = keep;
    for (size_t i = 0; i + 1 < s->samples; i++) {
        double v = at(s, which, i);
        any |= v != 0 && isfinite(v);
        cJSON_AddItemToArray(list, number(v));
    }
    if (any)
        return list;
    cJSON_Delete(list);
    return NULL;
}

static void add_row(cJSON *to, const struct gauge_track *t, cJSON *list) {
    cJSON *row = list ? cJSON_CreateObject() : NULL;
    if (!list)
        return;
    cJSON_AddStringToObject(row, "place", t->place);
    if (t->index != GPU_ONLY)
        cJSON_AddNumberToObject(row, "index", t->index);
    cJSON_AddStringToObject(row, "name", t->name);
    cJSON_AddStringToObject(row, "unit", t->unit);
    if (t->capacity)
        cJSON_AddNumberToObject(row, "capacity", (double)t->capacity);
    cJSON_AddItemToObject(row, "values", list);
    cJSON_AddItemToArray(to, row);
}

static void add_kernels(const struct gauge_series *s, cJSON *to) {
    cJSON *list = cJSON_AddArrayToObject(to, "kernels");
    for (size_t i = 0; i < s->kernels; i++) {
        const struct gauge_kernel *k = &s->kernel[i];
        cJSON *row = cJSON_CreateObject();
        cJSON_AddNumberToObject(row, "launch", (double)k->launch);
        cJSON_AddStringToObject(row, "name", k->name);
        cJSON_AddNumberToObject(row, "begin", (double)k->begin);
        cJSON_AddNumberToObject(row, "end", (double)k->end);
        cJSON_AddItemToArray(list, row);
    }
}

/* Returns true if an earlier track of this gauge is shown. The track of the sum precedes those of
 * the channels. */
static bool shown(const struct gauge_series *s, uint32_t track, const bool *has) {
    const struct gauge_track *t = &s->track[track];
    for (uint32_t i = 0; t->index != GPU_ONLY && i < track; i++)
        if (has[i] && strcmp(s->track[i].name, t->name) == 0 &&
            strcmp(s->track[i].place, t->place) == 0)
            return true;
    return false;
}

static void add_tracks(const struct gauge_series *s, cJSON *to) {
    bool *has = alloc_zeroed(s->tracks + (size_t)1, sizeof *has);
    for (uint32_t i = 0; i < s->tracks; i++) {
        cJSON *list = values(s, i, shown(s, i, has), gauge_at);
        has[i] = list != NULL;
        add_row(to, &s->track[i], list);
    }
    free(has);
}

/* Returns the percentages of DRAM cycles in which a bank had an open row, one for each interval of
 * `every` samples. */
static cJSON *open_of(const struct gauge_series *s, uint32_t bank, size_t every) {
    cJSON *list = cJSON_CreateArray();
    for (size_t i = 0, to; i + 1 < s->samples; i = to) {
        to = i + every < s->samples ? i + every : s->samples - 1;
        const struct gauge_value *a = row_of(s, i) + s->tracks + bank;
        const struct gauge_value *b = row_of(s, to) + s->tracks + bank;
        const uint64_t cycles = b->cycles - a->cycles;
        cJSON_AddItemToArray(
            list, cycles ? cJSON_CreateNumber(
                               (double)((100 * (b->value - a->value) + cycles / 2) / cycles))
                         : cJSON_CreateNull());
    }
    return list;
}

static void add_banks(const struct gauge_series *s, cJSON *to) {
    cJSON *banks = cJSON_AddObjectToObject(to, "banks");
    size_t every = 1;
    cJSON_AddNumberToObject(banks, "channels", s->channels);
    cJSON_AddNumberToObject(banks, "banks", s->channel_banks);
    if (!s->banks) {
        cJSON_AddNumberToObject(banks, "left_out_above", GAUGE_SERIES_BANKS);
        return;
    }
    while ((s->samples + every - 1) / every * s->banks > GAUGE_SERIES_OPEN)
        every *= 2;
    cJSON_AddNumberToObject(banks, "samples", (double)every);
    cJSON *open = cJSON_AddArrayToObject(banks, "open");
    for (uint32_t b = 0; b < s->banks; b++)
        cJSON_AddItemToArray(open, open_of(s, b, every));
}

void gauge_series_json(const struct gauge_series *s, cJSON *to) {
    cJSON *series = cJSON_AddObjectToObject(to, "series");
    cJSON_AddNumberToObject(series, "period", (double)s->period);
    cJSON_AddNumberToObject(series, "accesses", GAUGE_SERIES_ACCESSES);
    cJSON *cycles = cJSON_AddArrayToObject(series, "cycle");
    for (size_t i = 0; i < s->samples; i++)
        cJSON_AddItemToArray(cycles, cJSON_CreateNumber((double)s->stats[i].v[STAT_cycles]));
    add_kernels(s, series);
    cJSON *tracks = cJSON_AddArrayToObject(series, "tracks");
    add_tracks(s, tracks);
    for (uint32_t i = 0; i < sizeof figures / sizeof *figures; i++) {
        const struct stat_desc *d = &derived_table[figures[i].id];
        const struct gauge_track t = {"", d->name, d->unit, GPU_ONLY, 0};
        add_row(tracks, &t, values(s, i, false, figure_at));
    }
    add_banks(s, series);
}

void gauge_series_free(struct gauge_series *s) {
    free(s->track);
    free(s->way);
    free(s->value);
    free(s->stats);
    free(s->kernel);
    *s = (struct gauge_series){0};
}
