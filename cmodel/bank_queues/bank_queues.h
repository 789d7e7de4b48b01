/* SPDX-License-Identifier: Apache-2.0 */
/* bank_queues: sorts requests into queues by DRAM bank, and drains the queues round robin (Gu, PhD
 * dissertation, Oregon State University, section 2.3.3, Figure 2.3). Ports and cycles:
 * docs/understand/incoming.md. RTL: rtl/bank_queues/. */
#ifndef MEMTWIN_BANK_QUEUES_BANK_QUEUES_H
#define MEMTWIN_BANK_QUEUES_BANK_QUEUES_H

#include "incoming/incoming_ports.h"

enum bank_queues_param {
    BANK_QUEUES_BANKS = INCOMING_N_COMMON, /* number of DRAM banks */
    BANK_QUEUES_BANK_MASK, /* mask of the line-number bits that form the bank number */
    BANK_QUEUES_QUEUES,
    BANK_QUEUES_HOLD,
    BANK_QUEUES_N_PARAMS
};

extern const struct block_type bank_queues_type;

#endif
