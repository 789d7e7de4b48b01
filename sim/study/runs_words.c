// SPDX-License-Identifier: Apache-2.0
/* Interprets the words that select a run, which are those of the baseline and those after '@'. */
#include <string.h>

#include "lib/guess.h"
#include "study/runs_inside.h"

/* Handles "KEY=VALUE", which selects a row of an axis. Returns 1 if the word has this form, 0 if
 * not, or -1 with one line in err. */
static int place_row(const struct study_runs *r, const struct study_word *word, const char *what,
                     size_t *place, struct error *err) {
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
            return runs_refuse(s, word->line, err, "%s %s: %s", what, word->text,
                               found ? "more than one row of its axis has that value"
                                     : "its axis does not have that value");
        }
    return 0;
}

static int place_word(const struct study_runs *r, const struct study_word *word, const char *what,
                      size_t *place, struct error *err) {
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
    int row = place_row(r, word, what, place, err);
    if (row)
        return row < 0 ? -1 : 0;
    return runs_refuse(s, word->line, err,
                       "%s '%s' is not a scheme, a configuration or KEY=VALUE of an axis%s", what,
                       word->text, guess_hint(&guess));
}

/* Sets the selectors that the words name, and RUNS_NONE for the others. */
static int place_words(const struct study_runs *r, const struct study_words *words,
                       const char *what, size_t *place, struct error *err) {
    for (size_t by = 0; by < r->by; by++)
        place[by] = RUNS_NONE;
    for (size_t i = 0; i < words->n; i++)
        if (place_word(r, &words->word[i], what, place, err))
            return -1;
    return 0;
}

int runs_place_words(struct study_runs *r, struct error *err) {
    const struct study *s = r->study;
    if (place_words(r, &s->baseline, "baseline", r->baseline, err))
        return -1;
    for (size_t i = 0; i < s->n_from; i++)
        if (place_words(r, &s->from[i].base, "the run", r->from + i * r->by, err))
            return -1;
    return 0;
}
