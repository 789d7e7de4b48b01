/* SPDX-License-Identifier: Apache-2.0 */
/* What a network notes about a packet that it holds. */
#ifndef MEMTWIN_XBAR_XBAR_PACKET_H
#define MEMTWIN_XBAR_XBAR_PACKET_H

#include "lib/packet.h"

struct xbar_packet {
    uint16_t dest; /* output port */
    uint16_t flits;
} __attribute__((may_alias));

static inline struct xbar_packet *xbar_packet(struct packet *p) {
    _Static_assert(sizeof(struct xbar_packet) <= sizeof p->of_holder, "the room in a packet");
    return (struct xbar_packet *)p->of_holder;
}

#endif
