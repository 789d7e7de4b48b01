// SPDX-License-Identifier: Apache-2.0
/* Words, and lists {1,2} and ranges {1..9} in braces. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/message.h"
#include "study/file_inside.h"

#define RANGE_MAX 1000000 /* no study has more runs */

/* Calls fn for each item of the list or range between braces. */
static void each_item(struct reading *r, const char *list, void (*fn)(void *ctx, const char *item),
                      void *ctx) {
    long from, to;
    int end = 0;
    char item[256];
    if (sscanf(list, "%9ld..%9ld%n", &from, &to, &end) == 2 && !list[end]) {
        if (to - from >= RANGE_MAX)
            file_fail(r, "{%s}: more than %d words", list, RANGE_MAX);
        for (long i = from; i <= to && !r->failed; i++) {
            snprintf(item, sizeof item, "%ld", i);
            fn(ctx, item);
        }
    } else if (!strchr(list, ',')) {
        file_fail(r, "{%s}: neither a list {A,B} nor a range {1..9}", list);
    } else {
        for (const char *at = list;; at++) {
            size_t n = strcspn(at, ",");
            snprintf(item, sizeof item, "%.*s", (int)n, at);
            fn(ctx, item);
            at += n;
            if (!*at || r->failed)
                return;
        }
    }
}

static void append(struct expansion *x, const char *text, size_t n) {
    char *end = x->word + strlen(x->word);
    if (n >= (size_t)(x->word + sizeof x->word - end))
        file_fail(x->r, "'%s': longer than %zu characters", text, sizeof x->word - 1);
    else
        snprintf(end, n + 1, "%s", text);
}

static void expand_item(void *ctx, const char *item) {
    struct expansion *x = ctx;
    char *text, *end = x->word + strlen(x->word);
    if (x->r->failed || !(text = file_copy_text(x->r, item)))
        return;
    append(x, item, strlen(item));
    x->item[x->depth++] = text;
    file_expand(x, x->rest[x->depth - 1]);
    x->depth--;
    *end = '\0';
    free(text);
}

void file_expand(struct expansion *x, const char *text) {
    char *end = x->word + strlen(x->word), list[LINE_MAX_SIZE];
    const char *open = strchr(text, '{'), *close = open ? strchr(open, '}') : NULL;
    append(x, text, open ? (size_t)(open - text) : strlen(text));
    if (x->r->failed) {
        return;
    } else if (!open) {
        x->take(x, x->word);
    } else if (!close || x->depth == LISTS_MAX) {
        file_fail(x->r, close ? "'%s': more than 9 lists" : "'%s': '{' without '}'", text);
    } else {
        snprintf(list, sizeof list, "%.*s", (int)(close - open - 1), open + 1);
        x->rest[x->depth] = close + 1;
        each_item(x->r, list, expand_item, x);
    }
    *end = '\0';
}

char *file_substitute(struct reading *r, const struct study_section *scheme, const char *text) {
    char *whole = NULL;
    size_t size;
    FILE *f = open_memstream(&whole, &size);
    if (!f)
        file_fail(r, "out of memory");
    for (const char *at = text; f && *at; at++) {
        const size_t digits = at[0] == '{' && strchr("123456789", at[1]) && at[1] ? 1 : 0;
        if (at[0] != '{' || at[1 + digits] != '}') {
            fputc(*at, f);
            continue;
        }
        const size_t i = digits ? (size_t)(at[1] - '1') : 0;
        if (i >= scheme->lists.n)
            file_fail(r, "'%s': the name of scheme '%s' has %zu list%s", text, scheme->name,
                      scheme->lists.n, message_plural(scheme->lists.n));
        else
            fputs(scheme->lists.word[i].text, f);
        at += 1 + digits;
    }
    if (f && fclose(f) == 0 && !r->failed)
        return whole;
    free(whole);
    return NULL;
}

static bool has_word(const struct study_words *w, const char *text) {
    for (size_t i = 0; i < w->n; i++)
        if (strcmp(w->word[i].text, text) == 0)
            return true;
    return false;
}

static void take_word(struct expansion *x, const char *word) {
    if (x->once && has_word(x->to, word))
        file_fail(x->r, "'%s' is given twice", word);
    file_add_word(x->r, x->to, word);
}

int file_take_words(struct reading *r, struct study_words *to, const char *text, bool once) {
    char *word, *rest, *all = file_copy_text(r, text);
    if (!all)
        return 0;
    for (word = strtok_r(all, BLANKS, &rest); word && !r->failed;
         word = strtok_r(NULL, BLANKS, &rest)) {
        struct expansion x = {.r = r, .take = take_word, .to = to, .once = once};
        file_expand(&x, word);
    }
    free(all);
    r->list = to;
    return !r->failed;
}
