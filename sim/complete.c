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

/* The part of a word to complete: the text behind "--set=" or "dl_mshr,". */
struct completion {
    const char *word, *part;
    const char *kind;  /* kind of candidate, named as in --help */
    const char *block; /* named on the command line; NULL: none yet */
};

static bool begins(const char *text, const char *start) {
    return strncmp(text, start, strlen(start)) == 0;
}

/* Prints a description without newlines: a candidate is one line of the protocol. */
static void print_doc(const char *doc) {
    putchar('\t');
    for (; *doc; doc++)
        putchar(*doc == '\n' || *doc == '\t' ? ' ' : *doc);
    putchar('\n');
}

static void offer(const struct completion *q, const char *candidate, const char *doc) {
    if (!begins(candidate, q->part))
        return;
    printf("%.*s%s", (int)(q->part - q->word), q->word, candidate);
    print_doc(doc);
}

void complete_word(const char *word, const char *candidate, const char *doc) {
    const struct completion q = {.word = word, .part = word};
    offer(&q, candidate, doc);
}

/* ---- What an option or a word takes, by its name in --help ---- */

/* A completion whose part begins after the character `at` of the word. */
static struct completion behind(const struct completion *q, const char *at) {
    struct completion r = *q;
    r.part = at + 1;
    return r;
}

static void offer_each(void *ctx, const char *name, const char *doc) {
    offer(ctx, name, doc);
}

static void configs(const struct completion *q) {
    char err[512];
    struct completion copy = *q;
    configs_each(offer_each, &copy, err, sizeof err); /* an error: there are none */
    puts(":files ini");
}

/* Offers "NAME", then "NAME:SIZE" with the default size. */
static void workloads(const struct completion *q) {
    char text[256], doc[512];
    const bool size = strchr(q->part, ':') != NULL;
    for (const struct workload_type *const *t = workload_types; *t; t++) {
        snprintf(text, sizeof text, "%s:%s", (*t)->name, (*t)->default_size);
        snprintf(doc, sizeof doc, "SIZE: %s", (*t)->size_doc);
        if (size)
            offer(q, text, doc);
        else
            offer(q, (*t)->name, (*t)->doc);
    }
}

static void choices(const struct completion *q, const char *values, const char *usual) {
    char value[128];
    for (;; values++) {
        snprintf(value, sizeof value, "%.*s", (int)strcspn(values, "|"), values);
        offer(q, value, strcmp(value, usual) == 0 ? "usual" : "");
        values += strcspn(values, "|");
        if (!*values)
            return;
    }
}

static void offer_number(const struct completion *q, int64_t value, const char *doc) {
    char text[32];
    snprintf(text, sizeof text, "%" PRId64, value);
    offer(q, text, doc);
}

static void policies(const struct completion *q, bool evict) {
    for (const struct evictor *const *e = evictors; evict && *e; e++)
        offer(q, (*e)->name, (*e)->doc);
    for (const struct prefetcher *const *p = prefetchers; !evict && *p; p++)
        offer(q, (*p)->name, (*p)->doc);
}

static void key_values(const struct completion *q, const struct key_desc *k) {
    char usual[CONFIG_STR_SIZE];
    key_usual(k, usual, sizeof usual);
    if (k->values) {
        choices(q, k->values, usual);
    } else if (k->text && strstr(k->doc, "memtwin list policies")) {
        policies(q, strcmp(k->name, "evict") == 0);
    } else if (k->text) {
        offer(q, usual, "usual");
    } else {
        offer_number(q, k->min, "least");
        if (k->def != k->min && k->def != k->max)
            offer(q, usual, "usual");
        offer_number(q, k->max, "most");
    }
}

/* Offers "SECTION.", then "SECTION.KEY=", then "SECTION.KEY=VALUE". */
static void keys(const struct completion *q) {
    char name[128];
    const char *section = "", *only = islower((unsigned char)q->kind[0]) ? q->kind : "";
    const bool dot = strchr(q->part, '.') != NULL;
    const char *equals = strchr(q->part, '=');
    for (const struct key_desc *k = key_table; k->section; k++) {
        if (*only && strncmp(k->section, only, strcspn(only, ".")) != 0)
            continue;
        snprintf(name, sizeof name, "%s.%s=", k->section, k->name);
        if (equals && begins(q->part, name)) {
            struct completion value = behind(q, equals);
            key_values(&value, k);
        } else if (dot && !equals) {
            offer(q, name, k->doc);
        } else if (!dot && strcmp(section, k->section) != 0) {
            name[strcspn(name, ".") + 1] = '\0';
            offer(q, name, "section");
        }
        section = k->section;
    }
}

static void blocks(const struct completion *q) {
    for (const struct block_type *const *t = block_types; *t; t++)
        offer(q, (*t)->name, "block");
}

/* "PATTERN[:MODE][,..]" */
static void twins(const struct completion *q) {
    const char *comma = strrchr(q->part, ',');
    struct completion one = comma ? behind(q, comma) : *q;
    const char *colon = strchr(one.part, ':');
    if (!colon) {
        blocks(&one);
        return;
    }
    one = behind(&one, colon);
    offer(&one, "lockstep", "every output is compared every cycle");
    offer(&one, "drive", "the Verilog's outputs feed the system as well");
}

/* Offers "NAME=VALUE" of the block's parameters. */
static void params(const struct completion *q) {
    const struct block_type *type = q->block ? block_find_any(q->block) : NULL;
    const char *equals = strchr(q->part, '=');
    char name[128];
    for (unsigned i = 0; type && i < type->n_params; i++) {
        const struct param_desc *p = &type->params[i];
        snprintf(name, sizeof name, "%s=", p->name);
        if (!equals) {
            offer(q, name, p->doc);
        } else if (begins(q->part, name)) {
            struct completion value = behind(q, equals);
            offer_number(&value, p->min, "least");
            if (p->def != p->min && p->def != p->max)
                offer_number(&value, p->def, "default");
            offer_number(&value, p->max, "most");
        }
    }
}

static void kinds_of_trace(const struct completion *q) {
    for (const struct synth_kind *k = synth_kinds; k->name; k++)
        offer(q, k->name, k->doc);
}

static void recorded(const struct completion *q) {
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

/* Offers the studies of the database named earlier on the command line. */
static void studies(const struct completion *q) {
    char ignored[1024];
    struct completion copy = *q;
    struct study_db *db = q->block ? db_open(q->block, false, ignored, sizeof ignored) : NULL;
    if (db)
        db_studies(db, offer_each, &copy, ignored, sizeof ignored);
    db_close(db);
}

static void folders(const struct completion *q) {
    (void)q;
    puts(":folders");
}

static const struct {
    const char *name; /* or its beginning, ended by a dot */
    void (*offer)(const struct completion *q);
} takers[] = {{"CONFIG", configs},
              {"W[:SIZE]", workloads},
              {"NAME[:SIZE]", workloads},
              {"SECTION.KEY=V", keys},
              {"dram.KEY=V", keys},
              {"BLOCK", blocks},
              {"PATTERN[:MODE]", twins},
              {"NAME=VALUE", params},
              {"KIND", kinds_of_trace},
              {"INSTANCE=FILE", recorded},
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
        offer(q, q->kind, "");
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

/* ---- The command line so far ---- */

struct typed {
    const struct command_line *line;
    const struct option_row *wants; /* option that takes the next word as its value; NULL: none */
    bool only_words;                /* behind "--" */
    unsigned words;
    const char *first;        /* word; NULL: none */
    const char *const *given; /* all words before the completed one */
    int n;
};

/* The row of --name or --name=value; NULL: none. */
static const struct option_row *find_long(const struct typed *t, const char *word) {
    const size_t len = strcspn(word + 2, "=");
    for (const struct option_row *row = t->line->table; row->name; row++)
        if (strlen(row->name) == len && strncmp(row->name, word + 2, len) == 0)
            return row;
    return NULL;
}

/* The first option with a value in "-qc"; *rest: the text after its letter. */
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

static void take(struct typed *t, const char *word) {
    const char *rest = "";
    const struct option_row *row;
    if (t->wants) {
        t->wants = NULL;
    } else if (t->only_words || word[0] != '-' || !word[1]) {
        t->words++;
        t->first = t->first ? t->first : word;
    } else if (strcmp(word, "--") == 0) {
        t->only_words = true;
    } else if (begins(word, "--")) {
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
        if ((begins(t->given[i], "--") && find_long(t, t->given[i]) == row) ||
            (row->letter && begins(t->given[i], letter)))
            return true;
    return false;
}

static void offer_options(const struct typed *t, const struct completion *q) {
    char name[64];
    for (const struct option_row *row = t->line->table; row->name; row++) {
        snprintf(name, sizeof name, "--%s", row->name);
        if (row->many || !is_given(t, row))
            offer(q, name, row->help);
    }
    offer(q, "--help", option_help.help);
}

/* "--name=value", "-cvalue" or the beginning of an option. */
static void complete_option(const struct typed *t, struct completion *q) {
    const struct option_row *row = NULL;
    if (!begins(q->word, "--"))
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
        take(&t, words[i]);
    struct completion q = {.word = words[n - 1], .part = words[n - 1], .block = t.first};
    if (t.wants)
        offer_value(&q, t.wants->value);
    else if (q.word[0] == '-' && !t.only_words)
        complete_option(&t, &q);
    else if (t.words < OPTIONS_MAX_WORDS && line->word[t.words])
        offer_value(&q, line->word[t.words]);
    else if (!*q.word)
        offer_options(&t, &q);
}
