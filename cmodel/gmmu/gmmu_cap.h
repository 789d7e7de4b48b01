/* SPDX-License-Identifier: Apache-2.0 */
/* The block `cap` (docs/understand/cap.md) beside the page walkers: it is told the sizes of all
 * allocations, and answers the prefetcher in the cycle of the service, for which it is clocked as
 * often as that takes. */
#ifndef MEMTWIN_GMMU_GMMU_CAP_H
#define MEMTWIN_GMMU_GMMU_CAP_H

#include <stddef.h>

#include "block/block_part.h"
#include "config/config.h"
#include "context/context.h"
#include "gmmu/observer.h"
#include "uvm/uvm.h"

/* The block `gmmu.cap` in reset: its first cycle has rst = 1. context and uvm are not owned. NULL
 * with one line in err. */
struct gmmu_observer *gmmu_cap_create(const struct config *cfg, struct context *context,
                                      struct uvm *uvm, char *err, size_t err_size);

#endif
