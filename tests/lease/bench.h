/* SPDX-License-Identifier: Apache-2.0 */
/* A lease under test, its wires, and what it takes to bring about samples and leases. With
 * LEASE_VECTORS=folder each test leaves there what went in and what came out, as a vector file. */
#ifndef MEMTWIN_TESTS_LEASE_BENCH_H
#define MEMTWIN_TESTS_LEASE_BENCH_H

#include "lease/lease_ports.h"
#include "tests/block/at.h"

#define LENGTH(a) (sizeof(a) / sizeof *(a))
/* A window that is short, and time for a few leases. */
#define SHORT "DUTY=40", "PERIOD=1200"

struct bench {
    struct block_inst inst;
    struct lease_in in;   /* all 0 after each cycle */
    struct lease_out out; /* of the last cycle, or of the last look */
    unsigned time;        /* cycle of the period, or more: since reset or `next_window` */
    struct tape tape;
};

static inline unsigned param(const struct bench *b, enum lease_param i) {
    return (unsigned)b->inst.params.v[i];
}

/* The outputs for the inputs that are set; no clock. */
static inline const struct lease_out *now(struct bench *b) {
    block_look(&b->inst, &b->in, &b->out);
    return &b->out;
}

static inline void cycle(struct bench *b) {
    now(b);
    tape_cycle(&b->tape, &b->in, &b->out);
    block_tick(&b->inst, &b->in);
    b->time = b->in.rst ? 0 : b->time + 1;
    memset(&b->in, 0, sizeof b->in);
}

static inline void idle(struct bench *b, unsigned cycles) {
    while (cycles--)
        cycle(b);
}

static inline void until(struct bench *b, unsigned time) {
    assert_true(b->time <= time);
    idle(b, time - b->time);
}

static inline void reset(struct bench *b) {
    b->in.rst = 1;
    cycle(b);
}

static inline struct block_params point(const char *const *set) {
    return block_at(&lease_type, set);
}

static inline struct bench start(const char *name, const char *const *set) {
    struct block_params p = point(set);
    struct bench b = {0};
    char err[1024];
    if (block_inst_init(&b.inst, &lease_type, &p, "bench", err, sizeof err))
        fail_msg("%s", err);
    if (name)
        tape_begin(&b.tape, &b.inst, "LEASE_VECTORS", name);
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

static inline void set_quota(struct bench *b, unsigned group, unsigned quota) {
    b->in.quota_valid = 1;
    b->in.quota_group = group;
    b->in.quota = quota;
}

static inline void give_quota(struct bench *b, unsigned group, unsigned quota) {
    set_quota(b, group, quota);
    cycle(b);
}

static inline void set_access(struct bench *b, unsigned lane, unsigned group, unsigned block,
                              unsigned page) {
    const struct block_params *p = &b->inst.params;
    b->in.acc_valid |= UINT64_C(1) << lane;
    lease_put(b->in.acc_block, lane, param(b, LEASE_BLOCK_W), block);
    lease_put(b->in.acc_page, lane, lease_page_bits(p), page);
    lease_put(b->in.acc_group, lane, lease_group_bits(p), group);
}

static inline void touch(struct bench *b, unsigned group, unsigned block, unsigned page) {
    set_access(b, 0, group, block, page);
    cycle(b);
}

/* n accesses to the first `pages` pages in turn, one a cycle. */
static inline void touches(struct bench *b, unsigned group, unsigned block, unsigned n,
                           unsigned pages) {
    for (unsigned i = 0; i < n; i++)
        touch(b, group, block, i % pages);
}

/* ---- Outputs, as they are now ---- */

static inline unsigned count(struct bench *b, unsigned e) {
    return lease_field(now(b)->st_count, e, param(b, LEASE_COUNT_W));
}

static inline unsigned pages(struct bench *b, unsigned e) {
    return lease_field(now(b)->st_pages, e, param(b, LEASE_PAGES));
}

/* ---- What takes many cycles ---- */

/* To the first cycle of the next window. */
static inline void next_window(struct bench *b) {
    until(b, param(b, LEASE_PERIOD));
    b->time = 0;
}

/* All of the window is counted. */
static inline void end_window(struct bench *b) {
    until(b, param(b, LEASE_DUTY) + LEASE_COUNT_LATENCY);
}

/* The next update is this. */
static inline void expect_lease(struct bench *b, unsigned group, unsigned lease) {
    while (!now(b)->upd_valid) {
        assert_true(b->time < param(b, LEASE_PERIOD));
        cycle(b);
    }
    assert_int_equal(now(b)->upd_group, group);
    assert_int_equal(now(b)->upd_lease, lease);
    cycle(b);
}

/* There is no other before the next window, which begins. */
static inline void expect_no_lease(struct bench *b) {
    while (b->time < param(b, LEASE_PERIOD)) {
        assert_int_equal(now(b)->upd_valid, 0);
        cycle(b);
    }
    b->time = 0;
}

#endif
