// SPDX-License-Identifier: Apache-2.0
/* Errors with file and line, and arrays that grow while a file is read. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "lib/message.h"
#include "study/file_inside.h"

int file_fail(struct reading *r, const char *fmt, ...) {
    char what[1024];
    va_list args;
    if (r->failed)
        return 0;
    r->failed = true;
    va_start(args, fmt);
    message_vprint(what, sizeof what, fmt, args);
    va_end(args);
    if (r->at)
        message_print(r->err, r->err_size, "%s:%u: %s", r->s->path, r->at, what);
    else
        message_print(r->err, r->err_size, "%s: %s", r->s->path, what);
    return 0;
}

void *file_grow(struct reading *r, void *array, size_t *n, size_t size) {
    void **at = array, *more = realloc(*at, (*n + 1) * size);
    if (!more) {
        file_fail(r, "out of memory");
        return NULL;
    }
    *at = more;
    return memset((char *)more + size * (*n)++, 0, size);
}

char *file_copy_text(struct reading *r, const char *text) {
    char *s = strdup(text);
    if (!s)
        file_fail(r, "out of memory");
    return s;
}

void file_add_word(struct reading *r, struct study_words *to, const char *text) {
    struct study_word *w = file_grow(r, &to->word, &to->n, sizeof *w);
    if (!w || !(w->text = file_copy_text(r, text)))
        return;
    w->line = r->at;
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

struct study_key *file_add_key(struct reading *r, struct study_section *to, const char *name) {
    struct study_key *k = file_grow(r, &to->key, &to->n, sizeof *k);
    if (!k || !(k->name = file_copy_text(r, name)))
        return NULL;
    k->line = r->at;
    return k;
}

struct study_section *file_add_section(struct reading *r, struct study_section **to, size_t *n,
                                       const char *name) {
    struct study_section *s = file_grow(r, to, n, sizeof *s);
    if (!s || !(s->name = file_copy_text(r, name)))
        return NULL;
    s->line = r->at;
    s->base = s->condition = STUDY_NONE;
    return s;
}
