// SPDX-License-Identifier: Apache-2.0
/* Reads the values of configuration keys, which may be percentages of results of other runs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "stats/stats.h"
#include "study/file_inside.h"

/* ---- Values from other runs ---- */

static const char *statistic_name(size_t i) {
    return i < STAT_COUNT ? stat_table[i].name : derived_table[i - STAT_COUNT].name;
}

int file_check_statistic(struct study_reading *r, const char *before, const char *name) {
    struct guess guess;
    guess_begin(&guess, name);
    for (size_t i = 0; i < STAT_COUNT + DERIVED_COUNT; i++) {
        if (strcmp(statistic_name(i), name) == 0)
            return 1;
        guess_try(&guess, statistic_name(i), strlen(statistic_name(i)));
    }
    if (stats_present_name(name))
        return file_fail(r, "%s%s is now called %s", before, name, stats_present_name(name));
    return file_fail(r, "%sno statistic '%s' (see memtwin list stats)%s", before, name,
                     guess_hint(&guess));
}

int file_take_statistic(struct study_reading *r, const char *name, size_t *to) {
    struct study_words *used = &r->s->statistics;
    if (!file_check_statistic(r, "", name))
        return 0;
    for (*to = 0; *to < used->n; ++*to)
        if (strcmp(used->word[*to].text, name) == 0)
            return 1;
    file_add_word(r, used, name);
    return !r->in.failed;
}

int file_take_from(struct study_reading *r, const char *text, double percent, size_t *to) {
    struct study *s = r->s;
    char *word, *rest, *all = alloc_text(text);
    struct study_from *f = file_grow(&s->from, &s->n_from, sizeof *f);
    *to = s->n_from - 1;
    if ((word = strtok_r(all, "@", &rest)) && file_take_statistic(r, word, &f->statistic)) {
        f->percent = percent;
        while ((word = strtok_r(NULL, "@", &rest)))
            file_add_word(r, &f->base, word);
        if (!f->base.n)
            file_fail(r, "'%s' names no run (use %s@SCHEME)", text, text);
    }
    free(all);
    return !r->in.failed;
}

/* Returns true if a key can have a number as its value. */
static bool takes_numbers(struct study_reading *r, const char *key) {
    char assignment[512];
    struct error why;
    for (unsigned i = 0; i < 31; i++) {
        snprintf(assignment, sizeof assignment, "%s=%u", key, 1u << i);
        if (config_set(&r->scratch, assignment, &why) == 0)
            return true;
    }
    return false;
}

/* Reads "75%STATISTIC@SCHEME". Returns 0 after an error, or if the value is of another kind. */
static int is_from(struct study_reading *r, const char *key, struct study_word *value) {
    int begin = 0;
    double percent;
    if (sscanf(value->text, "%8lf%%%n", &percent, &begin) != 1 || !begin ||
        !strchr("0123456789", value->text[0]))
        return 0;
    if (!takes_numbers(r, key))
        return file_fail(r, "%s = %s: this key does not take a number", key, value->text);
    return file_take_from(r, value->text + begin, percent, &value->from);
}

int file_check_values(struct study_reading *r, const struct study_key *k, size_t from) {
    char assignment[512];
    struct error why;
    if (!strchr(k->name, '.'))
        return file_fail(r, "'%s' is not of the form section.key (see memtwin list keys)", k->name);
    for (size_t i = from; i < k->values.n; i++) {
        if (is_from(r, k->name, &k->values.word[i]))
            continue;
        snprintf(assignment, sizeof assignment, "%s=%s", k->name, k->values.word[i].text);
        if (!r->in.failed && config_set(&r->scratch, assignment, &why))
            return file_fail(r, "%s", why.text);
    }
    return !r->in.failed;
}

/* ---- Configuration keys ---- */

int file_take_setting(struct study_reading *r, struct study_section *to, const char *name,
                      const char *value) {
    if (file_find_key(to, name))
        return file_fail(r, "key '%s' is given twice", name);
    struct study_key *k = file_add_key(r, to, name);
    if (!k)
        return 0;
    r->list = NULL;
    file_add_word(r, &k->values, value);
    return !r->in.failed && file_check_values(r, k, 0);
}

int file_take_axis(struct study_reading *r, const char *name, const char *value) {
    struct study *s = r->s;
    struct study_section *axis = s->n_axes ? &s->axis[s->n_axes - 1] : NULL;
    for (size_t i = 0; i < s->n_axes; i++)
        if (file_find_key(&s->axis[i], name))
            return file_fail(r, "key '%s' already has an axis in line %u", name,
                             file_find_key(&s->axis[i], name)->line);
    r->empty_axes = 0;
    if (r->kind == AXES)
        axis = file_add_section(r, &s->axis, &s->n_axes, name);
    struct study_key *k = axis ? file_add_key(r, axis, name) : NULL;
    /* Values may repeat if they change together with those of other keys. */
    return k && file_take_words(r, &k->values, value, r->kind == AXES) &&
           file_check_values(r, k, 0);
}
