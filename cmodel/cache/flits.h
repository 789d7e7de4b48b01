/* Length of packets in the crossbar. */
#ifndef MEMTWIN_CACHE_FLITS_H
#define MEMTWIN_CACHE_FLITS_H

#include "lib/packet.h"

/* A store carries the 32 B sectors that it touches, a load's reply the whole line; a load's request
 * and a store's acknowledgement are a header only. At least one flit. */
static inline uint16_t packet_flits(const struct packet *p, uint32_t header_bytes,
                                    uint32_t flit_bytes) {
    uint32_t bytes = header_bytes;
    if (p->write && !p->reply)
        bytes += 32 * mask_sectors(&p->mask);
    else if (!p->write && p->reply)
        bytes += LINE_BYTES;
    uint32_t flits = (bytes + flit_bytes - 1) / flit_bytes;
    return (uint16_t)(flits ? flits : 1);
}

#endif
