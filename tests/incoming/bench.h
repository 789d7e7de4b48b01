/* SPDX-License-Identifier: Apache-2.0 */
/* A block with the incoming ports under test, and its wires. */
#ifndef MEMTWIN_TESTS_INCOMING_BENCH_H
#define MEMTWIN_TESTS_INCOMING_BENCH_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "incoming/incoming.h"
#include "tests/block/at.h"

struct bench {
    struct block_inst inst;
    struct incoming_in in;   /* all 0 after each cycle */
    struct incoming_out out; /* of the last cycle, or of the last look */
};

/* One clock cycle with the inputs that are set. */
static inline void cycle(struct bench *b) {
    block_eval(&b->inst, &b->in, &b->out);
    b->inst.type->observe(b->inst.model, &b->in, &b->out);
    block_tick(&b->inst, &b->in);
    memset(&b->in, 0, sizeof b->in);
}

/* The outputs for the inputs that are set; no clock. */
static inline void look(struct bench *b) {
    b->inst.type->eval(b->inst.model, &b->in, &b->out);
    b->inst.type->observe(b->inst.model, &b->in, &b->out);
}

static inline void point(struct block_params *p, const struct block_type *type,
                         const char *const *set) {
    *p = block_at(type, set);
}

static inline void reset(struct bench *b) {
    memset(&b->in, 0, sizeof b->in);
    b->in.rst = 1;
    cycle(b);
}

/* In power-up state. */
static inline void make(struct bench *b, const struct block_type *type, const char *const *set) {
    struct block_params p;
    char err[1024];
    memset(b, 0, sizeof *b);
    point(&p, type, set);
    if (block_inst_init(&b->inst, type, &p, "bench", err, sizeof err))
        fail_msg("%s", err);
}

static inline struct bench start(const struct block_type *type, const char *const *set) {
    struct bench b;
    make(&b, type, set);
    reset(&b);
    return b;
}

static inline void end(struct bench *b) {
    block_inst_free(&b->inst);
}

static inline void set_fill(struct bench *b, uint64_t addr, uint64_t id) {
    b->in.fill_valid = 1;
    b->in.fill_addr = addr;
    b->in.fill_id = id;
}

/* A cycle in which this enters and nothing leaves. */
static inline void fill(struct bench *b, uint64_t addr, uint64_t id) {
    set_fill(b, addr, id);
    cycle(b);
    assert_int_equal(b->out.fill_ready, 1);
    assert_int_equal(b->out.fill_refuse, INCOMING_REFUSE_NONE);
}

/* The reply that the request would get in this cycle, without a clock edge. */
static inline void expect_refusal(struct bench *b, uint64_t addr, enum incoming_refusal why) {
    set_fill(b, addr, 999);
    look(b);
    assert_int_equal(b->out.fill_ready, !why);
    assert_int_equal(b->out.fill_refuse, why);
    memset(&b->in, 0, sizeof b->in);
}

static inline void expect_offer(struct bench *b, uint64_t id, enum incoming_why why) {
    look(b);
    assert_int_equal(b->out.drain_valid, 1);
    assert_int_equal(b->out.drain_id, id);
    assert_int_equal(b->out.drain_why, why);
}

static inline void expect_held(struct bench *b, uint32_t requests, uint32_t queues) {
    look(b);
    assert_int_equal(b->out.st_requests, requests);
    assert_int_equal(b->out.st_queues, queues);
    assert_int_equal(incoming_requests(b->inst.model), requests);
    assert_int_equal(incoming_queues(b->inst.model), queues);
}

static inline void expect_empty(struct bench *b) {
    expect_held(b, 0, 0);
    assert_int_equal(b->out.drain_valid, 0);
    assert_int_equal(b->out.drain_id | b->out.drain_addr | b->out.drain_why, 0);
}

/* A cycle in which this leaves (and what is set enters). */
static inline void drain(struct bench *b, uint64_t id) {
    b->in.drain_ready = 1;
    cycle(b);
    assert_int_equal(b->out.drain_valid, 1);
    assert_int_equal(b->out.drain_id, id);
}

static inline void expect_drains(struct bench *b, const uint64_t *ids, size_t n) {
    for (size_t i = 0; i < n; i++)
        drain(b, ids[i]);
}

#define IDS(...) (const uint64_t[]){__VA_ARGS__}, sizeof((const uint64_t[]){__VA_ARGS__}) / 8

/* The parameters must be refused with this text. */
static inline void expect_illegal(const struct block_type *type, const char *const *set,
                                  const char *text) {
    struct block_params p;
    char err[1024] = "";
    point(&p, type, set);
    assert_int_equal(block_params_check(type, &p, err, sizeof err), -1);
    if (!strstr(err, text))
        fail_msg("'%s' is not in '%s'", text, err);
}

#define ILLEGAL(type, text, ...)                                                                   \
    expect_illegal(type, (const char *const[]){__VA_ARGS__, NULL}, text)

#endif
