// SPDX-License-Identifier: Apache-2.0
/* Tests of the pipeline in front of the L1D's tags alone: its delay, order and capacity, and
 * accesses that bypass it. */
#include "l1d/l1d.h"
#include "l1d_pipe/l1d_pipe.h"
#include "tests/test.h"

#define LATENCY 4

static struct config cfg;
static struct context context;
static struct l1d_pipe pipeline;
static struct stage stage;
static uint64_t cycle;

static void make_banks(int64_t bypass, int64_t banks) {
    config_default(&cfg);
    cfg.l1d_banks = banks;
    cfg.l1d_model = MODEL_GPGPUSIM;
    cfg.l1d_hit_latency = LATENCY;
    cfg.l1d_bypass = bypass;
    cfg.sm_coalesce = banks > 1 ? COALESCE_SECTOR : COALESCE_LINE;
    memset(&context, 0, sizeof context);
    l1d_pipe_init(&pipeline, &cfg, &context);
    assert_true(l1d_pipe_on(&pipeline));
    stage = l1d_pipe_stage(&pipeline);
    cycle = 100;
}

static void end(void) {
    assert_true(stage.type->empty(stage.state));
    l1d_pipe_free(&pipeline);
}

static void make(int64_t bypass) {
    make_banks(bypass, 1);
}

/* Returns the access that the pipeline offers (n = 0) or is expected to offer next (n = 1). `now`
 * and `next` wait in front of the pipeline. */
static const struct request *peek(uint32_t n, const struct request *now,
                                  const struct request *next) {
    const struct request *const before[2] = {now, next};
    return stage.type->peek(stage.state, n, before);
}

/* Runs a cycle with `from` in front of the pipeline. The L1D accepts the offered access if
 * l1d_takes. Sets *took if the pipeline takes `from`. Returns the offered access, or NULL. */
static const struct request *step(const struct request *from, bool l1d_takes, bool *took) {
    uint64_t next = stage.type->next_event(stage.state, from, cycle);
    bool stood = peek(0, from, NULL);
    const struct request *offer = stage.type->offer(stage.state, from, cycle, took);
    if (next > cycle)
        assert_true(!*took && stood == (offer != NULL));
    assert_ptr_equal(offer, peek(0, from, NULL));
    if (offer && l1d_takes)
        assert_int_equal(stage.type->take(stage.state), offer == from);
    cycle++;
    return offer;
}

static void each_access_waits_and_one_leaves_a_cycle(void **state) {
    bool took;
    make(BYPASS_NONE);
    for (uint32_t i = 0; i < 20; i++) {
        const struct request a = {.line = i, .kind = i % 2 ? REQUEST_STORE : REQUEST_LOAD};
        const struct request *offer = step(&a, true, &took);
        assert_true(took);
        assert_int_equal(offer != NULL, i >= LATENCY - 1);
        if (offer) {
            assert_int_equal(offer->line, i - (LATENCY - 1));
            assert_int_equal(offer->sm.piped, LATENCY - 1);
        }
    }
    for (uint32_t i = 20 - (LATENCY - 1); i < 20; i++)
        assert_int_equal(step(NULL, true, &took)->line, i);
    end();
}

static void what_is_refused_holds_up_the_rest(void **state) {
    bool took;
    make(BYPASS_NONE);
    for (uint32_t i = 0; i < 12; i++) {
        const struct request a = {.line = i < LATENCY ? i : LATENCY};
        const struct request *offer = step(&a, false, &took);
        assert_int_equal(took, i < LATENCY); /* the pipeline has LATENCY entries */
        assert_true(!offer || offer->line == 0);
    }
    assert_int_equal(stage.type->next_event(stage.state, NULL, cycle), UINT64_MAX);
    for (uint32_t i = 0; i < LATENCY; i++)
        assert_int_equal(step(NULL, true, &took)->line, i);
    end();
}

static void what_goes_past_the_l1d_passes_by(void **state) {
    bool took;
    make(BYPASS_NONE);
    const struct request store = {.line = 1, .kind = REQUEST_STORE};
    const struct request same = {.line = 1, .bypass = true}, other = {.line = 2, .bypass = true};
    assert_null(step(&store, true, &took));
    assert_true(took);
    assert_ptr_equal(step(&other, false, &took), &other);
    assert_ptr_equal(step(&other, true, &took), &other); /* the same access is offered again */
    assert_int_equal(other.sm.piped, 0);
    assert_int_equal(step(&same, true, &took)->line, 1); /* the store is offered first */
    assert_int_equal(pipeline.count, 0);
    assert_ptr_equal(step(&same, true, &took), &same);
    assert_false(took);
    end();
}

/* The pipeline announces the access that it will offer after the current one is accepted. */
static void the_next_offer_is_foreseen(void **state) {
    bool took;
    make(BYPASS_NONE);
    const struct request past = {.line = 9, .bypass = true}, load = {.line = 9};
    assert_ptr_equal(peek(1, NULL, &past), &past);
    assert_null(peek(1, NULL, &load));
    for (uint32_t i = 0; i < 2 * LATENCY; i++) {
        const struct request a = {.line = i};
        stage.type->offer(stage.state, &a, cycle++, &took);
        const struct request *guess = peek(1, NULL, &past);
        assert_non_null(guess);
        assert_int_equal(guess->line, i < LATENCY - 1 ? 0 : i - (LATENCY - 1) + 1);
        if (peek(0, NULL, NULL))
            stage.type->take(stage.state);
    }
    while (!stage.type->empty(stage.state))
        step(NULL, true, &took);
    end();
}

static void with_all_global_accesses_past_only_local_ones_wait(void **state) {
    bool took;
    make(BYPASS_GLOBAL);
    const struct request global = {.line = 1, .kind = REQUEST_STORE};
    const struct request local = {.line = 2, .local = true};
    assert_ptr_equal(step(&global, true, &took), &global);
    assert_null(step(&local, true, &took));
    assert_true(took);
    while (!stage.type->empty(stage.state))
        step(NULL, true, &took);
    assert_int_equal(cycle, 100 + 1 + LATENCY);
    end();
}

static struct request local_at(uint64_t line, unsigned byte) {
    return (struct request){.line = line, .mask = mask_range(byte, 4), .local = true};
}

/* With two banks, a second access of the instruction, to the other bank, enters and leaves in the
 * same cycle. */
static void two_banks_take_two_accesses(void **state) {
    bool took;
    make_banks(BYPASS_GLOBAL, 2);
    struct request first = local_at(1, 0), other = local_at(1, 32), same = local_at(1, 64);
    assert_null(step(&first, true, &took));
    assert_false(l1d_pipe_enter_more(&pipeline, &same, cycle - 1));
    assert_false(l1d_pipe_enter_more(&pipeline, &other, cycle));
    assert_true(l1d_pipe_enter_more(&pipeline, &other, cycle - 1));
    first.sm.last = true;
    assert_null(step(&first, true, &took));
    assert_false(l1d_pipe_enter_more(&pipeline, &other, cycle - 1)); /* another instruction */
    while (!step(NULL, true, &took))
        ;
    assert_int_equal(l1d_pipe_ready_bank(&pipeline, 0, cycle - 1), 1);
    const struct request *second = l1d_pipe_oldest(&pipeline, 1, cycle - 1);
    assert_int_equal(mask_first(&second->mask), 32);
    assert_int_equal(second->sm.piped, LATENCY - 1);
    l1d_pipe_drop(&pipeline, 1);
    assert_int_equal(l1d_pipe_ready_bank(&pipeline, 0, cycle - 1), 2); /* no bank is ready yet */
    assert_non_null(step(NULL, true, &took));
    end();
}

/* A refused access holds up its own bank alone. The lowest bank is offered first. */
static void a_bank_does_not_wait_for_another(void **state) {
    bool took;
    make_banks(BYPASS_NONE, 2);
    const struct request odd = local_at(1, 32), even = local_at(2, 0);
    assert_null(step(&odd, true, &took));
    assert_null(step(&even, true, &took));
    step(NULL, true, &took);
    assert_int_equal(step(NULL, false, &took)->line, 1); /* the L1D refuses it */
    assert_int_equal(stage.type->next_event(stage.state, NULL, cycle), cycle);
    assert_int_equal(step(NULL, false, &took)->line, 2); /* the lower bank, ready one cycle later */
    assert_int_equal(stage.type->next_event(stage.state, NULL, cycle), UINT64_MAX);
    assert_int_equal(l1d_pipe_ready_bank(&pipeline, 1, cycle - 1), 1);
    l1d_pipe_drop(&pipeline, 1);
    assert_int_equal(step(NULL, true, &took)->line, 2);
    end();
}

/* Each bank has LATENCY places. */
static void a_full_bank_refuses_its_accesses(void **state) {
    bool took;
    make_banks(BYPASS_NONE, 2);
    const struct request odd = local_at(1, 32), even = local_at(2, 0);
    for (unsigned i = 0; i <= LATENCY; i++) {
        step(&odd, false, &took);
        assert_int_equal(took, i < LATENCY);
    }
    step(&even, false, &took);
    assert_true(took);
    assert_int_equal(l1d_pipe_behind(&pipeline, 1)->line, 1);
    assert_null(l1d_pipe_behind(&pipeline, 0));
    while (!stage.type->empty(stage.state))
        step(NULL, true, &took);
    end();
}

/* With eight banks, accesses to sectors of two lines enter and leave together; a bank takes one. */
static void eight_banks_take_eight_sectors(void **state) {
    bool took;
    make_banks(BYPASS_NONE, 8);
    const struct request first = local_at(0, 0);
    assert_null(step(&first, true, &took));
    for (unsigned sector = 1; sector < 8; sector++) {
        const struct request more = local_at(sector / 4, sector % 4 * 32);
        assert_true(l1d_pipe_enter_more(&pipeline, &more, cycle - 1));
    }
    const struct request same = local_at(2, 0);
    assert_false(l1d_pipe_enter_more(&pipeline, &same, cycle - 1));
    while (!step(NULL, false, &took))
        ;
    for (unsigned sector = 0; sector < 8; sector++) {
        assert_int_equal(l1d_pipe_ready_bank(&pipeline, 0, cycle - 1), sector);
        const struct request *more = l1d_pipe_oldest(&pipeline, sector, cycle - 1);
        assert_int_equal(more->line, sector / 4);
        assert_int_equal(mask_first(&more->mask), sector % 4 * 32);
        l1d_pipe_drop(&pipeline, sector);
    }
    end();
}

/* With banks, bypassing accesses do not wait for those of the pipeline. */
static void banks_let_accesses_pass(void **state) {
    bool took;
    make_banks(BYPASS_GLOBAL, 2);
    const struct request local = local_at(1, 0), global = {.line = 2};
    for (unsigned i = 0; i < LATENCY - 1; i++)
        assert_null(step(&local, true, &took));
    for (unsigned i = 0; i < LATENCY - 1; i++) {
        assert_ptr_equal(step(&global, true, &took), &global);
        assert_int_equal(l1d_pipe_ready_bank(&pipeline, 0, cycle - 1), 0);
        l1d_pipe_drop(&pipeline, 0);
    }
    end();
}

static void no_pipeline_unless_it_is_wanted(void **state) {
    make(BYPASS_NONE);
    end();
    cfg.l1d_hit_latency = 1;
    l1d_pipe_init(&pipeline, &cfg, &context);
    assert_false(l1d_pipe_on(&pipeline));
    l1d_pipe_free(&pipeline);
    cfg.l1d_hit_latency = LATENCY;
    cfg.l1d_model = MODEL_SIMPLE;
    l1d_pipe_init(&pipeline, &cfg, &context);
    assert_false(l1d_pipe_on(&pipeline));
    l1d_pipe_free(&pipeline);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_access_waits_and_one_leaves_a_cycle),
        cmocka_unit_test(what_is_refused_holds_up_the_rest),
        cmocka_unit_test(what_goes_past_the_l1d_passes_by),
        cmocka_unit_test(the_next_offer_is_foreseen),
        cmocka_unit_test(with_all_global_accesses_past_only_local_ones_wait),
        cmocka_unit_test(a_bank_does_not_wait_for_another),
        cmocka_unit_test(a_full_bank_refuses_its_accesses),
        cmocka_unit_test(two_banks_take_two_accesses),
        cmocka_unit_test(eight_banks_take_eight_sectors),
        cmocka_unit_test(banks_let_accesses_pass),
        cmocka_unit_test(no_pipeline_unless_it_is_wanted),
    };
    return cmocka_run_group_tests_name("l1d_pipe", tests, NULL, NULL);
}
