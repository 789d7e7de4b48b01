/* SPDX-License-Identifier: Apache-2.0 */
/* What HPE and its hardware, the HIR cache, tell each other. docs/understand/hpe.md. The cache
 * sends entries by uvm_send (uvm/uvm.h): the number of a page set, and the counters of its pages,
 * hir.count_bits each. */
#ifndef MEMTWIN_EVICT_HPE_H
#define MEMTWIN_EVICT_HPE_H

#include <stdbool.h>

struct hpe;

/* The HIR cache shall send its counters. True once for each time that this is due. */
bool hpe_calls_hir(struct hpe *h);

#endif
