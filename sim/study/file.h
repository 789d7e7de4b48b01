/* SPDX-License-Identifier: Apache-2.0 */
/* A study file: the configurations, workloads, schemes and axes whose product are the runs of a
 * study. docs/studies.md has its form.
 *
 * Some runs are told only by results of others: a value that is a part of a statistic of another
 * run, a scheme that is the best of some, a run that is there only if another one counted
 * something. runs.h finds them as these results come. */
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
    size_t group; /* of a workload or a trace; STUDY_NONE: it is in none */
    size_t from;  /* of a value: `from` of the study that it is; STUDY_NONE: it stands for itself */
};

struct study_words {
    struct study_word *word; /* owned */
    size_t n;
};

/* A key of the configuration and its values: one, or of an axis several. */
struct study_key {
    char *name; /* "l1d.mshr"; owned */
    unsigned line;
    struct study_words values;
};

/* [set], a group, a scheme or an axis. Value i of each key of an axis goes together with value i of
 * the others. */
struct study_section {
    char *name; /* of a group or scheme; of an axis, its key if it has no name of its own; owned */
    unsigned line;
    struct study_key *key; /* owned */
    size_t n;
    /* Of a scheme: */
    struct study_words lists;  /* what stands for {1}, {2} .. of its name in its values */
    size_t base;               /* the scheme whose keys it has too, or STUDY_NONE */
    struct study_words groups; /* it has runs of these only; empty: of all */
    size_t condition;        /* of `from`: it has the runs for which that is not 0; or STUDY_NONE */
    struct study_words best; /* the schemes of which it is the best; empty: one of its own */
    size_t *of;              /* .. their numbers; owned */
    size_t statistic;        /* .. by this one of the study; */
    bool least;              /* the lowest, not the highest */
};

/* "75%uvm_touched_pages@whole": a part of a statistic of the run that has these words (as of a
 * baseline) and is like this one in everything else. */
struct study_from {
    double percent;
    size_t statistic; /* of the study */
    struct study_words at;
};

/* [plot]: what `memtwin report` shows first. Texts are owned; NULL: not given. */
struct study_plot {
    char *name, *title, *kind, *y, *relative, *x, *color;
    struct study_words schemes; /* only these; none: all */
    unsigned line, x_line, color_line, relative_line;
};

struct study {
    char path[PATH_SIZE];
    char name[256]; /* the file's, without folder and ending */
    struct study_words configs, workloads, traces, baseline, twins;
    struct study_words reference; /* a file of published figures, or nothing */
    char max_time[32];            /* as run --max-time takes it; empty: no limit */
    bool check, detail, series;
    struct study_section set;
    struct study_section *scheme, *axis, *group; /* owned */
    size_t n_schemes, n_axes, n_groups;
    struct study_from *from; /* owned */
    size_t n_from;
    struct study_words statistics; /* that runs depend on */
    struct study_plot *plot;       /* owned */
    size_t n_plots;
};

/* A key of a section of a study file that is none of a configuration. */
struct study_file_key {
    const char *section, *name;
    const char *values; /* its words, "yes|no", or what stands for a value: "SCHEME.." */
    const char *doc;
};

/* The i-th of them, section by section; NULL: there are no more. */
const struct study_file_key *study_file_key(size_t i);

/* Reads a study and checks each word of it that can be checked alone. 0, or -1 with "FILE:LINE:
 * what" in err; study_free is for both. */
int study_read(struct study *s, const char *path, char *err, size_t err_size);
void study_free(struct study *s);

/* Only the named workloads of it ("NAME", or "NAME:SIZE" for another size than it says), in this
 * order, and no trace. 0, or -1 with one line in err: it has no such workload, one comes twice, or
 * one cannot be of that size. */
int study_choose(struct study *s, const char *const *text, size_t n, char *err, size_t err_size);

/* Whether a value is an integer, which databases have as a number. */
bool study_number(const char *text, int64_t *number);

/* All twins that it attaches, in one text; the caller's. NULL: out of memory. */
char *study_twins(const struct study *s);

/* How many values an axis has. */
static inline size_t study_rows(const struct study_section *axis) {
    return axis->key[0].values.n;
}

#endif
