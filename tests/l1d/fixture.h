/* SPDX-License-Identifier: Apache-2.0 */
/* Runs an L1D alone. The test acts as the LSU and makes the replies by hand. The requests that the
 * L1D sends are stored in sent[]. */
#ifndef MEMTWIN_TESTS_L1D_FIXTURE_H
#define MEMTWIN_TESTS_L1D_FIXTURE_H

#include "l1d/l1d.h"
#include "gpu/gpu.h"
#include "check/check.h"
#include "tests/l1d/tick.h"
#include "tests/test.h"

#define SENT_MAX 64

static struct config cfg;
static struct context context;
static struct xbar req, reply;
static struct addr_map map;
static struct stats stats;
static struct l1d l1;
static uint64_t cycle;
static bool net_stands; /* true if the request network is halted */
static bool checked;    /* true to attach the data check */

/* Requests that have left the request network, in the order in which they left. */
static struct request sent[SENT_MAX];
static uint8_t sent_data[SENT_MAX][LINE_BYTES];
static unsigned n_sent;

#define COUNT(name) (stats.v[STAT_##name])

static inline void defaults(void) {
    config_default(&cfg);
    cfg.l1d_hit_latency = 4;
    cfg.l1d_miss_queue = 4;
    cfg.icnt_in_queue = 1;
    net_stands = checked = false;
}

static inline void step_nets(void) {
    context.now++;
    if (!net_stands)
        xbar_tick(&req);
    xbar_tick(&reply);
    for (uint32_t n; (n = xbar_peek(&req, 0)) != REQUEST_NONE;) {
        assert_true(n_sent < SENT_MAX);
        sent[n_sent] = *request_at(&context.pool, n);
        memcpy(sent_data[n_sent++], request_data(&context.pool, n), LINE_BYTES);
        request_give(&context.pool, xbar_pop(&req, 0)); /* the test makes the replies */
    }
}

/* Runs one SM cycle in which access `a`, if not NULL, is offered. Returns true if it was
 * accepted. */
static inline bool step(const struct request *a) {
    step_nets();
    return tick_l1d(&l1, a, cycle++);
}

static inline void idle(unsigned cycles) {
    while (cycles--)
        step(NULL);
}

static inline void make(void) {
    const struct xbar_size to = {1, 1, (uint32_t)cfg.icnt_in_queue, 8, 1, 1, false, false, 1};
    const struct xbar_size from = {1, 1, 64, 64, 1, 1, false, false, 1};
    struct error err;
    memset(&context, 0, sizeof context);
    memset(&stats, 0, sizeof stats);
    map = (struct addr_map){.partitions = 1, .banks = 1, .interleave = 1};
    cycle = n_sent = 0;
    assert_int_equal(gpu_check(&cfg, &err), 0);
    request_pool_init(&context.pool, 512);
    request_pool_carry(&context.pool, true);
    context.carry = true;
    if (checked)
        assert_non_null(context.check = check_create(1));
    xbar_init(&req, &context, &to);
    xbar_init(&reply, &context, &from);
    const struct l1d_ports ports = {.req = &req, .reply = &reply, .map = &map};
    assert_int_equal(l1d_init(&l1, &cfg, &context, &ports, &stats, 0, &err), 0);
    l1d_carry(&l1, true);
    step(NULL); /* the reset cycle */
}

static inline void end(void) {
    assert_int_equal(context.fault, CONTEXT_OK);
    assert_int_equal(COUNT(l1d_refusals),
                     COUNT(l1d_refusals_entry_full) + COUNT(l1d_refusals_merge_full) +
                         COUNT(l1d_refusals_miss_queue) + COUNT(l1d_refusals_no_way) +
                         COUNT(l1d_refusals_response_queue) + COUNT(l1d_refusals_order) +
                         COUNT(l1d_refusals_bypass_limit) + COUNT(l1d_refusals_bypass_queue));
    assert_int_equal(COUNT(l1d_accesses), COUNT(l1d_hits) + COUNT(l1d_primary_misses) +
                                              COUNT(l1d_secondary_misses) + COUNT(l1d_bypasses) +
                                              COUNT(l1d_stores) + COUNT(l1d_atomics));
    l1d_free(&l1);
    xbar_free(&req);
    xbar_free(&reply);
    request_pool_free(&context.pool);
    check_destroy(context.check);
}

static inline struct request access_of(uint64_t line, bool write, uint32_t id) {
    return (struct request){
        .line = line,
        .mask = {{0xff, 0}},
        .origin.load = (uint16_t)id,
        .kind = write ? REQUEST_STORE : REQUEST_LOAD,
    };
}

static inline bool load(uint64_t line, uint32_t id) {
    struct request a = access_of(line, false, id);
    return step(&a);
}

static inline bool store(uint64_t line) {
    struct request a = access_of(line, true, 0);
    return step(&a);
}

/* Sends a reply to request p that contains `data`. */
static inline void push_reply_data(const struct request *p, const uint8_t data[LINE_BYTES]) {
    uint32_t n = request_take(&context.pool);
    struct request *r = request_at(&context.pool, n);
    *r = *p;
    r->next = REQUEST_NONE;
    r->reply = true;
    memcpy(request_data(&context.pool, n), data, LINE_BYTES);
    xbar_push(&reply, 0, n, 0, 1, 1);
}

/* Sends a reply to request p in which every byte is `byte`. */
static inline void push_reply(const struct request *p, uint8_t byte) {
    uint8_t data[LINE_BYTES];
    memset(data, byte, sizeof data);
    push_reply_data(p, data);
}

/* Sends a reply in which every byte is `byte` to the MSHR entry that waits for the line. */
static inline void answer(uint64_t line, uint8_t byte) {
    const struct misses *t = &l1.cache.misses;
    uint32_t entry = 0;
    while (!misses_has(t, entry) || cache_line_of(&l1.cache, t->miss[entry].granule) != line)
        assert_true(++entry < t->room);
    push_reply(&(struct request){.line = line,
                                 .mask = cache_bytes(&l1.cache, t->miss[entry].granule),
                                 .entry = (uint16_t)(entry / l1.cache.banks)},
               byte);
}

/* Returns the data of the current response. */
static inline const uint8_t *response_data(void) {
    return request_data(&context.pool, l1d_response(&l1));
}

/* Steps until there is a response, which must be for load `id` and line `line`. Returns it. */
static inline const struct request *await_response(uint32_t id, uint64_t line) {
    for (unsigned n = 0; l1d_response(&l1) == REQUEST_NONE; n++) {
        assert_true(n < 50);
        step(NULL);
    }
    const struct request *r = request_at(&context.pool, l1d_response(&l1));
    assert_int_equal(r->origin.load, id);
    assert_int_equal(r->line, line);
    return r;
}

/* Steps until there is a response, which must be for load `id` and line `line`, and in which byte
 * 64 must be `byte`. Accepts it. */
static inline void expect_response(uint32_t id, uint64_t line, uint8_t byte) {
    await_response(id, line);
    assert_int_equal(response_data()[64], byte);
    l1d_take_response(&l1);
}

#endif
