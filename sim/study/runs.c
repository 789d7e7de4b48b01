// SPDX-License-Identifier: Apache-2.0
#include "study/runs.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/gpu.h"
#include "identity.h"
#include "kernel/kernel.h"
#include "lib/message.h"
#include "options.h"
#include "paths.h"
#include "settings.h"
#include "study/runs_inside.h"
#include "trace/list.h"
#include "twins.h"
#include "workload_set.h"

/* Returns -1 with "FILE:LINE: what" in err. */
__attribute__((format(printf, 5, 6))) int runs_refuse(const struct study *s, unsigned line,
                                                      char *err, size_t err_size, const char *fmt,
                                                      ...) {
    char what[2048];
    va_list args;
    va_start(args, fmt);
    message_vprint(what, sizeof what, fmt, args);
    va_end(args);
    message_print(err, err_size, "%s:%u: %s", s->path, line, what);
    return -1;
}

/* ---- Configurations and workloads ---- */

/* Resolves a path relative to the study file. */
static int beside(const struct study *s, const char *path, char *buf) {
    return paths_beside(path[0] == '/' ? NULL : s->path, path, buf, PATH_SIZE);
}

static bool is_path(const char *config) {
    size_t n = strlen(config);
    return strchr(config, '/') || (n > 4 && strcmp(config + n - 4, ".ini") == 0);
}

static int read_machine(struct study_runs *r, size_t i, char *err, size_t err_size) {
    const struct study *s = r->study;
    const struct study_word *word = &s->configs.word[i];
    struct study_machine *m = &r->machine[i];
    struct config_sources *from = malloc(sizeof *from);
    char why[1024];
    if (!from)
        return message_no_memory(err, err_size);
    int bad = 0;
    if (strcmp(word->text, "-") == 0 || (is_path(word->text) && beside(s, word->text, m->path)))
        bad =
            runs_refuse(s, word->line, err, err_size, "'%s': not a configuration file", word->text);
    else if (!is_path(word->text))
        snprintf(m->path, sizeof m->path, "%s", word->text);
    if (!bad && settings_load(m->path, &m->cfg, from, why, sizeof why))
        bad = runs_refuse(s, word->line, err, err_size, "config = %s: %s", word->text, why);
    free(from);
    return bad;
}

static int read_workload(struct study_workload *w, const struct study_word *word, char *err,
                         size_t err_size) {
    w->label = word->text;
    w->group = word->group;
    return workload_set_name(word->text, w->name, sizeof w->name, err, err_size);
}

static int read_trace(struct study_runs *r, struct study_workload *w, const struct study_word *word,
                      void (*warn)(void *ctx, const char *line), void *ctx, char *err,
                      size_t err_size) {
    struct trace t = {.spool = -1};
    char why[1024];
    w->label = word->text;
    w->group = word->group;
    if (strcmp(word->text, "-") == 0 || beside(r->study, word->text, w->name))
        return runs_refuse(r->study, word->line, err, err_size, "'%s': no path of a trace",
                           word->text);
    int bad = trace_find(&t, w->name, warn, ctx, why, sizeof why) ||
              trace_hash(&t, w->trace_hash, why, sizeof why);
    trace_free(&t);
    return bad ? runs_refuse(r->study, word->line, err, err_size, "%s", why) : 0;
}

/* Reads the reference file, and checks that each row names a scheme of the study. */
static int read_reference(struct study_runs *r, char *err, size_t err_size) {
    const struct study *s = r->study;
    const struct study_word *word = s->reference.word;
    char path[PATH_SIZE], why[1024];
    if (!word)
        return 0;
    if (beside(s, word->text, path))
        return runs_refuse(s, word->line, err, err_size, "'%s': no path of a file", word->text);
    if (reference_read(&r->reference, path, s->name, why, sizeof why))
        return runs_refuse(s, word->line, err, err_size, "reference = %s", why);
    for (size_t i = 0; i < r->reference.n; i++) {
        const char *name = r->reference.row[i].text[REFERENCE_SCHEME];
        if (*name && !study_find_section(s->scheme, s->n_schemes, name)) {
            message_print(err, err_size, "%s:%u: study '%s' has no scheme '%s'", path,
                          r->reference.row[i].line, s->name, name);
            return -1;
        }
    }
    return 0;
}

static int read_inputs(struct study_runs *r, void (*warn)(void *ctx, const char *line), void *ctx,
                       char *err, size_t err_size) {
    const struct study *s = r->study;
    for (size_t i = 0; i < s->configs.n; i++)
        if (read_machine(r, i, err, err_size))
            return -1;
    for (size_t i = 0; i < s->workloads.n; i++)
        if (read_workload(&r->workload[i], &s->workloads.word[i], err, err_size))
            return -1;
    for (size_t i = 0; i < s->traces.n; i++)
        if (read_trace(r, &r->workload[s->workloads.n + i], &s->traces.word[i], warn, ctx, err,
                       err_size))
            return -1;
    return read_reference(r, err, err_size);
}

/* ---- All runs ---- */

/* a * b, or RUNS_MAX + 1 if that is less. */
static size_t multiply(size_t a, size_t b) {
    return b && a > RUNS_MAX / b ? RUNS_MAX + 1 : a * b;
}

static int count_runs(struct study_runs *r, char *err, size_t err_size) {
    const struct study *s = r->study;
    r->by = BY_AXIS + s->n_axes;
    r->size = calloc(r->by, sizeof *r->size);
    r->stride = calloc(r->by, sizeof *r->stride);
    r->baseline = calloc(r->by, sizeof *r->baseline);
    r->from = calloc(s->n_from * r->by + 1, sizeof *r->from);
    if (!r->size || !r->stride || !r->baseline || !r->from)
        return message_no_memory(err, err_size);
    r->size[BY_CONFIG] = s->configs.n;
    r->size[BY_WORKLOAD] = s->workloads.n + s->traces.n;
    r->size[BY_SCHEME] = s->n_schemes ? s->n_schemes : 1;
    for (size_t a = 0; a < s->n_axes; a++)
        r->size[BY_AXIS + a] = study_rows(&s->axis[a]);
    r->n = 1;
    for (size_t by = r->by; by-- > 0;) {
        r->stride[by] = r->n;
        r->n = multiply(r->n, r->size[by]);
        if (r->n <= RUNS_MAX)
            continue;
        snprintf(err, err_size, "%s: more than %d runs", s->path, RUNS_MAX);
        return -1;
    }
    return 0;
}

/* ---- Twins ---- */

/* Checks the twins of a run. 0, or -1 with the error of `memtwin run --twin`. */
static int choose_twins(const struct study_runs *r, size_t run, const struct run_settings *set,
                        const char *pattern, char *why, size_t why_size) {
    struct twin_choice choice;
    struct config cfg;
    if (runs_make_config(r, run, set, &cfg, why, why_size))
        return -1;
    struct gpu *gpu = gpu_create(&cfg, NULL, why, why_size);
    if (!gpu)
        return -1;
    const int bad = twins_choose(&choice, gpu, &pattern, 1, why, why_size);
    twins_free(&choice);
    gpu_destroy(gpu);
    return bad;
}

/* Refuses a pattern that matches no machine, since every run would fail. Tries the first machine
 * first, which matches most patterns. */
static int check_twin(const struct study_runs *r, const struct study_word *word, char *err,
                      size_t err_size) {
    struct run_settings set, last = {0};
    char why[1024] = "";
    for (size_t i = 0; i < r->n; i++) {
        const size_t run = runs_ordered(r, i);
        if (r->state[run] != RUN_KNOWN)
            continue;
        runs_settings(r, run, &set);
        if (runs_same(&set, &last))
            continue;
        last = set;
        if (choose_twins(r, run, &set, word->text, why, sizeof why) == 0)
            return 0;
    }
    return *why ? runs_refuse(r->study, word->line, err, err_size,
                              "twin = %s: each run refuses it: %s", word->text, why)
                : 0;
}

static int check_twins(const struct study_runs *r, char *err, size_t err_size) {
    int bad = 0;
    for (size_t i = 0; i < r->study->twins.n && !bad; i++)
        bad = check_twin(r, &r->study->twins.word[i], err, err_size);
    return bad;
}

/* ---- Making ---- */

void runs_show(const struct study_runs *r, size_t run, struct progress *p, const char *doing) {
    if (progress_due(p))
        progress_line(p, "%s: %s run %zu of %zu", r->study->name, doing, run, r->n);
}

static int make_room(struct study_runs *r, char *err, size_t err_size) {
    const struct study *s = r->study;
    const size_t values = s->statistics.n * r->n;
    r->machine = calloc(s->configs.n, sizeof *r->machine);
    r->workload = calloc(r->size[BY_WORKLOAD], sizeof *r->workload);
    r->identity = calloc(r->n, sizeof *r->identity);
    r->state = calloc(r->n, sizeof *r->state);
    r->choice = malloc(r->n * sizeof *r->choice);
    r->value = malloc((values + 1) * sizeof *r->value);
    if (!r->machine || !r->workload || !r->identity || !r->state || !r->choice || !r->value)
        return message_no_memory(err, err_size);
    for (size_t run = 0; run < r->n; run++)
        r->choice[run] = RUNS_NONE;
    for (size_t i = 0; i < values; i++)
        r->value[i] = NAN;
    return 0;
}

int runs_make(struct study_runs *r, const struct study *s,
              void (*warn)(void *ctx, const char *line), void *ctx, struct progress *p, char *err,
              size_t err_size) {
    *r = (struct study_runs){.study = s};
    if (count_runs(r, err, err_size) || make_room(r, err, err_size) ||
        runs_place_words(r, err, err_size) || read_inputs(r, warn, ctx, err, err_size) ||
        identity_program(r->program, err, err_size) || runs_find(r, p, err, err_size) ||
        runs_check_keys(r, err, err_size))
        return -1;
    return check_twins(r, err, err_size);
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
