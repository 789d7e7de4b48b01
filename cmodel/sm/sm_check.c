// SPDX-License-Identifier: Apache-2.0
/* Relations between the keys of the SM, and those between it and its L1D. */
#include <inttypes.h>

#include "sm/sm.h"

int64_t sm_most_in_flight(const struct config *cfg) {
    const int64_t piped = cfg->l1d_lookup == L1D_LOOKUP_BACK ? cfg->l1d_hit_latency : 0;
    return cfg->sm_pending_loads + cfg->sm_lsu_queue + piped +
           cfg->l1d_mrpb_queues * cfg->l1d_mrpb_depth;
}

int sm_check(const struct config *cfg, char *err, size_t err_size) {
    if (cfg->sm_schedulers > cfg->sm_warps)
        return config_refuse(err, err_size, "sm.schedulers=%" PRId64 " is above sm.warps=%" PRId64,
                             cfg->sm_schedulers, cfg->sm_warps);
    if (cfg->sm_scheduler == SCHEDULER_SWL && cfg->sm_swl_warps > cfg->sm_warps)
        return config_refuse(err, err_size, "sm.swl_warps=%" PRId64 " is above sm.warps=%" PRId64,
                             cfg->sm_swl_warps, cfg->sm_warps);
    if (cfg->l1d_sectored && cfg->sm_coalesce != COALESCE_SECTOR)
        return config_refuse(err, err_size, "l1d.sectored=yes needs sm.coalesce=sector, not %s",
                             cfg->sm_coalesce == COALESCE_LINE ? "line" : "segment");
    const int64_t banks = cfg->sm_register_banks;
    if (banks & (banks - 1))
        return config_refuse(err, err_size, "sm.register_banks=%" PRId64 " is not a power of two",
                             banks);
    if (banks && !cfg->sm_collectors &&
        (cfg->sm_memory_issue != 1 || cfg->sm_shared_path != SHARED_LSU))
        return config_refuse(
            err, err_size,
            "sm.register_banks=%" PRId64
            " without sm.collectors needs sm.memory_issue=1 and sm.shared_path=lsu",
            banks);
    if (cfg->sm_collectors &&
        (banks % cfg->sm_schedulers || banks / cfg->sm_schedulers > BANK_USES_MAX))
        return config_refuse(
            err, err_size,
            "sm.register_banks=%" PRId64
            " with sm.collectors: not 1 to %d banks for each of sm.schedulers=%" PRId64,
            banks, BANK_USES_MAX, cfg->sm_schedulers);
    if (cfg->sm_lsu_latency > 1 && cfg->sm_collectors)
        return config_refuse(err, err_size,
                             "sm.collectors=%" PRId64 " needs sm.lsu_latency=1, not %" PRId64,
                             cfg->sm_collectors, cfg->sm_lsu_latency);
    return 0;
}
