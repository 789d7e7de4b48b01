// SPDX-License-Identifier: Apache-2.0
#include "compare/page.h"

#include <math.h>
#include <stdlib.h>

#include "embed.h"
#include "html.h"
#include "json.h"

/* Page made by sim/report/make_page.sh, at COMPARE_PAGE. */
EMBED(compare_page, COMPARE_PAGE);

static void add_number(cJSON *to, const char *name, double value) {
    if (isnan(value))
        cJSON_AddNullToObject(to, name);
    else
        cJSON_AddNumberToObject(to, name, value);
}

/* Adds the value pairs of a counter. */
static void add_rows(cJSON *to, const struct kernel_pairs *pairs, enum counter_id id) {
    cJSON *rows = cJSON_AddArrayToObject(to, "rows");
    for (size_t i = 0; i < pairs->n; i++) {
        const struct kernel_pair *pair = &pairs->pair[i];
        if (!pair_has(pair, id))
            continue;
        cJSON *row = cJSON_CreateObject();
        cJSON_AddItemToArray(rows, row);
        cJSON_AddStringToObject(row, "run", pair->ours->run);
        cJSON_AddStringToObject(row, "kernel", pair->ours->name);
        cJSON_AddStringToObject(row, "their_kernel", pair->theirs->name);
        add_number(row, "theirs", pair->theirs->value[id]);
        add_number(row, "ours", pair->ours->value[id]);
        add_number(row, "error", pair_error(pair, id));
    }
}

static void add_counter(cJSON *to, const struct kernel_pairs *pairs, enum counter_id id) {
    const struct counter_errors e = pairs_errors(pairs, id);
    if (!e.n)
        return;
    cJSON *counter = cJSON_CreateObject();
    cJSON_AddItemToArray(to, counter);
    cJSON_AddStringToObject(counter, "name", counter_table[id].name);
    cJSON_AddStringToObject(counter, "unit", counter_table[id].unit);
    cJSON_AddStringToObject(counter, "meaning", counter_table[id].meaning);
    add_number(counter, "absolute", e.absolute);
    add_number(counter, "mean", e.mean);
    add_number(counter, "most", isnan(e.mean) ? NAN : e.most);
    add_number(counter, "sum_error", e.sum_error);
    add_number(counter, "correlation", e.correlation);
    add_rows(counter, pairs, id);
}

void compare_page_write(const struct compare_page *p, FILE *to) {
    cJSON *root = cJSON_CreateObject();
    cJSON_AddStringToObject(root, "ours", p->ours);
    cJSON_AddStringToObject(root, "theirs", p->theirs);
    cJSON *counters = cJSON_AddArrayToObject(root, "counters");
    for (size_t id = 0; id < COUNTERS; id++)
        if (p->wanted[id])
            add_counter(counters, p->pairs, id);
    char *text = json_text(root, false);
    html_with_json(compare_page, text, to);
    free(text);
}
