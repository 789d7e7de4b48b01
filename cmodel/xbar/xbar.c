// SPDX-License-Identifier: Apache-2.0
#include "xbar/xbar.h"

#include <assert.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/bit_set.h"
#include "lib/request_dump.h"

/* What a packet takes of a queue. */
static uint32_t places(const struct xbar *x, uint32_t flits) {
    return x->flit_places ? flits : 1;
}

/* The inputs whose head may move to that output. */
static uint64_t *wanting(const struct xbar *x, uint32_t out) {
    return x->want + (size_t)out * x->in_words;
}

uint64_t xbar_requests(const struct config *cfg) {
    /* Each SM and each bank has an input in one and an output in the other. */
    int64_t ports = cfg->sm_count + cfg->l2_partitions * cfg->l2_subs;
    return (uint64_t)(ports * (cfg->icnt_in_queue + cfg->icnt_out_queue));
}

uint64_t xbar_longest_wait(const struct config *cfg) {
    int64_t bytes = cfg->icnt_header_bytes + LINE_BYTES;
    int64_t flits = (bytes + cfg->icnt_flit_bytes - 1) / cfg->icnt_flit_bytes;
    /* Each sector may be a piece with a header, and a flit's time in the switch; two links. */
    int64_t pieces = LINE_SECTORS * (flits + 1);
    return (uint64_t)(2 * (cfg->icnt_latency + pieces + 2 * flits));
}

void xbar_init(struct xbar *x, struct context *context, const struct xbar_size *size) {
    memset(x, 0, sizeof *x);
    x->context = context;
    x->n_in = size->n_in;
    x->n_out = size->n_out;
    x->in_words = bit_set_words(size->n_in);
    x->out_words = bit_set_words(size->n_out);
    x->latency = size->latency;
    x->speedup = size->speedup;
    x->flit_places = size->flit_places;
    x->in_queue = size->in_queue;
    x->out_queue = size->out_queue;
    x->in = alloc_zeroed(size->n_in, sizeof *x->in);
    x->out = alloc_zeroed(size->n_out, sizeof *x->out);
    x->ready = alloc_array(size->n_out, sizeof *x->ready);
    x->want = alloc_zeroed((size_t)size->n_out * x->in_words, sizeof *x->want);
    x->hidden = alloc_zeroed(x->in_words, sizeof *x->hidden);
    x->active = alloc_zeroed(x->out_words, sizeof *x->active);
    for (uint32_t i = 0; i < size->n_in; i++) {
        x->in[i].context = context;
        timed_fifo_init(&x->in[i].queue, size->in_queue);
    }
    for (uint32_t o = 0; o < size->n_out; o++) {
        x->out[o].context = context;
        x->ready[o] = XBAR_NEVER;
        timed_fifo_init(&x->out[o].queue, size->out_queue);
    }
}

void xbar_free(struct xbar *x) {
    for (uint32_t i = 0; i < x->n_in; i++)
        timed_fifo_free(&x->in[i].queue);
    for (uint32_t o = 0; o < x->n_out; o++)
        timed_fifo_free(&x->out[o].queue);
    free(x->in);
    free(x->out);
    free(x->ready);
    free(x->want);
    free(x->hidden);
    free(x->active);
    memset(x, 0, sizeof *x);
}

/* Pieces of a packet that comes to an idle input have been handed over one by one up to now, and
 * have passed the switch meanwhile: only the last one is still to pass. */
static bool idle(const struct xbar *x, const struct xbar_in *port, uint32_t pieces) {
    return !port->queue.count &&
           port->busy_until + (uint64_t)pieces * x->speedup <= (x->cycle + 1) * x->speedup;
}

/* The input has one packet more. head: it is the first. */
static void note_queued(struct xbar *x, uint32_t in, bool head) {
    if (!x->shared) {
        if (head)
            bit_set_add(x->hidden, in);
        x->queued++;
        return;
    }
    if (head)
        __atomic_fetch_or(&x->hidden[in / 64], UINT64_C(1) << in % 64, __ATOMIC_RELAXED);
    __atomic_fetch_add(&x->queued, 1, __ATOMIC_RELAXED);
}

void xbar_push(struct xbar *x, uint32_t in, uint32_t packet, uint32_t out, uint32_t flits,
               uint32_t pieces) {
    struct xbar_in *port = &x->in[in];
    struct context *c = port->context;
    uint32_t left = pieces == 1 || idle(x, port, pieces) ? 1 : pieces;
    assert(flits <= XBAR_MAX_FLITS && pieces <= XBAR_MAX_PIECES);
    port->fresh = port->pushed_at == c->now ? port->fresh + 1 : 1;
    port->pushed_at = c->now;
    const struct xbar_note note = {
        out & UINT16_MAX, flits & XBAR_MAX_FLITS, pieces & XBAR_MAX_PIECES,
        (left == 1 ? pieces : 1) & XBAR_MAX_PIECES, left & XBAR_MAX_PIECES};
    note_queued(x, in, port->queue.count == 0);
    uint64_t starts =
        0; /* with a switch that is as slow as a link, flits never wait for this one */
    if (x->speedup > 1) {
        starts = port->link_free > x->cycle ? port->link_free : x->cycle + 1;
        port->link_free = starts + flits * left;
    }
    xbar_set_note(timed_fifo_push(&port->queue, packet, starts), note);
    port->used += places(x, xbar_flits(note));
    c->progress++;
}

void xbar_redirect(struct xbar *x, uint32_t in, uint32_t packet, uint32_t out) {
    const struct timed_fifo *q = &x->in[in].queue;
    uint32_t i = q->count - x->in[in].fresh;
    while (i < q->count && timed_fifo_at(q, i)->packet != packet)
        i++;
    assert(i < q->count);
    struct xbar_note note = xbar_note(timed_fifo_at(q, i));
    note.dest = out & UINT16_MAX;
    xbar_set_note(timed_fifo_at(q, i), note);
}

/* Offers the head of an input to its output, once the port is free, its first flit is there and the
 * packet came before now. slot: speedup * cycle and what of the cycle has passed. */
static void offer(struct xbar *x, uint32_t in, uint64_t slot) {
    struct xbar_in *port = &x->in[in];
    if (port->busy_until > slot || !timed_fifo_ready(&port->queue, x->cycle))
        return;
    if (port->pushed_at == x->context->now && port->queue.count <= port->fresh)
        return;
    bit_set_remove(x->hidden, in);
    uint32_t dest = xbar_note(timed_fifo_at(&port->queue, 0)).dest;
    bit_set_add(wanting(x, dest), in);
    bit_set_add(x->active, dest);
    x->offered++;
}

/* The slot in which the switch is free of a packet whose first flit came in at `starts`. */
static uint64_t passed(const struct xbar *x, uint64_t slot, uint32_t flits, uint64_t starts) {
    if (x->speedup == 1)
        return slot + flits;
    uint64_t last = (starts + flits) * x->speedup;
    return slot + 1 + flits > last ? slot + 1 + flits : last;
}

/* The switch passes what of the head of that input goes together. */
static void pass_pieces(struct xbar *x, struct xbar_out *out, struct xbar_in *port,
                        struct xbar_note note, uint64_t slot) {
    uint32_t flits = note.flits * note.together;
    port->busy_until = out->busy_until = passed(x, slot, note.flits, port->queue.ready);
    uint64_t arrives = x->cycle + note.flits - 1 + x->latency;
    out->link_free = arrives < out->link_free + flits ? out->link_free + flits : arrives;
    x->flits += flits;
    x->context->progress++;
}

/* An output that is free and has room grants the next input in turn that wants it. */
static void grant(struct xbar *x, uint32_t o, uint64_t slot) {
    struct xbar_out *out = &x->out[o];
    if (out->busy_until > slot || out->used >= x->out_queue)
        return;
    const uint32_t in = bit_set_next_round(wanting(x, o), x->in_words, out->turn);
    struct xbar_in *port = &x->in[in];
    struct timed_slot *head = timed_fifo_at(&port->queue, 0);
    struct xbar_note note = xbar_note(head);
    pass_pieces(x, out, port, note, slot);
    bit_set_remove(wanting(x, o), in);
    if (!bit_set_any(wanting(x, o), x->in_words))
        bit_set_remove(x->active, o);
    x->offered--;
    out->turn = in + 1 == x->n_in ? 0 : in + 1;
    note.left--;
    xbar_set_note(head, note);
    if (note.left) {
        bit_set_add(x->hidden, in);
        return;
    }
    uint32_t packet = timed_fifo_pop(&port->queue);
    if (port->queue.count)
        bit_set_add(x->hidden, in);
    uint32_t used = places(x, xbar_flits(note));
    port->used -= used;
    out->used += used;
    xbar_set_note(timed_fifo_push(&out->queue, packet, out->link_free), note);
    x->ready[o] = out->queue.ready;
    x->queued--;
}

/* What moves through the switch at once. */
static void pass(struct xbar *x, uint64_t slot) {
    for (uint32_t w = 0; w < x->in_words; w++)
        for (uint64_t left = x->hidden[w]; left; left &= left - 1)
            offer(x, 64 * w + bits_lowest(left), slot);
    for (uint32_t w = 0; w < x->out_words; w++)
        for (uint64_t left = x->active[w]; left; left &= left - 1)
            grant(x, 64 * w + bits_lowest(left), slot);
}

void xbar_tick(struct xbar *x) {
    x->cycle++;
    x->ticked_at = x->context->now;
    x->queue_cycles += x->queued;
    if (!x->queued)
        return;
    for (uint32_t i = 0; i < x->speedup; i++)
        pass(x, x->cycle * x->speedup + i);
    x->stalls += x->offered;
}

uint64_t xbar_next_event(const struct xbar *x) {
    uint64_t next = XBAR_NEVER;
    for (uint32_t o = 0; o < x->n_out; o++)
        next = x->ready[o] < next ? x->ready[o] : next;
    return next;
}

/* ---- statistics and dump ---- */

void xbar_add_stats(const struct xbar *x, enum xbar_net net, struct stats *to) {
    bool replies = net == XBAR_REPLIES;
    stat_add(to, replies ? STAT_icnt_rsp_queue_cycles : STAT_icnt_req_queue_cycles,
             x->queue_cycles);
    stat_add(to, replies ? STAT_icnt_rsp_flits : STAT_icnt_req_flits, x->flits);
    stat_add(to, replies ? STAT_icnt_rsp_input_cycles : STAT_icnt_req_input_cycles,
             x->cycle * x->n_in);
    stat_add(to, replies ? STAT_icnt_rsp_stalls : STAT_icnt_req_stalls, x->stalls);
}

void xbar_gauges(const struct xbar *x, enum xbar_net net, const struct gauge_reader *to) {
    gauge_show(to, net == XBAR_REPLIES ? "reply inputs" : "request inputs", "packets",
               (uint64_t)x->n_in * x->in[0].queue.capacity, x->queue_cycles, x->cycle);
}

void xbar_dump(const struct xbar *x, enum xbar_net net, FILE *out) {
    const struct request_pool *pool = &x->context->pool;
    const char *name = net == XBAR_REPLIES ? "icnt.rsp" : "icnt.req";
    for (uint32_t i = 0; i < x->n_in; i++)
        request_dump_timed(pool, &x->in[i].queue, name, i, "input", out);
    for (uint32_t o = 0; o < x->n_out; o++)
        request_dump_timed(pool, &x->out[o].queue, name, o, "output", out);
}
