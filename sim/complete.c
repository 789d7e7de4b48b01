// SPDX-License-Identifier: Apache-2.0
#include "complete.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "config/config.h"
#include "evict/evict.h"
#include "harness/library.h"
#include "kernel/kernel.h"
#include "keys.h"
#include "paths.h"
#include "prefetch/prefetch.h"
#include "study/db.h"
#include "trace/synth.h"

/* ---- Candidates ---- */

/* Word to complete, and the part of it that a candidate must match: the whole word, or the text
 * after a prefix such as "--set=" or "dl_mshr,". */
struct completion {
    const char *word, *part;
    const char *kind;  /* kind of candidate, named as in --help */
    const char *first; /* first argument, such as a block or a database; NULL if none yet */
};

static bool starts_with(const char *text, const char *start) {
    return strncmp(text, start, strlen(start)) == 0;
}

/* Prints a description without newlines, because a candidate is one line of the protocol. */
static void print_doc(const char *doc) {
    putchar('\t');
    for (; *doc; doc++)
        putchar(*doc == '\n' || *doc == '\t' ? ' ' : *doc);
    putchar('\n');
}

static void offer_word(const struct completion *q, const char *candidate, const char *doc) {
    if (!starts_with(candidate, q->part))
        return;
    printf("%.*s%s", (int)(q->part - q->word), q->word, candidate);
    print_doc(doc);
}

void complete_word(const char *word, const char *candidate, const char *doc) {
    const struct completion q = {.word = word, .part = word};
    offer_word(&q, candidate, doc);
}

/* ---- Candidates for an option's value or a word, by its name in --help ---- */

/* Returns a completion of the part of the word after `separator`, which points to a character of
 * the word. */
static struct completion behind(const struct completion *q, const char *separator) {
    struct completion r = *q;
    r.part = separator + 1;
    return r;
}

static void offer_each(void *ctx, const char *name, const char *doc) {
    offer_word(ctx, name, doc);
}

static void configs(const struct completion *q) {
    struct error err;
    struct completion copy = *q;
    configs_each(offer_each, &copy, &err); /* after an error there are no candidates */
    puts(":files ini");
}

/* Offers "NAME" or, after a colon is typed, "NAME:SIZE" with the default size. */
static void workloads(const struct completion *q) {
    char text[256], doc[512];
    const bool size = strchr(q->part, ':') != NULL;
    for (const struct workload_type *const *t = workload_types; *t; t++) {
        snprintf(text, sizeof text, "%s:%s", (*t)->name, (*t)->default_size);
        snprintf(doc, sizeof doc, "SIZE: %s", (*t)->size_doc);
        if (size)
            offer_word(q, text, doc);
        else
            offer_word(q, (*t)->name, (*t)->doc);
    }
}

static void choices(const struct completion *q, const char *values, const char *preset) {
    char value[128];
    for (;; values++) {
        snprintf(value, sizeof value, "%.*s", (int)strcspn(values, "|"), values);
        offer_word(q, value, strcmp(value, preset) == 0 ? "default" : "");
        values += strcspn(values, "|");
        if (!*values)
            return;
    }
}

static void offer_number(const struct completion *q, int64_t value, const char *doc) {
    char text[32];
    snprintf(text, sizeof text, "%" PRId64, value);
    offer_word(q, text, doc);
}

static void policies(const struct completion *q, bool evict) {
    for (const struct evictor *const *e = evictors; evict && *e; e++)
        offer_word(q, (*e)->name, (*e)->doc);
    for (const struct prefetcher *const *p = prefetchers; !evict && *p; p++)
        offer_word(q, (*p)->name, (*p)->doc);
}

static void key_values(const struct completion *q, const struct key_desc *k) {
    char preset[CONFIG_STR_SIZE];
    key_default(k, preset, sizeof preset);
    if (k->values) {
        choices(q, k->values, preset);
    } else if (k->text && strstr(k->doc, "memtwin list policies")) {
        policies(q, strcmp(k->name, "evict") == 0);
    } else if (k->text) {
        offer_word(q, preset, "default");
    } else {
        offer_number(q, k->min, "minimum");
        if (k->def != k->min && k->def != k->max)
            offer_word(q, preset, "default");
        offer_number(q, k->max, "maximum");
    }
}

/* Offers "SECTION.", "SECTION.KEY=" or "SECTION.KEY=VALUE", whichever comes next. */
static void keys(const struct completion *q) {
    char name[128];
    const char *section = "", *only = islower((unsigned char)q->kind[0]) ? q->kind : "";
    const bool dot = strchr(q->part, '.') != NULL;
    const char *equals = strchr(q->part, '=');
    for (const struct key_desc *k = key_table; k->section; k++) {
        if (*only && strncmp(k->section, only, strcspn(only, ".")) != 0)
            continue;
        snprintf(name, sizeof name, "%s.%s=", k->section, k->name);
        if (equals && starts_with(q->part, name)) {
            struct completion value = behind(q, equals);
            key_values(&value, k);
        } else if (dot && !equals) {
            offer_word(q, name, k->doc);
        } else if (!dot && strcmp(section, k->section) != 0) {
            name[strcspn(name, ".") + 1] = '\0';
            offer_word(q, name, "section");
        }
        section = k->section;
    }
}

static void offer_blocks(const struct completion *q) {
    for (const struct block_type *const *t = block_types; *t; t++)
        offer_word(q, (*t)->name, "block");
}

/* Offers "PATTERN[:MODE][,..]". */
static void twins(const struct completion *q) {
    const char *comma = strrchr(q->part, ',');
    struct completion one = comma ? behind(q, comma) : *q;
    const char *colon = strchr(one.part, ':');
    if (!colon) {
        offer_blocks(&one);
        return;
    }
    one = behind(&one, colon);
    offer_word(&one, "lockstep", "compares every output in every cycle");
    offer_word(&one, "drive", "also feeds the Verilog's outputs to the system");
}

/* Offers "NAME=" for each parameter of the block or, after "NAME=" is typed, its values. */
static void params(const struct completion *q) {
    const struct block_type *type = q->first ? block_find_any(q->first) : NULL;
    const char *equals = strchr(q->part, '=');
    char name[128];
    for (unsigned i = 0; type && i < type->n_params; i++) {
        const struct param_desc *p = &type->params[i];
        snprintf(name, sizeof name, "%s=", p->name);
        if (!equals) {
            offer_word(q, name, p->doc);
        } else if (starts_with(q->part, name)) {
            struct completion value = behind(q, equals);
            offer_number(&value, p->min, "minimum");
            if (p->def != p->min && p->def != p->max)
                offer_number(&value, p->def, "default");
            offer_number(&value, p->max, "maximum");
        }
    }
}

static void kinds_of_trace(const struct completion *q) {
    for (const struct synth_kind *k = synth_kinds; k->name; k++)
        offer_word(q, k->name, k->doc);
}

static void offer_recorded(const struct completion *q) {
    if (strchr(q->part, '='))
        puts(":files");
}

static void files(const struct completion *q) {
    const char *dot = strrchr(q->kind, '.');
    printf(":files%s%s\n", dot ? " " : "", dot ? dot + 1 : "");
}

static void databases(const struct completion *q) {
    (void)q;
    puts(":files db");
}

/* Offers the studies in the database that the first word of the command line names. */
static void studies(const struct completion *q) {
    struct completion copy = *q;
    struct study_db *db = q->first ? db_open(q->first, false, NULL) : NULL;
    if (db)
        db_studies(db, offer_each, &copy, NULL);
    db_close(db);
}

static void folders(const struct completion *q) {
    (void)q;
    puts(":folders");
}

static const struct {
    const char *name; /* kind of candidate, or the part of its name before the dot */
    void (*offer)(const struct completion *q);
} takers[] = {{"CONFIG", configs},
              {"W[:SIZE]", workloads},
              {"NAME[:SIZE]", workloads},
              {"SECTION.KEY=V", keys},
              {"dram.KEY=V", keys},
              {"BLOCK", offer_blocks},
              {"PATTERN[:MODE]", twins},
              {"NAME=VALUE", params},
              {"KIND", kinds_of_trace},
              {"INSTANCE=FILE", offer_recorded},
              {"TRACE", files},
              {"FILE", files},
              {"OUT", files},
              {"LIB", files},
              {"DB", databases},
              {"STUDY", studies},
              {"DIR", folders}};
#define N_TAKERS (sizeof takers / sizeof *takers)

static void offer_one(const struct completion *q) {
    const size_t stem = strcspn(q->kind, ".");
    for (size_t i = 0; i < N_TAKERS; i++)
        if (strcmp(q->kind, takers[i].name) == 0 ||
            (strncmp(q->kind, takers[i].name, stem) == 0 && !takers[i].name[stem])) {
            takers[i].offer(q);
            return;
        }
    if (islower((unsigned char)q->kind[0]))
        offer_word(q, q->kind, "");
}

/* Offers candidates for each alternative of "FILE|DIR" or "export|make|check". */
static void offer_value(const struct completion *q, const char *kind) {
    char one[64];
    struct completion r = *q;
    for (r.kind = one;; kind++) {
        snprintf(one, sizeof one, "%.*s", (int)strcspn(kind, "|"), kind);
        offer_one(&r);
        kind += strcspn(kind, "|");
        if (!*kind)
            return;
    }
}

/* ---- Command line so far ---- */

struct typed {
    const struct command_line *line;
    const struct option_row *wants; /* option that takes the next word as its value; NULL if none */
    bool only_words;                /* true after "--" */
    unsigned words;
    const char *first;        /* first word; NULL if none */
    const char *const *given; /* all words before the one to complete */
    int n;
};

/* Returns the row of --name or --name=value, or NULL. */
static const struct option_row *find_long(const struct typed *t, const char *word) {
    const size_t len = strcspn(word + 2, "=");
    for (const struct option_row *row = t->line->table; row->name; row++)
        if (strlen(row->name) == len && strncmp(row->name, word + 2, len) == 0)
            return row;
    return NULL;
}

/* Returns the first option that takes a value in a cluster of letters such as "-qc", or NULL. Sets
 * *rest to the text after the option's letter. */
static const struct option_row *find_letter(const struct typed *t, const char *word,
                                            const char **rest) {
    for (const char *letter = word + 1; *letter; letter++)
        for (const struct option_row *row = t->line->table; row->name; row++)
            if (row->letter == *letter && row->value) {
                *rest = letter + 1;
                return row;
            }
    return NULL;
}

static void take_word(struct typed *t, const char *word) {
    const char *rest = "";
    const struct option_row *row;
    if (t->wants && !(t->wants->optional && word[0] == '-')) {
        t->wants = NULL;
        return;
    }
    t->wants = NULL;
    if (t->only_words || word[0] != '-' || !word[1]) {
        t->words++;
        t->first = t->first ? t->first : word;
    } else if (strcmp(word, "--") == 0) {
        t->only_words = true;
    } else if (starts_with(word, "--")) {
        row = find_long(t, word);
        t->wants = row && row->value && !strchr(word, '=') ? row : NULL;
    } else {
        row = find_letter(t, word, &rest);
        t->wants = row && !*rest ? row : NULL;
    }
}

static bool is_given(const struct typed *t, const struct option_row *row) {
    const char letter[] = {'-', row->letter, '\0'};
    for (int i = 0; i < t->n; i++)
        if ((starts_with(t->given[i], "--") && find_long(t, t->given[i]) == row) ||
            (row->letter && starts_with(t->given[i], letter)))
            return true;
    return false;
}

static void offer_options(const struct typed *t, const struct completion *q) {
    char name[64];
    for (const struct option_row *row = t->line->table; row->name; row++) {
        snprintf(name, sizeof name, "--%s", row->name);
        if (row->many || !is_given(t, row))
            offer_word(q, name, row->help);
    }
    offer_word(q, "--help", option_help.help);
}

/* Completes "--name=value", "-cvalue" or the beginning of an option. */
static void complete_option(const struct typed *t, struct completion *q) {
    const struct option_row *row = NULL;
    if (!starts_with(q->word, "--"))
        row = find_letter(t, q->word, &q->part);
    else if (strchr(q->word, '=') && (row = find_long(t, q->word)) != NULL)
        q->part = strchr(q->word, '=') + 1;
    if (row && row->value)
        offer_value(q, row->value);
    else
        offer_options(t, q);
}

void complete_command(const struct command_line *line, int n, char *const *words) {
    struct typed t = {.line = line, .given = (const char *const *)words, .n = n - 1};
    for (int i = 0; i < n - 1; i++)
        take_word(&t, words[i]);
    struct completion q = {.word = words[n - 1], .part = words[n - 1], .first = t.first};
    if (t.wants)
        offer_value(&q, t.wants->value);
    else if (q.word[0] == '-' && !t.only_words)
        complete_option(&t, &q);
    else if (t.words < OPTIONS_MAX_WORDS && line->word[t.words])
        offer_value(&q, line->word[t.words]);
    else if (!*q.word)
        offer_options(&t, &q);
}
