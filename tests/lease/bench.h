/* SPDX-License-Identifier: Apache-2.0 */
/* Bench of lease, with helpers that run samples and check leases. */
#ifndef MEMTWIN_TESTS_LEASE_BENCH_H
#define MEMTWIN_TESTS_LEASE_BENCH_H

#include "lease/lease_ports.h"

#define BENCH lease
#define BENCH_VECTORS "LEASE_VECTORS"
/* Number of cycles since the reset or the last call of next_window(). It is the number of the cycle
 * within the period until the period ends, and then continues to grow. */
#define BENCH_STATE unsigned time;
#define BENCH_CLEAR(b) ((b)->time = (b)->in.rst ? 0 : (b)->time + 1, (b)->in = (struct lease_in){0})
#include "tests/block/bench.h"

/* Parameters with a short window, and a period that is long enough for a few leases. */
#define SHORT "DUTY=40", "PERIOD=1200"

static inline void until(struct lease_bench *b, unsigned time) {
    assert_true(b->time <= time);
    idle(b, time - b->time);
}

/* ---- Inputs ---- */

static inline void set_quota(struct lease_bench *b, unsigned group, unsigned quota) {
    b->in.quota_valid = 1;
    b->in.quota_group = group;
    b->in.quota = quota;
}

static inline void give_quota(struct lease_bench *b, unsigned group, unsigned quota) {
    set_quota(b, group, quota);
    cycle(b);
}

static inline void set_access(struct lease_bench *b, unsigned lane, unsigned group, unsigned block,
                              unsigned page) {
    const struct block_params *p = &b->inst.params;
    b->in.acc_valid |= UINT64_C(1) << lane;
    lease_put(b->in.acc_block, lane, param(b, LEASE_BLOCK_W), block);
    lease_put(b->in.acc_page, lane, lease_page_bits(p), page);
    lease_put(b->in.acc_group, lane, lease_group_bits(p), group);
}

static inline void touch(struct lease_bench *b, unsigned group, unsigned block, unsigned page) {
    set_access(b, 0, group, block, page);
    cycle(b);
}

/* Makes n accesses to the first `pages` pages of a block in turn, one per cycle. */
static inline void touches(struct lease_bench *b, unsigned group, unsigned block, unsigned n,
                           unsigned pages) {
    for (unsigned i = 0; i < n; i++)
        touch(b, group, block, i % pages);
}

/* ---- Current outputs ---- */

static inline unsigned count(struct lease_bench *b, unsigned e) {
    return lease_field(look(b)->st_count, e, param(b, LEASE_COUNT_W));
}

static inline unsigned pages(struct lease_bench *b, unsigned e) {
    return lease_field(look(b)->st_pages, e, param(b, LEASE_PAGES));
}

/* ---- Sequences of many cycles ---- */

/* Runs to the first cycle of the next window. */
static inline void next_window(struct lease_bench *b) {
    until(b, param(b, LEASE_PERIOD));
    b->time = 0;
}

/* Runs until all accesses in the window have been counted. */
static inline void end_window(struct lease_bench *b) {
    until(b, param(b, LEASE_DUTY) + LEASE_COUNT_LATENCY);
}

/* Runs until the cycle after the next update, which must have this group and lease. */
static inline void expect_lease(struct lease_bench *b, unsigned group, unsigned lease) {
    while (!look(b)->upd_valid) {
        assert_true(b->time < param(b, LEASE_PERIOD));
        cycle(b);
    }
    assert_int_equal(look(b)->upd_group, group);
    assert_int_equal(look(b)->upd_lease, lease);
    cycle(b);
}

/* Runs until the next window starts, and expects no update. */
static inline void expect_no_lease(struct lease_bench *b) {
    while (b->time < param(b, LEASE_PERIOD)) {
        assert_int_equal(look(b)->upd_valid, 0);
        cycle(b);
    }
    b->time = 0;
}

#endif
