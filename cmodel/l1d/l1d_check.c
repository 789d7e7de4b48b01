// SPDX-License-Identifier: Apache-2.0
/* Relations between the keys of the L1D. */
#include <inttypes.h>

#include "cache/cache_check.h"
#include "l1d/l1d.h"

#define MOST_LINES (1 << 18) /* 32 MB */

static int check_partition(const struct config *cfg, char *err, size_t err_size) {
    if (cfg->l1d_partition != L1D_PARTITION_UCP)
        return 0;
    if (!cfg->l1d_enabled)
        return config_refuse(err, err_size, "l1d.partition=ucp needs l1d.enabled=1, not 0");
    if (cfg->l1d_bypass == BYPASS_PDP)
        return config_refuse(err, err_size,
                             "l1d.partition=ucp and l1d.bypass=pdp: both choose what a miss "
                             "replaces; one of them");
    return 0;
}

int l1d_check_kernels(const struct config *cfg, uint32_t kernels, char *err, size_t err_size) {
    if (cfg->l1d_partition == L1D_PARTITION_UCP && kernels > cfg->l1d_ways)
        return config_refuse(err, err_size,
                             "l1d.partition=ucp: %" PRIu32
                             " workloads need as many ways, and l1d.ways=%" PRId64,
                             kernels, cfg->l1d_ways);
    return 0;
}

int l1d_check(const struct config *cfg, char *err, size_t err_size) {
    const struct cache_keys keys = CACHE_KEYS_OF(cfg, l1d);
    bool back = cfg->l1d_write == L1D_LOCAL_WB || cfg->l1d_write == L1D_WBWA;
    /* A miss that replaces a dirty line sends two packets at once. */
    if (back && cfg->l1d_allocate == ALLOCATE_MISS && cfg->l1d_miss_queue < 2)
        return config_refuse(
            err, err_size,
            "l1d.write=%s with l1d.allocate=miss needs l1d.miss_queue of 2 at least (a "
            "write-back and a fetch), not %" PRId64,
            cfg->l1d_write == L1D_WBWA ? "wbwa" : "local_wb", cfg->l1d_miss_queue);
    if (cfg->l1d_sets * cfg->l1d_ways > MOST_LINES)
        return config_refuse(err, err_size,
                             "l1d.sets=%" PRId64 " and l1d.ways=%" PRId64 " are more than %d lines",
                             cfg->l1d_sets, cfg->l1d_ways, MOST_LINES);
    if (cfg->l1d_bypass == BYPASS_PDP && !cfg->l1d_enabled)
        return config_refuse(err, err_size, "l1d.bypass=pdp needs l1d.enabled=1, not 0");
    if (check_partition(cfg, err, err_size) != 0)
        return -1;
    return cache_check(&keys, err, err_size);
}
