// SPDX-License-Identifier: Apache-2.0
/* Splits a value of a study file into words, and expands lists {1,2} and ranges {1..9} in
 * braces. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/message.h"
#include "study/file_inside.h"

#define RANGE_MAX 1000000 /* maximum length of a range; no study has more runs */

/* Calls fn for each item of the list or range between braces. */
static void each_item(struct study_reading *r, const char *list,
                      void (*fn)(void *ctx, const char *item), void *ctx) {
    long from, to;
    int end = 0;
    char item[LINE_MAX_SIZE];
    if (sscanf(list, "%9ld..%9ld%n", &from, &to, &end) == 2 && !list[end]) {
        if (from > to)
            file_fail(r, "{%s}: a descending range; expected {%ld..%ld}", list, to, from);
        if (to - from >= RANGE_MAX)
            file_fail(r, "{%s}: more than %d words", list, RANGE_MAX);
        for (long i = from; i <= to && !r->in.failed; i++) {
            snprintf(item, sizeof item, "%ld", i);
            fn(ctx, item);
        }
    } else if (!strchr(list, ',')) {
        file_fail(r, "{%s}: neither a list {A,B} nor a range {1..9}", list);
    } else {
        for (const char *cursor = list;; cursor++) {
            size_t n = strcspn(cursor, ",");
            snprintf(item, sizeof item, "%.*s", (int)n, cursor);
            fn(ctx, item);
            cursor += n;
            if (!*cursor || r->in.failed)
                return;
        }
    }
}

static void append_text(struct expansion *x, const char *text, size_t n) {
    char *end = x->word + strlen(x->word);
    if (n >= (size_t)(x->word + sizeof x->word - end))
        file_fail(x->r, "'%s': longer than %zu characters", text, sizeof x->word - 1);
    else
        snprintf(end, n + 1, "%s", text);
}

static void expand_item(void *ctx, const char *item) {
    struct expansion *x = ctx;
    char *text, *end = x->word + strlen(x->word);
    if (x->r->in.failed)
        return;
    text = alloc_text(item);
    append_text(x, item, strlen(item));
    x->item[x->depth++] = text;
    file_expand(x, x->rest[x->depth - 1]);
    x->depth--;
    *end = '\0';
    free(text);
}

void file_expand(struct expansion *x, const char *text) {
    char *end = x->word + strlen(x->word), list[LINE_MAX_SIZE];
    const char *open = strchr(text, '{'), *close = open ? strchr(open, '}') : NULL;
    append_text(x, text, open ? (size_t)(open - text) : strlen(text));
    if (x->r->in.failed) {
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

char *file_substitute(struct study_reading *r, const struct study_section *scheme,
                      const char *text) {
    char *result = NULL;
    size_t size;
    FILE *f = alloc_stream(&result, &size);
    for (const char *cursor = text; *cursor; cursor++) {
        const size_t digits =
            cursor[0] == '{' && strchr("123456789", cursor[1]) && cursor[1] ? 1 : 0;
        if (cursor[0] != '{' || cursor[1 + digits] != '}') {
            fputc(*cursor, f);
            continue;
        }
        const size_t i = digits ? (size_t)(cursor[1] - '1') : 0;
        if (i >= scheme->lists.n)
            file_fail(r, "'%s': the name of scheme '%s' has %zu list%s", text, scheme->name,
                      scheme->lists.n, message_plural(scheme->lists.n));
        else
            fputs(scheme->lists.word[i].text, f);
        cursor += 1 + digits;
    }
    alloc_stream_close(f);
    if (!r->in.failed)
        return result;
    free(result);
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

/* Returns true if a word is quoted as in a shell but not as in a study: 'a b' or a\ b. */
static bool is_misquoted(const char *word, const char *end) {
    return *word == '\'' || (end > word && end[-1] == '\\');
}

/* Ends the word at *text with a zero, and moves *text behind it. A word in "quotes" may have blanks
 * and braces. Returns NULL at the end, or after an error. */
static char *next_word(struct study_reading *r, char **text, bool *quoted) {
    char *word = *text + strspn(*text, BLANKS);
    *quoted = *word == '"';
    word += *quoted;
    if (!*word && !*quoted)
        return NULL;
    char *end = word + strcspn(word, *quoted ? "\"" : BLANKS);
    if (*quoted && (!*end || end == word || (end[1] && !strchr(BLANKS, end[1])))) {
        file_fail(
            r,
            "'%s': a word in quotes must end with \", must not be empty and cannot have another \"",
            word - 1);
        return NULL;
    }
    if (!*quoted && is_misquoted(word, end)) {
        file_fail(r, "%s: a word with blanks needs double quotes: \"A B\"", word);
        return NULL;
    }
    *text = end + (*end != '\0');
    *end = '\0';
    return word;
}

int file_take_words(struct study_reading *r, struct study_words *to, const char *text, bool once) {
    char *word, *all = alloc_text(text), *rest = all;
    bool quoted;
    while (!r->in.failed && (word = next_word(r, &rest, &quoted))) {
        struct expansion x = {.r = r, .take = take_word, .to = to, .once = once};
        if (quoted)
            take_word(&x, word);
        else
            file_expand(&x, word);
    }
    free(all);
    r->list = to;
    return !r->in.failed;
}
