/* SPDX-License-Identifier: Apache-2.0 */
/* A mil under test, its wires, and what it takes to bring about limits, ratios and shares. With
 * MIL_VECTORS=folder each test leaves there what went in and what came out, as a vector file. */
#ifndef MEMTWIN_TESTS_MIL_BENCH_H
#define MEMTWIN_TESTS_MIL_BENCH_H

#include "lib/bits.h"
#include "mil/mil_ports.h"
#include "tests/block/at.h"

#define LENGTH(a) (sizeof(a) / sizeof *(a))

struct bench {
    struct block_inst inst;
    struct mil_in in;   /* all 0 after each cycle, but live: all */
    struct mil_out out; /* of the last cycle */
    struct tape tape;
};

static inline unsigned param(const struct bench *b, enum mil_param i) {
    return (unsigned)b->inst.params.v[i];
}

static inline uint64_t all(const struct bench *b) {
    return bits_low(param(b, MIL_KERNELS));
}

/* The outputs for the inputs that are set; no clock. */
static inline void look(struct bench *b) {
    block_look(&b->inst, &b->in, &b->out);
}

static inline void cycle(struct bench *b) {
    look(b);
    tape_cycle(&b->tape, &b->in, &b->out);
    block_tick(&b->inst, &b->in);
    memset(&b->in, 0, sizeof b->in);
    b->in.live = all(b);
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
    return block_at(&mil_type, set);
}

static inline struct bench start(const char *name, const char *const *set) {
    struct block_params p = point(set);
    struct bench b = {0};
    char err[1024];
    if (block_inst_init(&b.inst, &mil_type, &p, "bench", err, sizeof err))
        fail_msg("%s", err);
    tape_begin(&b.tape, &b.inst, "MIL_VECTORS", name);
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

static inline void set_iss(struct bench *b, unsigned k, uint64_t n) {
    b->in.want |= UINT64_C(1) << k;
    b->in.iss |= n << k * mil_room_bits(&b->inst.params);
}

static inline void set_done(struct bench *b, unsigned k, uint64_t n) {
    b->in.done |= n << 2 * k;
}

static inline void set_access(struct bench *b, unsigned k) {
    b->in.acc_valid = 1;
    b->in.acc_kernel = k;
}

static inline void set_fail(struct bench *b, unsigned k) {
    b->in.fail_valid = 1;
    b->in.fail_kernel = k;
}

static inline void set_limit(struct bench *b, unsigned k, uint64_t limit) {
    b->in.set_valid = 1;
    b->in.set_kernel = k;
    b->in.set_limit = limit;
}

/* ---- Outputs, as they are now ---- */

static inline const struct mil_out *now(struct bench *b) {
    look(b);
    return &b->out;
}

static inline unsigned limit(struct bench *b, unsigned k) {
    return mil_field(now(b)->limit, k, param(b, MIL_INFLIGHT_W));
}

static inline unsigned room(struct bench *b, unsigned k) {
    return mil_field(now(b)->room, k, mil_room_bits(&b->inst.params));
}

static inline unsigned inflight(struct bench *b, unsigned k) {
    return mil_field(now(b)->st_inflight, k, param(b, MIL_INFLIGHT_W));
}

static inline unsigned max(struct bench *b, unsigned k) {
    return mil_field(now(b)->st_max, k, param(b, MIL_INFLIGHT_W));
}

static inline unsigned ratio(struct bench *b, unsigned k) {
    return mil_field(now(b)->st_ratio, k, mil_ratio_bits(&b->inst.params));
}

static inline unsigned wide_field(const uint32_t *vector, unsigned k, unsigned width) {
    unsigned value = 0;
    for (unsigned i = 0; i < width; i++)
        value |= (vector[(k * width + i) / 32] >> (k * width + i) % 32 & 1) << i;
    return value;
}

static inline unsigned rf(struct bench *b, unsigned k) {
    return wide_field(now(b)->st_rf, k, param(b, MIL_RF_W));
}

static inline unsigned quota(struct bench *b, unsigned k) {
    return wide_field(now(b)->st_quota, k, param(b, MIL_QUOTA_W));
}

static inline unsigned share(struct bench *b, unsigned k) {
    return wide_field(now(b)->st_share, k, param(b, MIL_QUOTA_W));
}

/* The kernels that may issue if the kernels in `want` request it. */
static inline uint64_t goes(struct bench *b, uint64_t want) {
    b->in.want = want;
    return now(b)->go;
}

/* ---- sequences of many cycles ---- */

/* n more in flight. */
static inline void fly(struct bench *b, unsigned k, unsigned n) {
    while (n) {
        unsigned some = n < param(b, MIL_SCHEDULERS) ? n : param(b, MIL_SCHEDULERS);
        set_iss(b, k, some);
        cycle(b);
        n -= some;
    }
}

static inline void land(struct bench *b, unsigned k, unsigned n) {
    for (; n; n -= n > 1 ? 2 : 1) {
        set_done(b, k, n > 1 ? 2 : 1);
        cycle(b);
    }
}

static inline void accesses(struct bench *b, unsigned k, unsigned n) {
    while (n--) {
        set_access(b, k);
        cycle(b);
    }
}

static inline void failures(struct bench *b, unsigned k, unsigned n) {
    while (n--) {
        set_fail(b, k);
        cycle(b);
    }
}

static inline unsigned interval(const struct bench *b) {
    return 1u << param(b, MIL_INTERVAL_W);
}

/* An interval with `fails` failures; `update` comes in the cycle in which it is due. */
static inline void decide(struct bench *b, unsigned k, unsigned fails) {
    failures(b, k, fails);
    accesses(b, k, interval(b));
    for (unsigned i = 0; i < param(b, MIL_INFLIGHT_W); i++) {
        assert_int_equal(now(b)->update, 0);
        cycle(b);
    }
    assert_int_equal(now(b)->update, 1u << k);
}

/* An interval in which `issued` instructions issue, one a cycle; each is done in the next cycle. */
static inline void measure(struct bench *b, unsigned k, unsigned issued) {
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
    idle(b, param(b, MIL_INTERVAL_W) + 2); /* ratio */
}

static inline void until_shares(struct bench *b) {
    for (unsigned i = 0; now(b)->st_busy; i++) {
        assert_in_range(i, 0, 1000);
        cycle(b);
    }
}

/* Uses up all quotas while no kernel is live; then all get their shares. */
static inline void begin_quotas(struct bench *b) {
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

/* All want; the one that goes issues one, done in the next cycle. The order, as digits. */
static inline void expect_order(struct bench *b, const char *digits) {
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
