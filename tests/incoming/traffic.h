/* SPDX-License-Identifier: Apache-2.0 */
/* Random traffic for the incoming ports: its manner changes every few hundred cycles, from a line
 * or two in one bank to all banks and rows, from a bank that takes everything to one that takes
 * nearly nothing. */
#ifndef MEMTWIN_TESTS_INCOMING_TRAFFIC_H
#define MEMTWIN_TESTS_INCOMING_TRAFFIC_H

#include <stdint.h>

#include "incoming/incoming_ports.h"
#include "lib/bits.h"

struct traffic {
    uint64_t x; /* random state, not 0 */
    unsigned addr_w, id_w;
    unsigned left;          /* cycles of this manner */
    unsigned fills, drains; /* in 16ths: how many cycles have them */
    uint64_t base, vary;    /* addresses: bits of `vary` are random, the others those of `base` */
    uint32_t next_id;
    bool resets;
};

static inline uint64_t traffic_random(struct traffic *t) {
    t->x ^= t->x << 13, t->x ^= t->x >> 7, t->x ^= t->x << 17;
    return t->x * UINT64_C(0x2545F4914F6CDD1D) >> 8;
}

static inline void traffic_manner(struct traffic *t) {
    static const unsigned rates[] = {0, 1, 4, 8, 12, 15, 16, 16};
    uint64_t all = bits_low(t->addr_w);
    t->left = 20 + (unsigned)(traffic_random(t) % 400);
    t->fills = rates[traffic_random(t) % 8];
    t->drains = rates[traffic_random(t) % 8];
    t->base = traffic_random(t) & all;
    t->vary = all;
    for (uint64_t i = traffic_random(t) % 5; i; i--) /* each time half of the bits are left */
        t->vary &= traffic_random(t);
}

/* The inputs of a cycle. A refused fill may be changed or withdrawn in the next. */
static inline void traffic_drive(struct traffic *t, struct incoming_in *in) {
    if (!t->left--)
        traffic_manner(t);
    uint64_t r = traffic_random(t);
    in->rst = t->resets && r % 4096 == 0;
    in->fill_valid = (r >> 16) % 16 < t->fills;
    in->drain_ready = (r >> 24) % 16 < t->drains;
    in->fill_addr = (t->base & ~t->vary) | (traffic_random(t) & t->vary);
    in->fill_id = t->next_id++ & bits_low(t->id_w);
}

#endif
