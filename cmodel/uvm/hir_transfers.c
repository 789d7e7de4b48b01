// SPDX-License-Identifier: Apache-2.0
/* What the HIR cache tells the driver: when it shall, and how it comes to the policy. */
#include "uvm/inside.h"

void uvm_hir_faulted(struct uvm *u) {
    if (!u->hears_hir || --u->faults_to_hir)
        return;
    u->faults_to_hir = (uint64_t)u->cfg->hpe_transfer;
    u->hir_due = true;
}

bool uvm_hir_due(struct uvm *u) {
    bool due = u->hir_due;
    u->hir_due = false;
    return due;
}

uint64_t uvm_hir_bytes(const struct uvm *u) {
    const struct config *c = u->cfg;
    uint64_t entries = *(uint32_t *)ring_at(&u->hir_sizes, 0);
    return entries * ((48 + (uint64_t)(c->hpe_set_pages * c->hir_count_bits) + 7) / 8);
}

void uvm_hir_entry(struct uvm *u, uint64_t set, uint64_t counts, bool last) {
    struct hir_entry e = {set, counts};
    uvm_need(u, ring_push(&u->hir_entries, &e));
    stat_add(&u->stats, STAT_hir_entries, 1);
    u->hir_open++;
    if (!last)
        return;
    stat_add(&u->stats, STAT_hir_transfers, 1);
    uvm_need(u, ring_push(&u->hir_sizes, &u->hir_open));
    u->hir_open = 0;
}

/* The driver hears of the pages of a page set, in their order. */
static void apply_entry(struct uvm *u, const struct hir_entry *e) {
    const unsigned bits = (unsigned)u->cfg->hir_count_bits;
    for (uint32_t i = 0; i < (uint32_t)u->cfg->hpe_set_pages; i++) {
        uint32_t times = (uint32_t)(e->counts >> i * bits & bits_low(bits));
        if (times && u->evictor->touch)
            u->evictor->touch(u->evict, (uint32_t)(e->set * (uint64_t)u->cfg->hpe_set_pages + i),
                              times);
    }
}

void uvm_hir_end(struct uvm *u) {
    uint32_t n = *(uint32_t *)ring_at(&u->hir_sizes, 0);
    ring_pop(&u->hir_sizes);
    for (; n; n--) {
        struct hir_entry e = *(struct hir_entry *)ring_at(&u->hir_entries, 0);
        ring_pop(&u->hir_entries);
        apply_entry(u, &e);
    }
}
