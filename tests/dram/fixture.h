/* SPDX-License-Identifier: Apache-2.0 */
/* Drives a DRAM channel with requests and records its commands. */
#ifndef MEMTWIN_TESTS_DRAM_FIXTURE_H
#define MEMTWIN_TESTS_DRAM_FIXTURE_H

#include "tests/dram/legal.h"
#include "tests/test.h"

enum { GTX480, TITANX, GB8, GB1, FAR_FAULT, GDDR6, HBM2, TIMINGS };

/* Timings that docs/understand/dram.md lists. The far-fault paper states CL, RCD, RP, RC and WR;
 * all its other timings are those of GTX480. */
static const struct gddr5_timing timings[TIMINGS] = {
    [GTX480] = {.burst = 2,
                .cl = 12,
                .wl = 4,
                .rcd = 12,
                .rp = 12,
                .ras = 28,
                .rc = 40,
                .rrd = 6,
                .ccd = 2,
                .ccdl = 3,
                .wr = 12,
                .cdlr = 5,
                .rtp = 2,
                .rtpl = 2},
    [TITANX] = {.burst = 2,
                .cl = 16,
                .wl = 6,
                .rcd = 16,
                .rp = 16,
                .ras = 37,
                .rc = 52,
                .rrd = 8,
                .ccd = 2,
                .ccdl = 4,
                .wr = 16,
                .cdlr = 7,
                .rtp = 2,
                .rtpl = 3},
    [GB8] = {.burst = 2,
             .cl = 24,
             .wl = 7,
             .rcd = 24,
             .rp = 24,
             .ras = 56,
             .rc = 80,
             .rrd = 10,
             .ccd = 2,
             .ccdl = 2,
             .wr = 24,
             .cdlr = 10,
             .rtp = 5,
             .rcdwr = 20,
             .rtw = 20,
             .faw = 40,
             .aw32 = 360,
             .rfc = 74},
    [GB1] = {.burst = 2,
             .cl = 24,
             .wl = 7,
             .rcd = 18,
             .rp = 18,
             .ras = 42,
             .rc = 60,
             .rrd = 9,
             .ccd = 2,
             .ccdl = 2,
             .wr = 18,
             .cdlr = 8,
             .rtp = 5,
             .rcdwr = 15,
             .rtw = 19,
             .faw = 35,
             .aw32 = 280,
             .rfc = 98},
    [FAR_FAULT] = {.burst = 2,
                   .cl = 12,
                   .wl = 4,
                   .rcd = 12,
                   .rp = 12,
                   .ras = 28,
                   .rc = 40,
                   .rrd = 6,
                   .ccd = 2,
                   .ccdl = 3,
                   .wr = 12,
                   .cdlr = 5,
                   .rtp = 2,
                   .rtpl = 2},
    [GDDR6] = {.burst = 2,
               .cl = 24,
               .wl = 6,
               .rcd = 26,
               .rcdwr = 16,
               .rp = 26,
               .ras = 53,
               .rc = 79,
               .rrd = 7,
               .rrdl = 7,
               .faw = 28,
               .ccd = 2,
               .ccdl = 3,
               .wr = 26,
               .cdlr = 9,
               .cdlrl = 11,
               .rtp = 4,
               .ppd = 1,
               .refipb = 208,
               .rfcpb = 105,
               .rrefd = 14},
    [HBM2] = {.burst = 2,
              .cl = 14,
              .wl = 4,
              .rcd = 14,
              .rcdwr = 14,
              .rp = 14,
              .ras = 34,
              .rc = 48,
              .rrd = 4,
              .rrdl = 6,
              .faw = 30,
              .ccd = 2,
              .ccdl = 4,
              .wr = 16,
              .cdlr = 6,
              .cdlrl = 8,
              .rtp = 4,
              .rtpl = 6,
              .refipb = 243,
              .rfcpb = 160,
              .rrefd = 8},
};

static inline struct gddr5_size size_of(int timing) {
    return (struct gddr5_size){.timing = timings[timing],
                               .banks = 16,
                               .groups = timing == GB8 || timing == GB1 ? 1 : 4,
                               .read_queue = 64,
                               .write_queue = 64,
                               .write_high = 56,
                               .write_low = 8,
                               .streak_cap = 16,
                               .age_cap = 20000};
}

/* Requests in order of arrival. */
struct dram_stream {
    struct gddr5_req *req; /* owned; the tag is the index in the stream */
    uint32_t *gap;         /* owned; number of cycles since the previous request */
    uint64_t n;
};

struct drive {
    struct dram_command *command; /* owned */
    uint64_t n_commands, room;
    uint64_t cycles; /* number of cycles until all data have left */
    int64_t *pushed, /* owned; cycle in which each request was pushed */
        *issued,     /* cycle of each request's column command; in the memory of `pushed` */
        *done;       /* cycle in which each read was done; in the memory of `pushed` */
    struct gddr5_stats stats;
};

static inline struct dram_stream stream_new(uint64_t n) {
    struct dram_stream s = {calloc(n, sizeof *s.req), calloc(n, sizeof *s.gap), n};
    assert_true(s.req && s.gap);
    for (uint64_t i = 0; i < n; i++)
        s.req[i].tag = (uint32_t)i;
    return s;
}

static inline void stream_free(struct dram_stream *s) {
    free(s->req);
    free(s->gap);
}

static inline void record(void *ctx, uint64_t cycle, enum gddr5_cmd cmd, uint32_t bank,
                          uint64_t row, uint32_t col, uint32_t tag) {
    struct drive *d = ctx;
    if (d->n_commands == d->room) {
        d->room = d->room ? 2 * d->room : 1024;
        d->command = realloc(d->command, d->room * sizeof *d->command);
        assert_non_null(d->command);
    }
    d->command[d->n_commands++] = (struct dram_command){(int64_t)cycle, cmd, bank, col, tag, row};
    if (cmd == GDDR5_RD || cmd == GDDR5_WR)
        d->issued[tag] = (int64_t)cycle;
}

/* Runs a stream to its end. If `skip`, ticks only in the cycles that gddr5_next_event names and in
 * those in which requests are pushed. If `slow`, accepts read data only in few cycles. At most
 * `in_flight` requests wait for their column commands; if in_flight is 0, only the queues limit
 * their number. */
static inline struct drive drive(const struct gddr5_size *size, const struct dram_stream *s,
                                 bool skip, bool slow, uint64_t in_flight) {
    struct drive d = {0};
    d.pushed = calloc(3 * s->n, sizeof *d.pushed);
    assert_non_null(d.pushed);
    d.issued = d.pushed + s->n;
    d.done = d.issued + s->n;
    struct gddr5 *g = gddr5_create(size);
    assert_non_null(g);
    gddr5_trace(g, record, &d);
    uint64_t next = 0, due = s->n ? s->gap[0] : 0, columns = 0, now = 0;
    for (;; now++) {
        uint32_t tag = gddr5_done(g, now);
        if (tag != GDDR5_NONE && (!slow || now % 32 < 3)) {
            assert_true(tag < s->n && !s->req[tag].write && !d.done[tag]);
            d.done[tag] = (int64_t)now;
            gddr5_take(g, now);
        }
        if (!skip || now >= gddr5_next_event(g))
            columns += gddr5_tick(g, now) != GDDR5_NONE;
        while (next < s->n && due <= now && gddr5_room(g, s->req[next].write) &&
               (!in_flight || next - columns < in_flight)) {
            d.pushed[next] = (int64_t)now;
            gddr5_push(g, now, &s->req[next++]);
            due = next < s->n ? now + s->gap[next] : 0;
        }
        if (next == s->n && gddr5_empty(g))
            break;
        assert_true(now < 100000000);
    }
    d.cycles = now;
    d.stats = *gddr5_stats(g);
    gddr5_destroy(g);
    return d;
}

static inline void drive_free(struct drive *d) {
    free(d->command);
    free(d->pushed);
}

#endif
