/* SPDX-License-Identifier: Apache-2.0 */
/* The block `expiry` (docs/understand/expiry.md) beside the page walkers: the coalescing table of
 * true-usage eviction (evict/ture.h), which it serves. */
#ifndef MEMTWIN_GMMU_GMMU_EXPIRY_H
#define MEMTWIN_GMMU_GMMU_EXPIRY_H

#include <stddef.h>

#include "block/block_part.h"
#include "config/config.h"
#include "gmmu/observer.h"
#include "uvm/uvm.h"

/* The block `gmmu.expiry` in reset: its first cycle has rst = 1. uvm is not owned. NULL with one
 * line in err. */
struct gmmu_observer *gmmu_expiry_create(const struct config *cfg, struct block_list *blocks,
                                         struct uvm *uvm, char *err, size_t err_size);

#endif
