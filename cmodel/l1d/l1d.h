/* L1 data cache of an SM: write-through, no allocation on stores, allocation on a miss, LRU.
 *
 * One access a cycle from the LSU, one reply a cycle from the crossbar, one response a cycle to the
 * register file. Cycle order and refusals: docs/system.md.
 */
#ifndef MEMTWIN_L1D_L1D_H
#define MEMTWIN_L1D_L1D_H

#include <stdbool.h>
#include <stdint.h>

#include "cache/addr_map.h"
#include "cache/mshr_unit.h"
#include "cache/refusals.h"
#include "cache/tags.h"
#include "gpu/frame.h"
#include "stats/stats.h"
#include "xbar/xbar.h"

#define L1D_MAX_HEADS 256

/* A line (or, with sm.coalesce=sector, sector) access of the LSU. It stays the same until it is
 * taken. */
struct l1d_access {
    uint64_t line;
    struct byte_mask mask;
    uint32_t id;  /* pending load, of a load or an atomic with a result */
    uint8_t kind; /* PACKET_LOAD, PACKET_STORE or PACKET_ATOMIC */
    bool local;   /* local memory */
    bool skip;    /* a load that must be served by the L2 */
    bool result;  /* of an atomic: `id` waits for the old bytes */
};

/* An access that is answered: `id`, `line` and `offset` tell which. */
struct l1d_rsp {
    uint64_t ready; /* SM cycle in which it leaves the hit pipeline */
    uint64_t line;
    uint32_t id;              /* pending load */
    uint32_t version;         /* of an atomic, else 0 */
    uint16_t offset;          /* of the access's first byte in the line */
    uint8_t data[LINE_BYTES]; /* only if data are carried */
};

struct l1d_rsp_queue {
    struct l1d_rsp *slot; /* owned */
    uint32_t head, count, capacity;
};

struct l1d {
    struct frame *frame;        /* not owned */
    struct xbar *req, *reply;   /* not owned */
    struct stats *stats;        /* not owned; the SM's */
    const struct addr_map *map; /* not owned */
    enum set_index set_index;
    uint32_t sm, hit_latency, flit_bytes, header_bytes;
    bool enabled;
    struct refusals refusals;
    struct tags tags;
    uint8_t *data; /* owned; LINE_BYTES per way, if data are carried */
    struct mshr_unit mshr;
    uint32_t head_way[L1D_MAX_HEADS]; /* way that a head waits for, or WAY_NONE */
    struct fifo miss_queue;
    struct l1d_rsp_queue hits; /* hit pipeline; capacity is its stages */
    struct l1d_rsp_queue rsp;
    uint64_t draining_line;   /* line of the fill buffer */
    uint8_t fill[LINE_BYTES]; /* fill buffer: data that the draining requests get */
    uint64_t stores_out;      /* stores accepted and not acknowledged */
};

/* Returns 0, or -1 with one line in err. */
int l1d_init(struct l1d *l1, const struct config *cfg, struct frame *frame, uint32_t sm, char *err,
             size_t err_size);
void l1d_free(struct l1d *l1);
/* Makes room for line data. Returns 0, or -1 if out of memory. */
int l1d_carry(struct l1d *l1, bool on);

/* Nothing to do in this cycle unless there is an access. */
static inline bool l1d_idle(const struct l1d *l1) {
    return !l1->miss_queue.count && !l1->hits.count && mshr_unit_idle(&l1->mshr) &&
           xbar_peek(l1->reply, l1->sm) == PACKET_NONE;
}

/* One SM cycle with the LSU's head access (NULL: none). Returns true if it was taken. */
bool l1d_tick(struct l1d *l1, const struct l1d_access *access, uint64_t cycle);

static inline const struct l1d_rsp *l1d_rsp_peek(const struct l1d *l1) {
    return l1->rsp.count ? &l1->rsp.slot[l1->rsp.head] : NULL;
}

static inline void l1d_rsp_pop(struct l1d *l1) {
    struct l1d_rsp_queue *q = &l1->rsp;
    if (++q->head == q->capacity)
        q->head = 0;
    q->count--;
}

/* Between kernels: all lines become INVALID. */
void l1d_invalidate(struct l1d *l1);

#endif
