// SPDX-License-Identifier: Apache-2.0
#include "timeline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "lib/alloc.h"
#include "timeline_inside.h"

#define FIRST_PERIOD 64 /* in SM cycles */

/* Size of a slice of each kind in memory and its maximum size in the file, in bytes, with numbers
 * of 12 digits. A fault has three slices and three flow events. */
static const struct {
    size_t size, bytes;
} kinds[TIMELINE_KINDS] = {
    [TIMELINE_KERNELS] = {sizeof(struct timeline_kernel), 400},
    [TIMELINE_CTAS] = {sizeof(struct timeline_cta), 160},
    [TIMELINE_FAULTS] = {sizeof(struct timeline_fault), 720},
    [TIMELINE_TRANSFERS] = {sizeof(struct timeline_transfer), 240},
};
#define EVENT_BYTES 128
/* Minimum number of bytes that a sample counts for. It limits the file to 64 samples per MiB, so
 * that an idle machine is not sampled too often. */
#define SAMPLE_BYTES (UINT64_C(1) << 14)
#define LANE_BYTES 256
#define BANK_SAMPLES 1000 /* DRAM banks get counters if this many samples of each bank fit */
#define FRAME_BYTES                                                                                \
    (UINT64_C(256) << 10) /* bytes for names of processes and threads, and metadata of the run */

size_t timeline_size_of(enum timeline_kind kind) {
    return kinds[kind].size;
}

/* ---- Size limit ---- */

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

/* Returns true if a sample adds an event to a counter, which it does only if it changes the
 * counter's value. If in doubt, returns true, because the estimate must not be below the size of
 * the file. */
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

/* Returns the size in bytes of a sample in memory or in the file, whichever is larger. */
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

/* ---- Memory ---- */

/* Appends a slice to the recorded slices of its kind. Returns NULL if slice `seq` is not
 * recorded. */
static void *keep_event(struct timeline *t, enum timeline_kind kind, uint64_t seq) {
    struct timeline_list *list = &t->kept[kind];
    if (seq % list->stride == 0)
        make_room(t, kinds[kind].bytes);
    if (seq % list->stride)
        return NULL;
    list->item = alloc_reserved(list->item, &list->room, list->n + 1, kinds[kind].size);
    t->bytes += kinds[kind].bytes;
    return timeline_item(list, kind, list->n++);
}

/* ---- Kernels and CTAs ---- */

static void kernel_begins(void *ctx, uint32_t stream, uint64_t launch, const char *name,
                          uint64_t cycle) {
    struct timeline *t = ctx;
    struct timeline_kernel *kernel = &t->kernel[stream];
    *kernel =
        (struct timeline_kernel){.stream = stream, .seq = launch, .begin = cycle, .name = name};
    t->kept[TIMELINE_KERNELS].seen++;
    t->kernel_on[stream] = true;
}

static void end_kernel(struct timeline *t, uint32_t stream, uint64_t cycle, bool cut) {
    struct timeline_kernel *kernel = &t->kernel[stream];
    t->kernel_on[stream] = false;
    kernel->end = cycle;
    kernel->cut = cut;
    struct timeline_kernel *kept = keep_event(t, TIMELINE_KERNELS, kernel->seq);
    if (kept)
        *kept = *kernel;
}

static void kernel_ends(void *ctx, uint32_t stream, uint64_t cycle) {
    end_kernel(ctx, stream, cycle, false);
}

/* Returns lane n of an SM. Adds lanes up to n if they do not exist. */
static struct timeline_lane *lane_at(struct timeline *t, struct timeline_lanes *lanes, uint32_t n) {
    if (n < lanes->n)
        return &lanes->lane[n];
    struct timeline_lane *wide = alloc_resized(lanes->lane, n + (size_t)1, sizeof *wide);
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
    *lane = (struct timeline_lane){
        .on = true, .seq = seq, .begin = cycle, .what = cta, .launch = t->kernel[stream].seq};
}

static void end_cta(struct timeline *t, uint32_t sm, uint32_t slot, uint64_t cycle, bool cut) {
    struct timeline_lane *lane = lane_at(t, &t->ctas[sm], slot);
    if (!lane->on)
        return;
    lane->on = false;
    struct timeline_cta *kept = keep_event(t, TIMELINE_CTAS, lane->seq);
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

/* ---- Far-faults and transfers ---- */

static void fault_begins(void *ctx, uint32_t sm, uint32_t page, uint64_t cycle) {
    struct timeline *t = ctx;
    struct timeline_lanes *lanes = &t->faults[sm];
    uint64_t seq = t->kept[TIMELINE_FAULTS].seen++;
    uint32_t n = 0;
    while (n < lanes->n && (lanes->lane[n].on || lanes->lane[n].free > cycle))
        n++;
    *lane_at(t, lanes, n) =
        (struct timeline_lane){.on = true, .seq = seq, .begin = cycle, .what = page};
}

static void end_fault(struct timeline *t, uint32_t sm, uint32_t n, uint64_t cycle, bool cut) {
    struct timeline_lane *lane = &t->faults[sm].lane[n];
    lane->on = false;
    lane->free = cycle + 1; /* `cycle` belongs to the slice of the replay */
    struct timeline_fault *kept = keep_event(t, TIMELINE_FAULTS, lane->seq);
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
    struct timeline_transfer *kept = keep_event(t, TIMELINE_TRANSFERS, seq);
    if (kept)
        *kept = (struct timeline_transfer){seq, *transfer};
}

/* Ends all open slices and marks them as cut off. */
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

/* ---- Counters ---- */

static struct timeline_track *new_track(struct timeline *t) {
    t->track = alloc_grown(t->track, t->tracks, &t->tracks_room, sizeof *t->track);
    return &t->track[t->tracks++];
}

static void find_track(void *ctx, const char *place, uint32_t index, const struct gauge *g) {
    struct timeline *t = ctx;
    *new_track(t) = (struct timeline_track){
        .place = place, .name = g->name, .unit = g->unit, .index = index, .capacity = g->capacity};
}

/* Makes a sum track for each gauge of each kind of part, unless there is only one such part. All
 * parts of a kind have the same gauges, and part 0 comes first. */
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
    uint32_t sum = t->track[t->next_track].summed;
    (void)place, (void)index;
    row[t->next_track++] = value;
    if (!sum)
        return;
    row[sum].value += value.value;
    row[sum].cycles = value.cycles;
}

static void take_sample(struct timeline *t, uint64_t cycle) {
    const size_t room = t->samples_room;
    t->cycle = alloc_reserved(t->cycle, &t->samples_room, t->samples + 1, sizeof *t->cycle);
    if (t->samples_room > room)
        t->value = alloc_resized(t->value, t->samples_room * t->tracks, sizeof *t->value);
    memset(t->value + t->samples * t->tracks + t->parts, 0,
           (t->tracks - t->parts) *
               sizeof *t->value); /* clears the sums; take_value adds to them */
    t->next_track = 0;
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
    if (cycle % t->period == 0) /* make_room may have doubled the period */
        take_sample(t, cycle);
    return (cycle / t->period + 1) * t->period;
}

/* ---- Interface ---- */

struct timeline *timeline_begin(const char *path, uint64_t limit_mib, struct error *err) {
    struct timeline *t = alloc_zeroed(1, sizeof *t);
    const char *dot = strrchr(path, '.');
    t->gz = dot && strcasecmp(dot, ".gz") == 0;
    t->limit = ((limit_mib ? limit_mib : TIMELINE_MIB) << 20) - FRAME_BYTES;
    t->period = FIRST_PERIOD;
    for (int k = 0; k < TIMELINE_KINDS; k++)
        t->kept[k].stride = 1;
    if (new_file_open(&t->file, path, err)) {
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
    t->ctas = alloc_zeroed(t->sms, sizeof *t->ctas);
    t->faults = alloc_zeroed(t->sms, sizeof *t->faults);
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

int timeline_end(struct timeline *t, const struct report *r, struct error *err) {
    cut_all(t, r->reached.cycles);
    if (!t->samples || t->cycle[t->samples - 1] < r->reached.cycles)
        take_sample(t, r->reached.cycles);
    int bad = timeline_write(t, r, err);
    if (!bad) {
        t->open = false;
        bad = new_file_commit(&t->file, err);
    }
    timeline_drop(t);
    return bad;
}
