// SPDX-License-Identifier: Apache-2.0
#include "compare/pairs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"

/* Returns the name that a kernel of ours has on their side. */
static const char *their_name(const char *name, const struct kernel_alias *alias, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (strcmp(alias[i].ours, name) == 0)
            return alias[i].theirs;
    return name;
}

void pairs_make(struct kernel_pairs *p, const struct compared_kernels *ours,
                const struct compared_kernels *theirs, const struct kernel_alias *alias, size_t n) {
    *p = (struct kernel_pairs){.pair = alloc_zeroed(ours->n + 1, sizeof *p->pair)};
    for (size_t i = 0; i < ours->n; i++) {
        const char *name = their_name(ours->row[i].name, alias, n);
        for (size_t k = 0; k < theirs->n; k++)
            if (strcmp(theirs->row[k].name, name) == 0) {
                p->pair[p->n++] = (struct kernel_pair){&ours->row[i], &theirs->row[k]};
                break;
            }
    }
}

void pairs_free(struct kernel_pairs *p) {
    free(p->pair);
    *p = (struct kernel_pairs){0};
}

bool pair_has(const struct kernel_pair *p, enum counter_id id) {
    return !isnan(p->ours->value[id]) && !isnan(p->theirs->value[id]);
}

double pair_error(const struct kernel_pair *p, enum counter_id id) {
    const double ours = p->ours->value[id], theirs = p->theirs->value[id];
    return ours == theirs ? 0 : theirs > 0 ? 100 * (ours - theirs) / theirs : NAN;
}

/* Returns the correlation of n values x and y with these sums. */
static double correlation(double n, double x, double y, double xx, double yy, double xy) {
    const double spread = (n * xx - x * x) * (n * yy - y * y);
    return n >= 3 && spread > 0 ? (n * xy - x * y) / sqrt(spread) : NAN;
}

struct counter_errors pairs_errors(const struct kernel_pairs *p, enum counter_id id) {
    struct counter_errors e = {0};
    double x = 0, y = 0, xx = 0, yy = 0, xy = 0, apart = 0;
    for (size_t i = 0; i < p->n; i++) {
        if (!pair_has(&p->pair[i], id))
            continue;
        const double error = pair_error(&p->pair[i], id);
        const double theirs = p->pair[i].theirs->value[id], ours = p->pair[i].ours->value[id];
        e.n++;
        x += theirs, y += ours, xx += theirs * theirs, yy += ours * ours, xy += theirs * ours;
        if (isnan(error)) {
            e.zero++;
            continue;
        }
        apart += fabs(ours - theirs);
        e.absolute += fabs(error);
        e.mean += error;
        e.most = fmax(e.most, fabs(error));
    }
    const size_t with_error = e.n - e.zero;
    e.absolute = with_error ? e.absolute / (double)with_error : NAN;
    e.mean = with_error ? e.mean / (double)with_error : NAN;
    e.sum_error = x > 0 ? 100 * apart / x : NAN;
    e.correlation = correlation((double)e.n, x, y, xx, yy, xy);
    return e;
}
