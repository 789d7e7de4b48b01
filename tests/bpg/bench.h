/* SPDX-License-Identifier: Apache-2.0 */
/* Bench of bpg, with helpers that cause hits, failures and decisions. */
#ifndef MEMTWIN_TESTS_BPG_BENCH_H
#define MEMTWIN_TESTS_BPG_BENCH_H

#include "bpg/bpg_ports.h"
#include "lib/bits.h"

#define BENCH bpg
#define BENCH_VECTORS NULL
#include "tests/block/bench.h"

static inline unsigned calculators(const struct bpg_bench *b) {
    return param(b, BPG_CALCULATORS);
}

/* ---- Inputs ---- */

static inline void set_access(struct bpg_bench *b, uint64_t op, uint64_t addr, uint64_t id) {
    b->in.acc_valid = 1;
    b->in.acc_op = op;
    b->in.acc_addr = addr;
    b->in.acc_id = id;
}

/* Runs a cycle in which the block accepts this access. The block looks it up in the next cycle. */
static inline void access_(struct bpg_bench *b, uint64_t op, uint64_t addr, uint64_t id) {
    set_access(b, op, addr, id);
    cycle(b);
}

/* Presents the same access for n cycles without checking the outputs. */
static inline void accesses(struct bpg_bench *b, uint64_t n, uint64_t op, uint64_t addr,
                            uint64_t id) {
    set_access(b, op, addr, id);
    for (; n; n--)
        block_tick(&b->inst, &b->in);
    memset(&b->in, 0, sizeof b->in);
}

static inline void failures(struct bpg_bench *b, uint64_t n) {
    b->in.fail = 1;
    for (; n; n--)
        block_tick(&b->inst, &b->in);
    memset(&b->in, 0, sizeof b->in);
}

/* Writes the table of cubes for `users` users. */
static inline void load_table(struct bpg_bench *b, uint32_t users) {
    for (unsigned k = 1; k <= calculators(b); k++) {
        b->in.cube_valid = 1;
        b->in.cube_index = k - 1;
        b->in.cube_value = bpg_cube(k, users);
        cycle(b);
    }
}

static inline void launch(struct bpg_bench *b) {
    b->in.launch = 1;
    cycle(b);
}

/* Gives calculator k exactly hits[k - 1] more hits on line 0, whose set is sampled with all
 * parameters. Before each hit beyond the common minimum, an EVICT by user k removes the line from
 * the arrays of the calculators above k. */
static inline void gain_hits(struct bpg_bench *b, const uint32_t *hits) {
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

/* ---- Outputs of the last cycle ---- */

static inline uint64_t hits_of(const struct bpg_bench *b, unsigned k) {
    unsigned width = (unsigned)param(b, BPG_HIT_W);
    uint64_t hits = 0;
    for (unsigned i = 0; i < width; i++) {
        unsigned bit = (k - 1) * width + i;
        hits |= (uint64_t)(b->out.st_hits[bit / 32] >> bit % 32 & 1) << i;
    }
    return hits;
}

static inline int64_t adjusted(const struct bpg_bench *b) {
    unsigned width = bpg_adjusted_bits(&b->inst.params);
    uint64_t sign = b->out.st_adjusted >> (width - 1) & 1;
    assert_true(b->out.st_adjusted <= bits_low(width));
    return (int64_t)(b->out.st_adjusted | (sign ? ~bits_low(width) : 0));
}

/* Runs an idle cycle, after which the counters include all inputs so far. */
static inline void settle(struct bpg_bench *b) {
    idle(b, 1);
    look(b);
    assert_int_equal(b->out.st_look, 0);
}

static inline void expect_hits(struct bpg_bench *b, const uint32_t *hits) {
    settle(b);
    for (unsigned k = 1; k <= calculators(b); k++)
        assert_int_equal(hits_of(b, k), hits[k - 1]);
}

/* Returns a mask of the arrays that contain a line. The access that looks the line up changes only
 * the access count. */
static inline uint64_t found(struct bpg_bench *b, uint64_t addr) {
    access_(b, BPG_PASS, addr, 0);
    cycle(b);
    assert_int_equal(b->out.st_look, 1);
    return b->out.st_found;
}

/* ---- Decisions ---- */

struct test_bpg_decision {
    unsigned lmax;
    int64_t adjusted[BPG_MAX_CALCULATORS];
};

/* Runs the cycles from the lookup of the interval's last access to `update`, and returns the
 * decision. Checks that each output appears in the cycle that docs/understand/bpg.md states. */
static inline struct test_bpg_decision watch_decision(struct bpg_bench *b) {
    struct test_bpg_decision d = {0};
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

/* Ends the interval with accesses that have no other effect, and returns the decision. */
static inline struct test_bpg_decision decide(struct bpg_bench *b) {
    settle(b);
    accesses(b, (uint64_t)param(b, BPG_INTERVAL) - b->out.st_count, BPG_PASS, 0, 0);
    return watch_decision(b);
}

/* Returns the decision for exactly these hits and failures, after a launch. */
static inline struct test_bpg_decision decision_of(struct bpg_bench *b, const uint32_t *hits,
                                                   uint64_t fails) {
    launch(b);
    gain_hits(b, hits);
    failures(b, fails);
    return decide(b);
}

#endif
