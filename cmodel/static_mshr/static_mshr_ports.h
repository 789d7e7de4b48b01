/* SPDX-License-Identifier: Apache-2.0 */
/* Defines the port list of static_mshr under the names that the twin's shim uses. */
#ifndef MEMTWIN_STATIC_MSHR_PORTS_H
#define MEMTWIN_STATIC_MSHR_PORTS_H

#include "mshr/mshr_ports.h"

#define BLOCK_PORTS STATIC_MSHR_PORTS
#define BLOCK_IN_T struct mshr_in
#define BLOCK_OUT_T struct mshr_out

#endif
