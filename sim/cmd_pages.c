// SPDX-License-Identifier: Apache-2.0
/* memtwin pages: the pages that a workload refers to, in order, without a machine. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "harness/proc.h"
#include "kernel/kernel.h"
#include "lib/line.h"
#include "options.h"
#include "pages/pages.h"
#include "progress.h"
#include "workloads/lane.h"

#define WINDOW 1024

struct pages_opts {
    const char *command, *workload, *csv, *by_page, *windows;
    uint64_t window; /* 0: not given */
    bool quiet;
};

#define ROW(...) OPTION(struct pages_opts, __VA_ARGS__)
static const struct option_row table[] = {
    ROW('w', "workload", "W[:SIZE]", take_text, workload,
        "memtwin list workloads names them and says what SIZE means"),
    NUMBER(struct pages_opts, "window", "N", 1, 0, window,
           "warp memory instructions of a window (1024)"),
    ROW(0, "csv", "FILE", take_text, csv,
        "write there what was referred to, in order: instruction, array, page"),
    ROW(0, "by-page", "FILE", take_text, by_page,
        "write a row there for each page that was referred to: array, page, instructions\n"
        "that did"),
    ROW(0, "windows", "FILE", take_text, windows,
        "write a row there for each window: its instructions, how many different\n"
        "pages they refer to, and how many of these no window before did"),
    ROW('q', "quiet", NULL, take_flag, quiet, "no table, no progress"),
    {0}};

static const char usage[] =
    "usage: memtwin pages -w WORKLOAD[:SIZE] [OPTION]...\n"
    "\n"
    "The 4 KB pages that a workload refers to, without a machine: blocks run one after the other,\n"
    "the warps of a block an instruction each in turn.\n";
static const char notes[] =
    "Pages are numbered as the driver of unified memory does, those of each array from a multiple\n"
    "of 512 (docs/understand/uvm.md). With FILE -, the table goes to standard error.\n";
static const struct command_line line = {.usage = usage, .table = table, .notes = notes};

/* Of a page; both count from 1, 0: never. */
struct seen {
    uint64_t inst, window; /* the last that referred to it */
    uint64_t insts;        /* how many did */
};

struct array_count {
    uint64_t insts, accesses, touched;
};

struct observing {
    const struct pages_opts *opts;
    struct workload *w;                   /* owned */
    struct pages pages;                   /* owned */
    struct seen *seen;                    /* owned; by page */
    struct array_count *array;            /* owned; by array */
    struct new_file csv, by_page, window; /* open: those of opts */
    uint64_t length;                      /* of a window, in instructions */
    uint64_t insts, windows;              /* so far; whole windows, and the last one at the end */
    uint64_t in_window;                   /* instructions of the one that runs, */
    uint64_t different, fresh;            /* its different pages, those of no window before */
    uint64_t sum, most;                   /* of `different` over windows */
    struct progress progress;
    volatile bool stop;
    char err[1024];
};

/* ---- Observing ---- */

static void end_window(struct observing *o) {
    if (o->opts->windows)
        fprintf(o->window.f, "%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 "\n", o->windows,
                o->in_window, o->different, o->fresh);
    o->windows++;
    o->sum += o->different;
    if (o->different > o->most)
        o->most = o->different;
    o->in_window = o->different = o->fresh = 0;
}

static void refer(struct observing *o, unsigned array, uint32_t page) {
    struct seen *s = &o->seen[page];
    if (s->inst == o->insts + 1)
        return;
    s->inst = o->insts + 1;
    s->insts++;
    if (o->opts->csv)
        fprintf(o->csv.f, "%" PRIu64 ",%s,%" PRIu32 "\n", o->insts, o->w->arrays[array].name, page);
    o->array[array].touched += !s->window;
    o->fresh += !s->window;
    o->different += s->window != o->windows + 1;
    s->window = o->windows + 1;
}

static bool take_access(void *ctx, const struct warp_inst *inst, unsigned array) {
    struct observing *o = ctx;
    FOR_LANES(l, inst->mask)
    refer(o, array, pages_of_line(&o->pages, inst->addr[l] / LINE_BYTES));
    o->array[array].insts++;
    o->array[array].accesses += bits_count32(inst->mask);
    o->insts++;
    if (++o->in_window == o->length)
        end_window(o);
    if (progress_due(&o->progress))
        progress_line(&o->progress, "%.3g M warp memory instructions", 1e-6 * (double)o->insts);
    return !o->stop;
}

/* ---- Results ---- */

static void print_table(const struct observing *o, FILE *out) {
    fprintf(out, "%-16s %10s %10s %10s %13s %15s\n", "array", "from page", "pages", "touched",
            "instructions", "accesses");
    for (unsigned i = 0; i < o->w->n_arrays; i++) {
        const struct array_count *a = &o->array[i];
        const uint64_t pages = (o->w->arrays[i].bytes + PAGE_BYTES - 1) / PAGE_BYTES;
        fprintf(out,
                "%-16s %10" PRIu32 " %10" PRIu64 " %10" PRIu64 " %13" PRIu64 " %15" PRIu64 "\n",
                o->w->arrays[i].name, o->pages.alloc[i].first, pages, a->touched, a->insts,
                a->accesses);
    }
}

static uint64_t touched(const struct observing *o) {
    uint64_t n = 0;
    for (unsigned i = 0; i < o->w->n_arrays; i++)
        n += o->array[i].touched;
    return n;
}

static void print_results(const struct observing *o, FILE *out) {
    const double mean = o->windows ? (double)o->sum / (double)o->windows : 0;
    print_table(o, out);
    fprintf(out, "%-16s %10s %10" PRIu32 " %10" PRIu64 " %13" PRIu64 "\n", "all", "",
            pages_footprint(&o->pages), touched(o), o->insts);
    fprintf(out,
            "windows of %" PRIu64 " warp memory instructions: %" PRIu64
            "; different pages: %.1f in the mean, %" PRIu64 " at most\n",
            o->length, o->windows, mean, o->most);
}

/* ---- The command ---- */

static int open_file(struct observing *o, struct new_file *nf, const char *path,
                     const char *columns) {
    char why[512];
    if (!path)
        return 0;
    if (new_file_open(nf, path, why, sizeof why)) {
        snprintf(o->err, sizeof o->err, "cannot write %s", why);
        return -1;
    }
    fprintf(nf->f, "%s\n", columns);
    return 0;
}

/* Keeps what was written, or drops it. */
static int close_file(struct observing *o, struct new_file *nf, bool keep) {
    char why[512];
    if (!nf->f)
        return 0;
    if (!keep)
        new_file_drop(nf);
    else if (new_file_commit(nf, why, sizeof why)) {
        snprintf(o->err, sizeof o->err, "cannot write %s", why);
        return -1;
    }
    return 0;
}

static int run_workload(struct observing *o) {
    const struct workload_observer observer = {o, take_access};
    struct workload_counts counts;
    if (workload_run_observed(o->w, &observer, &counts) == 0) {
        if (o->in_window)
            end_window(o);
        return 0;
    }
    snprintf(o->err, sizeof o->err, "%s", counts.err[0] ? counts.err : "interrupted");
    return -1;
}

static void write_by_page(struct observing *o) {
    for (uint32_t page = 0; o->opts->by_page && page < o->pages.n; page++)
        if (o->seen[page].insts)
            fprintf(o->by_page.f, "%s,%" PRIu32 ",%" PRIu64 "\n",
                    o->w->arrays[pages_alloc(&o->pages, page) - o->pages.alloc].name, page,
                    o->seen[page].insts);
}

static int write_all(struct observing *o) {
    const struct pages_opts *p = o->opts;
    int bad = open_file(o, &o->csv, p->csv, "instruction,array,page") ||
              open_file(o, &o->by_page, p->by_page, "array,page,instructions") ||
              open_file(o, &o->window, p->windows, "window,instructions,pages,new_pages") ||
              run_workload(o);
    if (!bad)
        write_by_page(o);
    bad |= close_file(o, &o->csv, !bad);
    bad |= close_file(o, &o->by_page, !bad);
    bad |= close_file(o, &o->window, !bad);
    return bad;
}

static int make(struct observing *o) {
    const char *size;
    const struct workload_type *type =
        read_workload_name(o->opts->workload, &size, o->err, sizeof o->err);
    o->w = type ? type->create(size, o->err, sizeof o->err) : NULL;
    if (!o->w)
        return -1;
    if (pages_init(&o->pages, o->w->arrays, o->w->n_arrays) == 0) {
        o->seen = calloc(o->pages.n, sizeof *o->seen);
        o->array = calloc(o->w->n_arrays, sizeof *o->array);
    }
    if (o->seen && o->array)
        return 0;
    snprintf(o->err, sizeof o->err, "out of memory for the pages of the workload");
    return -1;
}

static void release(struct observing *o) {
    if (o->w)
        o->w->destroy(o->w);
    pages_free(&o->pages);
    free(o->seen);
    free(o->array);
}

static bool writes_stdout(const struct pages_opts *o) {
    return (o->csv && is_stdout(o->csv)) || (o->by_page && is_stdout(o->by_page)) ||
           (o->windows && is_stdout(o->windows));
}

/* A file that two results would be written to, or NULL. */
static const char *named_twice(const struct pages_opts *o) {
    if (paths_same(o->csv, o->by_page) || paths_same(o->csv, o->windows))
        return o->csv;
    return paths_same(o->by_page, o->windows) ? o->by_page : NULL;
}

static int run(const struct pages_opts *p) {
    struct observing o = {.opts = p, .length = p->window ? p->window : WINDOW};
    if (!p->workload)
        return usage_error(p->command, "no workload: -w WORKLOAD (see memtwin list workloads)");
    if (named_twice(p))
        return usage_error(p->command, "%s is named for two results", named_twice(p));
    interrupt_catch(&o.stop);
    progress_begin(&o.progress, p->quiet);
    const int bad = make(&o) || write_all(&o);
    progress_end(&o.progress);
    if (bad)
        usage_error(p->command, "%s", o.err);
    else if (!p->quiet)
        print_results(&o, writes_stdout(p) ? stderr : stdout);
    release(&o);
    if (bad)
        return interrupted() ? interrupted() : EXIT_USAGE;
    return EXIT_GOOD;
}

int cmd_pages(int argc, char **argv) {
    struct pages_opts o = {.command = argv[0]};
    const int code = read_options(&line, argc, argv, &o, NULL);
    return code == GO_ON ? run(&o) : code;
}
