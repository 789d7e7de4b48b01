// SPDX-License-Identifier: Apache-2.0
/* Tests of the L1 TLB alone. The tests take the roles of the LSU, the L1D and the GMMU. */
#include "tlb/tlb.h"
#include "gpu/gpu.h"
#include "tests/test.h"

#define BASE UINT64_C(0x80000000)
#define PAGE0 (BASE / LINE_BYTES) /* first line of page 0 */

static struct config cfg;
static struct context context;
static struct uvm *uvm;
static struct mmu_port port;
static uint64_t asking; /* bit 0 is the only SM */
static struct stats stats;
static struct tlb tlb;
static struct stage stage;
static uint64_t cycle;
static bool replay; /* true if the request whose page asked() returned was Nacked before */

#define COUNT(name) (stats.v[STAT_##name])

static void defaults(void) {
    config_default(&cfg);
    cfg.uvm_mode = UVM_PAGED;
    cfg.tlb_l1_entries = 4;
    cfg.tlb_l1_misses = 3;
    cfg.tlb_l1_waiting = 5;
    cfg.uvm_far_faults = 2;
}

static void make(void) {
    struct device_array array = {.name = "a", .base = BASE, .bytes = 64 * PAGE_BYTES};
    struct workload w = {.arrays = &array, .n_arrays = 1};
    struct error err;
    memset(&context, 0, sizeof context);
    memset(&stats, 0, sizeof stats);
    cycle = 0;
    assert_int_equal(gpu_check(&cfg, &err), 0);
    uvm = uvm_create(&cfg, &context, NULL);
    assert_non_null(uvm);
    assert_int_equal(uvm_begin(uvm, &w, &err), 0);
    asking = 0;
    mmu_port_init(&port, 0, &asking, (uint32_t)cfg.tlb_l1_misses);
    tlb_init(&tlb, &cfg, &context, uvm, &port, 0, &stats);
    stage = tlb_stage(&tlb);
}

static void end(void) {
    assert_int_equal(context.fault, CONTEXT_OK);
    assert_int_equal(COUNT(tlb_refusals), COUNT(tlb_refusals_misses) + COUNT(tlb_refusals_waiting) +
                                              COUNT(tlb_refusals_blocked));
    tlb_free(&tlb);
    mmu_port_free(&port);
    uvm_destroy(uvm);
}

static struct request access_to(uint32_t page, unsigned line, uint8_t kind) {
    return (struct request){
        .line = PAGE0 + page * PAGE_LINES + line, .mask = {{1, 0}}, .kind = kind};
}

enum tlb_seen { TAKEN, PARKED, OTHER, REFUSED }; /* OTHER: a parked access was accepted instead */

static uint64_t took; /* line that the L1D has accepted last */

/* Runs one cycle with access `a`, or none if NULL, at the head. If `takes`, the L1D accepts the
 * access that the TLB offers. */
static enum tlb_seen show(const struct request *a, bool takes) {
    bool parked;
    context.sm_cycle = cycle;
    const struct request *offered = stage.type->offer(&tlb, a, cycle++, &parked);
    took = offered && takes ? offered->line : 0;
    bool head = offered == a && a;
    if (offered && takes)
        assert_int_equal(stage.type->take(&tlb), head);
    return parked ? PARKED : !took ? REFUSED : head ? TAKEN : OTHER;
}

static enum tlb_seen load(uint32_t page, unsigned line) {
    struct request a = access_to(page, line, REQUEST_LOAD);
    return show(&a, true);
}

/* Runs one cycle without an access at the head. Returns the line of the accepted access, counted
 * from the first line of page 0, or UINT64_MAX if there is none. */
static uint64_t idle(void) {
    return show(NULL, true) == OTHER ? took - PAGE0 : UINT64_MAX;
}

static void tell(uint32_t page, enum mmu_kind kind, bool tracked) {
    const struct mmu_message m = {cycle, page, (uint8_t)kind, tracked};
    struct page *p = &uvm_pages(uvm)->page[page];
    p->waiters += kind == MMU_NACK && tracked; /* counts the waiter, as the GMMU does */
    mmu_port_tell(&port, &m);
}

/* Takes the next request to the GMMU. Returns its page, or PAGE_NONE if there is no request. */
static uint32_t asked(void) {
    if (!port.ask.count)
        return PAGE_NONE;
    assert_true(asking & 1);
    uint32_t request = *ring_first(&port.ask);
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

/* Makes the page's entry present. The accesses that waited for it leave. */
static void bring(uint32_t page) {
    assert_int_equal(load(page, 0), PARKED);
    assert_int_equal(asked(), page);
    tell(page, MMU_TRANSLATION, false);
    assert_int_equal(idle(), page * PAGE_LINES);
}

static void passes_what_is_in_no_page(void **state) {
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

/* A miss sends one request, and other accesses to the same page wait behind it. A hit overtakes
 * them immediately. */
static void hits_under_misses(void **state) {
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
    assert_int_equal(load(0, 2), OTHER); /* the head waits while ready accesses leave */
    assert_int_equal(took, PAGE0 + 2 * PAGE_LINES);
    assert_int_equal(idle(), PAGE_LINES + 3);
    assert_int_equal(idle(), PAGE_LINES + 2);
    assert_int_equal(idle(), UINT64_MAX);
    assert_int_equal(holds(0), 2);
    assert_int_equal(holds(1), 2);
    assert_int_equal(COUNT(tlb_hits), 1);
    assert_int_equal(COUNT(tlb_misses), 3);
    assert_int_equal(COUNT(tlb_merges), 1);
    assert_int_equal(COUNT(tlb_accesses), 5);
    assert_int_equal(COUNT(tlb_wait), 1 + 1 + (5 + 3));
    assert_true(tlb_empty(&tlb));
    end();
}

/* An access stays behind earlier accesses to its page that have not left, even if they are already
 * translated. */
static void keeps_the_order_of_a_page(void **state) {
    struct request a = access_to(1, 9, REQUEST_STORE);
    defaults();
    make();
    load(1, 1);
    load(2, 1);
    load(1, 2);
    tell(1, MMU_TRANSLATION, false);
    assert_int_equal(show(NULL, false), REFUSED); /* the L1D does not accept the access */
    assert_int_equal(idle(), PAGE_LINES + 1);
    tell(2, MMU_TRANSLATION, false);
    assert_int_equal(idle(), PAGE_LINES + 2);
    assert_int_equal(idle(), 2 * PAGE_LINES + 1);
    assert_int_equal(show(&a, true), TAKEN);
    assert_int_equal(holds(1), 3);
    assert_true(uvm_pages(uvm)->page[1].dirty && !uvm_pages(uvm)->page[2].dirty);
    end();
}

/* An offered access stays offered, and later accesses to its page wait from then on. */
static void an_offer_stands(void **state) {
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
    assert_int_equal(COUNT(tlb_refusals), 0);
    assert_int_equal(idle(), PAGE_LINES);
    end();
}

static void refuses_for_want_of_room(void **state) {
    defaults();
    make();
    bring(9);
    for (uint32_t page = 0; page < 3; page++)
        assert_int_equal(load(page, 0), PARKED);
    assert_int_equal(load(3, 0), REFUSED);
    struct request head = access_to(3, 0, REQUEST_LOAD);
    assert_true(stage.type->next_event(&tlb, &head, cycle) == UINT64_MAX);
    stage.type->advance(&tlb, &head, 10);
    assert_int_equal(COUNT(tlb_refusals_misses), 11);
    assert_int_equal(load(1, 1), PARKED);
    assert_int_equal(load(9, 1), TAKEN);
    assert_int_equal(load(1, 2), PARKED);
    assert_int_equal(load(1, 3), REFUSED);
    assert_int_equal(COUNT(tlb_refusals_waiting), 1);
    tell(0, MMU_TRANSLATION, false);
    assert_int_equal(load(1, 3), OTHER);
    assert_int_equal(load(1, 3), PARKED);
    end();
}

static void replaces_the_least_recently_used(void **state) {
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

/* The GMMU tracks only two of three far-faults. The request for the third page is sent again when
 * one of the two ends. */
static void counts_what_the_gmmu_tracks(void **state) {
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

/* The oldest untracked fault is requested first, and no other is requested while its reply is in
 * flight. */
static void asks_again_for_the_oldest(void **state) {
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
    tell(2, MMU_TRANSLATION, false); /* page 2 has arrived meanwhile, and is not tracked */
    idle();
    assert_int_equal(asked(), 1);
    end();
}

/* If the GMMU and the TLB disagree on whether a fault is tracked, the run ends with an error. */
static void a_wrong_belief_ends_the_run(void **state) {
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

/* With a blocking TLB, no new request is sent from a Nack until the translation of the page
 * arrives. */
static void blocks(void **state) {
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
    tell(2, MMU_NACK, false); /* the reply to a request that was already in progress */
    assert_int_equal(load(0, 1), REFUSED);
    tell(1, MMU_REPLAY, false);
    assert_int_equal(load(0, 1), REFUSED);
    tell(2, MMU_NACK, true);
    tell(1, MMU_TRANSLATION, false);
    assert_int_equal(load(0, 1), REFUSED);
    assert_int_equal(load(0, 1), OTHER);
    assert_int_equal(load(0, 1), REFUSED); /* page 2 is not present yet */
    drop_requests();
    tell(2, MMU_REPLAY, false);
    tell(2, MMU_TRANSLATION, false);
    assert_int_equal(load(0, 1), REFUSED);
    assert_int_equal(load(0, 1), OTHER);
    assert_int_equal(load(0, 1), TAKEN);
    assert_int_equal(COUNT(tlb_refusals_blocked), 7);
    end();
}

/* After a shoot-down, requests that already have a translation proceed. Later requests for the
 * page need a new translation and stay behind them. */
static void shoot_down(void **state) {
    defaults();
    make();
    load(1, 0);
    load(1, 1);
    asked();
    tell(1, MMU_TRANSLATION, false);
    assert_int_equal(idle(), PAGE_LINES);
    tlb_shoot(&tlb, 1);
    assert_int_equal(COUNT(tlb_shootdowns), 1);
    struct request a = access_to(1, 2, REQUEST_LOAD);
    assert_int_equal(show(&a, true), OTHER);
    assert_int_equal(show(&a, true), PARKED);
    assert_int_equal(asked(), 1);
    tell(1, MMU_AGAIN, false);
    assert_int_equal(idle(), UINT64_MAX);
    assert_int_equal(asked(), 1);
    assert_int_equal(COUNT(tlb_shootdowns), 1);
    tell(1, MMU_TRANSLATION, false);
    assert_int_equal(idle(), PAGE_LINES + 2);
    assert_int_equal(holds(1), 3);
    end();
}

static void illegal_shapes(void **state) {
    struct error err;
    defaults();
    cfg.tlb_l2_entries = 100;
    assert_int_equal(gpu_check(&cfg, &err), -1);
    assert_string_equal(err.text, "tlb.l2_entries=100 is not a multiple of tlb.l2_ways=16");
    defaults();
    cfg.tlb_l2_entries = 48;
    assert_int_equal(gpu_check(&cfg, &err), 0);
    cfg.tlb_l2_index = LRU_XOR;
    assert_int_equal(gpu_check(&cfg, &err), -1);
    assert_string_equal(err.text, "tlb.l2_index=xor needs a power-of-two number of sets; "
                                  "tlb.l2_entries=48 with tlb.l2_ways=16 give 3");
    cfg.tlb_l2_entries = 0;
    assert_int_equal(gpu_check(&cfg, &err), 0);
    defaults();
    cfg.gmmu_cache_lines = 12;
    assert_int_equal(gpu_check(&cfg, &err), -1);
    assert_string_equal(
        err.text,
        "gmmu.cache_lines=12 is neither below the 8 ways of a set nor a multiple of them");
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
