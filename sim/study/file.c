// SPDX-License-Identifier: Apache-2.0
#include "study/file.h"

#include <assert.h>
#include <errno.h>
#include <ini.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/config.h"
#include "kernel/kernel.h"
#include "lib/guess.h"
#include "lib/message.h"
#include "options.h"
#include "stats/stats.h"

#define BLANKS " \t\r\n"
#define LISTS_MAX 9       /* between braces, of one word */
#define LINE_MAX_SIZE 256 /* inih has less */
#define SCHEMES_MAX 10000
#define RANGE_MAX 1000000 /* no study has more runs */
#define ROWS_MAX 32

/* ---- What a study is made of ---- */

static void free_words(struct study_words *w) {
    for (size_t i = 0; i < w->n; i++)
        free(w->word[i].text);
    free(w->word);
}

static void free_section(struct study_section *s) {
    for (size_t i = 0; i < s->n; i++) {
        free(s->key[i].name);
        free_words(&s->key[i].values);
    }
    free(s->key);
    free(s->name);
    free_words(&s->lists);
    free_words(&s->groups);
    free_words(&s->best);
    free(s->of);
}

static void free_plot(struct study_plot *p) {
    char *const texts[] = {p->name, p->title, p->kind, p->y, p->relative, p->x, p->color};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        free(texts[i]);
    free_words(&p->schemes);
}

void study_free(struct study *s) {
    struct study_words *const words[] = {&s->configs, &s->workloads, &s->traces,    &s->baseline,
                                         &s->twins,   &s->reference, &s->statistics};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        free_words(words[i]);
    for (size_t i = 0; i < s->n_from; i++)
        free_words(&s->from[i].at);
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

/* ---- Reading ---- */

enum section_kind { OUTSIDE, STUDY, SET, AXES, AXIS, GROUP, SCHEME, PLOT };

/* inih splits the lines; they are counted and measured here, as in config/config.c. */
struct reading {
    struct study *s;
    FILE *file;
    char *line; /* owned; as getline has it */
    size_t line_size;
    unsigned at;
    enum section_kind kind;
    unsigned empty_axes;          /* the line of an [axis] that has no key yet; 0: there is none */
    size_t first;                 /* of the schemes that this section makes; the last is the last */
    struct study_words *list;     /* that a line which begins with a blank goes on with */
    struct config scratch;        /* tells whether a key takes a value */
    bool goes_on;                 /* this line does */
    struct study_section *scheme; /* whose key it is */
    size_t seen[ROWS_MAX];        /* the section that had this row's key last: plots count from 1 */
    bool failed;
    char *err;
    size_t err_size;
};

/* A key that a section takes besides those of the configuration. `take` returns 0 once it has
 * failed. */
struct study_row {
    struct study_file_key key;
    int (*take)(struct reading *r, const struct study_row *row, const char *value);
    size_t to, line; /* where in struct study, or study_plot, the value and its line go */
};

/* Returns 0, as a handler of inih that refuses. */
__attribute__((format(printf, 2, 3))) static int fail(struct reading *r, const char *fmt, ...) {
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

/* One more element of *array, all zero; NULL once it has failed. */
static void *grow(struct reading *r, void *array, size_t *n, size_t size) {
    void **at = array, *more = realloc(*at, (*n + 1) * size);
    if (!more) {
        fail(r, "out of memory");
        return NULL;
    }
    *at = more;
    return memset((char *)more + size * (*n)++, 0, size);
}

static char *copy(struct reading *r, const char *text) {
    char *s = strdup(text);
    if (!s)
        fail(r, "out of memory");
    return s;
}

static void add_word(struct reading *r, struct study_words *to, const char *text) {
    struct study_word *w = grow(r, &to->word, &to->n, sizeof *w);
    if (!w || !(w->text = copy(r, text)))
        return;
    w->line = r->at;
    w->from = STUDY_NONE;
    w->group = r->kind == GROUP ? r->s->n_groups - 1 : STUDY_NONE;
}

static bool has_word(const struct study_words *w, const char *text) {
    for (size_t i = 0; i < w->n; i++)
        if (strcmp(w->word[i].text, text) == 0)
            return true;
    return false;
}

static struct study_key *find_key(const struct study_section *s, const char *name) {
    for (size_t i = 0; i < s->n; i++)
        if (strcmp(s->key[i].name, name) == 0)
            return &s->key[i];
    return NULL;
}

static struct study_section *find_section(struct study_section *s, size_t n, const char *name) {
    for (size_t i = 0; i < n; i++)
        if (strcmp(s[i].name, name) == 0)
            return &s[i];
    return NULL;
}

static struct study_key *add_key(struct reading *r, struct study_section *to, const char *name) {
    struct study_key *k = grow(r, &to->key, &to->n, sizeof *k);
    if (!k || !(k->name = copy(r, name)))
        return NULL;
    k->line = r->at;
    return k;
}

static struct study_section *add_section(struct reading *r, struct study_section **to, size_t *n,
                                         const char *name) {
    struct study_section *s = grow(r, to, n, sizeof *s);
    if (!s || !(s->name = copy(r, name)))
        return NULL;
    s->line = r->at;
    s->base = s->condition = STUDY_NONE;
    return s;
}

/* ---- {1,2} and {1..9} ---- */

/* Calls fn for each item of the list or range between braces. */
static void each_item(struct reading *r, const char *list, void (*fn)(void *ctx, const char *item),
                      void *ctx) {
    long from, to;
    int end = 0;
    char item[256];
    if (sscanf(list, "%9ld..%9ld%n", &from, &to, &end) == 2 && !list[end]) {
        if (to - from >= RANGE_MAX)
            fail(r, "{%s}: more than %d words", list, RANGE_MAX);
        for (long i = from; i <= to && !r->failed; i++) {
            snprintf(item, sizeof item, "%ld", i);
            fn(ctx, item);
        }
    } else if (!strchr(list, ',')) {
        fail(r, "{%s}: neither a list {A,B} nor a range {1..9}", list);
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

/* The words that a text with lists between braces stands for. */
struct expansion {
    struct reading *r;
    void (*take)(struct expansion *x, const char *word);
    struct study_words *to;
    bool once;
    size_t depth;
    const char *rest[LISTS_MAX]; /* the text behind a list, by depth */
    char *item[LISTS_MAX];
    char word[LINE_MAX_SIZE];
};

static void expand_rest(struct expansion *x, const char *text);

static void append(struct expansion *x, const char *text, size_t n) {
    char *end = x->word + strlen(x->word);
    if (n >= (size_t)(x->word + sizeof x->word - end))
        fail(x->r, "'%s': longer than %zu characters", text, sizeof x->word - 1);
    else
        snprintf(end, n + 1, "%s", text);
}

static void expand_item(void *ctx, const char *item) {
    struct expansion *x = ctx;
    char *text, *end = x->word + strlen(x->word);
    if (x->r->failed || !(text = copy(x->r, item)))
        return;
    append(x, item, strlen(item));
    x->item[x->depth++] = text;
    expand_rest(x, x->rest[x->depth - 1]);
    x->depth--;
    *end = '\0';
    free(text);
}

static void expand_rest(struct expansion *x, const char *text) {
    char *end = x->word + strlen(x->word), list[LINE_MAX_SIZE];
    const char *open = strchr(text, '{'), *close = open ? strchr(open, '}') : NULL;
    append(x, text, open ? (size_t)(open - text) : strlen(text));
    if (x->r->failed) {
        return;
    } else if (!open) {
        x->take(x, x->word);
    } else if (!close || x->depth == LISTS_MAX) {
        fail(x->r, close ? "'%s': more than 9 lists" : "'%s': '{' without '}'", text);
    } else {
        snprintf(list, sizeof list, "%.*s", (int)(close - open - 1), open + 1);
        x->rest[x->depth] = close + 1;
        each_item(x->r, list, expand_item, x);
    }
    *end = '\0';
}

/* A value in a scheme whose name has lists: {1} (or {}) is what the first of them is now, and so
 * on. The caller's; NULL once it has failed. */
static char *substitute(struct reading *r, const struct study_section *scheme, const char *text) {
    char *whole = NULL;
    size_t size;
    FILE *f = open_memstream(&whole, &size);
    if (!f)
        fail(r, "out of memory");
    for (const char *at = text; f && *at; at++) {
        const size_t digits = at[0] == '{' && strchr("123456789", at[1]) && at[1] ? 1 : 0;
        if (at[0] != '{' || at[1 + digits] != '}') {
            fputc(*at, f);
            continue;
        }
        const size_t i = digits ? (size_t)(at[1] - '1') : 0;
        if (i >= scheme->lists.n)
            fail(r, "'%s': the name of scheme '%s' has %zu list%s", text, scheme->name,
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

/* ---- Sections ---- */

static const char *section_hint(struct guess *g, const char *name) {
    static const char *const words[] = {"study", "set", "group", "scheme", "axis", "plot"};
    guess_begin(g, name);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        guess_try(g, words[i], strlen(words[i]));
    return guess_hint(g);
}

/* An axis, a group or a scheme: each has a name of its own. */
static void add_named(struct reading *r, const char *word, const char *name) {
    struct study *s = r->s;
    if (strpbrk(name, " \t,='\"|@{}"))
        fail(r, "[%s %s]: a name has no blank and none of , = @ ' \" |", word, name);
    else if (find_section(s->axis, s->n_axes, name) ||
             find_section(s->scheme, s->n_schemes, name) ||
             find_section(s->group, s->n_groups, name))
        fail(r, "[%s %s]: a second axis, group or scheme of that name", word, name);
    else if (r->kind == AXIS)
        add_section(r, &s->axis, &s->n_axes, name);
    else if (r->kind == GROUP)
        add_section(r, &s->group, &s->n_groups, name);
    else if (s->n_schemes == SCHEMES_MAX)
        fail(r, "more than %d schemes", SCHEMES_MAX);
    else
        add_section(r, &s->scheme, &s->n_schemes, name);
}

static void add_scheme(struct expansion *x, const char *name) {
    add_named(x->r, "scheme", name);
    for (size_t i = 0; i < x->depth && !x->r->failed; i++)
        add_word(x->r, &x->r->s->scheme[x->r->s->n_schemes - 1].lists, x->item[i]);
}

/* All schemes that a name with lists between braces stands for. */
static void begin_schemes(struct reading *r, const char *name) {
    struct expansion x = {.r = r, .take = add_scheme};
    r->first = r->s->n_schemes;
    expand_rest(&x, name);
}

static void begin_plot(struct reading *r, const char *name) {
    struct study *s = r->s;
    for (size_t i = 0; i < s->n_plots; i++)
        if (strcmp(s->plot[i].name, name) == 0)
            fail(r, "[plot %s]: a second plot of that name", name);
    struct study_plot *p = grow(r, &s->plot, &s->n_plots, sizeof *p);
    if (p && (p->name = copy(r, name)))
        p->line = r->at;
}

/* "[axis]" may stand for many axes, but not for none. */
static void end_section(struct reading *r) {
    if (!r->empty_axes)
        return;
    r->at = r->empty_axes;
    fail(r, "[axis] is empty: no key");
}

/* "[word name]". What has no ']' inih refuses. */
static void begin_section(struct reading *r, const char *text) {
    char word[256];
    struct guess guess;
    if (!strchr(text, ']'))
        return;
    end_section(r);
    snprintf(word, sizeof word, "%.*s", (int)strcspn(text + 1, "]"), text + 1);
    char *name = word + strcspn(word, BLANKS);
    if (*name)
        *name++ = '\0';
    name += strspn(name, BLANKS);
    r->list = NULL;
    if (strcmp(word, "study") == 0)
        r->kind = STUDY;
    else if (strcmp(word, "set") == 0)
        r->kind = SET;
    else if (strcmp(word, "axis") == 0)
        r->kind = *name ? AXIS : AXES;
    else if (strcmp(word, "group") == 0)
        r->kind = GROUP;
    else if (strcmp(word, "scheme") == 0)
        r->kind = SCHEME;
    else if (strcmp(word, "plot") == 0)
        r->kind = PLOT;
    else
        fail(r, "unknown section '%s': study, set, group, scheme, axis or plot%s", word,
             section_hint(&guess, word));
    if ((r->kind == SCHEME || r->kind == GROUP || r->kind == PLOT) && !*name)
        fail(r, "a %s without a name: [%s NAME]", word, word);
    else if (r->kind == PLOT)
        begin_plot(r, name);
    else if (r->kind == SCHEME)
        begin_schemes(r, name);
    else if (r->kind == AXIS || r->kind == GROUP)
        add_named(r, word, name);
    else if (r->kind == AXES)
        r->empty_axes = r->at;
    else if (*name)
        fail(r, "[%s %s]: this section has no name", word, name);
}

/* ---- Lines ---- */

/* inih leaves it to a line that goes on. */
static void cut_comment(char *text) {
    char *c;
    for (c = text; (c = strchr(c, ';')) != NULL; c++)
        if (c > text && strchr(BLANKS, c[-1]))
            break;
    if (c)
        *c = '\0';
}

/* Of a line that goes on with a list inih sees the blank before it; other lines may be indented. */
static char *read_line(char *buf, int size, void *stream) {
    struct reading *r = stream;
    ssize_t len = r->failed ? -1 : getline(&r->line, &r->line_size, r->file);
    if (len < 0) {
        if (ferror(r->file))
            fail(r, "%s", strerror(errno));
        return NULL;
    }
    r->at++;
    const bool zero = strlen(r->line) != (size_t)len;
    char *text = r->line + strspn(r->line, " \t");
    r->goes_on =
        text > r->line && r->list && *text && !strchr("[;#\r\n", *text) && !strchr(text, '=');
    if (r->goes_on)
        cut_comment(--text);
    if (zero)
        fail(r, "a zero byte: not a text file");
    else if (strlen(text) + 1 > (size_t)size)
        fail(r,
             "line longer than %d characters (a list may go on in the next line, behind a blank)",
             size - 2);
    else if (*text == '[')
        begin_section(r, text);
    return r->failed ? NULL : strcpy(buf, text);
}

/* ---- Values ---- */

static void take_word(struct expansion *x, const char *word) {
    if (x->once && has_word(x->to, word))
        fail(x->r, "'%s' is given twice", word);
    add_word(x->r, x->to, word);
}

/* The words of a list. */
static int take_words(struct reading *r, struct study_words *to, const char *text, bool once) {
    char *word, *rest, *all = copy(r, text);
    if (!all)
        return 0;
    for (word = strtok_r(all, BLANKS, &rest); word && !r->failed;
         word = strtok_r(NULL, BLANKS, &rest)) {
        struct expansion x = {.r = r, .take = take_word, .to = to, .once = once};
        expand_rest(&x, word);
    }
    free(all);
    r->list = to;
    return !r->failed;
}

/* Where the row's value goes. */
static void *place_of(struct reading *r, const struct study_row *row) {
    struct study *s = r->s;
    return (r->kind == PLOT ? (char *)&s->plot[s->n_plots - 1] : (char *)s) + row->to;
}

/* One of the row's words. */
static int check_word(struct reading *r, const struct study_row *row, const char *value) {
    char words[128], barred[256];
    snprintf(words, sizeof words, "|%s|", row->key.values);
    snprintf(barred, sizeof barred, "|%s|", value);
    return (!strchr(value, '|') && strstr(words, barred)) ||
           fail(r, "%s: '%s' is not one of %s", row->key.name, value, row->key.values);
}

static int take_row_words(struct reading *r, const struct study_row *row, const char *value) {
    return take_words(r, place_of(r, row), value, true);
}

static int take_yes_no(struct reading *r, const struct study_row *row, const char *value) {
    *(bool *)place_of(r, row) = strcmp(value, "yes") == 0;
    return check_word(r, row, value);
}

static int take_max_time(struct reading *r, const struct study_row *row, const char *value) {
    uint64_t seconds;
    (void)row;
    if (!parse_time(value, &seconds))
        return fail(r, "max_time: '%s' is not a time: 90, 90s, 10m or 2h", value);
    snprintf(r->s->max_time, sizeof r->s->max_time, "%s", value);
    return 1;
}

/* ---- Values of other runs ---- */

static const char *statistic_name(size_t i) {
    return i < STAT_COUNT ? stat_table[i].name : derived_table[i - STAT_COUNT].name;
}

/* Whether there is such a statistic; `before`: what the message begins with. */
static int check_statistic(struct reading *r, const char *before, const char *name) {
    struct guess guess;
    guess_begin(&guess, name);
    for (size_t i = 0; i < STAT_COUNT + DERIVED_COUNT; i++) {
        if (strcmp(statistic_name(i), name) == 0)
            return 1;
        guess_try(&guess, statistic_name(i), strlen(statistic_name(i)));
    }
    return fail(r, "%sno statistic '%s' (see memtwin list stats)%s", before, name,
                guess_hint(&guess));
}

/* The number of a statistic among those of the study. */
static int take_statistic(struct reading *r, const char *name, size_t *to) {
    struct study_words *used = &r->s->statistics;
    if (!check_statistic(r, "", name))
        return 0;
    for (*to = 0; *to < used->n; ++*to)
        if (strcmp(used->word[*to].text, name) == 0)
            return 1;
    add_word(r, used, name);
    return !r->failed;
}

/* "STATISTIC@WORD@WORD", of which so many percent are meant. */
static int take_from(struct reading *r, const char *text, double percent, size_t *to) {
    struct study *s = r->s;
    char *word, *rest, *all = copy(r, text);
    struct study_from *f = all ? grow(r, &s->from, &s->n_from, sizeof *f) : NULL;
    *to = s->n_from - 1;
    if (f && (word = strtok_r(all, "@", &rest)) && take_statistic(r, word, &f->statistic)) {
        f->percent = percent;
        while ((word = strtok_r(NULL, "@", &rest)))
            add_word(r, &f->at, word);
        if (!f->at.n)
            fail(r, "'%s': of which run? %s@SCHEME", text, text);
    }
    free(all);
    return f && !r->failed;
}

/* Whether some number can be the value of a key. */
static bool takes_numbers(struct reading *r, const char *key) {
    char assignment[512], why[512];
    for (unsigned i = 0; i < 31; i++) {
        snprintf(assignment, sizeof assignment, "%s=%u", key, 1u << i);
        if (config_set(&r->scratch, assignment, why, sizeof why) == 0)
            return true;
    }
    return false;
}

/* "75%STATISTIC@SCHEME". 0: it is no such value, or it has failed. */
static int is_from(struct reading *r, const char *key, struct study_word *value) {
    int begin = 0;
    double percent;
    if (sscanf(value->text, "%8lf%%%n", &percent, &begin) != 1 || !begin ||
        !strchr("0123456789", value->text[0]))
        return 0;
    if (!takes_numbers(r, key))
        return fail(r, "%s = %s: this key has no number", key, value->text);
    return take_from(r, value->text + begin, percent, &value->from);
}

/* Whether a configuration has that key, and the key each of its values from number `from` on. */
static int check_values(struct reading *r, const struct study_key *k, size_t from) {
    char assignment[512], why[512];
    if (!strchr(k->name, '.'))
        return fail(r, "'%s': a key is named section.key (see memtwin list keys)", k->name);
    for (size_t i = from; i < k->values.n; i++) {
        if (is_from(r, k->name, &k->values.word[i]))
            continue;
        snprintf(assignment, sizeof assignment, "%s=%s", k->name, k->values.word[i].text);
        if (!r->failed && config_set(&r->scratch, assignment, why, sizeof why))
            return fail(r, "%s", why);
    }
    return !r->failed;
}

/* ---- Keys of sections ---- */

/* A key of [set], a group or a scheme: one value. */
static int take_setting(struct reading *r, struct study_section *to, const char *name,
                        const char *value) {
    if (find_key(to, name))
        return fail(r, "key '%s' is given twice", name);
    struct study_key *k = add_key(r, to, name);
    if (!k)
        return 0;
    r->list = NULL;
    add_word(r, &k->values, value);
    return !r->failed && check_values(r, k, 0);
}

/* "base = OTHER": the keys of a scheme above. */
static int take_base(struct reading *r, const struct study_row *row, const char *name) {
    struct study *s = r->s;
    struct study_section *to = r->scheme;
    struct guess guess;
    const struct study_section *base = find_section(s->scheme, r->first, name);
    (void)row;
    guess_begin(&guess, name);
    for (size_t i = 0; i < r->first; i++)
        guess_try(&guess, s->scheme[i].name, strlen(s->scheme[i].name));
    if (!base)
        return fail(r, "base = %s: no scheme above has that name%s", name, guess_hint(&guess));
    if (to->n || to->base != STUDY_NONE)
        return fail(r, "base = %s: it comes first in its scheme", name);
    to->base = (size_t)(base - s->scheme);
    return 1;
}

/* "best = STATISTIC SCHEME..", or "least = ..". */
static int take_best(struct reading *r, const struct study_row *row, const char *value) {
    struct study_section *to = r->scheme;
    const char *name = row->key.name;
    struct study_words all = {0};
    if (to->best.n)
        return fail(r, "%s: scheme '%s' is the best of others already", name, to->name);
    if (!take_words(r, &all, value, true) || !take_statistic(r, all.word[0].text, &to->statistic)) {
        free_words(&all);
        return 0;
    }
    free(all.word[0].text);
    memmove(all.word, all.word + 1, --all.n * sizeof *all.word);
    to->best = all;
    to->least = strcmp(name, "least") == 0;
    r->list = &to->best;
    if (!all.n)
        return fail(r, "%s = %s: of which schemes?", name, value);
    return 1;
}

static int take_groups(struct reading *r, const struct study_row *row, const char *value) {
    (void)row;
    return take_words(r, &r->scheme->groups, value, true);
}

static int take_if(struct reading *r, const struct study_row *row, const char *value) {
    if (r->scheme->condition != STUDY_NONE)
        return fail(r, "key '%s' is given twice", row->key.name);
    return take_from(r, value, 100, &r->scheme->condition);
}

/* A key with a list of values. */
static int take_axis(struct reading *r, const char *name, const char *value) {
    struct study *s = r->s;
    struct study_section *axis = s->n_axes ? &s->axis[s->n_axes - 1] : NULL;
    for (size_t i = 0; i < s->n_axes; i++)
        if (find_key(&s->axis[i], name))
            return fail(r, "a second axis over key '%s' (the first: line %u)", name,
                        find_key(&s->axis[i], name)->line);
    r->empty_axes = 0;
    if (r->kind == AXES)
        axis = add_section(r, &s->axis, &s->n_axes, name);
    struct study_key *k = axis ? add_key(r, axis, name) : NULL;
    /* Values that go with those of other keys may come again. */
    return k && take_words(r, &k->values, value, r->kind == AXES) && check_values(r, k, 0);
}

/* ---- Plots ---- */

static int take_plot_text(struct reading *r, const struct study_row *row, const char *value) {
    char **to = place_of(r, row);
    if (row->line)
        *(unsigned *)((char *)&r->s->plot[r->s->n_plots - 1] + row->line) = r->at;
    return (*to = copy(r, value)) != NULL;
}

static int take_one_of(struct reading *r, const struct study_row *row, const char *value) {
    return check_word(r, row, value) && take_plot_text(r, row, value);
}

static int take_y(struct reading *r, const struct study_row *row, const char *value) {
    return check_statistic(r, "y: ", value) && take_plot_text(r, row, value);
}

/* ---- The table of keys ---- */

#define OF_STUDY(member) .to = offsetof(struct study, member)
#define OF_PLOT(member) .to = offsetof(struct study_plot, member)

/* docs/studies.md explains them; tests/cli/man.sh compares. */
static const struct study_row rows[] = {
    {{"study", "config", "CONFIG..", "configurations: names (memtwin list configs) or paths"},
     take_row_words,
     OF_STUDY(configs)},
    {{"study", "workload", "NAME[:SIZE]..", "workloads, as run -w takes them"},
     take_row_words,
     OF_STUDY(workloads)},
    {{"study", "trace", "PATH..", "traces, as run -t takes them"},
     take_row_words,
     OF_STUDY(traces)},
    {{"study", "baseline", "WORD..",
      "what each run is compared with: a scheme, a configuration, KEY=VALUE of an axis, or several "
      "of these"},
     take_row_words,
     OF_STUDY(baseline)},
    {{"study", "twin", "PATTERN..", "Verilog attached in all runs, as run --twin takes it"},
     take_row_words,
     OF_STUDY(twins)},
    {{"study", "reference", "PATH", "a CSV file of published figures"},
     take_row_words,
     OF_STUDY(reference)},
    {{"study", "check", "yes|no", "whether all data are checked, as by run --check"},
     take_yes_no,
     OF_STUDY(check)},
    {{"study", "detail", "yes|no", "whether statistics of kernels and parts are kept too"},
     take_yes_no,
     OF_STUDY(detail)},
    {{"study", "series", "yes|no", "whether the time series of each run is kept too"},
     take_yes_no,
     OF_STUDY(series)},
    {{"study", "max_time", "TIME", "longest time of a run: 90, 90s, 10m or 2h"},
     .take = take_max_time},
    {{"group", "workload", "NAME[:SIZE]..", "workloads that join those of [study]"},
     take_row_words,
     OF_STUDY(workloads)},
    {{"group", "trace", "PATH..", "traces that join those of [study]"},
     take_row_words,
     OF_STUDY(traces)},
    {{"scheme", "base", "SCHEME", "a scheme above, whose keys this one has too; comes first"},
     .take = take_base},
    {{"scheme", "best", "STATISTIC SCHEME..",
      "this scheme is the one of these with the highest statistic, and has no runs of its own"},
     .take = take_best},
    {{"scheme", "least", "STATISTIC SCHEME..", "the same with the lowest statistic"},
     .take = take_best},
    {{"scheme", "group", "GROUP..", "runs with workloads of these groups only"},
     .take = take_groups},
    {{"scheme", "if", "STATISTIC@WORD..",
      "no runs where that statistic of another run is 0; the words name the run as baseline does"},
     .take = take_if},
    {{"plot", "title", "TEXT", "without it, the title says what is drawn"},
     take_plot_text,
     OF_PLOT(title)},
    {{"plot", "kind", "bar|line", "bar if not said"}, take_one_of, OF_PLOT(kind)},
    {{"plot", "y", "STATISTIC", "what is drawn (memtwin list stats); ipc if not said"},
     take_y,
     OF_PLOT(y)},
    {{"plot", "relative", "no|baseline|inverse",
      "plain, over the baseline's, or the baseline's over the run's; if not said: baseline, if the "
      "study has one"},
     take_one_of,
     OF_PLOT(relative),
     offsetof(struct study_plot, relative_line)},
    {{"plot", "x", "DIMENSION",
      "workload (if not said), group, scheme, config, or a key of an axis"},
     take_plot_text,
     OF_PLOT(x),
     offsetof(struct study_plot, x_line)},
    {{"plot", "color", "DIMENSION", "the same; scheme if not said"},
     take_plot_text,
     OF_PLOT(color),
     offsetof(struct study_plot, color_line)},
    {{"plot", "schemes", "SCHEME..", "only these; all if not said"},
     take_row_words,
     OF_PLOT(schemes)},
};
#define N_ROWS (sizeof rows / sizeof *rows)
static_assert(N_ROWS <= ROWS_MAX, "reading.seen has a place for each row");

const struct study_file_key *study_file_key(size_t i) {
    return i < N_ROWS ? &rows[i].key : NULL;
}

/* The row of a section's key; NULL: it has no such key, and the guess has those that it has. */
static const struct study_row *find_row(struct reading *r, const char *name, struct guess *guess) {
    static const char *const sections[] = {
        [STUDY] = "study", [GROUP] = "group", [SCHEME] = "scheme", [PLOT] = "plot"};
    guess_begin(guess, name);
    for (const struct study_row *row = rows; row < rows + N_ROWS; row++) {
        if (strcmp(row->key.section, sections[r->kind]) != 0)
            continue;
        if (strcmp(row->key.name, name) == 0)
            return row;
        guess_try(guess, row->key.name, strlen(row->key.name));
    }
    return NULL;
}

/* A key of [study] or of a plot: those that the table has, each once. */
static int take_listed_key(struct reading *r, const char *name, const char *value) {
    struct study *s = r->s;
    struct guess guess;
    const struct study_row *row = find_row(r, name, &guess);
    const size_t section = r->kind == PLOT ? s->n_plots : 1;
    char where[256];
    if (r->kind == PLOT)
        snprintf(where, sizeof where, "[plot %s]", s->plot[s->n_plots - 1].name);
    else
        snprintf(where, sizeof where, "section 'study'");
    if (!row)
        return fail(r, "unknown key '%s' in %s (see memtwin-study(5))%s", name, where,
                    guess_hint(&guess));
    if (r->seen[row - rows] == section)
        return fail(r, "key '%s' is given twice in %s", name, where);
    r->seen[row - rows] = section;
    r->list = NULL;
    return row->take(r, row, value);
}

/* A key of a group or a scheme: one of the table, or of the configuration. */
static int take_mixed_key(struct reading *r, struct study_section *to, const char *name,
                          const char *value) {
    struct guess guess;
    const struct study_row *row = find_row(r, name, &guess);
    return row ? row->take(r, row, value) : take_setting(r, to, name, value);
}

/* The same for each scheme that the section makes. */
static int take_schemes_key(struct reading *r, const char *name, const char *value) {
    for (size_t i = r->first; i < r->s->n_schemes && !r->failed; i++) {
        struct study_section *to = &r->s->scheme[i];
        char *text = substitute(r, to, value);
        r->list = NULL;
        r->scheme = to;
        if (text)
            take_mixed_key(r, to, name, text);
        free(text);
    }
    if (r->s->n_schemes - r->first > 1)
        r->list = NULL; /* there are many: each in a line */
    return !r->failed;
}

/* A line that begins with a blank goes on with the list above it. */
static int take_more(struct reading *r, const char *value) {
    struct study *s = r->s;
    struct study_words *list = r->list;
    size_t from = list->n;
    if (!take_words(r, list, value, r->kind != AXIS))
        return 0;
    if (r->kind != AXES && r->kind != AXIS)
        return 1;
    const struct study_section *axis = &s->axis[s->n_axes - 1];
    return check_values(r, &axis->key[axis->n - 1], from);
}

/* Handler for inih: one key. The section is known from its line. */
static int take_key(void *user, const char *section, const char *name, const char *value) {
    struct reading *r = user;
    struct study *s = r->s;
    (void)section;
    if (r->failed)
        return 0;
    if (r->goes_on)
        return take_more(r, value);
    if (!*value && r->kind != AXES && r->kind != AXIS)
        return fail(r, "key '%s' has no value", name);
    switch (r->kind) {
    case OUTSIDE:
        return fail(r, "key '%s' stands outside any section", name);
    case STUDY:
        return take_listed_key(r, name, value);
    case SET:
        return take_setting(r, &s->set, name, value);
    case GROUP:
        return take_mixed_key(r, &s->group[s->n_groups - 1], name, value);
    case SCHEME:
        return take_schemes_key(r, name, value);
    case AXES:
    case AXIS:
        return take_axis(r, name, value);
    case PLOT:
        return take_listed_key(r, name, value);
    }
    return 0;
}

/* ---- What belongs together ---- */

/* An axis: its lists are as long as each other, and nothing else sets its keys. */
static void check_axis(struct reading *r, const struct study_section *axis) {
    struct study *s = r->s;
    r->at = axis->line;
    if (!axis->n)
        fail(r, "[axis %s] is empty", axis->name);
    for (size_t i = 0; i < axis->n; i++) {
        const struct study_key *k = &axis->key[i];
        r->at = k->line;
        if (!k->values.n)
            fail(r, "axis '%s' is empty: no values", k->name);
        if (k->values.n != study_rows(axis))
            fail(r, "'%s' has %zu value%s, '%s' %zu: in [axis %s] they go together", k->name,
                 k->values.n, message_plural(k->values.n), axis->key[0].name, study_rows(axis),
                 axis->name);
        if (find_key(&s->set, k->name))
            fail(r, "an axis over '%s', which line %u sets for every run", k->name,
                 find_key(&s->set, k->name)->line);
        for (size_t j = 0; j < s->n_schemes; j++)
            if (find_key(&s->scheme[j], k->name))
                fail(r, "an axis over '%s', which scheme '%s' sets", k->name, s->scheme[j].name);
        for (size_t j = 0; j < s->n_groups; j++)
            if (find_key(&s->group[j], k->name))
                fail(r, "an axis over '%s', which group '%s' sets", k->name, s->group[j].name);
    }
}

/* The section that a word names; STUDY_NONE once it has failed. */
static size_t find_named(struct reading *r, const struct study_word *word, const char *what,
                         struct study_section *sections, size_t n) {
    struct guess guess;
    const struct study_section *found = find_section(sections, n, word->text);
    if (found)
        return (size_t)(found - sections);
    guess_begin(&guess, word->text);
    for (size_t i = 0; i < n; i++)
        guess_try(&guess, sections[i].name, strlen(sections[i].name));
    r->at = word->line;
    fail(r, "no %s '%s'%s", what, word->text, guess_hint(&guess));
    return STUDY_NONE;
}

/* What a scheme says of others, which may come below. */
static void check_scheme(struct reading *r, struct study_section *scheme) {
    struct study *s = r->s;
    for (size_t i = 0; i < scheme->groups.n; i++)
        find_named(r, &scheme->groups.word[i], "group", s->group, s->n_groups);
    if (!scheme->best.n)
        return;
    r->at = scheme->best.word[0].line;
    if (scheme->n || scheme->base != STUDY_NONE || scheme->condition != STUDY_NONE)
        fail(r, "scheme '%s' is the best of others: it has no keys, no base and no 'if'",
             scheme->name);
    if (!(scheme->of = calloc(scheme->best.n, sizeof *scheme->of)))
        fail(r, "out of memory");
    for (size_t i = 0; i < scheme->best.n && !r->failed; i++)
        scheme->of[i] = find_named(r, &scheme->best.word[i], "scheme", s->scheme, s->n_schemes);
}

static void check_group(struct reading *r, size_t group) {
    const struct study_words *const lists[] = {&r->s->workloads, &r->s->traces};
    for (size_t i = 0; i < 2; i++)
        for (size_t k = 0; k < lists[i]->n; k++)
            if (lists[i]->word[k].group == group)
                return;
    r->at = r->s->group[group].line;
    fail(r, "[group %s] names no workload and no trace", r->s->group[group].name);
}

/* Whether a workload can be of its size: it is made, which takes milliseconds. */
static bool workload_can_be(const char *text, char *why, size_t why_size) {
    const char *size;
    const struct workload_type *type = read_workload_name(text, &size, why, why_size);
    struct workload *made = type ? type->create(size, why, why_size) : NULL;
    if (made)
        made->destroy(made);
    return made;
}

static void check_workloads(struct reading *r) {
    const struct study_words *w = &r->s->workloads;
    char why[512];
    for (size_t i = 0; i < w->n && !r->failed; i++) {
        r->at = w->word[i].line;
        if (!workload_can_be(w->word[i].text, why, sizeof why))
            fail(r, "%s", why);
    }
}

/* What a plot is drawn over: a word, or a key of an axis. */
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
        if (find_key(axis, value))
            return;
        for (size_t k = 0; k < axis->n; k++)
            guess_try(&guess, axis->key[k].name, strlen(axis->key[k].name));
    }
    fail(r, "%s: '%s' is not workload, group, scheme or config, nor a key of an axis%s", key, value,
         guess_hint(&guess));
}

static void check_plot(struct reading *r, const struct study_plot *p) {
    const struct study *s = r->s;
    check_dimension(r, "x", p->x, p->x_line);
    check_dimension(r, "color", p->color, p->color_line);
    for (size_t i = 0; i < p->schemes.n; i++) {
        r->at = p->schemes.word[i].line;
        if (!find_section(s->scheme, s->n_schemes, p->schemes.word[i].text))
            fail(r, "schemes: no scheme '%s'", p->schemes.word[i].text);
    }
    r->at = p->relative_line;
    if (p->relative && strcmp(p->relative, "no") != 0 && !s->baseline.n)
        fail(r, "relative = %s: [study] names no baseline", p->relative);
}

static void check_whole(struct reading *r) {
    const struct study *s = r->s;
    r->at = 0;
    if (!s->configs.n)
        fail(r, "no runs: [study] names no configuration (config = NAME..)");
    else if (!s->workloads.n && !s->traces.n)
        fail(r, "no runs: [study] names no workload and no trace (workload = NAME[:SIZE]..)");
    check_workloads(r);
    for (size_t i = 0; i < s->n_axes; i++)
        check_axis(r, &s->axis[i]);
    for (size_t i = 0; i < s->n_groups; i++)
        check_group(r, i);
    for (size_t i = 0; i < s->n_schemes; i++)
        check_scheme(r, &s->scheme[i]);
    if (s->reference.n > 1) {
        r->at = s->reference.word[1].line;
        fail(r, "reference: one file");
    }
    for (size_t i = 0; i < s->n_plots; i++)
        check_plot(r, &s->plot[i]);
}

static void name_study(struct study *s, const char *path) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    size_t n = dot && dot > name ? (size_t)(dot - name) : strlen(name);
    snprintf(s->name, sizeof s->name, "%.*s", (int)n, name);
}

static void read_lines(struct reading *r) {
    config_default(&r->scratch);
    int bad_line = ini_parse_stream(read_line, r, take_key, r);
    if (bad_line > 0 && (!r->failed || (unsigned)bad_line < r->at)) {
        r->failed = false;
        r->at = (unsigned)bad_line;
        fail(r, "neither [section] nor key = value");
    }
    if (!r->failed)
        end_section(r);
    if (!r->failed)
        check_whole(r);
}

int study_read(struct study *s, const char *path, char *err, size_t err_size) {
    struct reading r = {.s = s, .err = err, .err_size = err_size};
    memset(s, 0, sizeof *s);
    if (path_print(s->path, err, err_size, "%s", path))
        return -1;
    name_study(s, path);
    r.file = fopen(path, "re");
    if (!r.file) {
        fail(&r, "%s", strerror(errno));
        return -1;
    }
    read_lines(&r);
    free(r.line);
    fclose(r.file);
    return r.failed ? -1 : 0;
}

/* ---- Some workloads of it ---- */

static const struct study_word *find_kernel(const struct study_words *w, const char *text) {
    const size_t len = strcspn(text, ":");
    for (size_t i = 0; i < w->n; i++)
        if (strcspn(w->word[i].text, ":") == len && strncmp(w->word[i].text, text, len) == 0)
            return &w->word[i];
    return NULL;
}

static int choose(const struct study *s, const char *text, struct study_words *to, char *err,
                  size_t err_size) {
    const struct study_word *listed = find_kernel(&s->workloads, text);
    if (!listed) {
        message_print(err, err_size, "%s: the study has no workload '%.*s'", s->path,
                      (int)strcspn(text, ":"), text);
        return -1;
    }
    if (find_kernel(to, text)) {
        message_print(err, err_size, "workload '%.*s' is given twice", (int)strcspn(text, ":"),
                      text);
        return -1;
    }
    struct study_word *word = &to->word[to->n++];
    *word = *listed;
    word->text = strdup(strchr(text, ':') ? text : listed->text);
    if (!word->text) {
        snprintf(err, err_size, "out of memory");
        return -1;
    }
    return workload_can_be(word->text, err, err_size) ? 0 : -1;
}

int study_choose(struct study *s, const char *const *text, size_t n, char *err, size_t err_size) {
    struct study_words chosen = {calloc(n, sizeof *chosen.word), 0}, none = {0};
    if (!chosen.word) {
        snprintf(err, err_size, "out of memory");
        return -1;
    }
    int bad = 0;
    for (size_t i = 0; i < n && !bad; i++)
        bad = choose(s, text[i], &chosen, err, err_size);
    free_words(&s->workloads);
    free_words(&s->traces);
    s->workloads = chosen;
    s->traces = none;
    return bad;
}

bool study_number(const char *text, int64_t *number) {
    const char *digits = text + (*text == '-');
    errno = 0;
    *number = strtoll(text, NULL, 10);
    return *digits && !digits[strspn(digits, "0123456789")] && !errno;
}

char *study_twins(const struct study *s) {
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    for (size_t i = 0; f && i < s->twins.n; i++)
        fprintf(f, "%s%s", i ? "," : "", s->twins.word[i].text);
    if (f && fclose(f) == 0)
        return text;
    free(text);
    return NULL;
}
