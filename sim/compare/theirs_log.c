// SPDX-License-Identifier: Apache-2.0
/* Reads the output of Accel-Sim, and that of `memtwin run --stats accelsim`. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "compare/theirs_inside.h"
#include "lib/alloc.h"

/* Returns true if the value is of the kernel; others are sums over the kernels so far. */
static bool is_per_kernel(const struct metric *m) {
    return strcmp(m->name, "gpu_sim_cycle") == 0 || strcmp(m->name, "gpu_sim_insn") == 0;
}

/* Removes blanks at both ends. */
static char *trim_blanks(char *text) {
    text += strspn(text, " \t");
    size_t n = strlen(text);
    while (n && strchr(" \t\r\n", text[n - 1]))
        n--;
    text[n] = '\0';
    return text;
}

static void take_line(struct theirs_reading *r, char *line, double *before) {
    char *const equals = strstr(line, " = "), *end;
    if (!equals)
        return;
    *equals = '\0';
    const char *name = trim_blanks(line), *text = trim_blanks(equals + 3);
    if (strcmp(name, "kernel_name") == 0) {
        theirs_launch(r, text, 1);
        return;
    }
    for (const struct metric *m = theirs_metric(name, NULL); m && r->launch.kernel;
         m = theirs_metric(name, m)) {
        const double value = strtod(text, &end);
        if (end == text || *end) {
            theirs_complain(r, m, "'%s' is not a number", text);
            continue;
        }
        double *const sum = &before[m - metric_table];
        theirs_put(r, m, is_per_kernel(m) ? value : value - *sum);
        *sum = value;
    }
}

int theirs_read_log(struct theirs_reading *r, FILE *f) {
    double *before = alloc_zeroed(metric_count, sizeof *before);
    char *line = NULL;
    size_t room = 0;
    r->parts_needed = 1; /* Accel-Sim prints no line for a count of 0 */
    while (getline(&line, &room, f) >= 0) {
        r->line++;
        take_line(r, line, before);
    }
    const int bad = ferror(f) ? error_set(r->err, "%s: %s", r->path, strerror(errno)) : 0;
    free(line);
    free(before);
    return bad;
}
