/* SPDX-License-Identifier: Apache-2.0 */
/* Length of packets in the crossbar. */
#ifndef MEMTWIN_CACHE_FLITS_H
#define MEMTWIN_CACHE_FLITS_H

#include "lib/packet.h"

/* A request that writes carries the 32 B sectors that it touches, and so does a load's reply, or an
 * atomic's with a result; a load's request and an acknowledgement are a header only. At least one
 * flit. */
static inline uint16_t packet_flits(const struct packet *p, uint32_t header_bytes,
                                    uint32_t flit_bytes) {
    uint32_t bytes = header_bytes;
    bool data = p->reply ? !packet_writes(p) || p->result : packet_writes(p);
    if (data)
        bytes += 32 * mask_sectors(&p->mask);
    uint32_t flits = (bytes + flit_bytes - 1) / flit_bytes;
    return (uint16_t)(flits ? flits : 1);
}

#endif
