/* What an L2 bank notes about a packet, until the packet leaves it as a reply. */
#ifndef MEMTWIN_L2_L2_PACKET_H
#define MEMTWIN_L2_L2_PACKET_H

#include <string.h>

#include "lib/packet.h"

struct l2_packet {
    uint32_t parent; /* request that this packet is a sector's part of, or PACKET_NONE */
    uint8_t parts;   /* its parts that are not yet served */
    uint8_t refused; /* why it was refused so far, while another is looked up */
    bool past;       /* load, or a part of one, on its way to DRAM and back past the lines */
};

static inline struct l2_packet l2_packet(const struct packet *p) {
    struct l2_packet note;
    _Static_assert(sizeof note <= sizeof p->of_asked, "the room in a packet");
    memcpy(&note, &p->of_asked, sizeof note);
    return note;
}

static inline void l2_packet_set(struct packet *p, const struct l2_packet *note) {
    memcpy(&p->of_asked, note, sizeof *note);
}

#endif
