// SPDX-License-Identifier: Apache-2.0
/* Checks relations between configuration keys, within each folder of cmodel/ and between
 * folders. */
#include "gpu/gpu.h"

#include "dram/dram.h"
#include "gmmu/gmmu.h"
#include "gpu/partition.h"
#include "l1d/l1d.h"
#include "l2/l2.h"
#include "mrpb/mrpb.h"
#include "policy/policies.h"
#include "sm/quota.h"
#include "sm/sm.h"
#include "uvm/uvm.h"

typedef int check_fn(const struct config *cfg, struct error *err);

static int check_paged(const struct config *cfg, struct error *err) {
    if (cfg->uvm_mode == UVM_PAGED && cfg->l1d_write == L1D_WBWA)
        return error_set(err,
                         "uvm.mode=paged needs stores that go through the L1D: an evicted page "
                         "would have dirty lines there with l1d.write=wbwa");
    return 0;
}

int gpu_check_streams(const struct config *cfg, uint32_t n, struct error *err) {
    if (partition_check(cfg, n, err) != 0 || quota_check(cfg, n, err) != 0)
        return -1;
    if (l1d_check_policies(cfg, n, err) != 0)
        return -1;
    return limiter_check(cfg, n, sm_most_in_flight(cfg), err);
}

int gpu_check_launches(const struct config *cfg, struct error *err) {
    if (partition_check_streams(cfg, err) != 0)
        return -1;
    return l1d_check_policies(cfg, (uint32_t)cfg->cke_kernels, err);
}

/* Checks the texts of keys for several workloads, of which only one runs here. */
static int check_lists(const struct config *cfg, struct error *err) {
    return partition_check_key(cfg, err) != 0 ? -1
                                              : limiter_check(cfg, 1, sm_most_in_flight(cfg), err);
}

static int check_policies(const struct config *cfg, struct error *err) {
    return l1d_check_policies(cfg, 1, err);
}

static int check_ports(const struct config *cfg, struct error *err) {
    if (cfg->sm_count % cfg->icnt_sms_per_port)
        return error_set(err,
                         "sm.count=%lld is not a multiple of icnt.sms_per_port=%lld: each port of "
                         "the crossbar needs the same number of SMs",
                         (long long)cfg->sm_count, (long long)cfg->icnt_sms_per_port);
    return 0;
}

int gpu_check(const struct config *cfg, struct error *err) {
    static check_fn *const check[] = {l1d_check,   mrpb_check,  check_policies, sm_check,
                                      uvm_check,   gmmu_check,  dram_check,     l2_check,
                                      check_paged, check_lists, check_ports};
    for (unsigned i = 0; i < sizeof check / sizeof check[0]; i++)
        if (check[i](cfg, err) != 0)
            return -1;
    return 0;
}
