#include "gmmu/gmmu_hir.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hir/hir_ports.h"

struct gmmu_hir_ports {
    struct hir_in in;
    struct hir_out out;
};

int gmmu_hir_init(struct gmmu_hir *h, const struct config *cfg, char *err, size_t err_size) {
    struct block_params p;
    memset(h, 0, sizeof *h);
    h->pages = (uint32_t)cfg->hpe_set_pages;
    h->interval = (uint32_t)cfg->hir_out_interval;
    h->reset = true;
    h->ports = calloc(1, sizeof *h->ports);
    if (!h->ports) {
        snprintf(err, err_size, "out of memory for the HIR cache");
        return -1;
    }
    block_params_default(&hir_type, &p);
    p.v[HIR_SETS] = cfg->hir_sets;
    p.v[HIR_WAYS] = cfg->hir_ways;
    p.v[HIR_PAGES] = cfg->hpe_set_pages;
    p.v[HIR_COUNT_W] = cfg->hir_count_bits;
    return block_inst_init(&h->inst, &hir_type, &p, "gmmu.hir", err, err_size);
}

void gmmu_hir_free(struct gmmu_hir *h) {
    if (h->inst.model)
        block_inst_free(&h->inst);
    free(h->ports);
}

/* The block's counter goes back to 0 when it has been emptied. */
static uint64_t grown(const struct gmmu_hir *h, uint64_t lost) {
    return lost > h->lost ? lost - h->lost : 0;
}

void gmmu_hir_begin(struct gmmu_hir *h, struct stats *s) {
    struct gmmu_hir_ports *p = h->ports;
    p->in = (struct hir_in){.rst = h->reset};
    block_eval(&h->inst, &p->in, &p->out);
    if (h->reset)
        return;
    stat_add(s, STAT_hir_lost, grown(h, p->out.lost));
    h->lost = p->out.lost;
}

bool gmmu_hir_ready(const struct gmmu_hir *h) {
    return !h->reset && h->ports->out.hit_ready;
}

void gmmu_hir_hit(struct gmmu_hir *h, uint32_t page) {
    struct hir_in *in = &h->ports->in;
    in->hit_valid = 1;
    in->hit_set = page / h->pages;
    in->hit_page = page % h->pages;
}

/* One entry in `interval` cycles. */
static void take_entry(struct gmmu_hir *h, struct uvm *uvm, uint64_t cycle) {
    const struct hir_out *out = &h->ports->out;
    if (!out->out_valid || cycle < h->take_at)
        return;
    h->ports->in.out_ready = 1;
    h->take_at = cycle + h->interval;
    uvm_hir_entry(uvm, out->out_set, out->out_counts, out->out_last);
}

void gmmu_hir_end(struct gmmu_hir *h, struct uvm *uvm, uint64_t cycle) {
    struct hir_in *in = &h->ports->in;
    if (!h->reset) {
        take_entry(h, uvm, cycle);
        in->flush = h->due && !h->ports->out.busy;
        h->due = h->due && !in->flush;
    }
    block_tick(&h->inst, in);
    h->reset = false;
}

uint64_t gmmu_hir_unseen(const struct gmmu_hir *h) {
    const struct hir_in in = {0};
    struct hir_out out;
    if (!gmmu_hir_on(h) || h->reset)
        return 0;
    h->inst.type->eval(h->inst.model, &in, &out);
    return grown(h, out.lost);
}
