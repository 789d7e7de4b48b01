/* SPDX-License-Identifier: Apache-2.0 */
/* Bench of mil, with helpers that bring about limits, ratios and shares. */
#ifndef MEMTWIN_TESTS_MIL_BENCH_H
#define MEMTWIN_TESTS_MIL_BENCH_H

#include "lib/bits.h"
#include "mil/mil_ports.h"

#define BENCH mil
#define BENCH_VECTORS "MIL_VECTORS"
/* Resets the inputs after a cycle: all kernels are live, and all other inputs are 0. */
#define BENCH_CLEAR(b) ((b)->in = (struct mil_in){.live = bits_low(param(b, MIL_KERNELS))})
#include "tests/block/bench.h"

static inline uint64_t all(const struct mil_bench *b) {
    return bits_low(param(b, MIL_KERNELS));
}

/* ---- Inputs ---- */

static inline void set_iss(struct mil_bench *b, unsigned k, uint64_t n) {
    b->in.want |= UINT64_C(1) << k;
    b->in.iss |= n << k * mil_room_bits(&b->inst.params);
}

static inline void set_done(struct mil_bench *b, unsigned k, uint64_t n) {
    b->in.done |= n << 2 * k;
}

static inline void set_access(struct mil_bench *b, unsigned k) {
    b->in.acc_valid = 1;
    b->in.acc_kernel = k;
}

static inline void set_fail(struct mil_bench *b, unsigned k) {
    b->in.fail_valid = 1;
    b->in.fail_kernel = k;
}

static inline void set_limit(struct mil_bench *b, unsigned k, uint64_t limit) {
    b->in.set_valid = 1;
    b->in.set_kernel = k;
    b->in.set_limit = limit;
}

/* ---- Current outputs ---- */

static inline unsigned limit(struct mil_bench *b, unsigned k) {
    return mil_field(look(b)->limit, k, param(b, MIL_INFLIGHT_W));
}

static inline unsigned room(struct mil_bench *b, unsigned k) {
    return mil_field(look(b)->room, k, mil_room_bits(&b->inst.params));
}

static inline unsigned inflight(struct mil_bench *b, unsigned k) {
    return mil_field(look(b)->st_inflight, k, param(b, MIL_INFLIGHT_W));
}

static inline unsigned max(struct mil_bench *b, unsigned k) {
    return mil_field(look(b)->st_max, k, param(b, MIL_INFLIGHT_W));
}

static inline unsigned ratio(struct mil_bench *b, unsigned k) {
    return mil_field(look(b)->st_ratio, k, mil_ratio_bits(&b->inst.params));
}

static inline unsigned wide_field(const uint32_t *vector, unsigned k, unsigned width) {
    unsigned value = 0;
    for (unsigned i = 0; i < width; i++)
        value |= (vector[(k * width + i) / 32] >> (k * width + i) % 32 & 1) << i;
    return value;
}

static inline unsigned rf(struct mil_bench *b, unsigned k) {
    return wide_field(look(b)->st_rf, k, param(b, MIL_RF_W));
}

static inline unsigned quota(struct mil_bench *b, unsigned k) {
    return wide_field(look(b)->st_quota, k, param(b, MIL_QUOTA_W));
}

static inline unsigned share(struct mil_bench *b, unsigned k) {
    return wide_field(look(b)->st_share, k, param(b, MIL_QUOTA_W));
}

/* Returns the mask of kernels that may issue if the kernels in the mask `want` request it. */
static inline uint64_t goes(struct mil_bench *b, uint64_t want) {
    b->in.want = want;
    return look(b)->go;
}

/* ---- sequences of many cycles ---- */

/* Puts n more instructions of kernel k in flight. */
static inline void fly(struct mil_bench *b, unsigned k, unsigned n) {
    while (n) {
        unsigned some = n < param(b, MIL_SCHEDULERS) ? n : param(b, MIL_SCHEDULERS);
        set_iss(b, k, some);
        cycle(b);
        n -= some;
    }
}

static inline void land(struct mil_bench *b, unsigned k, unsigned n) {
    for (; n; n -= n > 1 ? 2 : 1) {
        set_done(b, k, n > 1 ? 2 : 1);
        cycle(b);
    }
}

static inline void accesses(struct mil_bench *b, unsigned k, unsigned n) {
    while (n--) {
        set_access(b, k);
        cycle(b);
    }
}

static inline void failures(struct mil_bench *b, unsigned k, unsigned n) {
    while (n--) {
        set_fail(b, k);
        cycle(b);
    }
}

static inline unsigned interval(const struct mil_bench *b) {
    return 1u << param(b, MIL_INTERVAL_W);
}

/* Runs an interval of kernel k with `fails` failures. `update` must be output INFLIGHT_W + 1 cycles
 * after the interval's last cycle, and not before. */
static inline void decide(struct mil_bench *b, unsigned k, unsigned fails) {
    failures(b, k, fails);
    accesses(b, k, interval(b));
    for (unsigned i = 0; i < param(b, MIL_INFLIGHT_W); i++) {
        assert_int_equal(look(b)->update, 0);
        cycle(b);
    }
    assert_int_equal(look(b)->update, 1u << k);
}

/* Runs an interval in which `issued` instructions of kernel k issue, one per cycle. Each is done in
 * the cycle after its issue. */
static inline void measure(struct mil_bench *b, unsigned k, unsigned issued) {
    unsigned cycles = issued > interval(b) ? issued : interval(b);
    for (unsigned i = 0; i < cycles; i++) {
        if (cycles - i <= interval(b))
            set_access(b, k);
        if (i < issued)
            set_iss(b, k, 1);
        set_done(b, k, i > 0 && i <= issued);
        cycle(b);
    }
    if (issued == cycles)
        set_done(b, k, 1);
    idle(b, param(b, MIL_INTERVAL_W) + 2); /* runs the cycles until the ratio is known */
}

static inline void until_shares(struct mil_bench *b) {
    for (unsigned i = 0; look(b)->st_busy; i++) {
        assert_in_range(i, 0, 1000);
        cycle(b);
    }
}

/* Uses up all quotas while no kernel is live. Then all kernels get their shares as new quotas. */
static inline void begin_quotas(struct mil_bench *b) {
    for (unsigned k = 0; k < param(b, MIL_KERNELS); k++)
        for (unsigned left; (left = quota(b, k)) > 0;) {
            unsigned n = left < room(b, k) ? left : room(b, k);
            b->in.live = 0;
            if (n)
                set_iss(b, k, n);
            set_done(b, k, inflight(b, k) > 1 ? 2 : inflight(b, k));
            cycle(b);
        }
    for (unsigned k = 0; k < param(b, MIL_KERNELS); k++)
        while (inflight(b, k)) {
            b->in.live = 0;
            set_done(b, k, inflight(b, k) > 1 ? 2 : 1);
            cycle(b);
        }
    cycle(b);
}

/* Lets all kernels request to issue. The chosen kernel issues one instruction, which is done in the
 * next cycle. The kernels must be chosen in the order of `digits`, which may contain blanks. */
static inline void expect_order(struct mil_bench *b, const char *digits) {
    for (unsigned last = 4; *digits; digits++) {
        if (*digits == ' ')
            continue;
        unsigned k = (unsigned)(*digits - '0');
        assert_int_equal(goes(b, all(b)), 1u << k);
        set_iss(b, k, 1);
        if (last < 4)
            set_done(b, last, 1);
        b->in.want = all(b);
        last = k;
        cycle(b);
    }
}

#endif
