/* SPDX-License-Identifier: Apache-2.0 */
/* A study file: configurations, workloads, schemes and axes, whose product is the set of runs.
 * docs/use/studies.md describes the format.
 *
 * Some runs depend on results of others: a value may be a percentage of another run's statistic, a
 * scheme may be the best of several, and a run may exist only if a statistic of another is not 0.
 * runs.h resolves them as these results arrive. */
#ifndef MEMTWIN_STUDY_FILE_H
#define MEMTWIN_STUDY_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/proc.h"

#define STUDY_NONE SIZE_MAX

struct study_word {
    char *text; /* owned */
    unsigned line;
    size_t group; /* of a workload or a trace; STUDY_NONE: no group */
    size_t from;  /* of a value: its index in study.from; STUDY_NONE: a plain value */
};

struct study_words {
    struct study_word *word; /* owned */
    size_t n;
};

/* A key of the configuration and its value, or the values of an axis. */
struct study_key {
    char *name; /* "l1d.mshr"; owned */
    unsigned line;
    struct study_words values;
};

/* [set], a group, a scheme or an axis. The keys of an axis change together: value i of each belongs
 * to the same run. */
struct study_section {
    char *name; /* of a group or scheme; of an axis, its key if it has no name of its own; owned */
    unsigned line;
    struct study_key *key; /* owned */
    size_t n;
    /* Of a scheme: */
    struct study_words lists;  /* the items of its name that {1}, {2} .. stand for */
    size_t base;               /* the scheme whose keys it inherits, or STUDY_NONE */
    struct study_words groups; /* it has runs only in these; empty: in all */
    size_t condition;          /* in study.from: runs exist where it is not 0; or STUDY_NONE */
    struct study_words best;   /* the schemes that it is the best of; empty: it has its own keys */
    size_t *of;                /* .. their numbers; owned */
    size_t statistic;          /* .. compared by this one of study.statistics */
    bool least;                /* the lowest, not the highest */
};

/* "75%uvm_touched_pages@whole": a percentage of a statistic of the run that these words name, as
 * for a baseline: it is otherwise the same as this run. */
struct study_from {
    double percent;
    size_t statistic; /* of the study */
    struct study_words at;
};

/* [plot]: a plot at the top of the page of `memtwin report`. Texts are owned; NULL: not given. */
struct study_plot {
    char *name, *title, *kind, *y, *relative, *x, *color;
    struct study_words schemes; /* only these; none: all */
    unsigned line, x_line, color_line, relative_line;
};

struct study {
    char path[PATH_SIZE];
    char name[256]; /* of the file, without folder and extension */
    struct study_words configs, workloads, traces, baseline, twins;
    struct study_words reference; /* a file of published figures, or nothing */
    char max_time[32];            /* as run --max-time takes it; empty: no limit */
    bool check, detail, series;
    bool is_part; /* study_choose has left out workloads */
    struct study_section set;
    struct study_section *scheme, *axis, *group; /* owned */
    size_t n_schemes, n_axes, n_groups;
    struct study_from *from; /* owned */
    size_t n_from;
    struct study_words statistics; /* that runs depend on */
    struct study_plot *plot;       /* owned */
    size_t n_plots;
};

/* A key of a study file that is not a key of a configuration. */
struct study_file_key {
    const char *section, *name;
    const char *values; /* the values it may have: "yes|no", or a placeholder: "SCHEME.." */
    const char *doc;
};

/* The i-th key, ordered by section; NULL past the end. */
const struct study_file_key *study_file_key(size_t i);

/* Reads a study and checks all that can be checked without building its runs. 0, or -1 with
 * "FILE:LINE: what" in err; call study_free in both cases. */
int study_read(struct study *s, const char *path, char *err, size_t err_size);
void study_free(struct study *s);

/* Keeps only the named workloads ("NAME", or "NAME:SIZE" for another size), in this order, and no
 * traces. 0, or -1 with one line in err: an unknown or repeated workload, or a wrong size. */
int study_choose(struct study *s, const char *const *text, size_t n, char *err, size_t err_size);

/* Whether a value is an integer; databases store it as a number. */
bool study_number(const char *text, int64_t *number);

/* The patterns of all attached twins as one text, which the caller frees. NULL: out of memory. */
char *study_twins(const struct study *s);

/* The scheme, group or axis of that name; NULL: there is none. */
struct study_section *study_find_section(struct study_section *s, size_t n, const char *name);

/* The number of values of an axis. */
static inline size_t study_rows(const struct study_section *axis) {
    return axis->key[0].values.n;
}

#endif
