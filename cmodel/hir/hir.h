/* SPDX-License-Identifier: Apache-2.0 */
/* hir: the hit information record cache of hierarchical page eviction (Yu et al., TCAD 2019,
 * section IV.B). Ports and cycles: docs/understand/hir.md. RTL: rtl/hir/. */
#ifndef MEMTWIN_HIR_HIR_H
#define MEMTWIN_HIR_HIR_H

#include "block/block.h"

enum hir_param {
    HIR_SETS,    /* sets, a power of two */
    HIR_WAYS,    /* entries of a set */
    HIR_SET_W,   /* bits of a page-set number */
    HIR_PAGES,   /* pages of a page set, a power of two: counters of an entry */
    HIR_COUNT_W, /* bits of a counter */
    HIR_LOST_W,  /* bits of the counter of lost hits */
    HIR_N_PARAMS
};

/* Cycles from the one with `flush` to the first with `out_valid`. */
#define HIR_FLUSH_LATENCY 4

extern const struct block_type hir_type;

/* 0: the next tick looks a hit up or sends an entry out. UINT64_MAX: without hit and flush it
 * changes nothing. */
uint64_t hir_next_event(const void *model);

#endif
