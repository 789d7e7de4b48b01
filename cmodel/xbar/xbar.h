/* SPDX-License-Identifier: Apache-2.0 */
/* One network of the crossbar: inputs with finite FIFOs, a switch, outputs with finite queues,
 * round-robin arbitration per output.
 *
 * A link brings a packet's flits to its input, one a cycle; only the head of an input can move. A
 * packet of n flits that is granted in cycle c holds its input and its output for the cycles
 * c .. c+n-1 (with a switch of `speedup` flits a cycle for (n+1) / speedup cycles, but until its
 * last flit is in) and is in the output queue in cycle c+n-1+latency, or n cycles after the one
 * before it if that is later: another link brings its flits there, one a cycle. Its place in the
 * output queue is reserved when it is granted. A place holds a packet or a flit (icnt.places); a
 * queue with a free place takes a whole packet.
 *
 * A packet may consist of pieces that are granted one by one, each as a packet of its own would be.
 */
#ifndef MEMTWIN_XBAR_XBAR_H
#define MEMTWIN_XBAR_XBAR_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "config/config.h"
#include "context/context.h"
#include "lib/timed_fifo.h"
#include "stats/gauge.h"
#include "stats/stats.h"

#define XBAR_MAX_FLITS 63
#define XBAR_MAX_PIECES 7
#define XBAR_NEVER UINT64_MAX /* as `ready` of an empty timed_fifo */

enum { ICNT_PLACES_PACKETS, ICNT_PLACES_FLITS }; /* icnt.places */

/* What a network notes about a packet that it holds: in the packet's slot of a queue, so that no
 * network touches a packet. */
struct xbar_note {
    uint32_t dest : 16;    /* output port */
    uint32_t flits : 6;    /* of a piece */
    uint32_t pieces : 3;   /* that it consists of, */
    uint32_t together : 3; /* that pass the switch as one, */
    uint32_t left : 3;     /* and times that some of them still have to pass */
};

static inline struct xbar_note xbar_note(const struct timed_slot *slot) {
    struct xbar_note n;
    _Static_assert(sizeof n == sizeof slot->note, "the room in a slot");
    memcpy(&n, &slot->note, sizeof n);
    return n;
}

static inline void xbar_set_note(struct timed_slot *slot, struct xbar_note n) {
    memcpy(&slot->note, &n, sizeof n);
}

static inline uint32_t xbar_flits(struct xbar_note n) {
    return n.flits * n.pieces;
}

struct xbar_in {
    struct context *context; /* of who pushes; not owned */
    struct timed_fifo queue; /* ready: cycle in which the first flit is in */
    uint32_t used;           /* places */
    uint32_t fresh;          /* packets pushed in the instant of the last push: the queue's last */
    uint64_t pushed_at;      /* that instant */
    uint64_t busy_until;     /* first slot in which it can send again */
    uint64_t link_free;      /* cycle in which the flits of all packets are in */
};

struct xbar_out {
    struct context *context; /* of who pops; not owned */
    struct timed_fifo queue; /* in flight, then waiting */
    uint32_t used;           /* places */
    uint64_t busy_until;     /* first slot in which it can take again */
    uint64_t link_free;      /* cycle in which the newest packet arrives */
    uint32_t turn;           /* input that is first in the next arbitration */
};

struct xbar {
    struct context *context; /* not owned */
    struct xbar_in *in;      /* owned */
    struct xbar_out *out;    /* owned */
    uint64_t *ready;         /* owned; `ready` of each output's queue, side by side: often polled */
    uint32_t n_in, n_out, latency, speedup;
    uint32_t in_queue, out_queue; /* places of an input, of an output */
    bool flit_places;             /* a place holds a flit, not a packet */
    bool shared;                  /* several threads push, each at inputs of its own */
    uint32_t in_words, out_words; /* of a set of inputs, of outputs (lib/bit_set.h) */
    uint64_t cycle;               /* of the interconnect, the last one ticked; counts from 1 */
    uint64_t ticked_at;           /* instant of that tick */
    uint64_t *want;               /* owned; per output: inputs whose head may move there */
    uint64_t *hidden;             /* owned; inputs with packets whose head is not yet offered */
    uint64_t *active;             /* owned; outputs that are wanted */
    uint32_t queued;              /* packets in input queues */
    uint32_t offered;             /* inputs whose head is offered */
    uint64_t queue_cycles;        /* statistics: packets in input queues, summed over cycles; */
    uint64_t flits, stalls;       /* stalls: offered heads that did not move, per cycle */
};

/* ---- length of packets ---- */

/* Whether it carries data: a request that writes does, and so does a load's reply, or an atomic's
 * with a result. A load's request and an acknowledgement are a header only. */
static inline bool request_carries(const struct request *p) {
    return p->reply ? !request_writes(p) || p->result : request_writes(p);
}

/* Flits of a packet with a header and `sectors` sectors, at least one. */
static inline uint32_t flits_of(uint32_t sectors, uint32_t header_bytes, uint32_t flit_bytes) {
    uint32_t flits = (header_bytes + SECTOR_BYTES * sectors + flit_bytes - 1) / flit_bytes;
    return flits ? flits : 1;
}

/* Of a packet with all sectors that it touches. */
static inline uint32_t request_flits(const struct request *p, uint32_t header_bytes,
                                     uint32_t flit_bytes) {
    return flits_of(request_carries(p) ? mask_sectors(&p->mask) : 0, header_bytes, flit_bytes);
}

/* Of one with one of its sectors. */
static inline uint32_t request_piece_flits(const struct request *p, uint32_t header_bytes,
                                           uint32_t flit_bytes) {
    return flits_of(request_carries(p), header_bytes, flit_bytes);
}

/* ---- a network ---- */

/* What a network carries. */
enum xbar_net { XBAR_REQUESTS, XBAR_REPLIES };

struct xbar_size {
    uint32_t n_in, n_out, in_queue, out_queue, latency, speedup;
    bool flit_places;
};

/* Packets that the networks of requests and of replies can hold together, at most. */
uint64_t xbar_requests(const struct config *cfg);
/* Interconnect cycles from a request that enters to its reply that arrives, without what waits in
 * queues and without what is between them, at most. */
uint64_t xbar_longest_wait(const struct config *cfg);

void xbar_init(struct xbar *x, struct context *context, const struct xbar_size *size);
void xbar_free(struct xbar *x);
/* One interconnect cycle. */
void xbar_tick(struct xbar *x);
/* Packets wait in input queues: each cycle has to be ticked. */
static inline bool xbar_has_input(const struct xbar *x) {
    return x->queued != 0;
}
/* Without input: the first interconnect cycle with a packet at an output, xbar.cycle or before if
 * one waits there now; UINT64_MAX: never. */
uint64_t xbar_next_event(const struct xbar *x);

static inline bool xbar_can_push(const struct xbar *x, uint32_t in) {
    return x->in[in].used < x->in_queue;
}

/* Pushes a packet to output `out`; the input must have room. The packet consists of `pieces` pieces
 * (1 to XBAR_MAX_PIECES) of `flits` flits each (1 to XBAR_MAX_FLITS), which are arbitrated one by
 * one. It arrives with its last piece. */
void xbar_push(struct xbar *x, uint32_t in, uint32_t packet, uint32_t out, uint32_t flits,
               uint32_t pieces);

/* A packet that was pushed at that input in the instant of its last push goes to another output. */
void xbar_redirect(struct xbar *x, uint32_t in, uint32_t packet, uint32_t out);

/* Cycles that pass without a tick: there is no input. */
static inline void xbar_advance(struct xbar *x, uint64_t cycles) {
    x->cycle += cycles;
}

/* The cycle below which a packet must be ready to wait at its output in an instant, this one or the
 * next; the same for all outputs. */
static inline uint64_t xbar_seen(const struct xbar *x, uint64_t instant) {
    return x->cycle + (x->ticked_at != instant);
}

static inline bool xbar_ready_before(const struct xbar *x, uint32_t out, uint64_t seen) {
    return x->ready[out] < seen;
}

/* Whether a packet waits at an output in an instant, this one or the next. */
static inline bool xbar_waiting_in(const struct xbar *x, uint32_t out, uint64_t instant) {
    return x->ready[out] < xbar_seen(x, instant);
}

/* In this instant. */
static inline bool xbar_waiting(const struct xbar *x, uint32_t out) {
    return x->ready[out] < xbar_seen(x, x->context->now);
}

/* The packet that waits at an output in this instant, or REQUEST_NONE. What the crossbar delivered
 * in this very instant is seen in the next. */
static inline uint32_t xbar_peek(const struct xbar *x, uint32_t out) {
    return xbar_waiting(x, out) ? timed_fifo_peek(&x->out[out].queue) : REQUEST_NONE;
}

static inline uint32_t xbar_pop(struct xbar *x, uint32_t out) {
    struct timed_fifo *q = &x->out[out].queue;
    x->out[out].used -= x->flit_places ? xbar_flits(xbar_note(timed_fifo_at(q, 0))) : 1;
    uint32_t packet = timed_fifo_pop(q);
    x->ready[out] = q->ready;
    if (q->count)
        request_prefetch(&x->context->pool, timed_fifo_peek(q));
    x->out[out].context->progress++;
    return packet;
}

/* Adds the network's statistics. */
void xbar_add_stats(const struct xbar *x, enum xbar_net net, struct stats *to);
/* The network's gauges. */
void xbar_gauges(const struct xbar *x, enum xbar_net net, const struct gauge_reader *to);
/* What waits in it and what is in flight, a line for each port. */
void xbar_dump(const struct xbar *x, enum xbar_net net, FILE *out);

#endif
