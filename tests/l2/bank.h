/* SPDX-License-Identifier: Apache-2.0 */
/* One L2 bank with its DRAM channel alone, between hand-made requests and a hand-driven reply
 * network. */
#ifndef MEMTWIN_TESTS_L2_BANK_H
#define MEMTWIN_TESTS_L2_BANK_H

#ifndef MEMTWIN_CHECKED
#error "in the builds for tests a bank checks its short cuts"
#endif

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "cache/request_tag.h"
#include "l2/l2.h"
#include "check/check.h"

static struct config cfg;
static struct context context;
static struct xbar req, reply;
static struct addr_map map;
static struct backing backing;
static struct dram dram;
static struct l2 l2;
static uint64_t cycle;
static uint32_t partitions;             /* of the map; the bank is the first */
static bool dram_stands, replies_stand; /* that part does not move */
static uint32_t pool_size;              /* requests */
static bool carrying, skipping;         /* data; cycles that l2_next_event says are nothing */

#define COUNT(name) (l2.stats.v[STAT_##name])

/* A line is one column command; an unloaded one takes 20 cycles from the push. */
static inline void simple_dram(void) {
    snprintf(cfg.dram_address_map, sizeof cfg.dram_address_map,
             "RRRRRRRR.RRRRRRRR.CCCBBBB.SSSSSSS");
    cfg.dram_atom_bytes = LINE_BYTES;
    cfg.dram_rcd = cfg.dram_rp = cfg.dram_ras = cfg.dram_rrd = 2;
    cfg.dram_rc = 4;
    cfg.dram_ccdl = cfg.dram_rtpl = 0;
    cfg.dram_cl = 8;
    cfg.dram_extra_latency = 7;
}

/* Room for n lines each of reads and writes. */
static inline void dram_of_lines(int64_t n) {
    n *= LINE_BYTES / cfg.dram_atom_bytes;
    cfg.dram_read_queue = cfg.dram_write_queue = cfg.dram_write_high = n;
    cfg.dram_write_low = 0;
}

static inline void defaults(void) {
    config_default(&cfg);
    cfg.l2_latency = 2;
    cfg.l2_sets = 1;
    cfg.l2_ways = 4;
    simple_dram();
    partitions = 1;
    dram_stands = replies_stand = skipping = false;
    carrying = true;
    pool_size = 1024;
}

static inline void make(void) {
    const struct xbar_size net = {1, 1, 64, 64, 1, 1, false};
    struct xbar_size back = net;
    back.in_queue = 1;
    back.n_out = 4; /* SMs */
    char err[200];
    if (dram_check(&cfg, err, sizeof err) != 0)
        fail_msg("%s", err);
    memset(&context, 0, sizeof context);
    memset(&backing, 0, sizeof backing);
    cycle = 0;
    context.plant_line = ~UINT64_C(0);
    map = (struct addr_map){.partitions = partitions, .subs = 1, .interleave = 1};
    request_pool_init(&context.pool, pool_size);
    request_pool_carry(&context.pool, carrying);
    context.carry = carrying;
    xbar_init(&req, &context, &net);
    xbar_init(&reply, &context, &back);
    dram_init(&dram, &context, &backing, &cfg);
    const struct l2_ports ports = {&req, &reply, {NULL, &dram}, &map};
    assert_int_equal(l2_init(&l2, &cfg, &context, &ports, 0, err, sizeof err), 0);
    l2_carry(&l2, carrying);
}

static inline void end(void) {
    assert_int_equal(context.fault, CONTEXT_OK);
    assert_int_equal(COUNT(l2_rf), COUNT(l2_rf_entry_full) + COUNT(l2_rf_merge_full) +
                                       COUNT(l2_rf_miss_queue) + COUNT(l2_rf_line) +
                                       COUNT(l2_rf_evict_buffer) + COUNT(l2_rf_rsp_queue) +
                                       COUNT(l2_rf_order));
    l2_free(&l2);
    dram_free(&dram);
    backing_free(&backing);
    xbar_free(&req);
    xbar_free(&reply);
    request_pool_free(&context.pool);
}

/* When the gpu has to tick the bank: its own time has come, or something lets it move. */
static inline bool bank_wakes(void) {
    return l2_next_event(&l2) <= cycle || l2_has_input(&l2, context.now);
}

/* Queues whose places hold sectors take a whole line if they have room for one of its sectors. */
static inline void expect_no_overflow(void) {
    if (!cfg.l2_places)
        return;
    assert_true(l2.reply_places < cfg.l2_rsp_queue + LINE_SECTORS);
    assert_true(l2.in.sectors < cfg.l2_in_queue + LINE_SECTORS);
}

static inline void step(void) {
    context.now++;
    if (!dram_stands)
        dram_edge(&context);
    if (!dram_stands && dram_due(&dram))
        dram_step(&dram);
    if (!skipping || bank_wakes())
        l2_tick(&l2, cycle);
    else
        l2_advance(&l2, 1);
    expect_no_overflow();
    cycle++;
    xbar_tick(&req);
    if (!replies_stand)
        xbar_tick(&reply);
}

static inline void steps(unsigned n) {
    while (n--)
        step();
}

/* Makes request_name(r) the id, whatever its kind. */
static inline void set_name(struct request *r, uint16_t id) {
    r->entry = r->origin.load = id;
    r->origin.warp = (uint8_t)(id >> 8);
    r->origin.kernel = id >> 6 & 3;
    r->origin.cta = id & 63;
}

/* Sends a request of SM 0; the byte is everywhere in its data. */
static inline void send(uint8_t kind, uint64_t line, struct byte_mask mask, uint16_t id,
                        uint8_t byte) {
    const uint32_t n = request_take(&context.pool);
    struct request *r = request_at(&context.pool, n);
    *r = (struct request){
        .line = line, .mask = mask, .kind = kind, .version = id, .next = REQUEST_NONE};
    set_name(r, id);
    memset(request_data(&context.pool, n), byte, LINE_BYTES);
    xbar_push(&req, 0, n, 0, 1, 1);
}

/* A request for these sectors; a store writes the byte everywhere. */
static inline void ask_sectors(uint64_t line, unsigned sectors, bool write, uint16_t id,
                               uint8_t byte) {
    send(write ? REQUEST_STORE : REQUEST_LOAD, line, mask_of_sectors(sectors), id, byte);
}

static inline void ask(uint64_t line, bool write, uint16_t id, uint8_t byte) {
    ask_sectors(line, SECTORS_ALL, write, id, byte);
}

static inline void load(uint64_t line, uint16_t id) {
    ask(line, false, id, 0);
}

static inline void store(uint64_t line, uint16_t id, uint8_t byte) {
    ask(line, true, id, byte);
}

struct at_dram {
    unsigned reads, writes;     /* atoms */
    struct request read, write; /* one of each */
};

static inline void see_at_dram(void *ctx, uint32_t number, bool issued) {
    struct at_dram *at = ctx;
    const struct request *p = request_at(&context.pool, number);
    (void)issued;
    if (request_writes(p)) {
        at->writes++;
        at->write = *p;
    } else {
        at->reads++;
        at->read = *p;
    }
}

/* The bytes that the channel holds. */
static inline struct at_dram at_dram(void) {
    struct at_dram at = {0};
    dram_each(&dram, see_at_dram, &at);
    return at;
}

/* Steps until a reply is there; it must be this one. */
static inline void expect_store_reply(uint16_t version) {
    for (unsigned n = 0; xbar_peek(&reply, 0) == REQUEST_NONE; n++) {
        assert_true(n < 1000);
        step();
    }
    uint32_t n = xbar_pop(&reply, 0);
    assert_true(request_writes(request_at(&context.pool, n)));
    assert_int_equal(request_at(&context.pool, n)->version, version);
    request_give(&context.pool, n);
}

static inline void expect_load_reply(uint16_t id, uint8_t byte) {
    for (unsigned n = 0; xbar_peek(&reply, 0) == REQUEST_NONE; n++) {
        assert_true(n < 1000);
        step();
    }
    uint32_t n = xbar_pop(&reply, 0);
    assert_false(request_writes(request_at(&context.pool, n)));
    assert_int_equal(request_name(request_at(&context.pool, n)), id);
    assert_int_equal(request_data(&context.pool, n)[99], byte);
    request_give(&context.pool, n);
}

static inline uint8_t untouched(uint64_t line) {
    return check_stamp(0, line * LINE_BYTES + 99);
}

/* ---- requests of some bytes ---- */

/* Sector 2 of the line; a word in it; another word of the same sector. */
#define SECTOR ((struct byte_mask){{0, UINT64_C(0xffffffff)}})
#define WORD ((struct byte_mask){{0, UINT64_C(0xf0)}})
#define OTHER_WORD ((struct byte_mask){{0, UINT64_C(0xf)}})
#define FIRST_SECTOR ((struct byte_mask){{UINT64_C(0xffffffff), 0}})
#define WHOLE ((struct byte_mask){{UINT64_MAX, UINT64_MAX}})
#define BYTE 69 /* of WORD */
#define LINE 5

/* Waits for that reply; returns byte `at` of its data. */
static inline uint8_t answer_at(uint16_t id, unsigned at) {
    for (unsigned n = 0; xbar_peek(&reply, 0) == REQUEST_NONE; n++) {
        assert_true(n < 2000);
        step();
    }
    uint32_t n = xbar_pop(&reply, 0);
    assert_int_equal(request_name(request_at(&context.pool, n)), id);
    uint8_t byte = request_data(&context.pool, n)[at];
    request_give(&context.pool, n);
    return byte;
}

static inline uint8_t answer(uint16_t id) {
    return answer_at(id, BYTE);
}

static inline void settle(void) {
    for (unsigned n = 0; context.pool.in_use && n < 2000; n++)
        step();
    assert_int_equal(context.pool.in_use, 0);
    assert_int_equal(l2.cache.promised, 0);
}

static inline uint8_t original(void) {
    return check_stamp(0, LINE * LINE_BYTES + BYTE);
}

static inline uint32_t way_of(uint64_t line) {
    return lines_find(&l2.cache.lines, 0, line);
}

#endif
