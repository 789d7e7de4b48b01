// SPDX-License-Identifier: Apache-2.0
#include "stats/stats.h"

#include <string.h>

const struct stat_desc stat_table[STAT_COUNT] = {
#define STAT(name, unit, doc) {#name, unit, doc},
#include "stats/stats.def"
};

const struct stat_desc hist_table[HIST_COUNT] = {
#define HIST(name, unit, doc, exact) {#name, unit, doc},
#include "stats/stats.def"
};

const bool hist_exact[HIST_COUNT] = {
#define HIST(name, unit, doc, exact) exact,
#include "stats/stats.def"
};

const struct stat_desc derived_table[DERIVED_COUNT] = {
#define DERIVED(name, unit, doc, expression) {#name, unit, doc},
#include "stats/derived.def"
};

const struct stall_desc stall_table[] = {
#define STALL(name, unit, doc, of, words) {STAT_##name, STAT_##of, words},
#include "stats/stats.def"
};

const unsigned stall_count = sizeof stall_table / sizeof stall_table[0];

const char *stats_present_name(const char *former) {
    static const char *const renamed[][2] = {
#define RENAMED(former, now) {#former, #now},
#include "stats/renamed.def"
#undef RENAMED
    };
    for (unsigned i = 0; i < sizeof renamed / sizeof renamed[0]; i++)
        if (strcmp(renamed[i][0], former) == 0)
            return renamed[i][1];
    return NULL;
}

/* ---- parts ---- */

const char *const stat_part_title[STAT_PARTS_COUNT] = {
#define TITLE(part, title) title,
    STAT_PARTS(TITLE)
#undef TITLE
};

/* For each kind of table, KIND_FROM_part is the number of rows before the rows of the part. */
#define FROM_HERE(kind, part) kind##_FROM_##part, kind##_BACK_##part = kind##_FROM_##part - 1
enum {
#define STAT(name, unit, doc) STAT_AT_##name,
#define PART(part) FROM_HERE(STAT, part),
#include "stats/stats.def"
};
enum {
#define HIST(name, unit, doc, exact) HIST_AT_##name,
#define PART(part) FROM_HERE(HIST, part),
#include "stats/stats.def"
};
enum {
#define DERIVED(name, unit, doc, expression) DERIVED_AT_##name,
#define PART(part) FROM_HERE(DERIVED, part),
#include "stats/derived.def"
};

struct section {
    int from; /* first row of the part */
    enum stat_part part;
};

static enum stat_part part_of(const struct section *last, int row) {
    while (last->from > row)
        last--;
    return last->part;
}

#define LAST(sections) (&(sections)[sizeof(sections) / sizeof *(sections)-1])

enum stat_part stat_part(enum stat_id id) {
    static const struct section sections[] = {
#define PART(part) {STAT_FROM_##part, STAT_PART_##part},
#include "stats/stats.def"
    };
    return part_of(LAST(sections), (int)id);
}

enum stat_part hist_part(enum hist_id id) {
    static const struct section sections[] = {
#define PART(part) {HIST_FROM_##part, STAT_PART_##part},
#include "stats/stats.def"
    };
    return part_of(LAST(sections), (int)id);
}

enum stat_part derived_part(enum derived_id id) {
    static const struct section sections[] = {
#define DERIVED(name, unit, doc, expression)
#define PART(part) {DERIVED_FROM_##part, STAT_PART_##part},
#include "stats/derived.def"
    };
    return part_of(LAST(sections), (int)id);
}

/* ---- sums ---- */

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

#define S(name) ((double)s->v[STAT_##name])
#define RATIO(a, b) stats_ratio((a), (b))

double stats_derived(const struct stats *s, enum derived_id id) {
    switch (id) {
#define DERIVED(name, unit, doc, expression)                                                       \
    case DERIVED_##name:                                                                           \
        return expression;
#include "stats/derived.def"
    case DERIVED_COUNT:
        break;
    }
    return 0.0;
}
