/* SPDX-License-Identifier: Apache-2.0 */
/* The workloads of a run: one, or several that run at once, with their arrays one after the other
 * in memory. */
#ifndef MEMTWIN_SIM_WORKLOAD_SET_H
#define MEMTWIN_SIM_WORKLOAD_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/kernel.h"

struct workload_set {
    uint32_t n;
    struct workload *w[KERNELS_AT_ONCE]; /* owned */
    bool endless;                        /* launches restart when they end (cke.restart) */
    uint64_t repeat;                     /* runs of each launch; 0: once */
};

/* Expands "W[:SIZE]+W[:SIZE].." to the full name, in which each workload has its size. Returns 0,
 * or -1 with one line in err. */
int workload_set_name(const char *text, char *name, size_t size, char *err, size_t err_size);

/* Makes the workloads of a full name. The arrays of each begin at the next multiple of 2 MiB after
 * those of the one before. Returns 0, or -1 with one line in err; call workload_set_free in both
 * cases. */
int workload_set_open(struct workload_set *s, const char *name, char *err, size_t err_size);
void workload_set_free(struct workload_set *s);

/* Number of workloads in a name. */
uint32_t workload_set_count(const char *name);
/* Workload k of the full name, up to `size` - 1 characters. */
void workload_set_part(const char *name, uint32_t k, char *part, size_t size);

/* Makes each launch of each workload run n times in a row. Call at most once, before the first
 * launch. Returns 0, or -1 with one line in err. */
int workload_set_repeat(struct workload_set *s, uint64_t n, char *err, size_t err_size);

/* The name of a workload whose results cannot be verified, since a repeated launch changes them;
 * NULL if all can. */
const char *workload_set_unverifiable(const struct workload_set *s);
/* Verifies all results by workload.verify. Returns 0, or -1 with one line in err. */
int workload_set_verify(const struct workload_set *s, char *err, size_t err_size);
/* The input error of a workload; NULL if there is none. */
const char *workload_set_error(const struct workload_set *s);
/* Totals of launches and CTAs; 0: not known ahead, or endless. */
uint64_t workload_set_launches(const struct workload_set *s);
uint64_t workload_set_ctas(const struct workload_set *s);

#endif
