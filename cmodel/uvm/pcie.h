/* SPDX-License-Identifier: Apache-2.0 */
/* PCIe: a link to the GPU and a link to the host, each with at most one transfer at a time.
 *
 * Time is in SM cycles, rounded up for each transfer. If pcie.model=flat, the speed is constant:
 * pcie.gbps, in units of 10^9 B/s. If pcie.model=curve, the speed increases with KB, the
 * transfer's size in units of 1024 B, as fitted to measurements:
 *   2 a / pi * atan(0.07292 * KB) in 2^30 B/s, a = 12, 24, 48 for links of 16, 32, 64 GB/s
 * An explicit copy of at least pcie.copy_slow_kib has half this speed. */
#ifndef MEMTWIN_UVM_PCIE_H
#define MEMTWIN_UVM_PCIE_H

#include <stdbool.h>
#include <stdint.h>

#include "config/config.h"

/* Values of pcie.model. */
enum { PCIE_MODEL_VALUES(VALUE_ENUMERATOR) };

/* Returns the number of SM cycles for a transfer of `bytes` bytes, at least 1. `copy` is true for
 * an explicit copy. */
uint64_t pcie_cycles(const struct config *cfg, uint64_t bytes, bool copy);

struct pcie_link {
    bool busy;
    uint64_t until; /* cycle in which the transfer ends, if busy */
    uint64_t bytes, transfers,
        spent; /* statistics; spent: busy cycles, including all cycles of the current transfer */
};

static inline void pcie_start(struct pcie_link *link, const struct config *cfg, uint64_t bytes,
                              bool copy, uint64_t cycle) {
    uint64_t cycles = pcie_cycles(cfg, bytes, copy);
    link->busy = true;
    link->until = cycle + cycles;
    link->bytes += bytes;
    link->transfers++;
    link->spent += cycles;
}

/* Ends the current transfer if it is due in this cycle. Returns true if the transfer has ended. */
static inline bool pcie_ends(struct pcie_link *link, uint64_t cycle) {
    if (!link->busy || cycle < link->until)
        return false;
    link->busy = false;
    return true;
}

/* Returns the number of cycles before `cycle` in which the link was busy. */
static inline uint64_t pcie_busy(const struct pcie_link *link, uint64_t cycle) {
    bool ahead = link->busy && link->until > cycle;
    return link->spent - (ahead ? link->until - cycle : 0);
}

#endif
