// SPDX-License-Identifier: Apache-2.0
#include "uvm/inside.h"

#include <inttypes.h>

#include "lib/alloc.h"

/* ---- creation and destruction ---- */

static void no_hook(void *ctx, uint32_t page) {
    (void)ctx;
    (void)page;
}

static void init_rings(struct uvm *u) {
    ring_init(&u->faults, RING_GROWS);
    ring_init(&u->loads, RING_GROWS);
    ring_init(&u->runs, RING_GROWS);
    ring_init(&u->entries, RING_GROWS);
    ring_init(&u->batches, RING_GROWS);
    ring_init(&u->vacated, RING_GROWS);
}

struct uvm *uvm_create(const struct config *cfg, struct context *context, struct book *book) {
    struct uvm *u = alloc_zeroed(1, sizeof *u);
    u->cfg = cfg;
    u->context = context;
    u->book = book;
    u->hooks = (struct uvm_hooks){NULL, no_hook, no_hook, no_hook, no_hook};
    u->fault_cycles = (uint64_t)(cfg->uvm_fault_us * cfg->clock_sm_mhz);
    u->evictor = evictor_find(cfg->uvm_evict);
    u->prefetcher[false] = prefetcher_find(cfg->uvm_prefetch);
    u->prefetcher[true] = prefetcher_find(cfg->uvm_prefetch_full);
    u->ideal = u->evictor->ideal && u->evictor->ideal(cfg);
    u->hears_hits = u->evictor->touch && (u->ideal || !u->evictor->hear);
    u->free_run = RUN_NONE;
    u->stalled = CYCLE_NEVER;
    init_rings(u);
    return u;
}

static void free_policies(struct uvm *u) {
    if (u->evict && u->evictor->destroy)
        u->evictor->destroy(u->evict);
    for (int i = 0; i < 2; i++)
        if (u->prefetch[i] && u->prefetcher[i]->destroy)
            u->prefetcher[i]->destroy(u->prefetch[i]);
}

void uvm_destroy(struct uvm *u) {
    if (!u)
        return;
    free_policies(u);
    account_destroy(u->account);
    pages_free(&u->pages);
    ring_free(&u->faults);
    ring_free(&u->loads);
    ring_free(&u->runs);
    ring_free(&u->entries);
    ring_free(&u->batches);
    ring_free(&u->vacated);
    free(u->note);
    free(u->pick);
    free(u->run);
    free(u);
}

void uvm_set_hooks(struct uvm *u, const struct uvm_hooks *hooks) {
    u->hooks = *hooks;
}

static void make_policies(struct uvm *u) {
    struct book *book = u->book && book_is_read(u->book) ? u->book : NULL;
    const struct evict_env evict = {u->cfg, &u->pages, book, &u->stats, u->context};
    u->evict = u->evictor->create(&evict);
    for (int full = 0; full < 2; full++) {
        const struct prefetch_env prefetch = {u->cfg,    &u->pages,  book,         full,
                                              &u->stats, u->context, u->port[full]};
        u->prefetch[full] = u->prefetcher[full]->create(&prefetch);
    }
}

/* Makes the same allocations as the first pass, in the same order, so that pages have the same
 * numbers. */
static void touch_regions(struct uvm *u) {
    uint32_t n = 0;
    const uint64_t *base = u->book && book_is_read(u->book) ? book_regions(u->book, &n) : NULL;
    for (uint32_t i = 0; i < n; i++)
        pages_of_line(&u->pages, base[i] / LINE_BYTES);
}

/* Converts hundredths of a page to whole pages, rounded up to at least one. */
static uint32_t whole_pages(uint64_t part) {
    return part > 100 ? (uint32_t)((part + 99) / 100) : 1;
}

static void size_memory(struct uvm *u) {
    const struct config *c = u->cfg;
    struct pages *p = &u->pages;
    uint64_t part = (uint64_t)pages_footprint(p) * (uint64_t)c->uvm_memory_percent;
    u->all_fit = !c->uvm_memory_pages && !c->uvm_memory_percent;
    p->capacity = 0;
    if (c->uvm_memory_pages)
        p->capacity = (uint32_t)c->uvm_memory_pages;
    else if (c->uvm_memory_percent)
        p->capacity = whole_pages(part) / (uint32_t)c->uvm_frame_unit * (uint32_t)c->uvm_frame_unit;
    p->free = p->capacity;
}

/* If a chosen policy moves blocks, checks that the arrays are legal for it. */
static int check_groups(const struct uvm *u, const struct workload *w, struct error *err) {
    const uint64_t chunk = CHUNK_PAGES * PAGE_BYTES;
    const char *what = NULL;
    char key[KEY_SIZE];
    uint64_t end = 0;
    if (!uvm_needs(u->cfg, NEED_PAGE_BLOCKS, key))
        return 0;
    for (unsigned i = 0; i < w->n_arrays; i++)
        end += (w->arrays[i].bytes + chunk - 1) / chunk * chunk;
    if (!w->n_arrays)
        what = "needs the arrays of the workload, which a trace does not contain";
    else if (w->n_arrays > PAGE_GROUPS)
        what = "allows at most 32 arrays";
    else if (end >> PAGE_BLOCK_BITS > BLOCK_PAGES * PAGE_BYTES)
        what = "allows at most 4 GiB of arrays";
    return what ? error_set(err, "%s %s", key, what) : 0;
}

/* Checks that the percentage gives at least one frame, or one block for policies that move blocks.
 * uvm_check() checks a memory size in pages. */
static int check_percent(const struct uvm *u, struct error *err) {
    const struct pages *p = &u->pages;
    char key[KEY_SIZE];
    if (u->cfg->uvm_memory_percent && !p->capacity)
        return error_set(
            err, "uvm.memory_percent=%" PRId64 " of %u pages is less than uvm.frame_unit=%" PRId64,
            u->cfg->uvm_memory_percent, (unsigned)pages_footprint(p), u->cfg->uvm_frame_unit);
    const bool all =
        p->capacity >= pages_footprint(p); /* not counting the padding of the arrays' blocks */
    if (!u->cfg->uvm_memory_percent || p->capacity >= BLOCK_PAGES ||
        !uvm_needs(u->cfg, NEED_PAGE_BLOCKS, key))
        return 0;
    return error_set(err,
                     "%s needs memory for at least one block of %d pages, but "
                     "uvm.memory_percent=%" PRId64 " of %u pages gives %u%s",
                     key, BLOCK_PAGES, u->cfg->uvm_memory_percent, (unsigned)pages_footprint(p),
                     (unsigned)p->capacity, all ? "; with 0, whole blocks fit" : "");
}

int uvm_begin(struct uvm *u, const struct workload *workload, struct error *err) {
    const struct config *c = u->cfg;
    const char *why = NULL;
    if (c->uvm_mode == UVM_PAGED && check_groups(u, workload, err))
        return -1;
    if (!workload->n_arrays && c->uvm_mode == UVM_COPY)
        why = "uvm.mode=copy needs the arrays of the workload, which a trace does not contain";
    else if (!workload->n_arrays && c->uvm_user_prefetch == USER_PREFETCH_LAUNCH)
        why = "uvm.user_prefetch=launch needs the arrays of the workload, which a trace does not "
              "contain";
    else if (!workload->n_arrays && c->uvm_resident)
        why = "uvm.resident=yes needs the arrays of the workload, which a trace does not contain";
    else if (!workload->n_arrays && c->uvm_memory_percent && !c->uvm_memory_pages)
        why =
            "uvm.memory_percent needs the arrays of the workload, which a trace does not contain: "
            "use uvm.memory_pages";
    if (why)
        return error_set(err, "%s", why);
    pages_init(&u->pages, workload->arrays, workload->n_arrays);
    if (c->uvm_mode == UVM_PAGED)
        make_policies(u);
    touch_regions(u);
    size_memory(u);
    if (c->uvm_mode == UVM_PAGED && check_percent(u, err))
        return -1;
    uvm_cover(u);
    if (c->uvm_mode == UVM_COPY)
        uvm_begin_copy(u);
    else if (u->context->check)
        u->account = account_create(u->context, &u->pages);
    if (c->uvm_resident)
        uvm_be_resident(u);
    return 0;
}

/* ---- the clock ---- */

struct pages *uvm_pages(struct uvm *u) {
    return &u->pages;
}

static bool has_block(const struct block_type *const hardware[], const struct block_type *block) {
    for (size_t i = 0; i < HARDWARE_MOST; i++)
        if (hardware[i] == block)
            return true;
    return false;
}

bool uvm_needs_block(const struct uvm *u, const struct block_type *block) {
    return (!u->ideal && has_block(u->evictor->hardware, block)) ||
           has_block(u->prefetcher[0]->hardware, block) ||
           has_block(u->prefetcher[1]->hardware, block);
}

void *uvm_evictor_state(const struct uvm *u) {
    return u->evict;
}

void uvm_set_port(struct uvm *u, const struct block_type *block, const void *port) {
    for (int full = 0; full < 2; full++)
        if (has_block(u->prefetcher[full]->hardware, block))
            u->port[full] = port;
}

void uvm_walk_hit(struct uvm *u, uint32_t page) {
    if (u->hears_hits)
        u->evictor->touch(u->evict, page, 1);
}

void uvm_tick(struct uvm *u, uint64_t cycle) {
    if (u->copying)
        uvm_tick_copy(u, cycle);
    if (u->cfg->uvm_mode != UVM_PAGED || cycle < uvm_next_event(u, cycle))
        return;
    uvm_end_transfers(u, cycle);
    uvm_serve(u, cycle);
    uvm_tick_evictor(u, cycle);
    uvm_start_transfers(u, cycle);
    account_settle(u->account, false);
}

static uint64_t min_cycle(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

uint64_t uvm_next_event(const struct uvm *u, uint64_t cycle) {
    if (u->copying)
        return uvm_copy_next_event(u, cycle);
    if (u->cfg->uvm_mode != UVM_PAGED)
        return CYCLE_NEVER;
    uint64_t next = uvm_serve_next_event(u);
    next = min_cycle(next, uvm_transfers_next_event(u, cycle));
    next = next > cycle ? next : cycle;
    return u->evictor->tick ? min_cycle(next, u->evictor->next_event(u->evict, cycle)) : next;
}

uint64_t uvm_longest_wait(const struct config *c) {
    uint64_t set = (uint64_t)c->uvm_set_pages, pages = set > CHUNK_PAGES ? set : CHUNK_PAGES;
    if (c->uvm_mode == UVM_OFF)
        return 0;
    return (uint64_t)(c->uvm_fault_us * c->clock_sm_mhz) +
           pcie_cycles(c, (pages + 1) * PAGE_BYTES, true);
}

/* ---- statistics ---- */

void uvm_add_stats(const struct uvm *u, struct stats *s) {
    const uint64_t now = u->context->sm_cycle + 1;
    stats_add(s, &u->stats);
    stat_add(s, STAT_uvm_footprint_pages, pages_footprint(&u->pages));
    stat_add(s, STAT_uvm_memory_pages, u->pages.capacity);
    stat_add(s, STAT_pcie_read_bytes, u->read.bytes);
    stat_add(s, STAT_pcie_write_bytes, u->write.bytes);
    stat_add(s, STAT_pcie_read_transfers, u->read.transfers);
    stat_add(s, STAT_pcie_write_transfers, u->write.transfers);
    stat_add(s, STAT_pcie_read_busy_cycles, pcie_busy(&u->read, now));
    stat_add(s, STAT_pcie_write_busy_cycles, pcie_busy(&u->write, now));
    if (u->stalled < now)
        stat_add(s, STAT_pcie_read_stall_cycles, now - u->stalled);
}

void uvm_gauges(const struct uvm *u, const struct gauge_reader *to) {
    const struct pages *p = &u->pages;
    gauge_show(to, "GPU memory", "pages", u->all_fit ? 0 : p->capacity, p->in[PAGE_RESIDENT], 0);
    if (u->cfg->uvm_mode != UVM_PAGED)
        return;
    gauge_show(to, "faults before service", "pages", 0, u->faults.count, 0);
    gauge_show(to, "transfers to the GPU", "waiting or under way", 0, u->loads.count, 0);
    gauge_show(to, "transfers to the host", "waiting or under way", 0,
               (uint64_t)u->runs.count + u->batches.count, 0);
}

void uvm_dump(const struct uvm *u, FILE *out) {
    const struct pages *p = &u->pages;
    fprintf(out,
            "uvm %u frames, %u free; pages at the host %u, waited for %u, coming %u, resident %u, "
            "leaving %u, going %u\n",
            (unsigned)p->capacity, (unsigned)p->free, (unsigned)p->in[PAGE_HOST],
            (unsigned)p->in[PAGE_WAITED], (unsigned)p->in[PAGE_COMING],
            (unsigned)p->in[PAGE_RESIDENT], (unsigned)p->in[PAGE_LEAVING],
            (unsigned)p->in[PAGE_GOING]);
    fprintf(out,
            "uvm %u faults not served, %u transfers to the GPU, %u and %u of the HIR cache to "
            "the host%s\n",
            (unsigned)u->faults.count, (unsigned)u->loads.count, (unsigned)u->runs.count,
            (unsigned)u->batches.count, u->starved ? "; no page can be evicted" : "");
    for (uint32_t i = 0; i < p->n; i++) {
        const struct page *page = &p->page[i];
        if (page->holds || page->waiters)
            fprintf(out, "uvm page %u: %s, held %u times, %u SMs wait\n", (unsigned)i,
                    page_state_name[page->state], (unsigned)page->holds, (unsigned)page->waiters);
    }
    if (u->read.busy)
        fprintf(out, "pcie to the GPU until cycle %" PRIu64 "\n", u->read.until);
    if (u->write.busy)
        fprintf(out, "pcie to the host until cycle %" PRIu64 "\n", u->write.until);
}
