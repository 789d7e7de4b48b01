/* SPDX-License-Identifier: Apache-2.0 */
/* Gauges: how full or busy something in a part is. A part shows those that it has, always the same
 * ones in the same order; the name and the unit live as long as the part. */
#ifndef MEMTWIN_STATS_GAUGE_H
#define MEMTWIN_STATS_GAUGE_H

#include <stdbool.h>
#include <stdint.h>

struct gauge {
    const char *name, *unit; /* what, and what is counted in it */
    uint64_t capacity;       /* it is never more; 0: no limit */
    uint64_t value;          /* its sum over the cycles so far */
    uint64_t cycles;         /* how many these are, of the part's clock; 0: value is that of now */
    bool bank;               /* of one DRAM bank: not among the gauges of every run */
};

/* Who is shown gauges. */
struct gauge_reader {
    void *ctx;
    void (*read)(void *ctx, const struct gauge *gauge);
};

static inline void gauge_show(const struct gauge_reader *to, const char *name, const char *unit,
                              uint64_t capacity, uint64_t value, uint64_t cycles) {
    const struct gauge gauge = {name, unit, capacity, value, cycles, false};
    to->read(to->ctx, &gauge);
}

#endif
