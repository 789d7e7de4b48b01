/* SPDX-License-Identifier: Apache-2.0 */
/* The bits that an MSHR of an L2 bank keeps of a request and gives back with the response: {kind 2,
 * bypass 1, result 1, SM 9, name 16}. The name is what the L1D knows the request by: its entry in
 * the table of loads or in the MSHR, or the warp and CTA of a store. */
#ifndef MEMTWIN_CACHE_REQUEST_TAG_H
#define MEMTWIN_CACHE_REQUEST_TAG_H

#include "lib/request.h"

#define REQUEST_TAG_W 29

static inline uint16_t request_name(const struct request *r) {
    const struct request_origin *o = &r->origin;
    if (r->bypass || r->result)
        return o->load;
    return request_writes(r) ? (uint16_t)(o->warp << 8 | o->kernel << 6 | o->cta) : r->entry;
}

static inline uint32_t request_tag(const struct request *r) {
    return (uint32_t)r->kind << 27 | (uint32_t)r->bypass << 26 | (uint32_t)r->result << 25 |
           (uint32_t)(r->origin.sm & 511) << 16 | request_name(r);
}

/* Makes the request what the tag says. Only a twin that drives gives back another tag. */
static inline void request_set_tag(struct request *r, uint32_t tag) {
    r->kind = tag >> 27 & 3;
    r->bypass = tag >> 26 & 1;
    r->result = tag >> 25 & 1;
    r->origin.sm = tag >> 16 & 511;
    r->origin.load = r->entry = (uint16_t)tag;
    r->origin.warp = (uint8_t)(tag >> 8);
    r->origin.kernel = tag >> 6 & 3;
    r->origin.cta = tag & 63;
}

#endif
