// SPDX-License-Identifier: Apache-2.0
/* Checks that the sections of a study fit together, after all sections have been read. */
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/message.h"
#include "study/file_inside.h"
#include "workload_set.h"

static void check_unset(struct study_reading *r, const char *key, const char *what,
                        const struct study_section *sections, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (file_find_key(&sections[i], key))
            file_fail(r, "axis over '%s', but %s '%s' also sets this key", key, what,
                      sections[i].name);
}

/* Prints the values in a row of an axis as the configuration has them: 4 for 04. */
static void print_row(const struct study_section *axis, size_t row, struct config *cfg, FILE *to) {
    char section[64], text[CONFIG_STR_SIZE];
    struct error why;
    for (size_t i = 0; i < axis->n; i++) {
        const struct study_key *k = &axis->key[i];
        const char *value = k->values.word[row].text, *dot = strchr(k->name, '.');
        snprintf(text, sizeof text, "%s=%s", k->name, value);
        if (k->values.word[row].from != STUDY_NONE || config_set(cfg, text, &why)) {
            fprintf(to, "%s\n", value);
            continue;
        }
        snprintf(section, sizeof section, "%.*s", (int)(dot - k->name), k->name);
        config_value(cfg, section, dot + 1, text, sizeof text);
        fprintf(to, "%s\n", text);
    }
}

/* Values of an axis for one run. */
struct axis_row {
    char *text; /* owned */
    size_t i;
};

static int by_text(const void *a, const void *b) {
    const struct axis_row *x = a, *y = b;
    const int order = strcmp(x->text, y->text);
    return order ? order : (x->i > y->i) - (x->i < y->i);
}

/* Checks that no two rows of an axis have the same values, because they would be the same run. */
static void check_rows(struct study_reading *r, const struct study_section *axis) {
    const size_t n = study_rows(axis);
    struct axis_row *row = alloc_zeroed(n, sizeof *row);
    for (size_t i = 0; i < n; i++) {
        size_t size;
        FILE *f = alloc_stream(&row[i].text, &size);
        row[i].i = i;
        print_row(axis, i, &r->scratch, f);
        alloc_stream_close(f);
    }
    qsort(row, n, sizeof *row, by_text);
    for (size_t i = 1; i < n && !r->in.failed; i++) {
        const struct study_word *word = axis->key[0].values.word, *was = &word[row[i - 1].i];
        r->in.line = word[row[i].i].line;
        if (strcmp(row[i].text, row[i - 1].text) == 0)
            file_fail(r, "axis '%s': value %zu (%s) repeats value %zu (%s)", axis->name,
                      row[i].i + 1, word[row[i].i].text, row[i - 1].i + 1, was->text);
    }
    for (size_t i = 0; i < n; i++)
        free(row[i].text);
    free(row);
}

/* Checks that the lists of an axis have equal lengths, and that nothing else sets its keys. */
static void check_axis(struct study_reading *r, const struct study_section *axis) {
    struct study *s = r->s;
    r->in.line = axis->line;
    if (!axis->n)
        file_fail(r, "[axis %s] has no keys", axis->name);
    for (size_t i = 0; i < axis->n; i++) {
        const struct study_key *k = &axis->key[i];
        r->in.line = k->line;
        if (!k->values.n)
            file_fail(r, "axis '%s' has no values", k->name);
        if (k->values.n != study_rows(axis))
            file_fail(
                r,
                "'%s' has %zu value%s but '%s' has %zu; all keys of [axis %s] need the same number",
                k->name, k->values.n, message_plural(k->values.n), axis->key[0].name,
                study_rows(axis), axis->name);
        if (file_find_key(&s->set, k->name))
            file_fail(r, "axis over '%s', but line %u sets this key for every run", k->name,
                      file_find_key(&s->set, k->name)->line);
        check_unset(r, k->name, "scheme", s->scheme, s->n_schemes);
        check_unset(r, k->name, "group", s->group, s->n_groups);
    }
    if (!r->in.failed)
        check_rows(r, axis);
}

/* Returns the index of the section that a word names, or STUDY_NONE after an error. */
static size_t find_named(struct study_reading *r, const struct study_word *word, const char *what,
                         struct study_section *sections, size_t n) {
    struct guess guess;
    const struct study_section *found = study_find_section(sections, n, word->text);
    if (found)
        return (size_t)(found - sections);
    r->in.line = word->line;
    file_fail(r, "%s '%s'%s", what, word->text, file_hint(&guess, sections, n, word->text));
    return STUDY_NONE;
}

/* Checks a scheme's references to groups and to other schemes, which may be defined after it. */
static void check_scheme(struct study_reading *r, struct study_section *scheme) {
    struct study *s = r->s;
    for (size_t i = 0; i < scheme->groups.n; i++)
        find_named(r, &scheme->groups.word[i], "unknown group", s->group, s->n_groups);
    if (!scheme->best.n)
        return;
    r->in.line = scheme->best.word[0].line;
    if (scheme->n || scheme->base != STUDY_NONE || scheme->condition != STUDY_NONE)
        file_fail(r, "scheme '%s' is the best of others: it has no keys, no base and no 'if'",
                  scheme->name);
    scheme->of = alloc_zeroed(scheme->best.n, sizeof *scheme->of);
    for (size_t i = 0; i < scheme->best.n && !r->in.failed; i++)
        scheme->of[i] =
            find_named(r, &scheme->best.word[i], "unknown scheme", s->scheme, s->n_schemes);
}

static void check_group(struct study_reading *r, size_t group) {
    const struct study_words *const lists[] = {&r->s->workloads, &r->s->traces};
    for (size_t i = 0; i < 2; i++)
        for (size_t k = 0; k < lists[i]->n; k++)
            if (lists[i]->word[k].group == group)
                return;
    r->in.line = r->s->group[group].line;
    file_fail(r, "[group %s] names no workload and no trace", r->s->group[group].name);
}

/* Checks that no earlier workload has the same full name, as addvect:064 and addvect:64 have. */
static void check_repeated(struct study_reading *r, char (*name)[PATH_SIZE], size_t i) {
    const struct study_word *word = r->s->workloads.word;
    for (size_t k = 0; k < i; k++)
        if (strcmp(name[k], name[i]) == 0)
            file_fail(r, "workload '%s' repeats '%s'", word[i].text, word[k].text);
}

static void check_workloads(struct study_reading *r) {
    const struct study_words *w = &r->s->workloads;
    char(*name)[PATH_SIZE] = alloc_zeroed(w->n + 1, sizeof *name);
    struct error why;
    for (size_t i = 0; i < w->n && !r->in.failed; i++) {
        r->in.line = w->word[i].line;
        if ((!r->in_part && !study_workload_can_be(w->word[i].text, &why)) ||
            workload_set_name(w->word[i].text, name[i], sizeof name[i], &why))
            file_fail(r, "%s", why.text);
        else
            check_repeated(r, name, i);
    }
    free(name);
}

/* Checks that a dimension of a plot is one of the words below or a key of an axis. */
static void check_dimension(struct study_reading *r, const char *key, const char *value,
                            unsigned line) {
    static const char *const words[] = {"workload", "group", "scheme", "config"};
    struct guess guess;
    if (!value)
        return;
    r->in.line = line;
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
    file_fail(r, "%s: '%s' is neither workload, group, scheme or config nor a key of an axis%s",
              key, value, guess_hint(&guess));
}

static void check_plot(struct study_reading *r, const struct study_plot *p) {
    const struct study *s = r->s;
    check_dimension(r, "x", p->x, p->x_line);
    check_dimension(r, "color", p->color, p->color_line);
    for (size_t i = 0; i < p->schemes.n; i++)
        find_named(r, &p->schemes.word[i], "schemes: unknown scheme", s->scheme, s->n_schemes);
    r->in.line = p->relative_line;
    if (p->relative && strcmp(p->relative, "no") != 0 && !s->baseline.n)
        file_fail(r, "relative = %s: [study] names no baseline", p->relative);
}

void file_check_whole(struct study_reading *r) {
    const struct study *s = r->s;
    r->in.line = 0;
    if (!s->configs.n)
        file_fail(r, "no runs: [study] names no configuration (config = NAME..)");
    else if (!s->workloads.n && !s->traces.n)
        file_fail(r, "no runs: [study] names no workload and no trace (workload = NAME[:SIZE]..)");
    check_workloads(r);
    r->in.line = s->kernels_line;
    if (s->kernels && !s->traces.n)
        file_fail(r, "kernels works only with a trace: [study] and its groups name none");
    for (size_t i = 0; i < s->n_axes; i++)
        check_axis(r, &s->axis[i]);
    for (size_t i = 0; i < s->n_groups; i++)
        check_group(r, i);
    for (size_t i = 0; i < s->n_schemes; i++)
        check_scheme(r, &s->scheme[i]);
    if (s->reference.n > 1) {
        r->in.line = s->reference.word[1].line;
        file_fail(r, "reference: only one file is possible");
    }
    for (size_t i = 0; i < s->n_plots; i++)
        check_plot(r, &s->plot[i]);
}
