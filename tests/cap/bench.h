/* SPDX-License-Identifier: Apache-2.0 */
/* Bench of cap, with helpers that set groups and make queries. */
#ifndef MEMTWIN_TESTS_CAP_BENCH_H
#define MEMTWIN_TESTS_CAP_BENCH_H

#include "cap/cap_ports.h"

#define BENCH cap
#define BENCH_VECTORS "CAP_VECTORS"
#include "tests/block/bench.h"

/* ---- Inputs of the next cycle ---- */

static inline void set_req(struct cap_bench *b, unsigned group, uint64_t req) {
    b->in.set_valid = 1;
    b->in.set_group = group;
    b->in.set_req = req;
}

static inline void set_agg(struct cap_bench *b, uint64_t agg) {
    b->in.agg_valid = 1;
    b->in.agg = agg;
}

static inline void set_ask(struct cap_bench *b, unsigned group, uint64_t avail, bool full) {
    b->in.ask_valid = 1;
    b->in.ask_group = group;
    b->in.ask_avail = avail;
    b->in.ask_full = full;
}

/* ---- Whole cycles ---- */

/* Sets a group's size and its agg value, both in blocks. */
static inline void set(struct cap_bench *b, unsigned group, uint64_t req, uint64_t agg) {
    set_req(b, group, req);
    set_agg(b, agg);
    cycle(b);
}

static inline void expect_answer(const struct cap_bench *b, unsigned size) {
    assert_int_equal(b->out.ans_valid, 1);
    assert_int_equal(b->out.ans_size, size);
}

static inline void expect_none(const struct cap_bench *b) {
    assert_int_equal(b->out.ans_valid, 0);
    assert_int_equal(b->out.ans_size, 0);
}

/* Runs the cycle of the query and the following cycles up to its answer, and checks the answer. */
static inline void expect_size(struct cap_bench *b, unsigned group, uint64_t avail, bool full,
                               unsigned size) {
    set_ask(b, group, avail, full);
    cycle(b);
    cycle(b);
    expect_none(b);
    cycle(b);
    expect_answer(b, size);
}

#endif
