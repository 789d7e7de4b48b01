// SPDX-License-Identifier: Apache-2.0
#include "accelsim.h"

#include <inttypes.h>

#include "report.h"

#define REPLY_BYTES 32 /* bytes that Accel-Sim counts for each reply of an L2 bank */

/* Returns GB/s of the replies in a number of SM cycles. */
static double bandwidth(const struct config *cfg, uint64_t replies, uint64_t cycles) {
    return 1e-3 * REPLY_BYTES * (double)cfg->clock_sm_mhz * stats_ratio(replies, cycles);
}

void accelsim_begin(struct accelsim *a, FILE *out, const struct config *cfg) {
    *a = (struct accelsim){.out = out, .cfg = cfg};
    fprintf(out, "Accel-Sim statistics of MemTwin [build %s]\n", report_version());
}

#define K(name) (during->v[STAT_##name])
#define T(name) (a->totals.v[STAT_##name])
#define RATIO(x, y) stats_ratio((x), (y))
#define BANDWIDTH(replies, cycles) bandwidth(a->cfg, replies, cycles)

void accelsim_kernel(struct accelsim *a, uint64_t launch, const char *name,
                     const struct stats *during) {
    stats_add(&a->totals, during);
    fprintf(a->out, "kernel_name = %s \nkernel_launch_uid = %" PRIu64 " \n", name, launch + 1);
#define COUNT(text, value) fprintf(a->out, text "%" PRIu64 "\n", value);
#define REAL(text, value, unit) fprintf(a->out, text "%12.4f" unit "\n", value);
#include "accelsim.def"
}

void accelsim_end(const struct accelsim *a, double seconds, bool cut_off) {
    const unsigned s = (unsigned)(seconds + 0.5), whole = s ? s : 1; /* Accel-Sim: at least 1 */
    fprintf(a->out,
            "gpgpu_simulation_time = %u days, %u hrs, %u min, %u sec (%u sec)\n"
            "gpgpu_simulation_rate = %" PRIu64 " (inst/sec)\n"
            "gpgpu_simulation_rate = %" PRIu64 " (cycle/sec)\n",
            whole / 86400, whole / 3600 % 24, whole / 60 % 60, whole % 60, whole,
            T(thread_insts) / whole, T(cycles) / whole);
    if (cut_off)
        fputs("GPGPU-Sim: ** break due to reaching the maximum cycles (or instructions) **\n",
              a->out);
    fputs("GPGPU-Sim: *** exit detected ***\n", a->out);
}
