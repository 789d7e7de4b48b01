/* SPDX-License-Identifier: Apache-2.0 */
/* Tables that grow to the largest index used. */
#ifndef MEMTWIN_LIB_TABLE_H
#define MEMTWIN_LIB_TABLE_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/bits.h"

/* Grows a table of *room entries of `size` bytes to at least `entries` entries. New entries are
 * zero. Returns the table's new address. */
static inline void *table_reach(void *table, uint32_t *room, uint32_t entries, size_t size) {
    if (entries <= *room)
        return table;
    uint64_t wide = bits_round_up(entries);
    if (wide > UINT32_MAX)
        alloc_limit("entries of a table", UINT32_MAX);
    char *grown = alloc_resized(table, wide, size);
    memset(grown + *room * size, 0, (wide - *room) * size);
    *room = (uint32_t)wide;
    return grown;
}

#endif
