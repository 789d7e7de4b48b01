/* SPDX-License-Identifier: Apache-2.0 */
/* Model of the SM's pipeline (sm.model), with the values of the keys that only gpgpusim uses. */
#ifndef MEMTWIN_SM_MODEL_H
#define MEMTWIN_SM_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "config/config.h"

struct sm_model {
    bool gpgpusim;
    bool dual_issue;
    bool copies_load; /* true if both parts of a copy to shared memory are global loads */
    uint32_t fetch, exit_latency, collectors, register_banks, register_ports;
    uint32_t lsu_latency; /* in cycles; 1 if there are collectors, which replace the pipeline to the
                             LSU */
};

static inline struct sm_model sm_model_of(const struct config *cfg) {
    if (cfg->sm_model == MODEL_SIMPLE)
        return (struct sm_model){.lsu_latency = 1};
    return (struct sm_model){
        .gpgpusim = true,
        .dual_issue = cfg->sm_dual_issue != 0,
        .copies_load = cfg->sm_copies == COPIES_GLOBAL,
        .fetch = (uint32_t)cfg->sm_fetch,
        .exit_latency = (uint32_t)cfg->sm_exit_latency,
        .collectors = (uint32_t)cfg->sm_collectors,
        .register_banks = (uint32_t)cfg->sm_register_banks,
        .register_ports = cfg->sm_collectors ? (uint32_t)cfg->sm_register_ports : 0,
        .lsu_latency = cfg->sm_collectors ? 1 : (uint32_t)cfg->sm_lsu_latency,
    };
}

#endif
