/* SPDX-License-Identifier: Apache-2.0 */
/* Gauges show the occupancy or utilization of a resource in a part. A part always shows the same
 * gauges in the same order. The name and the unit stay valid as long as the part exists. */
#ifndef MEMTWIN_STATS_GAUGE_H
#define MEMTWIN_STATS_GAUGE_H

#include <stdbool.h>
#include <stdint.h>

struct gauge {
    const char *name, *unit; /* name of the resource; unit of its level */
    uint64_t capacity;       /* maximum level; 0 for no limit */
    uint64_t value;          /* sum of the level over the cycles so far */
    uint64_t cycles; /* number of cycles so far, in the part's clock domain; if 0, `value` is the
                        current level */
    bool bank;       /* true if the gauge is for a single DRAM bank, which not every reader shows */
};

/* Receiver of gauges. */
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
