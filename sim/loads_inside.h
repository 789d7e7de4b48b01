/* SPDX-License-Identifier: Apache-2.0 */
/* Declares the data of recorded loads, which loads.c collects and loads_file.c writes. */
#ifndef MEMTWIN_SIM_LOADS_INSIDE_H
#define MEMTWIN_SIM_LOADS_INSIDE_H

#include "lib/hash_map.h"
#include "loads.h"
#include "os/new_file.h"

#define LOADS_FORMAT "memtwin-loads-" /* of the file, before its version (docs/use/output.md) */
#define LOADS_VERSION "1"
#define LOADS_BEGIN "{\"format\":\"" LOADS_FORMAT /* of the file */

enum load_span {
#define SPAN(name, part, words) SPAN_##name,
#include "loads.def"
#undef SPAN
    LOAD_SPANS
};

#define LOADS_SAMPLED 30000u    /* loads in the sample of the run */
#define LOADS_SLOWEST 1000u     /* slowest loads */
#define LOADS_PER_LATENCY 4u    /* loads in the sample of a latency */
#define LOADS_PER_INST 16u      /* loads in the sample of an instruction */
#define LOADS_INSTS 1024u       /* instructions with counts of their own; others share one place */
#define LOADS_EXACT 1024u       /* latencies below this one are counted separately .. */
#define LOADS_BUCKETS_PER_2 64u /* .. and larger ones in this many buckets per power of two */
#define LOADS_BUCKETS (LOADS_EXACT + 54u * LOADS_BUCKETS_PER_2)

/* Most loads in a file. */
#define LOADS_MOST                                                                                 \
    (LOADS_SAMPLED + LOADS_SLOWEST + LOADS_BUCKETS * LOADS_PER_LATENCY +                           \
     (LOADS_INSTS + 1) * LOADS_PER_INST)

#define LOAD_NO_DRAM UINT16_MAX

/* Load with its path. A span is a number of SM cycles. */
struct load_row {
    uint64_t seq; /* index among all loads, in the order of the arrival of their data */
    uint64_t issued, latency, address, l2_from, l2_to, dram_row;
    uint32_t span[LOAD_SPANS];
    uint32_t inst, bytes, index, n, cta[3];
    uint16_t sm, warp, cta_warp, l2_bank, dram_bank;
    bool missed, opened; /* missed the L1D; a DRAM row was opened for it */
};

/* Random sample of the loads that were offered to it. */
struct load_sample {
    struct load_row *row; /* owned */
    uint32_t n;
    uint64_t offered;
};

struct load_inst {
    uint32_t kernel;
    bool has_pc;
    uint32_t pc;
    struct warp_inst_form form;
    uint64_t latency, span[LOAD_SPANS]; /* sums over its loads */
    uint64_t loads;
    struct load_sample sample;
};

struct loads {
    struct load_watcher watcher;
    const struct config *cfg; /* not owned */
    struct new_file file;
    bool open;
    uint64_t first, last; /* addresses; details are kept only of loads that touch this range */
    uint64_t random;      /* state of the random numbers */
    uint64_t n, latency, span[LOAD_SPANS]; /* number of loads; sums over them */
    struct load_sample all;
    uint64_t latencies[LOADS_BUCKETS]; /* number of loads with each latency */
    struct load_sample by_latency[LOADS_BUCKETS];
    struct load_row *slowest; /* owned; heap whose first element is the fastest load */
    uint32_t n_slowest;
    struct load_inst *inst; /* owned */
    uint32_t n_insts;
    struct hash_map inst_of; /* index in `inst` by hash of the instruction */
    const char **kernel;     /* owned; the names are not */
    uint32_t n_kernels, kernels_room;
    uint32_t last_kernel; /* index of the kernel of the last load */
};

/* Names of the columns of a load before its spans; the last element is NULL. */
extern const char *const loads_columns[];
/* Returns the smallest latency of a bucket. */
uint64_t loads_bucket_from(uint32_t bucket);
void loads_write(const struct loads *l, const struct report *r, struct gpu *gpu,
                 const struct run_opts *opts);

#endif
