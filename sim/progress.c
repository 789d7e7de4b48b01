// SPDX-License-Identifier: Apache-2.0
#include "progress.h"

#include <stdarg.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "lib/message.h"
#include "terminal.h"

#define FIRST_AFTER 2.0
#define THEN_EVERY 0.25
#define CLEAR "\r\033[K" /* clears the line of the cursor */

static double read_clock(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

void progress_begin(struct progress *p, bool quiet) {
    p->on = !quiet && isatty(STDERR_FILENO);
    p->shown = false;
    p->start = p->last = read_clock();
    p->done = p->done_at = 0;
}

double progress_seconds(const struct progress *p) {
    return read_clock() - p->start;
}

bool progress_due(struct progress *p) {
    return p->on && progress_seconds(p) >= FIRST_AFTER && read_clock() - p->last >= THEN_EVERY;
}

void progress_line(struct progress *p, const char *fmt, ...) {
    char line[512];
    struct winsize window;
    va_list args;
    va_start(args, fmt);
    message_vprint(line, sizeof line, fmt, args);
    va_end(args);
    /* Cut the line at the width of the window, because a wrapped line could not be cleared. */
    bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 1;
    terminal_control(stderr, CLEAR);
    fprintf(stderr, "%.*s", known ? window.ws_col - 1 : (int)sizeof line, line);
    fflush(stderr);
    p->last = read_clock();
    p->shown = true;
}

double progress_predict(struct progress *p, double done, double of) {
    const double now = progress_seconds(p);
    if (done > p->done) {
        p->done = done;
        p->done_at = now;
    }
    return p->done > 0 ? p->done_at * of / p->done - now : -1;
}

void progress_left(double done, const char *of, double left, char *buf, size_t size) {
    char time[48] = "";
    if (left >= 0 && left < 3600)
        snprintf(time, sizeof time, "%d:%02d left, ", (int)left / 60, (int)left % 60);
    else if (left >= 0 && left < 1e9)
        snprintf(time, sizeof time, "%d:%02d:%02d left, ", (int)left / 3600, (int)left / 60 % 60,
                 (int)left % 60);
    if (done > 0)
        snprintf(buf, size, "%d %% of %s, %s", (int)(100 * (done < 1 ? done : 1)), of, time);
    else
        snprintf(buf, size, "%s", time);
}

double progress_done(const struct progress_of *p) {
    double done = 0;
    if (p->ctas)
        done = (double)p->all_done / (double)p->ctas;
    else if (p->launches && p->of)
        done = ((double)(p->launch - 1) + (double)p->done / (double)p->of) / (double)p->launches;
    return done < 1 ? done : 1;
}

const char *progress_unit(const struct progress_of *p) {
    return p->ctas ? "CTAs" : "kernels";
}

void progress_end(struct progress *p) {
    if (p->shown)
        terminal_control(stderr, CLEAR);
    p->shown = false;
}
