// SPDX-License-Identifier: Apache-2.0
/* Finds the known runs. Runs that depend on results of other runs become known later. */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/gpu.h"
#include "identity.h"
#include "lib/alloc.h"
#include "lib/message.h"
#include "study/runs_inside.h"

/* ---- Impossible machines ---- */

/* Returns true if a message names the key itself ("l1d.ways"), not a longer one that contains
 * it. */
static bool names_key(const char *message, const char *key) {
    static const char word[] = "abcdefghijklmnopqrstuvwxyz0123456789_";
    const size_t n = strlen(key);
    for (const char *match = message; (match = strstr(match, key)) != NULL; match++)
        if ((match == message || !strchr(word, match[-1])) &&
            (!match[n] || !strchr(word, match[n])))
            return true;
    return false;
}

/* Returns the line of the last value whose key the error names. If the error names no key, returns
 * the line of the last value or, if there are no values, of the configuration. */
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
                          const char *why, struct error *err) {
    char *axes = NULL;
    size_t size;
    FILE *f = alloc_stream(&axes, &size);
    runs_axes(r, run, f);
    alloc_stream_close(f);
    const char *scheme = runs_scheme(r, run);
    runs_refuse(r->study, line_of(r, run, set, why), err,
                "impossible configuration: %s%s%s%s%s: %s",
                r->study->configs.word[runs_place(r, run, BY_CONFIG)].text,
                *scheme ? ", scheme " : "", scheme, *axes ? ", " : "", axes, why);
    free(axes);
    return -1;
}

/* ---- Unknown runs ---- */

struct resolving {
    struct study_runs *r;
    runs_lookup *lookup; /* NULL if there are no results yet */
    void *ctx;
    struct run_settings last; /* settings of the last identified run; `cfg` is its configuration */
    struct config cfg;
    struct error *err;
    bool failed;
};

/* Records why a run is unknown, if it is the first unknown run. */
__attribute__((format(printf, 3, 4))) static void blame(struct resolving *x, size_t run,
                                                        const char *fmt, ...) {
    struct study_runs *r = x->r;
    struct error what;
    va_list args;
    if (r->count.why[0])
        return;
    va_start(args, fmt);
    error_vset(&what, fmt, args);
    va_end(args);
    message_print(r->count.why, sizeof r->count.why, "run %zu (%s, %s) %s", run,
                  runs_workload(r, run)->label, runs_scheme(r, run), what.text);
}

/* Looks up a statistic of run `of` for `run`. Returns RUN_UNKNOWN if the statistic is missing. */
static enum run_state ask_result(struct resolving *x, size_t run, size_t of, size_t statistic,
                                 double *value) {
    struct study_runs *r = x->r;
    double *known = runs_value(r, statistic, of);
    if (r->state[of] == RUN_KNOWN && isnan(*known) && x->lookup &&
        x->lookup(x->ctx, r->identity[of], r->study->statistics.word[statistic].text, known,
                  x->err))
        x->failed = true;
    *value = *known;
    if (r->state[of] != RUN_KNOWN)
        return r->state[of];
    if (!isnan(*known))
        return RUN_KNOWN;
    blame(x, run, "depends on run %zu (%s), which has no result", of, runs_scheme(r, of));
    return RUN_UNKNOWN;
}

static bool is_of_group(const struct study_runs *r, size_t run, const struct study_section *s) {
    for (size_t i = 0; i < s->groups.n; i++)
        if (strcmp(s->groups.word[i].text, runs_group(r, run)) == 0)
            return true;
    return s->groups.n == 0;
}

/* Chooses the best scheme, or the first of the best schemes if several are equally good. */
static enum run_state choose_best(struct resolving *x, size_t run, const struct study_section *s) {
    struct study_runs *r = x->r;
    double best = 0, value;
    size_t found = RUNS_NONE;
    for (size_t i = 0; i < s->best.n; i++) {
        const size_t of = runs_with_scheme(r, run, s->of[i]);
        const enum run_state state = ask_result(x, run, of, s->statistic, &value);
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
        const enum run_state state = ask_result(x, run, runs_source(x->r, run, from),
                                                x->r->study->from[from].statistic, &value);
        if (state != RUN_KNOWN)
            return state;
    }
    return RUN_KNOWN;
}

/* Computes the configuration and the identity of a run. Runs with equal settings share a
 * configuration. */
static enum run_state identify_run(struct resolving *x, size_t run,
                                   const struct run_settings *set) {
    struct study_runs *r = x->r;
    const struct study_workload *w = runs_workload(r, run);
    struct error why;
    if (!runs_same(set, &x->last)) {
        x->last.machine = NULL;
        if (runs_make_config(r, run, set, &x->cfg, &why) || gpu_check(&x->cfg, &why)) {
            refuse_machine(r, run, set, why.text, x->err);
            x->failed |= !x->lookup;
            blame(x, run, "cannot run: %s", x->err->text);
            return RUN_UNKNOWN;
        }
        x->last = *set;
    }
    identity_of(&x->cfg, w->name, w->trace_hash[0] ? w->trace_hash : NULL, r->program,
                r->identity[run]);
    return RUN_KNOWN;
}

static enum run_state settle_run(struct resolving *x, size_t run) {
    struct study_runs *r = x->r;
    const struct study_section *s = runs_scheme_of(r, run);
    const size_t base = runs_best_base(r, run);
    struct run_settings set;
    enum run_state state = RUN_KNOWN;
    double value = 1;
    if (s && !is_of_group(r, run, s))
        return RUN_ABSENT;
    if (s && s->condition != STUDY_NONE)
        state = ask_result(x, run, runs_source(r, run, s->condition),
                           r->study->from[s->condition].statistic, &value);
    if (state != RUN_KNOWN || value == 0)
        return state == RUN_UNKNOWN ? state : RUN_ABSENT;
    if (s && s->best.n)
        return choose_best(x, run, s);
    if (base != RUNS_NONE && r->state[base] != RUN_KNOWN)
        return r->state[base];
    runs_settings(r, run, &set);
    state = ask_settings(x, run, &set);
    return state == RUN_KNOWN ? identify_run(x, run, &set) : state;
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
                r->state[run] = (unsigned char)settle_run(x, run);
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

int runs_resolve(struct study_runs *r, runs_lookup *lookup, void *ctx, size_t *found,
                 struct error *err) {
    struct resolving x = {
        .r = r,
        .lookup = lookup,
        .ctx = ctx,
        .err = err,
    };
    *found = 0;
    return r->count.unknown ? resolve(&x, NULL, found) : 0;
}

/* ---- Dependencies ---- */

/* Returns true if all runs that a run may depend on are marked in `before`. */
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

/* Returns the line of the study that makes a run depend on others. */
static unsigned dependent_line(const struct study_runs *r, size_t run) {
    const struct study_section *s = runs_scheme_of(r, run);
    struct run_settings set;
    if (s && s->best.n)
        return s->best.word[0].line;
    if (s && s->condition != STUDY_NONE)
        return r->study->from[s->condition].base.word[0].line;
    runs_settings(r, run, &set);
    for (size_t i = 0; i < set.n; i++)
        if (set.of[i].value->from != STUDY_NONE)
            return set.of[i].value->line;
    return s ? s->line : 0;
}

/* Refuses runs that depend on themselves and would never become known. */
static int check_order(const struct study_runs *r, struct error *err) {
    bool *before = alloc_zeroed(r->n, sizeof *before), found = true;
    size_t left = r->count.unknown, first = 0;
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
    return runs_refuse(r->study, dependent_line(r, first), err,
                       "run %zu (%s, %s) depends on its own result", first,
                       runs_workload(r, first)->label, runs_scheme(r, first));
}

int runs_find(struct study_runs *r, struct progress *p, struct error *err) {
    struct resolving x = {
        .r = r,
        .err = err,
    };
    size_t found;
    if (resolve(&x, p, &found))
        return -1;
    return r->count.unknown ? check_order(r, err) : 0;
}
