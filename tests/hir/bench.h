/* SPDX-License-Identifier: Apache-2.0 */
/* A hir under test, its wires, and what it takes to touch pages and have them sent. */
#ifndef MEMTWIN_TESTS_HIR_BENCH_H
#define MEMTWIN_TESTS_HIR_BENCH_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "hir/hir_ports.h"
#include "tests/block/at.h"

struct bench {
    struct block_inst inst;
    struct hir_in in;   /* all 0 after each cycle */
    struct hir_out out; /* of the last cycle, or of the last look */
};

static inline int64_t param(const struct bench *b, enum hir_param i) {
    return b->inst.params.v[i];
}

/* The outputs for the inputs that are set; no clock. */
static inline void look(struct bench *b) {
    b->inst.type->eval(b->inst.model, &b->in, &b->out);
    b->inst.type->observe(b->inst.model, &b->in, &b->out);
}

/* One clock cycle with the inputs that are set. */
static inline void cycle(struct bench *b) {
    look(b);
    block_tick(&b->inst, &b->in);
    memset(&b->in, 0, sizeof b->in);
}

static inline void point(struct block_params *p, const char *const *set) {
    *p = block_at(&hir_type, set);
}

static inline void reset(struct bench *b) {
    b->in.rst = 1;
    cycle(b);
}

static inline struct bench start(const char *const *set) {
    struct bench b;
    struct block_params p;
    char err[1024];
    point(&p, set);
    memset(&b, 0, sizeof b);
    if (block_inst_init(&b.inst, &hir_type, &p, "bench", err, sizeof err))
        fail_msg("%s", err);
    reset(&b);
    return b;
}

#define START(...) start((const char *const[]){__VA_ARGS__, NULL})

static inline void end(struct bench *b) {
    block_inst_free(&b->inst);
}

/* ---- Inputs ---- */

static inline void set_hit(struct bench *b, uint64_t set, uint64_t page) {
    b->in.hit_valid = 1;
    b->in.hit_set = set;
    b->in.hit_page = page;
}

/* A cycle with this hit. If it is taken, it is being looked up in the next. */
static inline void touch(struct bench *b, uint64_t set, uint64_t page) {
    set_hit(b, set, page);
    cycle(b);
}

static inline void touches(struct bench *b, unsigned n, uint64_t set, uint64_t page) {
    for (; n; n--)
        touch(b, set, page);
}

static inline void idle(struct bench *b, unsigned cycles) {
    for (; cycles; cycles--)
        cycle(b);
}

/* The cycle t of docs/understand/hir.md. */
static inline void flush(struct bench *b) {
    b->in.flush = 1;
    cycle(b);
    assert_int_equal(b->out.busy, 0);
}

/* ---- Outputs, of the last cycle ---- */

static inline uint64_t count_of(const struct bench *b, unsigned page) {
    unsigned width = (unsigned)param(b, HIR_COUNT_W);
    return b->out.out_counts >> page * width & bits_low(width);
}

/* Nothing is known, looked up or sent. */
static inline void expect_empty(struct bench *b) {
    struct hir_out empty = {.hit_ready = 1};
    look(b);
    assert_memory_equal(&b->out, &empty, sizeof empty);
    assert_true(hir_next_event(b->inst.model) == UINT64_MAX);
}

/* t + 1 to t + 3, whatever out_ready is. */
static inline void expect_lead(struct bench *b) {
    for (unsigned i = 1; i < HIR_FLUSH_LATENCY; i++) {
        b->in.out_ready = i & 1;
        cycle(b);
        assert_int_equal(b->out.busy, 1);
        assert_int_equal(b->out.hit_ready, 0);
        assert_int_equal(b->out.out_valid, 0);
        assert_int_equal(hir_next_event(b->inst.model), 0);
    }
}

/* A cycle in which an entry is shown: just this one. */
static inline void expect_shown(struct bench *b, uint64_t set, uint64_t counts, bool last,
                                bool ready) {
    b->in.out_ready = ready;
    cycle(b);
    assert_int_equal(b->out.busy, 1);
    assert_int_equal(b->out.hit_ready, 0);
    assert_int_equal(b->out.out_valid, 1);
    assert_int_equal(b->out.out_set, set);
    assert_int_equal(b->out.out_counts, counts);
    assert_int_equal(b->out.out_last, last);
}

struct entry {
    uint64_t set, counts;
};

/* Expects the entries to leave, one per cycle, and no more after them. */
static inline void expect_leave(struct bench *b, const struct entry *entries, unsigned n) {
    for (unsigned i = 0; i < n; i++)
        expect_shown(b, entries[i].set, entries[i].counts, i + 1 == n, true);
    expect_empty(b);
}

static inline void expect_entries(struct bench *b, const struct entry *entries, unsigned n) {
    flush(b);
    expect_lead(b);
    expect_leave(b, entries, n);
}

#define SENDS(b, ...)                                                                              \
    expect_entries((b), (const struct entry[]){__VA_ARGS__},                                       \
                   sizeof((struct entry[]){__VA_ARGS__}) / sizeof(struct entry))

#endif
