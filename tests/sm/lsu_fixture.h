/* SPDX-License-Identifier: Apache-2.0 */
/* Runs an LSU alone: the test pushes instructions, and accepts and compares the accesses that the
 * LSU offers. */
#ifndef MEMTWIN_TESTS_SM_LSU_FIXTURE_H
#define MEMTWIN_TESTS_SM_LSU_FIXTURE_H

#include "sm/lsu.h"
#include "check/check.h"
#include "tests/test.h"

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

/* Cycle in which instructions enter the LSU, and cycle in which their accesses are accepted. */
#define PUSHED_AT 3
#define TAKEN_AT 4

static inline void make(int64_t coalesce) {
    config_default(&cfg);
    cfg.sm_coalesce = coalesce;
    memset(&context, 0, sizeof context);
    memset(&stats, 0, sizeof stats);
    request_pool_init(&context.pool, 1); /* room for one response */
    request_pool_carry(&context.pool, true);
    lsu_init(&lsu, &cfg, &context, &stats, SM);
}

static inline int setup(void **state) {
    make(COALESCE_LINE);
    return 0;
}

static inline int setup_sectors(void **state) {
    make(COALESCE_SECTOR);
    return 0;
}

static inline int setup_segments(void **state) {
    make(COALESCE_SEGMENT);
    return 0;
}

static inline int teardown(void **state) {
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

/* Lets the next access leave the LSU. The L1D accepts it in this cycle. */
static inline void take(uint64_t cycle) {
    lsu_taken(&lsu, lsu_offer(&lsu), cycle);
    lsu_leave(&lsu);
}

/* Expects the next access to be to the line at `addr`, with `low` and `high` as the masks of the
 * line's lower and upper 64 bytes. Accepts the access. */
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
    const struct lsu_from from = {WARP, QUEUE, CTA, 0, 0, "kern", &place};
    return lsu_push(&lsu, &i, &from, PUSHED_AT) != 0;
}

/* Returns a response of the L1D to load number `load`, for the line's byte at `offset`. */
static inline struct request response_to(uint32_t load, uint64_t line, unsigned offset) {
    return (struct request){
        .line = line, .mask = mask_range(offset, 1), .origin.load = (uint16_t)load};
}

/* Answers an access of a load with the line's initial bytes. Returns the load if this was its last
 * response, else NULL. */
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
