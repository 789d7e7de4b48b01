/* SPDX-License-Identifier: Apache-2.0 */
/* Pairs our kernels with theirs, and measures how far the counters of a pair are apart. */
#ifndef MEMTWIN_COMPARE_PAIRS_H
#define MEMTWIN_COMPARE_PAIRS_H

#include "compare/counters.h"

/* Two names of a kernel. */
struct kernel_alias {
    const char *ours, *theirs; /* not owned */
};

struct kernel_pair {
    const struct compared_kernel *ours, *theirs;
};

struct kernel_pairs {
    struct kernel_pair *pair; /* in the order of our kernels (owned) */
    size_t n;
};

/* Pairs each of our kernels with theirs of the same name, or of the name that an alias gives it.
 * The pairs point into `ours` and `theirs`. */
void pairs_make(struct kernel_pairs *p, const struct compared_kernels *ours,
                const struct compared_kernels *theirs, const struct kernel_alias *alias, size_t n);
void pairs_free(struct kernel_pairs *p);

/* Returns true if both kernels have the counter. */
bool pair_has(const struct kernel_pair *p, enum counter_id id);
/* Returns 100 * (ours - theirs) / theirs. Not a number if theirs is 0 and ours is not. */
double pair_error(const struct kernel_pair *p, enum counter_id id);

/* Errors of a counter over the pairs, in percent. */
struct counter_errors {
    size_t n, zero;     /* pairs; pairs without an error, because theirs is 0 */
    double absolute;    /* mean of the errors' absolute values */
    double mean, most;  /* mean error; greatest absolute value */
    double sum_error;   /* sum of the absolute differences, in percent of the sum of theirs */
    double correlation; /* Pearson's, of the values; not a number with fewer than three pairs */
};
struct counter_errors pairs_errors(const struct kernel_pairs *p, enum counter_id id);

#endif
