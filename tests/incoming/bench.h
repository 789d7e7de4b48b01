/* SPDX-License-Identifier: Apache-2.0 */
/* Bench of a block that has the incoming ports. */
#ifndef MEMTWIN_TESTS_INCOMING_BENCH_H
#define MEMTWIN_TESTS_INCOMING_BENCH_H

#include "incoming/incoming.h"
#include "tests/block/at.h"

struct incoming_bench {
    struct block_inst inst;
    struct incoming_in in;   /* all 0 after each cycle */
    struct incoming_out out; /* outputs of the last call of cycle() or look() */
};

/* Computes the outputs for the current inputs, without a clock edge. */
static inline void look(struct incoming_bench *b) {
    block_look(&b->inst, &b->in, &b->out);
}

/* Runs one clock cycle with the inputs that are set. If a probe is attached, it sees the cycle. */
static inline void cycle(struct incoming_bench *b) {
    block_eval(&b->inst, &b->in, &b->out);
    b->inst.type->observe(b->inst.model, &b->in, &b->out);
    block_tick(&b->inst, &b->in);
    memset(&b->in, 0, sizeof b->in);
}

static inline void reset(struct incoming_bench *b) {
    memset(&b->in, 0, sizeof b->in);
    b->in.rst = 1;
    cycle(b);
}

/* Initializes a bench with the block in its power-up state. */
static inline void make(struct incoming_bench *b, const struct block_type *type,
                        const char *const *set) {
    struct block_params p = block_at(type, set);
    struct error err;
    memset(b, 0, sizeof *b);
    if (block_inst_init(&b->inst, type, &p, "bench", &err))
        fail_msg("%s", err.text);
}

static inline struct incoming_bench start(const struct block_type *type, const char *const *set) {
    struct incoming_bench b;
    make(&b, type, set);
    reset(&b);
    return b;
}

static inline void end(struct incoming_bench *b) {
    block_inst_free(&b->inst);
}

static inline void set_fill(struct incoming_bench *b, uint64_t addr, uint64_t id) {
    b->in.fill_valid = 1;
    b->in.fill_addr = addr;
    b->in.fill_id = id;
}

/* Runs a cycle in which the request with this address and ID enters and no request leaves. */
static inline void fill(struct incoming_bench *b, uint64_t addr, uint64_t id) {
    set_fill(b, addr, id);
    cycle(b);
    assert_int_equal(b->out.fill_ready, 1);
    assert_int_equal(b->out.fill_refuse, INCOMING_REFUSE_NONE);
}

/* Expects a request for `addr` to be refused in the current cycle because of `why`, or to be
 * accepted if `why` is INCOMING_REFUSE_NONE. There is no clock edge. */
static inline void expect_refusal(struct incoming_bench *b, uint64_t addr,
                                  enum incoming_refusal why) {
    set_fill(b, addr, 999);
    look(b);
    assert_int_equal(b->out.fill_ready, !why);
    assert_int_equal(b->out.fill_refuse, why);
    memset(&b->in, 0, sizeof b->in);
}

static inline void expect_offer(struct incoming_bench *b, uint64_t id, enum incoming_why why) {
    look(b);
    assert_int_equal(b->out.drain_valid, 1);
    assert_int_equal(b->out.drain_id, id);
    assert_int_equal(b->out.drain_why, why);
}

static inline void expect_held(struct incoming_bench *b, uint32_t requests, uint32_t queues) {
    look(b);
    assert_int_equal(b->out.st_requests, requests);
    assert_int_equal(b->out.st_queues, queues);
    assert_int_equal(incoming_requests(b->inst.model), requests);
    assert_int_equal(incoming_queues(b->inst.model), queues);
}

static inline void expect_empty(struct incoming_bench *b) {
    expect_held(b, 0, 0);
    assert_int_equal(b->out.drain_valid, 0);
    assert_int_equal(b->out.drain_id | b->out.drain_addr | b->out.drain_why, 0);
}

/* Runs a cycle in which the request with this ID leaves. The request set with set_fill(), if any,
 * enters. */
static inline void drain(struct incoming_bench *b, uint64_t id) {
    b->in.drain_ready = 1;
    cycle(b);
    assert_int_equal(b->out.drain_valid, 1);
    assert_int_equal(b->out.drain_id, id);
}

static inline void expect_drains(struct incoming_bench *b, const uint64_t *ids, size_t n) {
    for (size_t i = 0; i < n; i++)
        drain(b, ids[i]);
}

#define IDS(...) (const uint64_t[]){__VA_ARGS__}, sizeof((const uint64_t[]){__VA_ARGS__}) / 8

#endif
