// SPDX-License-Identifier: Apache-2.0
/* Creates and runs a workload for a test. If that fails, so does the cmocka test. */
#ifndef MEMTWIN_TESTS_WORKLOADS_RUN_H
#define MEMTWIN_TESTS_WORKLOADS_RUN_H

#include "workloads/lane.h"
#include "tests/test.h"

static inline struct workload *create(const char *name, const char *size) {
    struct error err = {0};
    const struct workload_type *type = workload_find(name);
    assert_non_null(type);
    struct workload *w = workload_create(type, size, &err);
    if (!w)
        fail_msg("%s", err.text);
    return w;
}

/* Runs the workload and its verification. Returns the counts of the run. */
static inline struct workload_counts run(struct workload *w, enum run_order order) {
    struct workload_counts counts;
    struct error err = {0};
    if (workload_run_ordered(w, order, &counts) != 0)
        fail_msg("%s", counts.err.text);
    if (w->verify(w, &err) != 0)
        fail_msg("%s", err.text);
    return counts;
}

#endif
