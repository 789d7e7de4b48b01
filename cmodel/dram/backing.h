/* SPDX-License-Identifier: Apache-2.0 */
/* What memory holds: the lines that were written, all others at version 0, or garbage. */
#ifndef MEMTWIN_DRAM_BACKING_H
#define MEMTWIN_DRAM_BACKING_H

#include <stdbool.h>
#include <stdint.h>

#include "check/check.h"

struct backing {
    uint64_t *line;      /* owned; open addressing; ~0: free */
    uint8_t *data;       /* owned; LINE_BYTES per place */
    uint64_t size, used; /* places; size is a power of two or 0 */
    bool garbage;        /* that is what lines hold that were never written, except local memory */
};

void backing_free(struct backing *b);
/* What no store has ever written. */
void backing_garbage(uint8_t data[LINE_BYTES], uint64_t line);
void backing_read(const struct backing *b, uint64_t line, uint8_t data[LINE_BYTES]);
/* Writes the masked bytes. */
void backing_write(struct backing *b, uint64_t line, const uint8_t data[LINE_BYTES],
                   const struct byte_mask *mask);

#endif
