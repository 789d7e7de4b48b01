/* SPDX-License-Identifier: Apache-2.0 */
/* unlimited_mshr: as many entries and slots as are needed; the bound that real MSHRs are measured
 * against. It is a pool of HEADS slot sets that are linked as in dl_mshr, none reserved and no
 * walk, far more than a machine of this size can fill. Should all be in use it refuses like that
 * one: a new line entry-full, a line whose last set is full merge-full. Head ids have 14 bits.
 * Ports, cycles and order as dl_mshr (docs/understand/dl_mshr.md). There is no Verilog, so no twin.
 */
#ifndef MEMTWIN_UNLIMITED_MSHR_UNLIMITED_MSHR_H
#define MEMTWIN_UNLIMITED_MSHR_UNLIMITED_MSHR_H

#include "mshr/mshr_ports.h"

/* Parameters: HEADS in the place of SETS, then the common ones. */
#define UNLIMITED_MSHR_HEADS 16384
#define UNLIMITED_MSHR_SLOTS 4

extern const struct block_type unlimited_mshr_type;

#endif
