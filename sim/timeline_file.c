// SPDX-License-Identifier: Apache-2.0
/* Writes the file of a timeline (docs/understand/system.md describes its content). */
#include <cjson/cJSON.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "json.h"
#include "lib/alloc.h"
#include "timeline_inside.h"

#define ROOM (1u << 16)
#define FORMAT "memtwin-timeline-1" /* of otherData (docs/use/output.md) */

/* ---- Text, compressed for .gz ---- */

struct out {
    gzFile f;
    int failed;    /* errno of the first write that failed; 0 if none */
    uint32_t pids; /* number of processes */
};

static void put_bytes(struct out *o, const char *text, size_t n) {
    if (gzwrite(o->f, text, (unsigned)n) != (int)n && !o->failed)
        o->failed = errno;
}

static void put_text(struct out *o, const char *text) {
    put_bytes(o, text, strlen(text));
}

static void put_number(struct out *o, uint64_t n) {
    char digits[20];
    size_t digit = sizeof digits;
    do
        digits[--digit] = (char)('0' + n % 10);
    while (n /= 10);
    put_bytes(o, digits + digit, sizeof digits - digit);
}

static void put_hundredths(struct out *o, uint64_t n) {
    const char digits[3] = {'.', (char)('0' + n / 10 % 10), (char)('0' + n % 10)};
    put_number(o, n / 100);
    if (n % 100)
        put_bytes(o, digits, sizeof digits);
}

static void put_after(struct out *o, const char *key, uint64_t n) {
    put_text(o, key);
    put_number(o, n);
}

static void put_json(struct out *o, cJSON *value) {
    char *text = json_text(value, false);
    put_text(o, text);
    free(text);
}

static void put_string(struct out *o, const char *text) {
    put_json(o, cJSON_CreateString(text));
}

/* ---- Events ---- */

/* Writes the process and the thread; tid 0 means the process itself. Thread numbers start after the
 * process numbers, because viewers treat a thread with the number of its process as the main
 * thread. */
static void put_place(struct out *o, uint32_t pid, uint32_t tid) {
    put_after(o, ",\"pid\":", pid);
    if (!tid)
        return;
    put_after(o, ",\"tid\":", o->pids + tid);
}

/* Writes the start of a slice. The caller adds the name, then the end of the event. */
static void begin_slice(struct out *o, uint32_t pid, uint32_t tid, uint64_t from, uint64_t to) {
    put_after(o, ",\n{\"ph\":\"X\",\"ts\":", from);
    put_after(o, ",\"dur\":", to - from);
    put_place(o, pid, tid);
    put_text(o, ",\"name\":");
}

static void put_flow(struct out *o, const char *head, uint64_t id, uint32_t pid, uint32_t tid,
                     uint64_t cycle) {
    put_after(o, head, id);
    put_after(o, ",\"cat\":\"far-fault\",\"name\":\"far-fault\",\"ts\":", cycle);
    put_place(o, pid, tid);
    put_text(o, "}");
}

static const char *end_of(bool cut) {
    return cut ? ",\"cut_off\":true}}" : "}}";
}

/* ---- Numbers of processes and threads ---- */

enum { PID_GPU = 1, PID_FIRST };
enum {
    TID_RUN = 1,
    TID_KERNELS,
    TID_LAST = TID_KERNELS + KERNELS_AT_ONCE - 1,
    TID_READ,
    TID_WRITE,
    TID_FIRST
};

struct pids {
    const struct timeline *t;
    uint32_t slots, lanes; /* maximum numbers of CTA slots and far-fault lanes per SM */
    uint32_t driver;
    bool places; /* true if the kernels are those of a trace of several streams */
};

static bool same_part(const struct timeline_track *a, const struct timeline_track *b) {
    return a->index == b->index && strcmp(a->place, b->place) == 0;
}

/* Returns true if the track is the first of its part. */
static bool first_of_part(const struct timeline *t, uint32_t track) {
    return !track || !same_part(&t->track[track], &t->track[track - 1]);
}

/* Returns the process number of an SM. SMs are the first parts. */
static uint32_t pid_of_sm(uint32_t sm) {
    return PID_FIRST + sm;
}

static uint32_t tid_of_slot(const struct pids *p, uint32_t sm, uint32_t slot) {
    return TID_FIRST + sm * (p->slots + p->lanes) + slot;
}

static uint32_t tid_of_lane(const struct pids *p, uint32_t sm, uint32_t lane) {
    return tid_of_slot(p, sm, p->slots + lane);
}

static void name_meta(struct out *o, const char *what, uint32_t pid, uint32_t tid, uint32_t order,
                      const char *name) {
    put_text(o, ",\n{\"ph\":\"M\",\"name\":\"");
    put_text(o, what);
    put_text(o, "_name\"");
    put_place(o, pid, tid);
    put_text(o, ",\"args\":{\"name\":");
    put_string(o, name);
    put_text(o, "}},\n{\"ph\":\"M\",\"name\":\"");
    put_text(o, what);
    put_text(o, "_sort_index\"");
    put_place(o, pid, tid);
    put_after(o, ",\"args\":{\"sort_index\":", order);
    put_text(o, "}}");
}

static void part_name(const struct timeline_track *track, char *name, size_t size) {
    if (track->index == GPU_ONLY)
        snprintf(name, size, "%s", track->place);
    else
        snprintf(name, size, "%s %u", track->place, (unsigned)track->index);
}

/* Names the processes, and the driver's threads for the two directions of PCIe. */
static void name_parts(struct out *o, struct pids *p) {
    const struct timeline *t = p->t;
    uint32_t pid = PID_GPU;
    char name[64];
    for (uint32_t i = 0; i < t->parts; i++) {
        if (!first_of_part(t, i))
            continue;
        part_name(&t->track[i], name, sizeof name);
        pid++;
        name_meta(o, "process", pid, 0, pid, name);
        if (strcmp(t->track[i].place, "Driver") == 0)
            p->driver = pid;
    }
    if (!p->driver)
        return;
    name_meta(o, "thread", p->driver, TID_READ, TID_READ, "PCIe to the GPU");
    name_meta(o, "thread", p->driver, TID_WRITE, TID_WRITE, "PCIe to the host");
}

static void name_threads(struct out *o, const struct pids *p, uint32_t sm) {
    const struct timeline *t = p->t;
    char name[64];
    for (uint32_t n = 0; n < t->ctas[sm].n; n++) {
        uint32_t tid = tid_of_slot(p, sm, n);
        snprintf(name, sizeof name, "CTA slot %u", (unsigned)n);
        name_meta(o, "thread", pid_of_sm(sm), tid, tid, name);
    }
    for (uint32_t n = 0; n < t->faults[sm].n; n++) {
        uint32_t tid = tid_of_lane(p, sm, n);
        snprintf(name, sizeof name, "far-fault %u", (unsigned)n);
        name_meta(o, "thread", pid_of_sm(sm), tid, tid, name);
    }
}

static void name_all(struct out *o, struct pids *p) {
    const struct timeline *t = p->t;
    char name[64];
    name_meta(o, "process", PID_GPU, 0, PID_GPU, "GPU (1 us = 1 SM cycle)");
    name_meta(o, "thread", PID_GPU, TID_RUN, TID_RUN, "run");
    for (uint32_t k = 0; k < KERNELS_AT_ONCE; k++)
        if (!k || t->kernel[k].name) {
            snprintf(name, sizeof name,
                     !k          ? "kernels"
                     : p->places ? "kernels, place %u"
                                 : "kernels of workload %u",
                     (unsigned)k + 1);
            name_meta(o, "thread", PID_GPU, TID_KERNELS + k, TID_KERNELS + k, name);
        }
    name_parts(o, p);
    for (uint32_t sm = 0; sm < t->sms; sm++)
        name_threads(o, p, sm);
}

/* ---- Slices ---- */

static void put_kernels(struct out *o, const struct timeline *t, const struct report *r) {
    const struct trace *trace = r->contents;
    const struct timeline_list *list = &t->kept[TIMELINE_KERNELS];
    const struct timeline_kernel *k = list->item;
    for (size_t i = 0; i < list->n; i++, k++) {
        begin_slice(o, PID_GPU, TID_KERNELS + k->stream, k->begin, k->end);
        put_string(o, k->name);
        put_after(o, ",\"args\":{\"launch\":", k->seq);
        if (trace && trace->n_streams > 1) {
            put_after(o, ",\"stream\":\"", trace->stream[trace->list.kernel[k->seq].stream]);
            put_text(o, "\"");
        }
        put_text(o, end_of(k->cut));
    }
}

static void put_ctas(struct out *o, const struct pids *p) {
    const struct timeline_list *list = &p->t->kept[TIMELINE_CTAS];
    const struct timeline_cta *c = list->item;
    for (size_t i = 0; i < list->n; i++, c++) {
        begin_slice(o, pid_of_sm(c->sm), tid_of_slot(p, c->sm, c->slot), c->begin, c->end);
        put_after(o, "\"CTA ", c->cta);
        put_after(o, "\",\"args\":{\"launch\":", c->launch);
        put_text(o, end_of(c->cut));
    }
}

static uint32_t link_of(const struct watched_transfer *t) {
    return t->to_host ? TID_WRITE : TID_READ;
}

/* Writes the pages of a transfer. */
static void put_pages(struct out *o, const struct watched_transfer *t) {
    put_text(o, "\"");
    put_text(o, t->what);
    if (t->pages)
        put_after(o, t->pages == 1 ? " " : "s ", t->page);
    if (t->pages > 1)
        put_after(o, " to ", t->page + t->pages - 1);
    put_text(o, "\",");
}

/* Writes the transfers. A transfer that is in flight at the end of the run ends there. */
static void put_transfers(struct out *o, const struct pids *p, uint64_t cycles) {
    const struct timeline_list *list = &p->t->kept[TIMELINE_TRANSFERS];
    const struct timeline_transfer *item = list->item;
    for (size_t i = 0; i < list->n; i++) {
        const struct watched_transfer *t = &item[i].t;
        bool cut = t->end > cycles;
        begin_slice(o, p->driver, link_of(t), t->begin, cut ? cycles : t->end);
        put_pages(o, t);
        put_after(o, "\"args\":{\"bytes\":", t->bytes);
        put_after(o, ",\"pages\":", t->pages);
        put_text(o, end_of(cut));
    }
}

/* Returns the transfer with index `seq`, or NULL if it was not recorded. */
static const struct watched_transfer *transfer_at(const struct timeline *t, uint64_t seq) {
    const struct timeline_list *list = &t->kept[TIMELINE_TRANSFERS];
    const struct timeline_transfer *item = list->item;
    bool kept = seq % list->stride == 0 && seq / list->stride < list->n;
    return kept ? &item[seq / list->stride].t : NULL;
}

/* Writes a one-cycle slice for one end of an arrow. Viewers bind the ends of a flow to slices, and
 * draw an arrow from the end of one slice to the beginning of the next. */
static void put_tick(struct out *o, uint32_t pid, uint32_t tid, uint64_t cycle, const char *name) {
    begin_slice(o, pid, tid, cycle, cycle + 1);
    put_text(o, name);
}

/* Writes the flow of a fault: from the fault through the transfer of its page to the replay, or
 * from the transfer to the replay if the page was already in flight. Each flow event follows its
 * slice in the file and has the slice's start time. Otherwise, Perfetto and Catapult would bind the
 * event to a different slice. */
static void put_way(struct out *o, const struct pids *p, const struct timeline_fault *f) {
    const struct watched_transfer *t = transfer_at(p->t, f->transfer);
    uint32_t pid = pid_of_sm(f->sm), tid = tid_of_lane(p, f->sm, f->lane);
    bool before = t && t->begin <= f->begin;
    put_tick(o, pid, tid, f->begin, "\"fault\"}");
    if (!before)
        put_flow(o, ",\n{\"ph\":\"s\",\"id\":", f->seq, pid, tid, f->begin);
    if (t)
        put_flow(o, before ? ",\n{\"ph\":\"s\",\"id\":" : ",\n{\"ph\":\"t\",\"id\":", f->seq,
                 p->driver, link_of(t), t->begin);
    put_tick(o, pid, tid, f->end, "\"replay\"}");
    put_flow(o, ",\n{\"ph\":\"f\",\"bp\":\"e\",\"id\":", f->seq, pid, tid, f->end);
}

static void put_faults(struct out *o, const struct pids *p) {
    const struct timeline_list *list = &p->t->kept[TIMELINE_FAULTS];
    const struct timeline_fault *f = list->item;
    for (size_t i = 0; i < list->n; i++, f++) {
        begin_slice(o, pid_of_sm(f->sm), tid_of_lane(p, f->sm, f->lane), f->begin, f->end);
        put_after(o, "\"page ", f->page);
        put_after(o, "\",\"args\":{\"page\":", f->page);
        put_text(o, end_of(f->cut));
        if (!f->cut)
            put_way(o, p, f);
    }
}

/* ---- Counters ---- */

/* Computes the value of a counter in hundredths: the mean from sample i to the next, or the value
 * at sample i for a gauge without cycles. Returns false if the part's clock had no cycle in that
 * time. */
static bool value_at(const struct timeline *t, uint32_t track, size_t i, uint64_t *value) {
    const struct timeline_value *a = &t->value[i * t->tracks + track], *b = a + t->tracks;
    uint64_t cycles = b->cycles - a->cycles;
    if (!a->cycles && !b->cycles) {
        *value = 100 * a->value;
        return true;
    }
    if (cycles)
        *value = (100 * (b->value - a->value) + cycles / 2) / cycles;
    return cycles != 0;
}

/* Text of a counter's event between its time and its value. */
struct counter_text {
    char name[256];
};

static struct counter_text counter_text(const struct timeline_track *track, uint32_t pid) {
    struct counter_text c;
    char unit[96], sum[64] = "";
    if (track->sum)
        snprintf(sum, sizeof sum, "all %ss: ", track->place);
    if (track->capacity)
        snprintf(unit, sizeof unit, "%s of %llu", track->unit, (unsigned long long)track->capacity);
    else
        snprintf(unit, sizeof unit, "%s", track->unit);
    snprintf(c.name, sizeof c.name,
             ",\"pid\":%u,\"name\":\"%s%s\",\"args\":{\"%s\":", (unsigned)pid, sum, track->name,
             unit);
    return c;
}

/* Writes a counter. Only changes are written, because viewers hold the value until the next
 * event. */
static void put_counter(struct out *o, const struct timeline *t, uint32_t track, uint32_t pid) {
    const struct counter_text text = counter_text(&t->track[track], pid);
    uint64_t value = 0, last = UINT64_MAX;
    for (size_t i = 0; i + 1 < t->samples; i++) {
        if (!value_at(t, track, i, &value) || value == last)
            continue;
        last = value;
        put_after(o, ",\n{\"ph\":\"C\",\"ts\":", t->cycle[i]);
        put_text(o, text.name);
        put_hundredths(o, value);
        put_text(o, "}}");
    }
}

static void put_counters(struct out *o, const struct timeline *t) {
    uint32_t pid = PID_GPU;
    for (uint32_t i = t->parts; i < t->tracks; i++)
        put_counter(o, t, i, PID_GPU);
    for (uint32_t i = 0; i < t->parts; i++) {
        pid += first_of_part(t, i);
        put_counter(o, t, i, pid);
    }
}

/* ---- Metadata ---- */

static void add_kept(cJSON *to, const char *name, const struct timeline_list *list) {
    cJSON *kept = cJSON_AddObjectToObject(to, name);
    cJSON_AddNumberToObject(kept, "happened", (double)list->seen);
    cJSON_AddNumberToObject(kept, "written", (double)list->n);
    cJSON_AddNumberToObject(kept, "dropped", (double)(list->seen - list->n));
    cJSON_AddNumberToObject(kept, "one_in", (double)list->stride);
}

static cJSON *about(const struct timeline *t, const struct report *r) {
    static const char *const kind[TIMELINE_KINDS] = {"kernels", "ctas", "far_faults", "transfers"};
    cJSON *to = cJSON_CreateObject();
    cJSON_AddStringToObject(to, "program", "memtwin");
    cJSON_AddStringToObject(to, "format", FORMAT);
    cJSON_AddStringToObject(to, "version", report_version());
    cJSON_AddStringToObject(to, "config", r->config);
    cJSON_AddStringToObject(to, "workload", r->trace ? r->trace : r->workload);
    cJSON_AddStringToObject(to, "identity", r->identity);
    cJSON_AddStringToObject(to, "end", r->end);
    cJSON_AddBoolToObject(to, "complete", r->complete);
    cJSON_AddNumberToObject(to, "cycles", (double)r->reached.cycles);
    cJSON_AddStringToObject(to, "time", "1 us in the viewer is 1 SM cycle");
    cJSON_AddNumberToObject(to, "sm_mhz", (double)r->cfg->clock_sm_mhz);
    cJSON_AddStringToObject(
        to, "counters",
        "means over sampling_period SM cycles; for pages, page walks in progress, "
        "far-faults and waiting transfers, the value at the start of the period");
    cJSON_AddNumberToObject(to, "sampling_period", (double)t->period);
    cJSON_AddNumberToObject(to, "samples", (double)t->samples);
    for (int k = 0; k < TIMELINE_KINDS; k++)
        add_kept(to, kind[k], &t->kept[k]);
    return to;
}

static void put_run(struct out *o, const struct timeline *t, const struct report *r) {
    char name[512];
    snprintf(name, sizeof name, "%s on %s: %s", r->workload, r->config, r->end);
    begin_slice(o, PID_GPU, TID_RUN, 0, r->reached.cycles);
    put_string(o, name);
    put_text(o, ",\"args\":");
    put_json(o, about(t, r));
    put_text(o, "}");
}

/* ---- File ---- */

static void put_all(struct out *o, const struct timeline *t, const struct report *r) {
    struct pids p = {.t = t, .places = r->contents && r->contents->n_streams > 1};
    o->pids = PID_GPU;
    for (uint32_t i = 0; i < t->parts; i++)
        o->pids += first_of_part(t, i);
    for (uint32_t sm = 0; sm < t->sms; sm++) {
        p.slots = t->ctas[sm].n > p.slots ? t->ctas[sm].n : p.slots;
        p.lanes = t->faults[sm].n > p.lanes ? t->faults[sm].n : p.lanes;
    }
    put_text(o, "{\"displayTimeUnit\":\"ms\",\"otherData\":");
    put_json(o, about(t, r));
    put_text(o, ",\"traceEvents\":[\n{\"ph\":\"M\",\"name\":\"process_labels\",\"pid\":1,"
                "\"args\":{\"labels\":\"memtwin\"}}");
    name_all(o, &p);
    put_run(o, t, r);
    put_kernels(o, t, r);
    put_ctas(o, &p);
    put_transfers(o, &p, r->reached.cycles);
    put_faults(o, &p);
    put_counters(o, t);
    put_text(o, "\n]}\n");
}

int timeline_write(struct timeline *t, const struct report *r, struct error *err) {
    struct out o = {.f = gzdopen(dup(fileno(t->file.f)), t->gz ? "w1" : "wT")};
    if (!o.f)
        alloc_fail(0);
    gzbuffer(o.f, ROOM);
    put_all(&o, t, r);
    if (gzclose(o.f) != Z_OK && !o.failed)
        o.failed = errno;
    return o.failed ? error_set(err, "%s: %s", t->file.path, strerror(o.failed)) : 0;
}
