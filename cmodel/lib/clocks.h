/* SPDX-License-Identifier: Apache-2.0 */
/* Clock domains with exact ratios.
 *
 * The n-th edge of domain d (n = 0, 1, ..) is at time n / f_d. Time is counted in units of 1 / lcm
 * of all frequencies, so no edge is ever rounded; only the spans to the next edges are kept, so
 * nothing overflows.
 */
#ifndef MEMTWIN_LIB_CLOCKS_H
#define MEMTWIN_LIB_CLOCKS_H

#include <stdint.h>

enum clock_domain { CLOCK_DRAM, CLOCK_L2, CLOCK_ICNT, CLOCK_SM, CLOCK_DOMAINS };

struct clocks {
    uint64_t period[CLOCK_DOMAINS]; /* in units of 1/lcm */
    uint64_t left[CLOCK_DOMAINS];   /* to the next edge */
};

/* Frequencies in MHz, 1..10000. All domains have their first edge in the first instant. */
void clocks_init(struct clocks *c, const uint64_t mhz[CLOCK_DOMAINS]);
/* Goes to the next instant that has an edge. Returns the domains that have one, bit d for domain d.
 */
unsigned clocks_next(struct clocks *c);
/* Passes over instants: those before the first edge that matters, where the next idle[d] edges of
 * domain d do not (UINT64_MAX: none ever does; one domain at least has less). Writes to passed[d]
 * how many edges of each domain that were. */
void clocks_advance(struct clocks *c, const uint64_t idle[CLOCK_DOMAINS],
                    uint64_t passed[CLOCK_DOMAINS]);

#endif
