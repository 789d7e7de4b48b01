// SPDX-License-Identifier: Apache-2.0
#include "cache_example/cache_score.h"

#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"

static void count_event(struct cache_score *s, enum cache_score_event e, bool condition) {
    s->events[e] += condition;
}

void cache_score_init(struct cache_score *s, struct cache_lines *lines) {
    *s = (struct cache_score){.lines = lines};
    s->record = alloc_zeroed(lines->shape.ids, sizeof *s->record);
}

void cache_score_free(struct cache_score *s) {
    free(s->record);
}

void cache_score_reset(struct cache_score *s) {
    for (unsigned i = 0; i < s->lines->shape.ids; i++)
        s->record[i].live = false;
    for (unsigned i = 0; i < s->lines->n; i++) {
        struct cache_line *line = &s->lines->line[i];
        memcpy(line->want, line->memory, sizeof line->want);
        line->first = line->last = CACHE_NONE;
        line->failed = false;
    }
    s->live = 0;
    s->waits = false;
}

static uint8_t byte_of(const uint32_t *words, unsigned i) {
    return (uint8_t)(words[i / 4] >> i % 4 * 8);
}

static const char *check_load(const struct cache_score *s, const struct cache_record *r,
                              const struct cache_example_out *out) {
    unsigned bytes = s->lines->shape.beat_bytes;
    const uint8_t *want = s->lines->line[r->line].want + r->beat * bytes;
    for (unsigned i = 0; i < bytes; i++)
        if (byte_of(out->rsp_data, i) != want[i])
            return "a load did not return the bytes stored last";
    return NULL;
}

static void store_record(struct cache_score *s, const struct cache_record *r) {
    unsigned bytes = s->lines->shape.beat_bytes;
    uint8_t *want = s->lines->line[r->line].want + r->beat * bytes;
    for (unsigned i = 0; i < bytes; i++)
        if (r->mask >> i & 1)
            want[i] = byte_of(r->data, i);
}

static void forget_record(struct cache_score *s, struct cache_record *r) {
    struct cache_line *line = &s->lines->line[r->line];
    count_event(s, CACHE_EV_OVERTAKES, r->number > s->oldest);
    r->live = false;
    line->first = r->next;
    if (line->first == CACHE_NONE)
        line->last = CACHE_NONE;
    s->live--;
    s->answered++;
    s->oldest += r->number == s->oldest;
}

static const char *check_answer(struct cache_score *s, const struct cache_example_out *out) {
    struct cache_record *r = &s->record[out->rsp_id];
    if (!r->live)
        return "a response without a request";
    const struct cache_line *line = &s->lines->line[r->line];
    if (line->first != (int)out->rsp_id)
        return "a response before that of an older request for the same line";
    if (out->rsp_write != r->write)
        return "a store has a load response, or a load a store response";
    if (out->rsp_err != line->failed)
        return line->failed ? "a fetch error is missing in the response"
                            : "an error response without a fetch error";
    const char *broken = !r->write && !out->rsp_err ? check_load(s, r, out) : NULL;
    if (r->write && !out->rsp_err)
        store_record(s, r);
    count_event(s, CACHE_EV_LOAD, !r->write && !out->rsp_err);
    count_event(s, CACHE_EV_STORE, r->write && !out->rsp_err);
    count_event(s, CACHE_EV_LOAD_ERR, !r->write && out->rsp_err);
    count_event(s, CACHE_EV_STORE_ERR, r->write && out->rsp_err);
    forget_record(s, r);
    return broken;
}

static const char *check_stable(const struct cache_score *s, const struct cache_example_out *out) {
    const struct cache_example_out *b = &s->before;
    bool same = out->rsp_valid && out->rsp_id == b->rsp_id && out->rsp_write == b->rsp_write &&
                out->rsp_err == b->rsp_err;
    if (same && !out->rsp_write && !out->rsp_err)
        same = !memcmp(out->rsp_data, b->rsp_data, s->lines->shape.beat_bytes);
    return same ? NULL : "a response changed while it waited";
}

static void take_request(struct cache_score *s, const struct cache_example_in *in) {
    const struct cache_shape *shape = &s->lines->shape;
    struct cache_record *r = &s->record[in->req_id];
    int id = (int)in->req_id,
        index = cache_lines_find(s->lines, in->req_addr & ~(uint64_t)(shape->bytes - 1));
    struct cache_line *line = &s->lines->line[index];
    *r = (struct cache_record){.live = true,
                               .write = in->req_write,
                               .line = index,
                               .next = CACHE_NONE,
                               .beat = (unsigned)(in->req_addr >> shape->size) & (shape->beats - 1),
                               .mask = (uint32_t)in->req_mask,
                               .number = s->requests++};
    memcpy(r->data, in->req_data, sizeof r->data);
    count_event(s, CACHE_EV_PARTIAL, r->write && r->mask != bits_low(shape->beat_bytes));
    if (line->first == CACHE_NONE) {
        line->first = id;
    } else {
        count_event(s, CACHE_EV_LOAD_BEHIND_STORE, s->record[line->last].write && !r->write);
        s->record[line->last].next = id;
    }
    line->last = id;
    s->newest = in->req_id;
    if (!s->live++)
        s->oldest = r->number;
}

/* Checks st_wait for the newest request, which is in S1. The request can wait for a full MSHR
 * entry only if there is an older request for its line. */
static const char *check_wait(const struct cache_score *s, const struct cache_example_out *out) {
    const struct cache_record *r = &s->record[s->newest];
    if (out->st_wait == CACHE_WAIT_MERGE_FULL && s->lines->line[r->line].first == (int)s->newest)
        return "merge full for a line without an older request";
    return NULL;
}

const char *cache_score_sample(struct cache_score *s, const struct cache_example_in *in,
                               const struct cache_example_out *out) {
    const char *broken = NULL;
    if (s->waits)
        broken = check_stable(s, out);
    else if (out->rsp_valid)
        broken = check_answer(s, out);
    if (!broken)
        broken = check_wait(s, out);
    s->waits = out->rsp_valid && !in->rsp_ready;
    count_event(s, CACHE_EV_ANSWER_WAITS, s->waits);
    if (in->req_valid && out->req_ready)
        take_request(s, in);
    s->before = *out;
    return broken;
}
