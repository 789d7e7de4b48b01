// SPDX-License-Identifier: Apache-2.0
// Prints the energies per event of GPUWattch or AccelWattch: what one million events of one kind
// add to the power of a million cycles. sources.sh builds it with their sources.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <fstream>
#include <iostream>
#include <list>
#include <map>
#include <queue>
#include <set>
#include <sstream>
#include <string>
#include <vector>
#define private public
#define protected public
#include "gpgpu_sim_wrapper.h"
#undef private
#undef protected

static const double MILLION = 1e6;
static const char *const events[] = {
    "TOT_INST", "INT_INST", "FP_INST", "REG_RD", "REG_WR",    "NON_REG_OPs", "IC_H",   "IC_M",
    "CC_H",     "CC_M",     "TC_H",    "TC_M",   "SHRD_ACC",  "DC_RH",       "DC_RM",  "DC_WH",
    "DC_WM",    "L2_RH",    "L2_RM",   "L2_WH",  "L2_WM",     "MEM_RD",      "MEM_WR", "MEM_PRE",
    "FPU_ACC",  "SP_ACC",   "SFU_ACC", "NOC_A",  "IDLE_CORE", "PIPE_A"};
enum { EVENTS = sizeof events / sizeof *events, IDLE = EVENTS - 2, DUTY = EVENTS - 1 };

// Power in W of a million cycles with `count` events of kind `event`; -1: none.
static double power(gpgpu_sim_wrapper &w, int event, double count) {
    double v[EVENTS] = {0};
    if (event >= 0)
        v[event] = count;
    w.p->sys.total_cycles = MILLION;
    w.set_inst_power(false, MILLION, MILLION, v[0], v[1], v[2], 0, 0, 0);
    w.set_regfile_power(v[3], v[4], v[5]);
    w.set_icache_power(v[6], v[7]);
    w.set_ccache_power(v[8], v[9]);
    w.set_tcache_power(v[10], v[11]);
    w.set_shrd_mem_power(v[12]);
    w.set_l1cache_power(v[13], v[14], v[15], v[16]);
    w.set_l2cache_power(v[17], v[18], v[19], v[20]);
    w.set_mem_ctrl_power(v[21], v[22], v[23]);
    w.set_exec_unit_power(v[24], v[25], v[26]);
    w.set_active_lanes_power(0, 0);
    w.set_idle_core_power(v[IDLE]);
    w.set_duty_cycle_power(v[DUTY]);
#ifdef ACCELWATTCH
    w.set_num_cores(w.p->sys.number_of_cores);
    w.set_avg_active_threads(0);
    w.set_NoC_power(v[27]);
#else
    w.set_NoC_power(v[27], 0);
#endif
    w.compute();
    w.update_components_power();
    double sum = 0;
    for (unsigned i = 0; i < w.sample_cmp_pwr.size(); i++)
        sum += w.sample_cmp_pwr[i];
    return sum;
}

int main(int argc, char **argv) {
    if (argc != 2 && argc != 4)
        return fprintf(stderr, "usage: %s FILE.xml [MHZ CORES]\n", argv[0]), 1;
#ifdef ACCELWATTCH
    gpgpu_sim_wrapper w(true, argv[1], 0, false);
#else
    gpgpu_sim_wrapper w(true, argv[1]);
#endif
    if (argc == 4) {
        w.p->sys.target_core_clockrate = w.p->sys.core[0].clock_rate = atof(argv[2]);
        w.p->sys.number_of_cores = atoi(argv[3]);
    }
    power(w, -1, 0);
    const double none = power(w, -1, 0), seconds = MILLION / (w.p->sys.core[0].clock_rate * 1e6);
    printf("no event %.6f W\n", none);
    printf("leakage %.4f W, gate leakage %.4f W\n", w.proc->power.readOp.longer_channel_leakage,
           w.proc->power.readOp.gate_leakage);
    for (int e = 0; e < EVENTS; e++) {
        const double count = e == IDLE   ? 1
                             : e == DUTY ? 0.5
                                         : MILLION,
                     more = power(w, e, count) - none;
        if (e >= IDLE)
            printf("%s %.6f W\n", events[e], more);
        else
            printf("%s %.4f pJ\n", events[e], more * seconds / MILLION * 1e12);
    }
    return 0;
}
