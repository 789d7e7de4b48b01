/* SPDX-License-Identifier: Apache-2.0 */
/* cache_example: a small non-blocking write-back cache on AXI4 that contains a dl_mshr_paper. Ports
 * and cycles: docs/understand/cache_example.md. RTL: rtl/cache_example/. It shows how to use
 * dl_mshr, and is verified as a block. The simulated GPU does not use it. */
#ifndef MEMTWIN_CACHE_EXAMPLE_CACHE_EXAMPLE_H
#define MEMTWIN_CACHE_EXAMPLE_CACHE_EXAMPLE_H

#include "block/block.h"

enum cache_example_param {
    CACHE_EXAMPLE_LINE_BYTES, /* number of bytes in a line */
    CACHE_EXAMPLE_SETS,
    CACHE_EXAMPLE_WAYS,
    CACHE_EXAMPLE_DATA_W, /* number of bits in a word, the unit of a request and of a beat */
    CACHE_EXAMPLE_ADDR_W, /* number of bits in a byte address */
    CACHE_EXAMPLE_ID_W,
    CACHE_EXAMPLE_MSHR_SETS,
    CACHE_EXAMPLE_MSHR_SLOTS,
    CACHE_EXAMPLE_EVICTS, /* number of lines in the eviction buffer */
    CACHE_EXAMPLE_N_PARAMS
};

#define CACHE_MAX_WORDS 8 /* maximum number of 32-bit words in a word of DATA_W bits */

/* Reason why the request in S1 waits (st_wait). The RTL has the same codes. */
enum cache_wait {
    CACHE_WAIT_NONE,
    CACHE_WAIT_ERROR,      /* an error has stopped the cache */
    CACHE_WAIT_COPY,       /* a line is being copied into the eviction buffer */
    CACHE_WAIT_DRAIN,      /* a drain uses the data RAM or the request's set */
    CACHE_WAIT_ANSWER,     /* the previous response has not been taken */
    CACHE_WAIT_WRITE,      /* a beat is being written */
    CACHE_WAIT_EVICTED,    /* the request's line is in the eviction buffer */
    CACHE_WAIT_ENTRY_FULL, /* the MSHR has no free entry for the request */
    CACHE_WAIT_MERGE_FULL, /* the MSHR entry has no free slot for the request */
    CACHE_WAIT_WAYS,       /* all ways of the request's set are being filled */
    CACHE_WAIT_BUFFER,     /* the eviction buffer is full */
    CACHE_WAIT_VICTIM,     /* the eviction of the request's victim begins in this cycle */
    CACHE_WAIT_FETCH,      /* the previous fetch has not been taken */
    CACHE_N_WAITS
};

extern const struct block_type cache_example_type;

#endif
