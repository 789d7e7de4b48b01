// SPDX-License-Identifier: Apache-2.0
#include "study/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/message.h"
#include "lib/text_file.h"
#include "study/file_inside.h"

#define SCHEMES_MAX 10000

/* ---- Sections ---- */

/* Adds an axis, a group or a scheme. Its name must be new. */
static void add_named(struct study_reading *r, const char *word, const char *name) {
    struct study *s = r->s;
    if (strpbrk(name, " \t,='\"|@{}"))
        file_fail(r, "[%s %s]: a name may not contain blanks or any of , = @ ' \" | { }", word,
                  name);
    else if (study_find_section(s->axis, s->n_axes, name) ||
             study_find_section(s->scheme, s->n_schemes, name) ||
             study_find_section(s->group, s->n_groups, name))
        file_fail(r, "[%s %s]: an axis, group or scheme of that name already exists", word, name);
    else if (r->kind == AXIS)
        file_add_section(r, &s->axis, &s->n_axes, name);
    else if (r->kind == GROUP)
        file_add_section(r, &s->group, &s->n_groups, name);
    else if (s->n_schemes == SCHEMES_MAX)
        file_fail(r, "more than %d schemes", SCHEMES_MAX);
    else
        file_add_section(r, &s->scheme, &s->n_schemes, name);
}

static void add_scheme(struct expansion *x, const char *name) {
    add_named(x->r, "scheme", name);
    for (size_t i = 0; i < x->depth && !x->r->in.failed; i++)
        file_add_word(x->r, &x->r->s->scheme[x->r->s->n_schemes - 1].lists, x->item[i]);
}

/* Adds a scheme for each expansion of a name with lists in braces. */
static void begin_schemes(struct study_reading *r, const char *name) {
    struct expansion x = {.r = r, .take = add_scheme};
    r->first = r->s->n_schemes;
    file_expand(&x, name);
}

static void begin_plot(struct study_reading *r, const char *name) {
    struct study *s = r->s;
    for (size_t i = 0; i < s->n_plots; i++)
        if (strcmp(s->plot[i].name, name) == 0)
            file_fail(r, "[plot %s]: a plot of that name already exists", name);
    struct study_plot *p = file_grow(&s->plot, &s->n_plots, sizeof *p);
    p->name = alloc_text(name);
    p->line = r->in.line;
}

/* Ends a section. An "[axis]" section may make many axes, but must make at least one. */
static void end_section(struct study_reading *r) {
    if (!r->empty_axes || r->in.failed)
        return;
    r->in.line = r->empty_axes;
    file_fail(r, "[axis] has no keys");
}

/* Returns the kind of section that a word names, or OUTSIDE after an error. */
static enum section_kind section_of(struct study_reading *r, const char *word, bool named) {
    static const struct {
        const char *word;
        enum section_kind kind, named;
    } of[] = {{"study", STUDY, STUDY}, {"set", SET, SET},          {"group", GROUP, GROUP},
              {"axis", AXES, AXIS},    {"scheme", SCHEME, SCHEME}, {"plot", PLOT, PLOT}};
    struct guess guess;
    guess_begin(&guess, word);
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        if (strcmp(of[i].word, word) == 0)
            return named ? of[i].named : of[i].kind;
        guess_try(&guess, of[i].word, strlen(of[i].word));
    }
    file_fail(r, "unknown section '%s': expected study, set, group, scheme, axis or plot%s", word,
              guess_hint(&guess));
    return OUTSIDE;
}

/* Begins the section "[word name]". */
static void begin_section(void *ctx, const char *text) {
    struct study_reading *r = ctx;
    char word[256];
    end_section(r);
    snprintf(word, sizeof word, "%s", text);
    char *name = word + strcspn(word, BLANKS);
    if (*name)
        *name++ = '\0';
    name += strspn(name, BLANKS);
    r->list = NULL;
    r->kind = section_of(r, word, *name);
    if ((r->kind == SCHEME || r->kind == GROUP || r->kind == PLOT) && !*name)
        file_fail(r, "a %s without a name: [%s NAME]", word, word);
    else if (r->kind == PLOT)
        begin_plot(r, name);
    else if (r->kind == SCHEME)
        begin_schemes(r, name);
    else if (r->kind == AXIS || r->kind == GROUP)
        add_named(r, word, name);
    else if (r->kind == AXES)
        r->empty_axes = r->in.line;
    else if (*name)
        file_fail(r, "[%s %s]: this section takes no name", word, name);
}

/* ---- Lines ---- */

/* Character that stands for each ; within quotes, which inih would take for a comment. */
#define QUOTED_SEMICOLON '\f'

/* Replaces each ; within quotes. Returns the comment, or the end of the text. */
static char *find_comment(char *text) {
    char *c;
    for (c = text; *c; c++) {
        if (*c == ';' && c > text && strchr(BLANKS, c[-1]))
            return c;
        const char *end = *c == '"' ? strchr(c + 1, '"') : NULL;
        while (end && ++c < end)
            if (*c == ';')
                *c = QUOTED_SEMICOLON;
    }
    return c;
}

/* Returns a copy of a value with each ; in its place. The caller frees it. */
static char *restore_semicolons(const char *value) {
    char *text = alloc_text(value);
    for (char *c = text; (c = strchr(c, QUOTED_SEMICOLON)) != NULL; c++)
        *c = ';';
    return text;
}

/* Keeps a leading blank only in a line that continues a list. Cuts off the comment of such a line,
 * which inih keeps. */
static char *begin_line(void *ctx, char *line) {
    struct study_reading *r = ctx;
    char *text = line + strspn(line, " \t");
    r->goes_on = text > line && r->list && *text && !strchr("[;#\r\n", *text) && !strchr(text, '=');
    text -= r->goes_on;
    char *comment = *text == '[' ? NULL : find_comment(text);
    if (r->goes_on)
        *comment = '\0';
    return text;
}

/* ---- Keys ---- */

/* Adds a key to each scheme that the section defines. */
static int take_schemes_key(struct study_reading *r, const char *name, const char *value) {
    for (size_t i = r->first; i < r->s->n_schemes && !r->in.failed; i++) {
        struct study_section *to = &r->s->scheme[i];
        char *text = file_substitute(r, to, value);
        r->list = NULL;
        r->scheme = to;
        if (text)
            file_take_mixed_key(r, to, name, text);
        free(text);
    }
    if (r->s->n_schemes - r->first > 1)
        r->list = NULL; /* lines that continue a list are refused */
    return !r->in.failed;
}

/* Reads a line that begins with a blank, which continues the list above it. */
static int take_more(struct study_reading *r, const char *value) {
    struct study *s = r->s;
    struct study_words *list = r->list;
    size_t from = list->n;
    if (!file_take_words(r, list, value, r->kind != AXIS))
        return 0;
    if (r->kind != AXES && r->kind != AXIS)
        return 1;
    const struct study_section *axis = &s->axis[s->n_axes - 1];
    return file_check_values(r, &axis->key[axis->n - 1], from);
}

/* Reads a key in a section of kind r->kind. */
static int take_key(struct study_reading *r, const char *name, const char *value) {
    struct study *s = r->s;
    if (r->goes_on)
        return take_more(r, value);
    if (!*value && r->kind != AXES && r->kind != AXIS)
        return file_fail(r, "key '%s' has no value", name);
    switch (r->kind) {
    case OUTSIDE:
        return file_fail(r, "key '%s' is outside any section", name);
    case STUDY:
    case PLOT:
        return file_take_listed_key(r, name, value);
    case SET:
        return file_take_setting(r, &s->set, name, value);
    case GROUP:
        return file_take_mixed_key(r, &s->group[s->n_groups - 1], name, value);
    case SCHEME:
        return take_schemes_key(r, name, value);
    case AXES:
    case AXIS:
        return file_take_axis(r, name, value);
    }
    return 0;
}

static int take_line(void *user, const char *section, const char *name, const char *value) {
    (void)section;
    char *text = restore_semicolons(value);
    const int good = take_key(user, name, text);
    free(text);
    return good;
}

/* ---- File ---- */

static void name_study(struct study *s, const char *path) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    size_t n = dot && dot > name ? (size_t)(dot - name) : strlen(name);
    message_print(s->name, sizeof s->name, "%.*s", (int)n, name);
}

int study_read(struct study *s, const char *path, bool in_part, struct error *err) {
    struct study_reading r = {
        .s = s,
        .in_part = in_part,
        .in = {.path = s->path,
               .err = err,
               .long_hint =
                   " (a list may continue on the next line, which must begin with a blank)",
               .ctx = &r,
               .begin_line = begin_line,
               .section = begin_section,
               .key = take_line},
    };
    memset(s, 0, sizeof *s);
    if (path_print(s->path, err, "%s", path))
        return -1;
    name_study(s, path);
    const char *why;
    r.in.f = text_open(path, &why);
    if (!r.in.f)
        return error_set(err, "%s: %s", path, why);
    config_default(&r.scratch);
    ini_file_read(&r.in);
    end_section(&r);
    if (!r.in.failed)
        file_check_whole(&r);
    fclose(r.in.f);
    return r.in.failed ? -1 : 0;
}
