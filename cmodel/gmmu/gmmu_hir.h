/* SPDX-License-Identifier: Apache-2.0 */
/* The HIR cache (docs/understand/hir.md) as an observer of page walks: it counts those that hit,
 * and sends what it has counted when the driver says that it shall. */
#ifndef MEMTWIN_GMMU_GMMU_HIR_H
#define MEMTWIN_GMMU_GMMU_HIR_H

#include <stddef.h>

#include "block/block_part.h"
#include "config/config.h"
#include "gmmu/observer.h"
#include "uvm/uvm.h"

/* The block `gmmu.hir` in reset: its first cycle has rst = 1. uvm is not owned. NULL with one line
 * in err. */
struct gmmu_observer *gmmu_hir_create(const struct config *cfg, struct block_list *blocks,
                                      struct uvm *uvm, char *err, size_t err_size);

#endif
