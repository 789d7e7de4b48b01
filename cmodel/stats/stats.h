/* SPDX-License-Identifier: Apache-2.0 */
/* Statistics: counters and histograms, identified by an index (stats.def), and figures derived
 * from them (derived.def). */
#ifndef MEMTWIN_STATS_STATS_H
#define MEMTWIN_STATS_STATS_H

#include <stdbool.h>
#include <stdint.h>

enum stat_id {
#define STAT(name, unit, doc) STAT_##name,
#include "stats/stats.def"
    STAT_COUNT
};

enum hist_id {
#define HIST(name, unit, doc, exact) HIST_##name,
#include "stats/stats.def"
    HIST_COUNT
};

/* Bucket 0 counts zeros. Bucket k counts the values of k bits (2^(k-1) .. 2^k - 1) or, in an
 * exact histogram, the value k. The last bucket also counts all larger values. */
#define HIST_BUCKETS 24

struct stats {
    uint64_t v[STAT_COUNT];
    uint64_t h[HIST_COUNT][HIST_BUCKETS];
};

struct stat_desc {
    const char *name, *unit, *doc;
};

extern const struct stat_desc stat_table[STAT_COUNT];
extern const struct stat_desc hist_table[HIST_COUNT];
extern const bool hist_exact[HIST_COUNT];

static inline void stat_add(struct stats *s, enum stat_id id, uint64_t n) {
    s->v[id] += n;
}

static inline void hist_add(struct stats *s, enum hist_id id, uint64_t value) {
    unsigned k = value ? 64 - (unsigned)__builtin_clzll(value) : 0;
    s->h[id][k < HIST_BUCKETS ? k : HIST_BUCKETS - 1]++;
}

static inline void hist_exact_add(struct stats *s, enum hist_id id, uint64_t value) {
    s->h[id][value < HIST_BUCKETS ? value : HIST_BUCKETS - 1]++;
}

/* Returns the smallest value of a bucket. */
static inline uint64_t hist_from(enum hist_id id, unsigned bucket) {
    return hist_exact[id] || !bucket ? bucket : UINT64_C(1) << (bucket - 1);
}

/* Counter of cycles lost for one reason. */
struct stall_desc {
    /* id: counter of the lost cycles. of: counter of all cycles that could have been lost. */
    enum stat_id id, of;
    const char *words; /* the reason in words */
};

extern const struct stall_desc stall_table[];
extern const unsigned stall_count;

/* Compute, element by element, *to += *from and *d = *a - *b. */
void stats_add(struct stats *to, const struct stats *from);
void stats_difference(struct stats *d, const struct stats *a, const struct stats *b);

/* ---- Derived figures ---- */

enum derived_id {
#define DERIVED(name, unit, doc, expression) DERIVED_##name,
#include "stats/derived.def"
    DERIVED_COUNT
};

extern const struct stat_desc derived_table[DERIVED_COUNT];
/* Returns the present name of a renamed statistic, or NULL if `former` is not a former name. */
const char *stats_present_name(const char *former);

/* Returns the derived figure. A ratio is 0 if its divisor is 0. */
double stats_derived(const struct stats *s, enum derived_id id);

/* ---- Parts of the machine that statistics belong to ---- */

#define STAT_PARTS(X)                                                                              \
    X(sm, "SM")                                                                                    \
    X(lsu, "LSU")                                                                                  \
    X(l1d, "L1D")                                                                                  \
    X(mrpb, "MRPB")                                                                                \
    X(mdb, "MDB")                                                                                  \
    X(icnt, "Crossbar")                                                                            \
    X(l2, "L2")                                                                                    \
    X(incoming, "Incoming buffer")                                                                 \
    X(dram, "DRAM")                                                                                \
    X(tlb, "TLB")                                                                                  \
    X(gmmu, "GMMU")                                                                                \
    X(uvm, "UVM")                                                                                  \
    X(pcie, "PCIe")                                                                                \
    X(cap, "CAP")                                                                                  \
    X(ture, "TURE")                                                                                \
    X(hir, "HIR")                                                                                  \
    X(hpe, "HPE")

enum stat_part {
#define STAT_PART_ID(part, title) STAT_PART_##part,
    STAT_PARTS(STAT_PART_ID)
#undef STAT_PART_ID
        STAT_PARTS_COUNT
};

extern const char *const stat_part_title[STAT_PARTS_COUNT];
enum stat_part stat_part(enum stat_id id);
enum stat_part hist_part(enum hist_id id);
enum stat_part derived_part(enum derived_id id);

/* Returns a / b, or 0 if b is 0. */
static inline double stats_ratio(double a, double b) {
    return b > 0 ? a / b : 0.0;
}

#endif
