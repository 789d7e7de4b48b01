// SPDX-License-Identifier: Apache-2.0
/* Finds keys of a study that no run reads. A run ignores keys that it does not read, but a line
 * that changes no run is an error. */
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "study/runs_inside.h"

/* For each line of the study, true if some run reads the line's key. The schemes of a section share
 * the section's lines. */
struct study_lines {
    bool *read;
    size_t n;
};

static void count_lines(struct study_lines *l, const struct study_section *s, size_t n) {
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < s[i].n; k++)
            if (s[i].key[k].line >= l->n)
                l->n = s[i].key[k].line + 1;
}

/* Marks the lines that a run reads. Marks all lines if the run's keys or values are not known
 * yet. */
static void read_lines(const struct study_runs *r, size_t run, const struct run_settings *set,
                       struct study_lines *l) {
    const size_t base = runs_best_base(r, run);
    struct config cfg;
    struct error why;
    const bool known = (base == RUNS_NONE || r->choice[base] != RUNS_NONE) &&
                       runs_set_all(r, run, set, &cfg, &why) == 0;
    for (size_t i = 0; i < set->n; i++)
        l->read[set->of[i].key->line] |=
            !known || config_has_effect(&cfg, set->of[i].key->name, NULL);
}

static int refuse_unread(const struct study_runs *r, size_t run, const struct run_settings *set,
                         const struct study_lines *l, struct error *err) {
    struct config cfg;
    struct error why = {0};
    size_t i = 0;
    while (l->read[set->of[i].key->line])
        i++;
    const struct study_key *key = set->of[i].key;
    if (runs_set_all(r, run, set, &cfg, &why) == 0)
        config_has_effect(&cfg, key->name, &why);
    return runs_refuse(r->study, key->line, err, "no run reads this key: %s", why.text);
}

/* Returns true if the run is not absent and its scheme is not the best of others. */
static bool is_own(const struct study_runs *r, size_t run) {
    const struct study_section *s = runs_scheme_of(r, run);
    return r->state[run] != RUN_ABSENT && !(s && s->best.n);
}

static bool has_unread(const struct study_runs *r, size_t run, const struct study_lines *l,
                       struct run_settings *set) {
    if (!is_own(r, run))
        return false;
    runs_settings(r, run, set);
    for (size_t i = 0; i < set->n; i++)
        if (!l->read[set->of[i].key->line])
            return true;
    return false;
}

static int check_lines(const struct study_runs *r, struct study_lines *l, struct error *err) {
    struct run_settings set;
    for (size_t run = 0; run < r->n; run++)
        if (has_unread(r, run, l, &set))
            read_lines(r, run, &set, l);
    for (size_t run = 0; run < r->n; run++)
        if (has_unread(r, run, l, &set))
            return refuse_unread(r, run, &set, l, err);
    return 0;
}

/* Returns true if a run uses the keys of [set], of a group or of a scheme. */
static bool is_within(const struct study_runs *r, size_t run, const struct study_section *s) {
    const size_t group = runs_workload(r, run)->group;
    return s == &r->study->set || s == runs_scheme_of(r, run) ||
           (group != STUDY_NONE && s == &r->study->group[group]);
}

/* Returns the line that sets a key in the first run with the section's keys, or 0 if no run has
 * them. */
static unsigned line_instead(const struct study_runs *r, const struct study_section *s,
                             const char *key) {
    struct run_settings set;
    for (size_t run = 0; run < r->n; run++) {
        if (!is_own(r, run) || !is_within(r, run, s))
            continue;
        runs_settings(r, run, &set);
        for (size_t i = 0; i < set.n; i++)
            if (strcmp(set.of[i].key->name, key) == 0)
                return set.of[i].key->line;
    }
    return 0;
}

/* Refuses lines whose key no run reads because another line sets it again in every run. The caller
 * has refused all other lines that no run reads. */
static int check_replaced(const struct study_runs *r, const struct study_lines *l,
                          const struct study_section *s, size_t n, struct error *err) {
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < s[i].n; k++) {
            const struct study_key *key = &s[i].key[k];
            const unsigned instead = l->read[key->line] ? 0 : line_instead(r, &s[i], key->name);
            if (instead)
                return runs_refuse(
                    r->study, key->line, err,
                    "no run reads this key: each run sets %s again, for example in line %u",
                    key->name, instead);
        }
    return 0;
}

int runs_check_keys(const struct study_runs *r, struct error *err) {
    const struct study *s = r->study;
    struct study_lines l = {NULL, 1};
    if (s->is_part)
        return 0;
    count_lines(&l, &s->set, 1);
    count_lines(&l, s->group, s->n_groups);
    count_lines(&l, s->scheme, s->n_schemes);
    count_lines(&l, s->axis, s->n_axes);
    l.read = alloc_zeroed(l.n, sizeof *l.read);
    const int bad = check_lines(r, &l, err) || check_replaced(r, &l, &s->set, 1, err) ||
                            check_replaced(r, &l, s->group, s->n_groups, err) ||
                            check_replaced(r, &l, s->scheme, s->n_schemes, err)
                        ? -1
                        : 0;
    free(l.read);
    return bad;
}
