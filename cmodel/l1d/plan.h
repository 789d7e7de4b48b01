/* SPDX-License-Identifier: Apache-2.0 */
/* What becomes of an access at the L1D, by its lines, fetches and queues at the start of the cycle,
 * before the MSHR is asked. Changes nothing. The table behind it: docs/understand/l1d.md.
 */
#ifndef MEMTWIN_L1D_PLAN_H
#define MEMTWIN_L1D_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "l1d/l1d.h"
#include "stats/stats.h"

enum plan_kind {
    PLAN_NONE,
    PLAN_REFUSE,
    PLAN_HIT,
    PLAN_PRIMARY,
    PLAN_SECONDARY,
    PLAN_DIRECT,     /* load past the MSHR */
    PLAN_STORE,      /* written through */
    PLAN_STORE_HERE, /* kept, to be written back */
    PLAN_ATOMIC,     /* done by the L2 */
    PLAN_WRITE_BACK  /* the way's dirty bytes have to leave first; the access is refused */
};

struct plan {
    enum plan_kind kind;
    enum stat_id reason; /* of PLAN_REFUSE */
    uint32_t way;        /* that holds the line or, if `claim`, is to hold it; or WAY_NONE */
    uint32_t head;       /* that the granule is on its way for, or HEAD_NONE */
    bool claim;
    bool turned;  /* it was to go past the L1D, and found no bypass slot free */
    uint32_t set; /* in which it was looked for, if it is not refused */
};

/* a: NULL for none. */
struct plan plan_access(const struct l1d *l1, const struct l1d_access *a);

/* The access is a load that goes past the L1D even if its line is here, or of a user that does. */
static inline bool plan_past(const struct l1d *l1, const struct l1d_access *a) {
    return a->skip || l1->mdb.past;
}

/* The store is kept, to be written back. */
static inline bool plan_keeps(const struct l1d *l1, const struct l1d_access *a) {
    return l1->write == L1D_WBWA || (l1->write == L1D_LOCAL_WB && a->local);
}

/* A load whose miss is refused for that reason goes past the L1D instead (l1d.bypass=stall, line).
 * way: that holds its line, or WAY_NONE. */
bool plan_passes_stall(const struct l1d *l1, const struct l1d_access *a, uint32_t way,
                       enum stat_id reason);

/* The way that a new line of the kernel may take, or WAY_NONE. Protection apart. */
static inline uint32_t plan_victim(const struct l1d *l1, uint32_t set, uint32_t kernel) {
    return ucp_on(&l1->ucp) ? ucp_victim(&l1->ucp, &l1->lines, set, kernel)
                            : lines_victim(&l1->lines, set);
}

/* What a fetch for this access brings: its granule, its sectors. */
static inline uint64_t plan_granule(const struct l1d *l1, const struct l1d_access *a) {
    return l1->sectored ? a->line * LINE_SECTORS + mask_first(&a->mask) / 32 : a->line;
}

/* The access may have to ask the MSHR. */
static inline bool plan_asks(const struct l1d_access *a) {
    return a->kind == REQUEST_LOAD && !a->skip;
}

static inline unsigned plan_sectors(const struct l1d *l1, const struct l1d_access *a) {
    return l1->sectored ? 1u << mask_first(&a->mask) / 32 : SECTORS_ALL;
}

#endif
