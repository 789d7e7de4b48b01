/* SPDX-License-Identifier: Apache-2.0 */
/* What a network notes about a packet that it holds. */
#ifndef MEMTWIN_XBAR_XBAR_PACKET_H
#define MEMTWIN_XBAR_XBAR_PACKET_H

#include "lib/packet.h"

#define XBAR_MAX_FLITS 63
#define XBAR_MAX_PIECES 7

struct xbar_packet {
    uint32_t dest : 16;    /* output port */
    uint32_t flits : 6;    /* of a piece */
    uint32_t pieces : 3;   /* that it consists of, */
    uint32_t together : 3; /* that pass the switch as one, */
    uint32_t left : 3;     /* and times that some of them still have to pass */
} __attribute__((may_alias));

static inline uint32_t xbar_flits(const struct xbar_packet *p) {
    return p->flits * p->pieces;
}

static inline struct xbar_packet *xbar_packet(struct packet *p) {
    _Static_assert(sizeof(struct xbar_packet) <= sizeof p->of_holder, "the room in a packet");
    return (struct xbar_packet *)p->of_holder;
}

#endif
