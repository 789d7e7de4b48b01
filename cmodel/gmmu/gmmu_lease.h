/* SPDX-License-Identifier: Apache-2.0 */
/* The block `lease` (docs/understand/lease.md) beside the page walkers: it samples accesses, and
 * what it grants goes to true-usage eviction (evict/ture.h). */
#ifndef MEMTWIN_GMMU_GMMU_LEASE_H
#define MEMTWIN_GMMU_GMMU_LEASE_H

#include <stddef.h>

#include "block/block_part.h"
#include "config/config.h"
#include "gmmu/observer.h"
#include "uvm/uvm.h"

/* The block `gmmu.lease` in reset: its first cycle has rst = 1. uvm is not owned. NULL with one
 * line in err. */
struct gmmu_observer *gmmu_lease_create(const struct config *cfg, struct block_list *blocks,
                                        struct uvm *uvm, char *err, size_t err_size);

#endif
