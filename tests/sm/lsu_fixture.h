/* SPDX-License-Identifier: Apache-2.0 */
/* An LSU alone: instructions are pushed, and the accesses that it offers are taken and compared. */
#ifndef MEMTWIN_TESTS_SM_LSU_FIXTURE_H
#define MEMTWIN_TESTS_SM_LSU_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "sm/lsu.h"
#include "check/check.h"

#define BASE UINT64_C(0x80000000)
#define ALL UINT32_MAX
#define SM 2
#define WARP 3
#define QUEUE 2
#define CTA 1
#define CTA_WARP 7

static struct config cfg;
static struct context context;
static struct stats stats;
static struct lsu lsu;

/* Cycles: instructions enter, and their accesses are taken. */
#define PUSHED_AT 3
#define TAKEN_AT 4

static inline void make(int64_t coalesce) {
    config_default(&cfg);
    cfg.sm_coalesce = coalesce;
    memset(&context, 0, sizeof context);
    memset(&stats, 0, sizeof stats);
    request_pool_init(&context.pool, 1); /* for a response */
    request_pool_carry(&context.pool, true);
    lsu_init(&lsu, &cfg, &context, &stats, SM);
}

static inline int setup(void **state) {
    (void)state;
    make(COALESCE_LINE);
    return 0;
}

static inline int setup_sectors(void **state) {
    (void)state;
    make(COALESCE_SECTOR);
    return 0;
}

static inline int setup_segments(void **state) {
    (void)state;
    make(COALESCE_SEGMENT);
    return 0;
}

static inline int teardown(void **state) {
    (void)state;
    lsu_free(&lsu);
    request_pool_free(&context.pool);
    return 0;
}

static inline struct warp_inst inst_of(enum warp_op op, uint32_t mask, uint8_t size, uint64_t addr,
                                       uint64_t stride) {
    struct warp_inst i = {.op = op, .mask = mask, .repeat = 1, .size = size};
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        i.addr[lane] = addr + lane * stride;
    return i;
}

/* The next access goes to the L1D at once. */
static inline void take(uint64_t cycle) {
    lsu_taken(&lsu, lsu_offer(&lsu), cycle);
    lsu_leave(&lsu);
}

/* The next access is that line with those bytes; it is taken. */
static inline void expect_line(uint64_t addr, uint64_t low, uint64_t high) {
    const struct request *a = lsu_offer(&lsu);
    assert_non_null(a);
    assert_int_equal(a->line * LINE_BYTES, addr);
    assert_int_equal(a->mask.w[0], low);
    assert_int_equal(a->mask.w[1], high);
    take(TAKEN_AT);
}

static inline void expect_end(void) {
    assert_null(lsu_offer(&lsu));
    assert_int_equal(context.fault, CONTEXT_OK);
}

static inline bool push(struct warp_inst i) {
    static const struct warp_place place = {.cta = {4, 5, 6}, .warp = CTA_WARP, .threads = 32};
    const struct lsu_from from = {WARP, QUEUE, CTA, 0, "kern", &place};
    return lsu_push(&lsu, &i, &from, PUSHED_AT) != 0;
}

/* A response of the L1D to that load: the line, from that byte on. */
static inline struct request response_to(uint32_t load, uint64_t line, unsigned offset) {
    return (struct request){
        .line = line, .mask = mask_range(offset, 1), .origin.load = (uint16_t)load};
}

/* It is answered, with the bytes that no store has changed. */
static inline const struct lsu_load *answer(const struct request *response, uint64_t cycle) {
    const struct byte_mask all = {{UINT64_MAX, UINT64_MAX}};
    const uint32_t number = request_take(&context.pool);
    *request_at(&context.pool, number) = *response;
    check_stamp_line(request_data(&context.pool, number), response->line, &all, 0);
    const struct lsu_load *load = lsu_answer(&lsu, number, cycle);
    request_give(&context.pool, number);
    return load;
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

#endif
