/* SPDX-License-Identifier: Apache-2.0 */
/* One network of the crossbar: inputs with finite FIFOs, a switch, and outputs with finite queues
 * and round-robin arbitration.
 *
 * A link brings a packet's flits to the input, one per cycle. Only the head of an input can move. A
 * packet of n flits that is granted in cycle c occupies its input and its output in cycles c ..
 * c+n-1. If the switch moves `speedup` > 1 flits per cycle, the packet occupies them for (n+1) /
 * speedup cycles, but at least until its last flit has arrived. The packet reaches the output queue
 * in cycle c+n-1+latency, or n cycles after the previous packet if that is later, because another
 * link brings its flits there, one per cycle. The grant reserves the packet's place in the output
 * queue. A place holds a packet or a flit (icnt.model). A queue with a free place accepts a whole
 * packet.
 *
 * In GPGPU-Sim's local crossbar (icnt.input_bursts), an input is not occupied: outputs are granted
 * in ascending order, and the next head of an input competes at once for a later output.
 *
 * A packet may consist of pieces, each of which is arbitrated as a separate packet.
 *
 * Several receivers may share an output (icnt.sms_per_port). Only the receiver of the output's
 * first packet sees a packet there, and the next packet is visible in the next instant at the
 * earliest.
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
#define XBAR_HEADER_BYTES 8 /* size of a packet's header in bytes */
#define XBAR_MAX_PIECES 7
#define XBAR_MAX_OUT 4096 /* number of outputs */
#define XBAR_MAX_SHARERS 16
#define XBAR_NEVER UINT64_MAX /* `ready` of an empty timed_fifo */

/* The network's data about a packet, stored in the packet's queue slot, so that the network does
 * not access the request. */
struct xbar_note {
    uint32_t dest : 12;    /* output port */
    uint32_t sharer : 4;   /* number of the receiver among those of the output */
    uint32_t flits : 6;    /* number of flits per piece */
    uint32_t pieces : 3;   /* number of pieces */
    uint32_t together : 3; /* number of pieces that are granted together */
    uint32_t left : 3;     /* number of grants left */
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
    struct timed_fifo queue; /* `ready`: cycle in which the head's first flit arrives */
    uint32_t used;           /* number of occupied places */
    uint32_t fresh;          /* number of packets at the end of the queue that were pushed at
                                `pushed_at` */
    uint64_t pushed_at;      /* instant of the last push */
    uint64_t busy_until;     /* first slot in which the input can send again */
    uint64_t link_free;      /* cycle by which the flits of all packets have arrived */
};

struct xbar_out {
    struct timed_fifo queue; /* waiting packets, followed by packets in flight */
    uint32_t used;           /* number of occupied places */
    uint64_t busy_until;     /* first slot in which the output can accept again */
    uint64_t link_free;      /* cycle in which the newest packet arrives */
    uint32_t turn;           /* input with priority in the next arbitration */
};

struct xbar {
    struct context *context; /* not owned */
    struct xbar_in *in;      /* owned */
    struct xbar_out *out;    /* owned */
    uint64_t
        *ready; /* owned; for each receiver, `ready` of its output's queue if it sees the queue's
                   first packet, else XBAR_NEVER. In one array, because it is polled often */
    uint32_t n_in, n_out, latency, speedup; /* speedup: number of slots per cycle */
    uint32_t sharers;                       /* number of receivers per output */
    uint32_t in_queue, out_queue;           /* number of places per input and per output */
    bool flit_places;                       /* true if a place holds a flit instead of a packet */
    bool input_bursts; /* true if an input may send several packets in a slot */
    uint32_t in_words,
        out_words;      /* numbers of words in a set of inputs or outputs (lib/bit_set.h) */
    uint64_t cycle;     /* last interconnect cycle ticked; the first one is 1 */
    uint64_t ticked_at; /* instant of the last tick */
    uint64_t *want; /* owned; for each output, the set of inputs with a head that may move there */
    uint64_t *hidden;       /* owned; set of inputs with a head that is not offered yet */
    uint64_t *active;       /* owned; set of outputs to which a head is offered */
    uint32_t queued;        /* number of packets in input queues */
    uint32_t offered;       /* number of inputs with an offered head */
    uint64_t queue_cycles;  /* statistics: number of packets in input queues, summed over cycles */
    uint64_t flits, stalls; /* statistics: number of flits moved; number of offered heads that did
                               not move, summed over cycles */
};

/* ---- packet lengths ---- */

/* True if the packet carries data: a write request, the reply to a load, or the reply to an atomic
 * with a result. A load's request and an acknowledgement consist only of a header. */
static inline bool request_carries(const struct request *p) {
    return p->reply ? !request_writes(p) || p->result : request_writes(p);
}

/* Returns the number of flits in a packet with a header and `sectors` sectors. The result is at
 * least one. */
static inline uint32_t flits_of(uint32_t sectors, uint32_t flit_bytes) {
    uint32_t flits = (XBAR_HEADER_BYTES + SECTOR_BYTES * sectors + flit_bytes - 1) / flit_bytes;
    return flits ? flits : 1;
}

/* Returns the number of flits in a packet with all sectors that the request touches. */
static inline uint32_t request_flits(const struct request *p, uint32_t flit_bytes) {
    return flits_of(request_carries(p) ? mask_sectors(&p->mask) : 0, flit_bytes);
}

/* Returns the number of flits in a piece, which has at most one sector. */
static inline uint32_t request_piece_flits(const struct request *p, uint32_t flit_bytes) {
    return flits_of(request_carries(p), flit_bytes);
}

/* ---- a network ---- */

/* Kind of network. */
enum xbar_net { XBAR_REQUESTS, XBAR_REPLIES };

struct xbar_size {
    uint32_t n_in, n_out, in_queue, out_queue, latency, speedup;
    bool flit_places, input_bursts;
    uint32_t sharers; /* number of receivers per output */
};

/* Returns the maximum number of packets in both networks together. */
uint64_t xbar_requests(const struct config *cfg);
/* Returns the maximum number of interconnect cycles that a request and its reply spend in the
 * networks, excluding waits in queues and the time between the networks. */
uint64_t xbar_longest_wait(const struct config *cfg);

void xbar_init(struct xbar *x, struct context *context, const struct xbar_size *size);
void xbar_free(struct xbar *x);
/* Ticks one interconnect cycle. */
void xbar_tick(struct xbar *x);
/* True if packets wait in input queues, so that each cycle must be ticked. */
static inline bool xbar_has_input(const struct xbar *x) {
    return x->queued != 0;
}
/* Returns the first interconnect cycle in which a receiver sees a packet, or UINT64_MAX if there is
 * none. All inputs must be empty. The result is xbar.cycle or earlier if a packet already waits. */
uint64_t xbar_next_event(const struct xbar *x);

static inline bool xbar_can_push(const struct xbar *x, uint32_t in) {
    return x->in[in].used < x->in_queue;
}

/* Pushes a packet for receiver `to` to input `in`, which must have room. The packet consists of
 * `pieces` pieces (1 to XBAR_MAX_PIECES) of `flits` flits each (1 to XBAR_MAX_FLITS), which are
 * arbitrated one by one. The packet arrives with its last piece. */
void xbar_push(struct xbar *x, uint32_t in, uint32_t packet, uint32_t to, uint32_t flits,
               uint32_t pieces);
/* Returns the output of receiver `to`. */
static inline uint32_t xbar_output(const struct xbar *x, uint32_t to) {
    return x->sharers == 1 ? to : to / x->sharers;
}

/* Skips cycles. All inputs must be empty. */
static inline void xbar_advance(struct xbar *x, uint64_t cycles) {
    x->cycle += cycles;
}

/* Returns the cycle before which a packet must be ready in order to wait at its output in
 * `instant`, which is the current or the next instant. The result is the same for all receivers. */
static inline uint64_t xbar_seen(const struct xbar *x, uint64_t instant) {
    return x->cycle + (x->ticked_at != instant);
}

/* True if a packet waits for a receiver in `instant`, which is the current or the next instant. */
static inline bool xbar_waiting_in(const struct xbar *x, uint32_t to, uint64_t instant) {
    return x->ready[to] < xbar_seen(x, instant);
}

/* True if a packet waits for a receiver in the current instant. */
static inline bool xbar_waiting(const struct xbar *x, uint32_t to) {
    return x->ready[to] < xbar_seen(x, x->context->now);
}

/* Returns the packet that waits for a receiver in the current instant, or REQUEST_NONE. A packet
 * delivered in this instant becomes visible in the next instant. */
static inline uint32_t xbar_peek(const struct xbar *x, uint32_t to) {
    return xbar_waiting(x, to) ? ring_first(&x->out[xbar_output(x, to)].queue)->request
                               : REQUEST_NONE;
}

/* Shows the first packet of a shared output to its receiver, from crossbar cycle `cycle` on. */
static inline void xbar_show_first(struct xbar *x, uint32_t out, uint64_t cycle) {
    const struct timed_fifo *q = &x->out[out].queue;
    if (q->count)
        x->ready[out * x->sharers + xbar_note(ring_at(q, 0)).sharer] =
            q->ready > cycle ? q->ready : cycle;
}

/* Takes the packet that waits for receiver `to`. */
static inline uint32_t xbar_pop(struct xbar *x, uint32_t to) {
    const uint32_t out = xbar_output(x, to);
    struct timed_fifo *q = &x->out[out].queue;
    x->out[out].used -= x->flit_places ? xbar_flits(xbar_note(ring_at(q, 0))) : 1;
    uint32_t packet = timed_fifo_pop(q);
    x->ready[to] = x->sharers == 1 ? q->ready : XBAR_NEVER;
    if (x->sharers > 1)
        xbar_show_first(x, out, xbar_seen(x, x->context->now));
    if (q->count)
        request_prefetch(&x->context->pool, ring_first(q)->request);
    x->context->progress++;
    return packet;
}

/* Adds the network's statistics to *to. */
void xbar_add_stats(const struct xbar *x, enum xbar_net net, struct stats *to);
/* Passes the network's gauges to `to`. */
void xbar_gauges(const struct xbar *x, enum xbar_net net, const struct gauge_reader *to);
/* Prints the waiting packets and the packets in flight, one line per port. */
void xbar_dump(const struct xbar *x, enum xbar_net net, FILE *out);

#endif
