/* SPDX-License-Identifier: Apache-2.0 */
/* in_fifo: the FIFO incoming buffer of an L2 bank (Gu, PhD dissertation, Oregon State University,
 * section 2.2.2, Figure 2.2a). Ports and cycles: docs/understand/incoming.md. RTL: rtl/in_fifo/. */
#ifndef MEMTWIN_IN_FIFO_IN_FIFO_H
#define MEMTWIN_IN_FIFO_IN_FIFO_H

#include "incoming/incoming_ports.h"

extern const struct block_type in_fifo_type;

#endif
