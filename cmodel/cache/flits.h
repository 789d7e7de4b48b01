/* SPDX-License-Identifier: Apache-2.0 */
/* Length of packets in the crossbar. */
#ifndef MEMTWIN_CACHE_FLITS_H
#define MEMTWIN_CACHE_FLITS_H

#include "lib/request.h"

/* Whether it carries data: a request that writes does, and so does a load's reply, or an atomic's
 * with a result. A load's request and an acknowledgement are a header only. */
static inline bool request_carries(const struct request *p) {
    return p->reply ? !request_writes(p) || p->result : request_writes(p);
}

/* Flits of a header and so many sectors, at least one. */
static inline uint32_t flits_of(uint32_t sectors, uint32_t header_bytes, uint32_t flit_bytes) {
    uint32_t flits = (header_bytes + SECTOR_BYTES * sectors + flit_bytes - 1) / flit_bytes;
    return flits ? flits : 1;
}

/* Of a packet with all sectors that it touches. */
static inline uint32_t request_flits(const struct request *p, uint32_t header_bytes,
                                     uint32_t flit_bytes) {
    return flits_of(request_carries(p) ? mask_sectors(&p->mask) : 0, header_bytes, flit_bytes);
}

/* Of one with one of its sectors. */
static inline uint32_t request_piece_flits(const struct request *p, uint32_t header_bytes,
                                           uint32_t flit_bytes) {
    return flits_of(request_carries(p), header_bytes, flit_bytes);
}

#endif
