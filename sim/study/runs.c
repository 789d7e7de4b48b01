// SPDX-License-Identifier: Apache-2.0
#include "study/runs.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/gpu.h"
#include "identity.h"
#include "kernel/kernel.h"
#include "lib/guess.h"
#include "lib/message.h"
#include "options.h"
#include "paths.h"
#include "settings.h"
#include "trace/list.h"

/* Returns -1 with "FILE:LINE: what" in err. */
__attribute__((format(printf, 5, 6))) static int
refuse(const struct study *s, unsigned line, char *err, size_t err_size, const char *fmt, ...) {
    char what[2048];
    va_list args;
    va_start(args, fmt);
    message_vprint(what, sizeof what, fmt, args);
    va_end(args);
    message_print(err, err_size, "%s:%u: %s", s->path, line, what);
    return -1;
}

static int no_memory(char *err, size_t err_size) {
    snprintf(err, err_size, "out of memory");
    return -1;
}

/* ---- Configurations and workloads ---- */

/* A path in a study is relative to its file. */
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
        return no_memory(err, err_size);
    int bad = 0;
    if (strcmp(word->text, "-") == 0 || (is_path(word->text) && beside(s, word->text, m->path)))
        bad = refuse(s, word->line, err, err_size, "'%s': no path of a configuration", word->text);
    else if (!is_path(word->text))
        snprintf(m->path, sizeof m->path, "%s", word->text);
    if (!bad && settings_load(m->path, &m->cfg, from, why, sizeof why))
        bad = refuse(s, word->line, err, err_size, "config = %s: %s", word->text, why);
    free(from);
    return bad;
}

static int read_workload(struct study_workload *w, const char *text, char *err, size_t err_size) {
    const char *size;
    const struct workload_type *type = read_workload_name(text, &size, err, err_size);
    if (!type)
        return -1;
    w->label = text;
    snprintf(w->name, sizeof w->name, "%s:%s", type->name, size ? size : type->default_size);
    return 0;
}

static int read_trace(struct study_runs *r, struct study_workload *w, const struct study_word *word,
                      void (*warn)(void *ctx, const char *line), void *ctx, char *err,
                      size_t err_size) {
    struct trace t = {.spool = -1};
    char why[1024];
    w->label = word->text;
    if (strcmp(word->text, "-") == 0 || beside(r->study, word->text, w->name))
        return refuse(r->study, word->line, err, err_size, "'%s': no path of a trace", word->text);
    int bad = trace_find(&t, w->name, warn, ctx, why, sizeof why) ||
              trace_hash(&t, w->trace_hash, why, sizeof why);
    trace_free(&t);
    return bad ? refuse(r->study, word->line, err, err_size, "%s", why) : 0;
}

static int read_inputs(struct study_runs *r, void (*warn)(void *ctx, const char *line), void *ctx,
                       char *err, size_t err_size) {
    const struct study *s = r->study;
    for (size_t i = 0; i < s->configs.n; i++)
        if (read_machine(r, i, err, err_size))
            return -1;
    for (size_t i = 0; i < s->workloads.n; i++)
        if (read_workload(&r->workload[i], s->workloads.word[i].text, err, err_size))
            return -1;
    for (size_t i = 0; i < s->traces.n; i++)
        if (read_trace(r, &r->workload[s->workloads.n + i], &s->traces.word[i], warn, ctx, err,
                       err_size))
            return -1;
    return 0;
}

/* ---- Places ---- */

size_t runs_place(const struct study_runs *r, size_t run, size_t by) {
    return run / r->stride[by] % r->size[by];
}

const struct study_workload *runs_workload(const struct study_runs *r, size_t run) {
    return &r->workload[runs_place(r, run, BY_WORKLOAD)];
}

static const struct study_section *scheme_of(const struct study_runs *r, size_t run) {
    return r->study->n_schemes ? &r->study->scheme[runs_place(r, run, BY_SCHEME)] : NULL;
}

const char *runs_scheme(const struct study_runs *r, size_t run) {
    return r->study->n_schemes ? scheme_of(r, run)->name : "";
}

size_t runs_baseline(const struct study_runs *r, size_t run) {
    size_t to = run, named = 0;
    for (size_t by = 0; by < r->by; by++) {
        if (r->baseline[by] == RUNS_NONE)
            continue;
        to += r->baseline[by] * r->stride[by] - runs_place(r, run, by) * r->stride[by];
        named++;
    }
    return named ? to : RUNS_NONE;
}

/* Calls fn for each key that a run sets, in order: a later one for a key holds. */
static void each_setting(const struct study_runs *r, size_t run,
                         void (*fn)(void *ctx, const char *key, const char *value), void *ctx) {
    const struct study *s = r->study;
    const struct study_section *const sets[] = {&s->set, scheme_of(r, run)};
    for (size_t i = 0; i < 2; i++)
        for (size_t k = 0; sets[i] && k < sets[i]->n; k++)
            fn(ctx, sets[i]->key[k].name, sets[i]->key[k].values.word[0].text);
    for (size_t a = 0; a < s->n_axes; a++)
        for (size_t k = 0; k < s->axis[a].n; k++)
            fn(ctx, s->axis[a].key[k].name,
               s->axis[a].key[k].values.word[runs_place(r, run, BY_AXIS + a)].text);
}

static void set_key(void *ctx, const char *key, const char *value) {
    char assignment[512], why[512];
    snprintf(assignment, sizeof assignment, "%s=%s", key, value);
    config_set(ctx, assignment, why, sizeof why); /* the reader of the file has tried it */
}

void runs_config(const struct study_runs *r, size_t run, struct config *cfg) {
    *cfg = r->machine[runs_place(r, run, BY_CONFIG)].cfg;
    each_setting(r, run, set_key, cfg);
}

void runs_axes(const struct study_runs *r, size_t run, bool json, FILE *to) {
    const struct study *s = r->study;
    const char *mark = json ? "{" : "";
    for (size_t a = 0; a < s->n_axes; a++)
        for (size_t k = 0; k < s->axis[a].n; k++) {
            const struct study_key *key = &s->axis[a].key[k];
            const char *value = key->values.word[runs_place(r, run, BY_AXIS + a)].text;
            const char *digits = value + (*value == '-');
            const char *quote =
                json && (!*digits || strspn(digits, "0123456789") != strlen(digits)) ? "\"" : "";
            fprintf(to, json ? "%s\"%s\":%s%s%s" : "%s%s=%s%s%s", mark, key->name, quote, value,
                    quote);
            mark = json ? "," : " ";
        }
    if (json)
        fputs(*mark == '{' ? "{}" : "}", to);
}

/* ---- Arguments ---- */

struct arguments {
    char **text; /* owned; ended by NULL */
    size_t n;
    bool failed;
};

__attribute__((format(printf, 2, 3))) static void add(struct arguments *a, const char *fmt, ...) {
    char **more = realloc(a->text, (a->n + 2) * sizeof *more);
    va_list args;
    if (!more) {
        a->failed = true;
        return;
    }
    a->text = more;
    va_start(args, fmt);
    if (vasprintf(&a->text[a->n], fmt, args) < 0)
        a->failed = true, a->text[a->n] = NULL;
    else
        a->text[++a->n] = NULL;
    va_end(args);
}

static void add_setting(void *ctx, const char *key, const char *value) {
    add(ctx, "-s");
    add(ctx, "%s=%s", key, value);
}

char **runs_arguments(const struct study_runs *r, size_t run) {
    const struct study *s = r->study;
    const struct study_workload *w = runs_workload(r, run);
    struct arguments a = {0};
    add(&a, "memtwin");
    add(&a, "run");
    add(&a, "-c");
    add(&a, "%s", r->machine[runs_place(r, run, BY_CONFIG)].path);
    add(&a, w->trace_hash[0] ? "-t" : "-w");
    add(&a, "%s", w->name);
    each_setting(r, run, add_setting, &a);
    for (size_t i = 0; i < s->twins.n; i++)
        add(&a, "--twin=%s", s->twins.word[i].text);
    if (s->check)
        add(&a, "--check");
    if (s->detail)
        add(&a, "--detail");
    if (s->max_time[0])
        add(&a, "--max-time=%s", s->max_time);
    add(&a, "--json=-");
    add(&a, "-q");
    if (!a.failed)
        return a.text;
    runs_arguments_free(a.text);
    return NULL;
}

void runs_arguments_free(char **arguments) {
    for (char **a = arguments; a && *a; a++)
        free(*a);
    free(arguments);
}

/* ---- The baseline ---- */

/* "KEY=VALUE" of the row of an axis that is meant. 0: it is no such word; -1 with one line in err.
 */
static int baseline_row(struct study_runs *r, const struct study_word *word, char *err,
                        size_t err_size) {
    const struct study *s = r->study;
    const char *value = strchr(word->text, '=');
    for (size_t a = 0; value && a < s->n_axes; a++)
        for (size_t k = 0; k < s->axis[a].n; k++) {
            const struct study_key *key = &s->axis[a].key[k];
            size_t found = 0, len = (size_t)(value - word->text);
            if (strlen(key->name) != len || strncmp(key->name, word->text, len) != 0)
                continue;
            for (size_t i = 0; i < key->values.n; i++)
                if (strcmp(key->values.word[i].text, value + 1) == 0 && ++found)
                    r->baseline[BY_AXIS + a] = i;
            if (found == 1)
                return 1;
            return refuse(s, word->line, err, err_size, "baseline %s: %s that value", word->text,
                          found ? "more than one row of its axis has" : "its axis has not");
        }
    return 0;
}

static int baseline_word(struct study_runs *r, const struct study_word *word, char *err,
                         size_t err_size) {
    const struct study *s = r->study;
    struct guess guess;
    guess_begin(&guess, word->text);
    for (size_t i = 0; i < s->n_schemes; i++) {
        guess_try(&guess, s->scheme[i].name, strlen(s->scheme[i].name));
        if (strcmp(s->scheme[i].name, word->text) == 0) {
            r->baseline[BY_SCHEME] = i;
            return 0;
        }
    }
    for (size_t i = 0; i < s->configs.n; i++) {
        guess_try(&guess, s->configs.word[i].text, strlen(s->configs.word[i].text));
        if (strcmp(s->configs.word[i].text, word->text) == 0) {
            r->baseline[BY_CONFIG] = i;
            return 0;
        }
    }
    int row = baseline_row(r, word, err, err_size);
    if (row)
        return row < 0 ? -1 : 0;
    return refuse(s, word->line, err, err_size,
                  "baseline '%s': no scheme, no configuration and no KEY=VALUE of an axis%s",
                  word->text, guess_hint(&guess));
}

/* ---- All runs ---- */

/* As many as there are, or RUNS_MAX + 1. */
static size_t multiply(size_t a, size_t b) {
    return b && a > RUNS_MAX / b ? RUNS_MAX + 1 : a * b;
}

static int count_runs(struct study_runs *r, char *err, size_t err_size) {
    const struct study *s = r->study;
    r->by = BY_AXIS + s->n_axes;
    r->size = calloc(r->by, sizeof *r->size);
    r->stride = calloc(r->by, sizeof *r->stride);
    r->baseline = calloc(r->by, sizeof *r->baseline);
    if (!r->size || !r->stride || !r->baseline)
        return no_memory(err, err_size);
    r->size[BY_CONFIG] = s->configs.n;
    r->size[BY_WORKLOAD] = s->workloads.n + s->traces.n;
    r->size[BY_SCHEME] = s->n_schemes ? s->n_schemes : 1;
    for (size_t a = 0; a < s->n_axes; a++)
        r->size[BY_AXIS + a] = study_rows(&s->axis[a]);
    r->n = 1;
    for (size_t by = r->by; by-- > 0;) {
        r->baseline[by] = RUNS_NONE;
        r->stride[by] = r->n;
        r->n = multiply(r->n, r->size[by]);
        if (r->n <= RUNS_MAX)
            continue;
        snprintf(err, err_size, "%s: more than %d runs", s->path, RUNS_MAX);
        return -1;
    }
    return 0;
}

/* The line of the study that says most of a machine. */
static unsigned line_of(const struct study_runs *r, size_t run) {
    if (r->study->n_axes)
        return r->study->axis[0].key[0].line;
    return r->study->n_schemes ? scheme_of(r, run)->line : r->study->configs.word[0].line;
}

static int refuse_machine(const struct study_runs *r, size_t run, const char *why, char *err,
                          size_t err_size) {
    char *axes = NULL;
    size_t size;
    FILE *f = open_memstream(&axes, &size);
    if (!f)
        return no_memory(err, err_size);
    runs_axes(r, run, false, f);
    fclose(f);
    const char *scheme = runs_scheme(r, run);
    refuse(r->study, line_of(r, run), err, err_size, "no such machine: %s%s%s%s%s: %s",
           r->study->configs.word[runs_place(r, run, BY_CONFIG)].text, *scheme ? ", scheme " : "",
           scheme, axes && *axes ? ", " : "", axes ? axes : "", why);
    free(axes);
    return -1;
}

/* The identities of one machine with each workload; the first of these runs is `run`. */
static int identify(struct study_runs *r, size_t run, const char *program, char *err,
                    size_t err_size) {
    struct config cfg;
    char why[512];
    runs_config(r, run, &cfg);
    if (gpu_check(&cfg, why, sizeof why))
        return refuse_machine(r, run, why, err, err_size);
    for (size_t i = 0; i < r->size[BY_WORKLOAD]; i++) {
        const struct study_workload *w = &r->workload[i];
        if (identity_of(&cfg, w->name, w->trace_hash[0] ? w->trace_hash : NULL, program,
                        r->identity[run + i * r->stride[BY_WORKLOAD]], err, err_size))
            return -1;
    }
    return 0;
}

void runs_show(const struct study_runs *r, size_t run, struct progress *p, const char *doing) {
    if (progress_due(p))
        progress_line(p, "%s: %s run %zu of %zu", r->study->name, doing, run, r->n);
}

int runs_make(struct study_runs *r, const struct study *s,
              void (*warn)(void *ctx, const char *line), void *ctx, struct progress *p, char *err,
              size_t err_size) {
    *r = (struct study_runs){.study = s};
    if (count_runs(r, err, err_size))
        return -1;
    r->machine = calloc(s->configs.n, sizeof *r->machine);
    r->workload = calloc(r->size[BY_WORKLOAD], sizeof *r->workload);
    r->identity = calloc(r->n, sizeof *r->identity);
    if (!r->machine || !r->workload || !r->identity)
        return no_memory(err, err_size);
    for (size_t i = 0; i < s->baseline.n; i++)
        if (baseline_word(r, &s->baseline.word[i], err, err_size))
            return -1;
    if (read_inputs(r, warn, ctx, err, err_size))
        return -1;
    char program[HASH_SIZE];
    int bad = identity_program(program, err, err_size);
    for (size_t run = 0; run < r->n && !bad; run++) {
        if (runs_place(r, run, BY_WORKLOAD) == 0)
            bad = identify(r, run, program, err, err_size);
        runs_show(r, run, p, "checking");
    }
    return bad;
}

void runs_free(struct study_runs *r) {
    free(r->size);
    free(r->stride);
    free(r->baseline);
    free(r->machine);
    free(r->workload);
    free(r->identity);
}
