/* SPDX-License-Identifier: Apache-2.0 */
/* Bench of hir, with helpers that make page walks hit and that flush the block. */
#ifndef MEMTWIN_TESTS_HIR_BENCH_H
#define MEMTWIN_TESTS_HIR_BENCH_H

#include "hir/hir_ports.h"

#define BENCH hir
#define BENCH_VECTORS NULL
#include "tests/block/bench.h"

/* ---- Inputs ---- */

static inline void set_hit(struct hir_bench *b, uint64_t set, uint64_t page) {
    b->in.hit_valid = 1;
    b->in.hit_set = set;
    b->in.hit_page = page;
}

/* Runs a cycle with this hit. If the hit is accepted, the block looks it up in the next cycle. */
static inline void touch(struct hir_bench *b, uint64_t set, uint64_t page) {
    set_hit(b, set, page);
    cycle(b);
}

static inline void touches(struct hir_bench *b, unsigned n, uint64_t set, uint64_t page) {
    for (; n; n--)
        touch(b, set, page);
}

/* Runs the cycle of a flush, which docs/understand/hir.md calls t. */
static inline void flush(struct hir_bench *b) {
    b->in.flush = 1;
    cycle(b);
    assert_int_equal(b->out.busy, 0);
}

/* ---- Outputs, of the last cycle ---- */

static inline uint64_t count_of(const struct hir_bench *b, unsigned page) {
    unsigned width = (unsigned)param(b, HIR_COUNT_W);
    return b->out.out_counts >> page * width & bits_low(width);
}

/* Expects no entry in use, and no lookup or transmission in progress. */
static inline void expect_empty(struct hir_bench *b) {
    struct hir_out empty = {.hit_ready = 1};
    look(b);
    assert_memory_equal(&b->out, &empty, sizeof empty);
    assert_true(hir_next_event(b->inst.model) == UINT64_MAX);
}

/* Runs the cycles t + 1 to t + 3 after a flush, with any out_ready. */
static inline void expect_lead(struct hir_bench *b) {
    for (unsigned i = 1; i < HIR_FLUSH_LATENCY; i++) {
        b->in.out_ready = i & 1;
        cycle(b);
        assert_int_equal(b->out.busy, 1);
        assert_int_equal(b->out.hit_ready, 0);
        assert_int_equal(b->out.out_valid, 0);
        assert_int_equal(hir_next_event(b->inst.model), 0);
    }
}

/* Runs a cycle, and expects exactly this entry at the output. */
static inline void expect_shown(struct hir_bench *b, uint64_t set, uint64_t counts, bool last,
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

struct hir_entry {
    uint64_t set, counts;
};

/* Expects the entries to be sent, one per cycle, and nothing after them. */
static inline void expect_leave(struct hir_bench *b, const struct hir_entry *entries, unsigned n) {
    for (unsigned i = 0; i < n; i++)
        expect_shown(b, entries[i].set, entries[i].counts, i + 1 == n, true);
    expect_empty(b);
}

static inline void expect_entries(struct hir_bench *b, const struct hir_entry *entries,
                                  unsigned n) {
    flush(b);
    expect_lead(b);
    expect_leave(b, entries, n);
}

#define SENDS(b, ...)                                                                              \
    expect_entries((b), (const struct hir_entry[]){__VA_ARGS__},                                   \
                   sizeof((struct hir_entry[]){__VA_ARGS__}) / sizeof(struct hir_entry))

#endif
