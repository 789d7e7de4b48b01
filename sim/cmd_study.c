// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "commands.h"
#include "lib/alloc.h"
#include "os/interrupt.h"
#include "os/path.h"
#include "lib/message.h"
#include "lib/shell.h"
#include "options.h"
#include "rows.h"
#include "study/db.h"
#include "study/grid.h"
#include "study/slurm.h"
#include "study/work.h"

struct study_opts {
    const char *command, *out, *partition, *sbatch;
    struct text_list workloads;
    uint64_t jobs, tasks, task;
    struct rows_paths rows;
    bool dry_run, retry, detail, series, list, slurm, collect, quiet;
};

#define ROW(...) OPTION(struct study_opts, __VA_ARGS__)
static const struct option_row table[] = {
    ROW('o', "out", "DB", take_text, out,
        "database to write (default: NAME.db in the current folder for a study\n"
        "NAME.ini)"),
    MANY(struct study_opts, 'w', "workload", "NAME[:SIZE]", take_list, workloads,
         "only this workload of the study, at SIZE if given; may be repeated"),
    {'j', "jobs", "N", "number of concurrent runs (default: one per processor; with --slurm: 1)",
     take_number, offsetof(struct study_opts, jobs), 1, 1024, false, false},
    ROW(0, "dry-run", NULL, take_flag, dry_run,
        "list the runs, their states and an estimate of the time; run nothing"),
    ROW(0, "retry", NULL, take_flag, retry, "repeat runs that failed or were stopped by max_time"),
    ROW(0, "detail", NULL, take_flag, detail,
        "also keep statistics of each kernel, SM, L2 bank and DRAM channel"),
    ROW(0, "series", NULL, take_flag, series,
        "also keep a short time series of each run, for the page of memtwin report"),
    ROW(0, "list", NULL, take_flag, list, "print the runs of a database, one per row"),
    ROW(0, "csv", "FILE", take_text, rows.csv,
        "with --list: write them as CSV (-: standard output)"),
    ROW(0, "json", "FILE", take_text, rows.json, "with --list: write them as JSON"),
    ROW(0, "slurm", NULL, take_flag, slurm,
        "collect results, then submit the missing runs as a Slurm job array; its\n"
        "tasks write to databases in DB.tasks (with --dry-run: print its script)"),
    ROW(0, "partition", "NAME", take_text, partition, "partition of the cluster, for --slurm"),
    NUMBER(struct study_opts, "tasks", "N", 1, RUNS_MAX, tasks,
           "maximum number of tasks, for --slurm (default: 100)"),
    ROW(0, "sbatch", "OPTIONS", take_options, sbatch,
        "further options of sbatch, for --slurm: '--time=4:00:00 --mem-per-cpu=2G'"),
    ROW(0, "collect", NULL, take_flag, collect,
        "copy the results of ended tasks into the database"),
    NUMBER(struct study_opts, "task", "K", 1, RUNS_MAX, task,
           "do the runs of task K (called by the script of --slurm)"),
    ROW('q', "quiet", NULL, take_flag, quiet, "no summary, no progress"),
    {0}};

static const char usage[] =
    "usage: memtwin study FILE.ini [OPTION]...\n"
    "       memtwin study --list DB [--csv FILE|--json FILE]\n"
    "       memtwin study FILE.ini --slurm [OPTION]...\n"
    "       memtwin study --collect DB\n"
    "\n"
    "Runs each workload on each configuration with each scheme and value of each axis that FILE\n"
    "names, and writes the results to a SQLite database. Does not repeat runs that the database\n"
    "already has from the same program, configuration and workload. memtwin-study(5) explains\n"
    "FILE; docs/use/studies.md has examples, and the tables of the database.\n";
static const char notes[] =
    "SIGINT (Ctrl-C), SIGTERM and SIGHUP stop the study within a second; the same command\n"
    "continues it. If runs fail, the exit code is that of the first failed run (2 if a signal\n"
    "ended it).\n";
static const struct command_line line = {
    .usage = usage, .table = table, .notes = notes, .word = {"FILE.ini|DB"}};

static struct study_slurm slurm_options(const struct study_opts *o, const char *path) {
    return (struct study_slurm){.command = o->command,
                                .path = path,
                                .jobs = o->jobs,
                                .tasks = o->tasks,
                                .partition = o->partition,
                                .options = o->sbatch,
                                .retry = o->retry,
                                .quiet = o->quiet};
}

/* ---- Dry run ---- */

struct plan {
    const struct study_runs *runs;
    struct study_db *db; /* NULL if it does not exist yet */
    bool retry;
    double *seconds; /* mean run time of each configuration and workload; negative if unknown */
    const char **known_runs,    /* identities of all known runs */
        **to_do;                /* identities of the known runs to do */
    char (*state)[STUDY_STATE]; /* state of each run for a reader */
    size_t n_known, n_to_do;
    size_t known;   /* number of rows to do whose run time is known */
    size_t n_later; /* number of runs that depend on missing results */
    double total;   /* sum of the known times, in seconds */
};

static double *seconds_at(const struct plan *p, size_t run) {
    const struct study_runs *r = p->runs;
    return &p->seconds[runs_place(r, run, BY_CONFIG) * r->size[BY_WORKLOAD] +
                       runs_place(r, run, BY_WORKLOAD)];
}

static int ask_seconds(const struct plan *p, struct error *err) {
    const struct study_runs *r = p->runs;
    for (size_t i = 0; i < r->size[BY_CONFIG] * r->size[BY_WORKLOAD]; i++) {
        p->seconds[i] = -1;
        if (p->db && db_seconds(p->db, r->machine[i / r->size[BY_WORKLOAD]].path,
                                r->workload[i % r->size[BY_WORKLOAD]].name, &p->seconds[i], err))
            return -1;
    }
    return 0;
}

/* Finds the state of a run, and counts the run. */
static int look_at_run(struct plan *p, size_t run, struct error *err) {
    const struct study_runs *r = p->runs;
    const double seconds = *seconds_at(p, run);
    char *state = p->state[run];
    bool to_do = true;
    if (r->state[run] == RUN_ABSENT)
        return 0;
    if (r->state[run] == RUN_UNKNOWN)
        snprintf(state, STUDY_STATE, "depends on other runs");
    else if (p->db && db_state(p->db, r, run, p->retry, state, &to_do, err))
        return -1;
    if (!*state || strcmp(state, "waiting") == 0)
        snprintf(state, STUDY_STATE, "to do");
    if (r->state[run] != RUN_UNKNOWN)
        p->known_runs[p->n_known++] = r->identity[run];
    if (!to_do)
        return 0;
    if (r->state[run] == RUN_UNKNOWN && r->study->n_schemes &&
        r->study->scheme[runs_place(r, run, BY_SCHEME)].best.n)
        return 0; /* this row repeats another run */
    if (r->state[run] == RUN_UNKNOWN)
        p->n_later++;
    else
        p->to_do[p->n_to_do++] = r->identity[run];
    if (seconds >= 0) {
        p->known++;
        p->total += seconds;
    }
    return 0;
}

static const struct grid_column plan_columns[] = {{"run", false},     {"config", true},
                                                  {"workload", true}, {"scheme", true},
                                                  {"axes", true},     {"state", true}};

/* Measures or prints the row of each run. */
static void each_row(const struct plan *p, struct grid *g, bool print) {
    const struct study_runs *r = p->runs;
    for (size_t run = 0; run < r->n; run++) {
        char number[24], *axes = NULL;
        size_t size;
        if (r->state[run] == RUN_ABSENT)
            continue;
        FILE *f = alloc_stream(&axes, &size);
        runs_axes(r, run, f);
        alloc_stream_close(f);
        snprintf(number, sizeof number, "%zu", run);
        const char *const value[] = {number,
                                     r->study->configs.word[runs_place(r, run, BY_CONFIG)].text,
                                     runs_workload(r, run)->label,
                                     runs_scheme(r, run),
                                     axes,
                                     p->state[run]};
        if (print)
            grid_print_row(g, value, stdout);
        else
            grid_measure(g, value);
        free(axes);
    }
}

static void print_plan(const struct plan *p) {
    struct grid g = {.column = plan_columns, .n = sizeof plan_columns / sizeof *plan_columns};
    each_row(p, &g, false);
    grid_print_titles(&g, stdout);
    each_row(p, &g, true);
}

static int by_identity(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Returns the number of different identities. */
static size_t count_different(const char **identity, size_t n_rows) {
    size_t n = 0;
    qsort(identity, n_rows, sizeof *identity, by_identity);
    for (size_t i = 0; i < n_rows; i++)
        n += i == 0 || strcmp(identity[i], identity[i - 1]) != 0;
    return n;
}

static void print_size(size_t rows, size_t runs) {
    if (rows != runs)
        printf("%zu row%s, ", rows, message_plural(rows));
    printf("%zu run%s", runs, message_plural(runs));
}

static void print_estimate(struct plan *p, size_t jobs) {
    const size_t now = count_different(p->to_do, p->n_to_do), n = now + p->n_later;
    const double known_share = p->known ? p->total / (double)p->known : 0;
    const uint64_t s = (uint64_t)(known_share * (double)n / (double)jobs + 0.5);
    print_size(p->runs->count.known + p->runs->count.unknown,
               count_different(p->known_runs, p->n_known) + p->n_later);
    printf(", %zu to do", now);
    if (p->n_later)
        printf(", %zu dependent on other runs", p->n_later);
    if (p->known)
        printf(": about %" PRIu64 ":%02" PRIu64 ":%02" PRIu64 " with %zu at a time", s / 3600,
               s / 60 % 60, s % 60, jobs);
    if (p->known && p->known < p->n_to_do + p->n_later)
        fputs(", estimated from workloads that have run before", stdout);
    puts(n && !p->known ? ": time unknown, because no workload to do has finished on its "
                          "configuration yet (start the study to see the time left; Ctrl-C keeps "
                          "finished runs)"
                        : "");
}

static int dry_run(const struct study_opts *o, struct study_runs *r, const char *path) {
    struct plan p = {.runs = r, .retry = o->retry};
    size_t found;
    struct error err = {0};
    struct stat st;
    if (db_check_path(path, &err) ||
        (stat(path, &st) == 0 && st.st_size && !(p.db = db_open(path, false, &err))))
        return error_print(EXIT_USAGE, o->command, "%s", err.text);
    p.seconds = alloc_zeroed(r->size[BY_CONFIG] * r->size[BY_WORKLOAD], sizeof *p.seconds);
    p.known_runs = alloc_zeroed(r->n, sizeof *p.known_runs);
    p.to_do = alloc_zeroed(r->n, sizeof *p.to_do);
    p.state = alloc_zeroed(r->n, sizeof *p.state);
    int bad = ask_seconds(&p, &err) || (p.db && runs_resolve(r, db_value, p.db, &found, &err));
    for (size_t run = 0; run < r->n && !bad; run++)
        bad = look_at_run(&p, run, &err);
    if (!bad) {
        print_plan(&p);
        print_estimate(&p, o->jobs);
    }
    int code = bad ? error_print(EXIT_USAGE, o->command, "%s", err.text) : EXIT_GOOD;
    if (!bad && o->slurm) {
        const struct study_slurm slurm = slurm_options(o, path);
        code = slurm_print(&slurm, r, count_different(p.to_do, p.n_to_do));
    }
    free(p.seconds);
    free(p.known_runs);
    free(p.to_do);
    free(p.state);
    db_close(p.db);
    return code;
}

/* ---- Study ---- */

static int summarize(const struct study_opts *o, const struct study_runs *r, struct study_db *db,
                     const char *path) {
    struct study_count n;
    char cut[STUDY_SHORT];
    struct error err;
    const size_t unknown = r->count.unknown;
    if (db_count(db, &n, &err))
        return error_print(EXIT_USAGE, o->command, "%s", err.text);
    if (!o->quiet) {
        db_print_short(&n, cut);
        printf("%s: ", r->study->name);
        print_size(n.rows, n.runs);
        printf(": %zu done%s, %zu failed; ", n.done, cut, n.failed);
        shell_print_command(stdout, "study --list", path);
        fflush(stdout);
    }
    if (work_note_unlisted(o->command, r, db, &err))
        return error_print(EXIT_USAGE, o->command, "%s", err.text);
    if (n.failed) {
        char *word = shell_path(path);
        note_print(o->command, "%zu run%s failed: --list %s says why, --retry runs %s again",
                   n.failed, message_plural(n.failed), word, n.failed == 1 ? "it" : "them");
        free(word);
    }
    if (unknown)
        note_print(o->command, "%zu run%s not known: %s", unknown, unknown == 1 ? " is" : "s are",
                   r->count.why);
    if (n.failed)
        return n.first_failure > EXIT_SIGNAL ? EXIT_INTERNAL : n.first_failure;
    return unknown ? EXIT_USAGE : EXIT_GOOD;
}

/* Does the known runs, then the runs that their results make known, until no new run becomes
 * known. */
static int run_all(const struct study_opts *o, struct study_runs *r, struct progress *p,
                   const struct study_work *w) {
    struct error err;
    for (bool first = true;; first = false) {
        size_t found;
        int bad = runs_resolve(r, db_value, w->db, &found, &err) ||
                  ((first || found) && db_store(w->db, r, o->retry, p, &err));
        progress_end(p);
        if (bad)
            return error_print(EXIT_USAGE, o->command, "%s", err.text);
        if (!first && !found)
            return EXIT_GOOD;
        int code = work_do(w);
        if (code != EXIT_GOOD)
            return code;
    }
}

struct study_place {
    const struct study_opts *o;
    const struct study *study;
    const char *path;
};

/* Warns that this study replaces another study of the same name in the database. */
static void warn_replaced(void *ctx, const char *name, const char *file) {
    const struct study_place *p = ctx;
    if (strcmp(name, p->study->name) == 0 && !paths_same(file, p->study->path))
        warning_print(p->o->command, "%s: study %s replaces the one from %s", p->path, name, file);
}

static int run_study(const struct study_opts *o, struct study_runs *r, struct progress *p,
                     const char *path) {
    const struct study_slurm slurm = slurm_options(o, path);
    struct study_work w = {.command = o->command, .runs = r, .jobs = o->jobs, .quiet = o->quiet};
    volatile bool stop = false; /* work_do stops for a signal that arrives before it begins */
    struct error err;
    if (o->slurm)
        return slurm_submit(&slurm, r, p);
    interrupt_catch(&stop);
    w.db = db_open(path, true, &err);
    if (!w.db) {
        progress_end(p);
        return error_print(interrupted() ? interrupted() : EXIT_USAGE, o->command, "%s", err.text);
    }
    struct study_place place = {o, r->study, path};
    int code = db_studies(w.db, warn_replaced, &place, &err)
                   ? error_print(EXIT_USAGE, o->command, "%s", err.text)
                   : slurm_beside(&slurm, w.db);
    if (code == EXIT_GOOD)
        code = run_all(o, r, p, &w);
    if (code == EXIT_GOOD)
        code = summarize(o, r, w.db, path);
    db_close(w.db);
    return code;
}

static void warn(void *ctx, const char *text) {
    const struct study_opts *o = ctx;
    warning_print(o->command, "%s", text);
}

static int study(struct study_opts *o, const char *file) {
    struct study s;
    struct study_runs r = {0};
    struct progress p;
    char path[512];
    struct error err;
    int code;
    progress_begin(&p, o->quiet);
    if (study_read(&s, file, o->workloads.n > 0, &err) == 0 &&
        (!o->workloads.n || study_choose(&s, o->workloads.text, o->workloads.n, &err) == 0)) {
        s.detail |= o->detail;
        s.series |= o->series;
        snprintf(path, sizeof path, "%s.db", s.name);
        code = runs_make(&r, &s, warn, o, &p, &err) ? EXIT_USAGE : EXIT_GOOD;
        if (code != EXIT_GOOD || o->dry_run)
            progress_end(&p);
    } else {
        code = EXIT_USAGE;
    }
    if (code != EXIT_GOOD)
        error_print(EXIT_USAGE, o->command, "%s", err.text);
    else if (o->dry_run)
        code = dry_run(o, &r, o->out ? o->out : path);
    else
        code = run_study(o, &r, &p, o->out ? o->out : path);
    runs_free(&r);
    study_free(&s);
    return code;
}

static int write_list(struct study_db *db, const struct rows_paths *paths, struct error *err) {
    static const struct rows_column columns[] = {
        {"study", false},  {"run", true},           {"config", false}, {"workload", false},
        {"scheme", false}, {"axes", false},         {"state", false},  {"cycles", true},
        {"ipc", true},     {"over_baseline", true}, {"message", false}};
    struct rows r;
    if (rows_begin(&r, paths, columns, sizeof columns / sizeof columns[0], err))
        return -1;
    if (db_list_rows(db, &r, err)) {
        rows_drop(&r);
        return -1;
    }
    return rows_end(&r, err);
}

static int list_runs(const struct study_opts *o, const char *path) {
    struct error err;
    const char *to = o->rows.csv ? o->rows.csv : o->rows.json;
    if (paths_same(path, to))
        return usage_error(o->command, "%s: the list would replace the database", path);
    struct study_db *db = db_open(path, false, &err);
    int bad =
        !db || db_check_points(db, NULL, &err) ||
        (o->rows.csv || o->rows.json ? write_list(db, &o->rows, &err) : db_list(db, stdout, &err));
    db_close(db);
    return bad ? error_print(EXIT_USAGE, o->command, "%s", err.text) : EXIT_GOOD;
}

/* Returns the number of processors that this process may use, as limited by taskset for example. */
static uint64_t processors(void) {
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? (uint64_t)CPU_COUNT(&set) : 1;
}

/* Checks for options that exclude or require each other. */
static int check_options(const struct study_opts *o) {
    const bool is_slurm_option = o->partition || o->sbatch || o->tasks;
    const bool is_study_option = o->out || o->dry_run || o->retry || o->detail || o->series ||
                                 o->slurm || o->workloads.n || is_slurm_option;
    if (o->list && (is_study_option || o->jobs || o->quiet || o->collect || o->task))
        return usage_error(o->command, "--list cannot be combined with other options");
    if (!o->list && (o->rows.csv || o->rows.json))
        return usage_error(o->command, "--csv and --json need --list");
    if (o->collect && (is_study_option || o->jobs || o->task))
        return usage_error(o->command, "--collect can be combined only with --quiet");
    if (o->task && is_study_option)
        return usage_error(o->command, "--task can be combined only with --jobs and --quiet");
    if (is_slurm_option && !o->slurm)
        return usage_error(o->command, "--partition, --sbatch and --tasks need --slurm");
    if (o->sbatch && strchr(o->sbatch, '\n'))
        return usage_error(o->command, "--sbatch: more than one line");
    return EXIT_GOOD;
}

static int do_what(struct study_opts *o, const char *word) {
    if (!word)
        return usage_error(o->command,
                           "no study: expected FILE.ini, --list DB or --collect DB (see %s --help)",
                           o->command);
    const int code = check_options(o);
    if (code != EXIT_GOOD)
        return code;
    if (!o->jobs)
        o->jobs = o->slurm ? 1 : processors();
    const struct study_slurm slurm = slurm_options(o, word);
    if (o->collect)
        return slurm_collect(&slurm);
    if (o->task)
        return slurm_task(&slurm, word, o->task);
    return o->list ? list_runs(o, word) : study(o, word);
}

int cmd_study(int argc, char **argv) {
    struct study_opts o = {.command = argv[0]};
    const char *word = NULL;
    int code = read_options(&line, argc, argv, &o, &word);
    if (code == GO_ON)
        code = do_what(&o, word);
    free(o.workloads.text);
    return code;
}
