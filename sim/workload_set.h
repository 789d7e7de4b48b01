/* SPDX-License-Identifier: Apache-2.0 */
/* Opens the workloads of a run: one workload, or several that run concurrently. Their arrays follow
 * one another in memory. */
#ifndef MEMTWIN_SIM_WORKLOAD_SET_H
#define MEMTWIN_SIM_WORKLOAD_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/kernel.h"

struct workload_set {
    uint32_t n;
    struct workload *w[WORKLOADS_AT_ONCE]; /* owned */
    bool endless;    /* true if launches restart when they end (cke.restart) */
    uint64_t repeat; /* number of times that each launch runs; 0 for once */
};

/* Expands "W[:SIZE]+W[:SIZE].." to the full name, in which each workload has its size. Returns 0,
 * or -1 with one line in err. */
int workload_set_name(const char *text, char *name, size_t size, struct error *err);

/* Returns the full name with all values of each size, so that names of the same workloads are
 * equal: 08 is 8, and a missing value is its default. The caller frees it. */
char *workload_set_plain(const char *name);

/* Makes the workloads of a full name. The arrays of each workload begin at the first multiple of 2
 * MiB after those of the previous one. Returns 0, or -1 with one line in err; call
 * workload_set_free in both cases. */
int workload_set_open(struct workload_set *s, const char *name, struct error *err);
void workload_set_free(struct workload_set *s);

/* Returns the number of workloads in a name. */
uint32_t workload_set_count(const char *name);
/* Copies the name of workload k of the full name, at most `size` - 1 characters. */
void workload_set_part(const char *name, uint32_t k, char *part, size_t size);

/* Makes each launch of each workload run n times in a row. It must be called at most once, before
 * the first launch. Returns 0, or -1 with one line in err. */
int workload_set_repeat(struct workload_set *s, uint64_t n, struct error *err);

/* Returns the name of a workload that cannot be verified because a repeated launch changes its
 * results, or NULL. */
const char *workload_set_unverifiable(const struct workload_set *s);
/* Verifies all results with workload.verify. Returns 0, or -1 with one line in err. */
int workload_set_verify(const struct workload_set *s, struct error *err);
/* Returns the input error of a workload, or NULL. */
const char *workload_set_error(const struct workload_set *s);
/* Return the total number of launches or CTAs, or 0 if it is infinite or not known in advance. */
uint64_t workload_set_launches(const struct workload_set *s);
uint64_t workload_set_ctas(const struct workload_set *s);

#endif
