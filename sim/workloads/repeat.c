// SPDX-License-Identifier: Apache-2.0
/* Creates a workload that runs each launch of another workload several times in a row. */
#include "lane.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/alloc.h"

struct repeated {
    struct workload w;
    struct workload *inner; /* owned */
    struct kernel_launch launch;
    uint64_t times, /* number of runs of each launch */
        left;       /* number of remaining runs of `launch` */
};

static bool repeated_next(struct workload *w, struct kernel_launch *launch) {
    struct repeated *m = (struct repeated *)w;
    if (!m->left) {
        m->launch = (struct kernel_launch){0};
        if (!m->inner->next(m->inner, &m->launch))
            return false;
        m->left = m->times;
    }
    m->left--;
    *launch = m->launch;
    return true;
}

/* Divides the access counts of all arrays by `by`, then multiplies them by `times`. */
static void divide_counts(struct workload *w, uint64_t by, uint64_t times) {
    for (unsigned i = 0; i < w->n_arrays; i++) {
        struct device_array *a = &w->arrays[i];
        a->loads = a->loads / by * times;
        a->stores = a->stores / by * times;
        a->atomics = a->atomics / by * times;
    }
}

static int check_multiples(const struct workload *w, uint64_t times, struct error *err) {
    for (unsigned i = 0; i < w->n_arrays; i++) {
        const struct device_array *a = &w->arrays[i];
        if (a->loads % times == 0 && a->stores % times == 0 && a->atomics % times == 0)
            continue;
        return error_set(err,
                         "array %s: %" PRIu64 " loads, %" PRIu64 " stores, %" PRIu64
                         " atomics are not %" PRIu64 " times as many",
                         a->name, a->loads, a->stores, a->atomics, times);
    }
    return 0;
}

/* Checks that the access counts are multiples of `times`, and verifies the inner workload with the
 * counts of one run. */
static int repeated_verify(struct workload *w, struct error *err) {
    struct repeated *m = (struct repeated *)w;
    if (check_multiples(w, m->times, err) != 0)
        return -1;
    divide_counts(w, m->times, 1);
    const int rc = m->inner->verify(m->inner, err);
    divide_counts(w, 1, m->times);
    return rc;
}

static void repeated_destroy(struct workload *w) {
    struct repeated *m = (struct repeated *)w;
    m->inner->destroy(m->inner);
    free(m);
}

struct workload *workload_repeat(struct workload *w, uint64_t n, struct error *err) {
    if (w->once) {
        error_set(err, "%s: its launches cannot be repeated: %s", w->type->name, w->once);
        w->destroy(w);
        return NULL;
    }
    struct repeated *m = alloc_zeroed(1, sizeof *m);
    m->w = *w;
    m->w.launches = w->launches * n;
    m->w.ctas = w->ctas * n;
    m->w.next = repeated_next;
    m->w.verify = repeated_verify;
    m->w.destroy = repeated_destroy;
    m->w.error = NULL;
    m->inner = w;
    m->times = n;
    return &m->w;
}
