// SPDX-License-Identifier: Apache-2.0
/* memtwin pages: lists the pages that a workload or a trace refers to, in order, without simulating
 * a machine. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "os/new_file.h"
#include "kernel/kernel.h"
#include "lib/line.h"
#include "lib/table.h"
#include "options.h"
#include "pages/pages.h"
#include "progress.h"
#include "trace/reader.h"
#include "workloads/lane.h"

#define WINDOW 1024

struct pages_opts {
    const char *command, *workload, *trace, *kernels, *csv, *by_page, *windows;
    uint64_t window; /* length of a window in instructions; 0 if not given */
    bool quiet;
};

#define ROW(...) OPTION(struct pages_opts, __VA_ARGS__)
static const struct option_row table[] = {
    ROW('w', "workload", "W[:SIZE]", take_text, workload,
        "memtwin list workloads names them and explains SIZE"),
    ROW('t', "trace", "TRACE", take_text, trace,
        "kernelslist.g, its folder, or one .traceg; -: standard input"),
    ROW(0, "kernels", "LIST", take_text, kernels, KERNELS_HELP),
    NUMBER(struct pages_opts, "window", "N", 1, 0, window,
           "warp memory instructions per window (default: 1024)"),
    ROW(0, "csv", "FILE", take_text, csv,
        "write all references to FILE, in order: instruction, array, page"),
    ROW(0, "by-page", "FILE", take_text, by_page,
        "write a row to FILE for each page referred to: array, page, number of\n"
        "instructions that refer to it"),
    ROW(0, "windows", "FILE", take_text, windows,
        "write a row to FILE for each window: its instructions, the different pages\n"
        "they refer to, and the pages among them that no earlier window refers to"),
    ROW('q', "quiet", NULL, take_flag, quiet, "no table, no progress"),
    {0}};

static const char usage[] =
    "usage: memtwin pages -w WORKLOAD[:SIZE] [OPTION]...\n"
    "       memtwin pages -t TRACE [OPTION]...\n"
    "\n"
    "Prints the 4 KB pages that a workload or a trace refers to. No machine is simulated: CTAs\n"
    "run one after the other, and the warps of a CTA take turns, one instruction each.\n";
static const char notes[] =
    "Pages are numbered as the driver of unified memory numbers them: each array starts at a\n"
    "multiple of 512 (docs/understand/uvm.md). A trace does not name its arrays: each region of\n"
    "2 MB that it refers to counts as one, named by its address. With FILE -, the table goes to\n"
    "standard error.\n";
static const struct command_line line = {.usage = usage, .table = table, .notes = notes};

/* State of a page. Instructions and windows are counted from 1; 0 means that none has referred to
 * the page. */
struct pages_seen {
    uint64_t inst,  /* number of the latest instruction that referred to the page */
        window;     /* number of the latest window that referred to the page */
    uint64_t insts; /* number of instructions that referred to the page */
};

struct array_count {
    uint64_t inst; /* number of the latest instruction that referred to the array, counted from 1 */
    uint64_t insts, accesses, touched;
};

struct observing {
    const struct pages_opts *opts;
    struct trace trace;                   /* all zero if -t is not given */
    struct workload *w;                   /* owned */
    struct pages pages;                   /* owned; each allocation is an array */
    struct pages_seen *seen;              /* owned; indexed by page */
    struct array_count *array;            /* owned; indexed by array */
    uint32_t room, array_room;            /* capacities of `seen` and `array` */
    struct new_file csv, by_page, window; /* each file is open if its option is given */
    uint64_t length;                      /* length of a window in instructions */
    uint64_t insts, windows;              /* counts so far; the last window may be short */
    uint64_t in_window;                   /* number of instructions in the current window */
    uint64_t different, fresh; /* numbers of different pages that the current window refers to, and
                                  of those among them that no earlier window referred to */
    uint64_t sum, most;        /* sum and maximum of `different` over all windows */
    struct progress progress;
    volatile bool stop;
    struct error err;
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

/* Returns the name of an array for result rows. */
static const char *array_name(const struct observing *o, uint32_t i, char *buf, size_t size) {
    if (!o->pages.on_touch)
        return o->pages.alloc[i].name;
    snprintf(buf, size, "0x%" PRIx64, o->pages.alloc[i].base);
    return buf;
}

/* Enlarges the tables so that they hold all pages and arrays found so far. */
static void make_room(struct observing *o) {
    o->seen = table_reach(o->seen, &o->room, o->pages.n, sizeof *o->seen);
    o->array = table_reach(o->array, &o->array_room, o->pages.n_allocs, sizeof *o->array);
}

static void note_reference(struct observing *o, uint32_t array, uint32_t page) {
    struct pages_seen *s = &o->seen[page];
    struct array_count *a = &o->array[array];
    char name[32];
    a->insts += a->inst != o->insts + 1;
    a->inst = o->insts + 1;
    if (s->inst == o->insts + 1)
        return;
    s->inst = o->insts + 1;
    s->insts++;
    if (o->opts->csv)
        fprintf(o->csv.f, "%" PRIu64 ",%s,%" PRIu32 "\n", o->insts,
                array_name(o, array, name, sizeof name), page);
    a->touched += !s->window;
    o->fresh += !s->window;
    o->different += s->window != o->windows + 1;
    s->window = o->windows + 1;
}

static bool take_access(void *ctx, const struct warp_inst *inst, unsigned array) {
    struct observing *o = ctx;
    (void)array;
    uint64_t line_before = UINT64_MAX; /* line of the previous lane; most lanes share it */
    uint32_t page = PAGE_NONE;
    FOR_LANES(l, inst->mask) {
        if (inst->addr[l] / LINE_BYTES != line_before) {
            line_before = inst->addr[l] / LINE_BYTES;
            page = pages_of_line(&o->pages, line_before);
            make_room(o);
            if (page != PAGE_NONE)
                note_reference(o, o->pages.last, page);
        }
        if (page != PAGE_NONE)
            o->array[o->pages.last].accesses++;
    }
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
    for (uint32_t i = 0; i < o->pages.n_allocs; i++) {
        const struct array_count *a = &o->array[i];
        const uint64_t pages = (o->pages.alloc[i].bytes + PAGE_BYTES - 1) / PAGE_BYTES;
        char name[32];
        fprintf(out,
                "%-16s %10" PRIu32 " %10" PRIu64 " %10" PRIu64 " %13" PRIu64 " %15" PRIu64 "\n",
                array_name(o, i, name, sizeof name), o->pages.alloc[i].first, pages, a->touched,
                a->insts, a->accesses);
    }
}

static uint64_t touched(const struct observing *o) {
    uint64_t n = 0;
    for (uint32_t i = 0; i < o->pages.n_allocs; i++)
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
            "; different pages: %.1f on average, %" PRIu64 " at most\n",
            o->length, o->windows, mean, o->most);
}

/* ---- Command ---- */

static int open_file(struct observing *o, struct new_file *nf, const char *path,
                     const char *columns) {
    struct error why;
    if (!path)
        return 0;
    if (new_file_open(nf, path, &why))
        return error_set(&o->err, "cannot write %s", why.text);
    fprintf(nf->f, "%s\n", columns);
    return 0;
}

/* Closes a file, and keeps or discards it. */
static int close_file(struct observing *o, struct new_file *nf, bool keep) {
    struct error why;
    if (!nf->f)
        return 0;
    if (!keep)
        new_file_drop(nf);
    else if (new_file_commit(nf, &why))
        return error_set(&o->err, "cannot write %s", why.text);
    return 0;
}

static int run_workload(struct observing *o) {
    const struct workload_observer observer = {o, take_access};
    struct workload_counts counts;
    const int bad = workload_run_observed(o->w, &observer, &counts);
    const char *why = o->w->error ? o->w->error(o->w) : NULL;
    if (!bad && !why) {
        if (o->in_window)
            end_window(o);
        return 0;
    }
    why = why ? why : counts.err.text[0] ? counts.err.text : "interrupted";
    if (!o->err.text[0])
        error_set(&o->err, "%s", why);
    return -1;
}

static void write_by_page(struct observing *o) {
    char name[32];
    for (uint32_t page = 0; o->opts->by_page && page < o->pages.n; page++) {
        if (!o->seen[page].insts)
            continue;
        const uint32_t array = (uint32_t)(pages_alloc(&o->pages, page) - o->pages.alloc);
        fprintf(o->by_page.f, "%s,%" PRIu32 ",%" PRIu64 "\n",
                array_name(o, array, name, sizeof name), page, o->seen[page].insts);
    }
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

static void show_warning(void *ctx, const char *line) {
    const struct observing *o = ctx;
    warning_print(o->opts->command, "%s", line);
}

/* Returns the path of a result that would replace a file of the trace, or NULL if there is none. */
static const char *replaces_trace(const struct observing *o) {
    const char *const out[] = {o->opts->csv, o->opts->by_page, o->opts->windows};
    for (size_t i = 0; i < sizeof out / sizeof *out; i++)
        if (out[i] && !is_stdout(out[i]) && trace_has(&o->trace, out[i]))
            return out[i];
    return NULL;
}

static struct workload *open_trace(struct observing *o) {
    const struct trace_how how = {.kernels = o->opts->kernels, .warn = show_warning, .ctx = o};
    if (trace_find(&o->trace, o->opts->trace, &how, &o->err))
        return NULL;
    const char *replaced = replaces_trace(o);
    if (!replaced)
        return trace_open(&o->trace);
    error_set(&o->err, "%s would be overwritten, but this run reads it", replaced);
    return NULL;
}

static struct workload *make_workload(struct observing *o) {
    const char *size;
    const struct workload_type *type = read_workload_name(o->opts->workload, &size, &o->err);
    return type ? workload_create(type, size, &o->err) : NULL;
}

static int make_observing(struct observing *o) {
    o->w = o->opts->trace ? open_trace(o) : make_workload(o);
    if (!o->w)
        return -1;
    pages_init(&o->pages, o->w->arrays, o->w->n_arrays);
    make_room(o);
    return 0;
}

static void release_observing(struct observing *o) {
    if (o->w)
        o->w->destroy(o->w);
    if (o->opts->trace) {
        trace_warn_odd(&o->trace, show_warning, o);
        trace_free(&o->trace);
    }
    pages_free(&o->pages);
    free(o->seen);
    free(o->array);
}

static bool writes_stdout(const struct pages_opts *o) {
    return (o->csv && is_stdout(o->csv)) || (o->by_page && is_stdout(o->by_page)) ||
           (o->windows && is_stdout(o->windows));
}

/* Returns the path that two results would be written to, or NULL if there is none. */
static const char *named_twice(const struct pages_opts *o) {
    if (paths_same(o->csv, o->by_page) || paths_same(o->csv, o->windows))
        return o->csv;
    return paths_same(o->by_page, o->windows) ? o->by_page : NULL;
}

static int run_command(const struct pages_opts *p) {
    struct observing o = {.opts = p, .length = p->window ? p->window : WINDOW};
    if (p->workload && p->trace)
        return usage_error(p->command, "use either -w %s or -t %s", p->workload, p->trace);
    if (!p->workload && !p->trace)
        return usage_error(p->command,
                           "no workload: use -w WORKLOAD (see memtwin list workloads) or -t TRACE");
    if (named_twice(p))
        return usage_error(p->command, "%s is given for two outputs", named_twice(p));
    interrupt_catch(&o.stop);
    progress_begin(&o.progress, p->quiet);
    const int bad = make_observing(&o) || write_all(&o);
    progress_end(&o.progress);
    if (bad)
        error_print(EXIT_USAGE, p->command, "%s", o.err.text);
    else if (!p->quiet)
        print_results(&o, writes_stdout(p) ? stderr : stdout);
    release_observing(&o);
    if (bad)
        return interrupted() ? interrupted() : EXIT_USAGE;
    return EXIT_GOOD;
}

int cmd_pages(int argc, char **argv) {
    struct pages_opts o = {.command = argv[0]};
    const int code = read_options(&line, argc, argv, &o, NULL);
    return code == GO_ON ? run_command(&o) : code;
}
