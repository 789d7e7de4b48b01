// SPDX-License-Identifier: Apache-2.0
/* Reads keys of a study file that are not configuration keys. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "options.h"
#include "study/file_inside.h"

/* Key of a section that is not a configuration key. `take` returns 0 after an error. */
struct study_row {
    struct study_file_key key;
    int (*take)(struct study_reading *r, const struct study_row *row, const char *value);
    size_t to, line; /* offsets of value and line in struct study or study_plot */
};

/* ---- Any section ---- */

/* Returns the variable for the row's value. */
static void *place_of(struct study_reading *r, const struct study_row *row) {
    struct study *s = r->s;
    return (r->kind == PLOT ? (char *)&s->plot[s->n_plots - 1] : (char *)s) + row->to;
}

/* Checks that the value is one of the row's words. */
static int check_word(struct study_reading *r, const struct study_row *row, const char *value) {
    char words[128], barred[256];
    snprintf(words, sizeof words, "|%s|", row->key.values);
    snprintf(barred, sizeof barred, "|%s|", value);
    return (!strchr(value, '|') && strstr(words, barred)) ||
           file_fail(r, "%s: '%s' is not one of %s", row->key.name, value, row->key.values);
}

static int take_row_words(struct study_reading *r, const struct study_row *row, const char *value) {
    return file_take_words(r, place_of(r, row), value, true);
}

static int take_yes_no(struct study_reading *r, const struct study_row *row, const char *value) {
    *(bool *)place_of(r, row) = strcmp(value, "yes") == 0;
    return check_word(r, row, value);
}

static int take_max_time(struct study_reading *r, const struct study_row *row, const char *value) {
    uint64_t seconds;
    (void)row;
    if (!parse_time(value, &seconds))
        return file_fail(r, "max_time: '%s' is not a time: 90, 90s, 10m or 2h", value);
    snprintf(r->s->max_time, sizeof r->s->max_time, "%s", value);
    return 1;
}

static int take_row_text(struct study_reading *r, const struct study_row *row, const char *value) {
    char **to = place_of(r, row);
    if (row->line)
        *(unsigned *)((char *)to - row->to + row->line) = r->in.line;
    *to = alloc_text(value);
    return 1;
}

/* ---- Schemes ---- */

/* Reads "base = OTHER", with which a scheme inherits the keys of a scheme above it. */
static int take_base(struct study_reading *r, const struct study_row *row, const char *name) {
    struct study *s = r->s;
    struct study_section *to = r->scheme;
    struct guess guess;
    const struct study_section *base = study_find_section(s->scheme, r->first, name);
    (void)row;
    if (!base)
        return file_fail(r, "base = %s: no earlier scheme has that name%s", name,
                         file_hint(&guess, s->scheme, r->first, name));
    if (to->n || to->base != STUDY_NONE)
        return file_fail(r, "base = %s must be the first line of its scheme", name);
    to->base = (size_t)(base - s->scheme);
    return 1;
}

/* Reads "best = STATISTIC SCHEME..", or "least = ..". */
static int take_best(struct study_reading *r, const struct study_row *row, const char *value) {
    struct study_section *to = r->scheme;
    const char *name = row->key.name;
    struct study_words all = {0};
    if (to->best.n)
        return file_fail(r, "%s: scheme '%s' already has best or least", name, to->name);
    if (!file_take_words(r, &all, value, true) ||
        !file_take_statistic(r, all.word[0].text, &to->statistic)) {
        study_free_words(&all);
        return 0;
    }
    free(all.word[0].text);
    memmove(all.word, all.word + 1, --all.n * sizeof *all.word);
    to->best = all;
    to->least = strcmp(name, "least") == 0;
    r->list = &to->best;
    if (!all.n)
        return file_fail(r, "%s = %s: no schemes to choose from", name, value);
    return 1;
}

static int take_groups(struct study_reading *r, const struct study_row *row, const char *value) {
    (void)row;
    return file_take_words(r, &r->scheme->groups, value, true);
}

static int take_if(struct study_reading *r, const struct study_row *row, const char *value) {
    if (r->scheme->condition != STUDY_NONE)
        return file_fail(r, "key '%s' is given twice", row->key.name);
    return file_take_from(r, value, 100, &r->scheme->condition);
}

/* ---- Plots ---- */

static int take_one_of(struct study_reading *r, const struct study_row *row, const char *value) {
    return check_word(r, row, value) && take_row_text(r, row, value);
}

static int take_y(struct study_reading *r, const struct study_row *row, const char *value) {
    return file_check_statistic(r, "y: ", value) && take_row_text(r, row, value);
}

/* ---- Table of keys ---- */

#define OF_STUDY(member) .to = offsetof(struct study, member)
#define OF_PLOT(member) .to = offsetof(struct study_plot, member)

/* Table of keys. docs/use/studies.md explains the keys, and tests/cli/man.sh compares the two
 * lists. */
static const struct study_row rows[] = {
    {{"study", "config", "CONFIG..", "configurations: names (memtwin list configs) or paths"},
     take_row_words,
     OF_STUDY(configs)},
    {{"study", "workload", "NAME[:SIZE]..", "workloads, as run -w takes them"},
     take_row_words,
     OF_STUDY(workloads)},
    {{"study", "trace", "PATH..", "traces, as run -t takes them"},
     take_row_words,
     OF_STUDY(traces)},
    {{"study", "kernels", "LIST", "only these kernels of the traces, as run --kernels takes them"},
     take_row_text,
     OF_STUDY(kernels),
     offsetof(struct study, kernels_line)},
    {{"study", "baseline", "WORD..",
      "run to compare with: a scheme, a configuration, KEY=VALUE of an axis, or a combination"},
     take_row_words,
     OF_STUDY(baseline)},
    {{"study", "twin", "PATTERN..", "Verilog attached in all runs, as run --twin takes it"},
     take_row_words,
     OF_STUDY(twins)},
    {{"study", "reference", "PATH", "a CSV file of published figures"},
     take_row_words,
     OF_STUDY(reference)},
    {{"study", "check", "yes|no", "check all data, like run --check"},
     take_yes_no,
     OF_STUDY(check)},
    {{"study", "detail", "yes|no", "also keep statistics of kernels and parts"},
     take_yes_no,
     OF_STUDY(detail)},
    {{"study", "series", "yes|no", "also keep the time series of each run"},
     take_yes_no,
     OF_STUDY(series)},
    {{"study", "max_time", "TIME", "time limit of a run: 90, 90s, 10m or 2h"},
     .take = take_max_time},
    {{"group", "workload", "NAME[:SIZE]..", "workloads that join those of [study]"},
     take_row_words,
     OF_STUDY(workloads)},
    {{"group", "trace", "PATH..", "traces that join those of [study]"},
     take_row_words,
     OF_STUDY(traces)},
    {{"scheme", "base", "SCHEME",
      "inherits the keys of this scheme, defined above; must come first"},
     .take = take_base},
    {{"scheme", "best", "STATISTIC SCHEME..",
      "this scheme is the listed one with the highest statistic, and has no runs of its own"},
     .take = take_best},
    {{"scheme", "least", "STATISTIC SCHEME..",
      "this scheme is the listed one with the lowest statistic, and has no runs of its own"},
     .take = take_best},
    {{"scheme", "group", "GROUP..", "restricts the scheme to workloads of the listed groups"},
     .take = take_groups},
    {{"scheme", "if", "STATISTIC@WORD..",
      "makes a run only if that statistic of another run is not 0; words name it as in baseline"},
     .take = take_if},
    {{"plot", "title", "TEXT", "default: made from the other keys"}, take_row_text, OF_PLOT(title)},
    {{"plot", "kind", "bar|line", "default: bar"}, take_one_of, OF_PLOT(kind)},
    {{"plot", "y", "STATISTIC", "the statistic drawn (memtwin list stats); default: ipc"},
     take_y,
     OF_PLOT(y)},
    {{"plot", "relative", "no|baseline|inverse",
      "the value, run / baseline, or baseline / run; default: baseline if the study has one"},
     take_one_of,
     OF_PLOT(relative),
     offsetof(struct study_plot, relative_line)},
    {{"plot", "x", "DIMENSION",
      "workload (the default), group, scheme, config, or a key of an axis"},
     take_row_text,
     OF_PLOT(x),
     offsetof(struct study_plot, x_line)},
    {{"plot", "color", "DIMENSION",
      "as x: workload, group, scheme (the default), config, or a key"},
     take_row_text,
     OF_PLOT(color),
     offsetof(struct study_plot, color_line)},
    {{"plot", "schemes", "SCHEME..", "schemes to draw; default: all"},
     take_row_words,
     OF_PLOT(schemes)},
};
#define N_ROWS (sizeof rows / sizeof *rows)
static_assert(N_ROWS <= ROWS_MAX, "reading.seen has a place for each row");

const struct study_file_key *study_file_key(size_t i) {
    return i < N_ROWS ? &rows[i].key : NULL;
}

/* Finds the row of a section's key. If there is no such key, returns NULL, and `guess` contains the
 * section's keys. */
static const struct study_row *find_row(struct study_reading *r, const char *name,
                                        struct guess *guess) {
    static const char *const sections[] = {
        [STUDY] = "study", [GROUP] = "group", [SCHEME] = "scheme", [PLOT] = "plot"};
    guess_begin(guess, name);
    for (const struct study_row *row = rows; row < rows + N_ROWS; row++) {
        if (strcmp(row->key.section, sections[r->kind]) != 0)
            continue;
        if (strcmp(row->key.name, name) == 0)
            return row;
        guess_try(guess, row->key.name, strlen(row->key.name));
    }
    return NULL;
}

int file_take_listed_key(struct study_reading *r, const char *name, const char *value) {
    struct study *s = r->s;
    struct guess guess;
    const struct study_row *row = find_row(r, name, &guess);
    const size_t section = r->kind == PLOT ? s->n_plots : 1;
    char where[256];
    if (r->kind == PLOT)
        snprintf(where, sizeof where, "[plot %s]", s->plot[s->n_plots - 1].name);
    else
        snprintf(where, sizeof where, "section 'study'");
    if (!row)
        return file_fail(r, "unknown key '%s' in %s (see memtwin-study(5))%s", name, where,
                         guess_hint(&guess));
    if (r->seen[row - rows] == section)
        return file_fail(r, "key '%s' is given twice in %s", name, where);
    r->seen[row - rows] = section;
    r->list = NULL;
    return row->take(r, row, value);
}

int file_take_mixed_key(struct study_reading *r, struct study_section *to, const char *name,
                        const char *value) {
    struct guess guess;
    const struct study_row *row = find_row(r, name, &guess);
    return row ? row->take(r, row, value) : file_take_setting(r, to, name, value);
}
