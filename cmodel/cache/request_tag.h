/* SPDX-License-Identifier: Apache-2.0 */
/* Packs the request tag, the bits of a request that an L2 bank's MSHR keeps and returns with the
 * response. From the highest bit down, it consists of kind (2 bits), bypass (1), result (1), SM (9)
 * and name (16). The name identifies the request in the L1D. If bypass or result is 1, it is the
 * load table entry. Otherwise, it is the warp, kernel (its two lowest bits) and CTA of a write, or
 * the MSHR entry of a fetch. */
#ifndef MEMTWIN_CACHE_REQUEST_TAG_H
#define MEMTWIN_CACHE_REQUEST_TAG_H

#include "lib/request.h"

#define REQUEST_TAG_W 29

static inline uint16_t request_name(const struct request *r) {
    const struct request_origin *o = &r->origin;
    if (r->bypass || r->result)
        return o->load;
    return request_writes(r) ? (uint16_t)(o->warp << 8 | (o->kernel & 3) << 6 | o->cta) : r->entry;
}

static inline uint32_t request_tag(const struct request *r) {
    return (uint32_t)r->kind << 27 | (uint32_t)r->bypass << 26 | (uint32_t)r->result << 25 |
           (uint32_t)(r->origin.sm & 511) << 16 | request_name(r);
}

/* Sets the request's members from the tag. The members that the tag contains change only if a twin
 * in drive returns a wrong tag. */
static inline void request_set_tag(struct request *r, uint32_t tag) {
    r->kind = tag >> 27 & 3;
    r->bypass = tag >> 26 & 1;
    r->result = tag >> 25 & 1;
    r->origin.sm = tag >> 16 & 511;
    r->origin.load = r->entry = (uint16_t)tag;
    r->origin.warp = (uint8_t)(tag >> 8);
    r->origin.kernel = (uint8_t)((r->origin.kernel & ~3) | (tag >> 6 & 3));
    r->origin.cta = tag & 63;
}

#endif
