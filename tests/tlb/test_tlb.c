// SPDX-License-Identifier: Apache-2.0
/* The L1 TLB alone: the test is LSU, L1D and GMMU. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "tlb/tlb.h"
#include "gpu/gpu.h"

#define BASE UINT64_C(0x80000000)
#define PAGE0 (BASE / LINE_BYTES) /* first line of page 0 */

static struct config cfg;
static struct context context;
static struct uvm *uvm;
static struct mmu_port port;
static uint64_t asking; /* one SM */
static struct stats stats;
static struct tlb tlb;
static struct stage stage;
static uint64_t cycle;
static bool replay; /* what `asked` has returned was Nacked before */

#define COUNT(name) (stats.v[STAT_##name])

static void defaults(void) {
    config_default(&cfg);
    cfg.uvm_mode = UVM_PAGED;
    cfg.tlb_l1_entries = 4;
    cfg.tlb_l1_ways = 4;
    cfg.tlb_l1_misses = 3;
    cfg.tlb_l1_parked = 5;
    cfg.uvm_far_faults = 2;
}

static void make(void) {
    struct device_array array = {.name = "a", .base = BASE, .bytes = 64 * PAGE_BYTES};
    struct workload w = {.arrays = &array, .n_arrays = 1};
    char err[200];
    memset(&context, 0, sizeof context);
    memset(&stats, 0, sizeof stats);
    cycle = 0;
    assert_int_equal(gpu_check(&cfg, err, sizeof err), 0);
    uvm = uvm_create(&cfg, &context, NULL);
    assert_non_null(uvm);
    assert_int_equal(uvm_begin(uvm, &w, err, sizeof err), 0);
    asking = 0;
    mmu_port_init(&port, 0, &asking, (uint32_t)cfg.tlb_l1_misses);
    tlb_init(&tlb, &cfg, &context, uvm, &port, 0, &stats);
    stage = tlb_stage(&tlb);
}

static void end(void) {
    assert_int_equal(context.fault, CONTEXT_OK);
    assert_int_equal(COUNT(tlb_rf),
                     COUNT(tlb_rf_misses) + COUNT(tlb_rf_parked) + COUNT(tlb_rf_blocked));
    tlb_free(&tlb);
    mmu_port_free(&port);
    uvm_destroy(uvm);
}

static struct request access_to(uint32_t page, unsigned line, uint8_t kind) {
    return (struct request){
        .line = PAGE0 + page * PAGE_LINES + line, .mask = {{1, 0}}, .kind = kind};
}

enum seen { TAKEN, PARKED, OTHER, REFUSED }; /* OTHER: a parked one was taken instead */

static uint64_t took; /* the line that the L1D took last */

/* One cycle with that access at the head; the L1D takes what it is offered, if it takes. */
static enum seen show(const struct request *a, bool takes) {
    bool parked;
    context.sm_cycle = cycle;
    const struct request *offered = stage.type->offer(&tlb, a, cycle++, &parked);
    took = offered && takes ? offered->line : 0;
    bool head = offered == a && a;
    if (offered && takes)
        assert_int_equal(stage.type->taken(&tlb), head);
    return parked ? PARKED : !took ? REFUSED : head ? TAKEN : OTHER;
}

static enum seen load(uint32_t page, unsigned line) {
    struct request a = access_to(page, line, REQUEST_LOAD);
    return show(&a, true);
}

/* Nothing at the head: what is offered. */
static uint64_t idle(void) {
    return show(NULL, true) == OTHER ? took - PAGE0 : UINT64_MAX;
}

static void tell(uint32_t page, enum mmu_kind kind, bool tracked) {
    const struct mmu_message m = {cycle, page, (uint8_t)kind, tracked};
    struct page *p = &uvm_pages(uvm)->page[page];
    p->waiters += kind == MMU_NACK && tracked; /* as the GMMU does */
    mmu_port_tell(&port, &m);
}

/* The page that is asked for next. */
static uint32_t asked(void) {
    if (!port.ask.count)
        return PAGE_NONE;
    assert_true(asking & 1);
    uint32_t request = fifo_peek(&port.ask);
    replay = MMU_REQUEST_REPLAY(request);
    mmu_port_asked(&port);
    return MMU_REQUEST_PAGE(request);
}

static void drop_requests(void) {
    while (asked() != PAGE_NONE)
        ;
}

static uint32_t holds(uint32_t page) {
    return uvm_pages(uvm)->page[page].holds;
}

/* Its entry is there; what waited for it has gone. */
static void bring(uint32_t page) {
    assert_int_equal(load(page, 0), PARKED);
    assert_int_equal(asked(), page);
    tell(page, MMU_TRANSLATION, false);
    assert_int_equal(idle(), page * PAGE_LINES);
}

static void passes_what_is_in_no_page(void **state) {
    (void)state;
    struct request a = {.line = LOCAL_BASE / LINE_BYTES, .kind = REQUEST_STORE, .local = true};
    const struct request *const before[2] = {&a, NULL};
    defaults();
    make();
    assert_int_equal(show(&a, false), REFUSED);
    assert_ptr_equal(stage.type->peek(&tlb, 0, before), &a);
    assert_int_equal(show(&a, true), TAKEN);
    assert_int_equal(COUNT(tlb_accesses), 0);
    end();
}

/* A miss asks once, others of the page wait behind it; a hit goes by at once. */
static void hits_under_misses(void **state) {
    (void)state;
    defaults();
    make();
    bring(0);
    assert_int_equal(load(1, 3), PARKED);
    assert_int_equal(load(0, 1), TAKEN);
    assert_int_equal(load(1, 2), PARKED);
    assert_int_equal(load(2, 0), PARKED);
    assert_int_equal(asked(), 1);
    assert_int_equal(asked(), 2);
    assert_int_equal(asked(), PAGE_NONE);
    assert_int_equal(holds(1), 0);
    tell(2, MMU_TRANSLATION, false);
    tell(1, MMU_TRANSLATION, false);
    assert_int_equal(load(0, 2), OTHER); /* the head waits for what is ready */
    assert_int_equal(took, PAGE0 + 2 * PAGE_LINES);
    assert_int_equal(idle(), PAGE_LINES + 3);
    assert_int_equal(idle(), PAGE_LINES + 2);
    assert_int_equal(idle(), UINT64_MAX);
    assert_int_equal(holds(0), 2);
    assert_int_equal(holds(1), 2);
    assert_int_equal(COUNT(tlb_hits), 1);
    assert_int_equal(COUNT(tlb_misses), 3);
    assert_int_equal(COUNT(tlb_merged), 1);
    assert_int_equal(COUNT(tlb_accesses), 5);
    assert_int_equal(COUNT(tlb_wait), 1 + 1 + (5 + 3));
    assert_true(tlb_empty(&tlb));
    end();
}

/* An access goes behind those of its page that have not left yet, though they are translated. */
static void keeps_the_order_of_a_page(void **state) {
    (void)state;
    struct request a = access_to(1, 9, REQUEST_STORE);
    defaults();
    make();
    load(1, 1);
    load(2, 1);
    load(1, 2);
    tell(1, MMU_TRANSLATION, false);
    assert_int_equal(show(NULL, false), REFUSED); /* the L1D does not take it */
    assert_int_equal(idle(), PAGE_LINES + 1);
    tell(2, MMU_TRANSLATION, false);
    assert_int_equal(idle(), PAGE_LINES + 2);
    assert_int_equal(idle(), 2 * PAGE_LINES + 1);
    assert_int_equal(show(&a, true), TAKEN);
    assert_int_equal(holds(1), 3);
    assert_true(uvm_pages(uvm)->page[1].dirty && !uvm_pages(uvm)->page[2].dirty);
    end();
}

/* An offered request stays offered, and holds its page from then on. */
static void an_offer_stands(void **state) {
    (void)state;
    struct request a = access_to(0, 5, REQUEST_LOAD);
    defaults();
    make();
    bring(0);
    load(1, 0);
    assert_int_equal(show(&a, false), REFUSED);
    assert_int_equal(holds(0), 2);
    tell(1, MMU_TRANSLATION, false);
    tlb_shoot(&tlb, 0);
    assert_int_equal(show(&a, false), REFUSED);
    assert_int_equal(show(&a, true), TAKEN);
    assert_int_equal(holds(0), 2);
    assert_int_equal(COUNT(tlb_rf), 0);
    assert_int_equal(idle(), PAGE_LINES);
    end();
}

static void refuses_for_want_of_room(void **state) {
    (void)state;
    defaults();
    make();
    bring(9);
    for (uint32_t page = 0; page < 3; page++)
        assert_int_equal(load(page, 0), PARKED);
    assert_int_equal(load(3, 0), REFUSED);
    struct request head = access_to(3, 0, REQUEST_LOAD);
    assert_true(stage.type->next_event(&tlb, &head, cycle) == UINT64_MAX);
    stage.type->advance(&tlb, &head, 10);
    assert_int_equal(COUNT(tlb_rf_misses), 11);
    assert_int_equal(load(1, 1), PARKED);
    assert_int_equal(load(9, 1), TAKEN);
    assert_int_equal(load(1, 2), PARKED);
    assert_int_equal(load(1, 3), REFUSED);
    assert_int_equal(COUNT(tlb_rf_parked), 1);
    tell(0, MMU_TRANSLATION, false);
    assert_int_equal(load(1, 3), OTHER);
    assert_int_equal(load(1, 3), PARKED);
    end();
}

static void replaces_the_least_recently_used(void **state) {
    (void)state;
    defaults();
    make();
    for (uint32_t page = 0; page < 4; page++)
        bring(page);
    assert_int_equal(load(0, 1), TAKEN);
    bring(4);
    assert_int_equal(load(0, 1), TAKEN);
    assert_int_equal(load(1, 1), PARKED);
    end();
}

/* With room for two far-faults, the third request is sent again when one of the two ends. */
static void counts_what_the_gmmu_tracks(void **state) {
    (void)state;
    defaults();
    make();
    for (uint32_t page = 0; page < 3; page++) {
        load(page, 0);
        assert_int_equal(asked(), page);
    }
    tell(1, MMU_NACK, true);
    tell(2, MMU_NACK, true);
    tell(0, MMU_NACK, false);
    for (unsigned i = 0; i < 5; i++)
        assert_int_equal(idle(), UINT64_MAX);
    assert_int_equal(asked(), PAGE_NONE);
    assert_int_equal(COUNT(tlb_nacks), 3);
    assert_int_equal(COUNT(tlb_nacks_untracked), 1);
    assert_false(replay);
    tell(2, MMU_REPLAY, false);
    idle();
    assert_int_equal(asked(), 2);
    assert_true(replay);
    assert_int_equal(asked(), 0);
    assert_true(replay);
    assert_int_equal(COUNT(tlb_replays), 2);
    tell(0, MMU_NACK, true);
    tell(2, MMU_TRANSLATION, false);
    idle();
    assert_int_equal(idle(), 2 * PAGE_LINES);
    assert_int_equal(uvm_pages(uvm)->page[2].waiters, 0);
    assert_int_equal(uvm_pages(uvm)->page[0].waiters, 1);
    assert_int_equal(asked(), PAGE_NONE);
    end();
}

/* The oldest untracked one is asked for first, and one only while its answer is on its way. */
static void asks_again_for_the_oldest(void **state) {
    (void)state;
    defaults();
    cfg.uvm_far_faults = 1;
    make();
    for (uint32_t page = 0; page < 3; page++) {
        load(2 - page, 0);
        asked();
    }
    tell(0, MMU_NACK, true);
    tell(1, MMU_NACK, false);
    tell(2, MMU_NACK, false);
    for (unsigned i = 0; i < 3; i++)
        idle();
    tell(0, MMU_REPLAY, false);
    idle();
    assert_int_equal(asked(), 0);
    assert_int_equal(asked(), 2);
    assert_int_equal(asked(), PAGE_NONE);
    tell(2, MMU_TRANSLATION, false); /* it has come meanwhile: there is room still */
    idle();
    assert_int_equal(asked(), 1);
    end();
}

/* The GMMU and the TLB differ: found. */
static void a_wrong_belief_ends_the_run(void **state) {
    (void)state;
    defaults();
    make();
    load(0, 0);
    asked();
    tell(0, MMU_NACK, false);
    idle();
    assert_int_equal(context.fault, CONTEXT_BROKEN);
    context.fault = CONTEXT_OK;
    tell(7, MMU_TRANSLATION, false);
    idle();
    assert_int_equal(context.fault, CONTEXT_BROKEN);
    context.fault = CONTEXT_OK;
    end();
}

/* Blocking: nothing new from the Nack on until the page's translation has come. */
static void blocks(void **state) {
    (void)state;
    struct request local = {.line = LOCAL_BASE / LINE_BYTES, .local = true};
    defaults();
    cfg.uvm_faults = FAULTS_BLOCKING;
    make();
    bring(0);
    load(1, 0);
    load(2, 0);
    drop_requests();
    tell(1, MMU_NACK, true);
    assert_int_equal(load(0, 1), REFUSED);
    assert_int_equal(load(1, 1), REFUSED);
    assert_int_equal(show(&local, true), TAKEN);
    tell(2, MMU_NACK, false); /* a request under way */
    assert_int_equal(load(0, 1), REFUSED);
    tell(1, MMU_REPLAY, false);
    assert_int_equal(load(0, 1), REFUSED);
    tell(2, MMU_NACK, true);
    tell(1, MMU_TRANSLATION, false);
    assert_int_equal(load(0, 1), REFUSED);
    assert_int_equal(load(0, 1), OTHER);
    assert_int_equal(load(0, 1), REFUSED); /* page 2 is not there yet */
    drop_requests();
    tell(2, MMU_REPLAY, false);
    tell(2, MMU_TRANSLATION, false);
    assert_int_equal(load(0, 1), REFUSED);
    assert_int_equal(load(0, 1), OTHER);
    assert_int_equal(load(0, 1), TAKEN);
    assert_int_equal(COUNT(tlb_rf_blocked), 7);
    end();
}

/* After a shoot-down, requests that have their translation go on. Later ones request it again, and
 * stay behind them. */
static void shoot_down(void **state) {
    (void)state;
    defaults();
    make();
    load(1, 0);
    load(1, 1);
    asked();
    tell(1, MMU_TRANSLATION, false);
    assert_int_equal(idle(), PAGE_LINES);
    tlb_shoot(&tlb, 1);
    assert_int_equal(COUNT(tlb_shot), 1);
    struct request a = access_to(1, 2, REQUEST_LOAD);
    assert_int_equal(show(&a, true), OTHER);
    assert_int_equal(show(&a, true), PARKED);
    assert_int_equal(asked(), 1);
    tell(1, MMU_AGAIN, false);
    assert_int_equal(idle(), UINT64_MAX);
    assert_int_equal(asked(), 1);
    assert_int_equal(COUNT(tlb_shot), 1);
    tell(1, MMU_TRANSLATION, false);
    assert_int_equal(idle(), PAGE_LINES + 2);
    assert_int_equal(holds(1), 3);
    end();
}

static void illegal_shapes(void **state) {
    (void)state;
    char err[200];
    defaults();
    cfg.tlb_l1_entries = 6;
    assert_int_equal(gpu_check(&cfg, err, sizeof err), -1);
    assert_string_equal(err, "tlb.l1_entries=6 is not a multiple of tlb.l1_ways=4");
    cfg.uvm_mode = UVM_OFF;
    assert_int_equal(tlb_check(&cfg, err, sizeof err), 0);
    defaults();
    cfg.tlb_l2_entries = 100;
    assert_int_equal(gpu_check(&cfg, err, sizeof err), -1);
    assert_string_equal(err, "tlb.l2_entries=100 is not a multiple of tlb.l2_ways=16");
    defaults();
    cfg.tlb_l2_entries = 48;
    assert_int_equal(gpu_check(&cfg, err, sizeof err), 0);
    cfg.tlb_l2_index = LRU_XOR;
    assert_int_equal(gpu_check(&cfg, err, sizeof err), -1);
    assert_string_equal(err, "tlb.l2_index=xor needs a power-of-two number of sets; "
                             "tlb.l2_entries=48 of tlb.l2_ways=16 are 3");
    cfg.tlb_l2_entries = 0;
    assert_int_equal(gpu_check(&cfg, err, sizeof err), 0);
    defaults();
    cfg.gmmu_cache_lines = 12;
    assert_int_equal(gpu_check(&cfg, err, sizeof err), -1);
    assert_string_equal(err, "gmmu.cache_lines=12 is not a multiple of gmmu.cache_ways=8");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(passes_what_is_in_no_page),
        cmocka_unit_test(hits_under_misses),
        cmocka_unit_test(keeps_the_order_of_a_page),
        cmocka_unit_test(an_offer_stands),
        cmocka_unit_test(refuses_for_want_of_room),
        cmocka_unit_test(replaces_the_least_recently_used),
        cmocka_unit_test(counts_what_the_gmmu_tracks),
        cmocka_unit_test(asks_again_for_the_oldest),
        cmocka_unit_test(a_wrong_belief_ends_the_run),
        cmocka_unit_test(blocks),
        cmocka_unit_test(shoot_down),
        cmocka_unit_test(illegal_shapes),
    };
    return cmocka_run_group_tests_name("tlb", tests, NULL, NULL);
}
