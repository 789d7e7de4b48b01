/* SPDX-License-Identifier: Apache-2.0 */
/* dl_mshr_paper: the DL-MSHR and its Dynamic Allocation Unit as in Gu and Chen (ICS 2019, section
 * 4), with the paper's options. Ports and cycles: docs/understand/dl_mshr_paper.md. RTL:
 * rtl/dl_mshr_paper/. */
#ifndef MEMTWIN_DL_MSHR_PAPER_DL_MSHR_PAPER_H
#define MEMTWIN_DL_MSHR_PAPER_DL_MSHR_PAPER_H

#include "mshr/mshr_ports.h"

/* Parameters after the common ones. */
enum dl_mshr_paper_param {
    DL_MSHR_PAPER_RESERVED_HEADS = MSHR_N_COMMON,
    DL_MSHR_PAPER_TAIL, /* enum dl_mshr_paper_tail */
    DL_MSHR_PAPER_GATE, /* optimization 2; affects only area and power */
    DL_MSHR_PAPER_EARLY_FREE,
    DL_MSHR_PAPER_N_PARAMS
};

/* Methods of finding the tail of a super-entry (optimization 3). */
enum dl_mshr_paper_tail { DL_MSHR_PAPER_WALK, DL_MSHR_PAPER_POINTER, DL_MSHR_PAPER_RING };

extern const struct block_type dl_mshr_paper_type;

#endif
