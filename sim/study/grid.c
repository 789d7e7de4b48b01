// SPDX-License-Identifier: Apache-2.0
#include "study/grid.h"

#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/message.h"

void grid_measure(struct grid *g, const char *const *value) {
    for (int i = 0; i < g->n; i++) {
        const int n = value[i] ? (int)strlen(value[i]) : 0;
        const int title = (int)strlen(g->column[i].title);
        if (n > g->width[i])
            g->width[i] = n > title ? n : title;
    }
}

/* Copies a value without line feeds, which would break the table. The caller frees it. */
static char *clean_value(const char *value) {
    char *text = alloc_text(value ? value : "");
    message_clean(text);
    return text;
}

void grid_print_row(const struct grid *g, const char *const *value, FILE *to) {
    const char *gap = "";
    int last = g->n - 1, pending = 0;
    while (last >= 0 && !g->width[last])
        last--;
    for (int i = 0; i <= last; i++) {
        if (!g->width[i])
            continue;
        char *text = clean_value(value[i]);
        const int width = g->column[i].text ? -g->width[i] : g->width[i];
        if (!*text) { /* avoids blanks at the end of a line */
            pending += g->width[i] + (int)strlen(gap);
        } else {
            fprintf(to, "%*s%s%*s", pending, "", gap, i == last && width < 0 ? 0 : width, text);
            pending = 0;
        }
        free(text);
        gap = "  ";
    }
    fputc('\n', to);
}

void grid_print_titles(const struct grid *g, FILE *to) {
    const char *title[GRID_COLUMNS];
    for (int i = 0; i < g->n; i++)
        title[i] = g->column[i].title;
    grid_print_row(g, title, to);
}
