// SPDX-License-Identifier: Apache-2.0
/* gpu_dump: every queue that is not empty, every waiting warp, every MSHR. */
#include <inttypes.h>

#include "gpu/parts.h"
#include "l2/l2_packet.h"
#include "lib/bits.h"

static const char *const packet_name[] = {"load", "store", "write-back", "atomic"};

static void dump_packet(const struct gpu *g, FILE *out, uint32_t number) {
    struct packet *p = &g->context.pool.packet[number];
    fprintf(out, " [%s%s%s 0x%" PRIx64 " sm %u id %u]", packet_name[p->kind],
            p->reply ? " reply" : "", l2_packet(p)->past ? " past the L2" : "",
            p->line * LINE_BYTES, (unsigned)p->sm, (unsigned)p->id);
}

static void dump_fifo(const struct gpu *g, FILE *out, const char *part, uint32_t i,
                      const char *name, const struct fifo *q) {
    if (!q->count)
        return;
    fprintf(out, "%s.%u %s %u/%u:", part, (unsigned)i, name, (unsigned)q->count,
            (unsigned)q->capacity);
    for (uint32_t n = 0; n < q->count; n++)
        dump_packet(g, out, fifo_at(q, n));
    fputc('\n', out);
}

static void dump_timed(const struct gpu *g, FILE *out, const char *part, uint32_t i,
                       const char *name, const struct timed_fifo *q) {
    if (!q->count)
        return;
    fprintf(out, "%s.%u %s %u/%u:", part, (unsigned)i, name, (unsigned)q->count,
            (unsigned)q->capacity);
    for (uint32_t n = 0; n < q->count; n++)
        dump_packet(g, out, timed_fifo_at(q, n)->packet);
    fputc('\n', out);
}

static void dump_warp(const struct sm *sm, FILE *out, uint32_t w) {
    static const char *const op_name[] = {"alu",   "sfu",    "fp64",    "shared", "load",
                                          "store", "atomic", "barrier", "exit"};
    const struct sm_warp *warp = &sm->warp[w];
    const struct warp_inst *inst = &warp->inst;
    fprintf(out, "sm.%u warp %u cta (%u,%u,%u).%u: %s x%u mask 0x%08x, waits for %s",
            (unsigned)sm->id, (unsigned)w, (unsigned)warp->place.cta[0],
            (unsigned)warp->place.cta[1], (unsigned)warp->place.cta[2], (unsigned)warp->place.warp,
            op_name[inst->op], (unsigned)warp->left, (unsigned)inst->mask, sm_why(sm, w));
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
    if (!u->count && !lsu_loads_out(u) && !sm->l1d.stores_out)
        return;
    fprintf(out,
            "sm.%u lsu %u/%u, loads in flight %u/%u, line loads in the L1D %" PRIu64
            ", stores out %" PRIu64 "\n",
            (unsigned)sm->id, (unsigned)u->count, (unsigned)u->capacity, (unsigned)lsu_loads_out(u),
            (unsigned)u->n_loads, u->waiting.value, sm->l1d.stores_out);
    const struct l1d_access *a = lsu_offer(u);
    if (a)
        fprintf(out, "sm.%u lsu head: %s 0x%" PRIx64 " load %u\n", (unsigned)sm->id,
                packet_name[a->kind], a->line * LINE_BYTES, (unsigned)a->id);
}

static void dump_mrpb(const struct sm *sm, FILE *out) {
    const struct mrpb *m = &sm->mrpb;
    for (uint32_t q = 0; q < m->queues; q++) {
        if (!m->queue[q].count)
            continue;
        fprintf(out, "sm.%u prioritisation queue %u %u/%u%s:", (unsigned)sm->id, (unsigned)q,
                (unsigned)m->queue[q].count, (unsigned)m->depth,
                m->held && m->offered == q ? " (offered)" : "");
        for (uint32_t i = 0; i < m->queue[q].count; i++) {
            const struct l1d_access *a = mrpb_at(m, q, i);
            fprintf(out, " [%s 0x%" PRIx64 " warp %u]", packet_name[a->kind], a->line * LINE_BYTES,
                    (unsigned)a->warp);
        }
        fputc('\n', out);
    }
}

static void dump_tlb(const struct sm *sm, FILE *out) {
    static const char *const state_name[] = {"", "asked for", "tracked", "not tracked"};
    const struct tlb *t = &sm->tlb;
    if (tlb_empty(t))
        return;
    fprintf(out, "sm.%u tlb %u/%u accesses wait, far-faults tracked %u, asked again %u%s:",
            (unsigned)sm->id, (unsigned)(t->places - t->room), (unsigned)t->places,
            (unsigned)t->tracked, (unsigned)t->asked_again,
            t->blocking && t->faulted ? ", blocked" : "");
    for (uint32_t i = 0; i < t->misses; i++)
        if (t->miss[i].state != TLB_FREE)
            fprintf(out, " [page %u %s]", (unsigned)t->page[i], state_name[t->miss[i].state]);
    fputc('\n', out);
}

static void dump_mshr(const struct mshr_unit *u, FILE *out) {
    if (mshr_unit_used(u) || u->draining)
        fprintf(out, "%s: %" PRIu64 "/%" PRIu64 " slots%s\n", u->block.inst.name, mshr_unit_used(u),
                u->capacity, u->draining ? ", draining" : "");
}

static void dump_mdb(const struct l1d *l1, FILE *out) {
    const struct mdb *m = &l1->mdb;
    const char *unit = m->users.ctas ? "CTAs" : "warps of a CTA";
    if (!mdb_on(m))
        return;
    if (!m->limit)
        fprintf(out, "l1d.%u is used by none of %u %s\n", (unsigned)l1->sm, (unsigned)m->users.n,
                unit);
    else if (m->limit >= m->all || m->limit >= m->users.n)
        fprintf(out, "l1d.%u is used by all %s (%u)\n", (unsigned)l1->sm, unit,
                (unsigned)m->users.n);
    else
        fprintf(out, "l1d.%u is used by %s 0 to %u of %u\n", (unsigned)l1->sm, unit,
                (unsigned)m->limit - 1, (unsigned)m->users.n);
}

static void dump_l1d(const struct gpu *g, const struct l1d *l1, FILE *out) {
    dump_fifo(g, out, "l1d", l1->sm, "miss queue", &l1->miss_queue);
    if (l1->hits.count || l1->rsp.count)
        fprintf(out, "l1d.%u hits %u/%u, responses %u/%u\n", (unsigned)l1->sm,
                (unsigned)l1->hits.count, (unsigned)l1->hits.capacity, (unsigned)l1->rsp.count,
                (unsigned)l1->rsp.capacity);
    dump_mshr(&l1->mshr, out);
    dump_mdb(l1, out);
    if (l1->direct_out || l1->dirty_ways)
        fprintf(out, "l1d.%u direct loads %u/%u, dirty lines %u%s\n", (unsigned)l1->sm,
                (unsigned)l1->direct_out, (unsigned)l1->bypass_slots, (unsigned)l1->dirty_ways,
                l1->flush ? ", flushing" : "");
    for (uint32_t h = 0; h < l1->inflight.heads; h++)
        if (granules_has(&l1->inflight, h))
            fprintf(out, "l1d.%u head %u waits for 0x%" PRIx64 "%s\n", (unsigned)l1->sm,
                    (unsigned)h, l1->head[h].line * LINE_BYTES,
                    l1->head[h].poisoned ? ", poisoned" : "");
}

static void dump_sm(const struct gpu *g, const struct sm *sm, FILE *out) {
    for (warp_set left = sm->live; left; left &= left - 1)
        dump_warp(sm, out, warp_first(left));
    dump_lsu(sm, out);
    dump_mrpb(sm, out);
    dump_tlb(sm, out);
    dump_l1d(g, &sm->l1d, out);
}

static void dump_chain(const struct gpu *g, FILE *out, uint32_t number) {
    for (; number != PACKET_NONE; number = g->context.pool.packet[number].next)
        dump_packet(g, out, number);
    fputc('\n', out);
}

struct atom_dump {
    const struct gpu *gpu;
    FILE *out;
};

static void dump_atom(void *ctx, uint32_t packet, bool issued) {
    const struct atom_dump *d = ctx;
    dump_packet(d->gpu, d->out, packet);
    if (issued)
        fputs(" (issued)", d->out);
}

static void dump_channel(const struct gpu *g, uint32_t p, FILE *out) {
    const struct dram *d = &g->dram[p];
    struct atom_dump ctx = {g, out};
    if (gddr5_empty(d->device))
        return;
    fprintf(out, "dram.%u atoms, %u reads and %u writes more could come:", (unsigned)p,
            (unsigned)gddr5_room(d->device, false), (unsigned)gddr5_room(d->device, true));
    dram_each(d, dump_atom, &ctx);
    fputc('\n', out);
}

static void dump_block(const struct gpu *g, const struct l2_in_block *b, FILE *out) {
    if (!l2_in_held(b))
        return;
    fprintf(out, "%s %u requests in %u queues", b->block.inst.name,
            (unsigned)incoming_requests(b->block.inst.model),
            (unsigned)incoming_queues(b->block.inst.model));
    if (b->out.drain_valid) {
        fputs(", offers", out);
        dump_packet(g, out, (uint32_t)b->out.drain_id);
    }
    fputc('\n', out);
}

static void dump_in(const struct gpu *g, uint32_t b, FILE *out) {
    const struct l2_in *in = &g->l2[b].in;
    dump_timed(g, out, "l2", b, "pipeline", &in->pipe);
    dump_block(g, &in->fifo, out);
    dump_block(g, &in->reorder, out);
    if (!in->any.count)
        return;
    fprintf(out, "l2.%u buffer %u/%u:", (unsigned)b, (unsigned)in->any.count,
            (unsigned)in->any.capacity);
    for (uint32_t i = 0; i < in->any.count; i++)
        dump_packet(g, out, in->any.entry[i].packet);
    fputc('\n', out);
}

static void dump_bank(const struct gpu *g, uint32_t b, FILE *out) {
    const struct l2 *l2 = &g->l2[b];
    dump_in(g, b, out);
    dump_fifo(g, out, "l2", b, "miss queue", &l2->miss_queue);
    dump_fifo(g, out, "l2", b, "evict buffer", &l2->evict_buffer);
    dump_fifo(g, out, "l2", b, "reply queue", &l2->rsp_queue);
    dump_mshr(&l2->mshr, out);
    for (uint32_t h = 0; h < l2->inflight.heads; h++) {
        if (!granules_has(&l2->inflight, h))
            continue;
        fprintf(out, "l2.%u head %u:", (unsigned)b, (unsigned)h);
        dump_chain(g, out, l2->head[h].first);
    }
    if (l2->drain_first != PACKET_NONE) {
        fprintf(out, "l2.%u draining:", (unsigned)b);
        dump_chain(g, out, l2->drain_first);
    }
    if (l2->slice)
        return;
    dump_channel(g, b / g->map.subs, out);
    dump_timed(g, out, "dram", b / g->map.subs, "return queue", &l2->dram->back);
}

static void dump_xbar(const struct gpu *g, const struct xbar *x, const char *name, FILE *out) {
    for (uint32_t i = 0; i < x->n_in; i++)
        dump_fifo(g, out, name, i, "input", &x->in[i].queue);
    for (uint32_t o = 0; o < x->n_out; o++)
        dump_timed(g, out, name, o, "output", &x->out[o].queue);
}

static void dump_running(const struct running *r, FILE *out) {
    fprintf(out, "kernel %s, %" PRIu64 " of %" PRIu64 " CTAs started",
            r->launch.name ? r->launch.name : "none", r->next_cta, r->n_ctas);
}

void gpu_dump(const struct gpu *g, FILE *out) {
    fprintf(out, "SM cycle %" PRIu64 ", last progress in %" PRIu64 "; ", g->cycle, g->moved_at);
    dump_running(&g->running, out);
    fprintf(out, ", %u packets on their way\n", (unsigned)g->context.pool.in_use);
    for (uint32_t i = 0; i < g->n_sms; i++)
        dump_sm(g, &g->sm[i], out);
    if (g->paging)
        paging_dump(g, out);
    dump_xbar(g, &g->req, "icnt.req", out);
    dump_xbar(g, &g->reply, "icnt.rsp", out);
    for (uint32_t b = 0; b < g->n_banks; b++)
        dump_bank(g, b, out);
}
