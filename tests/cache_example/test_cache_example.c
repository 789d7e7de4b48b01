// SPDX-License-Identifier: Apache-2.0
/* Directed tests of the cache_example model, written by hand from the contract
 * (docs/understand/cache_example.md). Unless a test says otherwise, the cache has two sets with
 * one way each, and lines of four 8-byte words. */
#include "cache_example/cache_example_ports.h"

#define BENCH cache_example
#define BENCH_VECTORS NULL
#define BENCH_CLEAR(b) ((b)->in = (struct cache_example_in){.rsp_ready = 1})
#include "tests/block/bench.h"

static struct cache_example_bench start_with(const char *more) {
    const char *const set[] = {"LINE_BYTES=32", "SETS=2",   "WAYS=1", "DATA_W=64", "MSHR_SETS=4",
                               "MSHR_SLOTS=2",  "EVICTS=1", more,     NULL};
    return start(NULL, set);
}

/* Runs a cycle with a load that is accepted. */
static void load(struct cache_example_bench *b, uint64_t addr, unsigned id) {
    b->in.req_valid = 1;
    b->in.req_addr = addr;
    b->in.req_id = id;
    cycle(b);
    assert_int_equal(b->out.req_ready, 1);
}

static void store(struct cache_example_bench *b, uint64_t addr, unsigned id, uint32_t word,
                  unsigned mask) {
    b->in.req_write = 1;
    b->in.req_data[0] = b->in.req_data[1] = word;
    b->in.req_mask = mask;
    load(b, addr, id);
}

static void expect_fetch(const struct cache_example_bench *b, uint64_t addr, unsigned id) {
    assert_int_equal(b->out.m_arvalid, 1);
    assert_int_equal(b->out.m_araddr, addr);
    assert_int_equal(b->out.m_arid, id);
    assert_int_equal(b->out.m_arlen, 3);
    assert_int_equal(b->out.m_arsize, 3);
    assert_int_equal(b->out.m_arburst, 1);
}

/* Runs a cycle in which memory accepts the address of the fetch. */
static void take_fetch(struct cache_example_bench *b, uint64_t addr, unsigned id) {
    b->in.m_arready = 1;
    cycle(b);
    expect_fetch(b, addr, id);
}

/* Runs a cycle with a beat that contains the words `word` and `word` + 1. */
static void beat(struct cache_example_bench *b, unsigned id, uint32_t word, unsigned resp,
                 bool last) {
    b->in.m_rvalid = 1;
    b->in.m_rid = id;
    b->in.m_rdata[0] = word;
    b->in.m_rdata[1] = word + 1;
    b->in.m_rresp = resp;
    b->in.m_rlast = last;
    cycle(b);
    assert_int_equal(b->out.m_rready, 1);
}

/* Sends a line whose words count up from `word`. */
static void line(struct cache_example_bench *b, unsigned id, uint32_t word) {
    for (unsigned i = 0; i < 4; i++)
        beat(b, id, word + 2 * i, 0, i == 3);
}

static void expect_none(struct cache_example_bench *b) {
    cycle(b);
    assert_int_equal(b->out.rsp_valid, 0);
}

/* Expects this response in the next cycle. */
static void expect_load(struct cache_example_bench *b, unsigned id, uint32_t low, uint32_t high) {
    cycle(b);
    assert_int_equal(b->out.rsp_valid, 1);
    assert_int_equal(b->out.rsp_id, id);
    assert_int_equal(b->out.rsp_write, 0);
    assert_int_equal(b->out.rsp_err, 0);
    assert_int_equal(b->out.rsp_data[0], low);
    assert_int_equal(b->out.rsp_data[1], high);
}

static void expect_answer(struct cache_example_bench *b, unsigned id, bool write, bool err) {
    cycle(b);
    assert_int_equal(b->out.rsp_valid, 1);
    assert_int_equal(b->out.rsp_id, id);
    assert_int_equal(b->out.rsp_write, write);
    assert_int_equal(b->out.rsp_err, err);
}

/* ---- Parameters ---- */

static void test_illegal_parameters(void **unused) {
    ILLEGAL("must be a power of two", "LINE_BYTES=96");
    ILLEGAL("must be a power of two", "SETS=48");
    ILLEGAL("must be a power of two", "DATA_W=96");
}

/* ---- Hits and misses ---- */

/* A miss is accepted in cycle 0 and is in S1 in cycle 1, and its fetch is sent in cycle 2. The last
 * beat is accepted in cycle t, written in t + 1 and drained in t + 2, and the response is output in
 * t + 3. A hit has its response in cycle 2. */
static void test_cycles(void **unused) {
    struct cache_example_bench b = start_with("WAYS=1");
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

/* Requests for a line in flight wait for it and leave in order. A store among these requests is
 * visible only to later loads. */
static void test_merge(void **unused) {
    struct cache_example_bench b = start_with("WAYS=1");
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

/* The line of the second of two misses arrives first, interleaved with beats of the first line. A
 * hit overtakes both misses. */
static void test_any_order(void **unused) {
    struct cache_example_bench b = start_with("WAYS=2");
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

/* While a response waits, later requests get no response, and no response is lost. */
static void test_answer_waits(void **unused) {
    struct cache_example_bench b = start_with("WAYS=1");
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

/* Puts a dirty line into the cache. */
static void make_dirty(struct cache_example_bench *b, uint64_t addr, uint32_t word) {
    store(b, addr, 1, 0x77777777, 0xff);
    cycle(b);
    take_fetch(b, addr, 0);
    line(b, 0, word);
    idle(b, 3);
}

static void expect_words(struct cache_example_bench *b, uint32_t word) {
    for (unsigned i = 0; i < 4; i++) {
        b->in.m_wready = 1;
        cycle(b);
        assert_int_equal(b->out.m_wvalid, 1);
        assert_int_equal(b->out.m_wstrb, 0xff);
        assert_int_equal(b->out.m_wlast, i == 3);
        assert_int_equal(b->out.m_wdata[0], i ? word + 2 * i : 0x77777777);
    }
}

static void acknowledge(struct cache_example_bench *b, unsigned resp) {
    b->in.m_bvalid = 1;
    b->in.m_bresp = resp;
    cycle(b);
    assert_int_equal(b->out.m_bready, 1);
}

/* A miss moves the dirty line of its way into the evict buffer, one word per cycle, before it sends
 * its fetch. A request for the moved line waits until memory has acknowledged the line. */
static void test_eviction(void **unused) {
    struct cache_example_bench b = start_with("WAYS=1");
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

/* While the evict buffer's only entry is unacknowledged, another dirty line remains in its way. */
static void test_full_buffer(void **unused) {
    struct cache_example_bench b = start_with("WAYS=1");
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
    struct cache_example_bench b = start_with("WAYS=1");
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

/* After one beat with an error, all requests that wait for the line get an error, and a store among
 * them is lost. The next request fetches the line again. */
static void test_failed_fetch(void **unused) {
    struct cache_example_bench b = start_with("WAYS=1");
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

static void expect_err(struct cache_example_bench *b, unsigned err) {
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
    struct cache_example_bench b = start_with("WAYS=1");
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
