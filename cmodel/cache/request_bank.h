/* SPDX-License-Identifier: Apache-2.0 */
/* The L2 bank that a request goes to. */
#ifndef MEMTWIN_CACHE_REQUEST_BANK_H
#define MEMTWIN_CACHE_REQUEST_BANK_H

#include <assert.h>

#include "cache/addr_map.h"
#include "context/context.h"

/* The bank of a line that the packet asks for; REQUEST_NONE: nothing is sent there. Draws it if the
 * map does so. If threads must not draw now it is noted in context.undrawn, and the bank is not the
 * one. */
static inline uint32_t line_bank(struct context *c, const struct addr_map *m, uint64_t line,
                                 uint32_t packet) {
    uint32_t bank = c->undrawn ? addr_find_bank(m, line) : addr_bank(m, line);
    if (bank != ADDR_NO_BANK)
        return bank;
    assert(c->n_undrawn < c->undrawn_room);
    c->undrawn[c->n_undrawn++] = (struct undrawn){line, packet};
    return 0;
}

static inline uint32_t request_bank(struct context *c, const struct addr_map *m, uint32_t packet) {
    return line_bank(c, m, request_at(&c->pool, packet)->line, packet);
}

#endif
