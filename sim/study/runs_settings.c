// SPDX-License-Identifier: Apache-2.0
/* Computes the index, the settings and the command of a run. */
#include <cjson/cJSON.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "lib/alloc.h"
#include "study/runs_inside.h"

/* ---- Selectors ---- */

size_t runs_place(const struct study_runs *r, size_t run, size_t by) {
    return run / r->stride[by] % r->size[by];
}

const struct study_workload *runs_workload(const struct study_runs *r, size_t run) {
    return &r->workload[runs_place(r, run, BY_WORKLOAD)];
}

/* Returns the run with the indices in `place`. Where `place` has RUNS_NONE, the index is that of
 * `run`. */
static size_t runs_moved(const struct study_runs *r, size_t run, const size_t *place) {
    for (size_t by = 0; by < r->by; by++)
        if (place[by] != RUNS_NONE)
            run += (place[by] - runs_place(r, run, by)) * r->stride[by];
    return run;
}

size_t runs_with_scheme(const struct study_runs *r, size_t run, size_t scheme) {
    return run + (scheme - runs_place(r, run, BY_SCHEME)) * r->stride[BY_SCHEME];
}

size_t runs_ordered(const struct study_runs *r, size_t i) {
    const size_t workloads = r->size[BY_WORKLOAD], stride = r->stride[BY_WORKLOAD];
    const size_t machines = workloads * stride;
    return i / machines * machines + i % workloads * stride + i % machines / workloads;
}

const struct study_section *runs_scheme_of(const struct study_runs *r, size_t run) {
    return r->study->n_schemes ? &r->study->scheme[runs_place(r, run, BY_SCHEME)] : NULL;
}

const char *runs_scheme(const struct study_runs *r, size_t run) {
    return r->study->n_schemes ? runs_scheme_of(r, run)->name : "";
}

const char *runs_group(const struct study_runs *r, size_t run) {
    const size_t group = runs_workload(r, run)->group;
    return group == STUDY_NONE ? "" : r->study->group[group].name;
}

const char *runs_choice(const struct study_runs *r, size_t run) {
    return r->choice[run] != RUNS_NONE ? runs_scheme(r, r->choice[run]) : NULL;
}

size_t runs_baseline(const struct study_runs *r, size_t run) {
    for (size_t by = 0; by < r->by; by++)
        if (r->baseline[by] != RUNS_NONE)
            return runs_moved(r, run, r->baseline);
    return RUNS_NONE;
}

/* ---- Settings ---- */

/* Sets a key. A later value replaces an earlier one. */
static void put_setting(struct run_settings *to, const struct study_key *key,
                        const struct study_word *value) {
    size_t i = 0;
    while (i < to->n && strcmp(to->of[i].key->name, key->name) != 0)
        i++;
    to->of[i].key = key;
    to->of[i].value = value;
    to->n += i == to->n;
}

static void put_settings(struct run_settings *to, const struct study_section *s, size_t row) {
    for (size_t k = 0; k < s->n; k++)
        put_setting(to, &s->key[k], &s->key[k].values.word[row]);
}

/* Adds the keys of a scheme after those of its base. If the scheme is the best of others, adds the
 * keys of the chosen scheme instead, if the choice is known. */
static void put_scheme(const struct study_runs *r, size_t run, const struct study_section *s,
                       struct run_settings *to) {
    while (s->best.n) {
        const size_t choice = r->choice[runs_with_scheme(r, run, (size_t)(s - r->study->scheme))];
        if (choice == RUNS_NONE)
            return;
        s = runs_scheme_of(r, choice);
    }
    if (s->base != STUDY_NONE)
        put_scheme(r, run, &r->study->scheme[s->base], to);
    put_settings(to, s, 0);
}

void runs_settings(const struct study_runs *r, size_t run, struct run_settings *to) {
    const struct study *s = r->study;
    const size_t group = runs_workload(r, run)->group;
    to->machine = &r->machine[runs_place(r, run, BY_CONFIG)];
    to->n = 0;
    put_settings(to, &s->set, 0);
    if (group != STUDY_NONE)
        put_settings(to, &s->group[group], 0);
    if (s->n_schemes)
        put_scheme(r, run, runs_scheme_of(r, run), to);
    for (size_t a = 0; a < s->n_axes; a++)
        put_settings(to, &s->axis[a], runs_place(r, run, BY_AXIS + a));
}

bool runs_same(const struct run_settings *a, const struct run_settings *b) {
    if (a->machine != b->machine || a->n != b->n)
        return false;
    for (size_t i = 0; i < a->n; i++)
        if (a->of[i].value != b->of[i].value || a->of[i].value->from != STUDY_NONE)
            return false;
    return true;
}

size_t runs_source(const struct study_runs *r, size_t run, size_t from) {
    return runs_moved(r, run, r->from + from * r->by);
}

double *runs_value(const struct study_runs *r, size_t statistic, size_t run) {
    return &r->value[statistic * r->n + run];
}

/* Returns the result that a value is a percentage of, or NAN if the result is missing. */
static double result_of(const struct study_runs *r, size_t run, const struct study_word *word) {
    const size_t statistic = r->study->from[word->from].statistic;
    return *runs_value(r, statistic, runs_source(r, run, word->from));
}

static bool is_missing(const struct study_runs *r, size_t run, const struct study_word *word) {
    return word->from != STUDY_NONE && isnan(result_of(r, run, word));
}

/* Prints a value, or "1" if it depends on a missing result. */
static void print_value(const struct study_runs *r, size_t run, const struct study_word *word,
                        char *buf, size_t size) {
    if (word->from == STUDY_NONE)
        snprintf(buf, size, "%s", word->text);
    else if (is_missing(r, run, word))
        snprintf(buf, size, "1");
    else
        snprintf(buf, size, "%.0f",
                 floor(r->study->from[word->from].percent * result_of(r, run, word) / 100));
}

/* Refuses a percentage that rounds to 0. For many keys 0 is not the smallest value but a special
 * one, such as "all memory". */
static int check_percentage(const struct study_runs *r, size_t run, const struct study_key *key,
                            const struct study_word *word, const char *text, struct error *why) {
    if (word->from == STUDY_NONE || strcmp(text, "0") != 0)
        return 0;
    return error_set(why, "%s=%s is 0: %g %% of %.15g, rounded down", key->name, word->text,
                     r->study->from[word->from].percent, result_of(r, run, word));
}

/* Resets keys that this run does not read to the machine's value, because a study sets keys for
 * many runs. */
static int leave_out(const struct run_settings *set, struct config *cfg, struct error *why) {
    char section[64], value[CONFIG_STR_SIZE], assignment[256];
    int bad = 0;
    for (size_t i = 0; i < set->n && !bad; i++) {
        const char *key = set->of[i].key->name, *dot = strchr(key, '.');
        if (config_has_effect(cfg, key, NULL))
            continue;
        snprintf(section, sizeof section, "%.*s", (int)(dot - key), key);
        config_value(&set->machine->cfg, section, dot + 1, value, sizeof value);
        snprintf(assignment, sizeof assignment, "%s=%s", key, value);
        bad = config_set(cfg, assignment, why);
    }
    return bad;
}

int runs_set_all(const struct study_runs *r, size_t run, const struct run_settings *set,
                 struct config *cfg, struct error *why) {
    char assignment[1024], value[512];
    int bad = 0;
    *cfg = set->machine->cfg;
    for (size_t i = 0; i < set->n && !bad; i++) {
        const struct study_key *key = set->of[i].key;
        const struct study_word *word = set->of[i].value;
        print_value(r, run, word, value, sizeof value);
        snprintf(assignment, sizeof assignment, "%s=%s", key->name, value);
        bad = check_percentage(r, run, key, word, value, why) ||
              (config_set(cfg, assignment, why) && !is_missing(r, run, word));
    }
    return bad ? -1 : 0;
}

int runs_make_config(const struct study_runs *r, size_t run, const struct run_settings *set,
                     struct config *cfg, struct error *why) {
    return runs_set_all(r, run, set, cfg, why) || leave_out(set, cfg, why) ? -1 : 0;
}

void runs_config(const struct study_runs *r, size_t run, struct config *cfg) {
    struct run_settings set;
    struct error why;
    runs_settings(r, run, &set);
    runs_make_config(r, run, &set, cfg, &why); /* cannot fail, because it has succeeded before */
}

/* Returns the value that a run has for a key of an axis. */
static const char *axis_value(const struct study_runs *r, size_t run, size_t axis, size_t key) {
    return r->study->axis[axis].key[key].values.word[runs_place(r, run, BY_AXIS + axis)].text;
}

void runs_axes(const struct study_runs *r, size_t run, FILE *to) {
    const struct study *s = r->study;
    const char *gap = "";
    for (size_t a = 0; a < s->n_axes; a++)
        for (size_t k = 0; k < s->axis[a].n; k++) {
            fprintf(to, "%s%s=%s", gap, s->axis[a].key[k].name, axis_value(r, run, a, k));
            gap = " ";
        }
}

char *runs_axes_json(const struct study_runs *r, size_t run) {
    const struct study *s = r->study;
    cJSON *root = cJSON_CreateObject();
    for (size_t a = 0; a < s->n_axes; a++)
        for (size_t k = 0; k < s->axis[a].n; k++) {
            const char *name = s->axis[a].key[k].name, *value = axis_value(r, run, a, k);
            json_add_key(root, name, value);
        }
    return json_text(root, false);
}

/* ---- Arguments ---- */

struct arguments {
    char **text; /* owned; ended by NULL */
    size_t n;
};

__attribute__((format(printf, 2, 3))) static void add(struct arguments *a, const char *fmt, ...) {
    va_list args;
    a->text = alloc_resized(a->text, a->n + 2, sizeof *a->text);
    va_start(args, fmt);
    a->text[a->n++] = alloc_vprint(fmt, args);
    a->text[a->n] = NULL;
    va_end(args);
}

static void add_settings(const struct study_runs *r, size_t run, struct arguments *a) {
    struct run_settings set;
    struct config cfg;
    char value[512];
    runs_settings(r, run, &set);
    runs_config(r, run, &cfg);
    for (size_t i = 0; i < set.n; i++) {
        if (!config_has_effect(&cfg, set.of[i].key->name, NULL))
            continue;
        print_value(r, run, set.of[i].value, value, sizeof value);
        add(a, "-s");
        add(a, "%s=%s", set.of[i].key->name, value);
    }
}

static char **copy_arguments(char **from) {
    struct arguments a = {0};
    for (; *from; from++)
        add(&a, "%s", *from);
    return a.text;
}

char **runs_arguments(const struct study_runs *r, size_t run) {
    if (r->listed)
        return copy_arguments(r->listed[run]);
    const struct study *s = r->study;
    const struct study_workload *w = runs_workload(r, run);
    struct arguments a = {0};
    add(&a, "memtwin");
    add(&a, "run");
    add(&a, "-c");
    add(&a, "%s", r->machine[runs_place(r, run, BY_CONFIG)].path);
    add(&a, w->trace_hash[0] ? "-t" : "-w");
    add(&a, "%s", w->name);
    if (s->kernels && w->trace_hash[0])
        add(&a, "--kernels=%s", s->kernels);
    add_settings(r, run, &a);
    for (size_t i = 0; i < s->twins.n; i++)
        add(&a, "--twin=%s", s->twins.word[i].text);
    if (s->check)
        add(&a, "--check");
    if (s->detail)
        add(&a, "--detail");
    if (s->series)
        add(&a, "--json-series");
    if (s->max_time[0])
        add(&a, "--max-time=%s", s->max_time);
    add(&a, "--json=-");
    add(&a, "-q");
    return a.text;
}

void runs_arguments_free(char **arguments) {
    for (char **a = arguments; a && *a; a++)
        free(*a);
    free(arguments);
}
