/* SPDX-License-Identifier: Apache-2.0 */
/* Runs one L2 bank with its DRAM channel. The test makes the requests and takes the replies from
 * the reply network. */
#ifndef MEMTWIN_TESTS_L2_BANK_H
#define MEMTWIN_TESTS_L2_BANK_H

#ifndef MEMTWIN_CHECKED
#error "in the builds for tests a bank checks its short cuts"
#endif

#include "cache/request_tag.h"
#include "l2/l2.h"
#include "check/check.h"
#include "tests/test.h"

static struct config cfg;
static struct context context;
static struct xbar req, reply;
static struct addr_map map;
static struct backing backing;
static struct dram dram;
static struct l2 l2;
static uint64_t cycle;
static uint32_t partitions; /* number of partitions in the map; the bank is in the first */
static bool dram_stands,    /* true if DRAM is halted */
    replies_stand;          /* true if the reply network is halted */
static uint32_t pool_size;  /* number of requests in the pool */
static bool carrying,       /* true to carry data */
    skipping;               /* true to skip cycles that l2_next_event reports as idle */

#define COUNT(name) (l2.stats.v[STAT_##name])

/* Configures a DRAM that transfers a line with one column command. In an idle channel, a line takes
 * 20 cycles from the push on. */
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

/* Limits the DRAM queues to reads of n lines and writes of n lines. */
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
    const struct xbar_size net = {1, 1, 64, 64, 1, 1, false, false, 1};
    struct xbar_size back = net;
    back.in_queue = 1;
    back.n_out = 4; /* number of SMs */
    struct error err;
    if (dram_check(&cfg, &err) != 0)
        fail_msg("%s", err.text);
    memset(&context, 0, sizeof context);
    memset(&backing, 0, sizeof backing);
    cycle = 0;
    context.plant_line = ~UINT64_C(0);
    map = (struct addr_map){.partitions = partitions, .banks = 1, .interleave = 1};
    request_pool_init(&context.pool, pool_size);
    request_pool_carry(&context.pool, carrying);
    context.carry = carrying;
    xbar_init(&req, &context, &net);
    xbar_init(&reply, &context, &back);
    dram_init(&dram, &context, &backing, &cfg);
    const struct l2_ports ports = {&req, &reply, &dram, &map};
    assert_int_equal(l2_init(&l2, &cfg, &context, &ports, 0, &err), 0);
    l2_carry(&l2, carrying);
}

static inline void end(void) {
    assert_int_equal(context.fault, CONTEXT_OK);
    assert_int_equal(COUNT(l2_refusals),
                     COUNT(l2_refusals_entry_full) + COUNT(l2_refusals_merge_full) +
                         COUNT(l2_refusals_miss_queue) + COUNT(l2_refusals_no_way) +
                         COUNT(l2_refusals_evict_buffer) + COUNT(l2_refusals_reply_queue) +
                         COUNT(l2_refusals_order));
    l2_free(&l2);
    dram_free(&dram);
    backing_free(&backing);
    xbar_free(&req);
    xbar_free(&reply);
    request_pool_free(&context.pool);
}

/* True if the GPU model must tick the bank, because of the bank's next event or because an input
 * lets the bank proceed. */
static inline bool bank_wakes(void) {
    return l2_next_event(&l2) <= cycle || l2_has_input(&l2, context.now);
}

/* If entries hold sectors, checks the number of entries in use. A queue accepts a whole line if one
 * sector fits, so it may exceed its capacity by up to three sectors. */
static inline void expect_no_overflow(void) {
    if (!l2.in.by_sector)
        return;
    assert_true(l2.reply_places < cfg.l2_reply_queue + LINE_SECTORS);
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

/* Makes request_name(r) equal to `id`, for any MSHR kind. */
static inline void set_name(struct request *r, uint16_t id) {
    r->entry = r->origin.load = id;
    r->origin.warp = (uint8_t)(id >> 8);
    r->origin.kernel = id >> 6 & 3;
    r->origin.cta = id & 63;
}

/* Sends a request from SM 0 in which every data byte is `byte`. */
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

/* Sends a request for these sectors. A store writes `byte` to each of their bytes. */
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
    unsigned reads, writes;     /* numbers of atoms to read and to write */
    struct request read, write; /* one of the reads and one of the writes, if there are any */
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

/* Returns the numbers of atoms in the channel, and examples of their requests. */
static inline struct at_dram at_dram(void) {
    struct at_dram at = {0};
    dram_each(&dram, see_at_dram, &at);
    return at;
}

/* Steps until there is a reply, which must acknowledge the store with this version. Takes it. */
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

/* Sector 2 of the line, a word in the sector, and another word in the same sector. */
#define SECTOR ((struct byte_mask){{0, UINT64_C(0xffffffff)}})
#define WORD ((struct byte_mask){{0, UINT64_C(0xf0)}})
#define OTHER_WORD ((struct byte_mask){{0, UINT64_C(0xf)}})
#define FIRST_SECTOR ((struct byte_mask){{UINT64_C(0xffffffff), 0}})
#define WHOLE ((struct byte_mask){{UINT64_MAX, UINT64_MAX}})
#define BYTE 69 /* index in the line of a byte of WORD */
#define LINE 5

/* Steps until there is a reply, which must have ID `id`. Takes it, and returns byte `at` of its
 * data. */
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
    assert_int_equal(l2.cache.reservations, 0);
}

static inline uint8_t original(void) {
    return check_stamp(0, LINE * LINE_BYTES + BYTE);
}

static inline uint32_t way_of(uint64_t line) {
    return lines_find(&l2.cache.lines, 0, line);
}

#endif
