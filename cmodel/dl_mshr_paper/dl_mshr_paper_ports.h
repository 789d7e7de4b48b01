/* SPDX-License-Identifier: Apache-2.0 */
/* Gives the port list of dl_mshr_paper the names that the twin's shim uses. */
#ifndef MEMTWIN_DL_MSHR_PAPER_PORTS_H
#define MEMTWIN_DL_MSHR_PAPER_PORTS_H

#include "mshr/mshr_ports.h"

#define BLOCK_PORTS DL_MSHR_PAPER_PORTS
#define BLOCK_IN_T struct mshr_in
#define BLOCK_OUT_T struct mshr_out

#endif
