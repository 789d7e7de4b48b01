// SPDX-License-Identifier: Apache-2.0
#include "xbar/xbar.h"

#include <assert.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/bit_set.h"
#include "lib/request_dump.h"

/* Returns the number of places that a packet occupies in a queue. */
static uint32_t places_of(const struct xbar *x, uint32_t flits) {
    return x->flit_places ? flits : 1;
}

/* Returns the set of inputs with a head that may move to output `out`. */
static uint64_t *wanting(const struct xbar *x, uint32_t out) {
    return x->want + (size_t)out * x->in_words;
}

uint64_t xbar_requests(const struct config *cfg) {
    /* Each port of SMs and each L2 bank has an input in one network and an output in the other. */
    int64_t ports = cfg->sm_count / cfg->icnt_sms_per_port + cfg->l2_partitions * cfg->l2_banks;
    return (uint64_t)(ports * (cfg->icnt_in_queue + cfg->icnt_out_queue));
}

uint64_t xbar_longest_wait(const struct config *cfg) {
    int64_t bytes = XBAR_HEADER_BYTES + LINE_BYTES;
    int64_t flits = (bytes + cfg->icnt_flit_bytes - 1) / cfg->icnt_flit_bytes;
    /* A packet has at most one piece per sector, each with a header. A piece takes one more flit
     * time in the switch than it has flits. There are two links. */
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
    x->sharers = size->sharers;
    x->flit_places = size->flit_places;
    x->input_bursts = size->input_bursts;
    x->in_queue = size->in_queue;
    x->out_queue = size->out_queue;
    x->in = alloc_zeroed(size->n_in, sizeof *x->in);
    x->out = alloc_zeroed(size->n_out, sizeof *x->out);
    x->ready = alloc_array((size_t)size->n_out * size->sharers, sizeof *x->ready);
    x->want = alloc_zeroed((size_t)size->n_out * x->in_words, sizeof *x->want);
    x->hidden = alloc_zeroed(x->in_words, sizeof *x->hidden);
    x->active = alloc_zeroed(x->out_words, sizeof *x->active);
    for (uint32_t i = 0; i < size->n_in; i++)
        timed_fifo_init(&x->in[i].queue, size->in_queue);
    for (uint32_t o = 0; o < size->n_out; o++)
        timed_fifo_init(&x->out[o].queue, size->out_queue);
    for (uint32_t r = 0; r < size->n_out * size->sharers; r++)
        x->ready[r] = XBAR_NEVER;
}

void xbar_free(struct xbar *x) {
    for (uint32_t i = 0; i < x->n_in; i++)
        ring_free(&x->in[i].queue);
    for (uint32_t o = 0; o < x->n_out; o++)
        ring_free(&x->out[o].queue);
    free(x->in);
    free(x->out);
    free(x->ready);
    free(x->want);
    free(x->hidden);
    free(x->active);
    memset(x, 0, sizeof *x);
}

/* True if the input has been idle for so long that all pieces of a new packet except the last
 * have already passed through the switch, one by one as they arrived. */
static bool is_idle(const struct xbar *x, const struct xbar_in *port, uint32_t pieces) {
    return !port->queue.count &&
           port->busy_until + (uint64_t)pieces * x->speedup <= (x->cycle + 1) * x->speedup;
}

void xbar_push(struct xbar *x, uint32_t in, uint32_t packet, uint32_t to, uint32_t flits,
               uint32_t pieces) {
    struct xbar_in *port = &x->in[in];
    struct context *c = x->context;
    uint32_t left = pieces == 1 || is_idle(x, port, pieces) ? 1 : pieces;
    const uint32_t out = xbar_output(x, to), sharer = to - out * x->sharers;
    assert(flits <= XBAR_MAX_FLITS && pieces <= XBAR_MAX_PIECES);
    port->fresh = port->pushed_at == c->now ? port->fresh + 1 : 1;
    port->pushed_at = c->now;
    const struct xbar_note note = {out & (XBAR_MAX_OUT - 1),
                                   sharer & (XBAR_MAX_SHARERS - 1),
                                   flits & XBAR_MAX_FLITS,
                                   pieces & XBAR_MAX_PIECES,
                                   (left == 1 ? pieces : 1) & XBAR_MAX_PIECES,
                                   left & XBAR_MAX_PIECES};
    if (!port->queue.count)
        bit_set_add(x->hidden, in);
    x->queued++;
    uint64_t starts = 0; /* if the switch is as slow as a link, flits never wait for the link */
    if (x->speedup > 1) {
        starts = port->link_free > x->cycle ? port->link_free : x->cycle + 1;
        port->link_free = starts + flits * left;
    }
    xbar_set_note(timed_fifo_push(&port->queue, packet, starts), note);
    port->used += places_of(x, xbar_flits(note));
    c->progress++;
}

/* Offers the head of an input to its output, if the input is free, the head's first flit has
 * arrived and the head was pushed before this instant. `slot` is speedup * cycle plus the index of
 * the slot in the cycle. */
static void offer_head(struct xbar *x, uint32_t in, uint64_t slot) {
    struct xbar_in *port = &x->in[in];
    if (port->busy_until > slot || !timed_fifo_ready(&port->queue, x->cycle))
        return;
    if (port->pushed_at == x->context->now && port->queue.count <= port->fresh)
        return;
    bit_set_remove(x->hidden, in);
    uint32_t dest = xbar_note(ring_at(&port->queue, 0)).dest;
    bit_set_add(wanting(x, dest), in);
    bit_set_add(x->active, dest);
    x->offered++;
}

/* Returns the first slot in which the switch is free after it has begun, in `slot`, to move `flits`
 * flits, the first of which arrives in cycle `starts`. */
static uint64_t switch_free_at(const struct xbar *x, uint64_t slot, uint32_t flits,
                               uint64_t starts) {
    if (x->speedup == 1)
        return slot + flits;
    uint64_t last = (starts + flits) * x->speedup;
    return slot + 1 + flits > last ? slot + 1 + flits : last;
}

/* Moves the pieces of the input's head that are granted together through the switch. */
static void pass_pieces(struct xbar *x, struct xbar_out *out, struct xbar_in *port,
                        struct xbar_note note, uint64_t slot) {
    uint32_t flits = note.flits * note.together;
    out->busy_until = switch_free_at(x, slot, note.flits, port->queue.ready);
    if (!x->input_bursts)
        port->busy_until = out->busy_until;
    uint64_t arrives = x->cycle + note.flits - 1 + x->latency;
    out->link_free = arrives < out->link_free + flits ? out->link_free + flits : arrives;
    x->flits += flits;
    x->context->progress++;
}

/* Records for the watcher that the packet was granted `out` and reaches its queue in interconnect
 * cycle `arrives`. */
__attribute__((cold, noinline)) static void mark_grant(const struct xbar *x, uint32_t packet,
                                                       uint32_t out, uint64_t arrives) {
    struct request_pool *pool = &x->context->pool;
    const bool reply = request_at(pool, packet)->reply;
    struct request_marks *m = &pool->marks[packet];
    m->at[reply ? MARK_GRANTED_BACK : MARK_GRANTED] = x->context->time;
    m->crossing[reply] = (uint32_t)(arrives - x->cycle);
    if (!reply)
        m->l2_bank = (uint16_t)out;
}

/* Lets an input that has sent a packet to output `o` show its next head. With icnt.input_bursts,
 * a head for an output after `o` may still move in this slot. */
static void show_next_head(struct xbar *x, uint32_t in, uint32_t o, uint64_t slot) {
    bit_set_add(x->hidden, in);
    if (x->input_bursts && xbar_note(ring_at(&x->in[in].queue, 0)).dest > o)
        offer_head(x, in, slot);
}

/* Grants an output, if it is free and has room, to the next input in round-robin order with a
 * head for the output. */
static void grant(struct xbar *x, uint32_t o, uint64_t slot) {
    struct xbar_out *out = &x->out[o];
    if (out->busy_until > slot || out->used >= x->out_queue)
        return;
    const uint32_t in = bit_set_next_round(wanting(x, o), x->in_words, out->turn);
    struct xbar_in *port = &x->in[in];
    struct timed_slot *head = ring_at(&port->queue, 0);
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
        show_next_head(x, in, o, slot);
    if (__builtin_expect(x->context->pool.marks != NULL, 0))
        mark_grant(x, packet, o, out->link_free);
    uint32_t used = places_of(x, xbar_flits(note));
    port->used -= used;
    out->used += used;
    xbar_set_note(timed_fifo_push(&out->queue, packet, out->link_free), note);
    if (x->sharers == 1)
        x->ready[o] = out->queue.ready;
    else
        xbar_show_first(x, o, 0);
    x->queued--;
}

/* Moves heads through the switch in one slot. */
static void pass_heads(struct xbar *x, uint64_t slot) {
    for (uint32_t w = 0; w < x->in_words; w++)
        for (uint64_t left = x->hidden[w]; left; left &= left - 1)
            offer_head(x, 64 * w + bits_lowest(left), slot);
    for (uint32_t o = 0; (o = bit_set_next(x->active, x->out_words, o)) != BIT_SET_NONE; o++)
        grant(x, o, slot);
}

void xbar_tick(struct xbar *x) {
    x->cycle++;
    x->ticked_at = x->context->now;
    x->queue_cycles += x->queued;
    if (!x->queued)
        return;
    for (uint32_t i = 0; i < x->speedup; i++)
        pass_heads(x, x->cycle * x->speedup + i);
    x->stalls += x->offered;
}

uint64_t xbar_next_event(const struct xbar *x) {
    uint64_t next = XBAR_NEVER;
    for (uint32_t r = 0; r < x->n_out * x->sharers; r++)
        next = x->ready[r] < next ? x->ready[r] : next;
    return next;
}

/* ---- statistics and dump ---- */

void xbar_add_stats(const struct xbar *x, enum xbar_net net, struct stats *to) {
    bool replies = net == XBAR_REPLIES;
    stat_add(to, replies ? STAT_icnt_reply_queue_cycles : STAT_icnt_request_queue_cycles,
             x->queue_cycles);
    stat_add(to, replies ? STAT_icnt_reply_flits : STAT_icnt_request_flits, x->flits);
    stat_add(to, replies ? STAT_icnt_reply_input_cycles : STAT_icnt_request_input_cycles,
             x->cycle * x->n_in);
    stat_add(to, replies ? STAT_icnt_reply_stalls : STAT_icnt_request_stalls, x->stalls);
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
