/* SPDX-License-Identifier: Apache-2.0 */
/* Connects HPE with its hardware, the HIR cache (docs/understand/hpe.md). The HIR cache sends
 * entries with uvm_send (uvm/uvm.h). An entry consists of the number of a page set and one counter
 * of HIR_COUNT_BITS bits for each page of the set. */
#ifndef MEMTWIN_EVICT_HPE_H
#define MEMTWIN_EVICT_HPE_H

#include <stdbool.h>

/* Number of bits in a page's counter (Yu et al., section V). */
#define HIR_COUNT_BITS 2

struct hpe;

/* Returns true once for each transfer that the HIR cache must start. */
bool hpe_calls_hir(struct hpe *h);

#endif
