// SPDX-License-Identifier: Apache-2.0
/* Frees, checks and searches a study that has been read. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/kernel.h"
#include "lib/alloc.h"
#include "options.h"
#include "study/file_inside.h"
#include "workload_set.h"

void study_free_words(struct study_words *w) {
    for (size_t i = 0; i < w->n; i++)
        free(w->word[i].text);
    free(w->word);
}

static void free_section(struct study_section *s) {
    for (size_t i = 0; i < s->n; i++) {
        free(s->key[i].name);
        study_free_words(&s->key[i].values);
    }
    free(s->key);
    free(s->name);
    study_free_words(&s->lists);
    study_free_words(&s->groups);
    study_free_words(&s->best);
    free(s->of);
}

static void free_plot(struct study_plot *p) {
    char *const texts[] = {p->name, p->title, p->kind, p->y, p->relative, p->x, p->color};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        free(texts[i]);
    study_free_words(&p->schemes);
}

void study_free(struct study *s) {
    struct study_words *const words[] = {&s->configs, &s->workloads, &s->traces,    &s->baseline,
                                         &s->twins,   &s->reference, &s->statistics};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        study_free_words(words[i]);
    for (size_t i = 0; i < s->n_from; i++)
        study_free_words(&s->from[i].base);
    free(s->kernels);
    free_section(&s->set);
    for (size_t i = 0; i < s->n_groups; i++)
        free_section(&s->group[i]);
    for (size_t i = 0; i < s->n_schemes; i++)
        free_section(&s->scheme[i]);
    for (size_t i = 0; i < s->n_axes; i++)
        free_section(&s->axis[i]);
    for (size_t i = 0; i < s->n_plots; i++)
        free_plot(&s->plot[i]);
    free(s->scheme);
    free(s->axis);
    free(s->group);
    free(s->from);
    free(s->plot);
}

bool study_workload_can_be(const char *text, struct error *why) {
    struct workload_set made = {0};
    char name[256];
    /* the default size is always possible */
    const bool can = workload_set_name(text, name, sizeof name, why) == 0 &&
                     (!strchr(text, ':') || workload_set_open(&made, name, why) == 0);
    workload_set_free(&made);
    return can;
}

static const struct study_word *find_kernel(const struct study_words *w, const char *text) {
    const size_t len = strcspn(text, ":");
    for (size_t i = 0; i < w->n; i++)
        if (strcspn(w->word[i].text, ":") == len && strncmp(w->word[i].text, text, len) == 0)
            return &w->word[i];
    return NULL;
}

static int choose_words(const struct study *s, const char *text, struct study_words *to,
                        struct error *err) {
    const struct study_word *listed = find_kernel(&s->workloads, text);
    if (!listed)
        return error_set(err, "%s: the study has no workload '%.*s'", s->path,
                         (int)strcspn(text, ":"), text);
    if (find_kernel(to, text))
        return error_set(err, "workload '%.*s' is given twice", (int)strcspn(text, ":"), text);
    struct study_word *word = &to->word[to->n++];
    *word = *listed;
    word->text = alloc_text(strchr(text, ':') ? text : listed->text);
    return study_workload_can_be(word->text, err) ? 0 : -1;
}

int study_choose(struct study *s, const char *const *text, size_t n, struct error *err) {
    struct study_words chosen = {alloc_zeroed(n, sizeof *chosen.word), 0}, none = {0};
    int bad = 0;
    for (size_t i = 0; i < n && !bad; i++)
        bad = choose_words(s, text[i], &chosen, err);
    study_free_words(&s->workloads);
    study_free_words(&s->traces);
    s->workloads = chosen;
    s->traces = none;
    s->is_part = true;
    return bad;
}

struct study_section *study_find_section(struct study_section *s, size_t n, const char *name) {
    for (size_t i = 0; i < n; i++)
        if (strcmp(s[i].name, name) == 0)
            return &s[i];
    return NULL;
}

char *study_twins(const struct study *s) {
    char *text = NULL;
    size_t size;
    FILE *f = alloc_stream(&text, &size);
    for (size_t i = 0; i < s->twins.n; i++)
        fprintf(f, "%s%s", i ? "," : "", s->twins.word[i].text);
    alloc_stream_close(f);
    return text;
}
