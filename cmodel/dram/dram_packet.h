/* What a DRAM channel notes about a packet that it holds. */
#ifndef MEMTWIN_DRAM_DRAM_PACKET_H
#define MEMTWIN_DRAM_DRAM_PACKET_H

#include <string.h>

#include "lib/packet.h"

struct dram_packet {
    uint16_t atoms; /* its column accesses that are not done */
    uint16_t slice; /* L2 bank of the partition that the line goes back to */
};

static inline struct dram_packet dram_packet(const struct packet *p) {
    struct dram_packet note;
    _Static_assert(sizeof note <= sizeof p->of_holder, "the room in a packet");
    memcpy(&note, &p->of_holder, sizeof note);
    return note;
}

static inline void dram_packet_set(struct packet *p, const struct dram_packet *note) {
    memcpy(&p->of_holder, note, sizeof *note);
}

#endif
