// SPDX-License-Identifier: Apache-2.0
/* Sorts a raw .trace, as a tracer writes it: one line "x y z warp INSTRUCTION" after the other,
 * with lines of all warps mixed. Two passes write the text of a .traceg to an unnamed file: the
 * first measures each warp, and the second puts each line in its place. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lib/alloc.h"
#include "os/interrupt.h"
#include "os/path.h"
#include "trace/list.h"
#include "trace/scan.h"
#include "trace/traceg_private.h"

#define MAX_WARPS (UINT64_C(1) << 27) /* per kernel: 2 GiB of struct raw_warp */
#define STOP_LINES 65536              /* lines between looks for a stop */

struct raw_warp {
    uint64_t lines; /* number of lines, then end of the lines in the sorted text */
    uint64_t at;    /* number of bytes, then position of the next line */
};

struct raw_sort {
    struct traceg *t;
    struct raw_warp *warp; /* owned; for each warp of the grid */
    char *text;            /* the sorted text; NULL while it is measured */
    uint64_t size;         /* of the sorted text */
    uint64_t used;         /* number of warps with a line */
    uint64_t empty;        /* number of CTAs without a line */
};

/* Reads "x y z warp" at the beginning of a line. Returns the warp, or NULL on an error. */
static struct raw_warp *read_place(struct raw_sort *s, const char **p) {
    struct traceg *t = s->t;
    const uint32_t *g = t->header.grid;
    const uint64_t limit[4] = {g[0], g[1], g[2], t->warps};
    uint64_t v[4];
    for (unsigned i = 0; i < 4; i++) {
        const char *from = *p;
        if (!scan_decimal(p, &v[i]) || !scan_field_end(*p)) {
            traceg_fail_at(t, from, "expected block x, y, z and warp (a raw .trace)");
            return NULL;
        }
        if (v[i] >= limit[i]) {
            traceg_fail(t, "%s %llu is beyond the last, %llu", i < 3 ? "block" : "warp",
                        (unsigned long long)v[i], (unsigned long long)limit[i] - 1);
            return NULL;
        }
        scan_spaces(p);
    }
    return &s->warp[(v[0] + g[0] * (v[1] + g[1] * v[2])) * t->warps + v[3]];
}

/* Measures the line read last, or copies it. Tracers before version 3 have the warp in each line of
 * a .traceg too. */
static int sort_line(struct raw_sort *s) {
    struct traceg *t = s->t;
    const char *p = t->line;
    struct raw_warp *w = read_place(s, &p);
    if (!w)
        return -1;
    if (t->header.version < 3)
        p = t->line;
    const size_t n = (size_t)(t->line + t->size - p);
    if (s->text) {
        if (w->lines - w->at < n + 1)
            return traceg_fail(t, "the file changes while it is read");
        memcpy(s->text + w->at, p, n);
        s->text[w->at + n] = '\n';
    } else {
        s->used += !w->lines++;
    }
    w->at += n + 1;
    return 0;
}

/* Sorts the lines from the current one on, except for those of the header. */
static int sort_lines(struct raw_sort *s) {
    struct traceg *t = s->t;
    int got = 1;
    for (uint64_t n = 0; got > 0; got = traceg_next_line(t)) {
        if (t->line[0] != '#' && t->line[0] != '-' && sort_line(s) != 0)
            return -1;
        if (++n % STOP_LINES == 0 && stop_asked())
            return traceg_fail(t, "interrupted");
    }
    return got;
}

/* Adds text of the CTAs' frames to the sorted text, or to its size. */
__attribute__((format(printf, 2, 3))) static void add_text(struct raw_sort *s, const char *fmt,
                                                           ...) {
    char line[96];
    va_list args;
    va_start(args, fmt);
    const int n = vsnprintf(line, sizeof line, fmt, args);
    va_end(args);
    if (s->text)
        memcpy(s->text + s->size, line, (size_t)n);
    s->size += (uint64_t)n;
}

/* Writes the frames of all CTAs and sets the position of each warp's lines. Without text, only
 * measures the whole. */
static void add_frames(struct raw_sort *s) {
    const uint32_t *g = s->t->header.grid, warps = s->t->warps;
    struct raw_warp *w = s->warp;
    s->size = s->empty = 0;
    for (uint64_t b = 0; b < s->t->n_blocks; b++) {
        uint64_t lines = 0;
        add_text(s, "#BEGIN_TB\nthread block = %llu,%llu,%llu\n", (unsigned long long)(b % g[0]),
                 (unsigned long long)(b / g[0] % g[1]), (unsigned long long)(b / g[0] / g[1]));
        for (uint32_t i = 0; i < warps; i++, w++) {
            const uint64_t bytes = w->at;
            lines += w->lines;
            add_text(s, "warp = %u\ninsts = %llu\n", i, (unsigned long long)w->lines);
            w->at = s->text ? s->size : bytes;
            s->size += bytes;
            if (s->text)
                w->lines = s->size;
        }
        add_text(s, "#END_TB\n");
        s->empty += !lines;
    }
}

static int fail_copy(struct traceg *t, int errnum) {
    return traceg_fail(t, "cannot be sorted in %s: %s", temp_base(), strerror(errnum));
}

/* Makes an unnamed file of s->size bytes. Returns its descriptor, or -1 on an error. */
static int make_file(struct raw_sort *s) {
    struct error err;
    char path[PATH_SIZE];
    uint64_t limit;
    int fd;
    if (trace_copy_limit(&limit, &err))
        return traceg_fail(s->t, "%s", err.text);
    if (s->size > limit)
        return traceg_fail(s->t, "more than %llu MiB to sort; raise " TRACE_COPY_LIMIT " (in MiB)",
                           (unsigned long long)(limit >> 20));
    if (path_print(path, &err, "%s/memtwin-trace-XXXXXX", temp_base()))
        return traceg_fail(s->t, "%s", err.text);
    if ((fd = mkostemp(path, O_CLOEXEC)) < 0)
        return fail_copy(s->t, errno);
    unlink(path);
    const int full = posix_fallocate(fd, 0, (off_t)s->size);
    if (!full)
        return fd;
    close(fd);
    return fail_copy(s->t, full);
}

/* Reads the file again and puts its lines in their places. */
static int copy_lines(struct raw_sort *s, int fd) {
    struct traceg *t = s->t;
    struct error err;
    struct trace_input *again = trace_input_again(t->in, &err);
    if (!again)
        return traceg_fail(t, "%s", err.text);
    s->text = mmap(NULL, s->size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (s->text == MAP_FAILED) {
        trace_input_close(again);
        return fail_copy(t, errno);
    }
    trace_input_close(t->in);
    t->in = again;
    add_frames(s);
    const int bad = traceg_next_line(t) < 0 || sort_lines(s) != 0;
    munmap(s->text, s->size);
    return bad ? -1 : 0;
}

/* Makes the sorted file the kernel's input. */
static int take_sorted(struct traceg *t, int fd) {
    struct error err;
    char link[32], name[PATH_SIZE];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    snprintf(name, sizeof name, "%s, sorted", trace_input_name(t->in));
    struct trace_input *in = trace_input_open(name, link, &err);
    if (!in)
        return traceg_fail(t, "%s", err.text);
    trace_input_close(t->in);
    t->in = in;
    t->sorted = true;
    return 0;
}

/* Returns -1 for a file with less than half of its CTAs, which was probably cut. */
static int check_blocks(struct raw_sort *s, uint64_t there) {
    const uint64_t n = s->t->n_blocks;
    return there >= n - n / 2 ? 0
                              : traceg_fail(s->t, "less than half of the %llu blocks have lines",
                                            (unsigned long long)n);
}

static int sort_all(struct raw_sort *s) {
    if (sort_lines(s) != 0 || check_blocks(s, s->used) != 0)
        return -1;
    add_frames(s);
    if (check_blocks(s, s->t->n_blocks - s->empty) != 0)
        return -1;
    const int fd = make_file(s);
    if (fd < 0)
        return -1;
    const int bad = copy_lines(s, fd) != 0 || take_sorted(s->t, fd) != 0;
    close(fd);
    s->t->odd[ODD_EMPTY_BLOCK].times += s->empty;
    return bad ? -1 : 0;
}

int traceg_sort(struct traceg *t) {
    struct raw_sort s = {.t = t};
    if (t->n_blocks > MAX_WARPS / t->warps)
        return traceg_fail(t,
                           "a raw .trace of more than %llu warps; make a .traceg of it with "
                           "Accel-Sim's post-traces-processing",
                           (unsigned long long)MAX_WARPS);
    s.warp = alloc_zeroed(t->n_blocks * t->warps, sizeof *s.warp);
    const int bad = sort_all(&s);
    free(s.warp);
    return bad;
}
