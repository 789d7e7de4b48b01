/* SPDX-License-Identifier: Apache-2.0 */
/* dl_mshr: dynamically linked MSHRs (Gu and Chen, ICS 2019, section 4) with two pools of slot sets,
 * heads and attached sets, and a two-cycle lookup. Ports and cycles: docs/understand/dl_mshr.md.
 * RTL: rtl/dl_mshr/. */
#ifndef MEMTWIN_DL_MSHR_DL_MSHR_H
#define MEMTWIN_DL_MSHR_DL_MSHR_H

#include "mshr/mshr_ports.h"

/* Parameters after the common ones. */
enum dl_mshr_param {
    DL_MSHR_ADDR_OUT = MSHR_N_COMMON,
    DL_MSHR_HEADS, /* number of sets that can be heads; the others are attached */
    DL_MSHR_N_PARAMS
};

extern const struct block_type dl_mshr_type;

#endif
