/* SPDX-License-Identifier: Apache-2.0 */
/* PCIe: a link to the GPU and a link to the host, each with at most one transfer at a time.
 *
 * Time is in SM cycles, rounded up for each transfer. pcie.model=flat: a constant pcie.gbps, in
 * units of 10^9 B/s. curve: a speed that grows with the size, fitted to measurements
 *     2 a / pi * atan(0.07292 * KB)  in 2^30 B/s, a = 12, 24, 48 for links of 16, 32, 64 GB/s
 * and half of it for an explicit copy of 2 MB or more.
 */
#ifndef MEMTWIN_UVM_PCIE_H
#define MEMTWIN_UVM_PCIE_H

#include <stdbool.h>
#include <stdint.h>

#include "config/config.h"

/* pcie.model */
enum { PCIE_FLAT, PCIE_CURVE };

/* SM cycles of a transfer of `bytes` bytes, at least 1. copy: an explicit copy. */
uint64_t pcie_cycles(const struct config *cfg, uint64_t bytes, bool copy);

struct pcie_link {
    bool busy;
    uint64_t until;                   /* busy: cycle in which the transfer ends */
    uint64_t bytes, transfers, spent; /* statistics; spent: cycles, those to come too */
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

/* The transfer that is under way ends in this cycle; it no longer is. */
static inline bool pcie_ends(struct pcie_link *link, uint64_t cycle) {
    if (!link->busy || cycle < link->until)
        return false;
    link->busy = false;
    return true;
}

/* Cycles before `cycle` in which the link was in use. */
static inline uint64_t pcie_busy(const struct pcie_link *link, uint64_t cycle) {
    bool ahead = link->busy && link->until > cycle;
    return link->spent - (ahead ? link->until - cycle : 0);
}

#endif
