// SPDX-License-Identifier: Apache-2.0
/* Directed tests of the model of cache_example: the contract (docs/understand/cache_example.md), by
 * hand. Two sets of one way, lines of four words of eight bytes, unless a test says otherwise. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "cache_example/cache_example_ports.h"
#include "tests/block/at.h"

struct bench {
    struct block_inst inst;
    struct cache_example_in in;   /* valids and readies are 0 after each cycle, but rsp_ready */
    struct cache_example_out out; /* of the last cycle */
};

static void cycle(struct bench *b) {
    b->inst.type->eval(b->inst.model, &b->in, &b->out);
    b->inst.type->observe(b->inst.model, &b->in, &b->out);
    block_tick(&b->inst, &b->in);
    memset(&b->in, 0, sizeof b->in);
    b->in.rsp_ready = 1;
}

static void point(struct block_params *p, const char *const *set) {
    *p = block_at(&cache_example_type, set);
}

static struct bench start(const char *more) {
    const char *const set[] = {"LINE_BYTES=32", "SETS=2",   "WAYS=1", "DATA_W=64", "MSHR_SETS=4",
                               "MSHR_SLOTS=2",  "EVICTS=1", more,     NULL};
    struct bench b;
    struct block_params p;
    char err[1024];
    point(&p, set);
    memset(&b, 0, sizeof b);
    if (block_inst_init(&b.inst, &cache_example_type, &p, "bench", err, sizeof err))
        fail_msg("%s", err);
    b.in.rst = 1;
    cycle(&b);
    return b;
}

static void end(struct bench *b) {
    block_inst_free(&b->inst);
}

static void idle(struct bench *b, unsigned cycles) {
    while (cycles--)
        cycle(b);
}

/* A cycle with a request, which is taken. */
static void load(struct bench *b, uint64_t addr, unsigned id) {
    b->in.req_valid = 1;
    b->in.req_addr = addr;
    b->in.req_id = id;
    cycle(b);
    assert_int_equal(b->out.req_ready, 1);
}

static void store(struct bench *b, uint64_t addr, unsigned id, uint32_t word, unsigned mask) {
    b->in.req_write = 1;
    b->in.req_data[0] = b->in.req_data[1] = word;
    b->in.req_mask = mask;
    load(b, addr, id);
}

static void expect_fetch(const struct bench *b, uint64_t addr, unsigned id) {
    assert_int_equal(b->out.m_arvalid, 1);
    assert_int_equal(b->out.m_araddr, addr);
    assert_int_equal(b->out.m_arid, id);
    assert_int_equal(b->out.m_arlen, 3);
    assert_int_equal(b->out.m_arsize, 3);
    assert_int_equal(b->out.m_arburst, 1);
}

/* A cycle in which the fetch's address is taken. */
static void take_fetch(struct bench *b, uint64_t addr, unsigned id) {
    b->in.m_arready = 1;
    cycle(b);
    expect_fetch(b, addr, id);
}

/* A cycle with a beat: its words are `word` and the same plus 1. */
static void beat(struct bench *b, unsigned id, uint32_t word, unsigned resp, bool last) {
    b->in.m_rvalid = 1;
    b->in.m_rid = id;
    b->in.m_rdata[0] = word;
    b->in.m_rdata[1] = word + 1;
    b->in.m_rresp = resp;
    b->in.m_rlast = last;
    cycle(b);
    assert_int_equal(b->out.m_rready, 1);
}

/* A line: words from `word` on. */
static void line(struct bench *b, unsigned id, uint32_t word) {
    for (unsigned i = 0; i < 4; i++)
        beat(b, id, word + 2 * i, 0, i == 3);
}

static void expect_none(struct bench *b) {
    cycle(b);
    assert_int_equal(b->out.rsp_valid, 0);
}

/* The next cycle has this answer. */
static void expect_load(struct bench *b, unsigned id, uint32_t low, uint32_t high) {
    cycle(b);
    assert_int_equal(b->out.rsp_valid, 1);
    assert_int_equal(b->out.rsp_id, id);
    assert_int_equal(b->out.rsp_write, 0);
    assert_int_equal(b->out.rsp_err, 0);
    assert_int_equal(b->out.rsp_data[0], low);
    assert_int_equal(b->out.rsp_data[1], high);
}

static void expect_answer(struct bench *b, unsigned id, bool write, bool err) {
    cycle(b);
    assert_int_equal(b->out.rsp_valid, 1);
    assert_int_equal(b->out.rsp_id, id);
    assert_int_equal(b->out.rsp_write, write);
    assert_int_equal(b->out.rsp_err, err);
}

/* ---- Parameters ---- */

static void test_illegal_parameters(void **unused) {
    (void)unused;
    static const char *const bad[] = {"LINE_BYTES=96", "SETS=48", "DATA_W=96"};
    for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct block_params p;
        char err[200] = "";
        point(&p, (const char *const[]){bad[i], NULL});
        assert_int_equal(block_params_check(&cache_example_type, &p, err, sizeof err), -1);
        assert_non_null(strstr(err, "must be a power of two"));
    }
}

/* ---- Hits and misses ---- */

/* Taken in 0, in S1 in 1, its fetch in 2; the last beat is taken in t, written in t + 1, drained in
 * t + 2, the answer in t + 3. A hit is answered in 2. */
static void test_cycles(void **unused) {
    (void)unused;
    struct bench b = start("WAYS=1");
    load(&b, 0x1048, 5);
    cycle(&b);
    assert_int_equal(b.out.m_arvalid, 0);
    take_fetch(&b, 0x1040, 0);
    cycle(&b);
    assert_int_equal(b.out.m_arvalid, 0);
    line(&b, 0, 0x100);
    expect_none(&b);
    expect_none(&b);
    expect_load(&b, 5, 0x102, 0x103);
    load(&b, 0x1058, 6);
    expect_none(&b);
    expect_load(&b, 6, 0x106, 0x107);
    end(&b);
}

/* Requests for a line on its way wait for it, and leave in order with it; a store among them is
 * seen by the loads behind it alone. */
static void test_merge(void **unused) {
    (void)unused;
    struct bench b = start("WAYS=1");
    load(&b, 0x1040, 1);
    store(&b, 0x1040, 2, 0xaabbccdd, 0x0f);
    load(&b, 0x1040, 3);
    take_fetch(&b, 0x1040, 0);
    line(&b, 0, 0x100);
    idle(&b, 2);
    expect_load(&b, 1, 0x100, 0x101);
    expect_answer(&b, 2, true, false);
    expect_load(&b, 3, 0xaabbccdd, 0x101);
    expect_none(&b);
    assert_int_equal(b.out.m_arvalid, 0);
    end(&b);
}

/* Two misses; the second line comes first, beats of the other between its own. A hit goes by. */
static void test_any_order(void **unused) {
    (void)unused;
    struct bench b = start("WAYS=2");
    load(&b, 0x1000, 0);
    cycle(&b);
    take_fetch(&b, 0x1000, 0);
    line(&b, 0, 0x500);
    idle(&b, 3);
    load(&b, 0x1020, 1);
    load(&b, 0x2020, 2);
    take_fetch(&b, 0x1020, 0);
    take_fetch(&b, 0x2020, 1);
    load(&b, 0x1008, 3);
    beat(&b, 0, 0x100, 0, false);
    expect_load(&b, 3, 0x502, 0x503);
    line(&b, 1, 0x200);
    idle(&b, 2);
    expect_load(&b, 2, 0x200, 0x201);
    beat(&b, 0, 0x102, 0, false);
    beat(&b, 0, 0x104, 0, false);
    beat(&b, 0, 0x106, 0, true);
    idle(&b, 2);
    expect_load(&b, 1, 0x100, 0x101);
    end(&b);
}

/* While an answer waits nothing behind it is answered, and nothing is lost. */
static void test_answer_waits(void **unused) {
    (void)unused;
    struct bench b = start("WAYS=1");
    load(&b, 0x1000, 1);
    load(&b, 0x1008, 2);
    take_fetch(&b, 0x1000, 0);
    line(&b, 0, 0x100);
    idle(&b, 2);
    for (unsigned i = 0; i < 5; i++) {
        b.in.rsp_ready = 0;
        expect_load(&b, 1, 0x100, 0x101);
    }
    expect_load(&b, 1, 0x100, 0x101);
    expect_load(&b, 2, 0x102, 0x103);
    end(&b);
}

/* ---- Evictions ---- */

/* A line in which a word is stored. */
static void make_dirty(struct bench *b, uint64_t addr, uint32_t word) {
    store(b, addr, 1, 0x77777777, 0xff);
    cycle(b);
    take_fetch(b, addr, 0);
    line(b, 0, word);
    idle(b, 3);
}

static void expect_words(struct bench *b, uint32_t word) {
    for (unsigned i = 0; i < 4; i++) {
        b->in.m_wready = 1;
        cycle(b);
        assert_int_equal(b->out.m_wvalid, 1);
        assert_int_equal(b->out.m_wstrb, 0xff);
        assert_int_equal(b->out.m_wlast, i == 3);
        assert_int_equal(b->out.m_wdata[0], i ? word + 2 * i : 0x77777777);
    }
}

static void acknowledge(struct bench *b, unsigned resp) {
    b->in.m_bvalid = 1;
    b->in.m_bresp = resp;
    cycle(b);
    assert_int_equal(b->out.m_bready, 1);
}

/* A miss moves the dirty line in its way into the buffer, a word a cycle, and is fetched then. A
 * request for the moved line is not fetched before memory has acknowledged it. */
static void test_eviction(void **unused) {
    (void)unused;
    struct bench b = start("WAYS=1");
    make_dirty(&b, 0x1000, 0x100);
    load(&b, 0x2000, 2);
    cycle(&b);
    assert_int_equal(b.out.st_wait, CACHE_WAIT_VICTIM);
    for (unsigned i = 0; i < 5; i++) {
        cycle(&b);
        assert_int_equal(b.out.st_wait, CACHE_WAIT_COPY);
    }
    load(&b, 0x1000, 3); /* 0x2000 leaves S1 in this cycle */
    b.in.m_awready = 1;
    take_fetch(&b, 0x2000, 0);
    assert_int_equal(b.out.m_awvalid, 1);
    assert_int_equal(b.out.m_awaddr, 0x1000);
    assert_int_equal(b.out.m_awlen, 3);
    assert_int_equal(b.out.st_wait, CACHE_WAIT_EVICTED);
    expect_words(&b, 0x100);
    line(&b, 0, 0x200);
    idle(&b, 2);
    expect_load(&b, 2, 0x200, 0x201);
    assert_int_equal(b.out.st_wait, CACHE_WAIT_EVICTED);
    acknowledge(&b, 0);
    assert_int_equal(b.out.st_wait, CACHE_WAIT_EVICTED);
    cycle(&b);
    assert_int_equal(b.out.st_wait, CACHE_WAIT_NONE);
    assert_int_equal(b.out.fail, 0);
    take_fetch(&b, 0x1000, 0);
    end(&b);
}

/* The buffer's only line is not acknowledged: another dirty line stays where it is. */
static void test_full_buffer(void **unused) {
    (void)unused;
    struct bench b = start("WAYS=1");
    make_dirty(&b, 0x1000, 0x100);
    make_dirty(&b, 0x1020, 0x200);
    load(&b, 0x2000, 2);
    idle(&b, 7);
    take_fetch(&b, 0x2000, 0);
    load(&b, 0x2020, 3);
    for (unsigned i = 0; i < 10; i++) {
        cycle(&b);
        assert_int_equal(b.out.st_wait, CACHE_WAIT_BUFFER);
        assert_int_equal(b.out.m_arvalid, 0);
    }
    end(&b);
}

static void test_refused_write_back(void **unused) {
    (void)unused;
    struct bench b = start("WAYS=1");
    make_dirty(&b, 0x1000, 0x100);
    load(&b, 0x2000, 2);
    idle(&b, 7);
    b.in.m_awready = 1;
    cycle(&b);
    expect_words(&b, 0x100);
    acknowledge(&b, 2);
    assert_int_equal(b.out.fail, 0);
    cycle(&b);
    assert_int_equal(b.out.fail, 1);
    assert_int_equal(b.out.fail_addr, 0x1000);
    cycle(&b);
    assert_int_equal(b.out.fail, 0);
    assert_int_equal(b.out.err, 0);
    end(&b);
}

/* ---- Errors ---- */

/* One beat with an error: all that wait for the line are told, its store is lost, and the line is
 * fetched again by the next. */
static void test_failed_fetch(void **unused) {
    (void)unused;
    struct bench b = start("WAYS=1");
    load(&b, 0x1000, 1);
    store(&b, 0x1000, 2, 0x55555555, 0xff);
    take_fetch(&b, 0x1000, 0);
    for (unsigned i = 0; i < 4; i++)
        beat(&b, 0, 0x100, i == 1 ? 3 : 0, i == 3);
    idle(&b, 2);
    expect_answer(&b, 1, false, true);
    expect_answer(&b, 2, true, true);
    load(&b, 0x1000, 3);
    cycle(&b);
    take_fetch(&b, 0x1000, 0);
    line(&b, 0, 0x200);
    idle(&b, 2);
    expect_load(&b, 3, 0x200, 0x201);
    end(&b);
}

static void expect_err(struct bench *b, unsigned err) {
    cycle(b);
    assert_int_equal(b->out.err, 0);
    for (unsigned i = 0; i < 3; i++) {
        cycle(b);
        assert_int_equal(b->out.err, err);
    }
    b->in.rst = 1;
    cycle(b);
    cycle(b);
    assert_int_equal(b->out.err, 0);
}

static void test_broken_axi(void **unused) {
    (void)unused;
    struct bench b = start("WAYS=1");
    beat(&b, 2, 0, 0, false);
    expect_err(&b, 1);
    load(&b, 0x1000, 1);
    cycle(&b);
    take_fetch(&b, 0x1000, 0);
    beat(&b, 0, 0, 0, true);
    expect_err(&b, 1);
    b.in.m_bvalid = 1;
    expect_err(&b, 2);
    end(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_illegal_parameters),
        cmocka_unit_test(test_cycles),
        cmocka_unit_test(test_merge),
        cmocka_unit_test(test_any_order),
        cmocka_unit_test(test_answer_waits),
        cmocka_unit_test(test_eviction),
        cmocka_unit_test(test_full_buffer),
        cmocka_unit_test(test_refused_write_back),
        cmocka_unit_test(test_failed_fetch),
        cmocka_unit_test(test_broken_axi),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
