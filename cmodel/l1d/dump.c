// SPDX-License-Identifier: Apache-2.0
/* Prints an L1D's requests and queues. */
#include <inttypes.h>

#include "l1d/l1d.h"
#include "lib/request_dump.h"

static void dump_misses(const struct l1d *l1, FILE *out) {
    const struct cache *c = &l1->cache;
    for (uint32_t i = 0; i < c->misses.room; i++)
        if (misses_has(&c->misses, i))
            fprintf(out, "l1d.%u entry %u waits for 0x%" PRIx64 "%s\n", (unsigned)l1->sm,
                    (unsigned)i, cache_line_of(c, c->misses.miss[i].granule) * LINE_BYTES,
                    c->misses.miss[i].poisoned ? ", poisoned" : "");
}

void l1d_dump(const struct l1d *l1, FILE *out) {
    const struct cache *c = &l1->cache;
    request_dump_fifo(&c->context->pool, &c->miss_queue, "l1d", l1->sm, "miss queue", out);
    if (l1->hits.count || l1->responses.count)
        fprintf(out, "l1d.%u hits %u/%u, responses %u/%u\n", (unsigned)l1->sm,
                (unsigned)l1->hits.count, (unsigned)l1->hits.capacity,
                (unsigned)l1->responses.count, (unsigned)l1->responses.capacity);
    for (uint32_t i = 0; i < c->banks; i++)
        mshr_unit_dump(&c->bank[i].mshr, out);
    if (l1->bypassing.value || l1->dirty_ways)
        fprintf(out, "l1d.%u bypassing loads %u/%u, dirty lines %u%s\n", (unsigned)l1->sm,
                (unsigned)l1->bypassing.value, (unsigned)l1->bypass_limit, (unsigned)l1->dirty_ways,
                l1->flush ? ", flushing" : "");
    cache_policies_dump(c, l1->sm, out);
    dump_misses(l1, out);
}
