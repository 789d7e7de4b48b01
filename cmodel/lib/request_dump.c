// SPDX-License-Identifier: Apache-2.0
#include "lib/request_dump.h"

#include <inttypes.h>

const char *const request_kind_name[] = {"load", "store", "write-back", "atomic"};

void request_dump(const struct request_pool *pool, uint32_t number, FILE *out) {
    const struct request *r = &pool->place[number].request;
    const struct request_origin *o = &r->origin;
    fprintf(out, " [%s%s%s%s 0x%" PRIx64 " sm %u", request_kind_name[r->kind],
            r->reply ? " reply" : "", r->bypass ? " bypasses the L1D" : "",
            r->l2.bypass ? " bypasses the L2" : "", r->line * LINE_BYTES, (unsigned)o->sm);
    if (r->bypass || r->result)
        fprintf(out, " load %u]", (unsigned)o->load);
    else if (r->kind == REQUEST_LOAD)
        fprintf(out, " entry %u]", (unsigned)r->entry);
    else
        fprintf(out, " warp %u]", (unsigned)o->warp);
}

static void dump_head(const char *part, uint32_t i, const char *name, uint32_t count,
                      uint32_t capacity, FILE *out) {
    fprintf(out, "%s.%u %s %u/%u:", part, (unsigned)i, name, (unsigned)count, (unsigned)capacity);
}

void request_dump_fifo(const struct request_pool *pool, const struct fifo *q, const char *part,
                       uint32_t i, const char *name, FILE *out) {
    if (!q->count)
        return;
    dump_head(part, i, name, q->count, q->capacity, out);
    for (uint32_t n = 0; n < q->count; n++)
        request_dump(pool, *ring_at(q, n), out);
    fputc('\n', out);
}

void request_dump_timed(const struct request_pool *pool, const struct timed_fifo *q,
                        const char *part, uint32_t i, const char *name, FILE *out) {
    if (!q->count)
        return;
    dump_head(part, i, name, q->count, q->capacity, out);
    for (uint32_t n = 0; n < q->count; n++)
        request_dump(pool, ring_at(q, n)->request, out);
    fputc('\n', out);
}
