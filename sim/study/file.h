/* SPDX-License-Identifier: Apache-2.0 */
/* A study file: the configurations, workloads, schemes and axes whose product are the runs of a
 * study. docs/studies.md has its form. */
#ifndef MEMTWIN_STUDY_FILE_H
#define MEMTWIN_STUDY_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/proc.h"

struct study_word {
    char *text; /* owned */
    unsigned line;
};

struct study_words {
    struct study_word *word; /* owned */
    size_t n;
};

/* A key of the configuration and its values: one, or of an axis several. */
struct study_key {
    char *name; /* "l1d.mshr"; owned */
    unsigned line;
    bool inherited; /* from the base of its scheme */
    struct study_words values;
};

/* [set], a scheme or an axis. Value i of each key of an axis goes together with value i of the
 * others. */
struct study_section {
    char *name; /* of a scheme; of an axis, its key if it has no name of its own; owned */
    unsigned line;
    struct study_key *key; /* owned */
    size_t n;
};

struct study {
    char path[PATH_SIZE];
    char name[256]; /* the file's, without folder and ending */
    struct study_words configs, workloads, traces, baseline, twins;
    char max_time[32]; /* as run --max-time takes it; empty: no limit */
    bool check, detail;
    struct study_section set;
    struct study_section *scheme, *axis; /* owned */
    size_t n_schemes, n_axes;
};

/* Reads a study and checks each word of it that can be checked alone. 0, or -1 with "FILE:LINE:
 * what" in err; study_free is for both. */
int study_read(struct study *s, const char *path, char *err, size_t err_size);
void study_free(struct study *s);

/* Only the named workloads of it ("NAME", or "NAME:SIZE" for another size than it says), in this
 * order, and no trace. 0, or -1 with one line in err: it has no such workload, one comes twice, or
 * one cannot be of that size. */
int study_choose(struct study *s, const char *const *text, size_t n, char *err, size_t err_size);

/* All twins that it attaches, in one text; the caller's. NULL: out of memory. */
char *study_twins(const struct study *s);

/* How many values an axis has. */
static inline size_t study_rows(const struct study_section *axis) {
    return axis->key[0].values.n;
}

#endif
