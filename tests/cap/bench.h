/* SPDX-License-Identifier: Apache-2.0 */
/* A cap under test, and what it takes to ask it. With CAP_VECTORS=folder each test leaves there
 * what went in and what came out, as a vector file. */
#ifndef MEMTWIN_TESTS_CAP_BENCH_H
#define MEMTWIN_TESTS_CAP_BENCH_H

#include "cap/cap_ports.h"
#include "tests/block/at.h"

#define LENGTH(a) (sizeof(a) / sizeof *(a))

struct bench {
    struct block_inst inst;
    struct cap_in in;   /* all 0 after each cycle */
    struct cap_out out; /* of the last cycle */
    struct tape tape;
};

/* One clock cycle with the inputs that are set. */
static inline void cycle(struct bench *b) {
    block_look(&b->inst, &b->in, &b->out);
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
    return block_at(&cap_type, set);
}

static inline struct bench start(const char *name, const char *const *set) {
    struct block_params p = point(set);
    struct bench b = {0};
    char err[1024];
    if (block_inst_init(&b.inst, &cap_type, &p, "bench", err, sizeof err))
        fail_msg("%s", err);
    tape_begin(&b.tape, &b.inst, "CAP_VECTORS", name);
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

/* ---- Inputs of the coming cycle ---- */

static inline void set_req(struct bench *b, unsigned group, uint64_t req) {
    b->in.set_valid = 1;
    b->in.set_group = group;
    b->in.set_req = req;
}

static inline void set_agg(struct bench *b, uint64_t agg) {
    b->in.agg_valid = 1;
    b->in.agg = agg;
}

static inline void set_ask(struct bench *b, unsigned group, uint64_t avail, bool full) {
    b->in.ask_valid = 1;
    b->in.ask_group = group;
    b->in.ask_avail = avail;
    b->in.ask_full = full;
}

/* ---- Whole cycles ---- */

/* A group and agg, in blocks. */
static inline void set(struct bench *b, unsigned group, uint64_t req, uint64_t agg) {
    set_req(b, group, req);
    set_agg(b, agg);
    cycle(b);
}

static inline void expect_answer(const struct bench *b, unsigned size) {
    assert_int_equal(b->out.ans_valid, 1);
    assert_int_equal(b->out.ans_size, size);
}

static inline void expect_none(const struct bench *b) {
    assert_int_equal(b->out.ans_valid, 0);
    assert_int_equal(b->out.ans_size, 0);
}

/* The cycle of the question, and those up to its answer. */
static inline void expect_size(struct bench *b, unsigned group, uint64_t avail, bool full,
                               unsigned size) {
    set_ask(b, group, avail, full);
    cycle(b);
    cycle(b);
    expect_none(b);
    cycle(b);
    expect_answer(b, size);
}

#endif
