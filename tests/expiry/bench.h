/* SPDX-License-Identifier: Apache-2.0 */
/* An expiry under test, its wires, and what it takes to bring about operations. With
 * EXPIRY_VECTORS=folder each test leaves there what went in and what came out, as a vector file. */
#ifndef MEMTWIN_TESTS_EXPIRY_BENCH_H
#define MEMTWIN_TESTS_EXPIRY_BENCH_H

#include "expiry/expiry_ports.h"
#include "tests/block/at.h"

struct bench {
    struct block_inst inst;
    struct expiry_in in;   /* all 0 after each cycle */
    struct expiry_out out; /* of the last cycle, or of the last look */
    struct tape tape;
};

static inline unsigned param(const struct bench *b, enum expiry_param i) {
    return (unsigned)b->inst.params.v[i];
}

/* The outputs for the inputs that are set; no clock. */
static inline void look(struct bench *b) {
    block_look(&b->inst, &b->in, &b->out);
}

/* One clock cycle with the inputs that are set. */
static inline void cycle(struct bench *b) {
    look(b);
    tape_cycle(&b->tape, &b->in, &b->out);
    block_tick(&b->inst, &b->in);
    memset(&b->in, 0, sizeof b->in);
}

static inline void idle(struct bench *b, unsigned cycles) {
    while (cycles--)
        cycle(b);
}

static inline void reset(struct bench *b) {
    b->in.rst = 1;
    cycle(b);
}

static inline struct block_params point(const char *const *set) {
    return block_at(&expiry_type, set);
}

static inline struct bench start(const char *name, const char *const *set) {
    struct block_params p = point(set);
    struct bench b = {0};
    char err[1024];
    if (block_inst_init(&b.inst, &expiry_type, &p, "bench", err, sizeof err))
        fail_msg("%s", err);
    tape_begin(&b.tape, &b.inst, "EXPIRY_VECTORS", name);
    reset(&b);
    return b;
}

/* A bench at these parameters; its recording has the name of the test. */
#define START(...) start(__func__, (const char *const[]){__VA_ARGS__, NULL})

static inline void end(struct bench *b) {
    cycle(b); /* what was shown last is recorded */
    tape_end(&b->tape);
    block_inst_free(&b->inst);
}

/* ---- Inputs ---- */

static inline void set_exp(struct bench *b, uint64_t block, uint64_t page) {
    b->in.exp_valid = 1;
    b->in.exp_block = block;
    b->in.exp_page = page;
}

static inline void set_rec(struct bench *b, uint64_t block) {
    b->in.rec_valid = 1;
    b->in.rec_block = block;
}

/* ---- Outputs ---- */

static inline bool ready(struct bench *b) {
    look(b);
    assert_int_equal(b->out.exp_ready, b->out.rec_ready);
    return b->out.exp_ready;
}

/* Entries in use, and nothing waits or is under way. */
static inline void expect_idle(struct bench *b, unsigned entries) {
    struct expiry_out idle = {.exp_ready = 1, .rec_ready = 1, .st_entries = entries};
    look(b);
    assert_memory_equal(&b->out, &idle, sizeof idle);
    assert_true(expiry_next_event(b->inst.model) == UINT64_MAX);
}

/* Cycles in which an operation is worked on, and nothing stands at the output. */
static inline void expect_work(struct bench *b, unsigned cycles) {
    while (cycles--) {
        assert_false(ready(b));
        assert_int_equal(b->out.out_valid, 0);
        assert_int_equal(expiry_next_event(b->inst.model), 0);
        b->in.out_ready = cycles & 1; /* whatever it is */
        cycle(b);
    }
}

/* Expects these values at the output, and takes them or not. */
static inline void expect_out(struct bench *b, enum expiry_why why, uint64_t block, uint64_t mask,
                              bool last, bool taken) {
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

/* ---- Operations, from the cycle in which they are taken to the one in which the next can be ----
 */

/* A page expires; no entry has to go for it. */
static inline void expire(struct bench *b, uint64_t block, uint64_t page) {
    assert_true(ready(b));
    set_exp(b, block, page);
    cycle(b);
    expect_work(b, EXPIRY_OP_CYCLES - 1);
    assert_true(ready(b));
    assert_int_equal(b->out.out_valid, 0);
}

/* A page expires, and this entry goes. */
static inline void expire_out(struct bench *b, uint64_t block, uint64_t page, uint64_t out,
                              uint64_t mask) {
    assert_true(ready(b));
    set_exp(b, block, page);
    cycle(b);
    expect_work(b, EXPIRY_OP_CYCLES - 1);
    expect_out(b, EXPIRY_FULL, out, mask, true, true);
    assert_true(ready(b));
}

static inline void recall(struct bench *b, uint64_t block, uint64_t mask) {
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

struct entry {
    uint64_t block, mask;
};

/* Takes and expects `entries`; with n = 0, expects the reply that there is no entry. */
static inline void take(struct bench *b, const struct entry *entries, unsigned n) {
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

/* All entries, oldest first, in the state they are left in: taken one operation after another. */
static inline void drain(struct bench *b, const struct entry *entries, unsigned n) {
    unsigned most = param(b, EXPIRY_TAKE);
    for (unsigned i = 0; i < n; i += most)
        take(b, entries + i, n - i < most ? n - i : most);
    expect_idle(b, 0);
}

#define HOLDS(b, ...)                                                                              \
    drain((b), (const struct entry[]){__VA_ARGS__},                                                \
          sizeof((struct entry[]){__VA_ARGS__}) / sizeof(struct entry))

#endif
