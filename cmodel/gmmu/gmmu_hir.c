#include "gmmu/gmmu_hir.h"

#include <string.h>

int gmmu_hir_init(struct gmmu_hir *h, const struct config *cfg, char *err, size_t err_size) {
    struct block_params p;
    memset(h, 0, sizeof *h);
    h->pages = (uint32_t)cfg->hpe_set_pages;
    h->interval = (uint32_t)cfg->hir_out_interval;
    block_params_default(&hir_type, &p);
    p.v[HIR_SETS] = cfg->hir_sets;
    p.v[HIR_WAYS] = cfg->hir_ways;
    p.v[HIR_PAGES] = cfg->hpe_set_pages;
    p.v[HIR_COUNT_W] = cfg->hir_count_bits;
    h->in.rst = 1;
    return block_inst_init(&h->inst, &hir_type, &p, "gmmu.hir", err, err_size);
}

void gmmu_hir_free(struct gmmu_hir *h) {
    if (h->inst.model)
        block_inst_free(&h->inst);
}

/* The block's counter goes back to 0 when it has been emptied. */
static uint64_t grown(const struct gmmu_hir *h, uint64_t lost) {
    return lost > h->lost ? lost - h->lost : 0;
}

void gmmu_hir_begin(struct gmmu_hir *h, struct stats *s) {
    block_eval(&h->inst, &h->in, &h->out);
    if (h->in.rst)
        return;
    stat_add(s, STAT_hir_lost, grown(h, h->out.lost));
    h->lost = h->out.lost;
}

void gmmu_hir_hit(struct gmmu_hir *h, uint32_t page) {
    h->in.hit_valid = 1;
    h->in.hit_set = page / h->pages;
    h->in.hit_page = page % h->pages;
}

/* One entry in `interval` cycles. */
static void take_entry(struct gmmu_hir *h, struct uvm *uvm, uint64_t cycle) {
    if (!h->out.out_valid || cycle < h->take_at)
        return;
    h->in.out_ready = 1;
    h->take_at = cycle + h->interval;
    uvm_hir_entry(uvm, h->out.out_set, h->out.out_counts, h->out.out_last);
}

void gmmu_hir_end(struct gmmu_hir *h, struct uvm *uvm, uint64_t cycle) {
    if (!h->in.rst) {
        take_entry(h, uvm, cycle);
        h->in.flush = h->due && !h->out.busy;
        h->due = h->due && !h->in.flush;
    }
    block_tick(&h->inst, &h->in);
    h->in = (struct hir_in){0};
}

uint64_t gmmu_hir_unseen(const struct gmmu_hir *h) {
    struct hir_out out;
    if (!gmmu_hir_on(h) || h->in.rst)
        return 0;
    h->inst.type->eval(h->inst.model, &h->in, &out);
    return grown(h, out.lost);
}
