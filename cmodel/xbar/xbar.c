// SPDX-License-Identifier: Apache-2.0
#include "xbar/xbar.h"

#include <string.h>

#include "lib/bit_set.h"
#include "lib/packet_dump.h"
#include "xbar/xbar_packet.h"

/* The inputs whose head may move to that output. */
static uint64_t *wanting(const struct xbar *x, uint32_t out) {
    return x->want + (size_t)out * x->in_words;
}

uint64_t xbar_packets(const struct config *cfg) {
    /* Each SM and each bank has an input in one and an output in the other. */
    int64_t ports = cfg->sm_count + cfg->l2_partitions * cfg->l2_subs;
    int64_t stages = cfg->icnt_in_flight == IN_FLIGHT_FREE ? cfg->icnt_latency : 0;
    return (uint64_t)(ports * (cfg->icnt_in_queue + cfg->icnt_out_queue + stages));
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
    x->in_words = bit_set_words(size->n_in);
    x->out_words = bit_set_words(size->n_out);
    x->latency = size->latency;
    x->out_queue = size->out_queue;
    x->in_flight_free = size->in_flight_free;
    uint32_t places = size->out_queue + (size->in_flight_free ? size->latency : 0);
    x->in = calloc(size->n_in, sizeof *x->in);
    x->out = calloc(size->n_out, sizeof *x->out);
    x->ready = malloc(size->n_out * sizeof *x->ready);
    x->want = calloc((size_t)size->n_out * x->in_words, sizeof *x->want);
    x->hidden = calloc(x->in_words, sizeof *x->hidden);
    x->active = calloc(x->out_words, sizeof *x->active);
    if (!x->in || !x->out || !x->ready || !x->want || !x->hidden || !x->active)
        return -1;
    for (uint32_t o = 0; o < size->n_out; o++)
        x->ready[o] = XBAR_NEVER;
    for (uint32_t i = 0; i < size->n_in; i++)
        if (fifo_init(&x->in[i].queue, size->in_queue) != 0)
            return -1;
    for (uint32_t o = 0; o < size->n_out; o++)
        if (timed_fifo_init(&x->out[o].queue, places) != 0)
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
    free(x->want);
    free(x->hidden);
    free(x->active);
    memset(x, 0, sizeof *x);
}

void xbar_push(struct xbar *x, uint32_t in, uint32_t packet, uint32_t out, uint32_t flits) {
    struct fifo *q = &x->in[in].queue;
    struct packet *p = packet_at(&x->context->pool, packet);
    p->moved = x->context->now;
    *xbar_packet(p) = (struct xbar_packet){(uint16_t)out, (uint16_t)flits};
    if (q->count == 0)
        bit_set_add(x->hidden, in);
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
    bit_set_remove(x->hidden, in);
    uint32_t dest = xbar_packet(p)->dest;
    bit_set_add(wanting(x, dest), in);
    bit_set_add(x->active, dest);
    x->offered++;
}

static void grant(struct xbar *x, uint32_t o, uint32_t in) {
    struct xbar_out *out = &x->out[o];
    struct xbar_in *port = &x->in[in];
    uint32_t packet = fifo_pop(&port->queue);
    uint32_t flits = xbar_packet(packet_at(&x->context->pool, packet))->flits;
    bit_set_remove(wanting(x, o), in);
    if (!bit_set_any(wanting(x, o), x->in_words))
        bit_set_remove(x->active, o);
    if (port->queue.count)
        bit_set_add(x->hidden, in);
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

/* The output takes no further packet in this cycle. */
static bool full(const struct xbar *x, const struct xbar_out *out) {
    if (!x->in_flight_free)
        return timed_fifo_full(&out->queue);
    return out->queue.count >= x->out_queue &&
           timed_fifo_at(&out->queue, x->out_queue - 1)->ready <= x->cycle;
}

static void arbitrate(struct xbar *x, uint32_t o) {
    struct xbar_out *out = &x->out[o];
    if (out->busy_until > x->cycle || full(x, out))
        return;
    grant(x, o, bit_set_next_round(wanting(x, o), x->in_words, out->turn));
}

void xbar_tick(struct xbar *x) {
    x->cycle++;
    x->ticked_at = x->context->now;
    x->queue_cycles += x->queued;
    if (!x->queued)
        return;
    for (uint32_t w = 0; w < x->in_words; w++)
        for (uint64_t left = x->hidden[w]; left; left &= left - 1)
            offer(x, 64 * w + bits_lowest(left));
    for (uint32_t w = 0; w < x->out_words; w++)
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
    stat_add(to, replies ? STAT_icnt_rsp_input_cycles : STAT_icnt_req_input_cycles,
             x->cycle * x->n_in);
    stat_add(to, replies ? STAT_icnt_rsp_stalls : STAT_icnt_req_stalls, x->stalls);
}

void xbar_gauges(const struct xbar *x, enum xbar_net net, const struct gauge_reader *to) {
    gauge_show(to, net == XBAR_REPLIES ? "reply inputs" : "request inputs", "packets",
               (uint64_t)x->n_in * x->in[0].queue.capacity, x->queue_cycles, x->cycle);
}

void xbar_dump(const struct xbar *x, enum xbar_net net, FILE *out) {
    const struct packet_pool *pool = &x->context->pool;
    const char *name = net == XBAR_REPLIES ? "icnt.rsp" : "icnt.req";
    for (uint32_t i = 0; i < x->n_in; i++)
        packet_dump_fifo(pool, &x->in[i].queue, name, i, "input", out);
    for (uint32_t o = 0; o < x->n_out; o++)
        packet_dump_timed(pool, &x->out[o].queue, name, o, "output", out);
}
