/* SPDX-License-Identifier: Apache-2.0 */
/* Generates random traffic for the incoming ports. Its character changes every few hundred cycles:
 * from one or two lines in one bank to all banks and rows, and from a bank that accepts every
 * request to one that accepts almost none. */
#ifndef MEMTWIN_TESTS_INCOMING_TRAFFIC_H
#define MEMTWIN_TESTS_INCOMING_TRAFFIC_H

#include <stdint.h>

#include "incoming/incoming_ports.h"
#include "lib/bits.h"

struct incoming_traffic {
    uint64_t x; /* state of the random generator, never 0 */
    unsigned addr_w, id_w;
    unsigned left;          /* number of cycles until the next change */
    unsigned fills, drains; /* probabilities of a fill and of a drain in a cycle, in 16ths */
    uint64_t base, vary; /* an address has random bits in `vary` and all other bits from `base` */
    uint32_t next_id;
    bool resets;
};

static inline uint64_t traffic_random(struct incoming_traffic *t) {
    t->x ^= t->x << 13, t->x ^= t->x >> 7, t->x ^= t->x << 17;
    return t->x * UINT64_C(0x2545F4914F6CDD1D) >> 8;
}

static inline void traffic_manner(struct incoming_traffic *t) {
    static const unsigned rates[] = {0, 1, 4, 8, 12, 15, 16, 16};
    uint64_t all = bits_low(t->addr_w);
    t->left = 20 + (unsigned)(traffic_random(t) % 400);
    t->fills = rates[traffic_random(t) % 8];
    t->drains = rates[traffic_random(t) % 8];
    t->base = traffic_random(t) & all;
    t->vary = all;
    for (uint64_t i = traffic_random(t) % 5; i; i--) /* each round clears half of the bits */
        t->vary &= traffic_random(t);
}

/* Generates the inputs of a cycle. A refused fill may be changed or withdrawn in the next cycle. */
static inline void traffic_drive(struct incoming_traffic *t, struct incoming_in *in) {
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
