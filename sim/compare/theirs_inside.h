/* SPDX-License-Identifier: Apache-2.0 */
/* Declares what the readers of their files share: the sums of each kernel. */
#ifndef MEMTWIN_COMPARE_THEIRS_INSIDE_H
#define MEMTWIN_COMPARE_THEIRS_INSIDE_H

#include <stdio.h>

#include "compare/theirs.h"

/* Values of one launch, or means over several. */
struct launch_values {
    char *kernel;    /* name as in the file; NULL if there is no launch (owned) */
    double launches; /* number of launches that the values are means of */
    struct {
        double whole, sum; /* value of a METRIC, and sum of the PARTs */
        bool has_whole;
        unsigned parts;
    } counter[COUNTERS];
};

struct theirs_reading {
    const char *path, *command;
    struct compared_kernels *to;
    struct error *err;
    size_t first;                 /* kernels before it are of other files */
    double (*launches)[COUNTERS]; /* for each kernel and counter, launches with a value (owned) */
    unsigned parts_needed;        /* smallest number of PARTs that make a counter */
    struct launch_values launch;
    uint64_t line;
    bool *complained; /* for each metric, true after its first warning (owned) */
};

/* Starts a launch of a kernel; takes the values of the launch before, if there is one. */
void theirs_launch(struct theirs_reading *r, const char *kernel, double launches);
/* Adds the value of a metric to the launch, in the unit of the tool. */
void theirs_put(struct theirs_reading *r, const struct metric *m, double value);
/* Takes the values of the last launch. */
void theirs_end(struct theirs_reading *r);
/* Returns the metric with this name after `from` (NULL: the first), or NULL. */
const struct metric *theirs_metric(const char *name, const struct metric *from);
/* Warns once of a metric that is left out in a line. */
__attribute__((format(printf, 3, 4))) void
theirs_complain(struct theirs_reading *r, const struct metric *m, const char *fmt, ...);

/* Reads a number such as 1,234.5 in a unit such as "Kbyte" (NULL or "": a unit may follow the
 * number), and sets *value to its size in the metric's unit. Returns NULL, or what is wrong. */
const char *theirs_number(const char *text, const char *unit, const struct metric *m,
                          double *value);

/* Readers of the formats. Return 0, or -1 with one line in err. */
int theirs_read_csv(struct theirs_reading *r, FILE *f);
int theirs_read_log(struct theirs_reading *r, FILE *f);

#endif
