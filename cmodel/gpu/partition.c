// SPDX-License-Identifier: Apache-2.0
#include "gpu/partition.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "icache/icache.h"
#include "l1d/l1d.h"
#include "policy/policies.h"
#include "lib/numbers.h"
#include "uvm/uvm.h"

/* ---- cke.partition ---- */

enum partition_kind partition_kind(const struct config *cfg) {
    static const char *const word[] = {"none", "leftover", "spatial", "smk"};
    unsigned kind = 0;
    while (kind < PARTITION_CTAS && strcmp(cfg->cke_partition, word[kind]) != 0)
        kind++;
    return (enum partition_kind)kind;
}

static uint32_t read_ctas(const char *text, uint32_t ctas[WORKLOADS_AT_ONCE]) {
    return numbers_read(text, SM_MAX_CTAS, false, ctas, WORKLOADS_AT_ONCE);
}

int partition_check_key(const struct config *cfg, struct error *err) {
    size_t length;
    if (partition_kind(cfg) != PARTITION_CTAS ||
        !numbers_wrong(cfg->cke_partition, SM_MAX_CTAS, false, &length))
        return 0;
    return error_set(err,
                     "cke.partition=%s: must be none, leftover, spatial, smk, or the CTA count of "
                     "each workload on an SM, 1..%u each, for example 5,7",
                     cfg->cke_partition, SM_MAX_CTAS);
}

static int check_ctas(const struct config *cfg, uint32_t kernels, struct error *err) {
    if (partition_check_key(cfg, err) != 0)
        return -1;
    const uint32_t n = numbers_count(cfg->cke_partition);
    if (n == kernels)
        return 0;
    return error_set(err,
                     "cke.partition needs a CTA count for each of the %" PRIu32
                     " workloads; cke.partition=%s has %" PRIu32,
                     kernels, cfg->cke_partition, n);
}

/* ---- restrictions with several kernels ---- */

/* Checks what several kernels need. `several` is what they are, for the message. */
static int check_several(const struct config *c, const char *several, struct error *err) {
    const struct cache_policy *bypass = l1d_bypass_policy(c);
    const struct {
        bool wrong;
        const char *what;
    } rules[] = {
        {c->l1d_write == L1D_LOCAL_WB || c->l1d_write == L1D_WBWA,
         "l1d.write=wtwn or wewn: a write-back L1D is flushed only when its SM is empty"},
        {bypass && bypass->users,
         "another l1d.bypass: this one numbers the users of only one kernel"},
        {c->uvm_mode != UVM_OFF, "uvm.mode=off"},
        {icache_sets(c) != 0,
         "icache.sets=0: the instruction cache holds the code of only one kernel"},
    };
    for (unsigned i = 0; i < sizeof rules / sizeof rules[0]; i++)
        if (rules[i].wrong)
            return error_set(err, "%s need %s", several, rules[i].what);
    return 0;
}

int partition_check_streams(const struct config *c, struct error *err) {
    const struct {
        bool wrong;
        const char *what;
    } rules[] = {
        {c->cke_kernels == 1, "cke.kernels from 2, the number of kernels at once"},
        {partition_kind(c) != PARTITION_NONE, "cke.partition=none: it divides SMs among workloads"},
        {strcmp(c->cke_quotas, "none") != 0, "cke.quotas=none: quotas are for workloads"},
        {limiter_wanted(c), "no limiter (mil.limit, mil.order): it is for workloads"},
        {c->l1d_partition != 0, "l1d.partition=none: the ways are divided among workloads"},
    };
    for (unsigned i = 0; i < sizeof rules / sizeof rules[0]; i++)
        if (rules[i].wrong)
            return error_set(err, "kernels at once need %s", rules[i].what);
    return check_several(c, "kernels at once", err);
}

int partition_check(const struct config *cfg, uint32_t kernels, struct error *err) {
    if (cfg->cke_restart != RESTART_NONE && !cfg->sim_max_cycles)
        return error_set(err, "cke.restart=%s never ends: it needs sim.max_cycles",
                         cfg->cke_restart == RESTART_GRID ? "grid" : "launch");
    const enum partition_kind kind = partition_kind(cfg);
    if (kind == PARTITION_CTAS && check_ctas(cfg, kernels, err) != 0)
        return -1;
    if (kernels == 1)
        return 0;
    if (kind == PARTITION_NONE)
        return error_set(err,
                         "%" PRIu32 " workloads need cke.partition, which is none: set it to "
                         "leftover, spatial, smk, or the CTA count of each workload on an SM",
                         kernels);
    if (kind == PARTITION_SPATIAL && kernels > cfg->sm_count)
        return error_set(err,
                         "cke.partition=spatial: %" PRIu32 " workloads need at least as many "
                         "SMs, but sm.count=%" PRId64,
                         kernels, cfg->sm_count);
    char several[64];
    snprintf(several, sizeof several, "%" PRIu32 " workloads at once (cke.partition)", kernels);
    return check_several(cfg, several, err);
}

/* ---- shares ---- */

static double dominant_share(const struct sm_resources *have, const struct sm_resources *need,
                             uint32_t ctas) {
    static const enum sm_resource counted[] = {RES_WARPS, RES_CTAS, RES_REGISTERS, RES_SHARED};
    double most = 0;
    for (unsigned i = 0; i < sizeof counted / sizeof counted[0]; i++) {
        const enum sm_resource r = counted[i];
        const double share = (double)(ctas * need->n[r]) / (double)have->n[r];
        most = share > most ? share : most;
    }
    return most;
}

/* Returns the kernel that gets the next CTA, or n if no further CTA fits. */
static uint32_t smk_next(const struct sm_resources *have, const struct sm_resources *used,
                         const struct sm_resources *need, uint32_t n, const uint32_t *ctas) {
    uint32_t next = n;
    double least = 0;
    for (uint32_t k = 0; k < n; k++) {
        const double share = dominant_share(have, &need[k], ctas[k]);
        if (sm_resources_fit(have, used, &need[k]) && (next == n || share < least)) {
            next = k;
            least = share;
        }
    }
    return next;
}

void partition_smk(const struct sm_resources *have, const struct sm_resources *need, uint32_t n,
                   uint32_t *ctas) {
    struct sm_resources used = {{0}};
    uint32_t k;
    for (k = 0; k < n; k++)
        ctas[k] = 0;
    while ((k = smk_next(have, &used, need, n, ctas)) < n) {
        sm_resources_add(&used, &need[k], 1);
        ctas[k]++;
    }
}

/* ---- limits ---- */

int partition_fits(const struct config *cfg, const struct sm *sm, uint32_t kernels,
                   struct error *err) {
    uint32_t ctas[WORKLOADS_AT_ONCE];
    struct sm_resources all = {{0}};
    if (partition_kind(cfg) != PARTITION_CTAS)
        return 0;
    read_ctas(cfg->cke_partition, ctas);
    for (uint32_t k = 0; k < kernels; k++)
        sm_resources_add(&all, &sm->kernel[k].need, ctas[k]);
    for (unsigned i = 0; i < SM_RESOURCES; i++)
        if (all.n[i] > sm->have.n[i])
            return error_set(err,
                             "cke.partition=%s: the CTAs of kernel %s%s need %" PRIu64
                             " %s and do not fit: %s = %" PRIu64,
                             cfg->cke_partition, sm->kernel[0].launch->name,
                             kernels > 1 ? " and of the other kernels" : "", all.n[i],
                             sm_resource_unit[i], sm_resource_key[i], sm->have.n[i]);
    return 0;
}

static void apply_smk(struct sm *sm, uint32_t kernels, uint32_t on) {
    struct sm_resources need[WORKLOADS_AT_ONCE] = {0};
    uint32_t ctas[WORKLOADS_AT_ONCE], n = 0;
    for (uint32_t k = 0; k < kernels; k++)
        if (on >> k & 1)
            need[n++] = sm->kernel[k].need;
    partition_smk(&sm->have, need, n, ctas);
    while (kernels-- > 0)
        if (on >> kernels & 1)
            sm->kernel[kernels].limit = ctas[--n];
}

void partition_apply(const struct config *cfg, struct sm *sm, uint32_t kernels, uint32_t on) {
    uint32_t ctas[WORKLOADS_AT_ONCE];
    switch (partition_kind(cfg)) {
    case PARTITION_CTAS:
        read_ctas(cfg->cke_partition, ctas);
        for (uint32_t k = 0; k < kernels; k++)
            sm->kernel[k].limit = ctas[k];
        break;
    case PARTITION_SPATIAL:
        for (uint32_t k = 0; k < kernels; k++)
            if ((uint64_t)sm->id * kernels / (uint64_t)cfg->sm_count != k)
                sm->kernel[k].limit = 0;
        break;
    case PARTITION_SMK:
        apply_smk(sm, kernels, on);
        break;
    default: /* there is no limit apart from the SM's resources */
        break;
    }
}
