// SPDX-License-Identifier: Apache-2.0
/* Checks relations between the keys of the SM, and between these keys and the keys of its L1D. */
#include <inttypes.h>

#include "sm/sm.h"

int64_t sm_most_in_flight(const struct config *cfg) {
    const int64_t piped = cfg->l1d_model == MODEL_GPGPUSIM ? cfg->l1d_hit_latency : 0;
    return cfg->sm_pending_loads + cfg->sm_lsu_queue + piped + cfg->l1d_mrpb_queues * MRPB_DEPTH;
}

static int check_units(const struct config *cfg, struct error *err) {
    const struct {
        const char *key, *value, *example;
    } unit[] = {{"alu", cfg->sm_alu, "6,1"},
                {"sfu", cfg->sm_sfu, "20,4"},
                {"fp64", cfg->sm_fp64, "40,16"},
                {"int", cfg->sm_int, "none or 7,2"},
                {"branch", cfg->sm_branch, "none or 9,4"},
                {"texture", cfg->sm_texture, "none or 205,4"},
                {"tensor", cfg->sm_tensor, "none or 13,4"},
                {"uniform", cfg->sm_uniform, "none or 9,1"}};
    enum { MANDATORY = 3 };
    uint32_t latency, interval;
    for (unsigned i = 0; i < sizeof unit / sizeof unit[0]; i++)
        if (!(i < MANDATORY ? units_read(unit[i].value, &latency, &interval)
                            : units_read_own(unit[i].value, &latency, &interval)))
            return error_set(err,
                             "sm.%s=%s: must be LATENCY,INTERVAL without blanks, 1..1000 and "
                             "1..64 cycles, for example %s",
                             unit[i].key, unit[i].value, unit[i].example);
    return 0;
}

int sm_check(const struct config *cfg, struct error *err) {
    if (cfg->sm_schedulers > cfg->sm_warps)
        return error_set(err, "sm.schedulers=%" PRId64 " is above sm.warps=%" PRId64,
                         cfg->sm_schedulers, cfg->sm_warps);
    if (cfg->sm_scheduler == SCHEDULER_SWL && cfg->sm_active_warps > cfg->sm_warps)
        return error_set(err, "sm.active_warps=%" PRId64 " is above sm.warps=%" PRId64,
                         cfg->sm_active_warps, cfg->sm_warps);
    if (check_units(cfg, err) != 0)
        return -1;
    const struct sm_model m = sm_model_of(cfg);
    const uint32_t banks = m.register_banks;
    if (banks & (banks - 1))
        return error_set(err, "sm.register_banks=%" PRIu32 " is not a power of two", banks);
    if (m.collectors && (banks % cfg->sm_schedulers || banks / cfg->sm_schedulers > BANK_USES_MAX))
        return error_set(
            err,
            "sm.register_banks=%" PRIu32
            " with sm.collectors: not 1 to %d banks for each of sm.schedulers=%" PRId64,
            banks, BANK_USES_MAX, cfg->sm_schedulers);
    if (m.register_ports && !banks)
        return error_set(err, "sm.register_ports=%" PRIu32 " needs sm.register_banks",
                         m.register_ports);
    if (m.register_ports && !m.exit_latency) /* a unit ends the warp, cycles after the issue */
        return error_set(err, "sm.register_ports=%" PRIu32 " needs sm.exit_latency, at least 1",
                         m.register_ports);
    return 0;
}
