// SPDX-License-Identifier: Apache-2.0
/* Finds keys of a study that none of its runs reads. A run ignores keys that it does not read, but
 * a line that changes no run is an error. */
#include <stdlib.h>
#include <string.h>

#include "lib/message.h"
#include "study/runs_inside.h"

/* The lines of the study whose key some run reads. The schemes of one section share its lines. */
struct lines {
    bool *read;
    size_t n;
};

static void count_lines(struct lines *l, const struct study_section *s, size_t n) {
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < s[i].n; k++)
            if (s[i].key[k].line >= l->n)
                l->n = s[i].key[k].line + 1;
}

/* Marks the lines that a run reads. All lines count for a run whose keys or values are not yet
 * known. */
static void read_lines(const struct study_runs *r, size_t run, const struct run_settings *set,
                       struct lines *l) {
    const size_t base = runs_best_base(r, run);
    struct config cfg;
    char why[512];
    const bool known = (base == RUNS_NONE || r->choice[base] != RUNS_NONE) &&
                       runs_set_all(r, run, set, &cfg, why, sizeof why) == 0;
    for (size_t i = 0; i < set->n; i++)
        l->read[set->of[i].key->line] |=
            !known || config_has_effect(&cfg, set->of[i].key->name, NULL, 0);
}

static int refuse_unread(const struct study_runs *r, size_t run, const struct run_settings *set,
                         const struct lines *l, char *err, size_t err_size) {
    struct config cfg;
    char why[512] = "";
    size_t i = 0;
    while (l->read[set->of[i].key->line])
        i++;
    const struct study_key *key = set->of[i].key;
    if (runs_set_all(r, run, set, &cfg, why, sizeof why) == 0)
        config_has_effect(&cfg, key->name, why, sizeof why);
    return runs_refuse(r->study, key->line, err, err_size, "no run reads this key: %s", why);
}

/* Whether a run is its own: schemes that are the best of others have none. */
static bool is_own(const struct study_runs *r, size_t run) {
    const struct study_section *s = runs_scheme_of(r, run);
    return r->state[run] != RUN_ABSENT && !(s && s->best.n);
}

static bool has_unread(const struct study_runs *r, size_t run, const struct lines *l,
                       struct run_settings *set) {
    if (!is_own(r, run))
        return false;
    runs_settings(r, run, set);
    for (size_t i = 0; i < set->n; i++)
        if (!l->read[set->of[i].key->line])
            return true;
    return false;
}

static int check_lines(const struct study_runs *r, struct lines *l, char *err, size_t err_size) {
    struct run_settings set;
    for (size_t run = 0; run < r->n; run++)
        if (has_unread(r, run, l, &set))
            read_lines(r, run, &set, l);
    for (size_t run = 0; run < r->n; run++)
        if (has_unread(r, run, l, &set))
            return refuse_unread(r, run, &set, l, err, err_size);
    return 0;
}

/* Whether a run has the keys of [set], of a group or of a scheme. */
static bool is_within(const struct study_runs *r, size_t run, const struct study_section *s) {
    const size_t group = runs_workload(r, run)->group;
    return s == &r->study->set || s == runs_scheme_of(r, run) ||
           (group != STUDY_NONE && s == &r->study->group[group]);
}

/* The line that sets a key for the first run of a section; 0 if no run has the section's keys. */
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

/* Refuses lines that set no key of any run because another line sets the key in every run. Called
 * once all other lines are known to be read. */
static int check_replaced(const struct study_runs *r, const struct lines *l,
                          const struct study_section *s, size_t n, char *err, size_t err_size) {
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < s[i].n; k++) {
            const struct study_key *key = &s[i].key[k];
            const unsigned instead = l->read[key->line] ? 0 : line_instead(r, &s[i], key->name);
            if (instead)
                return runs_refuse(r->study, key->line, err, err_size,
                                   "no run reads this key: each sets %s again, as in line %u",
                                   key->name, instead);
        }
    return 0;
}

int runs_check_keys(const struct study_runs *r, char *err, size_t err_size) {
    const struct study *s = r->study;
    struct lines l = {NULL, 1};
    if (s->is_part)
        return 0;
    count_lines(&l, &s->set, 1);
    count_lines(&l, s->group, s->n_groups);
    count_lines(&l, s->scheme, s->n_schemes);
    count_lines(&l, s->axis, s->n_axes);
    l.read = calloc(l.n, sizeof *l.read);
    if (!l.read)
        return message_no_memory(err, err_size);
    const int bad = check_lines(r, &l, err, err_size) ||
                            check_replaced(r, &l, &s->set, 1, err, err_size) ||
                            check_replaced(r, &l, s->group, s->n_groups, err, err_size) ||
                            check_replaced(r, &l, s->scheme, s->n_schemes, err, err_size)
                        ? -1
                        : 0;
    free(l.read);
    return bad;
}
