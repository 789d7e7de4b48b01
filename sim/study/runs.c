// SPDX-License-Identifier: Apache-2.0
#include "study/runs.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/gpu.h"
#include "identity.h"
#include "kernel/kernel.h"
#include "lib/alloc.h"
#include "lib/ini_file.h"
#include "options.h"
#include "paths.h"
#include "settings.h"
#include "study/runs_inside.h"
#include "trace/list.h"
#include "twins.h"
#include "workload_set.h"

/* Returns -1 with "FILE:LINE: what" in err. */
__attribute__((format(printf, 4, 5))) int runs_refuse(const struct study *s, unsigned line,
                                                      struct error *err, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    error_vset_at(err, s->path, line, fmt, args);
    va_end(args);
    return -1;
}

/* ---- Configurations and workloads ---- */

/* Resolves a path relative to the study file. */
static int sibling_path(const struct study *s, const char *path, char *buf) {
    return paths_sibling(path[0] == '/' ? NULL : s->path, path, buf, PATH_SIZE);
}

static int read_machine(struct study_runs *r, size_t i, struct error *err) {
    const struct study *s = r->study;
    const struct study_word *word = &s->configs.word[i];
    struct study_machine *m = &r->machine[i];
    struct config_sources *from = alloc_array(1, sizeof *from);
    struct error why;
    int bad = 0;
    if (strcmp(word->text, "-") == 0 ||
        (ini_file_is_path(word->text) && sibling_path(s, word->text, m->path)))
        bad = runs_refuse(s, word->line, err, "'%s': not a configuration file", word->text);
    else if (!ini_file_is_path(word->text))
        snprintf(m->path, sizeof m->path, "%s", word->text);
    if (!bad && settings_load(m->path, &m->cfg, from, &why))
        bad = runs_refuse(s, word->line, err, "config = %s: %s", word->text, why.text);
    free(from);
    return bad;
}

static int read_workload(struct study_workload *w, const struct study_word *word,
                         struct error *err) {
    w->label = word->text;
    w->group = word->group;
    return workload_set_name(word->text, w->name, sizeof w->name, err);
}

static int read_trace(struct study_runs *r, struct study_workload *w, const struct study_word *word,
                      void (*warn)(void *ctx, const char *line), void *ctx, struct error *err) {
    struct trace t = {.spool = -1};
    struct error why;
    w->label = word->text;
    w->group = word->group;
    if (strcmp(word->text, "-") == 0 || sibling_path(r->study, word->text, w->name))
        return runs_refuse(r->study, word->line, err, "'%s' is not the path of a trace",
                           word->text);
    if (is_fifo(w->name))
        return runs_refuse(r->study, word->line, err,
                           "%s: a pipe; expected a file or a folder, which each run reads",
                           word->text);
    const struct trace_how how = {.kernels = r->study->kernels, .warn = warn, .ctx = ctx};
    int bad = trace_find(&t, w->name, &how, &why) || trace_hash(&t, w->trace_hash, &why);
    trace_free(&t);
    return bad ? runs_refuse(r->study, word->line, err, "%s", why.text) : 0;
}

/* Reads the reference file, and checks that each row names a scheme of the study. */
static int read_reference(struct study_runs *r, struct error *err) {
    const struct study *s = r->study;
    const struct study_word *word = s->reference.word;
    char path[PATH_SIZE];
    struct error why;
    if (!word)
        return 0;
    if (sibling_path(s, word->text, path))
        return runs_refuse(s, word->line, err, "'%s' is not the path of a file", word->text);
    if (reference_read(&r->reference, path, s->name, &why))
        return runs_refuse(s, word->line, err, "reference = %s", why.text);
    for (size_t i = 0; i < r->reference.n; i++) {
        const char *name = r->reference.row[i].text[REFERENCE_SCHEME];
        if (*name && !study_find_section(s->scheme, s->n_schemes, name))
            return error_set_at(err, path, r->reference.row[i].line,
                                "study '%s' has no scheme '%s'", s->name, name);
    }
    return 0;
}

static int read_inputs(struct study_runs *r, void (*warn)(void *ctx, const char *line), void *ctx,
                       struct error *err) {
    const struct study *s = r->study;
    for (size_t i = 0; i < s->configs.n; i++)
        if (read_machine(r, i, err))
            return -1;
    for (size_t i = 0; i < s->workloads.n; i++)
        if (read_workload(&r->workload[i], &s->workloads.word[i], err))
            return -1;
    for (size_t i = 0; i < s->traces.n; i++)
        if (read_trace(r, &r->workload[s->workloads.n + i], &s->traces.word[i], warn, ctx, err))
            return -1;
    return read_reference(r, err);
}

/* ---- All runs ---- */

/* Returns a * b, or RUNS_MAX + 1 if that is less. */
static size_t multiply_sizes(size_t a, size_t b) {
    return b && a > RUNS_MAX / b ? RUNS_MAX + 1 : a * b;
}

static int count_runs(struct study_runs *r, struct error *err) {
    const struct study *s = r->study;
    r->by = BY_AXIS + s->n_axes;
    r->size = alloc_zeroed(r->by, sizeof *r->size);
    r->stride = alloc_zeroed(r->by, sizeof *r->stride);
    r->baseline = alloc_zeroed(r->by, sizeof *r->baseline);
    r->from = alloc_zeroed(s->n_from * r->by + 1, sizeof *r->from);
    r->size[BY_CONFIG] = s->configs.n;
    r->size[BY_WORKLOAD] = s->workloads.n + s->traces.n;
    r->size[BY_SCHEME] = s->n_schemes ? s->n_schemes : 1;
    for (size_t a = 0; a < s->n_axes; a++)
        r->size[BY_AXIS + a] = study_rows(&s->axis[a]);
    r->n = 1;
    for (size_t by = r->by; by-- > 0;) {
        r->stride[by] = r->n;
        r->n = multiply_sizes(r->n, r->size[by]);
        if (r->n <= RUNS_MAX)
            continue;
        return error_set(err, "%s: more than %d runs", s->path, RUNS_MAX);
    }
    return 0;
}

/* ---- Twins ---- */

/* Checks the twins of a run. Returns 0, or -1 with the error of `memtwin run --twin`. */
static int choose_twins(const struct study_runs *r, size_t run, const struct run_settings *set,
                        const char *pattern, struct error *why) {
    struct twin_choice choice;
    struct config cfg;
    if (runs_make_config(r, run, set, &cfg, why))
        return -1;
    struct gpu *gpu = gpu_create(&cfg, NULL, why);
    if (!gpu)
        return -1;
    const int bad = twins_choose(&choice, gpu, &pattern, 1, why);
    twins_free(&choice);
    gpu_destroy(gpu);
    return bad;
}

/* Refuses a pattern that matches nothing on any machine, because every run would fail. Stops at the
 * first machine with a match, which is usually the first machine. */
static int check_twin(const struct study_runs *r, const struct study_word *word,
                      struct error *err) {
    struct run_settings set, last = {0};
    struct error why = {0};
    for (size_t i = 0; i < r->n; i++) {
        const size_t run = runs_ordered(r, i);
        if (r->state[run] != RUN_KNOWN)
            continue;
        runs_settings(r, run, &set);
        if (runs_same(&set, &last))
            continue;
        last = set;
        if (choose_twins(r, run, &set, word->text, &why) == 0)
            return 0;
    }
    return *why.text ? runs_refuse(r->study, word->line, err, "twin = %s: every run rejects it: %s",
                                   word->text, why.text)
                     : 0;
}

static int check_twins(const struct study_runs *r, struct error *err) {
    int bad = 0;
    for (size_t i = 0; i < r->study->twins.n && !bad; i++)
        bad = check_twin(r, &r->study->twins.word[i], err);
    return bad;
}

/* ---- Construction ---- */

void runs_show(const struct study_runs *r, size_t run, struct progress *p, const char *doing) {
    if (progress_due(p))
        progress_line(p, "%s: %s run %zu of %zu", r->study->name, doing, run, r->n);
}

static void make_room(struct study_runs *r) {
    const struct study *s = r->study;
    const size_t values = s->statistics.n * r->n;
    r->machine = alloc_zeroed(s->configs.n, sizeof *r->machine);
    r->workload = alloc_zeroed(r->size[BY_WORKLOAD], sizeof *r->workload);
    r->identity = alloc_zeroed(r->n, sizeof *r->identity);
    r->state = alloc_zeroed(r->n, sizeof *r->state);
    r->choice = alloc_array(r->n, sizeof *r->choice);
    r->value = alloc_array(values + 1, sizeof *r->value);
    for (size_t run = 0; run < r->n; run++)
        r->choice[run] = RUNS_NONE;
    for (size_t i = 0; i < values; i++)
        r->value[i] = NAN;
}

int runs_make(struct study_runs *r, const struct study *s,
              void (*warn)(void *ctx, const char *line), void *ctx, struct progress *p,
              struct error *err) {
    *r = (struct study_runs){.study = s};
    if (count_runs(r, err))
        return -1;
    make_room(r);
    if (runs_place_words(r, err) || read_inputs(r, warn, ctx, err) ||
        identity_program(r->program, err) || runs_find(r, p, err) || runs_check_keys(r, err))
        return -1;
    return check_twins(r, err);
}

void runs_free(struct study_runs *r) {
    free(r->size);
    free(r->stride);
    free(r->baseline);
    free(r->machine);
    free(r->workload);
    free(r->identity);
    free(r->from);
    free(r->state);
    free(r->choice);
    free(r->value);
    reference_free(&r->reference);
}
