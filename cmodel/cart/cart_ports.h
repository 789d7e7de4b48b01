/* SPDX-License-Identifier: Apache-2.0 */
/* Gives the port list of cart the names that the twin's shim uses. */
#ifndef MEMTWIN_CART_PORTS_H
#define MEMTWIN_CART_PORTS_H

#include "incoming/incoming_ports.h"

#define BLOCK_PORTS INCOMING_PORTS
#define BLOCK_IN_T struct incoming_in
#define BLOCK_OUT_T struct incoming_out

#endif
