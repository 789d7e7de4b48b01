// SPDX-License-Identifier: Apache-2.0
/* Relations between configuration keys: those of the rooms, and those between rooms. */
#include "gpu/gpu.h"

#include "dram/dram.h"
#include "gmmu/gmmu.h"
#include "gpu/partition.h"
#include "l1d/l1d.h"
#include "l2/l2.h"
#include "memory/memory.h"
#include "mrpb/mrpb.h"
#include "policy/policies.h"
#include "sm/quota.h"
#include "sm/sm.h"
#include "tlb/tlb.h"
#include "uvm/uvm.h"

typedef int check_fn(const struct config *cfg, char *err, size_t err_size);

static int check_paged(const struct config *cfg, char *err, size_t err_size) {
    const char *level = memory_first_level(cfg);
    if (cfg->uvm_mode != UVM_OFF && level)
        return config_refuse(
            err, err_size,
            "%s.sets needs uvm.mode=off: lines of a page that leaves would stay in "
            "that cache",
            level);
    if (cfg->uvm_mode == UVM_PAGED && cfg->l1d_write == L1D_WBWA)
        return config_refuse(err, err_size,
                             "uvm.mode=paged needs stores that go through the L1D: an evicted page "
                             "would have dirty lines there with l1d.write=wbwa");
    return 0;
}

int gpu_check_streams(const struct config *cfg, uint32_t n, char *err, size_t err_size) {
    if (partition_check(cfg, n, err, err_size) != 0 || quota_check(cfg, n, err, err_size) != 0)
        return -1;
    if (l1d_check_policies(cfg, n, err, err_size) != 0)
        return -1;
    return limiter_check(cfg, n, sm_most_in_flight(cfg), err, err_size);
}

static int check_policies(const struct config *cfg, char *err, size_t err_size) {
    return l1d_check_policies(cfg, 1, err, err_size);
}

int gpu_check(const struct config *cfg, char *err, size_t err_size) {
    static check_fn *const check[] = {l1d_check, mrpb_check,   check_policies, sm_check,
                                      uvm_check, tlb_check,    gmmu_check,     dram_check,
                                      l2_check,  memory_check, check_paged};
    for (unsigned i = 0; i < sizeof check / sizeof check[0]; i++)
        if (check[i](cfg, err, err_size) != 0)
            return -1;
    return 0;
}
