// SPDX-License-Identifier: Apache-2.0
/* What waits in an L1D. */
#include <inttypes.h>

#include "l1d/l1d.h"
#include "lib/request_dump.h"

static void dump_heads(const struct l1d *l1, FILE *out) {
    for (uint32_t h = 0; h < l1->inflight.heads; h++)
        if (granules_has(&l1->inflight, h))
            fprintf(out, "l1d.%u head %u waits for 0x%" PRIx64 "%s\n", (unsigned)l1->sm,
                    (unsigned)h, l1->head[h].line * LINE_BYTES,
                    l1->head[h].poisoned ? ", poisoned" : "");
}

static void dump_shares(const struct l1d *l1, FILE *out) {
    for (uint32_t k = 0; k < l1->ucp.kernels; k++)
        fprintf(out, "l1d.%u workload %u has %u of %u ways\n", (unsigned)l1->sm, (unsigned)k,
                (unsigned)l1->ucp.share[k], (unsigned)l1->ucp.ways);
}

void l1d_dump(const struct l1d *l1, FILE *out) {
    request_dump_fifo(&l1->context->pool, &l1->miss_queue, "l1d", l1->sm, "miss queue", out);
    if (l1->hits.count || l1->rsp.count)
        fprintf(out, "l1d.%u hits %u/%u, responses %u/%u\n", (unsigned)l1->sm,
                (unsigned)l1->hits.count, (unsigned)l1->hits.capacity, (unsigned)l1->rsp.count,
                (unsigned)l1->rsp.capacity);
    mshr_unit_dump(&l1->mshr, out);
    mdb_dump(&l1->mdb, l1->sm, out);
    if (l1->direct.value || l1->dirty_ways)
        fprintf(out, "l1d.%u direct loads %u/%u, dirty lines %u%s\n", (unsigned)l1->sm,
                (unsigned)l1->direct.value, (unsigned)l1->bypass_slots, (unsigned)l1->dirty_ways,
                l1->flush ? ", flushing" : "");
    dump_shares(l1, out);
    dump_heads(l1, out);
}
