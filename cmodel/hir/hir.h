/* SPDX-License-Identifier: Apache-2.0 */
/* hir: the hit information record cache of hierarchical page eviction (Yu et al., TCAD 2019,
 * section IV.B). Ports and cycles: docs/understand/hir.md. RTL: rtl/hir/. */
#ifndef MEMTWIN_HIR_HIR_H
#define MEMTWIN_HIR_HIR_H

#include "block/block.h"

enum hir_param {
    HIR_SETS,    /* number of sets, a power of two */
    HIR_WAYS,    /* number of entries per set */
    HIR_SET_W,   /* width of a page-set number in bits */
    HIR_PAGES,   /* number of pages, each with a counter, per page set; a power of two */
    HIR_COUNT_W, /* width of a page's counter in bits */
    HIR_LOST_W,  /* width of the counter of lost hits in bits */
    HIR_N_PARAMS
};

/* Number of cycles from `flush` to the first `out_valid`. */
#define HIR_FLUSH_LATENCY 4

extern const struct block_type hir_type;

/* Returns 0 if a lookup or a flush is in progress, or UINT64_MAX if ticks change nothing until a
 * hit or a flush arrives. */
uint64_t hir_next_event(const void *model);

#endif
