/* SPDX-License-Identifier: Apache-2.0 */
/* Defines the port list of in_fifo under the names that the twin's shim uses. */
#ifndef MEMTWIN_IN_FIFO_PORTS_H
#define MEMTWIN_IN_FIFO_PORTS_H

#include "incoming/incoming_ports.h"

#define BLOCK_PORTS INCOMING_PORTS
#define BLOCK_IN_T struct incoming_in
#define BLOCK_OUT_T struct incoming_out

#endif
