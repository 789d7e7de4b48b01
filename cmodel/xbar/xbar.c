// SPDX-License-Identifier: Apache-2.0
#include "xbar/xbar.h"

#include <string.h>

#include "lib/bits.h"
#include "lib/packet_dump.h"
#include "xbar/xbar_packet.h"

static void set_bit(uint64_t *words, uint32_t i) {
    words[i / 64] |= UINT64_C(1) << (i % 64);
}

static void clear_bit(uint64_t *words, uint32_t i) {
    words[i / 64] &= ~(UINT64_C(1) << (i % 64));
}

/* First set bit at or after `from`, wrapping round. At least one bit is set. */
static uint32_t next_bit(const uint64_t *words, uint32_t from) {
    uint32_t w = from / 64;
    uint64_t x = words[w] & ~bits_low(from % 64);
    while (!x) {
        w = (w + 1) % XBAR_WORDS;
        x = words[w]; /* back in the first word this takes the bits below `from` too */
    }
    return 64 * w + bits_lowest(x);
}

static bool any_bit(const uint64_t *words) {
    uint64_t x = 0;
    for (unsigned w = 0; w < XBAR_WORDS; w++)
        x |= words[w];
    return x != 0;
}

uint64_t xbar_packets(const struct config *cfg) {
    /* Each SM and each bank has an input in one and an output in the other. */
    int64_t ports = cfg->sm_count + cfg->l2_partitions * cfg->l2_subs;
    return (uint64_t)(ports * (cfg->icnt_in_queue + cfg->icnt_out_queue));
}

uint64_t xbar_longest_wait(const struct config *cfg) {
    int64_t bytes = cfg->icnt_header_bytes + LINE_BYTES;
    int64_t flits = (bytes + cfg->icnt_flit_bytes - 1) / cfg->icnt_flit_bytes;
    return (uint64_t)(2 * (cfg->icnt_latency + flits));
}

int xbar_init(struct xbar *x, struct context *context, const struct xbar_size *size) {
    memset(x, 0, sizeof *x);
    x->context = context;
    x->n_in = size->n_in;
    x->n_out = size->n_out;
    x->latency = size->latency;
    x->in = calloc(size->n_in, sizeof *x->in);
    x->out = calloc(size->n_out, sizeof *x->out);
    x->ready = malloc(size->n_out * sizeof *x->ready);
    if (!x->in || !x->out || !x->ready)
        return -1;
    for (uint32_t o = 0; o < size->n_out; o++)
        x->ready[o] = XBAR_NEVER;
    for (uint32_t i = 0; i < size->n_in; i++)
        if (fifo_init(&x->in[i].queue, size->in_queue) != 0)
            return -1;
    for (uint32_t o = 0; o < size->n_out; o++)
        if (timed_fifo_init(&x->out[o].queue, size->out_queue) != 0)
            return -1;
    return 0;
}

void xbar_free(struct xbar *x) {
    for (uint32_t i = 0; x->in && i < x->n_in; i++)
        fifo_free(&x->in[i].queue);
    for (uint32_t o = 0; x->out && o < x->n_out; o++)
        timed_fifo_free(&x->out[o].queue);
    free(x->in);
    free(x->out);
    free(x->ready);
    x->in = NULL;
    x->out = NULL;
    x->ready = NULL;
}

void xbar_push(struct xbar *x, uint32_t in, uint32_t packet, uint32_t out, uint32_t flits) {
    struct fifo *q = &x->in[in].queue;
    struct packet *p = packet_at(&x->context->pool, packet);
    p->moved = x->context->now;
    *xbar_packet(p) = (struct xbar_packet){(uint16_t)out, (uint16_t)flits};
    if (q->count == 0)
        set_bit(x->hidden, in);
    fifo_push(q, packet);
    x->queued++;
    x->context->progress++;
}

/* Offers the head of an input to its output, once the port is free and the packet came before now.
 */
static void offer(struct xbar *x, uint32_t in) {
    struct xbar_in *port = &x->in[in];
    if (port->busy_until > x->cycle)
        return;
    struct packet *p = packet_at(&x->context->pool, fifo_peek(&port->queue));
    if (p->moved >= x->context->now)
        return;
    clear_bit(x->hidden, in);
    uint32_t dest = xbar_packet(p)->dest;
    set_bit(x->out[dest].want, in);
    set_bit(x->active, dest);
    x->offered++;
}

static void grant(struct xbar *x, uint32_t o, uint32_t in) {
    struct xbar_out *out = &x->out[o];
    struct xbar_in *port = &x->in[in];
    uint32_t packet = fifo_pop(&port->queue);
    uint32_t flits = xbar_packet(packet_at(&x->context->pool, packet))->flits;
    clear_bit(out->want, in);
    if (!any_bit(out->want))
        clear_bit(x->active, o);
    if (port->queue.count)
        set_bit(x->hidden, in);
    port->busy_until = out->busy_until = x->cycle + flits;
    out->turn = in + 1 == x->n_in ? 0 : in + 1;
    uint64_t arrives = x->cycle + flits - 1 + x->latency;
    if (!out->queue.count)
        x->ready[o] = arrives;
    timed_fifo_push(&out->queue, packet, arrives);
    x->queued--;
    x->offered--;
    x->flits += flits;
    x->context->progress++;
}

static void arbitrate(struct xbar *x, uint32_t o) {
    struct xbar_out *out = &x->out[o];
    if (out->busy_until > x->cycle || timed_fifo_full(&out->queue))
        return;
    grant(x, o, next_bit(out->want, out->turn));
}

void xbar_tick(struct xbar *x) {
    x->cycle++;
    x->ticked_at = x->context->now;
    x->queue_cycles += x->queued;
    if (!x->queued)
        return;
    for (uint32_t w = 0; w < XBAR_WORDS; w++)
        for (uint64_t left = x->hidden[w]; left; left &= left - 1)
            offer(x, 64 * w + bits_lowest(left));
    for (uint32_t w = 0; w < XBAR_WORDS; w++)
        for (uint64_t left = x->active[w]; left; left &= left - 1)
            arbitrate(x, 64 * w + bits_lowest(left));
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
    stat_add(to, replies ? STAT_icnt_rsp_stalls : STAT_icnt_req_stalls, x->stalls);
}

void xbar_dump(const struct xbar *x, enum xbar_net net, FILE *out) {
    const struct packet_pool *pool = &x->context->pool;
    const char *name = net == XBAR_REPLIES ? "icnt.rsp" : "icnt.req";
    for (uint32_t i = 0; i < x->n_in; i++)
        packet_dump_fifo(pool, &x->in[i].queue, name, i, "input", out);
    for (uint32_t o = 0; o < x->n_out; o++)
        packet_dump_timed(pool, &x->out[o].queue, name, o, "output", out);
}
