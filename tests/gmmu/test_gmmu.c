// SPDX-License-Identifier: Apache-2.0
/* Tests of the GMMU alone. The tests take the role of the TLBs, and put pages into GPU memory by
 * hand. They check exact cycles. Unloaded latencies are sums of the values of configuration keys.
 */
#include "gmmu/gmmu.h"
#include "uvm/inside.h"
#include "gpu/gpu.h"
#include "tests/test.h"

#define BASE UINT64_C(0x80000000)
#define PAGES 64

static struct config cfg;
static struct context context;
static struct uvm *uvm;
static struct pages *pages;
static struct gmmu gmmu;
static uint64_t cycle;
static bool listening;        /* true if the GMMU uses the listener as eviction policy */
static uint32_t heard[PAGES]; /* number of walks reported to the listener, by page */

static void *create_listener(const struct evict_env *env) {
    (void)env;
    return heard;
}

static void listen(void *policy, uint32_t page, uint32_t times) {
    uint32_t *walks = policy;
    walks[page] += times;
}

static const struct evictor listener = {
    .name = "listener", .create = create_listener, .touch = listen};

static void defaults(void) {
    config_default(&cfg);
    listening = false;
    cfg.uvm_mode = UVM_PAGED;
    cfg.sm_count = 4;
    cfg.tlb_l2_entries = 8;
    cfg.tlb_l2_ways = 2;
    cfg.gmmu_walkers = 4;
    cfg.uvm_far_faults = 2;
}

static void make(void) {
    struct device_array array = {.name = "a", .base = BASE, .bytes = PAGES * PAGE_BYTES};
    struct workload w = {.arrays = &array, .n_arrays = 1};
    struct error err;
    memset(&context, 0, sizeof context);
    cycle = 0;
    assert_int_equal(gpu_check(&cfg, &err), 0);
    uvm = uvm_create(&cfg, &context, NULL);
    assert_non_null(uvm);
    memset(heard, 0, sizeof heard);
    if (listening) {
        uvm->evictor = &listener;
        uvm->hears_hits = true;
    }
    assert_int_equal(uvm_begin(uvm, &w, &err), 0);
    pages = uvm_pages(uvm);
    assert_int_equal(gmmu_init(&gmmu, &cfg, &context, uvm, &err), 0);
}

static void end(void) {
    assert_int_equal(context.fault, CONTEXT_OK);
    gmmu_free(&gmmu);
    uvm_destroy(uvm);
}

static uint64_t count(enum stat_id id) {
    static struct stats s;
    memset(&s, 0, sizeof s);
    gmmu_add_stats(&gmmu, cycle, &s);
    return s.v[id];
}

#define COUNT(name) count(STAT_##name)

static void land_page(uint32_t page) {
    pages_move(pages, page, PAGE_RESIDENT);
}

/* Runs one cycle. The GMMU may act only if it has input or its next event is due. */
static void step(void) {
    uint64_t progress = context.progress, next = gmmu_next_event(&gmmu, cycle);
    bool input = gmmu_has_input(&gmmu);
    context.sm_cycle = cycle;
    assert_true(next >= cycle);
    gmmu_tick(&gmmu, cycle);
    assert_true(input || next == cycle || context.progress == progress);
    cycle++;
}

static void ask(uint32_t sm, uint32_t page) {
    mmu_port_ask(&gmmu.port[sm], page, false);
}

/* Expects the SM's next message to be of this kind and about this page. Returns the cycle in which
 * the SM's TLB sees the message. */
static uint64_t expect(uint32_t sm, enum mmu_kind kind, uint32_t page) {
    for (unsigned n = 0; !gmmu.port[sm].messages.count; n++) {
        assert_true(n < 2000);
        step();
    }
    const struct mmu_message m = mmu_port_take(&gmmu.port[sm]);
    assert_int_equal(m.kind, kind);
    assert_int_equal(m.page, page);
    return m.ready;
}

static void expect_silence(uint32_t sm) {
    for (unsigned n = 0; n < 200; n++)
        step();
    assert_int_equal(gmmu.port[sm].messages.count, 0);
}

/* Tests the unloaded latency of a request, with and without an L2 TLB and a page-walk cache. */
static void unloaded(void **state) {
    for (unsigned variant = 0; variant < 4; variant++) {
        defaults();
        cfg.tlb_l2_latency = 7;
        cfg.gmmu_walk_latency = 11;
        cfg.gmmu_cache_miss = 30;
        cfg.gmmu_cache_lines = variant & 1 ? 8 : 0;
        cfg.tlb_l2_entries = variant & 2 ? 8 : 0;
        make();
        land_page(5);
        land_page(6);
        uint64_t l2 = variant & 2 ? 7 : 0, walk = 11;
        ask(0, 5);
        assert_int_equal(expect(0, MMU_TRANSLATION, 5), l2 + walk + (variant & 1 ? 30 : 0) + 1);
        uint64_t from = cycle;
        ask(0, 5);
        assert_int_equal(expect(0, MMU_TRANSLATION, 5) - from, l2 + (l2 ? 0 : walk) + 1);
        from = cycle;
        ask(0, 6); /* this page is in the same page-table line */
        assert_int_equal(expect(0, MMU_TRANSLATION, 6) - from, l2 + walk + 1);
        assert_int_equal(COUNT(gmmu_walk_cache_hits), variant & 1 ? (l2 ? 1 : 2) : 0);
        assert_int_equal(COUNT(gmmu_l2_accesses), l2 ? 3 : 0);
        assert_int_equal(COUNT(gmmu_l2_hits), l2 ? 1 : 0);
        assert_int_equal(COUNT(gmmu_walk_hits), l2 ? 2 : 3);
        end();
    }
}

/* In each cycle, as many SMs as there are ports are served in turn, with one request each. */
static void ports_are_shared(void **state) {
    uint64_t seen[4];
    defaults();
    cfg.tlb_l2_ports = 2;
    make();
    for (uint32_t sm = 0; sm < 4; sm++) {
        land_page(sm);
        land_page(sm + 10);
        ask(sm, sm);
    }
    ask(0, 10);
    step();
    assert_int_equal(gmmu.pipe.count, 2);
    assert_int_equal(gmmu.turn, 2);
    step();
    assert_int_equal(gmmu.asking[0], 1);
    step();
    assert_int_equal(gmmu.asking[0], 0);
    for (uint32_t sm = 0; sm < 4; sm++)
        seen[sm] = expect(sm, MMU_TRANSLATION, sm);
    /* all pages were looked up by cycle 11, and one walk ends per cycle */
    for (uint32_t sm = 1; sm < 4; sm++)
        assert_int_equal(seen[sm], seen[sm - 1] + 1);
    end();
}

/* Uses SMs in several words of the bit set of SMs. Each SM is served in turn, and gets the result
 * of the shared walk. */
static void as_many_sms_as_there_can_be(void **state) {
    const uint32_t sms[] = {3, 63, 64, 200, 303, 511};
    const uint32_t n = sizeof sms / sizeof sms[0];
    defaults();
    cfg.sm_count = MMU_MAX_SMS;
    cfg.tlb_l2_ports = 1;
    make();
    land_page(7);
    for (uint32_t i = 0; i < n; i++)
        ask(sms[i], 7);
    for (uint32_t i = 0; i < n; i++) {
        step();
        assert_int_equal(gmmu.turn, (sms[i] + 1) % MMU_MAX_SMS);
    }
    assert_false(gmmu_has_input(&gmmu));
    uint64_t at = expect(sms[0], MMU_TRANSLATION, 7);
    for (uint32_t i = 1; i < n; i++)
        assert_true(expect(sms[i], MMU_TRANSLATION, 7) >= at);
    for (uint32_t sm = 0; sm < MMU_MAX_SMS; sm++)
        expect_silence(sm);
    for (uint32_t i = 0; i < n; i++) /* the page is not resident, so each SM gets a far-fault */
        ask(sms[i], 9);
    for (uint32_t i = 0; i < n; i++)
        expect(sms[i], MMU_NACK, 9);
    assert_int_equal(COUNT(gmmu_walks), 2);
    end();
}

static void walks_merge(void **state) {
    for (int merge = 0; merge < 2; merge++) {
        defaults();
        cfg.gmmu_walk_merge = merge;
        cfg.gmmu_walkers = 1;
        make();
        land_page(3);
        for (uint32_t sm = 0; sm < 4; sm++)
            ask(sm, 3);
        uint64_t first = expect(0, MMU_TRANSLATION, 3), last = first;
        for (uint32_t sm = 1; sm < 4; sm++)
            last = expect(sm, MMU_TRANSLATION, 3);
        assert_int_equal(last - first, merge ? 0 : 3 * cfg.gmmu_walk_latency);
        assert_int_equal(COUNT(gmmu_walks), merge ? 1 : 4);
        assert_int_equal(COUNT(gmmu_walks_merged), merge ? 3 : 0);
        assert_int_equal(COUNT(gmmu_walk_hits), merge ? 1 : 4);
        end();
    }
}

/* With two walkers, the third walk waits until one is free. */
static void walkers_are_limited(void **state) {
    defaults();
    cfg.tlb_l2_entries = 0;
    cfg.tlb_l2_ports = 3;
    cfg.gmmu_walkers = 2;
    make();
    for (uint32_t sm = 0; sm < 3; sm++) {
        land_page(sm);
        ask(sm, sm);
    }
    assert_int_equal(expect(0, MMU_TRANSLATION, 0), 9);
    assert_int_equal(expect(1, MMU_TRANSLATION, 1), 10);
    assert_int_equal(expect(2, MMU_TRANSLATION, 2), 17);
    assert_int_equal(COUNT(gmmu_walk_queue_cycles), 8);
    end();
}

/* While the walk queue is full, the L2 TLB stalls, and holds no more requests than it has
 * stages. */
static void a_full_walk_queue_holds_up(void **state) {
    defaults();
    cfg.tlb_l2_latency = 2;
    cfg.tlb_l2_ports = 1;
    cfg.gmmu_walkers = cfg.gmmu_walk_queue = 1;
    cfg.gmmu_walk_latency = 100;
    make();
    for (uint32_t page = 0; page < 6; page++) {
        land_page(page);
        ask(0, page);
    }
    for (unsigned n = 0; n < 20; n++)
        step();
    assert_int_equal(gmmu.walks, 1);
    assert_int_equal(gmmu.waiting.count, 1);
    assert_int_equal(gmmu.pipe.count, 2);
    assert_int_equal(gmmu.port[0].ask.count, 2);
    for (uint32_t page = 0; page < 6; page++)
        assert_int_equal(expect(0, MMU_TRANSLATION, page), 2 + 100 * (page + 1) + 1);
    end();
}

static void tracks_so_many_faults(void **state) {
    defaults();
    make();
    for (uint32_t page = 0; page < 3; page++)
        ask(1, page);
    for (uint32_t page = 0; page < 3; page++) {
        expect(1, MMU_NACK, page);
        assert_int_equal(pages->page[page].waiters, page < 2);
    }
    ask(2, 2);
    expect(2, MMU_NACK, 2);
    assert_int_equal(pages->page[2].waiters, 1);
    assert_int_equal(gmmu.n_tracked[1], 2);
    assert_int_equal(COUNT(gmmu_walk_faults), 4);
    gmmu_arrived(&gmmu, 2);
    expect(2, MMU_REPLAY, 2);
    gmmu_arrived(&gmmu, 0);
    expect(1, MMU_REPLAY, 0);
    assert_int_equal(gmmu.n_tracked[1], 1);
    /* the page is waited for until the TLB has the translation */
    assert_int_equal(pages->page[0].waiters, 1);
    expect_silence(1);
    end();
}

/* A far-fault beyond the limit of tracked far-faults is dropped, and the driver does not see it. */
static void drops_what_it_does_not_track(void **state) {
    defaults();
    cfg.uvm_far_faults = 1;
    make();
    ask(0, 0);
    expect(0, MMU_NACK, 0);
    assert_int_equal(pages->page[0].state, PAGE_WAITED);
    ask(0, 1);
    expect(0, MMU_NACK, 1);
    assert_int_equal(pages->page[1].state, PAGE_HOST);
    assert_int_equal(pages->page[1].waiters, 0);
    end();
}

/* If a page is evicted while its translation is in transit to the SM, the SM must ask again. */
static void shoots_down_what_is_on_its_way(void **state) {
    defaults();
    make();
    land_page(4);
    land_page(5);
    ask(0, 4);
    ask(0, 5);
    while (gmmu.port[0].messages.count < 2)
        step();
    pages_move(pages, 4, PAGE_LEAVING);
    gmmu_shoot(&gmmu, 4);
    expect(0, MMU_AGAIN, 4);
    expect(0, MMU_TRANSLATION, 5);
    ask(0, 4); /* the L2 TLB has dropped the translation, too */
    expect(0, MMU_NACK, 4);
    assert_int_equal(COUNT(gmmu_l2_hits), 0);
    end();
}

/* A page is evicted or arrives during a walk. The state at the end of the walk decides the
 * result. */
static void looks_at_the_end_of_a_walk(void **state) {
    defaults();
    make();
    land_page(1);
    ask(0, 1);
    ask(1, 2);
    for (unsigned n = 0; n < 15; n++)
        step();
    assert_int_equal(gmmu.walks, 2);
    pages_move(pages, 1, PAGE_LEAVING);
    gmmu_shoot(&gmmu, 1);
    land_page(2);
    expect(0, MMU_NACK, 1);
    expect(1, MMU_TRANSLATION, 2);
    end();
}

static void replay(uint32_t sm, uint32_t page) {
    mmu_port_ask(&gmmu.port[sm], page, true);
}

/* Makes two requests, one cycle apart. The second joins the walk of the first, or starts another
 * walk. */
static void ask_twice(uint32_t page, void (*first)(uint32_t, uint32_t),
                      void (*second)(uint32_t, uint32_t)) {
    first(0, page);
    step();
    second(1, page);
    expect(0, MMU_TRANSLATION, page);
    expect(1, MMU_TRANSLATION, page);
}

/* A walk that hits is reported to the policy once if at least one of its requests is not a replay.
 * A walk that serves only replays is reported only if gmmu.report_replays is set. */
static void policies_hear_of_references(void **state) {
    for (unsigned variant = 0; variant < 4; variant++) {
        const uint32_t touch = variant & 1, merge = variant >> 1;
        defaults();
        listening = true;
        cfg.tlb_l2_entries = 0;
        cfg.gmmu_report_replays = touch;
        cfg.gmmu_walk_merge = merge;
        make();
        for (uint32_t page = 0; page < 4; page++)
            land_page(page);
        ask_twice(0, replay, replay);
        ask_twice(1, replay, ask);
        ask_twice(2, ask, replay);
        ask_twice(3, ask, ask);
        ask(2, 4);
        expect(2, MMU_NACK, 4);
        const uint32_t both = merge ? 1 : 2, one = merge ? 1 : 1 + touch;
        const uint32_t want[5] = {touch * both, one, one, both, 0};
        assert_memory_equal(heard, want, sizeof want);
        assert_int_equal(COUNT(gmmu_walk_hits), 4 * both);
        assert_int_equal(COUNT(gmmu_walk_reports), want[0] + want[1] + want[2] + want[3]);
        end();
    }
}

/* ---- HIR cache ---- */

static void defaults_hir(void) {
    defaults();
    strcpy(cfg.uvm_evict, "hpe");
    cfg.hir_sets = 4;
    cfg.hir_ways = 2;
    cfg.hpe_transfer = 2;
    cfg.tlb_l2_entries = 0;
}

/* The HIR cache counts each walk that hits once, and sends the entries of the page sets when the
 * driver requests them. */
static void hir_counts_walks(void **state) {
    defaults_hir();
    make();
    for (uint32_t page = 0; page < 40; page++)
        land_page(page);
    for (uint32_t sm = 0; sm < 4; sm++)
        ask(sm, 17); /* all four requests share one walk */
    expect(0, MMU_TRANSLATION, 17);
    ask(0, 33);
    expect(0, MMU_TRANSLATION, 33);
    assert_int_equal(COUNT(hir_entries), 0);
    for (uint32_t page = 50; page < 52; page++) {
        ask(0, page);
        expect(0, MMU_NACK, page);
    }
    expect_silence(0);
    assert_int_equal(COUNT(hir_entries), 2);
    assert_int_equal(COUNT(hir_transfers), 1);
    end();
}

/* While the HIR cache sends entries slowly, a walk that hits waits, and so do later walks. No walk
 * is lost. */
static void hir_holds_walks_up(void **state) {
    defaults_hir();
    cfg.hir_transfer_interval = 100;
    cfg.hpe_transfer = 1;
    make();
    for (uint32_t page = 0; page < 48; page++)
        land_page(page);
    for (uint32_t set = 0; set < 3; set++) {
        ask(0, 16 * set);
        expect(0, MMU_TRANSLATION, 16 * set);
    }
    ask(1, 60);
    expect(1, MMU_NACK, 60);
    uint64_t flushed = cycle - 1;
    ask(0, 1);
    uint64_t seen = expect(0, MMU_TRANSLATION, 1);
    /* The entries are sent in cycle flushed + 4, and 100 and 200 cycles after it. Hits are
     * accepted after the last entry. */
    assert_int_equal(seen, flushed + 4 + 200 + 1 + 1);
    assert_int_equal(COUNT(gmmu_hir_wait_cycles), flushed + 205 - (flushed + 1 + 8));
    assert_int_equal(COUNT(hir_entries), 3);
    assert_int_equal(COUNT(hir_losses), 0);
    end();
}

/* The next transfer becomes due before the last entry of the current one is sent, and follows
 * it. */
static void hir_is_due_while_it_sends(void **state) {
    defaults_hir();
    cfg.hir_transfer_interval = 50;
    cfg.hpe_transfer = 1;
    make();
    land_page(0);
    land_page(16);
    land_page(32);
    for (uint32_t page = 0; page < 32; page += 16) {
        ask(0, page);
        expect(0, MMU_TRANSLATION, page);
    }
    ask(1, 60);
    expect(1, MMU_NACK, 60);
    ask(1, 61);
    expect(1, MMU_NACK, 61);
    ask(0, 32); /* the hit is recorded in the cycle in which the second transfer starts */
    expect(0, MMU_TRANSLATION, 32);
    expect_silence(0);
    assert_int_equal(COUNT(hir_transfers), 2);
    assert_int_equal(COUNT(hir_entries), 3);
    end();
}

/* A walk that serves only replays does not count as a reference unless gmmu.report_replays is
 * set. */
static void hir_counts_references_once(void **state) {
    for (int touch = 0; touch < 2; touch++) {
        defaults_hir();
        cfg.gmmu_report_replays = touch;
        cfg.hpe_transfer = 1;
        make();
        land_page(0);
        land_page(16);
        mmu_port_ask(&gmmu.port[0], 0, true);
        expect(0, MMU_TRANSLATION, 0);
        mmu_port_ask(&gmmu.port[0], 16, true);
        ask(1, 16); /* this request joins the walk, and is not a replay */
        expect(0, MMU_TRANSLATION, 16);
        assert_int_equal(COUNT(gmmu_walks), 2);
        ask(1, 60);
        expect(1, MMU_TRANSLATION, 16);
        expect(1, MMU_NACK, 60);
        expect_silence(0);
        assert_int_equal(COUNT(hir_entries), 1 + touch);
        end();
    }
}

/* Four page sets map to one set with two ways. The hits in the last two page sets are lost, which
 * is counted immediately. */
static void hir_loses(void **state) {
    defaults_hir();
    cfg.hir_sets = 1;
    make();
    for (uint32_t page = 0; page < 64; page++)
        land_page(page);
    for (uint32_t set = 0; set < 4; set++) {
        ask(0, 16 * set);
        expect(0, MMU_TRANSLATION, 16 * set);
    }
    step();
    assert_int_equal(COUNT(hir_losses), 2);
    step();
    assert_int_equal(COUNT(hir_losses), 2);
    end();
}

/* ---- observers ---- */

struct gmmu_counting {
    struct gmmu_observer observer;
    uint32_t walks[PAGES], looks[PAGES], begun, ticked;
    bool busy;
    uint64_t event;
    bool destroyed;
};

static void begin_counting(struct gmmu_observer *o, uint64_t at) {
    (void)at;
    ((struct gmmu_counting *)o)->begun++;
}

static bool is_ready(const struct gmmu_observer *o, uint32_t page) {
    (void)page;
    return !((const struct gmmu_counting *)o)->busy;
}

static void count_walk(struct gmmu_observer *o, uint32_t page) {
    struct gmmu_counting *c = (struct gmmu_counting *)o;
    assert_int_equal(c->begun, c->ticked + 1);
    c->walks[page]++;
}

static void count_look(struct gmmu_observer *o, uint32_t page) {
    ((struct gmmu_counting *)o)->looks[page]++;
}

static void tick_counting(struct gmmu_observer *o, uint64_t at) {
    struct gmmu_counting *c = (struct gmmu_counting *)o;
    c->ticked++;
    if (at == c->event) {
        c->event = UINT64_MAX;
        context.progress++;
    }
}

static uint64_t event_of(const struct gmmu_observer *o, uint64_t at) {
    const struct gmmu_counting *c = (const struct gmmu_counting *)o;
    return c->event > at ? c->event : at;
}

static void add_ticks(const struct gmmu_observer *o, struct stats *s) {
    stat_add(s, STAT_hir_losses, ((const struct gmmu_counting *)o)->ticked);
}

static void note_end(struct gmmu_observer *o) {
    ((struct gmmu_counting *)o)->destroyed = true;
}

static const struct gmmu_observer_type counting_type = {.destroy = note_end,
                                                        .begin = begin_counting,
                                                        .ready = is_ready,
                                                        .waits = STAT_gmmu_hir_wait_cycles,
                                                        .walk = count_walk,
                                                        .look = count_look,
                                                        .tick = tick_counting,
                                                        .next_event = event_of,
                                                        .add_stats = add_ticks};

/* Both observers see each walk that hits exactly once. Such a walk waits until both are ready. */
static void observers_hear_of_walks(void **state) {
    struct gmmu_counting first = {.observer = {&counting_type, NULL}, .event = UINT64_MAX};
    struct gmmu_counting second = first;
    defaults();
    cfg.tlb_l2_entries = 0;
    make();
    gmmu_attach(&gmmu, &first.observer);
    gmmu_attach(&gmmu, &second.observer);
    land_page(5);
    ask(0, 5);
    ask(1, 5);
    expect(0, MMU_TRANSLATION, 5);
    ask(2, 6);
    expect(2, MMU_NACK, 6);
    const uint32_t want[7] = {0, 0, 0, 0, 0, 1, 0};
    assert_memory_equal(first.walks, want, sizeof want);
    assert_memory_equal(second.walks, want, sizeof want);

    uint64_t from = cycle;
    second.busy = true;
    ask(3, 5);
    expect_silence(3);
    second.busy = false;
    expect(3, MMU_TRANSLATION, 5);
    assert_int_equal(COUNT(gmmu_hir_wait_cycles), cycle - 1 - (from + cfg.gmmu_walk_latency));
    assert_int_equal(second.walks[5], 2);
    assert_int_equal(first.walks[5], 2);
    assert_int_equal(COUNT(hir_losses), 2 * cycle);
    end();
    assert_true(first.destroyed && second.destroyed);
}

/* Observers see each walk that serves at least one request that is not a replay, whether the walk
 * hits or faults, and whether or not gmmu.report_replays is set. */
static void observers_look_at_fresh_walks(void **state) {
    for (unsigned variant = 0; variant < 4; variant++) {
        const uint32_t merge = variant >> 1;
        struct gmmu_counting counting = {.observer = {&counting_type, NULL}, .event = UINT64_MAX};
        defaults();
        cfg.tlb_l2_entries = 0;
        cfg.gmmu_report_replays = variant & 1;
        cfg.gmmu_walk_merge = merge;
        make();
        gmmu_attach(&gmmu, &counting.observer);
        for (uint32_t page = 0; page < 4; page++)
            land_page(page);
        ask_twice(0, replay, replay);
        ask_twice(1, replay, ask);
        ask_twice(2, ask, replay);
        ask_twice(3, ask, ask);
        ask(2, 4);
        expect(2, MMU_NACK, 4);
        const uint32_t want[5] = {0, 1, 1, merge ? 1 : 2, 1};
        assert_memory_equal(counting.looks, want, sizeof want);
        end();
    }
}

static uint32_t observers(void) {
    uint32_t n = 0;
    for (const struct gmmu_observer *o = gmmu.observers; o; o = o->next)
        n++;
    return n;
}

static uint32_t blocks(const struct block_type *const hardware[]) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < HARDWARE_MOST; i++)
        n += hardware[i] != NULL;
    return n;
}

/* Only the blocks that the policies need are attached to the walkers. Two prefetchers share one
 * block. */
static void policies_have_their_blocks(void **state) {
    for (size_t i = 0; evictors[i]; i++) {
        defaults();
        strcpy(cfg.uvm_evict, evictors[i]->name);
        make();
        assert_int_equal(observers(), blocks(evictors[i]->hardware));
        end();
    }
    for (size_t i = 0; prefetchers[i]; i++) {
        defaults();
        strcpy(cfg.uvm_prefetch, prefetchers[i]->name);
        strcpy(cfg.uvm_prefetch_full, prefetchers[i]->name);
        make();
        assert_int_equal(observers(), blocks(prefetchers[i]->hardware));
        end();
    }
}

/* A policy that uses its ideal model has no hardware. */
static void an_ideal_has_no_block(void **state) {
    defaults();
    strcpy(cfg.uvm_evict, "hpe");
    cfg.hpe_hits = HPE_HITS_IDEAL;
    make();
    assert_int_equal(observers(), 0);
    end();
}

/* If nothing else is in progress, the GMMU's next event is that of the earliest observer. */
static void observers_name_their_events(void **state) {
    struct gmmu_counting first = {.observer = {&counting_type, NULL}, .event = 40};
    struct gmmu_counting second = {.observer = {&counting_type, NULL}, .event = 30};
    defaults();
    make();
    assert_int_equal(gmmu_next_event(&gmmu, 0), UINT64_MAX);
    gmmu_attach(&gmmu, &first.observer);
    gmmu_attach(&gmmu, &second.observer);
    assert_int_equal(gmmu_next_event(&gmmu, 0), 30);
    gmmu_tick(&gmmu, 30);
    assert_int_equal(gmmu_next_event(&gmmu, 31), 40);
    gmmu_tick(&gmmu, 40);
    assert_int_equal(gmmu_next_event(&gmmu, 41), UINT64_MAX);
    end();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unloaded),
        cmocka_unit_test(ports_are_shared),
        cmocka_unit_test(as_many_sms_as_there_can_be),
        cmocka_unit_test(walks_merge),
        cmocka_unit_test(walkers_are_limited),
        cmocka_unit_test(a_full_walk_queue_holds_up),
        cmocka_unit_test(tracks_so_many_faults),
        cmocka_unit_test(drops_what_it_does_not_track),
        cmocka_unit_test(shoots_down_what_is_on_its_way),
        cmocka_unit_test(looks_at_the_end_of_a_walk),
        cmocka_unit_test(policies_hear_of_references),
        cmocka_unit_test(hir_counts_walks),
        cmocka_unit_test(hir_holds_walks_up),
        cmocka_unit_test(hir_is_due_while_it_sends),
        cmocka_unit_test(hir_counts_references_once),
        cmocka_unit_test(hir_loses),
        cmocka_unit_test(observers_hear_of_walks),
        cmocka_unit_test(observers_look_at_fresh_walks),
        cmocka_unit_test(policies_have_their_blocks),
        cmocka_unit_test(an_ideal_has_no_block),
        cmocka_unit_test(observers_name_their_events),
    };
    return cmocka_run_group_tests_name("gmmu", tests, NULL, NULL);
}
