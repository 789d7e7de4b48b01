/* SPDX-License-Identifier: Apache-2.0 */
/* A bpg under test, its wires, and what it takes to bring about hits, failures and decisions. */
#ifndef MEMTWIN_TESTS_BPG_BENCH_H
#define MEMTWIN_TESTS_BPG_BENCH_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "bpg/bpg_ports.h"
#include "lib/bits.h"
#include "tests/block/at.h"

struct bench {
    struct block_inst inst;
    struct bpg_in in;   /* all 0 after each cycle */
    struct bpg_out out; /* of the last cycle, or of the last look */
};

static inline int64_t param(const struct bench *b, enum bpg_param i) {
    return b->inst.params.v[i];
}

static inline unsigned calculators(const struct bench *b) {
    return (unsigned)param(b, BPG_CALCULATORS);
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
    *p = block_at(&bpg_type, set);
}

static inline struct bench start_at(const struct block_params *p) {
    struct bench b;
    char err[1024];
    memset(&b, 0, sizeof b);
    if (block_inst_init(&b.inst, &bpg_type, p, "bench", err, sizeof err))
        fail_msg("%s", err);
    b.in.rst = 1;
    cycle(&b);
    return b;
}

static inline struct bench start(const char *const *set) {
    struct block_params p;
    point(&p, set);
    return start_at(&p);
}

#define START(...) start((const char *const[]){__VA_ARGS__, NULL})

static inline void end(struct bench *b) {
    block_inst_free(&b->inst);
}

/* ---- Inputs ---- */

static inline void set_access(struct bench *b, uint64_t op, uint64_t addr, uint64_t id) {
    b->in.acc_valid = 1;
    b->in.acc_op = op;
    b->in.acc_addr = addr;
    b->in.acc_id = id;
}

/* A cycle in which this is taken. It is being looked up in the next. */
static inline void access_(struct bench *b, uint64_t op, uint64_t addr, uint64_t id) {
    set_access(b, op, addr, id);
    cycle(b);
}

/* Presents the same access in n cycles, without checking the outputs. */
static inline void accesses(struct bench *b, uint64_t n, uint64_t op, uint64_t addr, uint64_t id) {
    set_access(b, op, addr, id);
    for (; n; n--)
        block_tick(&b->inst, &b->in);
    memset(&b->in, 0, sizeof b->in);
}

static inline void failures(struct bench *b, uint64_t n) {
    b->in.fail = 1;
    for (; n; n--)
        block_tick(&b->inst, &b->in);
    memset(&b->in, 0, sizeof b->in);
}

static inline void idle(struct bench *b, uint64_t cycles) {
    for (; cycles; cycles--)
        cycle(b);
}

/* Loads the cube table for `users` users. */
static inline void load_table(struct bench *b, uint32_t users) {
    for (unsigned k = 1; k <= calculators(b); k++) {
        b->in.cube_valid = 1;
        b->in.cube_index = k - 1;
        b->in.cube_value = bpg_cube(k, users);
        cycle(b);
    }
}

static inline void launch(struct bench *b) {
    b->in.launch = 1;
    cycle(b);
}

/* Line 0 lies in set 0, which is sampled, whatever the parameters. Gives calculator k exactly
 * hits[k - 1] more hits: a user just outside of k drops the line from the arrays above k each time.
 */
static inline void gain_hits(struct bench *b, const uint32_t *hits) {
    uint32_t all = hits[0], n = calculators(b);
    for (unsigned k = 1; k <= n; k++)
        all = hits[k - 1] < all ? hits[k - 1] : all;
    access_(b, BPG_WRITE, 0, 0);
    accesses(b, all, BPG_LOAD, 0, 0);
    for (unsigned k = 1; k <= n; k++) {
        if (hits[k - 1] > all)
            access_(b, BPG_WRITE, 0, k - 1);
        for (uint32_t i = all; i < hits[k - 1]; i++) {
            if (k < n)
                access_(b, BPG_EVICT, 0, k);
            access_(b, BPG_LOAD, 0, k - 1);
        }
    }
}

/* ---- Outputs, of the last cycle ---- */

static inline uint64_t hits_of(const struct bench *b, unsigned k) {
    unsigned width = (unsigned)param(b, BPG_HIT_W);
    uint64_t hits = 0;
    for (unsigned i = 0; i < width; i++) {
        unsigned bit = (k - 1) * width + i;
        hits |= (uint64_t)(b->out.st_hits[bit / 32] >> bit % 32 & 1) << i;
    }
    return hits;
}

static inline int64_t adjusted(const struct bench *b) {
    unsigned width = bpg_adjusted_bits(&b->inst.params);
    uint64_t sign = b->out.st_adjusted >> (width - 1) & 1;
    assert_true(b->out.st_adjusted <= bits_low(width));
    return (int64_t)(b->out.st_adjusted | (sign ? ~bits_low(width) : 0));
}

/* The counters after all inputs so far have been counted, which takes two cycles. */
static inline void settle(struct bench *b) {
    idle(b, 1);
    look(b);
    assert_int_equal(b->out.st_look, 0);
}

static inline void expect_hits(struct bench *b, const uint32_t *hits) {
    settle(b);
    for (unsigned k = 1; k <= calculators(b); k++)
        assert_int_equal(hits_of(b, k), hits[k - 1]);
}

/* The arrays that hold a line, by an access that changes nothing but the count. */
static inline uint64_t found(struct bench *b, uint64_t addr) {
    access_(b, BPG_PASS, addr, 0);
    cycle(b);
    assert_int_equal(b->out.st_look, 1);
    return b->out.st_found;
}

/* ---- Decisions ---- */

struct decision {
    unsigned lmax;
    int64_t adjusted[BPG_MAX_CALCULATORS];
};

/* The cycles from the one in which the interval's last access is looked up to that with `update`:
 * each output is where docs/understand/bpg.md has it. */
static inline struct decision watch_decision(struct bench *b) {
    struct decision d = {0};
    unsigned n = calculators(b);
    cycle(b);
    assert_int_equal(b->out.st_look, 1);
    assert_int_equal(b->out.st_count, param(b, BPG_INTERVAL) - 1);
    uint64_t before = b->out.lmax;
    for (unsigned i = 1; i < BPG_DECIDES(n); i++) {
        cycle(b);
        assert_int_equal(b->out.st_judged, i > 2);
        assert_int_equal(b->out.st_judged_k, i > 2 ? i - 2 : 0);
        assert_int_equal(b->out.update, 0);
        assert_int_equal(b->out.lmax, before);
        if (i > 2)
            d.adjusted[i - 3] = adjusted(b);
    }
    cycle(b);
    assert_int_equal(b->out.st_judged, 0);
    assert_int_equal(b->out.update, 1);
    d.lmax = (unsigned)b->out.lmax;
    cycle(b);
    assert_int_equal(b->out.update, 0);
    assert_int_equal(b->out.lmax, d.lmax);
    return d;
}

/* Ends the interval by accesses that do nothing else. */
static inline struct decision decide(struct bench *b) {
    settle(b);
    accesses(b, (uint64_t)param(b, BPG_INTERVAL) - b->out.st_count, BPG_PASS, 0, 0);
    return watch_decision(b);
}

/* Of just these hits and failures, from a launch on. */
static inline struct decision decision_of(struct bench *b, const uint32_t *hits, uint64_t fails) {
    launch(b);
    gain_hits(b, hits);
    failures(b, fails);
    return decide(b);
}

#endif
