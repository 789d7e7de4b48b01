// SPDX-License-Identifier: Apache-2.0
#include "gpu/paging.h"

#include <stdlib.h>

#include "gpu/parts.h"
#include "lib/alloc.h"

/* ---- the driver's hooks ---- */

static void note_arrival(void *ctx, uint32_t page) {
    struct gpu *g = ctx;
    gmmu_arrived(&g->paging->gmmu, page);
}

/* True if the planted fault applies: the first SM's TLB keeps its entries. */
static bool keeps_entry(struct gpu *g, uint32_t sm, uint32_t page) {
    if (sm || !context_plant_stuck(&g->context, PLANT_NO_SHOOTDOWN) ||
        !tlb_has(&g->sm[sm].tlb, page))
        return false;
    g->context.plant_made = true;
    return true;
}

/* Removes the page from all TLBs. The next event of an SM does not change: an access that the SM's
 * L1D or TLB refuses either already has its translation or still has none. */
static void shoot_page(void *ctx, uint32_t page) {
    struct gpu *g = ctx;
    gmmu_shoot(&g->paging->gmmu, page);
    for (uint32_t i = 0; i < g->n_sms; i++)
        if (!keeps_entry(g, i, page))
            tlb_shoot(&g->sm[i].tlb, page);
}

static void drop_page(void *ctx, uint32_t page) {
    page_data_drop(ctx, page);
}

static void fill_page(void *ctx, uint32_t page) {
    page_data_fill(ctx, page);
}

/* ---- creation and destruction ---- */

static int init_mmu(struct gpu *g, struct error *err) {
    struct paging *p = g->paging;
    p->paged = true;
    page_data_init(g);
    g->context.uvm = p->uvm;
    if (gmmu_init(&p->gmmu, g->cfg, &g->context, p->uvm, err) != 0)
        return -1;
    for (uint32_t i = 0; i < g->n_sms; i++)
        sm_attach_mmu(&g->sm[i], p->uvm, &p->gmmu.port[i]);
    return 0;
}

int paging_init(struct gpu *g, struct book *book, struct error *err) {
    const struct uvm_hooks hooks = {g, note_arrival, shoot_page, drop_page, fill_page};
    if (g->cfg->uvm_mode == UVM_OFF)
        return 0;
    g->paging = alloc_zeroed(1, sizeof *g->paging);
    g->paging->uvm = uvm_create(g->cfg, &g->context, book);
    uvm_set_hooks(g->paging->uvm, &hooks);
    return g->cfg->uvm_mode == UVM_PAGED ? init_mmu(g, err) : 0;
}

void paging_free(struct gpu *g) {
    if (!g->paging)
        return;
    gmmu_free(&g->paging->gmmu);
    page_data_free(&g->paging->data);
    uvm_destroy(g->paging->uvm);
    free(g->paging);
}

bool paging_begin(struct gpu *g, const struct workload *workload) {
    struct error why;
    if (uvm_begin(g->paging->uvm, workload, &why) == 0)
        return true;
    context_fail(&g->context, CONTEXT_BAD_INPUT, "%s", why.text);
    return false;
}

/* ---- a cycle ---- */

void paging_tick(struct gpu *g, uint64_t cycle) {
    struct paging *p = g->paging;
    bool driver = uvm_next_event(p->uvm, cycle) <= cycle;
    if (driver || !g->skip)
        uvm_tick(p->uvm, cycle);
    if (driver)
        g->ticked = true;
    bool gmmu = driver || cycle >= p->gmmu_event || gmmu_has_input(&p->gmmu);
    if (!p->paged || (g->skip && !gmmu))
        return;
    gmmu_tick(&p->gmmu, cycle);
    p->gmmu_event = gmmu_next_event(&p->gmmu, cycle + 1);
    g->ticked = true;
}

uint64_t paging_next_event(const struct gpu *g, uint64_t cycle) {
    const struct paging *p = g->paging;
    uint64_t driver = uvm_next_event(p->uvm, cycle);
    if (!p->paged)
        return driver;
    uint64_t gmmu = gmmu_has_input(&p->gmmu) ? cycle : gmmu_next_event(&p->gmmu, cycle);
    uint64_t next = driver < gmmu ? driver : gmmu;
    for (const struct mmu_port *m = p->gmmu.port; m < p->gmmu.port + g->n_sms; m++)
        next = m->next < next ? m->next : next;
    return next;
}

/* ---- statistics and dump ---- */

void paging_add_stats(const struct gpu *g, struct stats *s) {
    uvm_add_stats(g->paging->uvm, s);
    if (g->paging->paged)
        gmmu_add_stats(&g->paging->gmmu, g->cycle, s);
    page_data_add_stats(&g->paging->data, s);
}

void paging_gauges(const struct gpu *g, const struct gauge_reader *gmmu,
                   const struct gauge_reader *driver) {
    if (g->paging->paged)
        gmmu_gauges(&g->paging->gmmu, g->cycle, gmmu);
    uvm_gauges(g->paging->uvm, driver);
}

void paging_dump(const struct gpu *g, FILE *out) {
    uvm_dump(g->paging->uvm, out);
    if (g->paging->paged)
        gmmu_dump(&g->paging->gmmu, out);
}
