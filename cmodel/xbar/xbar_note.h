/* SPDX-License-Identifier: Apache-2.0 */
/* What a network notes about a packet that it holds: in the packet's slot of a queue, so that no
 * network touches a packet. */
#ifndef MEMTWIN_XBAR_XBAR_NOTE_H
#define MEMTWIN_XBAR_XBAR_NOTE_H

#include <string.h>

#include "lib/timed_fifo.h"

#define XBAR_MAX_FLITS 63
#define XBAR_MAX_PIECES 7

struct xbar_note {
    uint32_t dest : 16;    /* output port */
    uint32_t flits : 6;    /* of a piece */
    uint32_t pieces : 3;   /* that it consists of, */
    uint32_t together : 3; /* that pass the switch as one, */
    uint32_t left : 3;     /* and times that some of them still have to pass */
};

static inline struct xbar_note xbar_note(const struct timed_slot *slot) {
    struct xbar_note n;
    _Static_assert(sizeof n == sizeof slot->note, "the room in a slot");
    memcpy(&n, &slot->note, sizeof n);
    return n;
}

static inline void xbar_set_note(struct timed_slot *slot, struct xbar_note n) {
    memcpy(&slot->note, &n, sizeof n);
}

static inline uint32_t xbar_flits(struct xbar_note n) {
    return n.flits * n.pieces;
}

#endif
