// SPDX-License-Identifier: Apache-2.0
#include "compare/counters.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "demangle.h"
#include "lib/alloc.h"

enum { NEEDS_ANY, NEEDS_L1D, NEEDS_L2 };

const struct shared_counter counter_table[COUNTERS] = {
#define COUNTER(name, unit, needs, value, meaning)                                                 \
    {#name, unit, meaning, #value, NEEDS_##needs == NEEDS_L1D, NEEDS_##needs == NEEDS_L2},
#include "compare/counters.def"
};

const struct metric metric_table[] = {
#define METRIC(name, counter, factor) {name, COUNTER_##counter, factor, false},
#define PART(name, counter, factor) {name, COUNTER_##counter, factor, true},
#include "compare/counters.def"
};
const size_t metric_count = sizeof metric_table / sizeof *metric_table;

/* Returns the length of a readable name up to its parameters or template arguments. */
static size_t base_length(const char *name) {
    const char *const operator_name = strstr(name, "operator");
    const size_t n = operator_name ? strlen(name) : strcspn(name, "(<");
    return n ? n : strlen(name);
}

/* Returns the function's name of "void ns::name<int>(float *)": "ns::name". The caller frees it. */
static char *base_name(const char *name) {
    char *readable = demangle(name, false);
    const char *from = readable;
    if (strncmp(from, "void ", 5) == 0)
        from += 5;
    size_t n = base_length(from);
    while (n && isspace((unsigned char)from[n - 1]))
        n--;
    char *base = alloc_text_part(from, n);
    free(readable);
    return base;
}

struct compared_kernel *compared_add(struct compared_kernels *k, const char *run,
                                     const char *name) {
    k->row = alloc_resized(k->row, k->n + 1, sizeof *k->row);
    struct compared_kernel *row = &k->row[k->n++];
    *row = (struct compared_kernel){.run = alloc_text(run), .name = base_name(name)};
    for (size_t i = 0; i < COUNTERS; i++)
        row->value[i] = NAN;
    return row;
}

void compared_free(struct compared_kernels *k) {
    for (size_t i = 0; i < k->n; i++) {
        free(k->row[i].run);
        free(k->row[i].name);
    }
    free(k->row);
    *k = (struct compared_kernels){0};
}
