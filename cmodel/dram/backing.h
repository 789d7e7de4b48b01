/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps the content of memory. Only written lines are stored. All other lines contain the stamps of
 * version 0 (check/check.h) or garbage. */
#ifndef MEMTWIN_DRAM_BACKING_H
#define MEMTWIN_DRAM_BACKING_H

#include <stdbool.h>
#include <stdint.h>

#include "check/check.h"
#include "lib/hash_map.h"

struct backing {
    struct hash_map lines; /* maps a written line to its index in `data` */
    uint8_t *data;         /* owned; LINE_BYTES per line */
    uint32_t room;         /* capacity of `data` in lines */
    bool garbage; /* lines that were never written contain garbage, except in local memory */
};

void backing_free(struct backing *b);
/* Fills a line with bytes that no store has ever written. */
void backing_garbage(uint8_t data[LINE_BYTES], uint64_t line);
void backing_read(const struct backing *b, uint64_t line, uint8_t data[LINE_BYTES]);
/* Writes the masked bytes. */
void backing_write(struct backing *b, uint64_t line, const uint8_t data[LINE_BYTES],
                   const struct byte_mask *mask);

#endif
