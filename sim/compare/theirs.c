// SPDX-License-Identifier: Apache-2.0
#include "compare/theirs.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "compare/theirs_inside.h"
#include "lib/alloc.h"
#include "lib/message.h"
#include "lib/print.h"
#include "lib/text_file.h"

const struct metric *theirs_metric(const char *name, const struct metric *from) {
    for (const struct metric *m = from ? from + 1 : metric_table; m < metric_table + metric_count;
         m++)
        if (strcmp(m->name, name) == 0)
            return m;
    return NULL;
}

void theirs_complain(struct theirs_reading *r, const struct metric *m, const char *fmt, ...) {
    char text[256];
    va_list args;
    if (r->complained[m - metric_table])
        return;
    r->complained[m - metric_table] = true;
    va_start(args, fmt);
    message_vprint(text, sizeof text, fmt, args);
    va_end(args);
    warning_print(r->command, "%s:%llu: %s: %s; left out", r->path, (unsigned long long)r->line,
                  m->name, text);
}

/* ---- Numbers and units ---- */

static const struct {
    const char *name, *of; /* of: unit of the counters, or NULL for units that count */
    double factor;
} units[] = {
    {"ns", "ns", 1},      {"nsecond", "ns", 1},    {"us", "ns", 1e3},    {"usecond", "ns", 1e3},
    {"ms", "ns", 1e6},    {"msecond", "ns", 1e6},  {"s", "ns", 1e9},     {"second", "ns", 1e9},
    {"B", "bytes", 1},    {"byte", "bytes", 1},    {"KB", "bytes", 1e3}, {"Kbyte", "bytes", 1e3},
    {"MB", "bytes", 1e6}, {"Mbyte", "bytes", 1e6}, {"GB", "bytes", 1e9}, {"Gbyte", "bytes", 1e9},
    {"", NULL, 1},        {"inst", NULL, 1},       {"cycle", NULL, 1},   {"sector", NULL, 1},
    {"warp", NULL, 1},    {"request", NULL, 1}};

/* Returns the unit of a metric's values: "ns", "bytes", or NULL if they are counts. */
static const char *metric_unit(const struct metric *m) {
    const char *unit = counter_table[m->counter].unit;
    const bool counted = m->factor != 1 || (strcmp(unit, "ns") != 0 && strcmp(unit, "bytes") != 0);
    return counted ? NULL : unit;
}

/* Sets *factor to the size of a unit. Returns NULL, or what is wrong. */
static const char *unit_factor(const char *unit, const struct metric *m, double *factor) {
    const char *of = metric_unit(m);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(units[i].name, unit) == 0 &&
            (of == units[i].of || (of && units[i].of && strcmp(of, units[i].of) == 0))) {
            *factor = units[i].factor;
            return NULL;
        }
    if (!of)
        return "its unit is not that of a count";
    return strcmp(of, "ns") == 0 ? "no unit of time (ns, us, ms, s)"
                                 : "no unit of bytes (byte, Kbyte, Mbyte, Gbyte)";
}

const char *theirs_number(const char *text, const char *unit, const struct metric *m,
                          double *value) {
    char digits[64];
    size_t n = 0;
    double factor;
    for (; *text && n < sizeof digits - 1; text++)
        if (*text != ',' && *text != ' ')
            digits[n++] = *text;
    digits[n] = '\0';
    char *end;
    *value = strtod(digits, &end);
    if (end == digits || !isfinite(*value) || *value < 0)
        return "not a number from 0";
    const bool own = unit && *unit;
    if (own && *end)
        return "not a number";
    const char *why = unit_factor(own ? unit : end, m, &factor);
    *value *= why ? 1 : factor;
    return why;
}

/* ---- Launches ---- */

/* Returns the index of the kernel of this file with that name; adds it if it is new. */
static size_t find_kernel(struct theirs_reading *r, const char *name) {
    struct compared_kernel *new = compared_add(r->to, "", name);
    const size_t last = r->to->n - 1;
    for (size_t i = r->first; i < last; i++)
        if (strcmp(r->to->row[i].name, new->name) == 0) {
            free(new->run);
            free(new->name);
            r->to->n = last;
            return i;
        }
    r->launches = alloc_resized(r->launches, r->to->n - r->first, sizeof *r->launches);
    memset(r->launches[last - r->first], 0, sizeof *r->launches);
    for (size_t i = 0; i < COUNTERS; i++)
        new->value[i] = 0; /* sum so far */
    return last;
}

void theirs_end(struct theirs_reading *r) {
    struct launch_values *l = &r->launch;
    if (!l->kernel)
        return;
    const size_t k = find_kernel(r, l->kernel);
    for (size_t i = 0; i < COUNTERS; i++) {
        const bool sum = !l->counter[i].has_whole && l->counter[i].parts >= r->parts_needed;
        if (!l->counter[i].has_whole && !sum)
            continue;
        r->to->row[k].value[i] += (sum ? l->counter[i].sum : l->counter[i].whole) * l->launches;
        r->launches[k - r->first][i] += l->launches;
    }
    free(l->kernel);
    *l = (struct launch_values){0};
}

void theirs_launch(struct theirs_reading *r, const char *kernel, double launches) {
    theirs_end(r);
    r->launch.kernel = alloc_text(kernel);
    r->launch.launches = launches;
}

void theirs_put(struct theirs_reading *r, const struct metric *m, double value) {
    struct launch_values *l = &r->launch;
    if (m->part) {
        l->counter[m->counter].sum += value * m->factor;
        l->counter[m->counter].parts++;
    } else if (!l->counter[m->counter].has_whole) {
        l->counter[m->counter].whole = value * m->factor;
        l->counter[m->counter].has_whole = true;
    }
}

/* Turns sums into means. Returns true if some kernel has a counter. */
static bool make_means(struct theirs_reading *r) {
    bool some = false;
    for (size_t k = r->first; k < r->to->n; k++) {
        struct compared_kernel *row = &r->to->row[k];
        for (size_t i = 0; i < COUNTERS; i++) {
            const double n = r->launches[k - r->first][i];
            row->value[i] = n > 0 ? row->value[i] / n : NAN;
            if (n > (double)row->launches)
                row->launches = (uint64_t)n;
            some = some || n > 0;
        }
    }
    return some;
}

/* ---- Files ---- */

/* Returns true if the file is the output of Accel-Sim, and goes back to its beginning. */
static bool is_log(FILE *f) {
    char line[32];
    bool found = false;
    while (!found && fgets(line, sizeof line, f))
        found = strncmp(line, "kernel_name = ", 14) == 0;
    rewind(f);
    return found;
}

int theirs_read(const char *path, const char *command, struct compared_kernels *to,
                struct error *err) {
    struct theirs_reading r = {
        .path = path, .command = command, .to = to, .err = err, .first = to->n};
    const char *why = NULL;
    FILE *f = text_open(path, &why);
    if (!f)
        return error_set(err, "%s: %s", path, why ? why : strerror(errno));
    r.complained = alloc_zeroed(metric_count, sizeof *r.complained);
    int bad = is_log(f) ? theirs_read_log(&r, f) : theirs_read_csv(&r, f);
    theirs_end(&r);
    if (!make_means(&r) && !bad)
        bad = error_set(err,
                        "%s: no kernel with a counter of nvprof, Nsight Compute, AccelWattch or "
                        "Accel-Sim (memtwin list counters)",
                        path);
    fclose(f);
    free(r.launches);
    free(r.complained);
    return bad ? -1 : 0;
}
