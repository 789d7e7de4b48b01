/* SPDX-License-Identifier: Apache-2.0 */
/* The workloads of a run: one, or several that run at once and whose arrays lie one behind the
 * other. */
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

/* The full name of "W[:SIZE]+W[:SIZE]..": each with its size. Returns 0, or -1 with one line in
 * err.
 */
int workload_set_name(const char *text, char *name, size_t size, char *err, size_t err_size);

/* Makes the workloads of a full name. The arrays of each begin at the next multiple of 2 MiB behind
 * those of the one before. Returns 0, or -1 with one line in err; workload_set_free either way. */
int workload_set_open(struct workload_set *s, const char *name, char *err, size_t err_size);
void workload_set_free(struct workload_set *s);

/* How many a name names. */
uint32_t workload_set_count(const char *name);
/* Workload k of the full name, up to `size` - 1 characters. */
void workload_set_part(const char *name, uint32_t k, char *part, size_t size);

/* Each launch of each shall run n times in a row. Before the first launch, once. Returns 0, or -1
 * with one line in err. */
int workload_set_repeat(struct workload_set *s, uint64_t n, char *err, size_t err_size);

/* The name of one that has no results to verify, since its launches are repeated and leave
 * something else each time; NULL: all have. */
const char *workload_set_unverifiable(const struct workload_set *s);
/* Compares the results of all (workload.verify). Returns 0, or -1 with one line in err. */
int workload_set_verify(const struct workload_set *s, char *err, size_t err_size);
/* What was wrong with the input of one; NULL: nothing. */
const char *workload_set_error(const struct workload_set *s);
/* Launches and CTAs of all; 0: not known ahead, or endless. */
uint64_t workload_set_launches(const struct workload_set *s);
uint64_t workload_set_ctas(const struct workload_set *s);

#endif
