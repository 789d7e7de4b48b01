// SPDX-License-Identifier: Apache-2.0
/* Tests of the instruction cache alone, at one port of a crossbar: hits, fetches, the recipients
 * and times of replies, and the addresses of instructions that have none in the trace. */
#include "icache/icache.h"
#include "tests/test.h"

static struct config cfg;
static struct context context;
static struct stats stats;
static struct xbar req, reply;
static struct addr_map map;
static struct icache cache;
static struct draws draws;

static void make(int64_t sets, int64_t ways) {
    const struct xbar_size size = {1, 1, 1, 4, 1, 1, false, false, 1};
    config_default(&cfg);
    cfg.sm_model = MODEL_GPGPUSIM;
    cfg.icache_sets = sets;
    cfg.icache_ways = ways;
    memset(&context, 0, sizeof context);
    memset(&stats, 0, sizeof stats);
    map = (struct addr_map){.partitions = 1, .banks = 1, .interleave = 1};
    request_pool_init(&context.pool, 64);
    xbar_init(&req, &context, &size);
    xbar_init(&reply, &context, &size);
    const struct icache_ports ports = {&req, &reply, &map};
    icache_init(&cache, &cfg, &context, &ports, &stats, 0);
}

static void end(void) {
    assert_int_equal(context.pool.in_use, 0);
    assert_int_equal(context.fault, CONTEXT_OK);
    icache_free(&cache);
    xbar_free(&req);
    xbar_free(&reply);
    request_pool_free(&context.pool);
}

static void step(void) {
    context.now++;
    xbar_tick(&req);
    xbar_tick(&reply);
}

/* Answers the oldest request, which must be for code line `line`. */
static void answer(uint64_t line) {
    for (unsigned i = 0; i < 10 && xbar_peek(&req, 0) == REQUEST_NONE; i++) {
        step();
        assert_false(icache_tick(&cache));
    }
    uint32_t n = xbar_pop(&req, 0);
    struct request *p = request_at(&context.pool, n);
    assert_true(line_is_code(p->line));
    assert_int_equal(p->line - CODE_LINE, line);
    assert_int_equal(p->kind, REQUEST_LOAD);
    p->reply = true;
    xbar_push(&reply, 0, n, 0, 1, 1);
    unsigned i = 0;
    do
        step();
    while (!icache_tick(&cache) && ++i < 10);
    assert_true(i < 10);
}

static void expect(enum icache_result result, uint32_t warp, uint32_t pc) {
    assert_int_equal(icache_fetch(&cache, warp, pc), result);
}

static void expect_come(const char *warps) {
    for (; *warps; warps++)
        assert_int_equal(icache_take(&cache), (uint32_t)(*warps - '0'));
    assert_int_equal(icache_take(&cache), ICACHE_NO_WARP);
}

static void a_line_comes_once(void **state) {
    make(2, 1);
    step();
    expect(ICACHE_MISS, 5, 0);
    expect(ICACHE_MISS, 3, 112);
    expect(ICACHE_MISS, 4, 128);
    expect(ICACHE_REFUSED, 1, 256); /* the cache has only two entries for fetches in flight */
    expect(ICACHE_MISS, 2, 16);
    expect_come("");
    answer(0);
    expect_come("532");
    expect(ICACHE_HIT, 1, 64);
    expect(ICACHE_MISS, 1, 256); /* one of the two fetches is done */
    answer(1);
    expect_come("4");
    expect(ICACHE_HIT, 7, 255);
    expect(ICACHE_HIT, 7, 127);
    answer(2); /* the reply replaces line 0 */
    expect_come("1");
    expect(ICACHE_MISS, 1, 0);
    answer(0);
    expect_come("1");
    assert_int_equal(stats.v[STAT_icache_hits], 3);
    assert_int_equal(stats.v[STAT_icache_misses], 6);
    end();
}

static void the_least_recently_used_line_goes(void **state) {
    make(1, 2);
    step();
    for (uint32_t line = 0; line < 2; line++) {
        expect(ICACHE_MISS, 0, line * 128);
        answer(line);
        expect_come("0");
    }
    expect(ICACHE_HIT, 0, 0);
    expect(ICACHE_MISS, 0, 2 * 128);
    answer(2);
    expect_come("0");
    expect(ICACHE_HIT, 0, 0);
    expect(ICACHE_MISS, 0, 128);
    answer(1);
    expect_come("0");
    end();
}

/* A request waits in the cache while the crossbar's input, which can store one request, is full. */
static void requests_wait_for_the_crossbar(void **state) {
    make(4, 1);
    step();
    for (uint32_t line = 0; line < 2; line++)
        expect(ICACHE_MISS, line, line * 128);
    assert_int_equal(cache.unsent, 1);
    for (uint32_t line = 0; line < 2; line++)
        answer(line);
    expect_come("01");
    end();
}

static struct warp_inst inst(enum warp_op op, uint64_t dst) {
    return (struct warp_inst){.op = op, .size = 4, .dst = {{dst}}};
}

static void equal_instructions_have_one_address(void **state) {
    make(1, 1);
    icache_launch(&cache);
    for (unsigned round = 0; round < 2; round++)
        for (uint32_t n = 0; n < 1000; n++) { /* more instructions than the initial table stores */
            struct warp_inst i = inst(n % 2 ? WARP_ALU : WARP_LOAD, n / 2 + 1);
            i.mask = round; /* lanes and addresses make no difference */
            i.addr[0] = n * round;
            assert_int_equal(icache_pc(&cache, &i), n * ICACHE_INST_BYTES);
        }
    struct warp_inst known = inst(WARP_ALU, 1);
    known.has_pc = true;
    known.pc = 48;
    assert_int_equal(icache_pc(&cache, &known), 48);
    icache_launch(&cache);
    struct warp_inst last = inst(WARP_ALU, 500);
    assert_int_equal(icache_pc(&cache, &last), 0);
    end();
}

/* The banks of code lines and data lines are drawn from one random sequence, once per line. */
static void lines_that_are_there_draw_their_banks(void **state) {
    struct draws alone;
    draws_init(&alone, 24);
    draws_init(&draws, 24);
    make(0, 1);
    map = (struct addr_map){
        .partitions = 24, .banks = 1, .interleave = 1, .map = PARTITION_RANDOM, .draws = &draws};
    const struct icache_ports ports = {&req, &reply, &map};
    icache_free(&cache);
    icache_init(&cache, &cfg, &context, &ports, &stats, 0);
    assert_false(icache_on(&cache));
    assert_true(icache_asks(&cache));
    for (unsigned round = 0; round < 2; round++)
        for (uint32_t line = 0; line < 100; line++)
            expect(ICACHE_HIT, 0, line * LINE_BYTES + 16 * round);
    for (uint64_t line = 0; line < 100; line++)
        assert_int_equal(draws_find(&draws, CODE_LINE + line), draws_get(&alone, line));
    assert_int_equal(addr_bank(&map, 7), draws_get(&alone, 100)); /* 7 is a line of data */
    draws_free(&draws);
    draws_free(&alone);
    end();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_comes_once),
        cmocka_unit_test(the_least_recently_used_line_goes),
        cmocka_unit_test(requests_wait_for_the_crossbar),
        cmocka_unit_test(equal_instructions_have_one_address),
        cmocka_unit_test(lines_that_are_there_draw_their_banks),
    };
    return cmocka_run_group_tests_name("icache", tests, NULL, NULL);
}
