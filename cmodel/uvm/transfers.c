// SPDX-License-Identifier: Apache-2.0
/* Starts and ends transfers on the two links. If too few frames are free, pages are evicted
 * first (leaving.c). */
#include "uvm/inside.h"

/* ---- the link to the GPU ---- */

static void land_page(struct uvm *u, uint32_t page, uint64_t cycle) {
    struct uvm_note *n = &u->note[page];
    u->pages.page[page].dirty = false;
    n->untried = !n->demanded;
    u->hooks.fill(u->hooks.ctx, page);
    uvm_set_state(u, page, PAGE_RESIDENT);
    stat_add(&u->stats, n->demanded ? STAT_uvm_demand_pages : STAT_uvm_prefetched_pages, 1);
    if (n->demanded) {
        stat_add(&u->stats, STAT_uvm_fault_latency, cycle - n->raised);
        hist_add(&u->stats, HIST_uvm_fault_latency_hist, cycle - n->raised);
    }
    if (u->evictor->add)
        u->evictor->add(u->evict, page, n->demanded);
    if (u->pages.page[page].waiters && context_plant(u->context, PLANT_LOSE_ARRIVAL))
        return;
    u->hooks.arrived(u->hooks.ctx, page);
}

static void end_load(struct uvm *u, uint64_t cycle) {
    const struct uvm_load load = ring_pop(&u->loads);
    for (uint32_t i = 0; i < load.n; i++)
        land_page(u, load.first + i, cycle);
    uvm_user_arrived(u, cycle);
}

/* Evicts pages until enough frames are free or about to be freed. Returns false if too few pages
 * can be evicted. GPU memory counts as full from the first attempted eviction on. */
static bool make_room(struct uvm *u, uint32_t frames, uint64_t cycle) {
    while (u->pages.free + u->freeing < frames) {
        if (!u->full) {
            u->full = true;
            stat_add(&u->stats, STAT_uvm_full_cycle, cycle);
        }
        if (!uvm_evict(u, cycle))
            return false;
    }
    return true;
}

static void stall(struct uvm *u, uint64_t cycle) {
    if (u->stalled == CYCLE_NEVER)
        u->stalled = cycle;
}

static void end_stall(struct uvm *u, uint64_t cycle) {
    if (u->stalled != CYCLE_NEVER)
        stat_add(&u->stats, STAT_pcie_read_stall_cycles, cycle - u->stalled);
    u->stalled = CYCLE_NEVER;
}

static void start_load(struct uvm *u, uint64_t cycle) {
    u->starved = false;
    if (u->read.busy || !u->loads.count)
        return;
    const struct uvm_load load = *ring_first(&u->loads);
    u->starved = !make_room(u, load.n, cycle);
    if (u->pages.free < load.n) {
        stall(u, cycle);
        return;
    }
    end_stall(u, cycle);
    for (uint32_t i = 0; i < load.n; i++) {
        u->prefetches -= !u->note[load.first + i].demanded;
        uvm_set_state(u, load.first + i, PAGE_COMING);
        account_frame(u->account, load.first + i, true);
    }
    u->pages.free -= load.n;
    uvm_begin_transfer(
        u, &u->read,
        &(struct watched_transfer){.what = "page", .page = load.first, .pages = load.n}, cycle);
    u->context->progress++;
}

/* ---- the link to the host ---- */

static uint32_t first_run(const struct uvm *u) {
    return *ring_first(&u->runs);
}

static void free_frames(struct uvm *u, const struct uvm_run *r) {
    for (uint32_t i = 0; i < r->n; i++)
        uvm_free_frame(u, r->first + i);
}

static void end_run(struct uvm *u, uint64_t cycle) {
    uint32_t number = ring_pop(&u->runs);
    struct uvm_run r = u->run[number];
    uvm_drop_run(u, number);
    for (uint32_t i = 0; i < r.n; i++)
        uvm_back_home(u, r.first + i, cycle);
}

/* Starts a transfer to the host. Entries from hardware have priority over pages. Returns false
 * if no transfer starts. */
static bool start_write(struct uvm *u, uint64_t cycle) {
    if (u->write.busy || (!u->batches.count && !u->runs.count))
        return false;
    u->writing = u->batches.count ? WRITE_BATCH : WRITE_RUN;
    u->context->progress++;
    if (u->writing == WRITE_BATCH) {
        const struct uvm_batch *s = ring_first(&u->batches);
        uvm_begin_transfer(u, &u->write,
                           &(struct watched_transfer){.what = s->from, .bytes = s->bytes}, cycle);
        return true;
    }
    const struct uvm_run r = u->run[first_run(u)];
    uvm_begin_transfer(u, &u->write,
                       &(struct watched_transfer){.what = "page", .page = r.first, .pages = r.n},
                       cycle);
    free_frames(u, &r);
    return true;
}

/* ---- both links ---- */

void uvm_end_transfers(struct uvm *u, uint64_t cycle) {
    if (pcie_ends(&u->write, cycle)) {
        u->context->progress++;
        if (u->writing == WRITE_BATCH)
            uvm_end_batch(u);
        else
            end_run(u, cycle);
    }
    if (pcie_ends(&u->read, cycle)) {
        u->context->progress++;
        end_load(u, cycle);
    }
}

void uvm_start_transfers(struct uvm *u, uint64_t cycle) {
    uvm_vacate_released(u, cycle);
    do
        start_load(u, cycle);
    while (start_write(u, cycle) && u->context->fault == CONTEXT_OK);
}

uint64_t uvm_transfers_next_event(const struct uvm *u, uint64_t cycle) {
    uint64_t next = CYCLE_NEVER;
    bool write_waits = !u->write.busy && (u->batches.count || u->runs.count);
    bool read_waits = !u->read.busy && u->loads.count && u->stalled == CYCLE_NEVER;
    if (u->vacated.count || u->starved || write_waits || read_waits)
        return cycle;
    if (u->read.busy)
        next = u->read.until;
    if (u->write.busy && u->write.until < next)
        next = u->write.until;
    return next;
}
