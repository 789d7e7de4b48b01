/* An L2 bank: write-back, allocation on read and write misses, LRU, MSHRs that hold write data.
 *
 * One access a cycle, in order; one line from DRAM at a time; one reply a cycle to the crossbar;
 * one request a cycle to DRAM. Cycle order and refusals: docs/system.md.
 */
#ifndef MEMTWIN_L2_L2_H
#define MEMTWIN_L2_L2_H

#include <stdbool.h>
#include <stdint.h>

#include "cache/addr_map.h"
#include "cache/mshr_unit.h"
#include "cache/refusals.h"
#include "cache/tags.h"
#include "dram/dram.h"
#include "gpu/frame.h"
#include "stats/stats.h"
#include "xbar/xbar.h"

#define L2_MAX_HEADS 256

/* The requests that one super-entry tracks, in order. */
struct l2_head {
    uint32_t first, last; /* packets */
    uint32_t way;         /* way that waits for the line, or WAY_NONE */
};

struct l2 {
    struct frame *frame;        /* not owned */
    struct xbar *req, *reply;   /* not owned */
    struct dram *dram;          /* not owned; the bank's channel */
    const struct addr_map *map; /* not owned */
    struct stats stats;
    enum set_index set_index;
    uint32_t bank, slice; /* over all partitions; within its own */
    uint32_t latency, flit_bytes, header_bytes;
    uint64_t cycle; /* the one going on, or the next; counts from 0 */
    struct refusals refusals;
    struct tags tags;
    uint8_t *data;      /* owned; LINE_BYTES per way, if data are carried */
    uint32_t *way_head; /* owned; per way: the MSHR head that a RESERVED line belongs to */
    struct mshr_unit mshr;
    struct l2_head head[L2_MAX_HEADS];
    uint32_t drain_first, drain_way; /* the requests that are leaving (packets), and their line */
    struct timed_fifo in;            /* `latency` stages and the in_queue behind them */
    struct fifo miss_queue, evict_buffer, rsp_queue;
};

/* Returns 0, or -1 with one line in err. */
int l2_init(struct l2 *l2, const struct config *cfg, struct frame *frame, uint32_t bank, char *err,
            size_t err_size);
void l2_free(struct l2 *l2);
/* Makes room for line data. Returns 0, or -1 if out of memory. */
int l2_carry(struct l2 *l2, bool on);
/* One L2 cycle. */
void l2_tick(struct l2 *l2);
/* The bank's copy of a line. Returns false if it has none. */
bool l2_read_line(const struct l2 *l2, uint64_t line, uint8_t data[LINE_BYTES]);

#endif
