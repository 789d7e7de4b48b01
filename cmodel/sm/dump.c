// SPDX-License-Identifier: Apache-2.0
/* Dumps the warps, instructions and requests of an SM. */
#include <inttypes.h>

#include "lib/bits.h"
#include "lib/request_dump.h"
#include "sm/inside.h"

static const char *const op_name[] = {"alu",   "sfu",    "fp64",    "shared", "load",
                                      "store", "atomic", "barrier", "exit"};

static void dump_warp(const struct sm *sm, FILE *out, uint32_t w) {
    const struct sm_warp *warp = &sm->warp[w];
    const struct warp_inst *inst = &warp->inst;
    fprintf(out, "sm.%u warp %u", (unsigned)sm->id, (unsigned)w);
    if (sm->n_kernels > 1)
        fprintf(out, " workload %u", (unsigned)warp->kernel);
    fprintf(out, " cta (%u,%u,%u).%u: %s x%u mask 0x%08x, waits for %s",
            (unsigned)warp->place.cta[0], (unsigned)warp->place.cta[1],
            (unsigned)warp->place.cta[2], (unsigned)warp->place.warp, op_name[inst->op],
            (unsigned)warp->left, (unsigned)inst->mask, sm_why(sm, w));
    fputs(" (pending", out);
    for (unsigned r = 0; r < WARP_REGS; r++)
        if (warp->pending.w[r / 64] >> r % 64 & 1)
            fprintf(out, " r%u", r);
    fputc(')', out);
    if (inst->op >= WARP_LOAD && inst->op <= WARP_ATOMIC && inst->mask)
        fprintf(out, " first address 0x%" PRIx64, inst->addr[bits_lowest(inst->mask)]);
    fputc('\n', out);
}

static void dump_lsu(const struct sm *sm, FILE *out) {
    const struct lsu *u = &sm->lsu;
    if (!u->order.count && !lsu_loads_out(u) && !sm->l1d.stores_out)
        return;
    fprintf(out,
            "sm.%u lsu %u/%u, loads in flight %u/%u, line loads in the L1D %" PRIu64
            ", stores out %" PRIu64 "\n",
            (unsigned)sm->id, (unsigned)u->order.count, (unsigned)u->order.capacity,
            (unsigned)lsu_loads_out(u), (unsigned)u->n_loads, u->waiting.value, sm->l1d.stores_out);
    const struct request *a = lsu_offer(u);
    if (a)
        fprintf(out, "sm.%u lsu head: %s 0x%" PRIx64 " load %u\n", (unsigned)sm->id,
                request_kind_name[a->kind], a->line * LINE_BYTES, (unsigned)a->origin.load);
}

void collectors_dump(const struct collectors *c, uint32_t sm, FILE *out) {
    for (uint32_t s = 0; c->n && s < UNITS_MAX_SCHEDULERS; s++) {
        const struct collect_part *p = &c->part[s];
        if (!c->full_kinds[s] && !p->count)
            continue;
        fprintf(out, "sm.%u scheduler %u, %u collectors: %u memory instructions wait for the LSU",
                (unsigned)sm, (unsigned)s, (unsigned)c->n, (unsigned)p->count);
        for (unsigned kind = 0; kind < COLLECT_KINDS; kind++)
            if (c->full_kinds[s] >> kind & 1)
                fprintf(out, ", for a collector %s of warp %u", op_name[p->inst[kind].op],
                        (unsigned)p->inst[kind].warp);
        fputc('\n', out);
    }
}

void sm_dump(const struct sm *sm, FILE *out) {
    for (warp_set left = sm->live_warps; left; left &= left - 1)
        dump_warp(sm, out, warp_first(left));
    icache_dump(&sm->icache, out);
    dump_lsu(sm, out);
    collectors_dump(&sm->collectors, sm->id, out);
    limiter_dump(&sm->limiter, sm->id, out);
    quota_dump(&sm->quota, sm->n_kernels, sm->id, out);
    mrpb_dump(&sm->mrpb, sm->id, out);
    tlb_dump(&sm->tlb, out);
    l1d_pipe_dump(&sm->pipe, sm->id, out);
    l1d_dump(&sm->l1d, out);
}
