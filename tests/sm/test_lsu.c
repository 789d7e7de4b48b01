// SPDX-License-Identifier: Apache-2.0
/* Tests of the LSU's queue: order, shared accesses, operand collectors, responses. */
#include "tests/sm/lsu_fixture.h"

static void the_last_access_may_go_first(void **state) {
    lsu_free(&lsu);
    cfg.sm_model = MODEL_GPGPUSIM;
    lsu_init(&lsu, &cfg, &context, &stats, SM);
    push(inst_of(WARP_STORE, ALL, 8, BASE, 8));
    struct request behind;
    assert_true(lsu_behind(&lsu, &behind));
    assert_int_equal(behind.line * LINE_BYTES, BASE);
    expect_line(BASE + LINE_BYTES, UINT64_MAX, UINT64_MAX);
    expect_line(BASE, UINT64_MAX, UINT64_MAX);
    expect_end();
}

static void push_shared(uint32_t warp, uint8_t passes, const struct reg_set *dst, uint64_t cycle) {
    lsu_push_shared(&lsu, warp, &(struct warp_inst){.passes = passes}, dst, cycle);
}

/* An access to shared memory stays at the front for one cycle per pass. */
static void shared_accesses_keep_their_place(void **state) {
    const struct reg_set dst = {{6}};
    struct request behind;
    push(inst_of(WARP_STORE, ALL, 4, BASE, 4));
    push_shared(WARP, 3, &dst, 0);
    push(inst_of(WARP_STORE, ALL, 4, BASE, 4));
    assert_int_equal(lsu.entered, 3);
    assert_false(lsu_behind(&lsu, &behind)); /* no access is known to follow it to the L1D */
    assert_null(lsu_take_shared(&lsu, 10));
    expect_line(BASE, UINT64_MAX, UINT64_MAX);
    assert_null(lsu_offer(&lsu));
    /* no access is known to follow the one that a stage offers */
    assert_false(lsu_behind(&lsu, &behind));
    assert_int_equal(lsu_next_event(&lsu, 10), 10);
    assert_null(lsu_take_shared(&lsu, 10));
    assert_int_equal(lsu_next_event(&lsu, 11), 13);
    assert_null(lsu_take_shared(&lsu, 12));
    const struct lsu_inst *q = lsu_take_shared(&lsu, 13);
    assert_non_null(q);
    assert_int_equal(q->head.origin.warp, WARP);
    assert_int_equal(q->dst.w[0], 6);
    expect_line(BASE, UINT64_MAX, UINT64_MAX);
    expect_end();
}

/* A shared access also reaches the LSU sm.lsu_latency cycles after issue. */
static void shared_accesses_take_their_time(void **state) {
    const struct reg_set dst = {{6}};
    lsu.latency = 4;
    push_shared(WARP, 2, &dst, 10);
    assert_false(lsu_shared_first(&lsu));
    assert_int_equal(lsu_next_entry(&lsu), 14);
    lsu_enter(&lsu, 1);
    assert_null(lsu_take_shared(&lsu, 14));
    assert_null(lsu_take_shared(&lsu, 15));
    assert_non_null(lsu_take_shared(&lsu, 16));
    lsu.latency = 1;
    expect_end();
}

/* With operand collectors, an instruction reaches the LSU only after it has a collector. */
static void an_instruction_waits_for_its_collector(void **state) {
    struct request behind;
    lsu.collected = true;
    push(inst_of(WARP_STORE, ALL, 4, BASE, 4));
    push(inst_of(WARP_STORE, ALL, 4, BASE + LINE_BYTES, 4));
    assert_null(lsu_offer(&lsu));
    lsu_enter(&lsu, 1);
    assert_false(lsu_behind(&lsu, &behind));
    expect_line(BASE, UINT64_MAX, UINT64_MAX);
    assert_null(lsu_offer(&lsu));
    lsu_enter(&lsu, 1);
    expect_line(BASE + LINE_BYTES, UINT64_MAX, UINT64_MAX);
    expect_end();
    lsu.collected = false;
}

/* The instruction that the collectors choose precedes the other instructions that have a
 * collector. */
static void an_instruction_is_brought_forward(void **state) {
    const struct reg_set none = {{0}};
    lsu.collected = true;
    for (unsigned turn = 0; turn < 8; turn++) { /* the ring of 8 starts at each possible position */
        for (uint32_t w = 0; w < 5; w++)
            push_shared(w, 1, &none, 10);
        lsu_enter(&lsu, 5);
        lsu_bring(&lsu, 3); /* the order is then 3, 0, 1, 2, 4 */
        assert_int_equal(lsu_first(&lsu)->head.origin.warp, 3);
        lsu_bring(&lsu, 4); /* the order is then 4, 3, 0, 1, 2 */
        static const unsigned order[] = {4, 3, 0, 1, 2};
        for (unsigned i = 0; i < 5; i++) {
            assert_null(lsu_take_shared(&lsu, 20));
            assert_int_equal(lsu_take_shared(&lsu, 21)->head.origin.warp, order[i]);
        }
    }
    expect_end();
    lsu.collected = false;
}

/* An instruction reaches the LSU sm.lsu_latency cycles after its issue. */
static void an_instruction_is_on_its_way_to_the_lsu(void **state) {
    assert_int_equal(lsu_next_entry(&lsu), UINT64_MAX);
    lsu_free(&lsu);
    cfg.sm_model = MODEL_GPGPUSIM;
    cfg.sm_lsu_latency = 4;
    lsu_init(&lsu, &cfg, &context, &stats, SM);
    assert_int_equal(lsu_next_entry(&lsu), UINT64_MAX);
    push(inst_of(WARP_STORE, ALL, 4, BASE, 4));
    assert_null(lsu_offer(&lsu));
    assert_int_equal(lsu_next_entry(&lsu), PUSHED_AT + 4);
    lsu_enter(&lsu, 1);
    assert_int_equal(lsu_next_entry(&lsu), UINT64_MAX);
    expect_line(BASE, UINT64_MAX, UINT64_MAX);
    expect_end();
}

/* A load is complete when its last line arrives, whatever the order of the responses. */
static void a_load_waits_for_all_its_lines(void **state) {
    struct warp_inst i = inst_of(WARP_LOAD, ALL, 4, BASE + 64, 4);
    i.dst.w[0] = 1u << 9;
    push(i);
    const struct request a = *lsu_offer(&lsu);
    assert_int_equal(a.kind, REQUEST_LOAD);
    expect_line(BASE, 0, UINT64_MAX);
    expect_line(BASE + LINE_BYTES, UINT64_MAX, 0);
    expect_end();
    assert_int_equal(lsu_loads_out(&lsu), 1);
    struct request rsp = response_to(a.origin.load, BASE / LINE_BYTES + 1, 0);
    assert_null(answer(&rsp, 5));
    rsp.line--;
    const struct lsu_load *load = answer(&rsp, 6);
    assert_non_null(load);
    assert_memory_equal(&load->dst, &i.dst, sizeof i.dst);
    assert_int_equal(load->warp, WARP);
    assert_int_equal(lsu_loads_out(&lsu), 0);
    /* the latency, 6 - PUSHED_AT = 3 cycles, is in the bucket of 2 and 3 */
    assert_int_equal(stats.h[HIST_load_latency_hist][2], 1);
    assert_null(answer(&rsp, 7));
    assert_int_equal(context.fault, CONTEXT_BROKEN);
}

static void flags_reach_the_l1d(void **state) {
    struct warp_inst i = inst_of(WARP_LOAD, 1, 4, BASE, 4);
    i.skip_l1 = true;
    push(i);
    assert_true(lsu_offer(&lsu)->bypass);
    assert_false(lsu_offer(&lsu)->local || lsu_offer(&lsu)->result);
    assert_int_equal(lsu_offer(&lsu)->origin.warp, WARP);
    assert_int_equal(lsu_offer(&lsu)->sm.queue, QUEUE);
    assert_int_equal(lsu_offer(&lsu)->origin.cta_warp, CTA_WARP);
    assert_int_equal(lsu_offer(&lsu)->origin.cta, CTA);
    assert_int_equal(lsu_offer(&lsu)->origin.sm, SM);
    take(0);
    i.op = WARP_STORE;
    push(i);
    assert_false(lsu_offer(&lsu)->bypass);
}

/* ---- with the data check: load, line and offset identify the access of a response ---- */

static int make_checked(void **state, int64_t coalesce) {
    *state = check_create(4);
    make(coalesce);
    lsu_free(&lsu);
    context.check = *state;
    lsu_init(&lsu, &cfg, &context, &stats, SM);
    return *state ? 0 : -1;
}

static int setup_checked(void **state) {
    return make_checked(state, COALESCE_SECTOR);
}

static int setup_checked_segments(void **state) {
    return make_checked(state, COALESCE_SEGMENT);
}

static int teardown_checked(void **state) {
    check_destroy(*state);
    return teardown(state);
}

static void answers_come_in_any_order(void **state) {
    struct check *check = *state;
    push(inst_of(WARP_LOAD, ALL, 4, BASE, 4));
    const uint32_t id = lsu_offer(&lsu)->origin.load;
    static const unsigned order[] = {2, 0, 3, 1};
    for (unsigned n = 0; n < 4; n++)
        take(n);
    for (unsigned n = 0; n < 4; n++) {
        const struct request rsp = response_to(id, BASE / LINE_BYTES, 32 * order[n]);
        assert_int_equal(answer(&rsp, 9) != NULL, n == 3);
    }
    assert_int_equal(context.fault, CONTEXT_OK);
    assert_null(check_failure(check));
    assert_int_equal(check_bytes_checked(check), 128);
}

/* A load of one byte per lane has four accesses to one line. */
static void segments_are_answered_apart(void **state) {
    struct check *check = *state;
    push(inst_of(WARP_LOAD, ALL, 1, BASE, 4));
    const uint32_t id = lsu_offer(&lsu)->origin.load;
    for (unsigned n = 0; n < 4; n++)
        take(n);
    expect_end();
    for (unsigned n = 4; n-- > 0;) {
        const struct request rsp = response_to(id, BASE / LINE_BYTES, 32 * n);
        assert_int_equal(answer(&rsp, 9) != NULL, n == 0);
    }
    assert_int_equal(context.fault, CONTEXT_OK);
    assert_null(check_failure(check));
    assert_int_equal(check_bytes_checked(check), WARP_LANES);
}

/* Accesses of two loads enter the L1D through prioritization queues, in the order in which the
 * queues offer them. */
static void accesses_may_leave_before_they_are_taken(void **state) {
    struct request a[8];
    push(inst_of(WARP_LOAD, ALL, 4, BASE, 4));
    push(inst_of(WARP_LOAD, ALL, 4, BASE, 4));
    for (unsigned n = 0; n < 8; n++) {
        a[n] = *lsu_offer(&lsu);
        lsu_leave(&lsu);
    }
    assert_null(lsu_offer(&lsu));
    assert_int_equal(stats.v[STAT_load_lines] + lsu.waiting.value, 0);
    /* the order of the accesses is 4 0 5 1 6 2 7 3, and each is answered immediately */
    for (unsigned n = 0; n < 8; n++) {
        const struct request *next = &a[n % 2 ? n / 2 : 4 + n / 2];
        lsu_taken(&lsu, next, n);
        const struct request rsp =
            response_to(next->origin.load, BASE / LINE_BYTES, mask_first(&next->mask));
        assert_int_equal(answer(&rsp, n) != NULL, n >= 6);
    }
    assert_int_equal(context.fault, CONTEXT_OK);
    assert_int_equal(stats.v[STAT_load_lines], 8);
}

static void an_answer_at_a_wrong_offset_is_found(void **state) {
    push(inst_of(WARP_LOAD, ALL, 4, BASE, 4));
    take(0);
    const uint32_t id = lsu_offer(&lsu)->origin.load;
    const struct request rsp = response_to(id, BASE / LINE_BYTES, 32);
    assert_null(answer(&rsp, 9));
    assert_int_equal(context.fault, CONTEXT_BROKEN);
    assert_non_null(strstr(context.error.text, "offset 32"));
}

#define CHECKED(f) cmocka_unit_test_setup_teardown(f, setup_checked, teardown_checked)

int main(void) {
    const struct CMUnitTest tests[] = {
        CASE(the_last_access_may_go_first),
        CASE(an_instruction_waits_for_its_collector),
        CASE(an_instruction_is_brought_forward),
        CASE(an_instruction_is_on_its_way_to_the_lsu),
        CASE(shared_accesses_keep_their_place),
        CASE(shared_accesses_take_their_time),
        CASE(a_load_waits_for_all_its_lines),
        CASE(flags_reach_the_l1d),
        CHECKED(answers_come_in_any_order),
        cmocka_unit_test_setup_teardown(segments_are_answered_apart, setup_checked_segments,
                                        teardown_checked),
        CHECKED(accesses_may_leave_before_they_are_taken),
        CHECKED(an_answer_at_a_wrong_offset_is_found),
    };
    return cmocka_run_group_tests_name("lsu", tests, NULL, NULL);
}
