// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "import/import.h"

void import_loss_text(const struct import *m, const struct import_loss *l, struct error *line) {
    const struct import_option *o = l->option;
    error_set_at(line, m->path[o->file], o->line, "%s %s%s: %s", o->name, o->value,
                 o->line ? "" : " (its default)", l->text);
}

static void print_option(const struct import *m, const struct import_option *o, FILE *out) {
    const char *slash = strrchr(m->path[o->file], '/');
    fprintf(out, "%s %s", o->name, o->value);
    if (o->line)
        fprintf(out, " (%s:%u)", slash ? slash + 1 : m->path[o->file], o->line);
    else
        fprintf(out, " (its default)");
}

/* Prints a key, after a comment that differs from that of the key printed before (`last`). */
static void print_key(const struct import *m, const struct import_key *k,
                      const struct import_key *last, FILE *out) {
    if (last && last->option == k->option && last->why == k->why) {
        fprintf(out, "%s = %s\n", strchr(k->name, '.') + 1, k->value);
        return;
    }
    fprintf(out, "; ");
    if (k->option)
        print_option(m, k->option, out);
    if (k->why)
        fprintf(out, "%s%s", k->option ? ": " : "", k->why);
    fprintf(out, "\n%s = %s\n", strchr(k->name, '.') + 1, k->value);
}

/* Keys of a section stand together, in the order of their first one. */
void import_print(const struct import *m, FILE *out) {
    bool printed[IMPORT_KEYS] = {false};
    const struct import_key *last = NULL;
    for (unsigned i = 0; i < m->keys; i++) {
        const size_t section = strcspn(m->key[i].name, ".") + 1;
        if (printed[i])
            continue;
        fprintf(out, "%s[%.*s]\n", i ? "\n" : "", (int)section - 1, m->key[i].name);
        for (unsigned j = i; j < m->keys; j++)
            if (strncmp(m->key[i].name, m->key[j].name, section) == 0) {
                print_key(m, &m->key[j], last, out);
                last = &m->key[j];
                printed[j] = true;
            }
    }
    if (m->losses)
        fprintf(out, "\n; Not imported:\n");
    for (unsigned i = 0; i < m->losses; i++) {
        fprintf(out, "; ");
        print_option(m, m->loss[i].option, out);
        fprintf(out, ": %s\n", m->loss[i].text);
    }
}
