// SPDX-License-Identifier: Apache-2.0
#include "lib/clocks.h"

static uint64_t gcd(uint64_t a, uint64_t b) {
    while (b) {
        uint64_t r = a % b;
        a = b;
        b = r;
    }
    return a;
}

void clocks_init(struct clocks *c, const uint64_t mhz[CLOCK_DOMAINS]) {
    uint64_t lcm = 1; /* at most 10^16, because the four frequencies are at most 10^4 */
    for (int d = 0; d < CLOCK_DOMAINS; d++)
        lcm = lcm / gcd(lcm, mhz[d]) * mhz[d];
    for (int d = 0; d < CLOCK_DOMAINS; d++) {
        c->period[d] = lcm / mhz[d];
        c->left[d] = 0;
    }
}

unsigned clocks_next(struct clocks *c) {
    uint64_t step = c->left[0];
    for (int d = 1; d < CLOCK_DOMAINS; d++)
        if (c->left[d] < step)
            step = c->left[d];
    unsigned edges = 0;
    for (int d = 0; d < CLOCK_DOMAINS; d++) {
        c->left[d] -= step;
        if (c->left[d] == 0) {
            c->left[d] = c->period[d];
            edges |= 1u << d;
        }
    }
    return edges;
}

void clocks_advance(struct clocks *c, const uint64_t idle[CLOCK_DOMAINS],
                    uint64_t passed[CLOCK_DOMAINS]) {
    uint64_t end = UINT64_MAX; /* time of the first edge that matters */
    for (int d = 0; d < CLOCK_DOMAINS; d++) {
        if (idle[d] >= (UINT64_MAX - c->left[d]) / c->period[d])
            continue;
        uint64_t instant = c->left[d] + idle[d] * c->period[d];
        end = instant < end ? instant : end;
    }
    for (int d = 0; d < CLOCK_DOMAINS; d++) {
        passed[d] = end > c->left[d] ? (end - c->left[d] + c->period[d] - 1) / c->period[d] : 0;
        c->left[d] += passed[d] * c->period[d] - end;
    }
}
