/* The coalescer alone: which line accesses, with which bytes, in which order, an instruction makes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "sm/lsu.h"

#define BASE UINT64_C(0x80000000)
#define ALL UINT32_MAX

static struct config cfg;
static struct frame frame;
static struct stats stats;
static struct lsu lsu;

static int setup(void **state) {
    (void)state;
    config_default(&cfg);
    memset(&frame, 0, sizeof frame);
    memset(&stats, 0, sizeof stats);
    assert_int_equal(lsu_init(&lsu, &cfg, &frame, 0), 0);
    lsu.stats = &stats;
    return 0;
}

static int teardown(void **state) {
    (void)state;
    lsu_free(&lsu);
    return 0;
}

static struct warp_inst inst_of(enum warp_op op, uint32_t mask, uint8_t size, uint64_t addr,
                                uint64_t stride) {
    struct warp_inst i = {.op = op, .mask = mask, .repeat = 1, .size = size};
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        i.addr[lane] = addr + lane * stride;
    return i;
}

/* The next access is that line with those bytes; it is taken. */
static void expect_line(uint64_t addr, uint64_t low, uint64_t high) {
    struct l1d_access a;
    assert_true(lsu_offer(&lsu, &a));
    assert_int_equal(a.line * LINE_BYTES, addr);
    assert_int_equal(a.mask.w[0], low);
    assert_int_equal(a.mask.w[1], high);
    lsu_taken(&lsu, 0);
}

static void expect_end(void) {
    struct l1d_access a;
    assert_false(lsu_offer(&lsu, &a));
    assert_int_equal(frame.fault, FRAME_OK);
}

static void push(struct warp_inst i) {
    lsu_push(&lsu, &i, 3);
}

static void unit_stride_in_every_size(void **state) {
    (void)state;
    for (uint8_t size = 1; size <= 16; size *= 2) {
        push(inst_of(WARP_STORE, ALL, size, BASE, size));
        if (size == 1)
            expect_line(BASE, UINT32_MAX, 0);
        else if (size == 2)
            expect_line(BASE, UINT64_MAX, 0);
        else
            for (unsigned n = 0; n < size / 4u; n++)
                expect_line(BASE + n * LINE_BYTES, UINT64_MAX, UINT64_MAX);
        expect_end();
    }
    assert_int_equal(stats.v[STAT_store_lines], 1 + 1 + 1 + 2 + 4);
    assert_int_equal(stats.v[STAT_store_insts], 5);
}

static void a_line_for_each_lane(void **state) {
    (void)state;
    for (uint8_t size = 1; size <= 16; size *= 2) {
        push(inst_of(WARP_STORE, ALL, size, BASE + 112, LINE_BYTES));
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            expect_line(BASE + lane * LINE_BYTES, 0, ((UINT64_C(1) << size) - 1) << 48);
        expect_end();
    }
}

static void all_lanes_at_one_address(void **state) {
    (void)state;
    push(inst_of(WARP_STORE, ALL, 8, BASE + 72, 0));
    expect_line(BASE, 0, UINT64_C(0xff) << 8);
    expect_end();
}

/* A row that begins in the middle of a line: two lines, the rest of each untouched. */
static void a_row_across_two_lines(void **state) {
    (void)state;
    push(inst_of(WARP_STORE, ALL, 4, BASE + 100, 4));
    expect_line(BASE, 0, UINT64_MAX << 36);
    expect_line(BASE + LINE_BYTES, UINT64_MAX, (UINT64_C(1) << 36) - 1);
    expect_end();
    push(inst_of(WARP_STORE, ALL, 2, BASE + 96, 2));
    expect_line(BASE, 0, UINT64_MAX << 32);
    expect_line(BASE + LINE_BYTES, UINT32_MAX, 0);
    expect_end();
}

static void only_active_lanes_count(void **state) {
    (void)state;
    push(inst_of(WARP_STORE, UINT32_C(1) << 31, 4, BASE, 4));
    expect_line(BASE, 0, UINT64_C(0xf) << 60);
    push(inst_of(WARP_STORE, 0x80000001, 4, BASE, 4));
    expect_line(BASE, 0xf, UINT64_C(0xf) << 60);
    push(inst_of(WARP_STORE, 0x55555555, 4, BASE, 4));
    expect_line(BASE, UINT64_C(0x0f0f0f0f0f0f0f0f), UINT64_C(0x0f0f0f0f0f0f0f0f));
    push(inst_of(WARP_STORE, 0xffff0000, 16, BASE, 16));
    expect_line(BASE + 2 * LINE_BYTES, UINT64_MAX, UINT64_MAX);
    expect_line(BASE + 3 * LINE_BYTES, UINT64_MAX, UINT64_MAX);
    expect_end();
}

/* Lines come in the order of the first lane in each, however the lanes go to and fro. */
static void lines_keep_the_order_of_lanes(void **state) {
    (void)state;
    struct warp_inst i = inst_of(WARP_STORE, 0x1f, 4, 0, 0);
    static const uint64_t line[] = {7, 2, 7, 5, 2};
    for (unsigned lane = 0; lane < 5; lane++)
        i.addr[lane] = BASE + line[lane] * LINE_BYTES + 4 * lane;
    push(i);
    expect_line(BASE + 7 * LINE_BYTES, 0xf | 0xf << 8, 0);
    expect_line(BASE + 2 * LINE_BYTES, 0xf << 4 | 0xf << 16, 0);
    expect_line(BASE + 5 * LINE_BYTES, 0xf << 12, 0);
    expect_end();
}

/* A load is complete with its last line, whatever the order of the answers. */
static void a_load_waits_for_all_its_lines(void **state) {
    (void)state;
    struct warp_inst i = inst_of(WARP_LOAD, ALL, 4, BASE + 64, 4);
    i.dst.w[0] = 1u << 9;
    push(i);
    struct l1d_access a;
    assert_true(lsu_offer(&lsu, &a));
    assert_int_equal(a.kind, PACKET_LOAD);
    expect_line(BASE, 0, UINT64_MAX);
    expect_line(BASE + LINE_BYTES, UINT64_MAX, 0);
    expect_end();
    assert_int_equal(lsu_loads_out(&lsu), 1);
    struct l1d_rsp rsp = {.line = BASE / LINE_BYTES + 1, .id = a.id};
    assert_null(lsu_answer(&lsu, &rsp, 5));
    rsp.line--;
    const struct lsu_load *load = lsu_answer(&lsu, &rsp, 6);
    assert_non_null(load);
    assert_memory_equal(&load->dst, &i.dst, sizeof i.dst);
    assert_int_equal(load->warp, 3);
    assert_int_equal(lsu_loads_out(&lsu), 0);
    assert_null(lsu_answer(&lsu, &rsp, 7));
    assert_int_equal(frame.fault, FRAME_BROKEN);
}

static void what_cannot_be_is_refused(void **state) {
    (void)state;
    static const struct {
        uint32_t mask;
        uint8_t size;
        uint64_t addr;
    } bad[] = {{ALL, 4, BASE + 2},
               {0, 4, BASE},
               {ALL, 3, BASE},
               {ALL, 32, BASE},
               {1, 4, UINT64_C(1) << 47}};
    for (unsigned n = 0; n < sizeof bad / sizeof bad[0]; n++) {
        frame.fault = FRAME_OK;
        push(inst_of(WARP_STORE, bad[n].mask, bad[n].size, bad[n].addr, bad[n].size));
        assert_int_equal(frame.fault, FRAME_BAD_INPUT);
    }
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        CASE(unit_stride_in_every_size),      CASE(a_line_for_each_lane),
        CASE(all_lanes_at_one_address),       CASE(a_row_across_two_lines),
        CASE(only_active_lanes_count),        CASE(lines_keep_the_order_of_lanes),
        CASE(a_load_waits_for_all_its_lines), CASE(what_cannot_be_is_refused),
    };
    return cmocka_run_group_tests_name("lsu", tests, NULL, NULL);
}
