// SPDX-License-Identifier: Apache-2.0
#include "progress.h"

#include <stdarg.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define FIRST_AFTER 2.0
#define THEN_EVERY 0.25

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

void progress_begin(struct progress *p, bool quiet) {
    p->on = !quiet && isatty(STDERR_FILENO);
    p->shown = false;
    p->start = p->last = now();
}

double progress_seconds(const struct progress *p) {
    return now() - p->start;
}

bool progress_due(struct progress *p) {
    return p->on && progress_seconds(p) >= FIRST_AFTER && now() - p->last >= THEN_EVERY;
}

void progress_line(struct progress *p, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    fputs("\r\033[K", stderr);
    vfprintf(stderr, fmt, args);
    fflush(stderr);
    va_end(args);
    p->last = now();
    p->shown = true;
}

void progress_end(struct progress *p) {
    if (p->shown)
        fputs("\r\033[K", stderr);
    p->shown = false;
}
