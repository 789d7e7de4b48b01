// SPDX-License-Identifier: Apache-2.0
#include "uvm/pcie.h"

#include <math.h>

static uint64_t flat_cycles(const struct config *cfg, uint64_t bytes) {
    uint64_t per_us = 1000 * (uint64_t)cfg->pcie_gbps; /* bytes per microsecond */
    return (bytes * (uint64_t)cfg->clock_sm_mhz + per_us - 1) / per_us;
}

static uint64_t curve_cycles(const struct config *cfg, uint64_t bytes, bool copy) {
    const long double pi = acosl(-1.0L), a = 12.0L * (long double)cfg->pcie_gbps / 16;
    long double size = (long double)bytes;
    long double speed = 2 * a / pi * atanl(0.07292L * size / 1024);
    if (copy && cfg->pcie_copy_slow_kib && bytes >= 1024 * (uint64_t)cfg->pcie_copy_slow_kib)
        speed /= 2;
    long double hz = (long double)cfg->clock_sm_mhz * 1e6L;
    return (uint64_t)ceill(size * hz / (speed * 0x1p30L));
}

uint64_t pcie_cycles(const struct config *cfg, uint64_t bytes, bool copy) {
    uint64_t cycles =
        cfg->pcie_model == PCIE_CURVE ? curve_cycles(cfg, bytes, copy) : flat_cycles(cfg, bytes);
    return cycles ? cycles : 1;
}
