// SPDX-License-Identifier: Apache-2.0
/* Finds out which runs are known. Runs that depend on results of others become known later. */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/gpu.h"
#include "identity.h"
#include "lib/message.h"
#include "study/runs_inside.h"

/* ---- Machines that cannot be ---- */

/* Whether a message names a key, "l1d.ways", not only one that begins or ends with it. */
static bool names_key(const char *message, const char *key) {
    static const char word[] = "abcdefghijklmnopqrstuvwxyz0123456789_";
    const size_t n = strlen(key);
    for (const char *at = message; (at = strstr(at, key)) != NULL; at++)
        if ((at == message || !strchr(word, at[-1])) && (!at[n] || !strchr(word, at[n])))
            return true;
    return false;
}

/* The line of the last value named in the error; else of the last value or the configuration. */
static unsigned line_of(const struct study_runs *r, size_t run, const struct run_settings *set,
                        const char *why) {
    if (!set->n)
        return r->study->configs.word[runs_place(r, run, BY_CONFIG)].line;
    for (size_t i = set->n; i-- > 0;)
        if (names_key(why, set->of[i].key->name))
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
    runs_refuse(r->study, line_of(r, run, set, why), err, err_size,
                "impossible configuration: %s%s%s%s%s: %s",
                r->study->configs.word[runs_place(r, run, BY_CONFIG)].text,
                *scheme ? ", scheme " : "", scheme, axes && *axes ? ", " : "", axes ? axes : "",
                why);
    free(axes);
    return -1;
}

/* ---- What becomes known ---- */

struct resolving {
    struct study_runs *r;
    runs_lookup *lookup; /* NULL: no results yet */
    void *ctx;
    struct run_settings last; /* of the last run that was found; its configuration */
    struct config cfg;
    char *err;
    size_t err_size;
    bool failed;
};

/* Notes why a run is unknown, if it is the first unknown run. */
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

/* Looks up a statistic of run `of` for `run`. RUN_UNKNOWN if it is missing. */
static enum run_state ask(struct resolving *x, size_t run, size_t of, size_t statistic,
                          double *value) {
    struct study_runs *r = x->r;
    double *known = runs_value(r, statistic, of);
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

/* Chooses the best scheme; the first if several are equal. */
static enum run_state choose(struct resolving *x, size_t run, const struct study_section *s) {
    struct study_runs *r = x->r;
    double best = 0, value;
    size_t found = RUNS_NONE;
    for (size_t i = 0; i < s->best.n; i++) {
        const size_t of = runs_with_scheme(r, run, s->of[i]);
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

size_t runs_best_base(const struct study_runs *r, size_t run) {
    const struct study_section *s = runs_scheme_of(r, run);
    while (s && s->base != STUDY_NONE) {
        const size_t of = runs_with_scheme(r, run, s->base);
        s = &r->study->scheme[s->base];
        if (s->best.n)
            return of;
    }
    return RUNS_NONE;
}

static enum run_state ask_settings(struct resolving *x, size_t run,
                                   const struct run_settings *set) {
    double value;
    for (size_t i = 0; i < set->n; i++) {
        const size_t from = set->of[i].value->from;
        if (from == STUDY_NONE)
            continue;
        const enum run_state state =
            ask(x, run, runs_source(x->r, run, from), x->r->study->from[from].statistic, &value);
        if (state != RUN_KNOWN)
            return state;
    }
    return RUN_KNOWN;
}

/* Computes configuration and identity. Runs with equal settings share a configuration. */
static enum run_state identify(struct resolving *x, size_t run, const struct run_settings *set) {
    struct study_runs *r = x->r;
    const struct study_workload *w = runs_workload(r, run);
    char why[512];
    if (!runs_same(set, &x->last)) {
        x->last.machine = NULL;
        if (runs_make_config(r, run, set, &x->cfg, why, sizeof why) ||
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
    const struct study_section *s = runs_scheme_of(r, run);
    const size_t base = runs_best_base(r, run);
    struct run_settings set;
    enum run_state state = RUN_KNOWN;
    double value = 1;
    if (s && !of_group(r, run, s))
        return RUN_ABSENT;
    if (s && s->condition != STUDY_NONE)
        state = ask(x, run, runs_source(r, run, s->condition),
                    r->study->from[s->condition].statistic, &value);
    if (state != RUN_KNOWN || value == 0)
        return state == RUN_UNKNOWN ? state : RUN_ABSENT;
    if (s && s->best.n)
        return choose(x, run, s);
    if (base != RUNS_NONE && r->state[base] != RUN_KNOWN)
        return r->state[base];
    runs_settings(r, run, &set);
    state = ask_settings(x, run, &set);
    return state == RUN_KNOWN ? identify(x, run, &set) : state;
}

/* Resolves unknown runs until no further run becomes known. */
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

/* Whether all runs that a run may depend on are in `before`. */
static bool is_after(const struct study_runs *r, size_t run, const bool *before) {
    const struct study_section *s = runs_scheme_of(r, run);
    const size_t base = runs_best_base(r, run);
    struct run_settings set;
    if (s && s->condition != STUDY_NONE && !before[runs_source(r, run, s->condition)])
        return false;
    for (size_t i = 0; s && i < s->best.n; i++)
        if (!before[runs_with_scheme(r, run, s->of[i])])
            return false;
    if (s && s->best.n)
        return true;
    if (base != RUNS_NONE && !before[base])
        return false;
    runs_settings(r, run, &set);
    for (size_t i = 0; i < set.n; i++)
        if (set.of[i].value->from != STUDY_NONE &&
            !before[runs_source(r, run, set.of[i].value->from)])
            return false;
    return true;
}

/* The line of the study that makes a run depend on others. */
static unsigned dependent_line(const struct study_runs *r, size_t run) {
    const struct study_section *s = runs_scheme_of(r, run);
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

/* Refuses runs that depend on themselves and would never become known. */
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
    return runs_refuse(r->study, dependent_line(r, first), err, err_size,
                       "run %zu (%s, %s) depends on its own result", first,
                       runs_workload(r, first)->label, runs_scheme(r, first));
}

int runs_find(struct study_runs *r, struct progress *p, char *err, size_t err_size) {
    struct resolving x = {.r = r, .err = err, .err_size = err_size};
    size_t found;
    if (resolve(&x, p, &found))
        return -1;
    return r->count.unknown ? check_order(r, err, err_size) : 0;
}
