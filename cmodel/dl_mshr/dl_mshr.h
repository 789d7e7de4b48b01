/* SPDX-License-Identifier: Apache-2.0 */
/* dl_mshr: dynamically linked MSHRs and their Dynamic Allocation Unit (Gu and Chen, ICS 2019,
 * section 4). Ports and cycles: docs/understand/dl_mshr.md. RTL: rtl/dl_mshr/. */
#ifndef MEMTWIN_DL_MSHR_DL_MSHR_H
#define MEMTWIN_DL_MSHR_DL_MSHR_H

#include "mshr/mshr_ports.h"

/* Parameters after the common ones. */
enum dl_mshr_param {
    DL_MSHR_RESERVED_HEADS = MSHR_N_COMMON,
    DL_MSHR_TAIL, /* enum dl_mshr_tail */
    DL_MSHR_GATE, /* optimisation 2: shows in area and power only */
    DL_MSHR_EARLY_FREE,
    DL_MSHR_HEADS,  /* sets from here on may only be attached */
    DL_MSHR_LOOKUP, /* cycles */
    DL_MSHR_N_PARAMS
};

/* How the tail of a super-entry is found (optimisation 3). */
enum dl_mshr_tail { DL_MSHR_WALK, DL_MSHR_POINTER, DL_MSHR_RING };

extern const struct block_type dl_mshr_type;

#endif
