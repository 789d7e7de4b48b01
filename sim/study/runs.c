// SPDX-License-Identifier: Apache-2.0
#include "study/runs.h"

#include <cjson/cJSON.h>
#include <math.h>
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
#include "twins.h"

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
        return message_no_memory(err, err_size);
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

static int read_workload(struct study_workload *w, const struct study_word *word, char *err,
                         size_t err_size) {
    const char *size;
    const struct workload_type *type = read_workload_name(word->text, &size, err, err_size);
    if (!type)
        return -1;
    w->label = word->text;
    w->group = word->group;
    snprintf(w->name, sizeof w->name, "%s:%s", type->name, size ? size : type->default_size);
    return 0;
}

static int read_trace(struct study_runs *r, struct study_workload *w, const struct study_word *word,
                      void (*warn)(void *ctx, const char *line), void *ctx, char *err,
                      size_t err_size) {
    struct trace t = {.spool = -1};
    char why[1024];
    w->label = word->text;
    w->group = word->group;
    if (strcmp(word->text, "-") == 0 || beside(r->study, word->text, w->name))
        return refuse(r->study, word->line, err, err_size, "'%s': no path of a trace", word->text);
    int bad = trace_find(&t, w->name, warn, ctx, why, sizeof why) ||
              trace_hash(&t, w->trace_hash, why, sizeof why);
    trace_free(&t);
    return bad ? refuse(r->study, word->line, err, err_size, "%s", why) : 0;
}

/* Each row must be of a scheme of the study. */
static int read_reference(struct study_runs *r, char *err, size_t err_size) {
    const struct study *s = r->study;
    const struct study_word *word = s->reference.word;
    char path[PATH_SIZE], why[1024];
    if (!word)
        return 0;
    if (beside(s, word->text, path))
        return refuse(s, word->line, err, err_size, "'%s': no path of a file", word->text);
    if (reference_read(&r->reference, path, s->name, why, sizeof why))
        return refuse(s, word->line, err, err_size, "reference = %s", why);
    for (size_t i = 0; i < r->reference.n; i++) {
        const char *name = r->reference.row[i].text[REFERENCE_SCHEME];
        size_t k = 0;
        while (k < s->n_schemes && strcmp(s->scheme[k].name, name) != 0)
            k++;
        if (*name && k == s->n_schemes) {
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

/* ---- Places ---- */

size_t runs_place(const struct study_runs *r, size_t run, size_t by) {
    return run / r->stride[by] % r->size[by];
}

const struct study_workload *runs_workload(const struct study_runs *r, size_t run) {
    return &r->workload[runs_place(r, run, BY_WORKLOAD)];
}

/* The run that has some places of its own, and is like `run` in all others. */
static size_t moved(const struct study_runs *r, size_t run, const size_t *place) {
    for (size_t by = 0; by < r->by; by++)
        if (place[by] != RUNS_NONE)
            run += (place[by] - runs_place(r, run, by)) * r->stride[by];
    return run;
}

static size_t with_scheme(const struct study_runs *r, size_t run, size_t scheme) {
    return run + (scheme - runs_place(r, run, BY_SCHEME)) * r->stride[BY_SCHEME];
}

size_t runs_ordered(const struct study_runs *r, size_t i) {
    const size_t workloads = r->size[BY_WORKLOAD], stride = r->stride[BY_WORKLOAD];
    const size_t machines = workloads * stride;
    return i / machines * machines + i % workloads * stride + i % machines / workloads;
}

static const struct study_section *scheme_of(const struct study_runs *r, size_t run) {
    return r->study->n_schemes ? &r->study->scheme[runs_place(r, run, BY_SCHEME)] : NULL;
}

const char *runs_scheme(const struct study_runs *r, size_t run) {
    return r->study->n_schemes ? scheme_of(r, run)->name : "";
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
            return moved(r, run, r->baseline);
    return RUNS_NONE;
}

/* ---- What a run sets ---- */

/* A later value of a key holds. */
static void put_setting(struct run_settings *to, const char *key, const struct study_word *value) {
    size_t i = 0;
    while (i < to->n && strcmp(to->of[i].key, key) != 0)
        i++;
    to->of[i].key = key;
    to->of[i].value = value;
    to->n += i == to->n;
}

static void put_settings(struct run_settings *to, const struct study_section *s, size_t row) {
    for (size_t k = 0; k < s->n; k++)
        put_setting(to, s->key[k].name, &s->key[k].values.word[row]);
}

/* Of a scheme: of its base first, or of the one that it is here, if that is known. */
static void put_scheme(const struct study_runs *r, size_t run, const struct study_section *s,
                       struct run_settings *to) {
    while (s->best.n) {
        const size_t choice = r->choice[with_scheme(r, run, (size_t)(s - r->study->scheme))];
        if (choice == RUNS_NONE)
            return;
        s = scheme_of(r, choice);
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
        put_scheme(r, run, scheme_of(r, run), to);
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

/* The run that a value is from, and the place of the statistic among those that are known. */
static size_t source_of(const struct study_runs *r, size_t run, size_t from) {
    return moved(r, run, r->from + from * r->by);
}

static double *value_at(const struct study_runs *r, size_t statistic, size_t run) {
    return &r->value[statistic * r->n + run];
}

/* The text of a value. */
static void print_value(const struct study_runs *r, size_t run, const struct study_word *word,
                        char *buf, size_t size) {
    if (word->from == STUDY_NONE) {
        snprintf(buf, size, "%s", word->text);
        return;
    }
    const struct study_from *f = &r->study->from[word->from];
    const double value = *value_at(r, f->statistic, source_of(r, run, word->from));
    snprintf(buf, size, "%.0f", floor(f->percent * value / 100));
}

/* 0, or -1 with one line in why. */
static int make_config(const struct study_runs *r, size_t run, const struct run_settings *set,
                       struct config *cfg, char *why, size_t why_size) {
    char assignment[1024], value[512];
    int bad = 0;
    *cfg = set->machine->cfg;
    for (size_t i = 0; i < set->n && !bad; i++) {
        print_value(r, run, set->of[i].value, value, sizeof value);
        snprintf(assignment, sizeof assignment, "%s=%s", set->of[i].key, value);
        bad = config_set(cfg, assignment, why, why_size);
    }
    return bad ? -1 : 0;
}

void runs_config(const struct study_runs *r, size_t run, struct config *cfg) {
    struct run_settings set;
    char why[512];
    runs_settings(r, run, &set);
    make_config(r, run, &set, cfg, why, sizeof why); /* it has been made once */
}

/* The value of a key of an axis that a run has. */
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
    bool bad = !root;
    for (size_t a = 0; a < s->n_axes; a++)
        for (size_t k = 0; k < s->axis[a].n; k++) {
            const char *name = s->axis[a].key[k].name, *value = axis_value(r, run, a, k);
            int64_t number;
            bad |= study_number(value, &number)
                       ? !cJSON_AddNumberToObject(root, name, (double)number)
                       : !cJSON_AddStringToObject(root, name, value);
        }
    char *text = bad ? NULL : cJSON_PrintUnformatted(root);
    cJSON_Delete(root);
    return text;
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

static void add_settings(const struct study_runs *r, size_t run, struct arguments *a) {
    struct run_settings set;
    char value[512];
    runs_settings(r, run, &set);
    for (size_t i = 0; i < set.n; i++) {
        print_value(r, run, set.of[i].value, value, sizeof value);
        add(a, "-s");
        add(a, "%s=%s", set.of[i].key, value);
    }
}

static char **end_arguments(struct arguments *a) {
    if (!a->failed)
        return a->text;
    runs_arguments_free(a->text);
    return NULL;
}

static char **copy_arguments(char **from) {
    struct arguments a = {0};
    for (; *from; from++)
        add(&a, "%s", *from);
    return end_arguments(&a);
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
    return end_arguments(&a);
}

void runs_arguments_free(char **arguments) {
    for (char **a = arguments; a && *a; a++)
        free(*a);
    free(arguments);
}

/* ---- Words that name a run ---- */

/* "KEY=VALUE" of the row of an axis that is meant. 0: it is no such word; -1 with one line in err.
 */
static int place_row(const struct study_runs *r, const struct study_word *word, const char *what,
                     size_t *place, char *err, size_t err_size) {
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
                    place[BY_AXIS + a] = i;
            if (found == 1)
                return 1;
            return refuse(s, word->line, err, err_size, "%s %s: %s", what, word->text,
                          found ? "more than one row of its axis has that value"
                                : "its axis does not have that value");
        }
    return 0;
}

static int place_word(const struct study_runs *r, const struct study_word *word, const char *what,
                      size_t *place, char *err, size_t err_size) {
    const struct study *s = r->study;
    struct guess guess;
    guess_begin(&guess, word->text);
    for (size_t i = 0; i < s->n_schemes; i++) {
        guess_try(&guess, s->scheme[i].name, strlen(s->scheme[i].name));
        if (strcmp(s->scheme[i].name, word->text) == 0) {
            place[BY_SCHEME] = i;
            return 0;
        }
    }
    for (size_t i = 0; i < s->configs.n; i++) {
        guess_try(&guess, s->configs.word[i].text, strlen(s->configs.word[i].text));
        if (strcmp(s->configs.word[i].text, word->text) == 0) {
            place[BY_CONFIG] = i;
            return 0;
        }
    }
    int row = place_row(r, word, what, place, err, err_size);
    if (row)
        return row < 0 ? -1 : 0;
    return refuse(s, word->line, err, err_size,
                  "%s '%s': no scheme, no configuration and no KEY=VALUE of an axis%s", what,
                  word->text, guess_hint(&guess));
}

/* Where the words say nothing it is RUNS_NONE. */
static int place_words(const struct study_runs *r, const struct study_words *words,
                       const char *what, size_t *place, char *err, size_t err_size) {
    for (size_t by = 0; by < r->by; by++)
        place[by] = RUNS_NONE;
    for (size_t i = 0; i < words->n; i++)
        if (place_word(r, &words->word[i], what, place, err, err_size))
            return -1;
    return 0;
}

static int place_all(struct study_runs *r, char *err, size_t err_size) {
    const struct study *s = r->study;
    if (place_words(r, &s->baseline, "baseline", r->baseline, err, err_size))
        return -1;
    for (size_t i = 0; i < s->n_from; i++)
        if (place_words(r, &s->from[i].at, "the run", r->from + i * r->by, err, err_size))
            return -1;
    return 0;
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

/* Whether a message names a key, "l1d.ways", not only one that begins or ends with it. */
static bool names_key(const char *message, const char *key) {
    static const char word[] = "abcdefghijklmnopqrstuvwxyz0123456789_.";
    const size_t n = strlen(key);
    for (const char *at = message; (at = strstr(at, key)) != NULL; at++)
        if ((at == message || !strchr(word, at[-1])) && (!at[n] || !strchr(word, at[n])))
            return true;
    return false;
}

/* The line of the last value that a refusal names; else of the last one, or the configuration. */
static unsigned line_of(const struct study_runs *r, size_t run, const struct run_settings *set,
                        const char *why) {
    if (!set->n)
        return r->study->configs.word[runs_place(r, run, BY_CONFIG)].line;
    for (size_t i = set->n; i-- > 0;)
        if (names_key(why, set->of[i].key))
            return set->of[i].value->line;
    return set->of[set->n - 1].value->line;
}

static int refuse_machine(const struct study_runs *r, size_t run, const struct run_settings *set,
                          const char *why, char *err, size_t err_size) {
    char *axes = NULL;
    size_t size;
    FILE *f = open_memstream(&axes, &size);
    if (!f)
        return message_no_memory(err, err_size);
    runs_axes(r, run, f);
    fclose(f);
    const char *scheme = runs_scheme(r, run);
    refuse(r->study, line_of(r, run, set, why), err, err_size,
           "impossible configuration: %s%s%s%s%s: %s",
           r->study->configs.word[runs_place(r, run, BY_CONFIG)].text, *scheme ? ", scheme " : "",
           scheme, axes && *axes ? ", " : "", axes ? axes : "", why);
    free(axes);
    return -1;
}

/* ---- What becomes known ---- */

struct resolving {
    struct study_runs *r;
    runs_lookup *lookup; /* NULL: nothing can be asked yet */
    void *ctx;
    struct run_settings last; /* of the last run that was found; its configuration */
    struct config cfg;
    char *err;
    size_t err_size;
    bool failed;
};

/* Why a run is not known, if it is the first such run. */
__attribute__((format(printf, 3, 4))) static void blame(struct resolving *x, size_t run,
                                                        const char *fmt, ...) {
    struct study_runs *r = x->r;
    char what[768];
    va_list args;
    if (r->count.why[0])
        return;
    va_start(args, fmt);
    message_vprint(what, sizeof what, fmt, args);
    va_end(args);
    message_print(r->count.why, sizeof r->count.why, "run %zu (%s, %s) %s", run,
                  runs_workload(r, run)->label, runs_scheme(r, run), what);
}

/* A statistic of run `of`, for `run`. RUN_UNKNOWN: it is not there. */
static enum run_state ask(struct resolving *x, size_t run, size_t of, size_t statistic,
                          double *value) {
    struct study_runs *r = x->r;
    double *known = value_at(r, statistic, of);
    if (r->state[of] == RUN_KNOWN && isnan(*known) && x->lookup &&
        x->lookup(x->ctx, r->identity[of], r->study->statistics.word[statistic].text, known, x->err,
                  x->err_size))
        x->failed = true;
    *value = *known;
    if (r->state[of] != RUN_KNOWN)
        return r->state[of];
    if (!isnan(*known))
        return RUN_KNOWN;
    blame(x, run, "depends on run %zu (%s), which has no result", of, runs_scheme(r, of));
    return RUN_UNKNOWN;
}

static bool of_group(const struct study_runs *r, size_t run, const struct study_section *s) {
    for (size_t i = 0; i < s->groups.n; i++)
        if (strcmp(s->groups.word[i].text, runs_group(r, run)) == 0)
            return true;
    return s->groups.n == 0;
}

/* The first of the best ones that there are. */
static enum run_state choose(struct resolving *x, size_t run, const struct study_section *s) {
    struct study_runs *r = x->r;
    double best = 0, value;
    size_t found = RUNS_NONE;
    for (size_t i = 0; i < s->best.n; i++) {
        const size_t of = with_scheme(r, run, s->of[i]);
        const enum run_state state = ask(x, run, of, s->statistic, &value);
        if (state == RUN_UNKNOWN)
            return state;
        if (state == RUN_KNOWN && (found == RUNS_NONE || (s->least ? value < best : value > best)))
            found = of, best = value;
    }
    if (found == RUNS_NONE)
        return RUN_ABSENT;
    r->choice[run] = found;
    memcpy(r->identity[run], r->identity[found], HASH_SIZE);
    return RUN_KNOWN;
}

/* Whether it is known which scheme its base is. */
static enum run_state ask_bases(struct resolving *x, size_t run) {
    const struct study_runs *r = x->r;
    for (const struct study_section *s = scheme_of(r, run); s->base != STUDY_NONE;) {
        const size_t of = with_scheme(r, run, s->base);
        s = &r->study->scheme[s->base];
        if (s->best.n)
            return r->state[of];
    }
    return RUN_KNOWN;
}

static enum run_state ask_settings(struct resolving *x, size_t run,
                                   const struct run_settings *set) {
    double value;
    for (size_t i = 0; i < set->n; i++) {
        const size_t from = set->of[i].value->from;
        if (from == STUDY_NONE)
            continue;
        const enum run_state state =
            ask(x, run, source_of(x->r, run, from), x->r->study->from[from].statistic, &value);
        if (state != RUN_KNOWN)
            return state;
    }
    return RUN_KNOWN;
}

/* Its configuration, which those of the same settings share, and its identity. */
static enum run_state identify(struct resolving *x, size_t run, const struct run_settings *set) {
    struct study_runs *r = x->r;
    const struct study_workload *w = runs_workload(r, run);
    char why[512];
    if (!runs_same(set, &x->last)) {
        x->last.machine = NULL;
        if (make_config(r, run, set, &x->cfg, why, sizeof why) ||
            gpu_check(&x->cfg, why, sizeof why)) {
            refuse_machine(r, run, set, why, x->err, x->err_size);
            x->failed |= !x->lookup;
            blame(x, run, "cannot be: %s", x->err);
            return RUN_UNKNOWN;
        }
        x->last = *set;
    }
    x->failed |= identity_of(&x->cfg, w->name, w->trace_hash[0] ? w->trace_hash : NULL, r->program,
                             r->identity[run], x->err, x->err_size) != 0;
    return RUN_KNOWN;
}

static enum run_state settle(struct resolving *x, size_t run) {
    struct study_runs *r = x->r;
    const struct study_section *s = scheme_of(r, run);
    struct run_settings set;
    enum run_state state = RUN_KNOWN;
    double value = 1;
    if (s && !of_group(r, run, s))
        return RUN_ABSENT;
    if (s && s->condition != STUDY_NONE)
        state = ask(x, run, source_of(r, run, s->condition), r->study->from[s->condition].statistic,
                    &value);
    if (state != RUN_KNOWN || value == 0)
        return state == RUN_UNKNOWN ? state : RUN_ABSENT;
    if (s && s->best.n)
        return choose(x, run, s);
    if (s && (state = ask_bases(x, run)) != RUN_KNOWN)
        return state;
    runs_settings(r, run, &set);
    state = ask_settings(x, run, &set);
    return state == RUN_KNOWN ? identify(x, run, &set) : state;
}

/* Goes through all that is unknown until nothing is found any more. */
static int resolve(struct resolving *x, struct progress *p, size_t *found) {
    struct study_runs *r = x->r;
    size_t settled;
    *found = 0;
    do {
        settled = 0;
        r->count.known = r->count.absent = 0;
        r->count.why[0] = '\0';
        for (size_t i = 0; i < r->n && !x->failed; i++) {
            const size_t run = runs_ordered(r, i);
            if (r->state[run] == RUN_UNKNOWN) {
                r->state[run] = (unsigned char)settle(x, run);
                settled += r->state[run] != RUN_UNKNOWN;
                *found += r->state[run] == RUN_KNOWN;
            }
            r->count.known += r->state[run] == RUN_KNOWN;
            r->count.absent += r->state[run] == RUN_ABSENT;
            if (p)
                runs_show(r, i, p, "checking");
        }
        r->count.unknown = r->n - r->count.known - r->count.absent;
    } while (settled && r->count.unknown && !x->failed);
    return x->failed ? -1 : 0;
}

int runs_resolve(struct study_runs *r, runs_lookup *lookup, void *ctx, size_t *found, char *err,
                 size_t err_size) {
    struct resolving x = {.r = r, .lookup = lookup, .ctx = ctx, .err = err, .err_size = err_size};
    *found = 0;
    return r->count.unknown ? resolve(&x, NULL, found) : 0;
}

/* ---- What depends on what ---- */

/* Whether all that a run may depend on is in `before`. */
static bool is_after(const struct study_runs *r, size_t run, const bool *before) {
    const struct study_section *s = scheme_of(r, run);
    struct run_settings set;
    if (s && s->condition != STUDY_NONE && !before[source_of(r, run, s->condition)])
        return false;
    for (size_t i = 0; s && i < s->best.n; i++)
        if (!before[with_scheme(r, run, s->of[i])])
            return false;
    if (s && s->best.n)
        return true;
    for (const struct study_section *b = s; b && b->base != STUDY_NONE;) {
        const size_t base = b->base;
        b = &r->study->scheme[base];
        if (b->best.n && !before[with_scheme(r, run, base)])
            return false;
    }
    runs_settings(r, run, &set);
    for (size_t i = 0; i < set.n; i++)
        if (set.of[i].value->from != STUDY_NONE &&
            !before[source_of(r, run, set.of[i].value->from)])
            return false;
    return true;
}

/* The line that says what a run depends on. */
static unsigned dependent_line(const struct study_runs *r, size_t run) {
    const struct study_section *s = scheme_of(r, run);
    struct run_settings set;
    if (s && s->best.n)
        return s->best.word[0].line;
    if (s && s->condition != STUDY_NONE)
        return r->study->from[s->condition].at.word[0].line;
    runs_settings(r, run, &set);
    for (size_t i = 0; i < set.n; i++)
        if (set.of[i].value->from != STUDY_NONE)
            return set.of[i].value->line;
    return s ? s->line : 0;
}

/* A run that depends on itself would never be known. */
static int check_order(const struct study_runs *r, char *err, size_t err_size) {
    bool *before = calloc(r->n, sizeof *before), found = true;
    size_t left = r->count.unknown, first = 0;
    if (!before)
        return message_no_memory(err, err_size);
    for (size_t run = 0; run < r->n; run++)
        before[run] = r->state[run] != RUN_UNKNOWN;
    while (found && left) {
        found = false;
        for (size_t run = r->n; run-- > 0;)
            if (!before[run] && !is_after(r, run, before))
                first = run;
            else if (!before[run])
                before[run] = found = true, left--;
    }
    free(before);
    if (!left)
        return 0;
    return refuse(r->study, dependent_line(r, first), err, err_size,
                  "run %zu (%s, %s) depends on its own result", first,
                  runs_workload(r, first)->label, runs_scheme(r, first));
}

/* ---- Twins ---- */

/* 0, or -1 with what `memtwin run --twin` would say. */
static int choose_twins(const struct study_runs *r, size_t run, const struct run_settings *set,
                        const char *pattern, char *why, size_t why_size) {
    struct twin_choice choice;
    struct config cfg;
    if (make_config(r, run, set, &cfg, why, why_size))
        return -1;
    struct gpu *gpu = gpu_create(&cfg, NULL, why, why_size);
    if (!gpu)
        return -1;
    const int bad = twins_choose(&choice, gpu, &pattern, 1, why, why_size);
    twins_free(&choice);
    gpu_destroy(gpu);
    return bad;
}

/* A pattern that no machine has would fail each run. The first machine has most patterns. */
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
    return *why ? refuse(r->study, word->line, err, err_size, "twin = %s: each run refuses it: %s",
                         word->text, why)
                : 0;
}

static int check_twins(const struct study_runs *r, char *err, size_t err_size) {
    int bad = 0;
    for (size_t i = 0; i < r->study->twins.n && !bad; i++)
        bad = check_twin(r, &r->study->twins.word[i], err, err_size);
    return bad;
}

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
    struct resolving x = {.r = r, .err = err, .err_size = err_size};
    size_t found;
    *r = (struct study_runs){.study = s};
    if (count_runs(r, err, err_size) || make_room(r, err, err_size) ||
        place_all(r, err, err_size) || read_inputs(r, warn, ctx, err, err_size) ||
        identity_program(r->program, err, err_size) || resolve(&x, p, &found))
        return -1;
    if (r->count.unknown && check_order(r, err, err_size))
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
