/* SPDX-License-Identifier: Apache-2.0 */
/* What an L2 bank notes about a packet, until the packet leaves it as a reply. */
#ifndef MEMTWIN_L2_L2_PACKET_H
#define MEMTWIN_L2_L2_PACKET_H

#include "lib/request.h"

struct l2_packet {
    uint64_t joined; /* SM cycle from which it has waited for a fetch */
    uint32_t parent; /* request that this packet is a sector's part of, or REQUEST_NONE */
    uint8_t parts;   /* its parts that are not yet served */
    uint8_t refused; /* why it was refused so far, while another is looked up */
    bool past;       /* load, or a part of one, on its way to DRAM and back past the lines */
} __attribute__((may_alias));

static inline struct l2_packet *l2_packet(struct request *p) {
    _Static_assert(sizeof(struct l2_packet) <= sizeof p->of_asked, "the room in a packet");
    return (struct l2_packet *)p->of_asked;
}

#endif
