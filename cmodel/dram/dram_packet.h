/* SPDX-License-Identifier: Apache-2.0 */
/* What a DRAM channel notes about a packet that it holds: in the packet, and before the device in
 * its slot of the queue. */
#ifndef MEMTWIN_DRAM_DRAM_PACKET_H
#define MEMTWIN_DRAM_DRAM_PACKET_H

#include "lib/request.h"

struct dram_packet {
    uint16_t atoms; /* its column accesses that are not done */
    uint16_t slice; /* L2 bank of the partition that the line goes back to */
} __attribute__((may_alias));

/* What it asks the device for. */
struct dram_asked {
    uint8_t bits, atoms; /* bit n for atom n; how many */
    uint16_t writes;     /* 0 or 1 */
};

static inline struct dram_packet *dram_packet(struct request *p) {
    _Static_assert(sizeof(struct dram_packet) <= sizeof p->of_holder, "the room in a packet");
    return (struct dram_packet *)p->of_holder;
}

#endif
