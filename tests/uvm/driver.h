/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the driver alone, between a GMMU and policies that the test controls. At 1000 MHz, a fault
 * is served in 20000 cycles, and a page transfer takes 256 cycles. Events are logged, one per
 * line: cycle, event, page. */
#ifndef MEMTWIN_TESTS_UVM_DRIVER_H
#define MEMTWIN_TESTS_UVM_DRIVER_H

#include "uvm/inside.h"
#include "check/check.h"
#include "tests/test.h"

#define SERVICE 20000
#define PAGE_CYCLES 256
#define FIRST_LINE (UINT64_C(0x80000000) / LINE_BYTES)

static struct config cfg;
static struct context context;
static struct check *check;
static struct uvm *u;
static struct book *book;
static uint64_t cycle;      /* the next cycle to be ticked */
static uint32_t more_pages; /* number of pages in a second array */
static bool jumping;        /* true to tick only in the cycles that uvm_next_event names */
static char text[1 << 16];
static size_t text_used;

#define COUNT(name) (stats_now().v[STAT_##name])

__attribute__((format(printf, 1, 2))) static inline void note_down(const char *format, ...) {
    va_list args;
    va_start(args, format);
    text_used += (size_t)vsnprintf(text + text_used, sizeof text - text_used, format, args);
    va_end(args);
    if (text_used >= sizeof text)
        text_used = sizeof text - 1;
}

static inline void log_page(const char *what, uint32_t page) {
    note_down("%u %s %u\n", (unsigned)cycle, what, (unsigned)page);
}

/* Expects `want` to be the log since the last call, and clears the log. */
static inline void expect_log(const char *want) {
    assert_string_equal(text, want);
    text_used = 0;
    text[0] = '\0';
}

static inline struct stats stats_now(void) {
    struct stats s;
    memset(&s, 0, sizeof s);
    uvm_add_stats(u, &s);
    return s;
}

/* ---- the GMMU ---- */

static inline void arrived(void *ctx, uint32_t page) {
    (void)ctx;
    u->pages.page[page].waiters = 0;
    log_page("arrived", page);
}

static inline void shoot(void *ctx, uint32_t page) {
    (void)ctx;
    log_page("shoot", page);
}

static inline void drop(void *ctx, uint32_t page) {
    (void)ctx;
    assert_int_equal(u->pages.page[page].holds, 0);
    log_page("drop", page);
}

static inline void fill(void *ctx, uint32_t page) {
    (void)ctx;
    assert_int_equal(u->pages.page[page].state, PAGE_COMING);
}

/* ---- policies ---- */

static uint32_t victims[64], /* pages to evict, in order */
    n_victims,               /* number of pages left in `victims` */
    choice;                  /* maximum number of pages that one call chooses */

static inline uint32_t choose_victims(void *policy, uint32_t *victim) {
    (void)policy;
    uint32_t n = 0;
    while (n < choice && n_victims && page_evictable(&u->pages, victims[0])) {
        victim[n++] = victims[0];
        memmove(victims, victims + 1, --n_victims * sizeof *victims);
    }
    return n;
}

static inline void *make_policy(const struct evict_env *env) {
    (void)env;
    return &context;
}

static inline void *make_prefetch(const struct prefetch_env *env) {
    (void)env;
    return &context;
}

static inline void hear_entry(void *policy, const uint64_t entry[2]) {
    (void)policy;
    note_down("%u hear %u %u\n", (unsigned)cycle, (unsigned)entry[0], (unsigned)entry[1]);
}

static const struct evictor by_hand = {
    .name = "by hand", .create = make_policy, .hear = hear_entry, .choose = choose_victims};

static uint32_t wanted[64], /* pages to prefetch */
    n_wanted,               /* number of pages left in `wanted` */
    last_room;              /* value of `room` in the last call */

static inline uint32_t choose_prefetch(void *policy, const uint32_t *demand, uint32_t n,
                                       uint32_t *out, uint32_t room) {
    (void)policy;
    for (uint32_t i = 0; i < n; i++)
        assert_int_equal(u->pages.page[demand[i]].state, PAGE_WAITED);
    last_room = room;
    uint32_t k = 0;
    while (k < room && k < n_wanted) {
        out[k] = wanted[k];
        k++;
    }
    memmove(wanted, wanted + k, (n_wanted - k) * sizeof *wanted);
    n_wanted -= k;
    return k;
}

static const struct prefetcher prefetch_by_hand = {
    .name = "by hand", .create = make_prefetch, .choose = choose_prefetch};
static const struct prefetcher fill_by_hand = {
    .name = "filling", .fills = true, .create = make_prefetch, .choose = choose_prefetch};

/* ---- setting up ---- */

static inline void defaults(void) {
    config_default(&cfg);
    cfg.clock_sm_mhz = 1000;
    cfg.uvm_mode = UVM_PAGED;
    cfg.uvm_write_back = WRITE_BACK_DIRTY;
    n_victims = n_wanted = last_room = 0;
    choice = 1;
    more_pages = 0;
    jumping = false;
    book = NULL;
}

/* Opens a driver with the policies of cfg, an array of n_pages pages, and a second array if
 * more_pages is not 0. */
static inline void open_with(uint32_t n_pages) {
    struct error err = {0};
    static struct device_array array[2];
    const uint64_t bytes = (uint64_t)n_pages * PAGE_BYTES, base = FIRST_LINE * LINE_BYTES;
    array[0] = (struct device_array){.name = "a", .base = base, .bytes = bytes};
    array[1] = (struct device_array){
        .name = "b", .base = base + bytes, .bytes = (uint64_t)more_pages * PAGE_BYTES};
    const struct workload w = {.arrays = array, .n_arrays = more_pages ? 2 : 1};
    memset(&context, 0, sizeof context);
    context.plant = (int)cfg.sim_planted_fault;
    context.check = check = check_create(1);
    cycle = text_used = 0;
    text[0] = '\0';
    if (!u)
        u = uvm_create(&cfg, &context, book);
    const struct uvm_hooks hooks = {NULL, arrived, shoot, drop, fill};
    uvm_set_hooks(u, &hooks);
    if (uvm_begin(u, &w, &err) != 0)
        fail_msg("%s", err.text);
}

/* Opens a driver whose eviction policy chooses the pages in `victims`. */
static inline void open_by_hand(uint32_t n_pages, uint32_t capacity) {
    cfg.uvm_memory_pages = capacity;
    u = uvm_create(&cfg, &context, NULL);
    u->evictor = &by_hand;
    open_with(n_pages);
}

/* Opens a driver whose eviction policy chooses the pages in `victims`, and whose prefetcher is
 * `how`. */
static inline void open_prefetching(uint32_t n_pages, uint32_t capacity,
                                    const struct prefetcher *how) {
    cfg.uvm_memory_pages = capacity;
    u = uvm_create(&cfg, &context, NULL);
    u->evictor = &by_hand;
    u->prefetcher[0] = u->prefetcher[1] = how;
    open_with(n_pages);
}

static inline void expect_good(void) {
    if (context.fault != CONTEXT_OK)
        fail_msg("%s", context.error.text);
}

static inline void close_driver(void) {
    expect_good();
    uvm_destroy(u);
    u = NULL;
    check_destroy(check);
}

/* Ticks all cycles before `end` or, if `jumping`, those with an event. */
static inline void run_to(uint64_t end) {
    while (cycle < end) {
        uint64_t next = jumping ? uvm_next_event(u, cycle) : cycle;
        cycle = next < end ? next : end;
        if (cycle == end)
            return;
        context.sm_cycle = cycle;
        uvm_tick(u, cycle);
        cycle++;
    }
}

/* Reports a fault in the last ticked cycle: an SM waits for the page. */
static inline void fault(uint32_t page) {
    u->pages.page[page].waiters = 1;
    uvm_fault(u, page, cycle - 1);
}

static inline void fault_at(uint64_t at, uint32_t page) {
    run_to(at + 1);
    fault(page);
}

/* Brings in n pages from `first` on, with simultaneous faults, and clears the log. */
static inline void bring(uint32_t first, uint32_t n) {
    for (uint32_t i = 0; i < n; i++)
        fault(first + i);
    run_to(cycle + SERVICE + n * PAGE_CYCLES + 1);
    for (uint32_t i = 0; i < n; i++)
        assert_int_equal(u->pages.page[first + i].state, PAGE_RESIDENT);
    text_used = 0;
    text[0] = '\0';
}

static inline void leave_in_order(uint32_t first, uint32_t n) {
    for (uint32_t i = 0; i < n; i++)
        victims[n_victims++] = first + i;
}

static inline uint64_t line_of(uint32_t page) {
    return FIRST_LINE + (uint64_t)page * PAGE_LINES;
}

#endif
