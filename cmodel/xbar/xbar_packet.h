/* What a network notes about a packet that it holds. */
#ifndef MEMTWIN_XBAR_XBAR_PACKET_H
#define MEMTWIN_XBAR_XBAR_PACKET_H

#include <string.h>

#include "lib/packet.h"

struct xbar_packet {
    uint16_t dest; /* output port */
    uint16_t flits;
};

static inline struct xbar_packet xbar_packet(const struct packet *p) {
    struct xbar_packet note;
    _Static_assert(sizeof note <= sizeof p->of_holder, "the room in a packet");
    memcpy(&note, &p->of_holder, sizeof note);
    return note;
}

static inline void xbar_packet_set(struct packet *p, const struct xbar_packet *note) {
    memcpy(&p->of_holder, note, sizeof *note);
}

#endif
