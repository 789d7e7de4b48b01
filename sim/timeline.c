// SPDX-License-Identifier: Apache-2.0
#include "timeline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "timeline_inside.h"

#define FIRST_PERIOD 64 /* SM cycles */

/* Bytes in the file, at most, with numbers of 12 digits. A fault is three slices and three events
 * of its flow. */
static const struct {
    size_t size, bytes;
} kinds[TIMELINE_KINDS] = {
    [TIMELINE_KERNELS] = {sizeof(struct timeline_kernel), 400},
    [TIMELINE_CTAS] = {sizeof(struct timeline_cta), 160},
    [TIMELINE_FAULTS] = {sizeof(struct timeline_fault), 720},
    [TIMELINE_TRANSFERS] = {sizeof(struct timeline_transfer), 240},
};
#define EVENT_BYTES 128
/* Fewest bytes that a sample is charged, so that an idle machine is not sampled too often: 64
 * samples a MiB. */
#define SAMPLE_BYTES (UINT64_C(1) << 14)
#define LANE_BYTES 256
#define BANK_SAMPLES 1000 /* DRAM banks have counters if this many samples of each bank fit */
#define FRAME_BYTES                                                                                \
    (UINT64_C(256) << 10) /* names of processes and threads, and facts about the run */

size_t timeline_size_of(enum timeline_kind kind) {
    return kinds[kind].size;
}

/* ---- the limit ---- */

/* Drops every other slice of the kind. */
static void thin_list(struct timeline *t, enum timeline_kind kind) {
    struct timeline_list *list = &t->kept[kind];
    size_t n = 0, size = kinds[kind].size;
    list->stride *= 2;
    for (size_t i = 0; i < list->n; i++) {
        uint64_t seq;
        memcpy(&seq, timeline_item(list, kind, i), sizeof seq);
        if (seq % list->stride == 0)
            memmove(timeline_item(list, kind, n++), timeline_item(list, kind, i), size);
    }
    t->bytes -= (list->n - n) * kinds[kind].bytes;
    list->n = n;
}

/* Whether the newest sample adds an event to a counter, since the file has only changes. True if in
 * doubt: the count must not be below the size of the file. */
static bool adds_event(const struct timeline *t, uint32_t track, size_t sample) {
    if (sample < 2)
        return sample == 1;
    const struct timeline_value *c = &t->value[sample * t->tracks + track];
    const struct timeline_value *b = c - t->tracks, *a = b - t->tracks;
    uint64_t now = c->value - b->value, before = b->value - a->value;
    if (!c->cycles)
        return before != 0;
    return now != before || (now && c->cycles - b->cycles != b->cycles - a->cycles);
}

/* Bytes of a sample, in memory or in the file, whichever is more. */
static uint64_t sample_bytes(const struct timeline *t, size_t sample) {
    uint64_t bytes = t->tracks * sizeof *t->value;
    for (uint32_t i = 0; i < t->tracks; i++)
        bytes += adds_event(t, i, sample) ? EVENT_BYTES : 0;
    return bytes > SAMPLE_BYTES ? bytes : SAMPLE_BYTES;
}

static void count_sample(struct timeline *t, size_t sample) {
    uint64_t bytes = sample_bytes(t, sample);
    t->bytes += bytes;
    t->sample_bytes += bytes;
}

static void thin_samples(struct timeline *t) {
    size_t n = 0;
    t->period *= 2;
    for (size_t i = 0; i < t->samples; i++) {
        if (t->cycle[i] % t->period)
            continue;
        t->cycle[n] = t->cycle[i];
        memmove(t->value + n++ * t->tracks, t->value + i * t->tracks, t->tracks * sizeof *t->value);
    }
    t->samples = n;
    t->bytes -= t->sample_bytes;
    t->sample_bytes = 0;
    for (size_t i = 0; i < n; i++)
        count_sample(t, i);
}

/* Thins the largest kind until there is room for `bytes` more. The first sample is always kept,
 * even if it alone fills the file on a very large machine. */
static void make_room(struct timeline *t, uint64_t bytes) {
    while (t->bytes + bytes > t->limit) {
        uint64_t most = t->sample_bytes;
        int which = TIMELINE_KINDS;
        for (int k = 0; k < TIMELINE_KINDS; k++)
            if (t->kept[k].n * kinds[k].bytes > most) {
                most = t->kept[k].n * kinds[k].bytes;
                which = k;
            }
        if (which < TIMELINE_KINDS)
            thin_list(t, (enum timeline_kind)which);
        else if (t->samples > 1)
            thin_samples(t);
        else
            return;
    }
}

/* ---- memory ---- */

/* Grows the array at *at from *room items to n at least. False: out of memory, the file is lost. */
static bool widen(struct timeline *t, void *at, size_t *room, size_t n, size_t size) {
    void *old;
    memcpy(&old, at, sizeof old);
    if (n <= *room)
        return true;
    size_t want = 2 * *room > n ? 2 * *room : n;
    void *wide = realloc(old, want * size);
    t->lost = t->lost || !wide;
    if (!wide)
        return false;
    memcpy(at, &wide, sizeof wide);
    *room = want;
    return true;
}

/* Appends a slice of the kind to those of the file; NULL if slice `seq` is not kept. */
static void *keep(struct timeline *t, enum timeline_kind kind, uint64_t seq) {
    struct timeline_list *list = &t->kept[kind];
    if (seq % list->stride == 0)
        make_room(t, kinds[kind].bytes);
    if (seq % list->stride || !widen(t, &list->item, &list->room, list->n + 1, kinds[kind].size))
        return NULL;
    t->bytes += kinds[kind].bytes;
    return timeline_item(list, kind, list->n++);
}

/* ---- kernels and CTAs ---- */

static void kernel_begins(void *ctx, uint32_t stream, uint64_t launch, const char *name,
                          uint64_t cycle) {
    struct timeline *t = ctx;
    struct timeline_kernel *kernel = &t->kernel[stream];
    *kernel = (struct timeline_kernel){.stream = stream, .seq = launch, .begin = cycle};
    snprintf(kernel->name, sizeof kernel->name, "%s", name);
    t->kept[TIMELINE_KERNELS].seen++;
    t->kernel_on[stream] = true;
}

static void end_kernel(struct timeline *t, uint32_t stream, uint64_t cycle, bool cut) {
    struct timeline_kernel *kernel = &t->kernel[stream];
    t->kernel_on[stream] = false;
    kernel->end = cycle;
    kernel->cut = cut;
    struct timeline_kernel *kept = keep(t, TIMELINE_KERNELS, kernel->seq);
    if (kept)
        *kept = *kernel;
}

static void kernel_ends(void *ctx, uint32_t stream, uint64_t cycle) {
    end_kernel(ctx, stream, cycle, false);
}

/* Lane n of an SM; NULL: out of memory. */
static struct timeline_lane *lane_at(struct timeline *t, struct timeline_lanes *lanes, uint32_t n) {
    if (n < lanes->n)
        return &lanes->lane[n];
    struct timeline_lane *wide = realloc(lanes->lane, (n + (size_t)1) * sizeof *wide);
    t->lost = t->lost || !wide;
    if (!wide)
        return NULL;
    memset(wide + lanes->n, 0, (n + 1 - lanes->n) * sizeof *wide);
    t->bytes += (n + 1 - lanes->n) * LANE_BYTES;
    lanes->lane = wide;
    lanes->n = n + 1;
    return &wide[n];
}

static void cta_begins(void *ctx, uint32_t sm, uint32_t slot, uint32_t stream, uint64_t cta,
                       uint64_t cycle) {
    struct timeline *t = ctx;
    struct timeline_lane *lane = lane_at(t, &t->ctas[sm], slot);
    uint64_t seq = t->kept[TIMELINE_CTAS].seen++;
    if (lane)
        *lane = (struct timeline_lane){
            .on = true, .seq = seq, .begin = cycle, .what = cta, .launch = t->kernel[stream].seq};
}

static void end_cta(struct timeline *t, uint32_t sm, uint32_t slot, uint64_t cycle, bool cut) {
    struct timeline_lane *lane = lane_at(t, &t->ctas[sm], slot);
    if (!lane || !lane->on)
        return;
    lane->on = false;
    struct timeline_cta *kept = keep(t, TIMELINE_CTAS, lane->seq);
    if (kept)
        *kept = (struct timeline_cta){.seq = lane->seq,
                                      .begin = lane->begin,
                                      .end = cycle,
                                      .cta = lane->what,
                                      .launch = lane->launch,
                                      .sm = sm,
                                      .slot = slot,
                                      .cut = cut};
}

static void cta_ends(void *ctx, uint32_t sm, uint32_t slot, uint64_t cycle) {
    end_cta(ctx, sm, slot, cycle, false);
}

/* ---- far-faults and transfers ---- */

static void fault_begins(void *ctx, uint32_t sm, uint32_t page, uint64_t cycle) {
    struct timeline *t = ctx;
    struct timeline_lanes *lanes = &t->faults[sm];
    uint64_t seq = t->kept[TIMELINE_FAULTS].seen++;
    uint32_t n = 0;
    while (n < lanes->n && (lanes->lane[n].on || lanes->lane[n].free > cycle))
        n++;
    struct timeline_lane *lane = lane_at(t, lanes, n);
    if (lane)
        *lane = (struct timeline_lane){.on = true, .seq = seq, .begin = cycle, .what = page};
}

static void end_fault(struct timeline *t, uint32_t sm, uint32_t n, uint64_t cycle, bool cut) {
    struct timeline_lane *lane = &t->faults[sm].lane[n];
    lane->on = false;
    lane->free = cycle + 1; /* `cycle` has the slice of the replay */
    struct timeline_fault *kept = keep(t, TIMELINE_FAULTS, lane->seq);
    if (kept)
        *kept = (struct timeline_fault){.seq = lane->seq,
                                        .begin = lane->begin,
                                        .end = cycle,
                                        .transfer = t->last_read,
                                        .sm = sm,
                                        .lane = n,
                                        .page = (uint32_t)lane->what,
                                        .cut = cut};
}

static void fault_ends(void *ctx, uint32_t sm, uint32_t page, uint64_t cycle) {
    struct timeline *t = ctx;
    const struct timeline_lanes *lanes = &t->faults[sm];
    for (uint32_t n = 0; n < lanes->n; n++)
        if (lanes->lane[n].on && lanes->lane[n].what == page) {
            end_fault(t, sm, n, cycle, false);
            return;
        }
}

static void transfer(void *ctx, const struct watched_transfer *transfer) {
    struct timeline *t = ctx;
    uint64_t seq = t->kept[TIMELINE_TRANSFERS].seen++;
    if (!transfer->to_host)
        t->last_read = seq;
    struct timeline_transfer *kept = keep(t, TIMELINE_TRANSFERS, seq);
    if (kept)
        *kept = (struct timeline_transfer){seq, *transfer};
}

/* Ends all open slices. */
static void cut_all(struct timeline *t, uint64_t cycle) {
    for (uint32_t k = 0; k < KERNELS_AT_ONCE; k++)
        if (t->kernel_on[k])
            end_kernel(t, k, cycle, true);
    for (uint32_t sm = 0; sm < t->sms; sm++) {
        for (uint32_t n = 0; n < t->ctas[sm].n; n++)
            end_cta(t, sm, n, cycle, true);
        for (uint32_t n = 0; n < t->faults[sm].n; n++)
            if (t->faults[sm].lane[n].on)
                end_fault(t, sm, n, cycle, true);
    }
}

/* ---- counters ---- */

static struct timeline_track *new_track(struct timeline *t) {
    size_t room = t->tracks_room;
    if (!widen(t, &t->track, &room, t->tracks + (size_t)1, sizeof *t->track))
        return NULL;
    t->tracks_room = (uint32_t)room;
    return &t->track[t->tracks++];
}

static void find_track(void *ctx, const char *place, uint32_t index, const struct gauge *g) {
    struct timeline *t = ctx;
    struct timeline_track *track = new_track(t);
    if (track)
        *track = (struct timeline_track){.place = place,
                                         .name = g->name,
                                         .unit = g->unit,
                                         .index = index,
                                         .capacity = g->capacity};
}

/* Finds the sum track of each gauge. All parts of a kind have the same gauges, part 0 first. */
static void find_sums(struct timeline *t) {
    t->parts = t->tracks;
    for (uint32_t i = 0; i < t->parts; i++) {
        if (t->track[i].index == GPU_ONLY)
            continue;
        uint32_t s = t->parts;
        while (s < t->tracks && (strcmp(t->track[s].place, t->track[i].place) != 0 ||
                                 strcmp(t->track[s].name, t->track[i].name) != 0))
            s++;
        struct timeline_track *sum = s < t->tracks ? &t->track[s] : new_track(t);
        if (!sum)
            return;
        if (s + 1 == t->tracks && t->track[i].index == 0) {
            *sum = t->track[i];
            sum->capacity = 0;
            sum->sum = true;
        }
        sum->capacity += t->track[i].capacity;
        t->track[i].summed = s;
    }
}

static void take_value(void *ctx, const char *place, uint32_t index, const struct gauge *g) {
    struct timeline *t = ctx;
    struct timeline_value *row = t->value + t->samples * t->tracks;
    const struct timeline_value value = {g->value, g->cycles};
    uint32_t sum = t->track[t->at].summed;
    (void)place, (void)index;
    row[t->at++] = value;
    if (!sum)
        return;
    row[sum].value += value.value;
    row[sum].cycles = value.cycles;
}

static void take_sample(struct timeline *t, uint64_t cycle) {
    size_t room = t->samples_room;
    if (t->lost || !widen(t, &t->cycle, &room, t->samples + 1, sizeof *t->cycle))
        return;
    size_t values = t->samples_room * t->tracks;
    if (room > t->samples_room && !widen(t, &t->value, &values, room * t->tracks, sizeof *t->value))
        return;
    t->samples_room = room;
    memset(t->value + t->samples * t->tracks + t->parts, 0,
           (t->tracks - t->parts) * sizeof *t->value); /* sums, added up by take_value */
    t->at = 0;
    gpu_gauges(t->gpu, take_value, t);
    t->cycle[t->samples] = cycle;
    count_sample(t, t->samples++);
}

uint64_t timeline_look(struct timeline *t, uint64_t cycle) {
    if (!t->tracks) {
        gpu_gauges(t->gpu, find_track, t);
        find_sums(t);
    }
    if (cycle % t->period == 0)
        make_room(t, SAMPLE_BYTES + t->tracks * (sizeof *t->value + EVENT_BYTES));
    if (cycle % t->period == 0) /* make_room may have doubled it */
        take_sample(t, cycle);
    return (cycle / t->period + 1) * t->period;
}

/* ---- making and ending ---- */

struct timeline *timeline_begin(const char *path, uint64_t limit_mib, char *err, size_t err_size) {
    struct timeline *t = calloc(1, sizeof *t);
    if (!t) {
        snprintf(err, err_size, "%s: out of memory", path);
        return NULL;
    }
    const char *dot = strrchr(path, '.');
    t->gz = dot && strcasecmp(dot, ".gz") == 0;
    t->limit = ((limit_mib ? limit_mib : TIMELINE_MIB) << 20) - FRAME_BYTES;
    t->period = FIRST_PERIOD;
    for (int k = 0; k < TIMELINE_KINDS; k++)
        t->kept[k].stride = 1;
    if (new_file_open(&t->file, path, err, err_size)) {
        free(t);
        return NULL;
    }
    t->open = true;
    return t;
}

void timeline_of(struct timeline *t, struct gpu *gpu) {
    t->gpu = gpu;
    t->watcher = (struct watcher){.ctx = t,
                                  .kernel_begins = kernel_begins,
                                  .kernel_ends = kernel_ends,
                                  .cta_begins = cta_begins,
                                  .cta_ends = cta_ends,
                                  .fault_begins = fault_begins,
                                  .fault_ends = fault_ends,
                                  .transfer = transfer};
    t->sms = gpu_part_count(gpu, GPU_SM);
    t->ctas = calloc(t->sms, sizeof *t->ctas);
    t->faults = calloc(t->sms, sizeof *t->faults);
    if (!t->ctas || !t->faults) {
        t->sms = 0;
        t->lost = true;
    }
}

bool timeline_has_banks(const struct timeline *t, const struct config *cfg) {
    const uint64_t banks = (uint64_t)cfg->l2_partitions * (uint64_t)cfg->dram_banks;
    return t->limit / (banks * EVENT_BYTES) >= BANK_SAMPLES;
}

const struct watcher *timeline_watcher(const struct timeline *t) {
    return t->sms ? &t->watcher : NULL;
}

void timeline_drop(struct timeline *t) {
    if (!t)
        return;
    if (t->open)
        new_file_drop(&t->file);
    for (int k = 0; k < TIMELINE_KINDS; k++)
        free(t->kept[k].item);
    for (uint32_t sm = 0; sm < t->sms; sm++) {
        free(t->ctas[sm].lane);
        free(t->faults[sm].lane);
    }
    free(t->ctas);
    free(t->faults);
    free(t->track);
    free(t->value);
    free(t->cycle);
    free(t);
}

int timeline_end(struct timeline *t, const struct report *r, char *err, size_t err_size) {
    int bad = -1;
    cut_all(t, r->at.cycles);
    if (!t->samples || t->cycle[t->samples - 1] < r->at.cycles)
        take_sample(t, r->at.cycles);
    if (t->lost || timeline_write(t, r)) {
        snprintf(err, err_size, "%s: out of memory", t->file.path);
    } else {
        t->open = false;
        bad = new_file_commit(&t->file, err, err_size);
    }
    timeline_drop(t);
    return bad;
}
