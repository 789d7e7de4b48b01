/* SPDX-License-Identifier: Apache-2.0 */
/* unlimited_mshr: an MSHR that is large enough never to refuse a request. It is the upper bound
 * for real MSHRs. It is a pool of HEADS slot sets linked as in dl_mshr, with no reserved heads
 * and no walk. The pool is meant to be larger than any machine can fill. A full pool
 * refuses requests as dl_mshr does: with entry full for a new line, and with merge full for a line
 * whose last set is full. Head IDs have 14 bits. Ports, cycles and order are those of dl_mshr
 * (docs/understand/dl_mshr.md). There is no Verilog module, so it has no twin. */
#ifndef MEMTWIN_UNLIMITED_MSHR_UNLIMITED_MSHR_H
#define MEMTWIN_UNLIMITED_MSHR_UNLIMITED_MSHR_H

#include "mshr/mshr_ports.h"

/* Values of the parameters HEADS (index MSHR_SETS) and SLOTS (index MSHR_SLOTS). */
#define UNLIMITED_MSHR_HEADS 16384
#define UNLIMITED_MSHR_SLOTS 4

extern const struct block_type unlimited_mshr_type;

#endif
