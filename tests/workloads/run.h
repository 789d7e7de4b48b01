// SPDX-License-Identifier: Apache-2.0
/* For tests of workloads: to create one and to run it. A cmocka test fails if that fails. */
#ifndef MEMTWIN_TESTS_WORKLOADS_RUN_H
#define MEMTWIN_TESTS_WORKLOADS_RUN_H

#include "workloads/lane.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static inline struct workload *create(const char *name, const char *size) {
    char err[200] = "";
    const struct workload_type *type = workload_find(name);
    assert_non_null(type);
    struct workload *w = type->create(size, err, sizeof err);
    if (!w)
        fail_msg("%s", err);
    return w;
}

/* Runs it and lets it verify itself. */
static inline struct workload_counts run(struct workload *w, enum run_order order) {
    struct workload_counts counts;
    char err[200] = "";
    if (workload_run_ordered(w, order, &counts) != 0)
        fail_msg("%s", counts.err);
    if (w->verify(w, err, sizeof err) != 0)
        fail_msg("%s", err);
    return counts;
}

#endif
