// SPDX-License-Identifier: Apache-2.0
/* Checks across the sections of a study, made after all of it is read. */
#include <stdlib.h>
#include <string.h>

#include "lib/message.h"
#include "study/file_inside.h"

static void check_unset(struct reading *r, const char *key, const char *what,
                        const struct study_section *sections, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (file_find_key(&sections[i], key))
            file_fail(r, "an axis over '%s', which %s '%s' sets", key, what, sections[i].name);
}

/* Checks that the lists of an axis have equal lengths, and that nothing else sets its keys. */
static void check_axis(struct reading *r, const struct study_section *axis) {
    struct study *s = r->s;
    r->at = axis->line;
    if (!axis->n)
        file_fail(r, "[axis %s] is empty", axis->name);
    for (size_t i = 0; i < axis->n; i++) {
        const struct study_key *k = &axis->key[i];
        r->at = k->line;
        if (!k->values.n)
            file_fail(r, "axis '%s' is empty: no values", k->name);
        if (k->values.n != study_rows(axis))
            file_fail(r, "'%s' has %zu value%s, '%s' %zu: in [axis %s] they go together", k->name,
                      k->values.n, message_plural(k->values.n), axis->key[0].name, study_rows(axis),
                      axis->name);
        if (file_find_key(&s->set, k->name))
            file_fail(r, "an axis over '%s', which line %u sets for every run", k->name,
                      file_find_key(&s->set, k->name)->line);
        check_unset(r, k->name, "scheme", s->scheme, s->n_schemes);
        check_unset(r, k->name, "group", s->group, s->n_groups);
    }
}

/* The section that a word names; STUDY_NONE after an error. */
static size_t find_named(struct reading *r, const struct study_word *word, const char *what,
                         struct study_section *sections, size_t n) {
    struct guess guess;
    const struct study_section *found = study_find_section(sections, n, word->text);
    if (found)
        return (size_t)(found - sections);
    r->at = word->line;
    file_fail(r, "%s '%s'%s", what, word->text, file_hint(&guess, sections, n, word->text));
    return STUDY_NONE;
}

/* Checks references of a scheme to others, which may be defined below it. */
static void check_scheme(struct reading *r, struct study_section *scheme) {
    struct study *s = r->s;
    for (size_t i = 0; i < scheme->groups.n; i++)
        find_named(r, &scheme->groups.word[i], "no group", s->group, s->n_groups);
    if (!scheme->best.n)
        return;
    r->at = scheme->best.word[0].line;
    if (scheme->n || scheme->base != STUDY_NONE || scheme->condition != STUDY_NONE)
        file_fail(r, "scheme '%s' is the best of others: it has no keys, no base and no 'if'",
                  scheme->name);
    if (!(scheme->of = calloc(scheme->best.n, sizeof *scheme->of)))
        file_fail(r, "out of memory");
    for (size_t i = 0; i < scheme->best.n && !r->failed; i++)
        scheme->of[i] = find_named(r, &scheme->best.word[i], "no scheme", s->scheme, s->n_schemes);
}

static void check_group(struct reading *r, size_t group) {
    const struct study_words *const lists[] = {&r->s->workloads, &r->s->traces};
    for (size_t i = 0; i < 2; i++)
        for (size_t k = 0; k < lists[i]->n; k++)
            if (lists[i]->word[k].group == group)
                return;
    r->at = r->s->group[group].line;
    file_fail(r, "[group %s] names no workload and no trace", r->s->group[group].name);
}

static void check_workloads(struct reading *r) {
    const struct study_words *w = &r->s->workloads;
    char why[512];
    for (size_t i = 0; i < w->n && !r->failed; i++) {
        r->at = w->word[i].line;
        if (!study_workload_can_be(w->word[i].text, why, sizeof why))
            file_fail(r, "%s", why);
    }
}

/* Checks a dimension of a plot: a word, or a key of an axis. */
static void check_dimension(struct reading *r, const char *key, const char *value, unsigned line) {
    static const char *const words[] = {"workload", "group", "scheme", "config"};
    struct guess guess;
    if (!value)
        return;
    r->at = line;
    guess_begin(&guess, value);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcmp(value, words[i]) == 0)
            return;
        guess_try(&guess, words[i], strlen(words[i]));
    }
    for (size_t i = 0; i < r->s->n_axes; i++) {
        const struct study_section *axis = &r->s->axis[i];
        if (file_find_key(axis, value))
            return;
        for (size_t k = 0; k < axis->n; k++)
            guess_try(&guess, axis->key[k].name, strlen(axis->key[k].name));
    }
    file_fail(r, "%s: '%s' is not workload, group, scheme or config, nor a key of an axis%s", key,
              value, guess_hint(&guess));
}

static void check_plot(struct reading *r, const struct study_plot *p) {
    const struct study *s = r->s;
    check_dimension(r, "x", p->x, p->x_line);
    check_dimension(r, "color", p->color, p->color_line);
    for (size_t i = 0; i < p->schemes.n; i++)
        find_named(r, &p->schemes.word[i], "schemes: no scheme", s->scheme, s->n_schemes);
    r->at = p->relative_line;
    if (p->relative && strcmp(p->relative, "no") != 0 && !s->baseline.n)
        file_fail(r, "relative = %s: [study] names no baseline", p->relative);
}

void file_check_whole(struct reading *r) {
    const struct study *s = r->s;
    r->at = 0;
    if (!s->configs.n)
        file_fail(r, "no runs: [study] names no configuration (config = NAME..)");
    else if (!s->workloads.n && !s->traces.n)
        file_fail(r, "no runs: [study] names no workload and no trace (workload = NAME[:SIZE]..)");
    check_workloads(r);
    for (size_t i = 0; i < s->n_axes; i++)
        check_axis(r, &s->axis[i]);
    for (size_t i = 0; i < s->n_groups; i++)
        check_group(r, i);
    for (size_t i = 0; i < s->n_schemes; i++)
        check_scheme(r, &s->scheme[i]);
    if (s->reference.n > 1) {
        r->at = s->reference.word[1].line;
        file_fail(r, "reference: one file");
    }
    for (size_t i = 0; i < s->n_plots; i++)
        check_plot(r, &s->plot[i]);
}
