/* SPDX-License-Identifier: Apache-2.0 */
/* Bench of expiry, with helpers that run operations and check their outputs. */
#ifndef MEMTWIN_TESTS_EXPIRY_BENCH_H
#define MEMTWIN_TESTS_EXPIRY_BENCH_H

#include "expiry/expiry_ports.h"

#define BENCH expiry
#define BENCH_VECTORS "EXPIRY_VECTORS"
#include "tests/block/bench.h"

/* ---- Inputs ---- */

static inline void set_exp(struct expiry_bench *b, uint64_t block, uint64_t page) {
    b->in.exp_valid = 1;
    b->in.exp_block = block;
    b->in.exp_page = page;
}

static inline void set_rec(struct expiry_bench *b, uint64_t block) {
    b->in.rec_valid = 1;
    b->in.rec_block = block;
}

/* ---- Outputs ---- */

static inline bool ready(struct expiry_bench *b) {
    look(b);
    assert_int_equal(b->out.exp_ready, b->out.rec_ready);
    return b->out.exp_ready;
}

/* Expects this number of entries, with no operation waiting or in progress. */
static inline void expect_idle(struct expiry_bench *b, unsigned entries) {
    struct expiry_out idle = {.exp_ready = 1, .rec_ready = 1, .st_entries = entries};
    look(b);
    assert_memory_equal(&b->out, &idle, sizeof idle);
    assert_true(expiry_next_event(b->inst.model) == UINT64_MAX);
}

/* Runs cycles in which an operation is in progress and there is no output. */
static inline void expect_work(struct expiry_bench *b, unsigned cycles) {
    while (cycles--) {
        assert_false(ready(b));
        assert_int_equal(b->out.out_valid, 0);
        assert_int_equal(expiry_next_event(b->inst.model), 0);
        b->in.out_ready = cycles & 1; /* may have any value */
        cycle(b);
    }
}

/* Expects these values at the output. If `taken`, accepts them. */
static inline void expect_out(struct expiry_bench *b, enum expiry_why why, uint64_t block,
                              uint64_t mask, bool last, bool taken) {
    assert_false(ready(b));
    assert_int_equal(b->out.out_valid, 1);
    assert_int_equal(b->out.out_why, why);
    assert_int_equal(b->out.out_last, last);
    assert_int_equal(b->out.out_block, block);
    assert_int_equal(b->out.out_mask, mask);
    assert_int_equal(expiry_next_event(b->inst.model), 0);
    b->in.out_ready = taken;
    cycle(b);
}

/* ---- Operations, from the cycle of acceptance to that of the next possible one ---- */

/* Reports an expired page of a block, and expects no entry to be evicted. */
static inline void expire(struct expiry_bench *b, uint64_t block, uint64_t page) {
    assert_true(ready(b));
    set_exp(b, block, page);
    cycle(b);
    expect_work(b, EXPIRY_OP_CYCLES - 1);
    assert_true(ready(b));
    assert_int_equal(b->out.out_valid, 0);
}

/* Reports an expired page of a block, and expects the entry of block `out` to be evicted. */
static inline void expire_out(struct expiry_bench *b, uint64_t block, uint64_t page, uint64_t out,
                              uint64_t mask) {
    assert_true(ready(b));
    set_exp(b, block, page);
    cycle(b);
    expect_work(b, EXPIRY_OP_CYCLES - 1);
    expect_out(b, EXPIRY_FULL, out, mask, true, true);
    assert_true(ready(b));
}

static inline void recall(struct expiry_bench *b, uint64_t block, uint64_t mask) {
    assert_true(ready(b));
    set_rec(b, block);
    cycle(b);
    expect_work(b, EXPIRY_OP_CYCLES - 1);
    if (mask)
        expect_out(b, EXPIRY_RECALLED, block, mask, true, true);
    else
        expect_out(b, EXPIRY_NOTHING, 0, 0, true, true);
    assert_true(ready(b));
}

struct test_expiry_entry {
    uint64_t block, mask;
};

/* Takes entries and expects `entries`. If n is 0, expects the reply that there is no entry. */
static inline void take(struct expiry_bench *b, const struct test_expiry_entry *entries,
                        unsigned n) {
    assert_true(ready(b));
    b->in.take = 1;
    cycle(b);
    expect_work(b, EXPIRY_OP_CYCLES - 1);
    if (!n)
        expect_out(b, EXPIRY_NOTHING, 0, 0, true, true);
    for (unsigned i = 0; i < n; i++) {
        if (i)
            expect_work(b, EXPIRY_NEXT_CYCLES - 1);
        expect_out(b, EXPIRY_TAKEN, entries[i].block, entries[i].mask, i + 1 == n, true);
    }
    assert_true(ready(b));
}

/* Takes all entries, oldest first, one operation after another, and checks their values. */
static inline void drain(struct expiry_bench *b, const struct test_expiry_entry *entries,
                         unsigned n) {
    unsigned most = param(b, EXPIRY_TAKE);
    for (unsigned i = 0; i < n; i += most)
        take(b, entries + i, n - i < most ? n - i : most);
    expect_idle(b, 0);
}

#define HOLDS(b, ...)                                                                              \
    drain((b), (const struct test_expiry_entry[]){__VA_ARGS__},                                    \
          sizeof((struct test_expiry_entry[]){__VA_ARGS__}) / sizeof(struct test_expiry_entry))

#endif
