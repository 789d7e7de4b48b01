/* SPDX-License-Identifier: Apache-2.0 */
/* Clock domains with exact frequency ratios.
 *
 * The n-th edge of domain d (n = 0, 1, ..) is at time n / f_d. The unit of time is 1 / (least
 * common multiple of all frequencies), so the times of edges are exact. Only the times to the next
 * edges are kept, so nothing overflows. */
#ifndef MEMTWIN_LIB_CLOCKS_H
#define MEMTWIN_LIB_CLOCKS_H

#include <stdint.h>

enum clock_domain { CLOCK_DRAM, CLOCK_L2, CLOCK_ICNT, CLOCK_SM, CLOCK_DOMAINS };

struct clocks {
    uint64_t period[CLOCK_DOMAINS]; /* period in units of 1/lcm */
    uint64_t left[CLOCK_DOMAINS];   /* time to the next edge in units of 1/lcm */
};

/* Sets the frequencies in MHz, 1..10000. The first edges of all domains coincide. */
void clocks_init(struct clocks *c, const uint64_t mhz[CLOCK_DOMAINS]);
/* Advances to the next instant with an edge. Returns a mask of the domains with an edge, in
 * which bit d is domain d. */
unsigned clocks_next(struct clocks *c);
/* Skips all instants before the first edge that matters. The next idle[d] edges of domain d do
 * not matter; UINT64_MAX means that none of its edges matter. At least one idle[d] must be less
 * than UINT64_MAX. Stores the number of skipped edges per domain in passed[]. */
void clocks_advance(struct clocks *c, const uint64_t idle[CLOCK_DOMAINS],
                    uint64_t passed[CLOCK_DOMAINS]);

#endif
