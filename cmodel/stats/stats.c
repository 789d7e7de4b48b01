// SPDX-License-Identifier: Apache-2.0
#include "stats/stats.h"

const struct stat_desc stat_table[STAT_COUNT] = {
#define STAT(name, unit, doc) {#name, unit, doc},
#define HIST(name, unit, doc, exact)
#include "stats/stats.def"
#undef STAT
#undef HIST
};

const struct stat_desc hist_table[HIST_COUNT] = {
#define STAT(name, unit, doc)
#define HIST(name, unit, doc, exact) {#name, unit, doc},
#include "stats/stats.def"
#undef STAT
#undef HIST
};

const bool hist_exact[HIST_COUNT] = {
#define STAT(name, unit, doc)
#define HIST(name, unit, doc, exact) exact,
#include "stats/stats.def"
#undef STAT
#undef HIST
};

const struct stat_desc derived_table[DERIVED_COUNT] = {
#define DERIVED(name, unit, doc, expression) {#name, unit, doc},
#include "stats/derived.def"
#undef DERIVED
};

void stats_add(struct stats *to, const struct stats *from) {
    for (unsigned i = 0; i < STAT_COUNT; i++)
        to->v[i] += from->v[i];
    for (unsigned i = 0; i < HIST_COUNT; i++)
        for (unsigned k = 0; k < HIST_BUCKETS; k++)
            to->h[i][k] += from->h[i][k];
}

void stats_difference(struct stats *d, const struct stats *a, const struct stats *b) {
    for (unsigned i = 0; i < STAT_COUNT; i++)
        d->v[i] = a->v[i] - b->v[i];
    for (unsigned i = 0; i < HIST_COUNT; i++)
        for (unsigned k = 0; k < HIST_BUCKETS; k++)
            d->h[i][k] = a->h[i][k] - b->h[i][k];
}

/* What the expressions of derived.def are made of. */
static double ratio(double a, double b) {
    return b > 0 ? a / b : 0.0;
}

#define S(name) ((double)s->v[STAT_##name])
#define RATIO(a, b) ratio((a), (b))

double stats_derived(const struct stats *s, enum derived_id id) {
    switch (id) {
#define DERIVED(name, unit, doc, expression)                                                       \
    case DERIVED_##name:                                                                           \
        return expression;
#include "stats/derived.def"
#undef DERIVED
    case DERIVED_COUNT:
        break;
    }
    return 0.0;
}
