// SPDX-License-Identifier: Apache-2.0
/* Builds the arrays that grow while a file is read. */
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "study/file_inside.h"

void *file_grow(void *array, size_t *n, size_t size) {
    void **slot = array;
    *slot = alloc_resized(*slot, *n + 1, size);
    return memset((char *)*slot + size * (*n)++, 0, size);
}

void file_add_word(struct study_reading *r, struct study_words *to, const char *text) {
    struct study_word *w = file_grow(&to->word, &to->n, sizeof *w);
    w->text = alloc_text(text);
    w->line = r->in.line;
    w->from = STUDY_NONE;
    w->group = r->kind == GROUP ? r->s->n_groups - 1 : STUDY_NONE;
}

struct study_key *file_find_key(const struct study_section *s, const char *name) {
    for (size_t i = 0; i < s->n; i++)
        if (strcmp(s->key[i].name, name) == 0)
            return &s->key[i];
    return NULL;
}

const char *file_hint(struct guess *g, const struct study_section *s, size_t n, const char *name) {
    guess_begin(g, name);
    for (size_t i = 0; i < n; i++)
        guess_try(g, s[i].name, strlen(s[i].name));
    return guess_hint(g);
}

struct study_key *file_add_key(struct study_reading *r, struct study_section *to,
                               const char *name) {
    struct study_key *k = file_grow(&to->key, &to->n, sizeof *k);
    k->name = alloc_text(name);
    k->line = r->in.line;
    return k;
}

struct study_section *file_add_section(struct study_reading *r, struct study_section **to,
                                       size_t *n, const char *name) {
    struct study_section *s = file_grow(to, n, sizeof *s);
    s->name = alloc_text(name);
    s->line = r->in.line;
    s->base = s->condition = STUDY_NONE;
    return s;
}
