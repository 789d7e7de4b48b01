/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a study file, which lists configurations, workloads, schemes and axes. Their product is the
 * set of runs. docs/use/studies.md describes the format.
 *
 * Some runs depend on results of others: a value may be a percentage of another run's statistic, a
 * scheme may be the best of several, and a run may exist only if another run's statistic is not 0.
 * runs.h resolves such values and runs when the results arrive. */
#ifndef MEMTWIN_STUDY_FILE_H
#define MEMTWIN_STUDY_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "os/path.h"

#define STUDY_NONE SIZE_MAX

struct study_word {
    char *text; /* owned */
    unsigned line;
    size_t group; /* index of a workload's or trace's group; STUDY_NONE if it has none */
    size_t from;  /* index of a value in study.from; STUDY_NONE for a plain value */
};

struct study_words {
    struct study_word *word; /* owned */
    size_t n;
};

/* Key of the configuration with its value or, in an axis, its values. */
struct study_key {
    char *name; /* "l1d.mshr"; owned */
    unsigned line;
    struct study_words values;
};

/* Section [set], a group, a scheme or an axis. The keys of an axis change together, so that a run
 * has value i of each of them. */
struct study_section {
    char *name; /* owned; name of a group, scheme or axis (for an axis without a name, its key) */
    unsigned line;
    struct study_key *key; /* owned */
    size_t n;
    /* Members for a scheme: */
    struct study_words lists;  /* items of the lists in `name`; they replace {1}, {2} .. */
    size_t base;               /* index of the scheme whose keys are inherited, or STUDY_NONE */
    struct study_words groups; /* groups in which the scheme has runs; empty for all */
    size_t condition;        /* index in study.from of a value that must not be 0, or STUDY_NONE */
    struct study_words best; /* schemes to choose the best from; empty if not requested */
    size_t *of;              /* owned; indices of the schemes in `best` */
    size_t statistic;        /* index in study.statistics of the statistic that is compared */
    bool least;              /* true if the lowest value is the best */
};

/* A percentage of a statistic of another run, such as "75%uvm_touched_pages@whole". The words in
 * `base` name that run, as the words of a baseline do. In all other respects, that run is the same
 * as the run that has the value. */
struct study_from {
    double percent;
    size_t statistic; /* index in study.statistics */
    struct study_words base;
};

/* Section [plot]: a plot at the top of the page of `memtwin report`. The texts are owned, and NULL
 * if not given. */
struct study_plot {
    char *name, *title, *kind, *y, *relative, *x, *color;
    struct study_words schemes; /* schemes to show; empty for all */
    unsigned line, x_line, color_line, relative_line;
};

struct study {
    char path[PATH_SIZE];
    char name[256]; /* name of the file, without folder and extension */
    struct study_words configs, workloads, traces, baseline, twins;
    struct study_words reference; /* path of the file with published figures; empty if none */
    char *kernels;                /* owned; choice of kernels of each trace; NULL for all */
    unsigned kernels_line;
    char max_time[32]; /* in the format of run --max-time; empty for no limit */
    bool check, detail, series;
    bool is_part; /* true after study_choose has removed workloads */
    struct study_section set;
    struct study_section *scheme, *axis, *group; /* owned */
    size_t n_schemes, n_axes, n_groups;
    struct study_from *from; /* owned */
    size_t n_from;
    struct study_words statistics; /* statistics that runs depend on */
    struct study_plot *plot;       /* owned */
    size_t n_plots;
};

/* Key of a study file that is not a key of a configuration. */
struct study_file_key {
    const char *section, *name;
    const char *values; /* values: "yes|no", or a placeholder: "SCHEME.." */
    const char *doc;
};

/* Returns the i-th key, ordered by section, or NULL after the last. */
const struct study_file_key *study_file_key(size_t i);

/* Reads a study and checks all that can be checked without building its runs. in_part: study_choose
 * follows, so the sizes of listed workloads are not checked. Returns 0, or -1 with "FILE:LINE:
 * what" in err; call study_free in both cases. */
int study_read(struct study *s, const char *path, bool in_part, struct error *err);
void study_free(struct study *s);

/* Keeps only the named workloads ("NAME", or "NAME:SIZE" for another size), in the given order, and
 * removes all traces. Returns 0, or -1 with one line in err if a workload is unknown, is repeated
 * or has a wrong size. */
int study_choose(struct study *s, const char *const *text, size_t n, struct error *err);

/* Returns the patterns of all attached twins as one text, which the caller frees. */
char *study_twins(const struct study *s);

/* Returns the scheme, group or axis of that name, or NULL. */
struct study_section *study_find_section(struct study_section *s, size_t n, const char *name);

/* Returns the number of values of an axis. */
static inline size_t study_rows(const struct study_section *axis) {
    return axis->key[0].values.n;
}

#endif
