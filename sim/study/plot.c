// SPDX-License-Identifier: Apache-2.0
#include "study/plot.h"

#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"

static const char *otherwise(const char *text, const char *word) {
    return text ? text : word;
}

/* Joins words with blanks; the caller frees the text. */
static char *join(const struct study_words *w) {
    char *text = NULL;
    size_t size;
    FILE *f = alloc_stream(&text, &size);
    for (size_t i = 0; i < w->n; i++)
        fprintf(f, "%s%s", i ? " " : "", w->word[i].text);
    alloc_stream_close(f);
    return text;
}

static int store_plot(struct study_db *d, const struct study *s, size_t number) {
    const struct study_plot *p = &s->plot[number];
    char *schemes = join(&p->schemes);
    const int bad = SQL_PUT(
        d, "INSERT INTO plot VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, nullif(?10, ''))",
        "iitttttttt", d->study, (int64_t)number, p->name, p->title, otherwise(p->kind, "bar"),
        otherwise(p->y, "ipc"), otherwise(p->relative, s->baseline.n ? "baseline" : "no"),
        otherwise(p->x, "workload"), otherwise(p->color, "scheme"), schemes);
    free(schemes);
    return bad ? -1 : 0;
}

int plots_store(struct study_db *d, const struct study *s) {
    if (SQL_PUT(d, "DELETE FROM plot WHERE study = ?1", "i", d->study))
        return -1;
    for (size_t i = 0; i < s->n_plots; i++)
        if (store_plot(d, s, i))
            return -1;
    return 0;
}
