/* SPDX-License-Identifier: Apache-2.0 */
/* static_mshr: the conventional, explicitly addressed MSHR (Farkas and Jouppi, ISCA 1994; Gu and
 * Chen, ICS 2019, Figure 7a). docs/understand/static_mshr.md describes its ports and cycles. The
 * RTL is in rtl/static_mshr/. */
#ifndef MEMTWIN_STATIC_MSHR_STATIC_MSHR_H
#define MEMTWIN_STATIC_MSHR_STATIC_MSHR_H

#include "mshr/mshr_ports.h"

/* Indices of the parameters that follow the common ones. */
enum static_mshr_param {
    STATIC_MSHR_ADDR_OUT = MSHR_N_COMMON,
    STATIC_MSHR_LOOKUP,
    STATIC_MSHR_N_PARAMS
};

extern const struct block_type static_mshr_type;

#endif
