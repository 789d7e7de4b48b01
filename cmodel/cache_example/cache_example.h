/* SPDX-License-Identifier: Apache-2.0 */
/* cache_example: a small non-blocking write-back cache on AXI4, with dl_mshr inside. Ports and
 * cycles: docs/understand/cache_example.md. RTL: rtl/cache_example/. No part of the simulated GPU
 * has it: it is an example of a user of dl_mshr, verified as a block is. */
#ifndef MEMTWIN_CACHE_EXAMPLE_CACHE_EXAMPLE_H
#define MEMTWIN_CACHE_EXAMPLE_CACHE_EXAMPLE_H

#include "block/block.h"

enum cache_example_param {
    CACHE_LINE_BYTES, /* bytes of a line */
    CACHE_SETS,
    CACHE_WAYS,
    CACHE_DATA_W, /* bits of a word: of a request, and of a beat */
    CACHE_ADDR_W, /* bits of an address in bytes */
    CACHE_ID_W,
    CACHE_MSHR_SETS,
    CACHE_MSHR_SLOTS,
    CACHE_EVICTS, /* lines of the eviction buffer */
    CACHE_N_PARAMS
};

#define CACHE_MAX_WORDS 8 /* 32-bit words of DATA_W */

/* Why the request in S1 waits (st_wait). Same codes in the RTL. */
enum cache_wait {
    CACHE_WAIT_NONE,
    CACHE_WAIT_ERROR,      /* an error has stopped the cache */
    CACHE_WAIT_COPY,       /* a line is copied into the eviction buffer */
    CACHE_WAIT_DRAIN,      /* a drain has the data RAM, or is of this set */
    CACHE_WAIT_ANSWER,     /* the answer before has not been taken */
    CACHE_WAIT_WRITE,      /* a beat is written */
    CACHE_WAIT_EVICTED,    /* its line is in the eviction buffer */
    CACHE_WAIT_ENTRY_FULL, /* the MSHR refuses it */
    CACHE_WAIT_MERGE_FULL,
    CACHE_WAIT_WAYS,   /* all ways of its set are filling */
    CACHE_WAIT_BUFFER, /* the eviction buffer is full */
    CACHE_WAIT_VICTIM, /* its victim is evicted from this cycle on */
    CACHE_WAIT_FETCH,  /* the fetch before has not been taken */
    CACHE_N_WAITS
};

extern const struct block_type cache_example_type;

#endif
