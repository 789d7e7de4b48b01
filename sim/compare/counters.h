/* SPDX-License-Identifier: Apache-2.0 */
/* Counters that our statistics have in common with those of hardware and of other simulators
 * (counters.def), and kernels with their counters. */
#ifndef MEMTWIN_COMPARE_COUNTERS_H
#define MEMTWIN_COMPARE_COUNTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum counter_id {
#define COUNTER(name, unit, needs, value, meaning) COUNTER_##name,
#include "compare/counters.def"
    COUNTERS
};

struct shared_counter {
    const char *name, *unit, *meaning;
    const char *formula; /* of our statistics, as in counters.def */
    bool l1d, l2;        /* true if the counter needs an L1D or an L2 that counts sectors */
};
extern const struct shared_counter counter_table[COUNTERS];

/* A name of a counter in the output of another tool. */
struct metric {
    const char *name;
    enum counter_id counter;
    double factor; /* of the tool's value in the counter's unit */
    bool part;     /* true if the counter is the sum of several metrics */
};
extern const struct metric metric_table[];
extern const size_t metric_count;

/* A kernel of one side, with means over its launches. */
struct compared_kernel {
    char *run;  /* our side: "WORKLOAD on CONFIG"; else the program, or "" (owned) */
    char *name; /* readable, without parameters and template arguments (owned) */
    uint64_t launches;
    double value[COUNTERS]; /* mean over the launches; not a number if unknown */
};

struct compared_kernels {
    struct compared_kernel *row; /* owned */
    size_t n;
};

/* Appends a kernel without launches and values. `name` may be mangled, or have parameters. Returns
 * it; the pointer is valid until the next call. */
struct compared_kernel *compared_add(struct compared_kernels *k, const char *run, const char *name);
void compared_free(struct compared_kernels *k);

#endif
