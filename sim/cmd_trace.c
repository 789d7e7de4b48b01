// SPDX-License-Identifier: Apache-2.0
/* memtwin trace: writes Accel-Sim traces of workloads and of synthetic kernels. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "commands.h"
#include "kernel/kernel.h"
#include "lib/guess.h"
#include "lib/message.h"
#include "options.h"
#include "progress.h"
#include "settings.h"
#include "trace/export.h"
#include "trace/reader.h"
#include "trace/synth.h"

struct trace_opts {
    const char *command, *verb, *workload, *trace, *out;
    const char *kind;      /* kind of kernel that `make` writes */
    const char *config;    /* machine that `check` fits kernels to; NULL for none */
    const char *kernels;   /* choice of kernels that `check` reads; NULL for all */
    uint64_t warps, scale; /* 0 if not given */
    bool strict, xz, quiet;
};

#define ROW(...) OPTION(struct trace_opts, __VA_ARGS__)
#define COUNT(...) NUMBER(struct trace_opts, __VA_ARGS__)
static const struct option_row table[] = {
    ROW('w', "workload", "W[:SIZE]", take_text, workload,
        "memtwin list workloads names them and explains SIZE"),
    ROW('o', "out", "DIR", take_text, out,
        "a new or empty folder; after an error it contains no files"),
    ROW('t', "trace", "TRACE", take_text, trace,
        "kernelslist.g, its folder, or one .traceg; -: standard input"),
    ROW('c', "config", "CONFIG", take_text, config,
        "for check: a kernel is bad if it does not fit on an SM of this machine"),
    ROW(0, "kernels", "LIST", take_text, kernels, KERNELS_HELP),
    COUNT("warps", "N", 1, SYNTH_MAX_WARPS, warps,
          "for make: warps, a multiple of 8, up to 4194304 (default 4096)"),
    COUNT("scale", "K", 1, SYNTH_MAX_SCALE, scale,
          "for make: work per thread, 1 to 4096 times the default amount (default 1)"),
    ROW(0, "strict", NULL, take_flag, strict,
        "for check: a kernel is bad if the model differs from one of its lines"),
    ROW(0, "xz", NULL, take_flag, xz, "compress: kernel-N.traceg.xz"),
    ROW('q', "quiet", NULL, take_flag, quiet, "no output, no progress"),
    {0}};

#define KINDS "vecadd, vecadd16, divergent, random, spill4, spill16 or array"

static const char usage[] =
    "usage: memtwin trace export -w WORKLOAD[:SIZE] -o DIR [--xz] [-q]\n"
    "       memtwin trace make KIND -o DIR [--warps N] [--scale K] [--xz] [-q]\n"
    "       memtwin trace check -t TRACE [-c CONFIG] [--kernels LIST] [--strict]\n"
    "\n"
    "export writes a workload in Accel-Sim's format (DIR/kernelslist.g, DIR/kernel-N.traceg);\n"
    "running the trace gives the same statistics as the workload, except on machines that depend\n"
    "on instruction addresses or register numbers (gtx480, titanx). make writes a synthetic\n"
    "kernel:\n"
    "\n"
    "  vecadd     two coalesced loads, add, store\n"
    "  vecadd16   vecadd with 16 elements per thread\n"
    "  divergent  a load with lanes 128 B apart, add, store\n"
    "  random     a gather in 16 MiB, add, store\n"
    "  spill4     a load, spill and reload of 4 registers, adds, store\n"
    "  spill16    a load, spill and reload of 16 registers, adds, store\n"
    "  array      a load, loops over 64 words of local memory, store\n"
    "\n"
    "check reads a whole trace, prints a summary of its contents, and names each kernel that\n"
    "cannot be read.\n";
static const char notes[] = "docs/use/traces.md describes the format and the modeled features.\n";
static const struct command_line line = {
    .usage = usage, .table = table, .notes = notes, .word = {"export|make|check", "KIND"}};

static int unknown_verb(const struct trace_opts *o) {
    static const char *const verbs[] = {"export", "make", "check"};
    struct guess guess;
    guess_begin(&guess, o->verb);
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
        guess_try(&guess, verbs[i], strlen(verbs[i]));
    return usage_error(o->command, "unknown '%s': expected export, make or check%s", o->verb,
                       guess_hint(&guess));
}

static int check_options(const struct trace_opts *o) {
    if (!o->verb)
        return usage_error(
            o->command, "no subcommand: expected export, make or check (see memtwin trace --help)");
    const bool make = strcmp(o->verb, "make") == 0, check = strcmp(o->verb, "check") == 0;
    if (!make && !check && strcmp(o->verb, "export") != 0)
        return unknown_verb(o);
    if (make && !o->kind)
        return usage_error(o->command, "no kind: expected " KINDS);
    if (check && o->kind && !o->trace)
        return usage_error(o->command, "unexpected '%s': use -t %s to name the trace", o->kind,
                           o->kind);
    if (!make && o->kind)
        return usage_error(o->command, "unexpected '%s' (see memtwin trace --help)", o->kind);
    if (!make && (o->warps || o->scale))
        return usage_error(o->command, "--warps and --scale are only for make");
    if (o->workload && (make || check))
        return usage_error(o->command, "-w is only for export");
    if (o->trace && !check)
        return usage_error(o->command, "-t is only for check");
    if ((o->config || o->kernels || o->strict) && !check)
        return usage_error(o->command, "--%s is only for check",
                           o->config    ? "config"
                           : o->kernels ? "kernels"
                                        : "strict");
    if (check && (o->out || o->xz))
        return usage_error(o->command, "check writes no files and takes neither -o nor --xz");
    if (check && !o->trace)
        return usage_error(o->command, "no trace: use -t TRACE");
    if (!make && !check && !o->workload)
        return usage_error(o->command, "no workload: use -w WORKLOAD (see memtwin list workloads)");
    if (!check && (!o->out || !*o->out))
        return usage_error(o->command, "no folder: use -o DIR");
    if (make && o->warps % (SYNTH_BLOCK / WARP_LANES))
        return usage_error(o->command, "--warps %" PRIu64 ": not a multiple of %d", o->warps,
                           SYNTH_BLOCK / WARP_LANES);
    return EXIT_GOOD;
}

/* ---- Workloads ---- */

static struct workload *open_workload(const char *arg, struct error *err) {
    const char *size;
    const struct workload_type *type = read_workload_name(arg, &size, err);
    return type ? workload_create(type, size, err) : NULL;
}

static struct workload *make_workload(const struct trace_opts *o, struct error *err) {
    const struct synth_kind *k = synth_kinds;
    struct guess guess;
    guess_begin(&guess, o->kind);
    for (; k->name && strcmp(k->name, o->kind) != 0; k++)
        guess_try(&guess, k->name, strlen(k->name));
    if (k->name)
        return synth_create(k, o->warps ? (uint32_t)o->warps : 4096,
                            o->scale ? (uint32_t)o->scale : 1);
    error_set(err, "no kind '%s' (" KINDS ")%s", o->kind, guess_hint(&guess));
    return NULL;
}

/* ---- Writing ---- */

struct writing {
    struct progress progress;
    const struct workload *workload;
};

/* Prints "12 % of CTAs, 0:07 left, kernel 3 of 126 (name), ". */
static void print_reached(struct progress *p, const struct progress_of *of, const char *name,
                          char *buf, size_t size) {
    char percent[64], launches[32] = "", called[128] = "";
    double done = progress_done(of);
    progress_left(done, progress_unit(of), progress_predict(p, done, 1), percent, sizeof percent);
    if (of->launches)
        snprintf(launches, sizeof launches, " of %" PRIu64, of->launches);
    if (name)
        snprintf(called, sizeof called, " (%.100s)", name);
    snprintf(buf, size, "%skernel %" PRIu64 "%s%s, ", percent, of->launch, launches, called);
}

static void show_progress(void *ctx, const struct trace_exported *totals, const char *kernel,
                          uint64_t block, uint64_t blocks) {
    struct writing *w = ctx;
    char reached[256];
    if (!progress_due(&w->progress))
        return;
    const struct progress_of of = {.ctas = w->workload->ctas,
                                   .launches = w->workload->launches,
                                   .all_done = totals->blocks,
                                   .launch = totals->kernels,
                                   .done = block,
                                   .of = blocks};
    print_reached(&w->progress, &of, kernel, reached, sizeof reached);
    progress_line(&w->progress, "%sblock %" PRIu64 " of %" PRIu64, reached, block, blocks);
}

static void print_totals(const char *dir, const struct trace_exported *t) {
    const struct {
        uint64_t n;
        const char *what;
    } counts[] = {{t->kernels, "kernel"},
                  {t->blocks, "block"},
                  {t->warps, "warp"},
                  {t->insts, "warp instruction"}};
    message_write(stdout, "%s: ", dir);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        printf("%" PRIu64 " %s%s, ", counts[i].n, counts[i].what, counts[i].n == 1 ? "" : "s");
    printf("%.1f MiB of text\n", (double)t->bytes / (1 << 20));
}

static int write_trace(const struct trace_opts *o, struct workload *w) {
    struct error err;
    struct writing writing = {.workload = w};
    struct trace_exported totals;
    volatile bool stop = false;
    const struct trace_export how = {
        .dir = o->out, .xz = o->xz, .stop = &stop, .progress = show_progress, .ctx = &writing};
    interrupt_catch(&stop);
    progress_begin(&writing.progress, o->quiet);
    int result = trace_export(w, &how, &totals, &err);
    progress_end(&writing.progress);
    if (result != 0)
        return error_print(interrupted() ? interrupted() : EXIT_USAGE, o->command, "%s", err.text);
    if (!o->quiet)
        print_totals(o->out, &totals);
    return EXIT_GOOD;
}

/* ---- Reading ---- */

struct trace_reading {
    const char *command;
    struct trace *trace;
    struct config cfg; /* used if a configuration is given, like `from` */
    struct config_sources from;
    struct progress progress;
    volatile bool stop;
};

static void show_warning(void *ctx, const char *line) {
    const struct trace_reading *r = ctx;
    warning_print(r->command, "%s", line);
}

static int check_launch(void *ctx, const struct kernel_launch *launch, struct error *err) {
    const struct trace_reading *r = ctx;
    return settings_check_launch(&r->cfg, &r->from, launch, err);
}

static bool show_reading(void *ctx, const struct trace_counts *c) {
    struct trace_reading *r = ctx;
    char reached[256];
    if (!progress_due(&r->progress))
        return !r->stop;
    const struct progress_of of = {.ctas = r->trace->ctas,
                                   .launches = r->trace->list.n_kernels,
                                   .all_done = c->blocks,
                                   .launch = c->kernels};
    print_reached(&r->progress, &of, NULL, reached, sizeof reached);
    progress_line(&r->progress, "%s%" PRIu64 " blocks, %" PRIu64 " instructions in total", reached,
                  c->blocks, c->insts);
    return !r->stop;
}

static void print_counts(const struct trace_counts *c, uint32_t streams, double seconds) {
    const struct {
        const char *name;
        uint64_t n;
    } rows[] = {{"kernels", c->kernels},         {"streams", streams},
                {"blocks", c->blocks},           {"warps", c->warps},
                {"warp instructions", c->insts}, {"thread instructions", c->threads},
                {"global loads", c->loads},      {"global stores", c->stores},
                {"atomics", c->atomics},         {"local accesses", c->local},
                {"shared accesses", c->shared},  {"shared passes", c->shared_passes},
                {"barriers", c->barriers},       {"arithmetic, rest", c->alu},
                {"special function", c->sfu},    {"double precision", c->fp64}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        printf("%-20s %16" PRIu64 "\n", rows[i].name, rows[i].n);
    double mb = (double)c->text_bytes / 1e6;
    printf("%-20s %16.1f MB in %.2f s of processor time, %.0f MB/s\n", "text", mb, seconds,
           seconds > 0 ? mb / seconds : 0.0);
}

/* Prints the summary and what was odd or bad. Returns the exit code. */
static int conclude_check(const struct trace_opts *o, struct trace_reading *r,
                          const struct trace_counts *counts, double seconds) {
    if (!o->quiet && counts->kernels)
        print_counts(counts, r->trace->n_streams, seconds);
    if (r->trace->listed == 1 && r->trace->n_left_out)
        return error_print(EXIT_USAGE, o->command, "%s", r->trace->left_out[0].why);
    trace_warn_odd(r->trace, show_warning, r);
    trace_warn_left_out(r->trace, SIZE_MAX, show_warning, r);
    return r->trace->n_left_out ? EXIT_USAGE : EXIT_GOOD;
}

static int check_trace(const struct trace_opts *o) {
    struct error err;
    struct trace_counts counts;
    struct trace trace;
    struct trace_reading r = {.command = o->command, .trace = &trace};
    const struct trace_how how = {.kernels = o->kernels,
                                  .skip_bad = true,
                                  .strict = o->strict,
                                  .check = o->config ? check_launch : NULL,
                                  .warn = show_warning,
                                  .ctx = &r};
    const struct text_list none = {0};
    if (o->config && settings_read(o->config, &none, &r.cfg, &r.from, &err))
        return error_print(EXIT_USAGE, o->command, "%s", err.text);
    int bad = trace_find(&trace, o->trace, &how, &err);
    interrupt_catch(&r.stop);
    progress_begin(&r.progress, o->quiet);
    const clock_t start = clock();
    bad = bad || trace_count(&trace, &r, show_reading, &counts, &err);
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    progress_end(&r.progress);
    int code =
        bad ? error_print(interrupted() ? interrupted() : EXIT_USAGE, o->command, "%s", err.text)
            : conclude_check(o, &r, &counts, seconds);
    trace_free(&trace);
    return code;
}

static int run_command(const struct trace_opts *o) {
    struct error err;
    int code = check_options(o);
    if (code != EXIT_GOOD)
        return code;
    if (o->trace)
        return check_trace(o);
    struct workload *w = o->kind ? make_workload(o, &err) : open_workload(o->workload, &err);
    if (!w)
        return error_print(EXIT_USAGE, o->command, "%s", err.text);
    code = write_trace(o, w);
    w->destroy(w);
    return code;
}

int cmd_trace(int argc, char **argv) {
    struct trace_opts o = {.command = argv[0]};
    const char *words[2] = {NULL, NULL};
    int code = read_options(&line, argc, argv, &o, words);
    o.verb = words[0];
    o.kind = words[1];
    return code == GO_ON ? run_command(&o) : code;
}
