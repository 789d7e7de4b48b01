/* SPDX-License-Identifier: Apache-2.0 */
/* implicit_mshr: the implicitly addressed MSHR (Kroft, ISCA 1981; Farkas and Jouppi, ISCA 1994,
 * section 2). An entry has one slot per word of its line, and the slot's place says which word it
 * is for; so it takes each word once, and a second request for a word is refused (merge-full). A
 * request counts for the word of its first byte, req_off. Ports, cycles and order as static_mshr
 * (docs/understand/static_mshr.md). There is no Verilog, so no twin. */
#ifndef MEMTWIN_IMPLICIT_MSHR_IMPLICIT_MSHR_H
#define MEMTWIN_IMPLICIT_MSHR_IMPLICIT_MSHR_H

#include "mshr/mshr_ports.h"

/* Parameters: ENTRIES, then this in the place of SLOTS, then the common ones. The line has
 * 2^OFF_W bytes. */
enum implicit_mshr_param { IMPLICIT_MSHR_WORD = MSHR_SLOTS };

extern const struct block_type implicit_mshr_type;

#endif
